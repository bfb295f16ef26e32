/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include "kernels.h"
#include "plain.h"

int main(void) {
  tile_device *device = NULL;
  tile_status status = tile_device_open(tile_null_driver(), 0, &device);
  if (!status)
    status = twice(device, NULL, 64, 1000);
  if (!status)
    status = plain(device, NULL);
  printf("%s, blocks of %d\n", status ? tile_status_message(status) : "launched", twice_BLOCK);
  tile_status_free(status);
  tile_device_close(device);
  return status != NULL;
}
