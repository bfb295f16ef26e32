/* SPDX-License-Identifier: MIT */
/* What memory a launch may touch, and who touched each byte of it.

   The registry holds the launch's buffers sorted by address. With checks on, every byte accessed
   has a shadow cell of 16 bytes, allocated in pages of 4096 cells on first use: the last store, and
   who has used the byte since in a way that a later access could conflict with.

   An epoch is the time of one block between two points where something is ordered: it begins with
   the block and with every barrier that the block passes. Epochs are numbered through the whole
   launch, in the order in which they begin, and a table says to which block each belongs. Two
   accesses to one byte, at least one of them a store, are ordered when one thread made both, when
   they lie in different epochs of one block, when both are atomic, or when an atomic release and
   acquire lie between them (sync.h). Everything else is a race.

   A barrier of one warp orders what its lanes do, and nothing else. Each warp counts those that it
   has passed, its phase; within an epoch, accesses of a warp in different phases are ordered.

   Which accesses must a cell remember? A store that was no race comes after all that is in the
   cell, so what comes after the store does as well, and the store alone is kept. Loads since then
   may be unordered among each other, and a later store must come after all of them: they are kept,
   one for each block, in a set (readers.h); likewise atomic operations. Within an epoch of a block
   one record stands for all threads: it says whether several have loaded, and of several warps. A
   load of a block that has ended and released nothing since is never ordered before what other
   blocks do; it alone stands for all that others load. */
#ifndef TILE_EMULATOR_MEMORY_H
#define TILE_EMULATOR_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/map.h"
#include "emulator/readers.h"
#include "emulator/sync.h"
#include "tile/emulator.h"

struct emulator_thread;

struct emulator_block;

enum {
  SHADOW_PAGE_CELLS = 4096,
  SHADOW_LOCATION_LIMIT = 1 << 12,
  SHADOW_EPOCH_LIMIT = 1 << 30,
};

struct shadow_cell {
  struct shadow_access write; /* the last plain store */
  struct shadow_access users; /* loads and atomic operations since: one, or a set */
};

struct region {
  uintptr_t base;
  size_t bytes;
  const char *name; /* borrowed from the launch options */
  bool read_only, dangling;
  struct shadow_cell **pages; /* owned, SHADOW_PAGE_CELLS cells each; NULL without checks */
};

/* What memory knows of a block that has begun. */
struct memory_block {
  uint32_t ordinal;            /* how many had begun before */
  uint64_t first_epoch, epoch; /* its first, its current one */
  struct region shared;        /* its shared memory; 0 bytes where there is none */
  struct sync_block sync;
};

/* Of each block that has begun, by its ordinal. */
struct memory_past {
  uint64_t number;       /* in the grid */
  uint64_t last_release; /* the epoch of its latest release; 0: none */
  bool ended;
};

struct memory {
  struct region *regions; /* owned, sorted by base, disjoint */
  size_t count;
  bool check;

  struct map location_ids; /* const char * -> index in locations */
  const char **locations;  /* owned array of borrowed strings; [0] is NULL */
  uint32_t location_count;
  const char *last_location; /* the latest one asked for, and its number */
  uint32_t last_location_id;

  uint64_t epochs;        /* begun so far */
  uint32_t *epoch_blocks; /* owned, with checks: of each epoch, its block's ordinal */
  size_t epoch_capacity;
  struct memory_past *past; /* owned, with checks */
  uint32_t block_count;
  size_t block_capacity;
  struct readers readers;
  struct sync sync;
};

/* Fills a zeroed registry. Refuses overlapping or impossible buffers. */
tile_status memory_create(struct memory *memory, const tile_emulator_buffer *buffers, size_t count,
                          bool check);
void memory_destroy(struct memory *memory);
/* Describes a block's shared memory. */
void memory_set_shared(const struct memory *memory, struct memory_block *block, void *base,
                       size_t bytes);
/* Ends what is kept for a block's record. */
void memory_destroy_block(struct memory_block *block);

static inline bool region_contains(const struct region *region, uintptr_t address, size_t bytes) {
  uintptr_t offset = address - region->base;
  return offset < region->bytes && bytes <= region->bytes - offset;
}
/* The region that contains all of the access, or NULL. */
const struct region *memory_find(const struct memory *memory, uintptr_t address, size_t bytes);
/* The region nearest to an access that is in none, or NULL when there are no buffers. `distance`
   receives how far the access reaches past its end, or, negative, before its start. */
const struct region *memory_nearest(const struct memory *memory, uintptr_t address, size_t bytes,
                                    int64_t *distance);

/* A block of the grid begins, passes a barrier, has ended. */
void memory_begin_block(struct memory *memory, struct memory_block *block, uint64_t number);
void memory_pass_barrier(struct memory *memory, struct memory_block *block);
void memory_end_block(struct memory *memory, struct memory_block *block);
/* True when there were more epochs than the race check can tell apart. */
static inline bool memory_is_exhausted(const struct memory *memory) {
  return memory->check && memory->epochs >= SHADOW_EPOCH_LIMIT - 1;
}

/* Checks an access that lies inside `region` against the shadow, records it there, and reports
   races through the thread's launch. Only with checks on. A volatile load does not race with atomic
   operations (PTX ISA, memory consistency model: it is a relaxed operation). */
enum shadow_use { SHADOW_LOAD, SHADOW_STORE, SHADOW_VOLATILE_LOAD };
void shadow_check(struct emulator_thread *thread, const struct region *region, uintptr_t address,
                  size_t bytes, enum shadow_use use, const char *location);
/* The same for the block's shared memory, which is new to each block: what an earlier block did to
   a byte does not count, and a load of a byte that this block has not stored to is reported. */
void shadow_check_shared(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                         bool is_store, const char *location);
/* Several warps, that of `thread` among them, have read bytes of shared memory until now; what they
   read was checked before. */
void shadow_note_group_read(struct emulator_thread *thread, size_t offset, size_t bytes,
                            const char *location);
/* A bulk copy of the thread has landed in bytes of shared memory. Who sees that is told by barriers
   in shared memory (bulk.h): here it counts as a store in the block's first epoch. */
void shadow_note_landed(struct emulator_thread *thread, size_t offset, size_t bytes,
                        const char *location);
/* As shadow_check, for an atomic operation, which conflicts with plain accesses only. */
void shadow_check_atomic(struct emulator_thread *thread, const struct region *region,
                         uintptr_t address, size_t bytes, const char *location);

/* And for one on shared memory. */
void shadow_check_shared_atomic(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                                const char *location);

/* The last store to a byte of a region with shadow; epoch 0: none. */
struct shadow_access shadow_last_store(const struct region *region, size_t offset);

/* An atomic operation acquires, or releases, at `address`; `fenced`: by the thread's fences alone.
 */
void shadow_acquire(struct emulator_thread *thread, uintptr_t address, bool fenced);
void shadow_release(struct emulator_thread *thread, uintptr_t address, bool fenced);
void shadow_fence(struct emulator_thread *thread);

#endif
