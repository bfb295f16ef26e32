/* SPDX-License-Identifier: MIT */
/* What kernels in host form may call: device functions and the run-time library, by name. */
#ifndef TILE_EMULATOR_SYMBOLS_H
#define TILE_EMULATOR_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct emulator_symbol {
  const char *name;
  uintptr_t address;
};

/* The rows of device.def and runtime.def. */
const struct emulator_symbol *emulator_symbols(size_t *out_count);

#endif
