/* SPDX-License-Identifier: MIT */
/* What the library asks of the emulator's device besides tile/emulator_device.h. */
#ifndef TILE_RUNTIME_EMULATOR_DRIVER_H
#define TILE_RUNTIME_EMULATOR_DRIVER_H

#include <stdbool.h>
#include "emulator/counts.h"
#include "tile/runtime.h"

/* What the latest launch that ran on the device did, and whether it was ended because it would not
   have ended itself: a deadlock, or too many turns of a loop. False for a device of another driver.
 */
bool emulator_device_counts(tile_device *device, struct emulator_counts *out, bool *out_hung);
/* Sets the device's option turn_limit, between launches, and returns what it was; does nothing on
   other devices. */
uint64_t emulator_device_limit(tile_device *device, uint64_t turns);

#endif
