/* SPDX-License-Identifier: MIT */
/* Offsets as linear forms: can two accesses meet at one position of their tiles?

   A pointer, scalar or tile, is taken apart into a root, a sum of values with factors, and a
   constant. All of it is counted at one position: a tile's value stands for its element there.

       %a = addptr (splat %p), (range + splat (%i * 128))             p + range + 128 i
       %b = addptr (splat %p), (range + splat (%i * 128 + 64))        p + range + 128 i + 64

   The difference is 64 whatever %i is, so no position's element is accessed through both. This
   leans on the rule of tile.addptr that the arithmetic which forms an offset does not wrap. */
#ifndef TILE_ANALYSIS_OFFSETS_H
#define TILE_ANALYSIS_OFFSETS_H

#include "ir/session.h"

/* True when the elements at one position of both, pointers of one type, are certainly different
   ones. */
bool pointers_are_apart(struct session *session, MlirValue a, MlirValue b);

/* The most iterations that an scf.for with a constant step makes, `exact` when it makes just as
   many; 0 when no bound is known. */
int64_t loop_most_trips(struct session *session, MlirOperation loop, bool *exact);

#endif
