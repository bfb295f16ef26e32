/* SPDX-License-Identifier: MIT */
/* See persist.h.

     kernel @k(...)                 kernel @k(..., %x, %y, %z)          programs along each axis
       %p = tile.program_id 0         for %n = %block to %x * %y * %z step %blocks
       ...                   ->           iter_args(%p = %block mod %x)
                                        ...
                                        yield (%p + %blocks) mod %x

   The launch starts as many blocks as fit on the device at a time, or as many as there are
   programs, which are numbered along x, then y, then z, as the hardware starts blocks. Programs
   stay independent: a block takes them in increasing order, so that one that waits for an earlier
   one finds it at work or done; kernels that wait in other ways stay as they are.

   Programs whose loops get longer along x (tile-order-programs) are taken in pairs: the hardware
   hands out blocks as they end, which balances them; here the order is fixed, and a long program
   and a short one are together as long as any other two.

     programs of a row along x       0 1 2 3 4 5 6 7
     in this order                   7 0 6 1 5 2 4 3        a block takes two that stand together,
                                                            then two as many pairs on as there are
                                                            blocks

   The last rows, which have about two programs for each block, are taken one by one
   (transforms/persist_tail.h): pairs that are not as many for each block leave some of them idle
   for the time of one.

   Where they get longer along another axis, or it is not known how, the kernel stays as it is. */
#include "transforms/persist.h"

#include "ir/build.h"
#include "ir/tensor_maps.h"
#include "transforms/persist_tail.h"

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

/* --- Loops of one length, or longer along x --------------------------------------------------- */

struct lengths {
  struct session *session;
  struct map seen; /* MlirValue.ptr of what has been asked for; the first that differs ends it */
  int axis;        /* along which programs may differ; -1: none */
};

/* Is `value` computed from parameters, constants and the place along the axis alone, so that it is
   the same in all other programs? */
static bool is_uniform(struct lengths *lengths, MlirValue value) {
  struct session *session = lengths->session;
  if (map_get(&lengths->seen, value.ptr))
    return true;
  map_set(&lengths->seen, value.ptr, lengths);
  if (mlirValueIsABlockArgument(value))
    return op_is(session, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)), OP_FUNC);
  MlirOperation op = value_definition(value);
  const struct op_info *info = op_info(&session->names, op);
  if (info->kind == OP_TILE_PROGRAM_ID)
    return op_integer(op, "axis", 0) == lengths->axis;
  if ((info->effects != EFFECTS_PURE && info->effects != EFFECTS_PURE_MAY_TRAP) ||
      info->kind == OP_TILE_NUM_PROGRAMS || mlirOperationGetNumRegions(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!is_uniform(lengths, op_operand(op, i)))
      return false;
  return true;
}

bool value_is_of_launch(struct session *session, MlirValue value) {
  struct lengths lengths = {.session = session, .axis = -1};
  bool uniform = is_uniform(&lengths, value);
  map_free(&lengths.seen);
  return uniform;
}

static bool has_one_length(struct session *session, MlirOperation loop, int axis) {
  struct lengths lengths = {.session = session, .axis = axis};
  bool uniform = true;
  for (int i = 0; i < 3 && uniform; i++)
    uniform = is_uniform(&lengths, op_operand(loop, i));
  map_free(&lengths.seen);
  return uniform;
}

bool loop_has_one_length(struct session *session, MlirOperation loop) {
  return has_one_length(session, loop, -1);
}

/* The first axis, where loops are known to get longer, or shorter, along it. */
static int axis_of_pairs(MlirOperation kernel) {
  return attribute_number(kernel, ATTR_LONGEST_AXIS, -1) == 0 ? 0 : -1;
}

const char *why_not_persistent(struct session *session, MlirOperation kernel, MlirOperation loop) {
  MlirBlock body = op_body(kernel, 0);
  if (!mlirBlockEqual(mlirOperationGetBlock(loop), body) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    return "the loop is under a condition";
  const char *why = why_programs_meet(session, kernel);
  if (why)
    return why;
  return has_one_length(session, loop, axis_of_pairs(kernel))
             ? NULL
             : "the loop may be longer for some programs than for others";
}

/* --- The loop over programs ------------------------------------------------------------------- */

enum { AXES = 3 };

/* A number of a program, as places along each axis: along x, then y, then z. */
struct place {
  MlirValue at[AXES];
};

/* Of the loop: where its program is, and how many programs there are along each axis. */
struct numbers {
  struct session *session;
  struct builder at; /* the beginning of the loop */
  MlirValue count[AXES];
  struct place program;
  int axes; /* that the kernel asks for the place along, the first ones */
  bool pairs, longest_last;
};

static MlirLogicalResult note_axis(MlirOperation op, void *data) {
  struct numbers *numbers = data;
  int axis = (int)op_integer(op, "axis", 0);
  if (op_is(numbers->session, op, OP_TILE_PROGRAM_ID) && axis >= numbers->axes)
    numbers->axes = axis + 1;
  return SUCCESS;
}

static struct place build_place_of(const struct numbers *numbers, struct builder *b,
                                   MlirValue number) {
  struct place place = {0};
  for (int axis = 0; axis < numbers->axes; axis++) {
    bool last = axis + 1 == AXES;
    place.at[axis] = last ? number : build_binary(b, "arith.remui", number, numbers->count[axis]);
    if (axis + 1 < numbers->axes)
      number = build_binary(b, "arith.divui", number, numbers->count[axis]);
  }
  return place;
}

/* The place of the sum of two numbers, without a division: each program would wait for it. */
static struct place build_sum(const struct numbers *numbers, struct builder *b, struct place x,
                              struct place y) {
  struct place sum = {0};
  MlirValue carry = {0};
  for (int axis = 0; axis < numbers->axes; axis++) {
    MlirValue at = build_binary(b, "arith.addi", x.at[axis], y.at[axis]);
    if (axis)
      at = build_binary(b, "arith.addi", at, carry);
    sum.at[axis] = at;
    if (axis + 1 == AXES)
      continue;
    MlirValue beyond = build_compare(b, I_NOT_BELOW, at, numbers->count[axis]);
    MlirValue less = build_binary(b, "arith.subi", at, numbers->count[axis]);
    sum.at[axis] = BUILD(b, "arith.select", IN(beyond, less, at), OUT(mlirValueGetType(at)));
    carry = BUILD(b, "arith.extui", IN(beyond), OUT(mlirValueGetType(at)));
  }
  return sum;
}

/* Number 2 k of a row is the k-th from one end, 2 k + 1 the k-th from the other: the longest one
   and the shortest one, and so on. */
static MlirValue folded(struct numbers *numbers, MlirValue number) {
  struct builder *b = &numbers->at;
  MlirValue one = build_integer(b, 32, 1), half = build_binary(b, "arith.shrui", number, one);
  MlirValue last = build_binary(b, "arith.subi", numbers->count[0], one);
  MlirValue end = build_binary(b, "arith.subi", last, half);
  MlirValue odd = build_compare(b, I_EQUAL, build_binary(b, "arith.andi", number, one), one);
  return BUILD(b, "arith.select",
               IN(odd, numbers->longest_last ? half : end, numbers->longest_last ? end : half),
               OUT(mlirValueGetType(number)));
}

static MlirLogicalResult renumber(MlirOperation op, void *data) {
  struct numbers *numbers = data;
  bool id = op_is(numbers->session, op, OP_TILE_PROGRAM_ID);
  if (!id && !op_is(numbers->session, op, OP_TILE_NUM_PROGRAMS))
    return SUCCESS;
  int axis = (int)op_integer(op, "axis", 0);
  mlirValueReplaceAllUsesOfWith(op_result(op, 0),
                                id ? numbers->program.at[axis] : numbers->count[axis]);
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

/* Of a block that takes pairs: how many programs it takes in them. Its first two are 2 * block and
   the next, the following two 2 * blocks further on. */
static MlirValue build_count_of_pairs(struct builder *b, MlirValue first, MlirValue round,
                                      MlirValue programs) {
  MlirValue zero = build_integer(b, 32, 0), two = build_integer(b, 32, 2);
  MlirValue all = build_binary(b, "arith.subi", programs, first);
  MlirValue rest = build_binary(b, "arith.maxsi", all, zero);
  MlirValue whole = build_binary(b, "arith.muli", build_binary(b, "arith.divui", rest, round), two);
  MlirValue last = build_binary(b, "arith.minsi", build_binary(b, "arith.remui", rest, round), two);
  return build_binary(b, "arith.addi", whole, last);
}

/* What a block's programs are counted by, and how it goes on from one to the next. */
struct turns {
  MlirValue from, to, step;   /* of the loop */
  MlirValue first;            /* the number of the first program */
  struct place forth, across; /* to the next program; of pairs, from the second one of them */
  MlirValue paired;           /* how many turns come in pairs, before those one by one */
  struct persist_tail tail;   /* of pairs */
};

static struct turns build_turns(const struct numbers *numbers, struct builder *b,
                                MlirValue programs) {
  MlirValue blocks, block = build_block_number(b, &blocks);
  if (!numbers->pairs)
    return (struct turns){.from = block,
                          .to = programs,
                          .step = blocks,
                          .first = block,
                          .forth = build_place_of(numbers, b, blocks)};
  MlirValue one = build_integer(b, 32, 1), two = build_integer(b, 32, 2);
  MlirValue first = build_binary(b, "arith.muli", block, two);
  MlirValue round = build_binary(b, "arith.muli", blocks, two);
  MlirValue rows = build_binary(b, "arith.muli", numbers->count[1], numbers->count[2]);
  struct persist_tail tail = persist_tail_build(b, block, blocks, numbers->count[0], rows);
  MlirValue paired = build_count_of_pairs(b, first, round, tail.before);
  return (struct turns){.from = build_integer(b, 32, 0),
                        .to = build_binary(b, "arith.addi", paired, tail.turns),
                        .step = one,
                        .first = first,
                        .forth = build_place_of(numbers, b, one),
                        .across =
                            build_place_of(numbers, b, build_binary(b, "arith.subi", round, one)),
                        .paired = paired,
                        .tail = tail};
}

static MlirValue is_single(struct builder *b, const struct turns *turns, MlirValue turn) {
  return build_compare(b, I_NOT_BELOW, turn, turns->paired);
}

/* A program of the last rows. What takes divisions stands in a branch. */
static struct place build_single(const struct numbers *numbers, struct builder *b,
                                 const struct turns *turns, MlirValue turn) {
  MlirValue of_tail = build_binary(b, "arith.subi", turn, turns->paired);
  struct persist_program program = persist_tail_program(&turns->tail, b, of_tail);
  struct place place = {{program.place, program.row, program.row}};
  MlirValue last = build_binary(b, "arith.subi", numbers->count[0], build_integer(b, 32, 1));
  if (numbers->longest_last)
    place.at[0] = build_binary(b, "arith.subi", last, program.place);
  if (numbers->axes > 1)
    place.at[1] = build_binary(b, "arith.remui", program.row, numbers->count[1]);
  if (numbers->axes > 2)
    place.at[2] = build_binary(b, "arith.divui", program.row, numbers->count[1]);
  return place;
}

/* `place` while the block takes pairs, or that of its program of the last rows. */
static struct place build_pair_or_single(const struct numbers *numbers, struct builder *b,
                                         const struct turns *turns, MlirValue turn,
                                         struct place place) {
  MlirType i32 = mlirValueGetType(turn), types[AXES] = {i32, i32, i32};
  MlirRegion regions[] = {region_with_block(b, 0, NULL), region_with_block(b, 0, NULL)};
  struct builder inside[2];
  for (int i = 0; i < 2; i++)
    inside[i] = builder_at_end(b->context, mlirRegionGetFirstBlock(regions[i]), b->location);
  struct place single = build_single(numbers, &inside[0], turns, turn);
  BUILD_OP(&inside[0], "scf.yield", INS(single.at, numbers->axes));
  BUILD_OP(&inside[1], "scf.yield", INS(place.at, numbers->axes));
  MlirOperation branch = BUILD_OP(b, "scf.if", IN(is_single(b, turns, turn)),
                                  OUTS(types, numbers->axes), REGION_LIST(regions, 2));
  for (int axis = 0; axis < numbers->axes; axis++)
    place.at[axis] = op_result(branch, axis);
  return place;
}

/* The place of the next program, at the end of the loop. */
static struct place build_next(const struct numbers *numbers, struct builder *b,
                               const struct turns *turns, MlirBlock body, struct place here) {
  struct place by = turns->forth;
  if (!numbers->pairs || !numbers->axes)
    return build_sum(numbers, b, here, by);
  MlirValue one = build_integer(b, 32, 1), turn = mlirBlockGetArgument(body, 0);
  MlirValue odd = build_binary(b, "arith.andi", turn, one);
  MlirValue second = build_compare(b, I_EQUAL, odd, one);
  for (int axis = 0; axis < numbers->axes; axis++)
    by.at[axis] = BUILD(b, "arith.select", IN(second, turns->across.at[axis], by.at[axis]),
                        OUT(mlirValueGetType(by.at[axis])));
  return build_pair_or_single(numbers, b, turns, build_binary(b, "arith.addi", turn, one),
                              build_sum(numbers, b, here, by));
}

void persist_kernel(struct session *session, MlirOperation kernel, int blocks) {
  MlirBlock body = op_body(kernel, 0);
  MlirOperation first = mlirBlockGetFirstOperation(body), end = mlirBlockGetTerminator(body), next;
  struct numbers numbers = {.session = session,
                            .pairs = axis_of_pairs(kernel) == 0,
                            .longest_last = attribute_has(kernel, ATTR_LONGEST_LAST)};
  visit_operations(kernel, note_axis, &numbers);
  struct builder b = builder_before(first);
  MlirType i32 = integer_type(&b, 32), types[1 + AXES] = {i32, i32, i32, i32};
  MlirValue programs = {0}, in[3 + AXES];
  for (int axis = 0; axis < AXES; axis++) {
    MlirValue count = numbers.count[axis] =
        function_add_parameter(kernel, i32, mlirDictionaryAttrGet(session->context, 0, NULL));
    programs = axis ? build_binary(&b, "arith.muli", programs, count) : count;
  }
  struct turns turns = build_turns(&numbers, &b, programs);
  struct place start = build_place_of(&numbers, &b, turns.first);
  if (numbers.pairs && numbers.axes)
    start = build_pair_or_single(&numbers, &b, &turns, turns.from, start);
  in[0] = turns.from, in[1] = turns.to, in[2] = turns.step;
  for (int axis = 0; axis < numbers.axes; axis++)
    in[3 + axis] = start.at[axis];
  MlirRegion region = region_with_block(&b, 1 + numbers.axes, types);
  MlirOperation loop = BUILD_OP(&b, "scf.for", INS(in, 3 + numbers.axes), OUTS(types, numbers.axes),
                                REGION_LIST(&region, 1));
  MlirBlock inside = op_body(loop, 0);
  struct place here = {0};
  for (int axis = 0; axis < numbers.axes; axis++)
    here.at[axis] = mlirBlockGetArgument(inside, 1 + axis);
  for (MlirOperation op = first; !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(inside, op);
  }
  numbers.at = builder_before(mlirBlockGetFirstOperation(inside));
  numbers.program = here;
  if (numbers.pairs && numbers.axes) {
    MlirValue pair = folded(&numbers, here.at[0]);
    numbers.program.at[0] =
        BUILD(&numbers.at, "arith.select",
              IN(is_single(&numbers.at, &turns, mlirBlockGetArgument(inside, 0)), here.at[0], pair),
              OUT(i32));
  }
  visit_operations(loop, renumber, &numbers);
  struct builder last = builder_at_end(session->context, inside, b.location);
  struct place following = build_next(&numbers, &last, &turns, inside, here);
  BUILD_OP(&last, "scf.yield", INS(following.at, numbers.axes));
  attribute_set_integer(kernel, ATTR_RESIDENT_BLOCKS, blocks);
  attribute_remove(kernel, ATTR_LONGEST_AXIS);
  attribute_remove(kernel, ATTR_LONGEST_LAST);
}
