/* SPDX-License-Identifier: MIT */
/* Vectors of bfloat go from block to block as integers, before code generation and after all
   changes of blocks. LLVM's code generator for x86-64 hands them on as vectors of float and rounds
   them again, which makes one NaN of all: bits that a kernel loaded as bf16 and looks at as
   integers would not be what they were. */
#ifndef TILE_EMULATOR_BFLOAT_VECTORS_H
#define TILE_EMULATOR_BFLOAT_VECTORS_H

#include <llvm-c/Core.h>

void pass_bfloat_vectors_as_integers(LLVMModuleRef module);

#endif
