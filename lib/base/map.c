/* SPDX-License-Identifier: MIT */
/* Pointer map: slots in order, and a table of their numbers with linear probing that is at most
   half full; no removal. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"

static size_t hash_pointer(const void *key) {
  uint64_t bits = (uint64_t)(uintptr_t)key;
  bits *= 0x9E3779B97F4A7C15u;
  return (size_t)(bits >> 20);
}

/* Where the number of the key's slot stands, or is to stand. */
static uint32_t *find_index(const struct map *map, const void *key) {
  size_t mask = map->capacity * 2 - 1, at = hash_pointer(key) & mask;
  while (map->index[at] && map->slots[map->index[at] - 1].key != key)
    at = (at + 1) & mask;
  return &map->index[at];
}

static void grow(struct map *map) {
  size_t capacity = map->capacity ? map->capacity * 2 : 32;
  map->slots = tile_reallocate(map->slots, capacity * sizeof *map->slots);
  map->index = tile_reallocate(map->index, capacity * 2 * sizeof *map->index);
  memset(map->slots + map->count, 0, (capacity - map->count) * sizeof *map->slots);
  memset(map->index, 0, capacity * 2 * sizeof *map->index);
  map->capacity = capacity;
  for (size_t i = 0; i < map->count; i++)
    *find_index(map, map->slots[i].key) = (uint32_t)i + 1;
}

void *map_get(const struct map *map, const void *key) {
  uint32_t number = map->capacity ? *find_index(map, key) : 0;
  return number ? map->slots[number - 1].value : NULL;
}

void map_set(struct map *map, const void *key, void *value) {
  if (map->count == map->capacity)
    grow(map);
  uint32_t *number = find_index(map, key);
  if (!*number)
    *number = (uint32_t)++map->count;
  map->slots[*number - 1] = (struct map_slot){key, value};
}

void map_clear(struct map *map) {
  if (map->capacity) {
    memset(map->slots, 0, map->count * sizeof *map->slots);
    memset(map->index, 0, map->capacity * 2 * sizeof *map->index);
  }
  map->count = 0;
}

void map_free(struct map *map) {
  free(map->slots);
  free(map->index);
  *map = (struct map){0};
}
