/* SPDX-License-Identifier: MIT */
/* See ahead.h. */
#include "analysis/ahead.h"

#include "analysis/scratch.h"

void ahead_slice_create(struct ahead_slice *slice, struct session *session, MlirOperation loop) {
  *slice = (struct ahead_slice){
      .session = session, .loop = loop, .carried_count = mlirOperationGetNumResults(loop)};
  if (slice->carried_count > MAX_CARRIED)
    slice->carried_count = MAX_CARRIED; /* a load that needs one beyond stays */
}

void ahead_slice_destroy(struct ahead_slice *slice) {
  map_free(&slice->operations);
}

/* An operation that may run for iterations that there are not: nothing but arithmetic. A division
   is; on the device it gives some number. */
static bool is_arithmetic(struct session *session, MlirOperation op) {
  enum op_effects effects = op_info(&session->names, op)->effects;
  return (effects == EFFECTS_PURE || effects == EFFECTS_PURE_MAY_TRAP) &&
         mlirOperationGetNumRegions(op) == 0 && scratch_bytes(session, op) == 0;
}

/* A load that says no more than which memory it reads. */
static bool is_plain_load(struct session *session, MlirOperation op) {
  return op_is(session, op, OP_TILE_LOAD) && !op_has_attribute(op, "volatile") &&
         !ref_equals(op_string(op, "cache"), "cv") && scratch_bytes(session, op) == 0;
}

/* A branch is part of a slice as a whole, with what it needs from outside. */
struct branch {
  struct ahead_slice *slice;
  MlirOperation op;
  bool fits;
};

static bool is_defined_inside(MlirValue value, MlirOperation op) {
  MlirOperation definition = value_definition(value);
  return !mlirOperationIsNull(definition) && !mlirOperationEqual(definition, op) &&
         op_is_inside(definition, op);
}

static MlirWalkResult add_inner(MlirOperation op, void *data) {
  struct branch *branch = data;
  enum op_kind kind = kind_of(branch->slice->session, op);
  branch->fits =
      kind == OP_SCF_IF || kind == OP_SCF_YIELD || is_arithmetic(branch->slice->session, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && branch->fits; i++)
    branch->fits = is_defined_inside(op_operand(op, i), branch->op) ||
                   ahead_slice_add(branch->slice, op_operand(op, i));
  return branch->fits ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool add_branch(struct ahead_slice *slice, MlirOperation op) {
  struct branch branch = {.slice = slice, .op = op, .fits = true};
  mlirOperationWalk(op, add_inner, &branch, MlirWalkPreOrder);
  return branch.fits;
}

static bool add_carried(struct ahead_slice *slice, intptr_t index) {
  if (index >= MAX_CARRIED)
    return false;
  if (slice->carried[index])
    return true;
  slice->carried[index] = true;
  MlirOperation yield = mlirBlockGetTerminator(op_body(slice->loop, 0));
  return ahead_slice_add(slice, op_operand(yield, index));
}

bool ahead_slice_add(struct ahead_slice *slice, MlirValue value) {
  if (mlirValueIsNull(value))
    return true;
  MlirBlock body = op_body(slice->loop, 0);
  if (mlirValueIsABlockArgument(value)) {
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    bool ours = mlirBlockEqual(mlirBlockArgumentGetOwner(value), body);
    return !ours || number == 0 || add_carried(slice, number - 1);
  }
  MlirOperation op = value_definition(value);
  if (!op_is_inside(op, slice->loop) || map_get(&slice->operations, op.ptr))
    return true;
  bool branches = kind_of(slice->session, op) == OP_SCF_IF;
  if (!mlirBlockEqual(mlirOperationGetBlock(op), body) ||
      !(branches || is_arithmetic(slice->session, op) ||
        (slice->loads && is_plain_load(slice->session, op))))
    return false;
  map_set(&slice->operations, op.ptr, slice);
  if (branches)
    return add_branch(slice, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!ahead_slice_add(slice, op_operand(op, i)))
      return false;
  return true;
}
