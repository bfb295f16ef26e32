/* SPDX-License-Identifier: MIT */
/* From an LLVM module in host form (program.h) to a program that runs here, or to an object file
 * for later. */
#ifndef TILE_EMULATOR_COMPILE_H
#define TILE_EMULATOR_COMPILE_H

#include <llvm-c/Types.h>
#include "base/text.h"
#include "emulator/program.h"

/* Compiles `module`. Takes the module and its context, also on failure; the context must hold no
   other module in use. Errors: TILE_INVALID_ARGUMENT (broken module, wrong entry), TILE_UNSUPPORTED
   (an intrinsic, assembly or device function that the emulator lacks, by name), TILE_INTERNAL (the
   JIT refused). Any thread, several at once. */
tile_status emulator_program_create(LLVMModuleRef module, LLVMContextRef context,
                                    const struct emulator_kernel *kernels, size_t count,
                                    tile_emulator_program **out_program);

/* The same as an object file for any processor of this architecture (object.h). Appends its bytes.
   TILE_UNSUPPORTED, too, on architectures that objects are not written for. */
tile_status emulator_object_create(LLVMModuleRef module, LLVMContextRef context,
                                   const struct emulator_kernel *kernels, size_t count,
                                   struct text *out);

#endif
