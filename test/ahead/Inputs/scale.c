/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include "runtime/null/null.h"
#include "scale.h"

static void launch(tile_device *device, uint64_t x, uint64_t bias, int32_t n, int32_t stride,
                   uint16_t flags) {
  struct null_record record;
  tile_status status = scale(device, NULL, x, bias, n, stride, flags);
  if (status) {
    printf("%s: %s\n", tile_code_name(tile_status_code(status)), tile_status_message(status));
    tile_status_free(status);
    return;
  }
  null_device_record(device, &record);
  printf("grid %u:", record.grid[0]);
  for (int i = 0; i < 5; i++)
    printf(" %llx", (unsigned long long)record.values[i]);
  printf("\n");
}

int main(void) {
  tile_device *device;
  if (tile_device_open(tile_null_driver(), 0, &device))
    return 1;
  launch(device, 0x100, 0, 10240, 1, 0xFFFF);
  launch(device, 0x100, 0, 10240, 2, 1);
  launch(device, 0x100, 0x44, 10240, 1, 1);
  launch(device, 0x104, 0, 10240, 1, 1);
  launch(device, 0x100, 0x44, 639, 2, 1);
  launch(device, 0x100, 0x44, 200000, 2, 1);
  launch(device, 0x100, 0x44, 3000, 0, 1);
  tile_device_close(device);
  return 0;
}
