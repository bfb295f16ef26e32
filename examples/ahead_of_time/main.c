/* SPDX-License-Identifier: MIT */
/* Softmax of a matrix's rows by a kernel compiled ahead of time; links libtile_runtime alone. */
#include <math.h>
#include <stdio.h>
#include "softmax.h"

enum { ROWS = 64, WIDTH = 1000, STRIDE = 1008 };
static float in[ROWS * STRIDE], out[ROWS * STRIDE];

static tile_status run(tile_device *device) {
  tile_buffer *x = NULL, *y = NULL;
  tile_status status = tile_buffer_create(device, sizeof in, &x);
  if (!status)
    status = tile_buffer_create(device, sizeof out, &y);
  if (!status)
    status = tile_buffer_write(x, 0, in, sizeof in, NULL);
  if (!status) /* as many programs as rows: the grid is in softmax.c */
    status =
        softmax(device, NULL, tile_buffer_address(y), tile_buffer_address(x), STRIDE, WIDTH, ROWS);
  if (!status)
    status = tile_buffer_read(y, 0, out, sizeof out, NULL);
  tile_buffer_destroy(x);
  tile_buffer_destroy(y);
  return status;
}

/* The largest difference to the host's softmax. */
static double difference(const float *x, const float *y) {
  double sum = 0, most = 0;
  for (int i = 0; i < WIDTH; i++)
    sum += exp(x[i]);
  for (int i = 0; i < WIDTH; i++)
    most = fmax(most, fabs(exp(x[i]) / sum - y[i]));
  return most;
}

int main(void) {
  for (int i = 0; i < ROWS * STRIDE; i++)
    in[i] = (float)(i % 7);
  tile_device *device = NULL;
  tile_status status = tile_device_open(tile_cuda_driver(), 0, &device);
  if (tile_status_code(status) == TILE_NO_DEVICE) { /* softmax.c has code for the emulator, too */
    const tile_driver *emulator;
    tile_status_free(status);
    status = tile_driver_find("emulator", &emulator);
    if (!status)
      status = tile_device_open(emulator, 0, &device);
  }
  if (!status)
    status = run(device);
  double most = status ? 1 : 0;
  if (status)
    fprintf(stderr, "%s: %s\n", tile_code_name(tile_status_code(status)),
            tile_status_message(status));
  for (int row = 0; row < ROWS && !status; row++)
    most = fmax(most, difference(&in[row * STRIDE], &out[row * STRIDE]));
  if (!status)
    printf("on %s: largest difference %g\n", tile_device_get_properties(device)->name, most);
  tile_status_free(status);
  tile_device_close(device);
  return most > 1e-6;
}
