/* SPDX-License-Identifier: MIT */
/* A program that launches on the null device, with no compiler in sight. */
#include <stdio.h>
#include <tile/runtime.h>
#include <tile/version.h>

int main(void) {
  tile_device *device = NULL;
  tile_status status = tile_device_open(tile_null_driver(), 0, &device);
  printf("%s: %s\n", tile_version()->text, tile_status_message(status));
  tile_device_close(device);
  tile_status_free(status);
  return status != NULL || tile_version()->number != TILE_VERSION_NUMBER;
}
