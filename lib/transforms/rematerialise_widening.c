/* SPDX-License-Identifier: MIT */
/* tile-gpu-rematerialise-widening: tiles that were widened from what was loaded stay narrow across
   reductions and stores.

     %x = tile.load %p : f16                       %x = tile.load %p : f16
     %w = arith.extf %x : f16 to f32               %w = arith.extf %x
     %s = tile.reduce %w                     ->    %s = tile.reduce %w
     %d = arith.subf %w, splat %s                  %w1 = arith.extf %x {tile_gpu.rematerialised}
                                                   %d = arith.subf %w1, splat %s

   Needs: final layouts. Keeps: what is computed. Leaves: more conversions and a little more
   arithmetic, fewer registers in use at the reductions; tile_gpu.register_bound on kernels, the
   most that a thread is to have.

   A reduction across warps is where a program waits, for its row and then for its warps, and what a
   thread holds there decides how many programs a multiprocessor has to work on meanwhile. A row of
   f16 in f32 is twice as large as it need be. So of what is live across a reduction each tile goes
   that a few additions and multiplications make of narrower ones and of numbers that all elements
   share; it is rematerialised after the reduction. The same across stores of tiles, so that what is
   stored is made, stored and done with, piece by piece (tile-list-schedule). The lowering of
   tile_gpu.rematerialised hides from LLVM and ptxas, which would merge the two, that they are the
   same.

   What is widened early and used late only, such as weights that a kernel converts where it loads
   them, is no reason: ptxas converts it where it is used.

   Only in straight code of several warps, of at most MAX_POINTS reductions and stores, where such
   tiles are LEAST_WORDS registers or more, and a quarter of all that is live goes: threads that
   hold less are as many as a multiprocessor takes anyway, and have nothing for the arithmetic in
   return; programs of one warp wait for nobody. Not for MAX_WORDS or more either: so few warps are
   the choice for grids of very many rows, where a multiprocessor has enough bytes on their way and
   more of them cost locality in DRAM. The kernel then asks for a bound on registers that lets more
   blocks in: what stays live, an allowance for the rest, and what is left over when a
   multiprocessor's registers are shared out to as many blocks. (LayerNorm on an H200, such code by
   hand: 4096 rows of 6144 f16 4.8% faster, of 15872 2.5%, 32768 rows of 8192 1% slower, where 64
   elements a thread, held in f32, are the fastest.) */
#include "analysis/liveness.h"
#include "analysis/pressure.h"
#include "analysis/scratch.h"
#include "ir/module_target.h"
#include "ir/passes.h"

enum { LEAST_WORDS = 32, MAX_WORDS = 64, MAX_VALUES = 64 };
enum { MAX_OPERATIONS = 3, MAX_BOUNDED = 40, MAX_POINTS = 256 };

/* Tiles, each of them once. */
struct tiles {
  MlirValue values[MAX_VALUES];
  int count;
};

struct kernel {
  struct session *session;
  int operations; /* on tiles, elementwise */
  int points;
  bool simple; /* straight code of loads, arithmetic, reductions and stores */
};

static bool add(struct tiles *tiles, MlirValue value) {
  for (int i = 0; i < tiles->count; i++)
    if (mlirValueEqual(tiles->values[i], value))
      return true;
  if (tiles->count == MAX_VALUES)
    return false;
  tiles->values[tiles->count++] = value;
  return true;
}

static int64_t all_words(struct session *session, const struct tiles *tiles) {
  int64_t sum = 0;
  for (int i = 0; i < tiles->count; i++)
    sum += tile_words(session, mlirValueGetType(tiles->values[i]));
  return sum;
}

/* One number for all elements, or numbers known now: nothing that registers are needed for. */
static bool is_shared(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  enum op_kind kind = mlirOperationIsNull(op) ? OP_OTHER : kind_of(session, op);
  return !type_is_tensor(mlirValueGetType(value)) || kind == OP_TILE_SPLAT ||
         kind == OP_ARITH_CONSTANT;
}

static bool is_float_tile(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return type_is_tensor(type) && mlirTypeIsAFloat(type_element(type));
}

static bool is_widening(struct session *session, MlirOperation op) {
  if (!op_is(session, op, OP_ARITH_EXTF) || !is_float_tile(op_operand(op, 0)))
    return false;
  MlirType from = type_element(op_operand_type(op, 0));
  return (mlirTypeIsAF16(from) || mlirTypeIsABF16(from)) &&
         mlirTypeIsAF32(type_element(op_result_type(op, 0)));
}

static bool is_cheap(struct session *session, MlirOperation op) {
  return KIND_IN(kind_of(session, op), OP_ARITH_ADDF, OP_ARITH_SUBF, OP_ARITH_MULF, OP_ARITH_NEGF);
}

/* Can `value` be rematerialised from narrower tiles? Adds those to `sources`. */
static bool find_sources(struct session *session, MlirValue value, int *operations,
                         struct tiles *sources) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op))
    return false;
  if (is_widening(session, op))
    return add(sources, op_operand(op, 0));
  if (!is_cheap(session, op) || --*operations < 0)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!is_shared(session, op_operand(op, i)) &&
        !find_sources(session, op_operand(op, i), operations, sources))
      return false;
  return true;
}

/* The sources of `value`, if there are any; none when it has to stay. */
static struct tiles sources_of(struct session *session, MlirValue value) {
  struct tiles sources = {.count = 0};
  int operations = MAX_OPERATIONS;
  if (!find_sources(session, value, &operations, &sources))
    sources.count = 0;
  return sources;
}

static bool is_after(MlirOperation op, MlirOperation point) {
  return mlirOperationIsBeforeInBlock(point, op_in_block(op, mlirOperationGetBlock(point)));
}

/* Adds `value`, or what it can be rematerialised from where nothing until `point` takes it: ptxas
   computes such a value after that anyway. */
static void add_live(struct session *session, MlirValue value, MlirOperation point,
                     struct tiles *live) {
  struct tiles sources = sources_of(session, value);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!is_after(mlirOpOperandGetOwner(use), point))
      sources.count = 0;
  for (int i = 0; i < sources.count; i++)
    add(live, sources.values[i]);
  if (sources.count == 0)
    add(live, value);
}

/* The tiles of floats that are defined before `point` in its block and used after it. */
static struct tiles live_across(struct session *session, MlirOperation point) {
  struct tiles live = {.count = 0};
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(point));
  for (; !mlirOperationEqual(op, point); op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
      MlirValue value = op_result(op, i);
      if (is_float_tile(value) && !is_shared(session, value) &&
          value_is_live_after(session, value, point))
        add_live(session, value, point, &live);
    }
  return live;
}

/* The same with narrower tiles in place of those that can be rematerialised. */
static struct tiles narrowed(struct session *session, const struct tiles *live) {
  struct tiles result = {.count = 0};
  for (int i = 0; i < live->count; i++) {
    struct tiles sources = sources_of(session, live->values[i]);
    for (int k = 0; k < sources.count; k++)
      add(&result, sources.values[k]);
    if (sources.count == 0)
      add(&result, live->values[i]);
  }
  return result;
}

/* Rematerialises `value` before `place`. */
static MlirValue rematerialise(struct session *session, MlirValue value, MlirOperation place) {
  if (is_shared(session, value))
    return value;
  MlirOperation op = value_definition(value), copy = mlirOperationClone(op);
  if (is_widening(session, op))
    attribute_set_unit(copy, ATTR_REMATERIALISED);
  else
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
      mlirOperationSetOperand(copy, i, rematerialise(session, op_operand(op, i), place));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place, copy);
  return op_result(copy, 0);
}

/* The first operation after `point` in its block that uses `value`; there is one. */
static MlirOperation first_user(MlirValue value, MlirOperation point) {
  MlirOperation first = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = op_in_block(mlirOpOperandGetOwner(use), mlirOperationGetBlock(point));
    if (mlirOperationIsBeforeInBlock(point, user) &&
        (mlirOperationIsNull(first) || mlirOperationIsBeforeInBlock(user, first)))
      first = user;
  }
  return first;
}

static void replace_after(struct session *session, MlirValue value, MlirOperation point) {
  MlirOperation place = first_user(value, point);
  MlirValue copy = rematerialise(session, value, place);
  for (MlirOpOperand use = mlirValueGetFirstUse(value), next; !mlirOpOperandIsNull(use);
       use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool after = mlirOperationEqual(op_in_block(user, mlirOperationGetBlock(point)), place) ||
                 is_after(user, place);
    if (after)
      mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), copy);
  }
}

/* False when nothing is gained here. */
static bool narrow_across(struct session *session, MlirOperation point) {
  struct tiles live = live_across(session, point), narrow = narrowed(session, &live);
  int64_t before = all_words(session, &live), after = all_words(session, &narrow), wide = 0;
  for (int i = 0; i < live.count; i++)
    wide += sources_of(session, live.values[i]).count > 0
                ? tile_words(session, mlirValueGetType(live.values[i]))
                : 0;
  if (wide < LEAST_WORDS || wide >= MAX_WORDS || 4 * after > 3 * before)
    return false;
  for (int i = 0; i < live.count; i++)
    if (sources_of(session, live.values[i]).count > 0)
      replace_after(session, live.values[i], point);
  return true;
}

/* Operations that keep nothing in registers but what comes in and goes out, piece by piece. */
static bool is_simple(struct session *session, MlirOperation op) {
  enum op_kind kind = kind_of(session, op);
  if (kind == OP_TILE_LOAD)
    return is_float_tile(op_result(op, 0)) || !type_is_tensor(op_result_type(op, 0));
  if (kind == OP_TILE_REDUCE)
    return mlirOperationGetNumOperands(op) == 1;
  return op_has(session, op, IS_PIECEWISE | IS_ELEMENTWISE) ||
         op_info(&session->names, op)->effects == EFFECTS_TERMINATOR;
}

/* Where nothing wide is to be held: reductions, and stores of tiles. */
static bool is_point(struct session *session, MlirOperation op) {
  enum op_kind kind = kind_of(session, op);
  return kind == OP_TILE_REDUCE ||
         (kind == OP_TILE_STORE && type_is_tensor(op_operand_type(op, 0)));
}

static MlirLogicalResult inspect(MlirOperation op, void *data) {
  struct kernel *kernel = data;
  kernel->operations += op_has(kernel->session, op, IS_ELEMENTWISE) &&
                        mlirOperationGetNumResults(op) == 1 &&
                        type_is_tensor(op_result_type(op, 0));
  kernel->points += is_point(kernel->session, op);
  kernel->simple &= is_simple(kernel->session, op);
  return SUCCESS;
}

/* The bound for threads that hold `words` and a block of `threads`. */
static int64_t bound(const struct machine *machine, int64_t words, int64_t threads) {
  int64_t registers = words + PRESSURE_ALLOWANCE + PRESSURE_OF_ADDRESSES;
  struct machine_block block = {.threads = threads, .registers = registers};
  int64_t blocks = machine_blocks(machine, block);
  return machine_registers_for(machine, threads * (blocks < 1 ? 1 : blocks));
}

/* A bound is worth asking for when the kernel does so little that it has no use for more. */
static MlirLogicalResult narrow_kernel(struct session *session, MlirOperation function,
                                       int64_t threads) {
  struct kernel kernel = {.session = session, .simple = true};
  TRY_IR(visit_operations(function, inspect, &kernel));
  if (!kernel.simple || kernel.points > MAX_POINTS)
    return SUCCESS;
  int64_t most = 0;
  bool changed = false;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(function, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_point(session, op))
      continue;
    changed |= narrow_across(session, op);
    struct tiles live = live_across(session, op);
    int64_t left = all_words(session, &live);
    most = left > most ? left : most;
  }
  if (changed && kernel.operations <= MAX_BOUNDED)
    attribute_set_integer(function, ATTR_REGISTER_BOUND,
                          bound(machine_of(function), most, threads));
  return SUCCESS;
}

MlirLogicalResult run_rematerialise_widening(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int64_t warps = attribute_number(module, ATTR_NUM_WARPS, 4),
          threads = warps * machine_of(module)->lanes;
  if (warps == 1)
    return SUCCESS;
  MlirOperation op = {0};
  while (next_kernel(session, module, &op))
    TRY_IR(narrow_kernel(session, op, threads));
  return SUCCESS;
}
