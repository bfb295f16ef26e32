/* SPDX-License-Identifier: MIT */
/* Two devices share the work; each copies its half while the other one does. Two GPUs, else one GPU
   twice, else two emulators.
       two_devices kernels.py */
#include "common.h"

enum { DEVICES = 2, N = 20000, HALF = N / DEVICES, BYTES = HALF * sizeof(float) };

/* All that belongs to one device; nothing of it may be used with the other's. */
struct part {
  tile_device *device;
  tile_module *module;
  tile_stream *stream;
  tile_buffer *x, *y, *out;
  tile_pinned *host; /* x, y, out of this half, one after the other */
};

static tile_status open_device(int index, tile_device **device) {
  int count;
  tile_status status = tile_driver_device_count(tile_cuda_driver(), &count);
  if (!status)
    return tile_device_open(tile_cuda_driver(), index % count, device);
  tile_status_free(status);
  return tile_emulator_device_create(NULL, device);
}

static tile_status prepare(struct part *part, const char *path, int index) {
  TRY(open_device(index, &part->device));
  TRY(load_kernel(path, "axpy_kernel", AXPY_SIGNATURE, part->device, &part->module));
  TRY(tile_stream_create(part->device, &part->stream));
  TRY(tile_buffer_create(part->device, BYTES, &part->x));
  TRY(tile_buffer_create(part->device, BYTES, &part->y));
  TRY(tile_buffer_create(part->device, BYTES, &part->out));
  TRY(tile_pinned_create(part->device, 3 * BYTES, &part->host));
  float *x = tile_pinned_data(part->host);
  for (int i = 0; i < HALF; i++) {
    x[i] = (float)(index * HALF + i);
    x[HALF + i] = 1;
  }
  return NULL;
}

/* Everything is only started. */
static tile_status give_work(struct part *part) {
  tile_kernel *kernel;
  TRY(tile_module_kernel(part->module, NULL, &kernel));
  TRY(tile_buffer_write_async(part->x, 0, part->host, 0, BYTES, part->stream));
  TRY(tile_buffer_write_async(part->y, 0, part->host, BYTES, BYTES, part->stream));
  tile_argument arguments[] = {tile_argument_buffer(part->out), tile_argument_buffer(part->x),
                               tile_argument_buffer(part->y), tile_argument_f32(2),
                               tile_argument_i32(HALF)};
  TRY(tile_launch(kernel, (uint32_t[]){axpy_blocks(HALF), 1, 1}, part->stream, arguments, 5));
  return tile_buffer_read_async(part->out, 0, part->host, 2 * BYTES, BYTES, part->stream);
}

static tile_status run(const char *path, struct part *parts) {
  for (int i = 0; i < DEVICES; i++)
    TRY(prepare(&parts[i], path, i));
  for (int i = 0; i < DEVICES; i++)
    TRY(give_work(&parts[i]));
  for (int i = 0; i < DEVICES; i++) {
    TRY(tile_stream_synchronize(parts[i].stream));
    const float *x = tile_pinned_data(parts[i].host);
    TRY(compare_axpy(x + 2 * HALF, x, x + HALF, 2, HALF));
  }
  return NULL;
}

int main(int argc, char **argv) {
  struct part parts[DEVICES] = {0};
  int code = end(run(argc > 1 ? argv[1] : "kernels.py", parts));
  for (int i = 0; i < DEVICES; i++) {
    tile_pinned_destroy(parts[i].host);
    tile_buffer_destroy(parts[i].out);
    tile_buffer_destroy(parts[i].y);
    tile_buffer_destroy(parts[i].x);
    tile_stream_destroy(parts[i].stream);
    tile_module_unload(parts[i].module);
    tile_device_close(parts[i].device);
  }
  return code;
}
