/* The rules of the tile_gpu and tile_ptx dialects' operations. */
#include "ir/verify.h"

static MlirLogicalResult verify_convert_layout(struct session *session, MlirOperation op) {
  (void)session;
  MlirType source = op_operand_type(op, 0), result = op_result_type(op, 0);
  if (!type_is_tensor(source) || !type_is_tensor(result))
    return fail_op(op, "operand and result are tensors");
  if (!type_same_shape(source, result) ||
      !mlirTypeEqual(type_element(source), type_element(result)))
    return fail_op(op, "shape and element type stay the same; only the layout changes");
  if (mlirAttributeIsNull(type_layout(source)) || mlirAttributeIsNull(type_layout(result)))
    return fail_op(op, "operand and result have a layout; run tile-assign-layouts first");
  return SUCCESS;
}

verify_rule *verify_tile_gpu_rule(enum op_kind kind) {
  return kind == OP_TILE_GPU_CONVERT_LAYOUT ? verify_convert_layout : NULL;
}

/* Bits of an LLVM-typed value in registers: a number or a vector of numbers; 0 for anything else.
 */
static int64_t register_bits(struct session *session, MlirType type) {
  if (!mlirTypeIsAVector(type))
    return type_bits(&session->types, type);
  int64_t count = mlirShapedTypeGetDimSize(type, 0);
  if (mlirShapedTypeGetRank(type) != 1 || mlirVectorTypeIsScalable(type) || count > 16)
    return 0;
  return count * type_bits(&session->types, mlirShapedTypeGetElementType(type));
}

static MlirLogicalResult verify_access(struct session *session, MlirOperation op, MlirType value) {
  int64_t bits = register_bits(session, value);
  if (bits < 8 || bits > 128 || (bits & (bits - 1)) != 0)
    return fail_op(op, "an access is 1, 2, 4, 8 or 16 bytes wide");
  return SUCCESS;
}

static MlirLogicalResult verify_ptx_load(struct session *session, MlirOperation op) {
  return verify_access(session, op, op_result_type(op, 0));
}

static MlirLogicalResult verify_ptx_store(struct session *session, MlirOperation op) {
  return verify_access(session, op, op_operand_type(op, 1));
}

verify_rule *verify_tile_ptx_rule(enum op_kind kind) {
  switch ((int)kind) {
  case OP_TILE_PTX_LOAD:
    return verify_ptx_load;
  case OP_TILE_PTX_STORE:
    return verify_ptx_store;
  default:
    return NULL;
  }
}
