/* SPDX-License-Identifier: MIT */
/* The hand-written forward pass of attention for Hopper (attention_wgmma.mlir) against sums in
   double precision; on the emulator with all checks, where every wgmma is executed as late as it
   may be.

       kernel_attention_wgmma --device cuda --full      also times it on a GPU, beside what the
                                                        compiler makes of attention.py */
#include "attention_reference.h"
#include "kernel_test.h"

enum { DIM = 128, BLOCK = 128, ROWS_CHECKED = 64, PARAMETERS = 21 };

/* A call: [1, heads, length, DIM] each. */
struct attention {
  int32_t heads, length;
  float scale;
  size_t bytes, rows;
  void *q, *k, *v, *out;
  float *lse;
};

static struct attention attention_make(int32_t heads, int32_t length, uint64_t seed) {
  size_t rows = (size_t)heads * (size_t)length, count = rows * DIM;
  return (struct attention){.heads = heads,
                            .length = length,
                            .scale = 0.5f,
                            .bytes = count * 2,
                            .rows = rows,
                            .q = random_numbers("fp16", count, 11 + seed),
                            .k = random_numbers("fp16", count, 12 + seed),
                            .v = random_numbers("fp16", count, 13 + seed),
                            .out = poisoned(count * 2),
                            .lse = poisoned(rows * sizeof(float))};
}

static void attention_free(struct attention *t) {
  void *owned[] = {t->q, t->k, t->v, t->out, t->lse};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
}

/* Every `step`-th row of all heads' rows. */
static void check_rows(const struct attention *t, size_t step) {
  double worst = 0, worst_norm = 0, expected[DIM];
  double *scores = malloc((size_t)t->length * sizeof *scores);
  float *q = widened(t->q, "fp16", t->rows * DIM), *k = widened(t->k, "fp16", t->rows * DIM);
  float *v = widened(t->v, "fp16", t->rows * DIM);
  CHECK(scores);
  for (size_t row = 0; scores && row < t->rows; row += step) {
    size_t keys = row / (size_t)t->length * (size_t)t->length * DIM;
    double norm = attend(&(struct attention_query){.q = q + row * DIM,
                                                   .k = k + keys,
                                                   .v = v + keys,
                                                   .step = DIM,
                                                   .dim = DIM,
                                                   .keys = t->length,
                                                   .scale = (double)t->scale,
                                                   .sink = -INFINITY},
                         scores, expected);
    worst = farther(worst, farthest(t->out, row * DIM, "fp16", expected, DIM));
    worst_norm = farther(worst_norm, fabs(t->lse[row] - norm * M_LOG2E));
  }
  CHECK(worst < 0x1p-9);
  CHECK(worst_norm < 1e-4);
  void *owned[] = {scores, q, k, v};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
}

static void check_attention(tile_module *module, int32_t heads, int32_t length, uint64_t seed,
                            size_t step) {
  struct attention t = attention_make(heads, length, seed);
  int32_t batch = 1, row = DIM, head = row * length, all = head * heads;
  LAUNCH(module, "attention", GRID((uint32_t)(length / BLOCK), (uint32_t)heads, 1), seed,
         BUFFER(t.q, t.bytes), BUFFER(t.k, t.bytes), BUFFER(t.v, t.bytes), SCALAR(t.scale),
         BUFFER(t.lse, t.rows * sizeof *t.lse), BUFFER(t.out, t.bytes), SCALAR(all), SCALAR(head),
         SCALAR(row), SCALAR(all), SCALAR(head), SCALAR(row), SCALAR(all), SCALAR(head),
         SCALAR(row), SCALAR(all), SCALAR(head), SCALAR(row), SCALAR(batch), SCALAR(heads),
         SCALAR(length));
  check_rows(&t, step);
  attention_free(&t);
}

static bool is_gpu(void) {
  return strcmp(tile_driver_name(tile_device_get_driver(test_device)), "cuda") == 0;
}

/* NULL, and a word about it, on GPUs that have no wgmma. */
static tile_module *compile_attention(void) {
  if (!is_gpu() || tile_device_get_properties(test_device)->compute_major == 9)
    return compile_kernels("attention_wgmma.mlir", 8);
  printf("skipped: wgmma needs compute capability 9.0\n");
  return NULL;
}

/* One block of keys, two, and enough for every stage to be used twice. */
static void short_sequences(void) {
  tile_module *module = compile_attention();
  static const int32_t lengths[] = {128, 256, 640};
  for (uint64_t i = 0; i < 3 && module; i++)
    check_attention(module, 1, lengths[i], i, 5);
  tile_module_unload(module);
}

/* Blocks that go over several programs. */
static void several_programs(void) {
  tile_module *module = compile_attention();
  if (module)
    check_attention(module, 5, 256, 3, 11);
  tile_module_unload(module);
}

/* --- Timing ----------------------------------------------------------------------------------- */

struct work {
  tile_kernel *kernel;
  uint32_t grid[3];
  tile_argument arguments[PARAMETERS];
};

static tile_status give_work(void *context, tile_stream *stream) {
  const struct work *work = context;
  return tile_launch(work->kernel, work->grid, stream, work->arguments, PARAMETERS);
}

static double time_kernel(tile_module *module, const char *name, tile_buffer *const buffers[5],
                          int32_t heads, int32_t length) {
  struct work work = {.grid = {(uint32_t)(length / BLOCK), (uint32_t)heads, 1}};
  int32_t row = DIM, head = row * length, all = head * heads, count = 0;
  check_ok(tile_module_kernel(module, name, &work.kernel), name);
  for (; count < 3; count++)
    work.arguments[count] = tile_argument_buffer(buffers[count]);
  work.arguments[count++] = tile_argument_f32(0.088f);
  work.arguments[count++] = tile_argument_buffer(buffers[3]);
  work.arguments[count++] = tile_argument_buffer(buffers[4]);
  for (int i = 0; i < 4; i++) {
    work.arguments[count++] = tile_argument_i32(all);
    work.arguments[count++] = tile_argument_i32(head);
    work.arguments[count++] = tile_argument_i32(row);
  }
  work.arguments[count++] = tile_argument_i32(1);
  work.arguments[count++] = tile_argument_i32(heads);
  work.arguments[count++] = tile_argument_i32(length);
  tile_bench_result result = {0};
  check_ok(tile_do_bench(test_device, give_work, &work, NULL, &result), "bench");
  return result.median;
}

/* Both in turns, as a GPU at its power limit slows down. */
static void time_length(tile_module *by_hand, tile_module *compiled, int32_t length) {
  enum { TURNS = 5 };
  int32_t heads = 16384 / length * 32;
  size_t count = (size_t)heads * (size_t)length * DIM;
  tile_buffer *buffers[5] = {0};
  void *data = random_numbers("fp16", count, 1);
  for (int i = 0; i < 5; i++) {
    check_ok(tile_buffer_create(test_device, count * 2, &buffers[i]), "buffer");
    check_ok(tile_buffer_write(buffers[i], 0, data, count * 2, NULL), "write");
  }
  double times[2] = {0};
  for (int turn = 0; turn < TURNS; turn++) {
    times[0] += time_kernel(by_hand, "attention", buffers, heads, length) / TURNS;
    times[1] += time_kernel(compiled, "attention_fwd_kernel", buffers, heads, length) / TURNS;
  }
  double rate = 4e-9 * heads * (double)length * length * DIM;
  printf("%6d: by hand %.4f ms, %.1f TFLOP/s; compiled %.4f ms, %.1f TFLOP/s\n", (int)length,
         times[0], rate / times[0], times[1], rate / times[1]);
  for (int i = 0; i < 5; i++)
    tile_buffer_destroy(buffers[i]);
  free(data);
}

/* What the compiler makes of the same blocks. */
static tile_module *compile_loop(void) {
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = 8;
  options.num_stages = 2;
  return compile_triton_with("attention.py", "attention_fwd_kernel",
                             "*fp16:16, *fp16:16, *fp16:16, fp32, *fp32:16, *fp16:16, "
                             "i32:16, i32:16, i32:16, 1, i32:16, i32:16, i32:16, 1, "
                             "i32:16, i32:16, i32:16, 1, i32:16, i32:16, i32:16, 1, "
                             "i32, i32, i32:16, 128, 128, 128, False",
                             &options);
}

static void large(void) {
  tile_module *by_hand = is_gpu() ? compile_attention() : NULL;
  if (by_hand)
    check_attention(by_hand, 40, 1024, 4, 40 * 1024 / ROWS_CHECKED + 1);
  tile_module *compiled = by_hand && full_test ? compile_loop() : NULL;
  for (int32_t length = 1024; compiled && length <= 16384; length *= 4)
    time_length(by_hand, compiled, length);
  tile_module_unload(compiled);
  tile_module_unload(by_hand);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"short sequences", short_sequences},
                          {"several programs", several_programs}, {"large", large});
}
