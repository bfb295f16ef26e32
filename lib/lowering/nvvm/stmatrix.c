/* SPDX-License-Identifier: MIT */
/* Conversions whose writing side stores whole rows of 8x8 matrices by stmatrix
   (layout/conversion.h).

   Lane l names where row l % 8 of matrix l / 8 begins, and gives of each matrix one word: that of
   row l / 4, columns 2 * (l % 4) and the next. The plan's writing side says where rows lie;
   registers of it are a row's 8 elements, and above them, which of several instructions. */
#include "layout/conversion.h"
#include "lowering/nvvm/dot.h"

enum { MAX_MATRICES = 4, ROW_ELEMENTS = 8 };

struct matrix_stores {
  const struct conversion_matrices *how;
  const struct lowered *source;
};

/* The source's register of an instruction, a matrix, and a half of a word. */
static int source_register(const struct conversion_matrices *how, int instruction, int matrix,
                           int half) {
  int found = half << how->source_bits[0];
  for (int bit = 0; bit < how->matrix_bits; bit++)
    found |= (matrix >> bit & 1) << how->source_bits[1 + bit];
  for (int bit = 0; instruction >> bit; bit++)
    found |= (instruction >> bit & 1) << how->source_bits[1 + how->matrix_bits + bit];
  return found;
}

static void store_matrices(struct lowering *lw, MlirValue address, int row, void *data) {
  const struct matrix_stores *stores = data;
  int count = 1 << stores->how->matrix_bits;
  MlirValue in[1 + MAX_MATRICES] = {address};
  for (int i = 0; i < count; i++) {
    MlirValue word[2];
    for (int half = 0; half < 2; half++)
      word[half] = register_bits(lw, stores->source,
                                 source_register(stores->how, row / ROW_ELEMENTS, i, half));
    in[1 + i] = pack_word(lw, word, 2);
  }
  MlirNamedAttribute attribute = attribute_named(lw->session->context, "transpose",
                                                 mlirBoolAttrGet(lw->session->context, false));
  BUILD_OP(&lw->b, "tile_ptx.stmatrix", INS(in, 1 + count), ATTRIBUTE_LIST(&attribute, 1));
}

void nvvm_matrix_stores(struct lowering *lw, const struct layout_conversion *plan, MlirValue start,
                        const struct lowered *source) {
  struct matrix_stores stores = {&plan->matrices, source};
  build_buffer_copies(lw, &plan->write, start, 2, store_matrices, &stores);
}
