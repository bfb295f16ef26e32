/* SPDX-License-Identifier: MIT */
/* What atomic operations order: releases, and acquires that have seen them.

   A release stands for all accesses of its block in earlier epochs, for its own thread's in the
   current one, and for what the block had acquired itself by then; an acquire of the same address
   by another block makes the accesses after it come after all of that. Later read-modify-writes of
   an address continue what earlier ones released (PTX ISA, memory consistency model: release
   pattern, causality order). Of one's own block's releases barriers tell the order.

       block 3:  x = 1; barrier; release flag      block 5:  acquire flag; barrier; use x

   Owned by a launch; used by its host thread. */
#ifndef TILE_EMULATOR_SYNC_H
#define TILE_EMULATOR_SYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/map.h"

struct sync_release;
struct sync_acquire;
struct sync_seen;

struct sync {
  struct arena arena;
  struct map releases;         /* address -> the latest struct sync_release */
  uint32_t visit;              /* number of the latest walk */
  struct sync_release **stack; /* owned: of a walk */
  size_t stack_count, stack_capacity;
};

/* Of a block that runs. */
struct sync_block {
  uint32_t ordinal;
  struct sync_acquire *acquired; /* latest first */
  struct sync_acquire *covered;  /* this one and earlier ones are in `covers`, */
  struct map covers;             /* ordinal + 1 of a block -> its latest release that this one
                                    follows */
  uint32_t visit;                /* number of the walks for `covers` */
};

/* Where in a launch something happens, or several threads of one epoch do it. */
struct sync_point {
  uint32_t block; /* ordinal */
  uint64_t epoch;
  uint32_t thread;
  bool several;
};

/* Of a thread. A relaxed operation after a fence is a release of what came before the fence; one
   before a fence an acquire there. Zeros: no fence yet. */
struct sync_thread {
  struct sync_point fence;       /* the latest; epoch 0: none */
  struct sync_acquire *acquired; /* by its block until then */
  struct sync_seen *seen;        /* releases that relaxed operations have found since */
};

void sync_destroy(struct sync *sync);
void sync_begin_block(struct sync *sync, struct sync_block *block, uint32_t ordinal);
void sync_end_block(struct sync_block *block);
void sync_release(struct sync *sync, struct sync_block *block, uintptr_t address,
                  struct sync_point now);
void sync_acquire(struct sync *sync, struct sync_block *block, uintptr_t address,
                  struct sync_point now);
/* What an operation that is not an acquire, or not a release, is by the thread's fences. The first
   comes before what the operation releases itself. */
void sync_see(struct sync *sync, struct sync_thread *thread, uintptr_t address,
              struct sync_point now);
void sync_release_fenced(struct sync *sync, struct sync_thread *thread, uintptr_t address);
void sync_fence(struct sync *sync, struct sync_block *block, struct sync_thread *thread,
                struct sync_point now);

/* True when what `block` does now comes after what another block did then, because of an acquire.
 */
bool sync_orders(struct sync *sync, struct sync_block *block, struct sync_point then,
                 struct sync_point now);

#endif
