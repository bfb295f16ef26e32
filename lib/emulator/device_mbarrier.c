/* SPDX-License-Identifier: MIT */
/* Device functions: barriers in shared memory that count arrivals and bytes (PTX ISA, mbarrier).
   See bulk.h. */
#include "emulator/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "emulator/launch.h"

enum { MAX_BYTES = (1 << 20) - 1, MESSAGE_BYTES = 256 };

static void report_misuse(struct emulator_thread *thread, const char *location,
                          const char *message) {
  tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_MBARRIER_MISUSE,
                                 .site = launch_site(thread, location),
                                 .message = message};
  report_add(thread->launch->report, &hazard);
}

/* The one at this place, live or not; NULL: there never was one. */
static struct mbarrier *at_offset(const struct bulk_state *bulk, size_t offset) {
  for (uint32_t i = 0; i < bulk->barrier_count; i++)
    if (bulk->barriers[i].offset == offset)
      return &bulk->barriers[i];
  return NULL;
}

static size_t offset_of(const struct emulator_thread *thread, const void *address) {
  return (uintptr_t)address - thread->block->memory.shared.base;
}

/* For the race check, making and ending a barrier is a store, its use a load. */
static void note_access(struct emulator_thread *thread, const void *address, bool is_store,
                        const char *location) {
  if (thread->block->memory.shared.pages)
    shadow_check_shared(thread, (uintptr_t)address, BULK_BARRIER_BYTES, is_store, location);
}

/* Another block has made the barrier before: so a fence says, and a barrier of the cluster. */
static void check_made(struct emulator_thread *thread, const struct mbarrier *barrier,
                       const char *location) {
  if (!barrier->fenced)
    report_misuse(thread, location,
                  "no fence_mbarrier_init between the making of the barrier and its use by another "
                  "block");
  if (thread->cluster_passed <= barrier->made)
    report_misuse(
        thread, location,
        "the thread has not waited at a barrier of the cluster since the barrier was made "
        "in the other block");
}

struct mbarrier *mbarrier_find(struct emulator_thread *thread, const void *address,
                               const char *location) {
  return mbarrier_find_in(thread, thread->block, address, location);
}

struct mbarrier *mbarrier_find_in(struct emulator_thread *thread, struct emulator_block *block,
                                  const void *address, const char *location) {
  thread->launch->counts.accesses++;
  struct mbarrier *barrier = at_offset(&block->bulk, offset_of(thread, address));
  if (!barrier || !barrier->live) {
    report_misuse(thread, location,
                  barrier ? "the barrier has been ended; make it again with mbarrier.init"
                          : "there is no barrier; make it with mbarrier.init first");
    return NULL;
  }
  if (block == thread->block)
    note_access(thread, address, false, location);
  else
    check_made(thread, barrier, location);
  return barrier;
}

/* --- Making and ending ------------------------------------------------------------------------ */

static struct mbarrier *add_barrier(struct emulator_thread *thread, size_t offset,
                                    const char *location) {
  struct bulk_state *bulk = &thread->block->bulk;
  if (bulk->barrier_count == BULK_BARRIERS)
    tile_emu_trap(thread, location, "the emulator has room for 255 barriers of a block");
  bulk->barriers = tile_grow(bulk->barriers, bulk->barrier_count, &bulk->barrier_capacity,
                             sizeof *bulk->barriers);
  struct mbarrier *barrier = &bulk->barriers[bulk->barrier_count++];
  *barrier = (struct mbarrier){.offset = offset};
  barrier->seen = tile_allocate(thread->launch->thread_count * sizeof *barrier->seen);
  memset(barrier->seen, 0, thread->launch->thread_count * sizeof *barrier->seen);
  return barrier;
}

/* Phases of a barrier that is made again go on with the next even number. */
void tile_emu_mbarrier_init(struct emulator_thread *thread, void *address, uint32_t arrivals,
                            uint32_t predicate, const char *location) {
  thread->launch->counts.accesses++;
  if (!predicate ||
      !device_admit_shared(thread, address, BULK_BARRIER_BYTES, BULK_BARRIER_BYTES, location))
    return;
  size_t offset = offset_of(thread, address);
  struct mbarrier *barrier = at_offset(&thread->block->bulk, offset);
  if (barrier && barrier->live) {
    report_misuse(thread, location, "the barrier is made twice; end it with mbarrier.inval first");
    return;
  }
  warp_order_need(thread->block);
  async_check(thread, (uintptr_t)address, BULK_BARRIER_BYTES, true, location);
  note_access(thread, address, true, location);
  if (!barrier)
    barrier = add_barrier(thread, offset, location);
  barrier->live = true;
  barrier->fenced = false;
  barrier->arrivals = barrier->missing = arrivals;
  barrier->bytes = 0;
  barrier->phase = (barrier->phase + 2) & ~1u;
  barrier->maker = thread->index;
  barrier->made = thread->block->cluster ? thread->block->cluster->phase : 0;
  barrier->location = location;
}

static bool is_used(const struct emulator_block *block, uint32_t index) {
  for (uint32_t i = 0; i < block->bulk.copy_count; i++)
    if (block->bulk.copies[i].barrier == index)
      return true;
  for (uint32_t i = 0; i < block->launch->thread_count; i++)
    if (block->threads[i].awaits == index + 1)
      return true;
  return false;
}

void tile_emu_mbarrier_inval(struct emulator_thread *thread, void *address, uint32_t predicate,
                             const char *location) {
  struct mbarrier *barrier = predicate ? mbarrier_find(thread, address, location) : NULL;
  if (!barrier)
    return;
  note_access(thread, address, true, location);
  if (is_used(thread->block, (uint32_t)(barrier - thread->block->bulk.barriers)))
    report_misuse(thread, location,
                  "the barrier is ended while copies that complete on it are in flight, or threads "
                  "wait for it");
  barrier->live = false;
}

void tile_emu_fence_mbarrier_init(struct emulator_thread *thread) {
  struct bulk_state *bulk = &thread->block->bulk;
  for (uint32_t i = 0; i < bulk->barrier_count; i++)
    if (bulk->barriers[i].maker == thread->index)
      bulk->barriers[i].fenced = true;
}

/* --- Phases ----------------------------------------------------------------------------------- */

static bool is_over(const struct mbarrier *barrier, uint32_t parity) {
  return (barrier->phase & 1) != (parity & 1);
}

/* Copies that the phase should have waited for. */
static void check_landed(struct emulator_block *block, uint32_t index) {
  for (uint32_t i = 0; i < block->bulk.copy_count; i++) {
    const struct bulk_copy *copy = &block->bulk.copies[i];
    if (copy->barrier == index && copy->phase == block->bulk.barriers[index].phase)
      report_misuse(&block->threads[copy->thread], copy->location,
                    "the barrier's phase is over before the copy has landed: fewer bytes were "
                    "expected than are copied");
  }
}

static void end_phase(struct emulator_block *block, uint32_t index) {
  struct mbarrier *barrier = &block->bulk.barriers[index];
  check_landed(block, index);
  barrier->phase++;
  barrier->missing = barrier->arrivals;
  uint32_t over = (barrier->phase - 1) % BULK_WAITS;
  barrier->waits[over] = 0;
  barrier->done[over] = barrier->gathered;
  memset(&barrier->gathered, 0, sizeof barrier->gathered);
  memset(barrier->reads[over], 0, sizeof barrier->reads[over]);
  for (uint32_t i = 0; i < block->launch->thread_count; i++) {
    struct emulator_thread *thread = &block->threads[i];
    if (thread->awaits != index + 1 || !is_over(barrier, thread->parity))
      continue;
    thread->awaits = 0;
    block->bulk.waiting--;
    schedule_wake(thread);
  }
}

static void check_phase(struct emulator_block *block, uint32_t index) {
  const struct mbarrier *barrier = &block->bulk.barriers[index];
  if (!barrier->missing && !barrier->bytes)
    end_phase(block, index);
}

void mbarrier_land(struct emulator_block *block, const struct bulk_copy *copy) {
  block->bulk.barriers[copy->barrier].bytes -= copy->bytes;
  check_phase(block, copy->barrier);
}

/* The thread arrives at a barrier of `block`. */
static void arrive(struct emulator_thread *thread, struct emulator_block *block,
                   struct mbarrier *barrier, uint32_t bytes, const char *location) {
  if (!barrier->missing) {
    report_misuse(thread, location,
                  "a thread arrives at the barrier once more than its phase takes arrivals");
    return;
  }
  if (barrier->phase >= BULK_PHASES - 4)
    tile_emu_trap(thread, location, "the emulator counts 2^24 phases of a barrier");
  warp_order_release(thread, &barrier->gathered);
  barrier->missing--;
  barrier->bytes += bytes;
  if (barrier->bytes > MAX_BYTES)
    report_misuse(thread, location, "the barrier expects more than 2^20 - 1 bytes");
  check_phase(block, (uint32_t)(barrier - block->bulk.barriers));
}

void tile_emu_mbarrier_expect_tx(struct emulator_thread *thread, void *address, uint32_t bytes,
                                 uint32_t predicate, const char *location) {
  struct mbarrier *barrier = predicate ? mbarrier_find(thread, address, location) : NULL;
  if (barrier)
    arrive(thread, thread->block, barrier, bytes, location);
}

void tile_emu_mbarrier_arrive_at(struct emulator_thread *thread, void *address, uint32_t rank,
                                 uint32_t predicate, const char *location) {
  struct emulator_block *block = predicate ? cluster_block(thread, rank, location) : NULL;
  if (!block)
    return;
  warp_order_need(thread->block);
  cluster_note_use(thread, block, location);
  struct mbarrier *barrier = mbarrier_find_in(thread, block, address, location);
  if (barrier)
    arrive(thread, block, barrier, 0, location);
}

/* --- Waiting ---------------------------------------------------------------------------------- */

static void note_seen(struct emulator_thread *thread, struct mbarrier *barrier) {
  uint32_t over = barrier->phase - 1;
  uint64_t *first = &barrier->waits[over % BULK_WAITS];
  barrier->seen[thread->index] = barrier->phase;
  warp_order_acquire(thread, &barrier->done[over % BULK_WAITS]);
  if (!*first)
    *first = thread->block->memory.epoch;
}

void tile_emu_mbarrier_wait(struct emulator_thread *thread, void *address, uint32_t parity,
                            const char *location) {
  struct mbarrier *barrier = mbarrier_find(thread, address, location);
  if (!barrier)
    return;
  struct bulk_state *bulk = &thread->block->bulk;
  uint32_t index = (uint32_t)(barrier - bulk->barriers);
  while (!is_over(&bulk->barriers[index], parity)) {
    thread->awaits = index + 1;
    thread->parity = parity & 1;
    bulk->waiting++;
    schedule_park(thread, location);
  }
  note_seen(thread, &bulk->barriers[index]);
}

uint32_t mbarrier_stamp(const struct bulk_copy *copy) {
  return copy->phase << 8 | (copy->barrier + 1);
}

struct warp_read *mbarrier_reads(struct emulator_block *block, uint32_t stamp) {
  struct mbarrier *barrier = &block->bulk.barriers[(stamp & 0xFF) - 1];
  uint32_t phase = stamp >> 8;
  return barrier->phase - phase > BULK_WAITS ? NULL : barrier->reads[phase % BULK_WAITS];
}

bool mbarrier_shows(const struct emulator_thread *thread, uint32_t stamp) {
  const struct mbarrier *barrier = &thread->block->bulk.barriers[(stamp & 0xFF) - 1];
  uint32_t phase = stamp >> 8;
  if (barrier->seen[thread->index] > phase || barrier->phase - phase > BULK_WAITS)
    return true;
  uint64_t first = barrier->waits[phase % BULK_WAITS];
  return first && first < thread->block->memory.epoch;
}

/* --- Deadlocks -------------------------------------------------------------------------------- */

static void report_deadlock(struct emulator_block *block, struct emulator_thread *thread,
                            uint32_t count) {
  const struct mbarrier *barrier = &block->bulk.barriers[thread->awaits - 1];
  char message[MESSAGE_BYTES];
  snprintf(message, sizeof message,
           "%" PRIu32 " thread%s for the end of a phase of parity %" PRIu32
           " of the barrier at byte %zu of shared memory, made at %.80s; it lacks %" PRIu32
           " arrival%s and %" PRId64 " bytes, and nothing that could end it is left",
           count, count == 1 ? " waits" : "s wait", thread->parity, barrier->offset,
           barrier->location ? barrier->location : "an unknown location", barrier->missing,
           barrier->missing == 1 ? "" : "s", barrier->bytes);
  tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_DEADLOCK,
                                 .site = launch_site(thread, thread->barrier),
                                 .message = message};
  report_add(block->launch->report, &hazard);
}

void bulk_report_deadlocks(struct emulator_block *block) {
  for (uint32_t index = 1; index <= block->bulk.barrier_count; index++) {
    struct emulator_thread *first = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < block->launch->thread_count; i++)
      if (block->threads[i].awaits == index) {
        first = first ? first : &block->threads[i];
        count++;
      }
    if (first)
      report_deadlock(block, first, count);
  }
}

bool bulk_progress(struct emulator_block *block) {
  while (block->bulk.copy_count && !block->ready)
    bulk_land_one(block);
  if (block->ready || block->cluster)
    return block->ready;
  bulk_report_deadlocks(block);
  block->launch->stopped = true;
  return false;
}
