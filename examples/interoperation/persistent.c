/* SPDX-License-Identifier: MIT */
/* A persistent softmax: as many programs as the device runs at one time, each with every n-th row.
       persistent kernels.py */
#include <math.h>
#include "common.h"

enum { ROWS = 700, WIDTH = 300, BYTES = ROWS * WIDTH * sizeof(float) };
static float in[ROWS * WIDTH], out[ROWS * WIDTH];

/* multiprocessors * occupancy programs, but no more than there are rows. */
static tile_status persistent_grid(tile_kernel *kernel, uint32_t rows, uint32_t grid[3]) {
  tile_kernel_resources taken;
  TRY(tile_kernel_get_resources(kernel, NULL, &taken));
  grid[0] = taken.resident_programs < rows ? (uint32_t)taken.resident_programs : rows;
  grid[1] = grid[2] = 1;
  printf("%u programs for %u rows; ", grid[0], rows);
  return NULL;
}

static tile_status compare(void) {
  for (int row = 0; row < ROWS; row++) {
    double sum = 0;
    for (int i = 0; i < WIDTH; i++)
      sum += exp(in[row * WIDTH + i]);
    for (int i = 0; i < WIDTH; i++)
      if (fabs(out[row * WIDTH + i] - exp(in[row * WIDTH + i]) / sum) > 1e-6)
        return tile_status_make(TILE_INTERNAL, "example", "row %d is wrong", row);
  }
  return NULL;
}

static tile_status run(const char *path) {
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
  tile_buffer *from, *to;
  uint32_t grid[3];
  tile_status status = tile_device_open(tile_cuda_driver(), 0, &device);
  if (tile_status_code(status) == TILE_NO_DEVICE) {
    tile_status_free(status);
    status = tile_device_open(tile_emulator_driver(), 0, &device);
  }
  TRY(status);
  TRY(load_kernel(path, "softmax_kernel", "*fp32:16, *fp32:16, i32, i32, 512", device, &module));
  TRY(tile_module_kernel(module, NULL, &kernel));
  for (int i = 0; i < ROWS * WIDTH; i++)
    in[i] = (float)(i * 7919 % 1000) / 250 - 2;
  TRY(tile_buffer_create(device, BYTES, &from));
  TRY(tile_buffer_create(device, BYTES, &to));
  TRY(tile_buffer_write(from, 0, in, BYTES, NULL));
  tile_argument arguments[] = {tile_argument_buffer(to), tile_argument_buffer(from),
                               tile_argument_i32(ROWS), tile_argument_i32(WIDTH)};
  TRY(persistent_grid(kernel, ROWS, grid));
  TRY(tile_launch(kernel, grid, NULL, arguments, 4));
  TRY(tile_buffer_read(to, 0, out, BYTES, NULL));
  tile_buffer_destroy(from);
  tile_buffer_destroy(to);
  tile_module_unload(module);
  tile_device_close(device);
  return compare();
}

int main(int argc, char **argv) {
  return end(run(argc > 1 ? argv[1] : "kernels.py"));
}
