/* SPDX-License-Identifier: MIT */
/* Blocked and slice layouts as linear layouts.

   In a blocked layout every bit of register, lane and warp walks along one dimension, so building
   it is dealing out bits: each level takes the next free bits of the dimensions, in `order`, until
   the shape's bits run out. After that a register bit is dropped, and a lane or warp bit gets a
   zero basis. */
#include "layout/blocked.h"

#include <string.h>
#include "base/numbers.h"
#include "base/status.h"

/* Checks one field of powers of two; their product, at most 2^20 exactly, goes to *product. */
static tile_status check_powers(const char *field, const int32_t *values, int rank,
                                int64_t *product) {
  *product = 1;
  for (int i = 0; i < rank; i++) {
    if (!is_power_of_two(values[i]))
      return FAIL(TILE_INVALID_ARGUMENT,
                  "blocked layout: %s[%d] = %d is not a power of two; use 1, 2, 4, ...", field, i,
                  values[i]);
    if (*product < INT64_C(1) << 20)
      *product *= values[i];
  }
  return NULL;
}

static tile_status check_order(const struct blocked_layout *blocked) {
  uint32_t seen = 0;
  for (int i = 0; i < blocked->rank; i++) {
    int32_t dim = blocked->order[i];
    if (dim < 0 || dim >= blocked->rank || (seen & 1u << dim))
      return FAIL(TILE_INVALID_ARGUMENT,
                  "blocked layout: order[%d] = %d makes order no permutation; name each of the "
                  "dimensions 0 to %d once, the contiguous one first",
                  i, dim, blocked->rank - 1);
    seen |= 1u << dim;
  }
  return NULL;
}

tile_status blocked_layout_verify(const struct blocked_layout *blocked) {
  int rank = blocked->rank;
  int64_t registers, lanes, warps;
  if (rank < 1 || rank > LAYOUT_MAX_RANK)
    return FAIL(TILE_INVALID_ARGUMENT,
                "blocked layout: rank %d; tensors in registers have 1 to %d dimensions", rank,
                LAYOUT_MAX_RANK);
  TRY(check_powers("size_per_thread", blocked->size_per_thread, rank, &registers));
  TRY(check_powers("threads_per_warp", blocked->threads_per_warp, rank, &lanes));
  TRY(check_powers("warps_per_cta", blocked->warps_per_cta, rank, &warps));
  if (lanes != MACHINE_LANES)
    return FAIL(TILE_INVALID_ARGUMENT,
                "blocked layout: the product of threads_per_warp is %lld; a warp has %d lanes, so "
                "it must be %d",
                (long long)lanes, MACHINE_LANES, MACHINE_LANES);
  if (warps > MACHINE_BLOCK_WARPS)
    return FAIL(TILE_INVALID_ARGUMENT,
                "blocked layout: the product of warps_per_cta is %lld; a block has at most %d "
                "warps, so reduce it",
                (long long)warps, MACHINE_BLOCK_WARPS);
  return check_order(blocked);
}

int blocked_layout_warps(const struct blocked_layout *blocked) {
  int warps = 1;
  for (int i = 0; i < blocked->rank; i++)
    warps *= blocked->warps_per_cta[i];
  return warps;
}

/* Gives `in_dim` up to `count` more bits, each the next free bit of tensor dimension `dim`; `used`
   counts those taken. When they run out lanes and warps get zeros, registers nothing. */
static void deal(struct linear_layout *layout, uint8_t *used, enum layout_dim in_dim, int dim,
                 int count) {
  int shift = layout_space_shift(&layout->out, LAYOUT_DIM0 + dim);
  for (int i = 0; i < count; i++) {
    if (used[dim] < layout->out.bits[LAYOUT_DIM0 + dim])
      linear_layout_append(layout, in_dim, UINT32_C(1) << (shift + used[dim]++));
    else if (in_dim != LAYOUT_REGISTER)
      linear_layout_append(layout, in_dim, 0);
  }
}

static void deal_level(struct linear_layout *layout, uint8_t *used, enum layout_dim in_dim,
                       const struct blocked_layout *blocked, const int32_t *sizes) {
  linear_layout_declare_in(layout, in_dim);
  for (int i = 0; i < blocked->rank; i++) {
    int dim = blocked->order[i];
    deal(layout, used, in_dim, dim, __builtin_ctz((unsigned)sizes[dim]));
  }
}

tile_status layout_from_blocked(const struct blocked_layout *blocked, const int64_t *shape,
                                int rank, struct linear_layout *out) {
  TRY(blocked_layout_verify(blocked));
  if (rank != blocked->rank)
    return FAIL(TILE_INVALID_ARGUMENT,
                "blocked layout: it has %d dimensions and the tensor %d; give each field one entry "
                "per dimension",
                blocked->rank, rank);
  struct layout_space space;
  TRY(layout_space_from_shape(shape, rank, &space));
  int total = layout_space_total_bits(&space);
  if (total > LAYOUT_MAX_TENSOR_BITS)
    return FAIL(TILE_UNSUPPORTED,
                "a tensor of 2^%d elements; a block of threads can hold at most 2^%d, use smaller "
                "block sizes",
                total, LAYOUT_MAX_TENSOR_BITS);
  struct linear_layout layout = linear_layout_into(&space);
  uint8_t used[LAYOUT_MAX_RANK] = {0};
  deal_level(&layout, used, LAYOUT_REGISTER, blocked, blocked->size_per_thread);
  deal_level(&layout, used, LAYOUT_LANE, blocked, blocked->threads_per_warp);
  deal_level(&layout, used, LAYOUT_WARP, blocked, blocked->warps_per_cta);
  for (int i = 0; i < rank; i++) {
    int dim = blocked->order[i];
    deal(&layout, used, LAYOUT_REGISTER, dim, space.bits[LAYOUT_DIM0 + dim]);
  }
  *out = layout;
  return NULL;
}

tile_status layout_slice(const struct linear_layout *parent, int dim, struct linear_layout *out) {
  int rank = layout_space_rank(&parent->out);
  if (dim < 0 || dim >= rank)
    return FAIL(TILE_INVALID_ARGUMENT,
                "slice layout: dimension %d of a parent with %d dimensions; use 0 to %d", dim, rank,
                rank - 1);
  uint32_t kept = LAYOUT_ALL_DIMS & ~LAYOUT_SET(LAYOUT_DIM0 + dim);
  struct linear_layout sliced = linear_layout_sublayout(parent, LAYOUT_ALL_DIMS, kept);
  for (int i = dim + 1; i < rank; i++)
    sliced = linear_layout_rename_out(&sliced, LAYOUT_DIM0 + i, LAYOUT_DIM0 + i - 1);
  *out = linear_layout_remove_zero_registers(&sliced);
  return NULL;
}
