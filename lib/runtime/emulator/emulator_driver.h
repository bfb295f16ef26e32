/* SPDX-License-Identifier: MIT */
/* What the library asks of the emulator's device besides tile/emulator_device.h. */
#ifndef TILE_RUNTIME_EMULATOR_DRIVER_H
#define TILE_RUNTIME_EMULATOR_DRIVER_H

#include <stdbool.h>
#include "emulator/counts.h"
#include "tile/runtime.h"

/* What the latest launch that ran on the device did; false for a device of another driver. */
bool emulator_device_counts(tile_device *device, struct emulator_counts *out);

#endif
