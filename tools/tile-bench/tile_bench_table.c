/* SPDX-License-Identifier: MIT */
/* The table for people: a row for each size, a column for each provider, and how much faster the
   first is than each of the others. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "tile_bench_run.h"

double bench_metric(const struct bench *bench, size_t point, const struct bench_cell *cell,
                    const char *metric) {
  if (cell->state != BENCH_GOOD || !(cell->median > 0))
    return 0;
  if (strcmp(metric, "ms") == 0)
    return cell->median;
  return strcmp(metric, "GB/s") == 0 ? bench->bytes[point] / (cell->median * 1e6)
                                     : bench->flops[point] / (cell->median * 1e9);
}

bool bench_provider_shown(const struct bench *bench, const struct bench_provider *provider) {
  for (size_t point = 0; point < bench->file->point_count; point++)
    if (bench_cell_of(bench, point, provider)->state != BENCH_NOT_RUN)
      return true;
  return false;
}

void bench_print_device(const struct bench *bench, struct text *out) {
  const tile_device_properties *properties = tile_device_get_properties(bench->device);
  if (bench->emulated)
    text_puts(out, "emulator: these times are not a GPU's");
  else
    text_printf(out, "%s, CUDA driver %d.%d", properties->name, properties->driver_version / 1000,
                properties->driver_version % 1000 / 10);
}

/* --- Columns ---------------------------------------------------------------------------------- */

/* Of equal width in every row, the names' bytes counted as characters but for UTF-8's
   continuations. */
static size_t width_of(const char *text) {
  size_t width = 0;
  for (; *text; text++)
    width += (*text & 0xC0) != 0x80;
  return width;
}

static void print_number(double value, struct text *out) {
  int digits = value >= 1000 || value == 0 ? 0
               : value >= 100              ? 1
               : value >= 10               ? 2
               : value >= 1                ? 3
                                           : 4;
  if (value > 0 && value < 0.01)
    text_printf(out, "%.2e", value);
  else
    text_printf(out, "%.*f", digits, value);
}

static void print_value(const struct bench *bench, size_t point,
                        const struct bench_provider *provider, struct text *out) {
  const struct bench_cell *cell = bench_cell_of(bench, point, provider);
  if (cell->state != BENCH_GOOD)
    text_puts(out, cell->state == BENCH_WRONG    ? "wrong"
                   : cell->state == BENCH_FAILED ? "failed"
                                                 : "-");
  else
    print_number(bench_metric(bench, point, cell, bench->file->metric), out);
}

static void print_speedup(const struct bench *bench, size_t point,
                          const struct bench_provider *provider, struct text *out) {
  const struct bench_cell *cell = bench_cell_of(bench, point, provider);
  if (cell->state == BENCH_GOOD && cell->speedup > 0)
    text_printf(out, "%.3f", cell->speedup);
  else
    text_puts(out, "-");
}

/* The geometric mean of a provider's speedups; 0 where there is none. */
static double mean_speedup(const struct bench *bench, const struct bench_provider *provider) {
  double sum = 0;
  size_t count = 0;
  for (size_t point = 0; point < bench->file->point_count; point++) {
    const struct bench_cell *cell = bench_cell_of(bench, point, provider);
    if (cell->state != BENCH_GOOD || !(cell->speedup > 0))
      continue;
    sum += log(cell->speedup);
    count++;
  }
  return count ? exp(sum / (double)count) : 0;
}

/* --- Rows ------------------------------------------------------------------------------------- */

struct table {
  struct text *cells; /* rows x columns */
  size_t rows, columns;
};

static struct text *cell_at(struct table *table, size_t row, size_t column) {
  return &table->cells[row * table->columns + column];
}

static void fill_sizes(const struct bench *bench, struct table *table) {
  for (size_t axis = 0; axis < bench->file->axis_count; axis++) {
    text_puts(cell_at(table, 0, axis), bench->file->axes[axis]);
    for (size_t point = 0; point < bench->file->point_count; point++)
      text_printf(cell_at(table, point + 1, axis), "%" PRId64, bench->file->points[point][axis]);
  }
}

static void fill_provider(const struct bench *bench, const struct bench_provider *provider,
                          struct table *table, size_t column) {
  text_puts(cell_at(table, 0, column), provider->name);
  for (size_t point = 0; point < bench->file->point_count; point++)
    print_value(bench, point, provider, cell_at(table, point + 1, column));
}

static void fill_speedup(const struct bench *bench, const struct bench_provider *provider,
                         struct table *table, size_t column) {
  double mean = mean_speedup(bench, provider);
  text_printf(cell_at(table, 0, column), "%s/%s", bench->file->providers[0].name, provider->name);
  for (size_t point = 0; point < bench->file->point_count; point++)
    print_speedup(bench, point, provider, cell_at(table, point + 1, column));
  if (mean > 0)
    text_printf(cell_at(table, bench->file->point_count + 1, column), "%.3f", mean);
}

static void print_rows(struct table *table, bool has_mean, struct text *out) {
  for (size_t row = 0; row < table->rows - !has_mean; row++) {
    size_t start = out->length;
    for (size_t column = 0; column < table->columns; column++) {
      size_t width = 0;
      for (size_t i = 0; i < table->rows; i++) {
        size_t own = width_of(text_string(cell_at(table, i, column)));
        width = own > width ? own : width;
      }
      const char *cell = text_string(cell_at(table, row, column));
      text_printf(out, "%*s%s", (int)(width - width_of(cell)) + (column ? 2 : 0), "", cell);
    }
    while (out->length > start && out->data[out->length - 1] == ' ')
      out->data[--out->length] = 0;
    text_puts(out, "\n");
  }
}

void bench_print_table(const struct bench *bench, struct text *out) {
  const struct bench_file *file = bench->file;
  struct table table = {.rows = file->point_count + 2, .columns = file->axis_count};
  size_t shown = 0;
  for (size_t i = 0; i < file->provider_count; i++)
    shown += bench_provider_shown(bench, &file->providers[i]);
  bool first_shown = bench_provider_shown(bench, &file->providers[0]),
       compares = shown > 1 && first_shown;
  table.columns += shown + (compares ? shown - 1 : 0);
  table.cells = tile_allocate(table.rows * table.columns * sizeof *table.cells);
  memset(table.cells, 0, table.rows * table.columns * sizeof *table.cells);
  fill_sizes(bench, &table);
  size_t values = file->axis_count, speedups = values + shown;
  for (size_t i = 0; i < file->provider_count; i++) {
    if (!bench_provider_shown(bench, &file->providers[i]))
      continue;
    fill_provider(bench, &file->providers[i], &table, values++);
    if (compares && i)
      fill_speedup(bench, &file->providers[i], &table, speedups++);
  }
  if (compares)
    text_puts(cell_at(&table, table.rows - 1, 0), "mean");
  text_printf(out, "%s\n", file->title);
  bench_print_device(bench, out);
  text_printf(out, "\n%s, medians of %" PRId64 " round%s%s", file->metric, bench->rounds,
              bench->rounds == 1 ? "" : "s",
              compares ? "; then the speed of the first over each other, and its geometric mean\n\n"
                       : "\n\n");
  print_rows(&table, compares, out);
  for (size_t i = 0; i < table.rows * table.columns; i++)
    text_free(&table.cells[i]);
  free(table.cells);
}
