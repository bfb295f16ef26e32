/* SPDX-License-Identifier: MIT */
/* Blocked layouts against their definition in / and %, slices against "forget one coordinate", and
   the messages for layouts that cannot be. */
#include "layout/blocked.h"

#include "check.h"
#include "layout_random.h"

enum { ROUNDS = 1000 };

/* Splits 2^bits at random over the `rank` entries of `values`. */
static void random_powers(int32_t *values, int rank, int bits) {
  for (int i = 0; i < rank; i++)
    values[i] = 1;
  for (int i = 0; i < bits; i++)
    values[random_below((uint32_t)rank)] *= 2;
}

static struct blocked_layout random_blocked(int rank) {
  struct blocked_layout blocked = {.rank = rank};
  random_powers(blocked.size_per_thread, rank, (int)random_below(5));
  random_powers(blocked.threads_per_warp, rank, 5);
  random_powers(blocked.warps_per_cta, rank, (int)random_below(4));
  for (int i = 0; i < rank; i++) {
    uint32_t place = random_below((uint32_t)i + 1);
    blocked.order[i] = blocked.order[place];
    blocked.order[place] = i;
  }
  return blocked;
}

/* Up to 2^11 elements. */
static void random_shape(int64_t *shape, int rank) {
  int32_t sizes[LAYOUT_MAX_RANK];
  random_powers(sizes, rank, (int)random_below(12));
  for (int i = 0; i < rank; i++)
    shape[i] = sizes[i];
}

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* Takes the digit of base `base` off *number. */
static int64_t digit(int64_t *number, int64_t base) {
  int64_t low = *number % base;
  *number /= base;
  return low;
}

/* The definition. A register number counts, fastest dimension first, through the thread's box and
   then through the repetitions of the tile; a lane number through the box of lanes, a warp number
   through the box of warps. Whatever leaves the tensor wraps around. */
static void element_of(const struct blocked_layout *blocked, const int64_t *shape, int64_t reg,
                       int64_t lane, int64_t warp, int64_t *element) {
  int64_t tile[LAYOUT_MAX_RANK];
  for (int i = 0; i < blocked->rank; i++) {
    int d = blocked->order[i];
    int64_t box = smaller(blocked->size_per_thread[d], shape[d]);
    int64_t in_box = digit(&reg, box);
    int64_t thread = digit(&lane, blocked->threads_per_warp[d]) +
                     blocked->threads_per_warp[d] * digit(&warp, blocked->warps_per_cta[d]);
    tile[d] = box * blocked->threads_per_warp[d] * blocked->warps_per_cta[d];
    element[d] = in_box + box * thread;
  }
  for (int i = 0; i < blocked->rank; i++) {
    int d = blocked->order[i];
    int64_t repeats = shape[d] > tile[d] ? shape[d] / tile[d] : 1;
    element[d] = (element[d] + tile[d] * digit(&reg, repeats)) % shape[d];
  }
}

static int64_t register_count(const struct blocked_layout *blocked, const int64_t *shape) {
  int64_t count = 1;
  for (int d = 0; d < blocked->rank; d++) {
    int64_t box = smaller(blocked->size_per_thread[d], shape[d]);
    int64_t tile = box * blocked->threads_per_warp[d] * blocked->warps_per_cta[d];
    count *= box * (shape[d] > tile ? shape[d] / tile : 1);
  }
  return count;
}

static void check_blocked(const struct blocked_layout *blocked, const int64_t *shape) {
  struct linear_layout layout;
  CHECK(!layout_from_blocked(blocked, shape, blocked->rank, &layout));
  CHECK_EQUAL(linear_layout_in_size(&layout, LAYOUT_REGISTER), register_count(blocked, shape));
  CHECK_EQUAL(linear_layout_in_size(&layout, LAYOUT_LANE), 32);
  CHECK_EQUAL(linear_layout_in_size(&layout, LAYOUT_WARP), blocked_layout_warps(blocked));
  CHECK_EQUAL(layout.in.dims, HARDWARE_DIMS);
  CHECK_EQUAL(layout_space_rank(&layout.out), blocked->rank);
  CHECK(linear_layout_is_surjective(&layout));
  for (uint32_t x = 0; x < in_count(&layout); x++) {
    struct layout_point in = layout_space_unpack(&layout.in, x);
    struct layout_point have = linear_layout_apply(&layout, &in);
    int64_t want[LAYOUT_MAX_RANK];
    element_of(blocked, shape, in.at[LAYOUT_REGISTER], in.at[LAYOUT_LANE], in.at[LAYOUT_WARP],
               want);
    for (int d = 0; d < blocked->rank; d++)
      CHECK_EQUAL(have.at[LAYOUT_DIM0 + d], want[d]);
  }
}

static void blocked_agrees_with_division_and_remainder(void) {
  for (int round = 0; round < ROUNDS; round++) {
    int rank = 1 + (int)random_below(LAYOUT_MAX_RANK);
    struct blocked_layout blocked = random_blocked(rank);
    int64_t shape[LAYOUT_MAX_RANK];
    random_shape(shape, rank);
    check_blocked(&blocked, shape);
  }
}

/* blocked = identity of registers * of lanes * of warps, fitted to the shape. */
static void blocked_is_a_product_of_identities(void) {
  for (int round = 0; round < ROUNDS; round++) {
    int rank = 1 + (int)random_below(3);
    struct blocked_layout blocked = random_blocked(rank);
    int64_t shape[LAYOUT_MAX_RANK];
    random_shape(shape, rank);
    struct layout_space space;
    CHECK(!layout_space_from_shape(shape, rank, &space));
    struct linear_layout product = {0}, direct;
    const int32_t *levels[] = {blocked.size_per_thread, blocked.threads_per_warp,
                               blocked.warps_per_cta};
    for (int level = 0; level < 3; level++)
      for (int i = 0; i < rank; i++) {
        int d = blocked.order[i];
        struct linear_layout piece = linear_layout_identity(
            LAYOUT_REGISTER + level, LAYOUT_DIM0 + d, __builtin_ctz((unsigned)levels[level][d]));
        product = linear_layout_product(&product, &piece);
      }
    product = linear_layout_fit(&product, &space, blocked.order);
    product = linear_layout_remove_zero_registers(&product);
    CHECK(!layout_from_blocked(&blocked, shape, rank, &direct));
    CHECK(linear_layout_equal(&product, &direct));
  }
}

/* A vector of 4 along the contiguous dimension stays one when the tile repeats, and shrinks with
   the tensor. */
static void vectors_of_a_blocked_layout(void) {
  struct blocked_layout blocked = {.rank = 2,
                                   .size_per_thread = {1, 4},
                                   .threads_per_warp = {2, 16},
                                   .warps_per_cta = {4, 1},
                                   .order = {1, 0}};
  static const struct {
    int64_t shape[2], run;
  } rows[] = {{{64, 64}, 4}, {{64, 128}, 4}, {{64, 2}, 2}, {{64, 1}, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct linear_layout layout;
    CHECK(!layout_from_blocked(&blocked, rows[i].shape, 2, &layout));
    CHECK_EQUAL(linear_layout_contiguous_run(&layout, LAYOUT_DIM1), rows[i].run);
    CHECK_EQUAL(linear_layout_contiguous_run(&layout, LAYOUT_DIM0), 1);
    CHECK(linear_layout_registers_are_additive(&layout));
  }
}

/* 16 elements on 64 threads: lane bit 4 and the warp bit are redundant. */
static void small_tensors_are_replicated(void) {
  struct blocked_layout blocked = {.rank = 1,
                                   .size_per_thread = {4},
                                   .threads_per_warp = {32},
                                   .warps_per_cta = {2},
                                   .order = {0}};
  struct linear_layout layout;
  CHECK(!layout_from_blocked(&blocked, (int64_t[]){16}, 1, &layout));
  struct layout_point masks = linear_layout_free_masks(&layout);
  CHECK_EQUAL(masks.at[LAYOUT_REGISTER], 0);
  CHECK_EQUAL(masks.at[LAYOUT_LANE], 4 + 8 + 16);
  CHECK_EQUAL(masks.at[LAYOUT_WARP], 1);
}

/* --- Slices ----------------------------------------------------------------------------------- */

/* Every thread holds what it held, less one coordinate, in the order in which it first met it. */
static void check_slice(const struct linear_layout *parent, int dim, int rank,
                        const struct linear_layout *slice) {
  for (uint32_t warp = 0; warp < linear_layout_in_size(parent, LAYOUT_WARP); warp++)
    for (uint32_t lane = 0; lane < 32; lane++) {
      struct layout_point at = {.at = {[LAYOUT_LANE] = lane, [LAYOUT_WARP] = warp}};
      uint32_t seen[1 << 12], count = 0;
      for (uint32_t r = 0; r < linear_layout_in_size(parent, LAYOUT_REGISTER); r++) {
        at.at[LAYOUT_REGISTER] = r;
        struct layout_point element = linear_layout_apply(parent, &at), want = {0};
        for (int i = 0; i < rank; i++)
          if (i != dim)
            want.at[LAYOUT_DIM0 + i - (i > dim)] = element.at[LAYOUT_DIM0 + i];
        uint32_t flat = layout_space_pack(&slice->out, &want);
        bool known = false;
        for (uint32_t i = 0; i < count; i++)
          known |= seen[i] == flat;
        if (!known)
          seen[count++] = flat;
      }
      CHECK_EQUAL(linear_layout_in_size(slice, LAYOUT_REGISTER), count);
      for (uint32_t r = 0; r < count; r++) {
        at.at[LAYOUT_REGISTER] = r;
        struct layout_point have = linear_layout_apply(slice, &at);
        CHECK_EQUAL(layout_space_pack(&slice->out, &have), seen[r]);
      }
    }
}

static void slice_forgets_one_coordinate(void) {
  for (int round = 0; round < ROUNDS / 4; round++) {
    int rank = 2 + (int)random_below(3), dim = (int)random_below((uint32_t)rank);
    struct blocked_layout blocked = random_blocked(rank);
    int64_t shape[LAYOUT_MAX_RANK];
    random_shape(shape, rank);
    struct linear_layout parent, slice, from_one;
    CHECK(!layout_from_blocked(&blocked, shape, rank, &parent));
    CHECK(!layout_slice(&parent, dim, &slice));
    CHECK_EQUAL(slice.in.dims, HARDWARE_DIMS);
    CHECK_EQUAL(layout_space_rank(&slice.out), rank - 1);
    CHECK(linear_layout_is_surjective(&slice));
    check_slice(&parent, dim, rank, &slice);
    /* The size of the forgotten dimension does not matter. */
    shape[dim] = 1;
    CHECK(!layout_from_blocked(&blocked, shape, rank, &parent));
    CHECK(!layout_slice(&parent, dim, &from_one));
    CHECK(linear_layout_equal(&slice, &from_one));
  }
}

/* expand_dims of a slice: with the dimension put back as 1, every thread holds what the parent's
   layout of that shape gives it. */
static void slice_and_reshape_is_the_parent_of_size_one(void) {
  for (int round = 0; round < ROUNDS; round++) {
    struct blocked_layout blocked = random_blocked(3);
    int64_t shape[LAYOUT_MAX_RANK];
    random_shape(shape, 3);
    int dim = (int)random_below(3);
    shape[dim] = 1;
    struct layout_space space;
    struct linear_layout parent, slice;
    CHECK(!layout_space_from_shape(shape, 3, &space));
    CHECK(!layout_from_blocked(&blocked, shape, 3, &parent));
    CHECK(!layout_slice(&parent, dim, &slice));
    struct linear_layout expanded = linear_layout_reshape(&slice, &space);
    CHECK(linear_layout_equal(&expanded, &parent));
  }
}

/* --- Errors ----------------------------------------------------------------------------------- */

static const struct blocked_layout good = {.rank = 2,
                                           .size_per_thread = {1, 4},
                                           .threads_per_warp = {4, 8},
                                           .warps_per_cta = {2, 2},
                                           .order = {1, 0}};

static void expect(tile_status status, tile_code code, const char *message) {
  CHECK_EQUAL(tile_status_code(status), code);
  CHECK_TEXT(tile_status_message(status), message);
  tile_status_free(status);
}

static void bad_blocked_layouts_are_named(void) {
  CHECK(!blocked_layout_verify(&good));
  struct blocked_layout bad = good;
  bad.size_per_thread[1] = 3;
  expect(blocked_layout_verify(&bad), TILE_INVALID_ARGUMENT,
         "blocked layout: size_per_thread[1] = 3 is not a power of two; use 1, 2, 4, ...");
  bad = good, bad.warps_per_cta[0] = 0;
  expect(blocked_layout_verify(&bad), TILE_INVALID_ARGUMENT,
         "blocked layout: warps_per_cta[0] = 0 is not a power of two; use 1, 2, 4, ...");
  bad = good, bad.size_per_thread[0] = INT32_MIN;
  expect(
      blocked_layout_verify(&bad), TILE_INVALID_ARGUMENT,
      "blocked layout: size_per_thread[0] = -2147483648 is not a power of two; use 1, 2, 4, ...");
  bad = good, bad.threads_per_warp[0] = 8;
  expect(blocked_layout_verify(&bad), TILE_INVALID_ARGUMENT,
         "blocked layout: the product of threads_per_warp is 64; a warp has 32 lanes, so it must "
         "be 32");
  bad = good, bad.warps_per_cta[0] = 32;
  expect(blocked_layout_verify(&bad), TILE_INVALID_ARGUMENT,
         "blocked layout: the product of warps_per_cta is 64; a block has at most 32 warps, so "
         "reduce it");
  bad = good, bad.order[0] = 0;
  expect(blocked_layout_verify(&bad), TILE_INVALID_ARGUMENT,
         "blocked layout: order[1] = 0 makes order no permutation; name each of the dimensions 0 "
         "to 1 once, the contiguous one first");
  bad = good, bad.order[1] = 1;
  expect(blocked_layout_verify(&bad), TILE_INVALID_ARGUMENT,
         "blocked layout: order[1] = 1 makes order no permutation; name each of the dimensions 0 "
         "to 1 once, the contiguous one first");
  bad = good, bad.order[0] = 2;
  expect(blocked_layout_verify(&bad), TILE_INVALID_ARGUMENT,
         "blocked layout: order[0] = 2 makes order no permutation; name each of the dimensions 0 "
         "to 1 once, the contiguous one first");
  bad = good, bad.rank = 17;
  expect(blocked_layout_verify(&bad), TILE_INVALID_ARGUMENT,
         "blocked layout: rank 17; tensors in registers have 1 to 16 dimensions");
  bad.rank = 0;
  expect(blocked_layout_verify(&bad), TILE_INVALID_ARGUMENT,
         "blocked layout: rank 0; tensors in registers have 1 to 16 dimensions");
}

static void huge_powers_do_not_overflow(void) {
  struct blocked_layout blocked = good;
  blocked.size_per_thread[0] = blocked.size_per_thread[1] = 1 << 30;
  struct linear_layout layout;
  CHECK(!layout_from_blocked(&blocked, (int64_t[]){8, 4}, 2, &layout));
  CHECK_EQUAL(linear_layout_in_size(&layout, LAYOUT_REGISTER), 32);
  blocked.threads_per_warp[0] = blocked.threads_per_warp[1] = 1 << 30;
  tile_status status = blocked_layout_verify(&blocked);
  CHECK_EQUAL(tile_status_code(status), TILE_INVALID_ARGUMENT);
  tile_status_free(status);
}

static void tensors_that_a_blocked_layout_cannot_hold(void) {
  struct linear_layout layout;
  expect(layout_from_blocked(&good, (int64_t[]){8, 8, 8}, 3, &layout), TILE_INVALID_ARGUMENT,
         "blocked layout: it has 2 dimensions and the tensor 3; give each field one entry per "
         "dimension");
  expect(layout_from_blocked(&good, (int64_t[]){8, 12}, 2, &layout), TILE_INVALID_ARGUMENT,
         "dimension 1 has size 12, which is not a power of two; round it up and mask the elements "
         "beyond the end");
  expect(layout_from_blocked(&good, (int64_t[]){4096, 2048}, 2, &layout), TILE_UNSUPPORTED,
         "a tensor of 2^23 elements; a block of threads can hold at most 2^22, use smaller block "
         "sizes");
  CHECK(!layout_from_blocked(&good, (int64_t[]){2048, 2048}, 2, &layout));
  expect(layout_slice(&layout, 2, &layout), TILE_INVALID_ARGUMENT,
         "slice layout: dimension 2 of a parent with 2 dimensions; use 0 to 1");
}

static void warps_are_counted(void) {
  CHECK_EQUAL(blocked_layout_warps(&good), 4);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv,
      {"blocked_agrees_with_division_and_remainder", blocked_agrees_with_division_and_remainder},
      {"blocked_is_a_product_of_identities", blocked_is_a_product_of_identities},
      {"vectors_of_a_blocked_layout", vectors_of_a_blocked_layout},
      {"small_tensors_are_replicated", small_tensors_are_replicated},
      {"slice_forgets_one_coordinate", slice_forgets_one_coordinate},
      {"slice_and_reshape_is_the_parent_of_size_one", slice_and_reshape_is_the_parent_of_size_one},
      {"bad_blocked_layouts_are_named", bad_blocked_layouts_are_named},
      {"huge_powers_do_not_overflow", huge_powers_do_not_overflow},
      {"tensors_that_a_blocked_layout_cannot_hold", tensors_that_a_blocked_layout_cannot_hold},
      {"warps_are_counted", warps_are_counted});
}
