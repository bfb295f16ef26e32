/* SPDX-License-Identifier: MIT */
/* Tiles of pointers that a loop advances by one amount in each iteration, as `b_ptrs += BLOCK *
   stride` does, next to dots of warp groups.

   Such a tile stays where it is; what the loop carries is how far it has moved, in bytes. The
   addresses of an iteration are then new registers, each the sum of a pointer that does not change
   and of one number that does. With pointers carried, ptxas copies each of them, because
   asynchronous copies read them late. And LLVM's loop strength reduction makes one moving pointer
   and an offset for each address out of them, so that ptxas computes the offsets anew in every
   iteration, with multiplications of 64 bits, which hold up the tensor cores: the loop of 128 x 256
   x 64 took 7 to 9% longer on an H200. So the number is added to by an instruction that LLVM does
   not know (DEVICE_HIDDEN_SUM). */
#ifndef TILE_LOWERING_TILE_GPU_TO_LLVM_MOVED_POINTERS_H
#define TILE_LOWERING_TILE_GPU_TO_LLVM_MOVED_POINTERS_H

#include "lowering/tile_gpu_to_llvm/lowering.h"

/* The elements, an old tile, by which each iteration of a scf.for advances its loop-carried tile of
   pointers `index`, of `bases` bases; null where it does something else, or where the tile is
   better carried. */
MlirValue pointer_step(struct lowering *lw, MlirOperation loop, intptr_t index, int bases);

/* How far a tile has moved in the next iteration, i64. `pointers`: its old type. */
MlirValue build_moved_further(struct lowering *lw, MlirType pointers, MlirValue bytes,
                              MlirValue step);

/* The tile, `bytes` (i64) on. */
struct lowered *build_moved_pointers(struct lowering *lw, MlirType old_type,
                                     const struct lowered *initial, MlirValue bytes);

#endif
