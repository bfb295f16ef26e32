/* SPDX-License-Identifier: MIT */
/* Launches the kernel with a null pointer on the emulator, and prints what comes of it. */
#include <stdio.h>
#include "put.h"

int main(void) {
  const tile_driver *emulator = NULL;
  tile_device *device = NULL;
  tile_status status = tile_driver_find("emulator", &emulator);
  if (!status)
    status = tile_device_open(emulator, 0, &device);
  if (!status)
    status = put(device, NULL, 0);
  printf("%s\n", tile_status_message(status));
  tile_status_free(status);
  tile_device_close(device);
  return 0;
}
