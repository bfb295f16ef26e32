/* SPDX-License-Identifier: MIT */
/* Gaussian elimination over F2, and what it answers: rank, kernel, inverses, conversions.

   A column is one 64-bit word: the image in the low half, and in the high half the set of input
   bits whose images add up to it. Columns enter from the least significant input bit on, so the
   inputs that turn out dependent ("free") are the most significant ones possible, and every
   solution found is the one with the smallest flat index: it uses no free bit, and any other
   solution differs by a kernel vector, whose highest bit is free. */
#include "layout/linear_layout.h"

#include <assert.h>
#include "base/status.h"

struct elimination {
  uint64_t row[LAYOUT_MAX_BITS]; /* [highest bit of its image]; 0 where there is none */
  uint32_t kernel[LAYOUT_MAX_BITS];
  int rank, kernel_count;
};

static int highest_bit(uint32_t word) {
  return 31 - __builtin_clz(word);
}

/* Adds rows to `word` until its image is zero or no row matches. */
static uint64_t reduce(const struct elimination *e, uint64_t word) {
  while ((uint32_t)word) {
    uint64_t row = e->row[highest_bit((uint32_t)word)];
    if (!row)
      break;
    word ^= row;
  }
  return word;
}

/* Eliminates the columns of the `count` least significant inputs. */
static struct elimination eliminate(const struct linear_layout *layout, int count) {
  struct elimination e = {0};
  for (int i = 0; i < count; i++) {
    uint64_t word = reduce(&e, (UINT64_C(1) << (32 + i)) | layout->bases[i]);
    if ((uint32_t)word) {
      e.row[highest_bit((uint32_t)word)] = word;
      e.rank++;
    } else {
      e.kernel[e.kernel_count++] = (uint32_t)(word >> 32);
    }
  }
  return e;
}

static struct elimination eliminate_all(const struct linear_layout *layout) {
  return eliminate(layout, layout_space_total_bits(&layout->in));
}

/* The smallest x with L(x) = image, for the L that was eliminated; false if there is none. */
static bool solve(const struct elimination *e, uint32_t image, uint32_t *x) {
  uint64_t word = reduce(e, image);
  *x = (uint32_t)(word >> 32);
  return (uint32_t)word == 0;
}

int linear_layout_rank(const struct linear_layout *layout) {
  return eliminate_all(layout).rank;
}

bool linear_layout_is_surjective(const struct linear_layout *layout) {
  return linear_layout_rank(layout) == layout_space_total_bits(&layout->out);
}

bool linear_layout_is_injective(const struct linear_layout *layout) {
  return linear_layout_rank(layout) == layout_space_total_bits(&layout->in);
}

int linear_layout_kernel(const struct linear_layout *layout, uint32_t out[LAYOUT_MAX_BITS]) {
  struct elimination e = eliminate_all(layout);
  for (int i = 0; i < e.kernel_count; i++)
    out[i] = e.kernel[i];
  return e.kernel_count;
}

bool linear_layout_find(const struct linear_layout *layout, uint32_t element, uint32_t *out) {
  struct elimination e = eliminate_all(layout);
  return solve(&e, element, out);
}

struct layout_point linear_layout_free_masks(const struct linear_layout *layout) {
  struct elimination e = eliminate_all(layout);
  uint32_t free_bits = 0;
  for (int i = 0; i < e.kernel_count; i++)
    free_bits |= UINT32_C(1) << highest_bit(e.kernel[i]);
  return layout_space_unpack(&layout->in, free_bits);
}

struct linear_layout linear_layout_compose(const struct linear_layout *a,
                                           const struct linear_layout *b) {
  struct linear_layout result = {.in = a->in, .out = b->out};
  bool same = layout_space_equal(&a->out, &b->in);
  int total = layout_space_total_bits(&a->in);
  assert((a->out.dims & ~b->in.dims) == 0);
  for (int i = 0; i < total; i++) {
    uint32_t middle = a->bases[i];
    if (!same) {
      struct layout_point point = layout_space_unpack(&a->out, middle);
      middle = layout_space_pack(&b->in, &point);
    }
    result.bases[i] = linear_layout_apply_flat(b, middle);
  }
  return result;
}

tile_status linear_layout_pseudo_invert(const struct linear_layout *layout,
                                        struct linear_layout *out) {
  struct elimination e = eliminate_all(layout);
  struct linear_layout result = {.in = layout->out, .out = layout->in};
  int total = layout_space_total_bits(&layout->out);
  if (e.rank != total)
    return FAIL(TILE_INVALID_ARGUMENT,
                "the layout has no inverse: it reaches 2^%d of 2^%d elements; a layout of a tensor "
                "must hold every element",
                e.rank, total);
  for (int i = 0; i < total; i++)
    solve(&e, UINT32_C(1) << i, &result.bases[i]);
  *out = result;
  return NULL;
}

tile_status linear_layout_invert(const struct linear_layout *layout, struct linear_layout *out) {
  int free_bits = layout_space_total_bits(&layout->in) - linear_layout_rank(layout);
  if (free_bits)
    return FAIL(TILE_INVALID_ARGUMENT,
                "the layout has no inverse: it holds 2^%d copies of each element; use the "
                "pseudo-inverse, which picks one",
                free_bits);
  return linear_layout_pseudo_invert(layout, out);
}

/* The error for an element that the source of a conversion lacks. */
static tile_status not_held(const struct layout_space *space, uint32_t element) {
  struct layout_point point = layout_space_unpack(space, element);
  struct text place = {0};
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
    if (space->dims & LAYOUT_SET(dim))
      text_printf(&place, "%s%s = %u", place.length ? ", " : "", layout_dim_name(dim),
                  point.at[dim]);
  tile_status status = FAIL(TILE_INVALID_ARGUMENT,
                            "the source layout does not hold the element (%s) that the target "
                            "layout wants; a layout of a tensor must hold every element",
                            text_string(&place));
  text_free(&place);
  return status;
}

static tile_status check_same_outputs(const struct linear_layout *a,
                                      const struct linear_layout *b) {
  if (layout_space_equal(&a->out, &b->out))
    return NULL;
  return FAIL(TILE_INVALID_ARGUMENT,
              "the two layouts are of different tensors (2^%d elements in %d dimensions, 2^%d in "
              "%d); only layouts of one shape convert into each other",
              layout_space_total_bits(&a->out), layout_space_rank(&a->out),
              layout_space_total_bits(&b->out), layout_space_rank(&b->out));
}

tile_status linear_layout_invert_and_compose(const struct linear_layout *a,
                                             const struct linear_layout *b,
                                             struct linear_layout *out) {
  TRY(check_same_outputs(a, b));
  struct elimination e = eliminate_all(b);
  struct linear_layout result = {.in = a->in, .out = b->in};
  int total = layout_space_total_bits(&a->in);
  for (int i = 0; i < total; i++)
    if (!solve(&e, a->bases[i], &result.bases[i]))
      return not_held(&a->out, a->bases[i]);
  *out = result;
  return NULL;
}

/* Improves the columns of `dim` in X: the same bit of the source, corrected by less significant
   dimensions only, wherever that reaches the element wanted. Each column of X is free to be any
   solution of its own equation, because X only has to be right on the basis. */
static void keep_in_place(const struct linear_layout *target, const struct linear_layout *source,
                          enum layout_dim dim, struct linear_layout *x) {
  int to = layout_space_shift(&target->in, dim), from = layout_space_shift(&source->in, dim);
  struct elimination below = eliminate(source, from);
  for (int bit = 0; bit < target->in.bits[dim] && bit < source->in.bits[dim]; bit++) {
    uint32_t correction;
    if (solve(&below, target->bases[to + bit] ^ source->bases[from + bit], &correction))
      x->bases[to + bit] = UINT32_C(1) << (from + bit) | correction;
  }
}

tile_status linear_layout_conversion(const struct linear_layout *target,
                                     const struct linear_layout *source,
                                     struct linear_layout *out) {
  struct linear_layout result;
  TRY(linear_layout_invert_and_compose(target, source, &result));
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_BLOCK; dim++)
    keep_in_place(target, source, dim, &result);
  *out = result;
  return NULL;
}
