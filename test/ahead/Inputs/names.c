/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include "my-kernels.h"
#include "runtime/null/null.h"

int main(void) {
  tile_device *device;
  struct null_record record;
  if (tile_device_open(tile_null_driver(), 0, &device))
    return 1;
  tile_status status =
      every(device, NULL, 1, 2, 3, 0x100, true, -1, -2, -3, -4, 0x3C00, 0x3F80, 1.5f, 2.5);
  if (!status)
    null_device_record(device, &record);
  printf("%s\ngrid %u %u %u:", tile_status_message(status), record.grid[0], record.grid[1],
         record.grid[2]);
  for (int i = 0; i < 10; i++)
    printf(" %llx", (unsigned long long)record.values[i]);
  tile_status_free(status);
  status = nothing(device, NULL, 4, 1, 1);
  if (!status)
    status = renamed(device, NULL, 5, 1, 1, 7);
  if (!status)
    null_device_record(device, &record);
  printf("\n%s\ngrid %u: %llx\n", tile_status_message(status), record.grid[0],
         (unsigned long long)record.values[0]);
  tile_status_free(status);
  status = nothing(device, NULL, 0, 1, 1);
  printf("%s\n", tile_status_message(status));
  tile_status_free(status);
  status = nothing(device, NULL, 1, 65536, 1);
  printf("%s\n", tile_status_message(status));
  tile_status_free(status);
  tile_device_close(device);
  return 0;
}
