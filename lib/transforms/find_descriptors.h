/* SPDX-License-Identifier: MIT */
/* Loads of boxes through plain pointers as loads through tensor descriptors. */
#ifndef TILE_TRANSFORMS_FIND_DESCRIPTORS_H
#define TILE_TRANSFORMS_FIND_DESCRIPTORS_H

#include "analysis/box.h"
#include "ir/build.h"

/* In a kernel over tensors without layouts; how many loads it has replaced. With `remarks` it says
   of each candidate why it is a box or is none. */
int find_descriptors(struct session *session, MlirOperation kernel, bool remarks);

/* The tile.make_descriptor of a box with blocks of this type, whose dimensions are the tile's in
   the order `order`. */
MlirValue build_box_descriptor(struct session *session, struct builder *b, const struct box *box,
                               const int *order, MlirType block);

#endif
