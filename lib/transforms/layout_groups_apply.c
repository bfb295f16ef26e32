/* SPDX-License-Identifier: MIT */
/* Applying chosen layouts: types, conversions where two layouts of one value are needed, and
   rematerialisation of those. */
#include "analysis/scratch.h"
#include "ir/build.h"
#include "transforms/layout_groups.h"
#include "transforms/rematerialise.h"

struct apply_state {
  struct layout_groups *groups;
  choose_layout *choose;
  void *data;
};

static MlirAttribute layout_for(struct apply_state *state, struct layout_group *group);

/* The layout that a reshape or its like leaves its result in; null when no layout of the result's
   group can say that. */
static MlirAttribute relabelled(struct apply_state *state, struct layout_group *group) {
  MlirOperation op = group->relabels;
  struct session *session = state->groups->session;
  if (mlirOperationIsNull(op) || group->anchored ||
      type_elements(op_result_type(op, 0)) != type_elements(group->largest))
    return (MlirAttribute){0};
  MlirValue operand = op_operand(op, 0);
  MlirAttribute layout = layout_for(state, layout_group_of(state->groups, operand));
  if (mlirAttributeIsNull(layout))
    return layout;
  MlirType source = type_with_layout(mlirValueGetType(operand), layout);
  struct linear_layout result;
  if (!relabelling_result(session, op, source, &result))
    return (MlirAttribute){0};
  return linear_attribute(&session->layouts, &result);
}

/* A group whose layout follows from another's, which in turn follows from its own, chooses. */
static MlirAttribute layout_for(struct apply_state *state, struct layout_group *group) {
  while (group->representative != group)
    group = group->representative;
  if (!mlirAttributeIsNull(group->layout) || group->visiting)
    return group->layout;
  struct session *session = state->groups->session;
  MlirAttribute layout = {0};
  group->visiting = true;
  if (group->slice_of) {
    MlirAttribute parent = layout_for(state, group->slice_of);
    if (!mlirAttributeIsNull(parent))
      layout = slice_attribute(&session->layouts, group->axis, parent);
  } else {
    layout = relabelled(state, group);
  }
  group->visiting = false;
  if (mlirAttributeIsNull(layout))
    layout = state->choose(state->groups, group, state->data);
  return group->layout = layout;
}

static void retype(struct apply_state *state, MlirValue value) {
  struct layout_group *group = layout_group_of(state->groups, value);
  if (group)
    mlirValueSetType(value, type_with_layout(mlirValueGetType(value), layout_for(state, group)));
}

static MlirLogicalResult retype_operation(MlirOperation op, void *data) {
  struct apply_state *state = data;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    retype(state, op_result(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = op_body(op, r);
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        retype(state, mlirBlockGetArgument(block, i));
  }
  if (kind_of(state->groups->session, op) == OP_ARITH_CONSTANT)
    retype_constant(op);
  return SUCCESS;
}

/* --- Conversions ------------------------------------------------------------------------------ */

/* expand_dims needs its source in the slice of its result's layout. */
static MlirLogicalResult convert_expand_dims_source(MlirOperation op, void *data) {
  struct apply_state *state = data;
  struct session *session = state->groups->session;
  if (kind_of(session, op) != OP_TILE_EXPAND_DIMS)
    return SUCCESS;
  MlirAttribute needed = slice_attribute(&session->layouts, (int)op_integer(op, "axis", 0),
                                         type_layout(op_result_type(op, 0)));
  MlirValue source = op_operand(op, 0);
  if (mlirAttributeEqual(type_layout(mlirValueGetType(source)), needed))
    return SUCCESS;
  struct builder b = builder_before(op);
  MlirValue converted = BUILD(&b, "tile_gpu.convert_layout", IN(source),
                              OUT(type_with_layout(mlirValueGetType(source), needed)));
  mlirOperationSetOperand(op, 0, converted);
  return SUCCESS;
}

MlirLogicalResult layout_groups_apply(struct layout_groups *groups, MlirOperation function,
                                      choose_layout *choose, void *data) {
  struct apply_state state = {groups, choose, data};
  TRY_IR(visit_operations(function, retype_operation, &state));
  TRY_IR(visit_operations(function, convert_expand_dims_source, &state));
  return visit_operations(function, rematerialise_conversion, groups->session);
}
