/* SPDX-License-Identifier: MIT */
/* See bulk_ring.h. */
#include "transforms/bulk_ring.h"

#include <stdlib.h>
#include "analysis/loop_stages.h"
#include "base/arena.h"
#include "ir/dot_form.h"

#include "ir/shared_attribute.h"
#include "ir/tensor_boxes.h"
#include "ir/tensor_maps.h"

/* --- Buffers and mbarriers -------------------------------------------------------------------- */

/* An mbarrier object has 64 bits (PTX ISA, mbarrier). */
static MlirType mbarrier_type(struct session *session, int count, bool all) {
  enum { MBARRIER_BITS = 64 };
  struct swizzled_layout plain = {.rank = 1, .vec = 1, .per_phase = 1, .max_phase = 1};
  const int64_t shape[2] = {count, 1};
  return shared_type(all ? 2 : 1, all ? shape : shape + 1,
                     mlirIntegerTypeGet(session->context, MBARRIER_BITS),
                     swizzled_attribute(&session->layouts, &plain));
}

MlirValue bulk_ring_mbarriers(struct bulk_ring *ring, struct builder *b, int count, int arrivals) {
  MlirValue all = BUILD(b, "tile_gpu.alloc", OUT(mbarrier_type(ring->session, count, true)));
  BUILD_OP(b, "tile_gpu.mbarrier_init", IN(all),
           ATTRIBUTES(attribute_named(b->context, "arrivals",
                                      attribute_integer(b->context, 32, arrivals))));
  return all;
}

MlirValue bulk_ring_mbarrier(struct bulk_ring *ring, struct builder *b, MlirValue mbarriers,
                             MlirValue stage) {
  return BUILD(b, "tile_gpu.index", IN(mbarriers, stage), OUT(ring->mbarrier));
}

/* What the launch must know of a block: the box of one copy, innermost dimension first. */
static void complete_recipe(struct bulk_ring *ring, int row) {
  MlirValue descriptor = op_operand(ring->rows[row]->load, 0);
  struct tensor_boxes boxes; /* loop_schedule.c has asked for them */
  tile_status_free(tensor_boxes_of(ring->session, ring->stages[row], &boxes));
  int rank = (int)mlirOperationGetNumOperands(ring->rows[row]->load) - 1;
  int32_t box[MAX_RANK];
  for (int i = 0; i < rank; i++)
    box[i] = i < boxes.rank ? boxes.box[boxes.rank - 1 - i] : 1;
  tensor_map_complete(ring->session, descriptor, rank, box, boxes.swizzle);
}

static void build_buffer(struct bulk_ring *ring, struct builder *b, int row) {
  MlirOperation load = ring->rows[row]->load;
  MlirType tile = op_result_type(load, 0), element = type_element(tile);
  int64_t shape[MAX_RANK + 1] = {ring->count};
  int rank = type_shape(tile, shape + 1);
  b->location = mlirOperationGetLocation(load);
  ring->stages[row] = shared_type(rank, shape + 1, element, ring->rows[row]->space);
  ring->buffers[row] = BUILD(b, "tile_gpu.alloc",
                             OUT(shared_type(rank + 1, shape, element, ring->rows[row]->space)));
}

/* The dot of the loop that alone reads the row's block; of a vector null. */
static MlirOperation row_product(struct session *session, const struct scheduled_load *row) {
  return mlirOperationIsNull(row->consumer) ? row->consumer : only_product(session, row->consumer);
}

/* The channel of a row. Rows of one dot come one after the other, as they are loaded. */
static void choose_channel(struct bulk_ring *ring, int row, bool each_dot) {
  MlirOperation dot = {0};
  if (each_dot)
    dot = row_product(ring->session, ring->rows[row]);
  int channel = 0;
  while (channel < ring->channel_count && !mlirOperationEqual(ring->channels[channel].dot, dot))
    channel++;
  if (channel == ring->channel_count)
    ring->channels[ring->channel_count++] = (struct bulk_channel){.dot = dot, .first = row};
  ring->channels[channel].bytes += ring->rows[row]->bytes;
  ring->channel_of[row] = channel;
}

/* One channel where a row has no dot of its own, as a vector. */
static bool each_has_dot(struct session *session, const struct loop_schedule *schedule) {
  for (int i = 0; i < schedule->count; i++)
    if (schedule->loads[i].method == PIPELINE_BULK &&
        mlirOperationIsNull(row_product(session, &schedule->loads[i])))
      return false;
  return true;
}

static bool is_in_ring(const struct bulk_ring *ring, const struct scheduled_load *row) {
  if (row->method != PIPELINE_BULK || ring->which == BULK_ROWS_ALL)
    return row->method == PIPELINE_BULK;
  return scheduled_is_transposed(ring->session, row) == (ring->which == BULK_ROWS_TRANSPOSED);
}

/* Rows and channels. */
static void list_rows(struct bulk_ring *ring, const struct loop_schedule *schedule) {
  bool each_dot = ring->each_dot && each_has_dot(ring->session, schedule);
  ring->row_count = ring->channel_count = 0;
  for (int i = 0; i < schedule->count; i++)
    if (is_in_ring(ring, &schedule->loads[i])) {
      ring->rows[ring->row_count] = &schedule->loads[i];
      choose_channel(ring, ring->row_count++, each_dot);
    }
  if (ring->channel_count == 1 && !schedule->overlaps)
    ring->channels[0].dot = (MlirOperation){0};
}

bool bulk_ring_has_channels_of(struct session *session, const struct loop_schedule *a,
                               const struct loop_schedule *b) {
  struct bulk_ring *rings[2];
  const struct loop_schedule *schedules[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    rings[i] = tile_allocate(sizeof *rings[i]);
    *rings[i] = (struct bulk_ring){.session = session, .each_dot = true};
    list_rows(rings[i], schedules[i]);
  }
  bool equal = rings[0]->row_count == rings[1]->row_count &&
               rings[0]->channel_count == rings[1]->channel_count;
  for (int i = 0; i < rings[0]->row_count && equal; i++)
    equal = rings[0]->channel_of[i] == rings[1]->channel_of[i];
  free(rings[0]);
  free(rings[1]);
  return equal;
}

void bulk_ring_build(struct bulk_ring *ring, struct session *session,
                     const struct loop_schedule *schedule, enum bulk_rows which, int count,
                     bool each_dot, struct builder *b) {
  *ring = (struct bulk_ring){.session = session,
                             .which = which,
                             .count = count,
                             .each_dot = each_dot,
                             .mbarrier = mbarrier_type(session, count, false)};
  list_rows(ring, schedule);
  for (int i = 0; i < ring->row_count; i++) {
    build_buffer(ring, b, i);
    complete_recipe(ring, i);
  }
  for (int i = 0; i < ring->channel_count; i++)
    ring->full[i] = bulk_ring_mbarriers(ring, b, count, 1);
}

void bulk_ring_take(struct bulk_ring *ring, const struct loop_schedule *schedule) {
  list_rows(ring, schedule);
  for (int i = 0; i < ring->row_count; i++)
    complete_recipe(ring, i);
}

/* --- Copies ----------------------------------------------------------------------------------- */

MlirOperation bulk_ring_expect(struct bulk_ring *ring, struct builder *b, int channel,
                               MlirValue mbarrier, MlirValue predicate) {
  MlirAttribute bytes = attribute_integer(b->context, 32, ring->channels[channel].bytes);
  return BUILD_OP(b, "tile_gpu.mbarrier_expect", IN(mbarrier, predicate),
                  ATTRIBUTES(attribute_named(b->context, "bytes", bytes)));
}

MlirValue build_coordinate(struct session *session, struct builder *b, MlirValue offset) {
  MlirOperation op = value_definition(offset);
  MlirType type = mlirValueGetType(offset);
  if (type_is_integer(type, 32))
    return offset;
  if (op_is(session, op, OP_ARITH_EXTSI) && type_is_integer(op_operand_type(op, 0), 32))
    return op_operand(op, 0);
  MlirValue least = build_integer_of(b, type, INT32_MIN);
  MlirValue most = build_integer_of(b, type, INT32_MAX);
  MlirValue within = build_binary(b, "arith.minsi", offset, most);
  return BUILD(b, "arith.trunci", IN(build_binary(b, "arith.maxsi", within, least)),
               OUT(integer_type(b, 32)));
}

MlirOperation bulk_ring_start(struct bulk_ring *ring, struct builder *b, int row, MlirValue stage,
                              MlirValue mbarrier, MlirValue predicate, const MlirValue *offsets) {
  enum { OTHER_OPERANDS = 4 };
  MlirOperation load = ring->rows[row]->load;
  intptr_t rank = mlirOperationGetNumOperands(load) - 1;
  b->location = mlirOperationGetLocation(load);
  MlirValue in[MAX_RANK + OTHER_OPERANDS] = {
      op_operand(load, 0),
      BUILD(b, "tile_gpu.index", IN(ring->buffers[row], stage), OUT(ring->stages[row])), mbarrier,
      predicate};
  for (intptr_t i = 0; i < rank; i++)
    in[OTHER_OPERANDS + i] = build_coordinate(ring->session, b, offsets[i]);
  return BUILD_OP(b, "tile_gpu.bulk_load", INS(in, rank + OTHER_OPERANDS),
                  OUT(ring->session->types.token));
}

MlirValue bulk_ring_serve(struct bulk_ring *ring, int row, MlirValue stage) {
  MlirOperation load = ring->rows[row]->load, consumer = ring->rows[row]->consumer;
  struct builder b = builder_before(mlirOperationIsNull(consumer) ? load : consumer);
  MlirValue view =
      BUILD(&b, "tile_gpu.index", IN(ring->buffers[row], stage), OUT(ring->stages[row]));
  if (mlirOperationIsNull(consumer)) {
    MlirValue vector = BUILD(&b, "tile_gpu.local_load", IN(view), OUT(op_result_type(load, 0)));
    replace_op(load, &vector);
    return view;
  }
  replace_op(consumer, &view);
  mlirOperationDestroy(load);
  return view;
}

MlirValue bulk_ring_next(struct bulk_ring *ring, struct builder *b, MlirValue stage,
                         MlirValue parity, MlirValue *out_parity) {
  MlirType i32 = integer_type(b, 32);
  MlirValue next = build_binary(b, "arith.addi", stage, build_integer(b, 32, 1));
  MlirValue wraps = build_compare(b, I_EQUAL, next, build_integer(b, 32, ring->count));
  if (out_parity)
    *out_parity =
        build_binary(b, "arith.xori", parity, BUILD(b, "arith.extui", IN(wraps), OUT(i32)));
  return BUILD(b, "arith.select", IN(wraps, build_integer(b, 32, 0), next), OUT(i32));
}
