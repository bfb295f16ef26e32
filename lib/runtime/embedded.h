/* SPDX-License-Identifier: MIT */
/* What the other files of the runtime, and the writer of C files, share with embedded.c. */
#ifndef TILE_RUNTIME_EMBEDDED_H
#define TILE_RUNTIME_EMBEDDED_H

#include "runtime/objects.h"
#include "tile/embedded.h"

/* How tile_embedded_kernel.parameters writes a kind: one letter. */
static inline char embedded_kind_letter(tile_argument_kind kind) {
  static const char letters[] = {
      [TILE_ARGUMENT_POINTER] = 'p', [TILE_ARGUMENT_I1] = 'b',   [TILE_ARGUMENT_I8] = 'c',
      [TILE_ARGUMENT_I16] = 's',     [TILE_ARGUMENT_I32] = 'i',  [TILE_ARGUMENT_I64] = 'l',
      [TILE_ARGUMENT_F16] = 'h',     [TILE_ARGUMENT_BF16] = 't', [TILE_ARGUMENT_F32] = 'f',
      [TILE_ARGUMENT_F64] = 'd'};
  return (unsigned)kind < sizeof letters ? letters[kind] : '?';
}

/* Unloads what embedded images have loaded on a device whose last reference is gone. */
void embedded_unload_all(tile_device *device);

#endif
