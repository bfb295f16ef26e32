/* SPDX-License-Identifier: MIT */
/* Attributes with a name of ours are rows of attributes.def, with values of their kind. A promise
   or a wish that is misspelt would else be without effect, and nobody would notice. */
#include <string.h>
#include "base/text.h"
#include "ir/verify.h"

static bool is_array(MlirAttribute value) {
  return mlirAttributeIsAArray(value) || mlirAttributeIsADenseI32Array(value) ||
         mlirAttributeIsADenseI64Array(value);
}

static bool is_of_kind(MlirAttribute value, enum attribute_kind kind) {
  switch (kind) {
  case ATTRIBUTE_UNIT:
    return mlirAttributeIsAUnit(value);
  case ATTRIBUTE_INTEGER:
    return mlirAttributeIsAInteger(value);
  case ATTRIBUTE_NUMBERS:
    return mlirAttributeIsAInteger(value) || is_array(value);
  case ATTRIBUTE_STRING:
    return mlirAttributeIsAString(value);
  case ATTRIBUTE_TYPE:
    return mlirAttributeIsAType(value);
  case ATTRIBUTE_INDICES:
    return mlirAttributeIsAUnit(value) || is_array(value);
  case ATTRIBUTE_LIST:
    return mlirAttributeIsAArray(value);
  case ATTRIBUTE_DICTIONARY:
    return mlirAttributeIsADictionary(value);
  }
  return false;
}

/* Is it tile.something, tile_gpu.something or tile_ptx.something? */
static bool is_ours(MlirStringRef name) {
  const char *dot = memchr(name.data, '.', name.length);
  size_t length = dot ? (size_t)(dot - name.data) : 0;
  struct slice dialect = {name.data, length};
  return slice_equals(dialect, "tile") || slice_equals(dialect, "tile_gpu") ||
         slice_equals(dialect, "tile_ptx");
}

static MlirLogicalResult fail_unknown(MlirOperation op, MlirStringRef name) {
  const char *names[ATTRIBUTE_COUNT];
  for (int i = 0; i < ATTRIBUTE_COUNT; i++)
    names[i] = attribute_table[i].name;
  struct text word = {0};
  text_append(&word, name.data, name.length);
  const char *near = nearest_word(text_string(&word), names, ATTRIBUTE_COUNT);
  fail_op(op, "there is no attribute '%s'%s%s%s; tile-opt --print-reference=attributes lists all",
          text_string(&word), near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  text_free(&word);
  return FAILURE;
}

static MlirLogicalResult verify_named(MlirOperation op, MlirNamedAttribute named) {
  MlirStringRef name = mlirIdentifierStr(named.name);
  if (!is_ours(name))
    return SUCCESS;
  for (enum attribute_name i = 0; i < ATTRIBUTE_COUNT; i++) {
    if (!attribute_is(named, i))
      continue;
    enum attribute_kind kind = attribute_table[i].kind;
    if (is_of_kind(named.attribute, kind))
      return SUCCESS;
    return fail_op(op, "the value of %s is not %s", attribute_table[i].name,
                   attribute_kind_text(kind));
  }
  return fail_unknown(op, name);
}

MlirLogicalResult verify_attributes(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(op); i++)
    TRY_IR(verify_named(op, mlirOperationGetDiscardableAttribute(op, i)));
  return SUCCESS;
}

MlirLogicalResult verify_parameter_attributes(MlirOperation function) {
  MlirAttribute all = mlirOperationGetAttributeByName(function, ref("arg_attrs"));
  if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all))
    return SUCCESS;
  for (intptr_t p = 0; p < mlirArrayAttrGetNumElements(all); p++) {
    MlirAttribute own = mlirArrayAttrGetElement(all, p);
    if (!mlirAttributeIsADictionary(own))
      continue;
    for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(own); i++)
      TRY_IR(verify_named(function, mlirDictionaryAttrGetElement(own, i)));
  }
  return SUCCESS;
}
