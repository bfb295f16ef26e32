/* SPDX-License-Identifier: MIT */
/* See reduce_operand.h. */
#include "lowering/tile_gpu_to_llvm/reduce_operand.h"

#include <math.h>
#include "ir/tile_ops.h"

/* A reshape that leaves each register where it is. */
static bool renames_nothing(struct lowering *lw, MlirOperation op) {
  if (!op_is(lw->session, op, OP_TILE_RESHAPE))
    return false;
  struct linear_layout from = relabelled_layout(lw->session, op);
  struct linear_layout to = layout_of_result(lw->session, op);
  return linear_layout_equal(&from, &to);
}

/* The product whose elements are summed, if its factors may be taken instead; else null. */
static MlirOperation fused_product(const struct reducing *s, int operand) {
  MlirOperation product = value_definition(op_operand(s->op, operand));
  if (s->plan->first.needed || !reduce_fuses_product(s->op, operand))
    return (MlirOperation){0};
  if (!mlirOperationIsNull(product) && renames_nothing(s->lw, product))
    product = value_definition(op_operand(product, 0));
  return op_is(s->lw->session, product, OP_ARITH_MULF) ? product : (MlirOperation){0};
}

/* --- Masks ------------------------------------------------------------------------------------ */

/* Is the tile `value` one number, which combined with itself is itself? For products, and for sums,
   that is +0. */
static bool stays_itself(struct session *session, enum op_kind combiner, MlirValue value) {
  MlirAttribute one = uniform_number(session, value);
  if (mlirAttributeIsNull(one))
    return false;
  bool is_float = mlirAttributeIsAFloat(one);
  double number = is_float ? mlirFloatAttrGetValueDouble(one) : 0;
  if (KIND_IN(combiner, OP_ARITH_ADDF, OP_ARITH_ADDI))
    return is_float ? number == 0 && !signbit(number)
                    : mlirAttributeIsAInteger(one) && mlirIntegerAttrGetValueInt(one) == 0;
  return !isnan(number) &&
         KIND_IN(combiner, OP_ARITH_MAXNUMF, OP_ARITH_MINNUMF, OP_ARITH_MAXIMUMF, OP_ARITH_MINIMUMF,
                 OP_ARITH_MAXSI, OP_ARITH_MINSI, OP_ARITH_MAXUI, OP_ARITH_MINUI);
}

static bool is_used_by_others(MlirValue value, MlirOperation user) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!mlirOperationEqual(mlirOpOperandGetOwner(use), user))
      return true;
  return false;
}

/* How many neighbouring registers, the first of them a multiple of that, have the same mask and are
   reduced to one. */
static int registers_of_one_mask(const struct reducing *s, MlirOperation select) {
  struct lowering *lw = s->lw;
  const struct linear_layout *layout =
      layout_to_linear(&lw->session->layouts, op_result_type(select, 0));
  int64_t most = 1;
  for (int dim = 0; dim < layout_space_rank(&layout->out); dim++) {
    int64_t run = linear_layout_contiguous_run(layout, (enum layout_dim)(LAYOUT_DIM0 + dim));
    int64_t same = axis_mask_constancy(&lw->axis, op_operand(select, 0), dim);
    run = run < same ? run : same;
    most = run > most ? run : most;
  }
  while ((s->plan->bits.registers & (uint32_t)(most - 1)) != (uint32_t)(most - 1))
    most /= 2;
  return (int)most;
}

/* The select that makes what is reduced, if all its elements are used for that only; else null. */
static MlirOperation find_select(const struct reducing *s, int operand, MlirOperation product) {
  struct session *session = s->lw->session;
  bool is_product = !mlirOperationIsNull(product);
  MlirOperation user = is_product ? product : s->op;
  MlirValue value = op_operand(user, is_product ? 0 : operand);
  MlirOperation select = value_definition(value);
  bool found =
      !s->plan->first.needed && op_is(session, select, OP_ARITH_SELECT) &&
      type_is_tensor(op_operand_type(select, 0)) && !is_used_by_others(value, user) &&
      (!is_product || mlirValueEqual(value, op_operand(product, 1))) &&
      stays_itself(session, reduce_combiner_of(session, s->op, operand), op_operand(select, 2));
  return found ? select : (MlirOperation){0};
}

static void take_unmasked(struct reducing *s, int operand, MlirOperation select,
                          struct reduce_operand *out) {
  const struct lowered *taken = lowered_of(s->lw, op_operand(select, 1));
  out->mask = lowered_of(s->lw, op_operand(select, 0));
  out->otherwise = lowered_of(s->lw, op_operand(select, 2));
  for (int r = 0; r < s->count; r++) {
    MlirValue x = register_value(s->lw, taken, r);
    s->element[r].value[operand] =
        out->left ? BUILD(&s->lw->b, "arith.mulf", IN(x, x), OUT(mlirValueGetType(x))) : x;
  }
  if (out->left)
    out->left = out->right = taken;
}

void reduce_operands_find(struct reducing *s, struct reduce_operands *out) {
  *out = (struct reduce_operands){0};
  for (int i = 0; i < s->plan->count; i++) {
    struct reduce_operand *operand = &out->of[i];
    MlirOperation product = fused_product(s, i), select = find_select(s, i, product);
    if (!mlirOperationIsNull(product)) {
      operand->left = lowered_of(s->lw, op_operand(product, 0));
      operand->right = lowered_of(s->lw, op_operand(product, 1));
    }
    operand->same_mask = mlirOperationIsNull(select) ? 1 : registers_of_one_mask(s, select);
    if (operand->same_mask > 1)
      take_unmasked(s, i, select, operand);
  }
}

MlirLogicalResult reduce_operands_combine(struct reducing *s, const struct reduce_operands *from,
                                          uint32_t r, const struct element *left,
                                          const struct element *right, struct element *out) {
  struct element both = {0};
  int products = 0;
  for (int i = 0; i < s->plan->count; i++)
    products += from->of[i].left != NULL;
  if (products < s->plan->count)
    TRY_IR(reducing_combine(s, left, right, &both));
  for (int i = 0; i < s->plan->count; i++) {
    if (!from->of[i].left)
      continue;
    MlirValue a = register_value(s->lw, from->of[i].left, (int)r),
              b = register_value(s->lw, from->of[i].right, (int)r);
    both.value[i] =
        BUILD(&s->lw->b, "math.fma", IN(a, b, right->value[i]), OUT(mlirValueGetType(a)));
  }
  *out = both;
  return SUCCESS;
}

void reduce_operands_mask(struct reducing *s, const struct reduce_operands *from, uint32_t r,
                          int combined, struct element *e) {
  for (int i = 0; i < s->plan->count; i++) {
    const struct reduce_operand *operand = &from->of[i];
    if (operand->same_mask != combined)
      continue;
    MlirValue condition = register_value(s->lw, operand->mask, (int)r);
    MlirValue otherwise = register_value(s->lw, operand->otherwise, (int)r);
    e->value[i] = BUILD(&s->lw->b, "arith.select", IN(condition, e->value[i], otherwise),
                        OUT(mlirValueGetType(otherwise)));
  }
}
