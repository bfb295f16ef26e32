/* SPDX-License-Identifier: MIT */
/* The door of libtile_emulator, the emulator without LLVM, which libtile_runtime opens
   (runtime/find.c). Nothing else leaves it: libtile holds the same code under the public names. */
#include "emulator/library/library.h"

#include <string.h>
#include "tile/emulator_device.h"
#include "tile/version.h"

const tile_driver *tile_emulator_library_driver(const char *version) {
  return strcmp(version, tile_version()->text) == 0 ? tile_emulator_driver() : NULL;
}
