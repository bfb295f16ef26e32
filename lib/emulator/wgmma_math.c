/* SPDX-License-Identifier: MIT */
/* See wgmma_math.h. No function here touches a GPU thread's state. */
#include "emulator/wgmma_math.h"

#include <string.h>
#include "emulator/launch.h"
#include "emulator/mma_math.h"
#include "emulator/runtime.h"

/* --- Descriptors ------------------------------------------------------------------------------ */

struct descriptor {
  uint32_t start, leading, stride, base, width, mask;
};

static struct descriptor decode(uint64_t bits) {
  static const uint32_t widths[] = {16, 128, 64, 32};
  uint32_t width = widths[bits >> 62];
  return (struct descriptor){.start = (uint32_t)(bits & 0x3FFF) << 4,
                             .leading = (uint32_t)(bits >> 16 & 0x3FFF) << 4,
                             .stride = (uint32_t)(bits >> 32 & 0x3FFF) << 4,
                             .base = (uint32_t)(bits >> 49 & 7),
                             .width = width,
                             .mask = width / 16 - 1};
}

static inline uint32_t place_of(const struct descriptor *d, bool transposed, uint32_t row,
                                uint32_t piece) {
  uint32_t inside = row % 8 * d->width, eight = row / 8, across = d->width / 16;
  if (d->width == 16)
    return inside + (transposed ? eight * d->leading + piece * d->stride
                                : eight * d->stride + piece * d->leading);
  if (!transposed)
    return inside + eight * d->stride + piece * 16;
  return inside + eight * d->stride + piece % across * 16 + piece / across * d->leading;
}

unsigned wgmma_pieces(const struct wgmma_matrix *matrix, uint32_t offsets[WGMMA_MAX_PIECES]) {
  struct descriptor d = decode(matrix->descriptor);
  unsigned bytes = mma_numbers[matrix->type].bits / 8, k = 32 / bytes;
  unsigned rows = matrix->transposed ? k : matrix->size;
  unsigned across = matrix->transposed ? matrix->size * bytes / WGMMA_PIECE : 2;
  for (unsigned row = 0; row < rows; row++)
    for (unsigned piece = 0; piece < across; piece++) {
      uint32_t address = d.start + place_of(&d, matrix->transposed, row, piece);
      address ^= (((address >> 7) - d.base) & d.mask) << 4;
      offsets[row * across + piece] = address & (WGMMA_WINDOW - 1);
    }
  return rows * across;
}

/* --- Operands --------------------------------------------------------------------------------- */

enum { MAX_ELEMENTS = WGMMA_MAX_PIECES * WGMMA_PIECE };

static void transpose(const uint32_t *from, unsigned rows, unsigned columns, uint32_t *to) {
  for (unsigned row = 0; row < rows; row++)
    for (unsigned column = 0; column < columns; column++)
      to[(size_t)column * rows + row] = from[(size_t)row * columns + column];
}

void wgmma_read(const struct wgmma_matrix *matrix, const unsigned char *shared, size_t bytes,
                bool k_first, uint32_t *out) {
  uint32_t offsets[WGMMA_MAX_PIECES], values[MAX_ELEMENTS];
  unsigned char packed[WGMMA_MAX_PIECES * WGMMA_PIECE];
  unsigned count = wgmma_pieces(matrix, offsets), k = 256 / mma_numbers[matrix->type].bits;
  for (unsigned i = 0; i < count; i++) {
    if (offsets[i] + WGMMA_PIECE <= bytes)
      memcpy(packed + (size_t)i * WGMMA_PIECE, shared + offsets[i], WGMMA_PIECE);
    else
      memset(packed + (size_t)i * WGMMA_PIECE, EMULATOR_POISON, WGMMA_PIECE);
  }
  bool as_wanted = matrix->transposed == k_first;
  mma_widen(matrix->type, packed, (size_t)matrix->size * k, as_wanted ? out : values);
  if (!as_wanted && k_first)
    transpose(values, matrix->size, k, out);
  else if (!as_wanted)
    transpose(values, k, matrix->size, out);
}

void wgmma_read_fragments(enum mma_number type, const uint32_t *registers, uint32_t *out) {
  uint32_t values[WGMMA_THREADS * WGMMA_A_REGISTERS * 4];
  unsigned e = 32 / mma_numbers[type].bits, k = 8 * e;
  mma_widen(type, registers, (size_t)WGMMA_THREADS * WGMMA_A_REGISTERS * e, values);
  for (unsigned thread = 0; thread < WGMMA_THREADS; thread++)
    for (unsigned r = 0; r < WGMMA_A_REGISTERS; r++)
      for (unsigned i = 0; i < e; i++) {
        unsigned lane = thread % MACHINE_LANES,
                 row = thread / MACHINE_LANES * 16 + lane / 4 + 8 * (r % 2);
        unsigned column = lane % 4 * e + 4 * e * (r / 2) + i;
        out[row * k + column] = values[(thread * WGMMA_A_REGISTERS + r) * e + i];
      }
}

/* --- Accumulators ----------------------------------------------------------------------------- */

static inline size_t place_in_d(unsigned n, bool pairs, unsigned thread, unsigned r) {
  unsigned lane = thread % MACHINE_LANES, below = pairs ? r % 2 : r / 2 % 2,
           block = pairs ? r / 2 : r / 4;
  unsigned row = thread / MACHINE_LANES * 16 + lane / 4 + 8 * below;
  return (size_t)row * n + 8 * block + 2 * (lane % 4) + (pairs ? 0 : r % 2);
}

void wgmma_round_to_half(uint32_t *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint16_t half = runtime_float_to_half_bits(float_of(values[i]));
    mma_widen(MMA_F16, &half, 1, &values[i]);
  }
}

void wgmma_get(const struct mma_shape *shape, const uint32_t *values, unsigned thread,
               uint32_t *registers) {
  bool pairs = shape->c == MMA_F16;
  for (unsigned r = 0; r < wgmma_c_registers(shape); r++) {
    const uint32_t *from = values + place_in_d(shape->n, pairs, thread, r);
    registers[r] = !pairs ? *from
                          : (uint32_t)runtime_float_to_half_bits(float_of(from[0])) |
                                (uint32_t)runtime_float_to_half_bits(float_of(from[1])) << 16;
  }
}

void wgmma_put(const struct mma_shape *shape, uint32_t *values, unsigned thread,
               const uint32_t *registers) {
  bool pairs = shape->c == MMA_F16;
  for (unsigned r = 0; r < wgmma_c_registers(shape); r++) {
    uint32_t *to = values + place_in_d(shape->n, pairs, thread, r);
    if (pairs)
      mma_widen(MMA_F16, &registers[r], 2, to);
    else
      *to = registers[r];
  }
}
