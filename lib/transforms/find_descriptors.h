/* SPDX-License-Identifier: MIT */
/* Loads of boxes through plain pointers as loads through tensor descriptors. */
#ifndef TILE_TRANSFORMS_FIND_DESCRIPTORS_H
#define TILE_TRANSFORMS_FIND_DESCRIPTORS_H

#include "ir/session.h"

/* In a kernel over tensors without layouts; how many loads it has replaced. With `remarks` it says
   of each candidate why it is a box or is none. */
int find_descriptors(struct session *session, MlirOperation kernel, bool remarks);

#endif
