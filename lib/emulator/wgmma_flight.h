/* SPDX-License-Identifier: MIT */
/* One wgmma between its issue and the wait that completes it; shared by wgmma.c and device_wgmma.c.
 */
#ifndef TILE_EMULATOR_WGMMA_FLIGHT_H
#define TILE_EMULATOR_WGMMA_FLIGHT_H

#include "emulator/wgmma.h"

struct wgmma_flight {
  struct wgmma_flight *next;
  struct wgmma_set *set; /* borrowed: what it adds to */
  struct mma_shape shape;
  struct wgmma_matrix operands[2]; /* a, b */
  bool a_in_registers, scale;      /* without scale the accumulators start at zero */
  uint32_t group;                  /* number of the commit that closes it */
  uint32_t thread;
  const char *location;
  uint32_t registers[]; /* of a: four of each thread, where it is in registers */
};

/* Marks what it reads, or with change = -1 takes the marks away. */
void wgmma_mark(struct emulator_block *block, const struct wgmma_flight *flight, int change);

#endif
