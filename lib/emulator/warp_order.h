/* SPDX-License-Identifier: MIT */
/* What barriers that only some threads of a block use order among its warps: arrivals at barriers
   in shared memory and the waits for them (bulk.h), and barriers of some warps.

   Each warp counts its releases. A release stands for what the warp has done before: for all of its
   own thread's accesses, and for the other lanes' where a barrier of the warp, or an instruction
   that the lanes execute together, lies between. A clock says of each warp up to which release it
   is known. An arrival hands the warp's clock on to the barrier, a wait takes over what the phase
   has gathered; so a bulk copy comes after the loads of a stage where the warp that starts it knows
   of a release of each warp that came after its last load (vector clocks: Mattern, "Virtual Time
   and Global States of Distributed Systems", 1989; with the warp as the unit). */
#ifndef TILE_EMULATOR_WARP_ORDER_H
#define TILE_EMULATOR_WARP_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include "base/machine.h"

struct emulator_block;
struct emulator_thread;

/* The latest release of a warp that is known: its number, from 1; 0: none. */
struct warp_time {
  uint32_t release;
  uint32_t phase;  /* barriers of the warp until then */
  uint32_t thread; /* that made it; ALL_LANES: all of the warp */
};

enum { ALL_LANES = -1 };

/* Blocks of a cluster (cluster.h) that clocks have room for. */
enum { WARP_ORDER_BLOCKS = 2, WARP_ORDER_WARPS = WARP_ORDER_BLOCKS * MACHINE_BLOCK_WARPS };

/* Of the warps of a cluster: those of its first block, then of the second one. */
struct warp_clock {
  struct warp_time at[WARP_ORDER_WARPS];
};

struct warp_order {
  struct warp_clock known[MACHINE_BLOCK_WARPS];
  uint32_t releases[MACHINE_BLOCK_WARPS];
  uint64_t epochs[MACHINE_BLOCK_WARPS]; /* begun by the last barrier that the warp has passed */
};

/* The last load of something by a warp. */
struct warp_read {
  bool any;
  uint32_t release, phase; /* releases and barriers of the warp before it */
  uint64_t epoch;
  uint32_t thread;
  bool several;         /* lanes in this phase */
  const char *location; /* borrowed */
};

/* All warps of a block have passed a barrier, or, anew, begin. A block has none of this until the
   first barrier is made in its shared memory, or some of its warps meet: block->bulk.order. */
void warp_order_restart(struct emulator_block *block, bool anew);
void warp_order_need(struct emulator_block *block);
/* Some have passed one of their own; `warps` has a bit for each. */
void warp_order_meet(struct emulator_block *block, uint32_t warps);
/* What the thread's warp knows, with a new release of its own, is added to `into`. */
void warp_order_release(struct emulator_thread *thread, struct warp_clock *into);
void warp_order_acquire(struct emulator_thread *thread, const struct warp_clock *from);

/* Does what the thread does now come after what a lane of a warp of its block did in this phase of
   the warp? Phases by their lowest 8 bits: the latest of these. */
bool warp_order_comes_after(const struct emulator_thread *thread, uint32_t warp, uint8_t phase);

/* `together`: the lanes of the warp read as one. */
void warp_read_note(struct emulator_thread *thread, struct warp_read *read, bool together,
                    const char *location);
/* Does what the thread does now come after that load of a warp of `block`, its own or another one
   of its cluster? */
bool warp_read_is_over(const struct emulator_thread *thread, const struct emulator_block *block,
                       const struct warp_read *read, uint32_t warp);

#endif
