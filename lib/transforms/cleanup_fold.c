/* SPDX-License-Identifier: MIT */
/* tile-cleanup, folding: rewrites an operation as a simpler equal one.

   Each rule stands under its equation; the table at the end says which rules an operation kind has.
   Operations are visited in program order, so a rule finds its operands already folded. `c` stands
   for a scalar constant, `dense c` for a constant tensor of one value, `splat x` for tile.splat.

   A tensor constant is only ever made when all its elements are one value: a dense constant of many
   values would be spelled out element by element. Scalar arithmetic is left to canonicalize. */
#include "transforms/cleanup.h"

#include <string.h>
#include "ir/build.h"
#include "ir/tile_ops.h"

struct folder {
  struct session *session;
  struct builder b; /* before the operation at hand */
  bool changed;
};

/* Rewrites `op` and returns true, or returns false and leaves everything as it was. `op` may be
   gone afterwards. */
typedef bool fold_rule(struct folder *folder, MlirOperation op);

/* --- hints ------------------------------------------------------------------------------------ */

static bool is_hint(MlirNamedAttribute attribute) {
  MlirStringRef name = mlirIdentifierStr(attribute.name);
  return memchr(name.data, '.', name.length) != NULL;
}

static bool carries_hints(MlirOperation op) {
  intptr_t count = mlirOperationGetNumDiscardableAttributes(op);
  for (intptr_t i = 0; i < count; i++)
    if (is_hint(mlirOperationGetDiscardableAttribute(op, i)))
      return true;
  return false;
}

static void copy_hints(MlirOperation from, MlirOperation to) {
  intptr_t count = mlirOperationGetNumDiscardableAttributes(from);
  for (intptr_t i = 0; i < count; i++) {
    MlirNamedAttribute attribute = mlirOperationGetDiscardableAttribute(from, i);
    if (is_hint(attribute))
      mlirOperationSetDiscardableAttributeByName(to, mlirIdentifierStr(attribute.name),
                                                 attribute.attribute);
  }
}

/* Replaces `op` by an equal value. Hints on `op` go to the operation that was just built for it; if
   the value was there before (then it has a use), they have no place to go and `op` stays. */
static bool replace(struct folder *folder, MlirOperation op, MlirValue value) {
  if (carries_hints(op)) {
    if (value_is_used(value))
      return false;
    MlirOperation definition = value_definition(value);
    if (kind_of(folder->session, definition) != OP_ARITH_CONSTANT)
      copy_hints(op, definition);
  }
  replace_op(op, &value);
  return true;
}

/* --- what operands are ------------------------------------------------------------------------ */

/* The operation of this kind that defines `value`; null when there is none, or when it carries
   hints that whoever looks through it would lose. */
static MlirOperation defined_by(struct folder *folder, MlirValue value, enum op_kind kind) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || kind_of(folder->session, op) != kind || carries_hints(op))
    return (MlirOperation){0};
  return op;
}

/* A constant of `type` with this number everywhere. */
static MlirValue build_number(struct folder *folder, MlirAttribute number, MlirType type) {
  MlirAttribute value = type_is_tensor(type) ? mlirDenseElementsAttrSplatGet(type, number) : number;
  return build_constant(&folder->b, value, type);
}

static MlirValue build_splat(struct folder *folder, MlirValue scalar, MlirType type) {
  return BUILD(&folder->b, "tile.splat", IN(scalar), OUT(type));
}

/* --- shapes and layouts ----------------------------------------------------------------------- */

/* splat c = dense c; broadcast, expand_dims, convert_layout of (dense c) = dense c */
static bool fold_constant(struct folder *folder, MlirOperation op) {
  MlirAttribute number = uniform_number(folder->session, op_operand(op, 0));
  if (mlirAttributeIsNull(number))
    return false;
  return replace(folder, op, build_number(folder, number, op_result_type(op, 0)));
}

/* broadcast, expand_dims, convert_layout of (splat x) = splat x */
static bool fold_reshaped_splat(struct folder *folder, MlirOperation op) {
  MlirOperation splat = defined_by(folder, op_operand(op, 0), OP_TILE_SPLAT);
  if (mlirOperationIsNull(splat))
    return false;
  return replace(folder, op, build_splat(folder, op_operand(splat, 0), op_result_type(op, 0)));
}

/* broadcast, convert_layout, bitcast to the operand's own type: x */
static bool fold_same_type(struct folder *folder, MlirOperation op) {
  return mlirTypeEqual(op_operand_type(op, 0), op_result_type(op, 0)) &&
         replace(folder, op, op_operand(op, 0));
}

/* f(f(x)) = f(x), for f one of broadcast, convert_layout, bitcast */
static bool fold_twice(struct folder *folder, MlirOperation op) {
  enum op_kind kind = kind_of(folder->session, op);
  MlirOperation inner = defined_by(folder, op_operand(op, 0), kind);
  if (mlirOperationIsNull(inner))
    return false;
  return replace(
      folder, op,
      BUILD(&folder->b, op_table[kind].name, IN(op_operand(inner, 0)), OUT(op_result_type(op, 0))));
}

/* --- pointers --------------------------------------------------------------------------------- */

/* addptr(p, 0) = p, for a scalar or a dense 0 */
static bool fold_addptr_of_zero(struct folder *folder, MlirOperation op) {
  int64_t offset;
  return uniform_integer(folder->session, op_operand(op, 1), &offset) && offset == 0 &&
         replace(folder, op, op_operand(op, 0));
}

static bool add_fits(int64_t a, int64_t b, unsigned width, int64_t *out) {
  if (__builtin_add_overflow(a, b, out))
    return false;
  return width == 64 || (*out >= INT32_MIN && *out <= INT32_MAX);
}

/* addptr(addptr(p, c1), c2) = addptr(p, c1 + c2), unless that wraps in the wider type */
static bool fold_addptr_twice(struct folder *folder, MlirOperation op) {
  MlirOperation inner = defined_by(folder, op_operand(op, 0), OP_TILE_ADDPTR);
  int64_t first, second, sum;
  if (mlirOperationIsNull(inner) ||
      !uniform_integer(folder->session, op_operand(inner, 1), &first) ||
      !uniform_integer(folder->session, op_operand(op, 1), &second))
    return false;
  MlirType inner_type = op_operand_type(inner, 1), type = op_operand_type(op, 1);
  if (type_is_integer(type_element(inner_type), 64))
    type = inner_type;
  unsigned width = mlirIntegerTypeGetWidth(type_element(type));
  if (!add_fits(first, second, width, &sum))
    return false;
  MlirValue offset = build_number(folder, mlirIntegerAttrGet(type_element(type), sum), type);
  return replace(folder, op,
                 BUILD(&folder->b, "tile.addptr", IN(op_operand(inner, 0), offset),
                       OUT(op_result_type(op, 0))));
}

/* ptr_to_int(int_to_ptr(x)) = x */
static bool fold_pointer_round_trip(struct folder *folder, MlirOperation op) {
  MlirOperation inner = defined_by(folder, op_operand(op, 0), OP_TILE_INT_TO_PTR);
  return !mlirOperationIsNull(inner) &&
         mlirTypeEqual(op_operand_type(inner, 0), op_result_type(op, 0)) &&
         replace(folder, op, op_operand(inner, 0));
}

/* --- elementwise ------------------------------------------------------------------------------ */

enum { MAX_OPERANDS = 4, MAX_ATTRIBUTES = 8 };

/* True when `value` is a scalar, (splat x) or (dense c). *splats counts the second. */
static bool is_uniform(struct folder *folder, MlirValue value, int *splats) {
  if (!mlirOperationIsNull(defined_by(folder, value, OP_TILE_SPLAT))) {
    ++*splats;
    return true;
  }
  return !type_is_tensor(mlirValueGetType(value)) ||
         !mlirAttributeIsNull(uniform_number(folder->session, value));
}

static MlirValue scalar_of(struct folder *folder, MlirValue value) {
  MlirOperation splat = defined_by(folder, value, OP_TILE_SPLAT);
  if (!mlirOperationIsNull(splat))
    return op_operand(splat, 0);
  MlirType type = mlirValueGetType(value);
  if (!type_is_tensor(type))
    return value; /* the condition of an arith.select */
  return build_number(folder, uniform_number(folder->session, value), type_element(type));
}

/* The attributes that are part of the operation (a predicate); -1 when there are too many. */
static intptr_t own_attributes(MlirOperation op, MlirNamedAttribute *out) {
  intptr_t count = mlirOperationGetNumAttributes(op), kept = 0;
  for (intptr_t i = 0; i < count; i++) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    if (is_hint(attribute))
      continue;
    if (kept == MAX_ATTRIBUTES)
      return -1;
    out[kept++] = attribute;
  }
  return kept;
}

/* f(splat x, splat y) = splat f(x, y), where some operands may be (dense c) instead. When all are,
   canonicalize makes a constant of it, which is better. */
static bool fold_elementwise(struct folder *folder, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > MAX_OPERANDS || mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumRegions(op) > 0 || !type_is_tensor(op_result_type(op, 0)))
    return false;
  int splats = 0;
  for (intptr_t i = 0; i < count; i++)
    if (!is_uniform(folder, op_operand(op, i), &splats))
      return false;
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  intptr_t attribute_count = own_attributes(op, attributes);
  if (splats == 0 || attribute_count < 0)
    return false;
  MlirValue scalars[MAX_OPERANDS];
  for (intptr_t i = 0; i < count; i++)
    scalars[i] = scalar_of(folder, op_operand(op, i));
  MlirType type = op_result_type(op, 0);
  struct text name = {0}; /* interned names end where they end, not in a zero */
  text_append(&name, op_name(op).data, op_name(op).length);
  MlirValue scalar =
      BUILD(&folder->b, text_string(&name), .in = scalars, .in_count = count,
            OUT(type_element(type)), .attributes = attributes, .attribute_count = attribute_count);
  text_free(&name);
  return replace(folder, op, build_splat(folder, scalar, type));
}

/* --- masks ------------------------------------------------------------------------------------ */

/* Keeps the first `count` operands, and says so in the segment sizes if there are any. */
static void drop_operands(struct folder *folder, MlirOperation op, intptr_t count,
                          intptr_t segments) {
  MlirValue kept[2];
  int32_t sizes[3];
  for (intptr_t i = 0; i < count; i++)
    kept[i] = op_operand(op, i);
  for (intptr_t i = 0; i < segments; i++)
    sizes[i] = i < count;
  mlirOperationSetOperands(op, count, kept);
  if (op_has_attribute(op, "operandSegmentSizes"))
    mlirOperationSetAttributeByName(op, ref("operandSegmentSizes"),
                                    attribute_dense_i32(folder->b.context, segments, sizes));
}

/* load(p, true, o) = load(p);  load(p, false, o) = o */
static bool fold_load_mask(struct folder *folder, MlirOperation op) {
  struct tile_load load;
  int64_t mask;
  if (!tile_load_read(op, &load) || mlirValueIsNull(load.mask) ||
      !uniform_integer(folder->session, load.mask, &mask))
    return false;
  if (mask) {
    drop_operands(folder, op, 1, 3);
    return true;
  }
  return !mlirValueIsNull(load.other) && replace(folder, op, load.other);
}

/* and(x, true) = x;  and(x, false) = false, of masks */
static bool fold_and(struct folder *folder, MlirOperation op) {
  int64_t mask;
  for (int side = 0; side < 2; side++)
    if (type_is_integer(type_element(op_result_type(op, 0)), 1) &&
        uniform_integer(folder->session, op_operand(op, side), &mask))
      return replace(folder, op, op_operand(op, mask ? 1 - side : side));
  return false;
}

/* select(true, x, y) = x;  select(false, x, y) = y */
static bool fold_select(struct folder *folder, MlirOperation op) {
  int64_t condition;
  return uniform_integer(folder->session, op_operand(op, 0), &condition) &&
         replace(folder, op, op_operand(op, condition ? 1 : 2));
}

/* store(p, v, true) = store(p, v);  store(p, v, false) = nothing */
static bool fold_store_mask(struct folder *folder, MlirOperation op) {
  struct tile_store store;
  int64_t mask;
  if (!tile_store_read(op, &store) || mlirValueIsNull(store.mask) ||
      !uniform_integer(folder->session, store.mask, &mask))
    return false;
  if (mask)
    drop_operands(folder, op, 2, 3);
  else
    mlirOperationDestroy(op);
  return true;
}

/* --- the table -------------------------------------------------------------------------------- */

enum { MAX_RULES = 4 };

/* The rules of each kind, in the order they are tried. */
static fold_rule *const rules[OP_KIND_COUNT][MAX_RULES + 1] = {
    [OP_TILE_SPLAT] = {fold_constant},
    [OP_TILE_BROADCAST] = {fold_same_type, fold_constant, fold_reshaped_splat, fold_twice},
    [OP_TILE_EXPAND_DIMS] = {fold_constant, fold_reshaped_splat},
    [OP_TILE_GPU_CONVERT_LAYOUT] = {fold_same_type, fold_constant, fold_reshaped_splat, fold_twice},
    [OP_TILE_ADDPTR] = {fold_addptr_of_zero, fold_addptr_twice, fold_elementwise},
    [OP_TILE_PTR_TO_INT] = {fold_pointer_round_trip, fold_elementwise},
    [OP_TILE_INT_TO_PTR] = {fold_elementwise},
    [OP_TILE_BITCAST] = {fold_same_type, fold_twice, fold_elementwise},
    [OP_TILE_LOAD] = {fold_load_mask},
    [OP_TILE_STORE] = {fold_store_mask},
    [OP_ARITH_ANDI] = {fold_and},
    [OP_ARITH_SELECT] = {fold_select},
};

static MlirLogicalResult fold_op(MlirOperation op, void *data) {
  struct folder *folder = data;
  const struct op_info *info = op_info(&folder->session->names, op);
  fold_rule *const *rule = rules[info->kind];
  folder->b = builder_before(op);
  for (; *rule; rule++)
    if ((*rule)(folder, op)) {
      folder->changed = true;
      return SUCCESS;
    }
  if (info->dialect == DIALECT_UPSTREAM && op_has(folder->session, op, IS_ELEMENTWISE))
    folder->changed |= fold_elementwise(folder, op);
  return SUCCESS;
}

bool cleanup_fold(struct session *session, MlirOperation root) {
  struct folder folder = {.session = session};
  visit_operations(root, fold_op, &folder);
  return folder.changed;
}
