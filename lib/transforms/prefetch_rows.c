/* SPDX-License-Identifier: MIT */
/* tile-gpu-prefetch-rows: what the next iteration of a loop loads is brought into the L2 cache
   while this one computes.

     for %i {                               for %i {
       %x = tile.load (%row + range), mask    %x = tile.load (%row + range), mask
       %s = tile.reduce %x                    tile_gpu.prefetch (%row + %stride + range), ahead
       ...                              ->    %s = tile.reduce %x
       %row += %stride                        ...
     }                                        %row += %stride
                                            }

   with `ahead` the mask where %i + 1 < %n.

   Needs: layouts; loads where they stay (after tile-gpu-pipeline and tile-gpu-order). Keeps:
   everything that is computed.

   Where the threads of a block wait for one another in each iteration, as for the sum of a row, no
   load of the next one is under way in the meantime, and few blocks fit on a multiprocessor when
   rows are long: the memory stands still. Loading a row ahead would cost registers, which are what
   keeps blocks from fitting, and would be wrong where a store of this iteration changes what is
   loaded. A prefetch costs neither: the load that follows sees what memory holds then, at the
   latency of the cache.

   A load that is an iteration ahead already (tile-gpu-pipeline) is under way while the threads
   wait. To ask for the iteration after that, too, costs more than it gives, except where the loop
   stores, as one that goes over rows does, and a thread's part of the tile is 16 bytes at most:
   softmax over 1024 columns with 8 warps by 2%, with 16 by 4%; with 32 bytes it loses up to 5%.

   What is asked for is what the next iteration loads and nothing else, so addresses and mask must
   be arithmetic that can be done an iteration ahead, and registers for it must be left. Loads
   before the first such wait are meant; the prefetches stand after them. */
#include "analysis/loop_stages.h"
#include "analysis/pressure.h"
#include "analysis/scratch.h"
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"

const struct pass_option prefetch_rows_options[] = {
    {"least", OPTION_INTEGER, "1024", "bytes of a tile from which on it is worth its instructions"},
    {0}};

enum { MAX_LOADS = 8, MAX_OPERATIONS = 32 };

/* --- One iteration ahead ---------------------------------------------------------------------- */

static bool is_of_body(MlirValue value, MlirOperation loop) {
  return value_is_argument_of(value, op_body(loop, 0));
}

/* What is computed ahead: arithmetic on the induction variable, what the loop carries, and what is
   there before it. */
struct tracing {
  struct session *session;
  MlirOperation loop;
  bool moves; /* with the iterations */
  int operations;
};

static bool is_arithmetic(struct tracing *t, MlirOperation op) {
  enum op_effects effects = op_info(&t->session->names, op)->effects;
  return (effects == EFFECTS_PURE || effects == EFFECTS_PURE_MAY_TRAP) &&
         mlirOperationGetNumRegions(op) == 0 && scratch_bytes(t->session, op) == 0 &&
         mlirBlockEqual(mlirOperationGetBlock(op), op_body(t->loop, 0));
}

/* Can the value of the next iteration (else: of this one) be computed at any place of the body? */
static bool trace(struct tracing *t, MlirValue value, bool next) {
  if (mlirValueIsNull(value))
    return true;
  if (is_of_body(value, t->loop)) {
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    t->moves = true;
    return !next || number == 0 ||
           trace(t, op_operand(mlirBlockGetTerminator(op_body(t->loop, 0)), number - 1), false);
  }
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || !op_is_inside(op, t->loop))
    return true;
  bool can = ++t->operations <= MAX_OPERATIONS && is_arithmetic(t, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && can; i++)
    can = trace(t, op_operand(op, i), next);
  return can;
}

/* Builds what has been traced. */
static MlirValue compute(struct builder *b, MlirOperation loop, MlirValue value, bool next) {
  if (is_of_body(value, loop)) {
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (!next)
      return value;
    if (number > 0)
      return compute(b, loop, op_operand(mlirBlockGetTerminator(op_body(loop, 0)), number - 1),
                     false);
    return BUILD(b, "arith.addi", IN(value, op_operand(loop, 2)), OUT(mlirValueGetType(value)));
  }
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || !op_is_inside(op, loop))
    return value;
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, compute(b, loop, op_operand(op, i), next));
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
  return op_result(copy, mlirOpResultGetResultNumber(value));
}

/* --- The loop --------------------------------------------------------------------------------- */

/* Is what `op` loads for a later iteration, as tile-gpu-pipeline has it: handed on, and nothing
   else? */
static bool is_ahead(struct session *session, MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(op_result(op, 0));
  while (!mlirOpOperandIsNull(use) && kind_of(session, mlirOpOperandGetOwner(use)) == OP_SCF_YIELD)
    use = mlirOpOperandGetNextUse(use);
  return mlirOpOperandIsNull(use);
}

static bool stores(struct session *session, MlirOperation loop) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
  while (!mlirOperationIsNull(op) && !op_is(session, op, OP_TILE_STORE))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op);
}

enum { LITTLE_BYTES = 16 }; /* of a thread */

/* Is what `op` loads ahead too little to keep the memory busy? `bytes`: of its tile. */
static bool is_little(struct session *session, MlirOperation loop, int64_t bytes) {
  int64_t threads = attribute_number(module_of(loop), ATTR_NUM_WARPS, 4) * machine_of(loop)->lanes;
  return bytes <= LITTLE_BYTES * threads && stores(session, loop);
}

static bool is_worth_it(struct session *session, MlirOperation op, MlirOperation loop,
                        int64_t least) {
  struct tile_load load;
  if (kind_of(session, op) != OP_TILE_LOAD || !type_is_tensor(op_result_type(op, 0)) ||
      !tile_load_read(op, &load) || op_has_attribute(op, "volatile") ||
      ref_equals(op_string(op, "cache"), "cv"))
    return false;
  MlirType tile = op_result_type(op, 0);
  int64_t bytes = type_elements(tile) * memory_bytes(session, type_element(tile));
  if (bytes < least || (is_ahead(session, op) && !is_little(session, loop, bytes)))
    return false;
  struct tracing t = {.session = session, .loop = loop};
  bool moves = trace(&t, load.pointer, true) && t.moves;
  return moves && trace(&t, load.mask, true);
}

/* i1: is there a next iteration? The difference to the end is positive, so it is right as an
   unsigned number whatever the bounds. */
static MlirValue has_next(struct builder *b, MlirOperation loop) {
  MlirValue induction = mlirBlockGetArgument(op_body(loop, 0), 0);
  MlirValue left = build_binary(b, "arith.subi", op_operand(loop, 1), induction);
  return build_compare(b, I_ABOVE, left, op_operand(loop, 2));
}

static bool is_from_outside(MlirValue value, MlirOperation loop) {
  MlirOperation op = value_definition(value);
  return !is_of_body(value, loop) && (mlirOperationIsNull(op) || !op_is_inside(op, loop));
}

/* What a scalar pointer that the loop carries is advanced by in each iteration, if that is known
   before the loop; else null. */
static MlirValue distance_of(struct session *session, MlirOperation loop, MlirValue pointer) {
  if (!is_of_body(pointer, loop) || mlirBlockArgumentGetArgNumber(pointer) == 0)
    return (MlirValue){0};
  MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
  MlirOperation advance =
      value_definition(op_operand(yield, mlirBlockArgumentGetArgNumber(pointer) - 1));
  bool advances = !mlirOperationIsNull(advance) && kind_of(session, advance) == OP_TILE_ADDPTR &&
                  mlirValueEqual(op_operand(advance, 0), pointer) &&
                  is_from_outside(op_operand(advance, 1), loop);
  return advances ? op_operand(advance, 1) : (MlirValue){0};
}

/* The pointers of the next iteration: this one's and a distance, where %row + range becomes %row +
   %stride + range, so that no other pointers are carried by the loop. */
static MlirValue next_pointers(struct session *session, struct builder *b, MlirOperation loop,
                               MlirValue pointers) {
  MlirOperation sum = value_definition(pointers), row = {0};
  if (!mlirOperationIsNull(sum) && kind_of(session, sum) == OP_TILE_ADDPTR &&
      is_from_outside(op_operand(sum, 1), loop))
    row = value_definition(op_operand(sum, 0));
  MlirValue distance = {0};
  if (!mlirOperationIsNull(row) && kind_of(session, row) == OP_TILE_SPLAT)
    distance = distance_of(session, loop, op_operand(row, 0));
  if (mlirValueIsNull(distance))
    return compute(b, loop, pointers, true);
  MlirType type = mlirValueGetType(pointers);
  MlirValue all = BUILD(b, "tile.splat", IN(distance),
                        OUT(type_with_element(type, mlirValueGetType(distance))));
  return BUILD(b, "tile.addptr", IN(pointers, all), OUT(type));
}

static void build_prefetch(struct session *session, struct builder *b, MlirOperation loop,
                           MlirValue next, MlirOperation op) {
  struct tile_load load;
  tile_load_read(op, &load);
  b->location = mlirOperationGetLocation(op);
  MlirValue pointer = next_pointers(session, b, loop, load.pointer);
  MlirType type = type_with_element(mlirValueGetType(pointer), integer_type(b, 1));
  MlirValue mask = BUILD(b, "tile.splat", IN(next), OUT(type));
  if (!mlirValueIsNull(load.mask))
    mask = BUILD(b, "arith.andi", IN(compute(b, loop, load.mask, true), mask), OUT(type));
  BUILD_OP(b, "tile_gpu.prefetch", IN(pointer, mask));
}

/* Has a thread so few registers after `load` that code beside it, which needs some for a while,
   makes ptxas move tiles to memory and back? */
static bool is_short_of_registers(struct session *session, MlirOperation load) {
  MlirOperation module = module_of(load);
  int num_warps = (int)attribute_number(module, ATTR_NUM_WARPS, 4);
  struct map each = {0};
  pressure_of_each(session, function_of(session, load), &each);
  int64_t live = (int64_t)(uintptr_t)map_get(&each, load.ptr);
  map_free(&each);
  return pressure_least(live) > module_registers(module, num_warps);
}

static void prefetch_loop(struct session *session, MlirOperation loop, int64_t least) {
  MlirOperation loads[MAX_LOADS];
  int count = 0;
  bool waits = false;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
  for (; !mlirOperationIsNull(op) && !waits; op = mlirOperationGetNextInBlock(op)) {
    waits = scratch_waits_for_block(session, op);
    if (count < MAX_LOADS && is_worth_it(session, op, loop, least))
      loads[count++] = op;
  }
  if (count == 0 || !waits || is_short_of_registers(session, loads[count - 1]))
    return;
  struct builder b = builder_before(mlirOperationGetNextInBlock(loads[count - 1]));
  MlirValue next = has_next(&b, loop);
  for (int i = 0; i < count; i++)
    build_prefetch(session, &b, loop, next, loads[i]);
}

struct prefetching {
  struct session *session;
  int64_t least;
};

static MlirWalkResult visit(MlirOperation op, void *data) {
  const struct prefetching *state = data;
  if (kind_of(state->session, op) == OP_SCF_FOR)
    prefetch_loop(state->session, op, state->least);
  return MlirWalkResultAdvance;
}

MlirLogicalResult run_prefetch_rows(struct pass_context *context, MlirOperation module) {
  struct prefetching state = {.session = context->session, .least = context->values[0].integer};
  mlirOperationWalk(module, visit, &state, MlirWalkPostOrder);
  return SUCCESS;
}
