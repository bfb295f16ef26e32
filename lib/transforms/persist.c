/* SPDX-License-Identifier: MIT */
/* See persist.h.

     kernel @k(...)                     kernel @k(..., %programs)
       %p = tile.program_id 0             %first = tile.program_id 0         number of the block,
       ...                         ->     %blocks = tile.num_programs 0      and how many there are
                                          for %p = %first to %programs step %blocks
                                            ...

   The launch starts as many blocks as fit on the device at a time, or as many as there are
   programs. Programs stay independent: a block takes them in increasing order, so that one that
   waits for an earlier one finds it at work or done; kernels that wait in other ways stay as they
   are. So do kernels whose loop is longer for some programs than for others: the hardware hands out
   blocks as they end, which balances them, and here the order is fixed. */
#include "transforms/persist.h"

#include "ir/build.h"
#include "ir/tensor_maps.h"

struct obstacles {
  struct session *session;
  const char *reason;
};

static MlirLogicalResult find_obstacle(MlirOperation op, void *data) {
  struct obstacles *obstacles = data;
  if (op_is(obstacles->session, op, OP_SCF_WHILE))
    obstacles->reason = "a loop in it ends at a condition, which another program may have to meet";
  else if (op_has_attribute(op, "volatile"))
    obstacles->reason = "it loads what another program may have to store first";
  return obstacles->reason ? FAILURE : SUCCESS;
}

/* --- Loops of one length ---------------------------------------------------------------------- */

/* Is `value` computed from parameters and constants alone, so that it is the same in all programs?
   `seen`: MlirValue.ptr of what has been asked for; the first that is not ends the search. */
static bool is_uniform(struct session *session, struct map *seen, MlirValue value) {
  if (map_get(seen, value.ptr))
    return true;
  map_set(seen, value.ptr, seen);
  if (mlirValueIsABlockArgument(value))
    return op_is(session, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)), OP_FUNC);
  MlirOperation op = value_definition(value);
  const struct op_info *info = op_info(&session->names, op);
  if ((info->effects != EFFECTS_PURE && info->effects != EFFECTS_PURE_MAY_TRAP) ||
      KIND_IN(info->kind, OP_TILE_PROGRAM_ID, OP_TILE_NUM_PROGRAMS) ||
      mlirOperationGetNumRegions(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!is_uniform(session, seen, op_operand(op, i)))
      return false;
  return true;
}

static bool has_one_length(struct session *session, MlirOperation loop) {
  struct map seen = {0};
  bool uniform = true;
  for (int i = 0; i < 3 && uniform; i++)
    uniform = is_uniform(session, &seen, op_operand(loop, i));
  map_free(&seen);
  return uniform;
}

const char *why_not_persistent(struct session *session, MlirOperation kernel, MlirOperation loop) {
  struct obstacles obstacles = {.session = session};
  MlirBlock body = op_body(kernel, 0);
  if (!mlirBlockEqual(mlirOperationGetBlock(loop), body) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    return "the loop is under a condition";
  visit_operations(kernel, find_obstacle, &obstacles);
  if (obstacles.reason)
    return obstacles.reason;
  return has_one_length(session, loop) ? NULL
                                       : "the loop may be longer for some programs than for others";
}

/* --- The loop over programs ------------------------------------------------------------------- */

struct numbers {
  struct session *session;
  MlirValue program, count;
};

static MlirLogicalResult renumber(MlirOperation op, void *data) {
  struct numbers *numbers = data;
  bool id = op_is(numbers->session, op, OP_TILE_PROGRAM_ID);
  if ((id || op_is(numbers->session, op, OP_TILE_NUM_PROGRAMS)) && op_integer(op, "axis", 0) == 0)
    mlirValueReplaceAllUsesOfWith(op_result(op, 0), id ? numbers->program : numbers->count);
  return SUCCESS;
}

static MlirValue build_place(struct builder *b, const char *name) {
  MlirAttribute axis = attribute_integer(b->context, 32, 0);
  return BUILD(b, name, OUT(integer_type(b, 32)),
               ATTRIBUTES(attribute_named(b->context, "axis", axis)));
}

void persist_kernel(struct session *session, MlirOperation kernel, int blocks) {
  MlirBlock body = op_body(kernel, 0);
  MlirOperation first = mlirBlockGetFirstOperation(body), end = mlirBlockGetTerminator(body), next;
  struct numbers numbers = {.session = session};
  struct builder b = builder_before(first);
  MlirType i32 = integer_type(&b, 32);
  numbers.count =
      function_add_parameter(kernel, i32, mlirDictionaryAttrGet(session->context, 0, NULL));
  MlirValue block = build_place(&b, "tile.program_id");
  MlirValue all = build_place(&b, "tile.num_programs");
  MlirRegion region = region_with_block(&b, 1, &i32);
  MlirOperation loop = BUILD_OP(&b, "scf.for", IN(block, numbers.count, all), REGIONS(region));
  MlirBlock inside = op_body(loop, 0);
  numbers.program = mlirBlockGetArgument(inside, 0);
  for (MlirOperation op = first; !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(inside, op);
  }
  struct builder last = builder_at_end(session->context, inside, b.location);
  BUILD_OP(&last, "scf.yield", .in = NULL);
  visit_operations(loop, renumber, &numbers);
  attribute_set_integer(kernel, ATTR_RESIDENT_BLOCKS, blocks);
}
