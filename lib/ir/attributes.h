/* SPDX-License-Identifier: MIT */
/* Attributes that carry something from one pass to another: one row each in attributes.def, which
   says who writes and who reads them, and what they mean. */
#ifndef TILE_IR_ATTRIBUTES_H
#define TILE_IR_ATTRIBUTES_H

#include "ir/mlir.h"

enum attribute_name {
#define X(name, ...) ATTR_##name,
#include "ir/attributes.def"
#undef X
  ATTRIBUTE_COUNT
};

enum attribute_kind {
  ATTRIBUTE_UNIT,
  ATTRIBUTE_INTEGER,
  ATTRIBUTE_NUMBERS,
  ATTRIBUTE_STRING,
  ATTRIBUTE_TYPE,
  ATTRIBUTE_INDICES,
  ATTRIBUTE_LIST,
  ATTRIBUTE_DICTIONARY
};

struct attribute_info {
  const char *name, *on, *written_by, *read_by, *meaning;
  enum attribute_kind kind;
};

extern const struct attribute_info attribute_table[ATTRIBUTE_COUNT];
/* For messages and documents: "an integer". */
const char *attribute_kind_text(enum attribute_kind kind);

/* Reading: null where there is none; the fallback where there is none or it is no integer. */
bool attribute_has(MlirOperation op, enum attribute_name attribute);
MlirAttribute attribute_get(MlirOperation op, enum attribute_name attribute);
int64_t attribute_number(MlirOperation op, enum attribute_name attribute, int64_t fallback);
MlirStringRef attribute_text(MlirOperation op, enum attribute_name attribute); /* or "" */
/* The same of a parameter, whose attributes are a dictionary; null of a null one. */
MlirAttribute attribute_entry(MlirAttribute dictionary, enum attribute_name attribute);
bool attribute_is(MlirNamedAttribute named, enum attribute_name attribute);

/* Writing; values of the row's kind, but where `attribute_copy` finds another. */
void attribute_set(MlirOperation op, enum attribute_name attribute, MlirAttribute value);
void attribute_set_unit(MlirOperation op, enum attribute_name attribute);
void attribute_set_integer(MlirOperation op, enum attribute_name attribute, int64_t value);
void attribute_remove(MlirOperation op, enum attribute_name attribute);
/* Gives `to` what `from` has, if it has it. */
void attribute_copy(MlirOperation from, MlirOperation to, enum attribute_name attribute);
/* For the attributes of an operation that is built. */
MlirNamedAttribute attribute_with(MlirContext context, enum attribute_name attribute,
                                  MlirAttribute value);

#endif
