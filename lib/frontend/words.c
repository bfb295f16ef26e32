/* SPDX-License-Identifier: MIT */
/* Words: open addressing in the arena. Tables that were outgrown stay there, at most as much again
   as the last one. */
#include "frontend/words.h"

#include <string.h>

/* FNV-1a. */
static uint32_t hash_bytes(const char *bytes, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
  return hash;
}

/* The slot of the word, or the free one where it belongs. */
static struct word_slot *find_slot(const struct words *words, const char *bytes, size_t length,
                                   uint32_t hash) {
  size_t index = (hash ^ hash >> 15) & (words->capacity - 1);
  for (;; index = (index + 1) & (words->capacity - 1)) {
    struct word_slot *slot = &words->slots[index];
    if (!slot->text ||
        (slot->hash == hash && slot->length == length && memcmp(slot->text, bytes, length) == 0))
      return slot;
  }
}

static void grow(struct words *words) {
  struct words old = *words;
  words->capacity = old.capacity ? old.capacity * 2 : 256;
  words->slots = ARENA_ARRAY(words->arena, struct word_slot, words->capacity);
  for (size_t i = 0; i < old.capacity; i++) {
    const struct word_slot *slot = &old.slots[i];
    if (slot->text)
      *find_slot(words, slot->text, slot->length, slot->hash) = *slot;
  }
}

void words_create(struct words *words, struct arena *arena) {
  *words = (struct words){.arena = arena};
  grow(words);
}

struct word_slot *words_slot(struct words *words, const char *bytes, size_t length) {
  uint32_t hash = hash_bytes(bytes, length);
  struct word_slot *slot = find_slot(words, bytes, length, hash);
  if (slot->text)
    return slot;
  if ((words->count + 1) * 4 > words->capacity * 3) {
    grow(words);
    slot = find_slot(words, bytes, length, hash);
  }
  words->count++;
  *slot = (struct word_slot){.text = arena_copy_string(words->arena, bytes, length),
                             .hash = hash,
                             .length = (uint32_t)length};
  return slot;
}

const char *words_intern(struct words *words, const char *string) {
  return words_slot(words, string, strlen(string))->text;
}

const char *words_find(const struct words *words, const char *string) {
  size_t length = strlen(string);
  return find_slot(words, string, length, hash_bytes(string, length))->text;
}
