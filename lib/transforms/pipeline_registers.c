/* SPDX-License-Identifier: MIT */
/* tile-gpu-pipeline: loads into registers, some iterations ahead (pipeline.c shows the rewrite). */
#include <stdlib.h>
#include "base/arena.h"
#include "ir/tile_ops.h"
#include "transforms/pipeline_rewrite.h"

/* tiles[k][i]: of iteration k, rows[i]; those of the loop's own iteration come last. */
struct tiles {
  MlirValue at[MAX_STAGES][MAX_SCHEDULED];
};

static void start_register_load(struct rewrite *r, struct builder *b, int row, MlirValue pointer,
                                MlirValue mask, MlirValue other, void *data) {
  struct tiles *tiles = data;
  MlirOperation load = r->rows[row].load;
  MlirNamedAttribute attributes[MAX_ATTRIBUTES + 1];
  intptr_t count = kept_attributes(load, attributes, MAX_ATTRIBUTES);
  bool has_other = !mlirValueIsNull(other);
  attributes[count++] = operand_segments(b, 3, (int32_t[]){1, 1, has_other});
  MlirValue in[] = {pointer, mask, other};
  MlirType type = op_result_type(load, 0);
  b->location = mlirOperationGetLocation(load);
  tiles->at[r->iteration][row] = build_value(b, &(struct op_spec){.name = "tile.load",
                                                                  .in = in,
                                                                  .in_count = has_other ? 3 : 2,
                                                                  .out = &type,
                                                                  .out_count = 1,
                                                                  .attributes = attributes,
                                                                  .attribute_count = count});
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
  rewrite_prologue(r, &b, d, start_register_load, nothing_after, tiles);
  struct distance distance = distance_ahead(&b, schedule->loop, d);
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
  free(values);
  free(w);
  free(tiles);
  rewrite_end(r);
  return loop;
}
