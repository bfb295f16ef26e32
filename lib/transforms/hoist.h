/* SPDX-License-Identifier: MIT */
/* Moving an operation forward in its block, together with the arithmetic that it needs. */
#ifndef TILE_TRANSFORMS_HOIST_H
#define TILE_TRANSFORMS_HOIST_H

#include "ir/session.h"

enum { MAX_HOISTED = 64 };

/* Operations to be moved, each after those that it uses. */
struct hoisted {
  MlirOperation ops[MAX_HOISTED];
  int count;
};

bool hoisted_contains(const struct hoisted *hoisted, MlirOperation op);
/* Adds what `op` needs of the operations from `first` to `last`, exclusive, of its block, then
   `op`. False when something of that cannot be executed earlier: it has effects or a region, or is
   a conversion. */
bool hoist_collect(struct session *session, MlirOperation op, MlirOperation first,
                   MlirOperation last, struct hoisted *out);

#endif
