/* SPDX-License-Identifier: MIT */
/* See mask_prefix.h. */
#include "analysis/mask_prefix.h"

#include "analysis/axis_rules.h"

enum { MAX_STEPS = 32, MAX_DEPTH = 8, LEAST_BITS = 32 };

/* Which operand of a comparison is less where it holds: 0, 1, or -1 for neither. */
static intptr_t lesser_operand(int64_t predicate, bool *out_equal) {
  *out_equal = predicate == PREDICATE_SLE || predicate == PREDICATE_ULE ||
               predicate == PREDICATE_SGE || predicate == PREDICATE_UGE;
  switch (predicate) {
  case PREDICATE_SLT:
  case PREDICATE_SLE:
  case PREDICATE_ULT:
  case PREDICATE_ULE:
    return 0;
  case PREDICATE_SGT:
  case PREDICATE_SGE:
  case PREDICATE_UGT:
  case PREDICATE_UGE:
    return 1;
  default:
    return -1;
  }
}

/* The value that `mask` is a broadcast of, and its dimension there. */
static MlirValue look_through(struct session *session, MlirValue mask, int *dim) {
  for (int step = 0; step < MAX_STEPS; step++) {
    MlirOperation op = value_definition(mask);
    if (mlirOperationIsNull(op))
      return mask;
    enum op_kind kind = kind_of(session, op);
    if (kind == OP_TILE_EXPAND_DIMS) {
      if (op_integer(op, "axis", 0) == *dim)
        return mask;
      *dim -= op_integer(op, "axis", 0) < *dim;
    } else if (kind == OP_TILE_BROADCAST) {
      int64_t from[MAX_RANK], to[MAX_RANK];
      type_shape(op_operand_type(op, 0), from);
      type_shape(op_result_type(op, 0), to);
      if (from[*dim] != to[*dim])
        return mask;
    } else if (kind != OP_TILE_GPU_CONVERT_LAYOUT) {
      return mask;
    }
    mask = op_operand(op, 0);
  }
  return mask;
}

/* On aligned runs no number wraps, so the order is that of counting. */
static int64_t comparison_run(struct axis_analysis *analysis, MlirOperation op, int dim,
                              intptr_t offset) {
  const struct axis_info *grows = axis_info_of(analysis, op_operand(op, offset));
  const struct axis_info *bound = axis_info_of(analysis, op_operand(op, 1 - offset));
  if (type_bits(&analysis->session->types, type_element(op_operand_type(op, 0))) < LEAST_BITS ||
      dim >= grows->rank)
    return 1;
  int64_t run = smaller(grows->contiguity[dim], grows->divisibility[dim]);
  return smaller(run, bound->constancy[dim]);
}

MlirOperation mask_comparison(struct axis_analysis *analysis, MlirValue mask, int dim,
                              intptr_t *out_offset, bool *out_equal) {
  MlirOperation none = {0}, op = value_definition(look_through(analysis->session, mask, &dim));
  if (mlirOperationIsNull(op) || kind_of(analysis->session, op) != OP_ARITH_CMPI)
    return none;
  *out_offset = lesser_operand(op_integer(op, "predicate", PREDICATE_EQ), out_equal);
  return *out_offset >= 0 && comparison_run(analysis, op, dim, *out_offset) > 1 ? op : none;
}

static int64_t prefix(struct axis_analysis *analysis, MlirValue mask, int dim, int depth) {
  int64_t equal = axis_mask_constancy(analysis, mask, dim), run = 1;
  MlirOperation op = value_definition(look_through(analysis->session, mask, &dim));
  if (mlirOperationIsNull(op) || depth == MAX_DEPTH)
    return equal;
  enum op_kind kind = kind_of(analysis->session, op);
  bool inside;
  if (kind == OP_ARITH_ANDI || kind == OP_ARITH_ORI) {
    run = smaller(prefix(analysis, op_operand(op, 0), dim, depth + 1),
                  prefix(analysis, op_operand(op, 1), dim, depth + 1));
  } else if (kind == OP_ARITH_CMPI) {
    intptr_t offset = lesser_operand(op_integer(op, "predicate", PREDICATE_EQ), &inside);
    run = offset < 0 ? 1 : comparison_run(analysis, op, dim, offset);
  }
  return larger(equal, run);
}

int64_t mask_prefix(struct axis_analysis *analysis, MlirValue mask, int dim) {
  return mlirValueIsNull(mask) ? AXIS_MAX : prefix(analysis, mask, dim, 0);
}
