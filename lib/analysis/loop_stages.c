/* SPDX-License-Identifier: MIT */
/* See loop_stages.h. */
#include <stdlib.h>
#include "analysis/loop_stages.h"

#include <stdlib.h>

#include "analysis/buffers.h"
#include "analysis/pressure.h"
#include "analysis/scratch.h"
#include "base/arena.h"
#include "base/numbers.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "ir/tensor_boxes.h"
#include "ir/verify.h"

/* --- Products in flight ----------------------------------------------------------------------- */

static bool in_roles(struct session *session, MlirOperation op) {
  return attribute_has(function_of(session, op), ATTR_PRODUCER_WARPS);
}

/* A buffer that is there for the whole loop, now or once its load is copied. */
static bool outlives_iteration(struct session *session, const struct loop_schedule *schedule,
                               MlirValue buffer) {
  MlirOperation root = buffer_root(session, buffer);
  if (mlirOperationIsNull(root))
    return false;
  MlirOperation transpose = transpose_into(session, root);
  if (!mlirOperationIsNull(transpose) && in_roles(session, root)) /* it has stages, too */
    root = buffer_root(session, op_operand(transpose, 0));
  bool copied = !op_is_inside(root, schedule->loop);
  for (int i = 0; i < schedule->count; i++)
    copied |= scheduled_is_copy(&schedule->loads[i]) &&
              mlirOperationEqual(schedule->loads[i].consumer, root);
  return copied;
}

struct counted_products {
  struct session *session;
  int count;
};

static MlirLogicalResult count_product(MlirOperation op, void *data) {
  struct counted_products *products = data;
  products->count += starts_async_dot(products->session, op);
  return SUCCESS;
}

MlirOperation loop_schedule_in_flight(struct session *session,
                                      const struct loop_schedule *schedule) {
  MlirOperation none = {0}, loop = schedule->loop, wait = {0};
  struct counted_products products = {.session = session};
  visit_operations(loop, count_product, &products);
  MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (waits_for_async_dot(session, op))
      wait = op;
  if (products.count != 1 || mlirOperationIsNull(wait) || mlirOperationGetNumOperands(wait) != 1 ||
      op_integer(wait, "pending", -1) != 0)
    return none;
  MlirOperation dot = value_definition(op_operand(wait, 0));
  MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
  if (mlirOperationIsNull(dot) || !starts_async_dot(session, dot) ||
      !mlirOperationEqual(only_user(op_result(dot, 0)), wait) ||
      !mlirOperationEqual(only_user(op_result(wait, 0)), yield))
    return none;
  MlirValue sum = op_operand(dot, 2);
  intptr_t index =
      (intptr_t)mlirOpOperandGetOperandNumber(mlirValueGetFirstUse(op_result(wait, 0)));
  bool carried = mlirValueEqual(sum, mlirBlockGetArgument(op_body(loop, 0), index + 1)) &&
                 mlirOperationEqual(only_user(sum), dot);
  for (intptr_t i = 0; i < 2 && carried; i++)
    carried = mlirTypeIsAMemRef(op_operand_type(dot, i)) &&
              outlives_iteration(session, schedule, op_operand(dot, i));
  return carried ? wait : none;
}

/* --- Shared memory ---------------------------------------------------------------------------- */

struct demand {
  struct session *session;
  const struct loop_schedule *schedule;
  bool all;                 /* the stages are there for the whole kernel, for all its loops
                               (pipeline_roles.c) */
  int64_t scratch, buffers; /* the largest area of an operation; all buffers that are in no loop */
  struct map in_loops;      /* MlirOperation.ptr of a loop -> bytes of the buffers in it that are
                               in no loop inside */
};

/* The loop right around an operation; null: none is. */
static MlirOperation loop_right_around(struct session *session, MlirOperation op) {
  MlirOperation none = {0}, parent = mlirOperationGetParentOperation(op);
  while (!KIND_IN(kind_of(session, parent), OP_FUNC, OP_SCF_FOR))
    parent = mlirOperationGetParentOperation(parent);
  return op_is(session, parent, OP_FUNC) ? none : parent;
}

static int64_t bytes_in(const struct demand *demand, MlirOperation loop) {
  return (int64_t)(uintptr_t)map_get(&demand->in_loops, loop.ptr);
}

static void add_buffer(struct demand *demand, MlirOperation op, int64_t bytes) {
  MlirOperation loop = loop_right_around(demand->session, op);
  if (mlirOperationIsNull(loop))
    demand->buffers += bytes;
  else
    map_set(&demand->in_loops, loop.ptr, (void *)(uintptr_t)(bytes_in(demand, loop) + bytes));
}

/* Loops that come one after the other have their buffers one after the other, too, beside those of
   the loops around them. */
static int64_t most_in_loops(const struct demand *demand) {
  int64_t most = 0;
  for (size_t i = 0; i < demand->in_loops.count; i++) {
    MlirOperation loop = {(void *)demand->in_loops.slots[i].key};
    int64_t bytes = 0;
    for (; !mlirOperationIsNull(loop); loop = loop_right_around(demand->session, loop))
      bytes += bytes_in(demand, loop);
    most = larger(most, bytes);
  }
  return most;
}

/* Is `loop` between the buffer's alloc and its last use? */
static bool lives_around(struct session *session, MlirOperation alloc, MlirOperation loop) {
  MlirOperation around = op_in_block(loop, mlirOperationGetBlock(alloc)),
                last = buffer_last_use(session, alloc), op = alloc;
  if (mlirOperationIsNull(around))
    return false;
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, around)) {
    if (mlirOperationEqual(op, last))
      return false;
    op = mlirOperationGetNextInBlock(op);
  }
  return !mlirOperationIsNull(op);
}

/* The buffer of the block that a role transposes into `op`, whose stages are counted with that's;
   or `op`. */
static MlirOperation block_of(struct session *session, MlirOperation op) {
  MlirOperation transpose = transpose_into(session, op);
  return !mlirOperationIsNull(transpose) && in_roles(session, op)
             ? buffer_root(session, op_operand(transpose, 0))
             : op;
}

/* Does `op` give way to a copy? */
static bool is_served(const struct loop_schedule *schedule, MlirOperation op) {
  for (int i = 0; i < schedule->count; i++)
    if (scheduled_is_copy(&schedule->loads[i]) &&
        mlirOperationEqual(schedule->loads[i].consumer, op))
      return true;
  return false;
}

/* The load whose block the buffer takes, or null. */
static MlirOperation block_load_of(struct session *session, MlirOperation op) {
  if (kind_of(session, op) != OP_TILE_GPU_ALLOC || mlirOperationGetNumOperands(op) == 0)
    return (MlirOperation){0};
  MlirOperation load = value_definition(op_operand(op, 0));
  bool is_block = !mlirOperationIsNull(load) && op_is(session, load, OP_TILE_DESCRIPTOR_LOAD);
  return is_block ? load : (MlirOperation){0};
}

/* Is it a buffer for a block that another loop copies into the same stages? */
static bool is_from_engine(struct session *session, MlirOperation op) {
  MlirOperation load = block_load_of(session, op);
  return !mlirOperationIsNull(load) && !attribute_has(load, ATTR_RING_STAGES);
}

/* Stages of a buffer of its own that a producer fills. */
static int64_t own_stages(struct session *session, MlirOperation op) {
  MlirOperation load = block_load_of(session, op);
  return mlirOperationIsNull(load) ? 1 : attribute_number(load, ATTR_RING_STAGES, 1);
}

static MlirLogicalResult note_demand(MlirOperation op, void *data) {
  struct demand *demand = data;
  const struct loop_schedule *schedule = demand->schedule;
  MlirOperation block = block_of(demand->session, op);
  bool served =
      is_served(schedule, block) || (demand->all && is_from_engine(demand->session, block));
  bool inside = (demand->all || op_is_inside(op, schedule->loop)) && !served;
  if (kind_of(demand->session, op) == OP_TILE_GPU_ALLOC) {
    int64_t alignment, bytes = buffer_bytes(demand->session, op, &alignment);
    bytes *= own_stages(demand->session, op);
    if (inside ||
        (!op_is_inside(op, schedule->loop) && lives_around(demand->session, op, schedule->loop)))
      add_buffer(demand, op, bytes);
    return SUCCESS;
  }
  int64_t bytes = inside ? scratch_bytes(demand->session, op) : 0;
  if (bytes > demand->scratch)
    demand->scratch = bytes;
  return SUCCESS;
}

enum { MARGIN = 2 << 10 };

/* What the mbarriers of a producer take, of the loop's blocks and of those before it, at most: two
   for each stage of a block, four where it is transposed. */
static int64_t mbarrier_bytes(struct session *session, const struct loop_schedule *schedule) {
  enum { LISTS = 2, LISTS_OF_TRANSPOSED = 4, LIST_BYTES = 128 };
  int64_t lists = LISTS * MAX_OUTER_LOADS / 2;
  if (!in_roles(session, schedule->loop))
    return 0;
  for (int i = 0; i < schedule->count; i++)
    if (schedule->loads[i].method == PIPELINE_BULK)
      lists += scheduled_is_transposed(session, &schedule->loads[i]) ? LISTS_OF_TRANSPOSED : LISTS;
  return lists * LIST_BYTES;
}

/* Bytes of shared memory that are left for the loop's stages. */
static int64_t budget_of(struct session *session, const struct loop_schedule *schedule,
                         int64_t limit) {
  MlirOperation function = function_of(session, schedule->loop);
  struct demand demand = {.session = session,
                          .schedule = schedule,
                          .all = attribute_has(function, ATTR_PRODUCER_WARPS)};
  visit_operations(function, note_demand, &demand);
  int64_t buffers = demand.buffers + most_in_loops(&demand);
  map_free(&demand.in_loops);
  return limit - buffers - demand.scratch - smaller(demand.scratch, SCRATCH_KEPT_BYTES) -
         larger(mbarrier_bytes(session, schedule), MARGIN);
}

/* --- Blocks on a multiprocessor --------------------------------------------------------------- */

static int64_t threads_of(MlirOperation op) {
  return machine_of(op)->lanes * attribute_number(module_of(op), ATTR_NUM_WARPS, 4);
}

/* Blocks that a multiprocessor holds at a time, of the threads around `op`, of stages of `bytes` in
   all and so many registers a thread. */
static int64_t blocks_together(MlirOperation op, int64_t registers, int64_t bytes) {
  struct machine_block block = {
      .threads = threads_of(op), .registers = registers, .shared_bytes = bytes};
  return machine_blocks(machine_of(op), block);
}

/* The most after an operation of the loop that is no access, with the allowance; ends `each`. */
static int64_t most_in_loop(struct session *session, MlirOperation loop, struct map *each) {
  int64_t most = 0;
  for (size_t i = 0; i < each->count; i++) {
    MlirOperation op = {(void *)each->slots[i].key};
    int64_t registers = (int64_t)(uintptr_t)each->slots[i].value;
    if (op_is_inside(op, loop) && !op_has(session, op, IS_ACCESS) && registers > most)
      most = registers;
  }
  map_free(each);
  return most + PRESSURE_ALLOWANCE;
}

int64_t loop_registers(struct session *session, MlirOperation loop) {
  struct map each = {0};
  pressure_of_each(session, function_of(session, loop), &each);
  return most_in_loop(session, loop, &each);
}

int64_t loop_registers_used(struct session *session, MlirOperation loop) {
  struct map each = {0};
  pressure_of_used(session, loop, &each);
  return most_in_loop(session, loop, &each);
}

bool loop_schedule_is_alone(struct session *session, const struct loop_schedule *schedule) {
  MlirOperation loop = schedule->loop, wait = loop_schedule_in_flight(session, schedule);
  int64_t registers = mlirOperationIsNull(wait)
                          ? loop_registers(session, loop)
                          : registers_in_flight(session, op_result_type(wait, 0), threads_of(loop));
  int64_t bytes = schedule->buffers * schedule->stage_bytes;
  return blocks_together(loop, registers, bytes) == 1;
}

int64_t registers_in_flight(struct session *session, MlirType sum, int64_t threads) {
  int64_t words = type_elements(sum) * memory_bytes(session, type_element(sum)) / (4 * threads);
  return words + words / 4 + PRESSURE_BESIDE_DOT;
}

/* The same for a product of warps: sums and fragments, and as many besides. */
static int64_t product_registers(struct session *session, MlirOperation dot) {
  int64_t words = tile_words(session, op_result_type(dot, 0));
  for (intptr_t i = 0; i < 2; i++)
    words += tile_words(session, op_operand_type(dot, i));
  return words + PRESSURE_BESIDE_DOT;
}

/* --- A stage less, for a barrier more --------------------------------------------------------- */

/* A product that is in flight until the next iteration still reads its stage there: one stage more,
   or a barrier where the stage would leave few threads on a multiprocessor. */
static void choose_flight(struct session *session, struct loop_schedule *out, int stages,
                          int64_t bytes) {
  MlirOperation wait = loop_schedule_in_flight(session, out);
  if (mlirOperationIsNull(wait) || out->copies_ahead < 1)
    return;
  enum { BUSY_THREADS = 512 };
  int64_t threads = threads_of(wait),
          registers = registers_in_flight(session, op_result_type(wait, 0), threads);
  int64_t less = (out->copies_ahead + 1) * bytes;
  int64_t blocks = blocks_together(wait, registers, less + bytes);
  out->in_flight = true;
  out->reuses =
      out->bulk || out->copies_ahead + 2 > stages ||
      (blocks * threads < BUSY_THREADS && blocks < blocks_together(wait, registers, less));
}

/* The only other user of what a transposition fills; null: none, or several. */
static MlirOperation reader_of(MlirOperation transpose) {
  MlirOperation reader = {0};
  MlirOpOperand use = mlirValueGetFirstUse(op_operand(transpose, 1));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, transpose))
      continue;
    if (!mlirOperationIsNull(reader))
      return (MlirOperation){0};
    reader = user;
  }
  return reader;
}

MlirOperation only_product(struct session *session, MlirOperation buffer) {
  MlirOperation op = buffer, none = {0};
  while (!mlirOperationIsNull(op) && !starts_async_dot(session, op))
    op = op_is(session, op, OP_TILE_GPU_LOCAL_TRANSPOSE) ? reader_of(op)
         : mlirOperationGetNumResults(op) == 1           ? only_user(op_result(op, 0))
                                                         : none;
  return op;
}

MlirOperation first_product(struct session *session, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && !is_on_tensor_cores(session, op))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

MlirOperation last_first_product(struct session *session, MlirBlock block) {
  MlirOperation product = first_product(session, block), op = product;
  if (mlirOperationIsNull(product) || !starts_async_dot(session, product))
    return product;
  for (; !mlirOperationIsNull(op) && !waits_for_async_dot(session, op);
       op = mlirOperationGetNextInBlock(op))
    if (starts_async_dot(session, op))
      product = op;
  return product;
}

/* Is a copied tile read out of its stage where its load stands? Else an operand of a product is the
   stage itself. */
static bool is_read_at_load(struct session *session, const struct scheduled_load *row) {
  return mlirOperationIsNull(row->consumer) ||
         kind_of(session, row->consumer) != OP_TILE_GPU_ALLOC || !mlirTypeIsNull(row->transposed);
}

/* The first product of the loop, if all that is copied has been read by then; else null. */
static MlirOperation product_after_reads(struct session *session,
                                         const struct loop_schedule *schedule) {
  MlirBlock body = op_body(schedule->loop, 0);
  MlirOperation product = first_product(session, body), op = mlirBlockGetFirstOperation(body);
  int unread = 0;
  for (int i = 0; i < schedule->count; i++)
    if (scheduled_is_copy(&schedule->loads[i])) {
      unread++;
      if (!is_read_at_load(session, &schedule->loads[i]))
        return (MlirOperation){0};
    }
  for (; !mlirOperationIsNull(product) && !mlirOperationEqual(op, product);
       op = mlirOperationGetNextInBlock(op))
    for (int i = 0; i < schedule->count; i++)
      unread -=
          scheduled_is_copy(&schedule->loads[i]) && mlirOperationEqual(schedule->loads[i].load, op);
  return unread ? (MlirOperation){0} : product;
}

static bool more_fit(struct session *session, MlirOperation product, int64_t less, int64_t bytes) {
  int64_t registers = product_registers(session, product);
  return blocks_together(product, registers, less) >
         blocks_together(product, registers, less + bytes);
}

/* --- A stage less, for a block more ----------------------------------------------------------- */

/* Between products that wait for one another, as in attention, a block's tensor cores idle while it
   computes on their results: another block is worth more than a stage, since two blocks with one
   stage ahead have as much in flight as one with two. Only where it fits whatever registers the
   threads take, and the last two stages stay. */
static int products_in(struct session *session, MlirBlock block) {
  int count = 0;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count += is_on_tensor_cores(session, op);
  return count;
}

static bool stage_costs_block(struct session *session, const struct loop_schedule *schedule,
                              int64_t limit, int64_t bytes) {
  const struct machine *machine = machine_of(schedule->loop);
  int64_t used = limit - MARGIN - budget_of(session, schedule, limit);
  int64_t less = used + schedule->copies_ahead * bytes;
  return schedule->copies_ahead > 1 && products_in(session, op_body(schedule->loop, 0)) > 1 &&
         blocks_together(schedule->loop, machine->thread_registers, less) >
             blocks_together(schedule->loop, machine->thread_registers, less + bytes);
}

/* --- Launches of few blocks ------------------------------------------------------------------- */

static bool is_for_low_occupancy(struct session *session, MlirOperation loop) {
  MlirOperation function = function_of(session, loop);
  return attribute_has(function, ATTR_LOW_OCCUPANCY_OF) &&
         !attribute_has(function, ATTR_FEWER_BLOCKS);
}

/* More are no use: what they cover takes longer than memory does. */
enum { MAX_USEFUL_STAGES = 10 };

/* Stages where a multiprocessor has but one or two blocks anyway: as many as leave room for two of
   them, if these are more than the loop would have elsewhere if none cost a block, or else for
   one. */
static int stages_for_few(struct session *session, const struct loop_schedule *schedule,
                          int64_t bytes, bool flies) {
  const struct machine *machine = machine_of(schedule->loop);
  int64_t rooms[] = {machine_shared_for(machine, 2) + MARGIN, machine_shared_for(machine, 1)};
  int64_t full = attribute_number(schedule->loop, ATTR_FULL_STAGES, schedule->stages);
  for (int i = 0; i < 2; i++) {
    int64_t stages =
        smaller(budget_of(session, schedule, rooms[i]) / bytes - flies, MAX_USEFUL_STAGES);
    if (stages > schedule->stages && (stages > full || i > 0))
      return (int)stages;
  }
  return schedule->stages;
}

/* Bulk copies take no registers: as many stages as cost no block of those that a multiprocessor
   holds with the stages that were asked for, and as fit. */
static int stages_for_engine(struct session *session, const struct loop_schedule *schedule,
                             int64_t bytes) {
  int most = (int)smaller(MAX_USEFUL_STAGES, schedule->room);
  MlirOperation wait = loop_schedule_in_flight(session, schedule);
  if (mlirOperationIsNull(wait))
    return schedule->stages;
  int64_t registers =
      registers_in_flight(session, op_result_type(wait, 0), threads_of(schedule->loop));
  int64_t blocks = blocks_together(wait, registers, schedule->stages * bytes + MARGIN);
  int stages = schedule->stages;
  while (stages < most && blocks_together(wait, registers, (stages + 1) * bytes + MARGIN) >= blocks)
    stages++;
  return stages;
}

/* A producer fills as many stages as tile-gpu-assign-roles has given the kernel's loops together.
 */
static void take_ring(struct session *session, struct loop_schedule *out, int stages) {
  out->stages = out->room = out->buffers = stages;
  out->copies_ahead = stages - 1;
  out->in_flight = !mlirOperationIsNull(loop_schedule_in_flight(session, out));
  out->overlaps = attribute_has(out->loop, ATTR_OVERLAPS_PRODUCTS);
}

/* --- All iterations' copies before the loop --------------------------------------------------- */

/* Blocks that a multiprocessor holds with the buffers of the schedule. */
static int64_t blocks_with(struct session *session, const struct loop_schedule *schedule) {
  int64_t limit = machine_of(schedule->loop)->block_shared_bytes;
  int64_t used = limit - MARGIN - budget_of(session, schedule, limit);
  return blocks_together(schedule->loop, loop_registers(session, schedule->loop),
                         used + schedule->buffers * schedule->stage_bytes);
}

void loop_stages_all_ahead(struct session *session, struct loop_schedule *out, int trips) {
  if (out->bulk || out->copies_ahead + 1 != trips || is_for_low_occupancy(session, out->loop))
    return;
  struct loop_schedule *ahead = tile_allocate(sizeof *ahead);
  *ahead = *out;
  ahead->stages = trips + 1;
  loop_stages_choose(session, ahead);
  if (ahead->copies_ahead == trips && blocks_with(session, ahead) >= blocks_with(session, out))
    *out = *ahead;
  free(ahead);
}

int64_t loop_stages_left(struct session *session, const struct loop_schedule *schedule) {
  int64_t budget = budget_of(session, schedule, machine_of(schedule->loop)->block_shared_bytes);
  return larger(budget - schedule->buffers * schedule->stage_bytes, 0);
}

static bool is_bulk_vector(const struct scheduled_load *row) {
  return row->method == PIPELINE_BULK && scheduled_is_vector(row);
}

/* Copies: as far as shared memory allows. */
void loop_stages_choose(struct session *session, struct loop_schedule *out) {
  int64_t limit = machine_of(out->loop)->block_shared_bytes;
  int64_t bytes = 0;
  bool roles = in_roles(session, out->loop);
  for (int i = 0; i < out->count; i++)
    if (scheduled_is_copy(&out->loads[i]))
      bytes +=
          round_up(out->loads[i].bytes,
                   is_bulk_vector(&out->loads[i]) ? TENSOR_PLACE_BYTES : MACHINE_SWIZZLE_BYTES) *
          (roles && scheduled_is_transposed(session, &out->loads[i]) ? 2 : 1);
  if (!bytes)
    return;
  out->stage_bytes = bytes;
  int64_t ring = attribute_number(function_of(session, out->loop), ATTR_RING_STAGES, 0);
  if (ring && out->bulk) {
    take_ring(session, out, (int)ring);
    return;
  }
  int stages = (int)smaller(budget_of(session, out, limit) / bytes, MAX_STAGES + 1);
  out->room = stages;
  MlirOperation product = product_after_reads(session, out);
  bool may_reuse = !mlirOperationIsNull(product) && stages > 0;
  bool flies = !mlirOperationIsNull(loop_schedule_in_flight(session, out));
  if (is_for_low_occupancy(session, out->loop) && (flies || may_reuse))
    out->stages = stages_for_few(session, out, bytes, flies);
  else if (out->bulk)
    out->stages = stages_for_engine(session, out, bytes);
  out->copies_ahead = (int)smaller(out->stages, stages + may_reuse) - 1;
  out->copies_ahead -= !flies && !out->bulk && !is_for_low_occupancy(session, out->loop) &&
                       stage_costs_block(session, out, limit, bytes);
  choose_flight(session, out, stages, bytes);
  if (out->copies_ahead < 0)
    out->copies_ahead = 0;
  if (may_reuse && !out->in_flight)
    out->reuses = out->copies_ahead + 1 > stages ||
                  more_fit(session, product, out->copies_ahead * bytes, bytes);
  out->buffers = out->copies_ahead + 1 + out->in_flight - out->reuses;
  for (int i = 0; i < out->count && !out->copies_ahead; i++)
    if (scheduled_is_copy(&out->loads[i])) {
      out->loads[i].method = PIPELINE_NONE;
      out->loads[i].reason = "two stages of its buffer do not fit into shared memory";
    }
}

/* Is the block transposed behind the start of the first products, for a later one? */
static bool is_for_later_product(struct session *session, const struct scheduled_load *row,
                                 MlirOperation product) {
  return !mlirOperationIsNull(product) &&
         mlirOperationIsBeforeInBlock(product, buffer_transpose(session, row->consumer));
}

bool loop_stages_save_block(struct session *session, const struct loop_schedule *schedule) {
  MlirOperation loop = schedule->loop, module = module_of(loop);
  MlirOperation product = last_first_product(session, op_body(loop, 0));
  int64_t apart = 0, limit = machine_of(loop)->block_shared_bytes;
  for (int i = 0; i < schedule->count; i++) {
    if (!scheduled_is_transposed(session, &schedule->loads[i]))
      continue;
    if (!is_for_later_product(session, &schedule->loads[i], product))
      return false;
    apart += round_up(schedule->loads[i].bytes, MACHINE_SWIZZLE_BYTES);
  }
  if (!apart)
    return false;
  int64_t warps = attribute_number(module, ATTR_NUM_WARPS, 4);
  int64_t registers = smaller(loop_registers(session, loop), module_registers(module, (int)warps));
  int64_t bytes = limit - MARGIN - budget_of(session, schedule, limit) +
                  schedule->buffers * schedule->stage_bytes;
  return blocks_together(loop, registers, bytes - apart) > blocks_together(loop, registers, bytes);
}
