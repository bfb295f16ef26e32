/* SPDX-License-Identifier: MIT */
/* See symbols.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sincos, roundeven */
#endif
#include "emulator/symbols.h"

#include <math.h>
#include <string.h>
#include "emulator/device.h"
#include "emulator/runtime.h"

#define X(result, name, parameters) {#name, (uintptr_t)name},
#define RUNTIME(symbol, function, summary) {#symbol, (uintptr_t)function},
static const struct emulator_symbol symbols[] = {
#include "emulator/device.def"
#include "emulator/runtime.def"
};
#undef X
#undef RUNTIME

const struct emulator_symbol *emulator_symbols(size_t *out_count) {
  *out_count = sizeof symbols / sizeof *symbols;
  return symbols;
}
