/* SPDX-License-Identifier: MIT */
/* See outer_descriptors.h. */
#include "transforms/outer_descriptors.h"

#include <stdlib.h>
#include "analysis/box_outer.h"
#include "analysis/loop_schedule.h"
#include "analysis/scratch.h"
#include "base/arena.h"
#include "ir/attributes.h"
#include "ir/build.h"
#include "ir/tensor_boxes.h"
#include "ir/tensor_maps.h"
#include "transforms/build_form.h"

/* A load or a store, and the descriptor that takes the place of its own. */
struct access {
  struct box box; /* box.outer_count 0: it stays */
  MlirValue descriptor;
};

struct state {
  struct session *session;
  struct axis_analysis axis;
  MlirOperation *list; /* loads and stores; owned */
  size_t count, capacity;
};

static int rank_of(MlirOperation make) {
  return (int)(mlirOperationGetNumOperands(make) - 1) / 2;
}

/* Everything but the base. */
static bool launch_knows(struct session *session, MlirOperation make) {
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(make); i++)
    if (!tensor_map_knows(session, op_operand(make, i)))
      return false;
  return true;
}

/* Loads for products, and stores: what the copy engine may do. */
static bool is_wanted(struct session *session, MlirOperation op) {
  if (op_is(session, op, OP_TILE_DESCRIPTOR_STORE))
    return true;
  if (!op_is(session, op, OP_TILE_DESCRIPTOR_LOAD))
    return false;
  MlirValue block = op_result(op, 0);
  return is_in_loop(session, op) ? feeds_product(session, block)
                                 : feeds_only_products(session, block);
}

static MlirLogicalResult note_access(MlirOperation op, void *data) {
  struct state *state = data;
  struct session *session = state->session;
  if (!is_wanted(session, op))
    return SUCCESS;
  MlirOperation make = value_definition(op_operand(op, 0));
  if (!op_is(session, make, OP_TILE_MAKE_DESCRIPTOR) || attribute_has(make, ATTR_NARROW_DIMS) ||
      mlirOperationIsNull(value_definition(op_operand(make, 0))) || !launch_knows(session, make))
    return SUCCESS;
  state->list = tile_grow(state->list, state->count, &state->capacity, sizeof *state->list);
  state->list[state->count++] = op;
  return SUCCESS;
}

/* The tile that is stored; null: a load. */
static MlirValue stored_tile(struct session *session, MlirOperation op) {
  return op_is(session, op, OP_TILE_DESCRIPTOR_STORE) ? op_operand(op, 1) : (MlirValue){0};
}

/* A launch that cannot make one of the descriptors does without all: so what the kernel has not
   promised with its own must be known, but for those loads that the kernel is about. */
static bool is_known_to_fit(struct state *state, const struct box *box) {
  if (op_is(state->session, box->load, OP_TILE_DESCRIPTOR_LOAD) &&
      is_in_loop(state->session, box->load))
    return true;
  int64_t bytes = memory_bytes(state->session, box->element);
  bool fits = axis_info_of(&state->axis, box->base)->divisibility[0] % TENSOR_ROW_BYTES == 0;
  for (int i = 0; i < box->outer_count; i++)
    fits &= term_divisor(&state->axis, &box->outer[i].stride) * bytes % TENSOR_ROW_BYTES == 0;
  return fits;
}

/* box->outer: what moves the descriptor's base from a parameter, box->base. */
static bool read_base(struct state *state, MlirOperation op, struct box *box) {
  struct session *session = state->session;
  MlirOperation make = value_definition(op_operand(op, 0));
  MlirValue stored = stored_tile(session, op);
  MlirType tile = mlirValueIsNull(stored) ? op_result_type(op, 0) : mlirValueGetType(stored);
  struct form_reader reader = {
      .session = session, .axis = &state->axis, .loop = loop_around(session, op)};
  *box = (struct box){.load = op, .element = type_element(tile), .rank = rank_of(make)};
  return form_of_pointer(&reader, op_operand(make, 0), &box->base, &box->moved) &&
         box_outer_of(&reader, box) && box->outer_count > 0 && is_known_to_fit(state, box);
}

static MlirValue build_descriptor(MlirOperation make, const struct box *box) {
  struct builder b = builder_before(make);
  int outer = box->outer_count, rank = outer + box->rank;
  int32_t segments[] = {1, rank, rank};
  MlirValue in[1 + 2 * MAX_BOX_RANK] = {box->base};
  for (int i = 0; i < outer; i++) {
    in[1 + i] = build_integer(&b, 64, box_endless_size);
    in[1 + rank + i] = build_term(&b, &box->outer[i].stride);
  }
  for (int i = 0; i < box->rank; i++) {
    in[1 + outer + i] = op_operand(make, 1 + i);
    in[1 + rank + outer + i] = op_operand(make, 1 + box->rank + i);
  }
  MlirNamedAttribute attributes[] = {
      attribute_named(b.context, "operandSegmentSizes",
                      attribute_dense_i32(b.context, 3, segments)),
      attribute_named(b.context, "pads_with_nan", mlirUnitAttrGet(b.context))};
  return BUILD(&b, "tile.make_descriptor", INS(in, 1 + 2 * rank), OUT(op_result_type(make, 0)),
               ATTRIBUTE_LIST(attributes, 1 + op_has_attribute(make, "pads_with_nan")));
}

static bool have_one_stride(const struct form_term *a, const struct form_term *b) {
  return a->factor == b->factor && terms_have_one_product(a, b);
}

/* Of one descriptor of the kernel's, with the same dimensions: sums are taken apart as far as they
   change in the loop around the access (linear_form.h), which need not be the same loop. */
static bool share_descriptor(const struct box *a, const struct box *b) {
  bool same = mlirValueEqual(op_operand(a->load, 0), op_operand(b->load, 0)) &&
              mlirValueEqual(a->base, b->base) && a->outer_count == b->outer_count;
  for (int i = 0; i < a->outer_count && same; i++)
    same = have_one_stride(&a->outer[i].stride, &b->outer[i].stride);
  return same;
}

static void choose_descriptor(struct access *accesses, size_t number) {
  struct access *access = &accesses[number];
  for (size_t i = 0; i < number && mlirValueIsNull(access->descriptor); i++)
    if (accesses[i].box.outer_count && share_descriptor(&accesses[i].box, &access->box))
      access->descriptor = accesses[i].descriptor;
  if (mlirValueIsNull(access->descriptor))
    access->descriptor =
        build_descriptor(value_definition(op_operand(access->box.load, 0)), &access->box);
}

static void replace_access(struct session *session, const struct access *access) {
  const struct box *box = &access->box;
  MlirOperation op = box->load;
  MlirValue stored = stored_tile(session, op);
  MlirValue in[2 + MAX_BOX_RANK] = {access->descriptor, stored};
  int first = mlirValueIsNull(stored) ? 1 : 2, outer = box->outer_count;
  struct builder b = builder_before(op);
  for (int i = 0; i < outer; i++)
    in[first + i] = build_form(&b, &box->outer[i].place);
  for (int i = 0; i < box->rank; i++)
    in[first + outer + i] = op_operand(op, first + i);
  intptr_t count = first + outer + box->rank;
  if (first == 1) {
    MlirValue value = BUILD(&b, "tile.descriptor_load", INS(in, count), OUT(op_result_type(op, 0)));
    replace_op(op, &value);
  } else {
    BUILD_OP(&b, "tile.descriptor_store", INS(in, count));
    mlirOperationDestroy(op);
  }
}

int outer_descriptors(struct session *session, MlirOperation kernel) {
  struct state state = {.session = session};
  int changed = 0;
  axis_analysis_run(&state.axis, session, kernel);
  visit_operations(kernel, note_access, &state);
  struct access *accesses = tile_allocate((state.count + 1) * sizeof *accesses);
  for (size_t i = 0; i < state.count; i++) {
    accesses[i].descriptor = (MlirValue){0};
    if (!read_base(&state, state.list[i], &accesses[i].box))
      accesses[i].box.outer_count = 0;
  }
  axis_analysis_destroy(&state.axis);
  for (size_t i = 0; i < state.count; i++)
    if (accesses[i].box.outer_count)
      choose_descriptor(accesses, i);
  for (size_t i = 0; i < state.count; i++)
    if (accesses[i].box.outer_count) {
      replace_access(session, &accesses[i]);
      changed++;
    }
  free(accesses);
  free(state.list);
  return changed;
}
