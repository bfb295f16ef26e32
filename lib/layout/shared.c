/* SPDX-License-Identifier: MIT */
/* See shared.h. */
#include "layout/shared.h"

#include "base/numbers.h"
#include "base/status.h"

tile_status swizzled_layout_verify(const struct swizzled_layout *layout) {
  int32_t seen = 0;
  if (!is_power_of_two(layout->vec) || !is_power_of_two(layout->per_phase) ||
      !is_power_of_two(layout->max_phase))
    return FAIL(TILE_INVALID_ARGUMENT, "vec, per_phase and max_phase are powers of two");
  for (int i = 0; i < layout->rank; i++) {
    if (layout->order[i] < 0 || layout->order[i] >= layout->rank)
      return FAIL(TILE_INVALID_ARGUMENT, "order names dimensions 0 to %d", layout->rank - 1);
    seen |= 1 << layout->order[i];
  }
  if (seen != (1 << layout->rank) - 1)
    return FAIL(TILE_INVALID_ARGUMENT, "order names each dimension once");
  if (layout->rank < 2 && layout->max_phase > 1)
    return FAIL(TILE_INVALID_ARGUMENT, "a layout of rank 1 has no rows to swizzle; max_phase is 1");
  return NULL;
}

tile_status nvmma_layout_verify(const struct nvmma_layout *layout) {
  int32_t swizzle = layout->swizzle, bits = layout->element_bits;
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return FAIL(TILE_INVALID_ARGUMENT, "swizzle is 0, 32, 64 or 128 bytes, not %d", (int)swizzle);
  if (bits != 8 && bits != 16 && bits != 32)
    return FAIL(TILE_INVALID_ARGUMENT, "element_bits is 8, 16 or 32, not %d", (int)bits);
  return NULL;
}

/* Which dimension holds what, and how rows permute chunks. */
struct swizzle {
  enum layout_dim column, row;
  uint32_t vec, per_phase, max_phase, columns; /* columns: that chunks may move in */
};

static void append_row(struct linear_layout *layout, const struct swizzle *s, uint32_t row) {
  struct layout_point point = {0};
  point.at[s->row] = row;
  point.at[s->column] = s->vec * (row / s->per_phase % s->max_phase) % s->columns;
  linear_layout_append(layout, LAYOUT_OFFSET, layout_space_pack(&layout->out, &point));
}

/* Coordinates of `dim` from `first` up to below `end`. */
static void append_plain(struct linear_layout *layout, enum layout_dim dim, uint32_t first,
                         uint32_t end) {
  for (uint32_t value = first; value < end; value *= 2) {
    struct layout_point point = {0};
    point.at[dim] = value;
    linear_layout_append(layout, LAYOUT_OFFSET, layout_space_pack(&layout->out, &point));
  }
}

tile_status layout_from_swizzled(const struct swizzled_layout *layout, const int64_t *shape,
                                 struct linear_layout *out) {
  struct layout_space space;
  TRY(layout_space_from_shape(shape, layout->rank, &space));
  *out = linear_layout_into(&space);
  linear_layout_declare_in(out, LAYOUT_OFFSET);
  struct swizzle s = {.column = LAYOUT_DIM0 + layout->order[0],
                      .vec = (uint32_t)layout->vec,
                      .per_phase = (uint32_t)layout->per_phase,
                      .max_phase = (uint32_t)layout->max_phase,
                      .columns = (uint32_t)shape[layout->order[0]]};
  append_plain(out, s.column, 1, s.columns);
  for (int i = 1; i < layout->rank; i++) {
    uint32_t size = (uint32_t)shape[layout->order[i]];
    s.row = LAYOUT_DIM0 + layout->order[i];
    if (i > 1)
      append_plain(out, s.row, 1, size);
    for (uint32_t row = 1; i == 1 && row < size; row *= 2)
      append_row(out, &s, row);
  }
  return NULL;
}

tile_status layout_from_nvmma(const struct nvmma_layout *layout, const int64_t shape[2],
                              struct linear_layout *out) {
  enum { CHUNK = 16, GROUP = 8 };
  struct layout_space space;
  TRY(layout_space_from_shape(shape, 2, &space));
  uint32_t bytes = (uint32_t)layout->element_bits / 8;
  uint32_t panel = (uint32_t)(layout->swizzle ? layout->swizzle : CHUNK) / bytes;
  struct swizzle s = {.column = layout->transposed ? LAYOUT_DIM0 : LAYOUT_DIM1,
                      .row = layout->transposed ? LAYOUT_DIM1 : LAYOUT_DIM0,
                      .vec = CHUNK / bytes,
                      .per_phase = layout->swizzle ? 128u / (uint32_t)layout->swizzle : 1,
                      .max_phase = layout->swizzle ? (uint32_t)layout->swizzle / CHUNK : 1,
                      .columns = panel};
  uint32_t columns = (uint32_t)shape[s.column - LAYOUT_DIM0];
  uint32_t rows = (uint32_t)shape[s.row - LAYOUT_DIM0];
  if (columns < panel || rows < GROUP)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "a tile with rows of %u elements and %u rows is too small for nvmma with swizzle = %d; "
        "it takes rows of %u elements and %d rows",
        (unsigned)columns, (unsigned)rows, (int)layout->swizzle, (unsigned)panel, GROUP);
  *out = linear_layout_into(&space);
  linear_layout_declare_in(out, LAYOUT_OFFSET);
  append_plain(out, s.column, 1, panel);
  for (uint32_t row = 1; row < rows; row *= 2)
    append_row(out, &s, row);
  append_plain(out, s.column, panel, columns);
  return NULL;
}
