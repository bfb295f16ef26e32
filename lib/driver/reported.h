/* SPDX-License-Identifier: MIT */
/* Compilations are reported to hooks (tile_hooks_add):

       tile_compile_event event = {.function = __func__, .name = name};
       bool reported = report_begins(&event);
       return report_ends(&event, reported, compile(...)); */
#ifndef TILE_DRIVER_REPORTED_H
#define TILE_DRIVER_REPORTED_H

#include "runtime/hooks.h"

static inline bool report_begins(tile_compile_event *event) {
  bool reported = hooks_enter();
  if (reported)
    hooks_compile_begins(event);
  return reported;
}

/* Gives `status` back. */
static inline tile_status report_ends(tile_compile_event *event, bool reported,
                                      tile_status status) {
  if (!reported)
    return status;
  event->status = status;
  hooks_compile_ends(event);
  hooks_leave();
  return status;
}

#endif
