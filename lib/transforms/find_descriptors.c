/* SPDX-License-Identifier: MIT */
/* tile-find-descriptors: loads of boxes through plain pointers as loads through tensor descriptors.

     %r = (%start + range) % %m                            %d = make_descriptor %a, %m, %k, %row, 1
     %p = addptr %a, %r * %row + range           ->
     for %i { %t = load %p, range < %k - 64 %i, 0          for %i { %t = descriptor_load %d, %start,
       %c = dot %t, ...; yield addptr %p, 64 }                                               64 %i

   What moves the base in all iterations alike is places in outer dimensions (box_outer.h); what no
   mask bounds is as long as can be:

     %p = addptr %a, %z * %stride + range * %row + range   %d = make_descriptor %a, 2^31, 2^31, 64,
                                                                                %stride, %row, 1
     for %i { %t = load addptr %p, 64 %i * %row   ->       for %i { %t = descriptor_load %d, %z,
                                                                                 64 %i, 0

   Needs: tensors without layouts, tile-inline and a clean-up before it. Keeps: what is stored.
   Leaves to canonicalize the pointers that nobody uses any more.

   Which loads: those in a loop whose values come to a product of that loop through elementwise
   operations and permutations, and those before all loops that dots alone read, where box.h says
   that it is a box. What a load reads after the end of a tensor where its index is wrapped is zero
   instead: only if nobody sees it (discarded_rows.h).

   In a loop with such a load also vectors that come to its products repeated along other
   dimensions, as sums of rows or norms in attention's backward pass: who copies blocks brings them
   along, where they are what one copy can bring (tensor_boxes.h). Of what is masked off there they
   have zeros, in place of which a choice by the mask puts other numbers.

   What is not known before a launch is said of the descriptor, for the launch to check: sizes are 1
   or more, strides positive, and of the dimensions in tile.narrow_dims, whose distances the kernel
   counts in 32 bits, the sum of (size - 1) * stride is below 2^31. */
#include "transforms/find_descriptors.h"

#include <stdlib.h>
#include "analysis/box.h"
#include "analysis/discarded_rows.h"
#include "analysis/loop_schedule.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/tensor_boxes.h"
#include "ir/tile_ops.h"
#include "transforms/build_form.h"

const struct pass_option find_descriptors_options[] = {
    {"remarks", OPTION_BOOLEAN, "false", "says of each load why it is a box, or is none"}, {0}};

struct finder {
  struct session *session;
  struct axis_analysis axis;
  struct map seen; /* values between a load and a product */
  bool remarks;
  struct box *boxes;
  size_t count, capacity;
};

/* --- Whether ---------------------------------------------------------------------------------- */

static void remark(struct finder *finder, MlirOperation load, const char *text) {
  if (finder->remarks)
    diagnostics_report(&finder->session->diagnostics, SEVERITY_REMARK,
                       mlirOperationGetLocation(load), "%s", text);
}

/* Why the box is what the load reads. */
static void remark_found(struct finder *finder, const struct box *box) {
  static const char *const reasons[] = {
      [BOX_UNKNOWN] = "",
      [BOX_MASK] = "ends at its mask",
      [BOX_WRAPPED] = "ends where its index is wrapped, and what lies after that is not stored",
      [BOX_CONSTANT] = "begins at a constant and is read as a whole",
      [BOX_ENDLESS] = "is read without a bound"};
  struct text text = {0};
  text_puts(&text, "a box of a tensor:");
  for (int d = 0; d < box->rank; d++)
    text_printf(&text, "%s dimension %d %s", d ? ";" : "", d, reasons[box->dims[d].bound]);
  if (box->outer_count)
    text_printf(&text, "; %d outer dimension(s) say where the tensor is", box->outer_count);
  else if (box->moved.count)
    text_printf(&text, "; no outer dimensions say where the tensor is: %s", box->why_moved);
  remark(finder, box->load, text_string(&text));
  text_free(&text);
}

static bool ends_are_unseen(struct form_reader *reader, const struct box *box) {
  for (int d = 0; d < box->rank; d++)
    if (box->dims[d].bound == BOX_WRAPPED &&
        !rows_are_discarded(reader, op_result(box->load, 0), d, &box->dims[d].start,
                            &box->dims[d].size))
      return false;
  return true;
}

/* May one copy bring the vector? */
static bool is_copied_at_once(struct finder *finder, MlirType vector) {
  MlirType element = type_element(vector);
  int64_t count = type_elements(vector);
  bool has_bytes = mlirTypeIsAInteger(element)
                       ? !type_is_integer(element, 1)
                       : mlirTypeIsAF16(element) || mlirTypeIsABF16(element) ||
                             mlirTypeIsAF32(element) || mlirTypeIsAF64(element);
  return has_bytes && count <= TENSOR_MAX_BOX &&
         count * type_bytes(&finder->session->types, element) % TENSOR_PLACE_BYTES == 0;
}

static void try_load(struct finder *finder, MlirOperation load) {
  struct form_reader reader = {.session = finder->session,
                               .axis = &finder->axis,
                               .loop = loop_around(finder->session, load)};
  struct box box;
  if (!box_of(&reader, load, &box) || !ends_are_unseen(&reader, &box)) {
    struct text text = {0};
    text_printf(&text, "not a box of a tensor: %s", reader.problem);
    remark(finder, load, text_string(&text));
    text_free(&text);
    return;
  }
  remark_found(finder, &box);
  finder->boxes = tile_grow(finder->boxes, finder->count, &finder->capacity, sizeof *finder->boxes);
  finder->boxes[finder->count++] = box;
}

/* In the loop, or before all loops for products alone: what is loaded in a loop around this one is
   there before. */
static bool is_for_loop(struct finder *finder, MlirOperation load, MlirOperation loop) {
  return mlirOperationEqual(loop_around(finder->session, load), loop) ||
         (!is_in_loop(finder->session, load) &&
          feeds_only_products(finder->session, op_result(load, 0)));
}

/* Is the load of a tile, or of a vector in the loop itself, one to look at? */
static bool is_wanted(struct finder *finder, MlirOperation load, MlirOperation loop) {
  MlirType type = op_result_type(load, 0);
  if (mlirShapedTypeGetRank(type) > 1)
    return is_for_loop(finder, load, loop);
  return mlirOperationEqual(loop_around(finder->session, load), loop) &&
         is_copied_at_once(finder, type);
}

/* The vector that is repeated along other dimensions as `value`, or null. */
static MlirValue repeated_vector(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  while (!mlirOperationIsNull(op) &&
         KIND_IN(kind_of(session, op), OP_TILE_BROADCAST, OP_TILE_EXPAND_DIMS)) {
    value = op_operand(op, 0);
    op = value_definition(value);
  }
  MlirType type = mlirValueGetType(value);
  return type_is_tensor(type) && mlirShapedTypeGetRank(type) == 1 ? value : (MlirValue){0};
}

/* The loads of tiles that `value` is computed of, element by element, for the loop. */
static void search(struct finder *finder, MlirOperation loop, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || !type_is_tensor(mlirValueGetType(value)) ||
      map_get(&finder->seen, value.ptr))
    return;
  map_set(&finder->seen, value.ptr, (void *)value.ptr);
  if (op_is(finder->session, op, OP_TILE_LOAD)) {
    if (is_wanted(finder, op, loop))
      try_load(finder, op);
    return;
  }
  if (KIND_IN(kind_of(finder->session, op), OP_TILE_BROADCAST, OP_TILE_EXPAND_DIMS)) {
    MlirValue vector = repeated_vector(finder->session, value);
    if (!mlirValueIsNull(vector))
      search(finder, loop, vector);
    return;
  }
  if (!op_has(finder->session, op, IS_ELEMENTWISE) && !op_is(finder->session, op, OP_TILE_PERMUTE))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    search(finder, loop, op_operand(op, i));
}

static MlirLogicalResult visit(MlirOperation op, void *data) {
  struct finder *finder = data;
  if (op_has(finder->session, op, IS_DOT) && is_in_loop(finder->session, op))
    for (intptr_t i = 0; i < 2; i++)
      search(finder, loop_around(finder->session, op), op_operand(op, i));
  return SUCCESS;
}

static bool is_vector(const struct box *box) {
  return box->rank == 1;
}

static MlirLogicalResult find_block(MlirOperation op, void *session) {
  return op_is(session, op, OP_TILE_DESCRIPTOR_LOAD) &&
                 mlirShapedTypeGetRank(op_result_type(op, 0)) > 1 &&
                 feeds_product(session, op_result(op, 0))
             ? FAILURE
             : SUCCESS;
}

/* Vectors stay where no block of their loop has been found, or comes by a descriptor anyway. */
static void drop_lone_vectors(struct finder *finder) {
  size_t kept = 0;
  for (size_t i = 0; i < finder->count; i++) {
    MlirOperation loop = loop_around(finder->session, finder->boxes[i].load);
    bool keep = !is_vector(&finder->boxes[i]) ||
                FAILED(visit_operations(loop, find_block, finder->session));
    for (size_t k = 0; k < finder->count && !keep; k++)
      keep = !is_vector(&finder->boxes[k]) && op_is_inside(finder->boxes[k].load, loop);
    if (keep)
      finder->boxes[kept++] = finder->boxes[i];
  }
  finder->count = kept;
}

/* --- The rewrite ------------------------------------------------------------------------------ */

/* The tile's dimension of each of the descriptor's: the contiguous one is the last. */
static void order_dims(const struct box *box, int *order) {
  int count = 0;
  for (int d = 0; d < box->rank; d++)
    if (d != box->unit)
      order[count++] = d;
  order[count] = box->unit;
}

MlirValue build_box_descriptor(struct session *session, struct builder *b, const struct box *box,
                               const int *order, MlirType block) {
  int outer = box->outer_count, rank = outer + box->rank;
  MlirValue in[1 + 2 * MAX_RANK] = {box->base};
  int32_t narrow[MAX_RANK], segments[] = {1, rank, rank};
  intptr_t narrow_count = 0;
  if (box->moved.count && !outer)
    in[0] = BUILD(b, "tile.addptr", IN(box->base, build_form(b, &box->moved)),
                  OUT(mlirValueGetType(box->base)));
  for (int i = 0; i < outer; i++) {
    in[1 + i] = build_integer(b, 64, box_endless_size);
    in[1 + rank + i] = build_term(b, &box->outer[i].stride);
  }
  for (int i = 0; i < box->rank; i++) {
    const struct box_dim *dim = &box->dims[order[i]];
    in[1 + outer + i] = build_form(b, &dim->size);
    in[1 + rank + outer + i] = build_term(b, &dim->stride);
    if (dim->stride.narrow)
      narrow[narrow_count++] = outer + i;
  }
  MlirNamedAttribute attributes[] = {
      attribute_named(b->context, "operandSegmentSizes",
                      attribute_dense_i32(b->context, 3, segments)),
      attribute_with(b->context, ATTR_NARROW_DIMS,
                     attribute_dense_i32(b->context, narrow_count, narrow))};
  return BUILD(b, "tile.make_descriptor", INS(in, 1 + 2 * rank),
               OUT(descriptor_for(&session->types, block)),
               ATTRIBUTE_LIST(attributes, 1 + (narrow_count > 0)));
}

/* The block in the order of the tile's dimensions. */
static MlirValue build_permute(struct builder *b, MlirValue block, const int *order, int rank,
                               MlirType type) {
  int32_t inverse[MAX_RANK];
  bool moves = false;
  for (int i = 0; i < rank; i++) {
    inverse[order[i]] = i;
    moves |= order[i] != i;
  }
  if (!moves)
    return block;
  return BUILD(b, "tile.permute", IN(block), OUT(type),
               ATTRIBUTES(attribute_named(b->context, "order",
                                          attribute_dense_i32(b->context, rank, inverse))));
}

static void replace_load(struct finder *finder, const struct box *box) {
  struct builder b = builder_before(box->load);
  MlirType type = op_result_type(box->load, 0);
  MlirValue in[1 + MAX_RANK];
  int64_t shape[MAX_RANK], sizes[MAX_RANK];
  int order[MAX_RANK];
  type_shape(type, shape);
  order_dims(box, order);
  for (int i = 0; i < box->rank; i++)
    sizes[i] = shape[order[i]];
  MlirType block = tensor_type(box->rank, sizes, type_element(type), (MlirAttribute){0});
  in[0] = build_box_descriptor(finder->session, &b, box, order, block);
  intptr_t outer = box->outer_count;
  for (intptr_t i = 0; i < outer; i++)
    in[1 + i] = build_form(&b, &box->outer[i].place);
  for (int i = 0; i < box->rank; i++)
    in[1 + outer + i] = build_form(&b, &box->dims[order[i]].start);
  MlirValue value = BUILD(&b, "tile.descriptor_load", INS(in, 1 + outer + box->rank), OUT(block));
  value = build_permute(&b, value, order, box->rank, type);
  struct tile_load load;
  tile_load_read(box->load, &load);
  if (box->has_other)
    value = BUILD(&b, "arith.select", IN(load.mask, value, load.other), OUT(type));
  replace_op(box->load, &value);
}

/* --- Pointers that nobody uses any more ------------------------------------------------------- */

/* Is all that is made of a loop-carried value what the loop carries on? */
static bool is_only_carried(struct session *session, MlirValue value, MlirOperation yield,
                            intptr_t number) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, yield) && mlirOpOperandGetOperandNumber(use) == number)
      continue;
    if (!op_is(session, user, OP_TILE_ADDPTR) ||
        !is_only_carried(session, op_result(user, 0), yield, number))
      return false;
  }
  return true;
}

/* Such a pointer stays where it was before the loop, and canonicalize takes it out. */
static void stop_pointers(struct session *session, MlirOperation loop) {
  MlirBlock body = op_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
    MlirValue carried = mlirBlockGetArgument(body, i + 1);
    if (type_is_pointer(&session->types, type_element(mlirValueGetType(carried))) &&
        !value_is_used(op_result(loop, i)) && is_only_carried(session, carried, yield, i))
      mlirOperationSetOperand(yield, i, carried);
  }
}

/* --- The pass --------------------------------------------------------------------------------- */

int find_descriptors(struct session *session, MlirOperation kernel, bool remarks) {
  struct finder finder = {.session = session, .remarks = remarks};
  axis_analysis_run(&finder.axis, session, kernel);
  visit_operations(kernel, visit, &finder);
  axis_analysis_destroy(&finder.axis);
  drop_lone_vectors(&finder);
  for (size_t i = 0; i < finder.count; i++)
    replace_load(&finder, &finder.boxes[i]);
  struct loop_list loops = loops_of(session, kernel);
  for (size_t i = 0; i < loops.count && finder.count; i++)
    stop_pointers(session, loops.list[i]);
  loops_free(&loops);
  map_free(&finder.seen);
  free(finder.boxes);
  return (int)finder.count;
}

MlirLogicalResult run_find_descriptors(struct pass_context *context, MlirOperation module) {
  MlirOperation kernel = {0};
  while (next_kernel(context->session, module, &kernel))
    find_descriptors(context->session, kernel, context->values[0].integer != 0);
  return SUCCESS;
}
