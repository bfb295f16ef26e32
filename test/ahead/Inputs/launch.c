/* SPDX-License-Identifier: MIT */
/* Launches the generated function on the null driver and prints what arrived. Compiled as C and as
   C++. */
#include <stdio.h>
#include <stdlib.h>
#include "add.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "runtime/null/null.h"
#ifdef __cplusplus
}
#endif

static void report(const char *what, tile_status status) {
  printf("%s: %s%s%s\n", what, status ? tile_code_name(tile_status_code(status)) : "ok",
         status ? ": " : "", tile_status_message(status));
  tile_status_free(status);
}

static void show(tile_device *device) {
  struct null_record record;
  null_device_record(device, &record);
  printf("%s grid %u %u %u, n = %d, x = %#llx, %llu launches\n", record.kernel, record.grid[0],
         record.grid[1], record.grid[2], (int)record.values[3],
         (unsigned long long)record.values[0], (unsigned long long)record.launches);
}

int main(void) {
  tile_device *device = NULL, *other = NULL;
  tile_kernel *kernel = NULL;
  tile_status status = tile_device_open(tile_null_driver(), 0, &device);
  if (!status)
    status = tile_device_open(tile_null_driver(), 0, &other);
  if (status)
    return 1;
  report("launch", add_kernel(device, NULL, 0x1000, 0x2000, 0x3000, 98432));
  show(device);
  report("again", add_kernel(device, NULL, 0x1010, 0x2000, 0x3000, 1));
  show(device);
  report("another device", add_kernel(other, NULL, 0x1000, 0x2000, 0x3000, 1025));
  show(other);
  report("nothing", add_kernel(device, NULL, 0x1000, 0x2000, 0x3000, 0));
  report("negative", add_kernel(device, NULL, 0x1000, 0x2000, 0x3000, -2048));
  report("misaligned", add_kernel(device, NULL, 0x1004, 0x2000, 0x3000, 5));
  report("no device", add_kernel(NULL, NULL, 0x1000, 0x2000, 0x3000, 5));
  report("kernel", add_kernel_kernel(device, &kernel));
  printf("%s with %u elements a program\n", tile_kernel_get_info(kernel)->name,
         add_kernel_BLOCK_SIZE);
  add_unload(device);
  add_unload(device);
  report("reloaded", add_kernel(device, NULL, 0x1000, 0x2000, 0x3000, 7));
  show(device);
  tile_device_close(device);
  tile_device_close(other);
  return 0;
}
