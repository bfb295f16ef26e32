/* SPDX-License-Identifier: MIT */
/* Values of bfloat, and vectors of them, go from block to block as integers, before code generation
   and after all changes of blocks. LLVM's code generator for x86-64 hands them on as floats and
   rounds them again, which makes one NaN of all: bits that a kernel loaded as bf16 and looks at as
   integers would not be what they were. */
#ifndef TILE_EMULATOR_BFLOAT_BITS_H
#define TILE_EMULATOR_BFLOAT_BITS_H

#include <llvm-c/Core.h>

void pass_bfloats_as_bits(LLVMModuleRef module);

#endif
