/* SPDX-License-Identifier: MIT */
/* Device functions: bulk copies of boxes of tensors from global to shared memory (PTX ISA,
   cp.async.bulk.tensor). See bulk.h for when they land. */
#include "emulator/device.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "emulator/bulk_box.h"
#include "emulator/launch.h"

enum { CHUNK = 16 };

/* Bytes of shared memory whose loads are noted together: stages of operands begin at multiples. */
enum { READ_CHUNK = 256 };

/* --- Blocks ----------------------------------------------------------------------------------- */

static size_t read_chunks(const struct emulator_block *block) {
  return (block->memory.shared.bytes + READ_CHUNK - 1) / READ_CHUNK;
}

void bulk_begin_block(struct emulator_block *block) {
  struct bulk_state *bulk = &block->bulk;
  bulk_store_begin_block(block);
  for (uint32_t i = 0; i < bulk->barrier_count; i++)
    free(bulk->barriers[i].seen);
  bulk->barrier_count = bulk->copy_count = bulk->waiting = 0;
  warp_order_restart(block, true);
  if (bulk->reads)
    memset(bulk->reads, 0, read_chunks(block) * sizeof *bulk->reads);
  if (bulk->copy_reads)
    memset(bulk->copy_reads, 0, read_chunks(block) * sizeof *bulk->copy_reads);
  if (bulk->stamps)
    memset(bulk->stamps, 0, block->memory.shared.bytes * sizeof *bulk->stamps);
}

void bulk_end_block(struct emulator_block *block) {
  for (uint32_t i = 0; i < block->bulk.copy_count; i++)
    bulk_report(&block->threads[block->bulk.copies[i].thread], block->bulk.copies[i].location,
                "the block ends while the copy is in flight; wait for it first");
  bulk_store_end_block(block);
}

void bulk_destroy(struct bulk_state *bulk) {
  for (uint32_t i = 0; i < bulk->barrier_count; i++)
    free(bulk->barriers[i].seen);
  free(bulk->barriers);
  free(bulk->copies);
  bulk_store_destroy(bulk);
  free(bulk->stamps);
  free(bulk->reads);
  free(bulk->copy_reads);
  free(bulk->order);
  *bulk = (struct bulk_state){0};
}

/* --- Landing ---------------------------------------------------------------------------------- */

static void fill_outside(const struct bulk_copy *copy, unsigned char *element) {
  static const double nan = __builtin_nan("");
  if (copy->map.pads_with_nan)
    element_store((enum element_type)copy->map.element, element, nan);
  else
    memset(element, 0, copy->map.element_bytes);
}

static void land_row(struct emulator_block *block, const struct bulk_copy *copy, uint32_t number) {
  enum { MAX_BYTES = 256 * sizeof(uint64_t) };
  struct bulk_row row = bulk_row_of(copy, number);
  uint32_t bytes = copy->map.element_bytes, all = copy->map.box[0] * bytes;
  unsigned char elements[MAX_BYTES];
  for (uint32_t i = 0; i < copy->map.box[0]; i++)
    if (i < row.first || i >= row.end)
      fill_outside(copy, elements + (size_t)i * bytes);
  unsigned char *inside = elements + (size_t)row.first * bytes;
  if (copy->poisoned)
    memset(inside, EMULATOR_POISON, (size_t)(row.end - row.first) * bytes);
  else if (row.end > row.first)
    memcpy(inside, (const void *)row.source, (size_t)(row.end - row.first) * bytes);
  for (uint32_t i = 0; i < all; i += CHUNK)
    memcpy(block->shared + bulk_swizzled(copy, (size_t)number * all + i), elements + i, CHUNK);
}

static void stamp(struct emulator_block *block, const struct bulk_copy *copy) {
  struct bulk_state *bulk = &block->bulk;
  size_t total = block->memory.shared.bytes;
  if (!bulk->stamps) {
    bulk->stamps = tile_allocate(total * sizeof *bulk->stamps);
    memset(bulk->stamps, 0, total * sizeof *bulk->stamps);
  }
  for (uint32_t i = 0; i < copy->bytes; i++)
    bulk->stamps[copy->offset + i] = mbarrier_stamp(copy);
}

static void land(struct emulator_block *block, const struct bulk_copy *copy) {
  struct emulator_thread *thread = &block->threads[copy->thread];
  uintptr_t address = block->memory.shared.base + copy->offset;
  async_mark(block, copy->offset, copy->bytes, -1);
  wgmma_note_store(thread, address, copy->bytes, false, copy->location);
  for (uint32_t i = 0; i < bulk_row_count(&copy->map); i++)
    land_row(block, copy, i);
  if (block->memory.shared.pages) {
    shadow_note_landed(thread, copy->offset, copy->bytes, copy->location);
    stamp(block, copy);
  }
  mbarrier_land(block, copy);
}

void bulk_land_one(struct emulator_block *block) {
  struct bulk_state *bulk = &block->bulk;
  if (!bulk->copy_count)
    return;
  uint32_t chosen = random_below(&block->launch->random, bulk->copy_count);
  struct bulk_copy copy = bulk->copies[chosen];
  bulk->copies[chosen] = bulk->copies[--bulk->copy_count];
  land(block, &copy);
}

/* --- Starting --------------------------------------------------------------------------------- */

/* Where the copy reads, as loads of the thread; false when one is a hazard. */
static bool check_source(struct emulator_thread *thread, const struct bulk_copy *copy) {
  bool right = true;
  for (uint32_t i = 0; i < bulk_row_count(&copy->map); i++) {
    struct bulk_row row = bulk_row_of(copy, i);
    uint32_t bytes = (row.end - row.first) * copy->map.element_bytes;
    thread->launch->counts.global_bytes += bytes;
    if (bytes)
      right &= device_copy_source(thread, (const void *)row.source, bytes, copy->map.element_bytes,
                                  copy->location) != NULL;
  }
  return right;
}

/* In the block of the thread. */
static void check_barriers(struct emulator_thread *thread, size_t offset, size_t bytes,
                           const char *location) {
  const struct bulk_state *bulk = &thread->block->bulk;
  for (uint32_t i = 0; i < bulk->barrier_count; i++) {
    const struct mbarrier *barrier = &bulk->barriers[i];
    if (barrier->live && barrier->offset < offset + bytes &&
        offset < barrier->offset + BULK_BARRIER_BYTES)
      bulk_report(thread, location,
                  "an access of memory that is a barrier; end it with mbarrier.inval "
                  "first");
  }
}

static void report_reader(struct emulator_thread *thread, struct emulator_block *block,
                          const struct bulk_copy *copy, size_t offset, const struct warp_read *read,
                          uint32_t warp) {
  tile_emulator_hazard hazard =
      launch_shared_hazard(thread, TILE_EMULATOR_READ_WRITE_RACE, offset, copy->location);
  bool lane = read->thread != (uint32_t)ALL_LANES;
  struct emulator_thread *reader = &block->threads[lane ? read->thread : warp * MACHINE_LANES];
  hazard.is_store = true;
  hazard.other = launch_site(reader, read->location);
  report_add(thread->launch->report, &hazard);
}

/* The warp's last load of these bytes, or of a few beside them, that is not over; NULL: none. */
static const struct warp_read *find_reader(struct emulator_thread *thread,
                                           struct emulator_block *block, size_t first, size_t end,
                                           uint32_t warp) {
  const struct bulk_state *bulk = &block->bulk;
  for (size_t i = first / READ_CHUNK; bulk->copy_reads && i * READ_CHUNK < end; i++)
    if (!warp_read_is_over(thread, block, &bulk->copy_reads[i][warp], warp))
      return &bulk->copy_reads[i][warp];
  return NULL;
}

/* Bytes with this stamp: everyone has read what an earlier copy brought there. Copies that complete
   in one phase of one mbarrier may be given back at different times, so that the last load of any
   of them is not enough to say that these bytes are still read. */
static void check_readers(struct emulator_thread *thread, struct emulator_block *block,
                          const struct bulk_copy *copy, size_t first, size_t end, uint32_t stamp) {
  const struct warp_read *reads = mbarrier_reads(block, stamp);
  for (uint32_t w = 0; reads && w < MACHINE_BLOCK_WARPS; w++) {
    if (warp_read_is_over(thread, block, &reads[w], w))
      continue;
    const struct warp_read *read = find_reader(thread, block, first, end, w);
    if (read)
      report_reader(thread, block, copy, first, read, w);
  }
}

/* In runs of one stamp; what is no copy's the race check knows. */
static void check_earlier_uses(struct emulator_thread *thread, struct emulator_block *block,
                               const struct bulk_copy *copy) {
  const uint32_t *stamps = block->bulk.stamps;
  size_t end = copy->offset + copy->bytes, next;
  for (size_t first = copy->offset; first < end; first = next) {
    uint32_t stamp = stamps ? stamps[first] : 0;
    for (next = first + 1; next < end && stamps && stamps[next] == stamp;)
      next++;
    if (!stamps)
      next = end;
    if (stamp)
      check_readers(thread, block, copy, first, next, stamp);
    else
      shadow_check_shared(&block->threads[copy->thread], block->memory.shared.base + first,
                          next - first, true, copy->location);
  }
}

/* The generic proxy's stores come before the copy's by a fence, as before wgmma's reads. In another
   block's memory this is checked as a store of its first thread, but for what earlier copies have
   brought. */
static void check_destination(struct emulator_thread *thread, struct emulator_block *block,
                              const struct bulk_copy *copy) {
  struct emulator_thread *storing = &block->threads[copy->thread];
  uintptr_t address = block->memory.shared.base + copy->offset;
  check_barriers(storing, copy->offset, copy->bytes, copy->location);
  async_check_in_flight(storing, address, copy->bytes, true, copy->location);
  bulk_store_check_shared(storing, copy->offset, copy->bytes, copy->location);
  if (block->memory.shared.pages)
    wgmma_check_proxy(storing, copy->offset, copy->bytes, "bulk copy writes", copy->location);
  wgmma_note_store(storing, address, copy->bytes, false, copy->location);
  if (block->memory.shared.pages)
    check_earlier_uses(thread, block, copy);
}

static void start(struct emulator_thread *thread, struct emulator_block *block,
                  const struct bulk_copy *copy) {
  struct bulk_state *bulk = &block->bulk;
  check_destination(thread, block, copy);
  thread->launch->counts.shared_bytes += copy->bytes;
  if (bulk->stamps)
    memset(bulk->stamps + copy->offset, 0, copy->bytes * sizeof *bulk->stamps);
  memset(block->shared + copy->offset, EMULATOR_POISON, copy->bytes);
  async_mark(block, copy->offset, copy->bytes, 1);
  bulk->copies =
      tile_grow(bulk->copies, bulk->copy_count, &bulk->copy_capacity, sizeof *bulk->copies);
  bulk->copies[bulk->copy_count++] = *copy;
}

/* The barrier of `block` on which the copy completes; NULL: there is none. */
static struct mbarrier *find_barrier(struct emulator_thread *thread, struct emulator_block *block,
                                     const void *address, const char *location) {
  struct mbarrier *barrier = mbarrier_find_in(thread, block, address, location);
  if (barrier && !barrier->fenced && block == thread->block)
    bulk_report(thread, location,
                "no fence_mbarrier_init between the making of the barrier and a copy "
                "that completes on it");
  return barrier;
}

/* What the copy does in one block. */
static void start_in(struct emulator_thread *thread, struct emulator_block *block,
                     struct bulk_copy copy, const void *barrier) {
  struct mbarrier *found = find_barrier(thread, block, barrier, copy.location);
  if (!found)
    return;
  copy.barrier = (uint32_t)(found - block->bulk.barriers);
  copy.phase = found->phase;
  copy.thread = block == thread->block ? thread->index : 0;
  start(thread, block, &copy);
}

void tile_emu_tensor_copy(struct emulator_thread *thread, void *destination, const void *map,
                          void *barrier, uint32_t predicate, uint32_t rank, uint32_t x0,
                          uint32_t x1, uint32_t x2, uint32_t x3, uint32_t x4,
                          const char *location) {
  const uint32_t at[TENSOR_MAP_RANK] = {x0, x1, x2, x3, x4};
  struct bulk_copy copy = {.location = location};
  thread->launch->counts.accesses++;
  if (!predicate || !bulk_prepare(thread, &copy, destination, map, rank, at))
    return;
  copy.poisoned = !check_source(thread, &copy);
  start_in(thread, thread->block, copy, barrier);
}

void tile_emu_tensor_multicast(struct emulator_thread *thread, void *destination, const void *map,
                               void *barrier, uint32_t predicate, uint32_t blocks, uint32_t rank,
                               uint32_t x0, uint32_t x1, uint32_t x2, uint32_t x3, uint32_t x4,
                               const char *location) {
  const uint32_t at[TENSOR_MAP_RANK] = {x0, x1, x2, x3, x4};
  struct bulk_copy copy = {.location = location};
  thread->launch->counts.accesses++;
  if (!predicate || !bulk_prepare(thread, &copy, destination, map, rank, at))
    return;
  if (!blocks)
    bulk_report(thread, location, "the copy goes to no block: its mask is 0");
  copy.poisoned = !check_source(thread, &copy);
  warp_order_need(thread->block);
  for (uint32_t r = 0; blocks >> r; r++) {
    struct emulator_block *block = blocks >> r & 1 ? cluster_block(thread, r, location) : NULL;
    if (!block)
      continue;
    cluster_note_use(thread, block, location);
    start_in(thread, block, copy, barrier);
  }
}

/* --- Accesses --------------------------------------------------------------------------------- */

const struct bulk_copy *bulk_find(const struct emulator_block *block, size_t offset) {
  const struct bulk_state *bulk = &block->bulk;
  for (uint32_t i = 0; i < bulk->copy_count; i++)
    if (offset >= bulk->copies[i].offset && offset < bulk->copies[i].offset + bulk->copies[i].bytes)
      return &bulk->copies[i];
  return NULL;
}

/* What has landed there is not for this thread yet. */
static void report_unseen(struct emulator_thread *thread, size_t offset, bool is_store,
                          const char *location) {
  struct shadow_access store = shadow_last_store(&thread->block->memory.shared, offset);
  tile_emulator_hazard hazard =
      launch_shared_hazard(thread, TILE_EMULATOR_IN_FLIGHT, offset, location);
  hazard.is_store = is_store;
  hazard.other = launch_site(&thread->block->threads[store.thread],
                             thread->launch->memory.locations[store.location]);
  hazard.message = "this thread has not waited for its barrier";
  report_add(thread->launch->report, &hazard);
}

/* Makes room for what is noted of each READ_CHUNK bytes of shared memory. */
static void make_reads(const struct emulator_block *block,
                       struct warp_read (**reads)[MACHINE_BLOCK_WARPS]) {
  if (*reads)
    return;
  *reads = tile_allocate(read_chunks(block) * sizeof **reads);
  memset(*reads, 0, read_chunks(block) * sizeof **reads);
}

/* Of bytes that a copy has brought. */
static void note_read(struct emulator_thread *thread, size_t offset, uint32_t stamp, bool together,
                      const char *location) {
  uint32_t warp = thread->index / MACHINE_LANES;
  struct bulk_state *bulk = &thread->block->bulk;
  struct warp_read *reads = mbarrier_reads(thread->block, stamp);
  if (!reads)
    return;
  warp_read_note(thread, &reads[warp], together, location);
  make_reads(thread->block, &bulk->copy_reads);
  bulk->copy_reads[offset / READ_CHUNK][warp] = reads[warp];
}

/* The same of a byte that threads have stored, where anything could put a store after it but a
   barrier of the block. */
static void note_stored_read(struct emulator_thread *thread, size_t offset, bool together,
                             const char *location) {
  struct emulator_block *block = thread->block;
  struct bulk_state *bulk = &block->bulk;
  if (!bulk->order || !block->memory.shared.pages)
    return;
  make_reads(block, &bulk->reads);
  struct warp_read *reads = bulk->reads[offset / READ_CHUNK];
  warp_read_note(thread, &reads[thread->index / MACHINE_LANES], together, location);
}

bool bulk_reads_are_over(const struct emulator_thread *thread, size_t offset) {
  const struct emulator_block *block = thread->block;
  const struct warp_read *reads = block->bulk.reads ? block->bulk.reads[offset / READ_CHUNK] : NULL;
  for (uint32_t w = 0; reads && w < MACHINE_BLOCK_WARPS; w++)
    if (!warp_read_is_over(thread, block, &reads[w], w))
      return false;
  return reads != NULL;
}

void bulk_note_warp_read(struct emulator_thread *thread, size_t offset, size_t bytes,
                         const char *location) {
  const uint32_t *stamps = thread->block->bulk.stamps;
  uint32_t known = 0;
  for (size_t i = offset; stamps && i < offset + bytes; i++) {
    if (stamps[i] && (stamps[i] != known || i % READ_CHUNK == 0))
      note_read(thread, i, stamps[i], true, location);
    known = stamps[i];
  }
  if (!stamps || !stamps[offset])
    note_stored_read(thread, offset, true, location);
}

/* A store is no reader of what its phase has brought: its own bytes are the race check's from then
   on, and the others another copy may overwrite. */
void bulk_check(struct emulator_thread *thread, size_t offset, size_t bytes, bool is_store,
                const char *location) {
  uint32_t *stamps = thread->block->bulk.stamps, known = 0;
  check_barriers(thread, offset, bytes, location);
  for (size_t i = offset; stamps && i < offset + bytes; i++) {
    if (stamps[i] && stamps[i] != known) {
      if (!mbarrier_shows(thread, stamps[i]))
        report_unseen(thread, i, is_store, location);
      if (!is_store)
        note_read(thread, i, stamps[i], false, location);
    }
    known = stamps[i];
    if (is_store)
      stamps[i] = 0;
  }
  if (!is_store && (!stamps || !stamps[offset]))
    note_stored_read(thread, offset, false, location);
}
