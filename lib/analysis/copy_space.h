/* SPDX-License-Identifier: MIT */
/* The order in which a tile that is copied asynchronously lies in shared memory. */
#ifndef TILE_ANALYSIS_COPY_SPACE_H
#define TILE_ANALYSIS_COPY_SPACE_H

#include "ir/session.h"

/* The memory space (#tile_gpu.swizzled) of a buffer for `tile`: rows along dimension `fast`, in
   which global memory has neighbours. `reader`: the type of the operand that threads read of it,
   other elements than they copy; then chunks of rows are permuted, so that what lanes read at one
   time lies in different banks. Null: they read what they copy. */
MlirAttribute copy_space(struct session *session, MlirType tile, int fast, MlirType reader);

/* The type of `tile`, a matrix, in which threads take it out of such a buffer to store it with rows
   along the other dimension, as tensor cores want elements that are not of 2 bytes: each has a word
   along that dimension, four lanes have 16 bytes, and eight the same of neighbours. So loads and
   stores are of different banks. Null for smaller tiles. */
MlirType transposed_type(struct session *session, MlirType tile, int fast);

#endif
