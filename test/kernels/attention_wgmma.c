/* SPDX-License-Identifier: MIT */
/* The hand-written forward passes of attention for Hopper (attention_wgmma.mlir in f16,
   attention_wgmma_fp8.mlir in e4m3) against sums in double precision; on the emulator with all
   checks, where every wgmma is executed as late as it may be.

       kernel_attention_wgmma --device cuda --full      also times them on a GPU, beside what the
                                                        compiler makes of attention.py and of
                                                        attention_forms.py */
#include "attention_reference.h"
#include "kernel_test.h"

enum { DIM = 128, BLOCK = 128, ROWS_CHECKED = 64, PARAMETERS = 21, FP8_PARAMETERS = 11 };

/* A call: [1, heads, length, DIM] each, and of fp8 a scale for each head. */
struct attention {
  bool fp8;
  int32_t heads, length;
  float scale;
  size_t bytes, out_bytes, rows;
  void *q, *k, *v, *out;
  float *lse, *q_scales, *k_scales, *v_scales;
};

static const char *type_of(const struct attention *t) {
  return t->fp8 ? "fp8e4nv" : "fp16";
}

/* From `least` to twice as much. */
static float *scales_of(int32_t heads, float least) {
  float *scales = poisoned((size_t)heads * sizeof *scales);
  for (int32_t i = 0; i < heads; i++)
    scales[i] = least * (1 + (float)i / (float)heads);
  return scales;
}

static struct attention attention_make(bool fp8, int32_t heads, int32_t length, uint64_t seed) {
  size_t rows = (size_t)heads * (size_t)length, count = rows * DIM;
  struct attention t = {.fp8 = fp8,
                        .heads = heads,
                        .length = length,
                        .scale = 0.5f,
                        .bytes = count * (fp8 ? 1 : 2),
                        .out_bytes = count * 2,
                        .rows = rows,
                        .out = poisoned(count * 2),
                        .lse = poisoned(rows * sizeof(float)),
                        .q_scales = scales_of(heads, 0.75f),
                        .k_scales = scales_of(heads, 1.25f),
                        .v_scales = scales_of(heads, 0.5f)};
  t.q = random_numbers(type_of(&t), count, 11 + seed);
  t.k = random_numbers(type_of(&t), count, 12 + seed);
  t.v = random_numbers(type_of(&t), count, 13 + seed);
  return t;
}

static void attention_free(struct attention *t) {
  void *owned[] = {t->q, t->k, t->v, t->out, t->lse, t->q_scales, t->k_scales, t->v_scales};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
}

/* What rounding weights and results may cost: values are up to 1, times their scale. */
static double allowed(const struct attention *t, size_t head) {
  return t->fp8 ? (2 * unit_of("fp8e4nv") + 0x1p-10) * (double)t->v_scales[head] : 0x1p-9;
}

/* Every `step`-th row of all heads' rows. */
static void check_rows(const struct attention *t, size_t step) {
  double worst = 0, worst_norm = 0, expected[DIM];
  double *scores = malloc((size_t)t->length * sizeof *scores);
  const char *type = type_of(t);
  float *q = widened(t->q, type, t->rows * DIM), *k = widened(t->k, type, t->rows * DIM);
  float *v = widened(t->v, type, t->rows * DIM);
  CHECK(scores);
  for (size_t row = 0; scores && row < t->rows; row += step) {
    size_t head = row / (size_t)t->length, keys = head * (size_t)t->length * DIM;
    struct attention_query query = {.q = q + row * DIM,
                                    .k = k + keys,
                                    .v = v + keys,
                                    .step = DIM,
                                    .dim = DIM,
                                    .keys = t->length,
                                    .scale = (double)t->scale,
                                    .sink = -INFINITY};
    if (t->fp8)
      query.scale *= (double)t->q_scales[head] * (double)t->k_scales[head];
    double norm = attend(&query, scores, expected);
    for (int d = 0; d < DIM && t->fp8; d++)
      expected[d] *= (double)t->v_scales[head];
    worst = farther(worst, farthest(t->out, row * DIM, "fp16", expected, DIM) / allowed(t, head));
    if (!t->fp8)
      worst_norm = farther(worst_norm, fabs(t->lse[row] - norm * M_LOG2E));
  }
  CHECK(worst < 1);
  CHECK(worst_norm < 1e-4);
  void *owned[] = {scores, q, k, v};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
}

static void launch_f16(tile_module *module, struct attention *t, uint64_t seed) {
  int32_t batch = 1, row = DIM, head = row * t->length, all = head * t->heads;
  LAUNCH(module, "attention", GRID((uint32_t)(t->length / BLOCK), (uint32_t)t->heads, 1), seed,
         BUFFER(t->q, t->bytes), BUFFER(t->k, t->bytes), BUFFER(t->v, t->bytes), SCALAR(t->scale),
         BUFFER(t->lse, t->rows * sizeof *t->lse), BUFFER(t->out, t->out_bytes), SCALAR(all),
         SCALAR(head), SCALAR(row), SCALAR(all), SCALAR(head), SCALAR(row), SCALAR(all),
         SCALAR(head), SCALAR(row), SCALAR(all), SCALAR(head), SCALAR(row), SCALAR(batch),
         SCALAR(t->heads), SCALAR(t->length));
}

static void launch_fp8(tile_module *module, struct attention *t, uint64_t seed) {
  size_t scales = (size_t)t->heads * sizeof *t->q_scales;
  LAUNCH(module, "attention_fp8", GRID((uint32_t)(t->length / BLOCK), (uint32_t)t->heads, 1), seed,
         BUFFER(t->q, t->bytes), BUFFER(t->k, t->bytes), BUFFER(t->v, t->bytes),
         BUFFER(t->out, t->out_bytes), BUFFER(t->q_scales, scales), BUFFER(t->k_scales, scales),
         BUFFER(t->v_scales, scales), SCALAR(t->scale), SCALAR(t->length), SCALAR(t->length),
         SCALAR(t->length));
}

static void check_attention(tile_module *module, bool fp8, int32_t heads, int32_t length,
                            uint64_t seed, size_t step) {
  struct attention t = attention_make(fp8, heads, length, seed);
  (fp8 ? launch_fp8 : launch_f16)(module, &t, seed);
  check_rows(&t, step);
  attention_free(&t);
}

static bool is_gpu(void) {
  return strcmp(tile_driver_name(tile_device_get_driver(test_device)), "cuda") == 0;
}

/* NULL, and a word about it, on GPUs that have no wgmma. */
static tile_module *compile_attention(bool fp8) {
  if (!is_gpu() || tile_device_get_properties(test_device)->compute_major == 9)
    return compile_kernels(fp8 ? "attention_wgmma_fp8.mlir" : "attention_wgmma.mlir", 8);
  printf("skipped: wgmma needs compute capability 9.0\n");
  return NULL;
}

/* One iteration, two, and enough for every stage to be used twice. */
static void short_sequences(void) {
  for (int fp8 = 0; fp8 < 2; fp8++) {
    tile_module *module = compile_attention(fp8);
    static const int32_t blocks[] = {1, 2, 5};
    for (uint64_t i = 0; i < 3 && module; i++)
      check_attention(module, fp8, 1, blocks[i] * BLOCK * (1 + fp8), i, 5);
    tile_module_unload(module);
  }
}

/* Blocks that go over several programs. */
static void several_programs(void) {
  for (int fp8 = 0; fp8 < 2; fp8++) {
    tile_module *module = compile_attention(fp8);
    if (module)
      check_attention(module, fp8, 5, 256 * (1 + fp8), 3, 11);
    tile_module_unload(module);
  }
}

/* --- Timing ----------------------------------------------------------------------------------- */

struct work {
  tile_kernel *kernel;
  uint32_t grid[3];
  size_t count;
  tile_argument arguments[PARAMETERS];
};

static tile_status give_work(void *context, tile_stream *stream) {
  const struct work *work = context;
  return tile_launch(work->kernel, work->grid, stream, work->arguments, work->count);
}

static int32_t f16_arguments(tile_argument *out, tile_buffer *const buffers[5], int32_t heads,
                             int32_t length) {
  int32_t row = DIM, head = row * length, all = head * heads, count = 0;
  for (; count < 3; count++)
    out[count] = tile_argument_buffer(buffers[count]);
  out[count++] = tile_argument_f32(0.088f);
  out[count++] = tile_argument_buffer(buffers[3]);
  out[count++] = tile_argument_buffer(buffers[4]);
  for (int i = 0; i < 4; i++) {
    out[count++] = tile_argument_i32(all);
    out[count++] = tile_argument_i32(head);
    out[count++] = tile_argument_i32(row);
  }
  out[count++] = tile_argument_i32(1);
  out[count++] = tile_argument_i32(heads);
  out[count++] = tile_argument_i32(length);
  return count;
}

/* Scales are the first numbers of the last buffer. */
static int32_t fp8_arguments(tile_argument *out, tile_buffer *const buffers[5], int32_t length) {
  int32_t count = 0;
  for (; count < 4; count++)
    out[count] = tile_argument_buffer(buffers[count]);
  for (; count < 7; count++)
    out[count] = tile_argument_buffer(buffers[4]);
  out[count++] = tile_argument_f32(0.088f);
  for (; count < FP8_PARAMETERS; count++)
    out[count] = tile_argument_i32(length);
  return count;
}

static double time_kernel(tile_module *module, const char *name, bool fp8,
                          tile_buffer *const buffers[5], int32_t heads, int32_t length) {
  struct work work = {.grid = {(uint32_t)(length / BLOCK), (uint32_t)heads, 1}};
  check_ok(tile_module_kernel(module, name, &work.kernel), name);
  work.count = (size_t)(fp8 ? fp8_arguments(work.arguments, buffers, length)
                            : f16_arguments(work.arguments, buffers, heads, length));
  tile_bench_result result = {0};
  check_ok(tile_do_bench(test_device, give_work, &work, NULL, &result), "bench");
  return result.median;
}

/* Random, and scales of 1. */
static void fill_buffers(tile_buffer *buffers[5], bool fp8, size_t count) {
  void *data = random_numbers(fp8 ? "fp8e4nv" : "fp16", count, 1);
  float ones[1024];
  for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
    ones[i] = 1;
  for (int i = 0; i < 5; i++) {
    check_ok(tile_buffer_create(test_device, count * 2, &buffers[i]), "buffer");
    check_ok(tile_buffer_write(buffers[i], 0, data, count * (fp8 ? 1 : 2), NULL), "write");
  }
  if (fp8)
    check_ok(tile_buffer_write(buffers[4], 0, ones, sizeof ones, NULL), "write");
  free(data);
}

/* Both in turns, as a GPU at its power limit slows down. */
static void time_length(tile_module *by_hand, tile_module *compiled, bool fp8, int32_t length) {
  enum { TURNS = 5 };
  int32_t heads = 16384 / length * 32;
  tile_buffer *buffers[5] = {0};
  fill_buffers(buffers, fp8, (size_t)heads * (size_t)length * DIM);
  double times[2] = {0};
  for (int turn = 0; turn < TURNS; turn++) {
    times[0] +=
        time_kernel(by_hand, fp8 ? "attention_fp8" : "attention", fp8, buffers, heads, length) /
        TURNS;
    times[1] += time_kernel(compiled, fp8 ? "attention_fp8" : "attention_fwd_kernel", fp8, buffers,
                            heads, length) /
                TURNS;
  }
  double rate = 4e-9 * heads * (double)length * length * DIM;
  printf("%s %6d: by hand %.4f ms, %.1f TFLOP/s; compiled %.4f ms, %.1f TFLOP/s\n",
         fp8 ? "e4m3" : "f16", (int)length, times[0], rate / times[0], times[1], rate / times[1]);
  for (int i = 0; i < 5; i++)
    tile_buffer_destroy(buffers[i]);
}

/* What the compiler makes of the same. */
static tile_module *compile_loop(bool fp8) {
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = 8;
  options.num_stages = 2;
  if (fp8)
    return compile_triton_with("attention_forms.py", "attention_fp8",
                               "*fp8e4nv:16, *fp8e4nv:16, *fp8e4nv:16, *fp16:16, *fp32:16, "
                               "*fp32:16, *fp32:16, fp32, i32:16, i32:16, i32:16, 128, 128, 128, "
                               "False, False",
                               &options);
  return compile_triton_with("attention.py", "attention_fwd_kernel",
                             "*fp16:16, *fp16:16, *fp16:16, fp32, *fp32:16, *fp16:16, "
                             "i32:16, i32:16, i32:16, 1, i32:16, i32:16, i32:16, 1, "
                             "i32:16, i32:16, i32:16, 1, i32:16, i32:16, i32:16, 1, "
                             "i32, i32, i32:16, 128, 128, 128, False",
                             &options);
}

static void large(void) {
  for (int fp8 = 0; fp8 < 2; fp8++) {
    tile_module *by_hand = is_gpu() ? compile_attention(fp8) : NULL;
    if (by_hand)
      check_attention(by_hand, fp8, 40, 1024, 4, 40 * 1024 / ROWS_CHECKED + 1);
    tile_module *compiled = by_hand && full_test ? compile_loop(fp8) : NULL;
    for (int32_t length = 1024; compiled && length <= 16384; length *= 4)
      time_length(by_hand, compiled, fp8, length);
    tile_module_unload(compiled);
    tile_module_unload(by_hand);
  }
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"short sequences", short_sequences},
                          {"several programs", several_programs}, {"large", large});
}
