/* SPDX-License-Identifier: MIT */
/* Clusters: blocks that begin together and reach one another's shared memory (PTX ISA, "cluster of
   cooperative thread arrays").

   Another block's shared memory is reached by its rank in the cluster and a place that is the same
   in all blocks: arrivals at its barriers (device_mbarrier.c) and copies into it (device_bulk.c).
   What a thread does there must come after the block has begun and has made its barriers, and
   before it ends: a barrier of the cluster says so, at the beginning and at the end, and where it
   is missing that is reported, whichever block came first this time.

   A block of which nobody can go on rests until another one of its cluster wakes a thread or starts
   a copy. When all of them rest, that is a deadlock or a divergence. */
#ifndef TILE_EMULATOR_CLUSTER_H
#define TILE_EMULATOR_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>
#include "emulator/warp_order.h"

struct emulator_block;
struct emulator_launch;
struct emulator_thread;

struct emulator_cluster {
  struct emulator_block *blocks[WARP_ORDER_BLOCKS]; /* borrowed, by rank; NULL: it has ended */
  uint32_t count, left;                             /* blocks; that have not ended */
  uint32_t phase;                                   /* barriers of the cluster so far */
  uint32_t arrived, missing; /* at the current one: threads; threads that have not ended and not
                                arrived */
  struct warp_clock gathered, done; /* of its arrivals; of those at the one before */
};

/* A cluster of blocks that have just begun. Each block is told. */
struct emulator_cluster *cluster_create(struct emulator_block **blocks, uint32_t count);
/* One of its blocks has ended, or is given up. True when it was the last one, and the cluster is
   gone. */
bool cluster_leave(struct emulator_block *block);

/* A thread has ended: the barrier of the cluster does not wait for it. */
void cluster_note_exit(struct emulator_thread *thread);
/* A barrier of the block: what one of its threads knows of the cluster's barriers all know. */
void cluster_pass_barrier(struct emulator_block *block);

/* The block of this rank; NULL after reporting that there is none, or none any more. */
struct emulator_block *cluster_block(struct emulator_thread *thread, uint32_t rank,
                                     const char *location);
/* The thread uses shared memory of another block of its cluster. */
void cluster_note_use(struct emulator_thread *thread, struct emulator_block *block,
                      const char *location);
/* The cluster's block ends: reports another one's use of its memory that may come too late. */
void cluster_check_end(struct emulator_block *block);

/* No thread of any of its blocks can go on: reports why and stops the launch. */
void cluster_check_progress(struct emulator_cluster *cluster);

#endif
