/* Pointer map: linear probing, at most three quarters full, no removal. */
#include "base/map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"

static size_t hash_pointer(const void *key) {
  uint64_t bits = (uint64_t)(uintptr_t)key;
  bits *= 0x9E3779B97F4A7C15u;
  return (size_t)(bits >> 20);
}

static struct map_slot *find_slot(const struct map *map, const void *key) {
  size_t index = hash_pointer(key) & (map->capacity - 1);
  while (map->slots[index].key && map->slots[index].key != key)
    index = (index + 1) & (map->capacity - 1);
  return &map->slots[index];
}

static void grow(struct map *map) {
  struct map old = *map;
  map->capacity = old.capacity ? old.capacity * 2 : 64;
  map->slots = tile_allocate(map->capacity * sizeof *map->slots);
  memset(map->slots, 0, map->capacity * sizeof *map->slots);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.slots[i].key)
      *find_slot(map, old.slots[i].key) = old.slots[i];
  free(old.slots);
}

void *map_get(const struct map *map, const void *key) {
  return map->capacity ? find_slot(map, key)->value : NULL;
}

void map_set(struct map *map, const void *key, void *value) {
  if ((map->count + 1) * 4 > map->capacity * 3)
    grow(map);
  struct map_slot *slot = find_slot(map, key);
  if (!slot->key)
    map->count++;
  *slot = (struct map_slot){key, value};
}

void map_clear(struct map *map) {
  if (map->capacity)
    memset(map->slots, 0, map->capacity * sizeof *map->slots);
  map->count = 0;
}

void map_free(struct map *map) {
  free(map->slots);
  *map = (struct map){0};
}
