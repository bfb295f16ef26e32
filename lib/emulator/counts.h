/* SPDX-License-Identifier: MIT */
/* What the threads of a launch did, counted where the emulator is called anyway. It does not depend
   on the order in which blocks and threads run, as long as the kernel's own branches do not. */
#ifndef TILE_EMULATOR_COUNTS_H
#define TILE_EMULATOR_COUNTS_H

#include <stdint.h>

struct emulator_counts {
  uint64_t blocks;
  uint64_t accesses; /* instructions of threads that move data: loads, stores, atomic operations,
                        copies */
  uint64_t global_bytes; /* that they moved from and to global memory */
  uint64_t shared_bytes; /* and shared memory */
  uint64_t fmas;         /* multiply-adds on tensor cores */
  uint64_t lanes; /* threads that took part in shuffles and operations of warps and warp groups */
  uint64_t barriers; /* of blocks */
  uint64_t turns;    /* of loops that one thread has begun: the most */
};

#endif
