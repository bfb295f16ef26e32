/* SPDX-License-Identifier: MIT */
/* Linear layouts taken apart and relabelled: sublayout, reshape, transpose, rename, division, and
   the questions about bases that need no elimination. */
#include "layout/linear_layout.h"

#include <assert.h>

static struct layout_space subspace(const struct layout_space *space, uint32_t dims) {
  struct layout_space result = {.dims = space->dims & dims};
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
    if (result.dims & LAYOUT_SET(dim))
      result.bits[dim] = space->bits[dim];
  return result;
}

/* A flat index of `from` as one of `to`, which may lack dimensions but has all bits of the rest. */
static uint32_t repack(const struct layout_space *from, const struct layout_space *to,
                       uint32_t flat) {
  struct layout_point point = layout_space_unpack(from, flat);
  return layout_space_pack(to, &point);
}

/* Appends the bits of in_dim of `from`, with their images in the output space of `layout`. */
static void copy_inputs(struct linear_layout *layout, const struct linear_layout *from,
                        enum layout_dim in_dim) {
  for (int bit = 0; bit < from->in.bits[in_dim]; bit++)
    linear_layout_append(layout, in_dim,
                         repack(&from->out, &layout->out, linear_layout_basis(from, in_dim, bit)));
}

struct linear_layout linear_layout_sublayout(const struct linear_layout *layout, uint32_t in_dims,
                                             uint32_t out_dims) {
  struct layout_space out = subspace(&layout->out, out_dims);
  struct linear_layout result = linear_layout_into(&out);
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++) {
    if (!(layout->in.dims & in_dims & LAYOUT_SET(dim)))
      continue;
    linear_layout_declare_in(&result, dim);
    copy_inputs(&result, layout, dim);
  }
  return result;
}

struct linear_layout linear_layout_reshape(const struct linear_layout *layout,
                                           const struct layout_space *shape) {
  assert(layout_space_total_bits(shape) == layout_space_total_bits(&layout->out));
  struct linear_layout result = *layout;
  result.out = *shape;
  return result;
}

/* Output dimension `dim` of the result is output dimension source[dim] of `layout`. */
static struct linear_layout relabel_out(const struct linear_layout *layout, uint32_t dims,
                                        const uint8_t source[LAYOUT_DIM_COUNT]) {
  struct linear_layout result = {.in = layout->in, .out.dims = dims};
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
    if (dims & LAYOUT_SET(dim))
      result.out.bits[dim] = layout->out.bits[source[dim]];
  int total = layout_space_total_bits(&layout->in);
  for (int i = 0; i < total; i++) {
    struct layout_point old = layout_space_unpack(&layout->out, layout->bases[i]), image = {0};
    for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
      if (dims & LAYOUT_SET(dim))
        image.at[dim] = old.at[source[dim]];
    result.bases[i] = layout_space_pack(&result.out, &image);
  }
  return result;
}

struct linear_layout linear_layout_transpose(const struct linear_layout *layout,
                                             const int32_t *order) {
  uint8_t source[LAYOUT_DIM_COUNT];
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
    source[dim] = (uint8_t)dim;
  int rank = layout_space_rank(&layout->out);
  for (int i = 0; i < rank; i++)
    source[LAYOUT_DIM0 + i] = (uint8_t)(LAYOUT_DIM0 + order[i]);
  return relabel_out(layout, layout->out.dims, source);
}

struct linear_layout linear_layout_rename_out(const struct linear_layout *layout,
                                              enum layout_dim from, enum layout_dim to) {
  assert((layout->out.dims & LAYOUT_SET(from)) && !(layout->out.dims & LAYOUT_SET(to)));
  uint8_t source[LAYOUT_DIM_COUNT];
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
    source[dim] = (uint8_t)dim;
  source[to] = (uint8_t)from;
  uint32_t dims = (layout->out.dims & ~LAYOUT_SET(from)) | LAYOUT_SET(to);
  return relabel_out(layout, dims, source);
}

struct linear_layout linear_layout_remove_zero_registers(const struct linear_layout *layout) {
  uint32_t others = LAYOUT_ALL_DIMS & ~LAYOUT_SET(LAYOUT_REGISTER);
  struct linear_layout result = linear_layout_sublayout(layout, others, LAYOUT_ALL_DIMS);
  if (layout->in.dims & LAYOUT_SET(LAYOUT_REGISTER))
    linear_layout_declare_in(&result, LAYOUT_REGISTER);
  for (int bit = 0; bit < layout->in.bits[LAYOUT_REGISTER]; bit++) {
    uint32_t basis = linear_layout_basis(layout, LAYOUT_REGISTER, bit);
    if (basis)
      linear_layout_append(&result, LAYOUT_REGISTER, basis);
  }
  return result;
}

/* --- Division --------------------------------------------------------------------------------- */

/* The space c with a = b * c, dimension by dimension. */
static bool divide_space(const struct layout_space *a, const struct layout_space *b,
                         struct layout_space *out) {
  *out = *a;
  if (b->dims & ~a->dims)
    return false;
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++) {
    if (b->bits[dim] > a->bits[dim])
      return false;
    out->bits[dim] = (uint8_t)(a->bits[dim] - b->bits[dim]);
  }
  return true;
}

/* Shifts out the low bits of `image` that `inner` has used up; false if one of them is set. */
static bool divide_image(struct layout_point *image, const struct layout_space *inner) {
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++) {
    uint64_t value = image->at[dim], high = value >> inner->bits[dim];
    if (high << inner->bits[dim] != value)
      return false;
    image->at[dim] = (uint32_t)high;
  }
  return true;
}

bool linear_layout_divide(const struct linear_layout *a, const struct linear_layout *b,
                          struct linear_layout *out) {
  struct layout_space in, out_space;
  if (!divide_space(&a->in, &b->in, &in) || !divide_space(&a->out, &b->out, &out_space))
    return false;
  struct linear_layout result = {.out = out_space, .in.dims = in.dims};
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++) {
    for (int bit = 0; bit < a->in.bits[dim]; bit++) {
      uint32_t basis = linear_layout_basis(a, dim, bit);
      struct layout_point image = layout_space_unpack(&a->out, basis);
      if (bit < b->in.bits[dim]) {
        if (repack(&b->out, &a->out, linear_layout_basis(b, dim, bit)) != basis)
          return false;
      } else {
        if (!divide_image(&image, &b->out))
          return false;
        linear_layout_append(&result, dim, layout_space_pack(&out_space, &image));
      }
    }
  }
  *out = result;
  return true;
}

bool linear_layout_quotient(const struct linear_layout *layout, enum layout_dim in_dim,
                            enum layout_dim out_dim, int bits, struct linear_layout *out) {
  struct linear_layout inner = linear_layout_identity(in_dim, out_dim, bits);
  return linear_layout_divide(layout, &inner, out);
}

bool linear_layout_keeps(const struct linear_layout *layout, enum layout_dim dim) {
  if (layout->in.bits[dim] != layout->out.bits[dim])
    return false;
  int first = layout_space_shift(&layout->in, dim), total = layout_space_total_bits(&layout->in);
  for (int i = 0; i < total; i++) {
    bool own = i >= first && i < first + layout->in.bits[dim];
    uint32_t expected = own ? UINT32_C(1) << (i - first) : 0;
    if (layout_space_coordinate(&layout->out, layout->bases[i], dim) != expected)
      return false;
  }
  return true;
}

bool linear_layout_is_identity_over(const struct linear_layout *layout, enum layout_dim dim) {
  struct linear_layout rest;
  return layout->in.bits[dim] == layout->out.bits[dim] &&
         (layout->in.bits[dim] == 0 ||
          linear_layout_quotient(layout, dim, dim, layout->in.bits[dim], &rest));
}

/* --- Registers -------------------------------------------------------------------------------- */

int64_t linear_layout_contiguous_run(const struct linear_layout *layout, enum layout_dim dim) {
  int shift = layout_space_shift(&layout->out, dim), registers = layout->in.bits[LAYOUT_REGISTER];
  int run = 0;
  while (run < registers && run < layout->out.bits[dim] &&
         linear_layout_basis(layout, LAYOUT_REGISTER, run) == UINT32_C(1) << (shift + run))
    run++;
  int total = layout_space_total_bits(&layout->in);
  for (int i = run; i < total; i++) {
    uint32_t moved = layout_space_coordinate(&layout->out, layout->bases[i], dim);
    if (moved && __builtin_ctz(moved) < run)
      run = __builtin_ctz(moved);
  }
  return INT64_C(1) << run;
}

bool linear_layout_registers_are_additive(const struct linear_layout *layout) {
  int registers = layout->in.bits[LAYOUT_REGISTER];
  int total = layout_space_total_bits(&layout->in);
  uint32_t by_register = 0, by_others = 0;
  for (int i = 0; i < total; i++)
    *(i < registers ? &by_register : &by_others) |= layout->bases[i];
  return (by_register & by_others) == 0;
}
