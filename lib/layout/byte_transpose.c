/* SPDX-License-Identifier: MIT */
/* See byte_transpose.h. */
#include "layout/byte_transpose.h"

enum { RUN_BITS = 4, LANE_BITS = 5 };

/* A bit of a coordinate, as an offset in each buffer. */
struct both {
  uint32_t from, to;
};

struct tile {
  const struct linear_layout *from, *to;
  int along; /* the dimension along which elements follow one another in `from` (n); k the other */
};

static struct both bit_of(const struct tile *tile, int dim, int bit) {
  return (struct both){
      .from = linear_layout_basis(tile->from, (enum layout_dim)(LAYOUT_DIM0 + dim), bit),
      .to = linear_layout_basis(tile->to, (enum layout_dim)(LAYOUT_DIM0 + dim), bit)};
}

static struct both both_of(struct both a, struct both b) {
  return (struct both){a.from ^ b.from, a.to ^ b.to};
}

static int bits_of(const struct tile *tile, int dim) {
  return tile->from->in.bits[LAYOUT_DIM0 + dim];
}

/* Do the first 16 elements along `dim` follow one another? */
static bool runs_along(const struct linear_layout *offsets, int dim) {
  enum layout_dim input = (enum layout_dim)(LAYOUT_DIM0 + dim);
  if (offsets->in.bits[input] < RUN_BITS)
    return false;
  for (int bit = 0; bit < RUN_BITS; bit++)
    if (linear_layout_basis(offsets, input, bit) != UINT32_C(1) << bit)
      return false;
  return true;
}

static struct linear_layout addresses_in(const struct linear_layout *offsets) {
  struct linear_layout layout = linear_layout_into(&offsets->out);
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_WARP; dim++)
    linear_layout_declare_in(&layout, (enum layout_dim)dim);
  return layout;
}

static void append(struct byte_transpose *plan, enum layout_dim input, struct both bit) {
  linear_layout_append(&plan->reads, input, bit.from);
  linear_layout_append(&plan->writes, input, bit.to);
}

/* The rows of four matrices each: bits of a row's number, then of the matrix's. */
static void add_lanes(struct byte_transpose *plan, const struct tile *tile, bool interleaved,
                      struct both half) {
  static const int rows[2][RUN_BITS] = {{0, 2, 3, 1}, {0, 1, 2, 3}};
  int n = tile->along, k = 1 - n;
  for (int bit = 0; bit < RUN_BITS; bit++)
    linear_layout_append(&plan->reads, LAYOUT_LANE, bit_of(tile, k, rows[interleaved][bit]).from);
  linear_layout_append(&plan->reads, LAYOUT_LANE, half.from);
  struct both parity = bit_of(tile, n, 0);
  const struct both columns[LANE_BITS] = {bit_of(tile, n, 1), bit_of(tile, n, 2),
                                          both_of(bit_of(tile, n, 3), parity), parity, half};
  for (int bit = 0; bit < LANE_BITS; bit++)
    linear_layout_append(&plan->writes, LAYOUT_LANE, columns[bit].to);
}

bool byte_transpose_plan(const struct linear_layout *from, const struct linear_layout *to,
                         bool interleaved, int warp_bits, struct byte_transpose *out) {
  struct tile tile = {.from = from, .to = to, .along = runs_along(from, 1)};
  int n = tile.along, k = 1 - n, n_bits = bits_of(&tile, n), k_bits = bits_of(&tile, k);
  if (!runs_along(from, n) || !runs_along(to, k) || n_bits + k_bits < 2 * RUN_BITS + 1)
    return false;
  *out = (struct byte_transpose){.reads = addresses_in(from), .writes = addresses_in(to)};
  bool wide = n_bits > RUN_BITS;
  add_lanes(out, &tile, interleaved, bit_of(&tile, wide ? n : k, RUN_BITS));
  struct both rest[LAYOUT_MAX_BITS];
  int count = 0;
  for (int bit = wide ? RUN_BITS : RUN_BITS + 1; bit < k_bits; bit++)
    rest[count++] = bit_of(&tile, k, bit);
  for (int bit = RUN_BITS + 1; bit < n_bits; bit++)
    rest[count++] = bit_of(&tile, n, bit);
  for (int bit = 0; bit < warp_bits; bit++) {
    if (count == 0)
      out->idle |= UINT32_C(1) << bit;
    append(out, LAYOUT_WARP, count ? rest[--count] : (struct both){0});
  }
  for (int bit = 0; bit < count; bit++)
    append(out, LAYOUT_REGISTER, rest[bit]);
  return true;
}
