/* SPDX-License-Identifier: MIT */
/* tile-gpu-split-tail: where programs do not fill the device to the last turn, several blocks share
   each program that is left over: each computes a part of its sum, and the one that has the last
   iterations adds the others' parts and goes on with what is done with the sum. Of several sums, up
   to four, all go together, and so do a running maximum and what is rescaled to it.

     for %n = %block to %programs                 for %n = %block to %whole + %turns * %blocks
       %p = %n                                      %p, %from, %to, ... of the program or the piece
       %sum = for %k = 0 to %K            ->        %own = for %k = %from to %to
         ... dot                                      ... dot
       store %sum                                   if %is_part
                                                      store_part %own;  flag of this range = 1
                                                    %sum = for %r = %first to %range
                                                      until flag of %r was 1: compare-and-swap 1, 0
                                                      add_part of %r
                                                    if %is_last
                                                      store %sum

   Needs: kernels that go over programs (persist.h), before their loops have stages. Keeps: what
   they compute, but for the order in which the terms of a shared program's sum are added. Leaves:
   tile_gpu.part_bytes on the kernel, whose last parameter is then the address of COUNTERS numbers
   that are zero and of the parts after them; where it is null nothing is shared. Which blocks have
   what of which program, in which order, and why none waits for ever says split_plan.h; what
   sharing costs, and so whether it pays, split_plan.c. The sums do not depend on who is first. */
#include <string.h>
#include "base/machine.h"
#include "base/numbers.h"
#include "ir/build.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/tensor_maps.h"
#include "ir/tile_ops.h"
#include "transforms/persist.h"
#include "transforms/split_parts.h"
#include "transforms/split_plan.h"

const struct pass_option split_tail_options[] = {
    {"wait", OPTION_INTEGER, "4096", "cycles from the end of a part's store to its load elsewhere"},
    {"exchange", OPTION_INTEGER, "150", "per cent of what storing and loading parts should cost"},
    {"remarks", OPTION_BOOLEAN, "false", "says of each kernel that goes over programs why not"},
    {0}};

/* Of the L2 cache, a cycle: for a multiprocessor, and for all of them together (split_plan.c). */
enum { BLOCK_BYTES_PER_CYCLE = 64, BYTES_PER_CYCLE = 6154 };

enum { AXES = 3 };

/* A kernel's loops, over programs and over K, and what the pass must know of them. */
struct product {
  struct session *session;
  MlirOperation kernel, programs, loop;
  MlirValue counts[AXES]; /* programs along each axis */
  struct split_sums sums; /* of the loop over K */
  int64_t start, step;
  struct split_costs costs;
};

/* --- What surrounds the sums ------------------------------------------------------------------ */

static MlirLogicalResult count_load(MlirOperation op, void *data) {
  struct product *product = data;
  return op_is(product->session, op, OP_TILE_DESCRIPTOR_LOAD) ? FAILURE : SUCCESS;
}

static bool copies_blocks(struct product *product, MlirOperation op) {
  return FAILED(visit_operations(op, count_load, product));
}

/* The only operation of a block that is a loop; null: there is none, or several. */
static MlirOperation only_loop(struct session *session, MlirBlock block) {
  MlirOperation found = {0}, op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (op_is(session, op, OP_SCF_FOR)) {
      if (!mlirOperationIsNull(found))
        return (MlirOperation){0};
      found = op;
    }
  return found;
}

/* Does it count programs, and carry where each is along the first axes (persist.h)? Pairs of
   programs are counted one by one. */
static bool is_loop_over_programs(struct product *product) {
  MlirOperation loop = product->programs;
  int64_t step;
  bool places = mlirOperationGetNumResults(loop) <= AXES &&
                mlirBlockGetNumArguments(op_body(product->kernel, 0)) >= AXES &&
                type_is_integer(op_operand_type(loop, 0), 32) &&
                !uniform_integer(product->session, op_operand(loop, 2), &step);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop) && places; i++)
    places = type_is_integer(op_result_type(loop, i), 32) && !value_is_used(op_result(loop, i));
  return places;
}

static bool is_effect(struct session *session, MlirOperation op) {
  enum op_kind kind = kind_of(session, op);
  enum op_effects effects = op_info(&session->names, op)->effects;
  bool local = KIND_IN(kind, OP_TILE_GPU_ALLOC, OP_TILE_GPU_LOCAL_STORE) ||
               starts_async_dot(session, op) || waits_for_async_dot(session, op);
  return (effects == EFFECTS_WRITE || effects == EFFECTS_UNKNOWN) && !local;
}

static MlirLogicalResult find_effect(MlirOperation op, void *data) {
  return is_effect(data, op) ? FAILURE : SUCCESS;
}

/* The same but for what the copy engine adds to memory: each iteration does that once, no matter
   when, as nothing else of the kernel touches that memory (tile-find-store-boxes). What atomic
   operations of threads add up may be read on the way. */
static MlirLogicalResult find_effect_of_iteration(MlirOperation op, void *data) {
  struct session *session = data;
  bool adds = op_is(session, op, OP_TILE_GPU_BULK_STORE) && bulk_store_adds(op);
  return is_effect(session, op) && !adds ? FAILURE : SUCCESS;
}

/* What a block would do for its part of the sum, and others for theirs. */
static bool has_effects_before_sum(struct product *product) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(product->programs, 0));
  for (; !mlirOperationEqual(op, product->loop); op = mlirOperationGetNextInBlock(op))
    if (is_effect(product->session, op) ||
        FAILED(visit_operations(op, find_effect, product->session)))
      return true;
  return FAILED(visit_operations(product->loop, find_effect_of_iteration, product->session));
}

static bool read_counter(struct product *product) {
  struct session *session = product->session;
  MlirOperation loop = product->loop;
  return type_is_integer(op_operand_type(loop, 0), 32) && !op_has_attribute(loop, "unsignedCmp") &&
         uniform_integer(session, op_operand(loop, 0), &product->start) && product->start >= 0 &&
         uniform_integer(session, op_operand(loop, 2), &product->step) && product->step > 0;
}

/* What an iteration multiplies and loads. */
struct work {
  struct session *session;
  const struct machine *machine;
  int64_t cycles, bytes;
};

static MlirLogicalResult add_work(MlirOperation op, void *data) {
  struct work *work = data;
  struct type_cache *types = &work->session->types;
  if (op_is(work->session, op, OP_TILE_DESCRIPTOR_LOAD)) {
    MlirType tile = op_result_type(op, 0);
    work->bytes += type_elements(tile) * type_bytes(types, type_element(tile));
  }
  if (!op_has(work->session, op, IS_DOT))
    return SUCCESS;
  MlirType a = op_operand_type(op, 0);
  int64_t depth = mlirShapedTypeGetDimSize(a, mlirShapedTypeGetRank(a) - 1);
  int64_t bits = type_bits(types, mlirShapedTypeGetElementType(a));
  int64_t products = type_elements(op_result_type(op, 0)) * depth;
  work->cycles += products * bits / 16 / work->machine->fmas_per_cycle;
  return SUCCESS;
}

/* What each block of a program copies before the loop. */
static int64_t bytes_before(struct product *product) {
  struct work work = {.session = product->session, .machine = machine_of(product->kernel)};
  MlirOperation op = mlirBlockGetFirstOperation(op_body(product->programs, 0));
  for (; !mlirOperationEqual(op, product->loop); op = mlirOperationGetNextInBlock(op)) {
    add_work(op, &work);
    visit_operations(op, add_work, &work);
  }
  return work.bytes;
}

static int64_t quotient_up(int64_t x, int64_t y) {
  return (x + y - 1) / y;
}

/* Of an iteration: the tensor cores' time, or that of the L2 cache, where that is longer. */
static int64_t cycles_of_iteration(struct product *product, const struct machine *machine) {
  struct work work = {.session = product->session, .machine = machine};
  visit_operations(product->loop, add_work, &work);
  return larger(larger(work.cycles, work.bytes * machine->multiprocessors / BYTES_PER_CYCLE), 1);
}

/* `exchange`: per cent. */
static void find_costs(struct product *product, int64_t wait, int64_t exchange) {
  const struct machine *machine = machine_of(product->kernel);
  int64_t cycles = cycles_of_iteration(product, machine);
  int64_t bytes = 16 * product->sums.bytes * exchange / 100;
  int64_t blocks = machine->multiprocessors;
  wait += bytes_before(product) / BLOCK_BYTES_PER_CYCLE;
  product->costs =
      (struct split_costs){.move = quotient_up(bytes, BLOCK_BYTES_PER_CYCLE * cycles),
                           .move_all = quotient_up(bytes * blocks, BYTES_PER_CYCLE * cycles),
                           .wait = quotient_up(16 * wait, cycles),
                           .crowd = BYTES_PER_CYCLE / BLOCK_BYTES_PER_CYCLE,
                           .resident = attribute_number(product->kernel, ATTR_RESIDENT_BLOCKS, 1)};
}

/* Does the loop end before any plan could pay? */
static bool is_too_short(struct product *product) {
  int64_t end;
  return uniform_integer(product->session, op_operand(product->loop, 1), &end) &&
         split_plan_never_pays(&product->costs, quotient_up(end - product->start, product->step));
}

/* A maximum with a number above zero is. */
static bool is_positive(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) ||
      !KIND_IN(kind_of(session, op), OP_ARITH_MAXNUMF, OP_ARITH_MAXIMUMF))
    return false;
  for (intptr_t i = 0; i < 2; i++) {
    MlirAttribute number = uniform_number(session, op_operand(op, i));
    if (!mlirAttributeIsNull(number) && mlirFloatAttrGetValueDouble(number) > 0)
      return true;
  }
  return false;
}

/* Does what the sums need of a number hold, or can it be looked at before the programs? */
static bool can_look_at_scale(struct product *product) {
  MlirValue scale = product->sums.of.positive;
  return mlirValueIsNull(scale) || is_positive(product->session, scale) ||
         value_is_of_launch(product->session, scale);
}

/* NULL, with the rest of *product, or why no block shares a program of the kernel. */
static const char *why_not_split(struct product *product, int64_t wait, int64_t exchange) {
  struct session *session = product->session;
  product->programs = only_loop(session, op_body(product->kernel, 0));
  if (mlirOperationIsNull(product->programs) || !is_loop_over_programs(product))
    return "it takes no programs in turn, or pairs of them";
  product->loop = only_loop(session, op_body(product->programs, 0));
  if (mlirOperationIsNull(product->loop) || !copies_blocks(product, product->loop))
    return "a program has several loops";
  if (!split_sums_find(&product->sums, session, product->loop) || !can_look_at_scale(product))
    return "its loop computes something else than sums of f32 or i32 that start at zero, or "
           "that are rescaled to a maximum";
  if (!read_counter(product) || !loop_has_one_length(session, product->loop))
    return "its loop does not count from a constant to what is equal for all programs";
  if (has_effects_before_sum(product))
    return "a program stores something before its sums are complete";
  find_costs(product, wait, exchange);
  return is_too_short(product) ? "its loop ends after few iterations" : NULL;
}

/* --- How it is shared ------------------------------------------------------------------------- */

static MlirValue number(struct builder *b, int64_t value) {
  return build_integer(b, 32, value);
}

/* A branch that gives `types`, with a yield to be added to each arm. */
static MlirOperation build_branch(struct builder *b, MlirValue condition, const MlirType *types,
                                  intptr_t count, struct builder arms[2]) {
  MlirRegion regions[] = {region_with_block(b, 0, NULL), region_with_block(b, 0, NULL)};
  MlirOperation branch =
      BUILD_OP(b, "scf.if", IN(condition), OUTS(types, count), REGION_LIST(regions, 2));
  for (int i = 0; i < 2; i++)
    arms[i] = builder_at_end(b->context, op_body(branch, i), b->location);
  return branch;
}

/* What a value is made of in `block` goes before `before`. */
static void hoist_in(MlirValue value, MlirBlock block, MlirOperation before) {
  if (mlirValueIsABlockArgument(value))
    return;
  MlirOperation op = value_definition(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), block) ||
      (mlirBlockEqual(mlirOperationGetBlock(before), block) &&
       mlirOperationIsBeforeInBlock(op, before)))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    hoist_in(op_operand(op, i), block, before);
  mlirOperationMoveBefore(op, before);
}

static MlirValue build_iterations(struct builder *b, const struct product *product) {
  MlirValue length =
      build_binary(b, "arith.subi", op_operand(product->loop, 1), op_operand(product->loop, 0));
  return BUILD(b, "arith.ceildivsi", IN(length, number(b, product->step)),
               OUT(mlirValueGetType(length)));
}

static MlirValue build_condition(struct builder *b, struct product *product) {
  MlirValue scale = product->sums.of.positive;
  if (mlirValueIsNull(scale) || is_positive(product->session, scale))
    return (MlirValue){0};
  hoist_in(scale, op_body(product->programs, 0), product->programs);
  return build_compare(b, F_GREATER, scale, build_uniform(b, mlirValueGetType(scale), 0));
}

static void build_plan(struct product *product, struct split_plan *plan) {
  MlirOperation programs = product->programs;
  struct session *session = product->session;
  MlirType i32 = mlirIntegerTypeGet(session->context, 32);
  MlirBlock body = op_body(product->kernel, 0);
  for (intptr_t i = 0; i < AXES; i++)
    product->counts[i] = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - AXES + i);
  plan->memory = function_add_parameter(product->kernel, pointer_to(&session->types, i32),
                                        mlirDictionaryAttrGet(session->context, 0, NULL));
  for (int i = 0; i < 3; i++)
    hoist_in(op_operand(product->loop, i), op_body(programs, 0), programs);
  struct builder b = builder_before(programs);
  plan->blocks = op_operand(programs, 2);
  plan->trips = build_iterations(&b, product);
  plan->condition = build_condition(&b, product);
  split_plan_build(&b, plan, &product->costs, op_operand(programs, 1));
  mlirOperationSetOperand(programs, 1, plan->end);
}

/* What the counter of the loop over K is at the first iteration of a piece, and behind its last
   one: the loop's own end at that of the program. */
static void build_range(struct builder *b, const struct product *product,
                        const struct split_piece *piece, MlirValue range[2]) {
  MlirValue step = op_operand(product->loop, 2), start = op_operand(product->loop, 0);
  range[0] = build_binary(b, "arith.addi", start, build_binary(b, "arith.muli", piece->from, step));
  MlirValue to =
      build_binary(b, "arith.addi", start, build_binary(b, "arith.muli", piece->to, step));
  range[1] = BUILD(b, "arith.select", IN(piece->is_last, op_operand(product->loop, 1), to),
                   OUT(mlirValueGetType(to)));
}

/* Where a program is along each axis that the loop carries. */
static void build_place_of(struct builder *b, const struct product *product, MlirValue program,
                           MlirValue *out) {
  intptr_t axes = mlirOperationGetNumResults(product->programs);
  for (intptr_t axis = 0; axis < axes; axis++) {
    MlirValue count = product->counts[axis];
    out[axis] = axis + 1 < AXES ? build_binary(b, "arith.remui", program, count) : program;
    if (axis + 1 < axes)
      program = build_binary(b, "arith.divui", program, count);
  }
}

/* How the loop goes on does not depend on what a program does: it is computed first, up to the
   operation that is returned. */
static MlirOperation advance_first(struct product *product) {
  MlirBlock body = op_body(product->programs, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  struct builder b = builder_before(mlirBlockGetFirstOperation(body));
  MlirOperation mark = value_definition(number(&b, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
    hoist_in(op_operand(yield, i), body, mark);
  return mark;
}

struct substitution {
  MlirValue from, to;
};

static MlirLogicalResult substitute(MlirOperation op, void *data) {
  const struct substitution *substitution = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirValueEqual(op_operand(op, i), substitution->from))
      mlirOperationSetOperand(op, i, substitution->to);
  return SUCCESS;
}

/* From `op` to the end of its block, but for the yield. */
static void substitute_from(MlirOperation op, MlirValue from, MlirValue to) {
  struct substitution substitution = {from, to};
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(op));
  for (; !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    substitute(op, &substitution);
    visit_operations(op, substitute, &substitution);
  }
}

/* What the loop over programs has come to: a piece, or a whole program. */
static struct split_piece build_piece(struct product *product, const struct split_plan *plan) {
  enum { RANGE = 2, STATE = 4, VALUE_LIMIT = AXES + RANGE + STATE };
  MlirBlock body = op_body(product->programs, 0);
  intptr_t axes = mlirOperationGetNumResults(product->programs);
  MlirOperation mark = advance_first(product);
  struct builder b = builder_before(mark), arms[2];
  MlirValue counter = mlirBlockGetArgument(body, 0), of_piece[VALUE_LIMIT], of_whole[VALUE_LIMIT];
  MlirType types[VALUE_LIMIT], i32 = mlirValueGetType(counter), i1 = integer_type(&b, 1);
  for (intptr_t i = 0; i < axes + RANGE + STATE; i++)
    types[i] = i < axes + RANGE + 2 ? i32 : i1;
  MlirOperation branch = build_branch(&b, build_compare(&b, I_NOT_BELOW, counter, plan->whole),
                                      types, axes + RANGE + STATE, arms);
  struct split_piece piece = split_piece_build(&arms[0], plan, counter);
  build_place_of(&arms[0], product, piece.program, of_piece);
  build_range(&arms[0], product, &piece, of_piece + axes);
  MlirValue state[STATE] = {piece.first, piece.own, piece.is_part, piece.is_last};
  memcpy(of_piece + axes + RANGE, state, sizeof state);
  BUILD_OP(&arms[0], "scf.yield", INS(of_piece, axes + RANGE + STATE));
  for (intptr_t i = 0; i < axes; i++)
    of_whole[i] = mlirBlockGetArgument(body, 1 + i);
  for (intptr_t i = 0; i < RANGE; i++)
    of_whole[axes + i] = op_operand(product->loop, i);
  MlirValue none = number(&arms[1], 0);
  MlirValue complete[STATE] = {none, none, build_integer(&arms[1], 1, 0),
                               build_integer(&arms[1], 1, 1)};
  memcpy(of_whole + axes + RANGE, complete, sizeof complete);
  BUILD_OP(&arms[1], "scf.yield", INS(of_whole, axes + RANGE + STATE));
  for (intptr_t i = 0; i < axes; i++)
    substitute_from(mark, of_whole[i], op_result(branch, i));
  for (intptr_t i = 0; i < RANGE; i++)
    mlirOperationSetOperand(product->loop, i, op_result(branch, axes + i));
  mlirOperationDestroy(mark);
  return (struct split_piece){.first = op_result(branch, axes + RANGE),
                              .own = op_result(branch, axes + RANGE + 1),
                              .is_part = op_result(branch, axes + RANGE + 2),
                              .is_last = op_result(branch, axes + RANGE + 3)};
}

/* A counter, a number or pointer, after so many iterations (i32) that each advance it by `step`. */
static MlirValue build_advanced(struct product *product, struct builder *b, MlirValue counter,
                                MlirValue step, MlirValue iterations) {
  MlirType type = mlirValueGetType(counter), i64 = mlirIntegerTypeGet(b->context, 64);
  bool moves = type_is_pointer(&product->session->types, type);
  MlirType wide = moves ? i64 : type;
  int64_t constant;
  if (uniform_integer(product->session, step, &constant))
    step = build_integer_of(b, wide, constant);
  else if (!mlirTypeEqual(mlirValueGetType(step), wide))
    step = BUILD(b, "arith.extsi", IN(step), OUT(wide));
  if (mlirTypeEqual(wide, i64))
    iterations = BUILD(b, "arith.extui", IN(iterations), OUT(i64));
  return build_binary(b, moves ? "tile.addptr" : "arith.addi", counter,
                      build_binary(b, "arith.muli", iterations, step));
}

/* What each iteration advances begins where the piece does. */
static void start_counters(struct product *product) {
  const struct loop_sums *sums = &product->sums.of;
  MlirOperation loop = product->loop;
  struct builder b = builder_before(loop);
  MlirValue before =
      build_binary(&b, "arith.subi", op_operand(loop, 0), number(&b, product->start));
  before = build_binary(&b, "arith.divui", before, number(&b, product->step));
  for (intptr_t i = 0; i < sums->count; i++)
    if (sums->kinds[i] == LOOP_SUM_COUNTER)
      mlirOperationSetOperand(
          loop, 3 + i,
          build_advanced(product, &b, op_operand(loop, 3 + i), sums->steps[i], before));
}

/* --- How it is put together ------------------------------------------------------------------- */

/* What follows the sum, where this block has it. */
static void guard_rest(MlirOperation from, MlirValue condition) {
  MlirBlock body = mlirOperationGetBlock(from);
  MlirOperation end = mlirBlockGetTerminator(body), next;
  struct builder b = builder_before(from);
  MlirRegion region = region_with_block(&b, 0, NULL);
  MlirBlock inside = mlirRegionGetFirstBlock(region);
  BUILD_OP(&b, "scf.if", IN(condition), REGIONS(region, mlirRegionCreate()));
  for (MlirOperation op = from; !mlirOperationEqual(op, end); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(inside, op);
  }
  struct builder last = builder_at_end(b.context, inside, b.location);
  BUILD_OP(&last, "scf.yield", .in = NULL);
}

static void put_together(struct product *product, const struct split_plan *plan,
                         const struct split_piece *piece) {
  MlirOperation rest = mlirOperationGetNextInBlock(product->loop);
  struct builder b = builder_before(rest);
  split_part_build(&b, &product->sums, plan, piece);
  MlirOperation sums = split_merge_build(&b, &product->sums, plan, piece);
  for (intptr_t i = 0; i < product->sums.count; i++)
    substitute_from(rest, split_sums_value(&product->sums, i), op_result(sums, i));
  guard_rest(rest, piece->is_last);
}

static void split(struct product *product) {
  struct split_plan plan = {0};
  build_plan(product, &plan);
  struct split_piece piece = build_piece(product, &plan);
  start_counters(product);
  put_together(product, &plan, &piece);
  attribute_set_integer(product->kernel, ATTR_PART_BYTES, product->sums.bytes);
}

MlirLogicalResult run_split_tail(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  MlirOperation kernel = {0};
  while (next_kernel(session, module, &kernel)) {
    if (!attribute_has(kernel, ATTR_RESIDENT_BLOCKS) || attribute_has(kernel, ATTR_PART_BYTES))
      continue;
    struct product product = {.session = session, .kernel = kernel};
    const char *why =
        why_not_split(&product, context->values[0].integer, context->values[1].integer);
    if (!why)
      split(&product);
    else if (context->values[2].integer)
      diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(kernel),
                         "no block shares a program of its last wave: %s", why);
  }
  return SUCCESS;
}
