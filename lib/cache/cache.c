/* SPDX-License-Identifier: MIT */
/* See cache.h and tile/cache.h. */
#include "cache/cache.h"

#include <stdlib.h>
#include "base/status.h"
#include "cache/disk_store.h"

struct tile_cache {
  atomic_size_t holders;
  struct memory_store memory;
  struct disk_store disk;
  char *folder; /* as it was named, or "" */
  atomic_uint_least64_t requests[CACHE_DISK + 1];
};

static const uint64_t default_disk_bytes = (uint64_t)1 << 30,
                      default_memory_bytes = (uint64_t)64 << 20;

/* An empty variable is one that is not set, and a relative XDG_CACHE_HOME is none (XDG Base
   Directory Specification 0.8). */
static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

bool cache_default_folder(struct text *out) {
  const char *own = variable("TILE_CACHE_DIR"), *caches = variable("XDG_CACHE_HOME"),
             *home = variable("HOME");
  if (own)
    text_puts(out, own);
  else if (caches && *caches == '/')
    text_printf(out, "%s/tile", caches);
  else if (home)
    text_printf(out, "%s/.cache/tile", home);
  return own || (caches && *caches == '/') || home;
}

tile_status tile_cache_open(const tile_cache_options *options, tile_cache **out) {
  TRY(REQUIRED(out));
  static const tile_cache_options none;
  options = options ? options : &none;
  tile_cache *cache = calloc(1, sizeof *cache);
  if (!cache)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a cache");
  struct text folder = {0};
  if (options->folder)
    text_puts(&folder, options->folder);
  else
    cache_default_folder(&folder);
  atomic_init(&cache->holders, 1);
  memory_store_create(&cache->memory,
                      options->memory_bytes ? options->memory_bytes : default_memory_bytes);
  disk_store_create(&cache->disk, folder.length ? text_string(&folder) : NULL,
                    options->disk_bytes ? options->disk_bytes : default_disk_bytes);
  cache->folder = text_take(&folder);
  *out = cache;
  return NULL;
}

tile_cache *cache_retain(tile_cache *cache) {
  if (cache)
    atomic_fetch_add_explicit(&cache->holders, 1, memory_order_relaxed);
  return cache;
}

void tile_cache_close(tile_cache *cache) {
  if (!cache || atomic_fetch_sub_explicit(&cache->holders, 1, memory_order_acq_rel) != 1)
    return;
  memory_store_destroy(&cache->memory);
  disk_store_destroy(&cache->disk);
  free(cache->folder);
  free(cache);
}

enum cache_place cache_get(tile_cache *cache, const struct cache_key *key,
                           struct cache_blob **out) {
  *out = memory_store_get(&cache->memory, key);
  if (*out)
    return CACHE_MEMORY;
  struct text bytes = {0};
  if (disk_store_read(&cache->disk, key, &bytes)) {
    *out = blob_create(bytes.data, bytes.length);
    memory_store_put(&cache->memory, key, *out);
  }
  text_free(&bytes);
  return *out ? CACHE_DISK : CACHE_NOWHERE;
}

void cache_put(tile_cache *cache, const struct cache_key *key, const void *bytes, size_t size) {
  struct cache_blob *blob = blob_create(bytes, size);
  memory_store_put(&cache->memory, key, blob);
  blob_release(blob);
  disk_store_write(&cache->disk, key, bytes, size);
}

void cache_count(tile_cache *cache, enum cache_place place) {
  atomic_fetch_add_explicit(&cache->requests[place], 1, memory_order_relaxed);
}

const char *tile_cache_folder(const tile_cache *cache) {
  return cache->folder;
}

tile_status tile_cache_get_statistics(tile_cache *cache, tile_cache_statistics *out) {
  TRY(REQUIRED(cache, out));
  pthread_mutex_lock(&cache->disk.lock);
  struct disk_counts disk = cache->disk.counts;
  pthread_mutex_unlock(&cache->disk.lock);
  *out = (tile_cache_statistics){.memory_hits = cache->requests[CACHE_MEMORY],
                                 .disk_hits = cache->requests[CACHE_DISK],
                                 .misses = cache->requests[CACHE_NOWHERE],
                                 .bytes_read = disk.bytes_read,
                                 .bytes_written = disk.bytes_written,
                                 .evictions = disk.evictions,
                                 .corrupt = disk.corrupt,
                                 .errors = disk.errors};
  return NULL;
}

tile_status tile_cache_problem(tile_cache *cache) {
  TRY(REQUIRED(cache));
  pthread_mutex_lock(&cache->disk.lock);
  tile_status status =
      cache->disk.problem[0] ? FAIL(TILE_IO_ERROR, "the cache: %s", cache->disk.problem) : NULL;
  pthread_mutex_unlock(&cache->disk.lock);
  return status;
}

tile_status tile_cache_measure(tile_cache *cache, tile_cache_usage *out) {
  TRY(REQUIRED(cache, out));
  struct disk_usage usage = disk_store_measure(&cache->disk);
  *out = (tile_cache_usage){
      .entries = usage.entries, .bytes = usage.bytes, .limit = cache->disk.limit};
  return NULL;
}

tile_status tile_cache_clear(tile_cache *cache) {
  TRY(REQUIRED(cache));
  memory_store_clear(&cache->memory);
  disk_store_clear(&cache->disk);
  return disk_store_measure(&cache->disk).bytes ? tile_cache_problem(cache) : NULL;
}
