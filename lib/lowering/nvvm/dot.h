/* SPDX-License-Identifier: MIT */
/* What the lowerings of dots share. */
#ifndef TILE_LOWERING_NVVM_DOT_H
#define TILE_LOWERING_NVVM_DOT_H

#include "base/mma.h"
#include "lowering/nvvm/nvvm.h"

/* The register at a flat place: named layouts' registers each set one bit of it, and bits that no
   register has are the thread's, or copies. */
int dot_register(const struct linear_layout *layout, uint32_t flat);
/* A step along a dimension as a flat place; 0 beyond the tensor's end, where copies are. */
uint32_t dot_step(const struct linear_layout *layout, int dim, uint32_t distance);
/* An operand's element type (f32 is multiplied as tf32), and its name as an attribute of the
   instruction. */
enum mma_number dot_number(MlirType type);
MlirAttribute dot_type(struct lowering *lw, enum mma_number number);

#endif
