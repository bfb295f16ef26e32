/* SPDX-License-Identifier: MIT */
/* tile-gpu-order: a list scheduler. Each operation of a block stays where the kernel has it, but
   for those that threads wait for: loads go before what they would otherwise wait for, and
   reductions that are ready at one time become one.

     %x = tile.load %px                         %x = tile.load %px
     %s = tile.reduce %x {addf}                 %w = tile.load %pw
     tile.store %mean, %s              ->       %s, %m = tile.reduce %x, %x {addf, maxnumf}
     %w = tile.load %pw                         tile.store %mean, %s
     %m = tile.reduce %x {maxnumf}

   Needs: layouts; a block's loads and stores in program order. Keeps: what is computed; the order
   of an element's accesses, and that in which a reduction's elements are combined. Leaves: more
   registers in use.

   What moves takes along the arithmetic that it needs, and nothing else: no load, no reduction, no
   loop. It costs registers in all places that it passes (analysis/pressure.h):

     - A load goes before the first reduction or store that it can go before. A reduction ends in a
       barrier, and nothing after us issues a load across a barrier or a store: a kernel that
   reduces a row and then loads what it is scaled by waits for memory twice. It does not pass what
   may be ordered with it: a barrier, an atomic operation, a store to a tile of its shape whose
   elements may be its own. A store of another shape, or of a scalar, has no position in common with
   it (dialects/tile/README.md, memory order), and of one with a constant distance no position's
       element is the load's (analysis/offsets.h). Loads may take MAX_LOADED registers, and no more
       than leave room for two blocks on a multiprocessor: while one waits for memory, the other one
       works. What all programs load, such as a layer's weights, is in a cache, soon also in the
       multiprocessor's own: it takes no more than leave room for `resident` threads. Their rows are
       worth more than waiting once less for a cache.
     - A reduction goes to an earlier one along one axis of tiles in one layout: one round of
       shuffles and one barrier for both. Each operand is combined by one operation in which the
       sides do not matter, so that none takes on what only another one needs (reduce_combiner_of).
       A thread combines its own elements first, so what is in use at the shuffles is a value or so
       an operand; what moves and is used further down as well takes MAX_JOINED registers at most. A
       block of thousands of reductions is looked at in linear time: MAX_TRIED earlier ones each.

   Without the second rule unsloth's layernorm_backward, sparsemax in both directions and poly norm
   are 6 to 15% slower on an H200. */
#include "analysis/offsets.h"
#include "analysis/pressure.h"
#include "analysis/scratch.h"
#include "base/numbers.h"
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"

const struct pass_option order_options[] = {
    {"resident", OPTION_INTEGER, "1024",
     "threads on a multiprocessor that early loads of what all programs load leave room for"},
    {0}};

/* MAX_LOADED, MAX_JOINED: registers of a thread. MAX_ATTEMPTS: positions tried for a load. */
enum { MAX_LOADED = 32, MAX_JOINED = 16, MAX_ATTEMPTS = 4, MAX_TRIED = 64, MAX_MOVED = 64 };

enum { MAX_SOURCES = 64 };

/* Registers that a thread may have in use where loads pass, and where what all programs load does.
 */
struct room {
  int64_t own, common;
};

struct ordering {
  struct session *session;
  MlirBlock block;
  struct room room;
  struct map *live;                    /* pressure_of_each, with what has moved */
  int64_t taken;                       /* registers, by what has been loaded early in this block */
  MlirOperation reductions[MAX_TRIED]; /* the last ones that others may join, a ring */
  size_t reduction_count;
};

/* --- Moving ----------------------------------------------------------------------------------- */

/* Operations to be moved, each after those that it uses. */
struct moved {
  MlirOperation ops[MAX_MOVED];
  int count;
};

/* May `op` be executed earlier, together with something that needs it? */
static bool may_move_along(struct session *session, MlirOperation op) {
  return op_info(&session->names, op)->effects == EFFECTS_PURE &&
         mlirOperationGetNumRegions(op) == 0 && !op_has(session, op, CROSSES_THREADS);
}

static bool is_between(MlirOperation op, MlirOperation first, MlirOperation last) {
  return mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(last)) &&
         !mlirOperationIsBeforeInBlock(op, first) && mlirOperationIsBeforeInBlock(op, last);
}

static bool is_moved(const struct moved *moved, MlirOperation op) {
  for (int i = 0; i < moved->count; i++)
    if (mlirOperationEqual(moved->ops[i], op))
      return true;
  return false;
}

/* A chain of operations that is longer than what may move need not be followed to its end. */
static bool collect_from(struct session *session, MlirOperation op, MlirOperation first,
                         MlirOperation last, int depth, struct moved *out) {
  if (is_moved(out, op))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation source = value_definition(op_operand(op, i));
    if (mlirOperationIsNull(source) || !is_between(source, first, last))
      continue;
    if (depth == MAX_MOVED || !may_move_along(session, source) ||
        !collect_from(session, source, first, last, depth + 1, out))
      return false;
  }
  if (out->count == MAX_MOVED)
    return false;
  out->ops[out->count++] = op;
  return true;
}

/* What `op` needs of the operations of its block from `first` on, then `op`. False when something
   of that cannot be executed earlier. */
static bool collect(struct session *session, MlirOperation op, MlirOperation first,
                    struct moved *out) {
  out->count = 0;
  return collect_from(session, op, first, op, 1, out);
}

/* --- Loads early ------------------------------------------------------------------------------ */

/* The values that something is computed from, to be looked at one by one. */
struct sources {
  MlirOperation ops[MAX_SOURCES];
  int count;
};

/* False when `value` is not known from the kernel's arguments and constants alone. */
static bool add_source(struct session *session, struct sources *sources, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op))
    return kind_of(session, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))) ==
           OP_FUNC;
  for (int i = 0; i < sources->count; i++)
    if (mlirOperationEqual(sources->ops[i], op))
      return true;
  if (sources->count == MAX_SOURCES || kind_of(session, op) == OP_TILE_PROGRAM_ID ||
      op_info(&session->names, op)->effects != EFFECTS_PURE)
    return false;
  sources->ops[sources->count++] = op;
  return true;
}

/* Does every program load the same? */
static bool is_common(struct session *session, MlirOperation load) {
  struct sources sources = {.count = 0};
  bool common = add_source(session, &sources, op_operand(load, 0));
  for (int i = 0; i < sources.count && common; i++)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(sources.ops[i]) && common; k++)
      common = add_source(session, &sources, op_operand(sources.ops[i], k));
  return common;
}

static bool is_plain_load(struct session *session, MlirOperation op) {
  return kind_of(session, op) == OP_TILE_LOAD && type_is_tensor(op_result_type(op, 0)) &&
         !op_has_attribute(op, "volatile") && !ref_equals(op_string(op, "cache"), "cv");
}

/* May `load` be executed before `op` as far as memory goes? */
static bool may_pass(struct session *session, MlirOperation op, MlirOperation load) {
  const struct op_info *info = op_info(&session->names, op);
  switch (info->effects) {
  case EFFECTS_PURE:
  case EFFECTS_PURE_MAY_TRAP:
  case EFFECTS_READ:
  case EFFECTS_HINT:
    return !op_has(session, op, IS_DOT);
  case EFFECTS_WRITE:
    return info->kind == OP_TILE_STORE &&
           (!pointers_share_positions(op_operand(op, 0), op_operand(load, 0)) ||
            pointers_are_apart(session, op_operand(op, 0), op_operand(load, 0)));
  case EFFECTS_UNKNOWN:
  case EFFECTS_REGION:
  case EFFECTS_TERMINATOR:
    break;
  }
  return false;
}

/* A position for a load: before `place`, and after `last`, the last operation before it that has
   registers in use after it. */
struct position {
  MlirOperation place, last;
};

static int64_t registers_after(const struct ordering *state, MlirOperation op) {
  return (int64_t)(uintptr_t)map_get(state->live, op.ptr);
}

static struct position position_after(const struct ordering *state, struct position before,
                                      MlirOperation op) {
  return (struct position){mlirOperationGetNextInBlock(op),
                           registers_after(state, op) ? op : before.last};
}

/* The position after the last operation that `load` may not pass. */
static struct position find_start(struct ordering *state, MlirOperation load) {
  MlirOperation op = mlirBlockGetFirstOperation(state->block);
  struct position here = {op, op}, start = here;
  for (; !mlirOperationEqual(op, load); op = mlirOperationGetNextInBlock(op)) {
    here = position_after(state, here, op);
    if (!may_pass(state->session, op, load))
      start = here;
  }
  return start;
}

/* Are `words` registers left from there to `load`? */
static bool has_room(const struct ordering *state, struct position from, MlirOperation load,
                     int64_t words, int64_t most) {
  MlirOperation op = from.last;
  for (; !mlirOperationEqual(op, load); op = mlirOperationGetNextInBlock(op))
    if (registers_after(state, op) + words > most)
      return false;
  return true;
}

static void set_registers(struct ordering *state, MlirOperation op, int64_t registers) {
  map_set(state->live, op.ptr, (void *)(uintptr_t)registers);
}

/* `load` moves there. */
static void take_room(struct ordering *state, struct position to, MlirOperation load,
                      int64_t words) {
  state->taken += words;
  set_registers(state, load, registers_after(state, to.last) + words);
  for (; !mlirOperationEqual(to.place, load); to.place = mlirOperationGetNextInBlock(to.place))
    if (registers_after(state, to.place))
      set_registers(state, to.place, registers_after(state, to.place) + words);
}

/* Moves `load` there, if what it needs can go along. */
static bool try_position(struct ordering *state, MlirOperation load, struct position to,
                         int64_t words, int64_t most) {
  struct moved moved;
  if (mlirOperationEqual(to.place, load) || !has_room(state, to, load, words, most) ||
      !collect(state->session, load, to.place, &moved))
    return false;
  take_room(state, to, load, words);
  while (is_moved(&moved, to.place))
    to.place = mlirOperationGetNextInBlock(to.place);
  for (int i = 0; i < moved.count; i++)
    mlirOperationMoveBefore(moved.ops[i], to.place);
  return true;
}

/* `after_loads` is the position after the last load before `op`, where all loads are issued before
   any of them is waited for. */
static void load_early(struct ordering *state, MlirOperation load) {
  int64_t words = tile_words(state->session, op_result_type(load, 0));
  int64_t most = is_common(state->session, load) ? state->room.common : state->room.own;
  if (state->taken + words > MAX_LOADED)
    return;
  struct position here = find_start(state, load), after_loads = here;
  for (int attempts = 0; attempts < MAX_ATTEMPTS && !mlirOperationEqual(here.place, load);) {
    MlirOperation op = here.place;
    enum op_kind kind = kind_of(state->session, op);
    if (kind == OP_TILE_STORE || op_has(state->session, op, CROSSES_THREADS)) {
      attempts++;
      if (try_position(state, load, after_loads, words, most) ||
          try_position(state, load, here, words, most))
        return;
    }
    here = position_after(state, here, op);
    if (kind == OP_TILE_LOAD)
      after_loads = here;
  }
}

/* --- Reductions together ---------------------------------------------------------------------- */

static bool is_plain_reduction(struct session *session, MlirOperation op) {
  if (kind_of(session, op) != OP_TILE_REDUCE || op_has_attribute(op, "ordered") ||
      !layout_to_linear(&session->layouts, op_operand_type(op, 0)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!kind_has(reduce_combiner_of(session, op, i), IS_SYMMETRIC))
      return false;
  return true;
}

static bool same_places(MlirType a, MlirType b) {
  return mlirTypeEqual(type_with_element(a, type_element(b)), b);
}

/* Do both take tiles of one layout along one axis, and leave their results in one layout? */
static bool alike(MlirOperation a, MlirOperation b) {
  MlirType of_a = op_result_type(a, 0), of_b = op_result_type(b, 0);
  return op_integer(a, "axis", 0) == op_integer(b, "axis", 0) &&
         mlirOperationGetNumOperands(a) + mlirOperationGetNumOperands(b) <= MAX_REDUCED &&
         same_places(op_operand_type(a, 0), op_operand_type(b, 0)) &&
         (!type_is_tensor(of_a) || same_places(of_a, of_b));
}

static bool used_elsewhere(const struct moved *moved, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!is_moved(moved, mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

/* The last one that moves is the reduction itself. */
static bool costs_little(struct session *session, const struct moved *moved) {
  int64_t words = 0;
  for (int i = 0; i + 1 < moved->count; i++)
    for (intptr_t k = 0; k < mlirOperationGetNumResults(moved->ops[i]); k++)
      if (used_elsewhere(moved, op_result(moved->ops[i], k)))
        words += tile_words(session, op_result_type(moved->ops[i], k));
  return words <= MAX_JOINED;
}

/* The operands, results and combiners of both, one after the other. */
struct both {
  MlirOperation of[MAX_REDUCED]; /* the reduction that operand i is of, */
  intptr_t number[MAX_REDUCED];  /* and which one it is there */
  intptr_t count;
};

static void add_operands(struct both *both, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    both->of[both->count] = op;
    both->number[both->count++] = i;
  }
}

static MlirRegion build_region(struct builder *b, const struct both *both) {
  MlirType types[2 * MAX_REDUCED];
  MlirValue yielded[MAX_REDUCED];
  for (intptr_t i = 0; i < both->count; i++)
    types[i] = types[both->count + i] = type_element(op_operand_type(both->of[i], both->number[i]));
  MlirRegion region = region_with_block(b, 2 * both->count, types);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (intptr_t i = 0; i < both->count; i++) {
    MlirOperation yield = mlirBlockGetTerminator(op_body(both->of[i], 0));
    MlirOperation combine =
        mlirOperationClone(value_definition(op_operand(yield, both->number[i])));
    mlirOperationSetOperand(combine, 0, mlirBlockGetArgument(block, i));
    mlirOperationSetOperand(combine, 1, mlirBlockGetArgument(block, both->count + i));
    mlirBlockAppendOwnedOperation(block, combine);
    yielded[i] = op_result(combine, 0);
  }
  struct builder inside = builder_at_end(b->context, block, b->location);
  build_op(&inside, &(struct op_spec){.name = "gpu.yield", .in = yielded, .in_count = both->count});
  return region;
}

/* Axis, numbers of operands and results, fused products. */
static intptr_t build_attributes(struct builder *b, const struct both *both,
                                 MlirNamedAttribute *out) {
  int32_t sizes[MAX_REDUCED] = {0}, fused[MAX_REDUCED];
  intptr_t count = 0, fused_count = 0;
  for (intptr_t i = 0; i < both->count; i++) {
    sizes[i] = 1;
    if (reduce_fuses_product(both->of[i], both->number[i]))
      fused[fused_count++] = (int32_t)i;
  }
  MlirAttribute segments = attribute_dense_i32(b->context, MAX_REDUCED, sizes);
  out[count++] = attribute_named(b->context, "axis",
                                 mlirOperationGetAttributeByName(both->of[0], ref("axis")));
  out[count++] = attribute_named(b->context, "operandSegmentSizes", segments);
  out[count++] = attribute_named(b->context, "resultSegmentSizes", segments);
  if (fused_count)
    out[count++] = attribute_with(b->context, ATTR_FUSED_PRODUCTS,
                                  attribute_dense_i32(b->context, fused_count, fused));
  return count;
}

/* Before `first`; both reductions are gone. */
static MlirOperation merge(MlirOperation first, MlirOperation second) {
  struct builder b = builder_before(first);
  struct both both = {.count = 0};
  add_operands(&both, first);
  add_operands(&both, second);
  MlirValue in[MAX_REDUCED];
  MlirType out[MAX_REDUCED];
  MlirNamedAttribute attributes[4];
  for (intptr_t i = 0; i < both.count; i++) {
    in[i] = op_operand(both.of[i], both.number[i]);
    out[i] = op_result_type(both.of[i], both.number[i]);
  }
  MlirRegion region = build_region(&b, &both);
  MlirOperation merged =
      build_op(&b, &(struct op_spec){.name = "tile.reduce",
                                     .in = in,
                                     .in_count = both.count,
                                     .out = out,
                                     .out_count = both.count,
                                     .attributes = attributes,
                                     .attribute_count = build_attributes(&b, &both, attributes),
                                     .regions = &region,
                                     .region_count = 1});
  for (intptr_t i = 0; i < both.count; i++)
    mlirValueReplaceAllUsesOfWith(op_result(both.of[i], both.number[i]), op_result(merged, i));
  mlirOperationDestroy(first);
  mlirOperationDestroy(second);
  return merged;
}

/* Moves what `second` needs before `first`; false where it cannot. */
static bool bring_together(struct session *session, MlirOperation first, MlirOperation second) {
  struct moved moved;
  if (!collect(session, second, first, &moved) || !costs_little(session, &moved))
    return false;
  for (int i = 0; i + 1 < moved.count; i++)
    mlirOperationMoveBefore(moved.ops[i], first);
  return true;
}

/* Puts `op` together with the first one of the last MAX_TRIED with which that can be. */
static void join_reduction(struct ordering *state, MlirOperation op) {
  size_t count = state->reduction_count, i = count > MAX_TRIED ? count - MAX_TRIED : 0;
  for (; i < count; i++) {
    MlirOperation *first = &state->reductions[i % MAX_TRIED];
    if (!alike(*first, op) || !bring_together(state->session, *first, op))
      continue;
    *first = merge(*first, op);
    return;
  }
  state->reductions[state->reduction_count++ % MAX_TRIED] = op;
}

/* --- A kernel --------------------------------------------------------------------------------- */

struct kernel {
  struct session *session;
  struct room room;
  struct map *live;
};

static void order_block(const struct kernel *kernel, MlirBlock block) {
  struct session *session = kernel->session;
  struct ordering state = {
      .session = session, .block = block, .room = kernel->room, .live = kernel->live};
  MlirOperation op = mlirBlockGetFirstOperation(block), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (is_plain_load(session, op))
      load_early(&state, op);
    else if (is_plain_reduction(session, op))
      join_reduction(&state, op);
  }
}

static MlirLogicalResult visit(MlirOperation op, void *data) {
  const struct kernel *kernel = data;
  if (op_info(&kernel->session->names, op)->effects == EFFECTS_REGION)
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
      if (!mlirBlockIsNull(op_body(op, r)))
        order_block(kernel, op_body(op, r));
  return SUCCESS;
}

/* With at most two blocks of `threads` on a multiprocessor, as many as it has where `peak` is live.
   None where that is too much for one. */
static struct room room_of(const struct machine *machine, int64_t threads, int64_t peak,
                           int64_t resident) {
  struct machine_block block = {.threads = threads, .registers = peak + PRESSURE_ALLOWANCE};
  int64_t blocks = smaller(machine_blocks(machine, block), 2);
  if (!blocks)
    return (struct room){0};
  return (struct room){machine_registers_for(machine, blocks * threads) - PRESSURE_ALLOWANCE,
                       machine_registers_for(machine, larger(blocks * threads, resident)) -
                           PRESSURE_ALLOWANCE};
}

MlirLogicalResult run_order(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  const struct machine *machine = machine_of(module);
  int64_t threads = attribute_number(module, ATTR_NUM_WARPS, 4) * machine->lanes;
  int64_t resident = context->values[0].integer;
  if (resident < 1 || resident > machine->threads)
    return fail_op(module, "tile-gpu-order: resident = %lld is not from 1 to %d threads",
                   (long long)resident, machine->threads);
  MlirOperation op = {0};
  while (next_kernel(session, module, &op)) {
    struct map live = {0};
    struct kernel kernel = {.session = session, .live = &live};
    int64_t peak = pressure_of_each(session, op, &live).registers;
    kernel.room = room_of(machine, threads, peak, resident);
    order_block(&kernel, op_body(op, 0));
    visit_operations(op, visit, &kernel);
    map_free(&live);
  }
  return SUCCESS;
}
