/* SPDX-License-Identifier: MIT */
/* See tensor_maps.h. */
#include "ir/tensor_maps.h"

#include <stdlib.h>
#include "base/arena.h"

/* --- Parameters ------------------------------------------------------------------------------- */

static MlirOperation function_with(MlirValue parameter) {
  return mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(parameter));
}

static MlirAttribute empty_dictionary(MlirContext context) {
  return mlirDictionaryAttrGet(context, 0, NULL);
}

/* The attributes of all parameters with those of `index` exchanged, which may be a new one. */
static void set_parameter_attributes(MlirOperation function, intptr_t index,
                                     MlirAttribute attributes) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute old = mlirOperationGetAttributeByName(function, ref("arg_attrs"));
  intptr_t count = mlirBlockGetNumArguments(op_body(function, 0));
  MlirAttribute *list = tile_allocate((size_t)(count + 1) * sizeof *list);
  for (intptr_t i = 0; i < count; i++) {
    bool known = !mlirAttributeIsNull(old) && i < mlirArrayAttrGetNumElements(old);
    list[i] = i == index ? attributes
              : known    ? mlirArrayAttrGetElement(old, i)
                         : empty_dictionary(context);
  }
  mlirOperationSetAttributeByName(function, ref("arg_attrs"),
                                  mlirArrayAttrGet(context, count, list));
  free(list);
}

/* The function's type says what its block's arguments are. */
static void set_signature(MlirOperation function) {
  MlirBlock body = op_body(function, 0);
  intptr_t count = mlirBlockGetNumArguments(body);
  MlirType *types = tile_allocate((size_t)(count + 1) * sizeof *types);
  for (intptr_t i = 0; i < count; i++)
    types[i] = mlirValueGetType(mlirBlockGetArgument(body, i));
  MlirType signature =
      mlirFunctionTypeGet(mlirOperationGetContext(function), count, types, 0, NULL);
  mlirOperationSetAttributeByName(function, ref("function_type"), mlirTypeAttrGet(signature));
  free(types);
}

void function_remove_parameter(MlirValue parameter) {
  MlirOperation function = function_with(parameter);
  MlirContext context = mlirOperationGetContext(function);
  MlirBlock body = op_body(function, 0);
  intptr_t index = mlirBlockArgumentGetArgNumber(parameter);
  MlirAttribute old = mlirOperationGetAttributeByName(function, ref("arg_attrs"));
  mlirBlockEraseArgument(body, (unsigned)index);
  set_signature(function);
  if (mlirAttributeIsNull(old))
    return;
  intptr_t count = mlirArrayAttrGetNumElements(old), kept = 0;
  MlirAttribute *list = tile_allocate((size_t)count * sizeof *list);
  for (intptr_t i = 0; i < count; i++)
    if (i != index)
      list[kept++] = mlirArrayAttrGetElement(old, i);
  mlirOperationSetAttributeByName(function, ref("arg_attrs"),
                                  mlirArrayAttrGet(context, kept, list));
  free(list);
}

MlirValue function_add_parameter(MlirOperation function, MlirType type, MlirAttribute attributes) {
  MlirBlock body = op_body(function, 0);
  MlirValue parameter = mlirBlockAddArgument(body, type, mlirOperationGetLocation(function));
  set_signature(function);
  set_parameter_attributes(function, mlirBlockGetNumArguments(body) - 1, attributes);
  return parameter;
}

/* --- Recipes ---------------------------------------------------------------------------------- */

enum { MAX_FACTORS = 8 };

struct product {
  int64_t factors[MAX_FACTORS]; /* the first is a number, the others are parameters */
  int count;
};

static bool is_parameter(struct session *session, MlirValue value) {
  return mlirValueIsABlockArgument(value) && op_is(session, function_with(value), OP_FUNC);
}

/* Multiplies by `value`; false where it is no product of parameters and constants. */
static bool multiply(struct session *session, MlirValue value, struct product *out) {
  int64_t number;
  if (is_parameter(session, value)) {
    if (out->count == MAX_FACTORS)
      return false;
    out->factors[out->count++] = mlirBlockArgumentGetArgNumber(value);
    return true;
  }
  if (uniform_integer(session, value, &number))
    return number > 0 && !__builtin_mul_overflow(out->factors[0], number, &out->factors[0]);
  MlirOperation op = value_definition(value);
  if (op_is(session, op, OP_ARITH_EXTSI))
    return multiply(session, op_operand(op, 0), out);
  return op_is(session, op, OP_ARITH_MULI) && multiply(session, op_operand(op, 0), out) &&
         multiply(session, op_operand(op, 1), out);
}

bool tensor_map_knows(struct session *session, MlirValue value) {
  struct product product = {.factors = {1}, .count = 1};
  return multiply(session, value, &product);
}

/* Null where the launch cannot know `value`. */
static MlirAttribute product_of(struct session *session, MlirValue value, int64_t factor) {
  struct product product = {.factors = {factor}, .count = 1};
  if (!multiply(session, value, &product))
    return (MlirAttribute){0};
  return mlirDenseI64ArrayGet(session->context, product.count, product.factors);
}

/* tile.narrow_dims, numbered from the innermost one. */
static MlirAttribute narrow_dims(struct session *session, MlirOperation make, int rank) {
  MlirAttribute list = attribute_get(make, ATTR_NARROW_DIMS);
  int32_t dims[MAX_RANK];
  intptr_t count = mlirDenseArrayGetNumElements(list);
  for (intptr_t i = 0; i < count; i++)
    dims[i] = rank - 1 - mlirDenseI32ArrayGetElement(list, i);
  return attribute_dense_i32(session->context, count, dims);
}

/* Of fp8 the map knows the bytes alone, which have no NaN (runtime/tensor_map_types.def). */
static bool may_pad_with_nan(MlirType element) {
  return mlirTypeIsAF16(element) || mlirTypeIsABF16(element) || mlirTypeIsAF32(element) ||
         mlirTypeIsAF64(element);
}

MlirAttribute tensor_map_recipe(struct session *session, MlirOperation make) {
  MlirContext context = session->context;
  MlirValue base = op_operand(make, 0);
  int rank = (int)(mlirOperationGetNumOperands(make) - 1) / 2;
  MlirAttribute sizes[MAX_RANK], strides[MAX_RANK], none = {0};
  int64_t last;
  if (!is_parameter(session, base) || rank < 1 ||
      !uniform_integer(session, op_operand(make, 2 * rank), &last) || last != 1)
    return none;
  MlirType element = pointer_pointee(&session->types, mlirValueGetType(base));
  if (op_has_attribute(make, "pads_with_nan") && !may_pad_with_nan(element))
    return none;
  for (int i = 0; i < rank; i++) { /* i-th from the innermost */
    sizes[i] = product_of(session, op_operand(make, rank - i), 1);
    strides[i] =
        product_of(session, op_operand(make, 2 * rank - i), type_bytes(&session->types, element));
    if (mlirAttributeIsNull(sizes[i]) || mlirAttributeIsNull(strides[i]))
      return none;
  }
  MlirNamedAttribute entries[6] = {
      attribute_named(context, "base",
                      attribute_integer(context, 32, mlirBlockArgumentGetArgNumber(base))),
      attribute_named(context, "type", mlirTypeAttrGet(element)),
      attribute_named(context, "sizes", mlirArrayAttrGet(context, rank, sizes)),
      attribute_named(context, "strides", mlirArrayAttrGet(context, rank - 1, strides + 1))};
  intptr_t count = 4;
  if (op_has_attribute(make, "pads_with_nan"))
    entries[count++] = attribute_named(context, "nan", mlirUnitAttrGet(context));
  if (attribute_has(make, ATTR_NARROW_DIMS))
    entries[count++] = attribute_named(context, "narrow", narrow_dims(session, make, rank));
  return mlirDictionaryAttrGet(context, count, entries);
}

int tensor_map_rank(struct session *session, MlirValue parameter) {
  if (!is_parameter(session, parameter))
    return 0;
  MlirAttribute all = mlirOperationGetAttributeByName(function_with(parameter), ref("arg_attrs"));
  intptr_t index = mlirBlockArgumentGetArgNumber(parameter);
  if (mlirAttributeIsNull(all) || index >= mlirArrayAttrGetNumElements(all))
    return 0;
  MlirAttribute recipe = attribute_entry(mlirArrayAttrGetElement(all, index), ATTR_TENSOR_MAP);
  if (mlirAttributeIsNull(recipe) || !mlirAttributeIsADictionary(recipe))
    return 0;
  MlirAttribute sizes = mlirDictionaryAttrGetElementByName(recipe, ref("sizes"));
  return mlirAttributeIsNull(sizes) || !mlirAttributeIsAArray(sizes)
             ? 0
             : (int)mlirArrayAttrGetNumElements(sizes);
}

/* `dictionary` with `count` entries more, which replace those of their names. */
static MlirAttribute with_entries(MlirContext context, MlirAttribute dictionary, intptr_t count,
                                  const MlirNamedAttribute *more) {
  enum { MAX_ATTRIBUTES = 32 };
  MlirNamedAttribute entries[MAX_ATTRIBUTES];
  intptr_t kept = 0, total = mlirDictionaryAttrGetNumElements(dictionary);
  for (intptr_t i = 0; i < total && kept < MAX_ATTRIBUTES - count; i++) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(dictionary, i);
    bool replaced = false;
    for (intptr_t k = 0; k < count; k++)
      replaced |= mlirIdentifierEqual(entry.name, more[k].name);
    if (!replaced)
      entries[kept++] = entry;
  }
  for (intptr_t k = 0; k < count; k++)
    entries[kept++] = more[k];
  return mlirDictionaryAttrGet(context, kept, entries);
}

MlirAttribute tensor_map_for_stores(MlirContext context, MlirAttribute recipe) {
  MlirNamedAttribute stores = attribute_named(context, "stores", mlirUnitAttrGet(context));
  return with_entries(context, recipe, 1, &stores);
}

void tensor_map_complete(struct session *session, MlirValue parameter, int rank, const int32_t *box,
                         int swizzle) {
  MlirContext context = session->context;
  MlirOperation function = function_with(parameter);
  intptr_t index = mlirBlockArgumentGetArgNumber(parameter);
  MlirAttribute all = mlirOperationGetAttributeByName(function, ref("arg_attrs"));
  MlirAttribute attributes = mlirArrayAttrGetElement(all, index);
  MlirNamedAttribute more[] = {
      attribute_named(context, "box", attribute_dense_i32(context, rank, box)),
      attribute_named(context, "swizzle", attribute_integer(context, 32, swizzle))};
  MlirAttribute recipe =
      with_entries(context, attribute_entry(attributes, ATTR_TENSOR_MAP), 2, more);
  MlirNamedAttribute entry = attribute_with(context, ATTR_TENSOR_MAP, recipe);
  set_parameter_attributes(function, index, with_entries(context, attributes, 1, &entry));
}

bool tensor_maps_are_complete(struct session *session, MlirOperation function) {
  MlirAttribute all = mlirOperationGetAttributeByName(function, ref("arg_attrs"));
  MlirBlock body = op_body(function, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
    if (!type_is_descriptor(&session->types, mlirValueGetType(mlirBlockGetArgument(body, i))))
      continue;
    MlirAttribute recipe = attribute_entry(mlirArrayAttrGetElement(all, i), ATTR_TENSOR_MAP);
    if (mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(recipe, ref("box"))))
      return false;
  }
  return true;
}
