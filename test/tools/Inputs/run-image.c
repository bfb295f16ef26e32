/* SPDX-License-Identifier: MIT */
/* run_image IMAGE [past-the-end | race [check]]: runs add_kernel of an image on the emulator, with
   libtile_runtime alone; beyond its buffers, or reading what other programs write. */
#include <stdio.h>
#include <string.h>
#include "tile/runtime.h"

enum { COUNT = 2048 };

#define TRY(expression)                                                                            \
  do {                                                                                             \
    tile_status status_ = (expression);                                                            \
    if (status_)                                                                                   \
      return status_;                                                                              \
  } while (0)

/* Which of our libraries, and whether LLVM, are in this process. */
static void list_libraries(void) {
  char line[1024];
  FILE *maps = fopen("/proc/self/maps", "r");
  int emulator = 0, compiler = 0;
  while (maps && fgets(line, sizeof line, maps)) {
    emulator |= strstr(line, "libtile_emulator.so") != NULL;
    compiler |= strstr(line, "LLVM") || strstr(line, "MLIR") || strstr(line, "libtile.so");
  }
  if (maps)
    fclose(maps);
  printf("libtile_emulator: %s, compiler: %s\n", emulator ? "yes" : "no", compiler ? "yes" : "no");
}

static tile_status launch(tile_device *device, tile_kernel *kernel, int n, int race) {
  static float host[COUNT];
  tile_buffer *x, *y, *out;
  for (int i = 0; i < COUNT; i++)
    host[i] = (float)i;
  TRY(tile_buffer_create(device, sizeof host, &x));
  TRY(tile_buffer_create(device, sizeof host, &y));
  TRY(tile_buffer_create(device, sizeof host, &out));
  TRY(tile_buffer_write(x, 0, host, sizeof host, NULL));
  TRY(tile_buffer_write(y, 0, host, sizeof host, NULL));
  tile_argument arguments[] = {
      race ? tile_argument_address(tile_buffer_address(out) + 16) : tile_argument_buffer(x),
      tile_argument_buffer(y), tile_argument_buffer(out), tile_argument_i32(n)};
  tile_status status =
      tile_launch(kernel, (const uint32_t[3]){2 * COUNT / 1024, 1, 1}, NULL, arguments, 4);
  if (!status)
    status = tile_buffer_read(out, 0, host, sizeof host, NULL);
  printf("out = %g %g ... %g\n", host[0], host[1], host[COUNT - 1]);
  tile_buffer_destroy(x);
  tile_buffer_destroy(y);
  tile_buffer_destroy(out);
  return status;
}

static tile_status run(const char *path, const char *what, int check) {
  const tile_driver *driver;
  tile_device *device;
  tile_image *image;
  tile_module *module;
  tile_kernel *kernel;
  TRY(tile_driver_find("emulator", &driver));
  list_libraries();
  TRY(tile_device_open(driver, 0, &device));
  if (check)
    TRY(tile_device_set_option(device, "check", 1));
  TRY(tile_image_read(path, &image));
  tile_status status = tile_module_load(device, image, &module);
  tile_image_free(image);
  if (!status) {
    status = tile_module_kernel(module, "add_kernel", &kernel);
    if (!status)
      status = launch(device, kernel,
                      strcmp(what, "past-the-end") == 0 ? 2 * COUNT
                      : *what                           ? COUNT - 16
                                                        : COUNT,
                      strcmp(what, "race") == 0);
    tile_module_unload(module);
  }
  tile_device_close(device);
  return status;
}

int main(int argc, char **argv) {
  tile_status status = argc > 1 ? run(argv[1], argc > 2 ? argv[2] : "", argc > 3) : NULL;
  if (status)
    printf("%s: %s\n", tile_code_name(tile_status_code(status)), tile_status_message(status));
  int code = status != NULL;
  tile_status_free(status);
  return code;
}
