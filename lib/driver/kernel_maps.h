/* SPDX-License-Identifier: MIT */
/* The tensor maps of a version, from the recipes that its lowered function has (ATTR_TENSOR_MAPS):
   dictionaries as in lib/ir/tensor_maps.h, one for each parameter that is a map. */
#ifndef TILE_DRIVER_KERNEL_MAPS_H
#define TILE_DRIVER_KERNEL_MAPS_H

#include "base/arena.h"
#include "ir/session.h"
#include "tile/image.h"

/* Fills in `maps` and `map_count`. Recipes have the numbers of the function's own parameters, which
   lack those that conditions of the version fix; maps have those of the kernel's. Errors:
   TILE_INVALID_ARGUMENT for a recipe that is none. */
tile_status kernel_maps_read(MlirOperation function, struct arena *arena,
                             const tile_kernel_info *kernel, tile_kernel_version *version);

#endif
