/* SPDX-License-Identifier: MIT */
/* Launches of generated functions, captured once into a CUDA graph and run many times. The
   functions of libcuda are looked up while the program runs, so that it also starts where there is
   none; then the same work runs on the emulator, which has no graphs. */
#include <dlfcn.h>
#include <stdio.h>
#include "axpy.h"
#include "tile/interop.h"

enum { N = 50000, BYTES = N * sizeof(float), RUNS = 10 };

#define TRY(expression)                                                                            \
  do {                                                                                             \
    tile_status status_ = (expression);                                                            \
    if (status_)                                                                                   \
      return status_;                                                                              \
  } while (0)

/* What is used of libcuda. */
static struct {
  int (*set_context)(void *context), (*begin)(void *stream, int mode),
      (*end)(void *stream, void **graph);
  int (*instantiate)(void **run, void *graph, unsigned long long flags),
      (*launch)(void *run, void *stream);
  int (*destroy)(void *graph), (*destroy_run)(void *run);
} cuda;

static tile_status find_cuda(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  struct {
    void *to;
    const char *name;
  } wanted[] = {
      {&cuda.set_context, "cuCtxSetCurrent"},   {&cuda.begin, "cuStreamBeginCapture_v2"},
      {&cuda.end, "cuStreamEndCapture"},        {&cuda.instantiate, "cuGraphInstantiateWithFlags"},
      {&cuda.launch, "cuGraphLaunch"},          {&cuda.destroy, "cuGraphDestroy"},
      {&cuda.destroy_run, "cuGraphExecDestroy"}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!library || !(*(void **)wanted[i].to = dlsym(library, wanted[i].name)))
      return tile_status_make(TILE_DRIVER_TOO_OLD, "example",
                              "the CUDA driver has no %s; CUDA 11.4 or later is needed",
                              wanted[i].name);
  return NULL;
}

static tile_status checked(int result, const char *what) {
  return result
             ? tile_status_make(TILE_DEVICE_FAILED, "example", "%s: error %d of CUDA", what, result)
             : NULL;
}

struct work {
  tile_device *device;
  tile_stream *stream;
  tile_buffer *x, *y;
};

/* One step: y = x + y, twice. It only starts the work. */
static tile_status step(const struct work *work) {
  uint64_t x = tile_buffer_address(work->x), y = tile_buffer_address(work->y);
  TRY(axpy(work->device, work->stream, y, x, y, 1, N));
  return axpy(work->device, work->stream, y, x, y, 1, N);
}

/* While a stream is captured nothing may be loaded: axpy_kernel does that before. */
static tile_status capture(const struct work *work, void *stream, void **out_run) {
  tile_kernel *kernel;
  void *graph = NULL;
  TRY(axpy_kernel(work->device, &kernel));
  TRY(checked(cuda.begin(stream, 0), "capturing"));
  tile_status status = step(work);
  int ended = cuda.end(stream, &graph); /* in any case, or the stream stays captured */
  TRY(status);
  TRY(checked(ended, "ending the capture"));
  TRY(checked(cuda.instantiate(out_run, graph, 0), "instantiating the graph"));
  return checked(cuda.destroy(graph), "destroying the graph");
}

static tile_status run_graph(const struct work *work) {
  void *context, *stream, *run;
  TRY(find_cuda());
  TRY(tile_device_native(work->device, &context));
  TRY(tile_stream_native(work->stream, &stream));
  TRY(checked(cuda.set_context(context), "setting the context"));
  TRY(capture(work, stream, &run));
  for (int i = 0; i < RUNS; i++)
    TRY(checked(cuda.launch(run, stream), "launching the graph"));
  TRY(tile_stream_synchronize(work->stream));
  return checked(cuda.destroy_run(run), "destroying the graph");
}

static tile_status run(struct work *work, bool gpu) {
  static float host[N];
  TRY(tile_stream_create(work->device, &work->stream));
  TRY(tile_buffer_create(work->device, BYTES, &work->x));
  TRY(tile_buffer_create(work->device, BYTES, &work->y));
  for (int i = 0; i < N; i++)
    host[i] = (float)(i % 1000);
  TRY(tile_buffer_write(work->x, 0, host, BYTES, work->stream));
  TRY(tile_buffer_fill(work->y, 0, 0, BYTES, work->stream));
  if (gpu)
    TRY(run_graph(work));
  for (int i = 0; i < RUNS && !gpu; i++)
    TRY(step(work));
  TRY(tile_buffer_read(work->y, 0, host, BYTES, work->stream));
  for (int i = 0; i < N; i++)
    if (host[i] != (float)(i % 1000) * 2 * RUNS)
      return tile_status_make(TILE_INTERNAL, "example", "element %d is %g", i, host[i]);
  return NULL;
}

int main(void) {
  struct work work = {0};
  const tile_driver *emulator;
  tile_status status = tile_device_open(tile_cuda_driver(), 0, &work.device);
  bool gpu = !status;
  if (tile_status_code(status) == TILE_NO_DEVICE) {
    tile_status_free(status);
    status = tile_driver_find("emulator", &emulator);
    if (!status)
      status = tile_device_open(emulator, 0, &work.device);
  }
  if (!status)
    status = run(&work, gpu);
  if (status)
    fprintf(stderr, "%s: %s\n", tile_code_name(tile_status_code(status)),
            tile_status_message(status));
  else
    printf("%s: right, %d runs of %s\n", tile_device_get_properties(work.device)->name, RUNS,
           gpu ? "a graph" : "two launches");
  int code = status != NULL;
  tile_status_free(status);
  tile_buffer_destroy(work.y);
  tile_buffer_destroy(work.x);
  tile_stream_destroy(work.stream);
  tile_device_close(work.device);
  return code;
}
