/* SPDX-License-Identifier: MIT */
/* What moves the tensor of a box (box.h) as places in outer dimensions of it:

     a + z * stride_z + h * stride_h + ...       stride_z, place z; stride_h, place h
     a + offset                                  stride `offset`, place 1

   Of each product that the base is moved by, the stride is what the launch knows, a product of
   parameters and constants; the place is the rest, a number of 32 bits that is not negative, so
   that it is a coordinate of the copy engine's. A scalar of 32 bits that is a sum of such products
   is taken apart, no further than it must be; it is taken not to wrap, as axis_info.h takes sums
   and products of what is not negative. That strides are not negative, and multiples of 16 bytes,
   the launch checks; of constants it is checked here. */
#ifndef TILE_ANALYSIS_BOX_OUTER_H
#define TILE_ANALYSIS_BOX_OUTER_H

#include "analysis/box.h"

/* box->outer from box->moved. False, and reader->problem, where it cannot be said so: then there
   are none. */
bool box_outer_of(struct form_reader *reader, struct box *box);

#endif
