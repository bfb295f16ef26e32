/* SPDX-License-Identifier: MIT */
/* See warp_boxes.h. */
#include "layout/warp_boxes.h"

#include "base/numbers.h"

/* Bits of the flat element number that say where in a box it is. */
static uint32_t inside_mask(const struct linear_layout *tensor, int64_t rows, int64_t columns) {
  struct layout_point last = {
      .at = {[LAYOUT_DIM0] = (uint32_t)rows - 1, [LAYOUT_DIM1] = (uint32_t)columns - 1}};
  return layout_space_pack(&tensor->out, &last);
}

static bool is_in(uint32_t image, uint32_t mask) {
  return (image & ~mask) == 0;
}

/* One bit of a coordinate, that of no place in a box. */
static bool names_box(uint32_t image, uint32_t mask) {
  return (image & mask) == 0 && (image & (image - 1)) == 0;
}

/* Is each element held once? */
static bool is_bijective(const struct linear_layout *tensor) {
  int bits = layout_space_total_bits(&tensor->in);
  return bits == layout_space_total_bits(&tensor->out) && linear_layout_rank(tensor) == bits;
}

bool warp_boxes_of(const struct linear_layout *tensor, int64_t rows, int64_t columns,
                   struct warp_boxes *out) {
  *out = (struct warp_boxes){.rows = rows, .columns = columns};
  if (layout_space_rank(&tensor->out) != 2 || rows > linear_layout_out_size(tensor, LAYOUT_DIM0) ||
      columns > linear_layout_out_size(tensor, LAYOUT_DIM1) || !is_bijective(tensor))
    return false;
  uint32_t mask = inside_mask(tensor, rows, columns);
  for (int bit = 0; bit < tensor->in.bits[LAYOUT_LANE]; bit++)
    if (!is_in(linear_layout_basis(tensor, LAYOUT_LANE, bit), mask))
      return false;
  for (int bit = 0; bit < tensor->in.bits[LAYOUT_WARP]; bit++)
    if (!names_box(linear_layout_basis(tensor, LAYOUT_WARP, bit), mask))
      return false;
  for (int bit = 0; bit < tensor->in.bits[LAYOUT_REGISTER]; bit++) {
    uint32_t image = linear_layout_basis(tensor, LAYOUT_REGISTER, bit);
    if (is_in(image, mask))
      out->inside[out->inside_bits++] = bit;
    else if (names_box(image, mask))
      out->outside[out->outside_bits++] = bit;
    else
      return false;
  }
  out->count = 1 << out->outside_bits;
  return true;
}

bool warp_boxes_choose(const struct linear_layout *tensor, int64_t bytes, int64_t limit,
                       struct warp_boxes *out) {
  enum { LONG_ROW = 128, SHORT_ROW = 64, MAX_ROWS = 64, MIN_ROWS = 8 };
  for (int at_once = 2; at_once >= 1; at_once--)
    for (int64_t row = LONG_ROW; row >= SHORT_ROW; row /= 2)
      for (int64_t rows = MAX_ROWS; rows >= MIN_ROWS; rows /= 2)
        if (warp_boxes_of(tensor, rows, row / bytes, out) &&
            rows * row * smaller(at_once, out->count) <= limit)
          return true;
  return false;
}

uint32_t warp_boxes_register(const struct warp_boxes *boxes, int box, int inside) {
  uint32_t found = 0;
  for (int i = 0; i < boxes->inside_bits; i++)
    found |= (uint32_t)(inside >> i & 1) << boxes->inside[i];
  for (int i = 0; i < boxes->outside_bits; i++)
    found |= (uint32_t)(box >> i & 1) << boxes->outside[i];
  return found;
}

struct linear_layout warp_boxes_inner(const struct linear_layout *tensor,
                                      const struct warp_boxes *boxes) {
  struct layout_space space = {.dims = LAYOUT_SET(LAYOUT_DIM0) | LAYOUT_SET(LAYOUT_DIM1)};
  space.bits[LAYOUT_DIM0] = (uint8_t)log2_of(boxes->rows);
  space.bits[LAYOUT_DIM1] = (uint8_t)log2_of(boxes->columns);
  struct linear_layout inner = linear_layout_into(&space);
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_WARP; dim++)
    linear_layout_declare_in(&inner, (enum layout_dim)dim);
  for (int i = 0; i < boxes->inside_bits; i++) {
    struct layout_point at = layout_space_unpack(
        &tensor->out, linear_layout_basis(tensor, LAYOUT_REGISTER, boxes->inside[i]));
    linear_layout_append(&inner, LAYOUT_REGISTER, layout_space_pack(&space, &at));
  }
  for (int bit = 0; bit < tensor->in.bits[LAYOUT_LANE]; bit++) {
    struct layout_point at =
        layout_space_unpack(&tensor->out, linear_layout_basis(tensor, LAYOUT_LANE, bit));
    linear_layout_append(&inner, LAYOUT_LANE, layout_space_pack(&space, &at));
  }
  return inner;
}

struct linear_layout warp_boxes_exchanged(const struct linear_layout *inner, int lane_bit,
                                          int register_bit) {
  struct linear_layout exchanged = *inner;
  exchanged.bases[inner->in.bits[LAYOUT_REGISTER] + lane_bit] ^=
      linear_layout_basis(inner, LAYOUT_REGISTER, register_bit);
  return exchanged;
}
