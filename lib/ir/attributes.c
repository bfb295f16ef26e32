/* SPDX-License-Identifier: MIT */
/* See attributes.h. */
#include "ir/attributes.h"

const struct attribute_info attribute_table[ATTRIBUTE_COUNT] = {
#define X(id, text, kind_text, on_text, writers, readers, meaning_text)                            \
  [ATTR_##id] = {.name = text,                                                                     \
                 .kind = ATTRIBUTE_##kind_text,                                                    \
                 .on = on_text,                                                                    \
                 .written_by = writers,                                                            \
                 .read_by = readers,                                                               \
                 .meaning = meaning_text},
#include "ir/attributes.def"
#undef X
};

const char *attribute_kind_text(enum attribute_kind kind) {
  static const char *const texts[] = {[ATTRIBUTE_UNIT] = "a unit",
                                      [ATTRIBUTE_INTEGER] = "an integer",
                                      [ATTRIBUTE_NUMBERS] =
                                          "an integer, or an array with one for each dimension",
                                      [ATTRIBUTE_STRING] = "a string",
                                      [ATTRIBUTE_TYPE] = "a type",
                                      [ATTRIBUTE_INDICES] = "a unit, or an array of integers",
                                      [ATTRIBUTE_LIST] = "an array",
                                      [ATTRIBUTE_DICTIONARY] = "a dictionary"};
  return texts[kind];
}

static MlirStringRef name_of(enum attribute_name attribute) {
  return ref(attribute_table[attribute].name);
}

bool attribute_has(MlirOperation op, enum attribute_name attribute) {
  return !mlirAttributeIsNull(attribute_get(op, attribute));
}

MlirAttribute attribute_get(MlirOperation op, enum attribute_name attribute) {
  return mlirOperationGetDiscardableAttributeByName(op, name_of(attribute));
}

int64_t attribute_number(MlirOperation op, enum attribute_name attribute, int64_t fallback) {
  MlirAttribute value = attribute_get(op, attribute);
  return !mlirAttributeIsNull(value) && mlirAttributeIsAInteger(value)
             ? mlirIntegerAttrGetValueInt(value)
             : fallback;
}

MlirStringRef attribute_text(MlirOperation op, enum attribute_name attribute) {
  MlirAttribute value = attribute_get(op, attribute);
  return !mlirAttributeIsNull(value) && mlirAttributeIsAString(value)
             ? mlirStringAttrGetValue(value)
             : ref("");
}

MlirAttribute attribute_entry(MlirAttribute dictionary, enum attribute_name attribute) {
  return mlirAttributeIsNull(dictionary)
             ? (MlirAttribute){0}
             : mlirDictionaryAttrGetElementByName(dictionary, name_of(attribute));
}

bool attribute_is(MlirNamedAttribute named, enum attribute_name attribute) {
  return mlirStringRefEqual(mlirIdentifierStr(named.name), name_of(attribute));
}

void attribute_set(MlirOperation op, enum attribute_name attribute, MlirAttribute value) {
  mlirOperationSetDiscardableAttributeByName(op, name_of(attribute), value);
}

void attribute_set_unit(MlirOperation op, enum attribute_name attribute) {
  attribute_set(op, attribute, mlirUnitAttrGet(mlirOperationGetContext(op)));
}

void attribute_set_integer(MlirOperation op, enum attribute_name attribute, int64_t value) {
  attribute_set(op, attribute, attribute_integer(mlirOperationGetContext(op), 32, value));
}

void attribute_remove(MlirOperation op, enum attribute_name attribute) {
  mlirOperationRemoveDiscardableAttributeByName(op, name_of(attribute));
}

void attribute_copy(MlirOperation from, MlirOperation to, enum attribute_name attribute) {
  MlirAttribute value = attribute_get(from, attribute);
  if (!mlirAttributeIsNull(value))
    attribute_set(to, attribute, value);
}

MlirNamedAttribute attribute_with(MlirContext context, enum attribute_name attribute,
                                  MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, name_of(attribute)), value);
}
