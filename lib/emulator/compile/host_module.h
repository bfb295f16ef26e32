/* SPDX-License-Identifier: MIT */
/* What a module must be before the JIT sees it. */
#ifndef TILE_EMULATOR_HOST_MODULE_H
#define TILE_EMULATOR_HOST_MODULE_H

#include <llvm-c/Types.h>
#include "base/text.h"
#include "emulator/program.h"

/* Checks that `module` is in host form and that it defines the kernels. LLVM aborts the process on
   an intrinsic of another target, so those become errors here. Also makes functions probe their
   stack, so that a fiber that runs out of it hits its guard page, asks the code generator to say
   which of them need more of it than a fiber has, and counts instructions. */
tile_status host_module_prepare(LLVMModuleRef module, const struct emulator_kernel *kernels,
                                size_t count, size_t *out_instruction_count);

/* From now on what the code generator says of such a function, and its errors, are noted in
   *noted, which has to live as long as the context or until a call with NULL. */
void host_module_note(LLVMContextRef context, struct text *noted);
/* What *noted says after code was generated: an error, or NULL. */
tile_status host_module_noted(const struct text *noted);

#endif
