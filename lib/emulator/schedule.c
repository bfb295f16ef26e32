/* The scheduler: runs the threads of one block as fibers.

   Threads that can run stand in a ring, at first and behind each barrier all of them in random order.
   Each runs until it exits or waits: at the barrier, or for the other lanes of its warp, whose last
   one to come puts the others back into the ring. When the ring is empty and all threads wait at the
   same barrier, they pass it; any other waiting is reported, for it would not end. Whoever stops running picks the next thread itself and hands over directly, so
   a wait costs one switch; a thread that exits starts the next one on its own stack, so threads
   that never wait cost none.

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

static void shuffle(struct emulator_launch *launch) {
  for (uint32_t i = 0; i < launch->thread_count; i++)
    launch->order[i] = &launch->workspace->threads[i];
  for (uint32_t i = launch->thread_count; i > 1; i--) {
    uint32_t j = random_below(&launch->random, i);
    struct emulator_thread *thread = launch->order[i - 1];
    launch->order[i - 1] = launch->order[j];
    launch->order[j] = thread;
  }
  launch->position = 0;
  launch->ready = launch->thread_count;
}

static void report_divergence(struct emulator_launch *launch, struct emulator_thread *waiting,
                              struct emulator_thread *other) {
  tile_emulator_hazard hazard = {.kind = waiting->at_shuffle ? TILE_EMULATOR_SHUFFLE_DIVERGENCE
                                                             : TILE_EMULATOR_BARRIER_DIVERGENCE,
                                 .site = launch_site(waiting, waiting->barrier),
                                 .other = launch_site(other, other->barrier),
                                 .other_exited = other->exited,
                                 .message = waiting->at_shuffle ? tensor_words(waiting->operation) : NULL,
                                 .other_at_barrier = !other->exited && !other->at_shuffle};
  report_add(launch->report, &hazard);
  launch->stopped = true;
}

static bool waits_alike(const struct emulator_thread *a, const struct emulator_thread *b) {
  return !a->exited && !b->exited && a->at_shuffle == b->at_shuffle &&
         (!a->at_shuffle || (a->together == b->together && a->operation == b->operation)) &&
         same_location(a->barrier, b->barrier);
}

/* A thread that does not wait where `waiting` does, or NULL; at a shuffle only those that it waits for. */
static struct emulator_thread *find_diverged(struct emulator_launch *launch,
                                             struct emulator_thread *waiting) {
  for (uint32_t i = 0; i < launch->thread_count; i++) {
    struct emulator_thread *thread = &launch->workspace->threads[i];
    bool counts =
        !waiting->at_shuffle || i / waiting->together == waiting->index / waiting->together;
    if (counts && !waits_alike(thread, waiting))
      return thread;
  }
  return NULL;
}

/* A thread that waits, at a shuffle if there is one. */
static struct emulator_thread *first_waiting(struct emulator_launch *launch) {
  struct emulator_thread *found = NULL;
  for (uint32_t i = 0; i < launch->thread_count; i++) {
    struct emulator_thread *thread = &launch->workspace->threads[i];
    if (!thread->exited && (!found || (thread->at_shuffle && !found->at_shuffle)))
      found = thread;
  }
  return found;
}

/* Nobody can run. True when all threads have come to one barrier, which they now pass. */
static bool release_barrier(struct emulator_launch *launch) {
  if (launch->exited_count == launch->thread_count)
    return false;
  struct emulator_thread *waiting = first_waiting(launch);
  struct emulator_thread *diverged = find_diverged(launch, waiting);
  if (diverged) {
    report_divergence(launch, waiting, diverged);
    return false;
  }
  memory_pass_barrier(&launch->memory);
  shuffle(launch);
  return true;
}

/* The thread to run next, or NULL when the block or the launch is over. */
static struct emulator_thread *next_thread(struct emulator_launch *launch) {
  if (launch->stopped)
    return NULL;
  if (launch->ready == 0 && !release_barrier(launch))
    return NULL;
  struct emulator_thread *thread = launch->order[launch->position];
  launch->position = (launch->position + 1) % EMULATOR_THREAD_LIMIT;
  launch->ready--;
  return thread;
}

static void make_ready(struct emulator_launch *launch, struct emulator_thread *thread) {
  launch->order[(launch->position + launch->ready++) % EMULATOR_THREAD_LIMIT] = thread;
}

static void worker(void *argument);

static bool grow(struct emulator_workspace *workspace) {
  struct fiber *slab = fiber_slab_create(EMULATOR_SLAB_FIBERS, EMULATOR_STACK_BYTES);
  if (!slab)
    return false;
  workspace->slabs[workspace->slab_count++] = slab;
  for (struct fiber *fiber = slab; fiber; fiber = fiber->next)
    fiber_prepare(fiber, worker, workspace);
  slab[EMULATOR_SLAB_FIBERS - 1].next = workspace->free_fibers;
  workspace->free_fibers = slab;
  return true;
}

/* A stack on which worker waits to be continued; the host, with the launch stopped, when there is
   no memory for one. */
static struct fiber *take_fiber(struct emulator_launch *launch) {
  struct emulator_workspace *workspace = launch->workspace;
  if (!workspace->free_fibers && !grow(workspace)) {
    launch->failure = FAIL(TILE_OUT_OF_MEMORY, "no memory for the stacks of %u threads",
                           (unsigned)launch->thread_count);
    launch->stopped = true;
    return &launch->host;
  }
  struct fiber *fiber = workspace->free_fibers;
  workspace->free_fibers = fiber->next;
  return fiber;
}

static void free_fiber(struct emulator_workspace *workspace, struct fiber *fiber) {
  fiber->next = workspace->free_fibers;
  workspace->free_fibers = fiber;
}

static void hand_over(struct emulator_launch *launch, struct fiber *to) {
  struct fiber *from = launch->current;
  launch->current = to;
  if (from != to) /* equal when the host finds no memory for a first stack */
    fiber_switch(from, to);
}

/* What every fiber executes. Between blocks it rests in hand_over, and the next one to continue it
   may belong to another launch: `workspace->launch` is read anew. */
static void worker(void *argument) {
  struct emulator_workspace *workspace = argument;
  for (;;) {
    struct emulator_launch *launch = workspace->launch;
    struct emulator_thread *thread = launch->selected;
    while (thread && !thread->fiber) {
      thread->fiber = launch->current;
      launch->entry(thread, launch->options->arguments);
      thread->fiber = NULL;
      thread->exited = true;
      launch->exited_count++;
      thread = next_thread(launch);
    }
    free_fiber(workspace, launch->current);
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
  struct emulator_thread *next = next_thread(launch);
  if (next != thread)
    run_other(launch, next);
}

uint32_t schedule_lanes(const struct emulator_thread *thread) {
  uint32_t first = thread->index / EMULATOR_WARP_SIZE * EMULATOR_WARP_SIZE;
  uint32_t left = thread->launch->thread_count - first;
  return left < EMULATOR_WARP_SIZE ? left : EMULATOR_WARP_SIZE;
}

/* Those that a thread comes together with. */
static struct emulator_thread *first_of(const struct emulator_thread *thread, uint32_t *count) {
  uint32_t first = thread->index / thread->together * thread->together;
  uint32_t left = thread->launch->thread_count - first;
  *count = left < thread->together ? left : thread->together;
  return &thread->launch->workspace->threads[first];
}

/* The last one has come: all must wait at one place, or the launch ends. */
static void check_alike(struct emulator_thread *last, const struct emulator_thread *lanes,
                        uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!waits_alike(&lanes[i], last)) {
      report_divergence(last->launch, last, (struct emulator_thread *)&lanes[i]);
      run_other(last->launch, NULL);
    }
}

static void release(struct emulator_thread *last, struct emulator_thread *lanes, uint32_t count) {
  struct emulator_launch *launch = last->launch;
  uint32_t start = random_below(&launch->random, count);
  for (uint32_t i = 0; i < count; i++) {
    struct emulator_thread *lane = &lanes[(start + i) % count];
    lane->at_shuffle = false;
    if (lane != last)
      make_ready(launch, lane);
  }
}

void schedule_together(struct emulator_thread *thread, uint32_t together, uint32_t operation,
                       emulator_together *execute, void *mine, const char *location) {
  struct emulator_launch *launch = thread->launch;
  thread->barrier = location;
  thread->at_shuffle = true;
  thread->together = together;
  thread->operation = operation;
  thread->shown = mine;
  uint32_t count;
  struct emulator_thread *lanes = first_of(thread, &count);
  struct emulator_warp *warp = &launch->warps[lanes->index / EMULATOR_WARP_SIZE];
  uint32_t *arrived = together == EMULATOR_WARP_SIZE ? &warp->arrived : &warp->group_arrived;
  if (++*arrived < count) {
    run_other(launch, next_thread(launch));
    return;
  }
  *arrived = 0;
  warp->generation += together == EMULATOR_WARP_SIZE;
  check_alike(thread, lanes, count);
  if (execute)
    execute(lanes, operation);
  release(thread, lanes, count);
}

void schedule_warp(struct emulator_thread *thread, const char *location) {
  schedule_together(thread, EMULATOR_WARP_SIZE, 0, NULL, NULL, location);
}

void schedule_stop(struct emulator_thread *thread) {
  thread->launch->stopped = true;
  run_other(thread->launch, NULL);
  abort(); /* nobody continues a stopped thread */
}

static void prepare_threads(struct emulator_launch *launch) {
  for (uint32_t i = 0; i < launch->thread_count; i++) {
    struct emulator_thread *thread = &launch->workspace->threads[i];
    *thread = (struct emulator_thread){.launch = launch, .index = i};
  }
  memset(launch->warps, 0, sizeof launch->warps);
  launch->exited_count = 0;
  shuffle(launch);
}

/* Recovers the stacks of threads that a stopped launch leaves suspended. */
static void abandon_threads(struct emulator_launch *launch) {
  for (uint32_t i = 0; i < launch->thread_count; i++) {
    struct fiber *fiber = launch->workspace->threads[i].fiber;
    if (!fiber)
      continue;
    fiber_prepare(fiber, worker, launch->workspace);
    free_fiber(launch->workspace, fiber);
  }
}

void schedule_block(struct emulator_launch *launch) {
  prepare_threads(launch);
  launch->current = &launch->host;
  struct emulator_thread *first = next_thread(launch);
  run_other(launch, first);
  if (launch->stopped)
    abandon_threads(launch);
}
