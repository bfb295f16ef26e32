/* SPDX-License-Identifier: MIT */
/* Matrix products by cuBLAS, through cublasLt's functions, which are opened at run time: c = a b,
   or with a or b transposed, in row-major order. cublasLt counts in columns, so that it is asked
   for c' = b' a', which is the same bytes. Names and numbers are those of cublasLt.h and
   library_types.h of CUDA 11 to 13. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "tile/interop.h"
#include "tile_bench_library.h"
#include "tile_bench_run.h"

enum { WORKSPACE = 32 << 20, MAX_ALGORITHMS = 32 };
enum {
  DESC_TRANSA = 3,
  DESC_TRANSB = 4,
  LAYOUT_BATCH_COUNT = 5,
  LAYOUT_BATCH_STRIDE = 6,
  PREFERENCE_WORKSPACE = 1
};
enum { COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32I = 72, COMPUTE_32F_TF32 = 77 };
enum { R_32F = 0, R_64F = 1, R_32I = 10 };

/* cublasLtMatmulHeuristicResult_t */
struct proposal {
  struct {
    uint64_t data[8];
  } algorithm;
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

/* The functions, in the order of their names. All return 0 for success. */
struct library {
  void *handle;
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  int (*desc_create)(void **desc, int compute_type, int scale_type);
  int (*desc_destroy)(void *desc);
  int (*desc_set)(void *desc, int attribute, const void *value, size_t bytes);
  int (*layout_create)(void **layout, int type, uint64_t rows, uint64_t columns, int64_t stride);
  int (*layout_destroy)(void *layout);
  int (*layout_set)(void *layout, int attribute, const void *value, size_t bytes);
  int (*preference_create)(void **preference);
  int (*preference_destroy)(void *preference);
  int (*preference_set)(void *preference, int attribute, const void *value, size_t bytes);
  int (*propose)(void *handle, void *desc, void *a, void *b, void *c, void *d, void *preference,
                 int wanted, struct proposal *out, int *count);
  int (*matmul)(void *handle, void *desc, const void *alpha, const void *a, void *a_layout,
                const void *b, void *b_layout, const void *beta, const void *c, void *c_layout,
                void *d, void *d_layout, const void *algorithm, void *workspace,
                size_t workspace_bytes, void *stream);
};

static const struct bench_function functions[] = {
    {"cublasLtCreate", offsetof(struct library, create)},
    {"cublasLtDestroy", offsetof(struct library, destroy)},
    {"cublasLtMatmulDescCreate", offsetof(struct library, desc_create)},
    {"cublasLtMatmulDescDestroy", offsetof(struct library, desc_destroy)},
    {"cublasLtMatmulDescSetAttribute", offsetof(struct library, desc_set)},
    {"cublasLtMatrixLayoutCreate", offsetof(struct library, layout_create)},
    {"cublasLtMatrixLayoutDestroy", offsetof(struct library, layout_destroy)},
    {"cublasLtMatrixLayoutSetAttribute", offsetof(struct library, layout_set)},
    {"cublasLtMatmulPreferenceCreate", offsetof(struct library, preference_create)},
    {"cublasLtMatmulPreferenceDestroy", offsetof(struct library, preference_destroy)},
    {"cublasLtMatmulPreferenceSetAttribute", offsetof(struct library, preference_set)},
    {"cublasLtMatmulAlgoGetHeuristic", offsetof(struct library, propose)},
    {"cublasLtMatmul", offsetof(struct library, matmul)}};

struct cublas_state {
  struct library library;
  void *handle;
  tile_buffer *workspace;
  /* of the size */
  void *desc, *layouts[3]; /* of b', a', c' */
  void *addresses[3];
  union {
    float f32;
    double f64;
    int32_t i32;
  } one, zero;
  struct proposal found[MAX_ALGORITHMS];
  int count;
};

static tile_status check(int code, const char *what) {
  return code ? FAIL(TILE_EXTERNAL_TOOL, "%s failed with status %d", what, code) : NULL;
}

/* --- Once ------------------------------------------------------------------------------------- */

static const char *const library_names[] = {"libcublasLt.so.13", "libcublasLt.so.12",
                                            "libcublasLt.so.11", NULL};
static const struct bench_library opened = {.title = "cuBLAS",
                                            .variable = "TILE_LIBCUBLASLT",
                                            .file = "libcublasLt.so",
                                            .names = library_names,
                                            .functions = functions,
                                            .function_count = sizeof functions / sizeof *functions};

static tile_status cublas_open(struct bench *bench, struct bench_provider *provider) {
  struct cublas_state *state = ARENA_NEW(&bench->arena, struct cublas_state);
  provider->state = state;
  TRY(bench_library_open(&opened, bench->device, &state->library.handle, &state->library));
  TRY(check(state->library.create(&state->handle), "cublasLtCreate"));
  return tile_buffer_create(bench->device, WORKSPACE, &state->workspace);
}

static void cublas_close(struct bench_provider *provider) {
  struct cublas_state *state = provider->state;
  if (!state)
    return;
  tile_buffer_destroy(state->workspace);
  if (state->handle)
    state->library.destroy(state->handle);
  if (state->library.handle)
    dlclose(state->library.handle);
  *state = (struct cublas_state){0};
}

/* --- Types and shapes ------------------------------------------------------------------------- */

static bool find_type(enum element_type type, int *out) {
  static const struct {
    enum element_type type;
    int cuda;
  } types[] = {{ELEMENT_F32, R_32F},  {ELEMENT_F64, R_64F}, {ELEMENT_F16, 2},
               {ELEMENT_I8, 3},       {ELEMENT_I32, R_32I}, {ELEMENT_BF16, 14},
               {ELEMENT_FP8E4NV, 28}, {ELEMENT_FP8E5, 29}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == type) {
      *out = types[i].cuda;
      return true;
    }
  return false;
}

/* An operand as it lies: batches of rows x columns. */
struct operand {
  int type;
  int64_t batches, rows, columns;
};

static tile_status read_operand(struct bench *bench, const struct bench_provider *provider,
                                int which, struct operand *out) {
  const char *name = provider->product->names[which];
  size_t index = (size_t)(bench_find_argument(bench->file, name) - bench->file->arguments);
  const struct run_argument *host = &bench->data.host[index];
  if (!find_type(host->type, &out->type))
    return FAIL(TILE_INVALID_ARGUMENT, "cuBLAS has no products of %s ('%s')",
                element_table[host->type].name, name);
  if (host->rank < 2 || host->rank > 3)
    return FAIL(TILE_INVALID_ARGUMENT,
                "'%s' has %d sizes; a matrix has two, and a batch of them three", name, host->rank);
  out->batches = host->rank == 3 ? host->shape[0] : 1;
  out->rows = host->shape[host->rank - 2];
  out->columns = host->shape[host->rank - 1];
  ((struct cublas_state *)provider->state)->addresses[which] =
      (void *)(uintptr_t)tile_buffer_address(bench->data.buffers[index]);
  return NULL;
}

static tile_status check_shapes(const struct bench_product *product,
                                const struct operand operands[3]) {
  const struct operand *a = &operands[0], *b = &operands[1], *c = &operands[2];
  int64_t m = product->transposed[0] ? a->columns : a->rows,
          ka = product->transposed[0] ? a->rows : a->columns;
  int64_t n = product->transposed[1] ? b->rows : b->columns,
          kb = product->transposed[1] ? b->columns : b->rows;
  if (m == c->rows && n == c->columns && ka == kb && a->batches == c->batches &&
      b->batches == c->batches)
    return NULL;
  return FAIL(TILE_INVALID_ARGUMENT,
              "the shapes do not go together: %lld x %lld times %lld x %lld gives no %lld x %lld",
              (long long)m, (long long)ka, (long long)kb, (long long)n, (long long)c->rows,
              (long long)c->columns);
}

/* --- At one size ------------------------------------------------------------------------------ */

static void cublas_release(struct bench_provider *provider) {
  struct cublas_state *state = provider->state;
  for (int i = 0; i < 3; i++)
    if (state->layouts[i])
      state->library.layout_destroy(state->layouts[i]);
  if (state->desc)
    state->library.desc_destroy(state->desc);
  state->desc = NULL;
  memset(state->layouts, 0, sizeof state->layouts);
}

/* Rows are columns there. */
static tile_status make_layout(struct cublas_state *state, int which,
                               const struct operand *operand) {
  const struct library *library = &state->library;
  int64_t stride = operand->rows * operand->columns;
  int32_t batches = (int32_t)operand->batches;
  TRY(check(library->layout_create(&state->layouts[which], operand->type,
                                   (uint64_t)operand->columns, (uint64_t)operand->rows,
                                   operand->columns),
            "cublasLtMatrixLayoutCreate"));
  if (batches == 1)
    return NULL;
  TRY(check(
      library->layout_set(state->layouts[which], LAYOUT_BATCH_COUNT, &batches, sizeof batches),
      "cublasLtMatrixLayoutSetAttribute"));
  return check(
      library->layout_set(state->layouts[which], LAYOUT_BATCH_STRIDE, &stride, sizeof stride),
      "cublasLtMatrixLayoutSetAttribute");
}

static tile_status make_desc(struct cublas_state *state, const struct bench_product *product,
                             int type) {
  int compute = type == R_64F   ? COMPUTE_64F
                : type == R_32I ? COMPUTE_32I
                : product->tf32 ? COMPUTE_32F_TF32
                                : COMPUTE_32F;
  int scale = type == R_64F ? R_64F : type == R_32I ? R_32I : R_32F;
  const int32_t flags[2] = {product->transposed[1], product->transposed[0]}; /* b' is the first */
  if (scale == R_64F)
    state->one.f64 = 1;
  else if (scale == R_32I)
    state->one.i32 = 1;
  else
    state->one.f32 = 1;
  TRY(check(state->library.desc_create(&state->desc, compute, scale), "cublasLtMatmulDescCreate"));
  TRY(check(state->library.desc_set(state->desc, DESC_TRANSA, &flags[0], sizeof flags[0]),
            "cublasLtMatmulDescSetAttribute"));
  return check(state->library.desc_set(state->desc, DESC_TRANSB, &flags[1], sizeof flags[1]),
               "cublasLtMatmulDescSetAttribute");
}

static tile_status find_algorithms(struct cublas_state *state, int wanted) {
  const struct library *library = &state->library;
  size_t bytes = WORKSPACE;
  void *preference;
  TRY(check(library->preference_create(&preference), "cublasLtMatmulPreferenceCreate"));
  int code = library->preference_set(preference, PREFERENCE_WORKSPACE, &bytes, sizeof bytes);
  if (!code)
    code = library->propose(state->handle, state->desc, state->layouts[1], state->layouts[0],
                            state->layouts[2], state->layouts[2], preference, wanted, state->found,
                            &state->count);
  library->preference_destroy(preference);
  TRY(check(code, "cublasLtMatmulAlgoGetHeuristic"));
  return state->count ? NULL
                      : FAIL(TILE_EXTERNAL_TOOL, "cuBLAS knows no algorithm for this product");
}

static tile_status cublas_prepare(struct bench *bench, struct bench_provider *provider,
                                  size_t *variants) {
  struct cublas_state *state = provider->state;
  struct operand operands[3];
  for (int i = 0; i < 3; i++)
    TRY(read_operand(bench, provider, i, &operands[i]));
  TRY(check_shapes(provider->product, operands));
  for (int i = 0; i < 3; i++)
    TRY(make_layout(state, i, &operands[i]));
  TRY(make_desc(state, provider->product, operands[2].type));
  TRY(find_algorithms(state, (int)provider->product->algorithms));
  *variants = (size_t)state->count;
  return NULL;
}

static void cublas_describe(const struct bench_provider *provider, size_t variant,
                            struct text *out) {
  if (provider->product->algorithms > 1)
    text_printf(out, "algorithm %zu", variant);
}

static tile_status cublas_launch(struct bench *bench, struct bench_provider *provider,
                                 size_t variant, tile_stream *stream) {
  struct cublas_state *state = provider->state;
  void *native = NULL;
  (void)bench;
  if (stream)
    TRY(tile_stream_native(stream, &native));
  return check(state->library.matmul(
                   state->handle, state->desc, &state->one, state->addresses[1], state->layouts[1],
                   state->addresses[0], state->layouts[0], &state->zero, state->addresses[2],
                   state->layouts[2], state->addresses[2], state->layouts[2],
                   &state->found[variant].algorithm,
                   (void *)(uintptr_t)tile_buffer_address(state->workspace), WORKSPACE, native),
               "cublasLtMatmul");
}

const struct bench_provider_kind bench_cublas_kind = {.name = "cublas",
                                                      .open = cublas_open,
                                                      .prepare = cublas_prepare,
                                                      .describe = cublas_describe,
                                                      .launch = cublas_launch,
                                                      .release = cublas_release,
                                                      .close = cublas_close};
