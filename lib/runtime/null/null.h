/* SPDX-License-Identifier: MIT */
/* What tests ask of the null driver besides tile/runtime.h. */
#ifndef TILE_RUNTIME_NULL_NULL_H
#define TILE_RUNTIME_NULL_NULL_H

#include "base/private.h"
#include "tile/runtime.h"

/* The last launch on a device, and how many there were. */
struct null_record {
  uint64_t launches;
  char kernel[64];
  uint32_t grid[3];
  uint64_t values[16];  /* of the first arguments, zero-extended; of a tensor map its address */
  uint64_t maps[4][10]; /* what the first tensor maps were made of: struct tensor_map_values */
  uint64_t encoded;     /* how many maps were made so far; what a launch remembers is not made */
};

/* `device` is one of tile_null_driver(). */
TILE_PRIVATE void null_device_record(tile_device *device, struct null_record *out);

#endif
