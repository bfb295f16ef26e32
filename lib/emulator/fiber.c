/* SPDX-License-Identifier: MIT */
/* Fiber switches, one assembly routine per processor, and the bookkeeping of AddressSanitizer and
   ThreadSanitizer around them.

   A suspended fiber's stack, lowest address first (x86-64):

       r15 r14 r13 r12 rbx rbp  return address
       ^ stack_pointer

   A fresh one looks the same: its return address is fiber_begin_, which calls r12(rbx). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS, madvise */
#endif
#include "emulator/fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define FIBER_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define FIBER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN 1
#elif __has_feature(thread_sanitizer)
#define FIBER_TSAN 1
#endif
#endif
#ifdef FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#ifdef FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/* Saves the preserved registers, stores the stack pointer in *save, continues at `load`. */
void fiber_swap_(void **save, void *load);
/* First instruction of a fresh fiber. */
void fiber_begin_(void);

#if defined(__x86_64__) && !defined(_WIN32)
enum { FRAME_WORDS = 7, FRAME_ARGUMENT = 4, FRAME_FUNCTION = 3, FRAME_RETURN = 6 };
__asm__(".text\n"
        ".p2align 4\n"
        ".globl fiber_swap_\n"
        ".hidden fiber_swap_\n"
        ".type fiber_swap_, @function\n"
        "fiber_swap_:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size fiber_swap_, .-fiber_swap_\n"
        ".globl fiber_begin_\n"
        ".hidden fiber_begin_\n"
        ".type fiber_begin_, @function\n"
        "fiber_begin_:\n"
        ".cfi_startproc\n"
        ".cfi_undefined rip\n"
        "  movq %rbx, %rdi\n"
        "  callq *%r12\n"
        "  ud2\n"
        ".cfi_endproc\n"
        ".size fiber_begin_, .-fiber_begin_\n");
#elif defined(__aarch64__)
/* x19..x30 in words 0..11, d8..d15 in words 12..19; x30 is where fiber_swap_ returns to. */
enum { FRAME_WORDS = 20, FRAME_ARGUMENT = 0, FRAME_FUNCTION = 1, FRAME_RETURN = 11 };
__asm__(".text\n"
        ".p2align 4\n"
        ".globl fiber_swap_\n"
        ".hidden fiber_swap_\n"
        ".type fiber_swap_, %function\n"
        "fiber_swap_:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp, #0]\n"
        "  stp x21, x22, [sp, #16]\n"
        "  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n"
        "  stp x27, x28, [sp, #64]\n"
        "  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n"
        "  str x9, [x0]\n"
        "  mov sp, x1\n"
        "  ldp x19, x20, [sp, #0]\n"
        "  ldp x21, x22, [sp, #16]\n"
        "  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n"
        "  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n"
        "  ret\n"
        ".size fiber_swap_, .-fiber_swap_\n"
        ".globl fiber_begin_\n"
        ".hidden fiber_begin_\n"
        ".type fiber_begin_, %function\n"
        "fiber_begin_:\n"
        ".cfi_startproc\n"
        ".cfi_undefined x30\n"
        "  mov x0, x19\n"
        "  blr x20\n"
        "  brk #1\n"
        ".cfi_endproc\n"
        ".size fiber_begin_, .-fiber_begin_\n");
#else
#error "fiber.c: no context switch for this processor; add fiber_swap_ and fiber_begin_"
#endif

/* The first thing to run after a switch: completes it on the arriving side. */
static inline void complete_switch(struct fiber *self) {
#ifdef FIBER_ASAN
  const void *stack;
  size_t bytes;
  __sanitizer_finish_switch_fiber(self->fake_stack, &stack, &bytes);
  self->came_from->stack = (unsigned char *)stack; /* news only for the host's own stack */
  self->came_from->stack_bytes = bytes;
#else
  (void)self;
#endif
}

/* ThreadSanitizer keeps a stack of calls for each fiber. An abandoned fiber's begins anew. The host
   thread's own is taken when it leaves; a switch orders what both sides do. */
static void forget_shadow(struct fiber *fiber) {
#ifdef FIBER_TSAN
  if (fiber->shadow)
    __tsan_destroy_fiber(fiber->shadow);
  fiber->shadow = NULL;
#else
  (void)fiber;
#endif
}

static inline void switch_shadow(struct fiber *from, struct fiber *to) {
#ifdef FIBER_TSAN
  from->shadow = __tsan_get_current_fiber();
  if (!to->shadow)
    to->shadow = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(to->shadow, 0);
#else
  (void)from, (void)to;
#endif
}

static void begin(void *argument) {
  struct fiber *self = argument;
  complete_switch(self);
  self->entry(self->argument);
  abort();
}

void fiber_prepare(struct fiber *fiber, void (*entry)(void *), void *argument) {
#ifdef FIBER_ASAN
  if (fiber->stack_pointer) /* used before: frames that are left are poisoned */
    __asan_unpoison_memory_region(fiber->stack, fiber->stack_bytes);
#endif
  forget_shadow(fiber);
  fiber->entry = entry;
  fiber->argument = argument;
  /* Stacks start at different offsets in their page: the tops of 1024 fibers would otherwise share
     a few sets of the first-level cache. Switches among 1024 fibers cost 23 ns so, 28 ns without.
   */
  uintptr_t colour = ((uintptr_t)fiber->stack >> 12) * 320 & 0xFFF;
  uintptr_t top = ((uintptr_t)fiber->stack + fiber->stack_bytes - colour) & ~(uintptr_t)15;
  void **frame = (void **)top - FRAME_WORDS;
  memset(frame, 0, FRAME_WORDS * sizeof *frame);
  frame[FRAME_ARGUMENT] = fiber;
  frame[FRAME_FUNCTION] = (void *)(uintptr_t)begin;
  frame[FRAME_RETURN] = (void *)(uintptr_t)fiber_begin_;
  fiber->stack_pointer = frame;
}

void fiber_switch(struct fiber *from, struct fiber *to) {
  to->came_from = from;
#ifdef FIBER_ASAN
  __sanitizer_start_switch_fiber(&from->fake_stack, to->stack, to->stack_bytes);
#endif
  switch_shadow(from, to);
  fiber_swap_(&from->stack_pointer, to->stack_pointer);
  complete_switch(from);
}

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13 */
#endif

/* Makes a page trap: without a mapping of its own where the system can do that, as a process may
   have only some 65,000 (vm.max_map_count), and there can be as many stacks. */
static bool guard_page(unsigned char *page, size_t bytes) {
  return madvise(page, bytes, MADV_GUARD_INSTALL) == 0 || mprotect(page, bytes, PROT_NONE) == 0;
}

/* One mapping: guard, stack, guard, stack, ... The fiber structs are a separate array. */
struct fiber *fiber_slab_create(size_t count, size_t stack_bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t stride = page + stack_bytes;
  struct fiber *fibers = calloc(count, sizeof *fibers);
  if (!fibers)
    return NULL;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  unsigned char *memory = mmap(NULL, count * stride, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) {
    free(fibers);
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    if (!guard_page(memory + i * stride, page)) {
      munmap(memory, count * stride);
      free(fibers);
      return NULL;
    }
    fibers[i].stack = memory + i * stride + page;
    fibers[i].stack_bytes = stack_bytes;
    fibers[i].next = i + 1 < count ? &fibers[i + 1] : NULL;
  }
  return fibers;
}

void fiber_slab_destroy(struct fiber *slab, size_t count, size_t stack_bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
#ifdef FIBER_ASAN
  for (size_t i = 0; i < count; i++)
    __asan_unpoison_memory_region(slab[i].stack, slab[i].stack_bytes);
#endif
  for (size_t i = 0; i < count; i++)
    forget_shadow(&slab[i]);
  munmap(slab[0].stack - page, count * (page + stack_bytes));
  free(slab);
}
