/* SPDX-License-Identifier: MIT */
/* The attributes of tile_ptx.mma and tile_ptx.wgmma as a struct mma_shape. */
#ifndef TILE_IR_MMA_ATTRIBUTES_H
#define TILE_IR_MMA_ATTRIBUTES_H

#include "base/mma.h"
#include "ir/mlir.h"

/* Reads shape = array<i32: m, n, k>, a_type, b_type and, where f16 accumulators travel in i32
   registers, c_type = f16; otherwise the accumulators' type is that of `accumulator`. False when an
   attribute is missing, of another kind, or names an unknown type. */
bool mma_attributes(MlirOperation op, MlirType accumulator, struct mma_shape *out);

/* tile_ptx.mma: its shape, when it has the operands and results that the shape takes. For passes
   that may be run on modules that nobody has verified. */
bool mma_operation(MlirOperation op, struct mma_shape *out, enum machine_feature *needed);

/* The same for tile_ptx.wgmma. */
bool wgmma_operation(MlirOperation op, struct mma_shape *out);

/* A boolean attribute; false when it is absent or of another kind. */
bool op_boolean(MlirOperation op, const char *name);

/* How many operands the group number `group` of operandSegmentSizes has, of `groups`; -1 when the
   attribute is missing or does not add up. */
intptr_t op_segment(MlirOperation op, intptr_t groups, intptr_t group);

#endif
