/* SPDX-License-Identifier: MIT */
/* tile-gpu-advance-products: in an iteration, dots by warp groups start as soon as their
   operands are there, and are waited for where something uses them.

     %s = wait (dot %k, %q)                        %x = dot %k, %q
     %p = exp %s                                   %y = dot %v, %g
     %t = wait (dot %p, %g, %sum)          ->      %s = wait %x {pending = 1}
     %d = wait (dot %v, %g)                        %p = exp %s                      under y
     %r = wait (dot %p * %d, %q, %sum2)            %z = dot %p, %g, %sum
     yield %t, %r                                  %d = wait %y {pending = 1}
                                                   %w = dot %p * %d, %q, %sum2      p * d under z
                                                   %t = wait %z {pending = 1}
                                                   %r = wait %w {pending = 0}
                                                   yield %t, %r

   Needs: final layouts; dots by warp groups with a wait right behind each; loads that are not
   pipelined yet. Keeps: what is computed, and the order of each sum. Leaves: dots in flight beside
   one another, in the order in which they start, which is that in which they end (PTX ISA,
   wgmma.commit_group): a wait leaves those in flight that have started behind its own.

   A dot goes to right behind the first one before it of the block that it can go to: what it is
   computed from goes along, if that is arithmetic, addresses, loads and the buffers that take them,
   and nothing on the way writes to memory or waits for threads. A wait goes down to what uses it,
   up to such an operation at most, and to the end of the body; sums that leave by bulk stores are
   none, so that those of one dot's result leave under the next dot. Loops that are made one
   iteration ahead with their first products (tile-gpu-overlap-products) stay as they are.

   What it costs is registers: accumulators that are in flight while others are in use, and what a
   dot reads from registers, which nobody else may have until it is waited for. A move after which
   more would be needed than a thread has, by the estimate of pressure.h, or than lets as many
   blocks be on a multiprocessor, is taken back.

   Vectors that come with blocks (tile-find-descriptors) are loaded where they are used, too, behind
   the waits that have moved there: each element on its own, and so in no registers that count. */
#include <stdlib.h>
#include "analysis/loop_stages.h"
#include "analysis/pressure.h"
#include "base/arena.h"
#include "base/numbers.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"

const struct pass_option advance_products_options[] = {
    {"registers", OPTION_INTEGER, "0",
     "registers of a thread that a loop may take so; 0: what a thread that multiplies has"},
    {0}};

/* MAX_PRODUCTS: in one body; a wait can leave seven dots in flight (waits.def). MAX_ALONG: what may
   go along with one. */
enum { MAX_PRODUCTS = 8, MAX_ALONG = 256 };

struct body {
  struct session *session;
  MlirOperation loop;
  MlirBlock block;
  MlirOperation dots[MAX_PRODUCTS], waits[MAX_PRODUCTS]; /* each with its wait, as they start */
  int count;
  int64_t room;   /* registers that a thread may take, */
  int64_t beside; /* and without addresses, lest a multiprocessor hold fewer blocks */
};

/* --- The products of a body ------------------------------------------------------------------- */

/* The wait that stands right behind a dot and is for it alone, or null. */
static MlirOperation wait_behind(struct session *session, MlirOperation dot) {
  MlirOperation none = {0}, wait = only_user(op_result(dot, 0));
  bool is_wait = !mlirOperationIsNull(wait) && waits_for_async_dot(session, wait) &&
                 mlirOperationGetNumOperands(wait) == 1 && op_integer(wait, "pending", -1) == 0 &&
                 mlirOperationEqual(mlirOperationGetNextInBlock(dot), wait);
  return is_wait ? wait : none;
}

/* Fills dots and waits; false where there are too few or too many, or some in another form. */
static bool find_products(struct body *body) {
  MlirOperation op = mlirBlockGetFirstOperation(body->block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!starts_async_dot(body->session, op))
      continue;
    MlirOperation wait = wait_behind(body->session, op);
    if (mlirOperationIsNull(wait) || body->count == MAX_PRODUCTS)
      return false;
    body->dots[body->count] = op;
    body->waits[body->count++] = wait;
  }
  return body->count > 1;
}

/* --- What may be passed, and what goes along -------------------------------------------------- */

/* Does the operation read sums that the loop carries, where a dot of the iteration before has left
   them? With another one in flight ptxas does not see that they are there, and waits for all. */
static bool reads_sums(const struct body *body, MlirOperation op) {
  MlirOperation yield = mlirBlockGetTerminator(body->block);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    intptr_t number = loop_carried_number(body->loop, op_operand(op, i));
    MlirOperation next = {0};
    if (number >= 0)
      next = value_definition(op_operand(yield, number));
    if (!mlirOperationIsNull(next) && waits_for_async_dot(body->session, next))
      return true;
  }
  return false;
}

static bool leaves_by_itself(const struct op_info *info, MlirOperation op) {
  return info->kind == OP_TILE_GPU_BULK_STORE && bulk_store_adds(op);
}

/* May a dot start before the operation, or be waited for behind it? Sums that leave by a bulk store
   go through memory that nothing else touches. */
static bool may_be_passed(const struct body *body, MlirOperation op) {
  struct session *session = body->session;
  const struct op_info *info = op_info(&session->names, op);
  if (starts_async_dot(session, op) || waits_for_async_dot(session, op))
    return true;
  if (mlirOperationGetNumRegions(op) > 0 || reads_sums(body, op))
    return false;
  return info->effects == EFFECTS_PURE || info->effects == EFFECTS_PURE_MAY_TRAP ||
         info->effects == EFFECTS_HINT || info->effects == EFFECTS_READ ||
         leaves_by_itself(info, op) || info->kind == OP_TILE_GPU_ALLOC;
}

/* May the operation be executed earlier, with a dot that needs it? */
static bool may_go_along(struct session *session, MlirOperation op) {
  const struct op_info *info = op_info(&session->names, op);
  if (mlirOperationGetNumRegions(op) > 0 || op_has(session, op, CROSSES_THREADS) ||
      starts_async_dot(session, op) || waits_for_async_dot(session, op))
    return false;
  bool is_volatile = op_has_attribute(op, "volatile") || ref_equals(op_string(op, "cache"), "cv");
  return info->effects == EFFECTS_PURE || info->kind == OP_TILE_GPU_ALLOC ||
         (KIND_IN(info->kind, OP_TILE_LOAD, OP_TILE_DESCRIPTOR_LOAD) && !is_volatile);
}

/* The operations of the body in order: where they are, and to take a move back. */
struct order {
  MlirOperation *list; /* owned */
  size_t count, capacity;
};

static void order_note(struct order *order, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (order->count = 0; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    order->list = tile_grow(order->list, order->count, &order->capacity, sizeof *order->list);
    order->list[order->count++] = op;
  }
}

static void order_restore(const struct order *order) {
  for (size_t i = order->count - 1; i > 0; i--)
    mlirOperationMoveBefore(order->list[i - 1], order->list[i]);
}

static bool uses_result(MlirOperation op, MlirOperation definition) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirOperationEqual(value_definition(op_operand(op, i)), definition))
      return true;
  return false;
}

/* Operations that are to be moved together, from the last to the first. */
struct along {
  MlirOperation ops[MAX_ALONG];
  int count;
};

static bool is_needed(const struct along *along, MlirOperation op) {
  bool needed = false;
  for (int i = 0; i < along->count && !needed; i++)
    needed = uses_result(along->ops[i], op);
  return needed;
}

/* The dot and what it needs of what stands between `after` and it; false where it cannot go to
   right behind `after`. */
static bool collect(const struct body *body, const struct order *order, MlirOperation dot,
                    MlirOperation after, struct along *out) {
  size_t at = 0;
  while (!mlirOperationEqual(order->list[at], dot))
    at++;
  out->ops[0] = dot;
  out->count = 1;
  while (!mlirOperationEqual(order->list[--at], after)) {
    MlirOperation op = order->list[at];
    if (!may_be_passed(body, op))
      return false;
    if (!is_needed(out, op))
      continue;
    if (!may_go_along(body->session, op) || out->count == MAX_ALONG)
      return false;
    out->ops[out->count++] = op;
  }
  return !is_needed(out, after);
}

/* --- Vectors ---------------------------------------------------------------------------------- */

static bool is_block_vector(struct session *session, MlirOperation op) {
  return op_is(session, op, OP_TILE_DESCRIPTOR_LOAD) &&
         mlirShapedTypeGetRank(op_result_type(op, 0)) == 1;
}

/* Is it a vector that comes with blocks, or made of one? Those that are go to *late. */
static bool is_of_vector(const struct body *body, MlirOperation op, struct map *late) {
  bool is = is_block_vector(body->session, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !is; i++) {
    MlirOperation from = value_definition(op_operand(op, i));
    is = !mlirOperationIsNull(from) && map_get(late, from.ptr) &&
         op_info(&body->session->names, op)->effects == EFFECTS_PURE &&
         mlirOperationGetNumRegions(op) == 0 && mlirOperationGetNumResults(op) == 1;
  }
  return is;
}

/* The first operation of the body that uses the result of `op`. */
static MlirOperation first_user(const struct body *body, MlirOperation op) {
  MlirOperation first = mlirBlockGetTerminator(body->block);
  MlirOpOperand use = mlirValueGetFirstUse(op_result(op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = op_in_block(mlirOpOperandGetOwner(use), body->block);
    if (mlirOperationIsBeforeInBlock(user, first))
      first = user;
  }
  return first;
}

/* Threads find in shared memory what comes with blocks: they load it where they use it, not before
   a product that they wait for meanwhile. */
static void load_vectors_late(const struct body *body) {
  struct order order = {0};
  struct map late = {0};
  order_note(&order, body->block);
  for (size_t i = 0; i < order.count; i++)
    if (is_of_vector(body, order.list[i], &late))
      map_set(&late, order.list[i].ptr, order.list[i].ptr);
  for (size_t i = order.count; i-- > 0;)
    if (map_get(&late, order.list[i].ptr))
      mlirOperationMoveBefore(order.list[i], first_user(body, order.list[i]));
  map_free(&late);
  free(order.list);
}

/* --- Moving ----------------------------------------------------------------------------------- */

/* Registers for addresses: the loop's, and those of what threads are going to copy for the dots,
   and do not hold. A producer has them where there is one. */
static int64_t address_registers(const struct body *body) {
  int64_t registers = PRESSURE_OF_ADDRESSES;
  MlirOperation op = mlirBlockGetFirstOperation(body->block);
  if (attribute_has(function_of(body->session, body->loop), ATTR_PRODUCER_WARPS))
    return 0;
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirOperation user = {0};
    if (op_is(body->session, op, OP_TILE_LOAD))
      user = only_user(op_result(op, 0));
    if (!mlirOperationIsNull(user) && op_is(body->session, user, OP_TILE_GPU_ALLOC))
      registers += PRESSURE_OF_ADDRESSES;
  }
  return registers;
}

/* Is a value of the body used by `op` or behind it? */
static bool is_used_from(const struct body *body, MlirValue value, MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = op_in_block(mlirOpOperandGetOwner(use), body->block);
    if (!mlirOperationIsNull(user) && !mlirOperationIsBeforeInBlock(user, op))
      return true;
  }
  return false;
}

/* Is the dot in flight where `op` stands, a use of what it reads from registers being over? It
   reads that until its wait. */
static bool holds_operand(const struct body *body, int number, MlirOperation op) {
  MlirOperation dot = body->dots[number], first = value_definition(op_operand(dot, 0));
  return mlirOperationIsBeforeInBlock(dot, op) &&
         mlirOperationIsBeforeInBlock(op, body->waits[number]) && !mlirOperationIsNull(first) &&
         op_is_inside(first, body->loop) && type_is_tensor(op_result_type(first, 0)) &&
         !is_used_from(body, op_operand(dot, 0), op);
}

/* Registers that the body takes without addresses; of a vector that comes with blocks each thread
   loads an element where it computes with it. */
static int64_t registers_of(const struct body *body) {
  struct map each = {0};
  int64_t most = 0;
  pressure_of_used(body->session, body->loop, &each);
  for (size_t i = 0; i < each.count; i++) {
    MlirOperation op = {(void *)each.slots[i].key};
    int64_t registers = (int64_t)(uintptr_t)each.slots[i].value;
    if (!op_is_inside(op, body->loop) || op_has(body->session, op, IS_ACCESS) ||
        is_block_vector(body->session, op))
      continue;
    MlirOperation at = op_in_block(op, body->block);
    for (int k = 0; k < body->count && !mlirOperationIsNull(at); k++)
      if (holds_operand(body, k, at))
        registers += held_words(body->session, op_operand_type(body->dots[k], 0));
    most = larger(most, registers);
  }
  map_free(&each);
  return most + PRESSURE_ALLOWANCE;
}

/* Dots and waits in the order in which they start now. */
static void sort(struct body *body) {
  for (int i = 1; i < body->count; i++)
    for (int k = i; k > 0 && mlirOperationIsBeforeInBlock(body->dots[k], body->dots[k - 1]); k--) {
      MlirOperation dot = body->dots[k], wait = body->waits[k];
      body->dots[k] = body->dots[k - 1], body->waits[k] = body->waits[k - 1];
      body->dots[k - 1] = dot, body->waits[k - 1] = wait;
    }
}

/* Has a thread registers for the order of the body that has come out, with vectors behind the waits
   that have moved past them? Else it is what it was. */
static void keep_or_restore(struct body *body, const struct order *before) {
  load_vectors_late(body);
  int64_t registers = registers_of(body);
  if (registers > body->beside || registers + address_registers(body) > body->room)
    order_restore(before);
  sort(body);
}

/* Is it the wait for a dot that starts behind `dot`? */
static bool ends_later(const struct body *body, MlirOperation op, MlirOperation dot) {
  for (int i = 0; i < body->count; i++)
    if (mlirOperationEqual(body->waits[i], op))
      return mlirOperationIsBeforeInBlock(dot, body->dots[i]);
  return false;
}

/* The wait for `dot` to right before what uses it, or before that for a dot that ends later. */
static void sink(const struct body *body, MlirOperation dot, MlirOperation wait) {
  MlirOperation op = mlirOperationGetNextInBlock(wait), end = mlirBlockGetTerminator(body->block);
  while (!mlirOperationEqual(op, end) && may_be_passed(body, op) && !uses_result(op, wait) &&
         !ends_later(body, op, dot))
    op = mlirOperationGetNextInBlock(op);
  mlirOperationMoveBefore(wait, op);
}

/* The last of the dots that start with `first`, before any of them is waited for, and are not
   `dot`. */
static MlirOperation last_beside(struct session *session, MlirOperation first, MlirOperation dot) {
  MlirOperation last = first, op = first;
  for (; !mlirOperationEqual(op, dot) && !waits_for_async_dot(session, op);
       op = mlirOperationGetNextInBlock(op))
    if (starts_async_dot(session, op))
      last = op;
  return last;
}

/* Dot `number` to right behind the first one that it can go behind, and those that start with that.
 */
static void start_early(struct body *body, int number, struct order *before) {
  struct along along;
  MlirOperation dot = body->dots[number], wait = body->waits[number];
  order_note(before, body->block);
  for (int first = 0; first < number; first++) {
    MlirOperation after = last_beside(body->session, body->dots[first], dot);
    if (!collect(body, before, dot, after, &along))
      continue;
    mlirOperationMoveAfter(wait, after);
    for (int i = 0; i < along.count; i++)
      mlirOperationMoveAfter(along.ops[i], after);
    sink(body, dot, wait);
    keep_or_restore(body, before);
    return;
  }
}

static void wait_late(struct body *body, int number, struct order *before) {
  order_note(before, body->block);
  sink(body, body->dots[number], body->waits[number]);
  keep_or_restore(body, before);
}

/* Each wait leaves those dots in flight that have started behind its own. */
static void set_pending(const struct body *body) {
  for (int i = 0; i < body->count; i++) {
    int pending = 0;
    MlirOperation op = mlirOperationGetNextInBlock(body->dots[i]);
    for (; !mlirOperationEqual(op, body->waits[i]); op = mlirOperationGetNextInBlock(op))
      pending += starts_async_dot(body->session, op);
    mlirOperationSetAttributeByName(body->waits[i], ref("pending"),
                                    attribute_integer(body->session->context, 32, pending));
  }
}

/* --- The pass --------------------------------------------------------------------------------- */

/* Registers of a thread with which a multiprocessor holds as many blocks as it does now. */
static int64_t registers_beside(const struct body *body) {
  const struct machine *machine = machine_of(body->loop);
  int64_t threads = machine->lanes * attribute_number(module_of(body->loop), ATTR_NUM_WARPS, 4);
  int64_t blocks = machine_blocks(
      machine, (struct machine_block){.threads = threads, .registers = registers_of(body)});
  return machine_registers_for(machine, threads * larger(blocks, 1));
}

static void advance(struct body *body) {
  if (!find_products(body))
    return;
  struct order before = {0};
  load_vectors_late(body);
  body->beside = registers_beside(body);
  for (int i = 1; i < body->count; i++)
    start_early(body, i, &before);
  for (int i = body->count; i-- > 0;)
    wait_late(body, i, &before);
  set_pending(body);
  free(before.list);
}

/* Registers that a thread that multiplies may take. */
static int64_t room_of(MlirOperation kernel) {
  MlirOperation module = module_of(kernel);
  int64_t warps = attribute_number(module, ATTR_NUM_WARPS, 4);
  if (attribute_has(kernel, ATTR_PRODUCER_WARPS))
    return machine_role_registers(machine_of(kernel), warps, PRODUCER_WARPS,
                                  MACHINE_PRODUCER_REGISTERS)
        .consumers;
  return module_registers(module, (int)warps);
}

MlirLogicalResult run_advance_products(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int64_t asked = context->values[0].integer;
  MlirOperation kernel = {0};
  while (next_kernel(session, module, &kernel)) {
    struct loop_list loops = loops_of(session, kernel);
    for (size_t i = 0; i < loops.count; i++) {
      struct body body = {.session = session, .loop = loops.list[i], .room = asked};
      if (!asked)
        body.room = room_of(kernel);
      body.block = op_body(body.loop, 0);
      if (!attribute_has(body.loop, ATTR_OVERLAPS_PRODUCTS))
        advance(&body);
    }
    loops_free(&loops);
  }
  return SUCCESS;
}
