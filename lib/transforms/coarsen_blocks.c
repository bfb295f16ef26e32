/* SPDX-License-Identifier: MIT */
/* See coarsen_blocks.h.

     for %k = 0 to cdiv(%K, 32) step 1 {
       %a = descriptor_load %da, %m, 32 %k : 128x32
       %b = descriptor_load %db, 32 %k, %n : 32x128
       %d = dot %a, %b, %sum

   ->

     for %k = 0 to cdiv(%K, 32) step 2 {
       %a = descriptor_load %wa, %m, 32 %k : 128x64
       %b = descriptor_load %wb, 32 %k, %n : 64x128
       %d = dot %a, %b, %sum

   What tile-coarsen-k does to tiles of pointers; here masks are not needed. The last step may have
   iterations that the loop did not have: they lie after the end of both tensors, of which the copy
   engine makes zeros, because the loop ends where the tensors do. That has to be known: the blocks
   follow one another along K from 0 on, and the loop ends at the size, or at the size divided by
   the step and rounded up. */
#include "transforms/coarsen_blocks.h"

#include "analysis/linear_form.h"
#include "analysis/loop_stages.h"
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/tile_ops.h"
#include "transforms/coarsen_loop.h"

enum { OPERANDS = 2, LEAST_STAGES = 3 };

struct coarsening {
  struct session *session;
  struct form_reader reader;
  MlirOperation loop, dot;
  MlirOperation loads[OPERANDS];
  int dims[OPERANDS]; /* of a load's block, along K */
  int64_t size, factor, step;
};

/* --- The loop's form -------------------------------------------------------------------------- */

/* A number that the loop carries and adds a constant to, in *advance. */
static bool advances(struct session *session, MlirOperation loop, intptr_t index,
                     MlirOperation *sum, int64_t *advance) {
  MlirBlock body = op_body(loop, 0);
  *sum = value_definition(op_operand(mlirBlockGetTerminator(body), index));
  return op_is(session, *sum, OP_ARITH_ADDI) &&
         mlirValueEqual(op_operand(*sum, 0), mlirBlockGetArgument(body, index + 1)) &&
         uniform_integer(session, op_operand(*sum, 1), advance);
}

/* Besides the sum: numbers that advance by constants, which a larger step can do at once, and what
   stays as it is. */
static bool carries_little(const struct coarsening *c) {
  MlirBlock body = op_body(c->loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body), sum;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(c->loop); i++) {
    int64_t advance;
    MlirValue next = op_operand(yield, i);
    if (mlirValueEqual(next, op_result(c->dot, 0)) ||
        mlirValueEqual(next, mlirBlockGetArgument(body, i + 1)))
      continue;
    if (!advances(c->session, c->loop, i, &sum, &advance) || advance > INT32_MAX / c->factor ||
        advance < INT32_MIN / c->factor)
      return false;
  }
  return true;
}

/* --- Operands --------------------------------------------------------------------------------- */

static bool changes_in_loop(const struct coarsening *c, const struct linear_form *form) {
  for (int i = 0; i < form->count; i++)
    if (term_changes_in(c->session, &form->terms[i], c->loop))
      return true;
  return false;
}

/* Is `offset` the loop's count so many times that a step is `size` elements: 0, size, 2 size ...?
 */
static bool counts_blocks(struct coarsening *c, MlirValue offset) {
  struct linear_form form;
  if (!form_of(&c->reader, offset, &form) || form.count != 1)
    return false;
  const struct form_term *term = &form.terms[0];
  return term->dim < 0 && term->scalar_count == 1 &&
         mlirValueEqual(term->scalars[0], mlirBlockGetArgument(op_body(c->loop, 0), 0)) &&
         term->factor > 0 && c->step <= INT32_MAX / term->factor &&
         term->factor * c->step == c->size;
}

static bool forms_are_equal(struct coarsening *c, MlirValue x, MlirValue y) {
  struct linear_form a, b;
  return form_of(&c->reader, x, &a) && form_of(&c->reader, y, &b) && form_add(&a, &b, -1) &&
         form_is_zero(&a);
}

/* Does the loop end where elements of this dimension do: at `size`, counting elements, or at
   (size + block - 1) / block, counting blocks? */
static bool ends_at(struct coarsening *c, MlirValue size) {
  MlirValue end = op_operand(c->loop, 1);
  int64_t divisor, added;
  if (c->step == c->size)
    return forms_are_equal(c, end, size);
  MlirOperation quotient = value_definition(end);
  if (c->step != 1 || !op_is(c->session, quotient, OP_ARITH_DIVSI) ||
      !uniform_integer(c->session, op_operand(quotient, 1), &divisor) || divisor != c->size)
    return false;
  MlirOperation sum = value_definition(op_operand(quotient, 0));
  return op_is(c->session, sum, OP_ARITH_ADDI) &&
         uniform_integer(c->session, op_operand(sum, 1), &added) && added == c->size - 1 &&
         forms_are_equal(c, op_operand(sum, 0), size);
}

static bool may_coarsen_load(struct coarsening *c, int index) {
  struct tile_descriptor descriptor;
  MlirOperation load = c->loads[index], make = value_definition(op_operand(load, 0));
  if (!op_is(c->session, make, OP_TILE_MAKE_DESCRIPTOR) ||
      !tile_descriptor_read(make, &descriptor) || descriptor.pads_with_nan)
    return false;
  int outer = descriptor.rank - (int)mlirShapedTypeGetRank(op_result_type(load, 0));
  int along = outer + c->dims[index];
  if (!ends_at(c, descriptor.sizes[along]))
    return false;
  for (int d = 0; d < descriptor.rank; d++) {
    struct linear_form form;
    bool fits = d == along ? counts_blocks(c, op_operand(load, 1 + d))
                           : form_of(&c->reader, op_operand(load, 1 + d), &form) &&
                                 !changes_in_loop(c, &form);
    if (!fits)
      return false;
  }
  return true;
}

/* --- Whether ---------------------------------------------------------------------------------- */

/* Steps that fill a cache line with a row of the block, where its rows are along K; else 1. */
static int64_t steps_in_line(struct coarsening *c, int index) {
  MlirType block = op_result_type(c->loads[index], 0);
  int64_t line = machine_of(c->loop)->line_bytes,
          row = c->size * type_bytes(&c->session->types, type_element(block));
  bool rows = c->dims[index] == (int)mlirShapedTypeGetRank(block) - 1;
  return rows && row < line ? line / row : 1;
}

static bool counts_up(struct coarsening *c) {
  int64_t first;
  MlirType type = op_operand_type(c->loop, 0);
  return (type_is_integer(type, 32) || type_is_integer(type, 64)) &&
         !op_has_attribute(c->loop, "unsignedCmp") &&
         uniform_integer(c->session, op_operand(c->loop, 0), &first) && first == 0 &&
         uniform_integer(c->session, op_operand(c->loop, 2), &c->step) && c->step > 0;
}

static bool may_coarsen(struct coarsening *c) {
  int64_t shape[MAX_RANK];
  c->dot = coarsen_only_dot(c->session, c->loop, OP_TILE_DESCRIPTOR_LOAD);
  if (mlirOperationIsNull(c->dot) || op_has_attribute(c->dot, "max_imprecise") ||
      coarsen_accumulator(c->loop, c->dot) < 0 ||
      attribute_number(c->loop, ATTR_UNROLL_FACTOR, 0) == 1 || !counts_up(c) ||
      type_shape(op_operand_type(c->dot, 0), shape) != 2)
    return false;
  c->size = shape[1];
  c->factor = 1;
  for (int i = 0; i < OPERANDS; i++) {
    c->dims[i] = i == 0 ? 1 : 0;
    c->loads[i] =
        coarsen_load(c->session, op_operand(c->dot, i), OP_TILE_DESCRIPTOR_LOAD, true, &c->dims[i]);
    if (mlirOperationIsNull(c->loads[i]))
      return false;
    int64_t steps = steps_in_line(c, i);
    c->factor = steps > c->factor ? steps : c->factor;
  }
  return c->factor > 1 && c->step <= INT32_MAX / c->factor &&
         coarsen_sums_alike(c->session, c->dot, c->size) && carries_little(c) &&
         may_coarsen_load(c, 0) && may_coarsen_load(c, 1);
}

/* --- The rewrite ------------------------------------------------------------------------------ */

static MlirType wider(const struct coarsening *c, MlirType type, int dim) {
  int64_t shape[MAX_RANK];
  int rank = type_shape(type, shape);
  shape[dim] *= c->factor;
  return tensor_type(rank, shape, type_element(type), (MlirAttribute){0});
}

/* The descriptor, the load, and what is made of it up to the product. */
static void widen_operand(struct coarsening *c, int index) {
  MlirOperation load = c->loads[index];
  MlirType block = wider(c, op_result_type(load, 0), c->dims[index]);
  MlirOperation old = value_definition(op_operand(load, 0)), make = mlirOperationClone(old);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(old), old, make);
  mlirValueSetType(op_result(make, 0), descriptor_for(&c->session->types, block));
  mlirOperationSetOperand(load, 0, op_result(make, 0));
  int dim = index == 0 ? 1 : 0;
  for (MlirValue value = op_operand(c->dot, index);;
       value = op_operand(value_definition(value), 0)) {
    MlirOperation op = value_definition(value);
    mlirValueSetType(value, wider(c, mlirValueGetType(value), dim));
    if (mlirOperationEqual(op, load))
      return;
    if (op_is(c->session, op, OP_TILE_PERMUTE))
      dim = mlirDenseI32ArrayGetElement(mlirOperationGetAttributeByName(op, ref("order")), dim);
  }
}

static void advance_more(struct coarsening *c) {
  MlirOperation yield = mlirBlockGetTerminator(op_body(c->loop, 0)), sum;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(c->loop); i++) {
    int64_t advance;
    if (!advances(c->session, c->loop, i, &sum, &advance))
      continue;
    struct builder b = builder_before(yield);
    MlirValue more = build_integer_of(&b, op_operand_type(sum, 1), advance * c->factor);
    mlirOperationSetOperand(yield, i, build_binary(&b, "arith.addi", op_operand(sum, 0), more));
  }
}

bool coarsen_blocks(struct session *session, struct axis_analysis *axis, MlirOperation loop) {
  struct coarsening c = {
      .session = session, .loop = loop, .reader = {.session = session, .axis = axis, .loop = loop}};
  if (!may_coarsen(&c))
    return false;
  advance_more(&c);
  for (int i = 0; i < OPERANDS; i++)
    widen_operand(&c, i);
  struct builder b = builder_before(loop);
  mlirOperationSetOperand(loop, 2,
                          build_integer_of(&b, op_operand_type(loop, 2), c.step * c.factor));
  int64_t stages = loop_num_stages(loop);
  int64_t fewer = (stages + c.factor) / c.factor;
  if (stages >= LEAST_STAGES)
    attribute_set_integer(loop, ATTR_NUM_STAGES, fewer < LEAST_STAGES ? LEAST_STAGES : fewer);
  return true;
}
