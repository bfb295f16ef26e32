/* SPDX-License-Identifier: MIT */
/* Launches and copies, captured once into a CUDA graph and run many times.
       graph kernels.py */
#include "cuda_common.h"

enum { N = 50000, BYTES = N * sizeof(float), RUNS = 10 };

struct work {
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
  tile_stream *stream;
  tile_buffer *x, *y;
  tile_pinned *host;
};

/* Two launches and a copy: y = x + y, twice, and y to the host. Everything was made, loaded and
   launched once before. */
static tile_status record(struct work *work, cudaGraphExec_t *out) {
  void *native;
  cudaGraph_t graph;
  tile_argument arguments[] = {tile_argument_buffer(work->y), tile_argument_buffer(work->x),
                               tile_argument_buffer(work->y), tile_argument_f32(1),
                               tile_argument_i32(N)};
  TRY(tile_stream_native(work->stream, &native));
  CUDA(cudaStreamBeginCapture(native, cudaStreamCaptureModeGlobal));
  tile_status status =
      tile_launch(work->kernel, (uint32_t[]){axpy_blocks(N), 1, 1}, work->stream, arguments, 5);
  if (!status)
    status =
        tile_launch(work->kernel, (uint32_t[]){axpy_blocks(N), 1, 1}, work->stream, arguments, 5);
  if (!status)
    status = tile_buffer_read_async(work->y, 0, work->host, 0, BYTES, work->stream);
  /* In any case, or the stream stays captured. */
  cudaError_t ended = cudaStreamEndCapture(native, &graph);
  TRY(status);
  CUDA(ended);
  CUDA(cudaGraphInstantiate(out, graph, 0));
  CUDA(cudaGraphDestroy(graph));
  return NULL;
}

static tile_status prepare(struct work *work, const char *path) {
  TRY(tile_device_open(tile_cuda_driver(), 0, &work->device));
  TRY(load_kernel(path, "axpy_kernel", AXPY_SIGNATURE, work->device, &work->module));
  TRY(tile_module_kernel(work->module, NULL, &work->kernel));
  TRY(tile_stream_create(work->device, &work->stream));
  TRY(tile_buffer_create(work->device, BYTES, &work->x));
  TRY(tile_buffer_create(work->device, BYTES, &work->y));
  TRY(tile_pinned_create(work->device, BYTES, &work->host));
  float *host = tile_pinned_data(work->host);
  for (int i = 0; i < N; i++)
    host[i] = (float)(i % 1000);
  TRY(tile_buffer_write(work->x, 0, host, BYTES, work->stream));
  return tile_buffer_fill(work->y, 0, 0, BYTES, work->stream);
}

static tile_status run(struct work *work, const char *path) {
  void *native;
  cudaGraphExec_t graph;
  TRY(prepare(work, path));
  TRY(record(work, &graph));
  TRY(tile_stream_native(work->stream, &native));
  for (int i = 0; i < RUNS; i++)
    CUDA(cudaGraphLaunch(graph, native));
  TRY(tile_stream_synchronize(work->stream));
  CUDA(cudaGraphExecDestroy(graph));
  const float *host = tile_pinned_data(work->host);
  for (int i = 0; i < N; i++)
    if (host[i] != (float)(i % 1000) * 2 * RUNS)
      return tile_status_make(TILE_INTERNAL, "example", "element %d is %g", i, host[i]);
  return NULL;
}

int main(int argc, char **argv) {
  struct work work = {0};
  int code = end(run(&work, argc > 1 ? argv[1] : "kernels.py"));
  tile_pinned_destroy(work.host);
  tile_buffer_destroy(work.y);
  tile_buffer_destroy(work.x);
  tile_stream_destroy(work.stream);
  tile_module_unload(work.module);
  tile_device_close(work.device);
  return code;
}
