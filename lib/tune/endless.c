/* SPDX-License-Identifier: MIT */
/* See endless.h. */
#include "tune/endless.h"

#include <string.h>
#include <time.h>
#include "base/status.h"
#include "runtime/emulator/emulator_driver.h"
#include "tile/interop.h"

enum { SPINS = 2000, TURNS_A_SECOND = 100000, TIMES_THE_FIRST = 1000 };

static double limit(const tile_tuning *tuning) {
  return tuning->options->time_limit > 0 ? tuning->options->time_limit : 10;
}

tile_status endless_wait(const tile_tuning *tuning, tile_event *event) {
  double begin = tuning_now();
  for (unsigned turn = 0;; turn++) {
    bool done;
    TRY(tile_event_done(event, &done));
    if (done)
      return tile_event_synchronize(event);
    if (tuning_now() - begin > limit(tuning))
      return FAIL(TILE_DEVICE_FAILED,
                  TUNING_NO_END
                  " within %g s; the device cannot be used until the process has ended",
                  limit(tuning));
    if (turn > SPINS)
      nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
  }
}

bool endless_on_gpu(tile_status status) {
  return strncmp(tile_status_message(status), TUNING_NO_END, sizeof TUNING_NO_END - 1) == 0;
}

/* The caller's own limit holds, too. */
static uint64_t least(uint64_t before, double turns) {
  double most = turns < 1 ? 1 : turns;
  return before && (double)before < most ? before : most < 1e18 ? (uint64_t)most : 0;
}

uint64_t endless_begin(const tile_tuning *tuning) {
  uint64_t before = emulator_device_limit(tuning->options->device, 0);
  emulator_device_limit(tuning->options->device, least(before, limit(tuning) * TURNS_A_SECOND));
  return before;
}

void endless_first(const tile_tuning *tuning, uint64_t before) {
  struct emulator_counts counts;
  bool hung;
  if (!emulator_device_counts(tuning->options->device, &counts, &hung))
    return;
  double absolute = limit(tuning) * TURNS_A_SECOND,
         relative = (double)counts.turns * TIMES_THE_FIRST + TURNS_A_SECOND;
  emulator_device_limit(tuning->options->device,
                        least(before, relative < absolute ? relative : absolute));
}

bool endless_on_emulator(const tile_tuning *tuning, tile_status status) {
  struct emulator_counts counts;
  bool hung = false;
  return tile_status_code(status) == TILE_HAZARD &&
         emulator_device_counts(tuning->options->device, &counts, &hung) && hung;
}

void endless_end(const tile_tuning *tuning, uint64_t before) {
  emulator_device_limit(tuning->options->device, before);
}
