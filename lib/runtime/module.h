/* A loaded module: the driver's handle, and the kernels with copies of their metadata. */
#ifndef TILE_RUNTIME_MODULE_H
#define TILE_RUNTIME_MODULE_H

#include "base/arena.h"
#include "runtime/objects.h"

struct tile_module {
  tile_device *device;
  void *handle;
  struct arena arena; /* owns what follows */
  tile_kernel *kernels;
  size_t kernel_count;
};

#endif
