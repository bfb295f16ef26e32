/* SPDX-License-Identifier: MIT */
/* The race detector: what each byte of memory was last used for. See memory.h for the rules. */
#include "emulator/memory.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "emulator/launch.h"

_Static_assert(sizeof(struct shadow_cell) == 16, "memory use is documented as 16 bytes per byte");

static uint32_t location_id(struct memory *memory, const char *location) {
  if (location == memory->last_location) /* threads come to one place one after another */
    return memory->last_location_id;
  uintptr_t id = (uintptr_t)map_get(&memory->location_ids, location);
  if (!id && memory->location_count < SHADOW_LOCATION_LIMIT) {
    id = memory->location_count++;
    memory->locations[id] = location;
    map_set(&memory->location_ids, location, (void *)id);
  }
  memory->last_location = location;
  return memory->last_location_id = (uint32_t)id;
}

/* An access being checked. */
struct check {
  struct emulator_thread *thread;
  struct memory *memory;
  struct memory_block *block;
  const struct region *region;
  const char *location;
  struct shadow_access now;
  bool is_store; /* a plain one */
  bool shared;   /* of shared memory: no other block sees it */
};

/* The fields of an access from the lowest bit up: assigned one by one they would go through memory.
 */
static inline struct shadow_access pack(uint64_t epoch, uint64_t phase, uint64_t thread,
                                        uint64_t location, uint64_t kind) {
  uint64_t bits = epoch | phase << 30 | thread << 38 | location << 48 | kind << 62;
  struct shadow_access access;
  memcpy(&access, &bits, sizeof access);
  return access;
}
static const uint64_t several_warps = UINT64_C(3) << 60;
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bit-fields begin at the lowest bit");

static inline uint64_t bits_of(const struct shadow_access *access) {
  uint64_t bits;
  memcpy(&bits, access, sizeof bits);
  return bits;
}

static inline struct check begin_check(struct emulator_thread *thread, const struct region *region,
                                       enum shadow_kind kind, bool is_store, const char *location) {
  struct emulator_block *block = thread->block;
  struct memory *memory = &thread->launch->memory;
  return (struct check){
      .thread = thread,
      .memory = memory,
      .block = &block->memory,
      .region = region,
      .location = location,
      .is_store = is_store,
      .shared = region == &block->memory.shared,
      .now = pack(block->memory.epoch, block->warps[thread->index / MACHINE_LANES].phase & 0xFF,
                  thread->index, location_id(memory, location), kind),
  };
}

/* --- Order ------------------------------------------------------------------------------------ */

static inline bool same_warp(struct shadow_access a, struct shadow_access b) {
  return a.thread / MACHINE_LANES == b.thread / MACHINE_LANES;
}

/* Of two accesses in one epoch of a block. */
static inline bool unordered_in_epoch(struct shadow_access then, struct shadow_access now) {
  if (then.warps || !same_warp(then, now))
    return true;
  return then.phase == now.phase && (then.thread != now.thread || then.several);
}

static inline uint32_t block_of(const struct check *k, struct shadow_access then) {
  return k->memory->epoch_blocks[then.epoch];
}

static inline bool is_own(const struct check *k, struct shadow_access then) {
  return then.epoch >= k->block->first_epoch && block_of(k, then) == k->block->ordinal;
}

static bool orders(const struct check *k, struct shadow_access then) {
  struct sync_block *sync = &k->block->sync;
  if (!sync->acquired)
    return false;
  return sync_orders(&k->memory->sync, sync,
                     (struct sync_point){block_of(k, then), then.epoch, then.thread, then.several},
                     (struct sync_point){k->block->ordinal, k->now.epoch, k->now.thread, false});
}

/* Whether barriers that only some threads of the block use order an access of this byte of shared
   memory in this epoch. */
static bool arrivals_order(const struct check *k, struct shadow_access then, size_t offset) {
  const struct emulator_thread *thread = k->thread;
  if (!k->shared || !thread->block->bulk.order)
    return false;
  return then.warps ? bulk_reads_are_over(thread, offset)
                    : warp_order_comes_after(thread, then.thread / MACHINE_LANES, then.phase);
}

/* Whether nothing orders an earlier access of the byte before the one being checked. */
static inline bool unordered(const struct check *k, struct shadow_access then, size_t offset) {
  if (then.epoch == k->now.epoch)
    return unordered_in_epoch(then, k->now) && !arrivals_order(k, then, offset);
  if (then.epoch == 0 || k->shared)
    return false;
  return !is_own(k, then) && !orders(k, then);
}

/* What a block that has ended did after its last release is never ordered before what others do.
 */
static bool is_eternal(const struct check *k, struct shadow_access then) {
  const struct memory_past *past = &k->memory->past[block_of(k, then)];
  return !k->shared && past->ended && past->last_release < then.epoch;
}

/* --- Reports ---------------------------------------------------------------------------------- */

static void report_race(const struct check *k, size_t offset, struct shadow_access then,
                        bool was_store) {
  struct emulator_launch *launch = k->thread->launch;
  bool is_store = k->is_store || k->now.kind == SHADOW_IS_ATOMIC;
  tile_emulator_hazard hazard = {
      .kind =
          is_store && was_store ? TILE_EMULATOR_WRITE_WRITE_RACE : TILE_EMULATOR_READ_WRITE_RACE,
      .site = launch_site(k->thread, k->location),
      .other = {.location = k->memory->locations[then.location], .thread = then.thread},
      .is_store = is_store,
      .other_is_store = was_store,
      .address = k->region->base + offset,
      .bytes = 1,
      .buffer = k->region->name,
      .buffer_bytes = k->region->bytes,
      .offset = (int64_t)offset,
  };
  /* With `several`, the load on record may be this thread's own and the culprit another. */
  if (then.epoch == k->now.epoch && then.thread == k->thread->index)
    hazard.other.thread = TILE_EMULATOR_UNKNOWN_THREAD;
  launch_block(launch, k->memory->past[block_of(k, then)].number, hazard.other.block);
  report_add(launch->report, &hazard);
}

static void report_uninitialised(const struct check *k, size_t offset) {
  tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_UNINITIALISED,
                                 .site = launch_site(k->thread, k->location),
                                 .address = k->region->base + offset,
                                 .bytes = 1,
                                 .buffer = k->region->name,
                                 .buffer_bytes = k->region->bytes,
                                 .offset = (int64_t)offset};
  report_add(k->thread->launch->report, &hazard);
}

/* --- Users: what a cell remembers beside its last store --------------------------------------- */

static inline bool conflict(const struct check *k, struct shadow_access then) {
  if (k->is_store)
    return true;
  return then.kind != k->now.kind && then.kind != SHADOW_IS_VOLATILE &&
         k->now.kind != SHADOW_IS_VOLATILE;
}

/* Whether `now` stands for `then`, too: a record of one kind, of the same block. */
static inline bool replaces(const struct check *k, struct shadow_access then) {
  return then.kind == k->now.kind && (k->shared || is_own(k, then));
}

/* `now` with what the block did to the same end before: in this epoch, but for what it comes
 * after. */
static inline struct shadow_access joined(struct shadow_access then, struct shadow_access now) {
  if (then.epoch != now.epoch)
    return now;
  bool other_warp = !same_warp(then, now);
  if (!other_warp && !then.warps && then.phase != now.phase)
    return now;
  then.several |= then.thread != now.thread;
  then.warps |= other_warp;
  return then;
}

/* The set `number` without the one record that `now` replaces, which is put before it. */
static uint32_t replace_in_set(struct check *k, uint32_t number, uint32_t found) {
  struct readers *readers = &k->memory->readers;
  struct shadow_access between[READERS_SET_LIMIT];
  uint32_t count = 0;
  for (; number != found; number = readers->list[number].others)
    between[count++] = readers->list[number].access;
  struct shadow_access front = joined(readers->list[found].access, k->now);
  uint32_t set = readers->list[found].others;
  while (count)
    set = readers_add(readers, set, between[--count]);
  return readers_add(readers, set, front);
}

/* The first record in a set that `now` replaces, or that stands for it; 0: none. */
static uint32_t find_in_set(const struct check *k, uint32_t number, bool *stands) {
  const struct reader *list = k->memory->readers.list;
  for (; number; number = list[number].others) {
    struct shadow_access then = list[number].access;
    *stands = then.kind == k->now.kind && is_eternal(k, then);
    if (*stands || replaces(k, then))
      return number;
  }
  return 0;
}

static uint32_t add_to_set(struct check *k, uint32_t set) {
  const struct reader *list = k->memory->readers.list;
  bool stands = false;
  uint32_t found = find_in_set(k, set, &stands);
  if (!found)
    return readers_add(&k->memory->readers, set, k->now);
  struct shadow_access then = list[found].access, front = joined(then, k->now);
  if (stands || memcmp(&then, &front, sizeof then) == 0)
    return set;
  return replace_in_set(k, set, found);
}

/* A record that races with `now`, or none. */
static struct shadow_access find_race(const struct check *k, struct shadow_access users,
                                      size_t offset) {
  if (users.kind != SHADOW_IS_SET)
    return conflict(k, users) && unordered(k, users, offset) ? users : (struct shadow_access){0};
  const struct reader *list = k->memory->readers.list;
  for (uint32_t number = users.epoch; number; number = list[number].others) {
    struct shadow_access then = list[number].access;
    if (conflict(k, then) && unordered(k, then, offset))
      return then;
  }
  return (struct shadow_access){0};
}

static struct shadow_access set_of(uint32_t number) {
  return (struct shadow_access){.epoch = number, .kind = SHADOW_IS_SET};
}

/* The users of a cell with `now`, where they are a set, or become one. */
static struct shadow_access with_set(struct check *k, struct shadow_access users) {
  uint32_t set = users.kind == SHADOW_IS_SET ? (uint32_t)users.epoch
                                             : readers_add(&k->memory->readers, 0, users);
  return set ? set_of(add_to_set(k, set)) : users; /* 0: no room, and said so */
}

/* The users of a cell with `now`, a load or an atomic operation. */
static inline struct shadow_access with_user(struct check *k, struct shadow_access users) {
  if (users.epoch == 0)
    return k->now;
  if (users.kind == k->now.kind && users.epoch == k->now.epoch)
    return joined(users, k->now);
  if (users.kind == SHADOW_IS_SET)
    return with_set(k, users);
  if (replaces(k, users) || (k->shared && users.epoch != k->now.epoch))
    return k->now;
  return users.kind == k->now.kind && is_eternal(k, users) ? users : with_set(k, users);
}

/* --- Checks ----------------------------------------------------------------------------------- */

/* Reports what is wrong with the access to one byte; true when nothing is. */
static inline bool is_right(const struct check *k, const struct shadow_cell *cell, size_t offset) {
  bool right = true;
  if (unordered(k, cell->write, offset)) {
    report_race(k, offset, cell->write, true);
    right = false;
  }
  if (cell->users.epoch && (k->is_store || cell->users.kind != k->now.kind)) {
    struct shadow_access then = find_race(k, cell->users, offset);
    if (then.epoch)
      report_race(k, offset, then, then.kind == SHADOW_IS_ATOMIC);
    right &= !then.epoch;
  }
  if (k->shared && !k->is_store && cell->write.epoch < k->block->first_epoch) {
    report_uninitialised(k, offset);
    right = false;
  }
  return right;
}

static struct shadow_cell *cell_at(const struct region *region, size_t offset) {
  struct shadow_cell **page = &region->pages[offset / SHADOW_PAGE_CELLS];
  if (!*page) {
    *page = tile_allocate(SHADOW_PAGE_CELLS * sizeof **page);
    memset(*page, 0, SHADOW_PAGE_CELLS * sizeof **page);
  }
  return &(*page)[offset % SHADOW_PAGE_CELLS];
}

/* Neighbouring bytes mostly have equal cells: what became of one that was right becomes of the
 * next. */
static inline __attribute__((always_inline)) void check_stores(struct check *k, uintptr_t address,
                                                               size_t bytes) {
  size_t first = address - k->region->base;
  struct shadow_cell *cell = cell_at(k->region, first);
  uint64_t write = 0, users = 0;
  bool known = false;
  for (size_t i = first; i < first + bytes; i++, cell++) {
    if (i % SHADOW_PAGE_CELLS == 0)
      cell = cell_at(k->region, i);
    if (!known || bits_of(&cell->write) != write || bits_of(&cell->users) != users) {
      write = bits_of(&cell->write), users = bits_of(&cell->users);
      known = is_right(k, cell, i);
    }
    cell->write = k->now;
    cell->users = (struct shadow_access){0};
  }
}

static inline __attribute__((always_inline)) void check_uses(struct check *k, uintptr_t address,
                                                             size_t bytes) {
  size_t first = address - k->region->base;
  struct shadow_cell *cell = cell_at(k->region, first);
  uint64_t write = 0, users = 0;
  struct shadow_access after = {0};
  bool known = false;
  for (size_t i = first; i < first + bytes; i++, cell++) {
    if (i % SHADOW_PAGE_CELLS == 0)
      cell = cell_at(k->region, i);
    if (!known || bits_of(&cell->write) != write || bits_of(&cell->users) != users) {
      write = bits_of(&cell->write), users = bits_of(&cell->users);
      known = is_right(k, cell, i);
      after = with_user(k, cell->users);
    }
    cell->users = after;
  }
}

static inline __attribute__((always_inline)) void check_bytes(struct check *k, uintptr_t address,
                                                              size_t bytes) {
  if (k->is_store)
    check_stores(k, address, bytes);
  else
    check_uses(k, address, bytes);
}

void shadow_check(struct emulator_thread *thread, const struct region *region, uintptr_t address,
                  size_t bytes, enum shadow_use use, const char *location) {
  enum shadow_kind kind = use == SHADOW_VOLATILE_LOAD ? SHADOW_IS_VOLATILE : SHADOW_IS_LOAD;
  struct check k = begin_check(thread, region, kind, use == SHADOW_STORE, location);
  check_bytes(&k, address, bytes);
}

void shadow_check_shared(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                         bool is_store, const char *location) {
  const struct region *region = &thread->block->memory.shared;
  struct check k = begin_check(thread, region, SHADOW_IS_LOAD, is_store, location);
  check_bytes(&k, address, bytes);
}

void shadow_check_atomic(struct emulator_thread *thread, const struct region *region,
                         uintptr_t address, size_t bytes, const char *location) {
  struct check k = begin_check(thread, region, SHADOW_IS_ATOMIC, false, location);
  check_bytes(&k, address, bytes);
}

void shadow_check_shared_atomic(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                                const char *location) {
  shadow_check_atomic(thread, &thread->block->memory.shared, address, bytes, location);
}

void shadow_note_group_read(struct emulator_thread *thread, size_t offset, size_t bytes,
                            const char *location) {
  const struct region *region = &thread->block->memory.shared;
  struct check k = begin_check(thread, region, SHADOW_IS_LOAD, false, location);
  uint64_t bits = bits_of(&k.now) | several_warps;
  for (size_t i = offset; i < offset + bytes && i < region->bytes; i++)
    memcpy(&cell_at(region, i)->users, &bits, sizeof bits);
}

/* As a store of an earlier epoch, with no use since. */
void shadow_note_landed(struct emulator_thread *thread, size_t offset, size_t bytes,
                        const char *location) {
  const struct region *region = &thread->block->memory.shared;
  struct check k = begin_check(thread, region, SHADOW_IS_LOAD, true, location);
  k.now.epoch = k.block->first_epoch;
  for (size_t i = offset; i < offset + bytes; i++)
    *cell_at(region, i) = (struct shadow_cell){.write = k.now};
}

struct shadow_access shadow_last_store(const struct region *region, size_t offset) {
  return cell_at(region, offset)->write;
}

/* --- What orders blocks ----------------------------------------------------------------------- */

static struct sync_point point_of(const struct emulator_thread *thread) {
  const struct memory_block *block = &thread->block->memory;
  return (struct sync_point){block->ordinal, block->epoch, thread->index, false};
}

void shadow_acquire(struct emulator_thread *thread, uintptr_t address, bool fenced) {
  struct memory *memory = &thread->launch->memory;
  if (!memory->check)
    return;
  if (fenced)
    sync_see(&memory->sync, &thread->sync, address, point_of(thread));
  else
    sync_acquire(&memory->sync, &thread->block->memory.sync, address, point_of(thread));
}

void shadow_release(struct emulator_thread *thread, uintptr_t address, bool fenced) {
  struct memory *memory = &thread->launch->memory;
  struct memory_block *block = &thread->block->memory;
  if (!memory->check)
    return;
  if (fenced)
    sync_release_fenced(&memory->sync, &thread->sync, address);
  else
    sync_release(&memory->sync, &block->sync, address, point_of(thread));
  memory->past[block->ordinal].last_release = block->epoch;
}

void shadow_fence(struct emulator_thread *thread) {
  struct memory *memory = &thread->launch->memory;
  if (memory->check)
    sync_fence(&memory->sync, &thread->block->memory.sync, &thread->sync, point_of(thread));
}
