/* Reading tile operations: operands that are optional, and what a reduction combines by. */
#ifndef TILE_IR_TILE_OPS_H
#define TILE_IR_TILE_OPS_H

#include "ir/mlir.h"

struct tile_load {
  MlirValue pointer, mask, other; /* mask and other: null when absent */
};

struct tile_store {
  MlirValue pointer, value, mask; /* mask: null when absent */
};

struct tile_async_copy {
  MlirValue pointers, buffer, mask, other; /* mask and other: null when absent */
};

/* False when the operand segments do not describe the operands (tile-verify reports that). */
bool tile_load_read(MlirOperation op, struct tile_load *out);
bool tile_store_read(MlirOperation op, struct tile_store *out);
bool tile_async_copy_read(MlirOperation op, struct tile_async_copy *out);

/* Where the region of a tile.reduce or tile.scan is one operation on its two arguments, in either order: its name; else
   "". */
MlirStringRef reduce_combiner(MlirOperation op);

#endif
