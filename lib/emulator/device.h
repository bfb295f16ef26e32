/* SPDX-License-Identifier: MIT */
/* Prototypes of the device functions in device.def, as a kernel in host form calls them.

   Predicates and flags are i32, zero or not. Locations are "file:line:column" strings that live as
   long as the program, or NULL. Functions without a thread are pure. */
#ifndef TILE_EMULATOR_DEVICE_H
#define TILE_EMULATOR_DEVICE_H

#include <stdint.h>
#include "emulator/runtime.h"

struct emulator_thread;

uint32_t tile_emu_thread_index(struct emulator_thread *thread);
/* Axis 0, 1, 2 is x, y, z. */
uint32_t tile_emu_block_index(struct emulator_thread *thread, uint32_t axis);
uint32_t tile_emu_block_count(struct emulator_thread *thread, uint32_t axis);

/* To be called before every access to global memory: returns the address for the plain load or
   store that follows. That is `address`, unless the predicate is 0 or the access is a hazard, which
   is then reported; in those cases it is a scratch area of the thread filled with 0xCB, so that the
   access does no harm and a load gives poison. `bytes` is at most 64, `alignment` a power of two up
   to 64, `use` 0 for a load, 1 for a store, 2 for a volatile load, at which other blocks may run.
   */
void *tile_emu_global(struct emulator_thread *thread, void *address, uint32_t bytes,
                      uint32_t alignment, uint32_t use, uint32_t predicate, const char *location);
/* The same for an access of the block's shared memory. */
void *tile_emu_shared_access(struct emulator_thread *thread, void *address, uint32_t bytes,
                             uint32_t alignment, uint32_t is_store, uint32_t predicate,
                             const char *location);
/* A request to bring the line of one byte into a cache: nothing happens, but the byte must be of a
   buffer. It is no load that could race. */
void tile_emu_prefetch(struct emulator_thread *thread, void *address, uint32_t predicate,
                       const char *location);
/* The first byte of the block's shared memory: 1024-byte aligned, below 4 GiB on x86-64 so that
   its addresses fit in 32 bits, filled with 0xCB when the block starts. NULL if the launch has
   none. */
void *tile_emu_shared(struct emulator_thread *thread);

/* cp.async of 4, 8 or 16 bytes from global memory to shared: the first `source_bytes` are read, the
   rest is zero. Where the predicate is 0 nothing happens. A commit closes the group of the thread's
   copies so far; a wait lands all groups but the latest `pending`, and no copy that is in no group
   yet. */
void tile_emu_cp_async(struct emulator_thread *thread, void *destination, void *source,
                       uint32_t bytes, uint32_t source_bytes, uint32_t predicate,
                       const char *location);
void tile_emu_cp_async_commit(struct emulator_thread *thread);
void tile_emu_cp_async_wait(struct emulator_thread *thread, uint32_t pending);

/* shfl.sync by the lanes of the warp that `mask` names (PTX ISA, shfl.sync): `kind` is 0 idx, 1
   bfly, 2 up, 3 down; `operand` and `clamp` are the instruction's b and c. Where the other lane is
   out of range, or the warp has none, the result is the own value. */
uint32_t tile_emu_shuffle(struct emulator_thread *thread, uint32_t mask, uint32_t kind,
                          uint32_t value, uint32_t operand, uint32_t clamp, const char *location);
/* redux.sync by the lanes of the warp that `mask` names: `kind` is 0 add, 1 and, 2 or, 3 xor, 4
   min, 5 max (signed), 6 umin, 7 umax. */
uint32_t tile_emu_redux(struct emulator_thread *thread, uint32_t mask, uint32_t kind,
                        uint32_t value, const char *location);
/* bar.warp.sync by all lanes of the warp: each sees what the others did to memory before it. */
void tile_emu_warp_barrier(struct emulator_thread *thread, const char *location);

/* mma.sync by all 32 lanes of the warp. `shape` is of mma_encode (base/mma.h); `registers` holds
   the lane's registers of a, b and c one after the other, and c becomes d. */
void tile_emu_mma(struct emulator_thread *thread, uint32_t shape, uint32_t *registers,
                  const char *location);

/* ldmatrix and stmatrix, .b16: `count` (1, 2, 4) matrices of 8x8, a register for each. */
void tile_emu_ldmatrix(struct emulator_thread *thread, void *address, uint32_t count,
                       uint32_t transpose, uint32_t *registers, const char *location);
void tile_emu_stmatrix(struct emulator_thread *thread, void *address, uint32_t count,
                       uint32_t transpose, uint32_t *registers, const char *location);

/* wgmma.mma_async by a warp group: `registers` holds the thread's accumulators, then, with
   WGMMA_A_IN_REGISTERS (base/mma.h), four registers of a; else `a` is a descriptor. The
   accumulators become tags, for which tile_emu_wgmma_wait gives the numbers when they are handed to
   it. */
void tile_emu_wgmma(struct emulator_thread *thread, uint32_t shape, uint32_t flags,
                    uint32_t *registers, uint64_t a, uint64_t b, uint32_t scale,
                    const char *location);
void tile_emu_wgmma_fence(struct emulator_thread *thread);
void tile_emu_wgmma_commit(struct emulator_thread *thread);
/* Waits until at most `pending` groups are in flight. */
void tile_emu_wgmma_wait(struct emulator_thread *thread, uint32_t pending, uint32_t count,
                         uint32_t *registers, const char *location);
void tile_emu_fence_async_shared(struct emulator_thread *thread);

/* An atomic operation on global memory (PTX ISA, atom). `operation`, `number` and `order` are of
   device_atomics.h; value, compare and the result, the old value, are the low bits of 64. Where the
   predicate is 0, or the access is a hazard, memory is not touched and the result is poison. */
uint64_t tile_emu_atomic(struct emulator_thread *thread, void *address, uint32_t operation,
                         uint32_t number, uint64_t value, uint64_t compare, uint32_t order,
                         uint32_t predicate, const char *location);

/* Waits until every thread of the block waits (bar.sync 0). */
void tile_emu_barrier(struct emulator_thread *thread, const char *location);
/* A loop of the thread begins its next turn. Where the launch allows fewer (its turn_limit), that
   is reported, and the launch ends. */
void tile_emu_turn(struct emulator_thread *thread, const char *location);
/* Reports a trap, with the kernel's words or NULL, and ends the launch. */
_Noreturn void tile_emu_trap(struct emulator_thread *thread, const char *location,
                             const char *message);

/* The device's vprintf: the arguments lie one after the other, each aligned to its size. Formats
   are the compiler's own: %d, %x, %f, with widths and `ll`, and %%. */
uint32_t tile_emu_vprintf(struct emulator_thread *thread, const char *format,
                          const unsigned char *arguments);
/* The device's __assertfail, as a trap. */
_Noreturn void tile_emu_assertfail(struct emulator_thread *thread, const char *message,
                                   const char *file, uint32_t line, const char *function,
                                   uint64_t character_bytes, const char *location);

/* Those without a thread. bfloat and half are a carrier (runtime.h). */
#define X(name, summary)
#define PURE(result, name, parameters, value, summary) result name parameters;
#include "emulator/device.def"
#undef X
#undef PURE

#endif
