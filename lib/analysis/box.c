/* SPDX-License-Identifier: MIT */
/* See box.h. */
#include "analysis/box.h"

#include <math.h>
#include "analysis/box_outer.h"
#include "analysis/mask_bounds.h"
#include "ir/tile_ops.h"

static bool fail(struct form_reader *reader, const char *problem) {
  reader->problem = problem;
  return false;
}

static bool fail_long(struct form_reader *reader) {
  return fail(reader, "an index has too many terms");
}

/* --- Strides ---------------------------------------------------------------------------------- */

/* The terms with a position say what the strides are; they go. */
static bool take_strides(struct form_reader *reader, struct box *box, struct linear_form *form) {
  for (int i = form->count - 1; i >= 0; i--) {
    struct form_term term = form->terms[i];
    if (term.dim < 0)
      continue;
    struct box_dim *dim = &box->dims[term.dim];
    if (dim->stride.factor)
      return fail(reader, "a dimension has more than one stride");
    dim->wrapped = term.wrapped;
    dim->stride = term;
    dim->stride.dim = -1;
    dim->stride.wrapped = (MlirValue){0};
    if (term_changes_in(reader->session, &dim->stride, reader->loop))
      return fail(reader, "a stride changes in the loop");
    if (term.factor < 0)
      return fail(reader, "a dimension runs backwards");
    form->terms[i] = form->terms[--form->count];
  }
  return true;
}

static bool is_unit(const struct form_term *stride) {
  return stride->factor == 1 && stride->scalar_count == 0;
}

static bool find_unit(struct form_reader *reader, struct box *box) {
  box->unit = -1;
  for (int d = 0; d < box->rank; d++) {
    if (!box->dims[d].stride.factor)
      return fail(reader, "a dimension has no stride: it repeats, or has size 1");
    if (!is_unit(&box->dims[d].stride))
      continue;
    if (box->unit >= 0)
      return fail(reader, "two dimensions have stride 1");
    box->unit = d;
  }
  return box->unit >= 0 || fail(reader, "no stride is known to be 1");
}

/* --- Where it begins -------------------------------------------------------------------------- */

/* The start of a dimension whose index is wrapped: the index without its position. */
static bool take_wrapped(struct form_reader *reader, struct box_dim *dim) {
  if (!form_of_wrapped(reader, dim->wrapped, &dim->start, &dim->size))
    return false;
  struct form_term position = {.factor = -1, .dim = 0};
  int before = dim->start.count;
  if (!form_add_term(&dim->start, position))
    return fail_long(reader);
  dim->bound = BOX_WRAPPED;
  return dim->start.count < before ||
         fail(reader, "an index that is wrapped does not count up by one");
}

/* The dimension whose stride divides the term; the one with most in common. */
static int owner_of(const struct box *box, const struct form_term *term, struct form_term *out) {
  struct form_term quotient;
  int best = -1;
  for (int d = 0; d < box->rank; d++) {
    const struct form_term *stride = &box->dims[d].stride;
    if (d == box->unit || !form_divide_term(term, stride, &quotient))
      continue;
    const struct form_term *other = best < 0 ? NULL : &box->dims[best].stride;
    if (other && (other->scalar_count > stride->scalar_count ||
                  (other->scalar_count == stride->scalar_count && other->factor > stride->factor)))
      continue;
    best = d;
    *out = quotient;
  }
  return best;
}

/* Is the term subtracted in the form? */
static bool is_subtracted(const struct linear_form *form, const struct form_term *term) {
  for (int i = 0; i < form->count; i++)
    if (form->terms[i].factor == -term->factor && terms_have_one_product(&form->terms[i], term))
      return true;
  return false;
}

/* What moves the tensor, rather than the place in it. */
static bool move_base(struct form_reader *reader, struct box *box, const struct form_term *term) {
  return form_add_term(&box->moved, *term) || fail_long(reader);
}

/* `quotient` more as the start of a dimension, `term` elements. */
static bool move_dim(struct form_reader *reader, struct box *box, struct box_dim *dim,
                     const struct form_term *term, struct form_term quotient) {
  if (!mlirValueIsNull(dim->wrapped)) {
    if (term_changes_in(reader->session, term, reader->loop))
      return fail(reader, "the loop moves a dimension whose index is wrapped");
    return move_base(reader, box, term);
  }
  dim->stride.narrow |= term->narrow;
  quotient.narrow = false;
  return form_add_term(&dim->start, quotient) || fail_long(reader);
}

/* Does the mask of a dimension speak of the place `quotient`, or does the loop move it? Else it is
   the tensor that lies elsewhere. */
static bool is_of_dim(struct form_reader *reader, const struct linear_form *rests, int dim,
                      const struct form_term *quotient) {
  return quotient->scalar_count == 0 || is_subtracted(&rests[dim], quotient) ||
         term_changes_in(reader->session, quotient, reader->loop);
}

/* `rests`: what the masks of the dimensions speak of. */
static bool place_owned(struct form_reader *reader, struct box *box, const struct form_term *term,
                        const struct linear_form *rests) {
  struct form_term quotient;
  int owner = owner_of(box, term, &quotient);
  return owner >= 0 && is_of_dim(reader, rests, owner, &quotient)
             ? move_dim(reader, box, &box->dims[owner], term, quotient)
             : move_base(reader, box, term);
}

/* What has no position is where a dimension begins, or moves the tensor. */
static bool place_term(struct form_reader *reader, struct box *box, const struct form_term *term,
                       const struct linear_form *rests) {
  struct form_term quotient;
  struct linear_form parts;
  if (owner_of(box, term, &quotient) >= 0)
    return place_owned(reader, box, term, rests);
  if (term->scalar_count && !is_subtracted(&rests[box->unit], term) &&
      form_expand(reader, term, &parts) && owner_of(box, &parts.terms[0], &quotient) >= 0) {
    for (int i = 0; i < parts.count; i++)
      if (!place_owned(reader, box, &parts.terms[i], rests))
        return false;
    return true;
  }
  if (!is_of_dim(reader, rests, box->unit, term))
    return move_base(reader, box, term);
  return term->narrow ? fail(reader, "the place in a row is a product of 32 bits")
                      : move_dim(reader, box, &box->dims[box->unit], term, *term);
}

/* --- Where it ends ---------------------------------------------------------------------------- */

/* Where a dimension ends by its mask: start + i < start + rest. */
static bool bound_by(struct form_reader *reader, struct box_dim *dim,
                     const struct mask_bound *part) {
  struct linear_form size = dim->start;
  if (!form_add(&size, &part->rest, part->below ? 1 : -1))
    return fail_long(reader);
  if (!part->below) { /* start + 1 - rest: what is masked off lies before the tensor */
    form_add_term(&size, form_number(1));
    dim->not_negative = form_is_zero(&size);
    return dim->not_negative || fail(reader, "the mask has a lower bound other than 0");
  }
  if (dim->bound == BOX_WRAPPED || dim->bound == BOX_MASK) {
    struct linear_form difference = size;
    return (form_add(&difference, &dim->size, -1) && form_is_zero(&difference) &&
            (dim->bound = BOX_MASK)) ||
           fail(reader, "a dimension has two bounds");
  }
  dim->size = size;
  dim->bound = BOX_MASK;
  return true;
}

/* A kernel's parameter, a constant, or made of such: the same for the whole launch. */
static bool is_of_launch(struct form_reader *reader, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op))
    return op_is(reader->session, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)),
                 OP_FUNC);
  if (!op_has(reader->session, op, IS_ELEMENTWISE) &&
      kind_of(reader->session, op) != OP_ARITH_CONSTANT)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!is_of_launch(reader, op_operand(op, i)))
      return false;
  return true;
}

static bool check_size(struct form_reader *reader, const struct linear_form *size) {
  for (int i = 0; i < size->count; i++)
    for (int s = 0; s < size->terms[i].scalar_count; s++)
      if (!is_of_launch(reader, size->terms[i].scalars[s]))
        return fail(reader, "the bound of a dimension changes from program to program");
  return true;
}

static bool check_start(struct form_reader *reader, const struct box_dim *dim) {
  for (int i = 0; i < dim->start.count && !dim->not_negative; i++)
    if (!term_is_non_negative(reader, &dim->start.terms[i]))
      return fail(reader, "the place may be negative");
  return true;
}

/* Is where a dimension of stride 1 begins below 2^31 in every iteration? Along other dimensions
   that many places are 32 GiB apart. */
static bool starts_fit(struct form_reader *reader, const struct box_dim *dim) {
  int scalars = 0;
  for (int i = 0; i < dim->start.count; i++) {
    const struct form_term *term = &dim->start.terms[i];
    scalars += term->scalar_count;
    if (scalars > 1 || (term->scalar_count && !form_counter_fits(reader, term)))
      return fail(reader, "the loop may move a row that nothing bounds by 2^31 elements");
  }
  return true;
}

/* All of the tile is there, as nothing is masked off. */
static bool end_nowhere(struct form_reader *reader, struct box_dim *dim) {
  dim->bound = BOX_ENDLESS;
  dim->stride.narrow = false; /* the launch would count up to that end */
  form_add_term(&dim->size, form_number(box_endless_size));
  return !is_unit(&dim->stride) || starts_fit(reader, dim);
}

static bool end_dim(struct form_reader *reader, struct box_dim *dim, int64_t tile) {
  int64_t start;
  if (dim->bound == BOX_UNKNOWN && form_is_number(&dim->start, &start) && start >= 0) {
    dim->bound = BOX_CONSTANT;
    form_add_term(&dim->size, form_number(start + tile));
  }
  if (dim->bound == BOX_UNKNOWN && !end_nowhere(reader, dim))
    return false;
  return check_size(reader, &dim->size) && check_start(reader, dim);
}

/* Can what the box is made of be computed at the load? */
static bool is_available(struct form_reader *reader, MlirOperation load,
                         const struct linear_form *form) {
  for (int i = 0; i < form->count; i++)
    for (int s = 0; s < form->terms[i].scalar_count; s++) {
      if (!mlirTypeIsAInteger(mlirValueGetType(form->terms[i].scalars[s])))
        return fail(reader, "its place is a number of type index");
      if (!value_is_available(reader->session, form->terms[i].scalars[s], load))
        return fail(reader, "its place is known only after it");
    }
  return true;
}

static bool check_available(struct form_reader *reader, const struct box *box) {
  for (int i = 0; i < box->moved.count && !box->outer_count; i++)
    if (box->moved.terms[i].narrow)
      return fail(reader, "the place of the tensor is a product of 32 bits");
  if (!is_available(reader, box->load, &box->moved))
    return false;
  for (int d = 0; d < box->rank; d++) {
    struct linear_form stride = {.terms = {box->dims[d].stride}, .count = 1};
    if (!is_available(reader, box->load, &box->dims[d].start) ||
        !is_available(reader, box->load, &box->dims[d].size) ||
        !is_available(reader, box->load, &stride))
      return false;
  }
  return true;
}

/* --- The access ------------------------------------------------------------------------------- */

/* -0 is not what lies outside of a tensor. */
static bool is_zero(MlirAttribute number) {
  if (mlirAttributeIsAInteger(number))
    return mlirIntegerAttrGetValueInt(number) == 0;
  double value = mlirFloatAttrGetValueDouble(number);
  return value == 0 && !signbit(value);
}

/* The number that all elements are: a constant, or spread from one. */
static MlirAttribute number_of(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  while (!mlirOperationIsNull(op) &&
         KIND_IN(kind_of(session, op), OP_TILE_SPLAT, OP_TILE_BROADCAST)) {
    value = op_operand(op, 0);
    op = value_definition(value);
  }
  return uniform_number(session, value);
}

static bool check_load(struct form_reader *reader, struct box *box, struct tile_load *load) {
  MlirOperation op = box->load;
  int64_t shape[MAX_RANK];
  if (!tile_load_read(op, load) || !type_is_tensor(mlirValueGetType(load->pointer)))
    return fail(reader, "it loads one number");
  if (op_has_attribute(op, "volatile") || ref_equals(op_string(op, "cache"), "cv"))
    return fail(reader, "it is volatile");
  if (mlirValueIsNull(load->other))
    return true;
  MlirAttribute other = number_of(reader->session, load->other);
  box->has_other = mlirAttributeIsNull(other) || !is_zero(other);
  return !box->has_other || type_shape(op_result_type(op, 0), shape) == 1 ||
         fail(reader, "what is masked off is not zero");
}

/* A store that is nothing but that. */
static bool check_store(struct form_reader *reader, MlirOperation op, struct tile_store *store) {
  if (!tile_store_read(op, store) || !type_is_tensor(mlirValueGetType(store->pointer)))
    return fail(reader, "it stores one number");
  return (!op_has_attribute(op, "volatile") && !op_has_attribute(op, "cache")) ||
         fail(reader, "it says how caches are to take it");
}

/* A sum in memory whose mask comes last. */
static bool check_atomic(struct form_reader *reader, MlirOperation op, struct tile_store *store) {
  *store = (struct tile_store){.pointer = op_operand(op, 0), .value = op_operand(op, 1)};
  if (mlirOperationGetNumOperands(op) > 2)
    store->mask = op_operand(op, 2);
  return type_is_tensor(mlirValueGetType(store->pointer)) || fail(reader, "it changes one number");
}

/* What an access reads or writes, and of which type. */
struct accessed {
  MlirValue pointer, mask;
  MlirType type;
};

static bool read_access(struct form_reader *reader, struct box *box, struct accessed *out) {
  MlirOperation op = box->load;
  struct tile_load load;
  struct tile_store store;
  if (KIND_IN(kind_of(reader->session, op), OP_TILE_STORE, OP_TILE_ATOMIC_RMW)) {
    bool is_store = op_is(reader->session, op, OP_TILE_STORE);
    if (!(is_store ? check_store : check_atomic)(reader, op, &store))
      return false;
    *out = (struct accessed){store.pointer, store.mask, mlirValueGetType(store.value)};
    return true;
  }
  if (!check_load(reader, box, &load))
    return false;
  *out = (struct accessed){load.pointer, load.mask, op_result_type(op, 0)};
  return true;
}

static bool check_pointee(struct form_reader *reader, const struct box *box, int64_t inner) {
  enum { LEAST_BYTES = 16 };
  if (box->rank > MAX_BOX_RANK)
    return fail(reader, "it has more than five dimensions");
  if (!type_is_number(box->element))
    return fail(reader, "its elements are pointers");
  return inner * type_bytes(&reader->session->types, box->element) >= LEAST_BYTES ||
         fail(reader, "its contiguous dimension has less than 16 bytes");
}

bool box_of(struct form_reader *reader, MlirOperation op, struct box *box) {
  struct accessed access;
  struct linear_form form, rests[MAX_RANK] = {0};
  struct mask_bounds mask = {.count = 0};
  int64_t shape[MAX_RANK];
  *box = (struct box){.load = op};
  if (!read_access(reader, box, &access))
    return false;
  box->element = type_element(access.type);
  box->rank = type_shape(access.type, shape);
  if (!form_of_pointer(reader, access.pointer, &box->base, &form) ||
      !take_strides(reader, box, &form) || !find_unit(reader, box) ||
      !check_pointee(reader, box, shape[box->unit]) ||
      !mask_bounds_read(reader, access.mask, false, &mask))
    return false;
  for (int d = 0; d < box->rank; d++)
    if (!mlirValueIsNull(box->dims[d].wrapped) && !take_wrapped(reader, &box->dims[d]))
      return false;
  for (int i = 0; i < mask.count; i++)
    if (mask.list[i].below && !form_add(&rests[mask.list[i].dim], &mask.list[i].rest, 1))
      return fail_long(reader);
  for (int i = 0; i < form.count; i++)
    if (!place_term(reader, box, &form.terms[i], rests))
      return false;
  for (int i = 0; i < mask.count; i++)
    if (!bound_by(reader, &box->dims[mask.list[i].dim], &mask.list[i]))
      return false;
  for (int d = 0; d < box->rank; d++)
    if (!end_dim(reader, &box->dims[d], shape[d]))
      return false;
  const char *problem = reader->problem;
  box->why_moved = box_outer_of(reader, box) ? NULL : reader->problem;
  reader->problem = problem;
  return check_available(reader, box);
}
