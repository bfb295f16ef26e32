/* The race detector: what each byte of memory was last used for. See memory.h for the rules. */
#include "emulator/memory.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "emulator/launch.h"

_Static_assert(sizeof(struct shadow_cell) == 16, "memory use is documented as 16 bytes per byte");

void memory_begin_block(struct memory *memory) {
  memory->epoch++;
  if (!memory->check)
    return;
  if (memory->block_count == memory->block_capacity) {
    memory->block_capacity = memory->block_capacity ? memory->block_capacity * 2 : 64;
    memory->block_epochs = tile_reallocate(memory->block_epochs,
                                           memory->block_capacity * sizeof *memory->block_epochs);
  }
  memory->block_epochs[memory->block_count++] = memory->epoch;
  sync_begin_block(&memory->sync);
}

uint64_t memory_block_of(const struct memory *memory, uint64_t epoch) {
  size_t low = 0, high = memory->block_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (memory->block_epochs[middle] <= epoch)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static uint32_t location_id(struct memory *memory, const char *location) {
  if (!location)
    return 0;
  uintptr_t id = (uintptr_t)map_get(&memory->location_ids, location);
  if (!id && memory->location_count < SHADOW_LOCATION_LIMIT) {
    id = memory->location_count++;
    memory->locations[id] = location;
    map_set(&memory->location_ids, location, (void *)id);
  }
  return (uint32_t)id;
}

static struct shadow_cell *cell_at(const struct region *region, size_t offset) {
  struct shadow_cell **page = &region->pages[offset / SHADOW_PAGE_CELLS];
  if (!*page) {
    *page = tile_allocate(SHADOW_PAGE_CELLS * sizeof **page);
    memset(*page, 0, SHADOW_PAGE_CELLS * sizeof **page);
  }
  return &(*page)[offset % SHADOW_PAGE_CELLS];
}

/* What `thread` does now. */
static struct shadow_access access_by(const struct emulator_thread *thread, const char *location) {
  struct memory *memory = &thread->launch->memory;
  return (struct shadow_access){
      .epoch = memory->epoch,
      .phase = thread->launch->warps[thread->index / EMULATOR_WARP_SIZE].phase,
      .thread = thread->index,
      .location = location_id(memory, location)};
}

static inline bool same_warp(struct shadow_access a, struct shadow_access b) {
  return a.thread / EMULATOR_WARP_SIZE == b.thread / EMULATOR_WARP_SIZE;
}

/* Whether an earlier access `then` is unordered with one by `now` in the current epoch. */
static inline bool unordered(struct shadow_access then, struct shadow_access now,
                             uint64_t block_epoch) {
  if (then.epoch == 0)
    return false;
  if (then.epoch != now.epoch)
    return then.epoch < block_epoch;
  if (then.warps || !same_warp(then, now))
    return true;
  return then.phase == now.phase && (then.thread != now.thread || then.several);
}

/* Adds `now` to what `record` stands for, an access in the same epoch. */
static inline void join_record(struct shadow_access *record, struct shadow_access now) {
  bool other_warp = !same_warp(*record, now);
  if (!other_warp && !record->warps && record->phase != now.phase) {
    *record = now; /* comes behind all of it */
    return;
  }
  record->several |= record->thread != now.thread;
  record->warps |= other_warp;
}

static uint64_t block_of_epoch(const void *memory, uint64_t epoch) {
  return memory_block_of(memory, epoch);
}

/* The same with what atomic operations order between blocks. */
static inline bool races(struct memory *memory, struct shadow_access then, struct shadow_access now,
                         uint64_t block_epoch) {
  if (!unordered(then, now, block_epoch))
    return false;
  return then.epoch >= block_epoch ||
         !sync_orders(&memory->sync, (struct sync_point){then.epoch, then.thread},
                      (struct sync_point){now.epoch, now.thread}, block_of_epoch, memory);
}

static void report_race(struct emulator_thread *thread, const struct region *region, size_t offset,
                        struct shadow_access then, bool is_store, bool was_store,
                        const char *location) {
  struct emulator_launch *launch = thread->launch;
  tile_emulator_hazard hazard = {
      .kind =
          is_store && was_store ? TILE_EMULATOR_WRITE_WRITE_RACE : TILE_EMULATOR_READ_WRITE_RACE,
      .site = launch_site(thread, location),
      .other = {.location = launch->memory.locations[then.location], .thread = then.thread},
      .is_store = is_store,
      .other_is_store = was_store,
      .address = region->base + offset,
      .bytes = 1,
      .buffer = region->name,
      .buffer_bytes = region->bytes,
      .offset = (int64_t)offset,
  };
  /* With `several`, the load on record may be this thread's own and the culprit another. */
  if (then.epoch == launch->memory.epoch && then.thread == thread->index)
    hazard.other.thread = TILE_EMULATOR_UNKNOWN_THREAD;
  launch_block(launch, memory_block_of(&launch->memory, then.epoch), hazard.other.block);
  report_add(launch->report, &hazard);
}

static inline void record_read(struct shadow_cell *cell, struct shadow_access now,
                               uint64_t block_epoch) {
  struct shadow_access *read = &cell->read;
  if (read->epoch == now.epoch)
    join_record(read, now);
  else if (read->epoch == 0 || read->epoch >= block_epoch)
    *read = now;
}

void shadow_check(struct emulator_thread *thread, const struct region *region, uintptr_t address,
                  size_t bytes, bool is_store, const char *location) {
  struct memory *memory = &thread->launch->memory;
  struct shadow_access now = access_by(thread, location);
  uint64_t block_epoch = memory->block_epochs[memory->block_count - 1];
  size_t first = address - region->base;
  struct shadow_cell *cell = cell_at(region, first);
  for (size_t i = first; i < first + bytes; i++, cell++) {
    if (i % SHADOW_PAGE_CELLS == 0)
      cell = cell_at(region, i);
    if (races(memory, cell->write, now, block_epoch))
      report_race(thread, region, i, cell->write, is_store, true, location);
    if (!is_store) {
      record_read(cell, now, block_epoch);
      continue;
    }
    if (races(memory, cell->read, now, block_epoch))
      report_race(thread, region, i, cell->read, true, false, location);
    cell->write = now;
  }
}

static void report_uninitialised(struct emulator_thread *thread, size_t offset,
                                 const char *location) {
  const struct region *region = &thread->launch->memory.shared;
  tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_UNINITIALISED,
                                 .site = launch_site(thread, location),
                                 .address = region->base + offset,
                                 .bytes = 1,
                                 .buffer = region->name,
                                 .buffer_bytes = region->bytes,
                                 .offset = (int64_t)offset};
  report_add(thread->launch->report, &hazard);
}

void shadow_check_shared(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                         bool is_store, const char *location) {
  struct memory *memory = &thread->launch->memory;
  const struct region *region = &memory->shared;
  struct shadow_access now = access_by(thread, location);
  uint64_t block_epoch = memory->block_epochs[memory->block_count - 1];
  size_t first = address - region->base;
  struct shadow_cell *cell = cell_at(region, first);
  for (size_t i = first; i < first + bytes; i++, cell++) {
    if (i % SHADOW_PAGE_CELLS == 0)
      cell = cell_at(region, i);
    if (unordered(cell->write, now, 0))
      report_race(thread, region, i, cell->write, is_store, true, location);
    if (is_store && unordered(cell->read, now, 0))
      report_race(thread, region, i, cell->read, true, false, location);
    if (!is_store && cell->write.epoch < block_epoch)
      report_uninitialised(thread, i, location);
    if (is_store)
      cell->write = now;
    else if (cell->read.epoch == now.epoch)
      join_record(&cell->read, now);
    else
      cell->read = now;
  }
}

void shadow_note_group_read(struct emulator_thread *thread, size_t offset, size_t bytes, const char *location) {
  const struct region *region = &thread->launch->memory.shared;
  struct shadow_access now = access_by(thread, location);
  now.several = now.warps = 1;
  for (size_t i = offset; i < offset + bytes && i < region->bytes; i++)
    cell_at(region, i)->read = now;
}

static inline void record_atomic(struct shadow_cell *cell, struct shadow_access now,
                                 uint64_t block_epoch) {
  struct shadow_access *write = &cell->write;
  if (write->atomic && write->epoch == now.epoch)
    join_record(write, now);
  else if (!write->atomic || write->epoch >= block_epoch)
    *write = now;
}

void shadow_check_atomic(struct emulator_thread *thread, const struct region *region,
                         uintptr_t address, size_t bytes, const char *location) {
  struct memory *memory = &thread->launch->memory;
  struct shadow_access now = access_by(thread, location);
  now.atomic = 1;
  uint64_t block_epoch = memory->block_epochs[memory->block_count - 1];
  for (size_t i = address - region->base; i < address - region->base + bytes; i++) {
    struct shadow_cell *cell = cell_at(region, i);
    if (!cell->write.atomic && races(memory, cell->write, now, block_epoch))
      report_race(thread, region, i, cell->write, true, true, location);
    if (races(memory, cell->read, now, block_epoch))
      report_race(thread, region, i, cell->read, true, false, location);
    record_atomic(cell, now, block_epoch);
  }
}

void shadow_check_shared_atomic(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                                const char *location) {
  struct memory *memory = &thread->launch->memory;
  const struct region *region = &memory->shared;
  struct shadow_access now = access_by(thread, location);
  now.atomic = 1;
  uint64_t block_epoch = memory->block_epochs[memory->block_count - 1];
  for (size_t i = address - region->base; i < address - region->base + bytes; i++) {
    struct shadow_cell *cell = cell_at(region, i);
    if (!cell->write.atomic && unordered(cell->write, now, 0))
      report_race(thread, region, i, cell->write, true, true, location);
    if (unordered(cell->read, now, 0))
      report_race(thread, region, i, cell->read, true, false, location);
    if (cell->write.epoch < block_epoch)
      report_uninitialised(thread, i, location);
    record_atomic(cell, now, 0);
  }
}

struct shadow_access shadow_last_store(const struct region *region, size_t offset) {
  return cell_at(region, offset)->write;
}

void shadow_acquire(struct emulator_thread *thread, uintptr_t address) {
  struct memory *memory = &thread->launch->memory;
  if (memory->check)
    sync_acquire(&memory->sync, address, (struct sync_point){memory->epoch, thread->index},
                 memory->block_epochs[memory->block_count - 1]);
}

void shadow_release(struct emulator_thread *thread, uintptr_t address) {
  struct memory *memory = &thread->launch->memory;
  if (memory->check)
    sync_release(&memory->sync, address, (struct sync_point){memory->epoch, thread->index});
}
