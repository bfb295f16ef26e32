/* SPDX-License-Identifier: MIT */
/* Kernels of the Triton language that reduce, scan and sort rows, each against a reference in
   double: softmax.py (the tutorial's 1823 x 781, and fewer rows in 16 bits), layer_norm.py,
   chunk_scan.py and top_k.py; several numbers of warps and seeds, checks on. */
#include "kernel_test.h"

/* --- 16-bit floats ---------------------------------------------------------------------------- */

static double decode(const void *data, size_t i, const char *type) {
  uint16_t bits = 0;
  if (strcmp(type, "fp32") == 0)
    return ((const float *)data)[i];
  memcpy(&bits, (const char *)data + 2 * i, 2);
  if (strcmp(type, "bf16") == 0) {
    uint32_t word = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
  }
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
  return bits & 0x8000 ? -value : value;
}

/* Multiples of 1/8 below 8: the same number in each type. */
static void encode(void *data, size_t i, const char *type, double value) {
  float single = (float)value;
  uint32_t word;
  memcpy(&word, &single, sizeof word);
  uint16_t bits = (uint16_t)(word >> 16);
  if (strcmp(type, "fp16") == 0 && value != 0)
    bits =
        (uint16_t)((word >> 16 & 0x8000) | ((word >> 23 & 255) - 112) << 10 | (word >> 13 & 0x3FF));
  if (strcmp(type, "fp32") == 0)
    ((float *)data)[i] = single;
  else
    memcpy((char *)data + 2 * i, &bits, 2);
}

static size_t type_bytes(const char *type) {
  return strcmp(type, "fp32") == 0 ? 4 : 2;
}

static void *eighths(size_t count, const char *type, uint64_t seed) {
  void *data = poisoned(count * type_bytes(type));
  uint64_t state = seeded(seed);
  for (size_t i = 0; i < count; i++)
    encode(data, i, type, (double)(int)(draw(&state) * 63) / 8);
  return data;
}

/* --- Softmax ---------------------------------------------------------------------------------- */

static void softmax_of(const char *type, int32_t rows, int num_warps, double most) {
  int32_t width = 781;
  size_t count = (size_t)rows * (size_t)width, bytes = count * type_bytes(type);
  char signature[80];
  snprintf(signature, sizeof signature, "*%s, *%s, i32, i32, i32, 1024", type, type);
  tile_module *module = compile_triton("softmax.py", "softmax_row_kernel", signature, num_warps);
  void *x = eighths(count, type, 5), *out = poisoned(bytes);
  LAUNCH(module, "softmax_row_kernel", GRID((uint32_t)rows, 1, 1), 2, BUFFER(out, bytes),
         BUFFER(x, bytes), SCALAR(width), SCALAR(width), SCALAR(width));
  double worst = 0;
  for (size_t r = 0; r < (size_t)rows; r++) {
    size_t row = r * (size_t)width;
    double largest = decode(x, row, type), sum = 0;
    for (size_t i = 0; i < (size_t)width; i++)
      largest = fmax(largest, decode(x, row + i, type));
    for (size_t i = 0; i < (size_t)width; i++)
      sum += exp(decode(x, row + i, type) - largest);
    for (size_t i = 0; i < (size_t)width; i++) {
      double y = exp(decode(x, row + i, type) - largest) / sum;
      if (y > 0x1p-13) /* smaller ones are subnormal in f16 */
        worst = farther(worst, fabs(decode(out, row + i, type) - y) / y);
    }
  }
  CHECK(worst < most);
  free(x);
  free(out);
  tile_module_unload(module);
}

static void softmax(void) {
  softmax_of("fp32", 1823, 4, 0x1p-19);
  softmax_of("fp32", 9, 8, 0x1p-19);
  softmax_of("fp16", 33, 4, 0x1p-8);
  softmax_of("bf16", 33, 2, 0x1p-5);
}

/* --- Layer normalisation ---------------------------------------------------------------------- */

static void layer_norm(void) {
  enum { ROWS = 5, N = 1155 };
  int32_t stride = N, n = N;
  float eps = 1e-5f;
  size_t bytes = ROWS * N * sizeof(float);
  float *x = eighths(ROWS * N, "fp32", 6), *weight = eighths(N, "fp32", 7);
  float *bias = eighths(N, "fp32", 8);
  for (int num_warps = 1; num_warps <= 8; num_warps *= 8) {
    tile_module *module =
        compile_triton("layer_norm.py", "layer_norm_loop_kernel",
                       "*fp32, *fp32, *fp32, *fp32, *fp32, *fp32, i32, i32, fp32, 512", num_warps);
    float *y = poisoned(bytes), *mean = poisoned(ROWS * sizeof *mean);
    float *rstd = poisoned(ROWS * sizeof *rstd);
    LAUNCH(module, "layer_norm_loop_kernel", GRID(ROWS, 1, 1), 1, BUFFER(x, bytes),
           BUFFER(y, bytes), BUFFER(weight, N * sizeof *weight), BUFFER(bias, N * sizeof *bias),
           BUFFER(mean, ROWS * sizeof *mean), BUFFER(rstd, ROWS * sizeof *rstd), SCALAR(stride),
           SCALAR(n), SCALAR(eps));
    double worst = 0;
    for (int r = 0; r < ROWS; r++) {
      double sum = 0, square = 0;
      for (int i = 0; i < N; i++)
        sum += x[r * N + i];
      for (int i = 0; i < N; i++)
        square += pow(x[r * N + i] - sum / N, 2) / N;
      for (int i = 0; i < N; i++) {
        double expected = (x[r * N + i] - sum / N) / sqrt(square + eps) * weight[i] + bias[i];
        worst = farther(worst, fabs(y[r * N + i] - expected));
      }
      CHECK(fabs(mean[r] - sum / N) < 1e-5);
    }
    CHECK(worst < 1e-4);
    free(y);
    free(mean);
    free(rstd);
    tile_module_unload(module);
  }
  free(x);
  free(weight);
  free(bias);
}

/* --- Scans ------------------------------------------------------------------------------------ */

static void cumulative_sums(bool reverse, int num_warps) {
  enum { ROWS = 3, T = 700 };
  int32_t length = T, stride = T;
  size_t bytes = ROWS * T * sizeof(float);
  float *x = eighths(ROWS * T, "fp32", 9), *out = poisoned(bytes);
  tile_module *module = compile_triton("chunk_scan.py", "global_cumsum_kernel",
                                       reverse ? "*fp32, *fp32, i32, i32, 256, True"
                                               : "*fp32, *fp32, i32, i32, 256, False",
                                       num_warps);
  LAUNCH(module, "global_cumsum_kernel", GRID(ROWS, 1, 1), 3, BUFFER(x, bytes), BUFFER(out, bytes),
         SCALAR(length), SCALAR(stride));
  int wrong = 0; /* sums of eighths are exact */
  for (int r = 0; r < ROWS; r++) {
    double sum = 0;
    for (int k = 0; k < T; k++) {
      int at = r * T + (reverse ? T - 1 - k : k);
      sum += x[at];
      wrong += out[at] != (float)sum;
    }
  }
  CHECK_EQUAL(wrong, 0);
  free(x);
  free(out);
  tile_module_unload(module);
}

static void recurrence(int num_warps) {
  enum { T = 77, D = 40 };
  int32_t length = T, width = D;
  size_t bytes = T * D * sizeof(float);
  float *a = random_floats(T * D, 10), *x = random_floats(T * D, 11), *h = poisoned(bytes);
  tile_module *module = compile_triton("chunk_scan.py", "recurrence_kernel",
                                       "*fp32, *fp32, *fp32, i32, i32, 32, 16", num_warps);
  LAUNCH(module, "recurrence_kernel", GRID(3, 1, 1), 4, BUFFER(a, bytes), BUFFER(x, bytes),
         BUFFER(h, bytes), SCALAR(length), SCALAR(width));
  double worst = 0;
  for (int d = 0; d < D; d++) {
    double state = 0;
    for (int t = 0; t < T; t++) {
      state = a[t * D + d] * state + x[t * D + d];
      worst = farther(worst, fabs(h[t * D + d] - state));
    }
  }
  CHECK(worst < 1e-5);
  free(a);
  free(x);
  free(h);
  tile_module_unload(module);
}

static void scans(void) {
  cumulative_sums(false, 4);
  cumulative_sums(true, 2);
  recurrence(1);
  recurrence(4);
}

/* --- Sorting ---------------------------------------------------------------------------------- */

static void top_k(void) {
  enum { M = 13, N = 50, K = 8 };
  int32_t rows = M, columns = N;
  float *x = random_floats(M * N, 12);
  for (int num_warps = 1; num_warps <= 4; num_warps *= 4) {
    tile_module *module = compile_triton("top_k.py", "top_k_sorted_kernel",
                                         "*fp32, *fp32, *i32, i32, i32, 4, 64, 8", num_warps);
    float *values = poisoned(M * K * sizeof *values);
    int32_t *indices = poisoned(M * K * sizeof *indices);
    LAUNCH(module, "top_k_sorted_kernel", GRID((M + 3) / 4, 1, 1), 5, BUFFER(x, M * N * sizeof *x),
           BUFFER(values, M * K * sizeof *values), BUFFER(indices, M * K * sizeof *indices),
           SCALAR(rows), SCALAR(columns));
    int wrong = 0;
    for (int r = 0; r < M; r++) {
      bool taken[N] = {0};
      for (int k = 0; k < K; k++) {
        int best = -1;
        for (int i = 0; i < N; i++)
          if (!taken[i] && (best < 0 || x[r * N + i] > x[r * N + best]))
            best = i;
        taken[best] = true;
        wrong += indices[r * K + k] != best || values[r * K + k] != x[r * N + best];
      }
    }
    CHECK_EQUAL(wrong, 0);
    free(values);
    free(indices);
    tile_module_unload(module);
  }
  free(x);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"softmax", softmax}, {"layer norm", layer_norm},
                          {"scans", scans}, {"top-k", top_k});
}
