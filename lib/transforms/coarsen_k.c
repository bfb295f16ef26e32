/* SPDX-License-Identifier: MIT */
/* tile-coarsen-k: several steps of a dot's loop as one, where a row of a step is only a part of
   a cache line.

     for %k = 0 to %n step 1 {                          for %k = 0 to %n step 2 {
       %a = tile.load %p, %m  : 128x32xf16                %a = tile.load %p2, %m2  : 128x64xf16
       %b = tile.load %q, %l  : 32x128xf16       ->       %b = tile.load %q2, %l2  : 64x128xf16
       %d = tile.dot %a, %b, %c                           %d = tile.dot %a, %b, %c
       yield %d, %p + 32, ...                             yield %d, %p2 + 64, ...

   Needs: tensors without layouts, tile-contract-dot before it. Keeps: what is computed, in the same
   order. Changes the loop's number of stages (tile.num_stages), so that it takes about the same
   shared memory.

   Rows of 32 numbers of f16 are 64 bytes, half a cache line: each line is asked for in two steps,
   by twice as many requests, at a time when the L2 cache is what the loop waits for. Which loops:
   of one dot, with at least three stages, that accumulates and carries nothing else but pointers
   and numbers that advance; whose operands are loads of whole rows, one of which has rows shorter
   than a cache line along K. And only if three stages of the larger steps leave room for as many
   blocks on a multiprocessor as there were, up to MIN_BLOCKS: below that they are worth more. Where
   the third of them costs a block, and leaves fewer than BUSY_THREADS there, two do for a product
   of warp groups: another block has as much in flight as another stage. tile.loop_unroll_factor = 1
   keeps the steps as they are.

   Not kept: a sum that is -0 may become 0, as zeros are added to it where the last step is not
   whole; and a loop whose end is within one of the longer steps of the largest number of its type
   need not end, as it need not within one of its own.

   The last step may have iterations that the loop did not have. Their loads are masked, by a
   comparison of their own unless the mask that is there is false for them (mask_ends_with_loop). */
#include "analysis/axis_info.h"
#include "analysis/loop_stages.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"
#include "ir/verify.h"
#include "transforms/coarsen_loop.h"
#include "transforms/dot_choice.h"
#include "transforms/pipeline_rewrite.h"
#include "transforms/unroll_and_jam.h"

const struct pass_option coarsen_k_options[] = {
    {"num-warps", OPTION_INTEGER, "4", "warps of a program"}, {0}};

enum {
  WIDEST_ACCESS = 16,
  LEAST_STAGES = 3, /* one multiplied, one in flight, one on its way */
  FEW_STAGES = 2,
  MIN_BLOCKS = 3,
  BUSY_THREADS = 512,
  OPERANDS = 2
};

struct coarsening {
  struct unroll_and_jam values;
  MlirOperation loop, dot;
  intptr_t accumulator; /* number of the loop-carried value */
  int64_t stages;       /* of the larger steps */
  bool ends_by_itself;  /* the masks that are there leave out what the loop did not do */
};

/* The dimension of operand `index` of a dot that is summed over. */
static int k_dim(int index) {
  return index == 0 ? 1 : 0;
}

/* --- The loop's form -------------------------------------------------------------------------- */

/* From a constant that is not negative, by a constant step that can be `factor` times as long. */
static bool counts_up(struct session *session, MlirOperation loop, int64_t factor) {
  int64_t first, step;
  MlirType type = op_operand_type(loop, 0);
  return (type_is_integer(type, 32) || type_is_integer(type, 64)) &&
         !op_has_attribute(loop, "unsignedCmp") &&
         uniform_integer(session, op_operand(loop, 0), &first) && first >= 0 &&
         uniform_integer(session, op_operand(loop, 2), &step) && step > 0 &&
         step <= INT32_MAX / factor;
}

/* --- What is gained --------------------------------------------------------------------------- */

static int64_t element_bytes(struct session *session, MlirOperation load) {
  return type_bytes(&session->types, type_element(op_result_type(load, 0)));
}

/* How many steps fill a cache line with a row of a load; 1 where rows are not along `dim`. 0: it is
   not read by wide accesses. */
static int64_t steps_in_line(struct session *session, struct axis_analysis *axis,
                             MlirOperation load, int dim, int64_t size) {
  MlirValue pointers = op_operand(load, 0);
  int64_t bytes = element_bytes(session, load), widest = 0;
  for (int d = 0; d < 2; d++) {
    int64_t wide = axis_pointer_contiguity(axis, session, pointers, d) * bytes;
    widest = wide > widest ? wide : widest;
  }
  if (widest < WIDEST_ACCESS)
    return 0;
  bool rows = axis_info_of(axis, pointers)->contiguity[dim] >= size;
  int64_t line = machine_of(load)->line_bytes;
  return rows && size * bytes < line ? line / (size * bytes) : 1;
}

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* Blocks that a multiprocessor has room for, with the registers of the accumulators and what else a
   loop needs. */
static int64_t blocks_with(const struct coarsening *f, const struct pass_context *context,
                           int64_t bytes) {
  const struct machine *machine = machine_of(f->loop);
  struct machine_block block = {.threads = machine->lanes * context->values[0].integer,
                                .shared_bytes = bytes};
  block.registers = registers_in_flight(context->session, op_result_type(f->dot, 0), block.threads);
  return machine_blocks(machine, block);
}

/* Of an operand, in the wider of the types that it is loaded and multiplied in: a copy is of the
   one, a buffer of what is converted of the other. */
static int64_t stage_bytes(struct session *session, MlirValue operand, int dim) {
  MlirType type = mlirValueGetType(operand);
  int64_t bytes = type_bytes(&session->types, type_element(type));
  MlirOperation load = coarsen_load(session, operand, OP_TILE_LOAD, false, &dim);
  int64_t loaded = mlirOperationIsNull(load) ? 0 : element_bytes(session, load);
  return type_elements(type) * (loaded > bytes ? loaded : bytes);
}

/* A product of warp groups reads its stage until it is done; others have read theirs before. */
static bool is_for_warp_groups(const struct coarsening *f, const struct pass_context *context) {
  struct dot_sizes sizes = dot_read(f->dot);
  struct mma_layout mma;
  int warps = (int)context->values[0].integer;
  return machine_of(f->loop)->matrix_unit == MATRIX_WGMMA &&
         dot_choose_wgmma(f->dot, &sizes, warps, module_registers(module_of(f->loop), warps), &mma);
}

/* Do two stages of `bytes` leave room for as many blocks as there were with `before` bytes in all,
   where three do not, and leave a multiprocessor little to do? Only where launches of fewer blocks,
   for which the third stage is worth more, have versions of their own. */
static bool two_stages_do(const struct coarsening *f, const struct pass_context *context,
                          int64_t bytes, int64_t before) {
  int64_t blocks = blocks_with(f, context, LEAST_STAGES * bytes);
  int64_t threads = machine_of(f->loop)->lanes * context->values[0].integer;
  int64_t wanted = blocks_with(f, context, before);
  bool versions = attribute_has(module_of(f->loop), ATTR_LOW_OCCUPANCY) ||
                  attribute_has(function_of(context->session, f->loop), ATTR_TENSOR_MAPS_OF);
  return versions && blocks < wanted && blocks * threads < BUSY_THREADS &&
         blocks_with(f, context, FEW_STAGES * bytes) >= wanted && is_for_warp_groups(f, context);
}

/* Chooses the number of stages for `factor` times the step; false where that costs blocks. The
   dot in flight has a stage of its own, where that costs none (choose_flight in loop_stages.c). */
static bool choose_stages(struct coarsening *f, const struct pass_context *context,
                          int64_t factor) {
  int64_t stages = loop_num_stages(f->loop), step = 0;
  if (stages < LEAST_STAGES)
    return false;
  for (int i = 0; i < OPERANDS; i++)
    step += stage_bytes(context->session, op_operand(f->dot, i), k_dim(i));
  f->stages = (stages + factor) / factor;
  f->stages = f->stages < LEAST_STAGES ? LEAST_STAGES : f->stages;
  int64_t before = smaller(blocks_with(f, context, (stages + 1) * step), MIN_BLOCKS);
  bool fits = before > 0 && blocks_with(f, context, f->stages * factor * step) >= before;
  if (fits && f->stages == LEAST_STAGES && two_stages_do(f, context, factor * step, stages * step))
    f->stages = FEW_STAGES;
  return fits;
}

/* --- Masks that end with the loop ------------------------------------------------------------- */

/* Is `value` the constant `number`? */
static bool is_number(struct session *session, MlirValue value, int64_t number) {
  int64_t constant;
  return uniform_integer(session, value, &constant) && constant == number;
}

/* n - k * size, k the loop's count, where the loop ends at (n + size - 1) / size: 0 or less for
   each k after its end. */
static bool is_what_is_left(struct coarsening *f, MlirValue value) {
  struct session *session = f->values.session;
  MlirOperation left = value_definition(value), end = value_definition(op_operand(f->loop, 1));
  if (!op_is(session, left, OP_ARITH_SUBI) || !is_number(session, op_operand(f->loop, 0), 0) ||
      !is_number(session, op_operand(f->loop, 2), 1))
    return false;
  MlirOperation done = value_definition(op_operand(left, 1));
  int64_t size;
  if (!op_is(session, done, OP_ARITH_MULI) ||
      !uniform_integer(session, op_operand(done, 1), &size) || size < 1 ||
      !mlirValueEqual(op_operand(done, 0), mlirBlockGetArgument(op_body(f->loop, 0), 0)))
    return false;
  if (!op_is(session, end, OP_ARITH_DIVSI) || !is_number(session, op_operand(end, 1), size))
    return false;
  MlirOperation above = value_definition(op_operand(end, 0));
  return op_is(session, above, OP_ARITH_ADDI) &&
         is_number(session, op_operand(above, 1), size - 1) &&
         mlirValueEqual(op_operand(above, 0), op_operand(left, 0));
}

/* Is the mask false for each iteration after the loop's end: a comparison `something not negative <
   what is left`, or with others? */
static bool mask_ends_with_loop(struct coarsening *f, struct axis_analysis *axis, MlirValue mask) {
  struct session *session = f->values.session;
  MlirOperation op = mlirValueIsNull(mask) ? (MlirOperation){0} : value_definition(mask);
  if (mlirOperationIsNull(op))
    return false;
  enum op_kind kind = kind_of(session, op);
  if (kind == OP_ARITH_ANDI)
    return mask_ends_with_loop(f, axis, op_operand(op, 0)) ||
           mask_ends_with_loop(f, axis, op_operand(op, 1));
  if (KIND_IN(kind, OP_TILE_BROADCAST, OP_TILE_EXPAND_DIMS))
    return mask_ends_with_loop(f, axis, op_operand(op, 0));
  if (kind != OP_ARITH_CMPI)
    return false;
  MlirOperation left = value_definition(op_operand(op, 1));
  return op_integer(op, "predicate", -1) == I_LESS &&
         axis_info_of(axis, op_operand(op, 0))->non_negative &&
         op_is(session, left, OP_TILE_SPLAT) && is_what_is_left(f, op_operand(left, 0));
}

/* --- Whether ---------------------------------------------------------------------------------- */

/* By how much the steps may grow: 1 not at all. Fills f->ends_by_itself. */
static int64_t factor_of(struct coarsening *f, struct session *session, MlirOperation function,
                         int64_t size) {
  struct axis_analysis axis;
  int64_t factor = 1;
  axis_analysis_run(&axis, session, function);
  f->ends_by_itself = true;
  for (int i = 0; i < OPERANDS && factor > 0; i++) {
    int dim = k_dim(i);
    struct tile_load load = {0};
    MlirOperation op = coarsen_load(session, op_operand(f->dot, i), OP_TILE_LOAD, false, &dim);
    int64_t steps = 0;
    if (!mlirOperationIsNull(op) && tile_load_read(op, &load) &&
        type_is_tensor(mlirValueGetType(load.pointer)))
      steps = steps_in_line(session, &axis, op, dim, size);
    factor = steps == 0 ? 0 : steps > factor ? steps : factor;
    f->ends_by_itself &= steps > 0 && mask_ends_with_loop(f, &axis, load.mask);
  }
  axis_analysis_destroy(&axis);
  return factor < 1 ? 1 : factor;
}

/* Is all there that the larger step is made of? */
static bool may_coarsen(struct coarsening *f, struct pass_context *context,
                        MlirOperation function) {
  struct session *session = context->session;
  f->dot = coarsen_only_dot(session, f->loop, OP_TILE_LOAD);
  f->values.session = session;
  if (mlirOperationIsNull(f->dot) || op_has_attribute(f->dot, "max_imprecise") ||
      (f->accumulator = coarsen_accumulator(f->loop, f->dot)) < 0 ||
      attribute_number(f->loop, ATTR_UNROLL_FACTOR, 0) == 1)
    return false;
  int64_t shape[MAX_RANK];
  if (type_shape(op_operand_type(f->dot, 0), shape) != 2 ||
      !coarsen_sums_alike(session, f->dot, shape[1]) || !choose_stages(f, context, 2))
    return false;
  int64_t factor = factor_of(f, session, function, shape[1]);
  if (factor == 1 || !counts_up(f->values.session, f->loop, factor) ||
      !choose_stages(f, context, factor))
    return false;
  unroll_and_jam_create(&f->values, session, f->loop, shape[1], factor);
  return unroll_and_jam_may(&f->values, op_operand(f->dot, 0), k_dim(0)) &&
         unroll_and_jam_may(&f->values, op_operand(f->dot, 1), k_dim(1));
}

/* --- The rewrite ------------------------------------------------------------------------------ */

static void build_loop(struct coarsening *f, MlirOperation *out) {
  enum { MAX_VALUES = UNROLL_AND_JAM_CARRIED + 4 };
  struct unroll_and_jam *values = &f->values;
  struct builder *b = &values->outside;
  MlirValue in[MAX_VALUES];
  MlirType types[MAX_VALUES];
  intptr_t count = 0;
  unroll_and_jam_begin_carried(values);
  in[count++] = op_operand(f->loop, 0);
  in[count++] = op_operand(f->loop, 1);
  in[count++] = unroll_and_jam_stride(values, op_operand(f->loop, 2));
  in[count++] = op_operand(f->loop, f->accumulator + 3);
  for (intptr_t i = 0; i < UNROLL_AND_JAM_CARRIED; i++)
    if (values->carried[i].wanted)
      in[count++] = values->carried[i].before;
  for (intptr_t i = 2; i < count; i++)
    types[i - 2] = mlirValueGetType(in[i]); /* of the count, which has the step's, and the rest */
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  MlirRegion body = region_with_block(b, count - 2, types);
  *out = build_op(
      b, &(struct op_spec){.name = "scf.for",
                           .in = in,
                           .in_count = count,
                           .out = types + 1,
                           .out_count = count - 3,
                           .attributes = attributes,
                           .attribute_count = kept_attributes(f->loop, attributes, MAX_ATTRIBUTES),
                           REGIONS(body)});
  values->body = builder_at_end(b->context, op_body(*out, 0), mlirOperationGetLocation(f->dot));
  values->induction = mlirBlockGetArgument(op_body(*out, 0), 0);
  values->outside.before = *out;
  intptr_t argument = 2;
  for (intptr_t i = 0; i < UNROLL_AND_JAM_CARRIED; i++)
    if (values->carried[i].wanted)
      values->carried[i].inside = mlirBlockGetArgument(op_body(*out, 0), argument++);
}

/* What the loop did not do: iteration + part * step is at or after the end. No number overflows:
   the first one is not negative and before the end. */
static void mask_parts(struct coarsening *f, MlirOperation load, int dim) {
  struct unroll_and_jam *values = &f->values;
  struct builder b = builder_before(load);
  struct tile_load operands;
  tile_load_read(load, &operands);
  MlirValue left = build_binary(&b, "arith.subi", op_operand(f->loop, 1), values->induction);
  MlirValue reached = unroll_and_jam_multiples(values, op_operand(f->loop, 2));
  left = BUILD(&b, "tile.splat", IN(left), OUT(mlirValueGetType(reached)));
  MlirValue exists = build_compare(&b, I_LESS, reached, left);
  MlirType type = type_with_element(mlirValueGetType(operands.pointer), integer_type(&b, 1));
  MlirValue mask = unroll_and_jam_spread(&b, exists, type, dim);
  if (!mlirValueIsNull(operands.mask))
    mask = build_binary(&b, "arith.andi", operands.mask, mask);
  bool has_other = !mlirValueIsNull(operands.other);
  mlirOperationSetOperands(load, 2 + has_other,
                           (MlirValue[]){operands.pointer, mask, operands.other});
  mlirOperationSetAttributeByName(load, ref("operandSegmentSizes"),
                                  attribute_dense_i32(b.context, 3, (int32_t[]){1, 1, has_other}));
}

/* Without `other`, what is masked off is not defined; in a dot it has to be zero. */
static void add_zeros(MlirOperation load) {
  struct tile_load operands;
  tile_load_read(load, &operands);
  if (mlirValueIsNull(operands.mask) || !mlirValueIsNull(operands.other))
    return;
  struct builder b = builder_before(load);
  MlirValue other = build_uniform(&b, op_result_type(load, 0), 0);
  mlirOperationSetOperands(load, 3, (MlirValue[]){operands.pointer, operands.mask, other});
  mlirOperationSetAttributeByName(load, ref("operandSegmentSizes"),
                                  attribute_dense_i32(b.context, 3, (int32_t[]){1, 1, 1}));
}

static void coarsen(struct coarsening *f) {
  struct unroll_and_jam *values = &f->values;
  MlirOperation loop;
  build_loop(f, &loop);
  struct builder *b = &values->body;
  MlirOperation dot = mlirOperationClone(f->dot);
  for (int i = 0; i < OPERANDS; i++) {
    int dim = k_dim(i);
    MlirValue operand = unroll_and_jam_build(values, op_operand(f->dot, i), dim);
    MlirOperation load = coarsen_load(values->session, operand, OP_TILE_LOAD, false, &dim);
    if (!f->ends_by_itself)
      mask_parts(f, load, dim);
    add_zeros(load);
    mlirOperationSetOperand(dot, i, operand);
  }
  mlirOperationSetOperand(dot, 2, mlirBlockGetArgument(op_body(loop, 0), 1));
  mlirBlockAppendOwnedOperation(b->block, dot);
  MlirValue next[UNROLL_AND_JAM_CARRIED + 1] = {op_result(dot, 0)};
  intptr_t count = 1;
  for (intptr_t i = 0; i < UNROLL_AND_JAM_CARRIED; i++)
    if (values->carried[i].wanted)
      next[count++] = unroll_and_jam_next(values, i);
  build_op(b, &(struct op_spec){.name = "scf.yield", .in = next, .in_count = count});
  attribute_set_integer(loop, ATTR_NUM_STAGES, f->stages);
  if (f->stages < LEAST_STAGES)
    attribute_set_integer(loop, ATTR_FULL_STAGES, LEAST_STAGES);
  mlirValueReplaceAllUsesOfWith(op_result(f->loop, f->accumulator), op_result(loop, 0));
  mlirOperationDestroy(f->loop);
}

/* --- The pass --------------------------------------------------------------------------------- */

struct visit {
  struct pass_context *context;
  MlirOperation function;
};

static MlirWalkResult visit_loop(MlirOperation op, void *data) {
  struct visit *visit = data;
  if (kind_of(visit->context->session, op) == OP_FUNC)
    visit->function = op;
  if (kind_of(visit->context->session, op) != OP_SCF_FOR || mlirOperationIsNull(visit->function) ||
      !op_is_inside(op, visit->function))
    return MlirWalkResultAdvance;
  struct coarsening coarsening = {.loop = op};
  bool may = may_coarsen(&coarsening, visit->context, visit->function);
  if (may)
    coarsen(&coarsening);
  unroll_and_jam_destroy(&coarsening.values);
  return may ? MlirWalkResultSkip : MlirWalkResultAdvance;
}

MlirLogicalResult run_coarsen_k(struct pass_context *context, MlirOperation root) {
  struct visit visit = {.context = context};
  TRY_IR(verify_num_warps(root, "tile-coarsen-k", context->values[0].integer));
  mlirOperationWalk(root, visit_loop, &visit, MlirWalkPreOrder);
  return SUCCESS;
}
