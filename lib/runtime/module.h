/* SPDX-License-Identifier: MIT */
/* A loaded module: the driver's handles, one for each section that is used, and the kernels with
 * copies of their metadata. */
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
  void **handles; /* one for each section of the image; NULL where none of its versions is used */
  size_t section_count;
  tile_kernel *kernels;
  size_t kernel_count;
  struct refused_kernel *refused;
  size_t refused_count;
};

/* The loaded version that tile_kernel_get_info shows as `version`; NULL asks for the first.
   TILE_INVALID_ARGUMENT for another kernel's. */
tile_status kernel_find_version(const tile_kernel *kernel, const tile_kernel_version *version,
                                const struct loaded_version **out);

#endif
