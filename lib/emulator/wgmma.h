/* SPDX-License-Identifier: MIT */
/* wgmma in flight: what each warp group has asked for, and what was stored to shared memory through
   which proxy.

   A wgmma is executed by the wait that completes it, not when it is issued: so its operands are
   read as late as they may be. Until then its results are tags, one for each register, that read as
   NaN; the wait replaces tags by numbers where they are handed to it, and nothing else does. A
   wgmma whose accumulators are tags of the one before goes on with the same accumulators. */
#ifndef TILE_EMULATOR_WGMMA_H
#define TILE_EMULATOR_WGMMA_H

#include <stddef.h>
#include <stdint.h>
#include "emulator/wgmma_math.h"

struct emulator_block;
struct emulator_thread;
struct wgmma_flight;

enum { WGMMA_SETS = 16, WGMMA_GROUPS = 8 };

/* Accumulators of one chain of wgmmas; free while id is 0. */
struct wgmma_set {
  uint32_t id;
  uint32_t in_flight; /* wgmmas that are to be added */
  bool delivered;     /* a wait has returned them */
  struct mma_shape shape;
  uint32_t *values; /* owned: [64][n], kept for the next chain */
};

/* What a warp group has in flight. */
struct wgmma_group {
  struct wgmma_set sets[WGMMA_SETS];
  struct wgmma_flight *first, *last; /* owned: oldest first */
};

struct wgmma_state {
  struct wgmma_group groups[WGMMA_GROUPS];
  uint32_t latest_id;
  uint32_t in_flight;
  uint32_t fences;   /* proxy fences so far, of all threads of the blocks in this record */
  uint32_t *stored;  /* owned: of each byte of shared memory, 1 + the fences before its last store
                        through the generic proxy; 0: none. NULL without checks */
  uint16_t *readers; /* owned: of each piece of shared memory, wgmmas in flight that read it; NULL
                        before the first */
};

/* A block begins: what the last one left in flight is forgotten. */
void wgmma_begin_block(struct emulator_block *block);
void wgmma_destroy(struct wgmma_state *state);
/* A store to shared memory: reports one to an operand of a wgmma in flight, and notes whether it
   went through the generic proxy. cp.async does not in this respect: what has been waited for is
   there for wgmma, too (docs/decisions/0019). */
void wgmma_note_store(struct emulator_thread *thread, uintptr_t address, size_t bytes, bool generic,
                      const char *location);
/* An access through the asynchronous proxy: reports bytes that were stored to through the generic
   one with no fence since, in which `what` ("wgmma reads") says who does what. True when there are
   none. Only with checks on. */
bool wgmma_check_proxy(struct emulator_thread *thread, size_t offset, size_t bytes,
                       const char *what, const char *location);

#endif
