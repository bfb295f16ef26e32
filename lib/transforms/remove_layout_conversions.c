/* SPDX-License-Identifier: MIT */
/* tile-gpu-remove-layout-conversions: conversions that layout groups have left, where there is a
   cheaper way.

   Needs: tensors with layouts; dots in theirs (tile-gpu-accelerate-dot), since
   conversions stand around those alone: the values of everything else share one layout from the
   start (layout_groups.h). Keeps: what is computed. Anchors are what has its layout for a reason:
   dots, and accesses to memory of tiles and of long vectors.

     Loop variables    A variable that the body converts each time, and that can be computed in the
                       other layout, is carried in that: tiles of pointers, masks, indices, and the
                       pointers of small accesses. The conversions of its initial value and of its
                       result stand outside of the loop.
     Small accesses    A vector of a few addresses a thread, loaded only to be converted, is loaded
                       in the layout that it is wanted in; one of a few elements that is converted
                       only to be stored is stored in the layout that it has. Several threads then
                       access one element, which costs less than shared memory and a barrier. Equal
                       neighbours (axis_info.h), such as the scale of a block of columns, have one
                       address.
     Narrow values     convert(extend %x) is extend(convert %x), so with broadcast, and so on: fewer
                       bytes move. What then can be computed from its inputs is (rematerialise.h).
     Reductions        Within warps, whose result is only converted through shared memory: the
                       result is in that layout at once. Then no lane needs all of it before
                       (lowering/tile_gpu_to_llvm/reduce.c). */
#include <stdlib.h>
#include "analysis/axis_info.h"
#include "analysis/scratch.h"
#include "base/arena.h"
#include "base/numbers.h"
#include "base/status.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"
#include "transforms/rematerialise.h"

/* Addresses of a load, or elements of a store, in a thread: up to this many an access of a vector
   counts as small. */
enum { SMALL = 8, MAX_DEPTH = 8 };

struct removal {
  struct session *session;
  struct map equal_addresses; /* of each load of a vector, as in rebuild_budget */
  bool changed;
};

static struct rebuild_budget budget_with_loads(const struct removal *removal) {
  return (struct rebuild_budget){.operations = MAX_REMATERIALISED,
                                 .load_registers = SMALL,
                                 .equal_addresses = &removal->equal_addresses};
}

static const struct linear_layout *linear_of(struct session *session, MlirType type) {
  return type_is_tensor(type) ? layout_to_linear(&session->layouts, type) : NULL;
}

/* A conversion that moves something between threads. */
static bool is_costly(struct session *session, MlirOperation op) {
  if (kind_of(session, op) != OP_TILE_GPU_CONVERT_LAYOUT)
    return false;
  const struct linear_layout *from = linear_of(session, op_operand_type(op, 0));
  const struct linear_layout *to = linear_of(session, op_result_type(op, 0));
  return from && to && !linear_layout_equal(from, to);
}

static bool is_small(struct session *session, MlirType type) {
  const struct linear_layout *layout = linear_of(session, type);
  return layout && mlirShapedTypeGetRank(type) == 1 &&
         linear_layout_in_size(layout, LAYOUT_REGISTER) <= SMALL;
}

/* `value` in `layout`: rematerialised at no cost, or converted before `b`. */
static MlirValue brought_to(struct session *session, struct builder *b, MlirValue value,
                            MlirAttribute layout) {
  struct rebuild_budget budget = {.operations = MAX_REMATERIALISED};
  MlirType type = mlirValueGetType(value);
  if (can_rebuild(session, value, layout, &budget))
    return rebuild(session, value, layout);
  return BUILD(b, "tile_gpu.convert_layout", IN(value), OUT(type_with_layout(type, layout)));
}

/* --- Loop variables --------------------------------------------------------------------------- */

/* A small load through `value` that can be rematerialised in `layout`. */
static bool is_load_through(const struct removal *removal, MlirOperation op, MlirValue value,
                            MlirAttribute layout) {
  struct session *session = removal->session;
  struct rebuild_budget budget = budget_with_loads(removal);
  budget.assumed = value;
  return is_small_load(session, op, layout, &budget) && value_has_one_use(op_result(op, 0)) &&
         can_rebuild(session, op_result(op, 0), layout, &budget);
}

/* Do all uses of `value` end, through operations that can be rematerialised in another layout, in
   operand `index` of `yield`, or in conversions to `layout`? Then nothing is left that wants the
   old one. */
static bool only_feeds(const struct removal *removal, MlirValue value, MlirOperation yield,
                       intptr_t index, MlirAttribute layout, int depth) {
  struct session *session = removal->session;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, yield)) {
      if ((intptr_t)mlirOpOperandGetOperandNumber(use) != index)
        return false;
      continue;
    }
    if (kind_of(session, user) == OP_TILE_GPU_CONVERT_LAYOUT &&
        mlirAttributeEqual(type_layout(op_result_type(user, 0)), layout))
      continue;
    bool follows =
        is_load_through(removal, user, value, layout) ||
        (op_info(&session->names, user)->effects == EFFECTS_PURE && is_rebuildable(session, user));
    if (!follows || depth == MAX_DEPTH ||
        !only_feeds(removal, op_result(user, 0), yield, index, layout, depth + 1))
      return false;
  }
  return true;
}

/* The layout that `op` converts its operand to, or what it loads through that; null if neither. */
static MlirAttribute layout_after(struct session *session, MlirOperation op) {
  if (kind_of(session, op) == OP_TILE_LOAD && value_has_one_use(op_result(op, 0)))
    op = mlirOpOperandGetOwner(mlirValueGetFirstUse(op_result(op, 0)));
  return is_costly(session, op) ? type_layout(op_result_type(op, 0)) : (MlirAttribute){0};
}

/* The layout that the body wants the variable in; null when it is well where it is. */
static MlirAttribute wanted_layout(const struct removal *removal, MlirOperation loop,
                                   intptr_t index) {
  struct session *session = removal->session;
  MlirBlock body = op_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue variable = mlirBlockGetArgument(body, index + 1);
  MlirOpOperand use = mlirValueGetFirstUse(variable);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirAttribute layout = layout_after(session, mlirOpOperandGetOwner(use));
    struct rebuild_budget budget = {.operations = MAX_REMATERIALISED, .assumed = variable};
    if (!mlirAttributeIsNull(layout) && only_feeds(removal, variable, yield, index, layout, 0) &&
        can_rebuild(session, op_operand(yield, index), layout, &budget))
      return layout;
  }
  return (MlirAttribute){0};
}

/* Users of `back`, which is `value` converted, that convert it to the type of `value`. */
static void drop_conversions(struct session *session, MlirValue back, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(back), next;
  for (; !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (kind_of(session, user) == OP_TILE_GPU_CONVERT_LAYOUT &&
        mlirTypeEqual(op_result_type(user, 0), mlirValueGetType(value)))
      replace_op(user, &value);
  }
}

/* Erases what is without effects and without users, until there is no more of it. */
static void erase_unused(struct session *session, MlirBlock block) {
  for (bool changed = true; changed;) {
    changed = false;
    MlirOperation op = mlirBlockGetFirstOperation(block), next;
    for (; !mlirOperationIsNull(op); op = next) {
      next = mlirOperationGetNextInBlock(op);
      if (op_info(&session->names, op)->effects != EFFECTS_PURE || op_is_used(op))
        continue;
      mlirOperationDestroy(op);
      changed = true;
    }
  }
}

/* Gives `value` another layout. Its users see it converted back before `b`, which is returned:
   so nothing is wrong, whatever they are. */
static MlirValue change_layout(struct builder *b, MlirValue value, MlirAttribute layout) {
  MlirType old = mlirValueGetType(value);
  mlirValueSetType(value, type_with_layout(old, layout));
  MlirValue back = BUILD(b, "tile_gpu.convert_layout", IN(value), OUT(old));
  MlirOperation conversion = value_definition(back);
  mlirValueReplaceAllUsesExcept(value, back, 1, &conversion);
  return back;
}

/* What the variable's users compute is found in `layout` through the conversion back (rebuild,
   load_converted), which then has no users any more. */
static void carry_in(struct session *session, MlirOperation loop, intptr_t index,
                     MlirAttribute layout) {
  MlirBlock body = op_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue variable = mlirBlockGetArgument(body, index + 1), result = op_result(loop, index);
  struct builder before = builder_before(loop);
  struct builder inside = builder_before(mlirBlockGetFirstOperation(body));
  mlirOperationSetOperand(loop, index + 3,
                          brought_to(session, &before, op_operand(loop, index + 3), layout));
  MlirValue back = change_layout(&inside, variable, layout);
  mlirOperationSetOperand(yield, index, rebuild(session, op_operand(yield, index), layout));
  drop_conversions(session, back, variable);
  erase_unused(session, body);
  if (!value_is_used(result)) {
    mlirValueSetType(result, mlirValueGetType(variable));
    return;
  }
  struct builder after = builder_before(mlirOperationGetNextInBlock(loop));
  change_layout(&after, result, layout);
}

static MlirWalkResult visit_loop(MlirOperation op, void *data) {
  const struct removal *removal = data;
  struct session *session = removal->session;
  if (kind_of(session, op) != OP_SCF_FOR)
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirAttribute layout = wanted_layout(removal, op, i);
    if (!mlirAttributeIsNull(layout))
      carry_in(session, op, i, layout);
  }
  return MlirWalkResultAdvance;
}

/* --- Small accesses --------------------------------------------------------------------------- */

/* store(p, convert(v)) in the layout of v. */
static void store_unconverted(struct session *session, MlirOperation op) {
  struct tile_store store;
  if (!tile_store_read(op, &store) || !type_is_tensor(mlirValueGetType(store.value)))
    return;
  MlirOperation conversion = value_definition(store.value);
  if (mlirOperationIsNull(conversion) || !is_costly(session, conversion) ||
      !is_small(session, op_operand_type(conversion, 0)))
    return;
  MlirAttribute layout = type_layout(op_operand_type(conversion, 0));
  struct rebuild_budget budget = {.operations = MAX_REMATERIALISED};
  if (!can_rebuild(session, store.pointer, layout, &budget) ||
      (!mlirValueIsNull(store.mask) && !can_rebuild(session, store.mask, layout, &budget)))
    return;
  mlirOperationSetOperand(op, 0, rebuild(session, store.pointer, layout));
  mlirOperationSetOperand(op, 1, op_operand(conversion, 0));
  if (!mlirValueIsNull(store.mask))
    mlirOperationSetOperand(op, 2, rebuild(session, store.mask, layout));
}

/* convert(f(load)) as f(load) in the wanted layout, for small loads. */
static bool load_converted(const struct removal *removal, MlirOperation op) {
  struct session *session = removal->session;
  MlirAttribute layout = type_layout(op_result_type(op, 0));
  struct rebuild_budget budget = budget_with_loads(removal);
  if (!can_rebuild(session, op_operand(op, 0), layout, &budget))
    return false;
  MlirValue value = rebuild(session, op_operand(op, 0), layout);
  replace_op(op, &value);
  return true;
}

/* --- Narrow values ---------------------------------------------------------------------------- */

/* The layout of the operand that gives `op` a result in `layout` and has less to convert; null
   where it has not. */
static MlirAttribute narrow_operand_layout(struct session *session, MlirOperation op,
                                           MlirAttribute layout) {
  enum op_kind kind = kind_of(session, op);
  if (KIND_IN(kind, OP_TILE_BROADCAST, OP_ARITH_EXTF, OP_ARITH_EXTSI, OP_ARITH_EXTUI))
    return layout;
  if (kind == OP_TILE_EXPAND_DIMS)
    return slice_attribute(&session->layouts, (int)op_integer(op, "axis", 0), layout);
  return (MlirAttribute){0};
}

static bool convert_operand(struct session *session, MlirOperation op) {
  MlirOperation wide = value_definition(op_operand(op, 0));
  MlirAttribute layout = type_layout(op_result_type(op, 0));
  const struct layout_info *info = layout_of_type(&session->layouts, op_result_type(op, 0));
  if (mlirOperationIsNull(wide) || !info || info->kind == LAYOUT_KIND_DOT_OPERAND)
    return false;
  MlirAttribute inner = narrow_operand_layout(session, wide, layout);
  if (mlirAttributeIsNull(inner))
    return false;
  MlirOperation copy = mlirOperationClone(wide);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, copy);
  struct builder b = builder_before(copy);
  MlirType narrow = type_with_layout(op_operand_type(wide, 0), inner);
  if (!mlirTypeEqual(narrow, op_operand_type(wide, 0)))
    mlirOperationSetOperand(
        copy, 0, BUILD(&b, "tile_gpu.convert_layout", IN(op_operand(wide, 0)), OUT(narrow)));
  MlirValue value = op_result(copy, 0);
  mlirValueSetType(value, op_result_type(op, 0));
  replace_op(op, &value);
  return true;
}

/* --- Reductions ------------------------------------------------------------------------------- */

/* Does it combine several registers between lanes, but nothing between warps? */
static bool is_within_warps(struct session *session, MlirOperation reduce) {
  struct reduction *plan = tile_allocate(sizeof *plan);
  tile_status status = reduction_plan(session, reduce, plan);
  bool within = !status && !plan->bits.warps && !plan->last.needed && plan->can_scatter;
  tile_status_free(status);
  free(plan);
  return within;
}

static bool reduce_converted(struct session *session, MlirOperation op) {
  MlirOperation reduce = value_definition(op_operand(op, 0));
  if (mlirOperationIsNull(reduce) || kind_of(session, reduce) != OP_TILE_REDUCE ||
      mlirOperationGetNumResults(reduce) != 1 || !value_has_one_use(op_result(reduce, 0)) ||
      !mlirBlockEqual(mlirOperationGetBlock(reduce), mlirOperationGetBlock(op)) ||
      !scratch_waits_for_block(session, op) || !is_within_warps(session, reduce))
    return false;
  MlirValue result = op_result(reduce, 0);
  mlirValueSetType(result, op_result_type(op, 0));
  replace_op(op, &result);
  return true;
}

/* --- The pass --------------------------------------------------------------------------------- */

static MlirLogicalResult visit_operation(MlirOperation op, void *data) {
  struct removal *removal = data;
  struct session *session = removal->session;
  if (kind_of(session, op) == OP_TILE_STORE)
    store_unconverted(session, op);
  else if (is_costly(session, op))
    removal->changed |= load_converted(removal, op) || convert_operand(session, op) ||
                        reduce_converted(session, op);
  return SUCCESS;
}

struct addresses {
  struct axis_analysis axis;
  struct removal *removal;
};

static MlirLogicalResult note_addresses(MlirOperation op, void *data) {
  struct addresses *addresses = data;
  struct tile_load load;
  if (kind_of(addresses->removal->session, op) != OP_TILE_LOAD || !tile_load_read(op, &load) ||
      !type_is_tensor(mlirValueGetType(load.pointer)))
    return SUCCESS;
  int64_t equal = axis_info_of(&addresses->axis, load.pointer)->constancy[0];
  equal = smaller(equal, axis_mask_constancy(&addresses->axis, load.mask, 0));
  map_set(&addresses->removal->equal_addresses, op.ptr, (void *)(uintptr_t)equal);
  return SUCCESS;
}

MlirLogicalResult run_remove_layout_conversions(struct pass_context *context,
                                                MlirOperation module) {
  struct removal removal = {.session = context->session, .changed = true};
  MlirOperation kernel = {0};
  while (next_kernel(context->session, module, &kernel)) {
    struct addresses addresses = {.removal = &removal};
    axis_analysis_run(&addresses.axis, context->session, kernel);
    visit_operations(kernel, note_addresses, &addresses);
    axis_analysis_destroy(&addresses.axis);
  }
  mlirOperationWalk(module, visit_loop, &removal, MlirWalkPostOrder);
  for (int round = 0; removal.changed && round < MAX_DEPTH; round++) {
    removal.changed = false;
    TRY_IR(visit_operations(module, visit_operation, &removal));
  }
  map_free(&removal.equal_addresses);
  return SUCCESS;
}
