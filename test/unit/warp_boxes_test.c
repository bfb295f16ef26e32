/* SPDX-License-Identifier: MIT */
/* Boxes that warps hold: which tiles have them, and where each element of a box is. */
#include "layout/warp_boxes.h"

#include "base/status.h"
#include "check.h"
#include "layout/blocked.h"
#include "layout/mma.h"

static struct linear_layout accumulators(int64_t rows, int64_t columns, int32_t n, int32_t down,
                                         int32_t across) {
  struct mma_layout mma = {
      .version = 3, .rank = 2, .warps_per_cta = {down, across}, .instr_shape = {64, n}};
  struct linear_layout layout;
  const int64_t shape[] = {rows, columns};
  tile_status status = layout_from_mma(&mma, shape, 2, &layout);
  CHECK(!status);
  tile_status_free(status);
  return layout;
}

/* Each element of the tile is in one box: that of its warp, at the place that its lane and the
   registers inside say. */
static void check_places(const struct linear_layout *tensor, const struct warp_boxes *boxes) {
  struct linear_layout inner = warp_boxes_inner(tensor, boxes);
  for (uint32_t warp = 0; warp < linear_layout_in_size(tensor, LAYOUT_WARP); warp++)
    for (int box = 0; box < boxes->count; box++) {
      uint32_t first = warp_boxes_register(boxes, box, 0);
      struct layout_point origin = linear_layout_apply(
          tensor, &(struct layout_point){.at = {[LAYOUT_WARP] = warp, [LAYOUT_REGISTER] = first}});
      for (uint32_t lane = 0; lane < 32; lane += 7)
        for (int r = 0; r < 1 << boxes->inside_bits; r++) {
          struct layout_point whole = {.at = {[LAYOUT_WARP] = warp, [LAYOUT_LANE] = lane}};
          struct layout_point part = {
              .at = {[LAYOUT_LANE] = lane, [LAYOUT_REGISTER] = (uint32_t)r}};
          whole.at[LAYOUT_REGISTER] = warp_boxes_register(boxes, box, r);
          struct layout_point at = linear_layout_apply(tensor, &whole);
          struct layout_point in = linear_layout_apply(&inner, &part);
          for (int dim = LAYOUT_DIM0; dim <= LAYOUT_DIM1; dim++)
            CHECK_EQUAL(at.at[dim], origin.at[dim] + in.at[dim]);
        }
    }
}

static void accumulators_have_boxes_of_16_rows(void) {
  struct linear_layout tile = accumulators(128, 256, 256, 8, 1);
  struct warp_boxes boxes;
  CHECK(warp_boxes_choose(&tile, 2, 4096, &boxes));
  CHECK_EQUAL(boxes.rows, 16);
  CHECK_EQUAL(boxes.columns, 64);
  CHECK_EQUAL(boxes.count, 4);
  check_places(&tile, &boxes);
  CHECK(warp_boxes_choose(&tile, 4, 4096, &boxes));
  CHECK_EQUAL(boxes.columns, 32);
  CHECK_EQUAL(boxes.count, 8);
  check_places(&tile, &boxes);
}

/* Two warp groups beside each other. */
static void groups_side_by_side(void) {
  struct linear_layout tile = accumulators(64, 128, 64, 4, 2);
  struct warp_boxes boxes;
  CHECK(warp_boxes_choose(&tile, 2, 4096, &boxes));
  CHECK_EQUAL(boxes.count, 1);
  check_places(&tile, &boxes);
}

/* In less memory, two boxes of fewer rows rather than one; rows of 64 bytes where there are no
   longer ones; none that are shorter. */
static void boxes_fit_the_limit(void) {
  struct linear_layout wide = accumulators(64, 128, 128, 4, 1),
                       narrow = accumulators(64, 32, 32, 4, 1),
                       thin = accumulators(64, 16, 16, 4, 1);
  struct warp_boxes boxes;
  CHECK(warp_boxes_choose(&wide, 2, 2048, &boxes));
  CHECK_EQUAL(boxes.rows, 8);
  CHECK_EQUAL(boxes.columns, 64);
  CHECK(!warp_boxes_choose(&wide, 2, 256, &boxes));
  CHECK(warp_boxes_choose(&narrow, 2, 2048, &boxes));
  CHECK_EQUAL(boxes.columns, 32);
  CHECK_EQUAL(boxes.rows, 16);
  CHECK(!warp_boxes_choose(&thin, 2, 2048, &boxes));
}

/* Warps that hold an element twice, or whose rows are between those of others, have none. */
static void others_have_none(void) {
  struct linear_layout twice = accumulators(64, 64, 64, 4, 2);
  struct warp_boxes boxes;
  CHECK(!warp_boxes_choose(&twice, 2, 4096, &boxes));
  struct blocked_layout rows = {.rank = 2,
                                .size_per_thread = {1, 8},
                                .threads_per_warp = {1, 32},
                                .warps_per_cta = {4, 1},
                                .order = {1, 0}};
  struct linear_layout blocked;
  const int64_t shape[] = {64, 256};
  tile_status status = layout_from_blocked(&rows, shape, 2, &blocked);
  CHECK(!status);
  CHECK(!warp_boxes_choose(&blocked, 2, 1 << 20, &boxes));
  tile_status_free(status);
}

/* Odd rows have column bits 3 and 4 in another order of registers: each element is in the register
   whose bit differs. */
static void lanes_exchange_registers(void) {
  struct linear_layout tile = accumulators(64, 64, 64, 4, 1);
  struct warp_boxes boxes;
  CHECK(warp_boxes_choose(&tile, 4, 4096, &boxes));
  struct linear_layout inner = warp_boxes_inner(&tile, &boxes);
  struct linear_layout exchanged = warp_boxes_exchanged(&inner, 2, 3);
  for (uint32_t lane = 0; lane < 32; lane++)
    for (uint32_t r = 0; r < 1u << boxes.inside_bits; r++) {
      struct layout_point now = {.at = {[LAYOUT_LANE] = lane, [LAYOUT_REGISTER] = r}}, was = now;
      was.at[LAYOUT_REGISTER] ^= lane & 4 ? 8 : 0;
      struct layout_point at = linear_layout_apply(&exchanged, &now);
      struct layout_point before = linear_layout_apply(&inner, &was);
      for (int dim = LAYOUT_DIM0; dim <= LAYOUT_DIM1; dim++)
        CHECK_EQUAL(at.at[dim], before.at[dim]);
    }
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"accumulators have boxes of 16 rows", accumulators_have_boxes_of_16_rows},
      {"groups side by side", groups_side_by_side}, {"boxes fit the limit", boxes_fit_the_limit},
      {"others have none", others_have_none},
      {"lanes exchange registers", lanes_exchange_registers});
}
