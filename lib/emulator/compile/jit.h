/* SPDX-License-Identifier: MIT */
/* LLVM ORC after three functions. */
#ifndef TILE_EMULATOR_JIT_H
#define TILE_EMULATOR_JIT_H

#include <llvm-c/LLJIT.h>
#include <llvm-c/TargetMachine.h>
#include <stddef.h>
#include "base/text.h"
#include "tile/status.h"

/* Zero-initialise. Must not move once created. */
struct jit {
  LLVMOrcLLJITRef lljit;
  struct text errors; /* what the session reported besides the errors it returned */
  struct text noted;  /* host_module_note */
};

/* Makes an empty JIT for this host, with the functions of device.def and runtime.def defined in it.
   `instruction_count` tells how much it will compile. Any thread. */
tile_status jit_create(struct jit *jit, size_t instruction_count);
/* Also ends one that jit_create failed to make, and a zeroed one. */
void jit_destroy(struct jit *jit);
/* Optimises the module lightly and adds it. Takes the module and its context, also on failure. */
tile_status jit_add(struct jit *jit, LLVMModuleRef module, LLVMContextRef context);
/* Address of a function; the first lookup compiles. */
tile_status jit_find(struct jit *jit, const char *name, void **out_address);

/* A machine for object files (emulator/object.h). The caller disposes of it. */
tile_status jit_object_machine(size_t instruction_count, LLVMTargetMachineRef *out);
/* Makes a module fit for code generation by the machine: triple, layout, light optimisation. */
tile_status jit_prepare(LLVMModuleRef module, LLVMTargetMachineRef machine);

#endif
