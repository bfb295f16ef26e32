/* SPDX-License-Identifier: MIT */
/* See scratch.h. */
#include "analysis/scratch.h"

#include <stdlib.h>
#include "analysis/buffers.h"
#include "base/arena.h"
#include "base/numbers.h"
#include "base/status.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "ir/tile_ops.h"

unsigned memory_bytes(struct session *session, MlirType element) {
  return mlirTypeIsAIndex(element) ? 8 : type_bytes(&session->types, element);
}

int64_t tile_words(struct session *session, MlirType type) {
  const struct linear_layout *layout =
      type_is_tensor(type) ? layout_to_linear(&session->layouts, type) : NULL;
  int64_t bytes = layout ? memory_bytes(session, type_element(type)) : 0;
  return bytes ? (linear_layout_in_size(layout, LAYOUT_REGISTER) * bytes + 3) / 4 : 0;
}

/* --- Relabelling ------------------------------------------------------------------------------ */

/* The space of a tensor's shape; scalars have none. */
static struct layout_space space_of(MlirType type) {
  int64_t shape[MAX_RANK];
  struct layout_space space = {0};
  tile_status_free(layout_space_from_shape(shape, type_shape(type, shape), &space));
  return space;
}

/* The layout of a tensor, or of a scalar, which all threads of `like` hold. */
static struct linear_layout layout_or_copies(struct session *session, MlirType type,
                                             const struct linear_layout *like) {
  if (type_is_tensor(type))
    return *layout_to_linear(&session->layouts, type);
  struct linear_layout copies = {0};
  linear_layout_declare_in(&copies, LAYOUT_REGISTER);
  for (int dim = LAYOUT_LANE; dim <= LAYOUT_WARP; dim++) {
    linear_layout_declare_in(&copies, dim);
    for (int bit = 0; like && bit < like->in.bits[dim]; bit++)
      linear_layout_append(&copies, dim, 0);
  }
  return copies;
}

/* The layout of a join of two tensors: the new dimension, the fastest of all, is the first
   register. */
static struct linear_layout joined_layout(const struct linear_layout *part, MlirType whole) {
  struct layout_space space = space_of(whole);
  struct linear_layout joined = linear_layout_into(&space);
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_WARP; dim++) {
    linear_layout_declare_in(&joined, dim);
    if (dim == LAYOUT_REGISTER)
      linear_layout_append(&joined, dim, 1);
    for (int bit = 0; bit < part->in.bits[dim]; bit++)
      linear_layout_append(&joined, dim, linear_layout_basis(part, dim, bit) << 1);
  }
  return joined;
}

/* Of a permutation's result, or (back) of its operand. */
static struct linear_layout permuted_layout(MlirOperation op, const struct linear_layout *from,
                                            bool back) {
  int32_t order[MAX_RANK];
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, ref("order"));
  for (int32_t i = 0; i < mlirDenseArrayGetNumElements(attribute) && i < MAX_RANK; i++) {
    int32_t source = mlirDenseI32ArrayGetElement(attribute, i);
    order[back ? source : i] = back ? i : source;
  }
  return linear_layout_transpose(from, order);
}

static struct linear_layout relabel(struct session *session, MlirOperation op,
                                    const struct linear_layout *from) {
  MlirType result = op_result_type(op, 0);
  struct layout_space space = space_of(result);
  enum op_kind kind = kind_of(session, op);
  return kind == OP_TILE_RESHAPE   ? linear_layout_reshape(from, &space)
         : kind == OP_TILE_PERMUTE ? permuted_layout(op, from, false)
         : kind == OP_TILE_JOIN    ? joined_layout(from, result)
                                   : *from;
}

struct linear_layout relabelled_layout(struct session *session, MlirOperation op) {
  MlirType source = op_operand_type(op, 0), result = op_result_type(op, 0);
  const struct linear_layout *whole =
      type_is_tensor(result) ? layout_to_linear(&session->layouts, result) : NULL;
  struct linear_layout from = layout_or_copies(session, source, whole);
  return relabel(session, op, &from);
}

/* One half of `whole`: the register bit that tells halves apart taken out. False when there is
   none. */
static bool split_layout(const struct linear_layout *whole, MlirType part,
                         struct linear_layout *out) {
  struct layout_space space = space_of(part);
  struct linear_layout half = linear_layout_into(&space);
  bool found = false;
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_WARP; dim++) {
    linear_layout_declare_in(&half, dim);
    for (int bit = 0; bit < whole->in.bits[dim]; bit++) {
      uint32_t basis = linear_layout_basis(whole, dim, bit);
      if (basis == 1 && dim == LAYOUT_REGISTER && !found) {
        found = true;
        continue;
      }
      if (basis & 1)
        return false;
      linear_layout_append(&half, dim, basis >> 1);
    }
  }
  *out = half;
  return found;
}

bool relabelling_result(struct session *session, MlirOperation op, MlirType source,
                        struct linear_layout *out) {
  if (!type_is_tensor(op_result_type(op, 0)))
    return false;
  const struct linear_layout *from = layout_to_linear(&session->layouts, source);
  if (kind_of(session, op) == OP_TILE_SPLIT)
    return split_layout(from, op_result_type(op, 0), out);
  *out = relabel(session, op, from);
  return true;
}

bool relabelling_operand(struct session *session, MlirOperation op, MlirType result,
                         struct linear_layout *out) {
  MlirType source = op_operand_type(op, 0);
  const struct linear_layout *from = layout_to_linear(&session->layouts, result);
  struct layout_space space = space_of(source);
  enum op_kind kind = kind_of(session, op);
  if (kind == OP_TILE_JOIN)
    return split_layout(from, source, out);
  *out = kind == OP_TILE_RESHAPE   ? linear_layout_reshape(from, &space)
         : kind == OP_TILE_PERMUTE ? permuted_layout(op, from, true)
                                   : joined_layout(from, source);
  return true;
}

struct linear_layout layout_of_result(struct session *session, MlirOperation op) {
  MlirType source = op_operand_type(op, 0), result = op_result_type(op, 0);
  if (kind_of(session, op) != OP_TILE_SPLIT)
    return *layout_to_linear(&session->layouts, result);
  struct linear_layout part =
      layout_or_copies(session, result, layout_to_linear(&session->layouts, source));
  return joined_layout(&part, source);
}

/* Is `first` before `second` in their block? Null is after everything. */
static bool is_before(MlirOperation first, MlirOperation second) {
  while (!mlirOperationIsNull(first) && !mlirOperationEqual(first, second))
    first = mlirOperationGetNextInBlock(first);
  return !mlirOperationIsNull(first);
}

/* Bytes of the buffers in the block of `op` that nobody uses any more: their allocation is free for
 * it.
 */
static int64_t left_bytes(struct session *session, MlirOperation op) {
  int64_t bytes = 0, alignment;
  MlirOperation alloc = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !mlirOperationEqual(alloc, op); alloc = mlirOperationGetNextInBlock(alloc))
    if (kind_of(session, alloc) == OP_TILE_GPU_ALLOC) {
      MlirOperation last = buffer_last_use(session, alloc);
      bool free = !mlirOperationEqual(last, op) && is_before(last, op);
      bytes += free ? buffer_bytes(session, alloc, &alignment) : 0;
    }
  return bytes;
}

struct conversion_means relabelling_means(struct session *session, MlirOperation op) {
  MlirType type = op_operand_type(op, 0);
  int64_t rounds = attribute_number(op, ATTR_ROUND_BYTES, 0);
  struct conversion_means means = {.limit = rounds ? rounds : ROUND_BYTES,
                                   .matrices = machine_has(machine_of(op), FEATURE_STMATRIX)};
  if (!rounds && type_is_tensor(type) &&
      type_elements(type) * memory_bytes(session, type_element(type)) > ROUND_BYTES) {
    int64_t left = left_bytes(session, op);
    means.limit = left > ROUND_BYTES ? left : ROUND_BYTES;
  }
  return means;
}

struct rounds {
  struct session *session;
  int64_t bytes;
};

static MlirLogicalResult limit_rounds(MlirOperation op, void *data) {
  const struct rounds *rounds = data;
  if (!op_has(rounds->session, op, RELABELS))
    return SUCCESS;
  if (!rounds->bytes)
    attribute_remove(op, ATTR_ROUND_BYTES);
  else if (scratch_bytes(rounds->session, op) > rounds->bytes)
    attribute_set_integer(op, ATTR_ROUND_BYTES, rounds->bytes);
  return SUCCESS;
}

void relabelling_limit(struct session *session, MlirOperation root, int64_t bytes) {
  visit_operations(root, limit_rounds, &(struct rounds){session, bytes});
}

static struct layout_conversion relabelling_plan(struct session *session, MlirOperation op) {
  struct linear_layout from = relabelled_layout(session, op), to = layout_of_result(session, op);
  struct layout_conversion plan = {0};
  unsigned bytes = memory_bytes(session, type_element(op_operand_type(op, 0)));
  struct conversion_means means = relabelling_means(session, op);
  tile_status_free(conversion_plan_chunked(&from, &to, (int)bytes, &means, &plan));
  return plan;
}

/* --- Reductions and scans --------------------------------------------------------------------- */

/* Plans the conversion of all operands, which have their scratch from *bytes on; or, in turn, all
   of them through the scratch at 0, of at least *bytes. */
static tile_status plan_step(struct session *session, MlirOperation op, bool in_turn,
                             struct conversion_step *step, int64_t *bytes) {
  struct conversion_means means = {.limit = ROUND_BYTES, .block = true};
  step->needed = !linear_layout_equal(&step->from, &step->to);
  step->in_turn = in_turn && step->needed;
  for (intptr_t i = 0; step->needed && i < mlirOperationGetNumOperands(op); i++) {
    int element = (int)memory_bytes(session, type_element(op_operand_type(op, i)));
    TRY(in_turn ? conversion_plan_chunked(&step->from, &step->to, element, &means, &step->plan[i])
                : conversion_plan(&step->from, &step->to, element, &step->plan[i]));
    int64_t own = (step->plan[i].bytes + 15) / 16 * 16;
    step->offset[i] = in_turn ? 0 : *bytes;
    *bytes = !in_turn ? *bytes + own : own > *bytes ? own : *bytes;
  }
  return NULL;
}

/* All threads wait for one another in it. */
static bool step_is_shared(const struct conversion_step *step, int count) {
  bool shared = false;
  for (int i = 0; step->needed && i < count; i++)
    shared |= step->plan[i].kind == CONVERSION_SHARED;
  return shared;
}

/* The layout of the reduction's result: the layout's slice, which every thread then holds. */
static struct linear_layout sliced(const struct linear_layout *layout, int axis) {
  int rank = layout_space_rank(&layout->out);
  uint32_t kept = LAYOUT_ALL_DIMS & ~LAYOUT_SET(LAYOUT_DIM0 + axis);
  struct linear_layout slice = linear_layout_sublayout(layout, LAYOUT_ALL_DIMS, kept);
  for (int i = axis + 1; i < rank; i++)
    slice = linear_layout_rename_out(&slice, LAYOUT_DIM0 + i, LAYOUT_DIM0 + i - 1);
  return linear_layout_remove_zero_registers(&slice);
}

/* The same result, bit for bit, with the operands of each combination changed over? */
static bool is_symmetric(struct session *session, MlirOperation op) {
  bool symmetric = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    symmetric &= kind_has(reduce_combiner_of(session, op, i), IS_SYMMETRIC);
  return symmetric;
}

/* May a step between lanes combine half of the registers in each of two, rather than all in both?
   Where a warp combines integers, one instruction does it for all its lanes; of two registers the
   selects cost what shuffles save. */
static bool can_scatter(MlirOperation op, const struct reduction *plan) {
  bool whole = __builtin_popcount(plan->bits.lanes) == plan->layout.in.bits[LAYOUT_LANE];
  int bits = plan->layout.in.bits[LAYOUT_REGISTER] - __builtin_popcount(plan->bits.registers);
  bool can = plan->symmetric && plan->bits.lanes && bits > 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    can &= !(whole && mlirTypeIsAInteger(type_element(op_operand_type(op, i))));
  return can;
}

static tile_status plan_apart(struct session *session, MlirOperation op, struct reduction *out) {
  TRY(plan_step(session, op, false, &out->first, &out->bytes));
  TRY(plan_step(session, op, false, &out->across, &out->bytes));
  return plan_step(session, op, false, &out->last, &out->bytes);
}

/* Operands and results in turn through one allocation, and what warps exchange after it, if that
   is less. */
static tile_status plan_in_turn(struct session *session, MlirOperation op, struct reduction *out) {
  struct reduction *turns = tile_allocate(sizeof *turns);
  *turns = *out;
  turns->bytes = 0;
  tile_status status = plan_step(session, op, true, &turns->first, &turns->bytes);
  if (!status)
    status = plan_step(session, op, true, &turns->last, &turns->bytes);
  if (!status)
    status = plan_step(session, op, false, &turns->across, &turns->bytes);
  turns->last.waits =
      step_is_shared(&turns->first, out->count) && !step_is_shared(&turns->across, out->count);
  if (!status && turns->bytes < out->bytes)
    *out = *turns;
  free(turns);
  return status;
}

tile_status reduction_plan(struct session *session, MlirOperation op, struct reduction *out) {
  *out = (struct reduction){.count = (int)mlirOperationGetNumOperands(op),
                            .axis = (int)op_integer(op, "axis", 0)};
  bool scan = kind_of(session, op) == OP_TILE_SCAN;
  out->ordered = scan || op_has_attribute(op, "ordered");
  out->symmetric = !out->ordered && is_symmetric(session, op);
  struct linear_layout operand = *layout_to_linear(&session->layouts, op_operand_type(op, 0));
  out->layout = operand;
  bool fits = axis_bits_of(&operand, out->axis, &out->bits);
  if (!fits || (out->ordered && !out->bits.in_order) ||
      (out->ordered && !scan && out->bits.high_registers)) {
    out->layout = axis_ordered_layout(&operand, out->axis);
    axis_bits_of(&out->layout, out->axis, &out->bits);
  }
  out->first.from = operand;
  out->first.to = out->layout;
  out->can_scatter = can_scatter(op, out);
  uint32_t kept = scan ? out->bits.high_registers : 0;
  if (out->bits.warps) {
    out->across.from = axis_partial_layout(&out->layout, out->axis, kept);
    int in_registers =
        scan ? __builtin_popcount(out->bits.warps) : axis_gathered_registers(&out->bits);
    out->across.to =
        axis_gathered_layout(&out->layout, &out->across.from, out->axis, kept, in_registers);
    out->scatters = out->can_scatter;
    if (out->scatters)
      out->across.from = axis_scattered_layout(&out->across.from, out->bits.lanes);
  }
  MlirType result = op_result_type(op, 0);
  if (type_is_tensor(result)) {
    out->last.from = scan ? out->layout : sliced(&out->layout, out->axis);
    out->last.to = *layout_to_linear(&session->layouts, result);
  }
  TRY(plan_apart(session, op, out));
  if (!out->bits.warps && step_is_shared(&out->last, out->count) && out->can_scatter) {
    out->scatters = true;
    out->last.from = axis_scattered_layout(&out->last.from, out->bits.lanes);
    out->bytes = 0;
    TRY(plan_apart(session, op, out));
  }
  return out->bytes > ROUND_BYTES ? plan_in_turn(session, op, out) : NULL;
}

static int64_t reduction_bytes(struct session *session, MlirOperation op) {
  struct reduction *plan = tile_allocate(sizeof *plan);
  tile_status_free(reduction_plan(session, op, plan));
  int64_t bytes = plan->bytes;
  free(plan);
  return bytes;
}

/* --- Sorts, gathers --------------------------------------------------------------------------- */

tile_status sorting_plan(struct session *session, MlirOperation op, struct sorting *out) {
  *out = (struct sorting){.axis = (int)op_integer(op, "axis", 0)};
  MlirType result = op_result_type(op, 0);
  int64_t shape[MAX_RANK];
  type_shape(result, shape);
  out->first.from = *layout_to_linear(&session->layouts, op_operand_type(op, 0));
  out->first.to = out->layout = axis_sort_layout(&out->first.from, out->axis);
  out->last.from = out->top = axis_first_layout(&out->layout, out->axis, shape[out->axis]);
  out->last.to = *layout_to_linear(&session->layouts, result);
  TRY(plan_step(session, op, false, &out->first, &out->bytes));
  TRY(plan_step(session, op, false, &out->last, &out->bytes));
  if (out->bytes <= ROUND_BYTES)
    return NULL;
  out->bytes = 0;
  TRY(plan_step(session, op, true, &out->first, &out->bytes));
  TRY(plan_step(session, op, true, &out->last, &out->bytes));
  out->last.waits = step_is_shared(&out->first, 1);
  return NULL;
}

static int64_t sorting_bytes(struct session *session, MlirOperation op) {
  struct sorting *plan = tile_allocate(sizeof *plan);
  tile_status_free(sorting_plan(session, op, plan));
  int64_t bytes = plan->bytes;
  free(plan);
  return bytes;
}

/* --- Dots ------------------------------------------------------------------------------------- */

int64_t dot_operand_bytes(struct session *session, MlirOperation op, intptr_t operand) {
  MlirType type = op_operand_type(op, operand);
  int64_t bytes = type_elements(type) * memory_bytes(session, type_element(type));
  return (bytes + 15) / 16 * 16;
}

int64_t atomic_bytes(struct session *session, MlirOperation op) {
  MlirType type = op_result_type(op, 0);
  if (!value_is_used(op_result(op, 0)))
    return 0;
  bool copies = true; /* all threads hold a scalar */
  if (type_is_tensor(type)) {
    struct layout_point free_bits =
        linear_layout_free_masks(layout_to_linear(&session->layouts, type));
    copies = free_bits.at[LAYOUT_LANE] != 0 || free_bits.at[LAYOUT_WARP] != 0;
  }
  return copies ? type_elements(type) * memory_bytes(session, type_element(type)) : 0;
}

bool scratch_has_layouts(struct session *session, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (type_is_tensor(op_operand_type(op, i)) &&
        !layout_to_linear(&session->layouts, op_operand_type(op, i)))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (type_is_tensor(op_result_type(op, i)) &&
        !layout_to_linear(&session->layouts, op_result_type(op, i)))
      return false;
  return true;
}

static int64_t relabelling_bytes(struct session *session, MlirOperation op) {
  return relabelling_plan(session, op).bytes;
}

static int64_t gather_bytes(struct session *session, MlirOperation op) {
  MlirType source = op_operand_type(op, 0);
  return type_elements(source) * memory_bytes(session, type_element(source));
}

static int64_t dot_bytes(struct session *session, MlirOperation op) {
  if (dot_form_of(session, op, NULL) != DOT_MULTIPLY_ADDS)
    return 0;
  return dot_operand_bytes(session, op, 0) + dot_operand_bytes(session, op, 1);
}

/* Of operands that are in no buffer. */
static int64_t buffer_dot_bytes(struct session *session, MlirOperation op) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < 2; i++)
    if (type_is_tensor(op_operand_type(op, i)))
      bytes += dot_operand_bytes(session, op, i);
  return bytes;
}

static int64_t histogram_bytes(struct session *session, MlirOperation op) {
  (void)session;
  return 4 * type_elements(op_result_type(op, 0));
}

int64_t scratch_bytes(struct session *session, MlirOperation op) {
  static int64_t (*const rules[OP_KIND_COUNT])(struct session * session, MlirOperation op) = {
      [OP_TILE_GPU_CONVERT_LAYOUT] = relabelling_bytes,
      [OP_TILE_RESHAPE] = relabelling_bytes,
      [OP_TILE_PERMUTE] = relabelling_bytes,
      [OP_TILE_JOIN] = relabelling_bytes,
      [OP_TILE_SPLIT] = relabelling_bytes,
      [OP_TILE_REDUCE] = reduction_bytes,
      [OP_TILE_SCAN] = reduction_bytes,
      [OP_TILE_SORT] = sorting_bytes,
      [OP_TILE_GATHER] = gather_bytes,
      [OP_TILE_DOT] = dot_bytes,
      [OP_TILE_GPU_BUFFER_DOT] = buffer_dot_bytes,
      [OP_TILE_ATOMIC_RMW] = atomic_bytes,
      [OP_TILE_ATOMIC_CAS] = atomic_bytes,
      [OP_TILE_HISTOGRAM] = histogram_bytes,
  };
  enum op_kind kind = kind_of(session, op);
  return rules[kind] && scratch_has_layouts(session, op) ? rules[kind](session, op) : 0;
}

bool scratch_is_per_warp(struct session *session, MlirOperation op) {
  return scratch_has_layouts(session, op) && op_has(session, op, RELABELS) &&
         relabelling_plan(session, op).within_warp;
}

bool scratch_waits_for_block(struct session *session, MlirOperation op) {
  return scratch_bytes(session, op) > 0 && !scratch_is_per_warp(session, op);
}

/* --- Double-buffered scratch -----------------------------------------------------------------  */

int64_t double_buffer_bytes(MlirOperation op) {
  return attribute_number(op, ATTR_DOUBLE_BUFFER, 0);
}

/* From lb + k * step to the next one, bits below the lowest of `step` stay, and that one changes.
 */
int double_buffer_shift(struct session *session, MlirOperation loop) {
  int64_t step;
  if (!uniform_integer(session, op_operand(loop, 2), &step) ||
      !mlirTypeIsAInteger(op_operand_type(loop, 2)) || step <= 0)
    return -1;
  return log2_of(step);
}

struct counted {
  struct session *session;
  int users;
};

static MlirLogicalResult count_user(MlirOperation op, void *data) {
  struct counted *counted = data;
  bool alloc = kind_of(counted->session, op) == OP_TILE_GPU_ALLOC;
  counted->users += alloc || scratch_bytes(counted->session, op) > 0;
  return SUCCESS;
}

int64_t double_buffer_wanted(struct session *session, MlirOperation op) {
  enum { MAX_BYTES = 4096 };
  MlirOperation loop = mlirOperationGetParentOperation(op);
  int64_t bytes = scratch_bytes(session, op), buffer = SCRATCH_ALIGNMENT;
  if (!op_has(session, op, COMBINES) || kind_of(session, loop) != OP_SCF_FOR || bytes == 0 ||
      bytes > MAX_BYTES || double_buffer_shift(session, loop) < 0)
    return 0;
  struct counted counted = {.session = session};
  visit_operations(loop, count_user, &counted);
  while (buffer < bytes)
    buffer *= 2;
  return counted.users == 1 ? buffer : 0;
}
