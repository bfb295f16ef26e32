/* SPDX-License-Identifier: MIT */
/* Where a dimension of a tile goes through operations that move elements, or combine them along
   others. */
#ifndef TILE_ANALYSIS_ROW_AXIS_H
#define TILE_ANALYSIS_ROW_AXIS_H

#include "ir/session.h"

/* The dimension of the first result that dimension `axis` of the first operand becomes, and the
   other way round; of a tile, or of a buffer in shared memory. -1: there is none, or the operation
   is none of these: conversions of layouts, reshapes that keep the dimension, permutations,
   tile.expand_dims, tile.broadcast, tile.reduce along others, buffers that a tile is put into. */
int row_axis_after(struct session *session, MlirOperation op, int axis);
int row_axis_before(struct session *session, MlirOperation op, int axis);

#endif
