/* SPDX-License-Identifier: MIT */
/* The algebra of linear layouts against brute force: every function is compared with its
   definition, evaluated for all inputs of some thousand random layouts. */
#include "layout/linear_layout.h"

#include "check.h"
#include "layout_random.h"

enum { ROUNDS = 2000 };

static struct layout_point point(const struct layout_space *space, uint32_t flat) {
  return layout_space_unpack(space, flat);
}

static bool points_equal(struct layout_point a, struct layout_point b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

/* The 8x8 tile of the header. */
static struct linear_layout fragment(void) {
  struct linear_layout registers = linear_layout_identity(LAYOUT_REGISTER, LAYOUT_DIM1, 1);
  struct linear_layout columns = linear_layout_identity(LAYOUT_LANE, LAYOUT_DIM1, 2);
  struct linear_layout rows = linear_layout_identity(LAYOUT_LANE, LAYOUT_DIM0, 3);
  struct linear_layout row = linear_layout_product(&registers, &columns);
  return linear_layout_product(&row, &rows);
}

/* --- Spaces and application ------------------------------------------------------------------- */

static void worked_example_of_the_header(void) {
  struct linear_layout layout = fragment();
  struct layout_point at = {.at = {[LAYOUT_LANE] = 6, [LAYOUT_REGISTER] = 1}};
  struct layout_point element = linear_layout_apply(&layout, &at);
  CHECK_EQUAL(element.at[LAYOUT_DIM0], 1);
  CHECK_EQUAL(element.at[LAYOUT_DIM1], 5);
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_LANE, 2), 8);
  CHECK_EQUAL(linear_layout_in_size(&layout, LAYOUT_LANE), 32);
  CHECK_EQUAL(linear_layout_in_size(&layout, LAYOUT_WARP), 1);
  CHECK_EQUAL(linear_layout_out_size(&layout, LAYOUT_DIM0), 8);
}

static void flat_index_of_a_tensor_is_row_major(void) {
  struct layout_space space;
  CHECK(!layout_space_from_shape((int64_t[]){4, 1, 8}, 3, &space));
  CHECK_EQUAL(layout_space_rank(&space), 3);
  for (uint32_t i = 0; i < 4; i++)
    for (uint32_t j = 0; j < 8; j++) {
      struct layout_point at = {.at = {[LAYOUT_DIM0] = i, [LAYOUT_DIM2] = j}};
      CHECK_EQUAL(layout_space_pack(&space, &at), i * 8 + j);
      CHECK_EQUAL(layout_space_coordinate(&space, i * 8 + j, LAYOUT_DIM0), i);
      CHECK(points_equal(layout_space_unpack(&space, i * 8 + j), at));
    }
}

static void flat_index_of_a_thread_has_registers_lowest(void) {
  struct layout_space space = {
      .bits = {[LAYOUT_REGISTER] = 2, [LAYOUT_LANE] = 5, [LAYOUT_WARP] = 1}, .dims = HARDWARE_DIMS};
  struct layout_point at = {.at = {[LAYOUT_REGISTER] = 3, [LAYOUT_LANE] = 17, [LAYOUT_WARP] = 1}};
  CHECK_EQUAL(layout_space_pack(&space, &at), 3 + 17 * 4 + 1 * 128);
}

static void flat_index_may_have_32_bits(void) {
  struct layout_space space = {.bits = {[LAYOUT_DIM0] = 31, [LAYOUT_DIM1] = 1},
                               .dims = LAYOUT_SET(LAYOUT_DIM0) | LAYOUT_SET(LAYOUT_DIM1)};
  struct linear_layout layout = linear_layout_identity_on(&space);
  CHECK_EQUAL(linear_layout_apply_flat(&layout, 0xfffffffeu), 0xfffffffeu);
  CHECK_EQUAL(layout_space_coordinate(&space, 0xfffffffeu, LAYOUT_DIM0), 0x7fffffff);
  CHECK_EQUAL(linear_layout_rank(&layout), 32);
  CHECK(linear_layout_equal(&layout, &layout));
}

static void shapes_that_no_layout_can_have(void) {
  struct layout_space space;
  CHECK(!layout_space_from_shape((int64_t[]){1, 2, 1, 2, 1, 4}, 6, &space));
  CHECK_EQUAL(layout_space_rank(&space), 6);
  CHECK(!layout_space_from_shape((int64_t[]){1 << 16, 1 << 16}, 2, &space));
  CHECK(!layout_space_from_shape(NULL, 0, &space));
  tile_status odd = layout_space_from_shape((int64_t[]){4, 24}, 2, &space);
  CHECK_TEXT(tile_status_message(odd),
             "dimension 1 has size 24, which is not a power of two; round it up and mask the "
             "elements beyond the end");
  tile_status huge = layout_space_from_shape((int64_t[]){1 << 20, 1 << 20}, 2, &space);
  CHECK_EQUAL(tile_status_code(huge), TILE_UNSUPPORTED);
  const int64_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  tile_status deep = layout_space_from_shape(ones, 18, &space);
  CHECK_EQUAL(tile_status_code(deep), TILE_UNSUPPORTED);
  tile_status zero = layout_space_from_shape((int64_t[]){0}, 1, &space);
  CHECK_EQUAL(tile_status_code(zero), TILE_INVALID_ARGUMENT);
  tile_status_free(odd), tile_status_free(huge), tile_status_free(deep), tile_status_free(zero);
}

static void apply_xors_the_bases(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout();
    for (uint32_t x = 0; x < in_count(&layout); x++) {
      struct layout_point in = point(&layout.in, x);
      CHECK_EQUAL(linear_layout_apply_flat(&layout, x), image(&layout, x));
      CHECK(points_equal(linear_layout_apply(&layout, &in), point(&layout.out, image(&layout, x))));
    }
  }
}

static void equality_notices_every_part(void) {
  struct linear_layout layout = fragment(), other = layout;
  CHECK(linear_layout_equal(&layout, &other));
  other.bases[5] ^= 1;
  CHECK(!linear_layout_equal(&layout, &other));
  other = layout, linear_layout_declare_in(&other, LAYOUT_WARP);
  CHECK(!linear_layout_equal(&layout, &other));
  other = layout, other.out.bits[LAYOUT_DIM0]++;
  CHECK(!linear_layout_equal(&layout, &other));
}

/* --- Construction ----------------------------------------------------------------------------- */

static void identity_and_zeros(void) {
  struct linear_layout identity = linear_layout_identity(LAYOUT_LANE, LAYOUT_DIM1, 3);
  struct linear_layout zeros = linear_layout_zeros(LAYOUT_WARP, LAYOUT_DIM1, 2);
  struct linear_layout both = linear_layout_product(&identity, &zeros);
  for (uint32_t x = 0; x < 32; x++)
    CHECK_EQUAL(linear_layout_apply_flat(&both, x), x & 7);
  CHECK_EQUAL(linear_layout_out_size(&both, LAYOUT_DIM1), 8);
  CHECK_EQUAL(both.in.bits[LAYOUT_WARP], 2);
}

static void append_puts_columns_in_the_place_of_their_dimension(void) {
  struct layout_space out;
  CHECK(!layout_space_from_shape((int64_t[]){16}, 1, &out));
  struct linear_layout layout = linear_layout_into(&out);
  linear_layout_append(&layout, LAYOUT_WARP, 8);
  linear_layout_append(&layout, LAYOUT_REGISTER, 1);
  linear_layout_append(&layout, LAYOUT_LANE, 4);
  linear_layout_append(&layout, LAYOUT_REGISTER, 2);
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_REGISTER, 0), 1);
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_REGISTER, 1), 2);
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_LANE, 0), 4);
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_WARP, 0), 8);
}

/* The coordinates inner + outer * 2^bits(inner). */
static struct layout_point combine(const struct layout_space *inner, struct layout_point low,
                                   struct layout_point high) {
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
    low.at[dim] += high.at[dim] << inner->bits[dim];
  return low;
}

static void product_arranges_copies_of_a_tile(void) {
  struct linear_layout unit = {0};
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout a = random_layout_between(HARDWARE_DIMS, 5, SOME_TENSOR_DIMS, 5);
    struct linear_layout b = random_layout_between(HARDWARE_DIMS, 4, SOME_TENSOR_DIMS, 5);
    struct linear_layout product = linear_layout_product(&a, &b);
    for (uint32_t x = 0; x < in_count(&a); x++)
      for (uint32_t y = 0; y < in_count(&b); y++) {
        struct layout_point in = combine(&a.in, point(&a.in, x), point(&b.in, y));
        struct layout_point want =
            combine(&a.out, point(&a.out, image(&a, x)), point(&b.out, image(&b, y)));
        CHECK(points_equal(linear_layout_apply(&product, &in), want));
      }
    struct linear_layout times_unit = linear_layout_product(&a, &unit);
    CHECK(linear_layout_equal(&times_unit, &a));
  }
}

static void fit_repeats_and_crops(void) {
  for (int round = 0; round < ROUNDS; round++) {
    static const int32_t orders[][2] = {{0, 1}, {1, 0}};
    const int32_t *order = orders[random_below(2)];
    struct layout_space tile_shape, shape;
    int64_t tile_size[2], size[2];
    random_sizes(tile_size, 2, 4);
    random_sizes(size, 2, 5);
    CHECK(!layout_space_from_shape(tile_size, 2, &tile_shape));
    CHECK(!layout_space_from_shape(size, 2, &shape));
    struct linear_layout tile = random_layout_on(random_space(HARDWARE_DIMS, 6), tile_shape);
    struct linear_layout fitted = linear_layout_fit(&tile, &shape, order);
    CHECK(layout_space_equal(&fitted.out, &shape));
    for (uint32_t x = 0; x < in_count(&fitted); x++) {
      struct layout_point in = point(&fitted.in, x), inner = in;
      uint32_t registers = 1u << tile.in.bits[LAYOUT_REGISTER];
      uint32_t repeat = in.at[LAYOUT_REGISTER] / registers;
      inner.at[LAYOUT_REGISTER] %= registers;
      struct layout_point have = linear_layout_apply(&fitted, &in);
      struct layout_point want = linear_layout_apply(&tile, &inner);
      for (int i = 0; i < 2; i++) {
        int dim = order[i];
        uint32_t covered = (uint32_t)(size[dim] < tile_size[dim] ? size[dim] : tile_size[dim]);
        uint32_t repeats = (uint32_t)size[dim] / covered;
        CHECK_EQUAL(have.at[LAYOUT_DIM0 + dim],
                    want.at[LAYOUT_DIM0 + dim] % covered + covered * (repeat % repeats));
        repeat /= repeats;
      }
      CHECK_EQUAL(repeat, 0);
    }
  }
}

/* --- Relabelling ------------------------------------------------------------------------------ */

static void sublayout_holds_and_forgets(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout();
    uint32_t in_dims = random_below(8), out_dims = random_below(LAYOUT_ALL_DIMS + 1);
    struct linear_layout part = linear_layout_sublayout(&layout, in_dims, out_dims);
    CHECK_EQUAL(part.in.dims, layout.in.dims & in_dims);
    CHECK_EQUAL(part.out.dims, layout.out.dims & out_dims);
    for (uint32_t x = 0; x < in_count(&part); x++) {
      struct layout_point in = point(&part.in, x), want = linear_layout_apply(&layout, &in);
      for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
        if (!(out_dims & LAYOUT_SET(dim)))
          want.at[dim] = 0;
      CHECK(points_equal(linear_layout_apply(&part, &in), want));
    }
  }
}

static void reshape_keeps_the_row_major_number(void) {
  for (int round = 0; round < ROUNDS; round++) {
    int64_t from[3];
    random_sizes(from, 3, 4);
    int64_t first = from[0] * from[1] * from[2] >> 1 ? 2 : 1;
    int64_t to[] = {first, from[0] * from[1] * from[2] / first};
    struct layout_space source, target;
    CHECK(!layout_space_from_shape(from, 3, &source));
    CHECK(!layout_space_from_shape(to, 2, &target));
    struct linear_layout layout = random_layout_on(random_space(HARDWARE_DIMS, 8), source);
    struct linear_layout reshaped = linear_layout_reshape(&layout, &target);
    for (uint32_t x = 0; x < in_count(&layout); x++) {
      struct layout_point in = point(&layout.in, x);
      struct layout_point a = linear_layout_apply(&layout, &in);
      struct layout_point b = linear_layout_apply(&reshaped, &in);
      CHECK_EQUAL((a.at[LAYOUT_DIM0] * from[1] + a.at[LAYOUT_DIM1]) * from[2] + a.at[LAYOUT_DIM2],
                  b.at[LAYOUT_DIM0] * to[1] + b.at[LAYOUT_DIM1]);
    }
  }
}

static void transpose_permutes_coordinates(void) {
  static const int32_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                      {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int round = 0; round < ROUNDS; round++) {
    const int32_t *order = orders[random_below(6)];
    int64_t shape[3];
    random_sizes(shape, 3, 4);
    struct layout_space space;
    CHECK(!layout_space_from_shape(shape, 3, &space));
    struct linear_layout layout = random_layout_on(random_space(HARDWARE_DIMS, 8), space);
    struct linear_layout permuted = linear_layout_transpose(&layout, order);
    for (int i = 0; i < 3; i++)
      CHECK_EQUAL(linear_layout_out_size(&permuted, LAYOUT_DIM0 + i), shape[order[i]]);
    for (uint32_t x = 0; x < in_count(&layout); x++) {
      struct layout_point in = point(&layout.in, x);
      struct layout_point a = linear_layout_apply(&layout, &in);
      struct layout_point b = linear_layout_apply(&permuted, &in);
      for (int i = 0; i < 3; i++)
        CHECK_EQUAL(b.at[LAYOUT_DIM0 + i], a.at[LAYOUT_DIM0 + order[i]]);
    }
  }
}

static void rename_out_moves_one_coordinate(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout();
    if (!(layout.out.dims & LAYOUT_SET(LAYOUT_DIM1)))
      continue;
    struct linear_layout renamed = linear_layout_rename_out(&layout, LAYOUT_DIM1, LAYOUT_OFFSET);
    for (uint32_t x = 0; x < in_count(&layout); x++) {
      struct layout_point in = point(&layout.in, x);
      struct layout_point a = linear_layout_apply(&layout, &in);
      struct layout_point b = linear_layout_apply(&renamed, &in);
      CHECK_EQUAL(b.at[LAYOUT_OFFSET], a.at[LAYOUT_DIM1]);
      CHECK_EQUAL(b.at[LAYOUT_DIM0], a.at[LAYOUT_DIM0]);
      CHECK_EQUAL(b.at[LAYOUT_DIM1], 0);
    }
  }
}

static void zero_registers_go_and_others_stay(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout();
    struct linear_layout without = linear_layout_remove_zero_registers(&layout);
    CHECK_EQUAL(without.in.dims, layout.in.dims);
    CHECK_EQUAL(without.in.bits[LAYOUT_LANE], layout.in.bits[LAYOUT_LANE]);
    for (int bit = 0; bit < without.in.bits[LAYOUT_REGISTER]; bit++)
      CHECK(linear_layout_basis(&without, LAYOUT_REGISTER, bit) != 0);
    /* Counting up in the remaining bits meets the old registers whose removed bits are 0. */
    for (uint32_t x = 0, y = 0; x < in_count(&layout); x++) {
      bool removed = false;
      for (int bit = 0; bit < layout.in.bits[LAYOUT_REGISTER]; bit++)
        removed |= (x >> bit & 1) && layout.bases[bit] == 0;
      if (!removed)
        CHECK_EQUAL(image(&layout, x), image(&without, y++));
    }
  }
}

/* a = b * c, said about coordinates: the low parts of the outputs are b of the low parts of the
   inputs, the high parts of the outputs depend on the high parts of the inputs alone. */
static bool divides(const struct linear_layout *a, const struct linear_layout *b) {
  if ((b->in.dims & ~a->in.dims) || (b->out.dims & ~a->out.dims))
    return false;
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
    if (b->in.bits[dim] > a->in.bits[dim] || b->out.bits[dim] > a->out.bits[dim])
      return false;
  for (uint32_t x = 0; x < in_count(a); x++) {
    struct layout_point in = point(&a->in, x), low = {0}, high = {0};
    for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++) {
      low.at[dim] = in.at[dim] % (1u << b->in.bits[dim]);
      high.at[dim] = in.at[dim] - low.at[dim];
    }
    struct layout_point out = linear_layout_apply(a, &in), inner = linear_layout_apply(b, &low);
    struct layout_point outer = linear_layout_apply(a, &high);
    for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
      if (out.at[dim] % (1u << b->out.bits[dim]) != inner.at[dim] ||
          out.at[dim] >> b->out.bits[dim] != outer.at[dim] >> b->out.bits[dim])
        return false;
  }
  return true;
}

static void divide_undoes_product(void) {
  int exact = 0;
  for (int round = 0; round < 2 * ROUNDS; round++) {
    struct linear_layout b = random_layout_between(HARDWARE_DIMS, 4, SOME_TENSOR_DIMS, 4);
    struct linear_layout c = random_layout_between(HARDWARE_DIMS, 4, SOME_TENSOR_DIMS, 4);
    struct linear_layout a = linear_layout_product(&b, &c), found = {0};
    if (round % 2) /* spoil one bit: mostly no product any more */
      a.bases[0] ^=
          1u << random_below((uint32_t)layout_space_total_bits(&a.out) + 1) & (out_count(&a) - 1);
    if (round % 2 && layout_space_total_bits(&a.in) == 0)
      continue;
    bool divided = linear_layout_divide(&a, &b, &found);
    CHECK_EQUAL(divided, divides(&a, &b));
    exact += divided;
    if (divided) {
      struct linear_layout again = linear_layout_product(&b, &found);
      CHECK(linear_layout_equal(&again, &a));
    }
  }
  CHECK(exact >= ROUNDS && exact < 2 * ROUNDS);
}

/* Layouts that have nothing to do with each other, or differ in their dimensions. */
static void divide_refuses_what_is_no_factor(void) {
  int divided = 0;
  for (int round = 0; round < 4 * ROUNDS; round++) {
    struct linear_layout a = random_layout_between(HARDWARE_DIMS, 4, SOME_TENSOR_DIMS, 4);
    struct linear_layout b =
        random_layout_between(HARDWARE_DIMS, 1 + round % 3, SOME_TENSOR_DIMS, 1 + round % 3);
    struct linear_layout found = a;
    bool possible = divides(&a, &b);
    CHECK_EQUAL(linear_layout_divide(&a, &b, &found), possible);
    CHECK(possible || linear_layout_equal(&found, &a));
    divided += possible;
  }
  CHECK(divided > ROUNDS / 40 && divided < 4 * ROUNDS);
}

static void quotient_of_the_fragment(void) {
  struct linear_layout layout = fragment(), rest;
  CHECK(linear_layout_quotient(&layout, LAYOUT_REGISTER, LAYOUT_DIM1, 1, &rest));
  CHECK_EQUAL(linear_layout_in_size(&rest, LAYOUT_REGISTER), 1);
  CHECK_EQUAL(linear_layout_out_size(&rest, LAYOUT_DIM1), 4);
  CHECK_EQUAL(linear_layout_basis(&rest, LAYOUT_LANE, 0), 1);
  CHECK(!linear_layout_quotient(&layout, LAYOUT_LANE, LAYOUT_DIM1, 1, &rest));
  CHECK(!linear_layout_quotient(&layout, LAYOUT_REGISTER, LAYOUT_DIM1, 2, &rest));
}

static void keeps_and_identity_over(void) {
  int kept = 0, identities = 0;
  for (int round = 0; round < 4 * ROUNDS; round++) {
    struct layout_space space = random_space(HARDWARE_DIMS, 5);
    struct linear_layout layout = random_layout_on(space, space);
    int first = layout_space_shift(&space, LAYOUT_WARP), warp_bits = space.bits[LAYOUT_WARP];
    for (int i = 0; i < warp_bits; i++)
      if (random_below(8))
        layout.bases[first + i] = 1u << (first + i);
    for (int i = 0; i < first; i++)
      if (random_below(4))
        layout.bases[i] &= (1u << first) - 1;
    bool keeps = true, identity = true;
    for (uint32_t x = 0; x < in_count(&layout); x++) {
      struct layout_point in = point(&space, x), out = linear_layout_apply(&layout, &in);
      keeps &= out.at[LAYOUT_WARP] == in.at[LAYOUT_WARP];
      in.at[LAYOUT_WARP] = 0;
      struct layout_point in_warp_0 = linear_layout_apply(&layout, &in);
      identity &= out.at[LAYOUT_LANE] == in_warp_0.at[LAYOUT_LANE] &&
                  out.at[LAYOUT_REGISTER] == in_warp_0.at[LAYOUT_REGISTER];
    }
    CHECK_EQUAL(linear_layout_keeps(&layout, LAYOUT_WARP), keeps);
    CHECK_EQUAL(linear_layout_is_identity_over(&layout, LAYOUT_WARP), keeps && identity);
    kept += keeps && warp_bits, identities += keeps && identity && warp_bits;
  }
  CHECK(identities > 0 && kept > identities && kept < 4 * ROUNDS);
}

/* --- Linear algebra --------------------------------------------------------------------------- */

/* The smallest flat input with this image, or -1. */
static int64_t smallest_preimage(const struct linear_layout *layout, uint32_t element) {
  for (uint32_t x = 0; x < in_count(layout); x++)
    if (image(layout, x) == element)
      return x;
  return -1;
}

static void rank_counts_the_images(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout();
    uint8_t seen[256] = {0};
    uint32_t distinct = 0;
    for (uint32_t x = 0; x < in_count(&layout); x++)
      distinct += !seen[image(&layout, x)]++;
    CHECK_EQUAL(1u << linear_layout_rank(&layout), distinct);
    CHECK_EQUAL(linear_layout_is_surjective(&layout), distinct == out_count(&layout));
    CHECK_EQUAL(linear_layout_is_injective(&layout), distinct == in_count(&layout));
  }
}

static void kernel_spans_what_maps_to_zero(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout();
    uint32_t kernel[LAYOUT_MAX_BITS], zeros = 0, previous = 0;
    int count = linear_layout_kernel(&layout, kernel);
    for (uint32_t x = 0; x < in_count(&layout); x++)
      zeros += image(&layout, x) == 0;
    CHECK_EQUAL(1u << count, zeros);
    for (uint32_t combination = 0; combination < 1u << count; combination++) {
      uint32_t x = 0;
      for (int i = 0; i < count; i++)
        if (combination >> i & 1)
          x ^= kernel[i];
      CHECK_EQUAL(image(&layout, x), 0);
      CHECK(combination == 0 || x > previous); /* independent, and in increasing order */
      previous = x;
    }
  }
}

static void free_masks_leave_one_holder_each(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout();
    struct layout_point masks = linear_layout_free_masks(&layout);
    for (uint32_t x = 0; x < in_count(&layout); x++) {
      struct layout_point in = point(&layout.in, x);
      bool representative = true;
      for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++)
        representative &= (in.at[dim] & masks.at[dim]) == 0;
      CHECK_EQUAL(representative, smallest_preimage(&layout, image(&layout, x)) == x);
    }
  }
}

static void find_gives_the_first_holder(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout();
    for (uint32_t element = 0; element < out_count(&layout); element++) {
      uint32_t found = 0;
      bool held = linear_layout_find(&layout, element, &found);
      CHECK_EQUAL(held ? found : -1ll, smallest_preimage(&layout, element));
    }
  }
}

static void compose_applies_one_after_the_other(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout a = random_layout();
    struct layout_space middle = a.out;
    if (round % 2) { /* the second layout may have more inputs, and larger ones */
      middle.dims |= LAYOUT_SET(LAYOUT_DIM3);
      middle.bits[LAYOUT_DIM3] = 1;
      middle.bits[LAYOUT_DIM0] += (middle.dims & LAYOUT_SET(LAYOUT_DIM0)) != 0;
    }
    struct linear_layout b = random_layout_on(middle, random_space(LAYOUT_SET(LAYOUT_OFFSET), 8));
    struct linear_layout both = linear_layout_compose(&a, &b);
    CHECK(layout_space_equal(&both.in, &a.in) && layout_space_equal(&both.out, &b.out));
    for (uint32_t x = 0; x < in_count(&a); x++) {
      struct layout_point in = point(&a.in, x), between = linear_layout_apply(&a, &in);
      CHECK(points_equal(linear_layout_apply(&both, &in), linear_layout_apply(&b, &between)));
    }
  }
}

static void invert_exactly_the_bijections(void) {
  int inverted = 0;
  for (int round = 0; round < 4 * ROUNDS; round++) {
    struct layout_space in = random_space(HARDWARE_DIMS, 6);
    struct linear_layout layout = random_layout_on(in, random_space(SOME_TENSOR_DIMS, 6)), inverse;
    bool bijective = in_count(&layout) == out_count(&layout);
    for (uint32_t x = 1; x < in_count(&layout); x++)
      bijective &= image(&layout, x) != 0;
    tile_status status = linear_layout_invert(&layout, &inverse);
    CHECK_EQUAL(!status, bijective);
    if (status) {
      CHECK_EQUAL(tile_status_code(status), TILE_INVALID_ARGUMENT);
      tile_status_free(status);
      continue;
    }
    inverted++;
    CHECK(layout_space_equal(&inverse.in, &layout.out));
    CHECK(layout_space_equal(&inverse.out, &layout.in));
    for (uint32_t x = 0; x < in_count(&layout); x++)
      CHECK_EQUAL(image(&inverse, image(&layout, x)), x);
  }
  CHECK(inverted > ROUNDS / 20);
}

static void pseudo_inverse_picks_the_first_holder(void) {
  int inverted = 0;
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout_between(HARDWARE_DIMS, 8, SOME_TENSOR_DIMS, 4);
    struct linear_layout inverse;
    tile_status status = linear_layout_pseudo_invert(&layout, &inverse);
    bool surjective = true;
    for (uint32_t y = 0; y < out_count(&layout); y++)
      surjective &= smallest_preimage(&layout, y) >= 0;
    CHECK_EQUAL(!status, surjective);
    tile_status_free(status);
    if (!surjective)
      continue;
    inverted++;
    for (uint32_t y = 0; y < out_count(&layout); y++)
      CHECK_EQUAL(image(&inverse, y), smallest_preimage(&layout, y));
  }
  CHECK(inverted > ROUNDS / 20);
}

static void invert_and_compose_solves_for_the_smallest(void) {
  int solved = 0;
  for (int round = 0; round < ROUNDS; round++) {
    struct layout_space out = random_space(SOME_TENSOR_DIMS, 4);
    struct linear_layout a = random_layout_on(random_space(HARDWARE_DIMS, 6), out), x_of;
    struct linear_layout b = random_layout_on(random_space(HARDWARE_DIMS, 7), out);
    tile_status status = linear_layout_invert_and_compose(&a, &b, &x_of);
    bool possible = true;
    for (uint32_t x = 0; x < in_count(&a); x++)
      possible &= smallest_preimage(&b, image(&a, x)) >= 0;
    CHECK_EQUAL(!status, possible);
    tile_status_free(status);
    if (!possible)
      continue;
    solved++;
    CHECK(layout_space_equal(&x_of.in, &a.in) && layout_space_equal(&x_of.out, &b.in));
    for (uint32_t x = 0; x < in_count(&a); x++)
      CHECK_EQUAL(image(&x_of, x), smallest_preimage(&b, image(&a, x)));
  }
  CHECK(solved > ROUNDS / 20 && solved < ROUNDS);
}

static void conversion_names_what_is_wrong(void) {
  struct linear_layout target = fragment(), source = fragment(), out;
  source.bases[5] = 0; /* lane 16, rows 4 to 7 */
  tile_status status = linear_layout_conversion(&target, &source, &out);
  CHECK_TEXT(tile_status_message(status),
             "the source layout does not hold the element (dim0 = 4, dim1 = 0) that the target "
             "layout wants; a layout of a tensor must hold every element");
  tile_status_free(status);
  source = linear_layout_identity(LAYOUT_LANE, LAYOUT_DIM0, 5);
  status = linear_layout_conversion(&target, &source, &out);
  CHECK_TEXT(tile_status_message(status),
             "the two layouts are of different tensors (2^6 elements in 2 dimensions, 2^5 in 1); "
             "only layouts of one shape convert into each other");
  tile_status_free(status);
}

/* Can target position x read a copy that `source` holds in x's own warp, and lane? */
static bool has_copy_near(const struct linear_layout *target, const struct linear_layout *source,
                          uint32_t x, bool same_lane) {
  struct layout_point want = point(&target->in, x);
  for (uint32_t y = 0; y < in_count(source); y++) {
    struct layout_point from = point(&source->in, y);
    if (image(source, y) == image(target, x) && from.at[LAYOUT_WARP] == want.at[LAYOUT_WARP] &&
        (!same_lane || from.at[LAYOUT_LANE] == want.at[LAYOUT_LANE]))
      return true;
  }
  return false;
}

static void conversion_moves_as_little_as_it_can(void) {
  int in_warp = 0, in_thread = 0;
  for (int round = 0; round < 2 * ROUNDS; round++) {
    struct layout_space in = {.bits = {2, 2, 2}, .dims = HARDWARE_DIMS};
    struct layout_space out = random_space(SOME_TENSOR_DIMS, 4);
    struct linear_layout source = random_layout_on(in, out), target = source, x_of;
    for (uint32_t changes = random_below(4); changes; changes--)
      target.bases[random_below(6)] = random_below(out_count(&source));
    tile_status status = linear_layout_conversion(&target, &source, &x_of);
    if (status) {
      tile_status_free(status);
      continue;
    }
    bool keeps_warp = true, keeps_thread = true;
    for (uint32_t x = 0; x < in_count(&target); x++) {
      CHECK_EQUAL(image(&source, image(&x_of, x)), image(&target, x));
      keeps_warp &= has_copy_near(&target, &source, x, false);
      keeps_thread &= has_copy_near(&target, &source, x, true);
    }
    CHECK_EQUAL(linear_layout_keeps(&x_of, LAYOUT_WARP), keeps_warp);
    CHECK_EQUAL(linear_layout_keeps(&x_of, LAYOUT_WARP) && linear_layout_keeps(&x_of, LAYOUT_LANE),
                keeps_thread);
    in_warp += keeps_warp, in_thread += keeps_thread;
  }
  CHECK(in_thread > ROUNDS / 20 && in_warp > in_thread && in_warp < 2 * ROUNDS);
}

/* Whatever is copied, over blocks too: a conversion into the same layout moves nothing. */
static void conversion_to_itself_is_the_identity(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout =
        random_layout_between(HARDWARE_DIMS | LAYOUT_SET(LAYOUT_BLOCK), 8, SOME_TENSOR_DIMS, 5);
    struct linear_layout itself = linear_layout_identity_on(&layout.in), x_of;
    CHECK(!linear_layout_conversion(&layout, &layout, &x_of));
    CHECK(linear_layout_equal(&x_of, &itself));
  }
}

/* Source and target may have different inputs: here 2^0..2^3 values of each. */
static void conversion_between_different_inputs(void) {
  int solved = 0;
  for (int round = 0; round < 2 * ROUNDS; round++) {
    struct layout_space out = random_space(SOME_TENSOR_DIMS, 3);
    struct linear_layout source = random_layout_on(random_space(HARDWARE_DIMS, 7), out);
    struct linear_layout target = random_layout_on(random_space(HARDWARE_DIMS, 7), out), x_of;
    tile_status status = linear_layout_conversion(&target, &source, &x_of);
    if (status) {
      tile_status_free(status);
      continue;
    }
    solved++;
    CHECK(layout_space_equal(&x_of.in, &target.in) && layout_space_equal(&x_of.out, &source.in));
    for (uint32_t x = 0; x < in_count(&target); x++)
      CHECK_EQUAL(image(&source, image(&x_of, x)), image(&target, x));
    for (int i = layout_space_total_bits(&x_of.in); i < LAYOUT_MAX_BITS; i++)
      CHECK_EQUAL(x_of.bases[i], 0);
  }
  CHECK(solved > ROUNDS / 20);
}

/* --- Questions of the lowerings --------------------------------------------------------------- */

/* The definition: in every thread, aligned groups of `run` registers hold aligned runs. */
static bool is_run(const struct linear_layout *layout, enum layout_dim dim, uint32_t run) {
  if (run > 1u << layout->in.bits[LAYOUT_REGISTER])
    return false;
  for (uint32_t x = 0; x < in_count(layout); x++) {
    struct layout_point here = point(&layout->out, image(layout, x));
    struct layout_point start = point(&layout->out, image(layout, x - x % run));
    if (start.at[dim] % run)
      return false;
    start.at[dim] += x % run;
    if (!points_equal(here, start))
      return false;
  }
  return true;
}

static void contiguous_run_is_the_longest(void) {
  int vectors = 0;
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout();
    int shift = layout_space_shift(&layout.out, LAYOUT_DIM1), good = (int)random_below(4);
    for (int i = 0; i < good && i < layout.in.bits[LAYOUT_REGISTER]; i++)
      if (i < layout.out.bits[LAYOUT_DIM1])
        layout.bases[i] = 1u << (shift + i);
    if (random_below(2)) /* mostly leave the low column bits to the registers */
      for (int i = good; i < layout_space_total_bits(&layout.in); i++)
        layout.bases[i] &= ~(((1u << good) - 1) << shift);
    uint32_t longest = 1;
    while (is_run(&layout, LAYOUT_DIM1, 2 * longest))
      longest *= 2;
    CHECK_EQUAL(linear_layout_contiguous_run(&layout, LAYOUT_DIM1), longest);
    vectors += longest > 1;
  }
  CHECK(vectors > ROUNDS / 20);
}

static void registers_are_additive_when_xor_is_add(void) {
  int additive = 0;
  for (int round = 0; round < ROUNDS; round++) {
    struct linear_layout layout = random_layout_between(HARDWARE_DIMS, 5, SOME_TENSOR_DIMS, 8);
    uint32_t registers = 1u << layout.in.bits[LAYOUT_REGISTER];
    bool adds = true;
    for (uint32_t x = 0; x < in_count(&layout); x++)
      adds &=
          image(&layout, x) == image(&layout, x % registers) + image(&layout, x - x % registers);
    CHECK_EQUAL(linear_layout_registers_are_additive(&layout), adds);
    additive += adds;
  }
  CHECK(additive > ROUNDS / 20 && additive < ROUNDS);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"worked_example_of_the_header", worked_example_of_the_header},
      {"flat_index_of_a_tensor_is_row_major", flat_index_of_a_tensor_is_row_major},
      {"flat_index_of_a_thread_has_registers_lowest", flat_index_of_a_thread_has_registers_lowest},
      {"flat_index_may_have_32_bits", flat_index_may_have_32_bits},
      {"shapes_that_no_layout_can_have", shapes_that_no_layout_can_have},
      {"equality_notices_every_part", equality_notices_every_part},
      {"apply_xors_the_bases", apply_xors_the_bases}, {"identity_and_zeros", identity_and_zeros},
      {"append_puts_columns_in_the_place_of_their_dimension",
       append_puts_columns_in_the_place_of_their_dimension},
      {"product_arranges_copies_of_a_tile", product_arranges_copies_of_a_tile},
      {"fit_repeats_and_crops", fit_repeats_and_crops},
      {"sublayout_holds_and_forgets", sublayout_holds_and_forgets},
      {"reshape_keeps_the_row_major_number", reshape_keeps_the_row_major_number},
      {"transpose_permutes_coordinates", transpose_permutes_coordinates},
      {"rename_out_moves_one_coordinate", rename_out_moves_one_coordinate},
      {"zero_registers_go_and_others_stay", zero_registers_go_and_others_stay},
      {"divide_undoes_product", divide_undoes_product},
      {"divide_refuses_what_is_no_factor", divide_refuses_what_is_no_factor},
      {"quotient_of_the_fragment", quotient_of_the_fragment},
      {"keeps_and_identity_over", keeps_and_identity_over},
      {"rank_counts_the_images", rank_counts_the_images},
      {"kernel_spans_what_maps_to_zero", kernel_spans_what_maps_to_zero},
      {"free_masks_leave_one_holder_each", free_masks_leave_one_holder_each},
      {"find_gives_the_first_holder", find_gives_the_first_holder},
      {"compose_applies_one_after_the_other", compose_applies_one_after_the_other},
      {"invert_exactly_the_bijections", invert_exactly_the_bijections},
      {"pseudo_inverse_picks_the_first_holder", pseudo_inverse_picks_the_first_holder},
      {"invert_and_compose_solves_for_the_smallest", invert_and_compose_solves_for_the_smallest},
      {"conversion_names_what_is_wrong", conversion_names_what_is_wrong},
      {"conversion_moves_as_little_as_it_can", conversion_moves_as_little_as_it_can},
      {"conversion_to_itself_is_the_identity", conversion_to_itself_is_the_identity},
      {"conversion_between_different_inputs", conversion_between_different_inputs},
      {"contiguous_run_is_the_longest", contiguous_run_is_the_longest},
      {"registers_are_additive_when_xor_is_add", registers_are_additive_when_xor_is_add});
}
