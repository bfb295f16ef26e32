/* SPDX-License-Identifier: MIT */
/* See reduction.h. */
#include "layout/reduction.h"

#include "base/numbers.h"
#include "layout/span.h"

uint32_t axis_coordinate(const struct linear_layout *layout, enum layout_dim input, int bit,
                         int dim) {
  return layout_space_coordinate(&layout->out, linear_layout_basis(layout, input, bit),
                                 (enum layout_dim)(LAYOUT_DIM0 + dim));
}

static uint32_t *set_of(struct axis_bits *bits, enum layout_dim input) {
  return input == LAYOUT_REGISTER ? &bits->registers
         : input == LAYOUT_LANE   ? &bits->lanes
                                  : &bits->warps;
}

/* Are the bits of `input` in `set` single coordinate bits, each above *last? Moves *last. */
static bool rises(const struct linear_layout *layout, enum layout_dim input, uint32_t set, int dim,
                  uint32_t *last) {
  for (int bit = 0; set >> bit; bit++) {
    if (!(set >> bit & 1))
      continue;
    uint32_t coordinate = axis_coordinate(layout, input, bit, dim);
    if (coordinate & (coordinate - 1) || coordinate <= *last)
      return false;
    *last = coordinate;
  }
  return true;
}

/* Registers whose coordinates are below those of all lanes and warps. */
static uint32_t find_low_registers(const struct linear_layout *layout, const struct axis_bits *bits,
                                   int dim) {
  uint32_t least = UINT32_MAX, low = 0;
  for (int input = LAYOUT_LANE; input <= LAYOUT_WARP; input++)
    for (int bit = 0; bit < layout->in.bits[input]; bit++) {
      uint32_t coordinate = axis_coordinate(layout, input, bit, dim);
      if (coordinate && coordinate < least)
        least = coordinate;
    }
  for (int bit = 0; bits->registers >> bit; bit++)
    if (bits->registers >> bit & 1 && axis_coordinate(layout, LAYOUT_REGISTER, bit, dim) < least)
      low |= UINT32_C(1) << bit;
  return low;
}

bool axis_bits_of(const struct linear_layout *layout, int dim, struct axis_bits *out) {
  struct span all = {0};
  *out = (struct axis_bits){0};
  struct layout_point last_along = {0};
  last_along.at[LAYOUT_DIM0 + dim] = (UINT32_C(1) << layout->out.bits[LAYOUT_DIM0 + dim]) - 1;
  uint32_t along = layout_space_pack(&layout->out, &last_along);
  for (int input = LAYOUT_REGISTER; input <= LAYOUT_WARP; input++)
    for (int bit = 0; bit < layout->in.bits[input]; bit++) {
      uint32_t basis = linear_layout_basis(layout, input, bit);
      if (basis == 0 && input != LAYOUT_REGISTER)
        continue;
      if (!span_add(&all, basis) || ((basis & along) && (basis & ~along)))
        return false;
      if (basis & along)
        *set_of(out, input) |= UINT32_C(1) << bit;
    }
  uint32_t last = 0;
  out->low_registers = find_low_registers(layout, out, dim);
  out->high_registers = out->registers & ~out->low_registers;
  out->in_order = rises(layout, LAYOUT_REGISTER, out->low_registers, dim, &last) &&
                  rises(layout, LAYOUT_LANE, out->lanes, dim, &last) &&
                  rises(layout, LAYOUT_WARP, out->warps, dim, &last) &&
                  rises(layout, LAYOUT_REGISTER, out->high_registers, dim, &last);
  return true;
}

/* --- Layouts by coordinate bits --------------------------------------------------------------- */

/* The flat images of coordinate bits, in the order in which they are dealt out. */
struct deal {
  uint32_t image[LAYOUT_MAX_BITS];
  int count, next;
};

static void push(struct deal *deal, uint32_t image) {
  deal->image[deal->count++] = image;
}

/* The next `count` images to bits of `input`; zeros once they are used up. */
static void deal_out(struct linear_layout *layout, enum layout_dim input, struct deal *deal,
                     int count) {
  for (int i = 0; i < count; i++)
    linear_layout_append(layout, input, deal->next < deal->count ? deal->image[deal->next++] : 0);
}

static struct linear_layout empty_layout(const struct layout_space *space) {
  struct linear_layout layout = linear_layout_into(space);
  for (int input = LAYOUT_REGISTER; input <= LAYOUT_WARP; input++)
    linear_layout_declare_in(&layout, input);
  return layout;
}

/* The coordinate bits along `dim`, lowest first: to registers, lanes, warps, as many as said. The
   other dimensions get what lanes and warps are left, then registers. */
static struct linear_layout deal_axis(const struct linear_layout *layout, int dim, int in_registers,
                                      int in_lanes, int in_warps) {
  struct linear_layout dealt = empty_layout(&layout->out);
  int shift = layout_space_shift(&layout->out, LAYOUT_DIM0 + dim);
  int along = layout->out.bits[LAYOUT_DIM0 + dim];
  int total = layout_space_total_bits(&layout->out);
  struct deal axis = {0}, others = {0};
  for (int bit = 0; bit < total; bit++)
    push(bit >= shift && bit < shift + along ? &axis : &others, UINT32_C(1) << bit);
  deal_out(&dealt, LAYOUT_REGISTER, &axis, in_registers);
  deal_out(&dealt, LAYOUT_LANE, &axis, in_lanes);
  deal_out(&dealt, LAYOUT_WARP, &axis, in_warps);
  deal_out(&dealt, LAYOUT_LANE, &others, layout->in.bits[LAYOUT_LANE] - in_lanes);
  deal_out(&dealt, LAYOUT_WARP, &others, layout->in.bits[LAYOUT_WARP] - in_warps);
  deal_out(&dealt, LAYOUT_REGISTER, &others, others.count - others.next);
  return dealt;
}

struct linear_layout axis_ordered_layout(const struct linear_layout *layout, int dim) {
  int along = layout->out.bits[LAYOUT_DIM0 + dim];
  int lanes = (int)smaller(along, layout->in.bits[LAYOUT_LANE]);
  int warps = (int)smaller(along - lanes, layout->in.bits[LAYOUT_WARP]);
  return deal_axis(layout, dim, along - lanes - warps, lanes, warps);
}

/* Sorting compares along low bits most often: three of them in registers, or more where lanes run
   out. */
struct linear_layout axis_sort_layout(const struct linear_layout *layout, int dim) {
  enum { LEAST_REGISTERS = 3 };
  int along = layout->out.bits[LAYOUT_DIM0 + dim];
  int registers = along - layout->in.bits[LAYOUT_LANE];
  if (registers < LEAST_REGISTERS)
    registers = (int)smaller(along, LEAST_REGISTERS);
  return deal_axis(layout, dim, registers, along - registers, 0);
}

struct linear_layout axis_first_layout(const struct linear_layout *layout, int dim, int64_t size) {
  struct layout_space space = layout->out;
  space.bits[LAYOUT_DIM0 + dim] = (uint8_t)log2_of(size);
  struct linear_layout first = empty_layout(&space);
  for (int input = LAYOUT_REGISTER; input <= LAYOUT_WARP; input++)
    for (int bit = 0; bit < layout->in.bits[input]; bit++) {
      struct layout_point point =
          layout_space_unpack(&layout->out, linear_layout_basis(layout, input, bit));
      bool beyond = point.at[LAYOUT_DIM0 + dim] >= size;
      if (beyond && input == LAYOUT_REGISTER)
        continue;
      point.at[LAYOUT_DIM0 + dim] = beyond ? 0 : point.at[LAYOUT_DIM0 + dim];
      linear_layout_append(&first, input, layout_space_pack(&space, &point));
    }
  return first;
}

/* A basis of `layout` in the space of the partial tensor: without its coordinate along `dim`. */
static uint32_t across(const struct linear_layout *layout, enum layout_dim input, int bit, int dim,
                       const struct layout_space *space) {
  struct layout_point point =
      layout_space_unpack(&layout->out, linear_layout_basis(layout, input, bit));
  point.at[LAYOUT_DIM0 + dim] = 0;
  return layout_space_pack(space, &point);
}

static uint32_t along_image(const struct layout_space *space, int dim, int bit) {
  return UINT32_C(1) << (layout_space_shift(space, LAYOUT_DIM0 + dim) + bit);
}

struct linear_layout axis_partial_layout(const struct linear_layout *layout, int dim,
                                         uint32_t registers) {
  struct axis_bits bits;
  axis_bits_of(layout, dim, &bits);
  struct layout_space space = layout->out;
  space.bits[LAYOUT_DIM0 + dim] =
      (uint8_t)(__builtin_popcount(bits.warps) + __builtin_popcount(bits.registers & registers));
  struct linear_layout partial = empty_layout(&space);
  int next = 0;
  for (int bit = 0; bit < layout->in.bits[LAYOUT_WARP]; bit++)
    linear_layout_append(&partial, LAYOUT_WARP,
                         bits.warps >> bit & 1 ? along_image(&space, dim, next++)
                                               : across(layout, LAYOUT_WARP, bit, dim, &space));
  for (int bit = 0; bit < layout->in.bits[LAYOUT_LANE]; bit++)
    linear_layout_append(&partial, LAYOUT_LANE,
                         bits.lanes >> bit & 1 ? 0 : across(layout, LAYOUT_LANE, bit, dim, &space));
  for (int bit = 0; bit < layout->in.bits[LAYOUT_REGISTER]; bit++)
    if (!(bits.registers >> bit & 1))
      linear_layout_append(&partial, LAYOUT_REGISTER,
                           across(layout, LAYOUT_REGISTER, bit, dim, &space));
    else if (registers >> bit & 1)
      linear_layout_append(&partial, LAYOUT_REGISTER, along_image(&space, dim, next++));
  return partial;
}

struct linear_layout axis_gathered_layout(const struct linear_layout *layout,
                                          const struct linear_layout *partial, int dim,
                                          uint32_t registers, int in_registers) {
  struct axis_bits bits;
  axis_bits_of(layout, dim, &bits);
  const struct layout_space *space = &partial->out;
  struct linear_layout gathered = empty_layout(space);
  int next = 0, warps = __builtin_popcount(bits.warps);
  while (next < in_registers)
    linear_layout_append(&gathered, LAYOUT_REGISTER, along_image(space, dim, next++));
  for (int bit = 0; bit < layout->in.bits[LAYOUT_LANE]; bit++) {
    bool copies = bits.lanes >> bit & 1 && next < warps;
    linear_layout_append(&gathered, LAYOUT_LANE,
                         copies                  ? along_image(space, dim, next++)
                         : bits.lanes >> bit & 1 ? 0
                                                 : across(layout, LAYOUT_LANE, bit, dim, space));
  }
  for (int bit = 0; bit < layout->in.bits[LAYOUT_WARP]; bit++)
    linear_layout_append(&gathered, LAYOUT_WARP,
                         bits.warps >> bit & 1 ? 0 : across(layout, LAYOUT_WARP, bit, dim, space));
  for (int bit = 0; bit < layout->in.bits[LAYOUT_REGISTER]; bit++)
    if (!(bits.registers >> bit & 1))
      linear_layout_append(&gathered, LAYOUT_REGISTER,
                           across(layout, LAYOUT_REGISTER, bit, dim, space));
    else if (registers >> bit & 1)
      linear_layout_append(&gathered, LAYOUT_REGISTER, along_image(space, dim, next++));
  return gathered;
}

struct linear_layout axis_scattered_layout(const struct linear_layout *partial, uint32_t lanes) {
  struct linear_layout scattered = empty_layout(&partial->out);
  int moved = 0, registers = partial->in.bits[LAYOUT_REGISTER];
  for (int bit = 0; bit < partial->in.bits[LAYOUT_LANE]; bit++)
    linear_layout_append(&scattered, LAYOUT_LANE,
                         lanes >> bit & 1 && moved < registers
                             ? linear_layout_basis(partial, LAYOUT_REGISTER, moved++)
                             : linear_layout_basis(partial, LAYOUT_LANE, bit));
  for (int bit = 0; bit < partial->in.bits[LAYOUT_WARP]; bit++)
    linear_layout_append(&scattered, LAYOUT_WARP, linear_layout_basis(partial, LAYOUT_WARP, bit));
  for (int bit = moved; bit < registers; bit++)
    linear_layout_append(&scattered, LAYOUT_REGISTER,
                         linear_layout_basis(partial, LAYOUT_REGISTER, bit));
  return scattered;
}

/* Four values of a bank's width are one access; more are better spread over lanes and shuffled,
   where there are lanes. (Eight in two accesses would save a shuffle and cost four registers at the
   point where rows are held: a step of occupancy in softmax.) */
int axis_gathered_registers(const struct axis_bits *bits) {
  enum { ONE_ACCESS = 2 };
  int warps = __builtin_popcount(bits->warps), lanes = __builtin_popcount(bits->lanes);
  if (warps <= ONE_ACCESS)
    return warps;
  return warps - lanes > ONE_ACCESS ? warps - lanes : ONE_ACCESS;
}
