/* SPDX-License-Identifier: MIT */
/* Descriptors whose base moves from program to program, as those of larger tensors. */
#ifndef TILE_TRANSFORMS_OUTER_DESCRIPTORS_H
#define TILE_TRANSFORMS_OUTER_DESCRIPTORS_H

#include "ir/session.h"

/* In a kernel over tensors without layouts, of descriptors whose loads end up in products, in loops
   or before all of them, and of those that are stored through:

     %b = addptr %a, %head * %far                   %d = make_descriptor %a, 2^31, %m, %k,
     %d = make_descriptor %b, %m, %k, %row, 1  ->                       %far, %row, 1
     for %i { %t = descriptor_load %d, %i, 0        for %i { %t = descriptor_load %d, %head, %i, 0

   where box_outer.h can say it so and the launch knows the parts: then it can make the descriptor.
   What lies outside of the block's own dimensions reads as it did, and stays as it was. Stores, and
   loads before all loops, only where the strides that move them are known to be multiples of 16
   bytes. How many it has changed. */
int outer_descriptors(struct session *session, MlirOperation kernel);

#endif
