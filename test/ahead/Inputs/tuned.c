/* SPDX-License-Identifier: MIT */
/* Launches tuned kernels with sizes that were tuned and others: which version ran, its grid, and
   whether all elements are right. */
#include <stdio.h>
#include <stdlib.h>
#include "tuned.h"

static int launch(tile_device *device, int n, int m) {
  size_t count = (size_t)n * (size_t)m, bytes = count * sizeof(float);
  float *host = malloc(bytes);
  tile_buffer *buffer = NULL;
  int block = 0, wrong = 0;
  for (size_t i = 0; i < count; i++)
    host[i] = (float)(i % 100);
  tile_status status = tile_buffer_create(device, bytes, &buffer);
  if (!status)
    status = tile_buffer_write(buffer, 0, host, bytes, NULL);
  if (!status)
    status = scale(device, NULL, tile_buffer_address(buffer), n, m);
  if (!status)
    status = tile_buffer_read(buffer, 0, host, bytes, NULL);
  if (status)
    printf("%d x %d: %s\n", n, m, tile_status_message(status));
  if (!status)
    block = (int)host[0];
  for (size_t i = 0; i < count && !status; i++)
    wrong += host[i] != (float)(i % 100) * 2 + (float)block;
  if (!status)
    printf("%d x %d: blocks of %d, %d wrong\n", n, m, block, wrong);
  tile_status_free(status);
  tile_buffer_destroy(buffer);
  free(host);
  return wrong;
}

int main(void) {
  static const int sizes[][2] = {{100, 2}, {1000, 2}, {1000, 50}, {1, 1},
                                 {316, 2}, {317, 2},  {5000, 10}, {5000, 11}};
  const tile_driver *driver;
  tile_device *device = NULL;
  tile_status status = tile_driver_find("emulator", &driver);
  int failed = 0;
  if (!status)
    status = tile_device_open(driver, 0, &device);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !status; i++)
    failed |= launch(device, sizes[i][0], sizes[i][1]);
  tile_status_free(status);
  tile_device_close(device);
  return failed;
}
