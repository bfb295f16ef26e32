/* SPDX-License-Identifier: MIT */
/* A libcublasLt for machines without one: products of fp32 over host memory, as fake_cuda.c has it.
   It is strict about what tile-bench has to keep: handles are live, a workspace is there, the
   algorithm is one that it gave. The second algorithm that it gives computes something else, so
   that a check of results can be seen. Named in TILE_LIBCUBLASLT. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define API(name, ...)                                                                             \
  EXPORT int name(__VA_ARGS__);                                                                    \
  EXPORT int name(__VA_ARGS__)

enum { OK = 0, INVALID_VALUE = 7, NOT_SUPPORTED = 15, MAGIC = 0x6C62 };

struct desc {
  int magic, compute, scale;
  int32_t transposed[2];
};
struct layout {
  int magic, type;
  uint64_t rows, columns;
  int64_t stride, batch_stride;
  int32_t batches;
};
struct heuristic {
  uint64_t algorithm[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
};
static int library = MAGIC;

API(cublasLtCreate, void **handle) {
  *handle = &library;
  return OK;
}
API(cublasLtDestroy, void *handle) {
  return handle == &library ? OK : INVALID_VALUE;
}
API(cublasLtMatmulDescCreate, struct desc **out, int compute, int scale) {
  *out = malloc(sizeof **out);
  **out = (struct desc){.magic = MAGIC, .compute = compute, .scale = scale};
  return compute == 68 && scale == 0 ? OK : NOT_SUPPORTED;
}
API(cublasLtMatmulDescDestroy, struct desc *desc) {
  free(desc);
  return OK;
}
API(cublasLtMatmulDescSetAttribute, struct desc *desc, int attribute, const void *value,
    size_t bytes) {
  if (desc->magic != MAGIC || bytes != 4 || (attribute != 3 && attribute != 4))
    return INVALID_VALUE;
  memcpy(&desc->transposed[attribute - 3], value, bytes);
  return OK;
}
API(cublasLtMatrixLayoutCreate, struct layout **out, int type, uint64_t rows, uint64_t columns,
    int64_t stride) {
  *out = malloc(sizeof **out);
  **out = (struct layout){MAGIC, type, rows, columns, stride, 0, 1};
  return type == 0 ? OK : NOT_SUPPORTED;
}
API(cublasLtMatrixLayoutDestroy, struct layout *layout) {
  free(layout);
  return OK;
}
API(cublasLtMatrixLayoutSetAttribute, struct layout *layout, int attribute, const void *value,
    size_t bytes) {
  if (attribute == 5 && bytes == 4)
    memcpy(&layout->batches, value, bytes);
  else if (attribute == 6 && bytes == 8)
    memcpy(&layout->batch_stride, value, bytes);
  else
    return INVALID_VALUE;
  return OK;
}
API(cublasLtMatmulPreferenceCreate, int **out) {
  *out = malloc(sizeof **out);
  return OK;
}
API(cublasLtMatmulPreferenceDestroy, int *preference) {
  free(preference);
  return OK;
}
API(cublasLtMatmulPreferenceSetAttribute, int *preference, int attribute, const void *value,
    size_t bytes) {
  (void)value;
  *preference = attribute;
  return attribute == 1 && bytes == 8 ? OK : INVALID_VALUE;
}

static float element(const float *base, const struct layout *layout, bool transposed, int64_t row,
                     int64_t column) {
  return transposed ? base[row * layout->stride + column] : base[column * layout->stride + row];
}

API(cublasLtMatmulAlgoGetHeuristic, void *handle, struct desc *desc, struct layout *a,
    struct layout *b, struct layout *c, struct layout *d, int *preference, int wanted,
    struct heuristic *out, int *count) {
  uint64_t k = desc->transposed[0] ? a->rows : a->columns,
           other = desc->transposed[1] ? b->columns : b->rows;
  if (handle != &library || c != d || *preference != 1 || k != other)
    return INVALID_VALUE;
  for (*count = 0; *count < wanted && *count < 2; ++*count)
    out[*count] = (struct heuristic){.algorithm = {MAGIC, (uint64_t)*count}};
  return OK;
}

API(cublasLtMatmul, void *handle, struct desc *desc, const float *alpha, const float *a,
    struct layout *a_layout, const float *b, struct layout *b_layout, const float *beta,
    const float *c, struct layout *c_layout, float *d, struct layout *d_layout,
    const uint64_t *algorithm, void *workspace, size_t workspace_bytes, void *stream) {
  if (handle != &library || *alpha != 1 || *beta != 0 || c != d || c_layout != d_layout ||
      algorithm[0] != MAGIC || !workspace || workspace_bytes < 1 << 20 || stream)
    return INVALID_VALUE;
  int64_t k = (int64_t)(desc->transposed[0] ? a_layout->rows : a_layout->columns);
  for (int32_t batch = 0; batch < d_layout->batches; batch++)
    for (int64_t column = 0; column < (int64_t)d_layout->columns; column++)
      for (int64_t row = 0; row < (int64_t)d_layout->rows; row++) {
        float sum = (float)algorithm[1];
        for (int64_t i = 0; i < k; i++)
          sum +=
              element(a + batch * a_layout->batch_stride, a_layout, desc->transposed[0], row, i) *
              element(b + batch * b_layout->batch_stride, b_layout, desc->transposed[1], i, column);
        d[batch * d_layout->batch_stride + column * d_layout->stride + row] = sum;
      }
  return OK;
}

/* --- What bench/beside takes of libcublas: fp16, columns first, as it is ---------------------- */

API(cublasCreate_v2, void **handle) {
  *handle = &library;
  return OK;
}
API(cublasDestroy_v2, void *handle) {
  return handle == &library ? OK : INVALID_VALUE;
}
API(cublasSetStream_v2, void *handle, void *stream) {
  (void)stream;
  return handle == &library ? OK : INVALID_VALUE;
}

API(cublasSetWorkspace_v2, void *handle, void *workspace, size_t bytes) {
  return handle == &library && workspace && bytes ? OK : INVALID_VALUE;
}

/* Numbers that a float has and fp16, too: no infinity, none that is not a number. */
static float widen(uint16_t half) {
  int exponent = half >> 10 & 31;
  float fraction = (float)(half & 1023) / 1024;
  float value = exponent ? ldexpf(1 + fraction, exponent - 15) : ldexpf(fraction, -14);
  return half >> 15 ? -value : value;
}

/* Rounded towards zero. */
static uint16_t narrow(float value) {
  int exponent;
  float fraction = frexpf(fabsf(value), &exponent);
  uint16_t sign = value < 0 ? 0x8000 : 0;
  if (exponent < -13)
    return sign | (uint16_t)ldexpf(fabsf(value), 24);
  return sign | (uint16_t)((exponent + 14) << 10) | ((uint16_t)(fraction * 2048) & 1023);
}

API(cublasGemmStridedBatchedEx, void *handle, int op_a, int op_b, int m, int n, int k,
    const float *alpha, const uint16_t *a, int type_a, int lda, long long stride_a,
    const uint16_t *b, int type_b, int ldb, long long stride_b, const float *beta, uint16_t *c,
    int type_c, int ldc, long long stride_c, int batch, int compute, int algorithm) {
  enum { F16 = 2, COMPUTE_32F = 68 };
  if (handle != &library || op_a || op_b || *alpha != 1 || *beta != 0 || type_a != F16 ||
      type_b != F16 || type_c != F16 || compute != COMPUTE_32F || algorithm != -1)
    return INVALID_VALUE;
  for (int each = 0; each < batch; each++, a += stride_a, b += stride_b, c += stride_c)
    for (int column = 0; column < n; column++)
      for (int row = 0; row < m; row++) {
        float sum = 0;
        for (int i = 0; i < k; i++)
          sum += widen(a[i * lda + row]) * widen(b[column * ldb + i]);
        c[column * ldc + row] = narrow(sum);
      }
  return OK;
}
