/* SPDX-License-Identifier: MIT */
/* Reads each file into a buffer, launches CALL (with the addresses in `a`) on the emulator, and
   writes the buffers to FILE.out. */
#include <stdio.h>
#include <stdlib.h>
#include "k.h"
#include "tile/emulator_device.h"

enum { MOST = 16, BYTES = 1 << 20 };

int main(int argc, char **argv) {
  static char bytes[BYTES];
  tile_device *device;
  tile_buffer *buffers[MOST];
  uint64_t a[MOST];
  size_t sizes[MOST];
  tile_status status = tile_device_open(tile_emulator_driver(), 0, &device);
  for (int i = 0; i + 1 < argc && !status; i++) {
    FILE *file = fopen(argv[i + 1], "rb");
    sizes[i] = file ? fread(bytes, 1, BYTES, file) : 0;
    fclose(file);
    status = tile_buffer_create(device, sizes[i], &buffers[i]);
    if (!status)
      status = tile_buffer_write(buffers[i], 0, bytes, sizes[i], NULL);
    a[i] = status ? 0 : tile_buffer_address(buffers[i]);
  }
  if (!status)
    status = CALL;
  for (int i = 0; i + 1 < argc && !status; i++) {
    char name[256];
    snprintf(name, sizeof name, "%s.out", argv[i + 1]);
    status = tile_buffer_read(buffers[i], 0, bytes, sizes[i], NULL);
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, sizes[i], file) != sizes[i])
      return 2;
    fclose(file);
    tile_buffer_destroy(buffers[i]);
  }
  fputs(tile_status_message(status), stderr);
  tile_device_close(device);
  return status != NULL;
}
