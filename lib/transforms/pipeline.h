/* SPDX-License-Identifier: MIT */
/* The parts of which tile-gpu-pipeline rewrites a loop: iterations computed ahead, and a loop with
   more loop-carried values. */
#ifndef TILE_TRANSFORMS_PIPELINE_H
#define TILE_TRANSFORMS_PIPELINE_H

#include "analysis/ahead.h"
#include "analysis/loop_schedule.h"
#include "ir/build.h"
#include "ir/tile_ops.h"

/* A slice of the loop's body (analysis/ahead.h) for another iteration than the one at hand. */
struct ahead {
  struct ahead_slice slice;
  MlirValue carried[MAX_CARRIED]; /* loop-carried values of the slice, for the iteration to compute
                                     next */
  struct map values;              /* MlirValue.ptr in the body -> MlirValue.ptr in that iteration */
};

/* An iteration begins, with this induction variable and the `carried` values. */
void ahead_begin(struct ahead *a, MlirValue induction);
/* Copies the slice's operations to the builder; loads with a mask that is false where `exists` (i1)
   says that there is no such iteration. */
void ahead_compute(struct ahead *a, struct builder *b, MlirValue exists);
/* What a value of the body is in that iteration; a null value stays null. */
MlirValue ahead_value(const struct ahead *a, MlirValue value);
/* A load's operands in that iteration, with such a mask. */
struct tile_load ahead_load(const struct ahead *a, struct builder *b, MlirOperation load,
                            MlirValue exists);
/* The load again, with these operands. */
MlirValue build_load(struct builder *b, MlirOperation load, const struct tile_load *operands);
/* The `carried` values of the iteration that follows. */
void ahead_advance(struct ahead *a);

enum { MAX_WIDER = 1024, MAX_ATTRIBUTES = 16 };

/* A scf.for that takes over another one's body. Add values, build, put operations at the end of
   `block`, finish: the old body comes after them, the old loop is gone. */
struct wider_loop {
  MlirOperation old, loop;
  MlirBlock block;              /* of the new loop */
  MlirValue initial[MAX_WIDER]; /* of the values added */
  intptr_t count;               /* values added */
  intptr_t carried;             /* loop-carried values of the old loop, which come first */
};

void wider_add(struct wider_loop *w, MlirValue initial);
void wider_build(struct wider_loop *w, struct builder *b);
/* The block argument of added value `index`. */
MlirValue wider_argument(const struct wider_loop *w, intptr_t index);
/* `values`: what the added ones are in the next iteration. */
void wider_finish(struct wider_loop *w, const MlirValue *values);
/* Old loop-carried values that now serve but themselves, such as pointers of which only a later
   iteration's are needed, stay what they are: what advances them has no use any more. */
void wider_retire(struct session *session, const struct wider_loop *w);

MlirNamedAttribute operand_segments(struct builder *b, intptr_t count, const int32_t *sizes);

/* The operation's attributes, but for the sizes of operand segments, into `out`; returns how many.
 */
intptr_t kept_attributes(MlirOperation op, MlirNamedAttribute *out, intptr_t most);

/* The loop after the rewrite of its loads into registers, or of its copies by threads or by the
   copy engine (pipeline_registers.c, pipeline_copies.c, pipeline_bulk.c). */
MlirOperation pipeline_loads(struct session *session, const struct loop_schedule *schedule);
MlirOperation pipeline_copies(struct session *session, const struct loop_schedule *schedule);
MlirOperation pipeline_blocks(struct session *session, const struct loop_schedule *schedule);

/* Blocks that a producer brings for the iterations of a loop: how each is read, and the mbarrier
   that is told once it has been. */
struct outer_reads {
  struct outer_read {
    MlirValue view, empty;
  } list[MAX_OUTER_LOADS];
  int count;
};

/* The blocks that the kernel loads before loops, and which the copy engine can bring: those that
   tile-gpu-assign-roles has marked, or, without roles, those in no loop (pipeline_outer.c). */
void pipeline_outer(struct session *session, MlirOperation kernel, struct outer_reads *out);
/* Once the loops are rewritten. */
void pipeline_outer_end(struct session *session, const struct outer_reads *reads);

/* The rewrites of a kernel whose block has roles. */
struct roles;
struct role_rewrite {
  struct roles *roles;  /* of the loops so far; NULL: there was none */
  MlirOperation before; /* what has become of the loop before this one: it gives its stage and */
  intptr_t carried;     /* parity as results `carried` and the next */
  intptr_t outer;       /* the loop around all of them, if there is one, carries both so */
  struct map syncs;     /* of the loop at hand: waits and arrivals, with the dot they are for */
};

/* The same for a block with roles (pipeline_roles.c); `wait` is the one of the product in flight,
   and `last` the one after the loop, or both are null. */
MlirOperation pipeline_roles(struct session *session, const struct loop_schedule *schedule,
                             MlirOperation wait, MlirOperation last, struct role_rewrite *rewrite);
void role_rewrite_end(struct role_rewrite *rewrite);

#endif
