/* SPDX-License-Identifier: MIT */
/* Sets of accesses that a cell of the race check remembers beside its last store.

   Neighbouring bytes are mostly used alike, so sets are shared: a set is a list, its latest access
   before the set that it was added to, and equal lists are made once. A cell holds the number
   of its set. Sets are never changed, and end with the launch.

   There are bounds, of one set and of all: what is beyond them is not remembered, and `lost` says
   so. The launch's report says it in words. */
#ifndef TILE_EMULATOR_READERS_H
#define TILE_EMULATOR_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { READERS_SET_LIMIT = 4096, READERS_TOTAL_LIMIT = 1 << 24 };

/* What a record is of. Two of them conflict when one is a load and the other atomic; a volatile
   load conflicts with plain stores only, and those, which have their own place, with everything. */
enum shadow_kind { SHADOW_IS_LOAD, SHADOW_IS_ATOMIC, SHADOW_IS_VOLATILE, SHADOW_IS_SET };

/* One access, packed into 64 bits; all zero means none. */
struct shadow_access {
  uint64_t epoch : 30; /* from 1; of a set: its number */
  uint64_t phase : 8;  /* of the thread's warp, modulo 256 */
  uint64_t thread : 10;
  uint64_t location : 12; /* index in memory.locations; 0: unknown */
  uint64_t several : 1;   /* so have other threads in the same epoch, not ordered with it */
  uint64_t warps : 1;     /* some of them in other warps */
  uint64_t kind : 2;      /* enum shadow_kind; of a plain store: 0 */
};

/* An access before a set. */
struct reader {
  struct shadow_access access;
  uint32_t others; /* the set after it; 0: none */
  uint32_t count;  /* accesses, with this one */
};

struct readers {
  struct reader *list; /* owned; [0] is unused */
  uint32_t count, capacity;
  uint32_t *index; /* owned: a hash table of numbers in `list`; twice the capacity */
  bool lost;       /* an access was not remembered, */
  struct shadow_access first_lost; /* this one */
};

/* Puts `access` before set `others` (0: the empty set); returns the set's number, or `others`
   when there is no room. */
uint32_t readers_add(struct readers *readers, uint32_t others, struct shadow_access access);
void readers_destroy(struct readers *readers);

#endif
