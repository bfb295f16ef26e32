/* SPDX-License-Identifier: MIT */
/* Hooks around launches and compilations: tile_hooks_add. */
#ifndef TILE_RUNTIME_HOOKS_H
#define TILE_RUNTIME_HOOKS_H

#include <stdatomic.h>
#include "base/private.h"
#include "tile/interop.h"

extern atomic_size_t hook_count;

/* Whether there may be any; all that a launch costs where there is none. */
static inline bool hooks_present(void) {
  return atomic_load_explicit(&hook_count, memory_order_relaxed) != 0;
}

/* Before something that is reported: keeps the hooks as they are until hooks_leave. False inside of
   a hook, and without hooks: then nothing is reported, and hooks_leave not called. */
TILE_PRIVATE bool hooks_enter(void);
TILE_PRIVATE void hooks_leave(void);
/* Between the two; they fill in the time. */
void hooks_launch_begins(tile_launch_event *event);
void hooks_launch_ends(tile_launch_event *event);
TILE_PRIVATE void hooks_compile_begins(tile_compile_event *event);
TILE_PRIVATE void hooks_compile_ends(tile_compile_event *event);

#endif
