/* SPDX-License-Identifier: MIT */
/* See spin.h. A thread repeats itself when it does the same at the same address and finds the same,
   with nothing changed by atomic operations meanwhile. Repetitions are counted by weight: one of an
   atomic operation counts as 16 loads, as a program's loop over volatile loads may well have an
   end. */
#include "emulator/spin.h"

#include <inttypes.h>
#include <stdio.h>
#include "emulator/launch.h"

enum {
  PATIENCE = 16,            /* repetitions of a thread after which each lets others run; */
  STALLED = 64,             /* of a block, after which it is stalled, */
  DEADLOCKED = 1 << 15,     /* it is deadlocked if all are, */
  ALL_DEADLOCKED = 1 << 20, /* and that many of all blocks since the latest change */
  WIDEST_GAP = 64,          /* mean number of operations, without repetitions, until others run */
};

static void note_change(struct emulator_launch *launch) {
  launch->changes++;
  launch->spins = 0;
}

/* Whether the thread did and found the same there before; something else found there is a change.
 */
static bool is_repeated(struct emulator_thread *thread, const void *address, uint64_t digest) {
  struct spin_poll *poll = &thread->polls[((uintptr_t)address >> 2) % SPIN_POLLS];
  struct spin_poll before = *poll;
  *poll = (struct spin_poll){address, digest};
  if (before.address == address && before.digest != digest)
    note_change(thread->launch);
  return before.address == address && before.digest == digest;
}

static void count_spin(struct emulator_thread *thread, const void *address, uint32_t weight,
                       const char *location) {
  struct emulator_launch *launch = thread->launch;
  struct spin_wait *wait = &thread->block->wait;
  if (thread->spins_since != launch->changes)
    thread->spins = 0;
  if (wait->since != launch->changes)
    *wait = (struct spin_wait){.since = launch->changes};
  thread->spins_since = launch->changes;
  thread->spins += thread->spins < DEADLOCKED ? weight : 0;
  launch->spins += weight;
  uint32_t spins = wait->spins + (wait->spins < DEADLOCKED ? weight : 0);
  *wait = (struct spin_wait){launch->changes, spins, thread, address, location};
}

/* The first operations of a launch are mixed most: short kernels have few. */
static bool gap_is_over(struct emulator_launch *launch) {
  if (launch->gap && --launch->gap)
    return false;
  uint32_t mean = 2 + launch->gaps++ / 16;
  launch->gap = 1 + random_below(&launch->random, 2 * (mean < WIDEST_GAP ? mean : WIDEST_GAP));
  return true;
}

void spin_note(struct emulator_thread *thread, const void *address, uint64_t digest, bool changed,
               enum spin_weight weight, const char *location) {
  bool repeated = is_repeated(thread, address, digest) && !changed;
  if (changed)
    note_change(thread->launch);
  if (repeated)
    count_spin(thread, address, weight, location);
  if ((repeated && thread->spins >= PATIENCE) || gap_is_over(thread->launch))
    schedule_give_way(thread);
}

bool spin_is_stalled(const struct emulator_block *block) {
  return block->wait.since == block->launch->changes && block->wait.spins >= STALLED;
}

/* --- Deadlocks -------------------------------------------------------------------------------- */

static void describe(const struct emulator_launch *launch, char *words, size_t size) {
  uint64_t later = launch->total - launch->done - launch->begun;
  if (launch->begun == 1 && !later)
    snprintf(words, size, "no other block is left to change it");
  else if (!later)
    snprintf(words, size, "all %" PRIu32 " blocks that are left wait", launch->begun);
  else
    snprintf(words, size,
             "all %" PRIu32 " resident blocks wait, and %" PRIu64
             " more come to run only when one of these ends; where more are resident at a time "
             "(resident_blocks) it may go on",
             launch->begun, later);
}

static void report_wait(struct emulator_launch *launch, const struct emulator_block *block,
                        const struct emulator_block *other, const char *words) {
  const struct spin_wait *wait = &block->wait;
  uintptr_t address = (uintptr_t)wait->address;
  const struct region *region = memory_find(&launch->memory, address, 1);
  tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_DEADLOCK,
                                 .site = launch_site(wait->thread, wait->location),
                                 .address = address,
                                 .buffer = region ? region->name : NULL,
                                 .buffer_bytes = region ? region->bytes : 0,
                                 .offset = region ? (int64_t)(address - region->base) : 0,
                                 .message = words};
  if (other != block)
    hazard.other = launch_site(other->wait.thread, other->wait.location);
  report_add(launch->report, &hazard);
}

/* The next block that repeats itself; others wait for one of those in their cluster. */
static const struct emulator_block *next_waiting(const struct emulator_launch *launch,
                                                 uint32_t from) {
  uint32_t i = (from + 1) % launch->begun;
  while (!residency_can_run(launch->blocks[i]))
    i = (i + 1) % launch->begun;
  return launch->blocks[i];
}

bool spin_is_deadlock(struct emulator_launch *launch) {
  bool long_enough = launch->spins >= ALL_DEADLOCKED;
  for (uint32_t i = 0; i < launch->begun && long_enough; i++)
    long_enough =
        !residency_can_run(launch->blocks[i]) ||
        (spin_is_stalled(launch->blocks[i]) && launch->blocks[i]->wait.spins >= DEADLOCKED);
  if (!long_enough)
    return false;
  char words[256];
  describe(launch, words, sizeof words);
  for (uint32_t i = 0; i < launch->begun; i++)
    if (residency_can_run(launch->blocks[i]))
      report_wait(launch, launch->blocks[i], next_waiting(launch, i), words);
  launch->stopped = true;
  return true;
}
