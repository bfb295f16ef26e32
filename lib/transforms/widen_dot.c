/* SPDX-License-Identifier: MIT */
/* tile-widen-dot: dots of fp8 that the target's tensor cores do not take, or would sum up too
   coarsely, as dots of f16.

     %d = tile.dot %a, %b, %c {max_imprecise = 0 : i32}        %x = arith.extf %a
       : (tensor<..xf8E4M3FN>, tensor<..xf8E5M2>, ..)     ->   %y = arith.extf %b
                                                               %d = tile.dot %x, %y, %c :
                                                               (tensor<..xf16>, tensor<..xf16>, ..)

   Needs: tensors without layouts; the module's target. Keeps: what is computed: f16 holds every
   number of f8E4M3FN and f8E5M2. Which: all where the target has no fp8; elsewhere those that ask
   for sums of fewer products (max_imprecise) than an instruction adds up. */
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/passes.h"

enum { PRODUCTS = 32 /* of an instruction, along k */ };

struct widening {
  struct session *session;
  bool has_fp8;
};

static MlirLogicalResult widen(MlirOperation dot, void *data) {
  const struct widening *w = data;
  if (kind_of(w->session, dot) != OP_TILE_DOT ||
      !type_is_fp8(type_element(op_operand_type(dot, 0))))
    return SUCCESS;
  if (w->has_fp8 && op_integer(dot, "max_imprecise", PRODUCTS) >= PRODUCTS)
    return SUCCESS;
  struct builder b = builder_before(dot);
  MlirType f16 = mlirF16TypeGet(b.context);
  for (intptr_t i = 0; i < 2; i++) {
    MlirValue narrow = op_operand(dot, i);
    MlirType type = type_with_element(mlirValueGetType(narrow), f16);
    mlirOperationSetOperand(dot, i, BUILD(&b, "arith.extf", IN(narrow), OUT(type)));
  }
  mlirOperationRemoveAttributeByName(dot, ref("max_imprecise"));
  return SUCCESS;
}

MlirLogicalResult run_widen_dot(struct pass_context *context, MlirOperation root) {
  struct widening w = {.session = context->session,
                       .has_fp8 = machine_has(machine_of(root), FEATURE_FP8)};
  return visit_operations(root, widen, &w);
}
