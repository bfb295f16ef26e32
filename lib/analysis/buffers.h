/* SPDX-License-Identifier: MIT */
/* Buffers in shared memory: what a memref stands for, and how long a buffer is in use. */
#ifndef TILE_ANALYSIS_BUFFERS_H
#define TILE_ANALYSIS_BUFFERS_H

#include "ir/session.h"

/* Bytes that a tile_gpu.alloc needs, and the alignment of its offset; 0 for an unreadable type. */
int64_t buffer_bytes(struct session *session, MlirOperation alloc, int64_t *out_alignment);

/* The tile_gpu.alloc that a memref is a view of; null where a loop or a branch yields it. */
MlirOperation buffer_root(struct session *session, MlirValue buffer);

/* The bytes of shared memory that a memref is in, once buffers have offsets: all of its buffer, or
   the stage that a constant index names; all of shared memory where the buffer is not known. */
void buffer_extent(struct session *session, MlirValue buffer, int64_t *first, int64_t *end);

/* The last operation of the alloc's own block that uses the buffer, a view of it or a token of a
   copy into it, itself or in its regions. A buffer that is copied into stays in use until all
   copies have landed, at a wait with pending = 0, or where the barriers end on which they complete
   (tile_gpu.mbarrier_inval), which end there themselves; one that a dot in flight reads until the
   wait for that. Null where there is no such wait: to the end of the kernel. */
MlirOperation buffer_last_use(struct session *session, MlirOperation alloc);

/* The tile_gpu.local_transpose of its block by which alone a tile_gpu.alloc is read, or null; the
   one by which a tile_gpu.alloc of its block is filled, or null. */
MlirOperation buffer_transpose(struct session *session, MlirOperation alloc);
MlirOperation transpose_into(struct session *session, MlirOperation alloc);

/* Is the next operation after a tile_gpu.mbarrier_init another one, but for buffers that need
   nothing done? Then that one's fences and barrier serve for both. */
bool mbarrier_init_goes_on(struct session *session, MlirOperation op);

#endif
