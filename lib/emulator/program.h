/* Compiled kernels: from an LLVM module in host form to addresses.

   Host form means: functions `void NAME(ptr thread, ptr arguments)`, one per kernel; device
   operations are calls of the functions in device.def, handing on `thread`; other externals come
   from runtime.def; no target intrinsics, no inline assembly. docs/emulator.md says more. */
#ifndef TILE_EMULATOR_PROGRAM_H
#define TILE_EMULATOR_PROGRAM_H

#include <llvm-c/Types.h>
#include <stddef.h>
#include "tile/emulator.h"

struct emulator_thread;

/* A compiled kernel: runs one GPU thread. */
typedef void emulator_entry(struct emulator_thread *thread, void *const *arguments);

/* What the compiler says of a kernel; copied. */
struct emulator_kernel {
  const char *name;      /* what a launch calls it */
  size_t argument_count; /* that a launch must pass */
  uint32_t threads;      /* per block, that it was compiled for; 0: any */
  uint32_t shared_bytes; /* of shared memory that it uses itself; a launch may ask for more */
  const char *symbol;    /* of its function in the module; NULL: `name` */
};

/* Compiles `module`. Takes the module and its context, also on failure; the context must hold no
   other module in use. Errors: TILE_INVALID_ARGUMENT (broken module, wrong entry), TILE_UNSUPPORTED
   (an intrinsic, assembly or device function that the emulator lacks, by name), TILE_INTERNAL (the
   JIT refused). Any thread, several at once. */
tile_status emulator_program_create(LLVMModuleRef module, LLVMContextRef context,
                                    const struct emulator_kernel *kernels, size_t count,
                                    tile_emulator_program **out_program);

/* One more owner, who calls tile_emulator_program_destroy, too; returns `program`. */
tile_emulator_program *emulator_program_retain(tile_emulator_program *program);

/* For the launch: a kernel's properties and code, or NULL. */
struct emulator_compiled_kernel {
  struct emulator_kernel info; /* names owned by the program */
  emulator_entry *entry;
};
/* By its name, or else by its symbol. */
const struct emulator_compiled_kernel *emulator_program_find(const tile_emulator_program *program,
                                                             const char *name);

#endif
