/* SPDX-License-Identifier: MIT */
/* Entries in memory: a hash table with a bound on its bytes, from which what was not used for
   longest goes first. Any thread may use it. */
#ifndef TILE_CACHE_MEMORY_STORE_H
#define TILE_CACHE_MEMORY_STORE_H

#include <pthread.h>
#include <stdatomic.h>
#include "cache/key.h"

/* Bytes that several may hold; nobody changes them. */
struct cache_blob {
  atomic_size_t holders;
  size_t size;
  char data[]; /* a zero after it */
};

/* A copy, held once. */
struct cache_blob *blob_create(const void *bytes, size_t size);
void blob_release(struct cache_blob *blob);

struct memory_entry;

enum { MEMORY_CHAINS = 1024 };

struct memory_store {
  pthread_mutex_t lock;
  struct memory_entry *chains[MEMORY_CHAINS];
  struct memory_entry *newest, *oldest;
  uint64_t bytes, limit;
};

void memory_store_create(struct memory_store *store, uint64_t limit);
void memory_store_destroy(struct memory_store *store);
/* Held for the caller; NULL when there is none. */
struct cache_blob *memory_store_get(struct memory_store *store, const struct cache_key *key);
/* Replaces what was there; the store holds the blob for itself. What is larger than the limit is
   not kept. */
void memory_store_put(struct memory_store *store, const struct cache_key *key,
                      struct cache_blob *blob);
void memory_store_clear(struct memory_store *store);

#endif
