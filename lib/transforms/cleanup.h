/* SPDX-License-Identifier: MIT */
/* The six parts of tile-cleanup. Each works on the regions below `root`, never on `root` itself or
   on what is around it, takes time linear in the number of operations, and tells whether it changed
   anything.

   What an operation may be subjected to is its effects in ops.def; operations without a row other
   than arith and math are left alone. Attributes with a dot in their name (`tile.divisibility`) are
   hints, promises of the user about the result: no part loses one. */
#ifndef TILE_TRANSFORMS_CLEANUP_H
#define TILE_TRANSFORMS_CLEANUP_H

#include "ir/session.h"

/* Replaces operations by simpler equal ones. */
bool cleanup_fold(struct session *session, MlirOperation root);
/* Makes loops of one iteration at most branches. */
bool cleanup_branch(struct session *session, MlirOperation root);
/* Replaces what a loop counts besides its counter, in step with it. */
bool cleanup_count(struct session *session, MlirOperation root);
/* Merges equal operations into the first (common subexpressions). */
bool cleanup_merge(struct session *session, MlirOperation root);
/* Moves what does not change out of loops. */
bool cleanup_hoist(struct session *session, MlirOperation root);
/* Erases what nobody uses. */
bool cleanup_remove(struct session *session, MlirOperation root);

/* True for a read that must happen each time it is written down. */
bool cleanup_is_volatile(MlirOperation read);

#endif
