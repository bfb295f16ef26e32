/* SPDX-License-Identifier: MIT */
/* Fibers: stacks that hand the processor to each other by name.

   A switch saves the registers that the C calling convention preserves, changes the stack pointer,
   and returns on the other stack: about ten instructions, no system call. Floating-point control
   words are not saved: kernels do not change them. Fibers of one host thread at a time. */
#ifndef TILE_EMULATOR_FIBER_H
#define TILE_EMULATOR_FIBER_H

#include <stdbool.h>
#include <stddef.h>

/* Of a thread that waits. What a kernel's code needs of it is checked when it is compiled
   (compile/host_module.c). */
enum { EMULATOR_STACK_BYTES = 2 << 20 };

struct fiber {
  void *stack_pointer;     /* saved while it does not run */
  unsigned char *stack;    /* lowest usable byte; below it lies a guard page */
  size_t stack_bytes;      /* of the usable part */
  void (*entry)(void *);   /* never returns */
  void *argument;          /* borrowed, for entry */
  struct fiber *came_from; /* who switched here last */
  struct fiber *next;      /* links the owner's lists */
  void *fake_stack;        /* AddressSanitizer's, while it does not run */
  void *shadow;            /* ThreadSanitizer's state of it, or NULL */
};

/* Makes the next switch to `fiber` start entry(argument) on its empty stack. Whatever it was
   suspended in is abandoned. */
void fiber_prepare(struct fiber *fiber, void (*entry)(void *), void *argument);

/* Suspends `from`, which must be running, and continues `to`. A zeroed struct fiber stands for the
   host thread's own stack. */
void fiber_switch(struct fiber *from, struct fiber *to);

/* Allocates `count` fibers with guarded stacks of `stack_bytes` (a multiple of the page size) as
   one mapping, linked through `next`; NULL when there is no memory. The memory is committed page by
   page as it is touched. */
struct fiber *fiber_slab_create(size_t count, size_t stack_bytes);
/* Ends what one fiber_slab_create returned: `slab` is the fiber it returned. */
void fiber_slab_destroy(struct fiber *slab, size_t count, size_t stack_bytes);

#endif
