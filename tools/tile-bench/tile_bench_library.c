/* SPDX-License-Identifier: MIT */
/* See tile_bench_library.h. */
#include "tile_bench_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "tile/interop.h"

static void *open_first(const struct bench_library *library) {
  const char *own = getenv(library->variable);
  void *handle = NULL;
  if (own && *own)
    return dlopen(own, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; library->names[i] && !handle; i++)
    handle = dlopen(library->names[i], RTLD_NOW | RTLD_LOCAL);
  return handle;
}

tile_status bench_library_open(const struct bench_library *library, const tile_device *device,
                               void **out_handle, void *out) {
  void *context;
  tile_status status = tile_device_native(device, &context);
  if (status) {
    tile_status_free(status);
    return FAIL(TILE_NO_DEVICE, "%s needs a GPU", library->title);
  }
  *out_handle = open_first(library);
  if (!*out_handle)
    return FAIL(TILE_NO_DEVICE, "there is no %s: %s; %s names %s", library->title, dlerror(),
                library->variable, library->file);
  for (size_t i = 0; i < library->function_count; i++) {
    void *function = dlsym(*out_handle, library->functions[i].name);
    if (!function)
      return FAIL(TILE_NO_DEVICE, "the %s that was found has no %s", library->title,
                  library->functions[i].name);
    memcpy((char *)out + library->functions[i].offset, &function, sizeof function);
  }
  return NULL;
}
