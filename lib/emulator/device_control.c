/* SPDX-License-Identifier: MIT */
/* Device functions: barriers and traps. */
#include "emulator/device.h"
#include "emulator/launch.h"

void tile_emu_barrier(struct emulator_thread *thread, const char *location) {
  schedule_barrier(thread, location);
}

void tile_emu_trap(struct emulator_thread *thread, const char *location, const char *message) {
  tile_emulator_hazard hazard = {
      .kind = TILE_EMULATOR_TRAP, .site = launch_site(thread, location), .message = message};
  report_add(thread->launch->report, &hazard);
  schedule_stop(thread);
}
