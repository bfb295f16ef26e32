/* SPDX-License-Identifier: MIT */
/* Plots, drawn by gnuplot, which runs as a child process: a line with markers for each provider, a
   band from its 20% to its 80% quantile, and the legend beside the data. Lines differ in colour,
   dashes and markers, so that they can be told apart in print, too. Texts of the file stand in
   single quotes, where gnuplot expands nothing. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "tile_bench_child.h"
#include "tile_bench_run.h"

enum { WIDTH = 1000, HEIGHT = 580, STYLES = 8 };

/* Colours that people with weak colour vision tell apart (Okabe and Ito), of different brightness.
 */
static const struct {
  const char *colour;
  int dash, marker;
} styles[STYLES] = {{"#0072B2", 1, 7}, {"#D55E00", 2, 9},  {"#009E73", 4, 5}, {"#CC79A7", 5, 13},
                    {"#000000", 3, 2}, {"#E69F00", 1, 11}, {"#56B4E9", 2, 4}, {"#7F7F7F", 4, 8}};

static void quote(const char *string, struct text *out) {
  text_puts(out, "'");
  for (; *string; string++)
    text_printf(out, *string == '\'' ? "''" : "%c", (unsigned char)*string < 0x20 ? ' ' : *string);
  text_puts(out, "'");
}

/* --- The axis --------------------------------------------------------------------------------- */

static bool varies(const struct bench_file *file, size_t axis) {
  for (size_t point = 1; point < file->point_count; point++)
    if (file->points[point][axis] != file->points[0][axis])
      return true;
  return false;
}

static size_t axis_of(const struct bench_file *file) {
  for (size_t i = 0; i < file->axis_count; i++)
    if (file->plot.x ? strcmp(file->axes[i], file->plot.x) == 0 : varies(file, i))
      return i;
  return 0;
}

static bool same_axis(const struct bench_file *file, size_t a, size_t b) {
  for (size_t point = 0; point < file->point_count; point++)
    if (file->points[point][a] != file->points[point][b])
      return false;
  return true;
}

/* Each place on the axis belongs to one combination of sizes. */
static tile_status check_axis(const struct bench_file *file, size_t axis) {
  for (size_t a = 0; a < file->point_count; a++)
    for (size_t b = 0; b < a; b++)
      if (file->points[a][axis] == file->points[b][axis])
        return FAIL(TILE_INVALID_ARGUMENT,
                    "a plot over '%s' has one value for each, but there are several combinations "
                    "with %s = %" PRId64
                    "; fix the other sizes with --size, or choose another with 'x' in [plot]",
                    file->axes[axis], file->axes[axis], file->points[a][axis]);
  return NULL;
}

/* "m = n = k": all sizes that go with the axis. */
static void x_label(const struct bench_file *file, size_t axis, struct text *out) {
  if (file->plot.x_label) {
    text_puts(out, file->plot.x_label);
    return;
  }
  text_puts(out, file->axes[axis]);
  for (size_t i = 0; i < file->axis_count; i++)
    if (i != axis && same_axis(file, i, axis))
      text_printf(out, " = %s", file->axes[i]);
}

static void y_label(const struct bench_file *file, struct text *out) {
  bool is_time = strcmp(file->metric, "ms") == 0;
  if (file->plot.y_label)
    text_puts(out, file->plot.y_label);
  else
    text_printf(out, is_time ? "time of a run, %s (lower is better)" : "%s (higher is better)",
                file->metric);
}

/* --- What is drawn ---------------------------------------------------------------------------- */

/* A time in the file's metric. */
static double metric_of(const struct bench *bench, size_t point, double milliseconds) {
  const struct bench_cell cell = {.state = BENCH_GOOD, .median = milliseconds};
  return bench_metric(bench, point, &cell, bench->file->metric);
}

static bool has_data(const struct bench *bench, const struct bench_provider *provider) {
  for (size_t point = 0; point < bench->file->point_count; point++)
    if (bench_cell_of(bench, point, provider)->state == BENCH_GOOD)
      return true;
  return false;
}

/* $data3 << END: x, median, and the quantiles. */
static void print_data(const struct bench *bench, size_t provider, size_t axis, struct text *out) {
  text_printf(out, "$data%zu << END\n", provider);
  for (size_t point = 0; point < bench->file->point_count; point++) {
    const struct bench_cell *cell = bench_cell_of(bench, point, &bench->file->providers[provider]);
    if (cell->state == BENCH_GOOD)
      text_printf(out, "%" PRId64 " %.9g %.9g %.9g\n", bench->file->points[point][axis],
                  metric_of(bench, point, cell->median), metric_of(bench, point, cell->quantile20),
                  metric_of(bench, point, cell->quantile80));
  }
  text_puts(out, "END\n");
}

/* "NVIDIA H200, CUDA driver 13.0; rows = 4096; medians of 7 rounds, bands from the 20% to the 80%
   quantile" */
static void print_subtitle(const struct bench *bench, struct text *out) {
  const struct bench_file *file = bench->file;
  bench_print_device(bench, out);
  for (size_t i = 0; i < file->axis_count; i++)
    if (!varies(file, i))
      text_printf(out, "; %s = %" PRId64, file->axes[i], file->points[0][i]);
  text_printf(out, "\nmedians of %" PRId64 " round%s; bands: 20%% to 80%% quantile", bench->rounds,
              bench->rounds == 1 ? "" : "s");
}

static void print_texts(const struct bench *bench, size_t axis, struct text *out) {
  struct text subtitle = {0}, x = {0}, y = {0};
  print_subtitle(bench, &subtitle);
  x_label(bench->file, axis, &x);
  y_label(bench->file, &y);
  char *second = strchr(subtitle.data, '\n');
  *second++ = 0;
  text_puts(out, "set title ");
  quote(bench->file->title, out);
  text_puts(out, " noenhanced font ',17' offset 0,2.2\nset label 1 ");
  quote(subtitle.data, out);
  text_puts(out, " at graph 0.5,1.085 center noenhanced font ',12'\nset label 2 ");
  quote(second, out);
  text_puts(out, " at graph 0.5,1.035 center noenhanced font ',12'\nset xlabel ");
  quote(text_string(&x), out);
  text_puts(out, " noenhanced\nset ylabel ");
  quote(text_string(&y), out);
  text_puts(out, " noenhanced\n");
  text_free(&subtitle);
  text_free(&x);
  text_free(&y);
}

static int64_t largest(const struct bench_file *file, size_t axis) {
  int64_t most = 0;
  for (size_t point = 0; point < file->point_count; point++)
    most = file->points[point][axis] > most ? file->points[point][axis] : most;
  return most;
}

/* Powers of two as such where numbers would be long. */
static void print_axes(const struct bench *bench, size_t axis, struct text *out) {
  const struct bench_file *file = bench->file;
  int64_t most = largest(file, axis);
  if (!file->plot.linear_x)
    text_printf(out, "set logscale x 2\nset format x %s\n", most > 100000 ? "'2^{%L}'" : "'%.0f'");
  else
    text_puts(out, "set format x '%.0f'\n");
  text_puts(out, file->plot.log_y ? "set logscale y\nset mytics 10\n" : "set yrange [0:*]\n");
}

/* Bands first, so that all lines are above them. */
static void print_plot(const struct bench *bench, struct text *out) {
  const char *lead = "plot ";
  for (size_t i = 0; i < bench->file->provider_count; i++) {
    if (!has_data(bench, &bench->file->providers[i]))
      continue;
    text_printf(out,
                "%s$data%zu using 1:3:4 with filledcurves fillstyle transparent solid 0.18 "
                "noborder linecolor rgb '%s' notitle",
                lead, i, styles[i % STYLES].colour);
    lead = ", \\\n     ";
  }
  for (size_t i = 0; i < bench->file->provider_count; i++) {
    if (!has_data(bench, &bench->file->providers[i]))
      continue;
    text_printf(out, ", \\\n     $data%zu using 1:2 with linespoints linestyle %zu title ", i,
                i + 1);
    quote(bench->file->providers[i].name, out);
  }
  text_puts(out, "\n");
}

static void print_script(const struct bench *bench, size_t axis, struct text *out) {
  text_puts(out,
            "set encoding utf8\nset border 3\nset tics nomirror out\nset grid x y linetype 1 "
            "linecolor rgb '#DDDDDD' linewidth 0.7\n"
            "set key outside right top vertical Left reverse noenhanced samplen 4 spacing 1.4\n"
            "set tmargin 5.5\nset bmargin 4\nset offsets graph 0.02, graph 0.02, graph 0.05, 0\n");
  for (size_t i = 0; i < bench->file->provider_count; i++)
    text_printf(out,
                "set style line %zu linecolor rgb '%s' linewidth 2 dashtype %d pointtype %d "
                "pointsize 1.1\n",
                i + 1, styles[i % STYLES].colour, styles[i % STYLES].dash,
                styles[i % STYLES].marker);
  print_texts(bench, axis, out);
  print_axes(bench, axis, out);
  for (size_t i = 0; i < bench->file->provider_count; i++)
    if (has_data(bench, &bench->file->providers[i]))
      print_data(bench, i, axis, out);
  print_plot(bench, out);
}

/* --- Files ------------------------------------------------------------------------------------ */

static const char svg[] =
    "set terminal svg size %d,%d dynamic enhanced background rgb 'white' font 'DejaVu Sans,13'\n";
static const char png[] = "set terminal pngcairo size %d,%d enhanced background rgb 'white' font "
                          "'DejaVu Sans,13' fontscale 1.0\n";

static tile_status draw(const char *terminal, const struct text *script, const char *magic,
                        struct text *out) {
  struct text whole = {0};
  text_printf(&whole, terminal, WIDTH, HEIGHT);
  text_append(&whole, script->data, script->length);
  tile_status status =
      bench_child_filter((const char *const[]){"gnuplot", "-d", "-", NULL}, &whole, out);
  text_free(&whole);
  size_t length = strlen(magic);
  if (!status && (out->length < length || memcmp(out->data, magic, length) != 0))
    status = FAIL(TILE_EXTERNAL_TOOL, "gnuplot wrote no picture");
  return status;
}

static tile_status draw_all(const struct bench *bench, const struct text *script,
                            struct bench_plots *out) {
  if (bench->options->svg)
    TRY(draw(svg, script, "<?xml", &out->svg));
  if (bench->options->png)
    TRY(draw(png, script, "\x89PNG", &out->png));
  return NULL;
}

static bool is_wanted(const struct bench_options *options) {
  return options->svg || options->png || options->script;
}

tile_status bench_check_plots(const struct bench *bench) {
  struct text version = {0};
  if (!is_wanted(bench->options))
    return NULL;
  TRY(check_axis(bench->file, axis_of(bench->file)));
  if (!bench->options->svg && !bench->options->png)
    return NULL;
  tile_status status = bench_child_filter((const char *const[]){"gnuplot", "--version", NULL},
                                          &(struct text){0}, &version);
  text_free(&version);
  if (tile_status_code(status) != TILE_NOT_FOUND)
    return status;
  tile_status_free(status);
  return FAIL(
      TILE_NOT_FOUND,
      "there is no gnuplot to draw with; install gnuplot-nox, or leave out --svg and --png");
}

tile_status bench_draw(const struct bench *bench, struct bench_plots *out) {
  bool drawn = false;
  *out = (struct bench_plots){0};
  if (!is_wanted(bench->options))
    return NULL;
  size_t axis = axis_of(bench->file);
  TRY(check_axis(bench->file, axis));
  for (size_t i = 0; i < bench->file->provider_count; i++)
    drawn |= has_data(bench, &bench->file->providers[i]);
  if (!drawn)
    return FAIL(TILE_NOT_FOUND, "there is nothing to plot: no provider has a right result");
  struct text script = {0};
  print_script(bench, axis, &script);
  text_puts(&out->script,
            "# gnuplot THIS > plot.svg; for a PNG: set terminal pngcairo size 1000,580\n");
  text_printf(&out->script, svg, WIDTH, HEIGHT);
  text_append(&out->script, script.data, script.length);
  tile_status status = draw_all(bench, &script, out);
  text_free(&script);
  return status;
}

void bench_plots_free(struct bench_plots *plots) {
  text_free(&plots->svg);
  text_free(&plots->png);
  text_free(&plots->script);
}
