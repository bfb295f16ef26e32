/* SPDX-License-Identifier: MIT */
/* Bump allocation: many small objects that die together.

   An arena grows by chunks and frees them all at once. Allocation never fails: when the system has
   no memory left the process aborts with a message, because nothing sensible can be done inside
   a compilation. Memory is zeroed. One thread at a time. */
#ifndef TILE_BASE_ARENA_H
#define TILE_BASE_ARENA_H

#include <stddef.h>
#include "base/text.h"

struct arena {
  struct arena_chunk *head;
  size_t allocated; /* bytes handed out so far */
};

/* `size` bytes, zeroed, aligned for any type; owned by the arena. */
void *arena_allocate(struct arena *arena, size_t size);
/* A copy of `length` bytes with a terminating zero; owned by the arena. */
char *arena_copy_string(struct arena *arena, const char *text, size_t length);
void arena_destroy(struct arena *arena);

/* `list` of *capacity elements of `size` bytes each, with room for one more than `count`: where it
   is, or a copy of twice the size. */
void *arena_grow(struct arena *arena, void *list, size_t count, size_t *capacity, size_t size);

#define ARENA_NEW(arena, type) ((type *)arena_allocate((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_allocate((arena), sizeof(type) * (count)))

/* malloc and realloc that abort with a message when there is no memory. */
void *tile_allocate(size_t size);
void *tile_reallocate(void *old, size_t size);
/* `list` of *capacity elements of `size` bytes each, with room for one more than `count`: where it
   is, or in a place of twice the size. */
void *tile_grow(void *list, size_t count, size_t *capacity, size_t size);

#endif
