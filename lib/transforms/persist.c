/* SPDX-License-Identifier: MIT */
/* See persist.h.

     kernel @k(...)                 kernel @k(..., %x, %y, %z)          programs along each axis
       %p = tile.program_id 0         for %n = %block to %x * %y * %z step %blocks
       ...                   ->         %p = %n mod %x
                                        ...

   The launch starts as many blocks as fit on the device at a time, or as many as there are
   programs, which are numbered along x, then y, then z, as the hardware starts blocks. Programs
   stay independent: a block takes them in increasing order, so that one that waits for an earlier
   one finds it at work or done; kernels that wait in other ways stay as they are. So do kernels
   whose loop is longer for some programs than for others: the hardware hands out blocks as they
   end, which balances them, and here the order is fixed. */
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

const char *why_programs_meet(struct session *session, MlirOperation kernel) {
  struct obstacles obstacles = {.session = session};
  visit_operations(kernel, find_obstacle, &obstacles);
  return obstacles.reason;
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
  MlirBlock body = op_body(kernel, 0);
  if (!mlirBlockEqual(mlirOperationGetBlock(loop), body) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    return "the loop is under a condition";
  const char *why = why_programs_meet(session, kernel);
  if (why)
    return why;
  return has_one_length(session, loop) ? NULL
                                       : "the loop may be longer for some programs than for others";
}

/* --- The loop over programs ------------------------------------------------------------------- */

enum { AXES = 3 };

/* Of the loop: the number of its program, and how many programs there are along each axis. */
struct numbers {
  struct session *session;
  struct builder at; /* the beginning of the loop */
  MlirValue linear, count[AXES], program[AXES];
};

static MlirValue divided(struct numbers *numbers, const char *name, MlirValue value, int axis) {
  return build_binary(&numbers->at, name, value, numbers->count[axis]);
}

/* Programs are numbered along x, then y, then z. */
static MlirValue program_along(struct numbers *numbers, int axis) {
  MlirValue *program = &numbers->program[axis];
  if (!mlirValueIsNull(*program))
    return *program;
  MlirValue rest = numbers->linear;
  for (int i = 0; i < axis; i++)
    rest = divided(numbers, "arith.divui", rest, i);
  return *program = axis + 1 < AXES ? divided(numbers, "arith.remui", rest, axis) : rest;
}

static MlirLogicalResult renumber(MlirOperation op, void *data) {
  struct numbers *numbers = data;
  bool id = op_is(numbers->session, op, OP_TILE_PROGRAM_ID);
  if (!id && !op_is(numbers->session, op, OP_TILE_NUM_PROGRAMS))
    return SUCCESS;
  int axis = (int)op_integer(op, "axis", 0);
  mlirValueReplaceAllUsesOfWith(op_result(op, 0),
                                id ? program_along(numbers, axis) : numbers->count[axis]);
  return SUCCESS;
}

static MlirValue build_place(struct builder *b, const char *name, int axis) {
  MlirAttribute number = attribute_integer(b->context, 32, axis);
  return BUILD(b, name, OUT(integer_type(b, 32)),
               ATTRIBUTES(attribute_named(b->context, "axis", number)));
}

/* The number of this block, along x, then y, then z; *out_blocks: how many there are. */
static MlirValue build_block_number(struct builder *b, MlirValue *out_blocks) {
  MlirValue number = build_place(b, "tile.program_id", AXES - 1),
            blocks = build_place(b, "tile.num_programs", AXES - 1);
  for (int axis = AXES - 2; axis >= 0; axis--) {
    MlirValue along = build_place(b, "tile.num_programs", axis);
    number = build_binary(b, "arith.muli", number, along);
    number = build_binary(b, "arith.addi", number, build_place(b, "tile.program_id", axis));
    blocks = build_binary(b, "arith.muli", blocks, along);
  }
  *out_blocks = blocks;
  return number;
}

void persist_kernel(struct session *session, MlirOperation kernel, int blocks) {
  MlirBlock body = op_body(kernel, 0);
  MlirOperation first = mlirBlockGetFirstOperation(body), end = mlirBlockGetTerminator(body), next;
  struct numbers numbers = {.session = session};
  struct builder b = builder_before(first);
  MlirType i32 = integer_type(&b, 32);
  MlirValue all, programs = {0};
  for (int axis = 0; axis < AXES; axis++) {
    MlirValue count = numbers.count[axis] =
        function_add_parameter(kernel, i32, mlirDictionaryAttrGet(session->context, 0, NULL));
    programs = axis ? build_binary(&b, "arith.muli", programs, count) : count;
  }
  MlirValue block = build_block_number(&b, &all);
  MlirRegion region = region_with_block(&b, 1, &i32);
  MlirOperation loop = BUILD_OP(&b, "scf.for", IN(block, programs, all), REGIONS(region));
  MlirBlock inside = op_body(loop, 0);
  numbers.linear = mlirBlockGetArgument(inside, 0);
  for (MlirOperation op = first; !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(inside, op);
  }
  struct builder last = builder_at_end(session->context, inside, b.location);
  BUILD_OP(&last, "scf.yield", .in = NULL);
  numbers.at = builder_before(mlirBlockGetFirstOperation(inside));
  visit_operations(loop, renumber, &numbers);
  attribute_set_integer(kernel, ATTR_RESIDENT_BLOCKS, blocks);
}
