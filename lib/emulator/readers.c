/* SPDX-License-Identifier: MIT */
/* See readers.h: equal sets are found by hashing. */
#include "emulator/readers.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "emulator/order.h"

static uint64_t bits_of(struct shadow_access access) {
  uint64_t bits;
  memcpy(&bits, &access, sizeof bits);
  return bits;
}

/* Where in the index the pair stands, or should. */
static uint32_t *place_of(const struct readers *readers, uint32_t others,
                          struct shadow_access access) {
  uint64_t bits = bits_of(access);
  size_t mask = 2 * (size_t)readers->capacity - 1;
  size_t at = random_mix(bits ^ (uint64_t)others << 40) & mask;
  for (; readers->index[at]; at = (at + 1) & mask) {
    const struct reader *reader = &readers->list[readers->index[at]];
    if (reader->others == others && bits_of(reader->access) == bits)
      break;
  }
  return &readers->index[at];
}

static void grow(struct readers *readers) {
  readers->capacity = readers->capacity ? 2 * readers->capacity : 1024;
  readers->list = tile_reallocate(readers->list, readers->capacity * sizeof *readers->list);
  free(readers->index);
  size_t bytes = 2 * (size_t)readers->capacity * sizeof *readers->index;
  readers->index = memset(tile_allocate(bytes), 0, bytes);
  readers->list[0] = (struct reader){0};
  if (readers->count == 0)
    readers->count = 1;
  for (uint32_t i = 1; i < readers->count; i++)
    *place_of(readers, readers->list[i].others, readers->list[i].access) = i;
}

static uint32_t lose(struct readers *readers, uint32_t others, struct shadow_access access) {
  if (!readers->lost)
    readers->first_lost = access;
  readers->lost = true;
  return others;
}

uint32_t readers_add(struct readers *readers, uint32_t others, struct shadow_access access) {
  if (readers->count == readers->capacity && readers->count < READERS_TOTAL_LIMIT)
    grow(readers);
  uint32_t *place = place_of(readers, others, access);
  if (*place)
    return *place;
  uint32_t count = readers->list[others].count + 1;
  if (count > READERS_SET_LIMIT || readers->count == READERS_TOTAL_LIMIT)
    return lose(readers, others, access);
  readers->list[readers->count] = (struct reader){access, others, count};
  return *place = readers->count++;
}

void readers_destroy(struct readers *readers) {
  free(readers->list);
  free(readers->index);
  *readers = (struct readers){0};
}
