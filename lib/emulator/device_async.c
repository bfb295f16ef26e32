/* SPDX-License-Identifier: MIT */
/* Device functions: asynchronous copies from global to shared memory (PTX ISA, cp.async).

   A copy lands as late as it may: at the wait that covers it, byte by byte from what its source
   holds then. Until that its destination is poison, and whoever touches it is reported. For the
   race check it is a store twice, when it starts and when it lands, since it may write at any time
   between.

   A thread's copies are a list, oldest first, of records in one pool. Each byte of shared memory
   has a count of the copies in flight to it. */
#include "emulator/device.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "emulator/launch.h"

struct async_copy {
  unsigned char *destination;
  const unsigned char *source; /* NULL: poison, as it was a hazard to read it */
  uint32_t bytes, source_bytes;
  uint32_t group; /* number of the thread's commit that closes it */
  uint32_t thread;
  uint32_t next; /* index + 1 */
  const char *location;
};

void async_begin_block(struct async_copies *copies, size_t shared_bytes) {
  if (copies->in_flight)
    memset(copies->marks, 0, shared_bytes);
  copies->count = copies->free = copies->in_flight = 0;
}

void async_destroy(struct async_copies *copies) {
  free(copies->pool);
  free(copies->marks);
  *copies = (struct async_copies){0};
}

static uint32_t take_record(struct async_copies *copies) {
  if (copies->free) {
    uint32_t index = copies->free;
    copies->free = copies->pool[index - 1].next;
    return index;
  }
  copies->pool = tile_grow(copies->pool, copies->count, &copies->capacity, sizeof *copies->pool);
  return ++copies->count;
}

void async_mark(struct emulator_block *block, size_t first, size_t bytes, int change) {
  struct async_copies *copies = &block->copies;
  size_t total = block->memory.shared.bytes;
  if (!copies->marks) {
    copies->marks = tile_allocate(total);
    memset(copies->marks, 0, total);
  }
  for (size_t i = first; i < first + bytes; i++)
    copies->marks[i] = (uint8_t)(copies->marks[i] + change);
  copies->in_flight += (uint32_t)change;
}

static void mark(struct emulator_block *block, const struct async_copy *copy, int change) {
  async_mark(block, (uintptr_t)copy->destination - block->memory.shared.base, copy->bytes, change);
}

/* A copy in flight to this byte. */
static const struct async_copy *find_copy(struct emulator_block *block, const unsigned char *byte) {
  for (uint32_t t = 0; t < block->launch->thread_count; t++) {
    uint32_t index = block->threads[t].first_copy;
    for (; index; index = block->copies.pool[index - 1].next) {
      const struct async_copy *copy = &block->copies.pool[index - 1];
      if (byte >= copy->destination && byte < copy->destination + copy->bytes)
        return copy;
    }
  }
  return NULL;
}

void async_check(struct emulator_thread *thread, uintptr_t address, size_t bytes, bool is_store,
                 const char *location) {
  if (thread->block->bulk.barrier_count)
    bulk_check(thread, address - thread->block->memory.shared.base, bytes, is_store, location);
  if (is_store && thread->block->bulk.store_count)
    bulk_store_check_shared(thread, address - thread->block->memory.shared.base, bytes, location);
  async_check_in_flight(thread, address, bytes, is_store, location);
}

void async_check_in_flight(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                           bool is_store, const char *location) {
  struct emulator_block *block = thread->block;
  const struct region *region = &block->memory.shared;
  if (!block->copies.in_flight)
    return;
  for (size_t i = address - region->base; i < address - region->base + bytes; i++) {
    if (!block->copies.marks[i])
      continue;
    const struct async_copy *copy = find_copy(block, (unsigned char *)region->base + i);
    const struct bulk_copy *bulk = bulk_find(block, i);
    tile_emulator_hazard hazard =
        launch_shared_hazard(thread, TILE_EMULATOR_IN_FLIGHT, i, location);
    hazard.is_store = is_store;
    if (copy)
      hazard.other = launch_site(&block->threads[copy->thread], copy->location);
    else if (bulk)
      hazard.other = launch_site(&block->threads[bulk->thread], bulk->location);
    hazard.message = bulk ? "no wait for its barrier has come before" : NULL;
    report_add(thread->launch->report, &hazard);
    return;
  }
}

static void append(struct emulator_thread *thread, const struct async_copy *copy) {
  struct async_copies *copies = &thread->block->copies;
  uint32_t index = take_record(copies);
  copies->pool[index - 1] = *copy;
  if (thread->last_copy)
    copies->pool[thread->last_copy - 1].next = index;
  else
    thread->first_copy = index;
  thread->last_copy = index;
  memset(copy->destination, EMULATOR_POISON, copy->bytes);
  mark(thread->block, copy, 1);
}

void tile_emu_cp_async(struct emulator_thread *thread, void *destination, void *source,
                       uint32_t bytes, uint32_t source_bytes, uint32_t predicate,
                       const char *location) {
  struct emulator_counts *counts = &thread->launch->counts;
  counts->accesses++;
  if (!predicate)
    return;
  counts->global_bytes += source_bytes;
  counts->shared_bytes += bytes;
  if (source_bytes > bytes)
    tile_emu_trap(thread, location, "cp.async reads more bytes than it copies");
  struct async_copy copy = {.bytes = bytes,
                            .source_bytes = source_bytes,
                            .group = thread->copy_groups,
                            .thread = thread->index,
                            .location = location};
  if (source_bytes)
    copy.source = device_copy_source(thread, source, source_bytes, bytes, location);
  if (!device_admit_shared(thread, destination, bytes, bytes, location))
    return;
  async_check(thread, (uintptr_t)destination, bytes, true, location);
  wgmma_note_store(thread, (uintptr_t)destination, bytes, false, location);
  if (thread->block->memory.shared.pages)
    shadow_check_shared(thread, (uintptr_t)destination, bytes, true, location);
  copy.destination = destination;
  append(thread, &copy);
}

void tile_emu_cp_async_commit(struct emulator_thread *thread) {
  thread->copy_groups++;
}

static void land(struct emulator_thread *thread, const struct async_copy *copy) {
  mark(thread->block, copy, -1);
  wgmma_note_store(thread, (uintptr_t)copy->destination, copy->bytes, false, copy->location);
  if (thread->block->memory.shared.pages)
    shadow_check_shared(thread, (uintptr_t)copy->destination, copy->bytes, true, copy->location);
  memset(copy->destination, 0, copy->bytes);
  if (copy->source)
    memcpy(copy->destination, copy->source, copy->source_bytes);
  else if (copy->source_bytes)
    memset(copy->destination, EMULATOR_POISON, copy->source_bytes);
}

void tile_emu_cp_async_wait(struct emulator_thread *thread, uint32_t pending) {
  struct async_copies *copies = &thread->block->copies;
  while (thread->first_copy) {
    uint32_t index = thread->first_copy;
    struct async_copy *copy = &copies->pool[index - 1];
    if (copy->group >= thread->copy_groups || thread->copy_groups - copy->group <= pending)
      return;
    land(thread, copy);
    thread->first_copy = copy->next;
    if (!thread->first_copy)
      thread->last_copy = 0;
    copy->next = copies->free;
    copies->free = index;
  }
}
