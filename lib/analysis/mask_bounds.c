/* SPDX-License-Identifier: MIT */
/* See mask_bounds.h. */
#include "analysis/mask_bounds.h"

#include "ir/build.h"

struct mask_reader {
  struct form_reader *forms;
  bool some;
  struct mask_bounds *out;
};

static bool fail(struct mask_reader *reader, const char *problem) {
  reader->forms->problem = problem;
  return reader->some;
}

/* The number x of min(max(x, 0), most), with what operation; null where it is something else. */
static MlirValue inside_of(struct session *session, MlirValue value, enum op_kind kind,
                           int64_t *bound) {
  MlirOperation op = value_definition(value);
  if (op_is(session, op, kind) && uniform_integer(session, op_operand(op, 1), bound))
    return op_operand(op, 0);
  return (MlirValue){0};
}

/* What a comparison with positions of that tile compares with: a number that is put into the
   positions' range is compared like the number itself. */
static bool form_of_bound(struct form_reader *reader, MlirValue value, struct linear_form *out) {
  struct session *session = reader->session;
  MlirOperation splat = value_definition(value);
  int64_t least, most, size = type_elements(mlirValueGetType(value));
  if (!op_is(session, splat, OP_TILE_SPLAT))
    return form_of(reader, value, out);
  MlirValue scalar = op_operand(splat, 0);
  if (op_is(session, value_definition(scalar), OP_ARITH_TRUNCI))
    scalar = op_operand(value_definition(scalar), 0);
  MlirValue x = inside_of(session, scalar, OP_ARITH_MINSI, &most);
  if (!mlirValueIsNull(x))
    x = inside_of(session, x, OP_ARITH_MAXSI, &least);
  if (mlirValueIsNull(x) || least != 0 || most < size || most > INT32_MAX)
    return form_of(reader, value, out);
  return form_of(reader, x, out);
}

/* A comparison as 0 < *out. */
static bool difference_of(struct form_reader *reader, MlirOperation compare,
                          struct linear_form *out) {
  struct linear_form a;
  int64_t predicate = op_integer(compare, "predicate", -1);
  bool swapped = predicate == I_GREATER || predicate == I_NOT_LESS;
  bool equal = predicate == I_NOT_GREATER || predicate == I_NOT_LESS;
  reader->problem = "the mask has a comparison other than <";
  if (!swapped && predicate != I_LESS && predicate != I_NOT_GREATER)
    return false;
  if (!form_of_bound(reader, op_operand(compare, swapped), &a) ||
      !form_of_bound(reader, op_operand(compare, !swapped), out))
    return false;
  reader->problem = "an index has too many terms";
  return form_add(out, &a, -1) && (!equal || form_add_term(out, form_number(1)));
}

/* Is it x < n for an index x that is x' % n? Then it holds always. */
static bool holds_always(struct form_reader *reader, const struct form_term *position,
                         const struct linear_form *rest) {
  struct linear_form index, size;
  return position->factor == -1 && form_of_wrapped(reader, position->wrapped, &index, &size) &&
         form_add(&size, rest, -1) && form_is_zero(&size);
}

/* Takes the only term with a position from a form; `dim` is -1 where there is none. */
static bool take_position(struct linear_form *form, struct form_term *out) {
  *out = (struct form_term){.dim = -1};
  for (int i = form->count - 1; i >= 0; i--) {
    if (form->terms[i].dim < 0)
      continue;
    if (out->dim >= 0)
      return false;
    *out = form->terms[i];
    form->terms[i] = form->terms[--form->count];
  }
  return true;
}

static bool is_narrow(const struct linear_form *form) {
  for (int i = 0; i < form->count; i++)
    if (form->terms[i].narrow)
      return true;
  return false;
}

/* `dims`: the mask's dimension of each of the comparison's. */
static bool add_bound(struct mask_reader *reader, MlirOperation compare, const int *dims) {
  struct form_term position;
  struct linear_form rest;
  if (!difference_of(reader->forms, compare, &rest))
    return reader->some;
  if (!take_position(&rest, &position))
    return fail(reader, "the mask compares several dimensions");
  if (is_narrow(&rest) || position.narrow)
    return fail(reader, "the mask compares a product of 32 bits");
  if (position.dim < 0)
    return fail(reader, "the mask has a condition besides bounds");
  if (!mlirValueIsNull(position.wrapped))
    return holds_always(reader->forms, &position, &rest) ||
           fail(reader, "the mask compares an index that is wrapped");
  if (position.scalar_count || (position.factor != 1 && position.factor != -1))
    return fail(reader, "the mask compares multiples of an index");
  if (reader->out->count == MAX_MASK_BOUNDS)
    return fail(reader, "the mask has too many parts");
  reader->out->list[reader->out->count++] =
      (struct mask_bound){dims[position.dim], position.factor < 0, rest};
  return true;
}

static bool read_mask(struct mask_reader *reader, MlirValue value, const int *dims) {
  struct session *session = reader->forms->session;
  int inner[MAX_RANK];
  int64_t number;
  MlirOperation op = value_definition(value);
  if (uniform_integer(session, value, &number) && number != 0)
    return true;
  if (op_is(session, op, OP_ARITH_ANDI))
    return read_mask(reader, op_operand(op, 0), dims) && read_mask(reader, op_operand(op, 1), dims);
  if (op_is(session, op, OP_TILE_BROADCAST))
    return read_mask(reader, op_operand(op, 0), dims);
  if (op_is(session, op, OP_TILE_EXPAND_DIMS)) {
    int64_t axis = op_integer(op, "axis", 0);
    for (int d = 0; d < mlirShapedTypeGetRank(op_operand_type(op, 0)); d++)
      inner[d] = dims[d < axis ? d : d + 1];
    return read_mask(reader, op_operand(op, 0), inner);
  }
  if (op_is(session, op, OP_ARITH_CMPI))
    return add_bound(reader, op, dims);
  return fail(reader, op_is(session, op, OP_TILE_SPLAT)
                          ? "the mask has a condition besides bounds"
                          : "the mask is no conjunction of comparisons");
}

bool mask_bounds_read(struct form_reader *forms, MlirValue mask, bool some,
                      struct mask_bounds *out) {
  struct mask_reader reader = {forms, some, out};
  int dims[MAX_RANK];
  for (int d = 0; d < MAX_RANK; d++)
    dims[d] = d;
  out->count = 0;
  return mlirValueIsNull(mask) || read_mask(&reader, mask, dims);
}
