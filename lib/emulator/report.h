/* SPDX-License-Identifier: MIT */
/* The list of hazards that a launch collects.

   Recording copies what it is given, so that a report outlives its launch and its program. Kernels
   record from small fiber stacks: all formatting waits for report_finish. */
#ifndef TILE_EMULATOR_REPORT_H
#define TILE_EMULATOR_REPORT_H

#include "base/arena.h"
#include "emulator/counts.h"
#include "tile/emulator.h"

enum { REPORT_CAPACITY = 64 };

struct tile_emulator_report {
  struct arena arena; /* owns every string below */
  struct tile_emulator_hazard hazards[REPORT_CAPACITY];
  const char *origins[REPORT_CAPACITY]; /* location pointers as first given: only compared */
  size_t count;
  uint64_t dropped;
  const char *incomplete; /* what the race check left out, or NULL */
  struct emulator_counts counts;
};

/* Adds a hazard, or counts a repetition of one with equal kind, direction
   and site.location. Strings may be
   NULL and are copied; `repeats` and `text` are ignored. */
void report_add(struct tile_emulator_report *report, const tile_emulator_hazard *hazard);
/* Writes the text of every hazard; the last step of a launch. */
void report_finish(struct tile_emulator_report *report);

#endif
