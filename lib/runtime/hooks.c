/* SPDX-License-Identifier: MIT */
/* The process's hooks: a list under a lock that launches and compilations hold for reading, so that
   beginnings and ends meet the same hooks. One that is inside already does not take it again: a
   thread that waits to change the list must not stop it. */
#include "runtime/hooks.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include "base/status.h"

struct tile_hook {
  tile_hooks hooks;
  tile_hook *earlier, *later;
};

atomic_size_t hook_count;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; /* guards what follows */
static tile_hook *first, *last;

static _Thread_local unsigned depth; /* of what this thread reports */
static _Thread_local bool inside;    /* of a hook */

static tile_status refuse_inside(const char *function) {
  return depth ? FAIL(TILE_INVALID_ARGUMENT,
                      "%s: called by a hook, or by what a launch or a compilation calls; do it "
                      "when that has ended",
                      function)
               : NULL;
}

tile_status tile_hooks_add(const tile_hooks *hooks, tile_hook **out) {
  TRY(REQUIRED(hooks, out));
  TRY(refuse_inside(__func__));
  tile_hook *hook = malloc(sizeof *hook);
  if (!hook)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for hooks");
  pthread_rwlock_wrlock(&lock);
  *hook = (tile_hook){.hooks = *hooks, .earlier = last};
  *(last ? &last->later : &first) = hook;
  last = hook;
  atomic_fetch_add(&hook_count, 1);
  pthread_rwlock_unlock(&lock);
  *out = hook;
  return NULL;
}

tile_status tile_hooks_remove(tile_hook *hook) {
  if (!hook)
    return NULL;
  TRY(refuse_inside(__func__));
  pthread_rwlock_wrlock(&lock);
  *(hook->earlier ? &hook->earlier->later : &first) = hook->later;
  *(hook->later ? &hook->later->earlier : &last) = hook->earlier;
  atomic_fetch_sub(&hook_count, 1);
  pthread_rwlock_unlock(&lock);
  free(hook);
  return NULL;
}

bool hooks_enter(void) {
  if (inside || !hooks_present())
    return false;
  if (depth++ == 0)
    pthread_rwlock_rdlock(&lock);
  return true;
}

void hooks_leave(void) {
  if (--depth == 0)
    pthread_rwlock_unlock(&lock);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Calls one member of all hooks, in their order or the opposite one. */
#define CALL_HOOKS(start, next, member)                                                            \
  do {                                                                                             \
    event->nanoseconds = now();                                                                    \
    inside = true;                                                                                 \
    for (const tile_hook *hook = start; hook; hook = hook->next)                                   \
      if (hook->hooks.member)                                                                      \
        hook->hooks.member(hook->hooks.context, event);                                            \
    inside = false;                                                                                \
  } while (0)

void hooks_launch_begins(tile_launch_event *event) {
  CALL_HOOKS(first, later, launch_begins);
}

void hooks_launch_ends(tile_launch_event *event) {
  CALL_HOOKS(last, earlier, launch_ends);
}

void hooks_compile_begins(tile_compile_event *event) {
  CALL_HOOKS(first, later, compile_begins);
}

void hooks_compile_ends(tile_compile_event *event) {
  CALL_HOOKS(last, earlier, compile_ends);
}
