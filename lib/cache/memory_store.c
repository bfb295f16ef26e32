/* SPDX-License-Identifier: MIT */
/* See memory_store.h. */
#include "cache/memory_store.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"

struct memory_entry {
  struct cache_key key;
  struct cache_blob *blob;
  struct memory_entry *next; /* in its chain */
  struct memory_entry *newer, *older;
};

enum { ENTRY_COST = sizeof(struct memory_entry) + sizeof(struct cache_blob) };

struct cache_blob *blob_create(const void *bytes, size_t size) {
  struct cache_blob *blob = tile_allocate(sizeof *blob + size + 1);
  atomic_init(&blob->holders, 1);
  blob->size = size;
  if (size)
    memcpy(blob->data, bytes, size);
  blob->data[size] = 0;
  return blob;
}

static struct cache_blob *hold(struct cache_blob *blob) {
  atomic_fetch_add_explicit(&blob->holders, 1, memory_order_relaxed);
  return blob;
}

void blob_release(struct cache_blob *blob) {
  if (blob && atomic_fetch_sub_explicit(&blob->holders, 1, memory_order_acq_rel) == 1)
    free(blob);
}

void memory_store_create(struct memory_store *store, uint64_t limit) {
  *store = (struct memory_store){.limit = limit};
  pthread_mutex_init(&store->lock, NULL);
}

void memory_store_destroy(struct memory_store *store) {
  memory_store_clear(store);
  pthread_mutex_destroy(&store->lock);
}

/* Where the key's chain points to its entry, or to NULL at its end. A key is a hash already. */
static struct memory_entry **find(struct memory_store *store, const struct cache_key *key) {
  uint32_t start;
  memcpy(&start, key->bytes, sizeof start);
  struct memory_entry **at = &store->chains[start % MEMORY_CHAINS];
  while (*at && !key_equals(&(*at)->key, key))
    at = &(*at)->next;
  return at;
}

static void unlink_entry(struct memory_store *store, struct memory_entry *entry) {
  *(entry->newer ? &entry->newer->older : &store->newest) = entry->older;
  *(entry->older ? &entry->older->newer : &store->oldest) = entry->newer;
}

static void make_newest(struct memory_store *store, struct memory_entry *entry) {
  entry->newer = NULL;
  entry->older = store->newest;
  *(store->newest ? &store->newest->newer : &store->oldest) = entry;
  store->newest = entry;
}

static void remove_at(struct memory_store *store, struct memory_entry **at) {
  struct memory_entry *entry = *at;
  *at = entry->next;
  unlink_entry(store, entry);
  store->bytes -= entry->blob->size + ENTRY_COST;
  blob_release(entry->blob);
  free(entry);
}

struct cache_blob *memory_store_get(struct memory_store *store, const struct cache_key *key) {
  pthread_mutex_lock(&store->lock);
  struct memory_entry *entry = *find(store, key);
  struct cache_blob *blob = NULL;
  if (entry) {
    unlink_entry(store, entry);
    make_newest(store, entry);
    blob = hold(entry->blob);
  }
  pthread_mutex_unlock(&store->lock);
  return blob;
}

void memory_store_put(struct memory_store *store, const struct cache_key *key,
                      struct cache_blob *blob) {
  pthread_mutex_lock(&store->lock);
  struct memory_entry **at = find(store, key);
  if (*at)
    remove_at(store, at);
  uint64_t cost = blob->size + ENTRY_COST;
  if (cost <= store->limit) {
    struct memory_entry *entry = tile_allocate(sizeof *entry);
    at = find(store, key);
    *entry = (struct memory_entry){.key = *key, .blob = hold(blob), .next = *at};
    *at = entry;
    make_newest(store, entry);
    store->bytes += cost;
  }
  while (store->bytes > store->limit)
    remove_at(store, find(store, &store->oldest->key));
  pthread_mutex_unlock(&store->lock);
}

void memory_store_clear(struct memory_store *store) {
  pthread_mutex_lock(&store->lock);
  while (store->oldest)
    remove_at(store, find(store, &store->oldest->key));
  pthread_mutex_unlock(&store->lock);
}
