/* SPDX-License-Identifier: MIT */
/* See mma.h. A fragment is built bit by bit, then repeated over warps and registers. */
#include "layout/mma.h"

#include "base/machine.h"
#include "base/numbers.h"
#include "base/status.h"
#include "layout/blocked.h"

enum { QUAD_BITS = 2, GROUP_BITS = 3 }; /* t and g of the lane */

int mma_layout_warps(const struct mma_layout *mma) {
  int warps = 1;
  for (int i = 0; i < mma->rank; i++)
    warps *= mma->warps_per_cta[i];
  return warps;
}

int mma_warp_rows(const struct mma_layout *mma) {
  return mma->version == 3 ? 16 : mma->instr_shape[mma->rank - 2];
}

static tile_status verify_instruction(const struct mma_layout *mma) {
  int32_t m = mma->instr_shape[mma->rank - 2], n = mma->instr_shape[mma->rank - 1];
  if (mma->version == 2 && ((m != 16 && m != 8) || n != 8))
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "mma layout: instr_shape of version 2 ends in [16, 8], or [8, 8] for f64, not [%d, %d]", m,
        n);
  if (mma->version == 3 && (m != 64 || n < 8 || n > 256 || !is_power_of_two(n)))
    return FAIL(TILE_INVALID_ARGUMENT,
                "mma layout: instr_shape of version 3 ends in [64, n] with n a power of two from 8 "
                "to 256, not "
                "[%d, %d]",
                m, n);
  if (mma->version == 3 && mma->warps_per_cta[mma->rank - 2] % 4 != 0)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "mma layout: warps_per_cta of version 3 has a multiple of 4 warps along rows, not %d",
        mma->warps_per_cta[mma->rank - 2]);
  return NULL;
}

tile_status mma_layout_verify(const struct mma_layout *mma) {
  if (mma->version != 2 && mma->version != 3)
    return FAIL(TILE_INVALID_ARGUMENT, "mma layout: version is 2 (mma.sync) or 3 (wgmma), not %d",
                mma->version);
  if (mma->rank < 2 || mma->rank > 3 || (mma->version == 3 && mma->rank != 2))
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "mma layout: matrices (rank 2), or with version 2 batches of them (rank 3); not rank %d",
        mma->rank);
  int64_t warps = 1;
  for (int i = 0; i < mma->rank; i++) {
    if (!is_power_of_two(mma->warps_per_cta[i]) || mma->warps_per_cta[i] > MACHINE_BLOCK_WARPS)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "mma layout: warps_per_cta[%d] = %d is no power of two up to %d", i,
                  mma->warps_per_cta[i], MACHINE_BLOCK_WARPS);
    warps *= mma->warps_per_cta[i];
    if (i < mma->rank - 2 && mma->instr_shape[i] != 1)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "mma layout: instr_shape[%d] = %d; leading dimensions are 1", i,
                  mma->instr_shape[i]);
  }
  if (warps > MACHINE_BLOCK_WARPS)
    return FAIL(TILE_INVALID_ARGUMENT, "mma layout: %lld warps; a block has at most %d",
                (long long)warps, MACHINE_BLOCK_WARPS);
  return verify_instruction(mma);
}

/* --- Building --------------------------------------------------------------------------------- */

/* A tile under construction: the next free bit of each dimension. */
struct tile {
  struct linear_layout layout;
  int used[LAYOUT_MAX_RANK];
};

/* An empty tile that has `sizes`. */
static struct tile begin(const int64_t *sizes, int rank) {
  struct layout_space space;
  tile_status_free(layout_space_from_shape(sizes, rank, &space));
  struct tile tile = {.layout = linear_layout_into(&space)};
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_WARP; dim++)
    linear_layout_declare_in(&tile.layout, dim);
  return tile;
}

/* `count` more bits of an input that walk along tensor dimension `dim`. */
static void walk(struct tile *tile, enum layout_dim input, int dim, int count) {
  int shift = layout_space_shift(&tile->layout.out, LAYOUT_DIM0 + dim);
  for (int i = 0; i < count; i++)
    linear_layout_append(&tile->layout, input, UINT32_C(1) << (shift + tile->used[dim]++));
}

static void stay(struct tile *tile, enum layout_dim input, int count) {
  for (int i = 0; i < count; i++)
    linear_layout_append(&tile->layout, input, 0);
}

/* The warps, along rows, columns and leading dimensions; `without` has none of them (-1: all have).
 */
static void walk_warps(struct tile *tile, const struct mma_layout *mma, int without) {
  for (int i = 0; i < mma->rank; i++) {
    int dim = i < 2 ? mma->rank - 2 + i : mma->rank - 1 - i; /* rows, columns, the rest */
    int bits = log2_of(mma->warps_per_cta[dim]);
    if (dim == without)
      stay(tile, LAYOUT_WARP, bits);
    else
      walk(tile, LAYOUT_WARP, dim, bits);
  }
}

static tile_status finish(const struct tile *tile, const int64_t *shape, int rank, int first,
                          struct linear_layout *out) {
  struct layout_space space;
  int32_t order[LAYOUT_MAX_RANK] = {first};
  int next = 1;
  for (int dim = rank - 1; dim >= 0; dim--)
    if (dim != first)
      order[next++] = dim;
  tile_status status = layout_space_from_shape(shape, rank, &space);
  if (status)
    return status;
  if (layout_space_total_bits(&space) > LAYOUT_MAX_TENSOR_BITS)
    return FAIL(TILE_UNSUPPORTED,
                "a tensor of 2^%d elements; a block of threads can hold at most 2^%d",
                layout_space_total_bits(&space), LAYOUT_MAX_TENSOR_BITS);
  struct linear_layout fitted = linear_layout_fit(&tile->layout, &space, order);
  *out = linear_layout_remove_zero_registers(&fitted);
  return NULL;
}

static tile_status check(const struct mma_layout *mma, int rank) {
  tile_status status = mma_layout_verify(mma);
  if (!status && rank != mma->rank)
    status = FAIL(TILE_INVALID_ARGUMENT, "mma layout: it has %d dimensions and the tensor %d",
                  mma->rank, rank);
  return status;
}

tile_status layout_from_mma(const struct mma_layout *mma, const int64_t *shape, int rank,
                            struct linear_layout *out) {
  tile_status status = check(mma, rank);
  if (status)
    return status;
  int rows = rank - 2, columns = rank - 1, height = mma_warp_rows(mma);
  int64_t sizes[LAYOUT_MAX_RANK] = {0};
  for (int i = 0; i < rank; i++)
    sizes[i] = (int64_t)mma->warps_per_cta[i] * (i == rows ? height : mma->instr_shape[i]);
  struct tile tile = begin(sizes, rank);
  walk(&tile, LAYOUT_REGISTER, columns, 1);
  walk(&tile, LAYOUT_LANE, columns, QUAD_BITS);
  walk(&tile, LAYOUT_LANE, rows, GROUP_BITS);
  walk(&tile, LAYOUT_REGISTER, rows, log2_of(height) - GROUP_BITS);
  walk(&tile, LAYOUT_REGISTER, columns, log2_of(mma->instr_shape[columns]) - GROUP_BITS);
  walk_warps(&tile, mma, -1);
  return finish(&tile, shape, rank, columns, out);
}

tile_status layout_from_dot_operand(const struct mma_layout *parent, int index, int k_width,
                                    const int64_t *shape, int rank, struct linear_layout *out) {
  tile_status status = check(parent, rank);
  if (status)
    return status;
  if (index < 0 || index > (parent->version == 2))
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "dot_operand layout: index is 0 or 1, or 0 alone where the parent is of version 3, not %d",
        index);
  if (!is_power_of_two(k_width) || k_width > 16)
    return FAIL(TILE_INVALID_ARGUMENT,
                "dot_operand layout: k_width is a power of two up to 16, not %d", k_width);
  int k = index ? rank - 2 : rank - 1, other = index ? rank - 1 : rank - 2;
  int height = index ? 8 : mma_warp_rows(parent);
  int halves = mma_warp_rows(parent) == 16; /* f64 has one group along k */
  int64_t sizes[LAYOUT_MAX_RANK] = {0};
  for (int i = 0; i < rank; i++)
    sizes[i] = i == k ? (int64_t)k_width << (QUAD_BITS + halves)
                      : (int64_t)parent->warps_per_cta[i] * (i == other ? height : 1);
  struct tile tile = begin(sizes, rank);
  walk(&tile, LAYOUT_REGISTER, k, log2_of(k_width));
  walk(&tile, LAYOUT_LANE, k, QUAD_BITS);
  walk(&tile, LAYOUT_LANE, other, GROUP_BITS);
  walk(&tile, LAYOUT_REGISTER, other, log2_of(height) - GROUP_BITS);
  walk(&tile, LAYOUT_REGISTER, k, halves);
  walk_warps(&tile, parent, k);
  return finish(&tile, shape, rank, k, out);
}
