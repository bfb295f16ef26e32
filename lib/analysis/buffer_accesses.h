/* SPDX-License-Identifier: MIT */
/* How tiles get into buffers in shared memory and out of them: how wide a thread's accesses are,
   and the wavefronts that the banks make of a warp's. */
#ifndef TILE_ANALYSIS_BUFFER_ACCESSES_H
#define TILE_ANALYSIS_BUFFER_ACCESSES_H

#include "ir/session.h"
#include "layout/conversion.h"

/* Where in a stage of a buffer of type `memref` an element lies: its flat number (dim0) ->
   LAYOUT_OFFSET. False where elements of the type have no place of their own. */
bool buffer_offsets(struct session *session, MlirType memref, struct linear_layout *out);

/* Accesses of a stage of a buffer of type `memref` by the holders of a tile of type `tensor`.
   *out_matrices: an operand is loaded by ldmatrix, and *out is of rows of matrices. False where
   elements of the type have no place of their own. */
bool buffer_access(struct session *session, MlirType tensor, MlirType memref, bool stores,
                   struct conversion_side *out, bool *out_matrices);

/* "copies of 16 bytes: 4 wavefronts, least 4" for an operation that accesses a whole stage of a
   buffer; else nothing. */
void print_buffer_access(struct session *session, MlirOperation op, struct text *out);

#endif
