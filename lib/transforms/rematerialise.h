/* SPDX-License-Identifier: MIT */
/* Rematerialising a value in another layout, from its inputs, where that moves nothing between
   threads.

   What a thread computes from scalars, ranges and constants it can compute for other elements as
   well. */
#ifndef TILE_TRANSFORMS_REMATERIALISE_H
#define TILE_TRANSFORMS_REMATERIALISE_H

#include "base/map.h"
#include "ir/session.h"

/* The most operations that are rematerialised in place of one conversion. Operands are followed as
   a tree, so this also bounds the time where values are shared (x * x, of that again the square,
   ...). */
enum { MAX_REMATERIALISED = 64 };

struct rebuild_budget {
  int operations;
  MlirValue assumed;  /* a value that will have the layout, or null */
  int load_registers; /* loads of vectors that nobody else uses are rematerialised, in the place
                         where they stand, if a thread has at most so many addresses of them */
  const struct map *equal_addresses; /* of a tile.load (MlirOperation.ptr): so many neighbours have
                                        one address, as an integer; NULL: one each */
};

/* True where the result's layout says the operands' layout, so that the operation can be
   rematerialised in any other. */
bool is_rebuildable(struct session *session, MlirOperation op);
/* A load of a vector that has few addresses a thread in `layout`, as the budget says. */
bool is_small_load(struct session *session, MlirOperation op, MlirAttribute layout,
                   const struct rebuild_budget *budget);
/* True when `value` can be computed in `layout` from scalars and values that already have it,
   within the budget, which shrinks. */
bool can_rebuild(struct session *session, MlirValue value, MlirAttribute layout,
                 struct rebuild_budget *budget);
/* Does so; to be asked only after can_rebuild. Copies stand after their originals. */
MlirValue rebuild(struct session *session, MlirValue value, MlirAttribute layout);

/* visit_operations: replaces a tile_gpu.convert_layout whose operand can be rebuilt. `data` is the
   session. */
MlirLogicalResult rematerialise_conversion(MlirOperation op, void *data);

/* Gives a constant's attribute the type of its result. */
void retype_constant(MlirOperation op);

#endif
