/* SPDX-License-Identifier: MIT */
/* Softmax and LayerNorm of rows by cuDNN, whose functions are opened at run time. Softmax is
   cudnnSoftmaxForward, accurate, each row an instance; LayerNorm is a graph
   (tile_bench_cudnn_norm.c). */
#include "tile_bench_cudnn.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "tile/interop.h"
#include "tile_bench_library.h"

enum { FORMAT_NCHW = 0, SOFTMAX_ACCURATE = 1, SOFTMAX_INSTANCE = 0, TYPE_DOUBLE = 1 };

static const struct bench_function functions[] = {
    {"cudnnCreate", offsetof(struct cudnn_library, create)},
    {"cudnnDestroy", offsetof(struct cudnn_library, destroy)},
    {"cudnnSetStream", offsetof(struct cudnn_library, set_stream)},
    {"cudnnGetErrorString", offsetof(struct cudnn_library, error)},
    {"cudnnCreateTensorDescriptor", offsetof(struct cudnn_library, tensor_create)},
    {"cudnnDestroyTensorDescriptor", offsetof(struct cudnn_library, tensor_destroy)},
    {"cudnnSetTensor4dDescriptor", offsetof(struct cudnn_library, tensor_set)},
    {"cudnnSoftmaxForward", offsetof(struct cudnn_library, softmax)},
    {"cudnnBackendCreateDescriptor", offsetof(struct cudnn_library, graph_create)},
    {"cudnnBackendDestroyDescriptor", offsetof(struct cudnn_library, graph_destroy)},
    {"cudnnBackendSetAttribute", offsetof(struct cudnn_library, graph_set)},
    {"cudnnBackendGetAttribute", offsetof(struct cudnn_library, graph_get)},
    {"cudnnBackendFinalize", offsetof(struct cudnn_library, graph_finalize)},
    {"cudnnBackendExecute", offsetof(struct cudnn_library, graph_execute)}};

tile_status cudnn_check(const struct cudnn_state *state, int code, const char *what) {
  return code ? FAIL(TILE_EXTERNAL_TOOL, "%s failed: %s", what, state->library.error(code)) : NULL;
}

/* --- Once ------------------------------------------------------------------------------------- */

static const char *const library_names[] = {"libcudnn.so.9", "libcudnn.so.8", NULL};
static const struct bench_library opened = {.title = "cuDNN",
                                            .variable = "TILE_LIBCUDNN",
                                            .file = "libcudnn.so",
                                            .names = library_names,
                                            .functions = functions,
                                            .function_count = sizeof functions / sizeof *functions};

static tile_status cudnn_open(struct bench *bench, struct bench_provider *provider) {
  struct cudnn_state *state = ARENA_NEW(&bench->arena, struct cudnn_state);
  provider->state = state;
  TRY(bench_library_open(&opened, bench->device, &state->library.handle, &state->library));
  return cudnn_check(state, state->library.create(&state->handle), "cudnnCreate");
}

static void cudnn_close(struct bench_provider *provider) {
  struct cudnn_state *state = provider->state;
  if (!state)
    return;
  if (state->handle)
    state->library.destroy(state->handle);
  if (state->library.handle)
    dlclose(state->library.handle);
  *state = (struct cudnn_state){0};
}

/* --- Types and shapes ------------------------------------------------------------------------- */

static bool find_type(enum element_type type, int *out) {
  static const struct {
    enum element_type type;
    int cudnn;
  } types[] = {{ELEMENT_F32, 0}, {ELEMENT_F64, TYPE_DOUBLE}, {ELEMENT_F16, 2}, {ELEMENT_BF16, 9}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == type) {
      *out = types[i].cudnn;
      return true;
    }
  return false;
}

static tile_status read_operand(struct bench *bench, const char *name, struct cudnn_operand *out) {
  size_t index = (size_t)(bench_find_argument(bench->file, name) - bench->file->arguments);
  const struct run_argument *host = &bench->data.host[index];
  if (!find_type(host->type, &out->type))
    return FAIL(TILE_INVALID_ARGUMENT, "cuDNN normalises fp16, bf16, fp32 and fp64, not %s ('%s')",
                element_table[host->type].name, name);
  out->rows = 1;
  out->columns = host->rank ? host->shape[host->rank - 1] : 1;
  for (int i = 0; i + 1 < host->rank; i++)
    out->rows *= host->shape[i];
  if (out->rows > INT32_MAX || out->columns > INT32_MAX)
    return FAIL(TILE_UNSUPPORTED, "'%s' has more than 2^31 - 1 rows or columns", name);
  out->address = (void *)(uintptr_t)tile_buffer_address(bench->data.buffers[index]);
  return NULL;
}

static tile_status check_shapes(const struct bench_normalisation *what,
                                const struct cudnn_operand *operands) {
  const struct cudnn_operand *x = &operands[0], *y = &operands[1];
  if (x->rows != y->rows || x->columns != y->columns)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' is %lld x %lld and '%s' %lld x %lld; they are alike",
                what->names[0], (long long)x->rows, (long long)x->columns, what->names[1],
                (long long)y->rows, (long long)y->columns);
  for (int i = 2; what->is_norm && i < 4; i++)
    if (operands[i].rows != 1 || operands[i].columns != x->columns)
      return FAIL(TILE_INVALID_ARGUMENT, "'%s' has %lld elements; a row has %lld", what->names[i],
                  (long long)(operands[i].rows * operands[i].columns), (long long)x->columns);
  if (!what->is_norm && x->type != y->type)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' and '%s' have different types", what->names[0],
                what->names[1]);
  return NULL;
}

/* --- At one size ------------------------------------------------------------------------------ */

static tile_status prepare_softmax(struct cudnn_state *state) {
  const struct cudnn_operand *x = &state->operands[0];
  TRY(cudnn_check(state, state->library.tensor_create(&state->tensor),
                  "cudnnCreateTensorDescriptor"));
  return cudnn_check(state,
                     state->library.tensor_set(state->tensor, FORMAT_NCHW, x->type, (int)x->rows,
                                               (int)x->columns, 1, 1),
                     "cudnnSetTensor4dDescriptor");
}

static tile_status cudnn_prepare(struct bench *bench, struct bench_provider *provider,
                                 size_t *variants) {
  struct cudnn_state *state = provider->state;
  const struct bench_normalisation *what = provider->normalisation;
  for (int i = 0; i < (what->is_norm ? 4 : 2); i++)
    TRY(read_operand(bench, what->names[i], &state->operands[i]));
  TRY(check_shapes(what, state->operands));
  state->epsilon = (float)what->epsilon;
  *variants = 1;
  return what->is_norm ? cudnn_norm_prepare(bench, state) : prepare_softmax(state);
}

static void cudnn_release(struct bench_provider *provider) {
  struct cudnn_state *state = provider->state;
  if (state->tensor)
    state->library.tensor_destroy(state->tensor);
  state->tensor = NULL;
  cudnn_norm_release(state);
}

static tile_status set_stream(struct cudnn_state *state, tile_stream *stream) {
  void *native = NULL;
  if (stream)
    TRY(tile_stream_native(stream, &native));
  if (native == state->stream)
    return NULL;
  TRY(cudnn_check(state, state->library.set_stream(state->handle, native), "cudnnSetStream"));
  state->stream = native;
  return NULL;
}

/* y = 1 softmax(x) + 0 y; the factors are double for fp64, else float. */
static tile_status launch_softmax(struct cudnn_state *state) {
  static const double double_one = 1, double_zero = 0;
  static const float one = 1, zero = 0;
  bool is_double = state->operands[0].type == TYPE_DOUBLE;
  return cudnn_check(state,
                     state->library.softmax(state->handle, SOFTMAX_ACCURATE, SOFTMAX_INSTANCE,
                                            is_double ? (const void *)&double_one : &one,
                                            state->tensor, state->operands[0].address,
                                            is_double ? (const void *)&double_zero : &zero,
                                            state->tensor, state->operands[1].address),
                     "cudnnSoftmaxForward");
}

static tile_status cudnn_launch(struct bench *bench, struct bench_provider *provider,
                                size_t variant, tile_stream *stream) {
  struct cudnn_state *state = provider->state;
  (void)bench, (void)variant;
  TRY(set_stream(state, stream));
  return provider->normalisation->is_norm ? cudnn_norm_launch(state) : launch_softmax(state);
}

const struct bench_provider_kind bench_cudnn_kind = {.name = "cudnn",
                                                     .open = cudnn_open,
                                                     .prepare = cudnn_prepare,
                                                     .launch = cudnn_launch,
                                                     .release = cudnn_release,
                                                     .close = cudnn_close};
