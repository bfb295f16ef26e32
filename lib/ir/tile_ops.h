/* SPDX-License-Identifier: MIT */
/* Reading tile operations: operands that are optional, and what a reduction combines by. */
#ifndef TILE_IR_TILE_OPS_H
#define TILE_IR_TILE_OPS_H

#include "ir/session.h"

struct tile_load {
  MlirValue pointer, mask, other; /* mask and other: null when absent */
};

struct tile_store {
  MlirValue pointer, value, mask; /* mask: null when absent */
};

struct tile_async_copy {
  MlirValue pointers, buffer, mask, other; /* mask and other: null when absent */
};

enum { MAX_DESCRIPTOR_RANK = 5 };

/* A tile.make_descriptor; sizes and strides outermost first. The block's dimensions are the last
   ones. */
struct tile_descriptor {
  MlirValue base, sizes[MAX_RANK], strides[MAX_RANK];
  int rank;
  bool pads_with_nan;
};

/* False when the operand segments do not describe the operands (tile-verify reports that). */
bool tile_load_read(MlirOperation op, struct tile_load *out);
bool tile_store_read(MlirOperation op, struct tile_store *out);
bool tile_async_copy_read(MlirOperation op, struct tile_async_copy *out);
bool tile_descriptor_read(MlirOperation op, struct tile_descriptor *out);

/* The kernel's parameter that a pointer, or a descriptor, is formed from; null where that is not
   plain. */
MlirValue pointer_root(struct session *session, MlirValue pointer);
/* May the kernel around `parameter`, a pointer, write to memory through it? */
bool parameter_is_written(struct session *session, MlirValue parameter);

/* Is it an atomic operation that orders no other access, and whose old element nobody wants: to
   loads a store? */
bool is_atomic_store(struct session *session, MlirOperation op);
/* Does a tile_gpu.bulk_store add to what is there? */
bool bulk_store_adds(MlirOperation op);

/* How many neighbours one instruction of a tile.atomic_rmw can change. */
int tile_atomic_width(MlirOperation op);

/* Where result `operand` of a tile.reduce's or tile.scan's region is one operation on that
   operand's two arguments, in either order: its kind; else OP_OTHER. Others have no part in it. */
enum op_kind reduce_combiner_of(struct session *session, MlirOperation op, intptr_t operand);
/* The same where, besides, no other operand's combination looks at this one: it can be combined by
   itself. */
enum op_kind reduce_lone_combiner_of(struct session *session, MlirOperation op, intptr_t operand);
/* The same of an operation with one operand; OP_OTHER of one with several. */
enum op_kind reduce_combiner(struct session *session, MlirOperation op);

/* `tile.fused_products` of a tile.reduce: operands that are products which only the sum wants. A
   unit attribute is operand 0, an array names several. */
bool reduce_fuses_product(MlirOperation op, intptr_t operand);

#endif
