/* Applying chosen layouts: types, conversions where two layouts of one value are needed, and
   rematerialisation, which makes a converted value again instead of moving it between threads. */
#include "analysis/scratch.h"
#include "ir/build.h"
#include "transforms/layout_groups.h"

struct apply_state {
  struct layout_groups *groups;
  choose_layout *choose;
  void *data;
};

static MlirAttribute layout_for(struct apply_state *state, struct layout_group *group);

/* The layout that a reshape or its like leaves its result in; null when no layout of the result's group
   can say that. */
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

/* A constant's attribute carries the type too. */
static void retype_constant(MlirOperation op) {
  MlirAttribute value = mlirOperationGetAttributeByName(op, ref("value"));
  MlirType type = op_result_type(op, 0);
  if (!type_is_tensor(type) || !mlirAttributeIsADenseElements(value))
    return;
  MlirAttribute changed =
      mlirDenseElementsAttrIsSplat(value)
          ? mlirDenseElementsAttrSplatGet(type, mlirDenseElementsAttrGetSplatValue(value))
          : mlirDenseElementsAttrReshapeGet(value, type);
  mlirOperationSetAttributeByName(op, ref("value"), changed);
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

/* --- Conversions ---------------------------------------------------------------------------------- */

/* expand_dims needs its source in the slice of its result's layout. */
static MlirLogicalResult convert_expand_dims_source(MlirOperation op, void *data) {
  struct apply_state *state = data;
  struct session *session = state->groups->session;
  if (kind_of(session, op) != OP_TILE_EXPAND_DIMS)
    return SUCCESS;
  MlirAttribute needed =
      slice_attribute(&session->layouts, (int)op_integer(op, "axis", 0),
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

/* --- Rematerialisation ------------------------------------------------------------------------------ */

/* The most operations that are made again in place of one conversion. Operands are followed as a tree,
   so this also bounds the time where values are shared (x * x, of that again the square, ...). */
enum { MOST_REMATERIALISED = 64 };

static MlirAttribute operand_layout(struct session *session, MlirOperation op,
                                    MlirAttribute layout) {
  if (kind_of(session, op) == OP_TILE_EXPAND_DIMS)
    return slice_attribute(&session->layouts, (int)op_integer(op, "axis", 0), layout);
  return layout;
}

/* True where the result's layout says the operands' layout, so that the operation can be made again in
   any other. */
static bool is_rebuildable(struct session *session, MlirOperation op) {
  const struct op_info *info = op_info(&session->names, op);
  switch ((int)info->kind) {
  case OP_TILE_RANGE:
  case OP_TILE_SPLAT:
  case OP_TILE_BROADCAST:
  case OP_TILE_EXPAND_DIMS:
  case OP_TILE_ADDPTR:
  case OP_TILE_PTR_TO_INT:
  case OP_TILE_INT_TO_PTR:
  case OP_TILE_BITCAST:
  case OP_ARITH_CONSTANT:
  case OP_TILE_GPU_CONVERT_LAYOUT:
    return true;
  default:
    return op_is_elementwise(op) &&
           (info->effects == EFFECTS_PURE || info->effects == EFFECTS_PURE_MAY_TRAP);
  }
}

/* True when `value` can be computed in `layout` from scalars and values that already have it, with at
   most `*budget` operations. */
static bool can_rebuild(struct session *session, MlirValue value, MlirAttribute layout,
                        int *budget) {
  MlirType type = mlirValueGetType(value);
  if (!type_is_tensor(type) || mlirAttributeEqual(type_layout(type), layout))
    return true;
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || --*budget < 0 || !is_rebuildable(session, op))
    return false;
  if (kind_of(session, op) == OP_TILE_GPU_CONVERT_LAYOUT)
    return can_rebuild(session, op_operand(op, 0), layout, budget);
  MlirAttribute inner = operand_layout(session, op, layout);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!can_rebuild(session, op_operand(op, i), inner, budget))
      return false;
  return true;
}

static MlirValue rebuild(struct session *session, MlirValue value, MlirAttribute layout) {
  MlirType type = mlirValueGetType(value);
  if (!type_is_tensor(type) || mlirAttributeEqual(type_layout(type), layout))
    return value;
  MlirOperation op = value_definition(value);
  if (kind_of(session, op) == OP_TILE_GPU_CONVERT_LAYOUT)
    return rebuild(session, op_operand(op, 0), layout);
  MlirOperation copy = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(op), op, copy);
  MlirAttribute inner = operand_layout(session, op, layout);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, rebuild(session, op_operand(op, i), inner));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(copy); i++)
    mlirValueSetType(op_result(copy, i), type_with_layout(op_result_type(copy, i), layout));
  if (kind_of(session, op) == OP_ARITH_CONSTANT)
    retype_constant(copy);
  return op_result(copy, mlirOpResultGetResultNumber(value));
}

static MlirLogicalResult rematerialise(MlirOperation op, void *data) {
  struct session *session = data;
  if (kind_of(session, op) != OP_TILE_GPU_CONVERT_LAYOUT)
    return SUCCESS;
  MlirAttribute layout = type_layout(op_result_type(op, 0));
  int budget = MOST_REMATERIALISED;
  if (!can_rebuild(session, op_operand(op, 0), layout, &budget))
    return SUCCESS;
  MlirValue value = rebuild(session, op_operand(op, 0), layout);
  replace_op(op, &value);
  return SUCCESS;
}

MlirLogicalResult layout_groups_apply(struct layout_groups *groups, MlirOperation function,
                                      choose_layout *choose, void *data) {
  struct apply_state state = {groups, choose, data};
  TRY_IR(visit_operations(function, retype_operation, &state));
  TRY_IR(visit_operations(function, convert_expand_dims_source, &state));
  return visit_operations(function, rematerialise, groups->session);
}
