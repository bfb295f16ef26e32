/* SPDX-License-Identifier: MIT */
/* What libtile_runtime finds in libtile_emulator. */
#ifndef TILE_EMULATOR_LIBRARY_H
#define TILE_EMULATOR_LIBRARY_H

#include "tile/runtime.h"

/* The emulator's driver for a runtime of that version; NULL for another version. */
typedef const tile_driver *emulator_library_driver(const char *version);
TILE_EXPORT emulator_library_driver tile_emulator_library_driver;

#define EMULATOR_LIBRARY "libtile_emulator.so.0"
#define EMULATOR_LIBRARY_DRIVER "tile_emulator_library_driver"

#endif
