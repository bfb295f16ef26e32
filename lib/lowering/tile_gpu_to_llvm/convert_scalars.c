/* SPDX-License-Identifier: MIT */
/* tile-convert-scalars: arithmetic and branches on scalars and vectors as operations of the llvm
   dialect.

   Needs: kernels without tensors, loops as branches. Keeps: what each operation computes; one for
   one, nothing is folded. Leaves: what is not in scalars.def, or has types or flags that LLVM has
   not (fp8, rounding modes), to upstream's conversions, which come after it and do the same at
   several times the cost: their rewriter keeps what it would need to undo each replacement. */
#include <mlir-c/Dialect/LLVM.h>
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/types.h"

struct scalar_rule {
  enum op_kind kind;
  const char *name;
  const char *flags, *unit; /* "": none */
};

static const struct scalar_rule scalar_rules[] = {
#define X(kind_, name_, flags_, unit_) {OP_##kind_, name_, flags_, unit_},
#include "lowering/tile_gpu_to_llvm/scalars.def"
#undef X
};

struct scalars {
  struct session *session;
  const struct scalar_rule *rules[OP_KIND_COUNT]; /* by kind; NULL: none */
  MlirAttribute no_overflow, no_fastmath;
};

static bool has_llvm_type(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsALLVMPointerType(type))
    return true;
  if (mlirTypeIsAVector(type))
    type = mlirShapedTypeGetElementType(type);
  return mlirTypeIsAInteger(type) || mlirTypeIsAF32(type) || mlirTypeIsAF16(type) ||
         mlirTypeIsABF16(type) || mlirTypeIsAF64(type);
}

static bool takes_llvm_types(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!has_llvm_type(op_operand(op, i)))
      return false;
  return true;
}

static MlirAttribute inherent(MlirOperation op, const char *name) {
  return mlirOperationGetInherentAttributeByName(op, ref(name));
}

/* Are its flags and types such as the rule's operation has without saying so? */
static bool is_plain(struct scalars *s, MlirOperation op, const struct scalar_rule *rule) {
  if (*rule->unit && !mlirAttributeIsNull(inherent(op, rule->unit)))
    return false;
  if (*rule->flags) {
    MlirAttribute flags = inherent(op, rule->flags);
    if (!mlirAttributeIsNull(flags) && !mlirAttributeEqual(flags, s->no_overflow) &&
        !mlirAttributeEqual(flags, s->no_fastmath))
      return false;
  }
  return takes_llvm_types(op) && has_llvm_type(op_result(op, 0));
}

/* `name` with the operands, results and branches of `op`, and one of its attributes, in its place.
   A comparison's numbers for predicates are the same in both dialects. */
static void replace(MlirOperation op, const char *name, const char *attribute) {
  MlirOperationState state = mlirOperationStateGet(ref(name), mlirOperationGetLocation(op));
  enum { OPERANDS_AT_ONCE = 8 };
  MlirValue operands[OPERANDS_AT_ONCE];
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t first = 0; first < count; first += OPERANDS_AT_ONCE) {
    intptr_t some = 0;
    while (some < OPERANDS_AT_ONCE && first + some < count) {
      operands[some] = op_operand(op, first + some);
      some++;
    }
    mlirOperationStateAddOperands(&state, some, operands);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    mlirOperationStateAddResults(&state, 1, (MlirType[]){op_result_type(op, i)});
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(op); i++)
    mlirOperationStateAddSuccessors(&state, 1, (MlirBlock[]){mlirOperationGetSuccessor(op, i)});
  if (attribute) {
    MlirNamedAttribute named =
        attribute_named(mlirOperationGetContext(op), attribute, inherent(op, attribute));
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  MlirOperation replacement = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, replacement);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    mlirValueReplaceAllUsesOfWith(op_result(op, i), op_result(replacement, i));
  mlirOperationDestroy(op);
}

static MlirLogicalResult convert(MlirOperation op, void *data) {
  struct scalars *s = data;
  enum op_kind kind = kind_of(s->session, op);
  if (kind == OP_ARITH_CONSTANT && has_llvm_type(op_result(op, 0)))
    replace(op, "llvm.mlir.constant", "value");
  else if (kind == OP_CF_BRANCH && takes_llvm_types(op))
    replace(op, "llvm.br", NULL);
  else if (kind == OP_CF_COND_BRANCH && takes_llvm_types(op) &&
           mlirAttributeIsNull(inherent(op, "branch_weights")))
    replace(op, "llvm.cond_br", "operandSegmentSizes");
  else if (s->rules[kind] && is_plain(s, op, s->rules[kind]))
    replace(op, s->rules[kind]->name,
            KIND_IN(kind, OP_ARITH_CMPI, OP_ARITH_CMPF) ? "predicate" : NULL);
  return SUCCESS;
}

MlirLogicalResult run_convert_scalars(struct pass_context *context, MlirOperation root) {
  MlirContext mlir = mlirOperationGetContext(root);
  struct scalars s = {.session = context->session,
                      .no_overflow = mlirAttributeParseGet(mlir, ref("#arith.overflow<none>")),
                      .no_fastmath = mlirAttributeParseGet(mlir, ref("#arith.fastmath<none>"))};
  for (size_t i = 0; i < sizeof scalar_rules / sizeof *scalar_rules; i++)
    s.rules[scalar_rules[i].kind] = &scalar_rules[i];
  return visit_operations(root, convert, &s);
}
