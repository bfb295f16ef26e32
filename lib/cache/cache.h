/* SPDX-License-Identifier: MIT */
/* Entries in memory and, after it, on disk: what tile_cache is to the rest of the library. */
#ifndef TILE_CACHE_CACHE_H
#define TILE_CACHE_CACHE_H

#include "base/text.h"
#include "cache/memory_store.h"
#include "tile/cache.h"

enum cache_place { CACHE_NOWHERE, CACHE_MEMORY, CACHE_DISK };

tile_cache *cache_retain(tile_cache *cache);
/* The entry of a key, for the caller to release; *out is NULL where there is none. */
enum cache_place cache_get(tile_cache *cache, const struct cache_key *key, struct cache_blob **out);
void cache_put(tile_cache *cache, const struct cache_key *key, const void *bytes, size_t size);
/* Counts a request that was answered from `place`; CACHE_NOWHERE is a miss. */
void cache_count(tile_cache *cache, enum cache_place place);
/* The folder that the environment names, appended; false where it names none. */
bool cache_default_folder(struct text *out);

#endif
