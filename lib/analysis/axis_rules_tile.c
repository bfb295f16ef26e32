/* SPDX-License-Identifier: MIT */
/* Axis info through the operations of tile and tile_gpu: ranges, shapes, pointers, loads. */
#include "analysis/axis_rules.h"

/* Numbers of a launch: any, but never negative. */
static void program_rule(const struct axis_case *at, struct axis_info *out) {
  (void)at;
  out->non_negative = true;
}

/* start, start + 1, ...: one run as long as the tensor. */
static void range_rule(const struct axis_case *at, struct axis_info *out) {
  int64_t start = op_integer(at->op, "start", 1);
  out->contiguity[0] = axis_power_of_two(type_elements(op_result_type(at->op, 0)));
  out->divisibility[0] = axis_power_of_two(start);
  out->non_negative = start >= 0;
}

static void splat_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *in = axis_operand(at, 0);
  for (int d = 0; d < out->rank; d++) {
    out->divisibility[d] = in->divisibility[0];
    out->constancy[d] = AXIS_MAX;
  }
  out->non_negative = in->non_negative;
  out->is_constant = in->is_constant;
  out->constant = in->constant;
}

/* A dimension that grows from 1 is constant; the others stay. */
static void broadcast_rule(const struct axis_case *at, struct axis_info *out) {
  int64_t from[MAX_RANK], to[MAX_RANK];
  MlirType source = op_operand_type(at->op, 0), result = op_result_type(at->op, 0);
  if (type_shape(source, from) != type_shape(result, to))
    return;
  *out = *axis_operand(at, 0);
  for (int d = 0; d < out->rank; d++)
    if (from[d] != to[d])
      out->constancy[d] = AXIS_MAX;
}

/* The new dimension has one position, so all elements begin a run there: its divisor is that of
   every element, which the driver fills in from the other dimensions. */
static void expand_dims_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *in = axis_operand(at, 0);
  int64_t axis = op_integer(at->op, "axis", 0);
  for (int d = 0, from = 0; d < out->rank; d++) {
    if (d == axis)
      continue;
    out->contiguity[d] = in->contiguity[from];
    out->divisibility[d] = in->divisibility[from];
    out->constancy[d] = in->constancy[from];
    from++;
  }
  out->non_negative = in->non_negative;
  out->is_constant = in->is_constant;
  out->constant = in->constant;
}

/* Elements keep their row-major order. A dimension of the result counts either from where one of
   the operand's does, and has its runs, or in steps within one; a longer one goes on in the next.
 */
static void reshape_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *in = axis_operand(at, 0);
  int64_t from[MAX_RANK], to[MAX_RANK];
  int d = type_shape(op_operand_type(at->op, 0), from) - 1;
  int rank = type_shape(op_result_type(at->op, 0), to);
  int64_t below = 1, step = 1; /* elements after one of dimension d, and of e */
  for (int e = rank - 1; e >= 0; step *= to[e--]) {
    while (d > 0 && below * from[d] <= step)
      below *= from[d--];
    int64_t within = step / below, size = from[d] / within;
    out->contiguity[e] = within == 1 ? smaller(in->contiguity[d], to[e]) : 1;
    out->divisibility[e] = axis_divisibility_at(in, d, out->contiguity[e]);
    out->constancy[e] = larger(in->constancy[d] / within, 1);
    for (int next = d - 1; next >= 0 && out->constancy[e] == size; size *= from[next--])
      out->constancy[e] *= in->constancy[next];
  }
  out->non_negative = in->non_negative;
  out->is_constant = in->is_constant;
  out->constant = in->constant;
}

/* pointer + offset * bytes, a sum once the offset is scaled. */
static void addptr_rule(const struct axis_case *at, struct axis_info *out) {
  struct axis_info offset = *axis_operand(at, 1);
  offset.element_bytes = out->element_bytes;
  for (int d = 0; d < out->rank; d++)
    offset.divisibility[d] = smaller(offset.divisibility[d] * out->element_bytes, AXIS_MAX);
  axis_add(axis_operand(at, 0), &offset, out);
}

/* The same 64 bits, counted in other units: runs survive when the unit's size does. */
static void retype_rule(const struct axis_case *at, struct axis_info *out) {
  const struct axis_info *in = axis_operand(at, 0);
  for (int d = 0; d < out->rank; d++) {
    int64_t run = in->element_bytes == out->element_bytes ? in->contiguity[d] : 1;
    out->contiguity[d] = run;
    out->divisibility[d] = axis_divisibility_at(in, d, run);
    out->constancy[d] = in->constancy[d];
  }
}

/* Equal addresses under equal masks give equal values, unless memory may change in between. */
static void load_rule(const struct axis_case *at, struct axis_info *out) {
  if (!op_has_attribute(at->op, "volatile"))
    axis_elementwise(at, out);
}

void axis_same(const struct axis_case *at, struct axis_info *out) {
  if (type_same_shape(op_operand_type(at->op, 0), op_result_type(at->op, 0)))
    *out = *axis_operand(at, 0);
}

/* Only between types that differ in layout. */
static void cast_rule(const struct axis_case *at, struct axis_info *out) {
  if (mlirOperationGetNumOperands(at->op) == 1 &&
      mlirTypeEqual(type_element(op_operand_type(at->op, 0)),
                    type_element(op_result_type(at->op, 0))))
    axis_same(at, out);
}

static axis_rule *const rules[OP_KIND_COUNT] = {
    [OP_TILE_PROGRAM_ID] = program_rule,
    [OP_TILE_NUM_PROGRAMS] = program_rule,
    [OP_TILE_RANGE] = range_rule,
    [OP_TILE_SPLAT] = splat_rule,
    [OP_TILE_BROADCAST] = broadcast_rule,
    [OP_TILE_EXPAND_DIMS] = expand_dims_rule,
    [OP_TILE_RESHAPE] = reshape_rule,
    [OP_TILE_ADDPTR] = addptr_rule,
    [OP_TILE_PTR_TO_INT] = retype_rule,
    [OP_TILE_INT_TO_PTR] = retype_rule,
    [OP_TILE_BITCAST] = retype_rule,
    [OP_TILE_LOAD] = load_rule,
    [OP_TILE_GPU_CONVERT_LAYOUT] = axis_same,
    [OP_UNREALIZED_CAST] = cast_rule,
};

axis_rule *axis_tile_rule(enum op_kind kind) {
  return rules[kind];
}
