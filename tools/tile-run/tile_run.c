/* SPDX-License-Identifier: MIT */
/* tile-run: runs a kernel of a module from the command line.

     tile-run vector_add.mlir --grid 97 --arg x=fp32[98432]:rand --arg y=fp32[98432]:rand
              --arg out=fp32[98432]:poison --arg n=i32:98432 --save out=out.npy */
#include "tile_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "driver/tool.h"
#include "driver/compile.h"
#include "emulator/launch.h"
#include "tile/tools.h"

static const struct flag flags[] = {
    SOURCE_FLAGS,
    {"grid", FLAG_VALUE, "X[,Y[,Z]]",
     "programs to launch along each axis: numbers, or expressions over scalar arguments "
     "and constants, such as 'cdiv(n, BLOCK)'"},
    {"tune", FLAG_OPTIONAL_VALUE, "again",
     "find the fastest configuration of @triton.autotune for these arguments, run that, and "
     "remember it for later runs; again: also where it is known"},
    {"shard", FLAG_VALUE, "I/N",
     "--tune: only part I of N of the configurations, from 0/N on; measures them and runs nothing "
     "(tile-tune plan)"},
    {"configs", FLAG_VALUE, "FILE",
     "with --tune: candidates from a file: a list in JSON, what tile-translate --list-configs "
     "--json or "
     "tile-tune export writes, or a text as of --space"},
    {"space", FLAG_VALUE, "TEXT",
     "with --tune: candidates from ranges: 'BLOCK=32:256:*2, MODE=\'a\'|\'b\', num_warps=4|8, "
     "num_stages=2:5'"},
    {"quiet", FLAG_SWITCH, NULL, "no progress on the terminal, no table"},
    {"arg", FLAG_VALUE, "NAME=SPEC",
     "type:value, type[shape]:rand|zeros|ones|arange|poison|number|"
     "file.npy, file.npy, or *type:null; matched by name; rand: floats in [-1, 1), integers "
     "in -100..100, unsigned ones in 0..200"},
    {"save", FLAG_VALUE, "NAME=FILE", "write a buffer as .npy after the run"},
    {"print", FLAG_VALUE, "NAME[:N]", "print the first N (8) elements of a buffer after the run"},
    {"device", FLAG_VALUE, "NAME", "auto (default: a GPU if there is one), cuda, cuda:N, emulator"},
    {"target", FLAG_VALUE, "NAME",
     "sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a: the code to make and run (default: a GPU's "
     "own; "
     "sm_90a on the emulator, which runs each)"},
    {"check", FLAG_SWITCH, NULL,
     "emulator: also look for races on global memory; bounds and "
     "alignment are always checked there"},
    {"seed", FLAG_VALUE, "N", "emulator: draws the order of blocks and threads (default 0)"},
    {"resident-blocks", FLAG_VALUE, "N",
     "emulator: programs that run concurrently (default: as on a device of the target)"},
    {"multiprocessors", FLAG_VALUE, "N",
     "emulator: of a device, for whose number kernels that take programs in turn have blocks "
     "(default: as many blocks as have two programs each)"},
    {"turn-limit", FLAG_VALUE, "N",
     "emulator: a thread that begins more turns of loops ends the run as a hazard "
     "(default: none)"},
    {"bench", FLAG_SWITCH, NULL, "then time the kernel: quantiles of the runs, and GB/s"},
    {"json", FLAG_SWITCH, NULL, "write what comes out as one line of JSON"},
    {"v", FLAG_SWITCH, NULL, "say on standard error which device runs"},
    {"cache", FLAG_VALUE, "on|off|stats|clear",
     "keep compiled kernels for the next run (default: on; on the emulator only when "
     "this flag says so), or not; stats: say what there is, and what this run did with "
     "it; clear: remove it all first"},
    {"data-seed", FLAG_VALUE, "N", "draws random contents (default 0)"},
    COMPILE_FLAGS("on a GPU; off on the emulator", "on a GPU; off on the emulator",
                  "fill; on the emulator 1"),
    {"help", FLAG_SWITCH, NULL, "this text"},
    {"version", FLAG_SWITCH, NULL, "the version"},
};

static const struct tool tool = {
    .name = "tile-run",
    .summary = "runs a tile kernel on a GPU or on the emulator",
    .usage = {"tile-run FILE --grid X[,Y[,Z]] --arg NAME=SPEC ... [flags]"},
    .description =
        "Runs a kernel on a GPU, or on the emulator, which reports what goes wrong in it.",
    .flags = flags,
    .flag_count = sizeof flags / sizeof *flags,
};

tile_status run_parse_grid(const char *text, uint32_t *grid) {
  grid[0] = grid[1] = grid[2] = 1;
  for (int axis = 0;; axis++) {
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (end == text || axis == 3 || value < 1 || value > INT32_MAX || (*end && *end != ','))
      return FAIL(TILE_INVALID_ARGUMENT, "--grid is X, X,Y or X,Y,Z with sizes from 1 on");
    grid[axis] = (uint32_t)value;
    if (!*end)
      return NULL;
    text = end + 1;
  }
}

static tile_status read_cache(const struct flag_place *place, const char *flag, const char *text,
                              char *data) {
  static const char *const names[] = {"on", "off", "stats", "clear"};
  for (int i = 0; i < 4; i++)
    if (strcmp(text, names[i]) == 0) {
      *(enum run_cache *)(data + place->offset) = (enum run_cache)i;
      return NULL;
    }
  return FAIL(TILE_INVALID_ARGUMENT, "%s is on, off, stats or clear, not '%s'", flag, text);
}

static const struct flag_place places[] = {
    FLAG_PLACE("quiet", switch, struct run_options, quiet),
    FLAG_LIST("arg", struct run_options, specs, spec_count),
    FLAG_LIST("save", struct run_options, saves, save_count),
    FLAG_LIST("print", struct run_options, prints, print_count),
    FLAG_PLACE("shard", shard, struct run_options, shard),
    FLAG_PLACE("device", text, struct run_options, device),
    FLAG_PLACE("target", text, struct run_options, compile.target),
    FLAG_PLACE("fmad", off, struct run_options, compile.no_fma),
    FLAG_PLACE("check", switch, struct run_options, check),
    FLAG_INTEGER("seed", struct run_options, seed, 0, INT64_MAX),
    FLAG_INTEGER("data-seed", struct run_options, data_seed, 0, INT64_MAX),
    FLAG_INTEGER("resident-blocks", struct run_options, resident_blocks, 1,
                 EMULATOR_RESIDENT_LIMIT),
    FLAG_INTEGER("multiprocessors", struct run_options, multiprocessors, 1,
                 EMULATOR_RESIDENT_LIMIT),
    FLAG_INTEGER("turn-limit", struct run_options, turn_limit, 1, INT64_MAX),
    FLAG_PLACE("bench", switch, struct run_options, bench),
    FLAG_PLACE("json", switch, struct run_options, json),
    FLAG_PLACE("v", switch, struct run_options, verbose),
    {"cache", read_cache, offsetof(struct run_options, cache_mode), 0, 0, 0, 0},
    FLAG_PLACE("help", switch, struct run_options, help),
    FLAG_PLACE("version", switch, struct run_options, version),
};

tile_status run_on_flag(const struct flag *flag, const char *value, void *data) {
  struct run_options *run = data;
  const char *name = flag->name;
  tile_status status;
  run->has_target = run->has_target || strcmp(name, "target") == 0;
  run->cache_named = run->cache_named || strcmp(name, "cache") == 0;
  if (source_flag(&run->source, name, value, &status) ||
      compile_flag(&run->compile, name, value, &status) ||
      flag_store(places, sizeof places / sizeof *places, name, value, run, &status)) {
    run->kernel = run->source.import.kernel;
    return status;
  }
  if (strcmp(name, "grid") == 0) {
    run->has_grid = true;
    run->grid_text = value[strspn(value, "0123456789,-+ ")] ? value : NULL;
    return run->grid_text ? NULL : run_parse_grid(value, run->grid);
  }
  if (strcmp(name, "tune") == 0) {
    run->tune = true;
    run->tune_again = value && strcmp(value, "again") == 0;
    if (value && !run->tune_again)
      return FAIL(TILE_INVALID_ARGUMENT, "--tune takes nothing, or =again, not '%s'", value);
    return NULL;
  }
  if (run->candidates) /* --configs and --space */
    return FAIL(TILE_INVALID_ARGUMENT, "candidates come from --configs or --space, given once");
  run->candidates = value;
  run->has_space = strcmp(name, "space") == 0;
  return NULL;
}

tile_status run_on_positional(const char *argument, void *data) {
  struct run_options *run = data;
  if (run->input)
    return FAIL(TILE_INVALID_ARGUMENT, "one kernel file, not both '%s' and '%s'", run->input,
                argument);
  run->input = argument;
  return NULL;
}

static tile_status run_source(const struct run_options *run, const struct text *source,
                              struct run_argument *arguments) {
  struct run_code code = {0};
  struct run_result result = {0};
  tile_status status = run_on_device(run, source, arguments, &code, &result);
  if (!status)
    status = run_write_outputs(run, arguments, code.kernel, &result);
  tile_image_free(code.image);
  text_free(&result.tuning);
  arena_destroy(&result.chosen);
  return status;
}

static tile_status run_kernel_file(const struct run_options *run) {
  struct run_argument *arguments = calloc(run->spec_count + 1, sizeof *arguments);
  if (!arguments)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for the arguments");
  struct text source = {0};
  tile_status status = file_read(run->input, &source);
  for (size_t i = 0; i < run->spec_count && !status; i++) {
    status = run_argument_parse(run->specs[i], run->data_seed, &arguments[i]);
    for (size_t j = 0; j < i && !status; j++)
      if (strcmp(arguments[j].name, arguments[i].name) == 0)
        status = FAIL(TILE_INVALID_ARGUMENT, "--arg %s is given twice", arguments[i].name);
  }
  if (!status)
    status = run_source(run, &source, arguments);
  for (size_t i = 0; i < run->spec_count; i++)
    run_argument_destroy(&arguments[i]);
  free(arguments);
  text_free(&source);
  return status;
}

tile_status run_parse_words(size_t count, const char *const *words, struct run_options *out) {
  *out = (struct run_options){.compile = tile_compile_options_default(), .device = "auto"};
  const char **argv = tile_allocate((count + 1) * sizeof *argv);
  argv[0] = "tile-run";
  for (size_t i = 0; i < count; i++)
    argv[i + 1] = words[i];
  tile_status status = command_line_parse((int)count + 1, (char **)argv, flags, tool.flag_count,
                                          run_on_flag, run_on_positional, out);
  free(argv);
  if (!status && !out->input)
    return FAIL(TILE_INVALID_ARGUMENT, "no kernel file among the arguments of tile-run");
  if (!status && !out->has_grid)
    return FAIL(TILE_INVALID_ARGUMENT, "--grid is missing among the arguments of tile-run");
  return status ? status : run_check_device(out->device);
}

static tile_status run_tool(int argc, char **argv) {
  struct run_options run = {.compile = tile_compile_options_default(), .device = "auto"};
  tile_status printed;
  if (tool_prints_interface(&tool, argc, argv, &printed))
    return printed;
  TRY(command_line_parse(argc, argv, flags, tool.flag_count, run_on_flag, run_on_positional, &run));
  if (tool_tells(&tool, run.help, run.version))
    return NULL;
  TRY(run_check_device(run.device));
  const struct machine *target;
  TRY(compile_check_options(&run.compile, &target));
  if (run.shard.count && !run.tune)
    return FAIL(TILE_INVALID_ARGUMENT, "--shard divides what --tune does; give that, too");
  if (!run.input && run.cache_mode < RUN_CACHE_STATS)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "no kernel file; --help lists the flags, as in: tile-run add.py --grid 4 --arg "
        "x=fp32[4096]:rand --arg out=fp32[4096]:poison --arg n=i32:4096 --constexpr BLOCK=1024");
  if (run.candidates && !run.tune)
    return FAIL(TILE_INVALID_ARGUMENT, "--%s says what --tune chooses from; add --tune",
                run.has_space ? "space" : "configs");
  if (run.input && !run.has_grid)
    return FAIL(TILE_INVALID_ARGUMENT, "--grid is missing: how many programs to launch");
  tile_status status = run_open_cache(&run);
  if (!status && run.input)
    status = run_kernel_file(&run);
  run_report_cache(&run);
  tile_cache_close(run.cache);
  return status;
}

int tile_run_main(int argc, char **argv) {
  streams_open();
  return streams_finish("tile-run", run_tool(argc, argv));
}
