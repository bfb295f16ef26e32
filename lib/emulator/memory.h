/* What global memory a launch may touch, and who touched each byte of it.

   The registry holds the launch's buffers sorted by address. With checks on, every byte accessed
   has a shadow cell of 16 bytes, allocated in pages of 4096 cells on first use: the last store and
   one load, each with its thread, source location and epoch.

   An epoch is the time between two points where something is ordered: it begins with a block and
   with every barrier that the block passes. Epochs are numbered through the whole launch, blocks
   run one after another, so an epoch names its block. Two accesses to one byte, at least one of
   them a store, are ordered when one thread made both, when they lie in different epochs of one
   block, when both are atomic, or when an atomic release and acquire lie between them (sync.h).
   Everything else is a race.

   A barrier of one warp orders what its lanes do, and nothing else. Each warp counts those that it has
   passed, its phase; within an epoch, accesses of a warp in different phases are ordered. */
#ifndef TILE_EMULATOR_MEMORY_H
#define TILE_EMULATOR_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/map.h"
#include "emulator/sync.h"
#include "tile/emulator.h"

struct emulator_thread;

enum { SHADOW_PAGE_CELLS = 4096, SHADOW_LOCATION_LIMIT = 1 << 12 };

/* One access, packed into 64 bits; all zero means none. */
struct shadow_access {
  uint64_t epoch : 31;    /* from 1 */
  uint64_t phase : 8;     /* of the thread's warp, modulo 256 */
  uint64_t thread : 10;
  uint64_t location : 12; /* index in shadow.locations; 0: unknown */
  uint64_t several : 1;   /* loads, atomics: so have other threads in the same epoch, not ordered with it */
  uint64_t warps : 1;     /* some of them in other warps */
  uint64_t atomic : 1;    /* an atomic operation, kept as a store */
};

/* `read` keeps the first load by another block if there is one, since no later store can be ordered
   after it; else a load of the latest epoch that has one. `write` keeps the last store; of atomic
   operations the first by another block. */
struct shadow_cell {
  struct shadow_access write, read;
};

struct region {
  uintptr_t base;
  size_t bytes;
  const char *name; /* borrowed from the launch options */
  bool read_only;
  struct shadow_cell **pages; /* owned, SHADOW_PAGE_CELLS cells each; NULL without checks */
};

struct memory {
  struct region *regions; /* owned, sorted by base, disjoint */
  size_t count;
  struct region shared; /* the block's shared memory; 0 bytes where there is none */
  bool check;

  struct map location_ids; /* const char * -> index in locations */
  const char **locations;  /* owned array of borrowed strings; [0] is NULL */
  uint32_t location_count;

  uint64_t *block_epochs; /* owned: first epoch of each block run so far */
  size_t block_count, block_capacity;
  uint64_t epoch; /* the current one */
  struct sync sync;
};

/* Fills a zeroed registry. Refuses overlapping or impossible buffers. */
tile_status memory_create(struct memory *memory, const tile_emulator_buffer *buffers, size_t count,
                          bool check);
void memory_destroy(struct memory *memory);
/* Registers the block's shared memory. */
void memory_set_shared(struct memory *memory, void *base, size_t bytes);

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

/* Epochs: a new block begins; the current block has passed a barrier. */
void memory_begin_block(struct memory *memory);
static inline void memory_pass_barrier(struct memory *memory) {
  memory->epoch++;
}
/* The ordinal, in order of execution, of the block that `epoch` belongs to. */
uint64_t memory_block_of(const struct memory *memory, uint64_t epoch);

/* Checks an access that lies inside `region` against the shadow, records it there, and reports
   races through the thread's launch. Only with checks on. */
void shadow_check(struct emulator_thread *thread, const struct region *region, uintptr_t address,
                  size_t bytes, bool is_store, const char *location);
/* The same for the block's shared memory, which is new to each block: what an earlier block did to a
   byte does not count, and a load of a byte that this block has not stored to is reported. */
void shadow_check_shared(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                         bool is_store, const char *location);
/* Several warps, that of `thread` among them, have read bytes of shared memory until now; what they read was
   checked before. */
void shadow_note_group_read(struct emulator_thread *thread, size_t offset, size_t bytes, const char *location);
/* The same for an atomic operation, which conflicts with plain accesses only. */
void shadow_check_atomic(struct emulator_thread *thread, const struct region *region,
                         uintptr_t address, size_t bytes, const char *location);

/* And for one on shared memory. */
void shadow_check_shared_atomic(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                                const char *location);

/* The last store to a byte of a region with shadow; epoch 0: none. */
struct shadow_access shadow_last_store(const struct region *region, size_t offset);

/* An atomic operation acquires, or releases, at `address`. */
void shadow_acquire(struct emulator_thread *thread, uintptr_t address);
void shadow_release(struct emulator_thread *thread, uintptr_t address);

#endif
