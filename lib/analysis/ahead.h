/* SPDX-License-Identifier: MIT */
/* What of a loop's body can be computed some iterations ahead: a slice of pure operations from the
   induction variable and loop-carried values on.

   A branch (scf.if) with nothing but such operations in it counts as one, taken as a whole. A
   loop-carried value can be ahead where the next iteration's value can: a pointer that is advanced,
   but not the sum of what is loaded. Loads may be in a slice where that is asked for: whoever makes
   it says that no store of the loop changes what they read. */
#ifndef TILE_ANALYSIS_AHEAD_H
#define TILE_ANALYSIS_AHEAD_H

#include "ir/session.h"

enum { MAX_CARRIED = 256 };

struct ahead_slice {
  struct session *session;
  MlirOperation loop;        /* scf.for */
  struct map operations;     /* MlirOperation.ptr of the body's own operations in the slice */
  bool loads;                /* tile.loads may be in it, in the body itself */
  bool carried[MAX_CARRIED]; /* by number of the loop-carried value: it is needed ahead */
  intptr_t carried_count;
};

void ahead_slice_create(struct ahead_slice *slice, struct session *session, MlirOperation loop);
void ahead_slice_destroy(struct ahead_slice *slice);

/* Adds what `value` (null: nothing) needs. False, and the slice is to be thrown away, where that
   cannot be computed ahead. */
bool ahead_slice_add(struct ahead_slice *slice, MlirValue value);

#endif
