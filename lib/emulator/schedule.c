/* SPDX-License-Identifier: MIT */
/* The scheduler of a block: runs its threads as fibers.

   Threads that can run stand in a ring, at first and after each barrier all of them in random
   order. Each runs until it exits or waits: at the barrier, or for the other lanes of its warp,
   whose last one to come puts the others back into the ring; or for a barrier in shared memory
   (bulk.h). When the ring is empty and all threads wait at the same barrier of the block, they pass
   it; any other waiting is reported, for it would not end.
   Whoever stops running picks the next thread itself and hands over directly, so a wait costs one
   switch; a thread that exits starts the next one on its own stack, so threads that never wait cost
   none. Which block runs is the host's choice (residency.c): it is asked when a block is done, or
   gives way.

       worker: loop { run the selected thread on this stack; pick the next }
       next is fresh      -> the same stack runs it
       next is suspended  -> this stack goes to the free list, switch to the other
       no next            -> this stack goes to the free list, switch to the host */
#include "base/status.h"
#include "emulator/launch.h"
#include "emulator/tensor.h"

#include <stdlib.h>
#include <string.h>

static bool same_location(const char *left, const char *right) {
  return left == right || (left && right && strcmp(left, right) == 0);
}

static void shuffle(struct emulator_block *block) {
  uint32_t count = block->launch->thread_count;
  for (uint32_t i = 0; i < count; i++)
    block->order[i] = &block->threads[i];
  for (uint32_t i = count; i > 1; i--) {
    uint32_t j = random_below(&block->launch->random, i);
    struct emulator_thread *thread = block->order[i - 1];
    block->order[i - 1] = block->order[j];
    block->order[j] = thread;
  }
  block->position = 0;
  block->ready = count;
}

void schedule_report_divergence(struct emulator_thread *waiting, struct emulator_thread *other) {
  struct emulator_launch *launch = waiting->launch;
  tile_emulator_hazard hazard = {.kind = waiting->at_shuffle ? TILE_EMULATOR_SHUFFLE_DIVERGENCE
                                                             : TILE_EMULATOR_BARRIER_DIVERGENCE,
                                 .site = launch_site(waiting, waiting->barrier),
                                 .other = launch_site(other, other->barrier),
                                 .other_exited = other->exited,
                                 .message =
                                     waiting->at_shuffle ? tensor_words(waiting->operation) : NULL,
                                 .other_at_barrier = !other->exited && !other->at_shuffle};
  report_add(launch->report, &hazard);
  launch->stopped = true;
}

static bool waits_alike(const struct emulator_thread *a, const struct emulator_thread *b) {
  return !a->exited && !b->exited && a->at_shuffle == b->at_shuffle && a->at_named == b->at_named &&
         a->at_cluster == b->at_cluster &&
         (!a->at_shuffle ||
          (a->together == b->together && a->operation == b->operation && a->mask == b->mask)) &&
         same_location(a->barrier, b->barrier);
}

static bool names(uint32_t mask, uint32_t lane) {
  return mask >> lane % MACHINE_LANES & 1;
}

/* A thread that does not wait where `waiting` does, or NULL; at a shuffle only those that it waits
   for. */
static struct emulator_thread *find_diverged(struct emulator_block *block,
                                             struct emulator_thread *waiting) {
  for (uint32_t i = 0; i < block->launch->thread_count; i++) {
    struct emulator_thread *thread = &block->threads[i];
    bool counts =
        !waiting->at_shuffle ||
        (i / waiting->together == waiting->index / waiting->together && names(waiting->mask, i));
    if (counts && !waits_alike(thread, waiting))
      return thread;
  }
  return NULL;
}

/* A thread that waits, at a shuffle if there is one. */
static struct emulator_thread *first_waiting(struct emulator_block *block) {
  struct emulator_thread *found = NULL;
  for (uint32_t i = 0; i < block->launch->thread_count; i++) {
    struct emulator_thread *thread = &block->threads[i];
    if (!thread->exited && (!found || (thread->at_shuffle && !found->at_shuffle)))
      found = thread;
  }
  return found;
}

/* Nobody can run. True when all threads have come to one barrier, which they now pass. */
static bool release_barrier(struct emulator_block *block) {
  struct emulator_launch *launch = block->launch;
  if (block->exited_count == launch->thread_count)
    return false;
  struct emulator_thread *waiting = first_waiting(block);
  struct emulator_thread *diverged = find_diverged(block, waiting);
  if (diverged) {
    schedule_report_divergence(waiting, diverged);
    return false;
  }
  memory_pass_barrier(&launch->memory, &block->memory);
  warp_order_restart(block, false);
  if (block->cluster)
    cluster_pass_barrier(block);
  shuffle(block);
  return true;
}

/* Threads that wait for a barrier in shared memory go on first; then the block may. What waits for
   the cluster another block wakes. */
static bool someone_goes_on(struct emulator_block *block) {
  if (block->ready)
    return true;
  if (block->bulk.waiting)
    return bulk_progress(block);
  return !block->cluster_waiting && release_barrier(block);
}

/* The thread to run next, or NULL when the block or the launch is over. */
static struct emulator_thread *next_thread(struct emulator_block *block) {
  if (block->launch->stopped || !someone_goes_on(block))
    return NULL;
  struct emulator_thread *thread = block->order[block->position];
  block->position = (block->position + 1) % block->launch->thread_count;
  block->ready--;
  return thread;
}

static void make_ready(struct emulator_thread *thread) {
  struct emulator_block *block = thread->block;
  block->order[(block->position + block->ready++) % block->launch->thread_count] = thread;
}

/* A stack on which the worker waits to be continued; the host, with the launch stopped, when there
   is no memory for one. */
static struct fiber *take_fiber(struct emulator_launch *launch) {
  struct fiber *fiber = workspace_take_fiber(launch->workspace);
  if (fiber)
    return fiber;
  launch->failure = FAIL(TILE_OUT_OF_MEMORY, "no memory for the stacks of %u threads of %u blocks",
                         (unsigned)launch->thread_count, (unsigned)launch->begun);
  launch->stopped = true;
  return &launch->host;
}

static void hand_over(struct emulator_launch *launch, struct fiber *to) {
  struct fiber *from = launch->current;
  launch->current = to;
  if (from != to) /* equal when the host finds no memory for a first stack */
    fiber_switch(from, to);
}

/* What every fiber executes. Between blocks it rests in hand_over, and the next one to continue it
   may belong to another launch: `workspace->launch` is read anew. */
void schedule_worker(void *argument) {
  struct emulator_workspace *workspace = argument;
  for (;;) {
    struct emulator_launch *launch = workspace->launch;
    struct emulator_thread *thread = launch->selected;
    while (thread && !thread->fiber) {
      thread->fiber = launch->current;
      launch->entry(thread, launch->options->arguments);
      thread->fiber = NULL;
      thread->exited = true;
      if (thread->turns > launch->counts.turns)
        launch->counts.turns = thread->turns;
      thread->block->exited_count++;
      if (thread->block->cluster)
        cluster_note_exit(thread);
      thread = next_thread(thread->block);
    }
    workspace_free_fiber(workspace, launch->current);
    hand_over(launch, thread ? thread->fiber : &launch->host);
  }
}

/* Gives the processor to `next`, or to the host if it is NULL. */
static void run_other(struct emulator_launch *launch, struct emulator_thread *next) {
  launch->selected = next;
  if (!next)
    hand_over(launch, &launch->host);
  else
    hand_over(launch, next->fiber ? next->fiber : take_fiber(launch));
}

void schedule_barrier(struct emulator_thread *thread, const char *location) {
  struct emulator_launch *launch = thread->launch;
  thread->barrier = location;
  launch->counts.barriers++;
  struct emulator_thread *next = next_thread(thread->block);
  if (next != thread)
    run_other(launch, next);
}

/* The last one has come to a barrier of some warps. */
static void release_named(struct emulator_thread *last) {
  struct emulator_block *block = last->block;
  uint32_t warps = 0, start = random_below(&last->launch->random, last->launch->thread_count);
  for (uint32_t i = 0; i < last->launch->thread_count; i++) {
    struct emulator_thread *thread = &block->threads[(start + i) % last->launch->thread_count];
    if (thread->at_named != last->at_named)
      continue;
    warps |= 1u << thread->index / MACHINE_LANES;
    if (thread == last)
      continue;
    thread->at_named = 0;
    make_ready(thread);
  }
  last->at_named = 0;
  memory_pass_barrier(&last->launch->memory, &block->memory);
  warp_order_need(block);
  warp_order_meet(block, warps);
}

void schedule_named_barrier(struct emulator_thread *thread, uint32_t number, uint32_t count,
                            const char *location) {
  struct named_barrier *barrier = &thread->block->named[number];
  thread->launch->counts.barriers++;
  thread->barrier = location;
  thread->at_named = number + 1;
  barrier->count = count;
  barrier->arrived = (barrier->arrived + 1) % count;
  if (barrier->arrived == 0)
    release_named(thread);
  else
    schedule_park(thread, location);
}

void schedule_park(struct emulator_thread *thread, const char *location) {
  thread->barrier = location;
  struct emulator_thread *next = next_thread(thread->block);
  if (next != thread)
    run_other(thread->launch, next);
}

void schedule_wake(struct emulator_thread *thread) {
  make_ready(thread);
}

uint32_t schedule_lanes(const struct emulator_thread *thread) {
  uint32_t first = thread->index / MACHINE_LANES * MACHINE_LANES;
  uint32_t left = thread->launch->thread_count - first;
  return left < MACHINE_LANES ? left : MACHINE_LANES;
}

/* Those that a thread comes together with. */
static struct emulator_thread *first_of(const struct emulator_thread *thread, uint32_t *count) {
  uint32_t first = thread->index / thread->together * thread->together;
  uint32_t left = thread->launch->thread_count - first;
  *count = left < thread->together ? left : thread->together;
  return &thread->block->threads[first];
}

/* The last one has come: all must wait at one place, or the launch ends. */
static void check_alike(struct emulator_thread *last, const struct emulator_thread *lanes,
                        uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (names(last->mask, i) && !waits_alike(&lanes[i], last)) {
      schedule_report_divergence(last, (struct emulator_thread *)&lanes[i]);
      run_other(last->launch, NULL);
    }
}

static void release(struct emulator_thread *last, struct emulator_thread *lanes, uint32_t count) {
  uint32_t start = random_below(&last->launch->random, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = (start + i) % count;
    struct emulator_thread *lane = &lanes[at];
    if (!names(last->mask, at))
      continue;
    lane->at_shuffle = false;
    if (lane != last)
      make_ready(lane);
  }
}

static void come(struct emulator_thread *thread, uint32_t together, uint32_t mask,
                 uint32_t operation, void *mine, const char *location) {
  thread->barrier = location;
  thread->at_shuffle = true;
  thread->together = together;
  thread->mask = mask;
  thread->operation = operation;
  thread->shown = mine;
}

/* Whether the lanes that `thread` waits for all wait with its mask. */
static bool lanes_have_come(const struct emulator_thread *thread,
                            const struct emulator_thread *lanes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (names(thread->mask, i) && !(lanes[i].at_shuffle && lanes[i].mask == thread->mask &&
                                    lanes[i].together == MACHINE_LANES))
      return false;
  return true;
}

/* Whether `thread` is the last one to come; those for whole warps and groups are counted. */
static bool is_last(struct emulator_thread *thread, const struct emulator_thread *lanes,
                    uint32_t count) {
  if (thread->mask != UINT32_MAX)
    return lanes_have_come(thread, lanes, count);
  struct emulator_warp *warp = &thread->block->warps[lanes->index / MACHINE_LANES];
  uint32_t *arrived = thread->together == MACHINE_LANES ? &warp->arrived : &warp->group_arrived;
  *arrived = (*arrived + 1) % count;
  return *arrived == 0;
}

/* Waits for the others; returns them in the last thread to come, NULL in the others when they go
   on. */
static struct emulator_thread *wait_together(struct emulator_thread *thread, uint32_t *count) {
  struct emulator_thread *lanes = first_of(thread, count);
  if (!is_last(thread, lanes, *count)) {
    run_other(thread->launch, next_thread(thread->block));
    return NULL;
  }
  check_alike(thread, lanes, *count);
  return lanes;
}

void schedule_together(struct emulator_thread *thread, uint32_t together, uint32_t operation,
                       emulator_together *execute, void *mine, const char *location) {
  uint32_t count;
  come(thread, together, UINT32_MAX, operation, mine, location);
  struct emulator_thread *lanes = wait_together(thread, &count);
  if (!lanes)
    return;
  thread->launch->counts.lanes += count;
  execute(lanes, operation);
  release(thread, lanes, count);
}

void schedule_lanes_together(struct emulator_thread *thread, uint32_t mask,
                             emulator_collective *execute, void *mine, const char *location) {
  uint32_t count;
  come(thread, MACHINE_LANES, mask, 0, mine, location);
  struct emulator_thread *lanes = wait_together(thread, &count);
  if (!lanes)
    return;
  thread->launch->counts.lanes += count;
  execute(lanes, mask);
  release(thread, lanes, count);
}

void schedule_stop(struct emulator_thread *thread) {
  thread->launch->stopped = true;
  run_other(thread->launch, NULL);
  abort(); /* nobody continues a stopped thread */
}

/* With no other block to run the host need not be asked, but about a deadlock. */
void schedule_give_way(struct emulator_thread *thread) {
  struct emulator_launch *launch = thread->launch;
  bool stalled = spin_is_stalled(thread->block);
  bool alone = launch->begun == 1 && !launch->waits && !stalled;
  if (stalled)
    bulk_land_one(thread->block);
  make_ready(thread);
  struct emulator_thread *next = alone ? next_thread(thread->block) : NULL;
  if (next != thread)
    run_other(launch, next);
}

void schedule_prepare(struct emulator_block *block) {
  for (uint32_t i = 0; i < block->launch->thread_count; i++)
    block->threads[i] =
        (struct emulator_thread){.launch = block->launch, .block = block, .index = i};
  memset(block->warps, 0, sizeof block->warps);
  memset(block->named, 0, sizeof block->named);
  block->exited_count = block->cluster_waiting = 0;
  block->cluster = NULL;
  block->used = false;
  shuffle(block);
}

void schedule_abandon(struct emulator_block *block) {
  struct emulator_workspace *workspace = block->launch->workspace;
  for (uint32_t i = 0; i < block->launch->thread_count; i++) {
    struct fiber *fiber = block->threads[i].fiber;
    if (!fiber)
      continue;
    fiber_prepare(fiber, schedule_worker, workspace);
    workspace_free_fiber(workspace, fiber);
  }
}

void schedule_block(struct emulator_block *block) {
  struct emulator_launch *launch = block->launch;
  launch->current = &launch->host;
  struct emulator_thread *first = next_thread(block);
  if (first)
    run_other(launch, first);
}
