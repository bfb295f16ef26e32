/* SPDX-License-Identifier: MIT */
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

/* Where result `operand` of a tile.reduce's or tile.scan's region is one operation on that operand's two arguments, in
   either order: its name; else "". Others have no part in it. */
MlirStringRef reduce_combiner_of(MlirOperation op, intptr_t operand);
/* The same where, besides, no other operand's combination looks at this one: it can be combined by itself. */
MlirStringRef reduce_lone_combiner_of(MlirOperation op, intptr_t operand);
/* The same of an operation with one operand; "" of one with several. */
MlirStringRef reduce_combiner(MlirOperation op);
/* Is the result of the operation of this name the same, bit for bit, with operands changed over? */
bool combiner_is_symmetric(MlirStringRef name);

/* `tile.fused_products` of a tile.reduce: operands that are products which only the sum wants. A unit attribute is operand
   0, an array names several. */
bool reduce_fuses_product(MlirOperation op, intptr_t operand);

#endif
