/* SPDX-License-Identifier: MIT */
/* What a warp or a warp group does as one: kinds of `operation` in schedule_together, in its upper
   bits. The lower 26 bits are of mma_encode, or what the kind says. */
#ifndef TILE_EMULATOR_TENSOR_H
#define TILE_EMULATOR_TENSOR_H

#include "emulator/launch.h"

enum {
  TENSOR_MMA = 1 << 26,
  TENSOR_LDMATRIX = 2 << 26, /* | number of matrices | TENSOR_TRANSPOSE */
  TENSOR_STMATRIX = 3 << 26,
  TENSOR_WGMMA = 4 << 26,
  TENSOR_WGMMA_WAIT = 5 << 26,   /* | groups that may be pending */
  TENSOR_WARP_BARRIER = 6 << 26, /* not of tensor cores: bar.warp.sync */
  TENSOR_TRANSPOSE = 1 << 8,
};

/* "a shuffle", "a multiplication (mma)": what an operation is, for messages. */
const char *tensor_words(uint32_t operation);
/* Ends the launch unless the thread is in a whole warp, or warp group. */
void tensor_need_warp(struct emulator_thread *thread, const char *location);

#endif
