/* SPDX-License-Identifier: MIT */
/* Device functions: memory. The address check runs before every access of a kernel, so its common
   path is a comparison against the buffer that the thread used last. */
#include "emulator/device.h"

#include <string.h>
#include "emulator/launch.h"

/* Beyond this distance an access is not said to have run past a buffer, unless the buffer is
   larger. */
enum { NEAR_BYTES = 1 << 20 };

struct access {
  uintptr_t address;
  uint32_t bytes, alignment;
  bool is_store;
  const char *location;
};

static void *turn_aside(struct emulator_thread *thread) {
  return memset(thread->scratch, EMULATOR_POISON, sizeof thread->scratch);
}

static tile_emulator_hazard describe(struct emulator_thread *thread, const struct access *access,
                                     tile_emulator_hazard_kind kind, const struct region *region) {
  return (tile_emulator_hazard){
      .kind = kind,
      .site = launch_site(thread, access->location),
      .is_store = access->is_store,
      .address = access->address,
      .bytes = access->bytes,
      .alignment = access->alignment,
      .buffer = region ? region->name : NULL,
      .dangling = region && region->dangling,
      .buffer_bytes = region ? region->bytes : 0,
      .offset = region ? (int64_t)(access->address - region->base) : 0,
  };
}

static void report_out_of_bounds(struct emulator_thread *thread, const struct access *access) {
  struct emulator_launch *launch = thread->launch;
  int64_t distance = 0;
  const struct region *region =
      memory_nearest(&launch->memory, access->address, access->bytes, &distance);
  uint64_t magnitude = distance < 0 ? -(uint64_t)distance : (uint64_t)distance;
  if (region && !region->dangling && magnitude > NEAR_BYTES && magnitude > region->bytes)
    region = NULL;
  tile_emulator_hazard hazard = describe(thread, access, TILE_EMULATOR_OUT_OF_BOUNDS, region);
  hazard.distance = region ? distance : 0;
  report_add(launch->report, &hazard);
}

static void report_in_bounds(struct emulator_thread *thread, const struct access *access,
                             tile_emulator_hazard_kind kind, const struct region *region) {
  tile_emulator_hazard hazard = describe(thread, access, kind, region);
  report_add(thread->launch->report, &hazard);
}

/* The buffer that the access lies in and may go to; NULL after reporting why not. */
static const struct region *admit(struct emulator_thread *thread, const struct access *access) {
  const struct region *region = thread->last_region;
  if (!region || !region_contains(region, access->address, access->bytes)) {
    region = memory_find(&thread->launch->memory, access->address, access->bytes);
    if (!region) {
      report_out_of_bounds(thread, access);
      return NULL;
    }
    thread->last_region = region;
  }
  if (access->address & (access->alignment - 1)) {
    report_in_bounds(thread, access, TILE_EMULATOR_MISALIGNED, region);
    return NULL;
  }
  if (access->is_store && region->read_only) {
    report_in_bounds(thread, access, TILE_EMULATOR_READ_ONLY, region);
    return NULL;
  }
  return region;
}

/* What a bulk store of the block writes at any time is nobody's. */
static void check_bulk_stores(struct emulator_thread *thread, const struct access *access,
                              bool is_atomic) {
  enum bulk_meeting meeting = access->is_store ? BULK_MEETS_STORE : BULK_MEETS_LOAD;
  if (thread->block->bulk.store_count)
    bulk_store_check_global(thread, access->address, access->bytes,
                            is_atomic ? BULK_MEETS_ATOMIC : meeting, access->location);
}

/* Of what a volatile load will find: its bytes in words. */
static uint64_t digest_of(const void *address, uint32_t bytes) {
  uint64_t digest = bytes;
  for (uint32_t i = 0; i < bytes; i += 8) {
    uint64_t word = 0;
    memcpy(&word, (const unsigned char *)address + i, bytes - i < 8 ? bytes - i : 8);
    digest = random_mix(digest ^ word);
  }
  return digest;
}

void *tile_emu_global(struct emulator_thread *thread, void *address, uint32_t bytes,
                      uint32_t alignment, uint32_t use, uint32_t predicate, const char *location) {
  if (bytes > EMULATOR_SCRATCH_BYTES || alignment > EMULATOR_SCRATCH_BYTES)
    tile_emu_trap(thread, location, "a single access is wider than the emulator's 64 bytes");
  struct emulator_counts *counts = &thread->launch->counts;
  counts->accesses++;
  if (!predicate)
    return turn_aside(thread);
  counts->global_bytes += bytes;
  struct access access = {(uintptr_t)address, bytes, alignment, use == SHADOW_STORE, location};
  const struct region *region = admit(thread, &access);
  if (!region)
    return turn_aside(thread);
  check_bulk_stores(thread, &access, false);
  if (use == SHADOW_VOLATILE_LOAD)
    spin_note(thread, address, digest_of(address, bytes), false, SPIN_LOAD, location);
  if (region->pages)
    shadow_check(thread, region, access.address, bytes, use, location);
  return address;
}

void tile_emu_prefetch(struct emulator_thread *thread, void *address, uint32_t predicate,
                       const char *location) {
  struct access access = {(uintptr_t)address, 1, 1, false, location};
  if (predicate)
    admit(thread, &access);
}

/* Where an access runs past shared memory, by how much. */
static void report_out_of_shared(struct emulator_thread *thread, const struct access *access) {
  const struct region *region = &thread->block->memory.shared;
  tile_emulator_hazard hazard = describe(thread, access, TILE_EMULATOR_OUT_OF_BOUNDS, region);
  hazard.distance = (int64_t)(access->address + access->bytes - (region->base + region->bytes));
  if (access->address < region->base)
    hazard.distance = -(int64_t)(region->base - access->address);
  report_add(thread->launch->report, &hazard);
}

static bool admit_shared(struct emulator_thread *thread, const struct access *access) {
  const struct region *region = &thread->block->memory.shared;
  bool inside = region_contains(region, access->address, access->bytes);
  bool aligned = (access->address & (access->alignment - 1)) == 0;
  if (!inside)
    report_out_of_shared(thread, access);
  else if (!aligned)
    report_in_bounds(thread, access, TILE_EMULATOR_MISALIGNED, region);
  return inside && aligned;
}

void *tile_emu_shared_access(struct emulator_thread *thread, void *address, uint32_t bytes,
                             uint32_t alignment, uint32_t is_store, uint32_t predicate,
                             const char *location) {
  if (bytes > EMULATOR_SCRATCH_BYTES || alignment > EMULATOR_SCRATCH_BYTES)
    tile_emu_trap(thread, location, "a single access is wider than the emulator's 64 bytes");
  struct emulator_counts *counts = &thread->launch->counts;
  counts->accesses++;
  if (!predicate)
    return turn_aside(thread);
  counts->shared_bytes += bytes;
  struct access access = {(uintptr_t)address, bytes, alignment, is_store != 0, location};
  const struct region *region = &thread->block->memory.shared;
  if (!admit_shared(thread, &access))
    return turn_aside(thread);
  async_check(thread, access.address, bytes, access.is_store, location);
  if (access.is_store)
    wgmma_note_store(thread, access.address, bytes, true, location);
  if (region->pages)
    shadow_check_shared(thread, access.address, bytes, access.is_store, location);
  return address;
}

void *device_atomic_address(struct emulator_thread *thread, void *address, uint32_t bytes,
                            uint32_t alignment, const char *location) {
  struct access access = {(uintptr_t)address, bytes, alignment, true, location};
  struct emulator_counts *counts = &thread->launch->counts;
  counts->accesses++;
  counts->global_bytes += 2 * (uint64_t)bytes; /* read and written */
  const struct region *region = admit(thread, &access);
  if (!region)
    return turn_aside(thread);
  check_bulk_stores(thread, &access, true);
  if (region->pages)
    shadow_check_atomic(thread, region, access.address, bytes, location);
  return address;
}

void *device_shared_atomic_address(struct emulator_thread *thread, void *address, uint32_t bytes,
                                   uint32_t alignment, const char *location) {
  struct access access = {(uintptr_t)address, bytes, alignment, true, location};
  struct emulator_counts *counts = &thread->launch->counts;
  counts->accesses++;
  counts->shared_bytes += 2 * (uint64_t)bytes;
  if (!admit_shared(thread, &access))
    return turn_aside(thread);
  if (thread->block->memory.shared.pages)
    shadow_check_shared_atomic(thread, access.address, bytes, location);
  return address;
}

const void *device_copy_source(struct emulator_thread *thread, const void *address, uint32_t bytes,
                               uint32_t alignment, const char *location) {
  struct access access = {(uintptr_t)address, bytes, alignment, false, location};
  const struct region *region = admit(thread, &access);
  if (region)
    check_bulk_stores(thread, &access, false);
  if (region && region->pages)
    shadow_check(thread, region, access.address, bytes, SHADOW_LOAD, location);
  return region ? address : NULL;
}

void *device_copy_target(struct emulator_thread *thread, void *address, uint32_t bytes,
                         uint32_t alignment, const char *location) {
  struct access access = {(uintptr_t)address, bytes, alignment, true, location};
  const struct region *region = admit(thread, &access);
  if (region && region->pages)
    shadow_check(thread, region, access.address, bytes, SHADOW_STORE, location);
  return region ? address : NULL;
}

void *device_sum_target(struct emulator_thread *thread, void *address, uint32_t bytes,
                        uint32_t alignment, const char *location) {
  struct access access = {(uintptr_t)address, bytes, alignment, true, location};
  const struct region *region = admit(thread, &access);
  if (region && region->pages)
    shadow_check_atomic(thread, region, access.address, bytes, location);
  return region ? address : NULL;
}

bool device_admit_shared(struct emulator_thread *thread, void *address, uint32_t bytes,
                         uint32_t alignment, const char *location) {
  struct access access = {(uintptr_t)address, bytes, alignment, true, location};
  return admit_shared(thread, &access);
}

void *tile_emu_shared(struct emulator_thread *thread) {
  return thread->block->shared;
}
