/* SPDX-License-Identifier: MIT */
/* See offsets.h. */
#include "analysis/offsets.h"

enum { MAX_TERMS = 16, MAX_DEPTH = 24 };

struct term {
  const void *value; /* MlirValue.ptr; of a tile.range, a mark for all ranges of its length */
  int64_t factor;
};

struct linear_form {
  const void *root; /* the pointer at the bottom */
  struct term terms[MAX_TERMS];
  int count;
  int64_t constant;
  bool known; /* false: too many terms, or numbers too large */
  bool exact; /* sums that are extended do not wrap: the rule of tile.addptr, not of loop bounds */
};

static const char range_mark[32]; /* one for each power of two */

static void add_term(struct linear_form *form, const void *value, int64_t factor) {
  int i = 0;
  while (i < form->count && form->terms[i].value != value)
    i++;
  if (i == MAX_TERMS) {
    form->known = false;
    return;
  }
  if (i == form->count)
    form->terms[form->count++] = (struct term){value, 0};
  form->known &= !__builtin_add_overflow(form->terms[i].factor, factor, &form->terms[i].factor);
}

static void add_constant(struct linear_form *form, int64_t constant, int64_t factor) {
  int64_t product;
  form->known &= !__builtin_mul_overflow(constant, factor, &product) &&
                 !__builtin_add_overflow(form->constant, product, &form->constant);
}

/* The integer that a constant is, or that all elements of a constant tensor are. */
static bool integer_constant(struct session *session, MlirValue value, int64_t *out) {
  MlirOperation op = value_definition(value);
  if (!op_is(session, op, OP_ARITH_CONSTANT))
    return false;
  MlirAttribute constant = mlirOperationGetAttributeByName(op, ref("value"));
  if (mlirAttributeIsADenseElements(constant) && mlirDenseElementsAttrIsSplat(constant))
    constant = mlirDenseElementsAttrGetSplatValue(constant);
  if (!mlirAttributeIsAInteger(constant) ||
      !mlirIntegerTypeIsSignless(mlirAttributeGetType(constant)) ||
      mlirIntegerTypeGetWidth(mlirAttributeGetType(constant)) > 64)
    return false;
  *out = mlirIntegerAttrGetValueInt(constant);
  return true;
}

static void add_value(struct session *session, MlirValue value, int64_t factor,
                      struct linear_form *form, int depth);

/* x * c, or x << c. False when neither factor is a constant. */
static bool add_product(struct session *session, MlirOperation op, int64_t factor,
                        struct linear_form *form, int depth) {
  int64_t constant;
  bool shift = kind_of(session, op) == OP_ARITH_SHLI;
  intptr_t other = 0;
  if (!integer_constant(session, op_operand(op, 1), &constant)) {
    if (shift || !integer_constant(session, op_operand(op, 0), &constant))
      return false;
    other = 1;
  }
  if (shift && (constant < 0 || constant > 31))
    return false;
  if (shift)
    constant = INT64_C(1) << constant;
  int64_t product;
  form->known &= !__builtin_mul_overflow(constant, factor, &product);
  if (form->known)
    add_value(session, op_operand(op, other), product, form, depth);
  return true;
}

static void add_range(MlirOperation op, int64_t factor, struct linear_form *form) {
  int64_t start = op_integer(op, "start", 0), length = op_integer(op, "end", 0) - start;
  add_constant(form, start, factor);
  add_term(form, &range_mark[__builtin_ctzll((unsigned long long)length) & 31], factor);
}

static void add_value(struct session *session, MlirValue value, int64_t factor,
                      struct linear_form *form, int depth) {
  MlirOperation op = value_definition(value);
  int64_t constant;
  if (integer_constant(session, value, &constant)) {
    add_constant(form, constant, factor);
    return;
  }
  enum op_kind kind =
      mlirOperationIsNull(op) || depth >= MAX_DEPTH ? OP_OTHER : kind_of(session, op);
  if (KIND_IN(kind, OP_ARITH_ADDI, OP_ARITH_SUBI)) {
    add_value(session, op_operand(op, 0), factor, form, depth + 1);
    add_value(session, op_operand(op, 1), kind == OP_ARITH_SUBI ? -factor : factor, form,
              depth + 1);
    return;
  }
  if (kind == OP_TILE_SPLAT || (kind == OP_ARITH_EXTSI && form->exact)) {
    add_value(session, op_operand(op, 0), factor, form, depth + 1);
    return;
  }
  if (kind == OP_TILE_RANGE) {
    add_range(op, factor, form);
    return;
  }
  if (KIND_IN(kind, OP_ARITH_MULI, OP_ARITH_SHLI) &&
      add_product(session, op, factor, form, depth + 1))
    return;
  add_term(form, value.ptr, factor);
}

/* False when an addptr on the way counts in other elements than `type`'s. */
static bool form_of_pointer(struct session *session, MlirValue pointer, struct linear_form *form) {
  MlirType pointee = pointer_pointee(&session->types, type_element(mlirValueGetType(pointer)));
  *form = (struct linear_form){.known = true, .exact = true};
  for (int depth = 0; depth < MAX_DEPTH; depth++) {
    MlirOperation op = value_definition(pointer);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_OTHER : kind_of(session, op);
    if (kind == OP_TILE_ADDPTR)
      add_value(session, op_operand(op, 1), 1, form, 0);
    else if (kind != OP_TILE_SPLAT)
      break;
    pointer = op_operand(op, 0);
  }
  form->root = pointer.ptr;
  return mlirTypeEqual(pointee,
                       pointer_pointee(&session->types, type_element(mlirValueGetType(pointer))));
}

bool pointers_are_apart(struct session *session, MlirValue a, MlirValue b) {
  struct linear_form x, y;
  if (!mlirTypeEqual(type_element(mlirValueGetType(a)), type_element(mlirValueGetType(b))) ||
      !form_of_pointer(session, a, &x) || !form_of_pointer(session, b, &y) || x.root != y.root)
    return false;
  for (int i = 0; i < y.count; i++)
    add_term(&x, y.terms[i].value, -y.terms[i].factor);
  for (int i = 0; i < x.count; i++)
    if (x.terms[i].factor != 0)
      return false;
  return x.known && y.known && x.constant != y.constant;
}

/* --- Loops ------------------------------------------------------------------------------------ */

/* At most upper - lower, 0 when no bound is known. Where a sum wraps, upper is the smaller one and
   the loop makes no iteration. */
static int64_t most_distance(struct session *session, MlirValue lower, MlirValue upper, int depth) {
  MlirOperation op = value_definition(upper);
  struct linear_form form = {.known = true};
  add_value(session, upper, 1, &form, 0);
  add_value(session, lower, -1, &form, 0);
  bool constant = form.known;
  for (int i = 0; i < form.count; i++)
    constant &= form.terms[i].factor == 0;
  if (constant)
    return form.constant > 0 ? form.constant : 0;
  if (!op_is(session, op, OP_ARITH_MINSI) || depth == MAX_DEPTH)
    return 0;
  int64_t a = most_distance(session, lower, op_operand(op, 0), depth + 1);
  int64_t b = most_distance(session, lower, op_operand(op, 1), depth + 1);
  return a == 0 ? b : b == 0 ? a : a < b ? a : b;
}

int64_t loop_most_trips(struct session *session, MlirOperation loop, bool *exact) {
  int64_t lower, upper, step;
  *exact = false;
  if (op_has_attribute(loop, "unsignedCmp") ||
      !integer_constant(session, op_operand(loop, 2), &step) || step < 1)
    return 0;
  *exact = integer_constant(session, op_operand(loop, 0), &lower) &&
           integer_constant(session, op_operand(loop, 1), &upper) && lower < upper;
  int64_t distance = most_distance(session, op_operand(loop, 0), op_operand(loop, 1), 0);
  return distance / step + (distance % step != 0);
}
