/* SPDX-License-Identifier: MIT */
/* Runs of candidates that do not end.

   On a GPU a run has ended when it says so, within options.time_limit seconds (10). One that has
   not is lost, and the device with it, to this process.

   The emulator counts instead, so that a candidate's outcome does not hang on the machine's speed:
   turns of loops that one thread begins. 100,000 stand for a second of the limit. Once the first
   candidate has run, others may take 1000 times its turns and 100,000 more, if that is less: block
   sizes differ by less. A launch that is ended so, or by a deadlock, leaves the device as it was.
 */
#ifndef TILE_TUNE_ENDLESS_H
#define TILE_TUNE_ENDLESS_H

#include "tune/tuning.h"

/* Waits for what was given to the device before the event, for as long as a run may take; then
   fails with TILE_DEVICE_FAILED. */
tile_status endless_wait(const tile_tuning *tuning, tile_event *event);
/* That is what the status says: nothing can be done with the device while the run goes on. */
bool endless_on_gpu(tile_status status);

/* Sets the emulator's limit for the first candidate, and returns what it was. On GPUs this and the
   next do nothing. */
uint64_t endless_begin(const tile_tuning *tuning);
/* A candidate has run, the first one to do so. */
void endless_first(const tile_tuning *tuning, uint64_t before);
/* The failed launch on the emulator would not have ended. */
bool endless_on_emulator(const tile_tuning *tuning, tile_status status);
void endless_end(const tile_tuning *tuning, uint64_t before);

#endif
