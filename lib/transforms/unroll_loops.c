/* SPDX-License-Identifier: MIT */
/* tile-gpu-unroll-loops: short loops that go through memory become straight code, with masks.

     scf.for %i = %a to min(%a + 2, %n) step 1        %c = %a < %n'            (n' the upper bound)
       %x = tile.load %p                        ->    %x = tile.load %p, splat %c
       tile.store %q, %x                              tile.store %q, %x, splat %c
                                                      %i1 = %a + 1
                                                      %c1 = %c and %i1 < %n'
                                                      %x1 = tile.load %p1, splat %c1 ...

   Needs: layouts. Keeps: what is computed: an iteration that would not run loads and stores
   nothing. A loop's next loads wait for its stores, so a thread has one iteration's bytes on their
   way. In straight code tile-gpu-order brings all loads forward. That pays where the iterations
   are few and small: their number has a bound that is a constant (offsets.h), and a thread's loads
   fit into MAX_BYTES.

   Only loops without results and without tile.loop_unroll_factor = 1, of operations that do no harm
   where they would not have run: arithmetic without division, plain loads and stores. */
#include "analysis/offsets.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"

enum { MAX_TRIPS = 8, MAX_BYTES = 128, MAX_OPERATIONS = 256 };

struct unrolling {
  struct session *session;
  struct builder b;
  struct map copies;   /* MlirValue.ptr in the body -> MlirValue.ptr of this iteration */
  MlirValue condition; /* i1: the iteration runs; null: always */
};

static int64_t bytes_a_thread(struct session *session, MlirType type) {
  const struct linear_layout *layout =
      type_is_tensor(type) ? layout_to_linear(&session->layouts, type) : NULL;
  int64_t registers = layout ? linear_layout_in_size(layout, LAYOUT_REGISTER) : 1;
  return registers * type_bytes(&session->types, type_element(type));
}

static bool is_plain(MlirOperation op) {
  return !op_has_attribute(op, "volatile") && !ref_equals(op_string(op, "cache"), "cv");
}

static bool may_unroll(struct session *session, MlirOperation loop, int64_t trips) {
  int64_t bytes = 0, count = 0;
  MlirBlock body = op_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body), op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    const struct op_info *info = op_info(&session->names, op);
    count++;
    if (info->kind == OP_TILE_LOAD && is_plain(op))
      bytes += bytes_a_thread(session, op_result_type(op, 0));
    else if (info->kind != OP_TILE_STORE &&
             (info->effects != EFFECTS_PURE || mlirOperationGetNumRegions(op) > 0))
      return false;
  }
  return bytes > 0 && bytes * trips <= MAX_BYTES && count * trips <= MAX_OPERATIONS;
}

/* The iteration's condition as a mask for accesses through `pointer`, in conjunction with `mask` if
   there is one. */
static MlirValue build_mask(struct unrolling *state, MlirValue pointer, MlirValue mask) {
  struct builder *b = &state->b;
  MlirType type = type_with_element(mlirValueGetType(pointer), integer_type(b, 1));
  MlirValue own = state->condition;
  if (type_is_tensor(type))
    own = BUILD(b, "tile.splat", IN(own), OUT(type));
  return mlirValueIsNull(mask) ? own : BUILD(b, "arith.andi", IN(own, mask), OUT(type));
}

static void set_operands(struct unrolling *state, MlirOperation op, intptr_t count,
                         const MlirValue *operands, const int32_t *segments) {
  mlirOperationSetOperands(op, count, operands);
  if (segments)
    mlirOperationSetAttributeByName(op, ref("operandSegmentSizes"),
                                    attribute_dense_i32(state->b.context, 3, segments));
}

static void mask_access(struct unrolling *state, MlirOperation op) {
  struct tile_load load;
  struct tile_store store;
  if (kind_of(state->session, op) == OP_TILE_LOAD && tile_load_read(op, &load)) {
    bool has_other = !mlirValueIsNull(load.other);
    MlirValue operands[] = {load.pointer, build_mask(state, load.pointer, load.mask), load.other};
    int32_t segments[] = {1, 1, has_other};
    set_operands(state, op, 2 + has_other, operands, segments);
  } else if (kind_of(state->session, op) == OP_TILE_STORE && tile_store_read(op, &store)) {
    MlirValue operands[] = {store.pointer, store.value,
                            build_mask(state, store.pointer, store.mask)};
    set_operands(state, op, 3, operands, NULL);
  }
}

static void copy_operation(struct unrolling *state, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++) {
    void *mapped = map_get(&state->copies, op_operand(copy, i).ptr);
    if (mapped)
      mlirOperationSetOperand(copy, i, (MlirValue){mapped});
  }
  if (!mlirValueIsNull(state->condition))
    mask_access(state, copy);
  mlirBlockInsertOwnedOperationBefore(state->b.block, state->b.before, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    map_set(&state->copies, op_result(op, i).ptr, (void *)op_result(copy, i).ptr);
}

/* i1: does the iteration of `index` run, as all before it did? */
static MlirValue build_condition(struct unrolling *state, MlirValue index, MlirValue upper) {
  MlirValue inside = build_compare(&state->b, I_LESS, index, upper);
  if (mlirValueIsNull(state->condition))
    return inside;
  return build_binary(&state->b, "arith.andi", state->condition, inside);
}

static void unroll(struct session *session, MlirOperation loop, int64_t trips, bool exact) {
  struct unrolling state = {.session = session, .b = builder_before(loop)};
  MlirBlock body = op_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue index = op_operand(loop, 0), upper = op_operand(loop, 1), step = op_operand(loop, 2);
  for (int64_t trip = 0; trip < trips; trip++) {
    if (trip > 0)
      index = BUILD(&state.b, "arith.addi", IN(index, step), OUT(mlirValueGetType(index)));
    if (!exact)
      state.condition = build_condition(&state, index, upper);
    map_clear(&state.copies);
    map_set(&state.copies, mlirBlockGetArgument(body, 0).ptr, (void *)index.ptr);
    MlirOperation op = mlirBlockGetFirstOperation(body);
    for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op))
      copy_operation(&state, op);
  }
  map_free(&state.copies);
  mlirOperationDestroy(loop);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  struct session *session = data;
  if (kind_of(session, op) != OP_SCF_FOR || mlirOperationGetNumResults(op) > 0 ||
      attribute_number(op, ATTR_UNROLL_FACTOR, 0) == 1)
    return MlirWalkResultAdvance;
  bool exact;
  int64_t trips = loop_most_trips(session, op, &exact);
  if (trips < 1 || trips > MAX_TRIPS || !may_unroll(session, op, trips))
    return MlirWalkResultAdvance;
  unroll(session, op, trips, exact);
  return MlirWalkResultSkip;
}

MlirLogicalResult run_unroll_loops(struct pass_context *context, MlirOperation root) {
  mlirOperationWalk(root, visit, context->session, MlirWalkPostOrder);
  return SUCCESS;
}
