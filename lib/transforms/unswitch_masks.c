/* SPDX-License-Identifier: MIT */
/* tile-gpu-unswitch-masks: a loop over rows in two versions, with the mask `column < n` and, for
   rows as long as the tile, without it.

     %m = %range < splat %n              if %n >= 4096 {
     for {                                 for { %x = tile.load %p; ... }
       %x = tile.load %p, %m, %zero  ->  } else {
       %y = select %m, %f, %zero           for { %x = tile.load %p, %m, %zero;
     }                                           %y = select %m, %f, %zero; ... }
                                         }

   Needs: layouts. Keeps: what is computed. Leaves: twice the loop's code.

   Tiles have powers of two elements, and so have most rows, but a kernel takes any n. In each
   iteration it fills registers for the elements that are masked off before it loads, and selects
   them out of what it computes: a tenth of LayerNorm's backward pass. Loops whose threads wait for
   one another are meant, as in a sum of each row: others have time while they wait for memory. A
   loop that is short of registers stays as it is: ptxas spills more of two than of one. */
#include <stdlib.h>
#include "analysis/loop_registers.h"
#include "analysis/scratch.h"
#include "ir/build.h"
#include "ir/passes.h"

enum { MAX_OPERATIONS = 128, LESS_SIGNED = 2, GREATER_EQUAL_SIGNED = 5, MAX_LOOPS = 64 };

struct unswitching {
  struct session *session;
  MlirOperation loop;
  MlirValue bound; /* n; null until a mask is found */
  int64_t end;     /* of the range */
  int operations;
  bool waits, fits;
};

/* True for `range < n`, n all the same: sets both, or compares them with what is there. */
static bool is_mask(struct unswitching *state, MlirValue value) {
  struct session *session = state->session;
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || kind_of(session, op) != OP_ARITH_CMPI ||
      op_is_inside(op, state->loop) || op_integer(op, "predicate", -1) != LESS_SIGNED)
    return false;
  MlirOperation range = value_definition(op_operand(op, 0)),
                all = value_definition(op_operand(op, 1));
  if (mlirOperationIsNull(range) || mlirOperationIsNull(all) ||
      kind_of(session, range) != OP_TILE_RANGE || kind_of(session, all) != OP_TILE_SPLAT)
    return false;
  /* of a known n one version would never run */
  MlirOperation number = value_definition(op_operand(all, 0));
  if (!mlirOperationIsNull(number) && kind_of(session, number) == OP_ARITH_CONSTANT)
    return false;
  int64_t end = op_integer(range, "end", 0);
  if (mlirValueIsNull(state->bound)) {
    state->bound = op_operand(all, 0);
    state->end = end;
  }
  return mlirValueEqual(state->bound, op_operand(all, 0)) && end == state->end;
}

static MlirWalkResult look_at(MlirOperation op, void *data) {
  struct unswitching *state = data;
  if (op_has(state->session, op, IS_LOOP))
    state->fits &= mlirOperationEqual(op, state->loop);
  state->fits &= !op_has(state->session, op, IS_PRODUCT);
  state->fits &= ++state->operations <= MAX_OPERATIONS;
  state->waits |= scratch_waits_for_block(state->session, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    is_mask(state, op_operand(op, i));
  return MlirWalkResultAdvance;
}

/* What `op` computes when its masks are true: an operand, or null where that is not so simple. */
static MlirValue folded(struct unswitching *state, MlirOperation op) {
  if (op_is(state->session, op, OP_ARITH_SELECT) && is_mask(state, op_operand(op, 0)))
    return op_operand(op, 1);
  if (op_is(state->session, op, OP_ARITH_ANDI))
    for (intptr_t i = 0; i < 2; i++)
      if (is_mask(state, op_operand(op, i)))
        return op_operand(op, 1 - i);
  return (MlirValue){0};
}

static MlirLogicalResult drop_masks(MlirOperation op, void *data) {
  struct unswitching *state = data;
  MlirValue value = folded(state, op);
  if (!mlirValueIsNull(value)) {
    replace_op(op, &value);
    return SUCCESS;
  }
  struct builder b = builder_before(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (is_mask(state, op_operand(op, i))) {
      MlirType type = op_operand_type(op, i);
      MlirAttribute all =
          mlirDenseElementsAttrSplatGet(type, mlirIntegerAttrGet(type_element(type), 1));
      mlirOperationSetOperand(op, i, build_constant(&b, all, type));
    }
  return SUCCESS;
}

/* A region with the loop, which is moved there, and a yield of what it results in. */
static MlirRegion region_of(struct builder *b, MlirOperation loop) {
  MlirRegion region = region_with_block(b, 0, NULL);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  mlirBlockAppendOwnedOperation(block, loop);
  struct builder inside = builder_at_end(b->context, block, b->location);
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirValue *values = tile_allocate((size_t)(count + 1) * sizeof *values);
  for (intptr_t i = 0; i < count; i++)
    values[i] = op_result(loop, i);
  build_op(&inside, &(struct op_spec){.name = "scf.yield", .in = values, .in_count = count});
  free(values);
  return region;
}

static void unswitch(struct unswitching *state) {
  MlirOperation loop = state->loop;
  struct builder b = builder_before(loop);
  MlirValue end = build_constant(&b, mlirIntegerAttrGet(mlirValueGetType(state->bound), state->end),
                                 mlirValueGetType(state->bound));
  MlirValue full =
      BUILD(&b, "arith.cmpi", IN(state->bound, end), OUT(integer_type(&b, 1)),
            ATTRIBUTES(attribute_named(b.context, "predicate",
                                       attribute_integer(b.context, 64, GREATER_EQUAL_SIGNED))));
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirType *types = tile_allocate((size_t)(count + 1) * sizeof *types);
  for (intptr_t i = 0; i < count; i++)
    types[i] = mlirValueGetType(op_result(loop, i));
  MlirRegion regions[] = {region_of(&b, mlirOperationClone(loop)), region_with_block(&b, 0, NULL)};
  MlirOperation branch = build_op(&b, &(struct op_spec){.name = "scf.if",
                                                        .in = &full,
                                                        .in_count = 1,
                                                        .out = types,
                                                        .out_count = count,
                                                        .regions = regions,
                                                        .region_count = 2});
  free(types);
  for (intptr_t i = 0; i < count; i++)
    mlirValueReplaceAllUsesOfWith(op_result(loop, i), op_result(branch, i));
  visit_operations(branch, drop_masks, state);
  mlirOperationRemoveFromParent(loop);
  MlirRegion masked = region_of(&b, loop);
  mlirRegionTakeBody(mlirOperationGetRegion(branch, 1), masked);
  mlirRegionDestroy(masked);
}

struct loops {
  struct session *session;
  MlirOperation list[MAX_LOOPS];
  int count;
};

static MlirWalkResult collect(MlirOperation op, void *data) {
  struct loops *loops = data;
  if (kind_of(loops->session, op) == OP_SCF_FOR && loops->count < MAX_LOOPS)
    loops->list[loops->count++] = op;
  return MlirWalkResultAdvance;
}

MlirLogicalResult run_unswitch_masks(struct pass_context *context, MlirOperation root) {
  struct loops loops = {.session = context->session};
  mlirOperationWalk(root, collect, &loops, MlirWalkPostOrder);
  for (int i = 0; i < loops.count; i++) {
    struct unswitching state = {.session = context->session, .loop = loops.list[i], .fits = true};
    mlirOperationWalk(loops.list[i], look_at, &state, MlirWalkPostOrder);
    if (state.fits && state.waits && !mlirValueIsNull(state.bound) &&
        !loop_is_short_of_registers(state.session, state.loop))
      unswitch(&state);
  }
  return SUCCESS;
}
