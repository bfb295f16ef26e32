/* SPDX-License-Identifier: MIT */
/* Memory in which blocks of a launch store parts of sums that they share
   (tile_kernel_version.part_bytes): made at the first launch of a stream that wants it, and kept.
 */
#ifndef TILE_RUNTIME_PARTS_H
#define TILE_RUNTIME_PARTS_H

#include "runtime/objects.h"

/* Its address for a launch of `blocks` on a stream (NULL: the default one), whose counters are zero
   when the launch begins; 0 where there is none: while the stream is captured into a graph, which
   may run beside the stream; for streams of somebody else's, whose handle may come to be that of
   another stream while a kernel is still at work; and without memory. */
uint64_t part_memory_address(tile_device *device, tile_stream *stream,
                             const tile_kernel_version *version, uint32_t blocks);
/* A launch has failed: who knows what its counters are. */
void part_memory_spoil(tile_device *device, tile_stream *stream);
/* Nothing is at work there any more. */
void part_memory_free(tile_device *device, struct part_memory *memory);

#endif
