/* SPDX-License-Identifier: MIT */
/* See swizzle.h. The order is built as a list of basis words, lowest offset bit first:

     unit   the bits of one access: registers of both sides, at most 16 bytes; of either side where
            all fits into one row, since then no order has conflicts; filled up to one 4-byte word,
            in which lanes never conflict
     banks  together with the unit 128 bytes: what the writing lanes span, so that they hit
            different banks
     rows   a complement of the unit and the banks, and of the unit and the reading lanes */
#include "layout/swizzle.h"

#include <string.h>
#include "base/machine.h"
#include "base/numbers.h"
#include "layout/span.h"

/* A list of independent words and their span. */
struct basis {
  uint32_t word[LAYOUT_MAX_BITS];
  int count;
  struct span span;
};

static bool append(struct basis *basis, uint32_t word) {
  if (!span_add(&basis->span, word))
    return false;
  basis->word[basis->count++] = word;
  return true;
}

/* Images of the bits of an input, those in `skip` left out. */
static int images(const struct linear_layout *layout, enum layout_dim dim, uint32_t skip,
                  uint32_t *out) {
  int count = 0;
  for (int bit = 0; bit < layout->in.bits[dim]; bit++) {
    uint32_t image = linear_layout_basis(layout, dim, bit);
    if (image && !(skip >> bit & 1))
      out[count++] = image;
  }
  return count;
}

/* What one side brings: its registers and lanes as words. */
struct party {
  uint32_t registers[LAYOUT_MAX_BITS], lanes[LAYOUT_MAX_BITS];
  int register_count, lane_count;
  struct span register_span;
};

static struct party make_party(const struct linear_layout *layout,
                               const struct layout_point *skip) {
  struct party party = {0};
  party.register_count =
      images(layout, LAYOUT_REGISTER, skip->at[LAYOUT_REGISTER], party.registers);
  party.lane_count = images(layout, LAYOUT_LANE, skip->at[LAYOUT_LANE], party.lanes);
  for (int i = 0; i < party.register_count; i++)
    span_add(&party.register_span, party.registers[i]);
  return party;
}

static void append_all(struct basis *basis, const uint32_t *words, int count, int limit) {
  for (int i = 0; i < count && basis->count < limit; i++)
    append(basis, words[i]);
}

/* At most `most` bits of common registers, or, in one row, of either side's. */
static struct basis choose_unit(const struct party *writer, const struct party *reader, int bytes,
                                int most, int total) {
  struct basis unit = {0};
  int word = log2_of(MACHINE_BANK_BYTES) - log2_of(bytes);
  if (word > total)
    word = total;
  for (int i = 0; i < writer->register_count && unit.count < most; i++)
    if (span_has(&reader->register_span, writer->registers[i]))
      append(&unit, writer->registers[i]);
  if (bytes << total <= MACHINE_BANK_ROW) {
    append_all(&unit, reader->registers, reader->register_count, most);
    append_all(&unit, writer->registers, writer->register_count, most);
  }
  append_all(&unit, writer->registers, writer->register_count, word);
  append_all(&unit, reader->registers, reader->register_count, word);
  append_all(&unit, writer->lanes, writer->lane_count, word);
  append_all(&unit, reader->lanes, reader->lane_count, word);
  for (int bit = 0; bit < total && unit.count < word; bit++)
    append(&unit, UINT32_C(1) << bit);
  return unit;
}

/* Lane bits that access at the same time: all, of wide accesses the lowest ones (PTX leaves this
   open; the hardware takes half or quarter warps). */
static int lanes_at_once(int unit_bytes) {
  return unit_bytes >= 16 ? 3 : unit_bytes >= 8 ? 4 : 5;
}

/* The unit, then what the lanes span, then words of `other`, then anything, up to `limit`. */
static struct basis extend(const struct basis *unit, const struct party *party, int lanes,
                           const struct basis *other, int limit, int total) {
  struct basis basis = *unit;
  append_all(&basis, party->lanes, party->lane_count < lanes ? party->lane_count : lanes, limit);
  if (other)
    append_all(&basis, other->word, other->count, limit);
  for (int bit = 0; bit < total && basis.count < limit; bit++)
    append(&basis, UINT32_C(1) << bit);
  return basis;
}

/* Appends to `order` (which is the writer's unit and banks) a complement of `order` and of
   `reader`. */
static void append_rows(struct basis *order, const struct basis *reader, int total) {
  /* Members of the reader beyond the writer's, and the part that both have in common. */
  struct basis writer = *order, both = writer, common = {0};
  uint32_t beyond[LAYOUT_MAX_BITS];
  int beyond_count = 0;
  for (int i = 0; i < reader->count; i++)
    if (append(&both, reader->word[i]))
      beyond[beyond_count++] = reader->word[i];
  /* A word of the reader, less what it has beyond, is common: reduce by the independent ones. */
  for (int i = 0; i < reader->count; i++) {
    struct span rest = writer.span;
    uint32_t word = reader->word[i];
    for (uint32_t choice = 0; choice < UINT32_C(1) << beyond_count; choice++) {
      uint32_t sum = word;
      for (int j = 0; j < beyond_count; j++)
        if (choice >> j & 1)
          sum ^= beyond[j];
      if (span_has(&rest, sum)) {
        append(&common, sum);
        break;
      }
    }
  }
  int paired = 0;
  for (int i = 0; i < writer.count && paired < beyond_count; i++)
    if (append(&common, writer.word[i]))
      append(order, writer.word[i] ^ beyond[paired++]);
  for (int bit = 0; bit < total && order->count < total; bit++)
    if (append(&both, UINT32_C(1) << bit))
      append(order, UINT32_C(1) << bit);
}

/* --- What the sides do ------------------------------------------------------------------------ */

static uint32_t thread_offsets(const struct linear_layout *address) {
  uint32_t used = 0;
  for (int bit = address->in.bits[LAYOUT_REGISTER]; bit < layout_space_total_bits(&address->in);
       bit++)
    used |= address->bases[bit];
  return used;
}

static struct linear_layout registers_only(const struct linear_layout *address) {
  return linear_layout_sublayout(address, LAYOUT_SET(LAYOUT_REGISTER), LAYOUT_ALL_DIMS);
}

/* Low offset bits that registers, and only they, set. */
static int widest_vector(const struct linear_layout *address, int bytes) {
  struct linear_layout registers = registers_only(address);
  uint32_t used = thread_offsets(address), found;
  int vector = 1;
  while (vector * bytes < CONVERSION_ACCESS_BYTES &&
         vector < linear_layout_out_size(address, LAYOUT_OFFSET) && !(used & (uint32_t)vector) &&
         linear_layout_find(&registers, (uint32_t)vector, &found))
    vector *= 2;
  return vector;
}

static int rows_in_busiest_bank(const struct conversion_side *side, int first, int lanes,
                                int bytes) {
  uint32_t seen[MACHINE_BANKS][MACHINE_LANES];
  int count[MACHINE_BANKS] = {0}, most = 1;
  int words =
      side->vector * bytes <= MACHINE_BANK_BYTES ? 1 : side->vector * bytes / MACHINE_BANK_BYTES;
  for (int lane = first; lane < first + lanes; lane++) {
    if ((uint32_t)lane & side->skip.at[LAYOUT_LANE])
      continue;
    struct layout_point at = {.at = {[LAYOUT_LANE] = (uint32_t)lane}};
    uint32_t offset = linear_layout_apply(&side->address, &at).at[LAYOUT_OFFSET] * (uint32_t)bytes;
    for (int word = 0; word < words; word++) {
      uint32_t place = offset / MACHINE_BANK_BYTES + (uint32_t)word, bank = place % MACHINE_BANKS;
      int i = 0;
      while (i < count[bank] && seen[bank][i] != place)
        i++;
      if (i == count[bank])
        seen[bank][count[bank]++] = place;
      if (count[bank] > most)
        most = count[bank];
    }
  }
  return most;
}

static void count_wavefronts(struct conversion_side *side, int bytes) {
  int lanes = 1 << lanes_at_once(side->vector * bytes);
  for (int first = 0; first < MACHINE_LANES; first += lanes) {
    side->wavefronts += rows_in_busiest_bank(side, first, lanes, bytes);
    side->least++;
  }
}

static struct conversion_side make_side(const struct linear_layout *layout,
                                        const struct linear_layout *element_to_offset,
                                        struct layout_point skip, int bytes) {
  struct conversion_side side = {.skip = skip};
  struct layout_space flat = {
      .bits = {[LAYOUT_DIM0] = (uint8_t)layout_space_total_bits(&layout->out)},
      .dims = LAYOUT_SET(LAYOUT_DIM0)};
  struct linear_layout flattened = linear_layout_reshape(layout, &flat);
  side.address = linear_layout_compose(&flattened, element_to_offset);
  side.vector = widest_vector(&side.address, bytes);
  count_wavefronts(&side, bytes);
  return side;
}

/* One order of elements, with accesses of at most 2^most elements, and what the sides make of it.
 */
static tile_status plan_with(const struct linear_layout *from, const struct linear_layout *to,
                             int bytes, int most, struct layout_conversion *out) {
  int total = layout_space_total_bits(&from->out);
  struct layout_point writer_skip = linear_layout_free_masks(from), reader_skip = {0};
  struct party writer = make_party(from, &writer_skip), reader = make_party(to, &reader_skip);
  struct basis unit = choose_unit(&writer, &reader, bytes, most, total);
  int lanes = lanes_at_once(bytes << unit.count);
  int row = log2_of(MACHINE_BANK_ROW) - log2_of(bytes);
  if (row > total)
    row = total;
  struct basis reading = extend(&unit, &reader, lanes, NULL, row, total);
  struct basis order = extend(&unit, &writer, lanes, &reading, row, total);
  append_rows(&order, &reading, total);

  struct linear_layout memory = {
      .in = {.bits = {[LAYOUT_OFFSET] = (uint8_t)total}, .dims = LAYOUT_SET(LAYOUT_OFFSET)},
      .out = {.bits = {[LAYOUT_DIM0] = (uint8_t)total}, .dims = LAYOUT_SET(LAYOUT_DIM0)}};
  memcpy(memory.bases, order.word, sizeof memory.bases);
  struct linear_layout element_to_offset;
  tile_status status = linear_layout_invert(&memory, &element_to_offset);
  if (status)
    return status;
  out->write = make_side(from, &element_to_offset, writer_skip, bytes);
  out->read = make_side(to, &element_to_offset, reader_skip, bytes);
  out->bytes = (int64_t)bytes << total;
  return NULL;
}

static bool is_free_of_conflicts(const struct layout_conversion *plan) {
  return plan->write.wavefronts == plan->write.least && plan->read.wavefronts == plan->read.least;
}

static int cost(const struct layout_conversion *plan) {
  return plan->write.wavefronts * CONVERSION_ACCESS_BYTES / plan->write.vector +
         plan->read.wavefronts * CONVERSION_ACCESS_BYTES / plan->read.vector;
}

/* Wide accesses first. In layouts whose threads differ in bits of registers an access may come out
   narrower than planned, and more lanes meet: then a narrower plan can be the better one. */
tile_status swizzle_plan(const struct linear_layout *from, const struct linear_layout *to,
                         int bytes, struct layout_conversion *out) {
  struct layout_conversion best = *out;
  for (int most = log2_of(CONVERSION_ACCESS_BYTES) - log2_of(bytes); most >= 0; most--) {
    struct layout_conversion plan = *out;
    tile_status status = plan_with(from, to, bytes, most, &plan);
    if (status)
      return status;
    if (!best.bytes || cost(&plan) < cost(&best))
      best = plan;
    if (is_free_of_conflicts(&plan))
      break;
  }
  *out = best;
  return NULL;
}

struct conversion_side conversion_row_major(const struct linear_layout *from, int bytes) {
  struct linear_layout in_order =
      linear_layout_identity(LAYOUT_DIM0, LAYOUT_OFFSET, layout_space_total_bits(&from->out));
  return make_side(from, &in_order, linear_layout_free_masks(from), bytes);
}

struct conversion_side conversion_at_offsets(const struct linear_layout *tensor,
                                             const struct linear_layout *to_offset, uint32_t origin,
                                             bool stores, int bytes) {
  struct layout_point skip = {0};
  if (stores)
    skip = linear_layout_free_masks(tensor);
  struct conversion_side side = make_side(tensor, to_offset, skip, bytes);
  side.origin = origin;
  return side;
}

int conversion_registers(const struct conversion_side *side, uint32_t *out) {
  struct linear_layout registers = registers_only(&side->address);
  uint32_t step[LAYOUT_MAX_BITS] = {0};
  int count = 0, all = 1 << side->address.in.bits[LAYOUT_REGISTER];
  for (int bit = 0; 1 << bit < side->vector; bit++)
    linear_layout_find(&registers, UINT32_C(1) << bit, &step[bit]);
  for (uint32_t r = 0; r < (uint32_t)all; r++) {
    uint32_t member[CONVERSION_ACCESS_BYTES] = {0}, smallest = r;
    if (r & side->skip.at[LAYOUT_REGISTER])
      continue;
    uint32_t offset = linear_layout_apply_flat(&registers, r) ^ side->origin;
    uint32_t low = offset & (uint32_t)(side->vector - 1);
    for (uint32_t j = 0; j < (uint32_t)side->vector; j++) {
      member[j] = r;
      for (int bit = 0; (int)(j ^ low) >> bit; bit++)
        if ((j ^ low) >> bit & 1)
          member[j] ^= step[bit];
      if (member[j] < smallest)
        smallest = member[j];
    }
    if (smallest != r)
      continue; /* listed with that one */
    memcpy(out + count, member, sizeof *out * (size_t)side->vector);
    count += side->vector;
  }
  return count;
}
