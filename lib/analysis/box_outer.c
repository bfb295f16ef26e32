/* SPDX-License-Identifier: MIT */
/* See box_outer.h. */
#include "analysis/box_outer.h"

#include "ir/tensor_maps.h"

static bool fail(struct form_reader *reader, const char *problem) {
  reader->problem = problem;
  return false;
}

/* --- Places ----------------------------------------------------------------------------------- */

static bool is_non_negative(struct form_reader *reader, MlirValue value) {
  return axis_info_of(reader->axis, value)->non_negative;
}

/* Is an i64 one of 32 bits extended, or a quotient or remainder of such? */
static bool has_32_bits(struct form_reader *reader, MlirValue value) {
  if (type_is_integer(mlirValueGetType(value), 32))
    return true;
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op))
    return false;
  enum op_kind kind = kind_of(reader->session, op);
  if (kind == OP_ARITH_EXTSI)
    return has_32_bits(reader, op_operand(op, 0));
  return KIND_IN(kind, OP_ARITH_DIVSI, OP_ARITH_DIVUI, OP_ARITH_REMSI, OP_ARITH_REMUI) &&
         is_non_negative(reader, op_operand(op, 0)) && has_32_bits(reader, op_operand(op, 0));
}

static bool is_place(struct form_reader *reader, const struct form_term *term) {
  if (term->scalar_count > 1)
    return fail(reader, "it is moved by a product of two numbers that the launch does not know");
  if (!term_is_non_negative(reader, term))
    return fail(reader, "it is moved by what may be negative");
  return term->scalar_count == 0 || has_32_bits(reader, term->scalars[0]) ||
         fail(reader, "it is moved by a number of 64 bits that the launch does not know");
}

/* --- Products --------------------------------------------------------------------------------- */

static void take_scalar(struct form_term *term, MlirValue scalar) {
  term->scalars[term->scalar_count++] = scalar;
}

/* The launch checks what is not constant. */
static bool is_stride(struct form_reader *reader, const struct box *box,
                      const struct form_term *stride) {
  enum { UNIT = 16 };
  static const int64_t end = INT64_C(1) << 40;
  int64_t bytes = type_bytes(&reader->session->types, box->element), all;
  if (stride->factor < 0)
    return fail(reader, "it is moved by what may be negative");
  return stride->scalar_count > 0 ||
         (!__builtin_mul_overflow(stride->factor, bytes, &all) && all % UNIT == 0 && all < end) ||
         fail(reader, "it is moved by no multiple of 16 bytes");
}

/* term = stride * place. */
static bool split(struct form_reader *reader, const struct box *box, const struct form_term *term,
                  struct form_term *stride, struct form_term *place) {
  *stride = form_number(term->factor);
  *place = form_number(1);
  for (int i = 0; i < term->scalar_count; i++)
    take_scalar(tensor_map_knows(reader->session, term->scalars[i]) ? stride : place,
                term->scalars[i]);
  return is_stride(reader, box, stride) && is_place(reader, place);
}

static bool has_number(const struct linear_form *place) {
  for (int i = 0; i < place->count; i++)
    if (place->terms[i].scalar_count)
      return true;
  return false;
}

/* Can the dimension have that place, too? A sum of two numbers of 32 bits may have more. */
static bool takes_place(const struct box_outer *outer, const struct form_term *stride,
                        const struct form_term *place) {
  return outer->stride.factor == stride->factor && terms_have_one_product(&outer->stride, stride) &&
         (place->scalar_count == 0 || !has_number(&outer->place));
}

static bool add_place(struct form_reader *reader, struct box *box, const struct form_term *stride,
                      const struct form_term *place) {
  int i = 0;
  while (i < box->outer_count && !takes_place(&box->outer[i], stride, place))
    i++;
  if (i == box->outer_count) {
    if (box->rank + box->outer_count == MAX_BOX_RANK)
      return fail(reader, "it would have more than five dimensions");
    box->outer[box->outer_count++] = (struct box_outer){.stride = *stride};
  }
  return form_add_term(&box->outer[i].place, *place) ||
         fail(reader, "it is moved by too many terms");
}

static bool add_moved(struct form_reader *reader, struct box *box, const struct form_term *term);

/* One step of taking apart what the launch does not know as a whole. */
static bool add_parts(struct form_reader *reader, struct box *box, const struct form_term *term) {
  struct linear_form parts;
  int i = 0;
  while (i < term->scalar_count && (tensor_map_knows(reader->session, term->scalars[i]) ||
                                    !form_take_apart(reader, term, term->scalars[i], &parts)))
    i++;
  if (i == term->scalar_count)
    return false;
  for (int k = 0; k < parts.count; k++)
    if (!add_moved(reader, box, &parts.terms[k]))
      return false;
  return true;
}

static bool add_moved(struct form_reader *reader, struct box *box, const struct form_term *term) {
  struct form_term stride, place;
  return split(reader, box, term, &stride, &place) ? add_place(reader, box, &stride, &place)
                                                   : add_parts(reader, box, term);
}

bool box_outer_of(struct form_reader *reader, struct box *box) {
  box->outer_count = 0;
  for (int i = 0; i < box->moved.count; i++)
    if (!add_moved(reader, box, &box->moved.terms[i])) {
      box->outer_count = 0;
      return false;
    }
  return true;
}
