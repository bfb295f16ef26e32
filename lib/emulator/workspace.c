/* Thread records, stacks and shared memory, reused from launch to launch.

   Shared memory is mapped below 4 GiB where the system can, because device code computes its
   addresses in 32 bits, and aligned to 256 KiB, because a wgmma descriptor keeps address bits 4 to
   17 only. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_32BIT */
#endif
#include "base/status.h"
#include "emulator/launch.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { SHARED_WINDOW = 256 << 10 };
#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

struct emulator_workspace *workspace_create(void) {
  struct emulator_workspace *workspace = calloc(1, sizeof *workspace);
  if (!workspace)
    return NULL;
  workspace->threads = aligned_alloc(_Alignof(struct emulator_thread),
                                     EMULATOR_THREAD_LIMIT * sizeof *workspace->threads);
  if (workspace->threads)
    return workspace;
  free(workspace);
  return NULL;
}

void workspace_destroy(struct emulator_workspace *workspace) {
  for (size_t i = 0; i < workspace->slab_count; i++)
    fiber_slab_destroy(workspace->slabs[i], EMULATOR_SLAB_FIBERS, EMULATOR_STACK_BYTES);
  if (workspace->shared)
    munmap(workspace->shared, SHARED_WINDOW);
  free(workspace->threads);
  free(workspace);
}

/* Maps twice the window and gives back what lies outside the aligned half. */
tile_status workspace_map_shared(struct emulator_workspace *workspace) {
  if (workspace->shared)
    return NULL;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT;
  unsigned char *memory = mmap(NULL, 2 * SHARED_WINDOW, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory below 4 GiB for the emulator's shared memory");
  size_t before = -(uintptr_t)memory & (SHARED_WINDOW - 1);
  if (before)
    munmap(memory, before);
  munmap(memory + before + SHARED_WINDOW, SHARED_WINDOW - before);
  workspace->shared = memory + before;
  return NULL;
}
