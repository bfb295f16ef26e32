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

/* An operation that may run for iterations that there are not: nothing but arithmetic. A division is; on
   the device it gives some number. */
static bool is_arithmetic(struct session *session, MlirOperation op) {
  enum op_effects effects = op_info(&session->names, op)->effects;
  return (effects == EFFECTS_PURE || effects == EFFECTS_PURE_MAY_TRAP) &&
         mlirOperationGetNumRegions(op) == 0 && scratch_bytes(session, op) == 0;
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
  if (!mlirBlockEqual(mlirOperationGetBlock(op), body) || !is_arithmetic(slice->session, op))
    return false;
  map_set(&slice->operations, op.ptr, slice);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!ahead_slice_add(slice, op_operand(op, i)))
      return false;
  return true;
}
