/* SPDX-License-Identifier: MIT */
/* See pipeline_rewrite.h. */
#include "transforms/pipeline_rewrite.h"

#include <stdlib.h>
#include "ir/tile_ops.h"
#include "ir/verify.h"

/* --- Small builders --------------------------------------------------------------------------- */

/* x < y, as the loop compares. */
static MlirValue is_before(struct builder *b, MlirOperation loop, MlirValue x, MlirValue y) {
  return build_compare(b, op_has_attribute(loop, "unsignedCmp") ? I_BELOW : I_LESS, x, y);
}

/* i1: does the loop run at all? */
static MlirValue loop_runs(struct builder *b, MlirOperation loop) {
  return is_before(b, loop, op_operand(loop, 0), op_operand(loop, 1));
}

/* i1: is there an iteration `reach` after `induction`? The difference to the end is positive, so it
   is right as an unsigned number whatever the bounds. */
static MlirValue is_iteration(struct builder *b, MlirOperation loop, MlirValue induction,
                              MlirValue reach) {
  return build_compare(b, I_ABOVE, build_binary(b, "arith.subi", op_operand(loop, 1), induction),
                       reach);
}

static MlirValue distance_of(struct builder *b, MlirOperation loop, int iterations) {
  MlirValue step = op_operand(loop, 2);
  if (iterations == 1)
    return step;
  return build_binary(b, "arith.muli", step,
                      build_integer_of(b, mlirValueGetType(step), iterations));
}

/* The same for comparisons: where it does not fit, the greatest number there is, since no loop goes
   that far. */
static MlirValue reach_of(struct session *session, struct builder *b, MlirOperation loop,
                          int iterations) {
  MlirValue step = op_operand(loop, 2), reach = distance_of(b, loop, iterations);
  MlirType type = mlirValueGetType(step);
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
  uint64_t most = (UINT64_MAX >> (64 - width)) / (uint64_t)iterations;
  int64_t constant;
  if (iterations == 1 || (uniform_integer(session, step, &constant) && (uint64_t)constant <= most))
    return reach;
  MlirValue far = build_compare(b, I_ABOVE, step, build_integer_of(b, type, (int64_t)most));
  return BUILD(b, "arith.select", IN(far, build_integer_of(b, type, -1), reach), OUT(type));
}

/* --- What both rewrites do -------------------------------------------------------------------- */

/* The slice of all loads of one kind. */
void rewrite_begin(struct rewrite *r, struct session *session, const struct loop_schedule *schedule,
                   enum pipeline_method method) {
  bool other = method == PIPELINE_REGISTERS;
  ahead_slice_create(&r->ahead.slice, session, schedule->loop);
  r->ahead.slice.loads = true; /* those that the schedule has found to be so */
  for (int i = 0; i < schedule->count; i++) {
    if (schedule->loads[i].method != method)
      continue;
    const struct scheduled_load *row = &schedule->loads[i];
    struct tile_load load;
    if (method == PIPELINE_BULK) {
      for (intptr_t k = 0; k < mlirOperationGetNumOperands(row->load); k++)
        ahead_slice_add(&r->ahead.slice, op_operand(row->load, k));
    } else {
      tile_load_read(row->load, &load);
      ahead_slice_add(&r->ahead.slice, load.pointer);
      ahead_slice_add(&r->ahead.slice, load.mask);
      if (other)
        ahead_slice_add(&r->ahead.slice, load.other);
    }
    r->rows[r->count++] = *row;
  }
  for (intptr_t i = 0; i < r->ahead.slice.carried_count; i++)
    if (r->ahead.slice.carried[i])
      r->ahead.carried[i] = op_operand(schedule->loop, i + 3);
}

struct tile_load rewrite_load(struct rewrite *r, struct builder *b, int row, MlirValue exists) {
  return ahead_load(&r->ahead, b, r->rows[row].load, exists);
}

/* Starts the loads of an iteration; `start` builds them for rows[i]. */
static void start_iteration(struct rewrite *r, struct builder *b, MlirValue induction,
                            MlirValue exists, start_load *start, void *data) {
  ahead_begin(&r->ahead, induction);
  ahead_compute(&r->ahead, b, exists);
  for (int i = 0; i < r->count; i++)
    start(r, b, i, exists, data);
  ahead_advance(&r->ahead);
}

/* Starts iterations 0 to d - 1 before the loop. */
void rewrite_prologue(struct rewrite *r, struct builder *b, int distance, start_load *start,
                      void (*after)(struct rewrite *, struct builder *, int iteration, void *),
                      void *data) {
  MlirOperation loop = r->ahead.slice.loop;
  MlirValue runs = loop_runs(b, loop), first = op_operand(loop, 0);
  for (int k = 0; k < distance; k++) {
    MlirValue exists = runs, induction = first;
    r->iteration = k;
    if (k) {
      induction = build_binary(b, "arith.addi", first, distance_of(b, loop, k));
      exists =
          build_binary(b, "arith.andi", runs,
                       is_iteration(b, loop, first, reach_of(r->ahead.slice.session, b, loop, k)));
    }
    start_iteration(r, b, induction, exists, start, data);
    after(r, b, k, data);
  }
}

/* Carries the values that are ahead: adds their initial values; gives them back their block
   arguments. */
void rewrite_carry(struct rewrite *r, struct wider_loop *w) {
  for (intptr_t i = 0; i < r->ahead.slice.carried_count; i++)
    if (r->ahead.slice.carried[i])
      wider_add(w, r->ahead.carried[i]);
}

intptr_t rewrite_take(struct rewrite *r, const struct wider_loop *w, intptr_t next) {
  for (intptr_t i = 0; i < r->ahead.slice.carried_count; i++)
    if (r->ahead.slice.carried[i])
      r->ahead.carried[i] = wider_argument(w, next++);
  return next;
}

intptr_t rewrite_yield(const struct rewrite *r, MlirValue *values, intptr_t next) {
  for (intptr_t i = 0; i < r->ahead.slice.carried_count; i++)
    if (r->ahead.slice.carried[i])
      values[next++] = r->ahead.carried[i];
  return next;
}

/* The end is the loop's less d * step, if the first iteration has one d ahead: then there is no
   overflow. Else no iteration has, and it is where the loop starts. In the loop this costs one
   comparison with what it counts anyway. */
struct distance distance_ahead(struct session *session, struct builder *b, MlirOperation loop,
                               int iterations) {
  MlirValue first = op_operand(loop, 0), reach = reach_of(session, b, loop, iterations);
  MlirValue any = is_iteration(b, loop, first, reach);
  MlirValue end = build_binary(b, "arith.subi", op_operand(loop, 1), reach);
  end = BUILD(b, "arith.select", IN(any, end, first), OUT(mlirValueGetType(first)));
  return (struct distance){distance_of(b, loop, iterations), end};
}

/* Starts iteration iv + d * step at the end of the new block. */
void rewrite_start_ahead(struct rewrite *r, struct builder *b, const struct wider_loop *w,
                         struct distance distance, start_load *start, void *data) {
  MlirValue induction = mlirBlockGetArgument(w->block, 0);
  MlirValue exists = is_before(b, w->loop, induction, distance.end);
  start_iteration(r, b, build_binary(b, "arith.addi", induction, distance.step), exists, start,
                  data);
}

void rewrite_end(struct rewrite *r) {
  ahead_slice_destroy(&r->ahead.slice);
  map_free(&r->ahead.values);
  free(r);
}
