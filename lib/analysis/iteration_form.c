/* SPDX-License-Identifier: MIT */
/* See iteration_form.h. */
#include "analysis/iteration_form.h"

#include "analysis/linear_form.h"

static bool fail(struct iteration_reader *reader, const char *problem) {
  reader->problem = problem;
  return false;
}

/* --- Arithmetic ------------------------------------------------------------------------------- */

struct iteration_form iteration_form_number(int64_t number) {
  return (struct iteration_form){.least = number, .most = number};
}

struct iteration_form iteration_form_scalar(MlirValue scalar) {
  return (struct iteration_form){.terms = {{scalar, 1}}, .count = 1};
}

static bool add_product(int64_t *sum, int64_t a, int64_t b, int bits) {
  int64_t product, most = INT64_C(1) << bits;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum) &&
         *sum <= most && *sum >= -most;
}

static bool add_scalar(struct iteration_form *out, MlirValue scalar, int64_t factor) {
  int i = 0;
  while (i < out->count && !mlirValueEqual(out->terms[i].scalar, scalar))
    i++;
  if (i == MAX_ITERATION_TERMS)
    return false;
  if (i == out->count) {
    out->terms[out->count].scalar = scalar;
    out->terms[out->count++].factor = 0;
  }
  if (!add_product(&out->terms[i].factor, 1, factor, FACTOR_BITS))
    return false;
  if (out->terms[i].factor == 0)
    out->terms[i] = out->terms[--out->count];
  return true;
}

bool iteration_form_add(struct iteration_form *out, const struct iteration_form *form,
                        int64_t factor) {
  bool turned = factor < 0;
  for (int i = 0; i < form->count; i++) {
    int64_t own = 0;
    if (!add_product(&own, form->terms[i].factor, factor, FACTOR_BITS) ||
        !add_scalar(out, form->terms[i].scalar, own))
      return false;
  }
  return add_product(&out->advance, form->advance, factor, FACTOR_BITS) &&
         add_product(&out->least, turned ? form->most : form->least, factor, SCALAR_BITS) &&
         add_product(&out->most, turned ? form->least : form->most, factor, SCALAR_BITS);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* A tile's or a number's sum with another, b times `factor`. */
static bool read_sum(struct iteration_reader *reader, MlirOperation op, int64_t factor,
                     struct iteration_form *out) {
  struct iteration_form other;
  return iteration_form_read(reader, op_operand(op, 0), out) &&
         iteration_form_read(reader, op_operand(op, 1), &other) &&
         (iteration_form_add(out, &other, factor) || fail(reader, "its numbers are too large"));
}

static bool read_multiple(struct iteration_reader *reader, MlirValue value, int64_t factor,
                          struct iteration_form *out) {
  struct iteration_form form;
  *out = iteration_form_number(0);
  return iteration_form_read(reader, value, &form) &&
         (iteration_form_add(out, &form, factor) || fail(reader, "its numbers are too large"));
}

static bool read_product(struct iteration_reader *reader, MlirOperation op,
                         struct iteration_form *out) {
  int64_t factor;
  for (int side = 0; side < 2; side++)
    if (uniform_integer(reader->session, op_operand(op, side), &factor))
      return read_multiple(reader, op_operand(op, 1 - side), factor, out);
  return fail(reader, "it has a product of two numbers that are known at run time only");
}

static bool read_range(MlirOperation op, struct iteration_form *out) {
  *out = (struct iteration_form){.least = op_integer(op, "start", 0),
                                 .most = op_integer(op, "end", 0) - 1};
  return true;
}

/* The operand has to be what its form says: it is extended as a number. */
static bool read_extended(struct iteration_reader *reader, MlirOperation op,
                          struct iteration_form *out) {
  if (!type_is_integer(type_element(op_operand_type(op, 0)), 32))
    return fail(reader, "it has an integer that is neither of 32 nor of 64 bits");
  if (!iteration_form_read(reader, op_operand(op, 0), out))
    return false;
  if (out->advance == 0 && out->count == 0 && out->least >= INT32_MIN && out->most <= INT32_MAX)
    return true;
  if (reader->narrow_count == MAX_NARROW_FORMS)
    return fail(reader, "it has too many numbers that are extended");
  reader->narrow[reader->narrow_count++] = *out;
  return true;
}

/* What the yielded value adds to the argument in each iteration, a number. */
static bool read_advance(struct iteration_reader *reader, MlirValue next, MlirValue argument,
                         int64_t *out) {
  *out = 0;
  while (!mlirValueEqual(next, argument)) {
    MlirOperation op = value_definition(next);
    int64_t number;
    int side = op_is(reader->session, op, OP_ARITH_ADDI) &&
                       uniform_integer(reader->session, op_operand(op, 0), &number)
                   ? 1
                   : 0;
    if (reader->budget-- <= 0 ||
        (!op_is(reader->session, op, OP_ARITH_ADDI) &&
         !op_is(reader->session, op, OP_ARITH_SUBI)) ||
        !uniform_integer(reader->session, op_operand(op, 1 - side), &number))
      return fail(reader, "the loop carries a number otherwise than by adding a constant to it");
    if (!add_product(out, number, op_is(reader->session, op, OP_ARITH_SUBI) ? -1 : 1, FACTOR_BITS))
      return fail(reader, "its numbers are too large");
    next = op_operand(op, side);
  }
  return true;
}

/* lo + step * k, and what is carried: what it is before the loop and k times its advance. */
static bool read_argument(struct iteration_reader *reader, MlirValue value,
                          struct iteration_form *out) {
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  int64_t advance = reader->step;
  if (number > 0) {
    MlirOperation yield = mlirBlockGetTerminator(op_body(reader->loop, 0));
    if (!read_advance(reader, op_operand(yield, number - 1), value, &advance))
      return false;
  }
  if (!iteration_form_read(reader, op_operand(reader->loop, number == 0 ? 0 : number + 2), out))
    return false;
  return add_product(&out->advance, 1, advance, FACTOR_BITS) ||
         fail(reader, "its numbers are too large");
}

static bool read_operation(struct iteration_reader *reader, MlirOperation op, enum op_kind kind,
                           struct iteration_form *out) {
  int64_t bits;
  if (kind == OP_TILE_RANGE)
    return read_range(op, out);
  if (KIND_IN(kind, OP_TILE_SPLAT, OP_TILE_BROADCAST, OP_TILE_EXPAND_DIMS, OP_TILE_PERMUTE,
              OP_ARITH_TRUNCI))
    return iteration_form_read(reader, op_operand(op, 0), out);
  if (KIND_IN(kind, OP_ARITH_ADDI, OP_ARITH_SUBI))
    return read_sum(reader, op, kind == OP_ARITH_ADDI ? 1 : -1, out);
  if (kind == OP_ARITH_MULI)
    return read_product(reader, op, out);
  if (kind == OP_ARITH_SHLI && uniform_integer(reader->session, op_operand(op, 1), &bits) &&
      bits >= 0 && bits < FACTOR_BITS)
    return read_multiple(reader, op_operand(op, 0), INT64_C(1) << bits, out);
  if (kind == OP_ARITH_EXTSI)
    return read_extended(reader, op, out);
  return fail(reader, kind == OP_TILE_LOAD ? "it compares what is loaded"
                                           : "it compares more than sums of numbers and ranges");
}

bool iteration_form_read(struct iteration_reader *reader, MlirValue value,
                         struct iteration_form *out) {
  int64_t number;
  MlirType type = mlirValueGetType(value);
  bool tile = type_is_tensor(type);
  if (!type_is_integer(type_element(type), 32) && !type_is_integer(type_element(type), 64))
    return fail(reader, "it has an integer that is neither of 32 nor of 64 bits");
  if (uniform_integer(reader->session, value, &number)) {
    *out = iteration_form_number(0);
    return add_product(&out->least, 1, number, SCALAR_BITS) &&
                   add_product(&out->most, 1, number, SCALAR_BITS)
               ? true
               : fail(reader, "its numbers are too large");
  }
  if (value_is_argument_of(value, op_body(reader->loop, 0)))
    return read_argument(reader, value, out);
  MlirOperation op = value_definition(value);
  enum op_kind kind = mlirOperationIsNull(op) ? OP_OTHER : kind_of(reader->session, op);
  bool before = !tile && value_is_before(value, reader->loop), spent = reader->budget-- <= 0;
  if (before &&
      (spent || !KIND_IN(kind, OP_ARITH_ADDI, OP_ARITH_SUBI, OP_ARITH_MULI, OP_ARITH_SHLI) ||
       !read_operation(reader, op, kind, out)))
    *out = iteration_form_scalar(value);
  if (before)
    return true;
  if (spent)
    return fail(reader, "it is made of too many operations");
  return mlirOperationIsNull(op) ? fail(reader, "it compares tiles whose elements are not known")
                                 : read_operation(reader, op, kind, out);
}

bool iteration_reader_begin(struct iteration_reader *reader, struct session *session,
                            MlirOperation loop) {
  MlirType type = op_operand_type(loop, 0);
  *reader =
      (struct iteration_reader){.session = session, .loop = loop, .budget = MAX_FORM_OPERATIONS};
  if (!type_is_integer(type, 32) && !type_is_integer(type, 64))
    return fail(reader, "the loop counts in numbers that are neither of 32 nor of 64 bits");
  if (op_has_attribute(loop, "unsignedCmp"))
    return fail(reader, "the loop counts in unsigned numbers");
  if (!uniform_integer(session, op_operand(loop, 2), &reader->step) || reader->step <= 0 ||
      reader->step > INT64_C(1) << FACTOR_BITS)
    return fail(reader, "the loop's step is no constant");
  return true;
}
