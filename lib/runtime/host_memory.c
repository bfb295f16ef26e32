/* SPDX-License-Identifier: MIT */
/* See host_memory.h. */
#include "runtime/host_memory.h"

#include <stdlib.h>
#include <string.h>
#include "base/status.h"

enum { ALIGNMENT = 256, POISON = 0xCB };

void host_memory_create(struct host_memory *memory, size_t limit, size_t guard) {
  *memory = (struct host_memory){.limit = limit, .guard = guard};
  pthread_mutex_init(&memory->lock, NULL);
}

static void release(struct host_memory *memory, struct host_allocation *allocation) {
  if (allocation->wrapped) {
    memory->wrapped--;
  } else {
    memory->used -= allocation->bytes;
    free(allocation->base - memory->guard);
  }
  free(allocation);
}

void host_memory_destroy(struct host_memory *memory) {
  while (memory->first) {
    struct host_allocation *allocation = memory->first;
    memory->first = allocation->next;
    release(memory, allocation);
  }
  pthread_mutex_destroy(&memory->lock);
}

/* The caller holds the lock. NULL when there is no memory. */
static struct host_allocation *allocate(struct host_memory *memory, size_t bytes) {
  if (bytes > memory->limit - memory->used)
    return NULL;
  size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + 2 * memory->guard;
  struct host_allocation *allocation = malloc(sizeof *allocation);
  unsigned char *base = allocation ? aligned_alloc(ALIGNMENT, rounded) : NULL;
  if (!base) {
    free(allocation);
    return NULL;
  }
  *allocation =
      (struct host_allocation){.next = memory->first, .base = base + memory->guard, .bytes = bytes};
  memory->first = allocation;
  memory->used += bytes;
  return allocation;
}

tile_status host_memory_allocate(struct host_memory *memory, size_t bytes, uint64_t *out_address) {
  pthread_mutex_lock(&memory->lock);
  struct host_allocation *allocation = allocate(memory, bytes);
  pthread_mutex_unlock(&memory->lock);
  if (!allocation)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for %zu bytes", bytes);
  memset(allocation->base, POISON, bytes);
  *out_address = (uint64_t)(uintptr_t)allocation->base;
  return NULL;
}

tile_status host_memory_wrap(struct host_memory *memory, uint64_t address, size_t bytes) {
  struct host_allocation *allocation = malloc(sizeof *allocation);
  if (!allocation)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a buffer");
  *allocation =
      (struct host_allocation){.base = (void *)(uintptr_t)address, .bytes = bytes, .wrapped = true};
  pthread_mutex_lock(&memory->lock);
  allocation->next = memory->first;
  memory->first = allocation;
  memory->wrapped++;
  pthread_mutex_unlock(&memory->lock);
  return NULL;
}

/* Takes the first allocation away that is so; `bytes` counts for wrapped ones, of which several may
   begin at one place. */
static void take_away(struct host_memory *memory, uint64_t address, bool wrapped, size_t bytes) {
  pthread_mutex_lock(&memory->lock);
  struct host_allocation **at = &memory->first;
  while (*at && ((uint64_t)(uintptr_t)(*at)->base != address || (*at)->wrapped != wrapped ||
                 (wrapped && (*at)->bytes != bytes)))
    at = &(*at)->next;
  if (*at) {
    struct host_allocation *allocation = *at;
    *at = allocation->next;
    release(memory, allocation);
  }
  pthread_mutex_unlock(&memory->lock);
}

void host_memory_free(struct host_memory *memory, uint64_t address) {
  take_away(memory, address, false, 0);
}

void host_memory_unwrap(struct host_memory *memory, uint64_t address, size_t bytes) {
  take_away(memory, address, true, bytes);
}

uint64_t host_memory_free_bytes(struct host_memory *memory) {
  pthread_mutex_lock(&memory->lock);
  uint64_t bytes = memory->limit - memory->used;
  pthread_mutex_unlock(&memory->lock);
  return bytes;
}

struct host_allocation *host_memory_find(const struct host_memory *memory, uint64_t address) {
  for (struct host_allocation *each = memory->first; each; each = each->next) {
    uint64_t base = (uint64_t)(uintptr_t)each->base;
    if (address >= base && address - base <= each->bytes)
      return each;
  }
  return NULL;
}
