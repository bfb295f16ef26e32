/* SPDX-License-Identifier: MIT */
/* See unroll_and_jam.h. */
#include "transforms/unroll_and_jam.h"

#include "base/numbers.h"
#include "ir/tile_ops.h"
#include "ir/verify.h"

enum { NARROW = 32, WIDE = 64, MAX_DEPTH = 256 };

void unroll_and_jam_create(struct unroll_and_jam *s, struct session *session, MlirOperation loop,
                           int64_t size, int64_t factor) {
  *s = (struct unroll_and_jam){.session = session,
                               .loop = loop,
                               .size = size,
                               .factor = factor,
                               .outside = builder_before(loop)};
}

void unroll_and_jam_destroy(struct unroll_and_jam *s) {
  map_free(&s->tiles[0]);
  map_free(&s->tiles[1]);
  map_free(&s->numbers);
  map_free(&s->differences);
  for (int i = 0; i < UNROLL_AND_JAM_QUESTIONS; i++)
    map_free(&s->asked[i]);
}

/* --- What may be built ------------------------------------------------------------------------ */

static bool is_outside(const struct unroll_and_jam *s, MlirValue value) {
  if (mlirValueIsABlockArgument(value)) {
    MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    return !op_is_inside(around, s->loop);
  }
  return !op_is_inside(value_definition(value), s->loop);
}

static bool is_induction(const struct unroll_and_jam *s, MlirValue value) {
  return mlirValueEqual(value, mlirBlockGetArgument(op_body(s->loop, 0), 0));
}

static MlirOperation yield_of(const struct unroll_and_jam *s) {
  return mlirBlockGetTerminator(op_body(s->loop, 0));
}

/* What loop-carried value `index` grows by, or shrinks by: the other operand of the sum or
   difference that the loop yields; null where it yields none. */
static MlirValue growth(struct unroll_and_jam *s, intptr_t index) {
  MlirValue argument = mlirBlockGetArgument(op_body(s->loop, 0), index + 1), none = {0};
  MlirOperation next = value_definition(op_operand(yield_of(s), index));
  if (mlirOperationIsNull(next))
    return none;
  enum op_kind kind = kind_of(s->session, next);
  if (kind != OP_TILE_ADDPTR && kind != OP_ARITH_ADDI && kind != OP_ARITH_SUBI)
    return none;
  intptr_t other = mlirValueEqual(op_operand(next, 0), argument) ? 1 : 0;
  if (!mlirValueEqual(op_operand(next, 1 - other), argument) ||
      (kind != OP_ARITH_ADDI && other == 0) || !is_outside(s, op_operand(next, other)))
    return none;
  return op_operand(next, other);
}

/* Are these integers that can be added up, or pointers? Others need not be multiples of a count of
   parts. */
static bool is_counted(struct unroll_and_jam *s, MlirType type) {
  return type_is_integer(type, NARROW) || type_is_integer(type, WIDE) ||
         type_is_pointer(&s->session->types, type);
}

static bool shrinks(struct unroll_and_jam *s, intptr_t index) {
  return kind_of(s->session, value_definition(op_operand(yield_of(s), index))) == OP_ARITH_SUBI;
}

/* The attribute of a constant tile whose elements are all the same, or null. */
static MlirAttribute uniform_attribute(struct unroll_and_jam *s, MlirOperation op) {
  MlirAttribute none = {0};
  if (mlirOperationIsNull(op) || kind_of(s->session, op) != OP_ARITH_CONSTANT)
    return none;
  MlirAttribute value = mlirOperationGetAttributeByName(op, ref("value"));
  bool same = mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value);
  return same ? mlirDenseElementsAttrGetSplatValue(value) : none;
}

/* Are all elements one number? */
static bool is_uniform(struct unroll_and_jam *s, MlirValue tile) {
  MlirOperation op = value_definition(tile);
  return !mlirOperationIsNull(op) && (kind_of(s->session, op) == OP_TILE_SPLAT ||
                                      !mlirAttributeIsNull(uniform_attribute(s, op)));
}

/* Notes that loop-carried value `index` is wanted, along `dim` if it is a tile. */
static bool want(struct unroll_and_jam *s, intptr_t index, bool is_tile, int dim) {
  if (index < 0 || index >= UNROLL_AND_JAM_CARRIED)
    return false;
  struct carried_value *c = &s->carried[index];
  if (c->wanted)
    return c->is_tile == is_tile && c->dim == dim;
  *c = (struct carried_value){.wanted = true, .is_tile = is_tile, .dim = dim};
  MlirValue by = growth(s, index), before = op_operand(s->loop, index + 3);
  if (mlirValueIsNull(by) || !is_counted(s, type_element(mlirValueGetType(before))))
    return false;
  return !is_tile || (is_uniform(s, by) && unroll_and_jam_may(s, before, dim));
}

static bool may_number(struct unroll_and_jam *s, MlirValue number);

static bool may_sum(struct unroll_and_jam *s, MlirOperation op) {
  MlirValue x = op_operand(op, 0), y = mlirOperationGetNumOperands(op) > 1 ? op_operand(op, 1) : x;
  enum op_kind kind = kind_of(s->session, op);
  if (KIND_IN(kind, OP_ARITH_ADDI, OP_ARITH_SUBI, OP_TILE_ADDPTR))
    return may_number(s, x) && may_number(s, y);
  return kind == OP_ARITH_MULI &&
         ((is_outside(s, x) && may_number(s, y)) || (is_outside(s, y) && may_number(s, x)));
}

/* Each value is asked about once, however many others use it; once more where loads are not
   allowed. */
static struct map *asked(struct unroll_and_jam *s, int dim) {
  return &s->asked[2 * dim + s->in_load];
}

static bool note_asked(struct unroll_and_jam *s, MlirValue value, int dim) {
  map_set(asked(s, dim), value.ptr, s);
  return true;
}

/* Is a scalar of the body one that grows by the same number from each iteration to the next? */
static bool may_number(struct unroll_and_jam *s, MlirValue number) {
  if (is_outside(s, number) || is_induction(s, number))
    return true;
  if (mlirValueIsABlockArgument(number))
    return want(s, loop_carried_number(s->loop, number), false, 0);
  MlirOperation op = value_definition(number);
  if (map_get(asked(s, 0), number.ptr))
    return true;
  if (s->depth == MAX_DEPTH || !mlirBlockEqual(mlirOperationGetBlock(op), op_body(s->loop, 0)) ||
      !is_counted(s, mlirValueGetType(number)))
    return false;
  s->depth++;
  bool may = may_sum(s, op);
  s->depth--;
  return may && note_asked(s, number, 0);
}

static bool is_plain_load(struct unroll_and_jam *s, MlirOperation op, struct tile_load *out) {
  return tile_load_read(op, out) && !op_has_attribute(op, "volatile") &&
         !ref_equals(op_string(op, "cache"), "cv") &&
         (mlirValueIsNull(out->other) || value_is_zero(s->session, out->other));
}

static int64_t size_along(MlirType type, int dim) {
  int64_t shape[MAX_RANK];
  return dim < type_shape(type, shape) ? shape[dim] : 0;
}

/* The dimension of operand 0 that becomes `dim` of the result; -1: none does. */
static int operand_dim(struct unroll_and_jam *s, MlirOperation op, int dim) {
  int32_t axis = (int32_t)op_integer(op, "axis", 0);
  if (kind_of(s->session, op) == OP_TILE_EXPAND_DIMS)
    return dim == axis ? -1 : dim - (axis < dim);
  if (kind_of(s->session, op) == OP_TILE_PERMUTE)
    return mlirDenseI32ArrayGetElement(mlirOperationGetAttributeByName(op, ref("order")), dim);
  return dim;
}

static bool may_operands(struct unroll_and_jam *s, MlirOperation op, int dim) {
  int inner = operand_dim(s, op, dim);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (inner < 0 || !unroll_and_jam_may(s, op_operand(op, i), inner))
      return false;
  return true;
}

/* A load whose place or mask is loaded, too, would read what the loop does not: the inner one is
   not masked. */
static bool may_load(struct unroll_and_jam *s, MlirOperation op, int dim) {
  struct tile_load load;
  if (s->in_load || !is_plain_load(s, op, &load))
    return false;
  s->in_load = true;
  bool may = may_operands(s, op, dim);
  s->in_load = false;
  return may;
}

static bool may_operation(struct unroll_and_jam *s, MlirOperation op, int dim, bool outside) {
  const struct op_info *info = op_info(&s->session->names, op);
  if (info->kind == OP_TILE_RANGE)
    return true;
  if (info->kind == OP_ARITH_CONSTANT)
    return !mlirAttributeIsNull(uniform_attribute(s, op));
  if (info->kind == OP_TILE_SPLAT)
    return may_number(s, op_operand(op, 0));
  if (info->kind == OP_TILE_LOAD)
    return !outside && may_load(s, op, dim);
  bool elementwise = op_has(s->session, op, IS_ELEMENTWISE) &&
                     mlirOperationGetNumResults(op) == 1 &&
                     (info->effects == EFFECTS_PURE || outside);
  bool moves = KIND_IN(info->kind, OP_TILE_BROADCAST, OP_TILE_EXPAND_DIMS, OP_TILE_PERMUTE,
                       OP_TILE_ADDPTR, OP_TILE_BITCAST);
  return (elementwise || moves) && may_operands(s, op, dim);
}

bool unroll_and_jam_may(struct unroll_and_jam *s, MlirValue tile, int dim) {
  MlirOperation op = value_definition(tile);
  MlirType type = mlirValueGetType(tile);
  if (!type_is_tensor(type) || dim > 1 || mlirShapedTypeGetRank(type) > 2)
    return false;
  if (size_along(type, dim) == 1)
    return is_outside(s, tile);
  if (size_along(type, dim) != s->size)
    return false;
  if (mlirOperationIsNull(op))
    return want(s, loop_carried_number(s->loop, tile), true, dim);
  if (map_get(asked(s, dim), tile.ptr))
    return true;
  bool outside = is_outside(s, tile);
  if (s->depth == MAX_DEPTH ||
      (!outside && !mlirBlockEqual(mlirOperationGetBlock(op), op_body(s->loop, 0))))
    return false;
  s->depth++;
  bool may = may_operation(s, op, dim, outside);
  s->depth--;
  return may && note_asked(s, tile, dim);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* `operation` of scalars from outside, as a constant where that is known. */
static MlirValue folded(struct unroll_and_jam *s, enum op_kind operation, MlirValue x,
                        MlirValue y) {
  int64_t a, b;
  if (uniform_integer(s->session, x, &a) && uniform_integer(s->session, y, &b)) {
    uint64_t l = (uint64_t)a, r = (uint64_t)b;
    uint64_t bits = operation == OP_ARITH_MULI ? l * r : operation == OP_ARITH_SUBI ? l - r : l + r;
    bool narrow = type_is_integer(mlirValueGetType(x), NARROW);
    return build_integer_of(&s->outside, mlirValueGetType(x),
                            narrow ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits);
  }
  return build_binary(&s->outside, op_table[operation].name, x, y);
}

static MlirValue to_i64(struct unroll_and_jam *s, MlirValue value) {
  struct builder *b = &s->outside;
  MlirType type = mlirValueGetType(value), i64 = integer_type(b, WIDE);
  int64_t constant;
  if (type_is_integer(type_element(type), WIDE))
    return value;
  if (!type_is_tensor(type) && uniform_integer(s->session, value, &constant))
    return build_integer_of(b, i64, constant);
  return BUILD(b, "arith.extsi", IN(value), OUT(type_with_element(type, i64)));
}

MlirValue unroll_and_jam_stride(struct unroll_and_jam *s, MlirValue value) {
  return folded(s, OP_ARITH_MULI, value,
                build_integer_of(&s->outside, mlirValueGetType(value), s->factor));
}

/* What loop-carried value `index` grows by, where `by` is the number that its next one is made of.
 */
static MlirValue signed_growth(struct unroll_and_jam *s, intptr_t index, MlirValue by) {
  return shrinks(s, index)
             ? folded(s, OP_ARITH_SUBI, build_integer_of(&s->outside, mlirValueGetType(by), 0), by)
             : by;
}

static MlirValue noted(struct map *map, MlirValue key) {
  return (MlirValue){map_get(map, key.ptr)};
}

static MlirValue note(struct map *map, MlirValue key, MlirValue built) {
  map_set(map, key.ptr, (void *)built.ptr);
  return built;
}

/* What a number of the body grows by from one iteration to the next, in the type of what is added:
   of pointers i64, counted in elements. Outside. */
static MlirValue difference(struct unroll_and_jam *s, MlirValue number);

static MlirValue build_difference(struct unroll_and_jam *s, MlirValue number) {
  struct builder *b = &s->outside;
  MlirType type = mlirValueGetType(number);
  bool pointer = type_is_pointer(&s->session->types, type);
  if (is_outside(s, number))
    return build_integer_of(b, pointer ? integer_type(b, WIDE) : type, 0);
  if (is_induction(s, number))
    return op_operand(s->loop, 2);
  if (mlirValueIsABlockArgument(number)) {
    MlirValue by = signed_growth(s, loop_carried_number(s->loop, number),
                                 growth(s, loop_carried_number(s->loop, number)));
    return pointer ? to_i64(s, by) : by;
  }
  MlirOperation op = value_definition(number);
  MlirValue x = op_operand(op, 0), y = op_operand(op, 1);
  enum op_kind kind = kind_of(s->session, op);
  if (kind == OP_ARITH_MULI)
    return is_outside(s, x) ? folded(s, kind, x, difference(s, y))
                            : folded(s, kind, difference(s, x), y);
  MlirValue dx = difference(s, x), dy = difference(s, y);
  if (kind == OP_TILE_ADDPTR)
    dy = to_i64(s, dy);
  return folded(s, kind == OP_ARITH_SUBI ? OP_ARITH_SUBI : OP_ARITH_ADDI, dx, dy);
}

static MlirValue difference(struct unroll_and_jam *s, MlirValue number) {
  MlirValue built = noted(&s->differences, number);
  return mlirValueIsNull(built) ? note(&s->differences, number, build_difference(s, number))
                                : built;
}

/* A scalar of the body, of the first of the iterations. */
static MlirValue unroll_and_jam_number(struct unroll_and_jam *s, MlirValue number) {
  if (is_outside(s, number))
    return number;
  if (is_induction(s, number))
    return s->induction;
  if (mlirValueIsABlockArgument(number))
    return s->carried[loop_carried_number(s->loop, number)].inside;
  MlirValue built = noted(&s->numbers, number);
  if (!mlirValueIsNull(built))
    return built;
  MlirOperation copy = mlirOperationClone(value_definition(number));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
    mlirOperationSetOperand(copy, i, unroll_and_jam_number(s, op_operand(copy, i)));
  mlirBlockAppendOwnedOperation(s->body.block, copy);
  return note(&s->numbers, number, op_result(copy, 0));
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* `like`, with the elements of all parts along `dim`. */
static MlirType unroll_and_jam_type(const struct unroll_and_jam *s, MlirType like, int dim) {
  int64_t shape[MAX_RANK];
  int rank = type_shape(like, shape);
  if (shape[dim] == s->size)
    shape[dim] *= s->factor;
  return tensor_type(rank, shape, type_element(like), (MlirAttribute){0});
}

static MlirNamedAttribute integer_attribute(struct builder *b, const char *name, int64_t value) {
  return attribute_named(b->context, name, attribute_integer(b->context, NARROW, value));
}

/* 0, 1, 2 ... through all parts: tensor<(size * factor) x i32>. */
static MlirValue counted(struct unroll_and_jam *s) {
  int64_t all = s->size * s->factor;
  MlirType row = tensor_type(1, &all, integer_type(&s->outside, NARROW), (MlirAttribute){0});
  return BUILD(&s->outside, "tile.range", OUT(row),
               ATTRIBUTES(integer_attribute(&s->outside, "start", 0),
                          integer_attribute(&s->outside, "end", all)));
}

static MlirValue everywhere(struct builder *b, MlirValue number, MlirType like) {
  return BUILD(b, "tile.splat", IN(number), OUT(type_with_element(like, mlirValueGetType(number))));
}

/* `operation` of each element and a constant. */
static MlirValue by_constant(struct builder *b, const char *operation, MlirValue tile,
                             int64_t constant) {
  MlirType type = mlirValueGetType(tile);
  return build_binary(b, operation, tile,
                      everywhere(b, build_integer_of(b, type_element(type), constant), type));
}

MlirValue unroll_and_jam_multiples(struct unroll_and_jam *s, MlirValue number) {
  struct builder *b = &s->outside;
  MlirValue part = by_constant(b, "arith.shrui", counted(s), log2_of(s->size));
  if (type_is_integer(mlirValueGetType(number), WIDE))
    part = to_i64(s, part);
  return build_binary(b, "arith.muli", part, everywhere(b, number, mlirValueGetType(part)));
}

MlirValue unroll_and_jam_spread(struct builder *b, MlirValue row, MlirType type, int dim) {
  int64_t shape[MAX_RANK], flat[MAX_RANK] = {1, 1};
  int rank = type_shape(type, shape);
  MlirType element = type_element(mlirValueGetType(row));
  if (rank == 1)
    return row;
  flat[dim] = shape[dim];
  MlirValue out = BUILD(b, "tile.expand_dims", IN(row),
                        OUT(tensor_type(rank, flat, element, (MlirAttribute){0})),
                        ATTRIBUTES(integer_attribute(b, "axis", 1 - dim)));
  return BUILD(b, "tile.broadcast", IN(out), OUT(type_with_element(type, element)));
}

/* tile + part * difference, the difference from outside. */
static MlirValue apart(struct unroll_and_jam *s, struct builder *b, MlirValue tile,
                       MlirValue difference, int dim) {
  int64_t constant;
  if (uniform_integer(s->session, difference, &constant) && constant == 0)
    return tile;
  MlirType type = mlirValueGetType(tile);
  MlirValue multiples =
      unroll_and_jam_spread(&s->outside, unroll_and_jam_multiples(s, difference), type, dim);
  bool pointers = type_is_pointer(&s->session->types, type_element(type));
  return build_binary(b, pointers ? "tile.addptr" : "arith.addi", tile, multiples);
}

/* The operation once more with other operands, for tiles of another size. Hints about its numbers
   do not hold there. */
static MlirValue rebuild(struct builder *b, MlirOperation op, const MlirValue *operands,
                         MlirType type) {
  enum { MAX_ATTRIBUTES = 16 };
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op) && count < MAX_ATTRIBUTES; i++) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    if (!attribute_is(attribute, ATTR_CONTIGUITY) && !attribute_is(attribute, ATTR_DIVISIBILITY) &&
        !attribute_is(attribute, ATTR_CONSTANCY))
      attributes[count++] = attribute;
  }
  MlirStringRef name = op_name(op);
  struct text text = {0};
  text_printf(&text, "%.*s", (int)name.length, name.data);
  MlirValue out = build_value(b, &(struct op_spec){.name = text_string(&text),
                                                   .in = operands,
                                                   .in_count = mlirOperationGetNumOperands(op),
                                                   .out = &type,
                                                   .out_count = 1,
                                                   .attributes = attributes,
                                                   .attribute_count = count});
  text_free(&text);
  return out;
}

static MlirValue build_operation(struct unroll_and_jam *s, struct builder *b, MlirOperation op,
                                 MlirType type, int dim) {
  enum { MAX_OPERANDS = 8 };
  MlirValue operands[MAX_OPERANDS];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < MAX_OPERANDS; i++)
    operands[i] = unroll_and_jam_build(s, op_operand(op, i), operand_dim(s, op, dim));
  return rebuild(b, op, operands, type);
}

/* start + (counted & (size - 1)). */
static MlirValue build_range(struct unroll_and_jam *s, MlirOperation range) {
  MlirValue row = by_constant(&s->outside, "arith.andi", counted(s), s->size - 1);
  int64_t start = op_integer(range, "start", 0);
  return start ? by_constant(&s->outside, "arith.addi", row, start) : row;
}

static MlirValue build_anew(struct unroll_and_jam *s, MlirValue tile, int dim) {
  MlirOperation op = value_definition(tile);
  MlirType type = unroll_and_jam_type(s, mlirValueGetType(tile), dim);
  struct builder *b = is_outside(s, tile) ? &s->outside : &s->body;
  enum op_kind kind = kind_of(s->session, op);
  if (kind == OP_TILE_RANGE)
    return build_range(s, op);
  if (kind == OP_ARITH_CONSTANT)
    return build_constant(b, mlirDenseElementsAttrSplatGet(type, uniform_attribute(s, op)), type);
  if (kind != OP_TILE_SPLAT)
    return build_operation(s, b, op, type, dim);
  MlirValue number = op_operand(op, 0);
  MlirValue first = everywhere(b, unroll_and_jam_number(s, number), type);
  return is_outside(s, number) ? first : apart(s, b, first, difference(s, number), dim);
}

MlirValue unroll_and_jam_build(struct unroll_and_jam *s, MlirValue tile, int dim) {
  if (size_along(mlirValueGetType(tile), dim) == 1)
    return tile;
  if (mlirValueIsABlockArgument(tile))
    return s->carried[loop_carried_number(s->loop, tile)].inside;
  MlirValue built = noted(&s->tiles[dim], tile);
  return mlirValueIsNull(built) ? note(&s->tiles[dim], tile, build_anew(s, tile, dim)) : built;
}

/* --- Loop-carried values ---------------------------------------------------------------------- */

/* What loop-carried value `index` grows by, as a number; outside. */
static MlirValue uniform_growth(struct unroll_and_jam *s, intptr_t index) {
  MlirValue by = growth(s, index);
  if (!s->carried[index].is_tile)
    return signed_growth(s, index, by);
  MlirOperation op = value_definition(by);
  MlirAttribute constant = uniform_attribute(s, op);
  MlirValue number =
      mlirAttributeIsNull(constant)
          ? op_operand(op, 0)
          : build_constant(&s->outside, constant, type_element(mlirValueGetType(by)));
  return signed_growth(s, index, number);
}

/* The same where it is to be multiplied: offsets of pointers as i64, unless it is known that the
   dot fits. */
static MlirValue growth_to_multiply(struct unroll_and_jam *s, intptr_t index) {
  MlirValue by = uniform_growth(s, index);
  MlirType type = mlirValueGetType(mlirBlockGetArgument(op_body(s->loop, 0), index + 1));
  int64_t constant;
  bool pointers = type_is_pointer(&s->session->types, type_element(type));
  bool fits = uniform_integer(s->session, by, &constant) &&
              constant * s->factor == (int32_t)(constant * s->factor);
  return pointers && !fits ? to_i64(s, by) : by;
}

void unroll_and_jam_begin_carried(struct unroll_and_jam *s) {
  for (intptr_t i = 0; i < UNROLL_AND_JAM_CARRIED; i++) {
    struct carried_value *c = &s->carried[i];
    if (!c->wanted)
      continue;
    c->before = op_operand(s->loop, i + 3);
    if (c->is_tile)
      c->before = apart(s, &s->outside, unroll_and_jam_build(s, c->before, c->dim),
                        growth_to_multiply(s, i), c->dim);
  }
}

MlirValue unroll_and_jam_next(struct unroll_and_jam *s, intptr_t index) {
  MlirValue inside = s->carried[index].inside,
            by = unroll_and_jam_stride(s, growth_to_multiply(s, index));
  MlirType type = mlirValueGetType(inside);
  bool pointers = type_is_pointer(&s->session->types, type_element(type));
  if (type_is_tensor(type))
    by = everywhere(&s->outside, by, type);
  return build_binary(&s->body, pointers ? "tile.addptr" : "arith.addi", inside, by);
}
