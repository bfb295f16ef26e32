/* SPDX-License-Identifier: MIT */
#include "analysis/holders.h"
#include "analysis/axis_info.h"
#include "ir/tile_ops.h"
#include "layout/linear_layout.h"

enum { MAX_VALUES = 256 };

struct search {
  struct session *session;
  const struct linear_layout *layout;
  MlirValue values[MAX_VALUES]; /* made of the load, in its layout */
  int count;
};

/* False where it is held in another layout, or there are too many. */
static bool add(struct search *search, MlirValue value) {
  for (int i = 0; i < search->count; i++)
    if (mlirValueEqual(search->values[i], value))
      return true;
  MlirType type = mlirValueGetType(value);
  const struct linear_layout *layout =
      type_is_tensor(type) ? layout_to_linear(&search->session->layouts, type) : NULL;
  if (search->count == MAX_VALUES || !layout || !linear_layout_equal(layout, search->layout))
    return false;
  search->values[search->count++] = value;
  return true;
}

/* What a loop carries in its place `i`. */
static bool add_carried(struct search *search, MlirOperation loop, intptr_t i) {
  return add(search, mlirBlockGetArgument(op_body(loop, 0), i + 1)) &&
         add(search, op_result(loop, i));
}

static bool follow(struct search *search, MlirOperation user, intptr_t operand) {
  enum op_kind kind = kind_of(search->session, user);
  if (kind == OP_TILE_STORE) {
    const struct linear_layout *stored =
        layout_to_linear(&search->session->layouts, op_operand_type(user, 0));
    return operand > 0 && stored && linear_layout_equal(stored, search->layout);
  }
  if (kind == OP_SCF_FOR)
    return operand >= 3 && add_carried(search, user, operand - 3);
  MlirOperation parent = mlirOperationGetParentOperation(user);
  if (kind == OP_SCF_YIELD)
    return op_is(search->session, parent, OP_SCF_FOR) && add_carried(search, parent, operand);
  bool made = kind_has(kind, IS_ELEMENTWISE) &&
              op_info(&search->session->names, user)->effects == EFFECTS_PURE;
  for (intptr_t i = 0; made && i < mlirOperationGetNumResults(user); i++)
    made = add(search, op_result(user, i));
  return made;
}

bool is_for_holders(struct session *session, MlirOperation load) {
  MlirValue loaded = op_result(load, 0);
  if (!type_is_tensor(mlirValueGetType(loaded)) || op_has_attribute(load, "volatile"))
    return false;
  struct search search = {.session = session,
                          .layout = layout_to_linear(&session->layouts, mlirValueGetType(loaded))};
  bool only = search.layout && add(&search, loaded);
  for (int i = 0; only && i < search.count; i++) {
    MlirOpOperand use = mlirValueGetFirstUse(search.values[i]);
    for (; only && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      only =
          follow(&search, mlirOpOperandGetOwner(use), (intptr_t)mlirOpOperandGetOperandNumber(use));
  }
  return only;
}

struct neighbours {
  struct session *session;
  struct axis_analysis axis;
  bool found;
};

static MlirLogicalResult find_neighbours(MlirOperation op, void *data) {
  struct neighbours *state = data;
  if (KIND_IN(kind_of(state->session, op), OP_TILE_LOAD, OP_TILE_STORE) &&
      type_is_tensor(op_operand_type(op, 0)))
    state->found |= axis_has_neighbours(&state->axis, op_operand(op, 0));
  return SUCCESS;
}

bool is_strided(struct session *session, MlirOperation kernel) {
  struct neighbours state = {.session = session};
  axis_analysis_run(&state.axis, session, kernel);
  visit_operations(kernel, find_neighbours, &state);
  axis_analysis_destroy(&state.axis);
  return !state.found;
}
