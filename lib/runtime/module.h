/* A loaded module: the driver's handles, one for each section that is used, and the kernels with copies of their metadata. */
#ifndef TILE_RUNTIME_MODULE_H
#define TILE_RUNTIME_MODULE_H

#include "base/arena.h"
#include "runtime/objects.h"

/* A kernel of the image that this device has no version for. */
struct refused_kernel {
  const char *name, *message;
  tile_code code;
};

struct tile_module {
  tile_device *device;
  struct arena arena; /* owns what follows */
  void **handles;     /* one for each section of the image; NULL where none of its versions is used */
  size_t section_count;
  tile_kernel *kernels;
  size_t kernel_count;
  struct refused_kernel *refused;
  size_t refused_count;
};

#endif
