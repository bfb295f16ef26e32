/* SPDX-License-Identifier: MIT */
/* Prototypes of the device functions, the rows of device.def. */
#ifndef TILE_EMULATOR_DEVICE_H
#define TILE_EMULATOR_DEVICE_H

#include <stdint.h>
#include "emulator/runtime.h"

struct emulator_thread;

#define X(result, name, parameters) result name parameters;
#include "emulator/device.def"
#undef X

#endif
