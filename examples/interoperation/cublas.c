/* SPDX-License-Identifier: MIT */
/* A product by cuBLAS and a kernel of ours after it, on one stream of ours.
       cublas kernels.py */
#include <cublas_v2.h>
#include "cuda_common.h"

enum { SIZE = 64, N = SIZE * SIZE, BYTES = N * sizeof(float) };
static float a[N], b[N], out[N];

#define CUBLAS(call)                                                                               \
  TRY((call) == CUBLAS_STATUS_SUCCESS                                                              \
          ? NULL                                                                                   \
          : tile_status_make(TILE_DEVICE_FAILED, "example", "cuBLAS: %s", #call))

/* out = 2 * (a @ b) + b. The stream keeps the order; nobody waits in between. */
static tile_status multiply_add(cublasHandle_t cublas, tile_kernel *kernel, tile_stream *stream,
                                tile_buffer *product, tile_buffer *a, tile_buffer *b,
                                tile_buffer *out) {
  void *native;
  const float one = 1, zero = 0;
  TRY(tile_stream_native(stream, &native));
  CUBLAS(cublasSetStream(cublas, native));
  /* cuBLAS stores columns, we store rows: it computes the product of the transposed matrices. */
  CUBLAS(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, SIZE, SIZE, SIZE, &one,
                     (const float *)(uintptr_t)tile_buffer_address(b), SIZE,
                     (const float *)(uintptr_t)tile_buffer_address(a), SIZE, &zero,
                     (float *)(uintptr_t)tile_buffer_address(product), SIZE));
  tile_argument arguments[] = {tile_argument_buffer(out), tile_argument_buffer(product),
                               tile_argument_buffer(b), tile_argument_f32(2), tile_argument_i32(N)};
  return tile_launch(kernel, (uint32_t[]){axpy_blocks(N), 1, 1}, stream, arguments, 5);
}

static tile_status compare(void) {
  for (int row = 0; row < SIZE; row++)
    for (int column = 0; column < SIZE; column++) {
      float sum = 0; /* of small integers: exact */
      for (int k = 0; k < SIZE; k++)
        sum += a[row * SIZE + k] * b[k * SIZE + column];
      if (out[row * SIZE + column] != 2 * sum + b[row * SIZE + column])
        return tile_status_make(TILE_INTERNAL, "example", "element %d, %d is wrong", row, column);
    }
  return NULL;
}

static tile_status run(const char *path) {
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
  tile_stream *stream;
  tile_buffer *buffers[4];
  cublasHandle_t cublas;
  TRY(tile_device_open(tile_cuda_driver(), 0, &device));
  TRY(load_kernel(path, "axpy_kernel", AXPY_SIGNATURE, device, &module));
  TRY(tile_module_kernel(module, NULL, &kernel));
  TRY(tile_stream_create(device, &stream));
  CUDA(cudaSetDevice(0)); /* the CUDA runtime's current device is what cublasCreate takes */
  CUBLAS(cublasCreate(&cublas));
  for (int i = 0; i < N; i++) {
    a[i] = (float)(i % 7);
    b[i] = (float)(i % 5) - 2;
  }
  for (int i = 0; i < 4; i++)
    TRY(tile_buffer_create(device, BYTES, &buffers[i]));
  TRY(tile_buffer_write(buffers[1], 0, a, BYTES, stream));
  TRY(tile_buffer_write(buffers[2], 0, b, BYTES, stream));
  TRY(multiply_add(cublas, kernel, stream, buffers[0], buffers[1], buffers[2], buffers[3]));
  TRY(tile_buffer_read(buffers[3], 0, out, BYTES, stream));
  CUBLAS(cublasDestroy(cublas));
  for (int i = 0; i < 4; i++)
    tile_buffer_destroy(buffers[i]);
  tile_stream_destroy(stream);
  tile_module_unload(module);
  tile_device_close(device);
  return compare();
}

int main(int argc, char **argv) {
  return end(run(argc > 1 ? argv[1] : "kernels.py"));
}
