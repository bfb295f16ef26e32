/* SPDX-License-Identifier: MIT */
/* The rules of the tile_gpu and tile_ptx dialects' operations. */
#include "ir/verify.h"

MlirLogicalResult verify_convert_layout(struct session *session, MlirOperation op) {
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

MlirLogicalResult verify_ptx_load(struct session *session, MlirOperation op) {
  return verify_access(session, op, op_result_type(op, 0));
}

MlirLogicalResult verify_ptx_store(struct session *session, MlirOperation op) {
  return verify_access(session, op, op_operand_type(op, 1));
}

static bool is_word_of(MlirOperation op, const char *name, const char *const *words) {
  MlirStringRef word = op_string(op, name);
  for (; *words; words++)
    if (ref_equals(word, *words))
      return true;
  return false;
}

static MlirLogicalResult verify_ptx_order(MlirOperation op) {
  static const char *const sems[] = {"relaxed", "acquire", "release", "acq_rel", NULL};
  static const char *const scopes[] = {"cta", "gpu", "sys", NULL};
  if (!is_word_of(op, "sem", sems) || !is_word_of(op, "scope", scopes))
    return fail_op(op, "sem is relaxed, acquire, release or acq_rel; scope is cta, gpu or sys");
  return SUCCESS;
}

/* Several floats, which atom.add takes: 2, 4 or 8 of 16 bits, 2 or 4 of 32. */
static bool is_float_vector(MlirType type) {
  if (!mlirTypeIsAVector(type) || mlirShapedTypeGetRank(type) != 1 ||
      mlirVectorTypeIsScalable(type))
    return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  int64_t count = mlirShapedTypeGetDimSize(type, 0);
  bool half = mlirTypeIsAF16(element) || mlirTypeIsABF16(element);
  return (half || mlirTypeIsAF32(element)) && (count == 2 || count == 4 || (count == 8 && half));
}

/* PTX ISA, atom: what each kind takes. */
MlirLogicalResult verify_ptx_rmw(struct session *session, MlirOperation op) {
  static const char *const kinds[] = {"add", "max", "min", "umax", "umin",
                                      "and", "or",  "xor", "xchg", NULL};
  if (!is_word_of(op, "kind", kinds))
    return fail_op(op, "kind is add, max, min, umax, umin, and, or, xor or xchg");
  MlirType type = op_result_type(op, 0);
  MlirStringRef kind = op_string(op, "kind");
  bool word = type_is_integer(type, 32) || type_is_integer(type, 64);
  bool bits = type_bits(&session->types, type) >= 32 && type_is_number(type);
  bool extremum = ref_equals(kind, "max") || ref_equals(kind, "min");
  bool half = mlirTypeIsAF16(type) || mlirTypeIsABF16(type);
  bool fits = ref_equals(kind, "add")    ? word || type_is_float(type) || is_float_vector(type)
              : ref_equals(kind, "xchg") ? bits
                                         : word || (half && extremum);
  if (!fits)
    return fail_op(op, "the value is i32 or i64; of floats there are add and xchg, of 16-bit "
                       "floats add, max and min, of up to 16 bytes of floats add");
  return verify_ptx_order(op);
}

MlirLogicalResult verify_ptx_cas(struct session *session, MlirOperation op) {
  MlirType type = op_result_type(op, 0);
  if (!type_is_number(type) || type_bits(&session->types, type) < 16)
    return fail_op(op, "the value has 16, 32 or 64 bits");
  return verify_ptx_order(op);
}

/* PTX ISA, cp.async: .cg takes 16 bytes only. */
MlirLogicalResult verify_ptx_cp_async(struct session *session, MlirOperation op) {
  (void)session;
  static const char *const caches[] = {"ca", "cg", NULL};
  int64_t bytes = op_integer(op, "bytes", 0);
  if (!is_word_of(op, "cache", caches))
    return fail_op(op, "cache is ca or cg");
  if (bytes != 16 && (ref_equals(op_string(op, "cache"), "cg") || (bytes != 4 && bytes != 8)))
    return fail_op(op, "bytes is 4, 8 or 16 with cache ca, 16 with cg");
  return SUCCESS;
}
