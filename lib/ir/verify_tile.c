/* SPDX-License-Identifier: MIT */
/* The rules of the tile dialect's first operations (ids, ranges, shapes, pointers, loads and
   stores), and the table of all. Wording matches dialects/tile/ops.def. */
#include "ir/tile_ops.h"
#include "ir/verify_tile.h"

MlirLogicalResult verify_program_axis(struct session *session, MlirOperation op) {
  (void)session;
  return verify_axis(op, 3);
}

MlirLogicalResult verify_range(struct session *session, MlirOperation op) {
  (void)session;
  MlirType type = op_result_type(op, 0);
  MlirAttribute start_attribute = mlirOperationGetAttributeByName(op, ref("start"));
  MlirAttribute end_attribute = mlirOperationGetAttributeByName(op, ref("end"));
  if (!mlirAttributeIsAInteger(start_attribute) || !mlirAttributeIsAInteger(end_attribute))
    return fail_op(op, "start and end are i32 attributes");
  int64_t start = mlirIntegerAttrGetValueInt(start_attribute);
  int64_t end = mlirIntegerAttrGetValueInt(end_attribute);
  if (start < INT32_MIN || end > INT32_MAX)
    return fail_op(op, "start and end are 32-bit integers");
  if (end <= start)
    return fail_op(op, "end = %lld is not above start = %lld", (long long)end, (long long)start);
  int64_t length = end - start;
  if ((length & (length - 1)) != 0)
    return fail_op(op, "end - start = %lld is not a power of two; take the next one and mask",
                   (long long)length);
  if (!type_is_tensor(type) || mlirShapedTypeGetRank(type) != 1 ||
      !type_is_integer(type_element(type), 32))
    return fail_op(op, "the result is a 1-D tensor of i32");
  if (type_elements(type) != length)
    return fail_op(op, "end - start = %lld, but the result has %lld elements", (long long)length,
                   (long long)type_elements(type));
  return SUCCESS;
}

MlirLogicalResult verify_splat(struct session *session, MlirOperation op) {
  (void)session;
  MlirType source = op_operand_type(op, 0), result = op_result_type(op, 0);
  if (type_is_tensor(source))
    return fail_op(op, "the operand is a scalar; tile.broadcast takes tensors");
  if (!type_is_tensor(result))
    return fail_op(op, "the result is a tensor");
  if (!mlirTypeEqual(source, type_element(result)))
    return fail_types(op, "operand and element type differ; convert the operand first", source,
                      result);
  return SUCCESS;
}

MlirLogicalResult verify_broadcast(struct session *session, MlirOperation op) {
  (void)session;
  MlirType source = op_operand_type(op, 0), result = op_result_type(op, 0);
  TRY_IR(verify_tensors(op, source, result));
  int64_t from[MAX_RANK], to[MAX_RANK];
  int rank = type_shape(source, from);
  if (rank != type_shape(result, to))
    return fail_types(op, "ranks differ; use tile.expand_dims first", source, result);
  for (int i = 0; i < rank; i++)
    if (from[i] != to[i] && from[i] != 1)
      return fail_op(op, "dimension %d goes from %lld to %lld; only 1 can grow", i,
                     (long long)from[i], (long long)to[i]);
  if (!mlirAttributeEqual(type_layout(source), type_layout(result)) &&
      !mlirAttributeIsNull(type_layout(source)))
    return fail_types(op, "operand and result have one layout; insert tile_gpu.convert_layout",
                      source, result);
  return SUCCESS;
}

static MlirLogicalResult verify_expand_layout(struct session *session, MlirOperation op,
                                              int64_t axis) {
  MlirAttribute source = type_layout(op_operand_type(op, 0));
  MlirAttribute result = type_layout(op_result_type(op, 0));
  if (mlirAttributeIsNull(source) || mlirAttributeIsNull(result))
    return SUCCESS;
  if (!mlirAttributeEqual(source, slice_attribute(&session->layouts, (int)axis, result)))
    return fail_types(op,
                      "the operand's layout is the result's, sliced along axis; insert "
                      "tile_gpu.convert_layout",
                      op_operand_type(op, 0), op_result_type(op, 0));
  return SUCCESS;
}

MlirLogicalResult verify_expand_dims(struct session *session, MlirOperation op) {
  MlirType source = op_operand_type(op, 0), result = op_result_type(op, 0);
  TRY_IR(verify_tensors(op, source, result));
  int64_t from[MAX_RANK], to[MAX_RANK];
  int rank = type_shape(source, from);
  if (type_shape(result, to) != rank + 1)
    return fail_types(op, "the result has one dimension more; add one at a time", source, result);
  TRY_IR(verify_axis(op, rank + 1));
  int64_t axis = op_integer(op, "axis", 0);
  for (int i = 0; i <= rank; i++) {
    int64_t expected = i == axis ? 1 : from[i < axis ? i : i - 1];
    if (to[i] != expected)
      return fail_op(op, "dimension %d of the result is %lld, expected %lld", i, (long long)to[i],
                     (long long)expected);
  }
  return verify_expand_layout(session, op, axis);
}

MlirLogicalResult verify_addptr(struct session *session, MlirOperation op) {
  MlirType pointer = op_operand_type(op, 0), offset = op_operand_type(op, 1);
  TRY_IR(verify_pointer(session, op, pointer));
  if (!type_is_integer(type_element(offset), 32) && !type_is_integer(type_element(offset), 64))
    return fail_op(op, "the offset is i32 or i64; extend it with arith.extsi");
  return verify_alike(op, pointer, offset);
}

MlirLogicalResult verify_ptr_to_int(struct session *session, MlirOperation op) {
  TRY_IR(verify_pointer(session, op, op_operand_type(op, 0)));
  if (!type_is_integer(type_element(op_result_type(op, 0)), 64))
    return fail_op(op, "the result is i64; truncate it with arith.trunci");
  return verify_alike(op, op_operand_type(op, 0), op_result_type(op, 0));
}

MlirLogicalResult verify_int_to_ptr(struct session *session, MlirOperation op) {
  TRY_IR(verify_pointer(session, op, op_result_type(op, 0)));
  if (!type_is_integer(type_element(op_operand_type(op, 0)), 64))
    return fail_op(op, "the operand is i64; extend it with arith.extsi");
  return verify_alike(op, op_operand_type(op, 0), op_result_type(op, 0));
}

MlirLogicalResult verify_bitcast(struct session *session, MlirOperation op) {
  TRY_IR(verify_pointer(session, op, op_operand_type(op, 0)));
  TRY_IR(verify_pointer(session, op, op_result_type(op, 0)));
  return verify_alike(op, op_operand_type(op, 0), op_result_type(op, 0));
}

static int number_bits(MlirType type) {
  if (mlirTypeIsAFloat(type))
    return (int)mlirFloatTypeGetWidth(type);
  return mlirTypeIsAInteger(type) ? (int)mlirIntegerTypeGetWidth(type) : 0;
}

MlirLogicalResult verify_from_bits(struct session *session, MlirOperation op) {
  (void)session;
  MlirType from = type_element(op_operand_type(op, 0)), to = type_element(op_result_type(op, 0));
  if (!mlirTypeIsAFloat(to) || mlirFloatTypeGetWidth(to) < 16)
    return fail_op(op, "the result is f16, bf16, f32 or f64; use arith.bitcast for others");
  if (number_bits(from) != number_bits(to))
    return fail_op(op, "the operand is a number of %d bits, as the result is; convert it",
                   number_bits(to));
  return verify_alike(op, op_operand_type(op, 0), op_result_type(op, 0));
}

MlirLogicalResult verify_to_fp8(struct session *session, MlirOperation op) {
  (void)session;
  MlirType from = type_element(op_operand_type(op, 0)), to = type_element(op_result_type(op, 0));
  if (!mlirTypeIsAFloat(from) || mlirFloatTypeGetWidth(from) < 16)
    return fail_op(op,
                   "the operand is f16, bf16, f32 or f64; extend an 8-bit float with arith.extf");
  if (!mlirTypeIsAFloat(to) || mlirFloatTypeGetWidth(to) != 8)
    return fail_op(op, "the result is an 8-bit float; use arith.truncf for others");
  return verify_alike(op, op_operand_type(op, 0), op_result_type(op, 0));
}

/* PTX ISA, ld and st: a cache operator, an eviction priority and .volatile exclude each other. */
static MlirLogicalResult verify_hints(MlirOperation op, const char *const *cache_words) {
  static const char *const evict_words[] = {"evict_first", "evict_last", "evict_normal", NULL};
  TRY_IR(verify_word(op, "cache", cache_words));
  TRY_IR(verify_word(op, "evict", evict_words));
  if (op_has_attribute(op, "cache") + op_has_attribute(op, "evict") +
          op_has_attribute(op, "volatile") >
      1)
    return fail_op(op, "cache, evict and volatile exclude each other; keep one");
  return SUCCESS;
}

MlirLogicalResult verify_load(struct session *session, MlirOperation op) {
  static const char *const cache_words[] = {"ca", "cg", "cs", "cv", NULL};
  struct tile_load load;
  if (!tile_load_read(op, &load))
    return fail_op(op,
                   "operandSegmentSizes = array<i32: 1, 0 or 1, 0 or 1> says which of mask and "
                   "other are there; it does not fit the %d operand(s)",
                   (int)mlirOperationGetNumOperands(op));
  MlirType pointer = mlirValueGetType(load.pointer);
  TRY_IR(verify_pointer(session, op, pointer));
  TRY_IR(verify_value(session, op, pointer, op_result_type(op, 0)));
  TRY_IR(verify_mask(op, pointer, load.mask));
  if (!mlirValueIsNull(load.other) && mlirValueIsNull(load.mask))
    return fail_op(op, "`other` without a mask has no meaning; add the mask or drop it");
  return verify_hints(op, cache_words);
}

MlirLogicalResult verify_store(struct session *session, MlirOperation op) {
  static const char *const cache_words[] = {"wb", "cg", "cs", "wt", NULL};
  struct tile_store store;
  if (!tile_store_read(op, &store))
    return fail_op(op, "operands are pointer, value and an optional mask");
  MlirType pointer = mlirValueGetType(store.pointer);
  TRY_IR(verify_pointer(session, op, pointer));
  TRY_IR(verify_value(session, op, pointer, mlirValueGetType(store.value)));
  TRY_IR(verify_mask(op, pointer, store.mask));
  return verify_hints(op, cache_words);
}
