/* SPDX-License-Identifier: MIT */
/* The arithmetic of wgmma on plain arrays, compiled at -O3 in every build: where a matrix
   descriptor says that the elements are, the dot, and who holds which accumulator.

   Descriptor (PTX ISA, "Matrix Descriptor Format"; addresses count 16 bytes, of the low 18 bits):

     bits  0-13 start   16-29 leading offset L   32-45 stride offset S   49-51 base offset
           62-63 swizzle (0: none, W = 16 bytes; 1: W = 128; 2: W = 64; 3: W = 32)

   A matrix is read in pieces of 16 bytes. With k contiguous ("K-major", not transposed) it is rows
   of m or n, 32 bytes of k each; with m or n contiguous (transposed), rows of k. Offsets of a piece
   from the start:

     k contiguous, row r, piece p (0, 1)    W = 16:  r%8 * 16 + r/8 * S + p * L
                                            else:    r%8 * W  + r/8 * S + p * 16
     transposed, row k, piece p             W = 16:  k%8 * 16 + k/8 * L + p * S
                                            else:    k%8 * W  + k/8 * S + p%V * 16 + p/V * L
                                            with V = W/16

   The address that comes out is swizzled: bits 4 .. of it are XORed with bits 7 .. (3, 2, 1 bits
   for 128, 64, 32), from which the base offset is subtracted first.

   Accumulators: thread t of the warp group (warp w = t / 32, lane l = t % 32) holds in register r
   the element of row 16 * w + l / 4 + 8 * (r / 2 % 2), column 8 * (r / 4) + 2 * (l % 4) + r % 2;
   registers of two f16 hold columns 2 * (l % 4) + 0, 1 of row ... + 8 * (r % 2), column block r /
   2. */
#ifndef TILE_EMULATOR_WGMMA_MATH_H
#define TILE_EMULATOR_WGMMA_MATH_H

#include <stddef.h>
#include <stdint.h>
#include "base/mma.h"

enum {
  WGMMA_THREADS = 128,
  WGMMA_ROWS = 64,
  WGMMA_PIECE = 16,
  WGMMA_MAX_PIECES = 512,
  WGMMA_WINDOW = 1 << 18
};

struct wgmma_matrix {
  uint64_t descriptor;
  enum mma_number type;
  bool transposed; /* m or n contiguous */
  unsigned size;   /* m or n */
};

/* Offsets in the window of shared memory of the matrix's pieces, row by row; returns their number.
 */
unsigned wgmma_pieces(const struct wgmma_matrix *matrix, uint32_t offsets[WGMMA_MAX_PIECES]);
/* The matrix from shared memory, widened (mma_widen): as [m or n][k], or, `k_first`, as [k][n].
   What lies after `bytes` reads as poison. */
void wgmma_read(const struct wgmma_matrix *matrix, const unsigned char *shared, size_t bytes,
                bool k_first, uint32_t *out);
/* a as [64][k] from four registers of each thread, fragments as in base/mma.h. */
void wgmma_read_fragments(enum mma_number type, const uint32_t *registers, uint32_t *out);

/* f16 accumulators: each of `count` accumulators is rounded to what its register can hold. */
void wgmma_round_to_half(uint32_t *values, size_t count);
/* Registers of one thread from the accumulators [64][n], and back. */
void wgmma_get(const struct mma_shape *shape, const uint32_t *values, unsigned thread,
               uint32_t *registers);
void wgmma_put(const struct mma_shape *shape, uint32_t *values, unsigned thread,
               const uint32_t *registers);

#endif
