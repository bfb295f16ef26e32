/* SPDX-License-Identifier: MIT */
/* Layouts as text: small pictures in full, large ones with a note of what was left out. */
#include "layout/blocked.h"

#include "check.h"

static const struct blocked_layout fragment_blocked = {.rank = 2,
                                                       .size_per_thread = {1, 2},
                                                       .threads_per_warp = {8, 4},
                                                       .warps_per_cta = {1, 1},
                                                       .order = {1, 0}};

static struct linear_layout make(const struct blocked_layout *blocked, const int64_t *shape) {
  struct linear_layout layout = {0};
  CHECK(!layout_from_blocked(blocked, shape, blocked->rank, &layout));
  return layout;
}

static void expect_print(const struct linear_layout *layout, const char *expected) {
  struct text text = {0};
  linear_layout_print(layout, &text);
  CHECK_TEXT(text_string(&text), expected);
  text_free(&text);
}

static void expect_drawn(const struct linear_layout *layout,
                         const struct layout_picture_limits *limits, const char *expected) {
  struct text text = {0};
  linear_layout_draw(layout, limits, &text);
  CHECK_TEXT(text_string(&text), expected);
  text_free(&text);
}

/* The picture and the bases in the header of linear_layout.h. */
static void the_worked_example(void) {
  struct linear_layout layout = make(&fragment_blocked, (int64_t[]){8, 8});
  expect_print(&layout, "register = [[0, 1]]\n"
                        "lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]\n"
                        "warp = []\n"
                        "outputs = [dim0 = 8, dim1 = 8]\n");
  expect_drawn(&layout, NULL,
               "            0      1      2      3      4      5      6      7\n"
               "     0   T0:0   T0:1   T1:0   T1:1   T2:0   T2:1   T3:0   T3:1\n"
               "     1   T4:0   T4:1   T5:0   T5:1   T6:0   T6:1   T7:0   T7:1\n"
               "     2   T8:0   T8:1   T9:0   T9:1  T10:0  T10:1  T11:0  T11:1\n"
               "     3  T12:0  T12:1  T13:0  T13:1  T14:0  T14:1  T15:0  T15:1\n"
               "     4  T16:0  T16:1  T17:0  T17:1  T18:0  T18:1  T19:0  T19:1\n"
               "     5  T20:0  T20:1  T21:0  T21:1  T22:0  T22:1  T23:0  T23:1\n"
               "     6  T24:0  T24:1  T25:0  T25:1  T26:0  T26:1  T27:0  T27:1\n"
               "     7  T28:0  T28:1  T29:0  T29:1  T30:0  T30:1  T31:0  T31:1\n");
}

/* Summed over its rows, the worked example leaves each column sum in eight lanes. */
static void copies_are_joined_and_counted(void) {
  struct linear_layout layout = make(&fragment_blocked, (int64_t[]){8, 8}), slice;
  CHECK(!layout_slice(&layout, 0, &slice));
  expect_print(&slice, "register = [[1]]\n"
                       "lane = [[2], [4], [0], [0], [0]]\n"
                       "warp = []\n"
                       "outputs = [dim0 = 8]\n");
  expect_drawn(&slice, &(struct layout_picture_limits){.columns = 4},
               "                  0            1            2            3\n"
               "     0  T0:0|T4:0+6  T0:1|T4:1+6  T1:0|T5:0+6  T1:1|T5:1+6\n"
               "     4  T2:0|T6:0+6  T2:1|T6:1+6  T3:0|T7:0+6  T3:1|T7:1+6\n");
  expect_drawn(&slice, &(struct layout_picture_limits){.columns = 2, .copies = 99, .rows = 1},
               "                             0                       1\n"
               "     0  T0:0|T4:0|T8:0|T12:0+4  T0:1|T4:1|T8:1|T12:1+4\n"
               "not drawn: 3 more rows\n");
}

static void two_copies_are_named_in_full(void) {
  struct blocked_layout blocked = fragment_blocked;
  blocked.size_per_thread[1] = 1;
  struct linear_layout layout = make(&blocked, (int64_t[]){4, 4});
  expect_drawn(&layout, &(struct layout_picture_limits){.rows = 2},
               "                 0           1           2           3\n"
               "     0  T0:0|T16:0  T1:0|T17:0  T2:0|T18:0  T3:0|T19:0\n"
               "     1  T4:0|T20:0  T5:0|T21:0  T6:0|T22:0  T7:0|T23:0\n"
               "not drawn: 2 more rows\n");
}

/* The conversion of docs/layouts.md: outputs are positions of the machine. */
static void conversions_print_where_to_read(void) {
  struct blocked_layout mirrored = {.rank = 2,
                                    .size_per_thread = {2, 1},
                                    .threads_per_warp = {4, 8},
                                    .warps_per_cta = {1, 1},
                                    .order = {0, 1}};
  struct linear_layout source = make(&fragment_blocked, (int64_t[]){8, 8});
  struct linear_layout target = make(&mirrored, (int64_t[]){8, 8}), from;
  CHECK(!linear_layout_conversion(&target, &source, &from));
  expect_print(&from, "register = [[0, 4, 0]]\n"
                      "lane = [[0, 8, 0], [0, 16, 0], [1, 0, 0], [0, 1, 0], [0, 2, 0]]\n"
                      "warp = []\n"
                      "outputs = [register = 2, lane = 32, warp = 1]\n");
}

/* Copies in other registers: lane 1 holds the two elements of lane 0 in reverse. */
static void copies_in_another_register(void) {
  struct linear_layout layout = linear_layout_identity(LAYOUT_REGISTER, LAYOUT_DIM0, 1);
  linear_layout_append(&layout, LAYOUT_LANE, 1);
  expect_drawn(&layout, NULL,
               "                0          1\n"
               "     0  T0:0|T1:1  T0:1|T1:0\n");
}

/* Threads are numbered through the warps: T32 is lane 0 of warp 1. */
static void threads_of_all_warps(void) {
  struct blocked_layout blocked = {.rank = 2,
                                   .size_per_thread = {1, 1},
                                   .threads_per_warp = {1, 32},
                                   .warps_per_cta = {4, 1},
                                   .order = {1, 0}};
  struct linear_layout layout = make(&blocked, (int64_t[]){4, 32});
  expect_drawn(&layout, &(struct layout_picture_limits){.columns = 3},
               "            0      1      2\n"
               "     0   T0:0   T1:0   T2:0\n"
               "     1  T32:0  T33:0  T34:0\n"
               "     2  T64:0  T65:0  T66:0\n"
               "     3  T96:0  T97:0  T98:0\n"
               "not drawn: 29 more columns\n");
}

static void large_tensors_say_what_is_missing(void) {
  struct blocked_layout blocked = fragment_blocked;
  blocked.warps_per_cta[0] = 4;
  struct linear_layout layout = make(&blocked, (int64_t[]){1024, 2048});
  expect_drawn(&layout, &(struct layout_picture_limits){.rows = 2, .columns = 3},
               "           0     1     2\n"
               "     0  T0:0  T0:1  T1:0\n"
               "     1  T4:0  T4:1  T5:0\n"
               "not drawn: 1022 more rows, 2045 more columns\n");
  struct text text = {0};
  linear_layout_draw(&layout, NULL, &text);
  linear_layout_draw_threads(&layout, NULL, &text);
  CHECK(text.length < 20000);
  text_free(&text);
}

static void three_dimensions_are_slabs(void) {
  struct blocked_layout blocked = {.rank = 3,
                                   .size_per_thread = {1, 1, 2},
                                   .threads_per_warp = {16, 2, 1},
                                   .warps_per_cta = {1, 1, 1},
                                   .order = {2, 1, 0}};
  struct linear_layout layout = make(&blocked, (int64_t[]){16, 2, 2});
  expect_drawn(&layout, &(struct layout_picture_limits){.slabs = 2},
               "[0, :, :]\n"
               "           0     1\n"
               "     0  T0:0  T0:1\n"
               "     1  T1:0  T1:1\n"
               "[1, :, :]\n"
               "           0     1\n"
               "     0  T2:0  T2:1\n"
               "     1  T3:0  T3:1\n"
               "not drawn: 14 more slabs\n");
}

/* A swizzled 4x4 buffer in shared memory: row r keeps column c at r * 4 + (c ^ r). */
static void shared_memory_cells_are_offsets(void) {
  struct layout_space tile;
  CHECK(!layout_space_from_shape((int64_t[]){4, 4}, 2, &tile));
  struct linear_layout layout = linear_layout_into(&tile);
  linear_layout_append(&layout, LAYOUT_OFFSET, 1);
  linear_layout_append(&layout, LAYOUT_OFFSET, 2);
  linear_layout_append(&layout, LAYOUT_OFFSET, 4 + 1);
  linear_layout_append(&layout, LAYOUT_OFFSET, 8 + 2);
  expect_drawn(&layout, NULL,
               "         0   1   2   3\n"
               "     0   0   1   2   3\n"
               "     1   5   4   7   6\n"
               "     2  10  11   8   9\n"
               "     3  15  14  13  12\n");
}

/* Blocks of a cluster, a scalar, and elements that nobody holds. */
static void odd_layouts_can_be_drawn(void) {
  struct linear_layout blocks = linear_layout_identity(LAYOUT_BLOCK, LAYOUT_DIM0, 1);
  struct linear_layout lanes = linear_layout_identity(LAYOUT_LANE, LAYOUT_DIM0, 1);
  struct linear_layout both = linear_layout_product(&lanes, &blocks);
  expect_drawn(&both, NULL,
               "              0        1        2        3\n"
               "     0  B0.T0:0  B0.T1:0  B1.T0:0  B1.T1:0\n");
  struct linear_layout scalar = {0};
  expect_drawn(&scalar, NULL, "           0\n     0  T0:0\n");
  expect_print(&scalar, "outputs = []\n");
  both.bases[1] = 0;
  expect_drawn(&both, NULL,
               "                      0                1                2                3\n"
               "     0  B0.T0:0|B1.T0:0  B0.T1:0|B1.T1:0                -                -\n");
}

static void threads_list_their_registers(void) {
  struct linear_layout layout = {0};
  struct linear_layout pieces[] = {
      linear_layout_identity(LAYOUT_REGISTER, LAYOUT_DIM1, 2),
      linear_layout_identity(LAYOUT_LANE, LAYOUT_DIM0, 1),
      linear_layout_zeros(LAYOUT_LANE, LAYOUT_DIM0, 1),
      linear_layout_identity(LAYOUT_WARP, LAYOUT_DIM0, 2),
  };
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
    layout = linear_layout_product(&layout, &pieces[i]);
  struct text text = {0};
  linear_layout_draw_threads(&layout, &(struct layout_picture_limits){.registers = 3}, &text);
  CHECK_TEXT(text_string(&text), "warp 0\n"
                                 "      T0: (0, 0) (0, 1) (0, 2) and 1 more register\n"
                                 "      T1: (1, 0) (1, 1) (1, 2) and 1 more register\n"
                                 "      T2: (0, 0) (0, 1) (0, 2) and 1 more register  copy\n"
                                 "      T3: (1, 0) (1, 1) (1, 2) and 1 more register  copy\n"
                                 "warp 1\n"
                                 "      T4: (2, 0) (2, 1) (2, 2) and 1 more register\n"
                                 "      T5: (3, 0) (3, 1) (3, 2) and 1 more register\n"
                                 "      T6: (2, 0) (2, 1) (2, 2) and 1 more register  copy\n"
                                 "      T7: (3, 0) (3, 1) (3, 2) and 1 more register  copy\n"
                                 "not drawn: 2 more warps\n");
  text_free(&text);
}

static void nothing_is_missing_from_a_small_list(void) {
  struct linear_layout layout = linear_layout_identity(LAYOUT_WARP, LAYOUT_DIM0, 1);
  struct text text = {0};
  linear_layout_draw_threads(&layout, NULL, &text);
  CHECK_TEXT(text_string(&text), "warp 0\n"
                                 "      T0: (0)\n"
                                 "warp 1\n"
                                 "      T1: (1)\n");
  text_free(&text);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"the_worked_example", the_worked_example},
                   {"copies_are_joined_and_counted", copies_are_joined_and_counted},
                   {"two_copies_are_named_in_full", two_copies_are_named_in_full},
                   {"conversions_print_where_to_read", conversions_print_where_to_read},
                   {"copies_in_another_register", copies_in_another_register},
                   {"threads_of_all_warps", threads_of_all_warps},
                   {"large_tensors_say_what_is_missing", large_tensors_say_what_is_missing},
                   {"three_dimensions_are_slabs", three_dimensions_are_slabs},
                   {"shared_memory_cells_are_offsets", shared_memory_cells_are_offsets},
                   {"odd_layouts_can_be_drawn", odd_layouts_can_be_drawn},
                   {"threads_list_their_registers", threads_list_their_registers},
                   {"nothing_is_missing_from_a_small_list", nothing_is_missing_from_a_small_list});
}
