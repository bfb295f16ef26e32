/* SPDX-License-Identifier: MIT */
/* The order in which blocks take programs (transforms/persist.h), by interpreting what
   persist_kernel builds: every program is taken once, and blocks have equally much to do. */
#include <stdlib.h>
#include "check.h"
#include "ir/dialects.h"
#include "ir/mlir.h"
#include "ir/session.h"
#include "transforms/persist.h"

enum { MAX_VALUES = 256, MAX_PROGRAMS = 1 << 13, MAX_BLOCKS = 256 };

/* What a program does: arith.shli and arith.shrsi of its place, which nothing else here is. */
static const char text[] = "func.func @kernel() attributes {%s} {\n"
                           "  %%x = \"tile.program_id\"() {axis = 0 : i32} : () -> i32\n"
                           "  %%y = \"tile.program_id\"() {axis = 1 : i32} : () -> i32\n"
                           "  %%z = \"tile.program_id\"() {axis = 2 : i32} : () -> i32\n"
                           "  %%a = arith.shli %%x, %%y : i32\n"
                           "  %%b = arith.shrsi %%a, %%z : i32\n"
                           "  return\n"
                           "}\n";

struct grid {
  int64_t size[3], blocks;
};

struct interpreter {
  struct session *session;
  const struct grid *grid;
  int64_t block;
  struct map numbers; /* MlirValue.ptr -> its number + 1 in `values` */
  int64_t values[MAX_VALUES];
  size_t count;
  int64_t place[2];        /* of a program, along x and y */
  int taken[MAX_PROGRAMS]; /* how often */
  int64_t *load;           /* of the block: a program x takes x + 1 */
};

static int64_t value_of(struct interpreter *in, MlirValue value) {
  size_t number = (size_t)(uintptr_t)map_get(&in->numbers, value.ptr);
  CHECK(number > 0);
  return number ? in->values[number - 1] : 0;
}

static void set_value(struct interpreter *in, MlirValue value, int64_t to) {
  size_t number = (size_t)(uintptr_t)map_get(&in->numbers, value.ptr);
  if (!number) {
    CHECK(in->count < MAX_VALUES);
    number = ++in->count;
    map_set(&in->numbers, value.ptr, (void *)(uintptr_t)number);
  }
  in->values[number - 1] = to;
}

static bool compares(int64_t predicate, int64_t x, int64_t y) {
  switch (predicate) {
  case 0:
    return x == y;
  case 6:
    return (uint32_t)x < (uint32_t)y;
  case 9:
    return (uint32_t)x >= (uint32_t)y;
  }
  CHECK(false);
  return false;
}

static void take(struct interpreter *in, int64_t z) {
  const int64_t *size = in->grid->size;
  int64_t x = in->place[0], y = in->place[1];
  bool inside = x >= 0 && x < size[0] && y >= 0 && y < size[1] && z >= 0 && z < size[2];
  CHECK(inside);
  if (inside)
    in->taken[(z * size[1] + y) * size[0] + x]++;
  in->load[in->block] += x + 1;
}

static void run_block(struct interpreter *in, MlirBlock block);

static void run_loop(struct interpreter *in, MlirOperation loop) {
  MlirBlock body = op_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  intptr_t carried = mlirOperationGetNumResults(loop);
  int64_t next[8];
  for (intptr_t i = 0; i < carried; i++)
    set_value(in, mlirBlockGetArgument(body, i + 1), value_of(in, op_operand(loop, i + 3)));
  int64_t end = value_of(in, op_operand(loop, 1)), step = value_of(in, op_operand(loop, 2));
  for (int64_t i = value_of(in, op_operand(loop, 0)); i < end; i += step) {
    set_value(in, mlirBlockGetArgument(body, 0), i);
    run_block(in, body);
    for (intptr_t k = 0; k < carried; k++)
      next[k] = value_of(in, op_operand(yield, k));
    for (intptr_t k = 0; k < carried; k++)
      set_value(in, mlirBlockGetArgument(body, k + 1), next[k]);
  }
}

static void run_branch(struct interpreter *in, MlirOperation branch) {
  MlirBlock body = op_body(branch, value_of(in, op_operand(branch, 0)) ? 0 : 1);
  run_block(in, body);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); i++)
    set_value(in, op_result(branch, i), value_of(in, op_operand(yield, i)));
}

static int64_t compute(enum op_kind kind, int64_t x, int64_t y) {
  switch (kind) {
  case OP_ARITH_ADDI:
    return x + y;
  case OP_ARITH_SUBI:
    return x - y;
  case OP_ARITH_MULI:
    return x * y;
  case OP_ARITH_DIVUI:
    return y ? (int64_t)((uint32_t)x / (uint32_t)y) : -1;
  case OP_ARITH_REMUI:
    return y ? (int64_t)((uint32_t)x % (uint32_t)y) : -1;
  case OP_ARITH_ANDI:
    return x & y;
  case OP_ARITH_SHRUI:
    return (uint32_t)x >> y;
  case OP_ARITH_MINSI:
    return x < y ? x : y;
  case OP_ARITH_MAXSI:
    return x > y ? x : y;
  case OP_ARITH_MINUI:
    return (uint32_t)x < (uint32_t)y ? x : y;
  case OP_ARITH_MAXUI:
    return (uint32_t)x > (uint32_t)y ? x : y;
  default:
    printf("the interpreter does not know operation %d\n", (int)kind);
    CHECK(false);
    return 0;
  }
}

static void run_operation(struct interpreter *in, MlirOperation op) {
  int64_t number;
  enum op_kind kind = kind_of(in->session, op);
  switch (kind) {
  case OP_SCF_FOR:
    run_loop(in, op);
    return;
  case OP_SCF_IF:
    run_branch(in, op);
    return;
  case OP_TILE_PROGRAM_ID:
    set_value(in, op_result(op, 0), op_integer(op, "axis", 0) ? 0 : in->block);
    return;
  case OP_TILE_NUM_PROGRAMS:
    set_value(in, op_result(op, 0), op_integer(op, "axis", 0) ? 1 : in->grid->blocks);
    return;
  case OP_ARITH_SHLI:
    for (int i = 0; i < 2; i++)
      in->place[i] = value_of(in, op_operand(op, i));
    set_value(in, op_result(op, 0), 0);
    return;
  case OP_ARITH_SHRSI:
    take(in, value_of(in, op_operand(op, 1)));
    return;
  default:
    break;
  }
  if (mlirOperationGetNumResults(op) != 1) /* a terminator */
    return;
  MlirValue result = op_result(op, 0);
  if (uniform_integer(in->session, result, &number)) {
    set_value(in, result, number);
    return;
  }
  int64_t x = value_of(in, op_operand(op, 0));
  if (kind == OP_ARITH_EXTUI)
    set_value(in, result, x);
  else if (kind == OP_ARITH_SELECT)
    set_value(in, result, value_of(in, op_operand(op, x ? 1 : 2)));
  else if (kind == OP_ARITH_CMPI)
    set_value(in, result,
              compares(op_integer(op, "predicate", -1), x, value_of(in, op_operand(op, 1))));
  else
    set_value(in, result, compute(kind, x, value_of(in, op_operand(op, 1))));
}

static void run_block(struct interpreter *in, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    run_operation(in, op);
}

static struct session session;

static MlirModule make_kernel(const char *attributes, MlirOperation *out_kernel) {
  char source[sizeof text + 256];
  snprintf(source, sizeof source, text, attributes);
  MlirModule module = session_parse(&session, "kernel.mlir", source, strlen(source));
  CHECK(!mlirModuleIsNull(module));
  *out_kernel = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  persist_kernel(&session, *out_kernel, 1);
  return module;
}

/* The most of a block, of the mean. */
static double run(MlirOperation kernel, const struct grid *grid) {
  static struct interpreter in;
  static int64_t load[MAX_BLOCKS];
  int64_t programs = grid->size[0] * grid->size[1] * grid->size[2], most = 0, all = 0;
  in = (struct interpreter){.session = &session, .grid = grid, .load = load};
  memset(load, 0, sizeof load);
  for (int axis = 0; axis < 3; axis++)
    set_value(&in, mlirBlockGetArgument(op_body(kernel, 0), axis), grid->size[axis]);
  for (in.block = 0; in.block < grid->blocks; in.block++) {
    run_block(&in, op_body(kernel, 0));
    most = load[in.block] > most ? load[in.block] : most;
    all += load[in.block];
  }
  int wrong = 0;
  for (int64_t i = 0; i < programs; i++)
    wrong += in.taken[i] != 1;
  if (wrong)
    printf("%lld x %lld x %lld, %lld blocks: %d programs are not taken once\n",
           (long long)grid->size[0], (long long)grid->size[1], (long long)grid->size[2],
           (long long)grid->blocks, wrong);
  CHECK_EQUAL(wrong, 0);
  map_free(&in.numbers);
  return (double)most * (double)grid->blocks / (double)all;
}

static const char *const orders[] = {"tile.kernel", "tile.kernel, tile.longest_axis = 0 : i32",
                                     "tile.kernel, tile.longest_axis = 0 : i32, tile.longest_last"};

/* At most as many blocks as programs, as the launch has. */
static void every_program_is_taken_once(void) {
  static const int64_t sizes[] = {1, 2, 3, 5, 8};
  for (size_t order = 0; order < sizeof orders / sizeof *orders; order++) {
    MlirOperation kernel;
    MlirModule module = make_kernel(orders[order], &kernel);
    for (int k = 0; k < 125; k++) {
      struct grid grid = {{sizes[k % 5], sizes[k / 5 % 5], sizes[k / 25]}, 0};
      int64_t programs = grid.size[0] * grid.size[1] * grid.size[2];
      for (grid.blocks = 1; grid.blocks <= programs && grid.blocks < MAX_BLOCKS;
           grid.blocks += 1 + grid.blocks / 3)
        run(kernel, &grid);
    }
    mlirModuleDestroy(module);
  }
}

/* Attention with a causal mask on 132 multiprocessors. Pairs to the end are at 1.031. */
static void blocks_have_equally_much(void) {
  static const struct grid grids[] = {{{128, 32, 1}, 132}, {{32, 32, 4}, 132},  {{64, 32, 2}, 132},
                                      {{32, 16, 2}, 132},  {{256, 16, 1}, 132}, {{128, 8, 1}, 132}};
  MlirOperation kernel;
  MlirModule module = make_kernel(orders[2], &kernel);
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    double most = run(kernel, &grids[i]);
    if (most > 1.006)
      printf("%lld x %lld: %.4f\n", (long long)grids[i].size[0], (long long)grids[i].size[1], most);
    CHECK(most <= 1.006);
  }
  mlirModuleDestroy(module);
}

int main(int argc, char **argv) {
  tile_status status = session_create(&session);
  if (status) {
    printf("%s\n0 passed, 1 failed\n", tile_status_message(status));
    return 1;
  }
  int code = RUN_TESTS(argc, argv, {"every program is taken once", every_program_is_taken_once},
                       {"blocks have equally much to do", blocks_have_equally_much});
  session_destroy(&session);
  return code;
}
