/* SPDX-License-Identifier: MIT */
/* Shared layouts against their formulas, element by element. */
#include "layout/shared.h"

#include "base/status.h"
#include "check.h"

/* Where element (row, column) of a rank-2 layout lies. */
static uint32_t offset_of(const struct linear_layout *layout, uint32_t dim0, uint32_t dim1) {
  struct linear_layout place;
  tile_status status = linear_layout_invert(layout, &place);
  CHECK(!status);
  tile_status_free(status);
  struct layout_point at = {.at = {[LAYOUT_DIM0] = dim0, [LAYOUT_DIM1] = dim1}};
  return linear_layout_apply(&place, &at).at[LAYOUT_OFFSET];
}

/* Chunk c of row r is at place c ^ (r / per_phase % max_phase). */
static void swizzled_permutes_chunks(void) {
  static const struct swizzled_layout layouts[] = {{2, 1, 1, 1, {1, 0}},
                                                   {2, 4, 1, 8, {1, 0}},
                                                   {2, 8, 2, 4, {1, 0}},
                                                   {2, 2, 4, 4, {0, 1}},
                                                   {2, 8, 1, 8, {0, 1}}};
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    const struct swizzled_layout *s = &layouts[i];
    struct linear_layout layout;
    CHECK(!layout_from_swizzled(s, (int64_t[]){64, 64}, &layout));
    for (uint32_t row = 0; row < 64; row += 3)
      for (uint32_t column = 0; column < 64; column++) {
        uint32_t vec = (uint32_t)s->vec,
                 phase = row / (uint32_t)s->per_phase % (uint32_t)s->max_phase;
        uint32_t expected = row * 64 + (column / vec ^ phase) * vec + column % vec;
        CHECK_EQUAL(s->order[0] == 1 ? offset_of(&layout, row, column)
                                     : offset_of(&layout, column, row),
                    expected);
      }
  }
}

/* What the hardware does (PTX ISA, shared-memory swizzling modes): of a byte's address within
   panels of plain rows, bits 7, 8, 9 are XORed into bits 4, 5, 6 for 128 bytes; fewer bits for 64
   and 32. */
static void nvmma_is_the_address_swizzle(void) {
  static const int32_t swizzles[] = {0, 32, 64, 128}, widths[] = {8, 16, 32};
  for (int s = 0; s < 4; s++)
    for (int w = 0; w < 3; w++)
      for (int turned = 0; turned < 2; turned++) {
        struct nvmma_layout nvmma = {swizzles[s], widths[w], turned};
        struct linear_layout layout;
        uint32_t bytes = (uint32_t)widths[w] / 8, line = swizzles[s] ? (uint32_t)swizzles[s] : 16;
        uint32_t mask = swizzles[s] == 128 ? 7 : swizzles[s] == 64 ? 3 : swizzles[s] == 32 ? 1 : 0;
        CHECK(!layout_from_nvmma(&nvmma, turned ? (int64_t[]){256, 32} : (int64_t[]){32, 256},
                                 &layout));
        for (uint32_t row = 0; row < 32; row += 5)
          for (uint32_t column = 0; column < 256; column += 3) {
            uint32_t panel = column * bytes / line, within = column * bytes % line;
            uint32_t address = panel * 32 * line + row * line + within;
            address ^= (address >> 7 & mask) << 4;
            uint32_t offset =
                turned ? offset_of(&layout, column, row) : offset_of(&layout, row, column);
            CHECK_EQUAL(offset * bytes, address);
          }
      }
}

static void check_error(tile_status status, const char *words) {
  CHECK(status && strstr(tile_status_message(status), words));
  tile_status_free(status);
}

static void bad_layouts_are_named(void) {
  struct linear_layout layout;
  check_error(swizzled_layout_verify(&(struct swizzled_layout){2, 3, 1, 1, {1, 0}}),
              "powers of two");
  check_error(swizzled_layout_verify(&(struct swizzled_layout){2, 1, 1, 1, {1, 1}}), "once");
  check_error(swizzled_layout_verify(&(struct swizzled_layout){1, 1, 1, 2, {0}}), "rank 1");
  check_error(nvmma_layout_verify(&(struct nvmma_layout){48, 16, false}), "not 48");
  check_error(nvmma_layout_verify(&(struct nvmma_layout){64, 64, false}), "not 64");
  check_error(
      layout_from_nvmma(&(struct nvmma_layout){128, 16, false}, (int64_t[]){64, 32}, &layout),
      "too small");
  check_error(
      layout_from_nvmma(&(struct nvmma_layout){128, 16, false}, (int64_t[]){4, 64}, &layout),
      "too small");
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"swizzled-permutes-chunks", swizzled_permutes_chunks},
                   {"nvmma-is-the-address-swizzle", nvmma_is_the_address_swizzle},
                   {"bad-layouts-are-named", bad_layouts_are_named});
}
