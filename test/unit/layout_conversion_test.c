/* SPDX-License-Identifier: MIT */
/* Exchanges between random layouts, carried out here as their plans say, thread by thread: every
   value must arrive, shared-memory accesses must not conflict, and no two threads may write one
   place. */
#include "layout/conversion.h"

#include <stdlib.h>
#include "base/status.h"
#include "check.h"
#include "layout_random.h"

enum { LANES = 32, MAX_REGISTERS = 256 };

static uint32_t element_at(const struct linear_layout *layout, uint32_t r, uint32_t lane,
                           uint32_t warp) {
  struct layout_point at = {
      .at = {[LAYOUT_REGISTER] = r, [LAYOUT_LANE] = lane, [LAYOUT_WARP] = warp}};
  return linear_layout_apply(layout, &at).at[LAYOUT_DIM0];
}

static uint32_t apply(const uint32_t *map, uint32_t lane) {
  uint32_t sum = 0;
  for (int bit = 0; bit < 5; bit++)
    sum ^= lane >> bit & 1 ? map[bit] : 0;
  return sum;
}

static bool renames(const struct layout_conversion *plan, const struct linear_layout *from,
                    const struct linear_layout *to, int warps) {
  bool good = true;
  for (uint32_t r = 0; r < (uint32_t)linear_layout_in_size(to, LAYOUT_REGISTER); r++) {
    struct layout_point at = {.at = {[LAYOUT_REGISTER] = r}};
    uint32_t s = linear_layout_apply(&plan->shuffle.conversion, &at).at[LAYOUT_REGISTER];
    for (uint32_t lane = 0; lane < LANES; lane++)
      for (uint32_t warp = 0; warp < (uint32_t)warps; warp++)
        good &= element_at(to, r, lane, warp) == element_at(from, s, lane, warp);
  }
  return good;
}

static int words_seen[3]; /* shuffles of 1, 2 and 4 elements */

/* A word's elements, the first one lowest: elements are of at most 12 bits here. */
enum { ELEMENT_BITS = 12 };

static uint64_t word_at(const struct layout_conversion *plan, bool writes,
                        const struct linear_layout *layout, uint32_t word, uint32_t lane,
                        uint32_t warp) {
  int registers[MAX_REGISTERS], count = (int)linear_layout_in_size(layout, LAYOUT_REGISTER);
  uint64_t elements = 0;
  for (int part = 0; part < 1 << plan->chunk_bits; part++) {
    conversion_chunk_registers(plan, writes, part, count, registers);
    elements |= (uint64_t)element_at(layout, (uint32_t)registers[word], lane, warp)
                << part * ELEMENT_BITS;
  }
  return elements;
}

static bool shuffles(const struct layout_conversion *plan, const struct linear_layout *from,
                     const struct linear_layout *to, int warps, int bytes) {
  static uint64_t y[LANES][MAX_REGISTERS], z[LANES][MAX_REGISTERS];
  uint32_t sources = (uint32_t)linear_layout_in_size(from, LAYOUT_REGISTER) >> plan->chunk_bits;
  uint32_t targets = (uint32_t)linear_layout_in_size(to, LAYOUT_REGISTER) >> plan->chunk_bits;
  const struct conversion_shuffle *s = &plan->shuffle;
  bool good = !plan->chunk_bits || bytes << plan->chunk_bits <= 4;
  words_seen[plan->chunk_bits]++;
  for (uint32_t warp = 0; warp < (uint32_t)warps; warp++) {
    for (uint32_t lane = 0; lane < LANES; lane++)
      for (uint32_t r = 0; r < sources; r++)
        y[lane][r] = word_at(plan, true, from, r ^ apply(s->sender, lane), lane, warp);
    for (uint32_t lane = 0; lane < LANES; lane++)
      for (uint32_t k = 0; k < targets; k++)
        z[lane][k] =
            y[conversion_lane_offset(s, k) ^ apply(s->lane, lane)][conversion_sent_register(s, k)];
    for (uint32_t lane = 0; lane < LANES; lane++)
      for (uint32_t r = 0; r < targets; r++)
        good &= z[lane][r ^ apply(s->reader, lane)] == word_at(plan, false, to, r, lane, warp);
  }
  return good;
}

static uint32_t offset_at(const struct conversion_side *side, uint32_t r, uint32_t lane,
                          uint32_t warp) {
  struct layout_point at = {
      .at = {[LAYOUT_REGISTER] = r, [LAYOUT_LANE] = lane, [LAYOUT_WARP] = warp}};
  return linear_layout_apply(&side->address, &at).at[LAYOUT_OFFSET];
}

/* Writes or checks every place that a side accesses; counts writes of a place in `writes`. */
static bool access(const struct conversion_side *side, const struct linear_layout *layout,
                   int warps, uint32_t *memory, uint8_t *writes) {
  uint32_t registers[MAX_REGISTERS];
  int count = conversion_registers(side, registers);
  bool good = writes || count == linear_layout_in_size(layout, LAYOUT_REGISTER);
  for (uint32_t lane = 0; lane < LANES; lane++)
    for (uint32_t warp = 0; warp < (uint32_t)warps; warp++) {
      if ((lane & side->skip.at[LAYOUT_LANE]) || (warp & side->skip.at[LAYOUT_WARP]))
        continue;
      for (int i = 0; i < count; i++) {
        uint32_t first = offset_at(side, registers[i - i % side->vector], lane, warp);
        uint32_t at = offset_at(side, registers[i], lane, warp);
        uint32_t element = element_at(layout, registers[i], lane, warp);
        good &= first % (uint32_t)side->vector == 0 && at == first + (uint32_t)(i % side->vector);
        good &= writes || memory[at] == element;
        memory[at] = element;
        if (writes)
          writes[at]++;
      }
    }
  return good;
}

static bool through_shared(const struct layout_conversion *plan, const struct linear_layout *from,
                           const struct linear_layout *to, int warps) {
  uint32_t count = out_count(from);
  uint32_t *memory = calloc(count, sizeof *memory);
  uint8_t *writes = calloc(count, 1);
  bool good = access(&plan->write, from, warps, memory, writes);
  for (uint32_t i = 0; i < count; i++)
    good &= writes[i] == 1;
  good &= access(&plan->read, to, warps, memory, NULL);
  free(memory);
  free(writes);
  return good;
}

/* Each round on its own: its values are there, and the chunks together are all registers. */
static bool in_chunks(const struct layout_conversion *plan, const struct linear_layout *from,
                      const struct linear_layout *to, int warps) {
  static uint32_t memory[1 << 12];
  int sources = (int)linear_layout_in_size(from, LAYOUT_REGISTER), written[MAX_REGISTERS];
  int targets = (int)linear_layout_in_size(to, LAYOUT_REGISTER), loaded[MAX_REGISTERS];
  bool good = true, seen[MAX_REGISTERS] = {0};
  for (int round = 0; round < 1 << plan->chunk_bits; round++) {
    int count = conversion_chunk_registers(plan, true, round, sources, written);
    for (int r = 0; r < count; r++)
      for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t warp = 0; warp < (uint32_t)warps; warp++)
          memory[offset_at(&plan->write, (uint32_t)r, lane, warp)] =
              element_at(from, (uint32_t)written[r], lane, warp);
    count = conversion_chunk_registers(plan, false, round, targets, loaded);
    for (int r = 0; r < count; r++) {
      seen[loaded[r]] = true;
      for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t warp = 0; warp < (uint32_t)warps; warp++)
          good &= memory[offset_at(&plan->read, (uint32_t)r, lane, warp)] ==
                  element_at(to, (uint32_t)loaded[r], lane, warp);
    }
  }
  for (int r = 0; r < targets; r++)
    good &= seen[r];
  return good;
}

/* Within each warp: every value is there, and each warp stays in its part of the area. */
static bool within_warps(const struct layout_conversion *plan, const struct linear_layout *from,
                         const struct linear_layout *to, int warps, int bytes) {
  uint32_t all = (uint32_t)(plan->bytes / bytes), part = all / (uint32_t)warps;
  uint32_t registers[MAX_REGISTERS], *memory = calloc(all, sizeof *memory);
  bool good = true;
  for (int side = 0; side < 2; side++) {
    const struct conversion_side *accesses = side ? &plan->read : &plan->write;
    const struct linear_layout *layout = side ? to : from;
    int count = conversion_registers(accesses, registers);
    for (uint32_t lane = 0; lane < LANES; lane++)
      for (uint32_t warp = 0; warp < (uint32_t)warps; warp++)
        for (int i = 0; i < count && !(lane & accesses->skip.at[LAYOUT_LANE]); i++) {
          uint32_t at = offset_at(accesses, registers[i], lane, warp);
          uint32_t element = element_at(layout, registers[i], lane, warp);
          good &= at / part == warp && (!side || memory[at] == element);
          memory[at] = element;
        }
  }
  free(memory);
  return good;
}

static int rounds_seen, within_warp_seen;

static void test_pair_of(struct linear_layout from, struct linear_layout to, int warp_bits,
                         int bytes, int kinds[3]) {
  if (!linear_layout_is_surjective(&from) || !linear_layout_is_surjective(&to))
    return;
  struct layout_conversion plan, shared;
  tile_status status = conversion_plan(&from, &to, bytes, &plan);
  CHECK(status == NULL);
  if (status) {
    tile_status_free(status);
    return;
  }
  kinds[plan.kind]++;
  int warps = 1 << warp_bits;
  if (plan.kind == CONVERSION_RENAME)
    CHECK(renames(&plan, &from, &to, warps));
  if (plan.kind == CONVERSION_SHUFFLE)
    CHECK(shuffles(&plan, &from, &to, warps, bytes));
  CHECK(conversion_plan_shared(&from, &to, bytes, &shared) == NULL);
  CHECK(through_shared(&shared, &from, &to, warps));
  struct layout_conversion chunks;
  CHECK(conversion_plan_chunked(&from, &to, bytes, &(struct conversion_means){64, false},
                                &chunks) == NULL);
  if (chunks.kind == CONVERSION_SHARED && chunks.chunk_bits) {
    rounds_seen++;
    CHECK(chunks.within_warp || chunks.bytes << chunks.chunk_bits == shared.bytes);
    CHECK(in_chunks(&chunks, &from, &to, warps));
  }
  CHECK(conversion_plan_chunked(&from, &to, bytes, &(struct conversion_means){1 << 20, false},
                                &chunks) == NULL);
  if (chunks.within_warp) {
    within_warp_seen += warps > 1;
    CHECK(within_warps(&chunks, &from, &to, warps, bytes));
    CHECK_EQUAL(chunks.write.wavefronts, chunks.write.least);
    CHECK_EQUAL(chunks.read.wavefronts, chunks.read.least);
  }
  CHECK_EQUAL(shared.write.wavefronts, shared.write.least);
  CHECK_EQUAL(shared.read.wavefronts, shared.read.least);
}

static void test_pair(int total, bool any, int kinds[3]) {
  int warp_bits = (int)random_below(4);
  int bytes = 1 << random_below(4);
  struct linear_layout from = random_tensor_layout(total, warp_bits, any);
  struct linear_layout to = random_tensor_layout(total, warp_bits, any);
  if (random_below(8) == 0)
    to = from;
  test_pair_of(from, to, warp_bits, bytes, kinds);
}

static void layouts_of_single_bits(void) {
  int kinds[3] = {0};
  for (int i = 0; i < 700; i++)
    test_pair((int)random_below(12), false, kinds);
  CHECK(kinds[CONVERSION_RENAME] > 30);
  CHECK(kinds[CONVERSION_SHUFFLE] > 30);
  CHECK(kinds[CONVERSION_SHARED] > 30);
  CHECK(rounds_seen > 30);
}

static void layouts_of_any_words(void) {
  int kinds[3] = {0};
  for (int i = 0; i < 700; i++)
    test_pair((int)random_below(12), true, kinds);
  CHECK(kinds[CONVERSION_SHUFFLE] > 5);
  CHECK(words_seen[0] > 30 && words_seen[1] > 5 && words_seen[2] > 5);
}

/* Registers and lanes mixed anew, and warps left alone, some of them with the same elements. */
static void exchanges_within_warps(void) {
  for (int i = 0; i < 300; i++) {
    int kinds[3] = {0};
    int own = (int)random_below(6) + 5, warp_bits = (int)random_below(3) + 1;
    struct linear_layout from = random_tensor_layout(own, 0, i & 1);
    struct linear_layout to = random_tensor_layout(own, 0, i & 1);
    if (!linear_layout_is_surjective(&from) || !linear_layout_is_surjective(&to))
      continue;
    int copies = (int)random_below(2);
    from.out.bits[LAYOUT_DIM0] += (uint8_t)(warp_bits - copies);
    to.out.bits[LAYOUT_DIM0] += (uint8_t)(warp_bits - copies);
    for (int bit = 0; bit < warp_bits; bit++) {
      uint32_t image = bit < warp_bits - copies ? UINT32_C(1) << (own + bit) : 0;
      linear_layout_append(&from, LAYOUT_WARP, image);
      linear_layout_append(&to, LAYOUT_WARP, image ? image ^ random_below(1u << own) : 0);
    }
    test_pair_of(from, to, warp_bits, 1 << random_below(4), kinds);
  }
  CHECK(within_warp_seen > 50);
}

/* What stmatrix does with the registers of a round: row `lane` % 8 of matrix `lane` / 8 goes where
   that lane says, and its word l % 4 comes from lane 4 * (row) + l % 4. */
static void store_matrices(const struct layout_conversion *plan, const struct linear_layout *from,
                           const int *registers, int warps, uint32_t *memory) {
  const struct conversion_matrices *how = &plan->matrices;
  uint32_t rows = (uint32_t)linear_layout_in_size(&plan->write.address, LAYOUT_REGISTER) / 8;
  uint32_t count = UINT32_C(1) << how->matrix_bits;
  for (uint32_t warp = 0; warp < (uint32_t)warps; warp++)
    for (uint32_t row = 0; row < rows; row++)
      for (uint32_t lane = 0; lane < 8 * count; lane++)
        for (uint32_t column = 0; column < 8; column++) {
          uint32_t r = (column & 1) << how->source_bits[0];
          for (int bit = 0; bit < how->matrix_bits; bit++)
            r |= (lane / 8 >> bit & 1) << how->source_bits[1 + bit];
          for (int bit = 0; row >> bit; bit++)
            r |= (row >> bit & 1) << how->source_bits[1 + how->matrix_bits + bit];
          memory[offset_at(&plan->write, 8 * row, lane, warp) + column] =
              element_at(from, (uint32_t)registers[r], lane % 8 * 4 + column / 2, warp);
        }
}

static bool stored_as_matrices(const struct layout_conversion *plan,
                               const struct linear_layout *from, const struct linear_layout *to,
                               int warps) {
  uint32_t *memory = calloc(out_count(from), sizeof *memory);
  int sources = (int)linear_layout_in_size(from, LAYOUT_REGISTER), registers[MAX_REGISTERS];
  int targets = (int)linear_layout_in_size(to, LAYOUT_REGISTER);
  bool good = true;
  for (int round = 0; round < 1 << plan->chunk_bits; round++) {
    conversion_chunk_registers(plan, true, round, sources, registers);
    store_matrices(plan, from, registers, warps, memory);
    int count = conversion_chunk_registers(plan, false, round, targets, registers);
    for (int r = 0; r < count; r++)
      for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t warp = 0; warp < (uint32_t)warps; warp++)
          good &= memory[offset_at(&plan->read, (uint32_t)r, lane, warp)] ==
                  element_at(to, (uint32_t)registers[r], lane, warp);
  }
  free(memory);
  return good;
}

static void shuffle_bits(uint32_t *bits, int count) {
  for (int i = count; i > 1; i--) {
    int other = (int)random_below((uint32_t)i);
    uint32_t bit = bits[i - 1];
    bits[i - 1] = bits[other];
    bits[other] = bit;
  }
}

static void append_bits(struct linear_layout *layout, enum layout_dim dim, const uint32_t *bits,
                        int count) {
  linear_layout_declare_in(layout, dim);
  for (int i = 0; i < count; i++)
    linear_layout_append(layout, dim, bits[i]);
}

/* Accumulators of tensor cores, to threads that hold 8 neighbours of a row: with few registers in
   common, stored by stmatrix, and loaded in 16 bytes; chunks or not. */
static void stores_of_matrices(void) {
  int seen = 0, chunks = 0;
  for (int i = 0; i < 300; i++) {
    int warp_bits = (int)random_below(4), own = 2 + (int)random_below(5),
        total = 6 + own + warp_bits;
    uint32_t bits[LAYOUT_MAX_BITS];
    for (int bit = 0; bit < total; bit++)
      bits[bit] = UINT32_C(1) << bit;
    shuffle_bits(bits, total);
    struct layout_space space = {.bits = {[LAYOUT_DIM0] = (uint8_t)total},
                                 .dims = LAYOUT_SET(LAYOUT_DIM0)};
    struct linear_layout from = linear_layout_into(&space), to = from;
    append_bits(&from, LAYOUT_REGISTER, bits, 1);
    append_bits(&from, LAYOUT_REGISTER, bits + 6, own);
    append_bits(&from, LAYOUT_LANE, bits + 1, 5);
    append_bits(&from, LAYOUT_WARP, bits + 6 + own, warp_bits);
    append_bits(&to, LAYOUT_REGISTER, bits, 3);
    shuffle_bits(bits + 3, total - 3);
    append_bits(&to, LAYOUT_LANE, bits + 3, 5);
    append_bits(&to, LAYOUT_WARP, bits + 8, warp_bits);
    append_bits(&to, LAYOUT_REGISTER, bits + 8 + warp_bits, own - 2);
    struct layout_conversion plan;
    struct conversion_means means = {i % 2 ? 1 << 20 : 2048, true};
    CHECK(conversion_plan_chunked(&from, &to, 2, &means, &plan) == NULL);
    if (plan.kind != CONVERSION_SHARED || !plan.matrices.used)
      continue;
    seen++;
    chunks += plan.chunk_bits > 0;
    CHECK_EQUAL(plan.read.vector, 8);
    CHECK_EQUAL(plan.write.wavefronts, plan.write.least);
    CHECK(stored_as_matrices(&plan, &from, &to, 1 << warp_bits));
    means.matrices = false;
    CHECK(conversion_plan_chunked(&from, &to, 2, &means, &plan) == NULL);
    CHECK(!plan.matrices.used);
  }
  CHECK(seen > 100);
  CHECK(chunks > 5);
}

/* The 32x32 transposition of f32 by one warp: rows in registers to columns in registers. */
static void transposition(void) {
  struct linear_layout row = linear_layout_identity(LAYOUT_LANE, LAYOUT_DIM1, 5);
  struct linear_layout down = linear_layout_identity(LAYOUT_REGISTER, LAYOUT_DIM0, 5);
  struct linear_layout from = linear_layout_product(&row, &down);
  linear_layout_declare_in(&from, LAYOUT_WARP);
  struct linear_layout to = linear_layout_transpose(&from, (const int32_t[]){1, 0});
  struct layout_conversion plan;
  struct text text = {0};
  CHECK(conversion_plan_shared(&from, &to, 4, &plan) == NULL);
  conversion_describe(&plan, 4, &text);
  CHECK_TEXT(text_string(&text),
             "shared memory, 4096 bytes; stores of 4 bytes: 1 wavefront, least 1; "
             "loads of 4 bytes: 1 wavefront, least 1");
  text_free(&text);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"layouts of single bits", layouts_of_single_bits},
                   {"layouts of any words", layouts_of_any_words},
                   {"exchanges within warps", exchanges_within_warps},
                   {"stores of matrices", stores_of_matrices}, {"transposition", transposition});
}
