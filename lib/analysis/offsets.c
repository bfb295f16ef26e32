/* SPDX-License-Identifier: MIT */
/* See offsets.h. */
#include "analysis/offsets.h"

#include "base/numbers.h"

enum { MAX_DEPTH = 24 };

struct term {
  const void *value; /* MlirValue.ptr; of a tile.range, a mark for all ranges of its length */
  const void *by;    /* times another one; null: 1 */
  int64_t factor;
};

struct linear_form {
  const void *root; /* the pointer at the bottom */
  struct term terms[MAX_OFFSET_TERMS];
  int count;
  int64_t constant;
  bool known; /* false: too many terms, or numbers too large */
  bool exact; /* sums that are extended do not wrap: the rule of tile.addptr, not of loop bounds */
};

static const char range_mark[32]; /* one for each power of two */

static void add_product_term(struct linear_form *form, const void *value, const void *by,
                             int64_t factor) {
  int i = 0;
  while (i < form->count && (form->terms[i].value != value || form->terms[i].by != by))
    i++;
  if (i == MAX_OFFSET_TERMS) {
    form->known = false;
    return;
  }
  if (i == form->count)
    form->terms[form->count++] = (struct term){value, by, 0};
  form->known &= !__builtin_add_overflow(form->terms[i].factor, factor, &form->terms[i].factor);
}

static void add_term(struct linear_form *form, const void *value, int64_t factor) {
  add_product_term(form, value, NULL, factor);
}

static void add_constant(struct linear_form *form, int64_t constant, int64_t factor) {
  int64_t product;
  form->known &= !__builtin_mul_overflow(constant, factor, &product) &&
                 !__builtin_add_overflow(form->constant, product, &form->constant);
}

static void add_value(struct session *session, MlirValue value, int64_t factor,
                      struct linear_form *form, int depth);

/* x * c, or x << c. False when neither factor is a constant. */
static bool add_product(struct session *session, MlirOperation op, int64_t factor,
                        struct linear_form *form, int depth) {
  int64_t constant;
  bool shift = kind_of(session, op) == OP_ARITH_SHLI;
  intptr_t other = 0;
  if (!uniform_integer(session, op_operand(op, 1), &constant)) {
    if (shift || !uniform_integer(session, op_operand(op, 0), &constant))
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
  add_term(form, &range_mark[log2_of(length) & 31], factor);
}

static void add_value(struct session *session, MlirValue value, int64_t factor,
                      struct linear_form *form, int depth) {
  MlirOperation op = value_definition(value);
  int64_t constant;
  if (uniform_integer(session, value, &constant)) {
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

bool pointers_share_positions(MlirValue a, MlirValue b) {
  MlirType x = mlirValueGetType(a), y = mlirValueGetType(b);
  int64_t of_x[MAX_RANK], of_y[MAX_RANK];
  if (type_is_tensor(x) != type_is_tensor(y))
    return false;
  if (!type_is_tensor(x))
    return true;
  int rank = type_shape(x, of_x);
  if (rank != type_shape(y, of_y))
    return false;
  for (int i = 0; i < rank; i++)
    if (of_x[i] != of_y[i])
      return false;
  return true;
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

/* --- From iteration to iteration -------------------------------------------------------------- */

static MlirValue carried_from(MlirOperation loop, intptr_t argument) {
  return op_operand(loop, argument + 2);
}

static MlirValue carried_to(MlirOperation loop, intptr_t argument) {
  return op_operand(mlirBlockGetTerminator(op_body(loop, 0)), argument - 1);
}

static bool is_mark(const void *value) {
  return (const char *)value >= range_mark && (const char *)value < range_mark + sizeof range_mark;
}

/* Is a term's value, or a root, what it is in all iterations? */
static bool stays(MlirOperation loop, const void *value) {
  if (is_mark(value))
    return true;
  MlirValue v = {value};
  MlirOperation owner = mlirValueIsABlockArgument(v)
                            ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v))
                            : value_definition(v);
  return !mlirOperationEqual(owner, loop) && !op_is_inside(owner, loop);
}

/* The number of the loop's argument that a value is; -1: it is none. */
static intptr_t argument_of(MlirOperation loop, const void *value) {
  MlirValue v = {value};
  bool is = !is_mark(value) && mlirValueIsABlockArgument(v) &&
            mlirBlockEqual(mlirBlockArgumentGetOwner(v), op_body(loop, 0));
  return is ? mlirBlockArgumentGetArgNumber(v) : -1;
}

static void add_form(struct linear_form *form, const struct linear_form *other, int64_t factor) {
  int64_t product;
  form->known &= other->known;
  for (int i = 0; i < other->count && form->known; i++) {
    form->known &= !__builtin_mul_overflow(other->terms[i].factor, factor, &product);
    add_product_term(form, other->terms[i].value, other->terms[i].by, product);
  }
  add_constant(form, other->constant, factor);
}

/* What an iteration adds to an argument of the loop, `factor` times. */
static void add_step(struct session *session, MlirOperation loop, intptr_t argument, int64_t factor,
                     struct linear_form *step) {
  MlirValue before = mlirBlockGetArgument(op_body(loop, 0), argument);
  if (argument == 0) {
    add_value(session, op_operand(loop, 2), factor, step, 0);
    return;
  }
  struct linear_form after = {.known = true, .exact = true};
  add_value(session, carried_to(loop, argument), 1, &after, 0);
  add_term(&after, before.ptr, -1);
  add_form(step, &after, factor);
}

/* The factor of a product that stays, or null; the other one in *out_rest. */
static const void *kept_factor(struct session *session, MlirOperation loop, MlirValue product,
                               MlirValue *out_rest) {
  MlirOperation op = value_definition(product);
  for (intptr_t i = 0; i < 2 && op_is(session, op, OP_ARITH_MULI); i++)
    if (stays(loop, op_operand(op, i).ptr)) {
      *out_rest = op_operand(op, 1 - i);
      return op_operand(op, i).ptr;
    }
  return NULL;
}

/* x * c or x * c * d in the loop, where x counts iterations and c and d stay: a term for what an
   iteration adds. The loop's first x must be a number. */
static bool add_counted_product(struct session *session, MlirOperation loop, const void *value,
                                int64_t factor, struct linear_form *first,
                                struct linear_form *step) {
  MlirValue counter = {value};
  int64_t lower, stride, counted = 0, at_first, a_step;
  const void *c = kept_factor(session, loop, counter, &counter);
  const void *d = c ? kept_factor(session, loop, counter, &counter) : NULL;
  if (!c || !uniform_integer(session, op_operand(loop, 0), &lower) ||
      !uniform_integer(session, op_operand(loop, 2), &stride))
    return false;
  struct linear_form count = {.known = true, .exact = true};
  add_value(session, counter, 1, &count, 0);
  for (int i = 0; i < count.count; i++)
    if (argument_of(loop, count.terms[i].value) == 0)
      counted = count.terms[i].factor;
    else if (count.terms[i].factor)
      return false;
  if (!count.known || __builtin_mul_overflow(counted, lower, &at_first) ||
      __builtin_add_overflow(at_first, count.constant, &at_first) ||
      __builtin_mul_overflow(at_first, factor, &at_first) ||
      __builtin_mul_overflow(counted, stride, &a_step) ||
      __builtin_mul_overflow(a_step, factor, &a_step))
    return false;
  add_product_term(first, c, d, at_first);
  add_product_term(step, c, d, a_step);
  return true;
}

/* A pointer of the loop's body in iteration i: first + i * step, in elements. */
static bool forms_in_loop(struct session *session, MlirOperation loop, MlirValue pointer,
                          struct linear_form *first, struct linear_form *step) {
  *step = (struct linear_form){.known = true, .exact = true};
  if (!form_of_pointer(session, pointer, first))
    return false;
  intptr_t argument = argument_of(loop, first->root);
  if (argument > 0) {
    struct linear_form initial;
    if (!form_of_pointer(session, carried_to(loop, argument), step) || step->root != first->root ||
        !form_of_pointer(session, carried_from(loop, argument), &initial))
      return false;
    first->root = initial.root;
    add_form(first, &initial, 1);
  }
  for (int i = 0; i < first->count; i++) {
    struct term term = first->terms[i];
    if (term.factor == 0 || term.by || stays(loop, term.value))
      continue;
    first->terms[i].factor = 0;
    argument = argument_of(loop, term.value);
    if (argument >= 0) {
      add_value(session, argument ? carried_from(loop, argument) : op_operand(loop, 0), term.factor,
                first, 0);
      add_step(session, loop, argument, term.factor, step);
    } else if (!add_counted_product(session, loop, term.value, term.factor, first, step)) {
      return false;
    }
  }
  bool known = first->known && step->known && stays(loop, first->root);
  for (int i = 0; i < step->count && known; i++)
    known = step->terms[i].factor == 0 || stays(loop, step->terms[i].value);
  return known;
}

static bool is_number(const void *value) {
  MlirType type = mlirValueGetType((MlirValue){value});
  return type_is_integer(type, 32) || type_is_integer(type, 64);
}

/* The scalars of a form; what ranges add is from *low to *high. False where it has other tiles. */
static bool to_sum(const struct linear_form *form, struct offset_sum *out, int64_t *low,
                   int64_t *high) {
  *out = (struct offset_sum){.constant = form->constant};
  *low = *high = 0;
  for (int i = 0; i < form->count; i++) {
    struct term term = form->terms[i];
    if (term.factor == 0)
      continue;
    if (is_mark(term.value)) {
      int64_t last = (INT64_C(1) << ((const char *)term.value - range_mark)) - 1, reach;
      int64_t *end = term.factor < 0 ? low : high;
      if (__builtin_mul_overflow(term.factor, last, &reach) ||
          __builtin_add_overflow(*end, reach, end))
        return false;
    } else if (is_number(term.value) && (!term.by || is_number(term.by))) {
      out->terms[out->count].scalar = (MlirValue){term.value};
      out->terms[out->count].by = (MlirValue){term.by};
      out->terms[out->count++].factor = term.factor;
    } else {
      return false;
    }
  }
  return form->known;
}

static bool scalar_sum(const struct linear_form *form, struct offset_sum *out) {
  int64_t low, high;
  return to_sum(form, out, &low, &high) && low == 0 && high == 0;
}

bool pointers_in_loop(struct session *session, MlirOperation loop, MlirValue a, MlirValue b,
                      struct loop_distance *out) {
  struct linear_form first[2], step[2];
  struct linear_form now = {.known = true}, ahead = now, drift = now;
  MlirValue pointers[] = {a, b};
  int64_t bytes[2];
  for (int i = 0; i < 2; i++) {
    MlirType element = type_element(mlirValueGetType(pointers[i]));
    if (!forms_in_loop(session, loop, pointers[i], &first[i], &step[i]))
      return false;
    bytes[i] = type_bytes(&session->types, pointer_pointee(&session->types, element));
    add_form(&now, &first[i], i ? -bytes[i] : bytes[i]);
    add_form(&drift, &step[i], i ? -bytes[i] : bytes[i]);
  }
  add_form(&ahead, &step[0], bytes[0]);
  bool same = first[0].root == first[1].root;
  *out = (struct loop_distance){.bytes_a = bytes[0], .bytes_b = bytes[1]};
  out->root_a = (MlirValue){same ? NULL : first[0].root};
  out->root_b = (MlirValue){same ? NULL : first[1].root};
  bool scalars = same || (!type_is_tensor(mlirValueGetType(out->root_a)) &&
                          !type_is_tensor(mlirValueGetType(out->root_b)));
  return scalars && !op_has_attribute(loop, "unsignedCmp") &&
         to_sum(&now, &out->now, &out->low, &out->high) && scalar_sum(&ahead, &out->step) &&
         scalar_sum(&drift, &out->drift);
}

bool loop_distance_is_apart(const struct loop_distance *distance, int ahead, bool *out_known) {
  *out_known = mlirValueIsNull(distance->root_a) && distance->now.count == 0 &&
               distance->step.count == 0 && distance->drift.count == 0 &&
               distance->drift.constant == 0;
  bool apart = *out_known;
  for (int k = 1; k <= ahead && apart; k++) {
    int64_t bytes, least, most;
    apart = !__builtin_mul_overflow(distance->step.constant, k, &bytes) &&
            !__builtin_add_overflow(distance->now.constant, bytes, &bytes) &&
            !__builtin_add_overflow(distance->low, bytes, &least) &&
            !__builtin_add_overflow(distance->high, bytes, &most) &&
            (most <= -distance->bytes_a || least >= distance->bytes_b);
  }
  return apart;
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
      !uniform_integer(session, op_operand(loop, 2), &step) || step < 1)
    return 0;
  *exact = uniform_integer(session, op_operand(loop, 0), &lower) &&
           uniform_integer(session, op_operand(loop, 1), &upper) && lower < upper;
  int64_t distance = most_distance(session, op_operand(loop, 0), op_operand(loop, 1), 0);
  return distance / step + (distance % step != 0);
}
