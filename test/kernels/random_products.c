/* SPDX-License-Identifier: MIT */
/* Random plain products (random_products/products.h), as users write them: a grid of two dimensions
   or groups of programs, pointers, block pointers and descriptors, persistent kernels; any sizes,
   strides and transposes, types, tiles, warps, stages and targets, with one pass or switch left out
   now and then. Every element must be what it should be, what is none of the result untouched, a
   second run the same bit for bit, and the emulator must find nothing wrong.

       kernel_random_products                          the fixed set that scripts/check.sh runs
       kernel_random_products --seed 7 --count 20000   products of seeds 7, 8, ...
       kernel_random_products --seed 7 --count 1 --print
       kernel_random_products --seed 7 --count 1 --sizes 17,33,64
       kernel_random_products --device cuda --large --seconds 600
       kernel_random_products --count 20000 --shard 2/8     every eighth of them, from the third on

   --large: sizes up to 4096 and K up to 8192, for a GPU; checked by products with a random vector.
   --seconds N ends after that time. A failure is made smaller, and printed with the command that
   repeats it and the one that translates it; --keep-going goes on after it. */
#include "random_products/products.h"

#include <inttypes.h>
#include "numbers.h"
#include "seeded_products.h"

static struct seeds seeds;
static const char *sizes; /* --sizes */
static bool large;        /* --large */

#if defined(__SANITIZE_ADDRESS__)
#define IS_SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SLOW 1
#endif
#endif
#ifndef IS_SLOW
#define IS_SLOW 0
#endif

enum { FIXED_SET = IS_SLOW ? 8 : 32 };

/* Some tiles are too large for a target's shared memory, and that is said. */
static bool is_too_large(const struct said *said) {
  return strstr(said->text, " bytes of shared memory, the limit is ") != NULL;
}

/* --- Compiling -------------------------------------------------------------------------------- */

static tile_choice choice(bool yes) {
  return yes ? TILE_CHOICE_YES : TILE_CHOICE_NO;
}

static tile_compile_options options_of(const struct product *p) {
  tile_compile_options options = tile_compile_options_default();
  options.target = p->target;
  options.num_warps = p->num_warps;
  options.num_stages = p->num_stages;
  options.optimization_level = p->optimization_level;
  options.tensor_maps = choice(p->tensor_maps);
  options.low_occupancy = choice(p->low_occupancy);
  options.fewer_warps = choice(p->fewer_warps);
  return options;
}

static tile_status compile(tile_compiler *compiler, const struct product *p, tile_blob mlir,
                           tile_module **module) {
  static const char name[] = "random_products.py";
  tile_compile_options options = options_of(p);
  bool emulated = tile_device_get_driver(test_device) == tile_emulator_driver();
  tile_image *image = NULL;
  tile_status status =
      tile_compile_kernels(compiler, name, mlir.data, mlir.size, &options,
                           emulated ? TILE_IMAGE_EMULATOR : TILE_IMAGE_PTX, &image);
  if (image)
    status = tile_module_load(test_device, image, module);
  tile_image_free(image);
  if (tile_status_code(status) != TILE_WRONG_TARGET)
    return status;
  tile_status_free(status); /* a GPU runs older ones' code, else that for itself */
  return tile_compile_for_device(compiler, name, mlir.data, mlir.size, &options, test_device,
                                 module);
}

static tile_status load_module(tile_compiler *compiler, const struct product *p, struct said *said,
                               tile_module **module) {
  static char *text;
  static size_t length;
  if (!text)
    text = read_kernels("random_products.py", &length);
  tile_import_options import = {.kernel = p->kernel, .signature = p->signature};
  tile_blob mlir = {0};
  tile_compiler_on_diagnostic(compiler, remember, said);
  setenv("TILE_SKIP_PASSES", p->skip, true);
  tile_status status =
      tile_import_triton(compiler, "random_products.py", text, length, &import, &mlir);
  if (!status)
    status = compile(compiler, p, mlir, module);
  free(mlir.data);
  return status;
}

/* --- Running ---------------------------------------------------------------------------------- */

struct trial {
  struct product product;
  struct numbers in[2], bias, c;
  void *first; /* what the first run gave */
  struct said said;
  bool quiet;
};

static void begin_trial(struct trial *t) {
  for (int m = A; m <= B; m++)
    t->in[m] = numbers_of(&t->product, m);
  t->bias = numbers_of_bias(&t->product);
  t->c = numbers_of(&t->product, C);
  t->first = poisoned(t->c.bytes);
  t->said = (struct said){0};
}

static void end_trial(struct trial *t) {
  for (int m = A; m <= B; m++)
    numbers_free(&t->in[m]);
  numbers_free(&t->bias);
  numbers_free(&t->c);
  free(t->first);
}

static void report(void *quiet, const char *kernel, const tile_emulator_report *hazards) {
  if (!*(bool *)quiet)
    print_hazards(NULL, kernel, hazards);
}

/* For half of all products as many blocks as for two to nine multiprocessors, in which they share
   what is left over in all ways; GPUs have theirs. */
static void choose_multiprocessors(uint64_t seed) {
  uint64_t count = seed % 2 ? 2 + seed / 2 % 8 : 0;
  tile_status_free(tile_device_set_option(test_device, "multiprocessors", count));
}

static tile_status run_module(struct trial *t, tile_module *module, uint64_t seed) {
  enum { MOST = 4 + 3 + 2 * MATRICES };
  struct product *p = &t->product;
  tile_buffer *buffers[MOST] = {0};
  struct argument values[MOST] = {{"a", t->in[A].data, t->in[A].bytes},
                                  {"b", t->in[B].data, t->in[B].bytes},
                                  {"c", t->c.data, t->c.bytes},
                                  {"bias", t->bias.data, t->bias.bytes}};
  size_t count = 4;
  for (int d = 0; d < 3; d++)
    if (product_passes(p, p->size[d]))
      values[count++] = (struct argument){"size", &p->size[d], 0};
  for (int i = 0; i < 2 * MATRICES; i++)
    if (product_passes(p, p->stride[i / 2][i % 2]))
      values[count++] = (struct argument){"stride", &p->stride[i / 2][i % 2], 0};
  tile_emulator_device_configure(
      test_device, &(tile_emulator_device_options){
                       .seed = seed, .check = true, .on_report = report, .context = &t->quiet});
  choose_multiprocessors(p->seed);
  uint32_t grid[3];
  product_grid(p, grid);
  tile_status status = launch_and_read(module, NULL, grid, values, count, buffers);
  for (size_t i = 0; i < count; i++)
    tile_buffer_destroy(buffers[i]);
  return status;
}

static tile_status run_twice(struct trial *t, tile_module *module) {
  numbers_poison(&t->c);
  tile_status status = run_module(t, module, t->product.seed);
  if (status)
    return status;
  memcpy(t->first, t->c.data, t->c.bytes);
  numbers_poison(&t->c);
  return run_module(t, module, t->product.seed + 1000);
}

static bool is_right(struct trial *t) {
  if (memcmp(t->first, t->c.data, t->c.bytes) != 0) {
    if (!t->quiet)
      printf("the second run gives something else\n");
    return false;
  }
  return product_is_right(&t->product, t->in, &t->bias, &t->c, large, t->quiet);
}

static bool run_trial(tile_compiler *compiler, struct trial *t) {
  tile_module *module = NULL;
  begin_trial(t);
  tile_status status = load_module(compiler, &t->product, &t->said, &module);
  if (!status)
    status = run_twice(t, module);
  tile_module_unload(module);
  bool good = status ? is_too_large(&t->said) : is_right(t);
  if (!good && status && !t->quiet)
    printf("%s\n%s", tile_status_message(status), t->said.text);
  tile_status_free(status);
  end_trial(t);
  return good;
}

/* --- Smaller ---------------------------------------------------------------------------------- */

/* Does it still fail with one size less? */
static bool shrink_once(tile_compiler *compiler, struct trial *t, int dimension, int32_t size) {
  struct product before = t->product;
  if (size < 1 || size >= before.size[dimension])
    return false;
  t->product.size[dimension] = size;
  product_finish(&t->product);
  if (!run_trial(compiler, t))
    return true;
  t->product = before;
  return false;
}

static void shrink(tile_compiler *compiler, struct trial *t) {
  t->quiet = true;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (int d = 0; d < 3; d++) {
      int32_t size = t->product.size[d], block = t->product.block[d];
      smaller |= shrink_once(compiler, t, d, size / 2) ||
                 shrink_once(compiler, t, d, size - block) ||
                 shrink_once(compiler, t, d, size - 1 - size / 8);
    }
  }
  t->quiet = false;
}

static void print_failure(tile_compiler *compiler, struct trial *t) {
  shrink(compiler, t);
  const struct product *p = &t->product;
  printf("FAILED; as small as it gets:\n");
  run_trial(compiler, t);
  product_print(p);
  printf("  kernel_random_products%s --seed %" PRIu64 " --count 1 --sizes %d,%d,%d\n",
         large ? " --large" : "", p->seed, p->size[0], p->size[1], p->size[2]);
}

/* --- All of them ------------------------------------------------------------------------------ */

static void override_sizes(struct product *p) {
  int32_t *size = p->size;
  if (!sizes)
    return;
  if (sscanf(sizes, "%d,%d,%d", &size[0], &size[1], &size[2]) != 3 || size[0] < 1 || size[1] < 1 ||
      size[2] < 1) {
    fprintf(stderr, "--sizes is M,N,K, not '%s'\n", sizes);
    exit(1);
  }
  product_finish(p);
}

static bool test_seed(tile_compiler *compiler, uint64_t seed) {
  static struct trial t;
  product_make(&t.product, seed, large);
  override_sizes(&t.product);
  if (seeds.print)
    product_print(&t.product);
  bool good = run_trial(compiler, &t);
  if (!good) {
    product_print(&t.product);
    print_failure(compiler, &t);
  }
  return good;
}

static void products_agree(void) {
  printf("%" PRIu64 " products\n", check_seeds(&seeds, test_seed));
}

int main(int argc, char **argv) {
  static const struct seeds_option options[] = {{"--sizes", .word = &sizes},
                                                {"--kernels", .word = &kernel_directory},
                                                {"--large", .flag = &large},
                                                {0}};
  static const struct test_row tests[] = {{"products agree", products_agree}};
  seeds = seeds_fixed(FIXED_SET);
  return seeds_main(argc, argv, &seeds, options, tests, sizeof tests / sizeof *tests);
}
