/* SPDX-License-Identifier: MIT */
/* Device memory of drivers whose device is the host: allocations in a list, so that what a kernel
   may touch is known, and a limit, so that running out is an error and not a swap storm. */
#ifndef TILE_RUNTIME_HOST_MEMORY_H
#define TILE_RUNTIME_HOST_MEMORY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/private.h"
#include "tile/status.h"

struct host_allocation {
  struct host_allocation *next;
  unsigned char *base; /* of the `bytes` that the caller sees; guards lie around them */
  size_t bytes;
  bool wrapped;  /* the memory is somebody else's */
  char name[32]; /* for reports, or "" */
};

struct host_memory {
  pthread_mutex_t lock; /* guards what follows */
  struct host_allocation *first;
  size_t used, limit, guard;
  size_t wrapped; /* how many allocations are somebody else's */
};

/* `limit` bytes at most; `guard` bytes (a multiple of 256) are kept free on either side of each
   allocation. */
TILE_PRIVATE void host_memory_create(struct host_memory *memory, size_t limit, size_t guard);
/* Frees everything. */
TILE_PRIVATE void host_memory_destroy(struct host_memory *memory);
/* Aligned to 256 bytes, filled with 0xCB. */
TILE_PRIVATE tile_status host_memory_allocate(struct host_memory *memory, size_t bytes,
                                              uint64_t *out_address);
/* Adds memory that exists, and takes it off again: one entry of exactly this range. It is never
   freed here. */
TILE_PRIVATE tile_status host_memory_wrap(struct host_memory *memory, uint64_t address,
                                          size_t bytes);
TILE_PRIVATE void host_memory_unwrap(struct host_memory *memory, uint64_t address, size_t bytes);
TILE_PRIVATE void host_memory_free(struct host_memory *memory, uint64_t address);
TILE_PRIVATE uint64_t host_memory_free_bytes(struct host_memory *memory);
/* The allocation that holds `address`, or NULL. The caller holds the lock. */
TILE_PRIVATE struct host_allocation *host_memory_find(const struct host_memory *memory,
                                                      uint64_t address);

#endif
