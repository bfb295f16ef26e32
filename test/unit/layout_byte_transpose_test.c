/* SPDX-License-Identifier: MIT */
/* The plan of tile_gpu.local_transpose, carried out as the PTX ISA says of ldmatrix, prmt and
   stmatrix, on every shape and layout that tensor cores read bytes in. */
#include "layout/byte_transpose.h"

#include "base/status.h"
#include "check.h"
#include "layout/conversion.h"
#include "layout/shared.h"

enum { LANES = 32, MATRICES = 4, ROWS = 8, ROW_BYTES = 16, MOST = 1 << 16 };

static unsigned char from_memory[MOST], to_memory[MOST];

static uint32_t address_of(const struct linear_layout *rows, uint32_t r, uint32_t lane,
                           uint32_t warp) {
  struct layout_point at = {
      .at = {[LAYOUT_REGISTER] = r, [LAYOUT_LANE] = lane, [LAYOUT_WARP] = warp}};
  return linear_layout_apply(rows, &at).at[LAYOUT_OFFSET];
}

/* Lane l names row l % 8 of matrix l / 8, and gets of each column l / 4 of rows 2 * (l % 4) and the
   next, columns being pairs of bytes. */
static void ldmatrix_trans(const struct linear_layout *rows, uint32_t r, uint32_t warp,
                           uint32_t words[LANES][MATRICES]) {
  for (uint32_t lane = 0; lane < LANES; lane++)
    for (uint32_t m = 0; m < MATRICES; m++) {
      words[lane][m] = 0;
      for (uint32_t byte = 0; byte < 4; byte++) {
        uint32_t row = lane % 4 * 2 + byte / 2;
        uint32_t at = address_of(rows, r, m * ROWS + row, warp) + lane / 4 * 2 + byte % 2;
        words[lane][m] |= (uint32_t)from_memory[at] << 8 * byte;
      }
    }
}

static uint32_t prmt(uint32_t low, uint32_t high, uint32_t selector) {
  uint64_t both = (uint64_t)high << 32 | low;
  uint32_t out = 0;
  for (int byte = 0; byte < 4; byte++)
    out |= (uint32_t)(both >> 8 * (selector >> 4 * byte & 7) & 0xFF) << 8 * byte;
  return out;
}

/* Lane l gives of each matrix word l % 4 of row l / 4. Bytes stored twice are counted. */
static int stmatrix(const struct linear_layout *rows, uint32_t r, uint32_t warp,
                    uint32_t words[LANES][MATRICES], unsigned char *stored) {
  int twice = 0;
  for (uint32_t lane = 0; lane < LANES; lane++)
    for (uint32_t m = 0; m < MATRICES; m++)
      for (uint32_t byte = 0; byte < 4; byte++) {
        uint32_t at = address_of(rows, r, m * ROWS + lane / 4, warp) + lane % 4 * 4 + byte;
        twice += stored[at]++;
        to_memory[at] = (unsigned char)(words[lane][m] >> 8 * byte);
      }
  return twice;
}

/* Do the eight rows of each matrix lie in different banks? */
static bool is_free_of_conflicts(const struct linear_layout *rows, uint32_t r) {
  for (uint32_t m = 0; m < MATRICES; m++) {
    unsigned seen = 0;
    for (uint32_t row = 0; row < ROWS; row++)
      seen |= 1u << address_of(rows, r, m * ROWS + row, 0) / ROW_BYTES % ROWS;
    if (seen != (1u << ROWS) - 1)
      return false;
  }
  return true;
}

static int swizzle_of(int64_t row) {
  return row >= 128 ? 128 : row >= 32 ? (int)row : 0;
}

/* Coordinates to offsets of a tile of bytes whose elements along `fast` follow one another. */
static bool offsets_along(int fast, const int64_t shape[2], struct linear_layout *out) {
  struct nvmma_layout nvmma = {
      .swizzle = swizzle_of(shape[fast]), .element_bits = 8, .transposed = fast == 0};
  struct linear_layout layout;
  tile_status status = layout_from_nvmma(&nvmma, shape, &layout);
  if (!status)
    status = linear_layout_invert(&layout, out);
  bool good = !status;
  tile_status_free(status);
  return good;
}

static uint32_t place(const struct linear_layout *offsets, uint32_t i, uint32_t j) {
  struct layout_point at = {.at = {[LAYOUT_DIM0] = i, [LAYOUT_DIM1] = j}};
  return linear_layout_apply(offsets, &at).at[LAYOUT_OFFSET];
}

static unsigned char number(uint32_t i, uint32_t j) {
  return (unsigned char)(i * 37 + j * 11 + (i >> 3) * (j >> 2));
}

/* Of 16 along k: which of the first buffer's is number `k` of the second's. */
static uint32_t interleaved_from(uint32_t k) {
  uint32_t c = k / 4 % 4, m = k / 2 % 2, j = k % 2;
  return k / 16 * 16 + 8 * m + 2 * c + j;
}

struct transposing {
  int64_t shape[2];
  int fast; /* in the first buffer */
  bool interleaved;
  int warp_bits;
};

static void carry_out(const struct transposing *t, const struct byte_transpose *plan) {
  static unsigned char stored[MOST];
  memset(stored, 0, sizeof stored);
  int twice = 0;
  for (uint32_t warp = 0; warp < 1u << t->warp_bits; warp++)
    for (uint32_t r = 0; r < linear_layout_in_size(&plan->reads, LAYOUT_REGISTER); r++) {
      uint32_t words[LANES][MATRICES], columns[LANES][MATRICES];
      if (warp & plan->idle)
        continue;
      ldmatrix_trans(&plan->reads, r, warp, words);
      for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t m = 0; m < MATRICES; m++)
          columns[lane][m] =
              prmt(words[lane][m / 2 * 2], words[lane][m / 2 * 2 + 1],
                   (m % 2 != 0) == (lane < LANES / 2) ? BYTE_TRANSPOSE_ODD : BYTE_TRANSPOSE_EVEN);
      twice += stmatrix(&plan->writes, r, warp, columns, stored);
      CHECK(is_free_of_conflicts(&plan->writes, r));
      CHECK(!t->interleaved || is_free_of_conflicts(&plan->reads, r));
    }
  CHECK_EQUAL(twice, 0);
}

static void check_transpose(const struct transposing *t) {
  struct linear_layout from, to;
  struct byte_transpose plan;
  int64_t elements = t->shape[0] * t->shape[1];
  if (!offsets_along(t->fast, t->shape, &from) || !offsets_along(1 - t->fast, t->shape, &to))
    return;
  CHECK(byte_transpose_plan(&from, &to, t->interleaved, t->warp_bits, &plan));
  for (uint32_t i = 0; i < t->shape[0]; i++)
    for (uint32_t j = 0; j < t->shape[1]; j++)
      from_memory[place(&from, i, j)] = number(i, j);
  memset(to_memory, 0xEE, (size_t)elements);
  carry_out(t, &plan);
  int wrong = 0;
  for (uint32_t i = 0; i < t->shape[0]; i++)
    for (uint32_t j = 0; j < t->shape[1]; j++) {
      bool k_first = t->fast == 1; /* k is the dimension across the first buffer's rows */
      uint32_t a = t->interleaved && k_first ? interleaved_from(i) : i;
      uint32_t b = t->interleaved && !k_first ? interleaved_from(j) : j;
      wrong += to_memory[place(&to, i, j)] != number(a, b);
    }
  CHECK_EQUAL(wrong, 0);
}

static void every_shape(void) {
  int checked = 0;
  for (int64_t m = 16; m <= 256; m *= 2)
    for (int64_t n = 16; n <= 256; n *= 2)
      for (int fast = 0; fast < 2; fast++)
        for (int interleaved = 0; interleaved < 2; interleaved++)
          for (int warp_bits = 0; warp_bits <= 4 && m * n >= 512; warp_bits++, checked++)
            check_transpose(&(struct transposing){{m, n}, fast, interleaved != 0, warp_bits});
  CHECK(checked > 400);
}

static void refuses_what_does_not_fit(void) {
  struct linear_layout along, across, small[2];
  struct byte_transpose plan;
  CHECK(offsets_along(1, (int64_t[]){64, 64}, &along));
  CHECK(offsets_along(0, (int64_t[]){64, 64}, &across));
  CHECK(byte_transpose_plan(&along, &across, false, 2, &plan));
  CHECK(!byte_transpose_plan(&along, &along, false, 2, &plan));
  CHECK(offsets_along(1, (int64_t[]){16, 16}, &small[0]));
  CHECK(offsets_along(0, (int64_t[]){16, 16}, &small[1]));
  CHECK(!byte_transpose_plan(&small[0], &small[1], false, 0, &plan));
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"every shape", every_shape},
                   {"refuses what does not fit", refuses_what_does_not_fit});
}
