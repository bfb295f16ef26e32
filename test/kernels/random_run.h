/* SPDX-License-Identifier: MIT */
/* Runs random kernels (random_make.h) on the emulator, with all checks on, and on a GPU where there
   is one, and compares every byte with what random_values.h says.

       kernel_random_casts [--seed S] [--count N] [--shard I/N] [--seconds N] [--print]
                           [--keep-going] [--device emulator|cuda] [--shrink TRIES]

   Kernels of seeds (seeds.h); by default a fixed set. A failure prints its seed and the kernel,
   which --shrink makes smaller before; only wrong numbers and hazards stay such. */
#ifndef TILE_TEST_RANDOM_RUN_H
#define TILE_TEST_RANDOM_RUN_H

#include "random_make_statements.h"
#include "random_shrink.h"
#include "random_text.h"
#include "random_values.h"
#include "seeds.h"

struct random_options {
  struct seeds seeds;
  int tries;
};

static struct writer random_text, random_signature;
static char *random_memory;
static int random_hazards;
static bool random_quiet;

static inline void count_hazards(void *context, const char *kernel,
                                 const tile_emulator_report *report) {
  (void)context, (void)kernel;
  for (size_t i = 0; i < tile_emulator_report_count(report); i++, random_hazards++)
    if (!random_quiet)
      printf("  %s\n", tile_emulator_report_hazard(report, i)->text);
}

/* Remarks and warnings say nothing about what is right. */
static inline void say_errors(const tile_diagnostic *diagnostic, void *data) {
  (void)data;
  if (!random_quiet && strcmp(diagnostic->severity, "error") == 0)
    printf("%s:%u:%u: %s\n", diagnostic->file, diagnostic->line, diagnostic->column,
           diagnostic->message);
}

static inline int64_t random_largest_tile(const struct tree *tree) {
  int64_t largest = 0;
  for (int i = 0; i < tree->variable_count; i++)
    if (shape_count(tree->variables[i].shape) > largest)
      largest = shape_count(tree->variables[i].shape);
  return largest;
}

static inline tile_status random_compile(const struct tree *tree, tile_device *device,
                                         tile_module **module) {
  tile_import_options import = {.kernel = "random_kernel", .signature = random_signature.text};
  tile_compile_options options = tile_compile_options_default();
  options.target = tree->target;
  options.num_warps = device == zoo.emulator
                          ? tree->num_warps
                          : seeds_gpu_warps(tree->num_warps, random_largest_tile(tree));
  options.fewer_warps = tree->fewer_warps ? TILE_CHOICE_YES : TILE_CHOICE_NO;
  options.low_occupancy = tree->low_occupancy ? TILE_CHOICE_YES : TILE_CHOICE_NO;
  options.programs_per_block = tree->programs_per_block;
  options.optimization_level = tree->optimization_level;
  options.num_stages = tree->num_stages;
  options.no_fma = true; /* so that each product is rounded */
  tile_blob mlir = {0};
  tile_image *image = NULL;
  tile_status status = tile_import_triton(zoo.compiler, "random.py", random_text.text,
                                          random_text.length, &import, &mlir);
  if (!status)
    status =
        tile_compile_kernels(zoo.compiler, "random.py", mlir.data, mlir.size, &options,
                             device == zoo.emulator ? TILE_IMAGE_EMULATOR : TILE_IMAGE_PTX, &image);
  if (image)
    status = tile_module_load(device, image, module);
  tile_image_free(image);
  if (tile_status_code(status) == TILE_WRONG_TARGET) { /* a GPU runs older ones' code, or its own */
    tile_status_free(status);
    status = tile_compile_for_device(zoo.compiler, "random.py", mlir.data, mlir.size, &options,
                                     device, module);
  }
  free(mlir.data);
  return status;
}

static inline tile_status random_launch(struct tree *tree, tile_device *device, tile_module *module,
                                        uint64_t seed) {
  tile_buffer *buffers[MAX_TREE_BUFFERS] = {0};
  tile_argument arguments[MAX_TREE_BUFFERS + 1];
  tile_kernel *kernel;
  tile_status status = tile_module_kernel(module, "random_kernel", &kernel);
  if (device == zoo.emulator)
    tile_emulator_device_configure(
        device,
        &(tile_emulator_device_options){.seed = seed, .check = true, .on_report = count_hazards});
  for (int i = 0; i < tree->buffer_count && !status; i++) {
    struct tree_buffer *b = &tree->buffers[i];
    size_t bytes = b->count * kind_bytes(b->kind);
    if (b->starts)
      memcpy(b->actual, b->input, bytes);
    else
      memset(b->actual, 0xCB, bytes);
    status = tile_buffer_create(device, bytes, &buffers[i]);
    if (!status)
      status = tile_buffer_write(buffers[i], 0, b->is_output ? b->actual : b->input, bytes, NULL);
    if (!status)
      arguments[i] = tile_argument_buffer(buffers[i]);
  }
  arguments[tree->buffer_count] = tile_argument_i32(tree->n);
  uint32_t grid[3] = {(uint32_t)tree->programs, 1, 1};
  if (!status)
    status = tile_launch(kernel, grid, NULL, arguments, (size_t)tree->buffer_count + 1);
  for (int i = 0; i < tree->buffer_count && !status; i++) {
    struct tree_buffer *b = &tree->buffers[i];
    if (b->is_output)
      status = tile_buffer_read(buffers[i], 0, b->actual, b->count * kind_bytes(b->kind), NULL);
  }
  for (int i = 0; i < tree->buffer_count; i++)
    tile_buffer_destroy(buffers[i]);
  return status;
}

/* The first element that differs; -1: none. */
static inline bool random_compare(const struct tree *tree, const char *device) {
  for (int i = 0; i < tree->buffer_count; i++) {
    const struct tree_buffer *b = &tree->buffers[i];
    enum zoo_type type = kinds[b->kind].type;
    for (size_t at = 0; b->is_output && at < b->count; at++) {
      uint64_t got = zoo_bits(b->actual, type, at), wanted = zoo_bits(b->expected, type, at);
      if (agree(type, got, wanted))
        continue;
      if (!random_quiet)
        printf("p%d (%s), element %zu of %zu: %#llx on %s, expected %#llx\n", i,
               kinds[b->kind].name, at, b->count, (unsigned long long)got, device,
               (unsigned long long)wanted);
      return false;
    }
  }
  return true;
}

static inline bool random_on_device(struct tree *tree, tile_device *device, uint64_t seed) {
  tile_module *module = NULL;
  random_hazards = 0;
  tile_status status = random_compile(tree, device, &module);
  if (!status)
    status = random_launch(tree, device, module, seed);
  tile_module_unload(module);
  if (status)
    printf("%s\n", tile_status_message(status));
  bool good = !status && !random_hazards &&
              random_compare(tree, device == zoo.cuda ? "cuda" : "the emulator");
  tile_status_free(status);
  return good;
}

static inline void random_print(const struct tree *tree) {
  random_text.length = random_signature.length = 0;
  put_tree(&random_text, tree, &random_signature);
}

static inline bool random_is_right(struct tree *tree, uint64_t seed) {
  tile_device *devices[] = {zoo.emulator, zoo.cuda};
  bool good = true;
  random_print(tree);
  tree_run(tree);
  if (tree->is_wrong) {
    printf("the generator is wrong\n");
    return false;
  }
  for (int d = 0; d < 2 && good; d++)
    good = !devices[d] || random_on_device(tree, devices[d], seed);
  return good;
}

/* Quietly: does a number differ, or is a hazard found? A kernel that is refused is another failure.
 */
static inline bool random_still_fails(struct tree *tree, void *data) {
  uint64_t seed = *(uint64_t *)data;
  tile_device *device = zoo.cuda ? zoo.cuda : zoo.emulator;
  tile_module *module = NULL;
  size_t mark = tree->used;
  random_print(tree);
  tree_run(tree);
  if (tree->is_wrong)
    return false;
  random_hazards = 0;
  random_quiet = true;
  tile_status status = random_compile(tree, device, &module);
  if (!status)
    status = random_launch(tree, device, module, seed);
  bool fails = !status && (random_hazards || !random_compare(tree, ""));
  random_quiet = false;
  tile_status_free(status);
  tile_module_unload(module);
  tree->used = mark;
  return fails;
}

static inline bool random_one(const struct profile *profile, const struct random_options *options,
                              uint64_t seed) {
  struct tree tree = {.memory = random_memory};
  tree_make(&tree, profile, seed);
  bool good = random_is_right(&tree, seed);
  if (!good && options->tries) {
    tree_shrink(&tree, random_still_fails, &seed, options->tries);
    random_is_right(&tree, seed);
  }
  if (!good || options->seeds.print)
    printf("seed %llu, %s, %d programs, %d warps%s, %d stages%s, O%d, %d a block, n = %d, "
           "signature %s\n%s%s\n",
           (unsigned long long)seed, tree.target, tree.programs, tree.num_warps,
           tree.fewer_warps ? " or fewer" : "", tree.num_stages,
           tree.low_occupancy ? ", more where grids are small" : "", tree.optimization_level,
           tree.programs_per_block, tree.n, random_signature.text, random_text.text,
           good ? "" : "FAILED");
  fflush(stdout);
  return good;
}

/* Options of its own, before the zoo's. */
static inline struct random_options random_read(int *argc, char **argv, uint64_t count) {
  struct random_options options = {.seeds = seeds_fixed(count)};
  const char *tries = "0";
  const struct seeds_option own[] = {{"--shrink", .word = &tries}, {0}};
  int left = 1;
  for (int i = 1; i < *argc; i++)
    if (!seeds_take(&options.seeds, *argc, argv, &i) && !seeds_take_option(own, *argc, argv, &i))
      argv[left++] = argv[i];
  options.tries = atoi(tries);
  *argc = left;
  return options;
}

static inline int random_main(int argc, char **argv, const struct profile *profile,
                              uint64_t count) {
  struct random_options options = random_read(&argc, argv, count);
  int code = zoo_start(argc, argv), failed = 0, passed = 0;
  if (code)
    return code - 1;
  tile_compiler_on_diagnostic(zoo.compiler, say_errors, NULL);
  random_memory = malloc(TREE_MEMORY);
  const struct seeds *seeds = &options.seeds;
  for (uint64_t i = seeds->shard.index;
       i < seeds->count && seeds_in_time(seeds) && (!failed || seeds->keep_going);
       i += seeds->shard.count)
    random_one(profile, &options, seeds->seed + i) ? passed++ : failed++;
  free(random_memory);
  free(random_text.text);
  free(random_signature.text);
  tile_device_close(zoo.cuda);
  tile_device_close(zoo.emulator);
  tile_compiler_destroy(zoo.compiler);
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}

#endif
