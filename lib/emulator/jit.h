/* LLVM ORC behind three functions. */
#ifndef TILE_EMULATOR_JIT_H
#define TILE_EMULATOR_JIT_H

#include <llvm-c/LLJIT.h>
#include <stddef.h>
#include "tile/status.h"

/* Makes an empty JIT for this host, with the functions of device.def and runtime.def defined in it.
   `instruction_count` tells how much it will compile. Any thread. */
tile_status jit_create(size_t instruction_count, LLVMOrcLLJITRef *out_jit);
void jit_destroy(LLVMOrcLLJITRef jit);
/* Optimises the module lightly and adds it. Takes the module and its context, also on failure. */
tile_status jit_add(LLVMOrcLLJITRef jit, LLVMModuleRef module, LLVMContextRef context);
/* Address of a function; the first lookup compiles. */
tile_status jit_find(LLVMOrcLLJITRef jit, const char *name, void **out_address);

#endif
