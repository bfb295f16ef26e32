/* SPDX-License-Identifier: MIT */
/* Random kernels of several products (mixed_products/mixed.h): mixed types and precisions, results
   as operands or accumulators of other products, arithmetic, reductions and changes of shape in
   between, loops with stages, branches, batches; for several targets and numbers of warps. Every
   element of every output must be what double precision says, and the emulator must find nothing
   wrong.

       kernel_mixed_products                          the fixed set that scripts/check.sh runs
       kernel_mixed_products --seed 7 --count 20000   kernels of seeds 7, 8, ...
       kernel_mixed_products --seed 7 --count 1 --print
       kernel_mixed_products --device cuda --count 1000
       kernel_mixed_products --count 100 --write DIRECTORY
       kernel_mixed_products --count 20000 --shard 2/8     every eighth of them, from the third on

   On a GPU the numbers are the same, bit for bit: nothing is rounded. --write leaves each kernel as
   SEED.py, with its signature and settings in a comment, and goes on. --seconds N ends after that
   time. A failure prints the seed, what differs first, and the kernel; --keep-going goes on after
   it. */
#include "mixed_products/mixed.h"

#include <inttypes.h>
#include "numbers.h"
#include "seeded_products.h"

enum { MAX_TRIAL_ARGUMENTS = 2 * MAX_BUFFERS + 2 };

static struct seeds seeds;
static const char *write_folder; /* --write */

/* --- Buffers ---------------------------------------------------------------------------------- */

struct contents {
  double *numbers;
  void *data;
  size_t bytes;
};

static struct contents create(const struct mixed_kernel *kernel, const struct buffer *buffer) {
  size_t count = (size_t)mixed_buffer_count(kernel, buffer);
  struct contents contents = {.numbers = calloc(count, sizeof(double)),
                              .bytes = count * number_bytes(elements[buffer->element].name)};
  contents.data = poisoned(contents.bytes);
  return contents;
}

static void destroy(struct contents *contents) {
  free(contents->numbers);
  free(contents->data);
}

/* Integers within the bound, each as likely as another. */
static void fill(const struct mixed_kernel *kernel, const struct buffer *buffer, uint64_t seed,
                 struct contents *out) {
  for (int i = 0; i < mixed_buffer_count(kernel, buffer); i++) {
    out->numbers[i] = floor(draw(&seed) * (buffer->bound + 0.5) + 0.5);
    number_write(out->data, (size_t)i, elements[buffer->element].name, out->numbers[i]);
  }
}

/* --- One kernel ------------------------------------------------------------------------------- */

struct trial {
  struct mixed_kernel kernel;
  struct contents inputs[MAX_BUFFERS], outputs[MAX_BUFFERS];
  char *text, *signature;
  struct said said;
};

static void begin_trial(struct trial *t, uint64_t seed) {
  memset(t, 0, sizeof *t);
  mixed_make(&t->kernel, seed);
  t->text = mixed_text(&t->kernel);
  t->signature = mixed_signature(&t->kernel);
  double *inputs[MAX_BUFFERS], *outputs[MAX_BUFFERS];
  for (int i = 0; i < t->kernel.input_count; i++) {
    t->inputs[i] = create(&t->kernel, &t->kernel.inputs[i]);
    fill(&t->kernel, &t->kernel.inputs[i], seed * 64 + (uint64_t)i, &t->inputs[i]);
    inputs[i] = t->inputs[i].numbers;
  }
  for (int i = 0; i < t->kernel.output_count; i++) {
    t->outputs[i] = create(&t->kernel, &t->kernel.outputs[i]);
    memset(t->outputs[i].data, 0, t->outputs[i].bytes); /* some are added to */
    outputs[i] = t->outputs[i].numbers;
  }
  mixed_evaluate(&t->kernel, inputs, outputs);
}

static void end_trial(struct trial *t) {
  for (int i = 0; i < t->kernel.input_count; i++)
    destroy(&t->inputs[i]);
  for (int i = 0; i < t->kernel.output_count; i++)
    destroy(&t->outputs[i]);
  free(t->text);
  free(t->signature);
  mixed_free(&t->kernel);
}

static void print_trial(const struct trial *t, FILE *file) {
  const struct mixed_kernel *k = &t->kernel;
  fprintf(
      file,
      "# seed %" PRIu64
      ": --target %s --num-warps %d --num-stages %d, n = %d, limit = %d\n# --signature '%s'\n%s",
      k->seed, k->target, k->num_warps, k->num_stages, k->iterations, k->limit, t->signature,
      t->text);
}

static bool write_trial(const struct trial *t, const char *directory) {
  char path[512];
  snprintf(path, sizeof path, "%s/%" PRIu64 ".py", directory, t->kernel.seed);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    return false;
  }
  print_trial(t, file);
  return fclose(file) == 0;
}

/* --- Running it ------------------------------------------------------------------------------- */

static int64_t largest_tile(const struct mixed_kernel *kernel) {
  int64_t largest = 0;
  for (int i = 0; i < kernel->value_count; i++) {
    int64_t count = (int64_t)kernel->values[i].rows * kernel->values[i].columns;
    largest = count > largest ? count : largest;
  }
  return largest * mixed_batch(kernel);
}

static tile_status load_module(tile_compiler *compiler, struct trial *t, tile_module **module) {
  tile_import_options import = {.signature = t->signature};
  tile_compile_options options = tile_compile_options_default();
  options.target = t->kernel.target;
  bool emulated = tile_device_get_driver(test_device) == tile_emulator_driver();
  options.num_warps = emulated ? t->kernel.num_warps
                               : seeds_gpu_warps(t->kernel.num_warps, largest_tile(&t->kernel));
  options.num_stages = t->kernel.num_stages;
  tile_compiler_on_diagnostic(compiler, remember, &t->said);
  tile_blob mlir = {0};
  tile_image *image = NULL;
  tile_status status =
      tile_import_triton(compiler, "kernel.py", t->text, strlen(t->text), &import, &mlir);
  if (!status)
    status = tile_compile_kernels(compiler, "kernel.py", mlir.data, mlir.size, &options,
                                  emulated ? TILE_IMAGE_EMULATOR : TILE_IMAGE_PTX, &image);
  if (image)
    status = tile_module_load(test_device, image, module);
  tile_image_free(image);
  if (tile_status_code(status) ==
      TILE_WRONG_TARGET) { /* a GPU runs older ones' code, else that for itself */
    tile_status_free(status);
    status = tile_compile_for_device(compiler, "kernel.py", mlir.data, mlir.size, &options,
                                     test_device, module);
  }
  free(mlir.data);
  return status;
}

static tile_status run_module(struct trial *t, tile_module *module) {
  struct argument values[MAX_TRIAL_ARGUMENTS];
  tile_buffer *buffers[MAX_TRIAL_ARGUMENTS] = {0};
  char names[MAX_TRIAL_ARGUMENTS][16];
  int32_t n = t->kernel.iterations, limit = t->kernel.limit;
  size_t count = 0;
  for (int i = 0; i < t->kernel.input_count + t->kernel.output_count; i++, count++) {
    bool output = i >= t->kernel.input_count;
    int number = output ? i - t->kernel.input_count : i;
    const struct contents *contents = output ? &t->outputs[number] : &t->inputs[number];
    snprintf(names[count], sizeof names[count], "%s%d", output ? "out" : "in", number);
    values[count] = (struct argument){names[count], contents->data, contents->bytes};
  }
  values[count++] = (struct argument){"n", &n, 0};
  values[count++] = (struct argument){"limit", &limit, 0};
  tile_emulator_device_configure(
      test_device, &(tile_emulator_device_options){
                       .seed = t->kernel.seed, .check = true, .on_report = print_hazards});
  tile_status status = launch_and_read(module, NULL, GRID(1, 1, 1), values, count, buffers);
  for (size_t i = 0; i < count; i++)
    tile_buffer_destroy(buffers[i]);
  return status;
}

static bool compare(const struct trial *t, int output) {
  const struct buffer *buffer = &t->kernel.outputs[output];
  const char *type = elements[buffer->element].name;
  int count = mixed_buffer_count(&t->kernel, buffer), wrong = 0, first = 0;
  for (int i = 0; i < count; i++)
    if (number_read(t->outputs[output].data, (size_t)i, type) != t->outputs[output].numbers[i] &&
        !wrong++)
      first = i;
  if (wrong)
    printf("seed %" PRIu64 ": out%d: %d of %d elements are wrong; number %d is %g, expected %g\n",
           t->kernel.seed, output, wrong, count, first,
           number_read(t->outputs[output].data, (size_t)first, type),
           t->outputs[output].numbers[first]);
  return !wrong;
}

/* Some products by multiply-adds are too large for a target's shared memory, and that is said. */
static bool is_too_large(const struct trial *t) {
  return strstr(t->said.text, " bytes of shared memory, the limit is ") != NULL;
}

static bool run_trial(tile_compiler *compiler, struct trial *t) {
  tile_module *module = NULL;
  tile_status status = load_module(compiler, t, &module);
  if (!status)
    status = run_module(t, module);
  tile_module_unload(module);
  bool good = !status;
  if (status && is_too_large(t)) {
    tile_status_free(status);
    return true;
  }
  if (status)
    printf("seed %" PRIu64 ": %s\n%s", t->kernel.seed, tile_status_message(status), t->said.text);
  tile_status_free(status);
  for (int i = 0; i < t->kernel.output_count && good; i++)
    good = compare(t, i);
  return good;
}

static bool test_seed(tile_compiler *compiler, uint64_t seed) {
  static struct trial t;
  begin_trial(&t, seed);
  if (seeds.print)
    print_trial(&t, stdout);
  bool good = write_folder ? write_trial(&t, write_folder) : run_trial(compiler, &t);
  if (!good && !seeds.print)
    print_trial(&t, stdout);
  end_trial(&t);
  return good;
}

/* --- All of them ------------------------------------------------------------------------------ */

static void products_agree(void) {
  check_seeds(&seeds, test_seed);
}

/* The least and the largest that can be drawn: those of the states 0 and -1, which follow these. */
static void inputs_keep_their_bounds(void) {
  static const struct mixed_kernel kernel;
  static const uint64_t least = 0x9995B5B621535015u, largest = 0xD8FDC62EEEB52770u;
  struct buffer buffer = {.rows = 1, .columns = 1, .steps = 1, .element = I8, .bound = 127};
  struct contents contents = create(&kernel, &buffer);
  fill(&kernel, &buffer, least, &contents);
  CHECK(contents.numbers[0] == -127 && number_read(contents.data, 0, "i8") == -127);
  fill(&kernel, &buffer, largest, &contents);
  CHECK(contents.numbers[0] == 127 && number_read(contents.data, 0, "i8") == 127);
  destroy(&contents);
}

int main(int argc, char **argv) {
  static const struct seeds_option options[] = {{"--write", .word = &write_folder}, {0}};
  static const struct test_row tests[] = {{"inputs keep their bounds", inputs_keep_their_bounds},
                                          {"products agree", products_agree}};
  enum { FIXED_SET = 30 };
  seeds = seeds_fixed(FIXED_SET);
  return seeds_main(argc, argv, &seeds, options, tests, sizeof tests / sizeof *tests);
}
