/* SPDX-License-Identifier: MIT */
/* Which blocks run: the residents of a launch.

   As on a device, blocks become resident in the order of their numbers, as many at a time as there
   is room for; when one ends, the next takes its place. Which of the residents runs is drawn from
   the seed. One that has not run yet costs nothing: it begins when it is drawn.

   A block runs until it ends or gives way, which it does at atomic operations and volatile loads
   (spin.c). So kernels without them need the memory of one block. With them a few blocks run side
   by side, in an order drawn from the seed; and when all of those wait for others, the other
   residents begin. When all residents wait, and for long, that is a deadlock.

   Blocks of a cluster begin together, and the next cluster takes their place when all have ended
   (cluster.h). */
#include "base/status.h"
#include "emulator/launch.h"

#include <stdlib.h>
#include <string.h>

/* --- Records ---------------------------------------------------------------------------------- */

static void destroy_record(struct emulator_block *block) {
  async_destroy(&block->copies);
  bulk_destroy(&block->bulk);
  wgmma_destroy(&block->wgmma);
  memory_destroy_block(&block->memory);
  free(block->threads);
  free(block->order);
  free(block);
}

static tile_status map_shared(struct emulator_block *block, uint32_t record) {
  struct emulator_launch *launch = block->launch;
  uint32_t bytes = launch->options->shared_bytes;
  if (!bytes)
    return NULL;
  TRY(workspace_map_shared(launch->workspace, record));
  block->shared = launch->workspace->windows[record];
  memory_set_shared(&launch->memory, &block->memory, block->shared, bytes);
  return NULL;
}

static tile_status add_record(struct emulator_launch *launch) {
  struct emulator_block *block = tile_allocate(sizeof *block);
  *block = (struct emulator_block){.launch = launch};
  size_t count = launch->thread_count;
  block->threads = aligned_alloc(_Alignof(struct emulator_thread), count * sizeof *block->threads);
  block->order = tile_allocate(count * sizeof(struct emulator_thread *));
  tile_status status = block->threads
                           ? map_shared(block, launch->block_records)
                           : FAIL(TILE_OUT_OF_MEMORY, "no memory for %zu threads", count);
  if (status)
    destroy_record(block);
  else
    launch->blocks[launch->block_records++] = block;
  return status;
}

void residency_destroy(struct emulator_launch *launch) {
  for (uint32_t i = 0; i < launch->block_records; i++)
    destroy_record(launch->blocks[i]);
  free(launch->blocks);
  free(launch->waiting);
}

bool residency_can_run(const struct emulator_block *block) {
  return block->ready || (block->bulk.waiting && block->bulk.copy_count);
}

/* --- Beginning and end ------------------------------------------------------------------------ */

static void prepare_memory(struct emulator_block *block) {
  struct emulator_launch *launch = block->launch;
  memory_begin_block(&launch->memory, &block->memory, block->number);
  if (!block->shared)
    return;
  memset(block->shared, EMULATOR_POISON, launch->options->shared_bytes);
  async_begin_block(&block->copies, launch->options->shared_bytes);
  bulk_begin_block(block);
  wgmma_begin_block(block);
}

/* NULL, with launch->failure, when there is no memory. */
static struct emulator_block *begin_number(struct emulator_launch *launch, uint64_t number) {
  if (launch->begun == launch->block_records)
    launch->failure = add_record(launch);
  if (launch->failure)
    return NULL;
  struct emulator_block *block = launch->blocks[launch->begun++];
  block->number = number;
  block->rank = (uint32_t)(number % launch->cluster);
  launch->spins = 0;
  block->wait = (struct spin_wait){0};
  launch_block(launch, block->number, block->index);
  prepare_memory(block);
  schedule_prepare(block);
  return block;
}

/* One of the residents that have not begun, with those of its cluster, of which one is the first to
   run; NULL as above. */
static struct emulator_block *begin_block(struct emulator_launch *launch) {
  uint32_t chosen = random_below(&launch->random, launch->waits);
  uint64_t number = launch->waiting[chosen];
  struct emulator_block *blocks[WARP_ORDER_BLOCKS];
  launch->waiting[chosen] = launch->waiting[--launch->waits];
  for (uint32_t i = 0; i < launch->cluster; i++) {
    blocks[i] = begin_number(launch, number + i);
    if (!blocks[i])
      return NULL;
  }
  if (launch->cluster == 1)
    return blocks[0];
  cluster_create(blocks, launch->cluster);
  return blocks[random_below(&launch->random, launch->cluster)];
}

static void admit_next(struct emulator_launch *launch) {
  if (launch->next >= launch->total)
    return;
  launch->waiting[launch->waits++] = launch->next;
  launch->next += launch->cluster;
}

static void end_block(struct emulator_launch *launch, struct emulator_block *block) {
  const tile_emulator_launch_options *options = launch->options;
  uint32_t i = 0;
  while (launch->blocks[i] != block)
    i++;
  launch->blocks[i] = launch->blocks[--launch->begun];
  launch->blocks[launch->begun] = block;
  bulk_end_block(block);
  memory_end_block(&launch->memory, &block->memory);
  if (block->cluster)
    cluster_check_end(block);
  if (!block->cluster || cluster_leave(block))
    admit_next(launch);
  launch->done++;
  launch->spins = 0;
  if (options->progress)
    options->progress(options->progress_context, launch->done, launch->total);
}

/* --- The loop --------------------------------------------------------------------------------- */

/* The n-th of the blocks that can run and are stalled, or not. */
static struct emulator_block *pick(const struct emulator_launch *launch, bool stalled, uint32_t n) {
  for (uint32_t i = 0; i < launch->begun; i++)
    if (residency_can_run(launch->blocks[i]) && spin_is_stalled(launch->blocks[i]) == stalled &&
        n-- == 0)
      return launch->blocks[i];
  return NULL;
}

/* The block to run next; NULL when the launch cannot go on. */
static struct emulator_block *choose(struct emulator_launch *launch) {
  if (launch->begun == 0)
    return begin_block(launch);
  if (launch->waits && launch->begun < launch->mingled && random_below(&launch->random, 2))
    return begin_block(launch);
  uint32_t stalled = 0, able = 0;
  for (uint32_t i = 0; i < launch->begun; i++) {
    bool can_run = residency_can_run(launch->blocks[i]);
    able += can_run;
    stalled += can_run && spin_is_stalled(launch->blocks[i]);
  }
  if (stalled < able)
    return pick(launch, false, random_below(&launch->random, able - stalled));
  if (launch->waits)
    return begin_block(launch);
  if (spin_is_deadlock(launch))
    return NULL;
  return pick(launch, true, random_below(&launch->random, stalled));
}

/* --- Room ------------------------------------------------------------------------------------- */

enum { MAX_MINGLED = 8 }; /* blocks that run concurrently without need */

static uint32_t at_least(uint32_t value, uint32_t least) {
  return value < least ? least : value;
}

uint32_t residency_default(const struct machine *machine, uint32_t threads, uint32_t shared_bytes) {
  struct machine_block block = {
      .threads = threads, .registers = machine->thread_registers, .shared_bytes = shared_bytes};
  return (uint32_t)machine->multiprocessors * at_least((uint32_t)machine_blocks(machine, block), 1);
}

static void make_room(struct emulator_launch *launch) {
  uint64_t room = launch->total < launch->residency ? launch->total : launch->residency;
  room = room < launch->cluster ? launch->cluster : room - room % launch->cluster;
  uint32_t mingled = (uint32_t)launch->machine->threads / launch->thread_count;
  launch->mingled = at_least(mingled < MAX_MINGLED ? mingled : MAX_MINGLED, 2);
  launch->blocks = tile_allocate(room * sizeof(struct emulator_block *));
  launch->waiting = tile_allocate(room * sizeof *launch->waiting);
  while (launch->waits < room / launch->cluster)
    admit_next(launch);
}

static void check_epochs(struct emulator_launch *launch) {
  if (!memory_is_exhausted(&launch->memory))
    return;
  launch->failure = FAIL(TILE_UNSUPPORTED,
                         "the race check tells at most 2^30 barriers of all blocks apart; launch "
                         "fewer blocks, or without checks");
  launch->stopped = true;
}

/* A block has run: it may have ended, or its cluster may be stuck. */
static void settle(struct emulator_launch *launch, struct emulator_block *block) {
  struct emulator_cluster *cluster = block->cluster;
  bool gone = false;
  if (!launch->stopped && block->exited_count == launch->thread_count) {
    gone = cluster && cluster->left == 1;
    end_block(launch, block);
  }
  if (cluster && !gone && !launch->stopped)
    cluster_check_progress(cluster);
}

tile_status residency_run(struct emulator_launch *launch) {
  const tile_emulator_launch_options *options = launch->options;
  launch->residency =
      options->resident_blocks
          ? options->resident_blocks
          : residency_default(launch->machine, launch->thread_count, options->shared_bytes);
  make_room(launch);
  while (!launch->stopped && launch->done < launch->total) {
    struct emulator_block *block = choose(launch);
    if (!block)
      break;
    schedule_block(block);
    check_epochs(launch);
    settle(launch, block);
  }
  for (uint32_t i = 0; i < launch->begun; i++) {
    schedule_abandon(launch->blocks[i]);
    if (launch->blocks[i]->cluster)
      cluster_leave(launch->blocks[i]);
  }
  return launch->failure;
}
