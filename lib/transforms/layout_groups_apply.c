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

/* --- Layouts that follow from another group's ------------------------------------------------- */

enum { MAX_CHAIN = 16 };

typedef struct layout_group *next_group(struct apply_state *state, struct layout_group *group);

static int64_t bytes_along(struct apply_state *state, struct layout_group *group, next_group *next);

static struct layout_group *group_behind(struct apply_state *state, struct layout_group *group);

/* Of the operations that relabel into a group, first the one behind which there are most bytes of
   accesses, of those that make a tile as large as any of the group. From then on it is the only
   one. */
static MlirOperation relabels_of(struct apply_state *state, struct layout_group *group) {
  struct relabelling *list = group->relabels, *best = list;
  if (!list || !list->next)
    return list ? list->op : (MlirOperation){0};
  int64_t most = -1;
  group->relabels = NULL; /* ends the search where groups go round in a circle */
  for (struct relabelling *each = list; each; each = each->next) {
    struct layout_group *source = layout_group_of(state->groups, op_operand(each->op, 0));
    int64_t bytes = source->bytes ? source->bytes : bytes_along(state, source, group_behind);
    if (type_elements(op_result_type(each->op, 0)) == type_elements(group->largest) && bytes > most)
      best = each, most = bytes;
  }
  best->next = NULL;
  group->relabels = best;
  return best->op;
}

static struct layout_group *group_behind(struct apply_state *state, struct layout_group *group) {
  MlirOperation op = relabels_of(state, group);
  return mlirOperationIsNull(op) ? NULL : layout_group_of(state->groups, op_operand(op, 0));
}

/* A few elements go with what they are a slice of, where every thread may have all of them. */
static struct layout_group *group_ahead(struct apply_state *state, struct layout_group *group) {
  MlirOperation op = group->relabelled;
  if (group->slice_of && type_elements(group->largest) <= MACHINE_LANES)
    return layout_group_root(group->slice_of);
  return mlirOperationIsNull(op) ? NULL : layout_group_of(state->groups, op_result(op, 0));
}

/* Those of the nearest group with accesses, on one side of the relabellings around `group`. */
static int64_t bytes_along(struct apply_state *state, struct layout_group *group,
                           next_group *next) {
  for (int i = 0; i < MAX_CHAIN && (group = next(state, group)); i++)
    if (group->bytes)
      return group->bytes;
  return 0;
}

/* The layout that a reshape or its like leaves its result in; null when no layout of the result's
   group can say that. */
static MlirAttribute from_behind(struct apply_state *state, struct layout_group *group) {
  MlirOperation op = relabels_of(state, group);
  struct session *session = state->groups->session;
  MlirAttribute layout = layout_for(state, group_behind(state, group));
  struct linear_layout result;
  if (mlirAttributeIsNull(layout) ||
      type_elements(op_result_type(op, 0)) != type_elements(group->largest))
    return (MlirAttribute){0};
  MlirType operand = type_with_layout(op_operand_type(op, 0), layout);
  if (relabelling_result(session, op, operand, &result))
    return linear_attribute(&session->layouts, &result);
  int last = (int)mlirShapedTypeGetRank(operand) - 1; /* of a split, between neighbouring lanes */
  return slice_attribute(&session->layouts, last, layout);
}

/* The layout out of which a reshape or its like leaves its result as the next group with accesses
   holds it. */
static MlirAttribute from_ahead(struct apply_state *state, struct layout_group *group, int depth) {
  MlirOperation op = group->relabelled;
  struct session *session = state->groups->session;
  struct layout_group *ahead = group_ahead(state, group);
  if (!ahead || depth == MAX_CHAIN)
    return (MlirAttribute){0};
  MlirAttribute layout = ahead->bytes || ahead->slice_of ? layout_for(state, ahead)
                                                         : from_ahead(state, ahead, depth + 1);
  struct linear_layout operand;
  if (mlirAttributeIsNull(layout) ||
      type_elements(op_operand_type(op, 0)) != type_elements(group->largest) ||
      !relabelling_operand(session, op, type_with_layout(op_result_type(op, 0), layout), &operand))
    return (MlirAttribute){0};
  return linear_attribute(&session->layouts, &operand);
}

/* A group that a relabelling makes or takes follows the neighbour with more accesses; one without
   any follows what it is made of, if it can. */
static MlirAttribute followed(struct apply_state *state, struct layout_group *group) {
  int64_t behind = bytes_along(state, group, group_behind);
  int64_t ahead = bytes_along(state, group, group_ahead);
  MlirAttribute layout = {0};
  if (ahead > group->bytes && behind <= group->bytes)
    layout = from_ahead(state, group, 0);
  bool follows = group_behind(state, group) && (behind > group->bytes || !group->bytes);
  if (mlirAttributeIsNull(layout) && follows)
    layout = from_behind(state, group);
  struct layout_group *kept = group->keeps ? layout_group_root(group->keeps) : NULL;
  if (mlirAttributeIsNull(layout) && kept && kept->bytes >= group->bytes)
    layout = layout_for(state, kept);
  return layout;
}

/* A group whose layout follows from another's, which in turn follows from its own, chooses. */
static MlirAttribute layout_for(struct apply_state *state, struct layout_group *group) {
  group = layout_group_root(group);
  if (!mlirAttributeIsNull(group->layout) || group->visiting)
    return group->layout;
  struct session *session = state->groups->session;
  MlirAttribute layout = {0}, parent = {0};
  group->visiting = true;
  if (!group->slice_of)
    layout = followed(state, group);
  else if (parent = layout_for(state, group->slice_of), !mlirAttributeIsNull(parent))
    layout = slice_attribute(&session->layouts, group->axis, parent);
  group->visiting = false;
  if (mlirAttributeIsNull(layout) || (group->bytes && !group->slice_of))
    layout = state->choose(state->groups, group, layout, state->data);
  return group->layout = layout;
}

MlirAttribute layout_group_layout(struct layout_groups *groups, struct layout_group *group,
                                  choose_layout *choose, void *data) {
  struct apply_state state = {groups, choose, data};
  return layout_for(&state, group);
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
