/* SPDX-License-Identifier: MIT */
/* What the rules of several tile operations share; contracts in verify_tile.h. */
#include "ir/verify_tile.h"

#include <string.h>

MlirLogicalResult fail_types(MlirOperation op, const char *what, MlirType a, MlirType b) {
  struct text text_a = {0}, text_b = {0};
  int fact = (int)strcspn(what, ";");
  fail_op(op, "%.*s: %s and %s%s", fact, what, show_type(a, &text_a), show_type(b, &text_b),
          what + fact);
  text_free(&text_a);
  text_free(&text_b);
  return FAILURE;
}

MlirLogicalResult verify_axis(MlirOperation op, int limit) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, ref("axis"));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return fail_op(op, "axis is an i32 attribute");
  int64_t axis = mlirIntegerAttrGetValueInt(attribute);
  if (axis < 0 || axis >= limit)
    return fail_op(op, "axis = %lld is out of range; it is 0 to %d", (long long)axis, limit - 1);
  return SUCCESS;
}

MlirLogicalResult verify_same_element(MlirOperation op, MlirType source, MlirType result) {
  if (!mlirTypeEqual(type_element(source), type_element(result)))
    return fail_types(op, "element types differ; convert the operand first", source, result);
  return SUCCESS;
}

MlirLogicalResult verify_tensors(MlirOperation op, MlirType source, MlirType result) {
  if (!type_is_tensor(source) || !type_is_tensor(result))
    return fail_op(op, "operand and result are tensors; tile.splat takes scalars");
  return verify_same_element(op, source, result);
}

MlirLogicalResult verify_alike(MlirOperation op, MlirType a, MlirType b) {
  if (!type_same_shape(a, b))
    return fail_types(op, "shapes differ; tile.splat or tile.broadcast one", a, b);
  if (!mlirAttributeEqual(type_layout(a), type_layout(b)) &&
      !(mlirAttributeIsNull(type_layout(a)) && mlirAttributeIsNull(type_layout(b))))
    return fail_types(op, "layouts differ; insert tile_gpu.convert_layout", a, b);
  return SUCCESS;
}

MlirLogicalResult verify_pointer(struct session *session, MlirOperation op, MlirType type) {
  if (type_is_pointer(&session->types, type_element(type)))
    return SUCCESS;
  struct text text = {0};
  fail_op(op, "%s is not a pointer or a tensor of pointers (!tile.ptr<T>)", show_type(type, &text));
  text_free(&text);
  return FAILURE;
}

static bool is_one_of(MlirStringRef word, const char *const *words) {
  for (; *words; words++)
    if (ref_equals(word, *words))
      return true;
  return false;
}

MlirLogicalResult verify_word(MlirOperation op, const char *name, const char *const *words) {
  if (!op_has_attribute(op, name) || is_one_of(op_string(op, name), words))
    return SUCCESS;
  struct text list = {0};
  for (const char *const *word = words; *word; word++)
    text_printf(&list, "%s\"%s\"", word == words ? "" : ", ", *word);
  fail_op(op, "%s is one of %s", name, text_string(&list));
  text_free(&list);
  return FAILURE;
}

MlirLogicalResult verify_mask(MlirOperation op, MlirType pointer, MlirValue mask) {
  if (mlirValueIsNull(mask))
    return SUCCESS;
  if (!type_is_integer(type_element(mlirValueGetType(mask)), 1))
    return fail_op(op, "the mask is i1 or a tensor of i1; make one with arith.cmpi");
  return verify_alike(op, pointer, mlirValueGetType(mask));
}

MlirLogicalResult verify_value(struct session *session, MlirOperation op, MlirType pointer,
                               MlirType value) {
  if (!mlirTypeEqual(pointer_pointee(&session->types, type_element(pointer)), type_element(value)))
    return fail_types(
        op, "the value's type is not the pointee; convert it, or tile.bitcast the pointer", pointer,
        value);
  return verify_alike(op, pointer, value);
}

MlirLogicalResult verify_string(MlirOperation op, const char *name) {
  if (!mlirAttributeIsAString(mlirOperationGetAttributeByName(op, ref(name))))
    return fail_op(op, "%s is a string attribute: %s = \"...\"", name, name);
  return SUCCESS;
}

MlirLogicalResult verify_boolean(MlirOperation op, const char *name) {
  if (!mlirAttributeIsABool(mlirOperationGetAttributeByName(op, ref(name))))
    return fail_op(op, "%s is true or false", name);
  return SUCCESS;
}

MlirLogicalResult verify_integer(MlirOperation op, const char *name) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, ref(name));
  if (!mlirAttributeIsAInteger(attribute) || !type_is_integer(mlirAttributeGetType(attribute), 32))
    return fail_op(op, "%s is an i32 attribute: %s = 1 : i32", name, name);
  return SUCCESS;
}

MlirLogicalResult verify_prefix(MlirOperation op, const char *name) {
  MlirAttribute sizes = mlirOperationGetAttributeByName(op, ref(name));
  if (mlirAttributeIsNull(sizes) || !mlirAttributeIsADenseI32Array(sizes))
    return fail_op(op, "%s is an array<i32: ...> attribute", name);
  for (intptr_t i = 1; i < mlirDenseArrayGetNumElements(sizes); i++)
    if (mlirDenseI32ArrayGetElement(sizes, i) > mlirDenseI32ArrayGetElement(sizes, i - 1))
      return fail_op(op, "%s has a gap; what is there comes first, as in 1, 1, 0, 0, 0, 0, 0, 0",
                     name);
  return SUCCESS;
}
