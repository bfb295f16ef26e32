/* SPDX-License-Identifier: MIT */
/* Structured control flow: the same operation over registers.

   A loop variable that is a tile of integers or pointers is carried as its distinct bases, its
   offsets being compile-time constants: `p += BLOCK` carries one pointer, not one per register.
   That holds if each iteration moves all registers of a base by one amount. Whether it does is
   known only at the yield; where it does not, the loop is lowered again with every register
   carried. Of tiles of pointers that move as a whole only that is carried (moved_pointers.h). */
#include "analysis/scratch.h"
#include "ir/dot_form.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"
#include "lowering/tile_gpu_to_llvm/moved_pointers.h"

#include <stdlib.h>
#include <string.h>

/* A growing list of SSA values and their types. */
struct value_list {
  struct lowering *lw;
  MlirValue *values;
  MlirType *types;
  intptr_t count;
  size_t capacity;
};

static void list_push(struct value_list *list, MlirValue value, MlirType type) {
  struct arena *arena = &list->lw->arena;
  size_t count = (size_t)list->count, capacity = list->capacity;
  list->values = arena_grow(arena, list->values, count, &capacity, sizeof *list->values);
  list->types = arena_grow(arena, list->types, count, &list->capacity, sizeof *list->types);
  list->values[list->count] = value;
  list->types[list->count++] = type;
}

/* How one old value is carried: register r is carried value slot[r] plus offset[r], or a half of
   it; or, where there is a step, initial register r plus the one carried value, in bytes. */
struct carried {
  const struct lowered *initial;
  int together; /* pairs.c: so many elements are 32 bits; 1: they go as they are */
  bool alone;   /* but only one is in there */
  int *slot;
  int slots;
  intptr_t first; /* index of slot 0 among all carried values */
  MlirValue step; /* moved_pointers.h; or null */
};

/* A pair of two loads waits for both at the end of the iteration that starts them, so that nothing
   is on the way while the next one begins. A word for each takes twice the registers: on an H100 a
   product of 777 x 1333 x 4095, whose rows are read two bytes at a time, is faster by 4 to 16% with
   8 to 32 words a thread, slower by 10 to 20% with 64, and spills more beside 128 accumulators. */
enum { MAX_WORDS = 32, MAX_CARRIED_REGISTERS = 128 };

static bool are_loaded_alone(struct lowering *lw, const struct lowered *registers,
                             MlirValue yielded) {
  if (!op_is(lw->session, value_definition(yielded), OP_TILE_LOAD))
    return false;
  bool alone = !registers->pairs;
  for (int i = 0; alone && i < registers->count; i++) {
    MlirOperation op = value_definition(registers->base[i]);
    alone = op_is(lw->session, op, OP_TILE_PTX_LOAD) &&
            !mlirTypeIsAVector(mlirValueGetType(registers->base[i]));
  }
  return alone;
}

/* So many as leave the loop its other tiles of numbers; of addresses few registers are carried. */
static int words_of_loop(struct lowering *lw, MlirOperation loop) {
  int left = MAX_CARRIED_REGISTERS;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
    MlirType type = op_result_type(loop, i);
    int count = lowered_of(lw, op_operand(loop, i + 3))->count;
    int together = crosses_together(lw, type);
    if (together > 1)
      left -= count / together;
    else if (type_is_tensor(type) && type_is_float(type_element(type)))
      left -= count;
  }
  return left < MAX_WORDS ? left : MAX_WORDS;
}

/* `yielded`: the old value of the next iteration. words_left: of those that the loop may have. */
static struct carried carry(struct lowering *lw, MlirValue yielded, const struct lowered *initial,
                            bool compact, int *words_left) {
  struct carried how = {.initial = initial,
                        .together = crosses_together(lw, mlirValueGetType(yielded)),
                        .slot = ARENA_ARRAY(&lw->arena, int, (size_t)initial->count)};
  how.alone =
      how.together > 1 && initial->count <= *words_left && are_loaded_alone(lw, initial, yielded);
  if (how.alone)
    *words_left -= initial->count;
  if (how.together > 1) {
    how.slots = initial->count / (how.alone ? 1 : how.together);
    return how;
  }
  bool pairs = compact && (initial->pointer || initial->width > 1);
  for (int r = 0; r < initial->count; r++) {
    how.slot[r] = -1;
    for (int earlier = 0; pairs && earlier < r && how.slot[r] < 0; earlier++)
      if (initial->base[earlier].ptr == initial->base[r].ptr)
        how.slot[r] = how.slot[earlier];
    if (how.slot[r] < 0)
      how.slot[r] = how.slots++;
  }
  return how;
}

static bool is_moved(const struct carried *how) {
  return !mlirValueIsNull(how->step);
}

static bool is_compact(const struct carried *how) {
  return how->slots < how->initial->count;
}

static void push_parts(struct lowering *lw, const struct lowered *registers, int together,
                       struct value_list *list) {
  for (int i = 0; i < registers->count; i++)
    list_push(list, word_of_part(lw, register_value(lw, registers, i), together),
              integer_type(&lw->b, 32));
}

static void push_words(struct lowering *lw, const struct lowered *registers, int together,
                       struct value_list *list) {
  const MlirValue *words = crossing_words(lw, registers, together);
  for (int i = 0; i < registers->count / together; i++)
    list_push(list, words[i], mlirValueGetType(words[i]));
}

static void push_together(struct lowering *lw, const struct carried *how,
                          const struct lowered *registers, struct value_list *list) {
  if (how->alone)
    push_parts(lw, registers, how->together, list);
  else
    push_words(lw, registers, how->together, list);
}

/* Pushes the initial values: bases when compact, whole registers otherwise. */
static void push_initial(struct lowering *lw, struct carried *how, struct value_list *list) {
  how->first = list->count;
  if (how->together > 1) {
    push_together(lw, how, how->initial, list);
    return;
  }
  if (is_moved(how)) {
    list_push(list, constant_integer(lw, 64, 0), integer_type(&lw->b, 64));
    return;
  }
  for (int r = 0, next = 0; r < how->initial->count; r++) {
    if (how->slot[r] != next)
      continue;
    next++;
    const struct lowered *initial = how->initial;
    MlirValue value = is_compact(how) ? register_with(lw, initial, initial->base[r], 0)
                                      : register_value(lw, initial, r);
    list_push(list, value, initial->type);
  }
}

/* The registers of an old value whose carried values are `values` (from `first` on). */
static struct lowered *unpack_carried(struct lowering *lw, const struct carried *how,
                                      MlirType old_type, const MlirValue *values) {
  if (how->alone)
    return lowered_from_parts(lw, old_type, values + how->first, how->together);
  if (how->together > 1)
    return lowered_from_crossing(lw, old_type, values + how->first, how->together);
  if (is_moved(how))
    return build_moved_pointers(lw, old_type, how->initial, values[how->first]);
  struct lowered *registers = lowered_create(lw, old_type);
  for (int r = 0; r < registers->count; r++) {
    registers->base[r] = values[how->first + how->slot[r]];
    registers->offset[r] = is_compact(how) ? how->initial->offset[r] : 0;
  }
  return registers;
}

/* Pushes the yielded values; false when the compact form cannot say them. */
static bool push_yielded(struct lowering *lw, const struct carried *how,
                         const struct lowered *yielded, struct value_list *list) {
  if (how->together > 1) {
    push_together(lw, how, yielded, list);
    return true;
  }
  for (int slot = 0; slot < how->slots; slot++) {
    int representative = -1;
    int64_t moved = 0;
    for (int r = 0; r < yielded->count; r++) {
      if (how->slot[r] != slot)
        continue;
      int64_t distance = yielded->offset[r] - (is_compact(how) ? how->initial->offset[r] : 0);
      if (representative < 0) {
        representative = r;
        moved = distance;
      } else if (yielded->base[r].ptr != yielded->base[representative].ptr || distance != moved) {
        return false;
      }
    }
    MlirValue value = register_with(lw, yielded, yielded->base[representative], moved);
    list_push(list, value, yielded->type);
  }
  return true;
}

static void push_moved(struct lowering *lw, const struct carried *how, MlirType pointers,
                       MlirValue so_far, struct value_list *list) {
  list_push(list, build_moved_further(lw, pointers, so_far, how->step), integer_type(&lw->b, 64));
}

static MlirValue *block_arguments(struct lowering *lw, MlirBlock block, intptr_t skip) {
  intptr_t count = mlirBlockGetNumArguments(block) - skip;
  MlirValue *values = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)(count ? count : 1));
  for (intptr_t i = 0; i < count; i++)
    values[i] = mlirBlockGetArgument(block, i + skip);
  return values;
}

static MlirValue *op_results(struct lowering *lw, MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  MlirValue *values = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)(count ? count : 1));
  for (intptr_t i = 0; i < count; i++)
    values[i] = op_result(op, i);
  return values;
}

static MlirValue scalar(struct lowering *lw, MlirValue old) {
  return register_value(lw, lowered_of(lw, old), 0);
}

static void build_yield(struct lowering *lw, const struct value_list *list) {
  BUILD_OP(&lw->b, "scf.yield", INS(list->values, list->count));
}

static void move_builder(struct lowering *lw, MlirBlock block) {
  lw->b.block = block;
  lw->b.before = (MlirOperation){0};
}

/* --- scf.for ---------------------------------------------------------------------------------- */

enum loop_outcome { LOOP_DONE, LOOP_FAILED, LOOP_NOT_COMPACT };

static enum loop_outcome lower_for_body(struct lowering *lw, MlirOperation old,
                                        const struct carried *how, intptr_t count,
                                        MlirBlock block) {
  MlirBlock body = op_body(old, 0);
  struct lowered *induction = lowered_create(lw, mlirValueGetType(mlirBlockGetArgument(body, 0)));
  induction->base[0] = mlirBlockGetArgument(block, 0);
  lowered_set(lw, mlirBlockGetArgument(body, 0), induction);
  MlirValue *arguments = block_arguments(lw, block, 1);
  move_builder(lw, block);
  for (intptr_t i = 0; i < count; i++) {
    MlirValue old_argument = mlirBlockGetArgument(body, i + 1);
    lowered_set(lw, old_argument,
                unpack_carried(lw, &how[i], mlirValueGetType(old_argument), arguments));
  }
  if (FAILED(lower_block(lw, body)))
    return LOOP_FAILED;
  MlirOperation yield = mlirBlockGetTerminator(body);
  struct value_list yielded = {.lw = lw};
  for (intptr_t i = 0; i < count; i++)
    if (is_moved(&how[i]))
      push_moved(lw, &how[i], op_operand_type(yield, i), arguments[how[i].first], &yielded);
    else if (!push_yielded(lw, &how[i], lowered_of(lw, op_operand(yield, i)), &yielded))
      return LOOP_NOT_COMPACT;
  build_yield(lw, &yielded);
  return LOOP_DONE;
}

static enum loop_outcome lower_for_once(struct lowering *lw, MlirOperation old, bool compact) {
  intptr_t count = mlirOperationGetNumResults(old);
  struct carried *how = ARENA_ARRAY(&lw->arena, struct carried, (size_t)(count ? count : 1));
  struct value_list initial = {.lw = lw}, arguments = {.lw = lw};
  for (intptr_t i = 0; i < 3; i++)
    list_push(&initial, scalar(lw, op_operand(old, i)), op_operand_type(old, i));
  struct value_list carried_values = {.lw = lw};
  MlirOperation yield = mlirBlockGetTerminator(op_body(old, 0));
  int words_left = words_of_loop(lw, old);
  list_push(&arguments, (MlirValue){0}, op_operand_type(old, 0));
  for (intptr_t i = 0; i < count; i++) {
    how[i] = carry(lw, op_operand(yield, i), lowered_of(lw, op_operand(old, i + 3)), compact,
                   &words_left);
    if (how[i].initial->pointer)
      how[i].step = pointer_step(lw, old, i, how[i].slots);
    push_initial(lw, &how[i], &carried_values);
  }
  for (intptr_t i = 0; i < carried_values.count; i++) {
    list_push(&initial, carried_values.values[i], carried_values.types[i]);
    list_push(&arguments, (MlirValue){0}, carried_values.types[i]);
  }
  MlirRegion region = region_with_block(&lw->b, arguments.count, arguments.types);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirNamedAttribute unsigned_compare = {0};
  bool has_unsigned = op_has_attribute(old, "unsignedCmp");
  if (has_unsigned)
    unsigned_compare =
        attribute_named(lw->session->context, "unsignedCmp", mlirUnitAttrGet(lw->session->context));
  MlirOperation loop =
      BUILD_OP(&lw->b, "scf.for", INS(initial.values, initial.count),
               OUTS(carried_values.types, carried_values.count),
               ATTRIBUTE_LIST(&unsigned_compare, has_unsigned), REGION_LIST(&region, 1));
  struct builder outside = lw->b;
  enum loop_outcome outcome = lower_for_body(lw, old, how, count, block);
  lw->b = outside;
  if (outcome != LOOP_DONE) {
    mlirOperationDestroy(loop);
    return outcome;
  }
  MlirValue *results = op_results(lw, loop);
  for (intptr_t i = 0; i < count; i++)
    lowered_set(lw, op_result(old, i),
                unpack_carried(lw, &how[i], op_result_type(old, i), results));
  return LOOP_DONE;
}

/* Is there one dot on tensor cores in the body? Such a loop has registers for more than its
   operands and accumulators; with two dots it is short of them as a rule, and spills what it
   has to keep. */
static bool has_one_dot(struct lowering *lw, MlirOperation loop) {
  int count = 0;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count += is_on_tensor_cores(lw->session, op);
  return count == 1;
}

MlirLogicalResult lower_for(struct lowering *lw, MlirOperation op) {
  bool compact = !map_get(&lw->full_loops, op.ptr), outside = lw->places_ahead;
  lw->places_ahead = has_one_dot(lw, op);
  enum loop_outcome outcome = lower_for_once(lw, op, compact);
  if (outcome == LOOP_NOT_COMPACT) {
    map_set(&lw->full_loops, op.ptr, lw); /* also when an outer loop is lowered again */
    outcome = lower_for_once(lw, op, false);
  }
  lw->places_ahead = outside;
  return outcome == LOOP_DONE ? SUCCESS : FAILURE;
}

/* --- scf.if and scf.while --------------------------------------------------------------------- */

static void push_registers(struct lowering *lw, MlirValue old, struct value_list *list) {
  const struct lowered *registers = lowered_of(lw, old);
  int together = crosses_together(lw, mlirValueGetType(old));
  if (together > 1) {
    push_words(lw, registers, together, list);
    return;
  }
  for (int r = 0; r < registers->count; r++)
    list_push(list, register_value(lw, registers, r), registers->type);
}

static void push_types(struct lowering *lw, MlirType old, struct value_list *list) {
  int together = crosses_together(lw, old);
  MlirType type = together > 1 ? integer_type(&lw->b, 32) : register_type(lw, old);
  int count = register_count(lw, old) / together;
  for (int r = 0; r < count; r++)
    list_push(list, (MlirValue){0}, type);
}

/* Binds an old value to `values[*next]` and the following ones, one per register or word. */
static void bind(struct lowering *lw, MlirValue old, const MlirValue *values, intptr_t *next) {
  MlirType type = mlirValueGetType(old);
  int together = crosses_together(lw, type);
  struct lowered *registers = together > 1
                                  ? lowered_from_crossing(lw, type, values + *next, together)
                                  : lowered_create(lw, type);
  for (int r = 0; r < registers->count && together == 1; r++)
    registers->base[r] = values[*next + r];
  *next += registers->count / together;
  lowered_set(lw, old, registers);
}

static void bind_results(struct lowering *lw, MlirOperation old, MlirOperation lowered) {
  MlirValue *values = op_results(lw, lowered);
  intptr_t next = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(old); i++)
    bind(lw, op_result(old, i), values, &next);
}

static MlirLogicalResult lower_branch(struct lowering *lw, MlirBlock old, MlirBlock block) {
  move_builder(lw, block);
  struct value_list yielded = {.lw = lw};
  if (!mlirBlockIsNull(old)) {
    TRY_IR(lower_block(lw, old));
    MlirOperation yield = mlirBlockGetTerminator(old);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
      push_registers(lw, op_operand(yield, i), &yielded);
  }
  build_yield(lw, &yielded);
  return SUCCESS;
}

/* One thread of the producer's, the first, goes through these operations. */
static MlirLogicalResult lower_one_thread(struct lowering *lw, MlirBlock old, MlirBlock block) {
  move_builder(lw, block);
  MlirValue first = build_compare(&lw->b, I_EQUAL, lw->thread,
                                  constant_integer(lw, 32, lw->num_warps * MACHINE_LANES));
  MlirRegion region = region_with_block(&lw->b, 0, NULL);
  MlirBlock body = mlirRegionGetFirstBlock(region);
  BUILD_OP(&lw->b, "scf.if", INS(&first, 1), REGIONS(region, mlirRegionCreate()));
  struct value_list nothing = {.lw = lw};
  build_yield(lw, &nothing);
  return lower_branch(lw, old, body);
}

static bool is_condition(struct lowering *lw, MlirOperation branch, enum op_kind kind) {
  return op_is(lw->session, value_definition(op_operand(branch, 0)), kind);
}

/* The producer's arm: one thread's, but where a branch in it parts its warps. */
static MlirLogicalResult lower_producer(struct lowering *lw, MlirBlock old, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(old);
  while (!mlirOperationIsNull(op) && !op_is(lw->session, op, OP_TILE_GPU_IN_TRANSPOSER))
    op = mlirOperationGetNextInBlock(op);
  move_builder(lw, block);
  lw->device->enter_role(lw, lw->role);
  return mlirOperationIsNull(op) ? lower_one_thread(lw, old, block) : lower_branch(lw, old, block);
}

/* The branch that parts the producer's warps (tile_gpu.in_transposer), which hands on nothing. */
static MlirLogicalResult lower_transposer(struct lowering *lw, MlirOperation op) {
  MlirValue transposer = scalar(lw, op_operand(op, 0));
  MlirRegion regions[] = {region_with_block(&lw->b, 0, NULL), region_with_block(&lw->b, 0, NULL)};
  MlirBlock blocks[] = {mlirRegionGetFirstBlock(regions[0]), mlirRegionGetFirstBlock(regions[1])};
  BUILD_OP(&lw->b, "scf.if", INS(&transposer, 1), REGION_LIST(regions, 2));
  struct builder outside = lw->b;
  lw->role = ROLE_TRANSPOSER;
  TRY_IR(lower_branch(lw, op_body(op, 0), blocks[0]));
  lw->role = ROLE_PRODUCER;
  TRY_IR(lower_one_thread(lw, op_body(op, 1), blocks[1]));
  lw->b = outside;
  return SUCCESS;
}

/* The branch that parts the roles (tile_gpu.in_producer), which hands on nothing. */
static MlirLogicalResult lower_roles(struct lowering *lw, MlirOperation op) {
  MlirValue producer = scalar(lw, op_operand(op, 0));
  MlirRegion regions[] = {region_with_block(&lw->b, 0, NULL), region_with_block(&lw->b, 0, NULL)};
  MlirBlock blocks[] = {mlirRegionGetFirstBlock(regions[0]), mlirRegionGetFirstBlock(regions[1])};
  BUILD_OP(&lw->b, "scf.if", INS(&producer, 1), REGION_LIST(regions, 2));
  struct builder outside = lw->b;
  lw->role = ROLE_PRODUCER;
  TRY_IR(lower_producer(lw, op_body(op, 0), blocks[0]));
  lw->role = ROLE_CONSUMERS;
  move_builder(lw, blocks[1]);
  lw->device->enter_role(lw, lw->role);
  TRY_IR(lower_branch(lw, op_body(op, 1), blocks[1]));
  lw->role = ROLE_ALL;
  lw->b = outside;
  return SUCCESS;
}

MlirLogicalResult lower_if(struct lowering *lw, MlirOperation op) {
  if (is_condition(lw, op, OP_TILE_GPU_IN_PRODUCER))
    return lower_roles(lw, op);
  if (is_condition(lw, op, OP_TILE_GPU_IN_TRANSPOSER))
    return lower_transposer(lw, op);
  struct value_list results = {.lw = lw};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    push_types(lw, op_result_type(op, i), &results);
  MlirValue condition = scalar(lw, op_operand(op, 0));
  MlirRegion regions[] = {region_with_block(&lw->b, 0, NULL), region_with_block(&lw->b, 0, NULL)};
  MlirBlock blocks[] = {mlirRegionGetFirstBlock(regions[0]), mlirRegionGetFirstBlock(regions[1])};
  MlirOperation new_op = BUILD_OP(&lw->b, "scf.if", INS(&condition, 1),
                                  OUTS(results.types, results.count), REGION_LIST(regions, 2));
  struct builder outside = lw->b;
  TRY_IR(lower_branch(lw, op_body(op, 0), blocks[0]));
  TRY_IR(lower_branch(lw, op_body(op, 1), blocks[1]));
  lw->b = outside;
  bind_results(lw, op, new_op);
  return SUCCESS;
}

/* Lowers one region of a while loop: binds its arguments, then its body; `terminator` gets the
   lowered operands of the old terminator from `first_operand` on. */
static MlirLogicalResult lower_while_region(struct lowering *lw, MlirBlock old, MlirBlock block,
                                            struct value_list *operands) {
  MlirValue *arguments = block_arguments(lw, block, 0);
  intptr_t next = 0;
  move_builder(lw, block);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(old); i++)
    bind(lw, mlirBlockGetArgument(old, i), arguments, &next);
  TRY_IR(lower_block(lw, old));
  MlirOperation terminator = mlirBlockGetTerminator(old);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(terminator); i++)
    push_registers(lw, op_operand(terminator, i), operands);
  return SUCCESS;
}

MlirLogicalResult lower_while(struct lowering *lw, MlirOperation op) {
  struct value_list initial = {.lw = lw}, results = {.lw = lw};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    push_registers(lw, op_operand(op, i), &initial);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    push_types(lw, op_result_type(op, i), &results);
  MlirRegion regions[] = {region_with_block(&lw->b, initial.count, initial.types),
                          region_with_block(&lw->b, results.count, results.types)};
  MlirBlock before = mlirRegionGetFirstBlock(regions[0]);
  MlirBlock after = mlirRegionGetFirstBlock(regions[1]);
  MlirOperation loop = BUILD_OP(&lw->b, "scf.while", INS(initial.values, initial.count),
                                OUTS(results.types, results.count), REGION_LIST(regions, 2));
  struct builder outside = lw->b;
  struct value_list condition = {.lw = lw}, yielded = {.lw = lw};
  TRY_IR(lower_while_region(lw, op_body(op, 0), before, &condition));
  BUILD_OP(&lw->b, "scf.condition", INS(condition.values, condition.count));
  TRY_IR(lower_while_region(lw, op_body(op, 1), after, &yielded));
  build_yield(lw, &yielded);
  lw->b = outside;
  bind_results(lw, op, loop);
  return SUCCESS;
}
