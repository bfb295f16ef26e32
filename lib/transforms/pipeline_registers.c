/* SPDX-License-Identifier: MIT */
/* tile-gpu-pipeline: loads into registers, some iterations ahead (pipeline.c shows the rewrite). */
#include <stdlib.h>
#include "analysis/offsets.h"
#include "base/arena.h"
#include "ir/tile_ops.h"
#include "transforms/pipeline_rewrite.h"

/* tiles[k][i]: of iteration k, rows[i]; those of the loop's own iteration come last. */
struct tiles {
  MlirValue at[MAX_STAGES][MAX_SCHEDULED];
};

static void start_register_load(struct rewrite *r, struct builder *b, int row, MlirValue exists,
                                void *data) {
  struct tiles *tiles = data;
  struct tile_load ahead = rewrite_load(r, b, row, exists);
  tiles->at[r->iteration][row] = build_load(b, r->rows[row].load, &ahead);
}

/* --- Past stores ------------------------------------------------------------------------------ */

static MlirValue wide(struct builder *b, MlirValue scalar) {
  MlirType i64 = integer_type(b, 64), type = mlirValueGetType(scalar);
  if (mlirTypeEqual(type, i64))
    return scalar;
  return BUILD(b, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", IN(scalar),
               OUT(i64));
}

/* `sum` and factor * `more`. */
static MlirValue add_sum(struct builder *b, MlirValue sum, const struct offset_sum *more,
                         int factor) {
  sum = build_binary(b, "arith.addi", sum, build_integer(b, 64, more->constant * factor));
  for (int i = 0; i < more->count; i++) {
    MlirValue term = wide(b, more->terms[i].scalar);
    if (!mlirValueIsNull(more->terms[i].by))
      term = build_binary(b, "arith.muli", term, wide(b, more->terms[i].by));
    term =
        build_binary(b, "arith.muli", term, build_integer(b, 64, more->terms[i].factor * factor));
    sum = build_binary(b, "arith.addi", sum, term);
  }
  return sum;
}

/* `distance` in the loop's last iteration, if it drifts. */
static MlirValue at_last(struct builder *b, MlirOperation loop, MlirValue apart,
                         const struct offset_sum *drift) {
  if (drift->count == 0 && drift->constant == 0)
    return apart;
  MlirValue reach =
      build_binary(b, "arith.subi", wide(b, op_operand(loop, 1)), wide(b, op_operand(loop, 0)));
  reach = build_binary(b, "arith.subi", reach, build_integer(b, 64, 1));
  MlirValue trips = build_binary(b, "arith.divsi", reach, wide(b, op_operand(loop, 2)));
  MlirValue all = add_sum(b, build_integer(b, 64, 0), drift, 1);
  return build_binary(b, "arith.addi", apart, build_binary(b, "arith.muli", all, trips));
}

/* i1: does a load of k iterations later overlap what is stored, in some iteration? */
static MlirValue overlaps(struct builder *b, MlirOperation loop,
                          const struct loop_distance *distance, int k) {
  MlirValue apart = build_integer(b, 64, 0);
  MlirType type = mlirValueGetType(apart);
  if (!mlirValueIsNull(distance->root_a))
    apart =
        build_binary(b, "arith.subi", BUILD(b, "tile.ptr_to_int", IN(distance->root_a), OUT(type)),
                     BUILD(b, "tile.ptr_to_int", IN(distance->root_b), OUT(type)));
  apart = add_sum(b, apart, &distance->now, 1);
  apart = add_sum(b, apart, &distance->step, k);
  MlirValue last = at_last(b, loop, apart, &distance->drift);
  MlirValue least = build_binary(b, "arith.minsi", apart, last);
  MlirValue most = build_binary(b, "arith.maxsi", apart, last);
  return build_binary(
      b, "arith.andi",
      build_compare(b, I_LESS, least, build_integer(b, 64, distance->bytes_b - distance->low)),
      build_compare(b, I_LESS, build_integer(b, 64, -distance->bytes_a - distance->high), most));
}

/* i1, before the loop: might a store change what is loaded up to d iterations early? Null: none
   does. */
static MlirValue is_changed(const struct rewrite *r, struct builder *b,
                            const struct loop_schedule *schedule) {
  MlirValue changed = {0};
  for (int i = 0; i < r->count * schedule->store_count; i++) {
    struct loop_distance distance;
    bool known;
    MlirValue from = op_operand(r->rows[i / schedule->store_count].load, 0);
    MlirValue to = op_operand(schedule->stores[i % schedule->store_count], 0);
    if (!pointers_share_positions(from, to))
      continue;
    if (!pointers_in_loop(r->ahead.slice.session, schedule->loop, from, to, &distance))
      return build_integer(b, 1, 1);
    if (loop_distance_is_apart(&distance, schedule->registers_ahead, &known))
      continue;
    for (int k = 1; k <= schedule->registers_ahead; k++) {
      MlirValue one = overlaps(b, schedule->loop, &distance, k);
      changed = mlirValueIsNull(changed) ? one : build_binary(b, "arith.ori", changed, one);
    }
  }
  return changed;
}

/* The loop as it was, where `changed`; else the new one:

     %r = scf.if %changed { loop } else { new loop } */
static void choose_loop(struct builder *b, MlirValue changed, MlirOperation loop,
                        MlirOperation new_loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirRegion regions[] = {region_with_block(b, 0, NULL), region_with_block(b, 0, NULL)};
  MlirOperation loops[] = {loop, new_loop};
  MlirType *types = tile_allocate((size_t)(count + 1) * sizeof *types);
  MlirValue *values = tile_allocate((size_t)(count + 1) * sizeof *values);
  for (intptr_t i = 0; i < count; i++)
    types[i] = op_result_type(loop, i);
  MlirOperation branch = build_op(b, &(struct op_spec){.name = "scf.if",
                                                       .in = &changed,
                                                       .in_count = 1,
                                                       .out = types,
                                                       .out_count = count,
                                                       .regions = regions,
                                                       .region_count = 2});
  for (intptr_t i = 0; i < count; i++)
    mlirValueReplaceAllUsesOfWith(op_result(new_loop, i), op_result(branch, i));
  mlirOperationRemoveFromParent(new_loop);
  for (int side = 0; side < 2; side++) {
    MlirBlock block = op_body(branch, side);
    mlirBlockAppendOwnedOperation(block, loops[side]);
    for (intptr_t i = 0; i < count; i++)
      values[i] = op_result(loops[side], i);
    struct builder end = builder_at_end(b->context, block, b->location);
    build_op(&end, &(struct op_spec){.name = "scf.yield", .in = values, .in_count = count});
  }
  free(types);
  free(values);
}

static void nothing_after(struct rewrite *r, struct builder *b, int iteration, void *data) {
  (void)r, (void)b, (void)iteration, (void)data;
}

/* The loop after the rewrite. */
MlirOperation pipeline_loads(struct session *session, const struct loop_schedule *schedule) {
  int d = schedule->registers_ahead;
  struct rewrite *r = tile_allocate(sizeof *r);
  struct tiles *tiles = tile_allocate(sizeof *tiles);
  struct wider_loop *w = tile_allocate(sizeof *w);
  *r = (struct rewrite){0};
  *w = (struct wider_loop){.old = schedule->loop};
  rewrite_begin(r, session, schedule, PIPELINE_REGISTERS);
  struct builder b = builder_before(schedule->loop);
  MlirValue changed = is_changed(r, &b, schedule);
  MlirOperation as_it_was =
      mlirValueIsNull(changed) ? (MlirOperation){0} : mlirOperationClone(schedule->loop);
  rewrite_prologue(r, &b, d, start_register_load, nothing_after, tiles);
  struct distance distance = distance_ahead(session, &b, schedule->loop, d);
  rewrite_carry(r, w);
  for (int k = 0; k < d; k++)
    for (int i = 0; i < r->count; i++)
      wider_add(w, tiles->at[k][i]);
  b.location = mlirOperationGetLocation(schedule->loop);
  wider_build(w, &b);

  struct builder inside = builder_at_end(session->context, w->block, b.location);
  intptr_t next = rewrite_take(r, w, 0);
  r->iteration = d;
  rewrite_start_ahead(r, &inside, w, distance, start_register_load, tiles);
  MlirValue *values = tile_allocate((size_t)(w->count + 1) * sizeof *values);
  intptr_t yielded = rewrite_yield(r, values, 0);
  for (int k = 0; k < d; k++)
    for (int i = 0; i < r->count; i++, next++) {
      MlirValue held = wider_argument(w, next);
      if (k == 0)
        replace_op(r->rows[i].load, &held);
      values[yielded++] = k + 1 < d ? wider_argument(w, next + r->count) : tiles->at[d][i];
    }
  wider_finish(w, values);
  wider_retire(session, w);
  MlirOperation loop = w->loop;
  if (!mlirValueIsNull(changed)) {
    struct builder after = builder_before(mlirOperationGetNextInBlock(loop));
    choose_loop(&after, changed, as_it_was, loop);
  }
  free(values);
  free(w);
  free(tiles);
  rewrite_end(r);
  return loop;
}
