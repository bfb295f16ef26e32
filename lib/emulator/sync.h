/* What atomic operations order: releases, and acquires that have seen them.

   Blocks run one after another, so an acquire in one block can only see releases of blocks before
   it (and of its own, whose order barriers tell). A release stands for all accesses of its block in
   earlier epochs, for its own thread's in the current one, and for what the block had acquired
   itself by then; an acquire of the same address makes the accesses behind it come after all of
   that. Later read-modify-writes of an address continue what earlier ones released (PTX ISA, memory
   consistency model: release pattern, causality order).

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

/* The accesses of one block that some release stands for. */
struct sync_cover {
  uint64_t epoch;  /* all in earlier epochs, */
  uint32_t thread; /* and this thread's in this one */
};

struct sync {
  struct arena arena;
  struct map releases;           /* address -> the latest struct sync_release */
  struct sync_acquire *acquired; /* by the current block, latest first */
  uint32_t visit;                /* number of the latest walk */
  struct map covers;             /* ordinal + 1 of a block -> struct sync_cover, of what follows */
  uint64_t covered_epoch;        /* acquires in earlier epochs than this are in `covers` */
  struct sync_release **stack;   /* owned: of a walk */
  size_t stack_count, stack_capacity;
};

/* Where in a launch something happens. */
struct sync_point {
  uint64_t epoch;
  uint32_t thread;
};

void sync_destroy(struct sync *sync);
void sync_begin_block(struct sync *sync);
void sync_release(struct sync *sync, uintptr_t address, struct sync_point now);
/* `block_epoch` is the first epoch of the current block. */
void sync_acquire(struct sync *sync, uintptr_t address, struct sync_point now,
                  uint64_t block_epoch);

/* Tells the ordinal of the block that an epoch belongs to. */
typedef uint64_t sync_block_of(const void *context, uint64_t epoch);
/* True when what is done `now` comes after an access of an earlier block, because of an acquire. */
bool sync_orders(struct sync *sync, struct sync_point then, struct sync_point now,
                 sync_block_of *block_of, const void *context);

#endif
