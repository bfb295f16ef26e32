/* A hash map from pointers to pointers, open addressing. Zero-initialise; map_free ends it. Keys
   are not NULL. One thread at a time. */
#ifndef TILE_BASE_MAP_H
#define TILE_BASE_MAP_H

#include <stddef.h>

struct map_slot {
  const void *key;
  void *value;
};

struct map {
  struct map_slot *slots;
  size_t count, capacity; /* capacity: 0 or a power of two */
};

/* The value stored under `key`, or NULL. */
void *map_get(const struct map *map, const void *key);
/* Stores `value` under `key`, replacing what was there. */
void map_set(struct map *map, const void *key, void *value);
void map_clear(struct map *map);
void map_free(struct map *map);

#endif
