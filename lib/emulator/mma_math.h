/* SPDX-License-Identifier: MIT */
/* The arithmetic of tensor-core multiplications, on plain arrays; compiled at -O3 in every build.

   What the emulator computes, where the PTX ISA leaves it open: floats are multiplied exactly (a
   product that leaves f32's range is rounded to it) and added to the accumulator one by one in f32,
   k from 0 up. Devices add several products at once and truncate: they agree to within a few units
   in the last place of the greatest partial sum. tf32 operands lose their low 13 bits. An f16
   accumulator is rounded once, at the end of each instruction. f64 rounds each fused multiply and
   add; integers wrap. */
#ifndef TILE_EMULATOR_MMA_MATH_H
#define TILE_EMULATOR_MMA_MATH_H

#include <stddef.h>
#include <stdint.h>
#include "base/machine.h"
#include "base/mma.h"

/* `count` elements of a type of at most 32 bits become floats, or int32 for integers, in as many
   words. */
void mma_widen(enum mma_number type, const void *elements, size_t count, uint32_t *out);
/* c[i][j] += sum over k of a[i][k] * b[k][j], rows of b and c n words long. `floats`: else int32.
 */
void mma_multiply(const uint32_t *a, const uint32_t *b, uint32_t *c, unsigned m, unsigned n,
                  unsigned k, bool floats);

/* mma.sync by a warp: fragments[lane] points to the lane's registers of a, b and c, which becomes
   d. */
void mma_warp(const struct mma_shape *shape, uint32_t *const fragments[MACHINE_LANES]);

#endif
