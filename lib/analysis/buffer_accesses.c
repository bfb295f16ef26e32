/* SPDX-License-Identifier: MIT */
/* See buffer_accesses.h.

   An operand of a dot is loaded by ldmatrix where its layout allows: lane l then names row l %
   8 of matrix l / 8, and 8 rows of 16 bytes are read at a time (lowering/nvvm/ldmatrix.c). That is
   an access of 16 bytes in a layout whose lanes are rows; which bits of the operand's layout those
   are depends on whether rows run along its words or across. */
#include "analysis/buffer_accesses.h"

#include "ir/shared_attribute.h"
#include "ir/tile_ops.h"

enum { ROW_BYTES = 16, WORD_BYTES = 4, WORD_LANES = 2, ROW_LANES = 3, MATRICES = 2, LANE_BITS = 5 };

bool buffer_offsets(struct session *session, MlirType memref, struct linear_layout *out) {
  struct shared_buffer buffer;
  struct linear_layout layout, to_offset;
  tile_status status = shared_buffer_read(&session->layouts, memref, &buffer);
  if (!status)
    status = shared_to_linear(&session->layouts, buffer.info->attribute, buffer.shape, buffer.rank,
                              buffer.bytes * 8, &layout);
  if (!status)
    status = linear_layout_invert(&layout, &to_offset);
  bool good = !status;
  tile_status_free(status);
  if (!good)
    return false;
  *out = to_offset;
  out->in = (struct layout_space){
      .bits = {[LAYOUT_DIM0] = (uint8_t)layout_space_total_bits(&to_offset.in)},
      .dims = LAYOUT_SET(LAYOUT_DIM0)};
  return true;
}

struct bit {
  enum layout_dim input;
  int number;
};

static void append(struct linear_layout *rows, enum layout_dim input,
                   const struct linear_layout *from, struct bit bit) {
  bool there = bit.number < from->in.bits[bit.input];
  linear_layout_append(rows, input, there ? linear_layout_basis(from, bit.input, bit.number) : 0);
}

/* The operand's layout with the rows of matrices as lanes; `words`: register bits inside a word. */
static struct linear_layout rows_of(const struct linear_layout *from, int words, bool transposed) {
  struct linear_layout rows = linear_layout_into(&from->out);
  int next = transposed ? 1 : words; /* register bits that tell matrices apart */
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_WARP; dim++)
    linear_layout_declare_in(&rows, dim);
  for (int bit = 0; bit < words && !transposed; bit++)
    append(&rows, LAYOUT_REGISTER, from, (struct bit){LAYOUT_REGISTER, bit});
  for (int bit = 0; bit < (transposed ? ROW_LANES : WORD_LANES); bit++)
    append(&rows, LAYOUT_REGISTER, from,
           (struct bit){LAYOUT_LANE, transposed ? WORD_LANES + bit : bit});
  if (transposed)
    append(&rows, LAYOUT_LANE, from, (struct bit){LAYOUT_REGISTER, 0});
  for (int bit = transposed ? 0 : WORD_LANES; bit < (transposed ? WORD_LANES : LANE_BITS); bit++)
    append(&rows, LAYOUT_LANE, from, (struct bit){LAYOUT_LANE, bit});
  for (int bit = 0; bit < MATRICES; bit++)
    append(&rows, LAYOUT_LANE, from, (struct bit){LAYOUT_REGISTER, next++});
  for (; next < from->in.bits[LAYOUT_REGISTER]; next++)
    append(&rows, LAYOUT_REGISTER, from, (struct bit){LAYOUT_REGISTER, next});
  for (int bit = 0; bit < from->in.bits[LAYOUT_WARP]; bit++)
    append(&rows, LAYOUT_WARP, from, (struct bit){LAYOUT_WARP, bit});
  return rows;
}

bool buffer_access(struct session *session, MlirType tensor, MlirType memref, bool stores,
                   struct conversion_side *out, bool *out_matrices) {
  struct linear_layout to_offset;
  if (!buffer_offsets(session, memref, &to_offset))
    return false;
  const struct linear_layout *layout = layout_to_linear(&session->layouts, tensor);
  int bytes = (int)type_bytes(&session->types, mlirShapedTypeGetElementType(memref));
  int words = bytes >= WORD_BYTES ? 0 : __builtin_ctz((unsigned)(WORD_BYTES / bytes));
  int ways = bytes > WORD_BYTES || stores || layout_operand_index(&session->layouts, tensor) < 0 ? 0
             : bytes == 2                                                                        ? 2
                          : 1;
  *out = conversion_at_offsets(layout, &to_offset, 0, stores, bytes);
  *out_matrices = false;
  for (int transposed = 0; transposed < ways && !*out_matrices; transposed++) {
    struct linear_layout rows = rows_of(layout, words, transposed);
    struct conversion_side by_rows = conversion_at_offsets(&rows, &to_offset, 0, false, bytes);
    *out_matrices = by_rows.vector * bytes == ROW_BYTES;
    if (*out_matrices)
      *out = by_rows;
  }
  return true;
}

/* `memref` is a whole stage: parts of one have no layout of their own. */
static void print_access(struct session *session, MlirType tensor, MlirValue memref,
                         const char *what, bool stores, struct text *out) {
  MlirOperation op = value_definition(memref);
  enum op_kind kind = mlirOperationIsNull(op) ? OP_OTHER : kind_of(session, op);
  MlirType type = mlirValueGetType(memref);
  struct conversion_side side;
  bool matrices;
  if ((kind != OP_TILE_GPU_ALLOC && kind != OP_TILE_GPU_INDEX) ||
      !buffer_access(session, tensor, type, stores, &side, &matrices))
    return;
  struct text text = {0};
  conversion_describe_side(&side, matrices ? "loads of matrices, rows" : what,
                           (int)type_bytes(&session->types, mlirShapedTypeGetElementType(type)),
                           &text);
  text_printf(out, "%s", text_string(&text) + sizeof "; " - 1);
  text_free(&text);
}

void print_buffer_access(struct session *session, MlirOperation op, struct text *out) {
  struct tile_async_copy copy;
  enum op_kind kind = kind_of(session, op);
  if (kind == OP_TILE_GPU_ASYNC_COPY) {
    tile_async_copy_read(op, &copy);
    print_access(session, mlirValueGetType(copy.pointers), copy.buffer, "copies", true, out);
  } else if (kind == OP_TILE_GPU_LOCAL_LOAD) {
    print_access(session, op_result_type(op, 0), op_operand(op, 0), "loads", false, out);
  } else if (kind == OP_TILE_GPU_LOCAL_STORE) {
    print_access(session, op_operand_type(op, 0), op_operand(op, 1), "stores", true, out);
  } else if (kind == OP_TILE_GPU_ALLOC && mlirOperationGetNumOperands(op)) {
    print_access(session, op_operand_type(op, 0), op_result(op, 0), "stores", true, out);
  }
}
