/* SPDX-License-Identifier: MIT */
/* The three ways: the function that tile-translate writes, the compiler and the runtime as
   libraries, and tile-run. The tools are called as functions, so that one process does it all and a
   checker of GPU memory sees it. */
#define _GNU_SOURCE
#include "identical.h"

#include <dlfcn.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "tile/tools.h"

const char *const identical_way_names[WAYS] = {"the generated function", "in process", "tile-run"};

extern char **environ;

enum { MAX_FLAGS = 256, FLAG_BYTES = 1 << 16 };

/* A command line; its strings lie in `bytes`. */
struct command {
  char *flags[MAX_FLAGS];
  int count;
  size_t used;
  char bytes[FLAG_BYTES];
};

static void add(struct command *command, const char *format, ...) {
  va_list values;
  va_start(values, format);
  command->flags[command->count++] = command->bytes + command->used;
  command->used += (size_t)vsnprintf(command->bytes + command->used, FLAG_BYTES - command->used,
                                     format, values) +
                   1;
  va_end(values);
  if (command->used > FLAG_BYTES || command->count + 2 > MAX_FLAGS)
    abort(); /* a case larger than this program was written for */
}

/* What both tools take to make a kernel. */
static void add_source(struct command *command, const struct identical_context *context,
                       const struct identical_run *run) {
  const struct identical_case *from = run->from;
  char storage[512];
  const char *words[MAX_WORDS];
  size_t count = identical_words(from->constants, storage, sizeof storage, words);
  add(command, "%s/%s", context->kernels, from->file);
  add(command, "--kernel"), add(command, "%s", from->kernel);
  add(command, "--signature"), add(command, "%s", from->signature);
  for (size_t i = 0; i < count; i++)
    add(command, "--constexpr"), add(command, "%s", words[i]);
  if (run->config[0])
    add(command, "--config"), add(command, "%s", run->config);
  if (run->warps[0])
    add(command, "--num-warps"), add(command, "%s", run->warps);
  add(command, "--target"), add(command, "%s", context->target);
}

static void add_values(struct command *command, const struct identical_run *run) {
  for (size_t i = 0; i < run->count; i++)
    if (!run->arguments[i].is_buffer && run->arguments[i].type[0] == 'i')
      add(command, "--arg-value"),
          add(command, "%s=%lld", run->arguments[i].name, (long long)run->arguments[i].value);
}

/* --- Ahead of time ---------------------------------------------------------------------------- */

/* One function for all kernels: it hands numbers on in the types of the header. */
static bool write_caller(const struct identical_context *context, const struct identical_run *run) {
  char path[600];
  snprintf(path, sizeof path, "%s/call_%d.c", context->folder, run->number);
  FILE *file = fopen(path, "w");
  if (!file)
    return false;
  fprintf(file, "#include <string.h>\n#include \"k%d.h\"\n", run->number);
  fprintf(file, "static inline float number(uint64_t bits) { float f; memcpy(&f, &bits, sizeof f); "
                "return f; }\n");
  fprintf(file, "tile_status call_%d(tile_device *device, const uint64_t *values);\n", run->number);
  fprintf(file, "tile_status call_%d(tile_device *device, const uint64_t *values) {\n",
          run->number);
  fprintf(file, "  (void)number;\n  return k%d(device, NULL", run->number);
  for (size_t i = 0; i < run->count; i++) {
    const struct identical_argument *argument = &run->arguments[i];
    const char *how = argument->is_buffer ? "" : argument->type[0] == 'f' ? "number" : "";
    const char *type = argument->is_buffer || argument->type[0] == 'f' ? ""
                       : strcmp(argument->type, "i1") == 0             ? "(bool)"
                                                                       : "(int32_t)";
    fprintf(file, ", %s%s(values[%zu])", type, how, i);
  }
  fprintf(file, ");\n}\n");
  return fclose(file) == 0;
}

bool identical_generate(const struct identical_context *context, const struct identical_run *run) {
  struct command *command = calloc(1, sizeof *command);
  add(command, "tile-translate"), add(command, "--tile-to-c");
  add(command, "-o"), add(command, "%s/k%d", context->folder, run->number);
  add(command, "--c-name"), add(command, "k%d", run->number);
  add(command, "--grid"), add(command, "%s", run->from->grid);
  add(command, "--embed"), add(command, context->is_gpu ? "ptx" : "emulator");
  add_source(command, context, run);
  add_values(command, run);
  int code = tile_translate_main(command->count, command->flags);
  free(command);
  return code == 0 && write_caller(context, run);
}

bool identical_open(struct identical_context *context, int count) {
  struct command *command = calloc(1, sizeof *command);
  char library[600];
  snprintf(library, sizeof library, "%s/kernels.so", context->folder);
  add(command, "%s", context->compiler_command);
  add(command, "-std=c17"), add(command, "-shared"), add(command, "-fPIC");
  add(command, "-I"), add(command, "%s", context->headers);
  add(command, "-o"), add(command, "%s", library);
  for (int i = 0; i < count; i++)
    add(command, "%s/k%d.c", context->folder, i), add(command, "%s/call_%d.c", context->folder, i);
  pid_t child;
  int state = -1;
  bool compiled =
      posix_spawnp(&child, command->flags[0], NULL, NULL, command->flags, environ) == 0 &&
      waitpid(child, &state, 0) == child && state == 0;
  free(command);
  if (!compiled) {
    printf("'%s' did not compile the generated files\n", context->compiler_command);
    return false;
  }
  context->generated = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!context->generated)
    printf("%s\n", dlerror());
  return context->generated != NULL;
}

typedef tile_status caller(tile_device *device, const uint64_t *values);

static tile_status launch_ahead(const struct identical_context *context,
                                const struct identical_run *run, const uint64_t *values) {
  char name[32];
  snprintf(name, sizeof name, "call_%d", run->number);
  caller *call = NULL;
  *(void **)&call = dlsym(context->generated, name);
  return call ? call(context->device, values)
              : tile_status_make(TILE_NOT_FOUND, "", "%s is not there", name);
}

/* --- In process ------------------------------------------------------------------------------- */

static char *read_text(const struct identical_context *context, const char *name, size_t *length) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", context->kernels, name);
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  *length = file ? fread(text, 1, 1 << 20, file) : 0;
  if (file)
    fclose(file);
  return text;
}

static tile_status import_run(const struct identical_context *context,
                              const struct identical_run *run, tile_blob *out) {
  struct command *values =
      calloc(1, sizeof *values); /* --arg-value NAME=VALUE ...: every second is one */
  const char *heuristics[MAX_VALUES], *words[MAX_WORDS];
  char storage[512];
  size_t length, count = 0;
  add_values(values, run);
  for (int i = 1; i < values->count; i += 2)
    heuristics[count++] = values->flags[i];
  tile_import_options import = {
      .kernel = run->from->kernel,
      .signature = run->from->signature,
      .constants = words,
      .constant_count = identical_words(run->from->constants, storage, sizeof storage, words),
      .config = run->config[0] ? run->config : NULL,
      .argument_values = heuristics,
      .argument_value_count = count,
      .target = context->target};
  char *text = read_text(context, run->from->file, &length);
  tile_status status =
      tile_import_triton(context->compiler, run->from->file, text, length, &import, out);
  free(text);
  free(values);
  return status;
}

static tile_status launch_in_process(const struct identical_context *context,
                                     const struct identical_run *run, const uint64_t *values) {
  tile_compile_options options = tile_compile_options_default();
  tile_blob mlir = {0};
  tile_module *module = NULL;
  tile_kernel *kernel = NULL;
  void *pointers[MAX_VALUES];
  options.target = context->target;
  options.num_warps = atoi(run->warps);
  for (size_t i = 0; i < run->count; i++)
    pointers[i] = (void *)&values[i];
  tile_status status = import_run(context, run, &mlir);
  if (!status)
    status = tile_compile_for_device(context->compiler, run->from->file, mlir.data, mlir.size,
                                     &options, context->device, &module);
  if (!status)
    status = tile_module_kernel(module, NULL, &kernel);
  if (!status)
    status = tile_launch_pointers(kernel, run->grid, NULL, pointers);
  if (!status)
    status = tile_device_synchronize(context->device);
  tile_module_unload(module);
  free(mlir.data);
  return status;
}

/* Both of the above: buffers on the device, a launch, and back. */
static tile_status run_on_buffers(const struct identical_context *context,
                                  struct identical_run *run, enum identical_way way) {
  tile_buffer *buffers[MAX_VALUES] = {0};
  uint64_t values[MAX_VALUES];
  tile_status status = NULL;
  for (size_t i = 0; i < run->count && !status; i++) {
    struct identical_argument *argument = &run->arguments[i];
    values[i] = argument->value;
    if (!argument->is_buffer)
      continue;
    status = tile_buffer_create(context->device, argument->bytes, &buffers[i]);
    if (!status)
      status = tile_buffer_write(buffers[i], 0, argument->before, argument->bytes, NULL);
    if (!status)
      values[i] = tile_buffer_address(buffers[i]);
  }
  if (!status)
    status = way == WAY_AHEAD ? launch_ahead(context, run, values)
                              : launch_in_process(context, run, values);
  for (size_t i = 0; i < run->count; i++) {
    if (buffers[i] && !status)
      status = tile_buffer_read(buffers[i], 0, run->arguments[i].after[way],
                                run->arguments[i].bytes, NULL);
    tile_buffer_destroy(buffers[i]);
  }
  return status;
}

/* --- tile-run --------------------------------------------------------------------------------- */

static void add_run_argument(struct command *command, const struct identical_context *context,
                             const struct identical_run *run, size_t i) {
  const struct identical_argument *argument = &run->arguments[i];
  char path[600];
  float single;
  memcpy(&single, &argument->value, sizeof single);
  add(command, "--arg");
  if (argument->is_buffer) {
    snprintf(path, sizeof path, "%s/%zu.npy", context->folder, i);
    if (!npy_store(path, argument))
      abort(); /* a full disk */
    add(command, "%s=%s", argument->name, path);
    add(command, "--save"), add(command, "%s=%s/%zu.out.npy", argument->name, context->folder, i);
  } else if (argument->type[0] == 'f') {
    add(command, "%s=%s:%.9g", argument->name, argument->type, (double)single);
  } else {
    add(command, "%s=%s:%lld", argument->name, argument->type, (long long)argument->value);
  }
}

static bool run_tile_run(const struct identical_context *context, struct identical_run *run) {
  struct command *command = calloc(1, sizeof *command);
  char path[600];
  add(command, "tile-run"), add(command, "--cache"), add(command, "off");
  add(command, "--device"), add(command, context->is_gpu ? "cuda" : "emulator");
  add(command, "--grid"), add(command, "%u,%u,%u", run->grid[0], run->grid[1], run->grid[2]);
  add_source(command, context, run);
  for (size_t i = 0; i < run->count; i++)
    add_run_argument(command, context, run, i);
  bool good = tile_run_main(command->count, command->flags) == 0;
  free(command);
  for (size_t i = 0; i < run->count && good; i++) {
    snprintf(path, sizeof path, "%s/%zu.out.npy", context->folder, i);
    good = !run->arguments[i].is_buffer ||
           npy_load(path, &run->arguments[i], run->arguments[i].after[WAY_TILE_RUN]);
  }
  return good;
}

bool identical_run_way(const struct identical_context *context, struct identical_run *run,
                       enum identical_way way) {
  if (way == WAY_TILE_RUN)
    return run_tile_run(context, run);
  tile_status status = run_on_buffers(context, run, way);
  if (status)
    printf("%s\n", tile_status_message(status));
  bool good = !status;
  tile_status_free(status);
  return good;
}
