/* SPDX-License-Identifier: MIT */
/* tile-gpu-merge-reductions: reductions that do not wait for one another become one of several
   operands, which has one round of shuffles, and one barrier, for all of them.

     %a = tile.reduce %x {addf}              %a, %b = tile.reduce %x, %y {
     %m = divf %a, %n                          ^(%x0, %y0, %x1, %y1):
     %b = tile.reduce %y {maxnumf}      ->       yield addf %x0, %x1, maxnumf %y0, %y1
                                             }
                                             %m = divf %a, %n

   Needs: layouts; loads before the reductions that they would wait for (tile-gpu-reorder), since a
   load ends what can be put together. Keeps: what is computed, and the order in which each
   operand's elements are combined.

   Two are put together where they go along one axis of tiles in one layout, and what the later one
   takes can be computed before the earlier one: arithmetic moves, nothing else. Each operand is
   combined by one operation in which the sides do not matter, so that none takes on what only
   another one needs (reduce_combiner_of). The second moment around a mean needs that mean, and
   stays after it.

   A thread combines its own elements first, so what is in use at the shuffles is a value or so an
   operand. What moves and is used further down as well takes registers that the shuffles did
   without: at most MAX_BYTES a thread. A kernel of thousands of reductions is looked at in linear
   time: MAX_TRIED later ones each. */
#include <stdlib.h>
#include "analysis/scratch.h"
#include "base/arena.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"
#include "transforms/hoist.h"

enum { MAX_BYTES = 64, MAX_TRIED = 64 };

static bool is_plain(struct session *session, MlirOperation op) {
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

/* --- What it costs ---------------------------------------------------------------------------- */

static int64_t bytes_a_thread(struct session *session, MlirType type) {
  const struct linear_layout *layout =
      type_is_tensor(type) ? layout_to_linear(&session->layouts, type) : NULL;
  return layout ? linear_layout_in_size(layout, LAYOUT_REGISTER) *
                      (int64_t)memory_bytes(session, type_element(type))
                : 0;
}

static bool used_elsewhere(const struct hoisted *moved, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!hoisted_contains(moved, mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

/* The last one that moves is the reduction itself. */
static bool costs_little(struct session *session, const struct hoisted *moved) {
  int64_t bytes = 0;
  for (int i = 0; i + 1 < moved->count; i++)
    for (intptr_t k = 0; k < mlirOperationGetNumResults(moved->ops[i]); k++)
      if (used_elsewhere(moved, op_result(moved->ops[i], k)))
        bytes += bytes_a_thread(session, op_result_type(moved->ops[i], k));
  return bytes <= MAX_BYTES;
}

/* --- Putting two together --------------------------------------------------------------------- */

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
  struct hoisted moved = {.count = 0};
  if (!hoist_collect(session, second, first, second, &moved) || !costs_little(session, &moved))
    return false;
  for (int i = 0; i + 1 < moved.count; i++)
    mlirOperationMoveBefore(moved.ops[i], first);
  return true;
}

/* Those of a block that others may be put together with, in order; null: part of an earlier one by
   now. */
struct reductions {
  MlirOperation *list;
  size_t count;
};

static struct reductions find_reductions(struct session *session, MlirBlock block) {
  struct reductions found = {.count = 0};
  size_t capacity = 0;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_plain(session, op))
      continue;
    if (found.count == capacity) {
      capacity = capacity ? 2 * capacity : 16;
      found.list = tile_reallocate(found.list, capacity * sizeof *found.list);
    }
    found.list[found.count++] = op;
  }
  return found;
}

/* Puts those together with the one at `place` that can be, of the next MAX_TRIED. */
static void merge_into(struct session *session, struct reductions *found, size_t place) {
  MlirOperation *op = &found->list[place];
  for (size_t i = place + 1; i < found->count && i <= place + MAX_TRIED; i++) {
    MlirOperation *later = &found->list[i];
    if (mlirOperationIsNull(*later) || !alike(*op, *later) || !bring_together(session, *op, *later))
      continue;
    *op = merge(*op, *later);
    *later = (MlirOperation){0};
  }
}

static void merge_in_block(struct session *session, MlirBlock block) {
  struct reductions found = find_reductions(session, block);
  for (size_t i = 0; i < found.count; i++)
    if (!mlirOperationIsNull(found.list[i]))
      merge_into(session, &found, i);
  free(found.list);
}

static MlirLogicalResult visit(MlirOperation parent, void *data) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(parent); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      merge_in_block(data, block);
  }
  return SUCCESS;
}

MlirLogicalResult run_merge_reductions(struct pass_context *context, MlirOperation root) {
  return visit_operations(root, visit, context->session);
}
