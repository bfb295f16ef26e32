/* SPDX-License-Identifier: MIT */
/* Layouts of tensor-core fragments against the formulas of the PTX ISA ("Matrix Fragments for
   mma.m16n8k8, k16, k32, m8n8k4", "Register Fragments for wgmma.mma_async.m64nNk16"), written as
   they stand there. */
#include "layout/mma.h"

#include "check.h"

/* Where PTX ISA says that element i of a lane's fragment lies. */
typedef void fragment(int lane, int i, int *row, int *column);

static void accumulator(int lane, int i, int *row, int *column) {
  *row = lane / 4 + (i < 2 ? 0 : 8);
  *column = lane % 4 * 2 + (i & 1);
}

static void half_a(int lane, int i, int *row, int *column) {
  *row = i < 2 || (i >= 4 && i < 6) ? lane / 4 : lane / 4 + 8;
  *column = i < 4 ? lane % 4 * 2 + (i & 1) : lane % 4 * 2 + (i & 1) + 8;
}

static void half_b(int lane, int i, int *row, int *column) {
  *row = i < 2 ? lane % 4 * 2 + (i & 1) : lane % 4 * 2 + (i & 1) + 8;
  *column = lane / 4;
}

static void tf32_a(int lane, int i, int *row, int *column) {
  *row = i == 0 || i == 2 ? lane / 4 : lane / 4 + 8;
  *column = i < 2 ? lane % 4 : lane % 4 + 4;
}

static void tf32_b(int lane, int i, int *row, int *column) {
  *row = i == 0 ? lane % 4 : lane % 4 + 4;
  *column = lane / 4;
}

static void byte_a(int lane, int i, int *row, int *column) {
  *row = i < 4 || (i >= 8 && i < 12) ? lane / 4 : lane / 4 + 8;
  *column = i < 8 ? lane % 4 * 4 + (i & 3) : lane % 4 * 4 + (i & 3) + 16;
}

static void byte_b(int lane, int i, int *row, int *column) {
  *row = i < 4 ? lane % 4 * 4 + (i & 3) : lane % 4 * 4 + (i & 3) + 16;
  *column = lane / 4;
}

static void double_c(int lane, int i, int *row, int *column) {
  *row = lane / 4;
  *column = lane % 4 * 2 + (i & 1);
}

static void double_a(int lane, int i, int *row, int *column) {
  (void)i;
  *row = lane / 4;
  *column = lane % 4;
}

static void double_b(int lane, int i, int *row, int *column) {
  (void)i;
  *row = lane % 4;
  *column = lane / 4;
}

static void place(const struct linear_layout *layout, int reg, int lane, int warp, int *row,
                  int *column) {
  struct layout_point in = {.at = {[LAYOUT_REGISTER] = (uint32_t)reg,
                                   [LAYOUT_LANE] = (uint32_t)lane,
                                   [LAYOUT_WARP] = (uint32_t)warp}};
  struct layout_point out = linear_layout_apply(layout, &in);
  *row = (int)out.at[LAYOUT_DIM0];
  *column = (int)out.at[LAYOUT_DIM1];
}

/* Every element of every lane, in the registers' order of PTX. */
static void check_fragment(const struct linear_layout *layout, int elements, fragment *expected) {
  CHECK_EQUAL(linear_layout_in_size(layout, LAYOUT_REGISTER), elements);
  int wrong = 0;
  for (int lane = 0; lane < 32; lane++)
    for (int i = 0; i < elements; i++) {
      int row, column, wanted_row, wanted_column;
      place(layout, i, lane, 0, &row, &column);
      expected(lane, i, &wanted_row, &wanted_column);
      wrong += row != wanted_row || column != wanted_column;
    }
  CHECK_EQUAL(wrong, 0);
}

static const struct mma_layout one_warp = {
    .version = 2, .rank = 2, .warps_per_cta = {1, 1}, .instr_shape = {16, 8}};
static const struct mma_layout doubles = {
    .version = 2, .rank = 2, .warps_per_cta = {1, 1}, .instr_shape = {8, 8}};

static void fragments(void) {
  static const struct {
    const struct mma_layout *mma;
    int index, k_width; /* index -1: the accumulators */
    int64_t shape[2];
    int elements;
    fragment *expected;
  } rows[] = {
      {&one_warp, -1, 0, {16, 8}, 4, accumulator}, {&one_warp, 0, 2, {16, 16}, 8, half_a},
      {&one_warp, 1, 2, {16, 8}, 4, half_b},       {&one_warp, 0, 1, {16, 8}, 4, tf32_a},
      {&one_warp, 1, 1, {8, 8}, 2, tf32_b},        {&one_warp, 0, 4, {16, 32}, 16, byte_a},
      {&one_warp, 1, 4, {32, 8}, 8, byte_b},       {&doubles, -1, 0, {8, 8}, 2, double_c},
      {&doubles, 0, 1, {8, 4}, 1, double_a},       {&doubles, 1, 1, {4, 8}, 1, double_b},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct linear_layout layout;
    tile_status status = rows[i].index < 0
                             ? layout_from_mma(rows[i].mma, rows[i].shape, 2, &layout)
                             : layout_from_dot_operand(rows[i].mma, rows[i].index, rows[i].k_width,
                                                       rows[i].shape, 2, &layout);
    CHECK(!status);
    tile_status_free(status);
    check_fragment(&layout, rows[i].elements, rows[i].expected);
  }
}

/* Warps along rows first; the tile of all warps repeats, columns first. */
static void warps(void) {
  struct mma_layout mma = {
      .version = 2, .rank = 2, .warps_per_cta = {2, 4}, .instr_shape = {16, 8}};
  int64_t shape[] = {64, 64};
  struct linear_layout layout;
  CHECK(!layout_from_mma(&mma, shape, 2, &layout));
  CHECK_EQUAL(linear_layout_in_size(&layout, LAYOUT_REGISTER), 16);
  int wrong = 0;
  for (int warp = 0; warp < 8; warp++)
    for (int lane = 0; lane < 32; lane++)
      for (int r = 0; r < 16; r++) {
        int row, column, own_row, own_column;
        place(&layout, r, lane, warp, &row, &column);
        accumulator(lane, r % 4, &own_row, &own_column);
        wrong += row != own_row + 16 * (warp % 2) + 32 * (r / 8);
        wrong += column != own_column + 8 * (warp / 2) + 32 * (r / 4 % 2);
      }
  CHECK_EQUAL(wrong, 0);
  /* b does not depend on the warps along rows, a not on those along columns */
  CHECK(!layout_from_dot_operand(&mma, 1, 2, shape, 2, &layout));
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_WARP, 0), 0);
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_WARP, 1), 8);
  CHECK(!layout_from_dot_operand(&mma, 0, 2, shape, 2, &layout));
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_WARP, 0), 16 * 64);
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_WARP, 1), 0);
}

/* wgmma m64nNk16: D of 64 x N, warp w of the group has rows 16 w + ...; element i is at column
   8 * (i / 4) + 2 * (lane % 4) + (i & 1). */
static void group(void) {
  struct mma_layout mma = {
      .version = 3, .rank = 2, .warps_per_cta = {8, 1}, .instr_shape = {64, 32}};
  int64_t shape[] = {128, 64};
  struct linear_layout layout;
  CHECK(!layout_from_mma(&mma, shape, 2, &layout));
  CHECK_EQUAL(linear_layout_in_size(&layout, LAYOUT_REGISTER), 32);
  int wrong = 0;
  for (int warp = 0; warp < 8; warp++)
    for (int lane = 0; lane < 32; lane++)
      for (int i = 0; i < 32; i++) {
        int row, column;
        place(&layout, i, lane, warp, &row, &column);
        wrong += row != 64 * (warp / 4) + 16 * (warp % 4) + lane / 4 + 8 * (i / 2 % 2);
        wrong += column != 32 * (i / 16) + 8 * (i % 16 / 4) + 2 * (lane % 4) + (i & 1);
      }
  CHECK_EQUAL(wrong, 0);
}

/* A tensor smaller than an instruction: copies, and no register twice. */
static void small(void) {
  int64_t shape[] = {4, 2};
  struct linear_layout layout;
  CHECK(!layout_from_mma(&one_warp, shape, 2, &layout));
  CHECK_EQUAL(linear_layout_in_size(&layout, LAYOUT_REGISTER), 2);
  CHECK(linear_layout_is_surjective(&layout));
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_LANE, 0), 0);
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_LANE, 2), 2);
  CHECK_EQUAL(linear_layout_basis(&layout, LAYOUT_LANE, 4), 0);
}

/* Leading dimensions number matrices. */
static void batch(void) {
  struct mma_layout mma = {
      .version = 2, .rank = 3, .warps_per_cta = {2, 2, 1}, .instr_shape = {1, 16, 8}};
  int64_t shape[] = {4, 32, 8};
  struct linear_layout layout;
  CHECK(!layout_from_mma(&mma, shape, 3, &layout));
  CHECK_EQUAL(linear_layout_in_size(&layout, LAYOUT_REGISTER), 8);
  struct layout_point in = {.at = {[LAYOUT_REGISTER] = 4, [LAYOUT_WARP] = 3}};
  struct layout_point out = linear_layout_apply(&layout, &in);
  CHECK_EQUAL(out.at[LAYOUT_DIM0], 3);
  CHECK_EQUAL(out.at[LAYOUT_DIM1], 16);
}

static void refused(void) {
  struct mma_layout mma = one_warp;
  struct linear_layout layout;
  int64_t shape[] = {16, 16};
  mma.warps_per_cta[0] = 3;
  tile_status status = layout_from_mma(&mma, shape, 2, &layout);
  CHECK(status != NULL);
  tile_status_free(status);
  status = layout_from_dot_operand(&one_warp, 0, 3, shape, 2, &layout);
  CHECK(status != NULL);
  tile_status_free(status);
  status = layout_from_mma(&one_warp, shape, 1, &layout);
  CHECK(status != NULL);
  tile_status_free(status);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"fragments", fragments}, {"warps", warps}, {"group", group},
                   {"small", small}, {"batch", batch}, {"refused", refused});
}
