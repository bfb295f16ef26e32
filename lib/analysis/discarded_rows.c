/* SPDX-License-Identifier: MIT */
/* See discarded_rows.h. */
#include "analysis/discarded_rows.h"

#include "analysis/mask_bounds.h"
#include "analysis/row_axis.h"
#include "ir/tile_ops.h"

enum { MAX_FOLLOWED = 512 };

/* Values that have something of the rows, and along which dimension. */
struct rows {
  struct form_reader *reader;
  const struct linear_form *start, *size;
  struct {
    MlirValue value;
    int dim;
  } list[MAX_FOLLOWED];
  int count;
};

static bool fail(struct rows *rows, const char *problem) {
  rows->reader->problem = problem;
  return false;
}

static bool push(struct rows *rows, MlirValue value, int dim) {
  for (int i = 0; i < rows->count; i++)
    if (mlirValueEqual(rows->list[i].value, value) && rows->list[i].dim == dim)
      return true;
  if (rows->count == MAX_FOLLOWED)
    return fail(rows, "too much is computed of what lies after the end");
  rows->list[rows->count].value = value;
  rows->list[rows->count++].dim = dim;
  return true;
}

static bool push_results(struct rows *rows, MlirOperation op, int dim) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (!push(rows, op_result(op, i), dim))
      return false;
  return true;
}

static bool fail_mixed(struct rows *rows) {
  return fail(rows, "what lies after the end is wrapped, and mixed with the rest");
}

/* --- Operations ------------------------------------------------------------------------------- */

/* Of a product [.., M, K] x [.., K, N] + [.., M, N]: M and N are the result's. */
static bool follow_dot(struct rows *rows, MlirOperation op, intptr_t operand, int dim) {
  int rank = (int)mlirShapedTypeGetRank(op_result_type(op, 0));
  bool summed = (operand == 0 && dim == rank - 1) || (operand == 1 && dim == rank - 2);
  return operand <= 2 && !summed ? push_results(rows, op, dim) : fail_mixed(rows);
}

static bool follow_permute(struct rows *rows, MlirOperation op, int dim) {
  return push_results(rows, op, row_axis_after(rows->reader->session, op, dim));
}

/* Dimensions up to this one keep their places. */
static bool follow_reshape(struct rows *rows, MlirOperation op, int dim) {
  int64_t from[MAX_RANK], to[MAX_RANK];
  type_shape(op_operand_type(op, 0), from);
  int rank = type_shape(op_result_type(op, 0), to);
  for (int d = 0; d <= dim; d++)
    if (d >= rank || from[d] != to[d])
      return fail_mixed(rows);
  return op_has_attribute(op, "reorder") ? fail_mixed(rows) : push_results(rows, op, dim);
}

static bool follow_combination(struct rows *rows, MlirOperation op, enum op_kind kind, int dim) {
  int64_t axis = op_integer(op, "axis", 0);
  if (dim == axis)
    return fail_mixed(rows);
  return push_results(rows, op, kind == OP_TILE_REDUCE && dim > axis ? dim - 1 : dim);
}

/* What a loop or a branch yields; what a loop begins with. */
static bool follow_yield(struct rows *rows, MlirOperation op, intptr_t operand, int dim) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  bool loop = op_is(rows->reader->session, parent, OP_SCF_FOR);
  if (!loop && !op_is(rows->reader->session, parent, OP_SCF_IF))
    return fail_mixed(rows);
  return push(rows, op_result(parent, operand), dim) &&
         (!loop || push(rows, mlirBlockGetArgument(op_body(parent, 0), operand + 1), dim));
}

static bool follow_into_loop(struct rows *rows, MlirOperation op, intptr_t operand, int dim) {
  return operand >= 3 && push(rows, op_result(op, operand - 3), dim) &&
         push(rows, mlirBlockGetArgument(op_body(op, 0), operand - 2), dim);
}

/* --- Stores ----------------------------------------------------------------------------------- */

/* size - start, which is where positions end. */
static bool is_end(struct rows *rows, const struct linear_form *rest) {
  struct linear_form difference = *rest;
  return form_add(&difference, rows->start, 1) && form_add(&difference, rows->size, -1) &&
         form_is_zero(&difference);
}

static bool mask_ends(struct rows *rows, MlirValue mask, int dim) {
  struct mask_bounds bounds;
  mask_bounds_read(rows->reader, mask, true, &bounds);
  for (int i = 0; i < bounds.count; i++)
    if (bounds.list[i].dim == dim && bounds.list[i].below && is_end(rows, &bounds.list[i].rest))
      return true;
  return fail(rows, "what lies after the end is wrapped, and stored without that bound");
}

static bool follow_store(struct rows *rows, MlirOperation op, intptr_t operand, int dim) {
  struct tile_store store;
  if (operand != 1 || !tile_store_read(op, &store))
    return fail_mixed(rows);
  return mask_ends(rows, store.mask, dim);
}

static bool follow_atomic(struct rows *rows, MlirOperation op, intptr_t operand, int dim) {
  MlirValue mask = {0};
  if (mlirOperationGetNumOperands(op) == 3)
    mask = op_operand(op, 2);
  return operand == 1 && !value_is_used(op_result(op, 0)) ? mask_ends(rows, mask, dim)
                                                          : fail_mixed(rows);
}

/* A descriptor's store begins at the same place, and its tensor ends where this one does. */
static bool follow_descriptor_store(struct rows *rows, MlirOperation op, intptr_t operand,
                                    int dim) {
  struct tile_descriptor descriptor;
  struct linear_form start, rest;
  MlirOperation made = value_definition(op_operand(op, 0));
  if (operand != 1 || !op_is(rows->reader->session, made, OP_TILE_MAKE_DESCRIPTOR) ||
      !tile_descriptor_read(made, &descriptor))
    return fail_mixed(rows);
  return (form_of(rows->reader, op_operand(op, 2 + dim), &start) &&
          form_of(rows->reader, descriptor.sizes[dim], &rest) && form_add(&rest, &start, -1) &&
          is_end(rows, &rest)) ||
         fail(rows, "what lies after the end is wrapped, and stored without that bound");
}

/* --- The search ------------------------------------------------------------------------------- */

static bool follow(struct rows *rows, MlirOperation op, intptr_t operand, int dim) {
  enum op_kind kind = kind_of(rows->reader->session, op);
  if (op_info(&rows->reader->session->names, op)->effects == EFFECTS_PURE_MAY_TRAP)
    return fail(rows, "what lies after the end is wrapped, and divided by");
  if (op_has(rows->reader->session, op, IS_ELEMENTWISE) || kind == OP_TILE_BROADCAST)
    return push_results(rows, op, dim);
  if (kind == OP_TILE_EXPAND_DIMS)
    return push_results(rows, op, dim >= op_integer(op, "axis", 0) ? dim + 1 : dim);
  if (kind == OP_TILE_PERMUTE)
    return follow_permute(rows, op, dim);
  if (kind == OP_TILE_RESHAPE)
    return follow_reshape(rows, op, dim);
  if (KIND_IN(kind, OP_TILE_REDUCE, OP_TILE_SCAN))
    return follow_combination(rows, op, kind, dim);
  if (kind == OP_TILE_DOT)
    return follow_dot(rows, op, operand, dim);
  if (kind == OP_SCF_YIELD)
    return follow_yield(rows, op, operand, dim);
  if (kind == OP_SCF_FOR)
    return follow_into_loop(rows, op, operand, dim);
  if (kind == OP_TILE_STORE)
    return follow_store(rows, op, operand, dim);
  if (kind == OP_TILE_ATOMIC_RMW)
    return follow_atomic(rows, op, operand, dim);
  if (kind == OP_TILE_DESCRIPTOR_STORE)
    return follow_descriptor_store(rows, op, operand, dim);
  return fail_mixed(rows);
}

bool rows_are_discarded(struct form_reader *reader, MlirValue tile, int dim,
                        const struct linear_form *start, const struct linear_form *size) {
  struct rows rows = {.reader = reader, .start = start, .size = size};
  push(&rows, tile, dim);
  for (int i = 0; i < rows.count; i++) {
    MlirOpOperand use = mlirValueGetFirstUse(rows.list[i].value);
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!follow(&rows, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use),
                  rows.list[i].dim))
        return false;
  }
  return true;
}
