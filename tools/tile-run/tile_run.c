/* tile-run: runs a kernel of a module from the command line.

     tile-run vector_add.mlir --grid 97 --arg x=fp32[98432]:rand --arg y=fp32[98432]:rand
              --arg out=fp32[98432]:poison --arg n=i32:98432 --save out=out.npy                       */
#include "tile_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/files.h"
#include "base/npy.h"
#include "base/status.h"
#include "driver/command_line.h"
#include "driver/compile.h"
#include "tile/tools.h"

enum { MAX_SAVES = 64 };

struct run_arguments {
  const char *input, *kernel, *device;
  uint32_t grid[3];
  bool has_grid, check, help, version;
  uint64_t seed, data_seed;
  const char *specs[RUN_MAX_ARGUMENTS];
  size_t spec_count;
  const char *saves[MAX_SAVES], *prints[MAX_SAVES];
  size_t save_count, print_count;
  tile_compile_options options;
};

static const struct flag flags[] = {
    {"kernel", FLAG_VALUE, "NAME", "which kernel, when the module has several"},
    {"grid", FLAG_VALUE, "X[,Y[,Z]]", "programs to launch along each axis"},
    {"arg", FLAG_VALUE, "NAME=SPEC", "type:value, type[shape]:rand|zeros|ones|arange|poison|number|"
                                     "file.npy, or file.npy; in order"},
    {"save", FLAG_VALUE, "NAME=FILE", "write a buffer as .npy after the run"},
    {"print", FLAG_VALUE, "NAME[:N]", "print the first N (8) elements of a buffer after the run"},
    {"device", FLAG_VALUE, "NAME", "auto (default) or emulator"},
    {"check", FLAG_SWITCH, NULL, "also look for races on global memory; bounds and alignment are "
                                 "always checked"},
    {"seed", FLAG_VALUE, "N", "draws the order of blocks and threads (default 0)"},
    {"data-seed", FLAG_VALUE, "N", "draws random contents (default 0)"},
    {"num-warps", FLAG_VALUE, "N", "warps per program: a power of two, 1 to 32 (default 4)"},
    {"help", FLAG_SWITCH, NULL, "this text"},
    {"version", FLAG_SWITCH, NULL, "the version"},
};

static tile_status parse_grid(const char *text, uint32_t *grid) {
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

static tile_status add_to(const char **list, size_t *count, size_t limit, const char *what,
                          const char *value) {
  if (*count == limit)
    return FAIL(TILE_INVALID_ARGUMENT, "at most %zu %s", limit, what);
  list[(*count)++] = value;
  return NULL;
}

static tile_status on_flag(const struct flag *flag, const char *value, void *data) {
  struct run_arguments *run = data;
  const char *name = flag->name;
  long long number = 0;
  if (strcmp(name, "kernel") == 0) {
    run->kernel = value;
  } else if (strcmp(name, "grid") == 0) {
    run->has_grid = true;
    return parse_grid(value, run->grid);
  } else if (strcmp(name, "arg") == 0) {
    return add_to(run->specs, &run->spec_count, RUN_MAX_ARGUMENTS, "--arg", value);
  } else if (strcmp(name, "save") == 0) {
    return add_to(run->saves, &run->save_count, MAX_SAVES, "--save", value);
  } else if (strcmp(name, "print") == 0) {
    return add_to(run->prints, &run->print_count, MAX_SAVES, "--print", value);
  } else if (strcmp(name, "device") == 0) {
    run->device = value;
  } else if (strcmp(name, "check") == 0) {
    run->check = true;
  } else if (strcmp(name, "seed") == 0) {
    TRY(parse_integer("--seed", value, 0, INT64_MAX, &number));
    run->seed = (uint64_t)number;
  } else if (strcmp(name, "data-seed") == 0) {
    TRY(parse_integer("--data-seed", value, 0, INT64_MAX, &number));
    run->data_seed = (uint64_t)number;
  } else if (strcmp(name, "num-warps") == 0) {
    TRY(parse_integer("--num-warps", value, 1, 32, &number));
    run->options.num_warps = (int)number;
  } else if (strcmp(name, "help") == 0) {
    run->help = true;
  } else {
    run->version = true;
  }
  return NULL;
}

static tile_status on_positional(const char *argument, void *data) {
  struct run_arguments *run = data;
  if (run->input)
    return FAIL(TILE_INVALID_ARGUMENT, "one kernel file, not both '%s' and '%s'", run->input,
                argument);
  run->input = argument;
  return NULL;
}

/* --- After the run ------------------------------------------------------------------------------------ */

static tile_status find_buffer(struct run_argument *arguments, size_t count, const char *flag,
                               const char *name, size_t length, struct run_argument **out) {
  for (size_t i = 0; i < count; i++)
    if (arguments[i].is_buffer && strlen(arguments[i].name) == length &&
        memcmp(arguments[i].name, name, length) == 0) {
      *out = &arguments[i];
      return NULL;
    }
  return FAIL(TILE_INVALID_ARGUMENT, "%s: no --arg gives a buffer called '%.*s'", flag, (int)length,
              name);
}

static tile_status save_buffer(const char *text, struct run_argument *arguments, size_t count,
                               bool write) {
  const char *equals = strchr(text, '=');
  if (!equals || !equals[1])
    return FAIL(TILE_INVALID_ARGUMENT, "--save is NAME=FILE, not '%s'", text);
  struct run_argument *buffer;
  TRY(find_buffer(arguments, count, "--save", text, (size_t)(equals - text), &buffer));
  if (!write)
    return NULL;
  return npy_write(equals + 1, buffer->type, buffer->rank, buffer->shape, buffer->data);
}

static void print_elements(const struct run_argument *buffer, long long limit) {
  int64_t count = npy_elements(buffer->rank, buffer->shape);
  size_t size = element_table[buffer->type].bytes;
  printf("%s =", buffer->name);
  for (int64_t i = 0; i < count && i < limit; i++)
    if (element_is_float(buffer->type))
      printf(" %.9g", element_load(buffer->type, buffer->data + (size_t)i * size));
    else
      printf(" %" PRId64, element_load_integer(buffer->type, buffer->data + (size_t)i * size));
  printf("%s\n", count > limit ? " ..." : "");
}

static tile_status print_buffer(const char *text, struct run_argument *arguments, size_t count,
                                bool write) {
  size_t length = strcspn(text, ":");
  long long limit = 8;
  if (text[length] == ':')
    TRY(parse_integer("--print's count", text + length + 1, 1, INT32_MAX, &limit));
  struct run_argument *buffer;
  TRY(find_buffer(arguments, count, "--print", text, length, &buffer));
  if (write)
    print_elements(buffer, limit);
  return NULL;
}

/* Checks the names before the run (`write` false), does the work after it. */
static tile_status finish(const struct run_arguments *run, struct run_argument *arguments,
                          bool write) {
  for (size_t i = 0; i < run->save_count; i++)
    TRY(save_buffer(run->saves[i], arguments, run->spec_count, write));
  for (size_t i = 0; i < run->print_count; i++)
    TRY(print_buffer(run->prints[i], arguments, run->spec_count, write));
  return NULL;
}

/* --- The run ------------------------------------------------------------------------------------------ */

static void print_hazards(const tile_emulator_report *report) {
  for (size_t i = 0; i < tile_emulator_report_count(report); i++)
    fprintf(stderr, "%s\n", tile_emulator_report_hazard(report, i)->text);
  if (tile_emulator_report_dropped(report))
    fprintf(stderr, "%" PRIu64 " more hazards were found after the list was full\n",
            tile_emulator_report_dropped(report));
}

static tile_status launch(const struct run_arguments *run, tile_emulator_program *program,
                          const char *kernel, struct run_argument **ordered) {
  tile_emulator_buffer buffers[RUN_MAX_ARGUMENTS];
  void *pointers[RUN_MAX_ARGUMENTS];
  size_t buffer_count = 0;
  for (size_t i = 0; i < run->spec_count; i++) {
    pointers[i] = ordered[i]->is_buffer ? (void *)&ordered[i]->pointer : (void *)ordered[i]->data;
    if (ordered[i]->is_buffer)
      buffers[buffer_count++] = (tile_emulator_buffer){
          .name = ordered[i]->name, .base = ordered[i]->data, .bytes = ordered[i]->bytes};
  }
  tile_emulator_launch_options options = {.grid = {run->grid[0], run->grid[1], run->grid[2]},
                                          .seed = run->seed,
                                          .check = run->check,
                                          .buffers = buffers,
                                          .buffer_count = buffer_count,
                                          .arguments = pointers,
                                          .argument_count = run->spec_count};
  tile_emulator_report *report = NULL;
  tile_status status = tile_emulator_launch(program, kernel, &options, &report);
  print_hazards(report);
  if (tile_status_code(status) == TILE_HAZARD) { /* the first is in the message; all are printed */
    size_t count = tile_emulator_report_count(report);
    tile_status_free(status);
    status = FAIL(TILE_HAZARD, "kernel '%s' ran with %zu hazard%s", kernel, count,
                  count == 1 ? "" : "s");
  }
  tile_emulator_report_free(report);
  return status;
}

static tile_status lower_and_launch(const struct run_arguments *run, struct session *session,
                                    MlirModule module, struct run_argument *arguments) {
  TRY(pipeline_run(session, "", &compile_quietly, module)); /* verifies what is read next */
  struct run_kernel kernel;
  tile_status status = run_kernel_read(session, module, run->kernel, &kernel);
  struct run_argument *ordered[RUN_MAX_ARGUMENTS];
  if (!status)
    status = run_match_arguments(&kernel, arguments, run->spec_count, ordered);
  if (!status)
    status = finish(run, arguments, false);
  tile_emulator_program *program = NULL;
  if (!status)
    status = compile_for_emulator(session, module, &run->options, &program);
  if (!status)
    status = launch(run, program, kernel.name, ordered);
  tile_emulator_program_destroy(program);
  run_kernel_destroy(&kernel);
  if (!status)
    status = finish(run, arguments, true);
  return status;
}

static tile_status run_source(const struct run_arguments *run, const struct text *source,
                              struct run_argument *arguments) {
  struct session session;
  TRY(session_create(&session));
  const char *name = strcmp(run->input, "-") == 0 ? "<stdin>" : run->input;
  MlirModule module = session_parse(&session, name, text_string(source), source->length);
  tile_status status = NULL;
  if (mlirModuleIsNull(module)) {
    status = FAIL(TILE_INVALID_ARGUMENT, "'%s' is not a valid module", name);
  } else {
    status = lower_and_launch(run, &session, module, arguments);
    mlirModuleDestroy(module);
  }
  session_destroy(&session);
  return status;
}

static tile_status run_kernel_file(const struct run_arguments *run) {
  struct run_argument *arguments = calloc(run->spec_count + 1, sizeof *arguments);
  if (!arguments)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for the arguments");
  struct text source = {0};
  tile_status status = file_read(run->input, &source);
  for (size_t i = 0; i < run->spec_count && !status; i++)
    status = run_argument_parse(run->specs[i], run->data_seed, &arguments[i]);
  if (!status)
    status = run_source(run, &source, arguments);
  for (size_t i = 0; i < run->spec_count; i++)
    run_argument_destroy(&arguments[i]);
  free(arguments);
  text_free(&source);
  return status;
}

static tile_status run_tool(int argc, char **argv) {
  struct run_arguments run = {.options = tile_compile_options_default(), .device = "auto"};
  size_t count = sizeof flags / sizeof *flags;
  TRY(command_line_parse(argc, argv, flags, count, on_flag, on_positional, &run));
  if (run.help) {
    puts("usage: tile-run FILE --grid X[,Y[,Z]] --arg NAME=SPEC ... [flags]\n"
         "Runs a kernel on the emulator and reports what goes wrong in it.\n");
    command_line_print_flags(flags, count);
    return NULL;
  }
  if (run.version) {
    puts("tile-run " TILE_VERSION);
    return NULL;
  }
  if (strcmp(run.device, "auto") != 0 && strcmp(run.device, "emulator") != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "--device is auto or emulator, not '%s'", run.device);
  if (!run.input)
    return FAIL(TILE_INVALID_ARGUMENT, "no kernel file; --help shows an example");
  if (!run.has_grid)
    return FAIL(TILE_INVALID_ARGUMENT, "--grid is missing: how many programs to launch");
  return run_kernel_file(&run);
}

int tile_run_main(int argc, char **argv) {
  return report_status("tile-run", run_tool(argc, argv));
}
