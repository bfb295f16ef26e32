/* SPDX-License-Identifier: MIT */
/* Tensor-core multiplications d = a * b + c: which types and shapes there are, and how many
   registers a lane holds of each operand.

   A fragment is a lane's share of a matrix, in 32-bit registers (f64: 64-bit ones). For mma.sync
   (PTX ISA, "Matrix Fragments for mma.m16n8k..."), with e = 32 / bits elements a register, g = lane
   / 4 and t = lane % 4:

     a  register r holds row g + 8 * (r % (m/8)), columns t*e + 4*e*(r / (m/8)) + 0 .. e-1
     b  register r holds column g,                rows    t*e + 4*e*r + 0 .. e-1
     c  element i  is at row g + 8 * (i / 2), column 2*t + i % 2 (f16: two elements a register)

             m16n8k16, f16, a: lane 0's registers 0 .. 3      each lane holds 2 x 4 elements
                  0 1 . . . . . . 8 9
               0 [r0 .............r2 .......]
               8 [r1 .............r3 .......] */
#ifndef TILE_BASE_MMA_H
#define TILE_BASE_MMA_H

#include <stdbool.h>
#include <stdint.h>
#include "base/machine.h"

enum mma_number {
#define X(id, mlir, ptx, bits) MMA_##id,
#include "base/mma.def"
#undef X
  MMA_NUMBER_COUNT
};

struct mma_number_info {
  const char *mlir, *ptx;
  unsigned bits;
};
extern const struct mma_number_info mma_numbers[MMA_NUMBER_COUNT];

struct mma_shape {
  enum mma_number a, b, c; /* c is the accumulator's and the result's type */
  unsigned m, n, k;
  bool saturate; /* mma.sync of i8: i32 accumulators stop at the ends of its range, in place of
                  * wrapping
                  */
};

/* What is wrong with a shape, with the way out, or NULL. `needed` receives the feature of
   targets that have it, or 0: all have. */
const char *mma_problem(const struct mma_shape *shape, enum machine_feature *needed);
const char *wgmma_problem(const struct mma_shape *shape);

/* Registers of 32 bits (f64: 64) that a lane of mma.sync holds. */
unsigned mma_a_registers(const struct mma_shape *shape);
unsigned mma_b_registers(const struct mma_shape *shape);
unsigned mma_c_registers(const struct mma_shape *shape);
/* The same for one thread of a warp group (wgmma, m = 64): accumulators; a, where it is in
   registers. */
unsigned wgmma_c_registers(const struct mma_shape *shape);
enum { WGMMA_A_REGISTERS = 4, MMA_MAX_REGISTERS = 132 };
/* What wgmma does with its operands, for the emulator. */
enum { WGMMA_A_IN_REGISTERS = 1, WGMMA_TRANSPOSE_A = 2, WGMMA_TRANSPOSE_B = 4 };
/* Registers that one wait can return. */
enum { WGMMA_MAX_WAITED = 256 };

/* A shape in the lower 26 bits of an integer, and back. */
uint32_t mma_encode(const struct mma_shape *shape);
struct mma_shape mma_decode(uint32_t code);

#endif
