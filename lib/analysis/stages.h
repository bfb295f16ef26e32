/* SPDX-License-Identifier: MIT */
/* Numbers of stages of multi-buffers, as loops count them. */
#ifndef TILE_ANALYSIS_STAGES_H
#define TILE_ANALYSIS_STAGES_H

#include "ir/session.h"

/* The number of the stage that a memref lies in, if a tile_gpu.index takes it out of a buffer; null
   where none does or several do. */
MlirValue buffer_stage(struct session *session, MlirValue buffer);

/* Is `value` carried by a loop that counts stages in it: from the constant *out_first on, below
   *out_count? */
bool stage_counter(struct session *session, MlirValue value, int64_t *out_first,
                   int64_t *out_count);

/* Do two numbers differ whenever both are there? Known of constants, and of two loop-carried values
   of one loop that start from different constants below n and become 0 after n - 1, else one more:

     scf.for iter_args(%i = c, %j = d)     next = select(i + 1 == n, 0, i + 1) */
bool stages_differ(struct session *session, MlirValue a, MlirValue b);

#endif
