/* SPDX-License-Identifier: MIT */
/* What a module must be before the JIT sees it. */
#ifndef TILE_EMULATOR_HOST_MODULE_H
#define TILE_EMULATOR_HOST_MODULE_H

#include <llvm-c/Types.h>
#include "emulator/program.h"

/* Checks that `module` is in host form and that it defines the kernels. LLVM aborts the process on
   an intrinsic of another target, so those become errors here. Also makes functions probe their
   stack, so that a fiber that runs out of it hits its guard page, and counts instructions. */
tile_status host_module_prepare(LLVMModuleRef module, const struct emulator_kernel *kernels,
                                size_t count, size_t *out_instruction_count);

#endif
