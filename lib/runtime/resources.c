/* SPDX-License-Identifier: MIT */
/* What a loaded kernel takes of its device: tile_kernel_get_resources. */
#include "base/status.h"
#include "runtime/module.h"

tile_status tile_kernel_get_resources(const tile_kernel *kernel, const tile_kernel_version *version,
                                      tile_kernel_resources *out) {
  TRY(REQUIRED(kernel, out));
  const struct loaded_version *loaded;
  TRY(kernel_find_version(kernel, version, &loaded));
  const tile_device *device = kernel->module->device;
  tile_kernel_resources own = {0};
  TRY(device->driver->function_resources(device->handle, &loaded->version, loaded->function, &own));
  uint32_t programs = loaded->version.version->programs_per_block;
  own.resident_blocks =
      (uint64_t)own.blocks_per_multiprocessor * (uint64_t)device->properties.multiprocessors;
  own.resident_programs = own.resident_blocks * (programs > 1 ? programs : 1);
  *out = own;
  return NULL;
}
