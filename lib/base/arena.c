/* SPDX-License-Identifier: MIT */
/* Arena: chunks of doubling size in a singly linked list, newest first. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
  struct arena_chunk *next;
  size_t used, capacity;
  alignas(max_align_t) unsigned char bytes[];
};

enum { FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 1024 * 1024 };
enum { FIRST_ELEMENTS = 16 }; /* of a list that grows */

void *tile_allocate(size_t size) {
  return tile_reallocate(NULL, size);
}

void *tile_grow(void *list, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity)
    return list;
  *capacity = *capacity ? 2 * *capacity : FIRST_ELEMENTS;
  return tile_reallocate(list, *capacity * size);
}

void *tile_reallocate(void *old, size_t size) {
  void *result = realloc(old, size ? size : 1);
  if (!result) {
    fprintf(stderr, "fatal: out of memory (%zu bytes)\n", size);
    abort();
  }
  return result;
}

static struct arena_chunk *add_chunk(struct arena *arena, size_t at_least) {
  size_t capacity = arena->head ? arena->head->capacity * 2 : FIRST_CHUNK;
  if (capacity > LARGEST_CHUNK)
    capacity = LARGEST_CHUNK;
  if (capacity < at_least)
    capacity = at_least;
  struct arena_chunk *chunk = tile_allocate(sizeof *chunk + capacity);
  *chunk = (struct arena_chunk){.next = arena->head, .capacity = capacity};
  return arena->head = chunk;
}

void *arena_allocate(struct arena *arena, size_t size) {
  size_t step = alignof(max_align_t);
  size = (size + step - 1) / step * step;
  struct arena_chunk *chunk = arena->head;
  if (!chunk || chunk->capacity - chunk->used < size)
    chunk = add_chunk(arena, size);
  void *result = chunk->bytes + chunk->used;
  chunk->used += size;
  arena->allocated += size;
  return memset(result, 0, size);
}

void *arena_grow(struct arena *arena, void *list, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity)
    return list;
  *capacity = *capacity ? 2 * *capacity : FIRST_ELEMENTS;
  void *copy = arena_allocate(arena, *capacity * size);
  return count ? memcpy(copy, list, count * size) : copy;
}

char *arena_copy_string(struct arena *arena, const char *text, size_t length) {
  char *copy = arena_allocate(arena, length + 1);
  if (length)
    memcpy(copy, text, length);
  return copy;
}

void arena_destroy(struct arena *arena) {
  for (struct arena_chunk *chunk = arena->head, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  *arena = (struct arena){0};
}
