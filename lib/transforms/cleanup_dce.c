/* SPDX-License-Identifier: MIT */
/* tile-cleanup, removing: erases operations whose results nobody uses and that do nothing else.

   Bottom-up, so that a whole chain goes in one walk. Structured control flow goes when no result is
   used and nothing inside has an effect; a tile.assume is no effect there, though by itself it
   stays. Loops are taken to end. */
#include "transforms/cleanup.h"

#include <stdlib.h>
#include "base/arena.h"

struct remover {
  struct session *session;
  MlirOperation *stack; /* operations of the blocks being walked, since MLIR-C only walks forward */
  size_t count, capacity;
  bool changed;
};

static void push(struct remover *remover, MlirOperation op) {
  remover->stack =
      tile_grow(remover->stack, remover->count, &remover->capacity, sizeof *remover->stack);
  remover->stack[remover->count++] = op;
}

static bool is_used(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; i++)
    if (value_is_used(op_result(op, i)))
      return true;
  return false;
}

static bool remove_in_regions(struct remover *remover, MlirOperation op);

/* True when `op`, whose regions have been cleaned, does more than give results. */
static bool has_effect(const struct op_info *info, MlirOperation op, bool effect_inside) {
  switch (info->effects) {
  case EFFECTS_PURE:
  case EFFECTS_PURE_MAY_TRAP:
  case EFFECTS_HINT:
  case EFFECTS_TERMINATOR:
    return false;
  case EFFECTS_READ: /* what makes llvm.load volatile or atomic is upstream's to know */
    return info->dialect >= DIALECT_UPSTREAM || cleanup_is_volatile(op);
  case EFFECTS_REGION:
    return effect_inside;
  case EFFECTS_UNKNOWN:
  case EFFECTS_WRITE:
    return true;
  }
  return true;
}

/* Erases `op` if it is dead; otherwise tells whether it has an effect. */
static bool remove_op(struct remover *remover, MlirOperation op) {
  bool effect_inside = remove_in_regions(remover, op);
  const struct op_info *info = op_info(&remover->session->names, op);
  bool effect = has_effect(info, op, effect_inside);
  bool stays = info->effects == EFFECTS_TERMINATOR || info->effects == EFFECTS_HINT;
  if (effect || stays || is_used(op))
    return effect;
  mlirOperationDestroy(op);
  remover->changed = true;
  return false;
}

static bool remove_in_block(struct remover *remover, MlirBlock block) {
  size_t bottom = remover->count;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    push(remover, op);
  bool effect = false;
  while (remover->count > bottom)
    effect |= remove_op(remover, remover->stack[--remover->count]);
  return effect;
}

static bool remove_in_regions(struct remover *remover, MlirOperation op) {
  bool effect = false;
  intptr_t regions = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < regions; i++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      effect |= remove_in_block(remover, block);
  }
  return effect;
}

bool cleanup_remove(struct session *session, MlirOperation root) {
  struct remover remover = {.session = session};
  remove_in_regions(&remover, root);
  free(remover.stack);
  return remover.changed;
}
