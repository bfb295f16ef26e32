/* See reduction.h. */
#include "layout/reduction.h"

#include "layout/span.h"

uint32_t axis_coordinate(const struct linear_layout *layout, enum layout_dim input, int bit, int dim) {
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

/* --- Layouts by coordinate bits ------------------------------------------------------------------------ */

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
    linear_layout_append(layout, input,
                         deal->next < deal->count ? deal->image[deal->next++] : 0);
}

static struct linear_layout empty_layout(const struct layout_space *space) {
  struct linear_layout layout = linear_layout_into(space);
  for (int input = LAYOUT_REGISTER; input <= LAYOUT_WARP; input++)
    linear_layout_declare_in(&layout, input);
  return layout;
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

struct linear_layout axis_ordered_layout(const struct linear_layout *layout, int dim) {
  struct linear_layout ordered = empty_layout(&layout->out);
  int shift = layout_space_shift(&layout->out, LAYOUT_DIM0 + dim);
  int along = layout->out.bits[LAYOUT_DIM0 + dim];
  int total = layout_space_total_bits(&layout->out);
  int lanes = layout->in.bits[LAYOUT_LANE], warps = layout->in.bits[LAYOUT_WARP];
  struct deal axis = {0}, others = {0};
  for (int bit = 0; bit < total; bit++)
    push(bit >= shift && bit < shift + along ? &axis : &others, UINT32_C(1) << bit);
  int axis_lanes = smaller(along, lanes), axis_warps = smaller(along - axis_lanes, warps);
  deal_out(&ordered, LAYOUT_REGISTER, &axis, along - axis_lanes - axis_warps);
  deal_out(&ordered, LAYOUT_LANE, &axis, axis_lanes);
  deal_out(&ordered, LAYOUT_WARP, &axis, axis_warps);
  deal_out(&ordered, LAYOUT_LANE, &others, lanes - axis_lanes);
  deal_out(&ordered, LAYOUT_WARP, &others, warps - axis_warps);
  deal_out(&ordered, LAYOUT_REGISTER, &others, others.count - others.next);
  return ordered;
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
                         copies                       ? along_image(space, dim, next++)
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

/* Four values of a bank's width are one access; more are better spread over lanes and shuffled, where
   there are lanes. */
int axis_gathered_registers(const struct axis_bits *bits) {
  enum { ONE_ACCESS = 2 };
  int warps = __builtin_popcount(bits->warps), lanes = __builtin_popcount(bits->lanes);
  if (warps <= ONE_ACCESS)
    return warps;
  return warps - lanes > ONE_ACCESS ? warps - lanes : ONE_ACCESS;
}
