/* SPDX-License-Identifier: MIT */
/* The rules of tile_ptx's tensor-core operations: types, shapes and the number of registers of each
   operand, from base/mma.h. Results follow the accumulators. */
#include "ir/build_llvm.h"
#include "ir/mma_attributes.h"
#include "ir/verify_tile_ptx.h"

static const char attributes_problem[] = "shape is array<i32: m, n, k>, a_type and b_type are f16, "
                                         "bf16, tf32, f8E4M3FN, f8E5M2, i8, ui8 or "
                                         "f64, c_type, where it is given, f16";

bool registers_are(MlirOperation op, intptr_t first, intptr_t count, bool (*is)(MlirType)) {
  for (intptr_t i = first; i < first + count; i++)
    if (!is(op_operand_type(op, i)))
      return false;
  return true;
}

bool register_is_i32(MlirType type) {
  return type_is_integer(type, 32);
}

bool register_is_f32(MlirType type) {
  return mlirTypeIsAF32(type);
}

static bool register_is_f64(MlirType type) {
  return mlirTypeIsAF64(type);
}

bool attribute_is_boolean(MlirOperation op, const char *name) {
  MlirAttribute value = mlirOperationGetAttributeByName(op, ref(name));
  return !mlirAttributeIsNull(value) && mlirAttributeIsABool(value);
}

MlirLogicalResult verify_results_follow(MlirOperation op, intptr_t first, intptr_t count) {
  bool same = mlirOperationGetNumResults(op) == count;
  for (intptr_t i = 0; same && i < count; i++)
    same = mlirTypeEqual(op_result_type(op, i), op_operand_type(op, first + i));
  return same ? SUCCESS : fail_op(op, "there is one result for each accumulator, of its type");
}

static MlirLogicalResult verify_mma_counts(MlirOperation op, const struct mma_shape *shape,
                                           const intptr_t counts[3]) {
  intptr_t a = mma_a_registers(shape), b = mma_b_registers(shape), c = mma_c_registers(shape);
  if (counts[0] != a || counts[1] != b || counts[2] != c)
    return fail_op(
        op, "m%un%uk%u of %s takes %d registers of a, %d of b and %d of c; it has %d, %d and %d",
        shape->m, shape->n, shape->k, mma_numbers[shape->a].mlir, (int)a, (int)b, (int)c,
        (int)counts[0], (int)counts[1], (int)counts[2]);
  bool doubles = shape->a == MMA_F64;
  if (!registers_are(op, 0, a + b, doubles ? register_is_f64 : register_is_i32))
    return fail_op(op, "registers of a and b are %s",
                   doubles ? "f64" : "i32, with elements packed");
  if (!registers_are(op, a + b, c,
                     doubles               ? register_is_f64
                     : shape->c == MMA_F32 ? register_is_f32
                                           : register_is_i32))
    return fail_op(op, "accumulators are f64, f32, or i32 (which hold two f16 with c_type = f16)");
  return verify_results_follow(op, a + b, c);
}

MlirLogicalResult verify_mma(struct session *session, MlirOperation op) {
  (void)session;
  intptr_t counts[3] = {op_segment(op, 3, 0), op_segment(op, 3, 1), op_segment(op, 3, 2)};
  if (counts[0] < 1 || counts[1] < 1 || counts[2] < 1)
    return fail_op(op, "operandSegmentSizes has the numbers of registers of a, b and c");
  struct mma_shape shape;
  enum machine_feature needed;
  if (!mma_attributes(op, op_operand_type(op, counts[0] + counts[1]), &shape))
    return fail_op(op, "%s", attributes_problem);
  const char *problem = mma_problem(&shape, &needed);
  if (problem)
    return fail_op(op, "%s", problem);
  return verify_mma_counts(op, &shape, counts);
}

/* --- ldmatrix, stmatrix ----------------------------------------------------------------------- */

static MlirLogicalResult verify_matrices(MlirOperation op, intptr_t count) {
  if (!is_llvm_pointer(op_operand_type(op, 0), SPACE_SHARED))
    return fail_op(op, "the address is a !llvm.ptr<3>, of shared memory");
  if (count != 1 && count != 2 && count != 4)
    return fail_op(op, "there are 1, 2 or 4 matrices, and a register for each");
  if (!attribute_is_boolean(op, "transpose"))
    return fail_op(op, "transpose is true or false");
  return SUCCESS;
}

MlirLogicalResult verify_ldmatrix(struct session *session, MlirOperation op) {
  (void)session;
  intptr_t count = mlirOperationGetNumResults(op);
  TRY_IR(verify_matrices(op, count));
  if (op_integer(op, "count", 0) != count)
    return fail_op(op, "count is the number of results, %d", (int)count);
  return SUCCESS;
}

MlirLogicalResult verify_stmatrix(struct session *session, MlirOperation op) {
  (void)session;
  return verify_matrices(op, mlirOperationGetNumOperands(op) - 1);
}
