/* SPDX-License-Identifier: MIT */
/* The rules of buffers in shared memory: alloc, index, subslice, transpose, local_load,
   local_store, local_transpose, async_copy, async_commit, async_wait. */
#include <limits.h>
#include "ir/shared_attribute.h"
#include "ir/tile_ops.h"
#include "ir/verify_tile.h"
#include "layout/byte_transpose.h"

/* Reads the type of a buffer; fails with the reason. */
static MlirLogicalResult read_buffer(struct session *session, MlirOperation op, MlirType type,
                                     struct shared_buffer *out) {
  tile_status status = shared_buffer_read(&session->layouts, type, out);
  if (!status)
    return SUCCESS;
  struct text text = {0};
  fail_op(op, "%s: %s", show_type(type, &text), tile_status_message(status));
  text_free(&text);
  tile_status_free(status);
  return FAILURE;
}

/* A stage of a buffer that a tile of this type fits. */
static MlirLogicalResult verify_stage_of(struct session *session, MlirOperation op, MlirType tile,
                                         MlirType memory) {
  struct shared_buffer buffer;
  int64_t shape[MAX_RANK];
  TRY_IR(read_buffer(session, op, memory, &buffer));
  if (buffer.leading)
    return fail_op(op, "the buffer has stages; take one with tile_gpu.index");
  if (!type_is_tensor(tile))
    return fail_op(op, "a buffer holds a tile, not a scalar");
  int rank = type_shape(tile, shape);
  bool same = rank == buffer.rank;
  for (int i = 0; same && i < rank; i++)
    same = shape[i] == buffer.shape[i];
  MlirType element = type_element(tile);
  if (type_is_pointer(&session->types, element))
    element = pointer_pointee(&session->types, element);
  if (!same || !mlirTypeEqual(element, buffer.element))
    return fail_types(op, "tile and buffer differ; they have one shape and element type", tile,
                      memory);
  return SUCCESS;
}

/* The tile that a use of a private buffer loads or stores; null for another use. */
static MlirType private_tile(struct session *session, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  enum op_kind kind = kind_of(session, op);
  if (kind == OP_TILE_GPU_LOCAL_LOAD && mlirOperationGetNumOperands(op) == 1)
    return op_result_type(op, 0);
  return kind == OP_TILE_GPU_LOCAL_STORE ? op_operand_type(op, 0) : (MlirType){0};
}

/* Does each thread load and store what it holds of such a tile, all that no other one holds? What
   dots take in registers the lanes of a warp load for one another (ldmatrix). */
static bool is_of_own_elements(struct session *session, MlirType tile) {
  const struct linear_layout *layout =
      type_is_tensor(tile) ? layout_to_linear(&session->layouts, tile) : NULL;
  if (!layout)
    return false;
  struct layout_point copies = linear_layout_free_masks(layout);
  return layout_operand_index(&session->layouts, tile) < 0 && !copies.at[LAYOUT_LANE] &&
         !copies.at[LAYOUT_WARP];
}

/* Each thread loads what it has stored: so all accesses are of tiles held alike, and no two threads
   hold an element. */
static MlirLogicalResult verify_private(struct session *session, MlirOperation op) {
  MlirType tile = {0};
  if (mlirOperationGetNumOperands(op))
    return fail_op(
        op, "tile_gpu.private: the buffer starts empty; store into it with tile_gpu.local_store");
  MlirOpOperand use = mlirValueGetFirstUse(op_result(op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirType used = private_tile(session, use);
    if (mlirTypeIsNull(used))
      return fail_op(op, "tile_gpu.private: only tile_gpu.local_load, without a token, and "
                         "tile_gpu.local_store take the buffer");
    if (!mlirTypeIsNull(tile) && !mlirTypeEqual(tile, used))
      return fail_types(
          op, "tile_gpu.private: each thread loads what it has stored; its tiles have one type",
          tile, used);
    tile = used;
  }
  if (!mlirTypeIsNull(tile) && !is_of_own_elements(session, tile))
    return fail_op(op, "tile_gpu.private: the tiles have a layout in which no two threads hold an "
                       "element, and are no operands of dots");
  return SUCCESS;
}

MlirLogicalResult verify_alloc(struct session *session, MlirOperation op) {
  struct shared_buffer buffer;
  struct linear_layout layout;
  TRY_IR(read_buffer(session, op, op_result_type(op, 0), &buffer));
  TRY_IR(raise_status(op, shared_to_linear(&session->layouts, buffer.info->attribute, buffer.shape,
                                           buffer.rank, buffer.bytes * 8, &layout)));
  if (attribute_has(op, ATTR_PRIVATE))
    TRY_IR(verify_private(session, op));
  if (mlirOperationGetNumOperands(op))
    return verify_stage_of(session, op, op_operand_type(op, 0), op_result_type(op, 0));
  return SUCCESS;
}

/* Operand and result as buffers of one element type. */
static MlirLogicalResult read_view(struct session *session, MlirOperation op,
                                   struct shared_buffer *source, struct shared_buffer *result) {
  TRY_IR(read_buffer(session, op, op_operand_type(op, 0), source));
  TRY_IR(read_buffer(session, op, op_result_type(op, 0), result));
  if (!mlirTypeEqual(source->element, result->element))
    return fail_types(op, "element types differ; a view keeps it", op_operand_type(op, 0),
                      op_result_type(op, 0));
  return SUCCESS;
}

MlirLogicalResult verify_index(struct session *session, MlirOperation op) {
  struct shared_buffer source, result;
  TRY_IR(read_view(session, op, &source, &result));
  if (!source.leading)
    return fail_op(op, "the buffer has no stages: its layout is for all of its dimensions");
  bool fits = result.rank == source.rank - 1 &&
              mlirAttributeEqual(source.info->attribute, result.info->attribute);
  for (int i = 0; fits && i < result.rank; i++)
    fits = result.shape[i] == source.shape[i + 1];
  if (!fits)
    return fail_types(op, "the result is the buffer without its first dimension; got",
                      op_operand_type(op, 0), op_result_type(op, 0));
  return SUCCESS;
}

/* An array<i32: ...> attribute of `count` values. */
static MlirLogicalResult read_words(MlirOperation op, const char *name, int count, int32_t *out) {
  MlirAttribute array = mlirOperationGetAttributeByName(op, ref(name));
  if (mlirAttributeIsNull(array) || !mlirAttributeIsADenseI32Array(array) ||
      mlirDenseArrayGetNumElements(array) != count)
    return fail_op(op, "%s is an array<i32: ...> with one number for each of the %d dimensions",
                   name, count);
  for (int i = 0; i < count; i++)
    out[i] = mlirDenseI32ArrayGetElement(array, i);
  return SUCCESS;
}

MlirLogicalResult verify_subslice(struct session *session, MlirOperation op) {
  struct shared_buffer source;
  MlirType type = op_result_type(op, 0);
  int32_t offsets[MAX_RANK + 1];
  TRY_IR(read_buffer(session, op, op_operand_type(op, 0), &source));
  if (source.leading)
    return fail_op(op, "the buffer has stages; take one with tile_gpu.index");
  if (!mlirTypeIsAMemRef(type) || mlirShapedTypeGetRank(type) != source.rank ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(type), source.element) ||
      !mlirAttributeEqual(mlirMemRefTypeGetMemorySpace(type), source.info->attribute))
    return fail_types(op, "rank, element type and memory space differ; a box keeps them",
                      op_operand_type(op, 0), type);
  TRY_IR(read_words(op, "offsets", source.rank, offsets));
  for (int i = 0; i < source.rank; i++) {
    int64_t size = mlirShapedTypeGetDimSize(type, i);
    if (size < 1 || (size & (size - 1)) || offsets[i] < 0 || offsets[i] % size ||
        offsets[i] + size > source.shape[i])
      return fail_op(op,
                     "dimension %d: a box of %lld at %d; the size is a power of two, the offset a "
                     "multiple of it, and both stay below %lld",
                     i, (long long)size, (int)offsets[i], (long long)source.shape[i]);
  }
  return SUCCESS;
}

MlirLogicalResult verify_transpose(struct session *session, MlirOperation op) {
  struct shared_buffer source, result;
  int32_t order[MAX_RANK + 1], seen = 0;
  TRY_IR(read_view(session, op, &source, &result));
  if (source.leading)
    return fail_op(op, "the buffer has stages; take one with tile_gpu.index");
  TRY_IR(read_words(op, "order", source.rank, order));
  for (int i = 0; i < source.rank; i++)
    seen |= order[i] < 0 || order[i] >= source.rank ? 0 : 1 << order[i];
  if (seen != (1 << source.rank) - 1)
    return fail_op(op, "order names each of the %d dimensions once", source.rank);
  bool fits = result.rank == source.rank && !result.leading &&
              mlirAttributeEqual(shared_transposed(&session->layouts, source.info, order),
                                 result.info->attribute);
  for (int i = 0; fits && i < source.rank; i++)
    fits = result.shape[i] == source.shape[order[i]];
  if (!fits)
    return fail_types(op,
                      "shape and memory space of the result are the operand's with the dimensions "
                      "renamed; got",
                      op_operand_type(op, 0), op_result_type(op, 0));
  return SUCCESS;
}

static MlirLogicalResult verify_tokens(struct session *session, MlirOperation op, intptr_t first) {
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); i++)
    if (!type_is_token(&session->types, op_operand_type(op, i)))
      return fail_op(op, "operand %d is no !tile_gpu.token", (int)i);
  return SUCCESS;
}

MlirLogicalResult verify_token_result(struct session *session, MlirOperation op) {
  if (!type_is_token(&session->types, op_result_type(op, 0)))
    return fail_op(op, "the result is a !tile_gpu.token");
  return SUCCESS;
}

MlirLogicalResult verify_local_load(struct session *session, MlirOperation op) {
  TRY_IR(verify_tokens(session, op, 1));
  return verify_stage_of(session, op, op_result_type(op, 0), op_operand_type(op, 0));
}

MlirLogicalResult verify_local_store(struct session *session, MlirOperation op) {
  return verify_stage_of(session, op, op_operand_type(op, 0), op_operand_type(op, 1));
}

/* Both are whole stages: a part of one has no layout of its own. */
MlirLogicalResult verify_local_transpose(struct session *session, MlirOperation op) {
  struct shared_buffer buffers[2];
  for (int i = 0; i < 2; i++) {
    TRY_IR(read_buffer(session, op, op_operand_type(op, i), &buffers[i]));
    if (buffers[i].leading)
      return fail_op(op, "the buffer has stages; take one with tile_gpu.index");
  }
  bool same = buffers[0].rank == 2 && buffers[1].rank == 2 &&
              mlirTypeEqual(buffers[0].element, buffers[1].element) && buffers[0].bytes == 1;
  for (int i = 0; i < 2 && same; i++)
    same = buffers[0].shape[i] == buffers[1].shape[i];
  if (!same)
    return fail_types(op, "both buffers are of one 2-D shape and of one element type of a byte",
                      op_operand_type(op, 0), op_operand_type(op, 1));
  struct linear_layout layouts[2];
  for (int i = 0; i < 2; i++) {
    struct linear_layout layout;
    tile_status status = shared_to_linear(&session->layouts, buffers[i].info->attribute,
                                          buffers[i].shape, 2, CHAR_BIT, &layout);
    if (!status)
      status = linear_layout_invert(&layout, &layouts[i]);
    TRY_IR(raise_status(op, status));
  }
  struct byte_transpose plan;
  if (!byte_transpose_plan(&layouts[0], &layouts[1], op_has_attribute(op, "interleaved"), 0, &plan))
    return fail_types(op,
                      "16 elements follow one another along one dimension of the first buffer and "
                      "along the other of the second, of 512 elements at least; got",
                      op_operand_type(op, 0), op_operand_type(op, 1));
  return SUCCESS;
}

bool value_is_zero(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (op_is(session, op, OP_TILE_SPLAT) || op_is(session, op, OP_TILE_BROADCAST) ||
      op_is(session, op, OP_TILE_GPU_CONVERT_LAYOUT))
    return value_is_zero(session, op_operand(op, 0));
  MlirAttribute number = uniform_number(session, value);
  if (mlirAttributeIsNull(number))
    return false;
  return mlirAttributeIsAInteger(number) ? mlirIntegerAttrGetValueInt(number) == 0
                                         : mlirFloatAttrGetValueDouble(number) == 0;
}

MlirLogicalResult verify_async_copy(struct session *session, MlirOperation op) {
  struct tile_async_copy copy;
  if (!tile_async_copy_read(op, &copy))
    return fail_op(op,
                   "operandSegmentSizes is array<i32: 1, 1, m, o>, m and o 0 or 1, and says which "
                   "operands are there");
  MlirType pointers = mlirValueGetType(copy.pointers);
  TRY_IR(verify_token_result(session, op));
  TRY_IR(verify_pointer(session, op, pointers));
  TRY_IR(verify_stage_of(session, op, pointers, mlirValueGetType(copy.buffer)));
  TRY_IR(verify_mask(op, pointers, copy.mask));
  if (mlirValueIsNull(copy.other))
    return SUCCESS;
  TRY_IR(verify_value(session, op, pointers, mlirValueGetType(copy.other)));
  if (!value_is_zero(session, copy.other))
    return fail_op(op, "other is a constant zero: what is masked off is filled with zeros; select "
                       "another value after the load");
  return SUCCESS;
}

MlirLogicalResult verify_prefetch(struct session *session, MlirOperation op) {
  TRY_IR(verify_pointer(session, op, op_operand_type(op, 0)));
  return verify_mask(op, op_operand_type(op, 0), op_operand(op, 1));
}

MlirLogicalResult verify_async_commit(struct session *session, MlirOperation op) {
  TRY_IR(verify_tokens(session, op, 0));
  return verify_token_result(session, op);
}
