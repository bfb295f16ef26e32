/* SPDX-License-Identifier: MIT */
/* tile-bench: measures what a benchmark file says, and shows it.

     tile-bench vector_add.toml --csv vector_add.csv --svg vector_add.svg */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "driver/tool.h"
#include "tile/tools.h"
#include "tile_bench_run.h"

static const struct flag flags[] = {
    {"csv", FLAG_VALUE, "FILE", "write the results as CSV, a line for each provider at each size"},
    {"svg", FLAG_VALUE, "FILE", "draw the results, by gnuplot"},
    {"png", FLAG_VALUE, "FILE", "the same as pixels"},
    {"gnuplot", FLAG_VALUE, "FILE", "write the script that draws the SVG"},
    {"json", FLAG_SWITCH, NULL, "write the results as one line of JSON in place of the table"},
    {"size", FLAG_VALUE, "NAME=N,N,...",
     "other values for one of the file's sizes; may be repeated"},
    {"rounds", FLAG_VALUE, "N",
     "how often each provider is timed, in turns (default: the file's, else 7)"},
    {"device", FLAG_VALUE, "NAME",
     "auto (default: a GPU if there is one), cuda, cuda:N, emulator (for tests: its times are not "
     "a "
     "GPU's)"},
    {"cache", FLAG_VALUE, "on|off", "keep compiled kernels for the next run (default: on), or not"},
    {"strict", FLAG_SWITCH, NULL, "wrong results are an error: nothing is written"},
    {"quiet", FLAG_SWITCH, NULL, "no notes and no progress on standard error"},
    {"v", FLAG_SWITCH, NULL,
     "say on standard error what is left out among the configurations, too"},
    {"help", FLAG_SWITCH, NULL, "this text"},
    {"version", FLAG_SWITCH, NULL, "the version"},
};

static const struct tool tool = {
    .name = "tile-bench",
    .summary = "times kernels beside others and shows the results",
    .usage = {"tile-bench FILE.toml [flags]"},
    .description = "Times what a file describes: kernels, images, libraries and programs, at one "
                   "size after the other,\n"
                   "all in the same rounds, after their results were compared. Prints a table.",
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
};

/* --- The command line ------------------------------------------------------------------------- */

static tile_status read_cache(const struct flag_place *place, const char *flag, const char *value,
                              char *data) {
  bool off = false;
  TRY(flag_reads_off(&(struct flag_place){0}, flag, value, (char *)&off));
  *(enum run_cache *)(data + place->offset) = off ? RUN_CACHE_OFF : RUN_CACHE_ON;
  return NULL;
}

static tile_status on_flag(const struct flag *flag, const char *value, void *data) {
  static const struct flag_place places[] = {
    FLAG_PLACE("csv", text, struct bench_options, csv),
    FLAG_PLACE("svg", text, struct bench_options, svg),
    FLAG_PLACE("png", text, struct bench_options, png),
    FLAG_PLACE("gnuplot", text, struct bench_options, script),
    FLAG_PLACE("json", switch, struct bench_options, json),
    FLAG_LIST("size", struct bench_options, sizes, size_count),
    FLAG_INTEGER("rounds", struct bench_options, rounds, 1, BENCH_MAX_ROUNDS),
    FLAG_PLACE("device", text, struct bench_options, device),
    {"cache", read_cache, offsetof(struct bench_options, cache_mode), 0, 0, 0, 0},
    FLAG_PLACE("strict", switch, struct bench_options, strict),
    FLAG_PLACE("quiet", switch, struct bench_options, quiet),
    FLAG_PLACE("v", switch, struct bench_options, verbose),
    FLAG_PLACE("help", switch, struct bench_options, help),
    FLAG_PLACE("version", switch, struct bench_options, version),
  };
  tile_status status;
  flag_store(places, sizeof places / sizeof *places, flag->name, value, data, &status);
  return status;
}

static tile_status on_positional(const char *argument, void *data) {
  struct bench_options *options = data;
  if (options->input)
    return FAIL(TILE_INVALID_ARGUMENT, "one benchmark, not both '%s' and '%s'", options->input,
                argument);
  options->input = argument;
  return NULL;
}

/* --- The device ------------------------------------------------------------------------------- */

static tile_status open_emulator(struct bench *bench) {
  bench->emulated = true;
  return tile_emulator_device_create(NULL, &bench->device);
}

static tile_status open_device(struct bench *bench) {
  const char *name = bench->options->device;
  int index = 0;
  if (strcmp(name, "emulator") == 0)
    return open_emulator(bench);
  if (strncmp(name, "cuda:", 5) == 0)
    index = atoi(name + 5); /* run_check_device has seen it */
  tile_status status = tile_device_open(tile_cuda_driver(), index, &bench->device);
  if (!status || strcmp(name, "auto") != 0)
    return status;
  if (!bench->options->quiet)
    fprintf(stderr, "tile-bench: note: %s; running on the emulator, whose times are not a GPU's\n",
            tile_status_message(status));
  tile_status_free(status);
  return open_emulator(bench);
}

static tile_status open_cache(struct bench *bench) {
  struct run_options run = {.input = bench->options->input,
                            .cache_mode = bench->options->cache_mode};
  tile_status status = run_open_cache(&run);
  bench->cache = run.cache;
  return status;
}

/* --- Results ---------------------------------------------------------------------------------- */

static tile_status write_file(const char *path, const struct text *content) {
  return path ? file_write(path, content->data, content->length) : NULL;
}

/* All files are there before the first one is written. */
static tile_status write_files(const struct bench *bench) {
  struct bench_plots plots;
  struct text csv = {0};
  bench_print_csv(bench, &csv);
  tile_status status = bench_draw(bench, &plots);
  const struct {
    const char *path;
    const struct text *content;
  } files[] = {{bench->options->svg, &plots.svg},
               {bench->options->png, &plots.png},
               {bench->options->script, &plots.script},
               {bench->options->csv, &csv}};
  for (size_t i = 0; i < sizeof files / sizeof *files && !status; i++)
    status = write_file(files[i].path, files[i].content);
  bench_plots_free(&plots);
  text_free(&csv);
  return status;
}

static tile_status write_results(const struct bench *bench) {
  struct text out = {0};
  if (bench->options->strict && bench->wrong)
    return FAIL(TILE_HAZARD, "%zu result%s wrong", bench->wrong,
                bench->wrong == 1 ? " is" : "s are");
  TRY(write_files(bench));
  if (bench->options->json)
    bench_print_json(bench, &out);
  else
    bench_print_table(bench, &out);
  fputs(text_string(&out), stdout);
  text_free(&out);
  return NULL;
}

/* --- All of it -------------------------------------------------------------------------------- */

static tile_status measure(struct bench *bench) {
  struct bench_file *file = bench->file;
  size_t cells = file->point_count * file->provider_count;
  bench->rounds = bench->options->rounds ? bench->options->rounds : file->rounds;
  bench->cells = ARENA_ARRAY(&bench->arena, struct bench_cell, cells);
  bench->bytes = ARENA_ARRAY(&bench->arena, double, file->point_count);
  bench->flops = ARENA_ARRAY(&bench->arena, double, file->point_count);
  TRY(bench_check_plots(bench));
  TRY(open_device(bench));
  TRY(open_cache(bench));
  TRY(tile_compiler_create(&bench->compiler));
  TRY(bench_measure(bench));
  progress_clear(bench->progress);
  return write_results(bench);
}

static void close_all(struct bench *bench) {
  for (size_t i = 0; i < bench->file->provider_count; i++)
    if (bench->file->providers[i].kind->close)
      bench->file->providers[i].kind->close(&bench->file->providers[i]);
  bench_remove_folder(bench);
  tile_compiler_destroy(bench->compiler);
  tile_cache_close(bench->cache);
  tile_device_close(bench->device);
  arena_destroy(&bench->arena);
}

static tile_status run_file(const struct bench_options *options, struct bench_file *file,
                            const struct text *content) {
  struct progress progress;
  struct bench bench = {.file = file, .options = options, .progress = &progress};
  if (!bench_file_read(file, strcmp(options->input, "-") == 0 ? "<stdin>" : options->input, content,
                       options->sizes, options->size_count))
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' is no benchmark that can be run", options->input);
  progress_begin(&progress, options->quiet);
  tile_status status = measure(&bench);
  progress_clear(&progress);
  close_all(&bench);
  return status;
}

static void print_problems(const struct bench_file *file) {
  struct text out = {0};
  problems_print(&file->text.problems, &out);
  fputs(text_string(&out), stderr);
  text_free(&out);
}

static tile_status run_input(const struct bench_options *options) {
  struct bench_file *file = calloc(1, sizeof *file);
  struct text content = {0};
  if (!file)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a benchmark");
  tile_status status = file_read(options->input, &content);
  if (!status)
    status = run_file(options, file, &content);
  if (file->text.problems.arena)
    print_problems(file);
  bench_file_destroy(file);
  text_free(&content);
  free(file);
  return status;
}

static tile_status run(int argc, char **argv) {
  struct bench_options options = {.device = "auto"};
  tile_status printed;
  if (tool_prints_interface(&tool, argc, argv, &printed))
    return printed;
  TRY(command_line_parse(argc, argv, flags, tool.flag_count, on_flag, on_positional, &options));
  if (tool_tells(&tool, options.help, options.version))
    return NULL;
  TRY(run_check_device(options.device));
  if (!options.input)
    return FAIL(TILE_INVALID_ARGUMENT,
                "no benchmark; docs/benchmarking.md says what such a file holds");
  return run_input(&options);
}

int tile_bench_main(int argc, char **argv) {
  streams_open();
  return streams_finish("tile-bench", run(argc, argv));
}
