/* SPDX-License-Identifier: MIT */
/* cuBLAS as a peer, in the same rounds: from the library that the script names, so that nothing of
   it is needed to build. Its matrices are columns first: rows of c = a b are columns of b^T a^T. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "beside/beside.h"
#include "tile/interop.h"

/* Numbers of library_types.h and cublas_api.h. */
enum { CUDA_R_16F = 2, CUDA_R_16BF = 14, COMPUTE_32F = 68, DEFAULT_ALGORITHM = -1, AS_IT_IS = 0 };

typedef int create_function(void **handle);
typedef int destroy_function(void *handle);
typedef int set_stream_function(void *handle, void *stream);
typedef int set_workspace_function(void *handle, void *workspace, size_t bytes);
typedef int gemm_function(void *handle, int op_a, int op_b, int m, int n, int k, const void *alpha,
                          const void *a, int type_a, int lda, long long stride_a, const void *b,
                          int type_b, int ldb, long long stride_b, const void *beta, void *c,
                          int type_c, int ldc, long long stride_c, int batch, int compute,
                          int algorithm);

enum { WORKSPACE_BYTES = 32 << 20 }; /* what cuBLAS recommends for sm_90, and PyTorch gives it */

struct cublas {
  void *library, *handle, *stream;
  tile_buffer *workspace;
  set_stream_function *set_stream;
  set_workspace_function *set_workspace;
  gemm_function *gemm;
};

/* `name` of the library into *(void **)out. */
static void find(struct bench *bench, struct cublas *cublas, const char *name, void *out) {
  void *symbol = dlsym(cublas->library, name);
  if (!symbol)
    fail(bench, "cuBLAS has no", name);
  memcpy(out, &symbol, sizeof symbol);
}

/* A stream takes the workspace away again, so it is set where it changes only. */
static int use_stream(struct cublas *cublas, void *stream) {
  int code = cublas->set_stream(cublas->handle, cublas->stream = stream);
  void *workspace = (void *)(uintptr_t)tile_buffer_address(cublas->workspace);
  return code ? code : cublas->set_workspace(cublas->handle, workspace, WORKSPACE_BYTES);
}

static void open_library(struct bench *bench, const char *path) {
  if (bench->cublas)
    return;
  create_function *create;
  struct cublas *cublas = bench->cublas = calloc(1, sizeof *cublas);
  if (!cublas || !(cublas->library = dlopen(path, RTLD_NOW)))
    fail(bench, "cannot load", path);
  find(bench, cublas, "cublasCreate_v2", &create);
  find(bench, cublas, "cublasSetStream_v2", &cublas->set_stream);
  find(bench, cublas, "cublasSetWorkspace_v2", &cublas->set_workspace);
  find(bench, cublas, "cublasGemmStridedBatchedEx", &cublas->gemm);
  check(bench, tile_buffer_create(bench->device, WORKSPACE_BYTES, &cublas->workspace));
  if (create(&cublas->handle) || use_stream(cublas, NULL))
    fail(bench, "cuBLAS does not start:", path);
}

void cublas_close(struct bench *bench) {
  if (!bench->cublas)
    return;
  destroy_function *destroy;
  find(bench, bench->cublas, "cublasDestroy_v2", &destroy);
  destroy(bench->cublas->handle);
  tile_buffer_destroy(bench->cublas->workspace);
  dlclose(bench->cublas->library);
  free(bench->cublas);
  bench->cublas = NULL;
}

void gemm_read(struct bench *bench, const char *library, const char *type, struct gemm *gemm) {
  gemm->bench = bench;
  open_library(bench, library);
  bool bf16 = strcmp(type, "bf16") == 0;
  if (!bf16 && strcmp(type, "fp16") != 0)
    fail(bench, "neither fp16 nor bf16:", type);
  gemm->type = bf16 ? CUDA_R_16BF : CUDA_R_16F;
}

static void *address_of(const tile_argument *argument) {
  return (void *)(uintptr_t)argument->value.address;
}

/* The default stream is one for all of the process. */
tile_status gemm_launch(const struct kernel *kernel, tile_stream *stream) {
  const struct gemm *gemm = &kernel->gemm;
  struct cublas *cublas = gemm->bench->cublas;
  const tile_argument *abc = kernel->arguments;
  const float one = 1, zero = 0;
  long long m = gemm->m, n = gemm->n, k = gemm->k;
  void *native = NULL;
  tile_status status = stream ? tile_stream_native(stream, &native) : NULL;
  if (status)
    return status;
  if ((native != cublas->stream && use_stream(cublas, native)) ||
      cublas->gemm(cublas->handle, AS_IT_IS, AS_IT_IS, gemm->n, gemm->m, gemm->k, &one,
                   address_of(&abc[1]), gemm->type, gemm->n, n * k, address_of(&abc[0]), gemm->type,
                   gemm->k, m * k, &zero, address_of(&abc[2]), gemm->type, gemm->n, m * n,
                   gemm->batch, COMPUTE_32F, DEFAULT_ALGORITHM))
    fail(gemm->bench, "cuBLAS refuses", gemm->bench->shape);
  return NULL;
}
