/* SPDX-License-Identifier: MIT */
/* tile-gpu-reorder: loads before what they would otherwise wait for: reductions and stores.

     %x = tile.load %px                         %x = tile.load %px
     %s = tile.reduce %x                        %w = tile.load %pw
     tile.store %mean, %s              ->       %s = tile.reduce %x
     %w = tile.load %pw                         tile.store %mean, %s

   Needs: layouts; a block's loads and stores in program order. Keeps: what is computed; the order
   of an element's accesses. Leaves: more registers in use, at most MAX_BYTES a thread, and no more
   than leave room for two blocks on a multiprocessor: while one waits for memory, the other one
   works. What all programs load, such as a layer's weights, is in a cache, soon also in the
   multiprocessor's own: it takes no more than leave room for `resident` threads. Their rows are
   worth more than waiting once less for a cache.

   A reduction ends in a barrier, and no load is issued across a barrier or a store by what comes
   after us. So a kernel that reduces a row and then loads what it is scaled by waits for memory
   twice, and one that loads and stores several rows waits for each. A load moves, with the
   arithmetic of its addresses and masks, after the loads before the first reduction or store since

     - an operation that may be ordered with it: a barrier, an atomic operation, a store to a tile
       of its shape
       whose elements may be its own. A store of another shape, or of a scalar, has no position in
       common with it (dialects/tile/README.md, memory order), and of one with a constant distance
       no position's element is the load's (analysis/offsets.h);
     - an operation that defines something it needs and cannot move along: a load, a reduction, a
       loop. */
#include "analysis/offsets.h"
#include "analysis/pressure.h"
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "transforms/hoist.h"

const struct pass_option reorder_options[] = {
    {"resident", OPTION_INTEGER, "1024",
     "threads on a multiprocessor that early loads of what all programs load leave room for"},
    {0}};

/* Bytes of moved tiles in a thread: registers that the reductions then have to do without. And how
   many places are tried for a load. */
enum { MAX_BYTES = 128, MAX_ATTEMPTS = 4 };

enum { MAX_SOURCES = 64 };

struct reordering {
  struct session *session;
  MlirBlock block;
  int64_t bytes;       /* of what has been moved in this block */
  int64_t most;        /* that may be */
  int64_t most_common; /* the same where all programs load it */
};

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
    return !op_has(session, op, IS_PRODUCT);
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

/* The operation after the last one that `load` may not pass. */
static MlirOperation find_start(struct reordering *state, MlirOperation load) {
  MlirOperation op = mlirBlockGetFirstOperation(state->block), start = op;
  for (; !mlirOperationEqual(op, load); op = mlirOperationGetNextInBlock(op))
    if (!may_pass(state->session, op, load))
      start = mlirOperationGetNextInBlock(op);
  return start;
}

static int64_t bytes_a_thread(struct session *session, MlirType type) {
  const struct linear_layout *layout = layout_to_linear(&session->layouts, type);
  if (!layout)
    return MAX_BYTES + 1;
  return linear_layout_in_size(layout, LAYOUT_REGISTER) *
         (int64_t)type_bytes(&session->types, type_element(type));
}

/* Moves `load` before `place`, if what it needs can go along. */
static bool try_place(struct reordering *state, MlirOperation load, MlirOperation place) {
  struct hoisted moved = {.count = 0};
  if (mlirOperationEqual(place, load) || !hoist_collect(state->session, load, place, load, &moved))
    return false;
  while (hoisted_contains(&moved, place))
    place = mlirOperationGetNextInBlock(place);
  for (int i = 0; i < moved.count; i++)
    mlirOperationMoveBefore(moved.ops[i], place);
  return true;
}

/* `after_loads` is the operation after the last load before `op`, where all loads are issued before
   any of them is waited for. */
static void move_load(struct reordering *state, MlirOperation load) {
  int64_t bytes = bytes_a_thread(state->session, op_result_type(load, 0));
  if (state->bytes + bytes > (is_common(state->session, load) ? state->most_common : state->most))
    return;
  MlirOperation op = find_start(state, load), after_loads = op;
  for (int attempts = 0; attempts < MAX_ATTEMPTS && !mlirOperationEqual(op, load);
       op = mlirOperationGetNextInBlock(op)) {
    enum op_kind kind = kind_of(state->session, op);
    if (kind == OP_TILE_LOAD)
      after_loads = mlirOperationGetNextInBlock(op);
    if (kind != OP_TILE_STORE && !op_has(state->session, op, CROSSES_THREADS))
      continue;
    attempts++;
    if (try_place(state, load, after_loads) || try_place(state, load, op)) {
      state->bytes += bytes;
      return;
    }
  }
}

static MlirLogicalResult find_widest(MlirOperation op, void *data) {
  struct reordering *state = data;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    const struct linear_layout *layout = NULL;
    MlirType type = op_result_type(op, i);
    if (type_is_tensor(type) && type_is_number(type_element(type)))
      layout = layout_to_linear(&state->session->layouts, type);
    if (!layout)
      continue;
    int64_t bytes = linear_layout_in_size(layout, LAYOUT_REGISTER) *
                    (int64_t)type_bytes(&state->session->types, type_element(type));
    state->bytes = bytes > state->bytes ? bytes : state->bytes;
  }
  return SUCCESS;
}

/* Bytes that a thread has to spare beside its largest tile, of `widest` bytes, if a multiprocessor
   is to have `threads`. */
static int64_t bytes_to_spare(const struct machine *machine, int64_t widest, int64_t threads) {
  int64_t registers = machine_registers_for(machine, threads);
  int64_t spare = (registers - PRESSURE_ALLOWANCE - PRESSURE_OF_ADDRESSES) * 4 - widest;
  return spare > MAX_BYTES ? MAX_BYTES : spare;
}

static void reorder_block(const struct reordering *kernel, MlirBlock block) {
  struct session *session = kernel->session;
  struct reordering state = *kernel;
  state.block = block;
  MlirOperation op = mlirBlockGetFirstOperation(block), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (is_plain_load(session, op))
      move_load(&state, op);
  }
}

static MlirLogicalResult visit(MlirOperation op, void *data) {
  const struct reordering *kernel = data;
  if (op_info(&kernel->session->names, op)->effects == EFFECTS_REGION)
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
      if (!mlirBlockIsNull(op_body(op, r)))
        reorder_block(kernel, op_body(op, r));
  return SUCCESS;
}

MlirLogicalResult run_reorder(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  const struct machine *machine = machine_of(module);
  int64_t threads = attribute_number(module, ATTR_NUM_WARPS, 4) * machine->lanes;
  int64_t resident = context->values[0].integer;
  if (resident < 1 || resident > machine->threads)
    return fail_op(module, "tile-gpu-reorder: resident = %lld is not from 1 to %d threads",
                   (long long)resident, machine->threads);
  MlirOperation op = {0};
  while (next_kernel(session, module, &op)) {
    struct reordering kernel = {.session = session};
    TRY_IR(visit_operations(op, find_widest, &kernel));
    int64_t widest = kernel.bytes;
    kernel.bytes = 0;
    kernel.most = bytes_to_spare(machine, widest, 2 * threads);
    kernel.most_common =
        bytes_to_spare(machine, widest, resident > 2 * threads ? resident : 2 * threads);
    reorder_block(&kernel, op_body(op, 0));
    TRY_IR(visit_operations(op, visit, &kernel));
  }
  return SUCCESS;
}
