/* SPDX-License-Identifier: MIT */
/* Stacks and shared memory, reused from launch to launch: of a process, whatever its programs are.
   A few workspaces are kept, each with the stacks of one large block at most; the rest is given
   back.

   Shared memory is mapped below 4 GiB where the system can, because device code computes its
   addresses in 32 bits, and aligned to 256 KiB, because a wgmma descriptor keeps address bits 4 to
   17 only. Each block that runs has a window of its own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_32BIT */
#endif
#include "base/arena.h"
#include "base/status.h"
#include "emulator/launch.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
  SHARED_WINDOW = 256 << 10,
  KEPT_WORKSPACES = 4,
  KEPT_SLABS = MACHINE_BLOCK_THREADS / EMULATOR_SLAB_FIBERS,
  KEPT_WINDOWS = 8,
};

/* Workspaces that no launch uses. */
static struct {
  pthread_mutex_t lock;
  struct emulator_workspace *first; /* owned */
  size_t count;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

struct emulator_workspace *workspace_borrow(void) {
  pthread_mutex_lock(&pool.lock);
  struct emulator_workspace *workspace = pool.first;
  if (workspace) {
    pool.first = workspace->next;
    pool.count--;
  }
  pthread_mutex_unlock(&pool.lock);
  return workspace ? workspace : calloc(1, sizeof *workspace);
}

/* All stacks are free. Those of the first slabs stay, and some windows. */
static void trim(struct emulator_workspace *workspace, size_t slabs, size_t windows) {
  while (workspace->slab_count > slabs)
    fiber_slab_destroy(workspace->slabs[--workspace->slab_count], EMULATOR_SLAB_FIBERS,
                       EMULATOR_STACK_BYTES);
  while (workspace->window_count > windows)
    munmap(workspace->windows[--workspace->window_count], SHARED_WINDOW);
  workspace->free_fibers = NULL;
  for (size_t slab = workspace->slab_count; slab-- > 0;)
    for (size_t i = EMULATOR_SLAB_FIBERS; i-- > 0;)
      workspace_free_fiber(workspace, &workspace->slabs[slab][i]);
}

static void destroy(struct emulator_workspace *workspace) {
  trim(workspace, 0, 0);
  free(workspace->slabs);
  free(workspace->windows);
  free(workspace);
}

void workspace_return(struct emulator_workspace *workspace) {
  if (workspace->slab_count > KEPT_SLABS || workspace->window_count > KEPT_WINDOWS)
    trim(workspace, KEPT_SLABS, KEPT_WINDOWS);
  pthread_mutex_lock(&pool.lock);
  bool keep = pool.count < KEPT_WORKSPACES;
  if (keep) {
    workspace->next = pool.first;
    pool.first = workspace;
    pool.count++;
  }
  pthread_mutex_unlock(&pool.lock);
  if (!keep)
    destroy(workspace);
}

size_t workspace_kept_stacks(void) {
  size_t stacks = 0;
  pthread_mutex_lock(&pool.lock);
  for (struct emulator_workspace *one = pool.first; one; one = one->next)
    stacks += one->slab_count * EMULATOR_SLAB_FIBERS;
  pthread_mutex_unlock(&pool.lock);
  return stacks;
}

/* --- Stacks ----------------------------------------------------------------------------------- */

static bool grow(struct emulator_workspace *workspace) {
  struct fiber *slab = fiber_slab_create(EMULATOR_SLAB_FIBERS, EMULATOR_STACK_BYTES);
  if (!slab)
    return false;
  workspace->slabs = tile_grow(workspace->slabs, workspace->slab_count, &workspace->slab_capacity,
                               sizeof *workspace->slabs);
  workspace->slabs[workspace->slab_count++] = slab;
  for (struct fiber *fiber = slab; fiber; fiber = fiber->next)
    fiber_prepare(fiber, schedule_worker, workspace);
  slab[EMULATOR_SLAB_FIBERS - 1].next = workspace->free_fibers;
  workspace->free_fibers = slab;
  return true;
}

struct fiber *workspace_take_fiber(struct emulator_workspace *workspace) {
  if (!workspace->free_fibers && !grow(workspace))
    return NULL;
  struct fiber *fiber = workspace->free_fibers;
  workspace->free_fibers = fiber->next;
  return fiber;
}

void workspace_free_fiber(struct emulator_workspace *workspace, struct fiber *fiber) {
  fiber->next = workspace->free_fibers;
  workspace->free_fibers = fiber;
}

/* --- Shared memory ---------------------------------------------------------------------------- */

/* Maps twice the window and gives back what lies outside the aligned half. */
static unsigned char *map_window(void) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT;
  unsigned char *memory = mmap(NULL, 2 * SHARED_WINDOW, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  size_t before = -(uintptr_t)memory & (SHARED_WINDOW - 1);
  if (before)
    munmap(memory, before);
  munmap(memory + before + SHARED_WINDOW, SHARED_WINDOW - before);
  return memory + before;
}

tile_status workspace_map_shared(struct emulator_workspace *workspace, size_t index) {
  if (index < workspace->window_count)
    return NULL;
  workspace->windows = tile_grow(workspace->windows, workspace->window_count,
                                 &workspace->window_capacity, sizeof *workspace->windows);
  unsigned char *window = map_window();
  if (!window)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory below 4 GiB for the emulator's shared memory");
  workspace->windows[workspace->window_count++] = window;
  return NULL;
}
