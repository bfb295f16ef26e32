/* SPDX-License-Identifier: MIT */
/* Device functions: clusters of blocks and their barriers (PTX ISA, barrier.cluster). See
   cluster.h. */
#include "emulator/cluster.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "emulator/device.h"
#include "emulator/launch.h"

static void report(struct emulator_thread *thread, const char *location, const char *message) {
  tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_MBARRIER_MISUSE,
                                 .site = launch_site(thread, location),
                                 .message = message};
  report_add(thread->launch->report, &hazard);
}

/* --- Beginning and end ------------------------------------------------------------------------ */

struct emulator_cluster *cluster_create(struct emulator_block **blocks, uint32_t count) {
  struct emulator_cluster *cluster = tile_allocate(sizeof *cluster);
  *cluster = (struct emulator_cluster){
      .count = count, .left = count, .missing = count * blocks[0]->launch->thread_count};
  for (uint32_t i = 0; i < count; i++) {
    cluster->blocks[i] = blocks[i];
    blocks[i]->cluster = cluster;
  }
  return cluster;
}

bool cluster_leave(struct emulator_block *block) {
  struct emulator_cluster *cluster = block->cluster;
  cluster->blocks[block->rank] = NULL;
  block->cluster = NULL;
  if (--cluster->left)
    return false;
  free(cluster);
  return true;
}

void cluster_check_end(struct emulator_block *block) {
  if (!block->used || block->cluster->phase > block->used_phase)
    return;
  tile_emulator_hazard hazard = {
      .kind = TILE_EMULATOR_MBARRIER_MISUSE,
      .site = block->used_at,
      .message = "another block of the cluster, whose shared memory is used here, ends without a "
                 "barrier of the cluster after the use"};
  report_add(block->launch->report, &hazard);
}

/* --- Other blocks ----------------------------------------------------------------------------- */

uint32_t tile_emu_cluster_rank(struct emulator_thread *thread) {
  return thread->block->rank;
}

struct emulator_block *cluster_block(struct emulator_thread *thread, uint32_t rank,
                                     const char *location) {
  struct emulator_cluster *cluster = thread->block->cluster;
  if (rank >= thread->launch->cluster)
    report(thread, location, "the cluster has no block of this rank");
  else if (cluster && !cluster->blocks[rank])
    report(
        thread, location,
        "the other block of the cluster has ended, and its shared memory with it; let it wait at "
        "a barrier of the cluster first");
  else
    return cluster ? cluster->blocks[rank] : thread->block;
  return NULL;
}

void cluster_note_use(struct emulator_thread *thread, struct emulator_block *block,
                      const char *location) {
  if (block == thread->block)
    return;
  block->used = true;
  block->used_phase = block->cluster->phase;
  block->used_at = launch_site(thread, location);
}

/* --- Barriers --------------------------------------------------------------------------------- */

static void wake(struct emulator_block *block) {
  for (uint32_t i = 0; i < block->launch->thread_count; i++) {
    struct emulator_thread *thread = &block->threads[i];
    if (!thread->at_cluster)
      continue;
    thread->at_cluster = false;
    schedule_wake(thread);
  }
  block->cluster_waiting = 0;
}

/* Everyone has arrived: for each block a barrier of its own, too. */
static void end_phase(struct emulator_cluster *cluster) {
  cluster->phase++;
  cluster->arrived = cluster->missing = 0;
  cluster->done = cluster->gathered;
  memset(&cluster->gathered, 0, sizeof cluster->gathered);
  for (uint32_t i = 0; i < cluster->count; i++) {
    struct emulator_block *block = cluster->blocks[i];
    if (!block)
      continue;
    cluster->missing += block->launch->thread_count - block->exited_count;
    memory_pass_barrier(&block->launch->memory, &block->memory);
    warp_order_restart(block, false);
    wake(block);
  }
}

static bool has_arrived(const struct emulator_thread *thread) {
  return thread->arrived && thread->arrival == thread->block->cluster->phase;
}

void cluster_note_exit(struct emulator_thread *thread) {
  struct emulator_cluster *cluster = thread->block->cluster;
  if (!has_arrived(thread))
    cluster->missing--;
  if (!cluster->missing && cluster->arrived)
    end_phase(cluster);
}

void tile_emu_cluster_arrive(struct emulator_thread *thread, const char *location) {
  struct emulator_cluster *cluster = thread->block->cluster;
  if (!cluster)
    return;
  if (thread->arrived) {
    report(thread, location,
           "the thread arrives at a barrier of the cluster a second time without waiting");
    return;
  }
  thread->launch->counts.barriers++;
  warp_order_need(thread->block);
  warp_order_release(thread, &cluster->gathered);
  thread->arrived = true;
  thread->arrival = cluster->phase;
  cluster->arrived++;
  if (!--cluster->missing)
    end_phase(cluster);
}

void tile_emu_cluster_wait(struct emulator_thread *thread, const char *location) {
  struct emulator_cluster *cluster = thread->block->cluster;
  if (!cluster)
    return;
  if (!thread->arrived) {
    report(thread, location,
           "the thread waits at a barrier of the cluster at which it has not arrived");
    return;
  }
  while (has_arrived(thread)) {
    thread->at_cluster = true;
    thread->block->cluster_waiting++;
    schedule_park(thread, location);
  }
  thread->arrived = false;
  thread->cluster_passed = cluster->phase;
  warp_order_acquire(thread, &cluster->done);
}

void cluster_pass_barrier(struct emulator_block *block) {
  uint32_t passed = 0;
  for (uint32_t i = 0; i < block->launch->thread_count; i++)
    if (block->threads[i].cluster_passed > passed)
      passed = block->threads[i].cluster_passed;
  for (uint32_t i = 0; i < block->launch->thread_count; i++)
    block->threads[i].cluster_passed = passed;
  warp_order_need(block);
  warp_order_meet(block, UINT32_MAX);
}

/* --- Deadlocks -------------------------------------------------------------------------------- */

/* A thread that has not ended and has not come to the barrier of the cluster. */
static struct emulator_thread *find_missing(struct emulator_cluster *cluster) {
  for (uint32_t i = 0; i < cluster->count; i++)
    for (uint32_t t = 0; cluster->blocks[i] && t < cluster->blocks[i]->launch->thread_count; t++) {
      struct emulator_thread *thread = &cluster->blocks[i]->threads[t];
      if (!thread->exited && !has_arrived(thread))
        return thread;
    }
  return NULL;
}

static struct emulator_thread *find_waiting(struct emulator_cluster *cluster) {
  for (uint32_t i = 0; i < cluster->count; i++)
    for (uint32_t t = 0; cluster->blocks[i] && t < cluster->blocks[i]->launch->thread_count; t++)
      if (cluster->blocks[i]->threads[t].at_cluster)
        return &cluster->blocks[i]->threads[t];
  return NULL;
}

void cluster_check_progress(struct emulator_cluster *cluster) {
  for (uint32_t i = 0; i < cluster->count; i++)
    if (cluster->blocks[i] && residency_can_run(cluster->blocks[i]))
      return;
  struct emulator_launch *launch = NULL;
  for (uint32_t i = 0; i < cluster->count; i++)
    if (cluster->blocks[i]) {
      launch = cluster->blocks[i]->launch;
      bulk_report_deadlocks(cluster->blocks[i]);
    }
  struct emulator_thread *waiting = find_waiting(cluster), *missing = find_missing(cluster);
  if (waiting && missing)
    schedule_report_divergence(waiting, missing);
  launch->stopped = true;
}
