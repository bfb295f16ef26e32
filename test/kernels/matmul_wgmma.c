/* SPDX-License-Identifier: MIT */
/* The hand-written matrix multiplication for Hopper (matmul_wgmma.mlir) against a product in double
   precision; on the emulator with all checks, where every wgmma is executed as late as it may be.

       kernel_matmul_wgmma --device cuda --full      also times it on a GPU, for square matrices */
#include "kernel_test.h"

static uint16_t half_of(float value) {
  union {
    float number;
    uint32_t bits;
  } u = {value};
  uint32_t magnitude = u.bits & 0x7fffffff;
  if (magnitude < 0x38800000)
    return 0;
  return (uint16_t)((u.bits >> 16 & 0x8000) |
                    ((magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13));
}

static float float_of(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 1023;
  float value = exponent == 31 ? NAN
                : exponent     ? ldexpf((float)(fraction + 1024), exponent - 25)
                               : ldexpf((float)fraction, -24);
  return half >> 15 ? -value : value;
}

static uint16_t *random_matrix(size_t count, uint64_t *state) {
  uint16_t *matrix = poisoned(count * 2);
  for (size_t i = 0; i < count; i++)
    matrix[i] = half_of(draw(state));
  return matrix;
}

/* Elements of c that differ by more than f16's rounding and f32's sums allow; all of them, or, on
   large matrices, some of each block. */
static size_t count_wrong(const uint16_t *a, const uint16_t *b, const uint16_t *c, int32_t m,
                          int32_t n, int32_t k, int32_t step) {
  size_t wrong = 0;
  for (int32_t i = 0; i < m; i += step)
    for (int32_t j = i % step; j < n; j += step) {
      double sum = 0, magnitude = 0;
      for (int32_t x = 0; x < k; x++) {
        double product = (double)float_of(a[(size_t)i * (size_t)k + (size_t)x]) *
                         (double)float_of(b[(size_t)x * (size_t)n + (size_t)j]);
        sum += product;
        magnitude += fabs(product);
      }
      double is = float_of(c[(size_t)i * (size_t)n + (size_t)j]);
      wrong += !(fabs(is - sum) <= fabs(sum) * 0x1p-11 + magnitude * 0x1p-18 + 0x1p-24);
    }
  return wrong;
}

static void multiply(tile_module *module, int32_t m, int32_t n, int32_t k, uint64_t seed,
                     int32_t step) {
  uint64_t state = seeded(7 + seed);
  size_t a_count = (size_t)m * (size_t)k, b_count = (size_t)k * (size_t)n,
         c_count = (size_t)m * (size_t)n;
  uint16_t *a = random_matrix(a_count, &state), *b = random_matrix(b_count, &state);
  uint16_t *c = poisoned(c_count * 2);
  uint32_t blocks = (uint32_t)(m / 128 * (n / 256));
  LAUNCH(module, "matmul", GRID(blocks, 1, 1), seed, BUFFER(a, a_count * 2), BUFFER(b, b_count * 2),
         BUFFER(c, c_count * 2), SCALAR(m), SCALAR(n), SCALAR(k));
  CHECK_EQUAL(count_wrong(a, b, c, m, n, k, step), 0);
  free(a);
  free(b);
  free(c);
}

/* NULL, and a word about it, on GPUs that have no wgmma. */
static tile_module *compile_multiplication(void) {
  const tile_device_properties *properties = tile_device_get_properties(test_device);
  bool gpu = strcmp(tile_driver_name(tile_device_get_driver(test_device)), "cuda") == 0;
  if (!gpu || properties->compute_major == 9)
    return compile_kernels("matmul_wgmma.mlir", 8);
  printf("skipped: wgmma needs compute capability 9.0\n");
  return NULL;
}

/* One step, two, and enough for every stage to be used twice. */
static void one_block(void) {
  tile_module *module = compile_multiplication();
  static const int32_t depths[] = {64, 128, 576};
  for (uint64_t i = 0; i < 3 && module; i++)
    multiply(module, 128, 256, depths[i], i, 3);
  tile_module_unload(module);
}

/* Blocks in groups, the last one smaller. */
static void several_blocks(void) {
  tile_module *module = compile_multiplication();
  if (module)
    multiply(module, 384, 512, 192, 3, 17);
  if (module && full_test)
    multiply(module, 17 * 128, 3 * 256, 128, 4, 63);
  tile_module_unload(module);
}

/* --- Timing ----------------------------------------------------------------------------------- */

struct work {
  tile_kernel *kernel;
  uint32_t grid[3];
  tile_argument arguments[6];
};

static tile_status give_work(void *context, tile_stream *stream) {
  const struct work *work = context;
  return tile_launch(work->kernel, work->grid, stream, work->arguments, 6);
}

static void time_size(tile_module *module, int32_t size) {
  tile_buffer *buffers[3] = {0};
  struct work work = {.grid = {(uint32_t)(size / 128 * (size / 256)), 1, 1}};
  size_t bytes = (size_t)size * (size_t)size * 2;
  uint64_t state = 1;
  uint16_t *data = random_matrix(bytes / 2, &state);
  check_ok(tile_module_kernel(module, "matmul", &work.kernel), "matmul");
  for (int i = 0; i < 3; i++) {
    check_ok(tile_buffer_create(test_device, bytes, &buffers[i]), "buffer");
    check_ok(tile_buffer_write(buffers[i], 0, data, bytes, NULL), "write");
    work.arguments[i] = tile_argument_buffer(buffers[i]);
    work.arguments[3 + i] = tile_argument_i32(size);
  }
  tile_bench_result result = {0};
  check_ok(tile_do_bench(test_device, give_work, &work, NULL, &result), "bench");
  printf("%5d: median %.4f ms, %.1f TFLOP/s (20 %% to 80 %%: %.4f to %.4f ms, %zu runs)\n",
         (int)size, result.median, 2e-9 * size * size * (double)size / result.median,
         result.quantile20, result.quantile80, result.runs);
  for (int i = 0; i < 3; i++)
    tile_buffer_destroy(buffers[i]);
  free(data);
}

static void large(void) {
  bool gpu = strcmp(tile_driver_name(tile_device_get_driver(test_device)), "cuda") == 0;
  tile_module *module = gpu ? compile_multiplication() : NULL;
  if (module)
    multiply(module, 2048, 2048, 2048, 5, 97);
  for (int32_t size = 1024; module && full_test && size <= 8192; size *= 2)
    time_size(module, size);
  tile_module_unload(module);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"one block", one_block}, {"several blocks", several_blocks},
                          {"large", large});
}
