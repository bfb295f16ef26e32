/* SPDX-License-Identifier: MIT */
/* See linear_form.h. */
#include "analysis/linear_form.h"

#include <string.h>
#include "ir/build.h"

/* --- Arithmetic ------------------------------------------------------------------------------- */

struct form_term form_number(int64_t factor) {
  return (struct form_term){.factor = factor, .dim = -1};
}

struct form_term form_scalar(MlirValue scalar) {
  return (struct form_term){.factor = 1, .scalars = {scalar}, .scalar_count = 1, .dim = -1};
}

bool terms_have_one_product(const struct form_term *a, const struct form_term *b) {
  if (a->scalar_count != b->scalar_count)
    return false;
  for (int i = 0; i < a->scalar_count; i++)
    if (!mlirValueEqual(a->scalars[i], b->scalars[i]))
      return false;
  return true;
}

static bool is_one_position(const struct form_term *a, const struct form_term *b) {
  return a->dim == b->dim && a->wrapped.ptr == b->wrapped.ptr;
}

bool form_add_term(struct linear_form *out, struct form_term term) {
  for (int i = 0; i < out->count; i++) {
    struct form_term *own = &out->terms[i];
    if (!terms_have_one_product(own, &term) || !is_one_position(own, &term))
      continue;
    own->narrow |= term.narrow;
    if (__builtin_add_overflow(own->factor, term.factor, &own->factor))
      return false;
    if (own->factor == 0)
      *own = out->terms[--out->count];
    return true;
  }
  if (term.factor == 0)
    return true;
  if (out->count == MAX_FORM_TERMS)
    return false;
  out->terms[out->count++] = term;
  return true;
}

bool form_add(struct linear_form *out, const struct linear_form *form, int64_t factor) {
  for (int i = 0; i < form->count; i++) {
    struct form_term term = form->terms[i];
    if (__builtin_mul_overflow(term.factor, factor, &term.factor) || !form_add_term(out, term))
      return false;
  }
  return true;
}

static void insert_scalar(struct form_term *term, MlirValue scalar) {
  int at = term->scalar_count++;
  for (; at > 0 && (uintptr_t)term->scalars[at - 1].ptr > (uintptr_t)scalar.ptr; at--)
    term->scalars[at] = term->scalars[at - 1];
  term->scalars[at] = scalar;
}

static bool is_number(const struct form_term *term, int64_t number) {
  return term->scalar_count == 0 && term->dim < 0 && term->factor == number;
}

/* False where both have a position, or it gets too long. `narrow`: made in 32 bits. */
static bool multiply_terms(const struct form_term *a, const struct form_term *b, bool narrow,
                           struct form_term *out) {
  const struct form_term *placed = a->dim >= 0 ? a : b;
  if ((a->dim >= 0 && b->dim >= 0) || a->scalar_count + b->scalar_count > MAX_FORM_SCALARS)
    return false;
  *out = *a;
  out->dim = placed->dim;
  out->wrapped = placed->wrapped;
  bool times_one = is_number(a, 1) || is_number(b, 1);
  out->narrow =
      a->narrow || b->narrow || (narrow && !times_one && a->scalar_count + b->scalar_count > 0);
  for (int i = 0; i < b->scalar_count; i++)
    insert_scalar(out, b->scalars[i]);
  return !__builtin_mul_overflow(a->factor, b->factor, &out->factor);
}

static bool multiply(const struct linear_form *a, const struct linear_form *b, bool narrow,
                     struct linear_form *out) {
  struct form_term product;
  *out = (struct linear_form){.count = 0};
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++)
      if (!multiply_terms(&a->terms[i], &b->terms[j], narrow, &product) ||
          !form_add_term(out, product))
        return false;
  return true;
}

bool form_is_zero(const struct linear_form *form) {
  return form->count == 0;
}

bool form_is_number(const struct linear_form *form, int64_t *out) {
  *out = form->count ? form->terms[0].factor : 0;
  return form->count == 0 ||
         (form->count == 1 && form->terms[0].scalar_count == 0 && form->terms[0].dim < 0);
}

bool form_divide_term(const struct form_term *term, const struct form_term *by,
                      struct form_term *out) {
  *out = *term;
  if (by->factor == 0 || term->factor % by->factor)
    return false;
  out->factor = term->factor / by->factor;
  for (int i = 0; i < by->scalar_count; i++) {
    int at = 0;
    while (at < out->scalar_count && !mlirValueEqual(out->scalars[at], by->scalars[i]))
      at++;
    if (at == out->scalar_count)
      return false;
    memmove(out->scalars + at, out->scalars + at + 1,
            sizeof *out->scalars * (size_t)(out->scalar_count - at - 1));
    out->scalar_count--;
  }
  return true;
}

/* --- Loops ------------------------------------------------------------------------------------ */

static bool fail(struct form_reader *reader, const char *problem) {
  reader->problem = problem;
  return false;
}

/* Arithmetic in the loop on what does not change does not change. */
static bool changes_in(struct session *session, MlirValue value, MlirOperation loop) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(loop))
    return false;
  if (mlirOperationIsNull(op)) {
    MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    return !mlirOperationIsNull(owner) && op_is_inside(owner, loop);
  }
  if (!op_is_inside(op, loop))
    return false;
  bool computed = op_has(session, op, IS_ELEMENTWISE);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && computed; i++)
    if (changes_in(session, op_operand(op, i), loop))
      return true;
  return !computed && !op_is(session, op, OP_ARITH_CONSTANT);
}

int64_t term_divisor(struct axis_analysis *axis, const struct form_term *term) {
  int64_t divisor = term->factor ? term->factor & -term->factor : AXIS_MAX;
  for (int i = 0; i < term->scalar_count && divisor < AXIS_MAX; i++)
    divisor *= axis_info_of(axis, term->scalars[i])->divisibility[0];
  return divisor;
}

bool term_changes_in(struct session *session, const struct form_term *term, MlirOperation loop) {
  for (int i = 0; i < term->scalar_count; i++)
    if (changes_in(session, term->scalars[i], loop))
      return true;
  return false;
}

bool term_is_non_negative(struct form_reader *reader, const struct form_term *term) {
  for (int i = 0; i < term->scalar_count; i++)
    if (!axis_info_of(reader->axis, term->scalars[i])->non_negative)
      return false;
  return term->factor >= 0;
}

bool value_is_before(MlirValue value, MlirOperation op) {
  MlirOperation definition = value_definition(value);
  if (mlirOperationIsNull(definition))
    return op_is_inside(op, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)));
  op = op_in_block(op, mlirOperationGetBlock(definition));
  return !mlirOperationIsNull(op) && mlirOperationIsBeforeInBlock(definition, op);
}

bool value_is_available(struct session *session, MlirValue value, MlirOperation op) {
  MlirOperation definition = value_definition(value);
  if (value_is_before(value, op) || mlirOperationIsNull(definition))
    return value_is_before(value, op);
  if (!op_has(session, definition, IS_ELEMENTWISE) &&
      !op_is(session, definition, OP_ARITH_CONSTANT))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(definition); i++)
    if (!value_is_available(session, op_operand(definition, i), op))
      return false;
  return true;
}

/* The loop that `value`, an argument of its body, is of; null for other values. */
static MlirOperation loop_of(struct form_reader *reader, MlirValue value) {
  if (!mlirValueIsABlockArgument(value))
    return (MlirOperation){0};
  MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return op_is(reader->session, owner, OP_SCF_FOR) ? owner : (MlirOperation){0};
}

/* term / step, where the loop moves all elements by it, in each iteration by the same. */
static bool divide_advance(struct form_reader *reader, MlirOperation loop,
                           const struct form_term *term, int64_t step, struct linear_form *out) {
  struct linear_form parts = {.terms = {*term}, .count = 1};
  if (term->dim >= 0)
    return fail(reader, "the loop moves elements by different distances");
  if (term_changes_in(reader->session, term, loop))
    return fail(reader, "the loop advances by something that it computes");
  if (term->factor % step && !form_expand(reader, term, &parts))
    return fail(reader, "the loop advances by no multiple of its step");
  for (int i = 0; i < parts.count; i++) {
    if (parts.terms[i].factor % step)
      return fail(reader, "the loop advances by no multiple of its step");
    parts.terms[i].factor /= step;
  }
  return form_add(out, &parts, 1) || fail(reader, "an index has too many terms");
}

/* advance * (iv - first) / step: what a loop-carried value that advances by that has gone up. Each
   number must be a multiple of the step, a constant. */
static bool add_advances(struct form_reader *reader, MlirOperation loop,
                         const struct linear_form *advance, struct linear_form *out) {
  int64_t step;
  struct linear_form count = {0}, first, product, each = {0};
  if (!uniform_integer(reader->session, op_operand(loop, 2), &step) || step <= 0)
    return fail(reader, "the loop's step is not a constant");
  if (op_has_attribute(loop, "unsignedCmp"))
    return fail(reader, "the loop counts without a sign");
  if (!form_of(reader, op_operand(loop, 0), &first) ||
      !form_add_term(&count, form_scalar(mlirBlockGetArgument(op_body(loop, 0), 0))) ||
      !form_add(&count, &first, -1))
    return false;
  for (int i = 0; i < advance->count; i++)
    if (!divide_advance(reader, loop, &advance->terms[i], step, &each))
      return false;
  return (multiply(&each, &count, false, &product) && form_add(out, &product, 1)) ||
         fail(reader, "an index has too many terms");
}

/* Is `product` = iv * number below 2^31 in every iteration: does the loop end at something divided
   by at least the number, or is it below a constant? */
static bool counter_fits(struct form_reader *reader, MlirValue counter, int64_t number) {
  MlirOperation loop = loop_of(reader, counter);
  int64_t first, divisor, end;
  if (number < 0 || mlirOperationIsNull(loop) || mlirBlockArgumentGetArgNumber(counter) != 0 ||
      !uniform_integer(reader->session, op_operand(loop, 0), &first) || first < 0)
    return false;
  if (uniform_integer(reader->session, op_operand(loop, 1), &end))
    return end <= INT32_MAX / (number ? number : 1);
  MlirOperation division = value_definition(op_operand(loop, 1));
  return !mlirOperationIsNull(division) &&
         KIND_IN(kind_of(reader->session, division), OP_ARITH_DIVSI, OP_ARITH_CEILDIVSI,
                 OP_ARITH_FLOORDIVSI, OP_ARITH_DIVUI) &&
         uniform_integer(reader->session, op_operand(division, 1), &divisor) && divisor >= number;
}

bool form_counter_fits(struct form_reader *reader, const struct form_term *term) {
  if (term->scalar_count != 1)
    return false;
  bool narrow = type_is_integer(mlirValueGetType(term->scalars[0]), 32);
  return (narrow && term->factor == 1) || counter_fits(reader, term->scalars[0], term->factor);
}

/* A loop-carried integer. */
static bool form_of_carried(struct form_reader *reader, MlirOperation loop, MlirValue value,
                            struct linear_form *out) {
  intptr_t number = mlirBlockArgumentGetArgNumber(value) - 1;
  MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
  MlirOperation next = value_definition(op_operand(yield, number));
  struct linear_form advance;
  if (!op_is(reader->session, next, OP_ARITH_ADDI))
    return fail(reader, "the loop carries an index otherwise than by adding to it");
  intptr_t side = mlirValueEqual(op_operand(next, 0), value) ? 1 : 0;
  if (!mlirValueEqual(op_operand(next, 1 - side), value))
    return fail(reader, "the loop carries an index otherwise than by adding to it");
  return form_of(reader, op_operand(loop, 3 + number), out) &&
         form_of(reader, op_operand(next, side), &advance) &&
         add_advances(reader, loop, &advance, out);
}

/* --- Integers --------------------------------------------------------------------------------- */

static bool is_narrow(MlirValue value) {
  return type_is_integer(type_element(mlirValueGetType(value)), 32);
}

/* A scalar that is taken as it is. */
static bool leave(MlirValue value, struct linear_form *out) {
  *out = (struct linear_form){.terms = {form_scalar(value)}, .count = 1};
  return true;
}

/* Does x * y, of 32 bits, not wrap, being a loop's counter times a number? */
static bool product_fits(struct form_reader *reader, MlirValue x, MlirValue y) {
  int64_t number;
  return (uniform_integer(reader->session, y, &number) && counter_fits(reader, x, number)) ||
         (uniform_integer(reader->session, x, &number) && counter_fits(reader, y, number));
}

/* addi, subi and muli. `narrow`: products may wrap. */
static bool form_of_arithmetic(struct form_reader *reader, MlirOperation op, enum op_kind kind,
                               bool narrow, struct linear_form *out) {
  struct linear_form x, y;
  if (!form_of(reader, op_operand(op, 0), &x) || !form_of(reader, op_operand(op, 1), &y))
    return false;
  bool done;
  if (kind == OP_ARITH_MULI) {
    done = multiply(&x, &y, narrow, out);
  } else {
    *out = x;
    done = form_add(out, &y, kind == OP_ARITH_SUBI ? -1 : 1);
  }
  return done || fail(reader, "an index is no sum of products with a position");
}

/* A scalar of 32 bits stays as it is unless it changes in the loop, and is computed without
   wrapping. */
static bool form_of_scalar(struct form_reader *reader, MlirValue value, MlirOperation op,
                           enum op_kind kind, struct linear_form *out) {
  if (kind == OP_ARITH_EXTSI)
    return form_of(reader, op_operand(op, 0), out);
  if (!KIND_IN(kind, OP_ARITH_ADDI, OP_ARITH_SUBI, OP_ARITH_MULI))
    return leave(value, out);
  if (is_narrow(value)) {
    bool fits =
        kind == OP_ARITH_MULI
            ? product_fits(reader, op_operand(op, 0), op_operand(op, 1))
            : kind == OP_ARITH_ADDI || axis_info_of(reader->axis, op_operand(op, 1))->non_negative;
    if (!changes_in(reader->session, value, reader->loop) || !fits)
      return leave(value, out);
  }
  return form_of_arithmetic(reader, op, kind, false, out);
}

static bool form_of_range(MlirOperation op, struct linear_form *out) {
  *out = (struct linear_form){.count = 0};
  form_add_term(out, form_number(op_integer(op, "start", 0)));
  if (type_elements(op_result_type(op, 0)) > 1)
    form_add_term(out, (struct form_term){.factor = 1, .dim = 0});
  return true;
}

/* Dimension d of the operand is dimension d + 1 of the result from `axis` on. */
static void expand_form(struct linear_form *form, int64_t axis) {
  for (int i = 0; i < form->count; i++)
    if (form->terms[i].dim >= axis)
      form->terms[i].dim++;
}

static void permute_form(struct linear_form *form, MlirOperation op) {
  MlirAttribute order = mlirOperationGetAttributeByName(op, ref("order"));
  intptr_t rank = mlirDenseArrayGetNumElements(order);
  for (int i = 0; i < form->count; i++)
    for (int d = 0, from = form->terms[i].dim; d < rank; d++)
      if (from >= 0 && mlirDenseI32ArrayGetElement(order, d) == from)
        form->terms[i].dim = d;
}

/* An index that is put into bounds: x % n, or where(x < n, x, 0). */
static bool leave_wrapped(MlirValue value, struct linear_form *out) {
  *out = (struct linear_form){.terms = {{.factor = 1, .dim = 0, .wrapped = value}}, .count = 1};
  return true;
}

static bool form_of_tile(struct form_reader *reader, MlirValue value, MlirOperation op,
                         enum op_kind kind, struct linear_form *out) {
  if (kind == OP_TILE_RANGE)
    return form_of_range(op, out);
  if (KIND_IN(kind, OP_TILE_SPLAT, OP_TILE_BROADCAST, OP_ARITH_EXTSI))
    return form_of(reader, op_operand(op, 0), out);
  if (KIND_IN(kind, OP_TILE_EXPAND_DIMS, OP_TILE_PERMUTE)) {
    if (!form_of(reader, op_operand(op, 0), out))
      return false;
    if (kind == OP_TILE_PERMUTE)
      permute_form(out, op);
    else
      expand_form(out, op_integer(op, "axis", 0));
    return true;
  }
  if (KIND_IN(kind, OP_ARITH_ADDI, OP_ARITH_SUBI, OP_ARITH_MULI))
    return form_of_arithmetic(reader, op, kind, is_narrow(value), out);
  if (KIND_IN(kind, OP_ARITH_REMSI, OP_ARITH_REMUI, OP_ARITH_SELECT) &&
      mlirShapedTypeGetRank(mlirValueGetType(value)) == 1)
    return leave_wrapped(value, out);
  if (kind == OP_TILE_LOAD)
    return fail(reader, "an index is loaded");
  return fail(reader, "an index is no sum of products with a position");
}

bool form_of(struct form_reader *reader, MlirValue value, struct linear_form *out) {
  int64_t number;
  bool tile = type_is_tensor(mlirValueGetType(value));
  if (uniform_integer(reader->session, value, &number)) {
    *out = (struct linear_form){.count = 0};
    return form_add_term(out, form_number(number));
  }
  MlirOperation loop = loop_of(reader, value), op = value_definition(value);
  if (!mlirOperationIsNull(loop) && mlirBlockArgumentGetArgNumber(value) > 0 &&
      (tile || mlirOperationEqual(loop, reader->loop)))
    return form_of_carried(reader, loop, value, out);
  if (mlirOperationIsNull(op))
    return tile ? fail(reader, "an index is no sum of products with a position")
                : leave(value, out);
  enum op_kind kind = kind_of(reader->session, op);
  return tile ? form_of_tile(reader, value, op, kind, out)
              : form_of_scalar(reader, value, op, kind, out);
}

bool form_of_wrapped(struct form_reader *reader, MlirValue wrapped, struct linear_form *index,
                     struct linear_form *size) {
  MlirOperation op = value_definition(wrapped);
  MlirValue inner = op_operand(op, 0), bound = op_operand(op, 1);
  if (op_is(reader->session, op, OP_ARITH_SELECT)) {
    MlirOperation below = value_definition(op_operand(op, 0));
    struct linear_form otherwise;
    inner = op_operand(op, 1);
    if (!op_is(reader->session, below, OP_ARITH_CMPI) ||
        op_integer(below, "predicate", -1) != I_LESS ||
        !mlirValueEqual(op_operand(below, 0), inner) ||
        !form_of(reader, op_operand(op, 2), &otherwise) || !form_is_zero(&otherwise))
      return fail(reader, "an index is chosen");
    bound = op_operand(below, 1);
  }
  return form_of(reader, inner, index) && form_of(reader, bound, size);
}

bool form_expand(struct form_reader *reader, const struct form_term *term,
                 struct linear_form *out) {
  *out = (struct linear_form){.count = 0};
  for (int i = 0; i < term->scalar_count; i++) {
    MlirOperation op = value_definition(term->scalars[i]);
    struct form_term rest, by = form_scalar(term->scalars[i]);
    struct linear_form x, y, product, others = {.count = 1};
    if (!op_is(reader->session, op, OP_ARITH_MULI) || !form_of(reader, op_operand(op, 0), &x) ||
        !form_of(reader, op_operand(op, 1), &y) || !multiply(&x, &y, true, &product) ||
        !form_divide_term(term, &by, &rest))
      continue;
    for (int t = 0; t < product.count; t++)
      product.terms[t].narrow = true;
    others.terms[0] = rest;
    return multiply(&product, &others, false, out);
  }
  return false;
}

static void leave_or_count(struct form_reader *reader, MlirValue value, struct linear_form *out) {
  int64_t number;
  if (!uniform_integer(reader->session, value, &number))
    leave(value, out);
  else
    *out = (struct linear_form){.terms = {form_number(number)}, .count = number != 0};
}

bool form_take_apart(struct form_reader *reader, const struct form_term *term, MlirValue scalar,
                     struct linear_form *out) {
  MlirOperation op = value_definition(scalar);
  struct form_term by = form_scalar(scalar);
  struct linear_form x, y, parts, others = {.count = 1};
  if (mlirOperationIsNull(op) ||
      !KIND_IN(kind_of(reader->session, op), OP_ARITH_ADDI, OP_ARITH_MULI) ||
      !form_divide_term(term, &by, &others.terms[0]))
    return false;
  leave_or_count(reader, op_operand(op, 0), &x);
  leave_or_count(reader, op_operand(op, 1), &y);
  if (op_is(reader->session, op, OP_ARITH_ADDI)) {
    parts = x;
    form_add(&parts, &y, 1);
  } else if (!multiply(&x, &y, false, &parts)) {
    return false;
  }
  return multiply(&parts, &others, false, out);
}

/* --- Pointers --------------------------------------------------------------------------------- */

/* The distance from the argument of a loop's body, through addptr, into *out. */
static bool form_of_advance(struct form_reader *reader, MlirValue next, MlirValue argument,
                            struct linear_form *out) {
  struct linear_form offset;
  *out = (struct linear_form){.count = 0};
  while (!mlirValueEqual(next, argument)) {
    MlirOperation op = value_definition(next);
    if (!op_is(reader->session, op, OP_TILE_ADDPTR))
      return fail(reader, "the loop carries the pointer otherwise than by adding to it");
    if (!form_of(reader, op_operand(op, 1), &offset))
      return false;
    if (!form_add(out, &offset, 1))
      return fail(reader, "an index has too many terms");
    next = op_operand(op, 0);
  }
  return true;
}

static bool form_of_carried_pointer(struct form_reader *reader, MlirOperation loop,
                                    MlirValue pointer, MlirValue *base, struct linear_form *out) {
  intptr_t number = mlirBlockArgumentGetArgNumber(pointer) - 1;
  MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
  struct linear_form advance;
  return form_of_pointer(reader, op_operand(loop, 3 + number), base, out) &&
         form_of_advance(reader, op_operand(yield, number), pointer, &advance) &&
         add_advances(reader, loop, &advance, out);
}

bool form_of_pointer(struct form_reader *reader, MlirValue pointer, MlirValue *base,
                     struct linear_form *out) {
  struct linear_form offset;
  MlirOperation loop = loop_of(reader, pointer), op = value_definition(pointer);
  if (!mlirOperationIsNull(loop))
    return form_of_carried_pointer(reader, loop, pointer, base, out);
  if (mlirOperationIsNull(op)) {
    *base = pointer;
    *out = (struct linear_form){.count = 0};
    return true;
  }
  enum op_kind kind = kind_of(reader->session, op);
  if (kind == OP_TILE_ADDPTR)
    return form_of_pointer(reader, op_operand(op, 0), base, out) &&
           form_of(reader, op_operand(op, 1), &offset) &&
           (form_add(out, &offset, 1) || fail(reader, "an index has too many terms"));
  if (!KIND_IN(kind, OP_TILE_SPLAT, OP_TILE_BROADCAST, OP_TILE_EXPAND_DIMS, OP_TILE_PERMUTE))
    return fail(reader, KIND_IN(kind, OP_TILE_LOAD)
                            ? "the pointer is loaded"
                            : "the pointer is no sum of a parameter and distances");
  if (!form_of_pointer(reader, op_operand(op, 0), base, out))
    return false;
  if (kind == OP_TILE_EXPAND_DIMS)
    expand_form(out, op_integer(op, "axis", 0));
  if (kind == OP_TILE_PERMUTE)
    permute_form(out, op);
  return true;
}
