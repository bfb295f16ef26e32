/* SPDX-License-Identifier: MIT */
/* Device functions: barriers, turns of loops, traps. */
#include <inttypes.h>
#include <stdio.h>
#include "emulator/device.h"
#include "emulator/launch.h"

void tile_emu_barrier(struct emulator_thread *thread, const char *location) {
  schedule_barrier(thread, location);
}

void tile_emu_turn(struct emulator_thread *thread, const char *location) {
  struct emulator_launch *launch = thread->launch;
  if (++thread->turns <= launch->turn_limit)
    return;
  char words[96];
  snprintf(words, sizeof words, "the thread has begun more than %" PRIu64 " turns of loops",
           launch->turn_limit);
  tile_emulator_hazard hazard = {
      .kind = TILE_EMULATOR_ENDLESS, .site = launch_site(thread, location), .message = words};
  report_add(launch->report, &hazard);
  schedule_stop(thread);
}

void tile_emu_trap(struct emulator_thread *thread, const char *location, const char *message) {
  tile_emulator_hazard hazard = {
      .kind = TILE_EMULATOR_TRAP, .site = launch_site(thread, location), .message = message};
  report_add(thread->launch->report, &hazard);
  schedule_stop(thread);
}
