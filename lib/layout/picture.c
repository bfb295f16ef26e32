/* SPDX-License-Identifier: MIT */
/* Layouts as text: the bases, a grid of who holds each element, a list of what each thread holds.

   A picture never grows with the tensor: it shows the low end of each dimension up to the limits
   and says what it left out. The holders of an element are its smallest preimage and that XOR the
   kernel, so a cell costs the same for any size. */
#include "layout/linear_layout.h"

#include <stdio.h>
#include <string.h>
#include "base/numbers.h"

enum { MAX_COPIES = 4, CELL_SIZE = 40 * MAX_COPIES };

static struct layout_picture_limits with_defaults(const struct layout_picture_limits *limits) {
  struct layout_picture_limits full = limits ? *limits : (struct layout_picture_limits){0};
  full.rows = full.rows > 0 ? full.rows : 32;
  full.columns = full.columns > 0 ? full.columns : 16;
  full.slabs = full.slabs > 0 ? full.slabs : 4;
  full.copies = full.copies > 0 ? full.copies : 2;
  full.copies = full.copies < MAX_COPIES ? full.copies : MAX_COPIES;
  full.warps = full.warps > 0 ? full.warps : 2;
  full.registers = full.registers > 0 ? full.registers : 8;
  return full;
}

/* "1 more row", "3 more rows". */
static void print_more(struct text *out, int64_t count, const char *what) {
  text_printf(out, "%lld more %s%s", (long long)count, what, count == 1 ? "" : "s");
}

static void print_space(const struct layout_space *space, struct text *out) {
  const char *separator = "";
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++) {
    if (!(space->dims & LAYOUT_SET(dim)))
      continue;
    text_printf(out, "%s%s = %llu", separator, layout_dim_name(dim), 1ull << space->bits[dim]);
    separator = ", ";
  }
}

/* The coordinates of `flat` between brackets, in the order dim0, dim1, .... */
static void print_coordinates(const struct layout_space *space, uint32_t flat, const char *open,
                              const char *close, struct text *out) {
  struct layout_point point = layout_space_unpack(space, flat);
  const char *separator = "";
  text_puts(out, open);
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++) {
    if (!(space->dims & LAYOUT_SET(dim)))
      continue;
    text_printf(out, "%s%u", separator, point.at[dim]);
    separator = ", ";
  }
  text_puts(out, close);
}

void linear_layout_print(const struct linear_layout *layout, struct text *out) {
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++) {
    if (!(layout->in.dims & LAYOUT_SET(dim)))
      continue;
    text_printf(out, "%s = [", layout_dim_name(dim));
    for (int bit = 0; bit < layout->in.bits[dim]; bit++) {
      text_puts(out, bit ? ", " : "");
      print_coordinates(&layout->out, linear_layout_basis(layout, dim, bit), "[", "]", out);
    }
    text_puts(out, "]\n");
  }
  text_puts(out, "outputs = [");
  print_space(&layout->out, out);
  text_puts(out, "]\n");
}

/* --- Grids ------------------------------------------------------------------------------------ */

/* What is needed to fill in the cells of one layout. The flat output index of a cell is
   (slab << (row_bits + column_bits)) + (row << column_bits) + column: row-major, as always. */
struct picture {
  const struct linear_layout *layout;
  struct layout_picture_limits limits;
  uint32_t kernel[LAYOUT_MAX_BITS];
  int kernel_count;
  bool threads; /* cells are thread:register, else a flat input index */
  bool wrapped; /* one dimension, in several rows */
  int slab_bits, row_bits, column_bits;
};

static int floor_log2(int value) {
  return 31 - __builtin_clz((unsigned)value);
}

static struct picture picture_of(const struct linear_layout *layout,
                                 const struct layout_picture_limits *limits) {
  uint32_t thread_dims = LAYOUT_SET(LAYOUT_REGISTER) | LAYOUT_SET(LAYOUT_LANE) |
                         LAYOUT_SET(LAYOUT_WARP) | LAYOUT_SET(LAYOUT_BLOCK);
  struct picture picture = {.layout = layout,
                            .limits = with_defaults(limits),
                            .threads = (layout->in.dims & ~thread_dims) == 0};
  picture.kernel_count = linear_layout_kernel(layout, picture.kernel);
  int rank = layout_space_rank(&layout->out), total = layout_space_total_bits(&layout->out);
  picture.wrapped = rank < 2 || (layout->out.dims & ~LAYOUT_TENSOR_DIMS) != 0;
  if (picture.wrapped) {
    int widest = floor_log2(picture.limits.columns);
    picture.column_bits = smaller(total, widest);
    picture.row_bits = total - picture.column_bits;
  } else {
    picture.column_bits = layout->out.bits[LAYOUT_DIM0 + rank - 1];
    picture.row_bits = layout->out.bits[LAYOUT_DIM0 + rank - 2];
    picture.slab_bits = total - picture.row_bits - picture.column_bits;
  }
  return picture;
}

/* Writes one holder, "T3:1"; returns the characters written. `size` is always enough. */
static int format_holder(const struct picture *picture, uint32_t position, char *out, size_t size) {
  const struct layout_space *in = &picture->layout->in;
  if (!picture->threads)
    return snprintf(out, size, "%u", position);
  struct layout_point point = layout_space_unpack(in, position);
  uint64_t warp = point.at[LAYOUT_WARP];
  uint64_t thread = point.at[LAYOUT_LANE] | warp << in->bits[LAYOUT_LANE];
  int length = 0;
  if (in->bits[LAYOUT_BLOCK])
    length = snprintf(out, size, "B%u.", point.at[LAYOUT_BLOCK]);
  return length + snprintf(out + length, size - (size_t)length, "T%llu:%u",
                           (unsigned long long)thread, point.at[LAYOUT_REGISTER]);
}

/* The holder number `index` of the element that `first` holds, in increasing order. */
static uint32_t holder(const struct picture *picture, uint32_t first, uint32_t index) {
  for (; index; index &= index - 1)
    first ^= picture->kernel[__builtin_ctz(index)];
  return first;
}

static void format_cell(const struct picture *picture, uint32_t element, char out[CELL_SIZE]) {
  uint32_t first;
  if (!linear_layout_find(picture->layout, element, &first)) {
    snprintf(out, CELL_SIZE, "-");
    return;
  }
  int64_t holders = INT64_C(1) << picture->kernel_count;
  int64_t shown = smaller(holders, picture->limits.copies);
  int length = 0;
  for (int64_t i = 0; i < shown; i++) {
    if (i)
      out[length++] = '|';
    length += format_holder(picture, holder(picture, first, (uint32_t)i), out + length,
                            (size_t)(CELL_SIZE - length));
  }
  if (holders > shown)
    snprintf(out + length, (size_t)(CELL_SIZE - length), "+%lld", (long long)(holders - shown));
}

static uint32_t element_at(const struct picture *picture, int64_t slab, int64_t row,
                           int64_t column) {
  return (uint32_t)(((slab << picture->row_bits | row) << picture->column_bits) | column);
}

/* Characters of the widest cell or column number shown. */
static int cell_width(const struct picture *picture, int64_t slab, int64_t rows, int64_t columns) {
  char cell[CELL_SIZE];
  int width = snprintf(cell, sizeof cell, "%lld", (long long)columns - 1);
  for (int64_t row = 0; row < rows; row++) {
    for (int64_t column = 0; column < columns; column++) {
      format_cell(picture, element_at(picture, slab, row, column), cell);
      int length = (int)strlen(cell);
      width = length > width ? length : width;
    }
  }
  return width;
}

static void draw_grid(const struct picture *picture, int64_t slab, struct text *out) {
  int64_t all_rows = INT64_C(1) << picture->row_bits;
  int64_t all_columns = INT64_C(1) << picture->column_bits;
  int64_t rows = smaller(all_rows, picture->limits.rows);
  int64_t columns = smaller(all_columns, picture->limits.columns);
  int width = cell_width(picture, slab, rows, columns);
  char cell[CELL_SIZE];
  text_printf(out, "%6s", "");
  for (int64_t column = 0; column < columns; column++)
    text_printf(out, "  %*lld", width, (long long)column);
  text_puts(out, "\n");
  for (int64_t row = 0; row < rows; row++) {
    text_printf(out, "%6lld", (long long)(picture->wrapped ? row << picture->column_bits : row));
    for (int64_t column = 0; column < columns; column++) {
      format_cell(picture, element_at(picture, slab, row, column), cell);
      text_printf(out, "  %*s", width, cell);
    }
    text_puts(out, "\n");
  }
  if (rows < all_rows || columns < all_columns) {
    text_puts(out, "not drawn: ");
    if (rows < all_rows)
      print_more(out, all_rows - rows, "row");
    text_puts(out, rows < all_rows && columns < all_columns ? ", " : "");
    if (columns < all_columns)
      print_more(out, all_columns - columns, "column");
    text_puts(out, "\n");
  }
}

/* "[3, :, :]": the leading coordinates of a slab. */
static void draw_slab_name(const struct picture *picture, int64_t slab, struct text *out) {
  const struct layout_space *space = &picture->layout->out;
  struct layout_point point = layout_space_unpack(space, element_at(picture, slab, 0, 0));
  text_puts(out, "[");
  for (int i = 0; i + 2 < layout_space_rank(space); i++)
    text_printf(out, "%u, ", point.at[LAYOUT_DIM0 + i]);
  text_puts(out, ":, :]\n");
}

void linear_layout_draw(const struct linear_layout *layout,
                        const struct layout_picture_limits *limits, struct text *out) {
  struct picture picture = picture_of(layout, limits);
  int64_t all_slabs = INT64_C(1) << picture.slab_bits;
  int64_t slabs = smaller(all_slabs, picture.limits.slabs);
  for (int64_t slab = 0; slab < slabs; slab++) {
    if (!picture.wrapped && layout_space_rank(&layout->out) > 2)
      draw_slab_name(&picture, slab, out);
    draw_grid(&picture, slab, out);
  }
  if (slabs < all_slabs) {
    text_puts(out, "not drawn: ");
    print_more(out, all_slabs - slabs, "slab");
    text_puts(out, "\n");
  }
}

/* --- Threads ---------------------------------------------------------------------------------- */

static void draw_thread(const struct linear_layout *layout, int registers, struct layout_point at,
                        bool copy, struct text *out) {
  int64_t all = linear_layout_in_size(layout, LAYOUT_REGISTER), shown = smaller(all, registers);
  uint64_t warp = at.at[LAYOUT_WARP];
  uint64_t thread = at.at[LAYOUT_LANE] | warp << layout->in.bits[LAYOUT_LANE];
  char name[24];
  snprintf(name, sizeof name, "T%llu:", (unsigned long long)thread);
  text_printf(out, "%9s", name);
  for (int64_t i = 0; i < shown; i++) {
    at.at[LAYOUT_REGISTER] = (uint32_t)i;
    uint32_t element = linear_layout_apply_flat(layout, layout_space_pack(&layout->in, &at));
    print_coordinates(&layout->out, element, " (", ")", out);
  }
  if (shown < all) {
    text_puts(out, " and ");
    print_more(out, all - shown, "register");
  }
  text_puts(out, copy ? "  copy\n" : "\n");
}

void linear_layout_draw_threads(const struct linear_layout *layout,
                                const struct layout_picture_limits *limits, struct text *out) {
  struct layout_picture_limits full = with_defaults(limits);
  struct layout_point free_masks = linear_layout_free_masks(layout);
  int64_t all_warps = linear_layout_in_size(layout, LAYOUT_WARP);
  int64_t all_lanes = linear_layout_in_size(layout, LAYOUT_LANE);
  int64_t warps = smaller(all_warps, full.warps), lanes = smaller(all_lanes, 32);
  for (int64_t warp = 0; warp < warps; warp++) {
    text_printf(out, "warp %lld\n", (long long)warp);
    for (int64_t lane = 0; lane < lanes; lane++) {
      struct layout_point at = {
          .at = {[LAYOUT_LANE] = (uint32_t)lane, [LAYOUT_WARP] = (uint32_t)warp}};
      bool copy = (at.at[LAYOUT_LANE] & free_masks.at[LAYOUT_LANE]) != 0 ||
                  (at.at[LAYOUT_WARP] & free_masks.at[LAYOUT_WARP]) != 0;
      draw_thread(layout, full.registers, at, copy, out);
    }
    if (lanes < all_lanes) {
      text_puts(out, "not drawn: ");
      print_more(out, all_lanes - lanes, "lane");
      text_puts(out, "\n");
    }
  }
  if (warps < all_warps) {
    text_puts(out, "not drawn: ");
    print_more(out, all_warps - warps, "warp");
    text_puts(out, "\n");
  }
}
