/* SPDX-License-Identifier: MIT */
/* See pipeline.h. */
#include "transforms/pipeline.h"

#include <stdlib.h>
#include "base/arena.h"

void ahead_begin(struct ahead *a, MlirValue induction) {
  MlirBlock body = op_body(a->slice.loop, 0);
  map_free(&a->values);
  a->values = (struct map){0};
  map_set(&a->values, mlirBlockGetArgument(body, 0).ptr, (void *)induction.ptr);
  for (intptr_t i = 0; i < a->slice.carried_count; i++)
    if (a->slice.carried[i])
      map_set(&a->values, mlirBlockGetArgument(body, i + 1).ptr, (void *)a->carried[i].ptr);
}

MlirValue ahead_value(const struct ahead *a, MlirValue value) {
  if (mlirValueIsNull(value))
    return value;
  void *known = map_get(&a->values, value.ptr);
  return known ? (MlirValue){known} : value;
}

/* Operands of the copy, and of what is in its regions, from the iteration at hand. */
static MlirWalkResult take_operands(MlirOperation copy, void *data) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
    mlirOperationSetOperand(copy, i, ahead_value(data, op_operand(copy, i)));
  return MlirWalkResultAdvance;
}

MlirNamedAttribute operand_segments(struct builder *b, intptr_t count, const int32_t *sizes) {
  return attribute_named(b->context, "operandSegmentSizes",
                         attribute_dense_i32(b->context, count, sizes));
}

/* `mask` (null: none) where `predicate` is true, for a pointer or a tile of them. */
static MlirValue masked(struct builder *b, MlirType pointers, MlirValue mask, MlirValue predicate) {
  MlirType type = type_with_element(pointers, integer_type(b, 1));
  MlirValue all = predicate;
  if (type_is_tensor(pointers))
    all = BUILD(b, "tile.splat", IN(predicate), OUT(type));
  return mlirValueIsNull(mask) ? all : build_binary(b, "arith.andi", mask, all);
}

struct tile_load ahead_load(const struct ahead *a, struct builder *b, MlirOperation load,
                            MlirValue exists) {
  struct tile_load here;
  tile_load_read(load, &here);
  MlirType pointers = mlirValueGetType(here.pointer);
  return (struct tile_load){.pointer = ahead_value(a, here.pointer),
                            .mask = masked(b, pointers, ahead_value(a, here.mask), exists),
                            .other = ahead_value(a, here.other)};
}

MlirValue build_load(struct builder *b, MlirOperation load, const struct tile_load *operands) {
  MlirNamedAttribute attributes[MAX_ATTRIBUTES + 1];
  intptr_t count = kept_attributes(load, attributes, MAX_ATTRIBUTES);
  bool has_other = !mlirValueIsNull(operands->other);
  attributes[count++] = operand_segments(b, 3, (int32_t[]){1, 1, has_other});
  MlirValue in[] = {operands->pointer, operands->mask, operands->other};
  MlirType type = op_result_type(load, 0);
  b->location = mlirOperationGetLocation(load);
  return build_value(b, &(struct op_spec){.name = "tile.load",
                                          .in = in,
                                          .in_count = has_other ? 3 : 2,
                                          .out = &type,
                                          .out_count = 1,
                                          .attributes = attributes,
                                          .attribute_count = count});
}

void ahead_compute(struct ahead *a, struct builder *b, MlirValue exists) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(a->slice.loop, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!map_get(&a->slice.operations, op.ptr))
      continue;
    if (op_is(a->slice.session, op, OP_TILE_LOAD)) {
      struct tile_load load = ahead_load(a, b, op, exists);
      map_set(&a->values, op_result(op, 0).ptr, (void *)build_load(b, op, &load).ptr);
      continue;
    }
    MlirOperation copy = mlirOperationClone(op);
    mlirOperationWalk(copy, take_operands, a, MlirWalkPreOrder);
    if (mlirOperationIsNull(b->before))
      mlirBlockAppendOwnedOperation(b->block, copy);
    else
      mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      map_set(&a->values, op_result(op, i).ptr, (void *)op_result(copy, i).ptr);
  }
}

void ahead_advance(struct ahead *a) {
  MlirOperation yield = mlirBlockGetTerminator(op_body(a->slice.loop, 0));
  for (intptr_t i = 0; i < a->slice.carried_count; i++)
    if (a->slice.carried[i])
      a->carried[i] = ahead_value(a, op_operand(yield, i));
}

/* --- A loop with more loop-carried values ----------------------------------------------------- */

void wider_add(struct wider_loop *w, MlirValue initial) {
  w->initial[w->count++] = initial;
}

intptr_t kept_attributes(MlirOperation loop, MlirNamedAttribute *out, intptr_t most) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(loop) && count < most; i++) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(loop, i);
    if (!ref_equals(mlirIdentifierStr(attribute.name), "operandSegmentSizes"))
      out[count++] = attribute;
  }
  return count;
}

void wider_build(struct wider_loop *w, struct builder *b) {
  MlirOperation old = w->old;
  intptr_t before = mlirOperationGetNumResults(old), all = before + w->count;
  MlirValue *in = tile_allocate((size_t)(all + 3) * sizeof *in);
  MlirType *types = tile_allocate((size_t)(all + 1) * sizeof *types);
  for (intptr_t i = 0; i < before + 3; i++)
    in[i] = op_operand(old, i);
  for (intptr_t i = 0; i < w->count; i++)
    in[before + 3 + i] = w->initial[i];
  types[0] = mlirValueGetType(in[0]);
  for (intptr_t i = 0; i < all; i++)
    types[i + 1] = mlirValueGetType(in[i + 3]);
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  MlirRegion region = region_with_block(b, all + 1, types);
  w->block = mlirRegionGetFirstBlock(region);
  w->loop = build_op(
      b, &(struct op_spec){.name = "scf.for",
                           .in = in,
                           .in_count = all + 3,
                           .out = types + 1,
                           .out_count = all,
                           .attributes = attributes,
                           .attribute_count = kept_attributes(old, attributes, MAX_ATTRIBUTES),
                           .regions = &region,
                           .region_count = 1});
  w->carried = before;
  free(in);
  free(types);
}

MlirValue wider_argument(const struct wider_loop *w, intptr_t index) {
  return mlirBlockGetArgument(w->block, w->carried + 1 + index);
}

/* Does all that uses `value` end in operand `index` of the loop's yield, by way of pure operations?
 */
static bool serves_only(struct session *session, MlirValue value, MlirOperation yield,
                        intptr_t index, int depth) {
  enum { MAX_DEPTH = 16 };
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(op, yield) && (intptr_t)mlirOpOperandGetOperandNumber(use) == index)
      continue;
    if (depth == MAX_DEPTH || op_info(&session->names, op)->effects != EFFECTS_PURE ||
        mlirOperationGetNumRegions(op) || mlirOperationGetNumResults(op) != 1 ||
        !serves_only(session, op_result(op, 0), yield, index, depth + 1))
      return false;
  }
  return true;
}

void wider_retire(struct session *session, const struct wider_loop *w) {
  MlirOperation yield = mlirBlockGetTerminator(w->block);
  for (intptr_t i = 0; i < w->carried; i++) {
    MlirValue argument = mlirBlockGetArgument(w->block, i + 1);
    if (!value_is_used(op_result(w->loop, i)) && serves_only(session, argument, yield, i, 0))
      mlirOperationSetOperand(yield, i, argument);
  }
}

/* The old body after what stands in the block; then the yield, with `values` for what was added. */
void wider_finish(struct wider_loop *w, const MlirValue *values) {
  MlirBlock body = op_body(w->old, 0);
  MlirOperation yield = mlirBlockGetTerminator(body), op = mlirBlockGetFirstOperation(body), next;
  for (intptr_t i = 0; i <= w->carried; i++)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i), mlirBlockGetArgument(w->block, i));
  for (; !mlirOperationEqual(op, yield); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(w->block, op);
  }
  MlirValue *in = tile_allocate((size_t)(w->carried + w->count + 1) * sizeof *in);
  for (intptr_t i = 0; i < w->carried; i++)
    in[i] = op_operand(yield, i);
  for (intptr_t i = 0; i < w->count; i++)
    in[w->carried + i] = values[i];
  struct builder b =
      builder_at_end(mlirOperationGetContext(w->old), w->block, mlirOperationGetLocation(yield));
  build_op(&b, &(struct op_spec){.name = "scf.yield", .in = in, .in_count = w->carried + w->count});
  for (intptr_t i = 0; i < w->carried; i++)
    mlirValueReplaceAllUsesOfWith(op_result(w->old, i), op_result(w->loop, i));
  mlirOperationDestroy(w->old);
  free(in);
}
