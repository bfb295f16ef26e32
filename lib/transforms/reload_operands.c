/* SPDX-License-Identifier: MIT */
/* tile-gpu-reload-operands: operands that a loop's products take from before the loop stay in
   shared memory, where the threads have no registers for them.

     %m = tile_gpu.alloc %x                      %m = tile_gpu.alloc %x
     %y = tile_gpu.local_load %m            ->   for {
     for {                                         %y = tile_gpu.local_load %m
       dot %y, ..                                  dot %y, ..
     }                                           }

   Needs: buffers that operands go through (tile-gpu-optimize-dot-operands). Keeps: what is
   computed.

   mma.sync takes operands from registers: a block of queries, 128 by 128 of f16 in eight warps, has
   32 of each thread in all iterations, and the backward pass has as much of keys and of values, of
   heads of 256 twice as much. What does not fit ptxas moves to memory and back. An ldmatrix before
   each product moves four registers at once, and needs only those of the next instructions.

   Of the operands as many are loaded again as registers are missing, the largest first, where all
   of a buffer's loads are before the loop and for products in loops, and where a multiprocessor has
   shared memory for as many blocks as before. */
#include "analysis/loop_stages.h"
#include "analysis/pressure.h"
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "transforms/allocate_shared.h"

enum { MAX_OPERANDS = 16 };

struct reloading {
  struct session *session;
  MlirOperation loop;
  MlirOperation loads[MAX_OPERANDS]; /* the largest first */
  int count, num_warps;
  int64_t registers; /* that a thread can have */
};

/* Operands that a value is. */
struct users {
  struct {
    MlirOperation op;
    intptr_t operand;
  } list[MAX_OPERANDS];
  int count;
};

static bool users_of(MlirValue value, struct users *out) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    if (out->count == MAX_OPERANDS)
      return false;
    out->list[out->count].op = mlirOpOperandGetOwner(use);
    out->list[out->count++].operand = mlirOpOperandGetOperandNumber(use);
  }
  return true;
}

/* A load of the only tile that its buffer is ever filled with. */
static bool is_of_one_tile(struct session *session, MlirOperation load) {
  if (!op_is(session, load, OP_TILE_GPU_LOCAL_LOAD) || mlirOperationGetNumOperands(load) != 1)
    return false;
  MlirOperation alloc = value_definition(op_operand(load, 0));
  if (!op_is(session, alloc, OP_TILE_GPU_ALLOC) || mlirOperationGetNumOperands(alloc) != 1 ||
      !mlirBlockEqual(mlirOperationGetBlock(alloc), mlirOperationGetBlock(load)))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(op_result(alloc, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!op_is(session, mlirOpOperandGetOwner(use), OP_TILE_GPU_LOCAL_LOAD))
      return false;
  return true;
}

/* Is the value nothing but products' operand, in loops that begin after it? */
static bool is_for_products(struct session *session, MlirOperation load) {
  MlirOpOperand use = mlirValueGetFirstUse(op_result(load, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!op_has(session, user, IS_DOT) ||
        mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(load)))
      return false;
  }
  return true;
}

static int64_t words_of(struct session *session, MlirOperation load) {
  return held_words(session, op_result_type(load, 0));
}

static void add_load(struct reloading *p, MlirOperation load) {
  for (int i = 0; i < p->count; i++)
    if (mlirOperationEqual(p->loads[i], load))
      return;
  if (p->count == MAX_OPERANDS)
    return;
  int i = p->count++;
  for (; i > 0 && words_of(p->session, p->loads[i - 1]) < words_of(p->session, load); i--)
    p->loads[i] = p->loads[i - 1];
  p->loads[i] = load;
}

/* What a product of the loop takes from before it. */
static MlirLogicalResult inspect(MlirOperation op, void *data) {
  struct reloading *p = data;
  for (intptr_t i = 0; op_has(p->session, op, IS_DOT) && i < 2; i++) {
    MlirOperation load = value_definition(op_operand(op, i));
    if (!mlirOperationIsNull(load) && !op_is_inside(load, p->loop) &&
        is_of_one_tile(p->session, load) && is_for_products(p->session, load))
      add_load(p, load);
  }
  return SUCCESS;
}

/* Blocks on a multiprocessor, if each has all registers that its threads can have. */
static int64_t blocks_of(struct reloading *p) {
  MlirOperation function = function_of(p->session, p->loop);
  const struct machine *machine = machine_of(function);
  struct machine_block block = {.threads = (int64_t)p->num_warps * machine->lanes,
                                .registers = p->registers,
                                .shared_bytes = shared_bytes_needed(p->session, function)};
  return block.shared_bytes > machine->block_shared_bytes ? 0 : machine_blocks(machine, block);
}

/* Each user of `value` takes it from where `load`, if there is one, is repeated before it. */
static void set_users(const struct users *users, MlirOperation load, MlirValue value) {
  for (int i = 0; i < users->count; i++) {
    MlirOperation user = users->list[i].op;
    struct builder b = builder_before(user);
    MlirValue last = op_operand(user, users->list[i].operand);
    MlirValue next = mlirOperationIsNull(load)
                         ? value
                         : BUILD(&b, "tile_gpu.local_load", IN(op_operand(load, 0)),
                                 OUT(mlirValueGetType(value)));
    mlirOperationSetOperand(user, users->list[i].operand, next);
    if (mlirOperationIsNull(load))
      mlirOperationDestroy(value_definition(last));
  }
}

/* False where shared memory does not suffice. */
static bool load_again(struct reloading *p, MlirOperation load) {
  MlirValue value = op_result(load, 0);
  struct users users = {.count = 0};
  int64_t blocks = blocks_of(p);
  if (!users_of(value, &users))
    return false;
  set_users(&users, load, value);
  if (blocks_of(p) < blocks || !blocks) {
    set_users(&users, (MlirOperation){0}, value);
    return false;
  }
  mlirOperationDestroy(load);
  return true;
}

static void reload_in(struct session *session, MlirOperation loop) {
  MlirOperation module = module_of(loop);
  int num_warps = (int)attribute_number(module, ATTR_NUM_WARPS, 4);
  struct reloading p = {.session = session,
                        .loop = loop,
                        .num_warps = num_warps,
                        .registers = module_registers(module, num_warps)};
  visit_operations(loop, inspect, &p);
  if (!p.count)
    return;
  int64_t missing =
      pressure_least(pressure_of_loop(session, loop).registers) + PRESSURE_ALLOWANCE - p.registers;
  for (int i = 0; i < p.count && missing > 0; i++) {
    int64_t words = words_of(session, p.loads[i]);
    missing -= load_again(&p, p.loads[i]) ? words : 0;
  }
}

MlirLogicalResult run_reload_operands(struct pass_context *context, MlirOperation module) {
  MlirOperation op = {0};
  while (next_kernel(context->session, module, &op)) {
    struct loop_list loops = loops_of(context->session, op);
    for (size_t i = 0; i < loops.count; i++)
      reload_in(context->session, loops.list[i]);
    loops_free(&loops);
  }
  return SUCCESS;
}
