/* SPDX-License-Identifier: MIT */
/* What reductions and scans ask of layouts: which bits of register, lane and warp run along a
   dimension, and the layouts between their steps. */
#ifndef TILE_LAYOUT_REDUCTION_H
#define TILE_LAYOUT_REDUCTION_H

#include "layout/linear_layout.h"

/* The bits of each input that run along one dimension. */
struct axis_bits {
  uint32_t registers, lanes, warps; /* sets of bits */
  /* Of the registers, those below all lanes and warps, and those above: a tile larger than the
     block is held again and again. */
  uint32_t low_registers, high_registers;
  bool in_order; /* low registers, lanes, warps, high registers: each bit one coordinate bit, rising
                  */
};

/* False where a basis is along `dim` and another dimension at once, or bits other than zero are
   dependent: then the data has to change its layout first. */
bool axis_bits_of(const struct linear_layout *layout, int dim, struct axis_bits *out);

/* A layout of the same tensor for the same threads whose bits are in order along `dim`, without
   high registers. */
struct linear_layout axis_ordered_layout(const struct linear_layout *layout, int dim);

/* A layout of the same tensor for the same threads that sorts along `dim`: the low bits of the
   coordinate in registers, the high ones in lanes, none in warps. */
struct linear_layout axis_sort_layout(const struct linear_layout *layout, int dim);
/* The layout of the first `size` elements along `dim` of a tensor laid out by axis_sort_layout,
   when the lanes along the others hold copies of them. */
struct linear_layout axis_first_layout(const struct linear_layout *layout, int dim, int64_t size);

/* The coordinate along `dim` of a basis. */
uint32_t axis_coordinate(const struct linear_layout *layout, enum layout_dim input, int bit,
                         int dim);

/* What is left of `layout` when each thread, and each warp by shuffles, has combined its elements
   along `dim`: a tensor whose size there is that of the warps (and of the high registers, for
   scans, which keep `registers` of the bits). All lanes along `dim` hold the same. */
struct linear_layout axis_partial_layout(const struct linear_layout *layout, int dim,
                                         uint32_t registers);
/* The layout in which each thread, along `dim`, holds all of the partial tensor's elements that its
   result needs: the lowest `in_registers` bits in its first registers, the others in lanes that
   otherwise would hold copies, lowest first. */
struct linear_layout axis_gathered_layout(const struct linear_layout *layout,
                                          const struct linear_layout *partial, int dim,
                                          uint32_t registers, int in_registers);
/* The layout of `partial` when its lanes share their elements out while they combine them: of the
   bits in `lanes`, along which all held the same, the lowest takes the place of the lowest register
   bit, and so on, while there are some. */
struct linear_layout axis_scattered_layout(const struct linear_layout *partial, uint32_t lanes);
/* How many bits of the partial tensor a reduction reads into registers. */
int axis_gathered_registers(const struct axis_bits *bits);

#endif
