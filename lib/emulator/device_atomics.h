/* SPDX-License-Identifier: MIT */
/* The numbers by which convert-to-emulator tells tile_emu_atomic what to do. */
#ifndef TILE_EMULATOR_DEVICE_ATOMICS_H
#define TILE_EMULATOR_DEVICE_ATOMICS_H

enum atomic_operation {
  ATOMIC_ADD,
  ATOMIC_MAX,
  ATOMIC_MIN,
  ATOMIC_UMAX,
  ATOMIC_UMIN,
  ATOMIC_AND,
  ATOMIC_OR,
  ATOMIC_XOR,
  ATOMIC_XCHG,
  ATOMIC_CAS
};

/* What is in memory: bits, integers as well, or floating-point numbers to be added or, of
   16 bits, compared. */
enum atomic_number {
  ATOMIC_BITS16,
  ATOMIC_BITS32,
  ATOMIC_BITS64,
  ATOMIC_F16,
  ATOMIC_BF16,
  ATOMIC_F32,
  ATOMIC_F64,
  ATOMIC_F16X2,
  ATOMIC_BF16X2
};

/* Bits of `order`. In shared memory, and with the scope of a block, nothing orders blocks, nor do
   fences. The upper bits are the alignment of the access that the operation is a part of; 0: that
   of the operation. */
enum atomic_order {
  ATOMIC_ACQUIRES = 1,
  ATOMIC_RELEASES = 2,
  ATOMIC_SHARED = 4, /* memory */
  ATOMIC_IN_BLOCK = 8,
  ATOMIC_ALIGNMENT_SHIFT = 8
};

#endif
