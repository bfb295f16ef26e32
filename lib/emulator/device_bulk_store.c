/* SPDX-License-Identifier: MIT */
/* Device functions: bulk stores of boxes of tensors from shared to global memory, and those that
   add to what is there (PTX ISA, cp.async.bulk.tensor and cp.reduce.async.bulk.tensor with
   bulk_group). See bulk.h for when they read and when they land. */
#include "emulator/device.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "emulator/bulk_box.h"
#include "emulator/launch.h"

enum { CHUNK = 16 };

static uint32_t row_bytes(const struct bulk_copy *box) {
  return box->map.box[0] * box->map.element_bytes;
}

static struct emulator_thread *starter(struct emulator_block *block, const struct bulk_store *s) {
  return &block->threads[s->box.thread];
}

/* --- Reading and landing ---------------------------------------------------------------------- */

/* As a load of the thread that started it, which comes after what others have stored by a barrier.
 */
static void check_reading(struct emulator_thread *thread, const struct bulk_store *store) {
  const struct region *shared = &thread->block->memory.shared;
  if (shared->pages)
    shadow_check_shared(thread, shared->base + store->box.offset, store->box.bytes, false,
                        store->box.location);
}

static void read_box(struct emulator_block *block, struct bulk_store *store) {
  if (store->data)
    return;
  check_reading(starter(block, store), store);
  store->data = tile_allocate(store->box.bytes);
  for (uint32_t i = 0; i < store->box.bytes; i += CHUNK)
    memcpy(store->data + i, block->shared + bulk_swizzled(&store->box, i), CHUNK);
}

/* Where row `number` is written, and how many bytes; NULL: it lies outside of the tensor, or it is
   a hazard. */
static unsigned char *row_target(struct emulator_thread *thread, const struct bulk_store *store,
                                 uint32_t number, uint32_t *bytes) {
  const struct bulk_copy *box = &store->box;
  struct bulk_row row = bulk_row_of(box, number);
  *bytes = (row.end - row.first) * box->map.element_bytes;
  if (!*bytes)
    return NULL;
  return (store->adds ? device_sum_target : device_copy_target)(
      thread, (void *)row.source, *bytes, box->map.element_bytes, box->location);
}

static void put_row(const struct bulk_store *store, unsigned char *target, const void *data,
                    uint32_t bytes) {
  uint32_t bits[256]; /* a row of a box has no more elements */
  if (!store->adds) {
    memcpy(target, data, bytes);
    return;
  }
  memcpy(bits, data, bytes);
  for (uint32_t i = 0; i < bytes / sizeof *bits; i++)
    device_add_f32(target + i * sizeof *bits, bits[i]);
}

static void land(struct emulator_block *block, struct bulk_store *store) {
  const struct bulk_copy *box = &store->box;
  read_box(block, store);
  for (uint32_t i = 0; i < bulk_row_count(&box->map) && !box->poisoned; i++) {
    uint32_t bytes, first = bulk_row_of(box, i).first * box->map.element_bytes;
    unsigned char *target = row_target(starter(block, store), store, i, &bytes);
    if (target)
      put_row(store, target, store->data + (size_t)i * row_bytes(box) + first, bytes);
  }
  free(store->data);
  store->data = NULL;
}

static void forget(struct bulk_state *bulk, uint32_t index) {
  bulk->store_count--;
  memmove(&bulk->stores[index], &bulk->stores[index + 1],
          (bulk->store_count - index) * sizeof *bulk->stores);
}

/* --- Blocks ----------------------------------------------------------------------------------- */

void bulk_store_begin_block(struct emulator_block *block) {
  struct bulk_state *bulk = &block->bulk;
  for (uint32_t i = 0; i < bulk->store_count; i++)
    free(bulk->stores[i].data);
  bulk->store_count = 0;
}

void bulk_store_end_block(struct emulator_block *block) {
  struct bulk_state *bulk = &block->bulk;
  for (uint32_t i = 0; i < bulk->store_count; i++) {
    struct bulk_store *store = &bulk->stores[i];
    if (!store->data)
      bulk_report(starter(block, store), store->box.location,
                  "the block ends while the store reads its shared memory; wait for that first");
    land(block, store);
  }
  bulk->store_count = 0;
}

void bulk_store_destroy(struct bulk_state *bulk) {
  for (uint32_t i = 0; i < bulk->store_count; i++)
    free(bulk->stores[i].data);
  free(bulk->stores);
}

/* --- Starting --------------------------------------------------------------------------------- */

/* Where it writes, as stores of the thread; false when one is a hazard. */
static bool check_target(struct emulator_thread *thread, struct bulk_store *store) {
  bool right = true;
  store->first = UINTPTR_MAX;
  for (uint32_t i = 0; i < bulk_row_count(&store->box.map); i++) {
    uint32_t bytes;
    struct bulk_row row = bulk_row_of(&store->box, i);
    unsigned char *target = row_target(thread, store, i, &bytes);
    thread->launch->counts.global_bytes += store->adds ? 2 * (uint64_t)bytes : bytes;
    right &= !bytes || target;
    if (!bytes)
      continue;
    bulk_store_check_global(thread, row.source, bytes,
                            store->adds ? BULK_MEETS_ATOMIC : BULK_MEETS_STORE,
                            store->box.location);
    store->first = row.source < store->first ? row.source : store->first;
    store->end = row.source + bytes > store->end ? row.source + bytes : store->end;
  }
  return right;
}

/* What the threads have stored comes before its reads by a fence, as before wgmma's. */
static void check_source(struct emulator_thread *thread, const struct bulk_store *store) {
  const struct bulk_copy *box = &store->box;
  const struct region *shared = &thread->block->memory.shared;
  async_check(thread, shared->base + box->offset, box->bytes, false, box->location);
  check_reading(thread, store);
  if (shared->pages)
    wgmma_check_proxy(thread, box->offset, box->bytes, "bulk store reads", box->location);
}

/* A GPU writes whole units of 16 bytes, also where the tensor's row ends inside of one (seen on an
   H100). */
static bool writes_behind_rows(const struct bulk_copy *box) {
  enum { UNIT = 16 };
  const struct tensor_map *map = &box->map;
  return map->sizes[0] * map->element_bytes % UNIT != 0 &&
         (int64_t)box->at[0] + map->box[0] > (int64_t)map->sizes[0];
}

/* Where the box is in shared memory, and in the tensor. */
struct place {
  const void *map;
  void *source;
  uint32_t rank, at[TENSOR_MAP_RANK];
};

static void start(struct emulator_thread *thread, const struct place *place, bool adds,
                  const char *location) {
  struct bulk_state *bulk = &thread->block->bulk;
  struct bulk_store store = {.box = {.location = location, .thread = thread->index},
                             .group = thread->bulk_groups,
                             .adds = adds};
  if (!bulk_prepare(thread, &store.box, place->source, place->map, place->rank, place->at))
    return;
  if (adds && store.box.map.element != ELEMENT_F32) {
    bulk_report(thread, location, "the emulator adds up boxes of fp32 alone");
    return;
  }
  if (writes_behind_rows(&store.box))
    bulk_report(thread, location,
                "the tensor's rows end inside of 16 bytes, all of which a GPU writes");
  thread->launch->counts.shared_bytes += store.box.bytes;
  check_source(thread, &store);
  store.box.poisoned = !check_target(thread, &store);
  bulk->stores =
      tile_grow(bulk->stores, bulk->store_count, &bulk->store_capacity, sizeof *bulk->stores);
  bulk->stores[bulk->store_count++] = store;
}

void tile_emu_tensor_store(struct emulator_thread *thread, const void *map, void *source,
                           uint32_t predicate, uint32_t rank, uint32_t x0, uint32_t x1, uint32_t x2,
                           uint32_t x3, uint32_t x4, const char *location) {
  struct place place = {map, source, rank, {x0, x1, x2, x3, x4}};
  thread->launch->counts.accesses++;
  if (predicate)
    start(thread, &place, false, location);
}

void tile_emu_tensor_add(struct emulator_thread *thread, const void *map, void *source,
                         uint32_t predicate, uint32_t rank, uint32_t x0, uint32_t x1, uint32_t x2,
                         uint32_t x3, uint32_t x4, const char *location) {
  struct place place = {map, source, rank, {x0, x1, x2, x3, x4}};
  thread->launch->counts.accesses++;
  if (predicate)
    start(thread, &place, true, location);
}

void tile_emu_bulk_commit(struct emulator_thread *thread) {
  thread->bulk_groups++;
}

/* The thread's groups but the latest `pending` have read their boxes, or also landed. */
static void wait_for(struct emulator_thread *thread, uint32_t pending, bool landed) {
  struct bulk_state *bulk = &thread->block->bulk;
  for (uint32_t i = 0; i < bulk->store_count;) {
    struct bulk_store *store = &bulk->stores[i];
    bool covered = store->box.thread == thread->index && store->group < thread->bulk_groups &&
                   thread->bulk_groups - store->group > pending;
    if (covered)
      read_box(thread->block, store);
    if (covered && landed) {
      land(thread->block, store);
      forget(bulk, i);
    } else {
      i++;
    }
  }
}

void tile_emu_bulk_wait(struct emulator_thread *thread, uint32_t pending) {
  wait_for(thread, pending, true);
}

void tile_emu_bulk_wait_read(struct emulator_thread *thread, uint32_t pending) {
  wait_for(thread, pending, false);
}

/* --- Accesses --------------------------------------------------------------------------------- */

static void report_meeting(struct emulator_thread *thread, tile_emulator_hazard hazard,
                           const struct bulk_store *store, const char *what) {
  hazard.other = launch_site(starter(thread->block, store), store->box.location);
  hazard.other_is_store = true;
  hazard.message = what;
  report_add(thread->launch->report, &hazard);
}

void bulk_store_check_shared(struct emulator_thread *thread, size_t offset, size_t bytes,
                             const char *location) {
  const struct bulk_state *bulk = &thread->block->bulk;
  for (uint32_t i = 0; i < bulk->store_count; i++) {
    const struct bulk_store *store = &bulk->stores[i];
    size_t first = store->box.offset, end = first + store->box.bytes;
    if (store->data || offset >= end || offset + bytes <= first)
      continue;
    tile_emulator_hazard hazard = launch_shared_hazard(thread, TILE_EMULATOR_IN_FLIGHT,
                                                       offset < first ? first : offset, location);
    hazard.is_store = true;
    report_meeting(thread, hazard, store, "still reads");
    return;
  }
}

static bool writes_in(const struct bulk_store *store, uintptr_t address, size_t bytes) {
  if (address >= store->end || address + bytes <= store->first)
    return false;
  for (uint32_t i = 0; i < bulk_row_count(&store->box.map); i++) {
    struct bulk_row row = bulk_row_of(&store->box, i);
    uintptr_t end = row.source + (row.end - row.first) * (size_t)store->box.map.element_bytes;
    if (address < end && row.source < address + bytes)
      return true;
  }
  return false;
}

void bulk_store_check_global(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                             enum bulk_meeting meeting, const char *location) {
  const struct bulk_state *bulk = &thread->block->bulk;
  for (uint32_t i = 0; i < bulk->store_count; i++) {
    bool both_add = meeting == BULK_MEETS_ATOMIC && bulk->stores[i].adds;
    if (both_add || !writes_in(&bulk->stores[i], address, bytes))
      continue;
    const struct region *region = memory_find(&thread->launch->memory, address, bytes);
    tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_IN_FLIGHT,
                                   .site = launch_site(thread, location),
                                   .is_store = meeting != BULK_MEETS_LOAD,
                                   .address = address,
                                   .bytes = bytes,
                                   .buffer = region ? region->name : NULL,
                                   .buffer_bytes = region ? region->bytes : 0,
                                   .offset = region ? (int64_t)(address - region->base) : 0};
    report_meeting(thread, hazard, &bulk->stores[i], "still writes");
    return;
  }
}
