/* SPDX-License-Identifier: MIT */
/* See buffers.h. */
#include "analysis/buffers.h"

#include "base/arena.h"
#include "ir/shared_attribute.h"
#include "ir/waits.h"

static bool read_type(struct session *session, MlirType type, struct shared_buffer *out) {
  tile_status status = shared_buffer_read(&session->layouts, type, out);
  bool good = !status;
  tile_status_free(status);
  return good;
}

int64_t buffer_bytes(struct session *session, MlirOperation alloc, int64_t *out_alignment) {
  struct shared_buffer buffer;
  if (!read_type(session, op_result_type(alloc, 0), &buffer))
    return 0;
  *out_alignment = shared_alignment(&buffer);
  return buffer.stages * buffer.elements * buffer.bytes;
}

MlirOperation buffer_root(struct session *session, MlirValue buffer) {
  MlirOperation op = value_definition(buffer);
  while (op_has(session, op, IS_VIEW))
    op = value_definition(op_operand(op, 0));
  return op_is(session, op, OP_TILE_GPU_ALLOC) ? op : (MlirOperation){0};
}

void buffer_extent(struct session *session, MlirValue buffer, int64_t *first, int64_t *end) {
  MlirOperation op = value_definition(buffer);
  int64_t index, alignment;
  struct shared_buffer stage;
  enum op_kind kind = mlirOperationIsNull(op) ? OP_OTHER : kind_of(session, op);
  *first = 0;
  *end = INT64_MAX;
  if (kind == OP_TILE_GPU_ALLOC) {
    *first = attribute_number(op, ATTR_SHARED_OFFSET, 0);
    *end = *first + buffer_bytes(session, op, &alignment);
  } else if (op_has(session, op, IS_VIEW)) {
    buffer_extent(session, op_operand(op, 0), first, end);
    if (kind != OP_TILE_GPU_INDEX || *end == INT64_MAX ||
        !uniform_integer(session, op_operand(op, 1), &index) ||
        !read_type(session, op_result_type(op, 0), &stage))
      return;
    int64_t bytes = stage.stages * stage.elements * stage.bytes;
    *first += index * bytes;
    *end = *first + bytes;
  }
}

/* --- Last use --------------------------------------------------------------------------------- */

/* Values that stand for the buffer or for copies into it, in the order found. */
struct aliases {
  struct session *session;
  MlirValue *list; /* owned by `arena` */
  intptr_t count;
  size_t capacity;
  struct map known;
  struct arena arena;
  enum op_kind ended_by; /* the wait for what writes there asynchronously; OP_OTHER: nothing does */
};

static void add_alias(struct aliases *aliases, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if ((!mlirTypeIsAMemRef(type) && !type_is_token(&aliases->session->types, type)) ||
      map_get(&aliases->known, value.ptr))
    return;
  map_set(&aliases->known, value.ptr, aliases);
  aliases->list = arena_grow(&aliases->arena, aliases->list, (size_t)aliases->count,
                             &aliases->capacity, sizeof *aliases->list);
  aliases->list[aliases->count++] = value;
}

/* What operand `index` of `op` gets on as. */
static void follow(struct aliases *aliases, MlirOperation op, intptr_t index) {
  enum op_kind kind = kind_of(aliases->session, op);
  if (kind == OP_SCF_YIELD || kind == OP_SCF_CONDITION) {
    MlirOperation parent = mlirOperationGetParentOperation(op);
    intptr_t result = kind == OP_SCF_CONDITION ? index - 1 : index;
    bool loops = kind_of(aliases->session, parent) == OP_SCF_FOR;
    if (result >= 0 && result < mlirOperationGetNumResults(parent))
      add_alias(aliases, op_result(parent, result));
    if (loops)
      add_alias(aliases, mlirBlockGetArgument(op_body(parent, 0), index + 1));
    return;
  }
  if (kind == OP_SCF_FOR && index >= 3) {
    add_alias(aliases, mlirBlockGetArgument(op_body(op, 0), index - 2));
    add_alias(aliases, op_result(op, index - 3));
    return;
  }
  enum way_of_waiting way = way_started_by(kind);
  if (way < WAY_COUNT && wait_table[way].meanwhile == WAIT_WRITES &&
      wait_table[way].whose != WAIT_EACH)
    aliases->ended_by = wait_table[way].waits;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    add_alias(aliases, op_result(op, i));
}

static MlirOperation later(MlirOperation a, MlirOperation b) {
  MlirOperation op = a;
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, b))
    op = mlirOperationGetNextInBlock(op);
  return mlirOperationIsNull(op) ? a : b;
}

/* The latest operation of `block` that ends barriers of this buffer, or has it in a region; null
   where there is none. */
static MlirOperation find_inval(struct session *session, MlirOperation barriers, MlirBlock block) {
  MlirOperation found = {0};
  if (mlirOperationIsNull(barriers))
    return found;
  MlirOpOperand use = mlirValueGetFirstUse(op_result(barriers, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation owner = mlirOpOperandGetOwner(use), here = op_in_block(owner, block);
    if (op_is(session, owner, OP_TILE_GPU_MBARRIER_INVAL) && !mlirOperationIsNull(here))
      found = mlirOperationIsNull(found) ? here : later(found, here);
  }
  return found;
}

static bool starts_to_read(struct session *session, MlirOperation op) {
  enum way_of_waiting way = way_started_by(kind_of(session, op));
  return way < WAY_COUNT && wait_table[way].meanwhile == WAIT_READS;
}

/* Where a dot that `op` starts has been waited for, in `block`; null where nobody says so. A wait
   that leaves as many in flight as have started since does not count it. */
static MlirOperation end_of_dot(struct session *session, MlirOperation op, MlirBlock block) {
  enum way_of_waiting way = way_started_by(kind_of(session, op));
  for (int64_t since = 0; !mlirOperationIsNull(op);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (mlirOperationIsNull(next)) { /* on behind the loop or branch, if it is not the buffer's */
      if (mlirOperationIsNull(op_in_block(op, block)) ||
          mlirBlockEqual(mlirOperationGetBlock(op), block))
        return next;
      op = mlirOperationGetParentOperation(op);
      continue;
    }
    op = next;
    since += way_started_by(kind_of(session, op)) == way;
    if (way_waited_by(kind_of(session, op)) == way && op_integer(op, "pending", 0) <= since)
      return op_in_block(op, block);
  }
  return op;
}

/* Where what `use` starts to do with the buffer is over at the latest, in `block`: `last` where it
   is by then, null where nobody says so. */
static MlirOperation end_of_use(struct session *session, MlirOpOperand use, MlirOperation last,
                                MlirBlock block) {
  enum { STAGE = 1, BARRIER = 2 };
  MlirOperation op = mlirOpOperandGetOwner(use), barriers = {0}, end = {0};
  bool copy = op_is(session, op, OP_TILE_GPU_BULK_LOAD);
  if (copy && mlirOpOperandGetOperandNumber(use) == STAGE)
    barriers = buffer_root(session, op_operand(op, BARRIER));
  else if (op_is(session, op, OP_TILE_GPU_MBARRIER_INIT))
    barriers = buffer_root(session, op_operand(op, 0));
  else if (starts_to_read(session, op))
    end = end_of_dot(session, op, block);
  else
    return last;
  if (!mlirOperationIsNull(barriers))
    end = find_inval(session, barriers, block);
  return mlirOperationIsNull(end) || mlirOperationIsNull(last) ? end : later(last, end);
}

MlirOperation buffer_last_use(struct session *session, MlirOperation alloc) {
  struct aliases aliases = {.session = session};
  MlirBlock block = mlirOperationGetBlock(alloc);
  MlirOperation last = alloc;
  bool known = true;
  add_alias(&aliases, op_result(alloc, 0));
  for (intptr_t i = 0; i < aliases.count; i++) {
    MlirOpOperand use = mlirValueGetFirstUse(aliases.list[i]);
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation owner = mlirOpOperandGetOwner(use), here = op_in_block(owner, block);
      follow(&aliases, owner, (intptr_t)mlirOpOperandGetOperandNumber(use));
      if (!mlirOperationIsNull(here))
        last = later(last, here);
      MlirOperation end = end_of_use(session, use, last, block);
      known &= !mlirOperationIsNull(end);
      last = known ? end : last;
    }
  }
  while (aliases.ended_by && !mlirOperationIsNull(last) &&
         !(op_is(session, last, aliases.ended_by) && op_integer(last, "pending", 1) == 0))
    last = mlirOperationGetNextInBlock(last);
  map_free(&aliases.known);
  arena_destroy(&aliases.arena);
  return known ? last : (MlirOperation){0};
}

bool mbarrier_init_goes_on(struct session *session, MlirOperation op) {
  do
    op = mlirOperationGetNextInBlock(op);
  while (op_is(session, op, OP_TILE_GPU_ALLOC) && mlirOperationGetNumOperands(op) == 0);
  return op_is(session, op, OP_TILE_GPU_MBARRIER_INIT);
}

/* The transposition that has the buffer as that operand, in its block. */
static MlirOperation transpose_with(struct session *session, MlirOperation alloc,
                                    intptr_t operand) {
  MlirOpOperand use = mlirValueGetFirstUse(op_result(alloc, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (op_is(session, user, OP_TILE_GPU_LOCAL_TRANSPOSE) &&
        (intptr_t)mlirOpOperandGetOperandNumber(use) == operand &&
        mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(alloc)))
      return user;
  }
  return (MlirOperation){0};
}

MlirOperation buffer_transpose(struct session *session, MlirOperation alloc) {
  MlirOperation none = {0};
  if (!op_is(session, alloc, OP_TILE_GPU_ALLOC) || !value_has_one_use(op_result(alloc, 0)))
    return none;
  MlirOperation transpose = transpose_with(session, alloc, 0);
  MlirOperation result =
      mlirOperationIsNull(transpose) ? none : value_definition(op_operand(transpose, 1));
  bool here = !mlirOperationIsNull(result) && op_is(session, result, OP_TILE_GPU_ALLOC) &&
              mlirBlockEqual(mlirOperationGetBlock(result), mlirOperationGetBlock(alloc));
  return here ? transpose : none;
}

MlirOperation transpose_into(struct session *session, MlirOperation alloc) {
  return op_is(session, alloc, OP_TILE_GPU_ALLOC) ? transpose_with(session, alloc, 1)
                                                  : (MlirOperation){0};
}
