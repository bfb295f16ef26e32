/* Device functions: floats to integers, and to tf32.

   PTX ISA, cvt: .rzi rounds towards zero, results out of range are clamped, and f32 NaN is 0
   in 32 bits. To 64 bits an H200 gives 2^63 for NaN, from f64 to 32 bits 2^31; the lowering puts 0 there. */
#include "emulator/device.h"

#include <math.h>
#include <string.h>

/* The first comparison also holds for what rounds to the least number. */
#define CONVERT(type, least, end, lowest, highest, nan)                                            \
  if (isnan(x))                                                                                    \
    return (nan);                                                                                  \
  if (x <= (least))                                                                                \
    return (lowest);                                                                               \
  if (x >= (end))                                                                                  \
    return (highest);                                                                              \
  return (type)x

uint32_t tile_emu_f32_to_s32(float x) {
  CONVERT(int32_t, -0x1p31, 0x1p31, INT32_MIN, INT32_MAX, 0);
}

uint64_t tile_emu_f32_to_s64(float x) {
  CONVERT(int64_t, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX, UINT64_C(1) << 63);
}

uint32_t tile_emu_f32_to_u32(float x) {
  CONVERT(uint32_t, 0, 0x1p32, 0, UINT32_MAX, 0);
}

uint64_t tile_emu_f32_to_u64(float x) {
  CONVERT(uint64_t, 0, 0x1p64, 0, UINT64_MAX, UINT64_C(1) << 63);
}

uint32_t tile_emu_f64_to_s32(double x) {
  CONVERT(int32_t, -0x1p31, 0x1p31, INT32_MIN, INT32_MAX, UINT32_C(1) << 31);
}

uint64_t tile_emu_f64_to_s64(double x) {
  CONVERT(int64_t, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX, UINT64_C(1) << 63);
}

uint32_t tile_emu_f64_to_u32(double x) {
  CONVERT(uint32_t, 0, 0x1p32, 0, UINT32_MAX, UINT32_C(1) << 31);
}

uint64_t tile_emu_f64_to_u64(double x) {
  CONVERT(uint64_t, 0, 0x1p64, 0, UINT64_MAX, UINT64_C(1) << 63);
}

uint32_t tile_emu_f32_to_tf32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (isnan(x))
    return 0x7FFFE000;
  return isinf(x) ? bits : (bits + 0x1000) & 0xFFFFE000;
}
