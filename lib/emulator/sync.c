/* See sync.h. Releases and acquires are a graph without cycles: an acquire points to the latest
   release of its address, a release to the one before it and to the latest acquire of its block.
   What a block comes after is all that can be reached from its acquires; the walk's result is kept
   until the block passes a barrier. */
#include "emulator/sync.h"

#include <stdlib.h>

struct sync_release {
  struct sync_point at;
  struct sync_acquire *acquired; /* by its block before it */
  struct sync_release *earlier;  /* of the same address */
  uint32_t visit;
};

struct sync_acquire {
  struct sync_point at;
  struct sync_release *from;
  struct sync_acquire *earlier; /* by the same block */
  uint32_t visit;
};

void sync_destroy(struct sync *sync) {
  arena_destroy(&sync->arena);
  map_free(&sync->releases);
  map_free(&sync->covers);
  free(sync->stack);
  *sync = (struct sync){0};
}

void sync_begin_block(struct sync *sync) {
  sync->acquired = NULL;
  sync->covered_epoch = 0;
}

void sync_release(struct sync *sync, uintptr_t address, struct sync_point now) {
  struct sync_release *release = ARENA_NEW(&sync->arena, struct sync_release);
  const void *key = (const void *)address;
  *release = (struct sync_release){
      .at = now, .acquired = sync->acquired, .earlier = map_get(&sync->releases, key)};
  map_set(&sync->releases, key, release);
}

void sync_acquire(struct sync *sync, uintptr_t address, struct sync_point now,
                  uint64_t block_epoch) {
  struct sync_release *from = map_get(&sync->releases, (const void *)address);
  while (from && from->at.epoch >= block_epoch) /* the own block's: barriers order those */
    from = from->earlier;
  if (!from ||
      (sync->acquired && sync->acquired->from == from && sync->acquired->at.epoch < now.epoch))
    return;
  struct sync_acquire *acquire = ARENA_NEW(&sync->arena, struct sync_acquire);
  *acquire = (struct sync_acquire){.at = now, .from = from, .earlier = sync->acquired};
  sync->acquired = acquire;
}

/* --- Walks ---------------------------------------------------------------------------------------
 */

static void push(struct sync *sync, struct sync_release *release) {
  if (!release || release->visit == sync->visit)
    return;
  release->visit = sync->visit;
  if (sync->stack_count == sync->stack_capacity) {
    sync->stack_capacity = sync->stack_capacity ? sync->stack_capacity * 2 : 64;
    sync->stack = tile_reallocate(sync->stack, sync->stack_capacity * sizeof *sync->stack);
  }
  sync->stack[sync->stack_count++] = release;
}

/* The next release reached, or NULL; what it leads to is on the stack then. */
static struct sync_release *pop(struct sync *sync) {
  if (sync->stack_count == 0)
    return NULL;
  struct sync_release *release = sync->stack[--sync->stack_count];
  push(sync, release->earlier);
  struct sync_acquire *acquire = release->acquired;
  for (; acquire && acquire->visit != sync->visit; acquire = acquire->earlier) {
    acquire->visit = sync->visit;
    push(sync, acquire->from);
  }
  return release;
}

/* Notes what the current block's acquires in epochs before `epoch` stand for. */
static void cover(struct sync *sync, uint64_t epoch, sync_block_of *block_of, const void *context) {
  map_free(&sync->covers);
  sync->covered_epoch = epoch;
  sync->visit++;
  for (struct sync_acquire *acquire = sync->acquired; acquire; acquire = acquire->earlier)
    if (acquire->at.epoch < epoch)
      push(sync, acquire->from);
  for (struct sync_release *release; (release = pop(sync)) != NULL;) {
    const void *key = (const void *)(uintptr_t)(block_of(context, release->at.epoch) + 1);
    struct sync_cover *known = map_get(&sync->covers, key);
    if (!known) {
      known = ARENA_NEW(&sync->arena, struct sync_cover);
      *known = (struct sync_cover){0};
      map_set(&sync->covers, key, known);
    }
    if (release->at.epoch >= known->epoch)
      *known = (struct sync_cover){release->at.epoch, release->at.thread};
  }
}

static bool stands_for(uint64_t epoch, uint32_t thread, struct sync_point then) {
  return then.epoch < epoch || (then.epoch == epoch && then.thread == thread);
}

/* Through acquires of the own thread since the last barrier. */
static bool own_acquire_orders(struct sync *sync, struct sync_point then, struct sync_point now,
                               sync_block_of *block_of, const void *context) {
  sync->visit++;
  struct sync_acquire *acquire = sync->acquired;
  for (; acquire && acquire->at.epoch == now.epoch; acquire = acquire->earlier)
    if (acquire->at.thread == now.thread)
      push(sync, acquire->from);
  uint64_t block = block_of(context, then.epoch);
  bool found = false;
  for (struct sync_release *release; (release = pop(sync)) != NULL;)
    found |= block_of(context, release->at.epoch) == block &&
             stands_for(release->at.epoch, release->at.thread, then);
  return found;
}

bool sync_orders(struct sync *sync, struct sync_point then, struct sync_point now,
                 sync_block_of *block_of, const void *context) {
  if (!sync->acquired)
    return false;
  if (sync->covered_epoch != now.epoch)
    cover(sync, now.epoch, block_of, context);
  const void *key = (const void *)(uintptr_t)(block_of(context, then.epoch) + 1);
  const struct sync_cover *known = map_get(&sync->covers, key);
  if (known && stands_for(known->epoch, known->thread, then))
    return true;
  return own_acquire_orders(sync, then, now, block_of, context);
}
