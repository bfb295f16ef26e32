/* SPDX-License-Identifier: MIT */
/* Memory and streams of the CUDA runtime.
       cuda_runtime kernels.py */
#include "cuda_common.h"

enum { N = 100000, BYTES = N * sizeof(float) };
static float x[N], y[N], out[N];

/* out = a * x + y, on device memory and a stream of the caller's, who knows nothing of tile_*. */
static tile_status axpy(tile_device *device, tile_kernel *kernel, float *out, const float *x,
                        const float *y, float a, int n, cudaStream_t stream) {
  tile_stream *own;
  TRY(tile_stream_wrap(device, stream, &own));
  tile_argument arguments[] = {
      tile_argument_address((uintptr_t)out), tile_argument_address((uintptr_t)x),
      tile_argument_address((uintptr_t)y), tile_argument_f32(a), tile_argument_i32(n)};
  tile_status status =
      tile_launch(kernel, (uint32_t[]){axpy_blocks((size_t)n), 1, 1}, own, arguments, 5);
  tile_stream_destroy(own); /* the wrapper alone */
  return status;
}

static tile_status run(const char *path) {
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
  tile_buffer *wrapped;
  cudaStream_t stream;
  float *device_x, *device_y, *device_out;
  /* The primary context, as the CUDA runtime. */
  TRY(tile_device_open(tile_cuda_driver(), 0, &device));
  TRY(load_kernel(path, "axpy_kernel", AXPY_SIGNATURE, device, &module));
  TRY(tile_module_kernel(module, NULL, &kernel));
  for (int i = 0; i < N; i++)
    x[i] = (float)i;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaMalloc((void **)&device_x, BYTES));
  CUDA(cudaMalloc((void **)&device_y, BYTES));
  CUDA(cudaMalloc((void **)&device_out, BYTES));
  CUDA(cudaMemcpyAsync(device_x, x, BYTES, cudaMemcpyHostToDevice, stream));
  CUDA(cudaMemsetAsync(device_y, 0, BYTES, stream));
  TRY(axpy(device, kernel, device_out, device_x, device_y, 3, N, stream));
  CUDA(cudaMemcpyAsync(out, device_out, BYTES, cudaMemcpyDeviceToHost, stream));
  CUDA(cudaStreamSynchronize(stream));
  TRY(compare_axpy(out, x, y, 3, N));

  /* The same memory as a buffer: ranges of copies are checked; it stays the CUDA runtime's. */
  TRY(tile_buffer_wrap(device, (uintptr_t)device_out, BYTES, &wrapped));
  TRY(tile_buffer_read(wrapped, 0, out, BYTES, NULL));
  tile_buffer_destroy(wrapped);
  TRY(compare_axpy(out, x, y, 3, N));
  CUDA(cudaFree(device_x));
  CUDA(cudaFree(device_y));
  CUDA(cudaFree(device_out));
  CUDA(cudaStreamDestroy(stream));
  tile_module_unload(module);
  tile_device_close(device);
  return NULL;
}

int main(int argc, char **argv) {
  return end(run(argc > 1 ? argv[1] : "kernels.py"));
}
