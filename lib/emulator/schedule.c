/* The scheduler: runs the threads of one block as fibers.

   Threads run in rounds. A round is a random order of the block's threads; each runs until it exits
   or waits at the barrier. When the round is over and all threads wait at the same barrier, the
   next round begins. Whoever stops running picks the next thread itself and hands over directly, so
   a wait costs one switch; a thread that exits starts the next one on its own stack, so threads
   that never wait cost none.

       worker: loop { run the selected thread on this stack; pick the next }
       next is fresh      -> the same stack runs it
       next is suspended  -> this stack goes to the free list, switch to the other
       no next            -> this stack goes to the free list, switch to the host */
#include "base/status.h"
#include "emulator/launch.h"

#include <stdlib.h>
#include <string.h>

static bool same_location(const char *left, const char *right) {
  return left == right || (left && right && strcmp(left, right) == 0);
}

static void shuffle(struct emulator_launch *launch) {
  for (uint32_t i = launch->thread_count; i > 1; i--) {
    uint32_t j = random_below(&launch->random, i);
    struct emulator_thread *thread = launch->order[i - 1];
    launch->order[i - 1] = launch->order[j];
    launch->order[j] = thread;
  }
  launch->position = 0;
}

static void report_divergence(struct emulator_launch *launch, struct emulator_thread *waiting,
                              struct emulator_thread *other) {
  tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_BARRIER_DIVERGENCE,
                                 .site = launch_site(waiting, waiting->barrier),
                                 .other = launch_site(other, other->barrier),
                                 .other_exited = other->exited};
  report_add(launch->report, &hazard);
}

/* A thread that does not wait where `waiting` does, or NULL. */
static struct emulator_thread *find_diverged(struct emulator_launch *launch,
                                             struct emulator_thread *waiting) {
  for (uint32_t i = 0; i < launch->thread_count; i++) {
    struct emulator_thread *thread = &launch->workspace->threads[i];
    if (thread->exited || !same_location(thread->barrier, waiting->barrier))
      return thread;
  }
  return NULL;
}

static struct emulator_thread *first_waiting(struct emulator_launch *launch) {
  struct emulator_thread *thread = launch->workspace->threads;
  while (thread->exited)
    thread++;
  return thread;
}

/* Ends a round. True when another one begins: the barrier is passed. */
static bool release_barrier(struct emulator_launch *launch) {
  if (launch->exited_count == launch->thread_count)
    return false;
  struct emulator_thread *waiting = first_waiting(launch);
  struct emulator_thread *diverged = find_diverged(launch, waiting);
  if (diverged) {
    report_divergence(launch, waiting, diverged);
    launch->stopped = true;
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
  if (launch->position == launch->thread_count && !release_barrier(launch))
    return NULL;
  return launch->order[launch->position++];
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

void schedule_stop(struct emulator_thread *thread) {
  thread->launch->stopped = true;
  run_other(thread->launch, NULL);
  abort(); /* nobody continues a stopped thread */
}

static void prepare_threads(struct emulator_launch *launch) {
  for (uint32_t i = 0; i < launch->thread_count; i++) {
    struct emulator_thread *thread = &launch->workspace->threads[i];
    *thread = (struct emulator_thread){.launch = launch, .index = i};
    launch->order[i] = thread;
  }
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
