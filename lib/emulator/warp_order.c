/* SPDX-License-Identifier: MIT */
/* See warp_order.h. */
#include "emulator/warp_order.h"

#include <string.h>
#include "base/arena.h"
#include "emulator/launch.h"

static uint32_t warp_of(const struct emulator_thread *thread) {
  return thread->index / MACHINE_LANES;
}

static uint32_t entry(const struct emulator_block *block, uint32_t warp) {
  return block->rank * MACHINE_BLOCK_WARPS + warp;
}

/* Of the warps of as many blocks as a cluster has. */
static void join(const struct emulator_block *block, struct warp_clock *into,
                 const struct warp_clock *from) {
  for (uint32_t w = 0; w < block->launch->cluster * MACHINE_BLOCK_WARPS; w++)
    if (from->at[w].release > into->at[w].release)
      into->at[w] = from->at[w];
}

void warp_order_restart(struct emulator_block *block, bool anew) {
  struct warp_order *order = block->bulk.order;
  if (!order)
    return;
  if (anew)
    memset(order, 0, sizeof *order);
  for (uint32_t w = 0; w < MACHINE_BLOCK_WARPS; w++)
    order->epochs[w] = block->memory.epoch;
}

void warp_order_need(struct emulator_block *block) {
  if (block->bulk.order)
    return;
  block->bulk.order = tile_allocate(sizeof *block->bulk.order);
  warp_order_restart(block, true);
}

static void release(struct emulator_block *block, uint32_t warp, uint32_t thread) {
  struct warp_order *order = block->bulk.order;
  order->known[warp].at[entry(block, warp)] = (struct warp_time){
      .release = ++order->releases[warp], .phase = block->warps[warp].phase, .thread = thread};
}

void warp_order_meet(struct emulator_block *block, uint32_t warps) {
  struct warp_order *order = block->bulk.order;
  struct warp_clock all = {0};
  for (uint32_t w = 0; w < MACHINE_BLOCK_WARPS; w++)
    if (warps >> w & 1) {
      release(block, w, (uint32_t)ALL_LANES);
      join(block, &all, &order->known[w]);
    }
  for (uint32_t w = 0; w < MACHINE_BLOCK_WARPS; w++)
    if (warps >> w & 1) {
      order->known[w] = all;
      order->epochs[w] = block->memory.epoch;
    }
}

void warp_order_release(struct emulator_thread *thread, struct warp_clock *into) {
  release(thread->block, warp_of(thread), thread->index);
  join(thread->block, into, &thread->block->bulk.order->known[warp_of(thread)]);
}

void warp_order_acquire(struct emulator_thread *thread, const struct warp_clock *from) {
  join(thread->block, &thread->block->bulk.order->known[warp_of(thread)], from);
}

/* A release in a later phase of that warp came after it. */
bool warp_order_comes_after(const struct emulator_thread *thread, uint32_t warp, uint8_t phase) {
  const struct emulator_block *block = thread->block;
  const struct warp_time *known = &block->bulk.order->known[warp_of(thread)].at[entry(block, warp)];
  uint32_t current = block->warps[warp].phase, then = current - (uint8_t)(current - phase);
  return known->release && (int32_t)(known->phase - then) > 0;
}

void warp_read_note(struct emulator_thread *thread, struct warp_read *read, bool together,
                    const char *location) {
  const struct emulator_block *block = thread->block;
  uint32_t warp = warp_of(thread), phase = block->warps[warp].phase;
  bool same_phase = read->any && read->phase == phase;
  bool several = !together && same_phase && (read->several || read->thread != thread->index);
  *read = (struct warp_read){.any = true,
                             .release = block->bulk.order->releases[warp],
                             .phase = phase,
                             .epoch = block->memory.epoch,
                             .thread = together ? (uint32_t)ALL_LANES : thread->index,
                             .several = several,
                             .location = location};
}

/* In its own block, before a barrier of that or by the thread itself. */
static bool is_over_here(const struct emulator_thread *thread, const struct warp_read *read) {
  return read->epoch < thread->block->bulk.order->epochs[warp_of(thread)] ||
         (!read->several && read->thread == thread->index);
}

bool warp_read_is_over(const struct emulator_thread *thread, const struct emulator_block *block,
                       const struct warp_read *read, uint32_t warp) {
  const struct warp_order *order = thread->block->bulk.order;
  const struct warp_time *known = &order->known[warp_of(thread)].at[entry(block, warp)];
  if (!read->any || (block == thread->block && is_over_here(thread, read)))
    return true;
  if (known->release <= read->release)
    return false;
  return known->phase > read->phase || known->thread == (uint32_t)ALL_LANES ||
         read->thread == (uint32_t)ALL_LANES || (!read->several && read->thread == known->thread);
}
