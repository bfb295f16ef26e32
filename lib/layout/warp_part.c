/* SPDX-License-Identifier: MIT */
/* See warp_part.h. */
#include "layout/warp_part.h"

#include "layout/span.h"

/* The first registers and lanes of warp 0 that hold something new: number -> element. */
static struct linear_layout numbering(const struct linear_layout *from) {
  struct linear_layout numbers = linear_layout_into(&from->out);
  struct span known = {0};
  linear_layout_declare_in(&numbers, LAYOUT_DIM0);
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_LANE; dim++)
    for (int bit = 0; bit < from->in.bits[dim]; bit++) {
      uint32_t image = linear_layout_basis(from, dim, bit);
      if (span_add(&known, image))
        linear_layout_append(&numbers, LAYOUT_DIM0, image);
    }
  return numbers;
}

/* X says from which register and lane of the source each place of the target reads. */
static struct linear_layout read_numbers(const struct linear_layout *x,
                                         const struct linear_layout *own_from) {
  struct linear_layout own_to = linear_layout_into(&own_from->out);
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_WARP; dim++) {
    linear_layout_declare_in(&own_to, dim);
    for (int bit = 0; bit < x->in.bits[dim]; bit++) {
      struct layout_point at = {0}, place;
      at.at[dim] = UINT32_C(1) << bit;
      place = linear_layout_apply(x, &at);
      place.at[LAYOUT_WARP] = 0;
      linear_layout_append(&own_to, dim, linear_layout_apply(own_from, &place).at[LAYOUT_DIM0]);
    }
  }
  return own_to;
}

bool warp_part(const struct linear_layout *from, const struct linear_layout *to,
               struct linear_layout *own_from, struct linear_layout *own_to) {
  struct linear_layout x, numbers = numbering(from);
  struct linear_layout one = linear_layout_sublayout(
      from, LAYOUT_SET(LAYOUT_REGISTER) | LAYOUT_SET(LAYOUT_LANE), LAYOUT_ALL_DIMS);
  tile_status status = linear_layout_conversion(to, from, &x);
  if (!status && !linear_layout_is_identity_over(&x, LAYOUT_WARP))
    return false;
  if (!status)
    status = linear_layout_invert_and_compose(&one, &numbers, own_from);
  tile_status_free(status);
  if (status)
    return false;
  linear_layout_declare_in(own_from, LAYOUT_WARP);
  *own_to = read_numbers(&x, own_from);
  return true;
}

void warp_part_widen(struct layout_conversion *plan, int warp_bits) {
  struct linear_layout *write = &plan->write.address, *read = &plan->read.address;
  int own = layout_space_total_bits(&write->out);
  write->out.bits[LAYOUT_OFFSET] += (uint8_t)warp_bits;
  read->out.bits[LAYOUT_OFFSET] += (uint8_t)warp_bits;
  int first = read->in.bits[LAYOUT_REGISTER] + read->in.bits[LAYOUT_LANE];
  for (int bit = 0; bit < warp_bits; bit++) {
    linear_layout_append(write, LAYOUT_WARP, UINT32_C(1) << (own + bit));
    read->bases[first + bit] |= UINT32_C(1) << (own + bit);
  }
  plan->bytes <<= warp_bits;
  plan->within_warp = true;
}
