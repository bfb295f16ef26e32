/* SPDX-License-Identifier: MIT */
/* A hash map from pointers to pointers that keeps the order in which keys came: pointers differ
   from run to run, so an order by hash would too. Zero-initialise; map_free ends it. Keys are not
   NULL. One thread at a time.

       for (size_t i = 0; i < map.count; i++) ... map.slots[i].key, map.slots[i].value */
#ifndef TILE_BASE_MAP_H
#define TILE_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map_slot {
  const void *key;
  void *value;
};

struct map {
  struct map_slot *slots; /* `count` of them in order; zeros after, up to the capacity */
  uint32_t *index;        /* 2 * capacity entries: a slot's number plus one, or 0 */
  size_t count, capacity; /* capacity: 0 or a power of two */
};

/* The value stored under `key`, or NULL. */
void *map_get(const struct map *map, const void *key);
/* Stores `value` under `key`, replacing what was there; a replaced value keeps its place. */
void map_set(struct map *map, const void *key, void *value);
void map_clear(struct map *map);
void map_free(struct map *map);

#endif
