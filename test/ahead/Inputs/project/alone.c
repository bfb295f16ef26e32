/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include "one.h"

int main(void) {
  tile_device *device = NULL;
  tile_status status = tile_device_open(tile_null_driver(), 0, &device);
  if (!status)
    status = plain_alone(device, NULL);
  printf("alone: %s\n", status ? tile_status_message(status) : "launched");
  tile_status_free(status);
  tile_device_close(device);
  return status != NULL;
}
