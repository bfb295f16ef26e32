/* SPDX-License-Identifier: MIT */
/* See liveness.h. */
#include "analysis/liveness.h"

#include <stdlib.h>
#include "base/arena.h"

struct list {
  MlirValue *values;
  size_t count, capacity;
};

struct walk {
  const struct liveness_client *client;
  struct map live; /* MlirValue.ptr; its value is NULL where it is live no more */
  int64_t sum;
  struct list added; /* in the order in which they became live */
};

static void list_push(struct list *list, MlirValue value) {
  list->values = tile_grow(list->values, list->count, &list->capacity, sizeof *list->values);
  list->values[list->count++] = value;
}

static void add(struct walk *walk, MlirValue value) {
  value = walk->client->place_of(value, walk->client->data);
  if (map_get(&walk->live, value.ptr))
    return;
  map_set(&walk->live, value.ptr, walk);
  walk->sum += walk->client->weigh(value, walk->client->data);
  list_push(&walk->added, value);
}

static void drop(struct walk *walk, MlirValue value) {
  if (!map_get(&walk->live, value.ptr))
    return;
  map_set(&walk->live, value.ptr, NULL);
  walk->sum -= walk->client->weigh(value, walk->client->data);
}

static bool is_loop(struct session *session, MlirOperation op) {
  enum op_kind kind = kind_of(session, op);
  return kind == OP_SCF_FOR || kind == OP_SCF_WHILE;
}

static MlirOperation owner_of(MlirValue value) {
  MlirOperation op = value_definition(value);
  return mlirOperationIsNull(op) ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                                 : op;
}

/* --- The walk --------------------------------------------------------------------------------- */

/* What is only said of a store is computed for nobody. */
static void add_operands(struct walk *walk, MlirOperation op) {
  if (op_is(walk->client->session, op, OP_TILE_GPU_STORE_BOX))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    add(walk, op_operand(op, i));
}

struct loop_uses {
  struct walk *walk;
  MlirOperation loop;
};

/* What comes from outside of a loop is live in all of it. */
static MlirLogicalResult add_outer(MlirOperation op, void *data) {
  struct loop_uses *uses = data;
  bool says = op_is(uses->walk->client->session, op, OP_TILE_GPU_STORE_BOX);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!says && !op_is_inside(owner_of(op_operand(op, i)), uses->loop))
      add(uses->walk, op_operand(op, i));
  return SUCCESS;
}

static void walk_block(struct walk *walk, MlirBlock block);

static void walk_loop(struct walk *walk, MlirOperation loop) {
  visit_operations(loop, add_outer, &(struct loop_uses){walk, loop});
  if (kind_of(walk->client->session, loop) == OP_SCF_FOR)
    for (intptr_t i = 1; i < 3; i++) /* end and step */
      add(walk, op_operand(loop, i));
  for (intptr_t r = mlirOperationGetNumRegions(loop) - 1; r >= 0; r--)
    walk_block(walk, op_body(loop, r));
}

/* Each branch begins, from its end, with what is live after the branches; before them is
   live what either takes. */
static void walk_branches(struct walk *walk, MlirOperation op) {
  struct list taken = {0};
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    size_t first = walk->added.count;
    if (!mlirBlockIsNull(op_body(op, r)))
      walk_block(walk, op_body(op, r));
    for (; walk->added.count > first; walk->added.count--) {
      MlirValue value = walk->added.values[walk->added.count - 1];
      if (!map_get(&walk->live, value.ptr))
        continue;
      list_push(&taken, value);
      drop(walk, value);
    }
  }
  for (size_t i = 0; i < taken.count; i++)
    add(walk, taken.values[i]);
  free(taken.values);
}

static void walk_regions(struct walk *walk, MlirOperation op) {
  if (is_loop(walk->client->session, op))
    walk_loop(walk, op);
  else if (kind_of(walk->client->session, op) == OP_SCF_IF)
    walk_branches(walk, op);
}

static void walk_operation(struct walk *walk, MlirOperation op) {
  struct live live = {.after = walk->sum};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    drop(walk, op_result(op, i));
  live.across = walk->sum;
  walk_regions(walk, op);
  add_operands(walk, op);
  live.before = walk->sum;
  walk->client->visit(op, &live, walk->client->data);
}

/* MLIR's C API knows only the next operation. */
static void walk_block(struct walk *walk, MlirBlock block) {
  size_t count = 0;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count++;
  MlirOperation *all = tile_allocate((count + 1) * sizeof *all);
  op = mlirBlockGetFirstOperation(block);
  for (size_t i = 0; i < count; i++, op = mlirOperationGetNextInBlock(op))
    all[i] = op;
  while (count > 0)
    walk_operation(walk, all[--count]);
  free(all);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
    drop(walk, mlirBlockGetArgument(block, i));
}

void liveness_walk(const struct liveness_client *client, MlirOperation function) {
  struct walk walk = {.client = client};
  walk_block(&walk, op_body(function, 0));
  free(walk.added.values);
  map_free(&walk.live);
}

/* --- One value -------------------------------------------------------------------------------- */

bool value_is_live_after(struct session *session, MlirValue value, MlirOperation op) {
  MlirBlock home = value_block(value);
  MlirOperation at = op; /* `op`, or around it; after a loop comes all of it once more */
  for (;; at = mlirOperationGetParentOperation(at)) {
    MlirBlock block = mlirOperationGetBlock(at);
    MlirOpOperand use = mlirValueGetFirstUse(value);
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = op_in_block(mlirOpOperandGetOwner(use), block);
      bool again = !mlirOperationEqual(at, op) && is_loop(session, at);
      if (!mlirOperationIsNull(user) &&
          (mlirOperationIsBeforeInBlock(at, user) || (again && mlirOperationEqual(at, user))))
        return true;
    }
    if (mlirBlockEqual(block, home))
      return false;
  }
}
