/* SPDX-License-Identifier: MIT */
/* The registry: buffers sorted by address, found by bisection. */
#include "emulator/memory.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"

static int compare_regions(const void *left, const void *right) {
  const struct region *a = left, *b = right;
  if (a->base != b->base)
    return a->base < b->base ? -1 : 1;
  return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

static tile_status add_buffer(struct memory *memory, const tile_emulator_buffer *buffer) {
  const char *name = buffer->name ? buffer->name : "unnamed";
  uintptr_t base = (uintptr_t)buffer->base;
  if (!base && buffer->bytes)
    return FAIL(TILE_INVALID_ARGUMENT, "buffer '%s' has %zu bytes but no base address", name,
                buffer->bytes);
  if (buffer->bytes > UINTPTR_MAX - base)
    return FAIL(TILE_INVALID_ARGUMENT, "buffer '%s' of %zu bytes runs past the address space", name,
                buffer->bytes);
  memory->regions[memory->count++] =
      (struct region){.base = base,
                      .bytes = buffer->bytes,
                      .name = name,
                      .read_only = buffer->read_only,
                      .dangling = buffer->dangling && !buffer->bytes};
  return NULL;
}

/* Merges equal ranges (writable if one of them is), refuses other overlaps. */
static tile_status merge_regions(struct memory *memory) {
  size_t kept = 0;
  for (size_t i = 0; i < memory->count; i++) {
    struct region region = memory->regions[i];
    struct region *last = kept ? &memory->regions[kept - 1] : NULL;
    if (last && last->base == region.base && last->bytes == region.bytes) {
      last->read_only &= region.read_only;
      continue;
    }
    bool inside = last && region.base < last->base + last->bytes;
    if (inside && region.bytes == 0)
      continue;
    if (inside)
      return FAIL(
          TILE_INVALID_ARGUMENT,
          "buffers '%s' and '%s' overlap; register the memory that both lie in as one buffer",
          last->name, region.name);
    memory->regions[kept++] = region;
  }
  memory->count = kept;
  return NULL;
}

static void allocate_pages(struct region *region) {
  size_t bytes = (region->bytes / SHADOW_PAGE_CELLS + 1) * sizeof *region->pages;
  region->pages = tile_allocate(bytes);
  memset(region->pages, 0, bytes);
}

static void free_pages(struct region *region) {
  for (size_t page = 0; region->pages && page <= region->bytes / SHADOW_PAGE_CELLS; page++)
    free(region->pages[page]);
  free(region->pages);
}

/* What nobody may store to needs no shadow: loads do not race. */
static void allocate_shadow(struct memory *memory) {
  for (size_t i = 0; i < memory->count; i++)
    if (!memory->regions[i].read_only)
      allocate_pages(&memory->regions[i]);
  memory->locations = tile_allocate(SHADOW_LOCATION_LIMIT * sizeof *memory->locations);
  memory->locations[0] = NULL;
  memory->location_count = 1;
}

tile_status memory_create(struct memory *memory, const tile_emulator_buffer *buffers, size_t count,
                          bool check) {
  memory->check = check;
  memory->regions = tile_allocate((count + 1) * sizeof *memory->regions);
  for (size_t i = 0; i < count; i++)
    TRY(add_buffer(memory, &buffers[i]));
  qsort(memory->regions, memory->count, sizeof *memory->regions, compare_regions);
  TRY(merge_regions(memory));
  if (check)
    allocate_shadow(memory);
  return NULL;
}

void memory_destroy(struct memory *memory) {
  for (size_t i = 0; i < memory->count; i++)
    free_pages(&memory->regions[i]);
  free(memory->regions);
  free(memory->locations);
  free(memory->epoch_blocks);
  free(memory->past);
  map_free(&memory->location_ids);
  readers_destroy(&memory->readers);
  sync_destroy(&memory->sync);
  *memory = (struct memory){0};
}

void memory_set_shared(const struct memory *memory, struct memory_block *block, void *base,
                       size_t bytes) {
  block->shared = (struct region){.base = (uintptr_t)base, .bytes = bytes, .name = "shared memory"};
  if (memory->check)
    allocate_pages(&block->shared);
}

void memory_destroy_block(struct memory_block *block) {
  free_pages(&block->shared);
  sync_end_block(&block->sync);
  *block = (struct memory_block){0};
}

/* --- Epochs ----------------------------------------------------------------------------------- */

static void begin_epoch(struct memory *memory, struct memory_block *block) {
  if (memory_is_exhausted(memory)) /* the launch ends */
    return;
  block->epoch = ++memory->epochs;
  if (!memory->check)
    return;
  memory->epoch_blocks = tile_grow(memory->epoch_blocks, block->epoch, &memory->epoch_capacity,
                                   sizeof *memory->epoch_blocks);
  memory->epoch_blocks[block->epoch] = block->ordinal;
}

void memory_begin_block(struct memory *memory, struct memory_block *block, uint64_t number) {
  block->ordinal = memory->block_count++;
  begin_epoch(memory, block);
  block->first_epoch = block->epoch;
  if (!memory->check)
    return;
  memory->past =
      tile_grow(memory->past, block->ordinal, &memory->block_capacity, sizeof *memory->past);
  memory->past[block->ordinal] = (struct memory_past){.number = number};
  sync_begin_block(&memory->sync, &block->sync, block->ordinal);
}

void memory_pass_barrier(struct memory *memory, struct memory_block *block) {
  begin_epoch(memory, block);
}

void memory_end_block(struct memory *memory, struct memory_block *block) {
  if (!memory->check)
    return;
  memory->past[block->ordinal].ended = true;
  sync_end_block(&block->sync);
}

/* --- Finding regions -------------------------------------------------------------------------- */

/* The number of regions that start at or below the address. */
static size_t regions_up_to(const struct memory *memory, uintptr_t address) {
  size_t low = 0, high = memory->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (memory->regions[middle].base <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const struct region *memory_find(const struct memory *memory, uintptr_t address, size_t bytes) {
  size_t above = regions_up_to(memory, address);
  if (above == 0)
    return NULL;
  const struct region *region = &memory->regions[above - 1];
  return region_contains(region, address, bytes) ? region : NULL;
}

const struct region *memory_nearest(const struct memory *memory, uintptr_t address, size_t bytes,
                                    int64_t *distance) {
  size_t above = regions_up_to(memory, address);
  const struct region *below = above ? &memory->regions[above - 1] : NULL;
  const struct region *next = above < memory->count ? &memory->regions[above] : NULL;
  uintptr_t past = below ? address + bytes - (below->base + below->bytes) : 0;
  uintptr_t before = next ? next->base - address : 0;
  if (below && (!next || past <= before)) {
    *distance = (int64_t)past;
    return below;
  }
  *distance = -(int64_t)before;
  return next;
}
