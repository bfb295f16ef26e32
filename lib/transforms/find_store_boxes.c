/* SPDX-License-Identifier: MIT */
/* tile-find-store-boxes: stores that write boxes of tensors, in versions of kernels whose
   descriptors the launch makes.

     kernel @k$tma(%c, %m, %n, %row, %a, %b)     kernel @k$tma(%c, %m, %n, %row, %a, %b, %d)
       ...                                 ->      ...
                                                   tile_gpu.store_box %d, %i, %j {number 0}
       tile.store %p, %x, %mask                    tile.store %p, %x, %mask      {number 0}

   Needs: tensors without layouts, tile-version-descriptors before it, tile-decompose-descriptors
   after it. Keeps: what is stored. Says beside each such store which box it is, through one more
   parameter of the version (ir/tensor_maps.h); tile-gpu-bulk-stores decides whether it leaves so.

   Which stores: those through descriptors, and those through pointers where box.h says that the
   pointers and the mask are a box. Two dimensions, rows along the last one that begin and end at
   multiples of 16 bytes. A launch whose arguments a descriptor cannot say takes another version,
   and would lose the loads' descriptors, too: so a store adds none that promises about the
   arguments leave open.

   A bulk store writes at any time. What it writes must be its own: nothing else in the kernel may
   load from, or store to, the parameter, and nothing may tell another program that it is done, as
   atomic operations do, but for relaxed ones whose old elements nobody uses. The operation itself
   keeps the order between its own runs.

   Sums in memory by atomic operations of that kind, of f32, are such stores, too: the engine adds a
   box to what is there. */
#include <stdlib.h>
#include "analysis/box.h"
#include "analysis/scratch.h"
#include "base/arena.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/tensor_boxes.h"
#include "ir/tensor_maps.h"
#include "ir/tile_ops.h"
#include "transforms/build_form.h"
#include "transforms/bulk_ring.h"
#include "transforms/find_descriptors.h"

const struct pass_option find_store_boxes_options[] = {
    {"remarks", OPTION_BOOLEAN, "false", "says of each store why it is a box, or is none"}, {0}};

/* A store with what it writes; through pointers where `described` is false. */
struct found {
  MlirOperation store;
  bool described;
  struct box box;
};

struct finder {
  struct session *session;
  MlirOperation kernel;
  struct axis_analysis axis;
  bool remarks;
  struct found *list; /* owned */
  size_t count, capacity;
};

/* --- Who else touches the memory -------------------------------------------------------------- */

struct touching {
  struct session *session;
  MlirValue parameter;
  MlirOperation store;
};

/* FAILURE where the operation may touch what the store writes, or tell others of it. */
static MlirLogicalResult note_touch(MlirOperation op, void *data) {
  const struct touching *touching = data;
  const struct op_info *info = op_info(&touching->session->names, op);
  if (mlirOperationEqual(op, touching->store))
    return SUCCESS;
  if (KIND_IN(info->kind, OP_TILE_LOAD, OP_TILE_DESCRIPTOR_LOAD, OP_TILE_STORE,
              OP_TILE_DESCRIPTOR_STORE) ||
      is_atomic_store(touching->session, op)) {
    MlirValue root = pointer_root(touching->session, op_operand(op, 0));
    return mlirValueIsNull(root) || mlirValueEqual(root, touching->parameter) ? FAILURE : SUCCESS;
  }
  return info->effects == EFFECTS_WRITE || info->effects == EFFECTS_UNKNOWN ? FAILURE : SUCCESS;
}

static bool is_its_own(struct finder *finder, MlirOperation store) {
  struct touching touching = {.session = finder->session, .store = store};
  touching.parameter = pointer_root(finder->session, op_operand(store, 0));
  return !mlirValueIsNull(touching.parameter) &&
         !FAILED(visit_operations(finder->kernel, note_touch, &touching));
}

/* --- Multiples of 16 bytes -------------------------------------------------------------------- */

static bool is_aligned(struct finder *finder, const struct form_term *term, int64_t bytes) {
  return term_divisor(&finder->axis, term) * bytes % TENSOR_ROW_BYTES == 0;
}

static bool form_is_aligned(struct finder *finder, const struct linear_form *form, int64_t bytes) {
  bool aligned = true;
  for (int i = 0; i < form->count && aligned; i++)
    aligned = is_aligned(finder, &form->terms[i], bytes);
  return aligned;
}

/* A GPU writes all of the 16 bytes in which a row ends (runtime/tensor_maps.c). */
static const char not_whole[] = "its rows are not known to be multiples of 16 bytes";

static const char *why_not_aligned(struct finder *finder, const struct box *box, int64_t bytes) {
  if (axis_info_of(&finder->axis, box->base)->divisibility[0] % TENSOR_ROW_BYTES)
    return "its base is not known to be a multiple of 16 bytes";
  for (int i = 0; i < box->outer_count; i++)
    if (!is_aligned(finder, &box->outer[i].stride, bytes))
      return "a stride is not known to be a multiple of 16 bytes";
  for (int d = 0; d < box->rank; d++)
    if (d != box->unit && !is_aligned(finder, &box->dims[d].stride, bytes))
      return "a stride is not known to be a multiple of 16 bytes";
  const struct box_dim *unit = &box->dims[box->unit];
  if (!form_is_aligned(finder, &unit->start, bytes))
    return "its rows may begin at other places than multiples of 16 bytes";
  return unit->bound != BOX_MASK || form_is_aligned(finder, &unit->size, bytes) ? NULL : not_whole;
}

/* --- Which stores ----------------------------------------------------------------------------- */

static int64_t element_bytes(struct finder *finder, MlirOperation store) {
  return memory_bytes(finder->session, type_element(op_operand_type(store, 1)));
}

static const char *why_no_box(struct finder *finder, struct found *found) {
  struct box *box = &found->box;
  struct form_reader reader = {.session = finder->session,
                               .axis = &finder->axis,
                               .loop = loop_around(finder->session, found->store)};
  if (!box_of(&reader, found->store, box))
    return reader.problem;
  if (box->rank != 2 || box->unit != 1)
    return "it has not two dimensions, with rows along the second";
  for (int d = 0; d < box->rank; d++)
    if (box->dims[d].bound == BOX_WRAPPED)
      return "an index is wrapped";
  if (box->moved.count && !box->outer_count)
    return box->why_moved;
  return why_not_aligned(finder, box, element_bytes(finder, found->store));
}

/* The launch checks what the kernel has promised with its descriptor. */
static const char *why_not_described(struct finder *finder, MlirOperation store) {
  MlirOperation make = value_definition(op_operand(store, 0));
  MlirValue row = op_operand(store, mlirOperationGetNumOperands(store) - 1);
  if (!op_is(finder->session, make, OP_TILE_MAKE_DESCRIPTOR) ||
      mlirAttributeIsNull(tensor_map_recipe(finder->session, make)))
    return "the launch cannot make its descriptor";
  if (axis_info_of(&finder->axis, row)->divisibility[0] * element_bytes(finder, store) %
      TENSOR_ROW_BYTES)
    return "its rows may begin at other places than multiples of 16 bytes";
  MlirValue size = op_operand(make, (mlirOperationGetNumOperands(make) - 1) / 2);
  return axis_info_of(&finder->axis, size)->divisibility[0] * element_bytes(finder, store) %
                 TENSOR_ROW_BYTES
             ? not_whole
             : NULL;
}

/* What the engine does as well: sums of f32, in no order with anything, of which nobody sees what
   was there. */
static bool is_sum(struct session *session, MlirOperation op) {
  return is_atomic_store(session, op) && type_is_tensor(op_operand_type(op, 1)) &&
         mlirTypeIsAF32(type_element(op_operand_type(op, 1))) &&
         ref_equals(op_string(op, "kind"), "add") && !ref_equals(op_string(op, "scope"), "sys");
}

/* Has the version as many descriptors as a launch makes (runtime/objects.h) with those that were
   found? */
static bool has_all_maps(struct finder *finder) {
  enum { MAX_MAPS = 16 };
  MlirBlock body = op_body(finder->kernel, 0);
  size_t count = finder->count;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    count += type_is_descriptor(&finder->session->types,
                                mlirValueGetType(mlirBlockGetArgument(body, i)));
  return count >= MAX_MAPS;
}

static const char *why_not(struct finder *finder, struct found *found) {
  MlirType type = op_operand_type(found->store, 1);
  if (!type_is_tensor(type) || mlirShapedTypeGetRank(type) != 2 ||
      !type_is_number(type_element(type)) || type_is_integer(type_element(type), 1))
    return "it is no tile of two dimensions";
  const char *why =
      found->described ? why_not_described(finder, found->store) : why_no_box(finder, found);
  if (why)
    return why;
  if (!is_its_own(finder, found->store))
    return "the kernel may touch what it writes elsewhere, or tell others of it";
  return has_all_maps(finder) ? "the launch makes no more descriptors for a kernel" : NULL;
}

static MlirLogicalResult visit(MlirOperation op, void *data) {
  struct finder *finder = data;
  enum op_kind kind = kind_of(finder->session, op);
  if (!KIND_IN(kind, OP_TILE_STORE, OP_TILE_DESCRIPTOR_STORE) && !is_sum(finder->session, op))
    return SUCCESS;
  finder->list = tile_grow(finder->list, finder->count, &finder->capacity, sizeof *finder->list);
  struct found *found = &finder->list[finder->count];
  *found = (struct found){.store = op, .described = kind == OP_TILE_DESCRIPTOR_STORE};
  const char *why = why_not(finder, found);
  finder->count += !why;
  if (finder->remarks)
    diagnostics_report(&finder->session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(op),
                       "%s%s", why ? "not stored as a box: " : "stores a box of a tensor",
                       why ? why : "");
  return SUCCESS;
}

/* --- What is said of them --------------------------------------------------------------------- */

/* The descriptor of a store through pointers, and its offsets; how many. */
static intptr_t build_offsets(struct finder *finder, struct builder *b, const struct found *found,
                              MlirValue *in) {
  static const int order[] = {0, 1};
  const struct box *box = &found->box;
  intptr_t count = 1;
  in[0] = build_box_descriptor(finder->session, b, box, order, op_operand_type(found->store, 1));
  for (int i = 0; i < box->outer_count; i++)
    in[count++] = build_form(b, &box->outer[i].place);
  for (int d = 0; d < box->rank; d++)
    in[count++] = build_form(b, &box->dims[d].start);
  return count;
}

static intptr_t take_offsets(MlirOperation store, MlirValue *in) {
  intptr_t count = 1;
  in[0] = op_operand(store, 0);
  for (intptr_t i = 2; i < mlirOperationGetNumOperands(store); i++)
    in[count++] = op_operand(store, i);
  return count;
}

static void say(struct finder *finder, const struct found *found, int number) {
  struct session *session = finder->session;
  struct builder b = builder_before(found->store);
  MlirValue in[1 + MAX_RANK];
  intptr_t count =
      found->described ? take_offsets(found->store, in) : build_offsets(finder, &b, found, in);
  MlirAttribute recipe = tensor_map_recipe(session, value_definition(in[0]));
  if (mlirAttributeIsNull(recipe))
    return; /* nobody uses what has been built */
  MlirNamedAttribute entry = attribute_with(session->context, ATTR_TENSOR_MAP,
                                            tensor_map_for_stores(session->context, recipe));
  in[0] = function_add_parameter(finder->kernel, mlirValueGetType(in[0]),
                                 mlirDictionaryAttrGet(session->context, 1, &entry));
  for (intptr_t i = 1; i < count; i++)
    in[i] = build_coordinate(session, &b, in[i]);
  MlirOperation hint = BUILD_OP(&b, "tile_gpu.store_box", INS(in, count));
  attribute_set_integer(hint, ATTR_BOX, number);
  attribute_set_integer(found->store, ATTR_BOX, number);
}

MlirLogicalResult run_find_store_boxes(struct pass_context *context, MlirOperation module) {
  MlirOperation kernel = {0};
  while (next_kernel(context->session, module, &kernel)) {
    if (!attribute_has(kernel, ATTR_TENSOR_MAPS_OF))
      continue;
    struct finder finder = {
        .session = context->session, .kernel = kernel, .remarks = context->values[0].integer != 0};
    axis_analysis_run(&finder.axis, context->session, kernel);
    visit_operations(kernel, visit, &finder);
    axis_analysis_destroy(&finder.axis);
    for (size_t i = 0; i < finder.count; i++)
      say(&finder, &finder.list[i], (int)i);
    free(finder.list);
  }
  return SUCCESS;
}
