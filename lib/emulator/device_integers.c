/* SPDX-License-Identifier: MIT */
/* Device functions: integer instructions of inline assembly (PTX ISA, the sections of their names).
 */
#include "emulator/device.h"

#include <stdbool.h>

uint32_t tile_emu_mad_lo(uint32_t x, uint32_t y, uint32_t z) {
  return x * y + z;
}

uint32_t tile_emu_mul_hi_s32(uint32_t x, uint32_t y) {
  return (uint32_t)((uint64_t)((int64_t)(int32_t)x * (int32_t)y) >> 32);
}

uint32_t tile_emu_mul_hi_u32(uint32_t x, uint32_t y) {
  return (uint32_t)((uint64_t)x * y >> 32);
}

uint32_t tile_emu_neg_s32(uint32_t x) {
  return 0 - x;
}

uint32_t tile_emu_abs_s32(uint32_t x) {
  return (int32_t)x < 0 ? 0 - x : x;
}

uint32_t tile_emu_div_u32(uint32_t x, uint32_t y) {
  return y ? x / y : UINT32_MAX;
}

uint32_t tile_emu_rem_u32(uint32_t x, uint32_t y) {
  return y ? x % y : x;
}

uint32_t tile_emu_div_s32(uint32_t x, uint32_t y) {
  return y ? (uint32_t)((int64_t)(int32_t)x / (int32_t)y) : UINT32_MAX;
}

uint32_t tile_emu_rem_s32(uint32_t x, uint32_t y) {
  return y ? (uint32_t)((int64_t)(int32_t)x % (int32_t)y) : x;
}

/* By halves: C17 has no integers of 128 bits. */
uint64_t tile_emu_mul_hi_u64(uint64_t x, uint64_t y) {
  uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
  uint64_t middle = x1 * y0 + (x0 * y0 >> 32);
  uint64_t other = x0 * y1 + (uint32_t)middle;
  return x1 * y1 + (middle >> 32) + (other >> 32);
}

uint64_t tile_emu_mul_hi_s64(uint64_t x, uint64_t y) {
  uint64_t high = tile_emu_mul_hi_u64(x, y);
  return high - ((int64_t)x < 0 ? y : 0) - ((int64_t)y < 0 ? x : 0);
}

uint32_t tile_emu_clz_b64(uint64_t x) {
  return x ? (uint32_t)__builtin_clzll(x) : 64;
}

uint32_t tile_emu_popc_b64(uint64_t x) {
  return (uint32_t)__builtin_popcountll(x);
}

uint32_t tile_emu_clz(uint32_t x) {
  return x ? (uint32_t)__builtin_clz(x) : 32;
}

/* PTX ISA, prmt without a mode: four bits of the selector choose each byte of {y, x}, the highest
   of them its sign in place of it. */
uint32_t tile_emu_prmt(uint32_t x, uint32_t y, uint32_t selector) {
  uint64_t bytes = (uint64_t)y << 32 | x;
  uint32_t result = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t choice = selector >> (4 * i) & 15;
    uint32_t byte = (uint32_t)(bytes >> (8 * (choice & 7))) & 0xff;
    if (choice & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

/* PTX ISA, lop3: bit number 4x + 2y + z of the table. */
uint32_t tile_emu_lop3(uint32_t x, uint32_t y, uint32_t z, uint32_t table) {
  uint32_t result = 0;
  for (int bit = 0; bit < 8; bit++)
    if (table >> bit & 1)
      result |= (bit & 4 ? x : ~x) & (bit & 2 ? y : ~y) & (bit & 1 ? z : ~z);
  return result;
}

/* PTX ISA, bfe: position and length count modulo 256; what lies after bit 31 is its sign, or zero.
 */
static uint32_t extract(uint32_t x, uint32_t position, uint32_t length, bool is_signed) {
  position &= 255;
  length &= 255;
  if (length == 0)
    return 0;
  uint32_t last = position + length - 1 < 31 ? position + length - 1 : 31;
  bool sign = is_signed && (x >> last & 1);
  uint32_t result = 0;
  for (uint32_t i = 0; i < 32; i++) {
    bool inside = i < length && position + i <= 31;
    result |= (uint32_t)(inside ? x >> (position + i) & 1 : sign) << i;
  }
  return result;
}

uint32_t tile_emu_bfe_u32(uint32_t x, uint32_t position, uint32_t length) {
  return extract(x, position, length, false);
}

uint32_t tile_emu_bfe_s32(uint32_t x, uint32_t position, uint32_t length) {
  return extract(x, position, length, true);
}

/* PTX ISA, bfi: the low bits of x in place of those of y. */
uint32_t tile_emu_bfi(uint32_t x, uint32_t y, uint32_t position, uint32_t length) {
  position &= 255;
  length &= 255;
  for (uint32_t i = 0; i < length && position + i <= 31; i++)
    y = (y & ~(UINT32_C(1) << (position + i))) | (x >> i & 1) << (position + i);
  return y;
}

/* PTX ISA, shf: {y, x} shifted, and its high (l) or low (r) half. */
static uint32_t funnel(uint32_t x, uint32_t y, uint32_t count, bool left) {
  uint64_t both = (uint64_t)y << 32 | x;
  return (uint32_t)(left ? both << count >> 32 : both >> count);
}

uint32_t tile_emu_shf_l_wrap(uint32_t x, uint32_t y, uint32_t count) {
  return funnel(x, y, count & 31, true);
}

uint32_t tile_emu_shf_r_wrap(uint32_t x, uint32_t y, uint32_t count) {
  return funnel(x, y, count & 31, false);
}

uint32_t tile_emu_shf_l_clamp(uint32_t x, uint32_t y, uint32_t count) {
  return funnel(x, y, count < 32 ? count : 32, true);
}

uint32_t tile_emu_shf_r_clamp(uint32_t x, uint32_t y, uint32_t count) {
  return funnel(x, y, count < 32 ? count : 32, false);
}

uint32_t tile_emu_dp4a_s32(uint32_t x, uint32_t y, uint32_t sum) {
  for (int i = 0; i < 32; i += 8)
    sum += (uint32_t)((int32_t)(int8_t)(x >> i) * (int8_t)(y >> i));
  return sum;
}

uint32_t tile_emu_dp4a_u32(uint32_t x, uint32_t y, uint32_t sum) {
  for (int i = 0; i < 32; i += 8)
    sum += (x >> i & 0xff) * (y >> i & 0xff);
  return sum;
}
