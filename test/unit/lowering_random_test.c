/* SPDX-License-Identifier: MIT */
/* Random kernels, run by the emulator and by an evaluator that knows nothing of layouts, threads or
   MLIR (random_kernel.h). Every byte of every buffer must agree, and no hazard may be found. Each
   module also goes through PTX now and then, and a few through ptxas where it is installed.

       lowering_random_test                          the fixed set that CI runs
       lowering_random_test --seed 7 --count 20000   modules of seeds 7, 8, ...
       lowering_random_test --seed 7 --count 1 --print

   --ptx N and --cubin N: every N-th module; 0: none. A failure prints its seed, what differs first,
   and the module. */
#include "random_kernel_make.h"

#include <inttypes.h>
#include "check.h"
#include "tile/compiler.h"

enum { MAX_KERNELS = 3 };

struct options {
  uint64_t seed, count, ptx, cubin;
  bool print, keep_going;
};

struct test_module {
  uint64_t seed;
  int kernel_count, num_warps;
  struct kernel kernels[MAX_KERNELS];
  struct text text;
};

static void make_module(struct test_module *module, uint64_t seed) {
  *module = (struct test_module){.seed = seed};
  struct maker dice = {.random = seed * 0x2545F4914F6CDD1Du + 1};
  module->num_warps = 1 << below(&dice, chance(&dice, 60) ? 3 : 6);
  module->kernel_count = chance(&dice, 80) ? 1 : 1 + below(&dice, MAX_KERNELS);
  for (int i = 0; i < module->kernel_count; i++) {
    char name[32];
    snprintf(name, sizeof name, "kernel%d", i);
    random_kernel_make(&module->kernels[i], roll(&dice), name, &module->text);
  }
}

static void free_module(struct test_module *module) {
  for (int i = 0; i < module->kernel_count; i++)
    random_kernel_free(&module->kernels[i]);
  text_free(&module->text);
}

static void report(const struct test_module *module, int kernel, const char *what) {
  printf("seed %" PRIu64 ", %d warps, kernel%d: %s\n", module->seed, module->num_warps, kernel,
         what);
}

static bool report_status(const struct test_module *module, int kernel, tile_status status) {
  if (!status)
    return true;
  report(module, kernel, tile_status_message(status));
  tile_status_free(status);
  return false;
}

static bool compare_buffer(const struct test_module *module, int kernel, int index) {
  const struct buffer *buffer = &module->kernels[kernel].buffers[index];
  for (int64_t i = 0; i < buffer->count; i++) {
    unsigned bytes = elements[buffer->element].bytes;
    uint64_t actual = 0, expected = 0;
    memcpy(&actual, buffer->actual + i * bytes, bytes);
    memcpy(&expected, buffer->expected + i * bytes, bytes);
    if (buffer->any[i] || same_number(buffer->element, actual, expected))
      continue;
    struct text what = {0};
    text_printf(&what, "buffer%d (%s), element %lld of %lld: 0x%llx, expected 0x%llx", index,
                elements[buffer->element].name, (long long)i, (long long)buffer->count,
                (unsigned long long)actual, (unsigned long long)expected);
    report(module, kernel, text_string(&what));
    text_free(&what);
    return false;
  }
  return true;
}

static tile_status launch(tile_emulator_program *program, struct kernel *kernel, const char *name,
                          uint64_t seed, tile_emulator_report **report) {
  tile_emulator_buffer *buffers = calloc((size_t)kernel->buffer_count + 1, sizeof *buffers);
  void **arguments = calloc((size_t)kernel->argument_count + 1, sizeof *arguments);
  char(*names)[24] = calloc((size_t)kernel->buffer_count + 1, sizeof *names);
  for (int i = 0; i < kernel->buffer_count; i++) {
    const struct buffer *buffer = &kernel->buffers[i];
    snprintf(names[i], sizeof names[i], "buffer%d", i);
    buffers[i] =
        (tile_emulator_buffer){.name = names[i],
                               .base = buffer->actual,
                               .bytes = (size_t)buffer->count * elements[buffer->element].bytes,
                               .read_only = !buffer->written};
  }
  uint64_t *values = calloc((size_t)kernel->argument_count + 1, sizeof *values);
  for (int i = 0; i < kernel->argument_count; i++) {
    const struct argument *argument = &kernel->arguments[i];
    values[i] = argument->bits;
    if (argument->buffer >= 0) {
      const struct buffer *buffer = &kernel->buffers[argument->buffer];
      values[i] = (uint64_t)(uintptr_t)(buffer->actual +
                                        argument->position * elements[buffer->element].bytes);
    }
    arguments[i] = &values[i]; /* little-endian: narrow numbers lie in front */
  }
  tile_emulator_launch_options options = {.seed = seed,
                                          .check = true,
                                          .buffers = buffers,
                                          .buffer_count = (size_t)kernel->buffer_count,
                                          .arguments = arguments,
                                          .argument_count = (size_t)kernel->argument_count};
  memcpy(options.grid, kernel->grid, sizeof options.grid);
  tile_status status = tile_emulator_launch(program, name, &options, report);
  free(buffers);
  free(arguments);
  free(values);
  free(names);
  return status;
}

static bool run_kernel(struct test_module *module, int index, tile_emulator_program *program) {
  struct kernel *kernel = &module->kernels[index];
  char name[32];
  snprintf(name, sizeof name, "kernel%d", index);
  random_kernel_run(kernel);
  tile_emulator_report *found = NULL;
  tile_status status = launch(program, kernel, name, module->seed, &found);
  for (size_t i = 0; i < tile_emulator_report_count(found); i++)
    report(module, index, tile_emulator_report_hazard(found, i)->text);
  tile_emulator_report_free(found);
  if (!report_status(module, index, status))
    return false;
  for (int i = 0; i < kernel->buffer_count; i++)
    if (!compare_buffer(module, index, i))
      return false;
  return true;
}

static bool emulate(tile_compiler *compiler, struct test_module *module,
                    const tile_compile_options *options) {
  tile_emulator_program *program = NULL;
  tile_status status = tile_compile_for_emulator(compiler, "random.mlir", module->text.data,
                                                 module->text.length, options, &program);
  bool good = report_status(module, 0, status);
  for (int i = 0; good && i < module->kernel_count; i++)
    good = run_kernel(module, i, program);
  tile_emulator_program_destroy(program);
  return good;
}

/* Compiles for a GPU. A cubin needs ptxas; without one there is nothing to check. */
static bool translate(tile_compiler *compiler, struct test_module *module,
                      const tile_compile_options *options, tile_output output) {
  static const char *const targets[] = {"sm_80", "sm_90a", "sm_100a"};
  tile_compile_options device = *options;
  device.target = targets[module->seed % 3];
  tile_blob blob = {0};
  tile_status status = tile_compile(compiler, "random.mlir", module->text.data, module->text.length,
                                    &device, output, &blob);
  free(blob.data);
  if (tile_status_code(status) == TILE_NOT_FOUND) {
    tile_status_free(status);
    return true;
  }
  return report_status(module, 0, status);
}

static bool is_turn(uint64_t seed, uint64_t every) {
  return every && seed % every == 0;
}

static bool test_seed(tile_compiler *compiler, uint64_t seed, const struct options *options) {
  struct test_module module;
  make_module(&module, seed);
  tile_compile_options compile = tile_compile_options_default();
  compile.no_fma = true; /* the evaluator rounds every operation */
  compile.num_warps = module.num_warps;
  if (options->print)
    printf("// %d warps\n%s", module.num_warps, module.text.data);
  bool good = emulate(compiler, &module, &compile);
  if (good && is_turn(seed, options->ptx))
    good = translate(compiler, &module, &compile, TILE_OUTPUT_PTX);
  if (good && is_turn(seed, options->cubin))
    good = translate(compiler, &module, &compile, TILE_OUTPUT_CUBIN);
  if (!good && !options->print && !options->keep_going)
    printf("%s\n", module.text.data);
  free_module(&module);
  return good;
}

/* A compiler keeps what it has seen of types and attributes, so a new one now and then. */
static void test_all(const struct options *options) {
  enum { MODULES_PER_COMPILER = 200 };
  tile_compiler *compiler = NULL;
  for (uint64_t i = 0; i < options->count; i++) {
    if (i % MODULES_PER_COMPILER == 0) {
      tile_compiler_destroy(compiler);
      compiler = NULL;
      tile_status status = tile_compiler_create(&compiler);
      CHECK(status == NULL);
      if (status) {
        tile_status_free(status);
        return;
      }
    }
    bool good = test_seed(compiler, options->seed + i, options);
    CHECK(good);
    fflush(stdout);
    if (!good && !options->keep_going)
      break;
  }
  tile_compiler_destroy(compiler);
}

static struct options arguments = {.seed = 1, .count = 80, .ptx = 4, .cubin = 40};

static void random_kernels_agree(void) {
  test_all(&arguments);
}

int main(int argc, char **argv) {
  struct {
    const char *name;
    uint64_t *number;
  } numbers[] = {{"--seed", &arguments.seed},
                 {"--count", &arguments.count},
                 {"--ptx", &arguments.ptx},
                 {"--cubin", &arguments.cubin}};
  for (int i = 1; i < argc; i++) {
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
      if (strcmp(argv[i], numbers[k].name) == 0 && i + 1 < argc)
        *numbers[k].number = strtoull(argv[++i], NULL, 0);
    arguments.print |= strcmp(argv[i], "--print") == 0;
    arguments.keep_going |= strcmp(argv[i], "--keep-going") == 0;
  }
  return RUN_TESTS(1, argv, {"random_kernels_agree", random_kernels_agree});
}
