/* SPDX-License-Identifier: MIT */
/* See outer_descriptors.h. */
#include "transforms/outer_descriptors.h"

#include <stdlib.h>
#include "analysis/box_outer.h"
#include "analysis/loop_schedule.h"
#include "ir/attributes.h"
#include "ir/build.h"
#include "ir/tensor_maps.h"
#include "transforms/build_form.h"

struct state {
  struct session *session;
  struct axis_analysis axis;
  MlirOperation *loads;
  size_t count, capacity;
};

static int rank_of(MlirOperation make) {
  return (int)(mlirOperationGetNumOperands(make) - 1) / 2;
}

/* Everything but the base. */
static bool launch_knows(struct session *session, MlirOperation make) {
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(make); i++)
    if (!tensor_map_knows(session, op_operand(make, i)))
      return false;
  return true;
}

static MlirOperation loop_around(struct session *session, MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!op_is(session, op, OP_SCF_FOR));
  return op;
}

static MlirLogicalResult note_load(MlirOperation op, void *data) {
  struct state *state = data;
  struct session *session = state->session;
  if (!op_is(session, op, OP_TILE_DESCRIPTOR_LOAD) || !is_in_loop(session, op) ||
      !feeds_product(session, op_result(op, 0)))
    return SUCCESS;
  MlirOperation make = value_definition(op_operand(op, 0));
  if (!op_is(session, make, OP_TILE_MAKE_DESCRIPTOR) || attribute_has(make, ATTR_NARROW_DIMS) ||
      mlirOperationIsNull(value_definition(op_operand(make, 0))) || !launch_knows(session, make))
    return SUCCESS;
  state->loads = tile_grow(state->loads, state->count, &state->capacity, sizeof *state->loads);
  state->loads[state->count++] = op;
  return SUCCESS;
}

/* box->outer: what moves the descriptor's base from a parameter, box->base. */
static bool read_base(struct state *state, MlirOperation load, MlirOperation make,
                      struct box *box) {
  struct form_reader reader = {
      .session = state->session, .axis = &state->axis, .loop = loop_around(state->session, load)};
  *box = (struct box){
      .load = load, .element = type_element(op_result_type(load, 0)), .rank = rank_of(make)};
  return form_of_pointer(&reader, op_operand(make, 0), &box->base, &box->moved) &&
         box_outer_of(&reader, box) && box->outer_count > 0;
}

static MlirValue build_descriptor(MlirOperation make, const struct box *box) {
  struct builder b = builder_before(make);
  int outer = box->outer_count, rank = outer + box->rank;
  int32_t segments[] = {1, rank, rank};
  MlirValue in[1 + 2 * MAX_BOX_RANK] = {box->base};
  for (int i = 0; i < outer; i++) {
    in[1 + i] = build_integer(&b, 64, box_endless_size);
    in[1 + rank + i] = build_term(&b, &box->outer[i].stride);
  }
  for (int i = 0; i < box->rank; i++) {
    in[1 + outer + i] = op_operand(make, 1 + i);
    in[1 + rank + outer + i] = op_operand(make, 1 + box->rank + i);
  }
  MlirNamedAttribute attributes[] = {
      attribute_named(b.context, "operandSegmentSizes",
                      attribute_dense_i32(b.context, 3, segments)),
      attribute_named(b.context, "pads_with_nan", mlirUnitAttrGet(b.context))};
  return BUILD(&b, "tile.make_descriptor", INS(in, 1 + 2 * rank), OUT(op_result_type(make, 0)),
               ATTRIBUTE_LIST(attributes, 1 + op_has_attribute(make, "pads_with_nan")));
}

static void replace_load(struct map *made, MlirOperation load, const struct box *box) {
  MlirOperation make = value_definition(op_operand(load, 0));
  if (!map_get(made, make.ptr))
    map_set(made, make.ptr, (void *)build_descriptor(make, box).ptr);
  MlirValue in[1 + MAX_BOX_RANK] = {{map_get(made, make.ptr)}};
  struct builder b = builder_before(load);
  int outer = box->outer_count;
  for (int i = 0; i < outer; i++)
    in[1 + i] = build_form(&b, &box->outer[i].place);
  for (int i = 0; i < box->rank; i++)
    in[1 + outer + i] = op_operand(load, 1 + i);
  MlirValue value = BUILD(&b, "tile.descriptor_load", INS(in, 1 + outer + box->rank),
                          OUT(op_result_type(load, 0)));
  replace_op(load, &value);
}

int outer_descriptors(struct session *session, MlirOperation kernel) {
  struct state state = {.session = session};
  struct map made = {0};
  int changed = 0;
  axis_analysis_run(&state.axis, session, kernel);
  visit_operations(kernel, note_load, &state);
  struct box *boxes = calloc(state.count + 1, sizeof *boxes);
  for (size_t i = 0; i < state.count && boxes; i++)
    if (!read_base(&state, state.loads[i], value_definition(op_operand(state.loads[i], 0)),
                   &boxes[i]))
      boxes[i].outer_count = 0;
  axis_analysis_destroy(&state.axis);
  for (size_t i = 0; i < state.count && boxes; i++)
    if (boxes[i].outer_count) {
      replace_load(&made, state.loads[i], &boxes[i]);
      changed++;
    }
  map_free(&made);
  free(boxes);
  free(state.loads);
  return changed;
}
