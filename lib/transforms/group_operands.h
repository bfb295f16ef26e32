/* SPDX-License-Identifier: MIT */
/* Operands of dots by warp groups in shared memory, as tile-gpu-accelerate-dot puts them there. */
#ifndef TILE_TRANSFORMS_GROUP_OPERANDS_H
#define TILE_TRANSFORMS_GROUP_OPERANDS_H

#include "ir/session.h"

/* The dimension that neighbours of a thread lie along; of a block its rows'. `otherwise` where
   there are none. */
int operand_fast_dimension(struct session *session, MlirValue value, int otherwise);

/* What `value` has been converted from, or itself. */
MlirValue before_conversion(struct session *session, MlirValue value);

/* Both operands of `dot` as tile_gpu.warpgroup_dot takes them: buffers, but for a first one that is
   in its registers (`in_registers`). Bytes that lie across k are transposed in shared memory; those
   of a second operand with 16 along k permuted to make neighbours of what a thread has of the
   first, if that saves it from being exchanged between threads. */
void build_group_operands(struct session *session, MlirOperation dot, bool in_registers,
                          MlirValue *first, MlirValue *second);

#endif
