/* SPDX-License-Identifier: MIT */
/* Blocks of a kernel in host form are cut into short ones, before code generation and after all
   optimisation: LLVM's scheduling takes quadratic time and more, so that a block of some thousands
   of instructions took half a minute. */
#ifndef TILE_EMULATOR_SHORT_BLOCKS_H
#define TILE_EMULATOR_SHORT_BLOCKS_H

#include <llvm-c/Core.h>

void make_blocks_short(LLVMModuleRef module);

#endif
