/* Reading the operands of tile operations whose operands are optional. */
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

#endif
