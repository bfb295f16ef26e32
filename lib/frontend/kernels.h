/* SPDX-License-Identifier: MIT */
/* What makes a function a kernel: decorators above it, or a call that an assignment names,

       k = triton.jit(f)
       k = triton.autotune(configs=..., key=[...])(triton.jit(do_not_specialize=["n"])(f))

   whose calls are then its decorators. Used by module.c alone. */
#ifndef TILE_FRONTEND_KERNELS_H
#define TILE_FRONTEND_KERNELS_H

#include "frontend/module.h"

/* An assignment of a call to a name: perhaps a kernel. */
struct candidate {
  const struct scope *scope; /* of the assignment */
  const char *name, *qualified;
  uint32_t offset; /* of the statement: what is bound after it is not seen */
  struct node *call;
  struct candidate *next;
};

/* Sorts kernel->decorators into jit, autotune, heuristics and unknown. */
void kernel_classify(struct arena *arena, struct kernel *kernel);
/* Adds to module->kernels those candidates that are kernels; keeps those that may be kernels of a
   function of another file. */
void kernels_add_made(struct module *module, struct candidate *candidates);

#endif
