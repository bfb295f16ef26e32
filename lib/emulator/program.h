/* SPDX-License-Identifier: MIT */
/* Programs: kernels in host form with the addresses of their code, which a JIT or an object keeps.

   Host form means: functions `void NAME(ptr thread, ptr arguments)`, one per kernel; device
   operations are calls of the functions in device.def, handing on `thread`; other externals come
   from runtime.def; no target intrinsics, no inline assembly. docs/emulator.md says more. */
#ifndef TILE_EMULATOR_PROGRAM_H
#define TILE_EMULATOR_PROGRAM_H

#include <stddef.h>
#include "base/machine.h"
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
  const struct machine *machine; /* that it was compiled for; NULL: the default */
  uint32_t cluster_blocks;       /* of a cluster, along x; 0: 1 */
};

/* What keeps the code of a program. */
struct emulator_code {
  void *state;
  /* The address of a function. */
  tile_status (*find)(void *state, const char *name, void **out);
  void (*destroy)(void *state);
};

/* What the function of a kernel is called in the code: its own name may be that of a function that
   the code calls, fma for one. */
#define EMULATOR_SYMBOL "kernel.%s"

/* A function without a use: by its name, EMULATOR_TARGET of a target's, an object says which one
   its kernels are for. */
#define EMULATOR_TARGET "target.%s"

/* A program without kernels. Takes the code. */
tile_emulator_program *emulator_program_make(const struct emulator_code *code);
/* Adds a kernel, before the program is launched or shared. Errors: those of `find`. */
tile_status emulator_program_add(tile_emulator_program *program,
                                 const struct emulator_kernel *kernel);

/* A program of an object file (object.h), whose functions are called EMULATOR_SYMBOL of the
   kernels' symbols. Kernels are added by the caller. */
tile_status emulator_program_load(const void *bytes, size_t size, tile_emulator_program **out);

/* The GPU that an object's kernels are compiled for. */
const struct machine *emulator_program_machine(const tile_emulator_program *program);

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
