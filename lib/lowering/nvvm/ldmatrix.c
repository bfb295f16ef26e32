/* SPDX-License-Identifier: MIT */
/* Operands of dots from shared memory by ldmatrix.

   The instruction brings matrices of 8 rows of 16 bytes. Lane l names where row l % 8 of matrix l /
   8 begins, and gets of each matrix 4 bytes: those at row t / 4, word t % 4 (t: the lane). So it
   takes a layout in which, counted in bytes,

     register bits inside a word    ->  1, 2                 (none for 4-byte elements)
     lane bits 0, 1                 ->  4, 8
     lane bits 2, 3, 4              ->  anything in steps of 16 bytes: the rows
     other register bits            ->  the same: which matrix

   and with `transpose`, for 2-byte elements, rows and columns changed over: register bit 0 and lane
   bits 0, 1 are the rows, lane bits 2, 3, 4 -> 2, 4, 8. Two of the other register bits are handled
   by one instruction; an XOR of the buffer's swizzle may be in all of them, since everything is
   linear. */
#include "layout/conversion.h"
#include "lowering/nvvm/nvvm.h"

enum { ROW_BYTES = 16, ROW_BITS = 3, MATRIX_BITS = 2 };

struct matrices {
  const struct conversion_side *side;
  struct lowered *result;
  unsigned bytes;
  bool transpose;
  int word_bits;             /* of registers: elements of a word */
  int bits[LAYOUT_MAX_BITS]; /* the other register bits; the first `matrix_bits` number an
                                instruction's matrices */
  int count, matrix_bits;
};

static uint32_t register_step(const struct matrices *m, int bit) {
  return linear_layout_basis(&m->side->address, LAYOUT_REGISTER, bit) * m->bytes;
}

static uint32_t lane_step(const struct matrices *m, int bit) {
  return linear_layout_basis(&m->side->address, LAYOUT_LANE, bit) * m->bytes;
}

static bool is_row(uint32_t step) {
  return step % ROW_BYTES == 0;
}

static bool fits_plain(const struct matrices *m) {
  for (int bit = 0; bit < m->word_bits; bit++)
    if (register_step(m, bit) != m->bytes << bit)
      return false;
  return lane_step(m, 0) == 4 && lane_step(m, 1) == 8 && is_row(lane_step(m, 2)) &&
         is_row(lane_step(m, 3)) && is_row(lane_step(m, 4));
}

static bool fits_transposed(const struct matrices *m) {
  return m->bytes == 2 && is_row(register_step(m, 0)) && is_row(lane_step(m, 0)) &&
         is_row(lane_step(m, 1)) && lane_step(m, 2) == 2 && lane_step(m, 3) == 4 &&
         lane_step(m, 4) == 8;
}

static bool plan_matrices(struct matrices *m) {
  const struct linear_layout *address = &m->side->address;
  m->word_bits = m->bytes == 1 ? 2 : m->bytes == 2 ? 1 : 0;
  if (m->bytes > 4 || address->in.bits[LAYOUT_REGISTER] < m->word_bits ||
      m->side->origin * m->bytes % ROW_BYTES)
    return false;
  m->transpose = !fits_plain(m);
  if (m->transpose && !fits_transposed(m))
    return false;
  for (int bit = m->word_bits; bit < address->in.bits[LAYOUT_REGISTER]; bit++) {
    if (!is_row(register_step(m, bit)))
      return false;
    m->bits[m->count++] = bit;
  }
  for (int bit = 0; bit < address->in.bits[LAYOUT_WARP]; bit++)
    if (!is_row(linear_layout_basis(address, LAYOUT_WARP, bit) * m->bytes))
      return false;
  m->matrix_bits = m->count < MATRIX_BITS ? m->count : MATRIX_BITS;
  return true;
}

/* Where each lane's row begins: registers are what is left of them. */
static struct conversion_side rows_of(const struct matrices *m) {
  const struct linear_layout *from = &m->side->address;
  struct conversion_side rows = {.origin = m->side->origin, .vector = 1};
  rows.address = linear_layout_into(&from->out);
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_WARP; dim++)
    linear_layout_declare_in(&rows.address, dim);
  for (int i = m->matrix_bits; i < m->count; i++)
    linear_layout_append(&rows.address, LAYOUT_REGISTER,
                         linear_layout_basis(from, LAYOUT_REGISTER, m->bits[i]));
  for (int i = 0; i < ROW_BITS; i++) {
    bool is_register = m->transpose && i == 0;
    uint32_t row = is_register    ? linear_layout_basis(from, LAYOUT_REGISTER, 0)
                   : m->transpose ? linear_layout_basis(from, LAYOUT_LANE, i - 1)
                                  : linear_layout_basis(from, LAYOUT_LANE, 2 + i);
    linear_layout_append(&rows.address, LAYOUT_LANE, row);
  }
  for (int i = 0; i < MATRIX_BITS; i++)
    linear_layout_append(&rows.address, LAYOUT_LANE,
                         i < m->matrix_bits ? linear_layout_basis(from, LAYOUT_REGISTER, m->bits[i])
                                            : 0);
  for (int bit = 0; bit < from->in.bits[LAYOUT_WARP]; bit++)
    linear_layout_append(&rows.address, LAYOUT_WARP, linear_layout_basis(from, LAYOUT_WARP, bit));
  return rows;
}

/* The elements of a word into the registers from `first` on. */
static void unpack(struct lowering *lw, struct matrices *m, MlirValue word, int first) {
  int64_t count = INT64_C(1) << m->word_bits;
  struct lowered *result = m->result;
  if (count == 1) {
    result->base[first] = register_from_bits(lw, result, word);
    return;
  }
  MlirValue vector =
      BUILD(&lw->b, "llvm.bitcast", IN(word), OUT(mlirVectorTypeGet(1, &count, result->type)));
  split_vector(lw, vector, result->base + first, (int)count);
}

/* One instruction; `rest` is the number in the registers of rows_of. */
static void load_matrices(struct lowering *lw, MlirValue address, int rest, void *data) {
  struct matrices *m = data;
  MlirContext context = lw->session->context;
  int count = 1 << m->matrix_bits, first = 0;
  MlirType out[1 << MATRIX_BITS];
  for (int i = 0; i < count; i++)
    out[i] = integer_type(&lw->b, 32);
  MlirNamedAttribute attributes[] = {
      attribute_named(context, "count", attribute_integer(context, 32, count)),
      attribute_named(context, "transpose", mlirBoolAttrGet(context, m->transpose))};
  MlirOperation load = BUILD_OP(&lw->b, "tile_ptx.ldmatrix", INS(&address, 1), OUTS(out, count),
                                ATTRIBUTE_LIST(attributes, 2));
  for (int i = m->matrix_bits; i < m->count; i++)
    first |= (rest >> (i - m->matrix_bits) & 1) << m->bits[i];
  for (int i = 0; i < count; i++) {
    int at = first;
    for (int bit = 0; bit < m->matrix_bits; bit++)
      at |= (i >> bit & 1) << m->bits[bit];
    unpack(lw, m, op_result(load, i), at);
  }
}

bool nvvm_matrix_loads(struct lowering *lw, const struct conversion_side *side, MlirValue start,
                       unsigned bytes, struct lowered *result) {
  struct matrices m = {.side = side, .result = result, .bytes = bytes};
  if (!plan_matrices(&m))
    return false;
  struct conversion_side rows = rows_of(&m);
  build_buffer_copies(lw, &rows, start, bytes, load_matrices, &m);
  return true;
}
