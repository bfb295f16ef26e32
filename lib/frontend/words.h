/* SPDX-License-Identifier: MIT */
/* Names, each stored once: two equal names of one file are one pointer, so that they compare by
   pointer and serve as keys of a struct map.

   A word is a zero-terminated string owned by the arena. Threads: one at a time. */
#ifndef TILE_FRONTEND_WORDS_H
#define TILE_FRONTEND_WORDS_H

#include <stdint.h>
#include "base/arena.h"

struct word_slot {
  const char *text; /* NULL: free */
  uint32_t hash, length;
  int tag; /* the caller's: a keyword's token kind, else 0 */
};

struct words {
  struct arena *arena; /* borrowed */
  struct word_slot *slots;
  size_t count, capacity; /* capacity: a power of two, at most three quarters full */
};

void words_create(struct words *words, struct arena *arena);
/* The slot of the word with these bytes (which hold no zero); made when it is new. Valid until the
   next call; its `text` stays. */
struct word_slot *words_slot(struct words *words, const char *bytes, size_t length);
/* The word with this spelling. */
const char *words_intern(struct words *words, const char *string);
/* The word with this spelling if the file has it, else NULL: then no node bears that name. */
const char *words_find(const struct words *words, const char *string);

#endif
