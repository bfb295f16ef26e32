/* SPDX-License-Identifier: MIT */
/* The results for programs: CSV, a line for each provider at each size, and one line of JSON. */
#include <inttypes.h>
#include <string.h>
#include "base/text.h"
#include "tile_bench_run.h"

static const char *const states[] = {"absent", "good", "wrong", "failed"};

/* --- CSV (RFC 4180) --------------------------------------------------------------------------- */

static void csv_string(const char *string, struct text *out) {
  if (!strpbrk(string, ",\"\r\n")) {
    text_puts(out, string);
    return;
  }
  text_puts(out, "\"");
  for (; *string; string++)
    text_printf(out, *string == '"' ? "\"\"" : "%c", *string);
  text_puts(out, "\"");
}

/* Empty where there is none. */
static void csv_number(double number, bool is_time, struct text *out) {
  text_puts(out, ",");
  if (number > 0)
    text_printf(out, is_time ? "%.6f" : "%.6g", number);
}

static void csv_row(const struct bench *bench, size_t point, const struct bench_provider *provider,
                    const char *device, struct text *out) {
  const struct bench_cell *cell = bench_cell_of(bench, point, provider);
  for (size_t i = 0; i < bench->file->axis_count; i++)
    text_printf(out, "%" PRId64 ",", bench->file->points[point][i]);
  csv_string(provider->name, out);
  text_printf(out, ",%s", states[cell->state]);
  csv_number(cell->median, true, out);
  csv_number(cell->quantile20, true, out);
  csv_number(cell->quantile80, true, out);
  csv_number(bench_metric(bench, point, cell, "GB/s"), false, out);
  csv_number(bench_metric(bench, point, cell, "TFLOP/s"), false, out);
  csv_number(cell->speedup, false, out);
  text_printf(out, ",%zu,", cell->runs);
  csv_string(cell->variant ? cell->variant : "", out);
  text_puts(out, ",");
  csv_string(device, out);
  text_puts(out, "\n");
}

void bench_print_csv(const struct bench *bench, struct text *out) {
  struct text device = {0};
  bench_print_device(bench, &device);
  for (size_t i = 0; i < bench->file->axis_count; i++)
    text_printf(out, "%s,", bench->file->axes[i]);
  text_puts(out, "provider,state,ms,ms_quantile20,ms_quantile80,gigabytes_per_second,teraflops_per_"
                 "second,speedup_of_first,"
                 "runs,configuration,device\n");
  for (size_t point = 0; point < bench->file->point_count; point++)
    for (size_t i = 0; i < bench->file->provider_count; i++)
      csv_row(bench, point, &bench->file->providers[i], text_string(&device), out);
  text_free(&device);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_member(const char *name, const char *value, struct text *out) {
  text_printf(out, ", \"%s\": ", name);
  text_json_string(out, value);
}

static void json_cell(const struct bench *bench, size_t point,
                      const struct bench_provider *provider, struct text *out) {
  const struct bench_cell *cell = bench_cell_of(bench, point, provider);
  double gigabytes = bench_metric(bench, point, cell, "GB/s"),
         teraflops = bench_metric(bench, point, cell, "TFLOP/s");
  text_puts(out, "{\"sizes\": {");
  for (size_t i = 0; i < bench->file->axis_count; i++)
    text_printf(out, "%s\"%s\": %" PRId64, i ? ", " : "", bench->file->axes[i],
                bench->file->points[point][i]);
  text_puts(out, "}");
  json_member("provider", provider->name, out);
  json_member("state", states[cell->state], out);
  if (cell->state == BENCH_GOOD)
    text_printf(out,
                ", \"ms\": %.6f, \"ms_quantile20\": %.6f, \"ms_quantile80\": %.6f, \"runs\": %zu",
                cell->median, cell->quantile20, cell->quantile80, cell->runs);
  if (gigabytes > 0)
    text_printf(out, ", \"gigabytes_per_second\": %.6g", gigabytes);
  if (teraflops > 0)
    text_printf(out, ", \"teraflops_per_second\": %.6g", teraflops);
  if (cell->speedup > 0)
    text_printf(out, ", \"speedup_of_first\": %.6f", cell->speedup);
  if (cell->variant && *cell->variant)
    json_member("configuration", cell->variant, out);
  if (cell->note)
    json_member("note", cell->note, out);
  text_puts(out, "}");
}

void bench_print_json(const struct bench *bench, struct text *out) {
  const tile_device_properties *properties = tile_device_get_properties(bench->device);
  text_puts(out, "{\"title\": ");
  text_json_string(out, bench->file->title);
  json_member("device", properties->name, out);
  json_member("driver", bench->emulated ? "emulator" : "cuda", out);
  text_printf(out, ", \"driver_version\": %d, \"is_gpu\": %s, \"rounds\": %" PRId64,
              properties->driver_version, bench->emulated ? "false" : "true", bench->rounds);
  json_member("build", tile_compiler_build_id(), out);
  text_puts(out, ", \"results\": [");
  for (size_t point = 0; point < bench->file->point_count; point++)
    for (size_t i = 0; i < bench->file->provider_count; i++) {
      text_puts(out, point || i ? ", " : "");
      json_cell(bench, point, &bench->file->providers[i], out);
    }
  text_puts(out, "]}\n");
}
