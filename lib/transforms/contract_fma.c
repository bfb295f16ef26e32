/* SPDX-License-Identifier: MIT */
/* tile-contract-fma: a product that is only added to something becomes part of a fused
   multiply-add.

     %p = arith.mulf %a, %b          %s = math.fma %a, %b, %c
     %s = arith.addf %p, %c    ->

   Likewise p - c is fma(a, b, -c) and c - p is fma(-a, b, c). Of two products the first is taken.

   So is a product that only a tile.reduce sums: the reduction gets the attribute
   tile.fused_products, and its lowering takes the factors of every second element.

   Needs: any IR. Keeps: everything but the product's own rounding. The product must have this one
   use and stand in the same block: one that several sums share, or that a loop keeps outside, is
   computed once as it is. LLVM never contracts for us, as that would differ between the device and
   the emulator. */
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"

const struct pass_option contract_fma_options[] = {
    {"fma", OPTION_BOOLEAN, "true", "false: leave multiplications and additions apart"}, {0}};

/* The product after operand `index` of `sum` if it may be fused, or a null operation. */
static MlirOperation fusible_product(struct session *session, MlirOperation sum, intptr_t index) {
  MlirValue operand = op_operand(sum, index);
  MlirOperation product = value_definition(operand);
  bool fusible = op_is(session, product, OP_ARITH_MULF) && value_has_one_use(operand) &&
                 mlirBlockEqual(mlirOperationGetBlock(product), mlirOperationGetBlock(sum));
  return fusible ? product : (MlirOperation){0};
}

static void contract_reduction(struct session *session, MlirOperation reduce) {
  if (reduce_combiner(session, reduce) == OP_ARITH_ADDF && !op_has_attribute(reduce, "ordered") &&
      !mlirOperationIsNull(fusible_product(session, reduce, 0)))
    attribute_set_unit(reduce, ATTR_FUSED_PRODUCTS);
}

static MlirLogicalResult contract(MlirOperation sum, void *data) {
  struct session *session = data;
  enum op_kind kind = kind_of(session, sum);
  if (kind == OP_TILE_REDUCE) {
    contract_reduction(session, sum);
    return SUCCESS;
  }
  bool subtracts = kind == OP_ARITH_SUBF;
  if (!subtracts && kind != OP_ARITH_ADDF)
    return SUCCESS;
  intptr_t index = 0;
  MlirOperation product = fusible_product(session, sum, index);
  if (mlirOperationIsNull(product))
    product = fusible_product(session, sum, ++index);
  if (mlirOperationIsNull(product))
    return SUCCESS;
  struct builder b = builder_before(sum);
  MlirType type = op_result_type(sum, 0);
  MlirValue x = op_operand(product, 0), y = op_operand(product, 1);
  MlirValue addend = op_operand(sum, 1 - index);
  if (subtracts && index == 0)
    addend = BUILD(&b, "arith.negf", IN(addend), OUT(type));
  if (subtracts && index == 1)
    x = BUILD(&b, "arith.negf", IN(x), OUT(type));
  MlirValue fused = BUILD(&b, "math.fma", IN(x, y, addend), OUT(type));
  replace_op(sum, &fused);
  mlirOperationDestroy(product);
  return SUCCESS;
}

MlirLogicalResult run_contract_fma(struct pass_context *context, MlirOperation root) {
  return context->values[0].integer ? visit_operations(root, contract, context->session) : SUCCESS;
}
