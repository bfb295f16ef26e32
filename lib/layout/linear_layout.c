/* SPDX-License-Identifier: MIT */
/* Spaces and linear layouts as values: construction, product, fitting to a shape, application.
   The mathematics is explained in the header. */
#include "layout/linear_layout.h"

#include <assert.h>
#include <string.h>
#include "base/machine.h"
#include "base/numbers.h"
#include "base/status.h"

/* The dimensions in the order of the flat index: i = 0 is the least significant one. */
static enum layout_dim minor_first(int i) {
  return (enum layout_dim)(i < LAYOUT_DIM0 ? i : LAYOUT_DIM_LAST + LAYOUT_DIM0 - i);
}

static uint32_t low_bits(int count) {
  return (uint32_t)((UINT64_C(1) << count) - 1);
}

const char *layout_dim_name(enum layout_dim dim) {
  static const char *const names[] = {"register", "lane",  "warp",  "block", "offset", "dim0",
                                      "dim1",     "dim2",  "dim3",  "dim4",  "dim5",   "dim6",
                                      "dim7",     "dim8",  "dim9",  "dim10", "dim11",  "dim12",
                                      "dim13",    "dim14", "dim15", "dim16"};
  _Static_assert(sizeof names / sizeof *names == LAYOUT_DIM_COUNT, "every dimension has a name");
  return names[dim];
}

/* --- Spaces ----------------------------------------------------------------------------------- */

tile_status layout_space_from_shape(const int64_t *shape, int rank, struct layout_space *out) {
  struct layout_space space = {0};
  int total = 0;
  if (rank < 0 || rank > LAYOUT_DIM_COUNT - LAYOUT_DIM0)
    return FAIL(TILE_UNSUPPORTED, "a tensor of rank %d; at most %d dimensions are supported", rank,
                LAYOUT_DIM_COUNT - LAYOUT_DIM0);
  for (int i = 0; i < rank; i++) {
    if (shape[i] <= 0 || (shape[i] & (shape[i] - 1)) != 0)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "dimension %d has size %lld, which is not a power of two; round it up and mask "
                  "the elements beyond the end",
                  i, (long long)shape[i]);
    int bits = log2_of(shape[i]);
    total += bits;
    if (total > LAYOUT_MAX_BITS)
      return FAIL(TILE_UNSUPPORTED, "a tensor of more than 2^%d elements; use smaller blocks",
                  LAYOUT_MAX_BITS);
    space.bits[LAYOUT_DIM0 + i] = (uint8_t)bits;
    space.dims |= LAYOUT_SET(LAYOUT_DIM0 + i);
  }
  *out = space;
  return NULL;
}

int layout_space_total_bits(const struct layout_space *space) {
  int total = 0;
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
    total += space->bits[dim];
  return total;
}

int layout_space_rank(const struct layout_space *space) {
  return __builtin_popcount(space->dims & LAYOUT_TENSOR_DIMS);
}

int layout_space_shift(const struct layout_space *space, enum layout_dim dim) {
  int shift = 0;
  for (int i = 0; minor_first(i) != dim; i++)
    shift += space->bits[minor_first(i)];
  return shift;
}

bool layout_space_equal(const struct layout_space *a, const struct layout_space *b) {
  return a->dims == b->dims && memcmp(a->bits, b->bits, sizeof a->bits) == 0;
}

uint32_t layout_space_pack(const struct layout_space *space, const struct layout_point *point) {
  uint64_t flat = 0;
  int shift = 0;
  for (int i = 0; i < LAYOUT_DIM_COUNT; i++) {
    enum layout_dim dim = minor_first(i);
    if (!space->bits[dim])
      continue;
    assert((point->at[dim] & ~low_bits(space->bits[dim])) == 0);
    flat |= (uint64_t)point->at[dim] << shift;
    shift += space->bits[dim];
  }
  return (uint32_t)flat;
}

struct layout_point layout_space_unpack(const struct layout_space *space, uint32_t flat) {
  struct layout_point point = {0};
  uint64_t rest = flat;
  for (int i = 0; i < LAYOUT_DIM_COUNT; i++) {
    int bits = space->bits[minor_first(i)];
    point.at[minor_first(i)] = (uint32_t)rest & low_bits(bits);
    rest >>= bits;
  }
  return point;
}

uint32_t layout_space_coordinate(const struct layout_space *space, uint32_t flat,
                                 enum layout_dim dim) {
  return (uint32_t)((uint64_t)flat >> layout_space_shift(space, dim)) & low_bits(space->bits[dim]);
}

/* --- Construction ----------------------------------------------------------------------------- */

static void declare(struct layout_space *space, enum layout_dim dim, int bits) {
  assert(bits >= 0 && layout_space_total_bits(space) + bits <= LAYOUT_MAX_BITS);
  space->dims |= LAYOUT_SET(dim);
  space->bits[dim] += (uint8_t)bits;
}

struct linear_layout linear_layout_identity(enum layout_dim in_dim, enum layout_dim out_dim,
                                            int bits) {
  struct linear_layout layout = {0};
  declare(&layout.in, in_dim, bits);
  declare(&layout.out, out_dim, bits);
  for (int i = 0; i < bits; i++)
    layout.bases[i] = UINT32_C(1) << i;
  return layout;
}

struct linear_layout linear_layout_zeros(enum layout_dim in_dim, enum layout_dim out_dim,
                                         int bits) {
  struct linear_layout layout = {0};
  declare(&layout.in, in_dim, bits);
  declare(&layout.out, out_dim, 0);
  return layout;
}

struct linear_layout linear_layout_identity_on(const struct layout_space *space) {
  struct linear_layout layout = {.in = *space, .out = *space};
  int total = layout_space_total_bits(space);
  for (int i = 0; i < total; i++)
    layout.bases[i] = UINT32_C(1) << i;
  return layout;
}

struct linear_layout linear_layout_into(const struct layout_space *out) {
  return (struct linear_layout){.out = *out};
}

void linear_layout_declare_in(struct linear_layout *layout, enum layout_dim dim) {
  declare(&layout->in, dim, 0);
}

void linear_layout_append(struct linear_layout *layout, enum layout_dim in_dim, uint32_t image) {
  int total = layout_space_total_bits(&layout->in);
  int place = layout_space_shift(&layout->in, in_dim) + layout->in.bits[in_dim];
  assert((image & ~low_bits(layout_space_total_bits(&layout->out))) == 0);
  declare(&layout->in, in_dim, 1);
  memmove(&layout->bases[place + 1], &layout->bases[place],
          sizeof layout->bases[0] * (size_t)(total - place));
  layout->bases[place] = image;
}

static struct layout_space space_product(const struct layout_space *a,
                                         const struct layout_space *b) {
  struct layout_space product = *a;
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
    if (b->dims & LAYOUT_SET(dim))
      declare(&product, dim, b->bits[dim]);
  return product;
}

struct linear_layout linear_layout_product(const struct linear_layout *a,
                                           const struct linear_layout *b) {
  struct linear_layout product = {.in = space_product(&a->in, &b->in),
                                  .out = space_product(&a->out, &b->out)};
  const uint32_t *from_a = a->bases, *from_b = b->bases;
  uint32_t *to = product.bases;
  for (int i = 0; i < LAYOUT_DIM_COUNT; i++) {
    enum layout_dim dim = minor_first(i);
    for (int bit = 0; bit < a->in.bits[dim]; bit++) {
      struct layout_point image = layout_space_unpack(&a->out, *from_a++);
      *to++ = layout_space_pack(&product.out, &image);
    }
    for (int bit = 0; bit < b->in.bits[dim]; bit++) {
      struct layout_point image = layout_space_unpack(&b->out, *from_b++);
      for (int out = 0; out < LAYOUT_DIM_COUNT; out++)
        if (b->out.bits[out])
          image.at[out] <<= a->out.bits[out];
      *to++ = layout_space_pack(&product.out, &image);
    }
  }
  return product;
}

/* `layout` with its outputs cut down to the bits of `shape`. */
static struct linear_layout crop(const struct linear_layout *layout,
                                 const struct layout_space *shape) {
  struct linear_layout result = {.in = layout->in, .out = *shape};
  int total = layout_space_total_bits(&layout->in);
  for (int i = 0; i < total; i++) {
    struct layout_point image = layout_space_unpack(&layout->out, layout->bases[i]);
    for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
      image.at[dim] &= low_bits(shape->bits[dim]);
    result.bases[i] = layout_space_pack(shape, &image);
  }
  return result;
}

struct linear_layout linear_layout_fit(const struct linear_layout *tile,
                                       const struct layout_space *shape, const int32_t *order) {
  assert(tile->out.dims == shape->dims && (shape->dims & ~LAYOUT_TENSOR_DIMS) == 0);
  struct layout_space covered = tile->out;
  for (int dim = LAYOUT_DIM0; dim < LAYOUT_DIM_COUNT; dim++)
    if (covered.bits[dim] > shape->bits[dim])
      covered.bits[dim] = shape->bits[dim];
  struct linear_layout result = crop(tile, &covered);
  int rank = layout_space_rank(shape);
  for (int i = 0; i < rank; i++) {
    enum layout_dim dim = LAYOUT_DIM0 + order[i];
    struct linear_layout repeat =
        linear_layout_identity(LAYOUT_REGISTER, dim, shape->bits[dim] - covered.bits[dim]);
    result = linear_layout_product(&result, &repeat);
  }
  return result;
}

/* --- Reading ---------------------------------------------------------------------------------- */

bool linear_layout_equal(const struct linear_layout *a, const struct linear_layout *b) {
  return layout_space_equal(&a->in, &b->in) && layout_space_equal(&a->out, &b->out) &&
         memcmp(a->bases, b->bases, sizeof a->bases) == 0;
}

int64_t linear_layout_in_size(const struct linear_layout *layout, enum layout_dim dim) {
  return INT64_C(1) << layout->in.bits[dim];
}

int64_t linear_layout_out_size(const struct linear_layout *layout, enum layout_dim dim) {
  return INT64_C(1) << layout->out.bits[dim];
}

uint32_t linear_layout_basis(const struct linear_layout *layout, enum layout_dim in_dim, int bit) {
  assert(bit >= 0 && bit < layout->in.bits[in_dim]);
  return layout->bases[layout_space_shift(&layout->in, in_dim) + bit];
}

uint32_t linear_layout_apply_flat(const struct linear_layout *layout, uint32_t flat) {
  uint32_t image = 0;
  for (; flat; flat &= flat - 1)
    image ^= layout->bases[__builtin_ctz(flat)];
  return image;
}

struct layout_point linear_layout_apply(const struct linear_layout *layout,
                                        const struct layout_point *in) {
  uint32_t flat = layout_space_pack(&layout->in, in);
  return layout_space_unpack(&layout->out, linear_layout_apply_flat(layout, flat));
}

struct linear_layout linear_layout_places(const struct linear_layout *layout,
                                          const struct layout_space *space, int forgotten) {
  struct layout_space offsets = {
      .bits = {[LAYOUT_OFFSET] = (uint8_t)layout_space_total_bits(space)},
      .dims = LAYOUT_SET(LAYOUT_OFFSET)};
  struct linear_layout places = {.in = layout->in, .out = offsets};
  for (int bit = 0; bit < layout_space_total_bits(&layout->in); bit++) {
    struct layout_point point = layout_space_unpack(&layout->out, layout->bases[bit]);
    point.at[LAYOUT_DIM0 + forgotten] = 0;
    places.bases[bit] = layout_space_pack(space, &point);
  }
  return places;
}

uint32_t linear_layout_thread_copies(const struct linear_layout *layout, int warps) {
  uint32_t threads = (uint32_t)warps * MACHINE_LANES - 1;
  if (!layout)
    return threads;
  struct layout_point free_bits = linear_layout_free_masks(layout);
  return (free_bits.at[LAYOUT_LANE] | free_bits.at[LAYOUT_WARP] << 5) & threads;
}
