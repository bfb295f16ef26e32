/* SPDX-License-Identifier: MIT */
/* See product_operand.h. */
#include "analysis/product_operand.h"

#include "base/machine.h"
#include "base/numbers.h"
#include "layout/conversion.h"

/* Steps of k in a round, and multiply-adds there, at most. */
enum { MAX_STEPS = 8, MAX_MULTIPLY_ADDS = 256, MAX_ACCESS_BYTES = 16 };

int64_t product_unrolled(int sums, int64_t depth) {
  int64_t unrolled = 1;
  while (2 * unrolled * sums <= MAX_MULTIPLY_ADDS && 2 * unrolled <= depth && unrolled < MAX_STEPS)
    unrolled *= 2;
  return unrolled;
}

static uint32_t offset_of(const struct product_source *source, uint32_t element) {
  return source->to_offset ? linear_layout_apply_flat(source->to_offset, element) : element;
}

/* Numbers the different offsets of the sums' registers. */
static void number_offsets(struct product_operand *operand, struct arena *arena) {
  size_t registers = (size_t)linear_layout_in_size(&operand->places, LAYOUT_REGISTER);
  operand->own = ARENA_ARRAY(arena, uint32_t, registers);
  operand->of_register = ARENA_ARRAY(arena, int, registers);
  for (uint32_t r = 0; r < registers; r++) { /* register bits are lowest */
    uint32_t own = linear_layout_apply_flat(&operand->places, r);
    int i = 0;
    while (i < operand->count && operand->own[i] != own)
      i++;
    if (i == operand->count)
      operand->own[operand->count++] = own;
    operand->of_register[r] = i;
  }
}

/* Are the lowest bits of k those of the offset, and does nothing else set them? */
static bool has_neighbours_along_k(const struct product_operand *operand, int wider) {
  uint32_t inside = (uint32_t)wider - 1;
  bool fits = wider <= operand->unrolled;
  for (int bit = 0; bit < operand->k_bits && fits; bit++)
    fits = wider >> bit > 1 ? operand->of_k[bit] == UINT32_C(1) << bit
                            : !(operand->of_k[bit] & inside);
  for (int i = 0; i < operand->count && fits; i++)
    fits = !(operand->own[i] & inside);
  return fits;
}

/* Do rows (columns) come in runs of `wider` neighbours, whatever k is? */
static bool has_neighbouring_rows(const struct product_operand *operand, int wider) {
  uint32_t inside = (uint32_t)wider - 1;
  bool fits = operand->count % wider == 0;
  for (int bit = 0; bit < operand->k_bits && fits; bit++)
    fits = !(operand->of_k[bit] & inside);
  for (int i = 0; i < operand->count && fits; i++)
    fits = operand->own[i] == operand->own[i & ~(wider - 1)] + ((uint32_t)i & inside) &&
           !(operand->own[i & ~(wider - 1)] & inside);
  return fits;
}

/* Elements that are next to one another, and where every thread's are aligned. */
static int neighbours(const struct product_operand *operand, const struct product_source *source) {
  int vector = 1;
  for (int wider = 2; wider * (int64_t)source->bytes <= MAX_ACCESS_BYTES; wider *= 2) {
    uint32_t inside = (uint32_t)wider - 1;
    bool aligned = !((operand->thread_bits | operand->origin) & inside) &&
                   source->first % (wider * (int64_t)source->bytes) == 0;
    if (!aligned || !(operand->along_k ? has_neighbours_along_k(operand, wider)
                                       : has_neighbouring_rows(operand, wider)))
      break;
    vector = wider;
  }
  return vector;
}

void product_operand_read(struct product_operand *out, struct arena *arena,
                          const struct linear_layout *sums, const struct layout_space *space,
                          int dim, int64_t unrolled, const struct product_source *source) {
  *out = (struct product_operand){.places = linear_layout_places(sums, space, dim),
                                  .k_bits = space->bits[LAYOUT_DIM0 + dim],
                                  .unrolled = unrolled,
                                  .origin = source->origin};
  struct linear_layout *places = &out->places;
  for (int bit = 0; bit < layout_space_total_bits(&places->in); bit++) {
    places->bases[bit] = offset_of(source, places->bases[bit]);
    out->thread_bits |= bit < places->in.bits[LAYOUT_REGISTER] ? 0 : places->bases[bit];
  }
  int shift = layout_space_shift(space, (enum layout_dim)(LAYOUT_DIM0 + dim));
  for (int bit = 0; bit < out->k_bits; bit++) {
    out->of_k[bit] = offset_of(source, UINT32_C(1) << (shift + bit));
    out->round_bits |= bit < log2_of(unrolled) ? 0 : out->of_k[bit];
  }
  out->along_k = out->k_bits > 0 && out->of_k[0] == 1;
  number_offsets(out, arena);
  out->vector = neighbours(out, source);
}

uint32_t product_operand_of_step(const struct product_operand *operand, int64_t k) {
  uint32_t offset = 0;
  for (int bit = 0; bit < operand->k_bits; bit++)
    offset ^= k >> bit & 1 ? operand->of_k[bit] : 0;
  return offset;
}

/* One load of a warp: `vector` elements of each lane. */
static int wavefronts_of_load(const struct product_operand *operand, unsigned bytes) {
  int bits = layout_space_total_bits(&operand->places.out);
  struct layout_space flat = {.bits = {[LAYOUT_DIM0] = (uint8_t)bits},
                              .dims = LAYOUT_SET(LAYOUT_DIM0)};
  struct linear_layout load = linear_layout_into(&flat);
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_WARP; dim++)
    linear_layout_declare_in(&load, (enum layout_dim)dim);
  for (int bit = 0; 1 << bit < operand->vector; bit++)
    linear_layout_append(&load, LAYOUT_REGISTER, UINT32_C(1) << bit);
  for (int bit = 0; bit < operand->places.in.bits[LAYOUT_LANE]; bit++)
    linear_layout_append(&load, LAYOUT_LANE,
                         linear_layout_basis(&operand->places, LAYOUT_LANE, bit));
  struct linear_layout in_place = linear_layout_identity(LAYOUT_DIM0, LAYOUT_OFFSET, bits);
  return conversion_at_offsets(&load, &in_place, 0, false, (int)bytes).wavefronts;
}

int64_t product_operand_cost(const struct product_operand *operand, unsigned bytes) {
  int64_t loads = (operand->count << operand->k_bits) / operand->vector;
  return loads * wavefronts_of_load(operand, bytes);
}

/* --- The order of what is stored -------------------------------------------------------------- */

enum { MAX_PHASE = 4 };

/* Rows along dimension `fast`. Their chunks are permuted for `phase` > 0: every 2^(phase - 1) rows,
   or groups of rows that fill the banks together, in another way. */
static struct swizzled_layout order_of(const struct product_stored *stored, int fast, int phase) {
  int rank = layout_space_rank(&stored->tile->out), next = 0;
  struct swizzled_layout layout = {.rank = rank, .vec = 1, .per_phase = 1, .max_phase = 1};
  layout.order[next++] = fast;
  for (int dim = rank - 1; dim >= 0; dim--)
    if (dim != fast)
      layout.order[next++] = dim;
  int64_t row = (int64_t)stored->bytes << stored->tile->out.bits[LAYOUT_DIM0 + fast];
  if (phase && row >= 2 * MAX_ACCESS_BYTES) {
    int64_t together = row < MACHINE_BANK_ROW ? MACHINE_BANK_ROW / row : 1;
    layout.vec = (int32_t)(MAX_ACCESS_BYTES / stored->bytes);
    layout.per_phase = (int32_t)(together << (phase - 1));
    layout.max_phase = (int32_t)(smaller(row, MACHINE_BANK_ROW) / MAX_ACCESS_BYTES);
  }
  return layout;
}

static bool offsets_of_order(const struct product_stored *stored,
                             const struct swizzled_layout *layout, struct linear_layout *out) {
  int64_t shape[LAYOUT_MAX_RANK];
  struct linear_layout memory;
  for (int dim = 0; dim < layout->rank; dim++)
    shape[dim] = INT64_C(1) << stored->tile->out.bits[LAYOUT_DIM0 + dim];
  tile_status status = layout_from_swizzled(layout, shape, &memory);
  if (!status)
    status = linear_layout_invert(&memory, out);
  bool good = !status;
  tile_status_free(status);
  if (good)
    out->in =
        (struct layout_space){.bits = {[LAYOUT_DIM0] = (uint8_t)layout_space_total_bits(&out->in)},
                              .dims = LAYOUT_SET(LAYOUT_DIM0)};
  return good;
}

/* Of a warp that stores its part of the operand. */
static int64_t stores_cost(const struct product_stored *stored,
                           const struct linear_layout *to_offset) {
  struct conversion_side side =
      conversion_at_offsets(stored->tile, to_offset, 0, true, (int)stored->bytes);
  int64_t registers = linear_layout_in_size(stored->tile, LAYOUT_REGISTER);
  registers >>= __builtin_popcount(side.skip.at[LAYOUT_REGISTER]);
  return registers / side.vector * side.wavefronts;
}

struct product_order product_order_choose(const struct product_stored *stored,
                                          struct arena *arena) {
  struct product_order best = {.cost = INT64_MAX};
  int rank = layout_space_rank(&stored->tile->out);
  for (int phase = 0; phase <= MAX_PHASE; phase++)
    for (int fast = rank - 1; fast >= rank - 2; fast--) {
      struct product_order order = {.layout = order_of(stored, fast, phase)};
      struct product_source source = {.to_offset = &order.to_offset, .bytes = stored->bytes};
      struct product_operand reads;
      if (!offsets_of_order(stored, &order.layout, &order.to_offset))
        continue;
      product_operand_read(&reads, arena, stored->sums, &stored->tile->out, stored->dim,
                           stored->unrolled, &source);
      order.cost = product_operand_cost(&reads, stored->bytes) +
                   stores_cost(stored, &order.to_offset) / stored->share;
      if (order.cost < best.cost)
        best = order;
    }
  return best;
}
