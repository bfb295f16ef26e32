/* SPDX-License-Identifier: MIT */
/* Several threads launch one kernel, each on a stream of its own: a GPU, or the emulator where
   there is none.
       threads kernels.py */
#include <pthread.h>
#include "common.h"

enum { THREADS = 4, N = 10000, BYTES = N * sizeof(float) };

struct worker {
  tile_device *device; /* shared, as is the kernel */
  tile_kernel *kernel;
  float a;
  tile_status status;
};

static tile_status work(const struct worker *worker) {
  static float x[N]; /* zeros, and read only */
  float out[N], y[N];
  tile_stream *stream;
  tile_buffer *buffers[3];
  for (int i = 0; i < N; i++)
    y[i] = (float)i * worker->a;
  TRY(tile_stream_create(worker->device, &stream));
  for (int i = 0; i < 3; i++)
    TRY(tile_buffer_create(worker->device, BYTES, &buffers[i]));
  TRY(tile_buffer_write(buffers[1], 0, x, BYTES, stream));
  TRY(tile_buffer_write(buffers[2], 0, y, BYTES, stream));
  tile_argument arguments[] = {tile_argument_buffer(buffers[0]), tile_argument_buffer(buffers[1]),
                               tile_argument_buffer(buffers[2]), tile_argument_f32(worker->a),
                               tile_argument_i32(N)};
  TRY(tile_launch(worker->kernel, (uint32_t[]){axpy_blocks(N), 1, 1}, stream, arguments, 5));
  TRY(tile_buffer_read(buffers[0], 0, out, BYTES, stream));
  for (int i = 0; i < 3; i++)
    tile_buffer_destroy(buffers[i]);
  tile_stream_destroy(stream);
  return compare_axpy(out, x, y, worker->a, N);
}

static void *start(void *data) {
  struct worker *worker = data;
  worker->status = work(worker);
  return NULL;
}

static tile_status run(const char *path) {
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
  pthread_t threads[THREADS];
  struct worker workers[THREADS];
  tile_status status = tile_device_open(tile_cuda_driver(), 0, &device);
  if (tile_status_code(status) == TILE_NO_DEVICE) {
    tile_status_free(status);
    status = tile_device_open(tile_emulator_driver(), 0, &device);
  }
  TRY(status);
  TRY(load_kernel(path, "axpy_kernel", AXPY_SIGNATURE, device, &module));
  TRY(tile_module_kernel(module, NULL, &kernel));
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (struct worker){device, kernel, (float)i, NULL};
    pthread_create(&threads[i], NULL, start, &workers[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    if (status)
      tile_status_free(workers[i].status);
    else
      status = workers[i].status;
  }
  tile_module_unload(module);
  tile_device_close(device);
  return status;
}

int main(int argc, char **argv) {
  return end(run(argc > 1 ? argv[1] : "kernels.py"));
}
