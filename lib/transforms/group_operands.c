/* SPDX-License-Identifier: MIT */
/* See group_operands.h.

     bytes along k, or elements of 2 bytes        bytes across k

     %m = tile_gpu.alloc %x                       %m = tile_gpu.alloc %x       as it is loaded
                                                  %n = tile_gpu.alloc
                                                  tile_gpu.local_transpose %m, %n

   Where the first operand is computed from sums of another dot, as in attention, its elements of 16
   along k are in its thread 2 by 2: columns 2 * c, 2 * c + 1, 2 * c + 8, 2 * c + 9 of those. An
   operand of bytes has 4 neighbours there. So both are permuted along k, which changes no sum: the
   first in its registers, by names alone, the second as it is transposed (`interleaved`).

     %p = convert_layout %s : #mma -> #operand    %q = reshape, permute, reshape %s
                                                  %p = convert_layout %q    nothing at run time */
#include "transforms/group_operands.h"

#include "analysis/row_axis.h"
#include "ir/build.h"
#include "ir/module_target.h"
#include "ir/shared_attribute.h"
#include "layout/byte_transpose.h"
#include "layout/conversion.h"
#include "transforms/dot_choice.h"

/* The dimension of a block's rows, of one that is permuted, too; -1 of what is no block. */
static int row_dimension(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  int dim = (int)mlirShapedTypeGetRank(mlirValueGetType(value)) - 1;
  if (mlirOperationIsNull(op) || op_is(session, op, OP_TILE_DESCRIPTOR_LOAD))
    return mlirOperationIsNull(op) ? -1 : dim;
  int row = op_is(session, op, OP_TILE_PERMUTE) ? row_dimension(session, op_operand(op, 0)) : -1;
  return row < 0 ? -1 : row_axis_after(session, op, row);
}

int operand_fast_dimension(struct session *session, MlirValue value, int otherwise) {
  int row = row_dimension(session, value);
  return row >= 0 ? row : dot_fast_dimension(session, mlirValueGetType(value), otherwise);
}

MlirValue before_conversion(struct session *session, MlirValue value) {
  MlirOperation definition = value_definition(value);
  return !mlirOperationIsNull(definition) &&
                 kind_of(session, definition) == OP_TILE_GPU_CONVERT_LAYOUT
             ? op_operand(definition, 0)
             : value;
}

/* The layout in which tensor cores read a tile from shared memory, elements along `fast` being
   contiguous. */
static MlirType shared_operand(struct session *session, MlirType tile, int fast) {
  int64_t shape[MAX_RANK], bytes = type_bytes(&session->types, type_element(tile));
  int rank = type_shape(tile, shape);
  int64_t row = shape[fast] * bytes;
  struct nvmma_layout layout = {.swizzle = row >= 128  ? 128
                                           : row >= 32 ? (int32_t)row
                                                       : 0,
                                .element_bits = (int32_t)bytes * 8,
                                .transposed = fast == 0};
  return shared_type(rank, shape, type_element(tile), nvmma_attribute(&session->layouts, &layout));
}

/* The buffer of this type that another dot of the block has for `value`; null where there is
   none. Dots are rewritten in the order of the program, so it is filled before this one. */
static MlirValue find_buffer(struct session *session, MlirValue value, MlirType type,
                             MlirBlock block) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (kind_of(session, user) == OP_TILE_GPU_ALLOC &&
        mlirBlockEqual(mlirOperationGetBlock(user), block) &&
        mlirTypeEqual(op_result_type(user, 0), type))
      return op_result(user, 0);
  }
  return (MlirValue){0};
}

/* Rows become columns. */
static bool is_transpose(struct session *session, MlirOperation op) {
  return !mlirOperationIsNull(op) && kind_of(session, op) == OP_TILE_PERMUTE &&
         mlirDenseI32ArrayGetElement(mlirOperationGetAttributeByName(op, ref("order")), 0) == 1;
}

/* The type of a buffer with rows and columns changed over. */
static MlirType transposed_type(struct session *session, MlirType type) {
  const int64_t shape[2] = {mlirShapedTypeGetDimSize(type, 1), mlirShapedTypeGetDimSize(type, 0)};
  const struct shared_info *info;
  tile_status_free(shared_decode(&session->layouts, mlirMemRefTypeGetMemorySpace(type), &info));
  return shared_type(2, shape, mlirShapedTypeGetElementType(type),
                     shared_transposed(&session->layouts, info, (const int32_t[]){1, 0}));
}

/* `value` in a buffer of this type: right after its definition where that is outside of the loop,
   so that it is stored once. A tile that is another one's transpose is stored as that, and the
   buffer is seen transposed. */
static MlirValue build_filled(struct session *session, MlirOperation dot, MlirValue value,
                              MlirType type) {
  MlirOperation definition = value_definition(value);
  struct builder b = builder_before(dot);
  if (!mlirOperationIsNull(definition) &&
      !mlirBlockEqual(mlirOperationGetBlock(definition), mlirOperationGetBlock(dot))) {
    b.block = mlirOperationGetBlock(definition);
    b.before = mlirOperationGetNextInBlock(definition);
  }
  if (is_transpose(session, definition)) {
    MlirValue source = before_conversion(session, op_operand(definition, 0));
    MlirValue buffer = build_filled(session, dot, source, transposed_type(session, type));
    return BUILD(
        &b, "tile_gpu.transpose", IN(buffer), OUT(type),
        ATTRIBUTES(attribute_named(b.context, "order",
                                   attribute_dense_i32(b.context, 2, (const int32_t[]){1, 0}))));
  }
  MlirValue buffer = find_buffer(session, value, type, b.block);
  return mlirValueIsNull(buffer) ? BUILD(&b, "tile_gpu.alloc", IN(value), OUT(type)) : buffer;
}

/* --- Bytes across k --------------------------------------------------------------------------- */

/* The layout of a stage of this type: coordinates to offsets. */
static bool offsets_of(struct session *session, MlirType type, struct linear_layout *out) {
  struct shared_buffer buffer;
  struct linear_layout layout;
  tile_status status = shared_buffer_read(&session->layouts, type, &buffer);
  if (!status)
    status = shared_to_linear(&session->layouts, buffer.info->attribute, buffer.shape, buffer.rank,
                              buffer.bytes * 8, &layout);
  if (!status)
    status = linear_layout_invert(&layout, out);
  bool good = !status;
  tile_status_free(status);
  return good;
}

/* Can such a tile, that lies across k, be transposed in shared memory? */
static bool can_transpose(struct session *session, MlirOperation dot, MlirType tile, int k) {
  struct linear_layout from, to;
  struct byte_transpose plan;
  return type_bytes(&session->types, type_element(tile)) == 1 &&
         machine_has(machine_of(dot), FEATURE_STMATRIX) &&
         offsets_of(session, shared_operand(session, tile, 1 - k), &from) &&
         offsets_of(session, shared_operand(session, tile, k), &to) &&
         byte_transpose_plan(&from, &to, false, 0, &plan);
}

/* The transposed one of this type that is there already; or null. */
static MlirValue find_transposed(struct session *session, MlirValue buffer, MlirType type,
                                 bool interleaved) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (op_is(session, user, OP_TILE_GPU_LOCAL_TRANSPOSE) &&
        op_has_attribute(user, "interleaved") == interleaved &&
        mlirTypeEqual(op_operand_type(user, 1), type))
      return op_operand(user, 1);
  }
  return (MlirValue){0};
}

/* Behind the buffer of `value` as it is. */
static MlirValue build_transposed(struct session *session, MlirOperation dot, MlirValue value,
                                  int k, bool interleaved) {
  MlirType tile = mlirValueGetType(value), type = shared_operand(session, tile, k);
  MlirValue buffer = build_filled(session, dot, value, shared_operand(session, tile, 1 - k));
  MlirValue known = find_transposed(session, buffer, type, interleaved);
  if (!mlirValueIsNull(known))
    return known;
  struct builder b = builder_before(mlirOperationGetNextInBlock(value_definition(buffer)));
  b.location = mlirOperationGetLocation(dot);
  MlirValue result = BUILD(&b, "tile_gpu.alloc", OUT(type));
  MlirNamedAttribute attribute =
      attribute_named(b.context, "interleaved", mlirUnitAttrGet(b.context));
  BUILD_OP(&b, "tile_gpu.local_transpose", IN(buffer, result),
           ATTRIBUTE_LIST(&attribute, interleaved ? 1 : 0));
  return result;
}

static bool lies_across(struct session *session, MlirOperation dot, MlirValue value, int k) {
  return operand_fast_dimension(session, value, k) != k &&
         can_transpose(session, dot, mlirValueGetType(value), k);
}

static MlirValue build_buffer(struct session *session, MlirOperation dot, intptr_t operand,
                              bool interleaved) {
  MlirValue value = before_conversion(session, op_operand(dot, operand));
  MlirType tile = mlirValueGetType(value);
  int k = operand ? 0 : 1;
  if (lies_across(session, dot, value, k))
    return build_transposed(session, dot, value, k, interleaved);
  bool any = type_bytes(&session->types, type_element(tile)) == 2; /* tensor cores take it so */
  int fast = any ? operand_fast_dimension(session, value, k) : k;
  return build_filled(session, dot, value, shared_operand(session, tile, fast));
}

/* --- The first operand in registers, permuted along k ------------------------------------------
 */

enum { PARTS = 5, RUN = 16 };

/* M x K as M x K/16 x 2 x 4 x 2; its last three dimensions in the order of local_transpose. */
static const int32_t interleaving[PARTS] = {0, 1, 3, 2, 4};

static void shape_of_parts(MlirType tile, int64_t *shape) {
  shape[0] = mlirShapedTypeGetDimSize(tile, 0);
  shape[1] = mlirShapedTypeGetDimSize(tile, 1) / RUN;
  shape[2] = shape[4] = 2;
  shape[3] = 4;
}

static struct linear_layout reshaped(const struct linear_layout *layout, int rank,
                                     const int64_t *shape) {
  struct layout_space space;
  tile_status_free(layout_space_from_shape(shape, rank, &space));
  return linear_layout_reshape(layout, &space);
}

/* The layouts of the parts, of the permuted parts, and of all. */
static void interleaved_layouts(const struct linear_layout *layout, MlirType tile,
                                struct linear_layout out[3]) {
  int64_t shape[PARTS], whole[MAX_RANK];
  int rank = type_shape(tile, whole);
  shape_of_parts(tile, shape);
  out[0] = reshaped(layout, PARTS, shape);
  out[1] = linear_layout_transpose(&out[0], interleaving);
  out[2] = reshaped(&out[1], rank, whole);
}

static bool is_renamed(const struct linear_layout *from, const struct linear_layout *to) {
  struct layout_conversion plan;
  tile_status status = conversion_plan(from, to, 1, &plan);
  bool renamed = !status && plan.kind == CONVERSION_RENAME;
  tile_status_free(status);
  return renamed;
}

/* Is the operand, which a thread gets from others, all its own if it is permuted along k? */
static bool gains_by_interleaving(struct session *session, MlirValue operand) {
  MlirType tile = mlirValueGetType(operand);
  if (type_bytes(&session->types, type_element(tile)) != 1 ||
      mlirShapedTypeGetDimSize(tile, 1) % RUN)
    return false;
  MlirType source = mlirValueGetType(before_conversion(session, operand));
  const struct linear_layout *from = layout_to_linear(&session->layouts, source),
                             *to = layout_to_linear(&session->layouts, tile);
  struct linear_layout layouts[3];
  if (!from || !to || is_renamed(from, to))
    return false;
  interleaved_layouts(from, source, layouts);
  return is_renamed(&layouts[2], to);
}

static MlirType with_layout(struct session *session, MlirType tile, int rank, const int64_t *shape,
                            const struct linear_layout *layout) {
  return tensor_type(rank, shape, type_element(tile), linear_attribute(&session->layouts, layout));
}

static MlirValue build_interleaved(struct session *session, MlirOperation dot, MlirValue operand) {
  MlirValue value = before_conversion(session, operand);
  MlirType tile = mlirValueGetType(value);
  int64_t shape[PARTS], permuted[PARTS], whole[MAX_RANK];
  struct linear_layout layouts[3];
  int rank = type_shape(tile, whole);
  shape_of_parts(tile, shape);
  for (int i = 0; i < PARTS; i++)
    permuted[i] = shape[interleaving[i]];
  interleaved_layouts(layout_to_linear(&session->layouts, tile), tile, layouts);
  struct builder b = builder_before(dot);
  value = BUILD(&b, "tile.reshape", IN(value),
                OUT(with_layout(session, tile, PARTS, shape, &layouts[0])));
  value = BUILD(&b, "tile.permute", IN(value),
                OUT(with_layout(session, tile, PARTS, permuted, &layouts[1])),
                ATTRIBUTES(attribute_named(b.context, "order",
                                           attribute_dense_i32(b.context, PARTS, interleaving))));
  value = BUILD(&b, "tile.reshape", IN(value),
                OUT(with_layout(session, tile, rank, whole, &layouts[2])));
  return BUILD(&b, "tile_gpu.convert_layout", IN(value), OUT(mlirValueGetType(operand)));
}

void build_group_operands(struct session *session, MlirOperation dot, bool in_registers,
                          MlirValue *first, MlirValue *second) {
  MlirValue other = before_conversion(session, op_operand(dot, 1));
  bool interleaved = in_registers && lies_across(session, dot, other, 0) &&
                     gains_by_interleaving(session, op_operand(dot, 0));
  *first = interleaved    ? build_interleaved(session, dot, op_operand(dot, 0))
           : in_registers ? op_operand(dot, 0)
                          : build_buffer(session, dot, 0, false);
  *second = build_buffer(session, dot, 1, interleaved);
}
