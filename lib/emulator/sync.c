/* SPDX-License-Identifier: MIT */
/* See sync.h. Releases and acquires are a graph without cycles: an acquire points to the latest
   release of its address, a release to the one before it and to the latest acquire of its block.
   What a block comes after is all that can be reached from its acquires. The walks' result is kept
   for each block, and what it acquires later is added to it. */
#include "emulator/sync.h"

#include <stdlib.h>

struct sync_release {
  struct sync_point at;
  struct sync_acquire *acquired; /* by its block before it */
  struct sync_release *earlier;  /* of the same address */
  struct sync_release *foreign;  /* the latest earlier one of the same address by another block */
  uint32_t visit;
};

struct sync_acquire {
  struct sync_point at;
  struct sync_release *from;
  struct sync_acquire *earlier; /* by the same block */
  uint32_t visit;
};

struct sync_seen {
  struct sync_release *release;
  struct sync_seen *earlier;
};

void sync_destroy(struct sync *sync) {
  arena_destroy(&sync->arena);
  map_free(&sync->releases);
  free(sync->stack);
  *sync = (struct sync){0};
}

void sync_begin_block(struct sync *sync, struct sync_block *block, uint32_t ordinal) {
  *block = (struct sync_block){.ordinal = ordinal, .visit = ++sync->visit};
}

void sync_end_block(struct sync_block *block) {
  map_free(&block->covers);
  *block = (struct sync_block){0};
}

static void add_release(struct sync *sync, uintptr_t address, struct sync_point at,
                        struct sync_acquire *acquired) {
  const void *key = (const void *)address;
  struct sync_release *earlier = map_get(&sync->releases, key);
  bool own = earlier && earlier->at.block == at.block;
  struct sync_release *release = ARENA_NEW(&sync->arena, struct sync_release);
  *release = (struct sync_release){.at = at,
                                   .acquired = acquired,
                                   .earlier = earlier,
                                   .foreign = own ? earlier->foreign : earlier};
  map_set(&sync->releases, key, release);
}

void sync_release(struct sync *sync, struct sync_block *block, uintptr_t address,
                  struct sync_point now) {
  add_release(sync, address, now, block->acquired);
}

void sync_release_fenced(struct sync *sync, struct sync_thread *thread, uintptr_t address) {
  if (thread->fence.epoch)
    add_release(sync, address, thread->fence, thread->acquired);
}

/* Whether the block has done this before, to the same effect: a thread that repeats it, or one
   after a barrier. */
static bool is_repeated(const struct sync_acquire *latest, const struct sync_release *from,
                        struct sync_point now) {
  return latest && latest->from == from &&
         (latest->at.epoch < now.epoch || latest->at.thread == now.thread);
}

/* The latest release of the address by another block; NULL: none. */
static struct sync_release *foreign_release(struct sync *sync, uintptr_t address,
                                            struct sync_point now) {
  struct sync_release *from = map_get(&sync->releases, (const void *)address);
  return from && from->at.block == now.block ? from->foreign : from;
}

static void add_acquire(struct sync *sync, struct sync_block *block, struct sync_release *from,
                        struct sync_point now) {
  if (!from || is_repeated(block->acquired, from, now))
    return;
  struct sync_acquire *acquire = ARENA_NEW(&sync->arena, struct sync_acquire);
  *acquire = (struct sync_acquire){.at = now, .from = from, .earlier = block->acquired};
  block->acquired = acquire;
}

void sync_acquire(struct sync *sync, struct sync_block *block, uintptr_t address,
                  struct sync_point now) {
  add_acquire(sync, block, foreign_release(sync, address, now), now);
}

void sync_see(struct sync *sync, struct sync_thread *thread, uintptr_t address,
              struct sync_point now) {
  struct sync_release *from = foreign_release(sync, address, now);
  if (!from || (thread->seen && thread->seen->release == from))
    return;
  struct sync_seen *seen = ARENA_NEW(&sync->arena, struct sync_seen);
  *seen = (struct sync_seen){from, thread->seen};
  thread->seen = seen;
}

void sync_fence(struct sync *sync, struct sync_block *block, struct sync_thread *thread,
                struct sync_point now) {
  for (struct sync_seen *seen = thread->seen; seen; seen = seen->earlier)
    add_acquire(sync, block, seen->release, now);
  *thread = (struct sync_thread){.fence = now, .acquired = block->acquired};
}

/* --- Walks ------------------------------------------------------------------------------------ */

static void push(struct sync *sync, struct sync_release *release, uint32_t visit) {
  if (!release || release->visit == visit)
    return;
  release->visit = visit;
  sync->stack =
      tile_grow(sync->stack, sync->stack_count, &sync->stack_capacity, sizeof *sync->stack);
  sync->stack[sync->stack_count++] = release;
}

/* What the release's thread came after then: of the other threads' acquires since the barrier
   nothing. So those may be left out on one way and not on another, and say nothing about what lies
   after. */
static void push_acquired(struct sync *sync, const struct sync_release *release, uint32_t visit) {
  struct sync_acquire *acquire = release->acquired;
  for (; acquire && acquire->at.epoch == release->at.epoch; acquire = acquire->earlier)
    if (acquire->at.thread == release->at.thread)
      push(sync, acquire->from, visit);
  for (; acquire && acquire->visit != visit; acquire = acquire->earlier) {
    acquire->visit = visit;
    push(sync, acquire->from, visit);
  }
}

/* The next release reached, or NULL; what it leads to is on the stack then. */
static struct sync_release *pop(struct sync *sync, uint32_t visit) {
  if (sync->stack_count == 0)
    return NULL;
  struct sync_release *release = sync->stack[--sync->stack_count];
  push(sync, release->earlier, visit);
  push_acquired(sync, release, visit);
  return release;
}

/* --- What a block follows: a release of each other block, as epoch * 2^10 + thread ------------ */

static uintptr_t cover_of(struct sync_point at) {
  return (uintptr_t)at.epoch << 10 | at.thread;
}

static void note_cover(struct sync_block *block, struct sync_point at) {
  const void *key = (const void *)((uintptr_t)at.block + 1);
  if (cover_of(at) > (uintptr_t)map_get(&block->covers, key))
    map_set(&block->covers, key, (void *)cover_of(at));
}

/* Adds what the block's acquires in epochs before `epoch` stand for. */
static void cover(struct sync *sync, struct sync_block *block, uint64_t epoch) {
  struct sync_acquire *latest = block->acquired;
  while (latest && latest->at.epoch >= epoch)
    latest = latest->earlier;
  for (struct sync_acquire *a = latest; a && a != block->covered; a = a->earlier)
    push(sync, a->from, block->visit);
  block->covered = latest;
  for (struct sync_release *release; (release = pop(sync, block->visit)) != NULL;)
    note_cover(block, release->at);
}

static bool stands_for(uint64_t epoch, uint32_t thread, struct sync_point then) {
  return then.epoch < epoch || (then.epoch == epoch && then.thread == thread && !then.several);
}

/* Whether a release that stands for `then` is reached from acquires before `now`, its own thread's
   since the last barrier among them. */
static bool search(struct sync *sync, const struct sync_block *block, struct sync_point then,
                   struct sync_point now, bool all) {
  uint32_t visit = ++sync->visit;
  for (struct sync_acquire *a = block->acquired; a && (all || a->at.epoch == now.epoch);
       a = a->earlier)
    if (a->at.epoch < now.epoch || a->at.thread == now.thread)
      push(sync, a->from, visit);
  bool found = false;
  for (struct sync_release *release; (release = pop(sync, visit)) != NULL;)
    found |=
        release->at.block == then.block && stands_for(release->at.epoch, release->at.thread, then);
  return found;
}

/* `covers` knows one release of an epoch; another thread may have made one in it, too. */
bool sync_orders(struct sync *sync, struct sync_block *block, struct sync_point then,
                 struct sync_point now) {
  if (!block->acquired)
    return false;
  cover(sync, block, now.epoch);
  uintptr_t known = (uintptr_t)map_get(&block->covers, (const void *)((uintptr_t)then.block + 1));
  if (known && stands_for(known >> 10, known & 1023, then))
    return true;
  bool same_epoch = known >> 10 == then.epoch && !then.several;
  return search(sync, block, then, now, same_epoch);
}
