/* SPDX-License-Identifier: MIT */
/* Device functions: barriers, turns of loops, traps. */
#include <inttypes.h>
#include <stdio.h>
#include "emulator/device.h"
#include "emulator/launch.h"

void tile_emu_barrier(struct emulator_thread *thread, const char *location) {
  schedule_barrier(thread, location);
}

/* PTX ISA, bar: barriers 0 to 15, of whole warps. */
void tile_emu_named_barrier(struct emulator_thread *thread, uint32_t number, uint32_t count,
                            const char *location) {
  const struct named_barrier *barrier = &thread->block->named[number % NAMED_BARRIERS];
  if (number >= NAMED_BARRIERS || count == 0 || count % MACHINE_LANES ||
      count > thread->launch->thread_count)
    tile_emu_trap(thread, location,
                  "barriers have numbers up to 15, and take whole warps that the block has");
  if (barrier->arrived && barrier->count != count)
    tile_emu_trap(thread, location, "threads come to one barrier for different numbers of threads");
  schedule_named_barrier(thread, number, count, location);
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
