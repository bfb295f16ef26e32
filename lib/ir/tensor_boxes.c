/* SPDX-License-Identifier: MIT */
/* See tensor_boxes.h. */
#include "ir/tensor_boxes.h"

#include "base/status.h"
#include "ir/shared_attribute.h"

/* Elements in a row of a box. Errors: an order of elements that bulk copies do not make. */
static tile_status read_row(const struct shared_buffer *buffer, int64_t *row) {
  const struct shared_info *info = buffer->info;
  *row = buffer->shape[buffer->rank - 1];
  if (info->kind == SHARED_KIND_NVMMA) {
    if (info->nvmma.transposed)
      return FAIL(TILE_INVALID_ARGUMENT, "a bulk copy writes rows along the last dimension; the "
                                         "layout is transposed");
    *row = (info->nvmma.swizzle ? info->nvmma.swizzle : TENSOR_ROW_BYTES) / buffer->bytes;
    return NULL;
  }
  bool rows = true;
  for (int i = 0; i < buffer->rank; i++)
    rows &= info->swizzled.order[i] == buffer->rank - 1 - i;
  if (!rows || (info->swizzled.max_phase > 1 && buffer->rank > 1))
    return FAIL(TILE_INVALID_ARGUMENT, "a bulk copy writes rows one after the other, or permuted "
                                       "as #tile_gpu.nvmma says; the layout has another order");
  return NULL;
}

static tile_status check_sizes(const struct shared_buffer *buffer, const struct tensor_boxes *out) {
  int64_t row = (int64_t)out->box[out->rank - 1] * buffer->bytes;
  if (row % TENSOR_ROW_BYTES)
    return FAIL(TILE_INVALID_ARGUMENT, "a row of %lld bytes; bulk copies take a multiple of %d",
                (long long)row, TENSOR_ROW_BYTES);
  if (out->bytes % TENSOR_PLACE_BYTES || out->bytes > TENSOR_MAX_BYTES)
    return FAIL(TILE_INVALID_ARGUMENT,
                "a block of %lld bytes; a bulk copy's is a multiple of %d "
                "and at most %d",
                (long long)out->bytes, TENSOR_PLACE_BYTES, TENSOR_MAX_BYTES);
  return NULL;
}

/* Whole dimensions from the last one on, up to one that is cut: what is beyond would not be in one
   piece. Panels lie one after the other, so a row that is cut does not count there. */
static void cut(const struct shared_buffer *buffer, int64_t row, struct tensor_boxes *out) {
  bool whole = true;
  for (int i = out->rank - 1; i >= 0; i--) {
    bool last = i == out->rank - 1;
    int64_t size = last ? row : buffer->shape[i];
    int64_t most = size < TENSOR_MAX_BOX ? size : TENSOR_MAX_BOX;
    out->box[i] = whole ? (int32_t)most : 1;
    out->counts[i] = (int32_t)(buffer->shape[i] / out->box[i]);
    whole &= out->box[i] == size;
  }
}

tile_status tensor_boxes_of(struct session *session, MlirType type, struct tensor_boxes *out) {
  struct shared_buffer buffer;
  struct linear_layout layout;
  int64_t row;
  TRY(shared_buffer_read(&session->layouts, type, &buffer));
  if (buffer.leading)
    return FAIL(TILE_INVALID_ARGUMENT, "the buffer has stages; take one with tile_gpu.index");
  if (buffer.rank > TENSOR_MAX_RANK || type_is_integer(buffer.element, 1))
    return FAIL(TILE_INVALID_ARGUMENT,
                "bulk copies take blocks of 1 to %d dimensions, of elements "
                "of at least a byte",
                TENSOR_MAX_RANK);
  TRY(shared_to_linear(&session->layouts, buffer.info->attribute, buffer.shape, buffer.rank,
                       buffer.bytes * 8, &layout));
  TRY(read_row(&buffer, &row));
  *out = (struct tensor_boxes){
      .rank = buffer.rank,
      .bytes = buffer.elements * buffer.bytes,
      .swizzle = buffer.info->kind == SHARED_KIND_NVMMA ? buffer.info->nvmma.swizzle : 0};
  cut(&buffer, row, out);
  return check_sizes(&buffer, out);
}

/* The outermost dimension along which a box is longer than one element. */
static int box_dimension(const struct tensor_boxes *boxes) {
  int dim = 0;
  while (dim < boxes->rank - 1 && boxes->box[dim] == 1)
    dim++;
  return dim;
}

/* Boxes begin where the pattern of the swizzle does, which repeats after eight rows. */
static int64_t box_alignment(const struct tensor_boxes *boxes) {
  enum { PATTERN_ROWS = 8 };
  return boxes->swizzle ? PATTERN_ROWS * boxes->swizzle : TENSOR_PLACE_BYTES;
}

int tensor_boxes_part(struct tensor_boxes *boxes, int32_t parts) {
  int64_t count = parts;
  for (int i = 0; i < boxes->rank; i++) {
    if (boxes->counts[i] % parts == 0)
      return i;
    count *= boxes->counts[i];
  }
  int dim = box_dimension(boxes);
  bool whole_rows = dim < boxes->rank - 1;
  if (boxes->box[dim] % parts || boxes->bytes % (count * box_alignment(boxes)) ||
      (!whole_rows && boxes->swizzle))
    return -1;
  boxes->box[dim] /= parts;
  boxes->counts[dim] *= parts;
  return dim;
}
