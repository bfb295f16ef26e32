/* SPDX-License-Identifier: MIT */
/* Tiles of integers that loops count up in.

     scf.for %i = 0 to %n step 1 iter_args(%k = %start) {       scf.for %i = ... {
       ... %k ...                                          ->     ... %start + splat (%i * %c) ...
       yield %k + splat %c                                      }
     }

   A variable of a loop has one layout. What is computed of it for two tiles, such as their masks,
   would tie them together, or go through shared memory; made of ranges and scalars it is index
   arithmetic like any other (layout_groups.c), and addresses that it forms can be computed ahead.
   */
#ifndef TILE_TRANSFORMS_COUNTING_H
#define TILE_TRANSFORMS_COUNTING_H

#include "ir/session.h"

/* visit_operations: replaces such variables of a loop. `data` is the session. */
MlirLogicalResult unfold_counting(MlirOperation op, void *data);

#endif
