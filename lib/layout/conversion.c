/* SPDX-License-Identifier: MIT */
/* See conversion.h: the choice, renames and shuffles. Shared memory is in swizzle.c. */
#include "layout/conversion.h"

#include "layout/span.h"
#include "layout/swizzle.h"
#include "layout/warp_part.h"

enum { WORD_BYTES = 4 };

static uint32_t apply(const uint32_t map[CONVERSION_LANE_BITS], uint32_t lane) {
  uint32_t image = 0;
  for (int bit = 0; bit < CONVERSION_LANE_BITS; bit++)
    if (lane >> bit & 1)
      image ^= map[bit];
  return image;
}

/* Where target register `r` (of lane 0) lies: the source's register or lane. */
static uint32_t source_of(const struct conversion_shuffle *s, uint32_t r, enum layout_dim dim) {
  struct layout_point at = {.at = {[LAYOUT_REGISTER] = r}};
  return linear_layout_apply(&s->conversion, &at).at[dim];
}

uint32_t conversion_lane_offset(const struct conversion_shuffle *shuffle, uint32_t k) {
  return source_of(shuffle, k, LAYOUT_LANE);
}

uint32_t conversion_sent_register(const struct conversion_shuffle *shuffle, uint32_t k) {
  return source_of(shuffle, k, LAYOUT_REGISTER) ^
         apply(shuffle->sender, conversion_lane_offset(shuffle, k));
}

bool conversion_is_butterfly(const struct conversion_shuffle *shuffle) {
  for (int bit = 0; bit < CONVERSION_LANE_BITS; bit++)
    if (shuffle->lane[bit] != UINT32_C(1) << bit)
      return false;
  return true;
}

/* --- The functions of a shuffle --------------------------------------------------------------- */

/* A subspace with, for each row, the lanes whose images it is the XOR of. */
struct tracked {
  uint32_t row[CONVERSION_LANE_BITS], lanes[CONVERSION_LANE_BITS];
};

/* Cancels `image` as far as it goes, noting in *lanes what was added. */
static uint32_t cancel(const struct tracked *t, uint32_t image, uint32_t *lanes) {
  for (int bit = CONVERSION_LANE_BITS - 1; bit >= 0; bit--)
    if (image >> bit & 1 && t->row[bit]) {
      image ^= t->row[bit];
      *lanes ^= t->lanes[bit];
    }
  return image;
}

static void keep(struct tracked *t, uint32_t image, uint32_t lanes) {
  int bit = 31 - __builtin_clz(image);
  t->row[bit] = image;
  t->lanes[bit] = lanes;
}

static uint32_t lane_basis(const struct conversion_shuffle *s, int bit, enum layout_dim dim) {
  return layout_space_coordinate(&s->conversion.out,
                                 linear_layout_basis(&s->conversion, LAYOUT_LANE, bit), dim);
}

/* A target register bit whose sending lane is none that `known` makes; 0 if there is none. */
static uint32_t fresh_register(const struct conversion_shuffle *s, const struct tracked *known) {
  for (int bit = 0; bit < s->conversion.in.bits[LAYOUT_REGISTER]; bit++) {
    uint32_t lanes = 0;
    if (cancel(known, source_of(s, UINT32_C(1) << bit, LAYOUT_LANE), &lanes))
      return UINT32_C(1) << bit;
  }
  return 0;
}

/* Fills f, G and h. Lanes enter one bit at a time: where a combination of lanes reads from one
   sender, but not one register, its last lane bit is sent to fetch another register in this round.
   */
static bool solve_shuffle(struct conversion_shuffle *s) {
  struct tracked known = {0};
  int bits = s->conversion.in.bits[LAYOUT_LANE];
  uint32_t wanted[CONVERSION_LANE_BITS] = {0}; /* H: source register bits by bit of the reading lane
                                                */
  for (int bit = 0; bit < bits; bit++) {
    s->lane[bit] = lane_basis(s, bit, LAYOUT_LANE);
    wanted[bit] = lane_basis(s, bit, LAYOUT_REGISTER);
  }
  for (int bit = 0; bit < bits; bit++) {
    uint32_t lanes = UINT32_C(1) << bit, image = cancel(&known, s->lane[bit], &lanes);
    if (!image && apply(wanted, lanes)) {
      uint32_t r = fresh_register(s, &known);
      if (!r)
        return false;
      s->reader[bit] = r;
      s->lane[bit] ^= source_of(s, r, LAYOUT_LANE);
      wanted[bit] ^= source_of(s, r, LAYOUT_REGISTER);
      lanes = UINT32_C(1) << bit;
      image = cancel(&known, s->lane[bit], &lanes);
    }
    if (image)
      keep(&known, image, lanes);
  }
  /* h(G(t)) = H(t): on each row's highest bit, least significant first. */
  for (int bit = 0; bit < CONVERSION_LANE_BITS; bit++)
    if (known.row[bit])
      s->sender[bit] = apply(wanted, known.lanes[bit]) ^
                       apply(s->sender, known.row[bit] & ((UINT32_C(1) << bit) - 1));
  return true;
}

/* Different values of a map, 0 apart: each costs one select per register. */
static int count_masks(const uint32_t map[CONVERSION_LANE_BITS]) {
  int count = 0;
  for (int bit = 0; bit < CONVERSION_LANE_BITS; bit++) {
    bool fresh = map[bit] != 0;
    for (int earlier = 0; earlier < bit; earlier++)
      fresh &= map[earlier] != map[bit];
    count += fresh;
  }
  return count;
}

/* Rounds of shuffles between different lanes, and values selected, of a rename or shuffle. */
static void conversion_count_shuffles(const struct layout_conversion *plan, int *out_shuffles,
                                      int *out_selects) {
  const struct conversion_shuffle *s = &plan->shuffle;
  *out_shuffles = *out_selects = 0;
  if (plan->kind != CONVERSION_SHUFFLE)
    return;
  int targets = 1 << s->conversion.in.bits[LAYOUT_REGISTER];
  int sources = 1 << s->conversion.out.bits[LAYOUT_REGISTER];
  bool butterfly = conversion_is_butterfly(s);
  for (int k = 0; k < targets; k++)
    *out_shuffles += !butterfly || conversion_lane_offset(s, (uint32_t)k) != 0;
  *out_selects = sources * count_masks(s->sender) + targets * count_masks(s->reader);
}

/* --- Registers that both sides have ----------------------------------------------------------- */

/* Is element bit `image` (one bit) set by no basis but this one? */
static bool stands_alone(const struct linear_layout *layout, uint32_t image, int bit) {
  for (int i = 0; i < layout_space_total_bits(&layout->in); i++)
    if (i != bit && layout->bases[i] & image)
      return false;
  return true;
}

static bool is_common(const struct linear_layout *from, const struct linear_layout *to,
                      struct conversion_chunk bits) {
  uint32_t image = from->bases[bits.from];
  return image && image == to->bases[bits.to] && !(image & (image - 1)) &&
         stands_alone(from, image, bits.from) && stands_alone(to, image, bits.to);
}

/* Register bits that are one and the same bit of the element on both sides: the highest ones, or
   the lowest ones. */
static bool find_chunk(const struct linear_layout *from, const struct linear_layout *to,
                       bool highest, struct conversion_chunk *out) {
  int count = from->in.bits[LAYOUT_REGISTER], others = to->in.bits[LAYOUT_REGISTER];
  for (int i = 0; i < count; i++)
    for (int j = 0; j < others; j++) {
      *out = highest ? (struct conversion_chunk){count - 1 - i, others - 1 - j}
                     : (struct conversion_chunk){i, j};
      if (is_common(from, to, *out))
        return true;
    }
  return false;
}

/* The layout of one half: without the register bit, and without its bit of the element. */
static struct linear_layout half_of(const struct linear_layout *layout, int bit) {
  uint32_t image = layout->bases[bit], below = image - 1;
  struct linear_layout half = *layout;
  int total = layout_space_total_bits(&layout->in), next = 0;
  half.in.bits[LAYOUT_REGISTER]--;
  half.out = (struct layout_space){
      .bits = {[LAYOUT_DIM0] = (uint8_t)(layout_space_total_bits(&layout->out) - 1)},
      .dims = LAYOUT_SET(LAYOUT_DIM0)};
  for (int i = 0; i < total; i++)
    if (i != bit)
      half.bases[next++] = (layout->bases[i] & below) | (layout->bases[i] >> 1 & ~below);
  half.bases[next] = 0;
  return half;
}

/* --- The choice ------------------------------------------------------------------------------- */

/* Wavefronts of all accesses of a warp. Lanes that load the same are one of these together. */
static int accesses(const struct conversion_side *side, int bytes) {
  enum { WAVEFRONT_BYTES = 128 };
  struct linear_layout lanes =
      linear_layout_sublayout(&side->address, LAYOUT_SET(LAYOUT_LANE), LAYOUT_SET(LAYOUT_OFFSET));
  int different = (bytes * side->vector) << linear_layout_rank(&lanes);
  int least = (different + WAVEFRONT_BYTES - 1) / WAVEFRONT_BYTES;
  int wavefronts = side->wavefronts == side->least ? least : side->wavefronts;
  return (1 << side->address.in.bits[LAYOUT_REGISTER]) / side->vector * wavefronts;
}

/* prmt of a thread for each word that it makes of its registers, or takes apart. Registers that
   follow one another lie together as it is: two bytes of a conversion, four of an operand. */
static int permutations_of_word(const struct layout_conversion *plan, bool source) {
  int parts = 1 << plan->chunk_bits, together = 1;
  for (int i = 0; i < plan->chunk_bits; i++) {
    int bit = source ? plan->chunks[i].from : plan->chunks[i].to; /* of those that were left */
    if (bit == 0 && together == 1 << i)
      together *= 2;
  }
  return parts / together - 1;
}

/* In units of one shuffle; a select or permutation is half one. */
static int shuffles_cost(const struct layout_conversion *plan, int bytes) {
  const struct linear_layout *x = &plan->shuffle.conversion;
  int shuffles, halves, words = bytes == 8 ? 2 : 1;
  conversion_count_shuffles(plan, &shuffles, &halves);
  halves *= words;
  halves += permutations_of_word(plan, true) << x->out.bits[LAYOUT_REGISTER];
  halves += permutations_of_word(plan, false) << x->in.bits[LAYOUT_REGISTER];
  return shuffles * words + halves / 2;
}

/* Two barriers of the block are about 24 shuffles, and 8 is what lanes of a warp wait for one
   another's stores. */
static int shared_cost(const struct layout_conversion *plan, int bytes) {
  int wait = plan->within_warp || !plan->read.address.in.bits[LAYOUT_WARP] ? 8 : 24;
  return (accesses(&plan->write, bytes) + accesses(&plan->read, bytes) + wait) << plan->chunk_bits;
}

tile_status conversion_plan_shared(const struct linear_layout *from, const struct linear_layout *to,
                                   int bytes, struct layout_conversion *out) {
  *out = (struct layout_conversion){.kind = CONVERSION_SHARED};
  return swizzle_plan(from, to, bytes, out);
}

static tile_status plan_rename(const struct linear_layout *from, const struct linear_layout *to,
                               bool *out_found, struct layout_conversion *out) {
  *out = (struct layout_conversion){.kind = CONVERSION_RENAME};
  tile_status status = linear_layout_conversion(to, from, &out->shuffle.conversion);
  *out_found = !status && linear_layout_is_identity_over(&out->shuffle.conversion, LAYOUT_WARP) &&
               linear_layout_is_identity_over(&out->shuffle.conversion, LAYOUT_LANE);
  return status;
}

/* Takes shuffles if they are cheaper than `out`, which goes through shared memory: of one, two or
   four elements at a time, whatever is cheapest. */
static tile_status prefer_shuffles(const struct linear_layout *from, const struct linear_layout *to,
                                   int bytes, struct layout_conversion *out) {
  struct layout_conversion plan = {.kind = CONVERSION_SHUFFLE};
  struct linear_layout source = *from, target = *to;
  int least = shared_cost(out, bytes) + 1;
  for (;;) {
    struct conversion_shuffle *shuffle = &plan.shuffle;
    *shuffle = (struct conversion_shuffle){0};
    tile_status status = linear_layout_conversion(&target, &source, &shuffle->conversion);
    if (status)
      return status;
    if (linear_layout_is_identity_over(&shuffle->conversion, LAYOUT_WARP) &&
        solve_shuffle(shuffle) && shuffles_cost(&plan, bytes) < least) {
      *out = plan;
      least = shuffles_cost(&plan, bytes);
    }
    struct conversion_chunk *bits = &plan.chunks[plan.chunk_bits];
    if (bytes << plan.chunk_bits >= WORD_BYTES || !find_chunk(&source, &target, false, bits))
      return NULL;
    source = half_of(&source, bits->from);
    target = half_of(&target, bits->to);
    plan.chunk_bits++;
  }
}

tile_status conversion_plan(const struct linear_layout *from, const struct linear_layout *to,
                            int bytes, struct layout_conversion *out) {
  bool renamed;
  tile_status status = plan_rename(from, to, &renamed, out);
  if (status || renamed)
    return status;
  status = conversion_plan_shared(from, to, bytes, out);
  return status ? status : prefer_shuffles(from, to, bytes, out);
}

/* --- Matrices --------------------------------------------------------------------------------- */

enum {
  ROW_ELEMENTS_BITS = 3,
  WORD_LANES = 2,
  ROW_LANES = 3,
  MATRIX_LANES = 2,
  MATRIX_ELEMENT_BYTES = 2
};

/* The layout of rows that stmatrix stores of `from`; false where some of them are held twice. */
static bool matrix_rows(const struct linear_layout *from, struct conversion_matrices *matrices,
                        struct linear_layout *out) {
  int registers = from->in.bits[LAYOUT_REGISTER], taken = 0;
  struct layout_point copies = linear_layout_free_masks(from);
  if (registers < 1 || from->in.bits[LAYOUT_LANE] != CONVERSION_LANE_BITS ||
      copies.at[LAYOUT_REGISTER] || copies.at[LAYOUT_LANE] || copies.at[LAYOUT_WARP])
    return false;
  for (int bit = 0; bit < registers; bit++)
    matrices->source_bits[bit] = bit;
  matrices->matrix_bits = registers - 1 < MATRIX_LANES ? registers - 1 : MATRIX_LANES;
  *out = linear_layout_into(&from->out);
  for (int dim = LAYOUT_REGISTER; dim <= LAYOUT_WARP; dim++)
    linear_layout_declare_in(out, dim);
  linear_layout_append(out, LAYOUT_REGISTER, linear_layout_basis(from, LAYOUT_REGISTER, taken++));
  for (int bit = 0; bit < WORD_LANES; bit++)
    linear_layout_append(out, LAYOUT_REGISTER, linear_layout_basis(from, LAYOUT_LANE, bit));
  for (int bit = 0; bit < ROW_LANES; bit++)
    linear_layout_append(out, LAYOUT_LANE,
                         linear_layout_basis(from, LAYOUT_LANE, WORD_LANES + bit));
  for (int bit = 0; bit < MATRIX_LANES; bit++) {
    bool there = bit < matrices->matrix_bits;
    linear_layout_append(out, LAYOUT_LANE,
                         there ? linear_layout_basis(from, LAYOUT_REGISTER, taken) : 0);
    taken += there;
  }
  for (; taken < registers; taken++)
    linear_layout_append(out, LAYOUT_REGISTER, linear_layout_basis(from, LAYOUT_REGISTER, taken));
  for (int bit = 0; bit < from->in.bits[LAYOUT_WARP]; bit++)
    linear_layout_append(out, LAYOUT_WARP, linear_layout_basis(from, LAYOUT_WARP, bit));
  return true;
}

static int instructions(const struct layout_conversion *plan) {
  int stores = (1 << plan->write.address.in.bits[LAYOUT_REGISTER]) / plan->write.vector;
  return stores + (1 << plan->read.address.in.bits[LAYOUT_REGISTER]) / plan->read.vector;
}

/* Are the first registers the elements of a row, in order, and does everything go without
   conflicts? */
static bool writes_rows(const struct conversion_side *write) {
  bool rows = write->vector == 1 << ROW_ELEMENTS_BITS;
  for (int bit = 0; bit < ROW_ELEMENTS_BITS && rows; bit++)
    rows = linear_layout_basis(&write->address, LAYOUT_REGISTER, bit) == UINT32_C(1) << bit;
  return rows && write->wavefronts == write->least;
}

static bool stores_rows(const struct layout_conversion *plan) {
  return writes_rows(&plan->write) && plan->read.wavefronts == plan->read.least;
}

bool conversion_matrix_stores(const struct linear_layout *tensor,
                              const struct linear_layout *to_offset, int bytes,
                              struct layout_conversion *out) {
  struct linear_layout rows;
  *out = (struct layout_conversion){.kind = CONVERSION_SHARED, .matrices = {.used = true}};
  if (bytes != MATRIX_ELEMENT_BYTES || !matrix_rows(tensor, &out->matrices, &rows))
    return false;
  out->write = conversion_at_offsets(&rows, to_offset, 0, true, bytes);
  return writes_rows(&out->write);
}

/* Through shared memory, stored as registers have it or, with `matrices`, by stmatrix if that is
   shorter. */
static tile_status plan_stores(const struct linear_layout *from, const struct linear_layout *to,
                               int bytes, bool matrices, struct layout_conversion *out) {
  struct layout_conversion plan;
  struct conversion_matrices how = {.used = true};
  struct linear_layout rows;
  tile_status status = conversion_plan_shared(from, to, bytes, out);
  if (status || !matrices || bytes != MATRIX_ELEMENT_BYTES || !matrix_rows(from, &how, &rows))
    return status;
  status = conversion_plan_shared(&rows, to, bytes, &plan);
  if (!status && stores_rows(&plan) && instructions(&plan) < instructions(out)) {
    *out = plan;
    out->matrices = how;
  }
  return status;
}

/* What copies in each warp may take at most, if the tensor itself takes less. */
enum { SMALL_BYTES = 8192 };

/* --- Rounds ----------------------------------------------------------------------------------- */

/* Plans the conversion through shared memory, in chunks where it would need more than the limit. */
static tile_status plan_chunked(const struct linear_layout *from, const struct linear_layout *to,
                                int bytes, const struct conversion_means *means,
                                struct layout_conversion *out) {
  tile_status status = plan_stores(from, to, bytes, means->matrices, out);
  struct conversion_chunk chunks[LAYOUT_MAX_BITS];
  int count = 0;
  struct linear_layout part = *from, target = *to;
  while (!status && out->bytes > means->limit && find_chunk(&part, &target, true, &chunks[count])) {
    part = half_of(&part, chunks[count].from);
    target = half_of(&target, chunks[count].to);
    count++;
    status = plan_stores(&part, &target, bytes, means->matrices, out);
  }
  out->chunk_bits = count;
  for (int i = 0; i < count; i++)
    out->chunks[i] = chunks[i];
  return status;
}

/* Within each warp where that is possible. */
static tile_status plan_exchange(const struct linear_layout *from, const struct linear_layout *to,
                                 int bytes, const struct conversion_means *means,
                                 struct layout_conversion *out) {
  struct linear_layout own_from, own_to;
  int warp_bits = to->in.bits[LAYOUT_WARP];
  tile_status status = plan_chunked(from, to, bytes, means, out);
  if (status || means->block || !warp_part(from, to, &own_from, &own_to))
    return status;
  struct layout_conversion own;
  struct conversion_means own_means = {means->limit >> warp_bits, means->matrices, false};
  status = plan_chunked(&own_from, &own_to, bytes, &own_means, &own);
  /* Where several warps hold an element, each keeps it in its own part. */
  if (!status && own.bytes << warp_bits <= (out->bytes > SMALL_BYTES ? out->bytes : SMALL_BYTES)) {
    *out = own;
    warp_part_widen(out, warp_bits);
  }
  return status;
}

tile_status conversion_plan_chunked(const struct linear_layout *from,
                                    const struct linear_layout *to, int bytes,
                                    const struct conversion_means *means,
                                    struct layout_conversion *out) {
  bool renamed;
  tile_status status = plan_rename(from, to, &renamed, out);
  if (status || renamed)
    return status;
  status = plan_exchange(from, to, bytes, means, out);
  return status ? status : prefer_shuffles(from, to, bytes, out);
}

int conversion_chunk_registers(const struct layout_conversion *plan, bool writes, int chunk,
                               int count, int *out) {
  int found = count >> plan->chunk_bits;
  for (int r = 0; r < found; r++) {
    uint32_t full = (uint32_t)r;
    /* The bits were taken out one by one: put them back in from the last one on. */
    for (int i = plan->chunk_bits - 1; i >= 0; i--) {
      int bit = writes ? plan->chunks[i].from : plan->chunks[i].to;
      uint32_t below = (UINT32_C(1) << bit) - 1;
      full = (full & below) | (full & ~below) << 1 | (uint32_t)(chunk >> i & 1) << bit;
    }
    out[r] = (int)full;
  }
  return found;
}

void conversion_describe_side(const struct conversion_side *side, const char *what, int bytes,
                              struct text *out) {
  text_printf(out, "; %s of %d bytes: %d wavefront%s, least %d", what, side->vector * bytes,
              side->wavefronts, side->wavefronts == 1 ? "" : "s", side->least);
}

void conversion_describe(const struct layout_conversion *plan, int bytes, struct text *out) {
  if (plan->kind == CONVERSION_RENAME) {
    text_puts(out, "registers renamed");
    return;
  }
  if (plan->kind == CONVERSION_SHUFFLE) {
    int shuffles, selects;
    conversion_count_shuffles(plan, &shuffles, &selects);
    text_printf(out, "%d shuffles and %d selects a thread", shuffles, selects);
    if (plan->chunk_bits)
      text_printf(out, ", of %d elements each", 1 << plan->chunk_bits);
    return;
  }
  text_printf(out, "shared memory%s, %lld bytes", plan->within_warp ? " within each warp" : "",
              (long long)plan->bytes);
  if (plan->chunk_bits)
    text_printf(out, ", %d chunks", 1 << plan->chunk_bits);
  conversion_describe_side(&plan->write,
                           plan->matrices.used ? "stores of matrices, rows" : "stores", bytes, out);
  conversion_describe_side(&plan->read, "loads", bytes, out);
}
