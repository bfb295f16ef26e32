/* SPDX-License-Identifier: MIT */
/* How a block of a tensor gets into a buffer of shared memory by bulk copies: in boxes.

   One instruction copies a box, the elements of which lie one after the other in shared memory,
   rows permuted by the swizzle (PTX ISA, "Tensor Size, Shape and Strides", "Swizzling modes"). No
   side of it is longer than 256 elements, and with a swizzle a row has at most that many bytes. So
   a block is cut into equal boxes, each of which is one piece of the buffer:

     nvmma, 64x256 f16, swizzle = 128      swizzled that permutes nothing, 512x64 f32
     rows of 64 elements in four panels    all rows in one piece, of at most 256
       +----+----+----+----+                 +----------+
       |    |    |    |    |                 |  256x64  |
       |64x64    |    |    |                 +----------+
       |    |    |    |    |                 |  256x64  |
       +----+----+----+----+                 +----------+

   The descriptor of the tensor must have been made for this box and swizzle. */
#ifndef TILE_IR_TENSOR_BOXES_H
#define TILE_IR_TENSOR_BOXES_H

#include "ir/session.h"

enum {
  TENSOR_MAX_RANK = 5,
  TENSOR_MAX_BOX = 256,       /* elements along a side */
  TENSOR_ROW_BYTES = 16,      /* a box's row is a multiple of this */
  TENSOR_PLACE_BYTES = 128,   /* alignment of a box in shared memory without swizzle */
  TENSOR_MAX_BYTES = 1048575, /* what a barrier can expect: 2^20 - 1 */
};

/* Dimensions as the block has them, outermost first. */
struct tensor_boxes {
  int rank;
  int32_t box[TENSOR_MAX_RANK], counts[TENSOR_MAX_RANK]; /* elements of a box; boxes of the block */
  int32_t swizzle;                                       /* 0, 32, 64 or 128 bytes */
  int64_t bytes;                                         /* of the whole block */
};

/* `buffer`: the type of one stage. Errors say why no bulk copy can bring a block there. */
tile_status tensor_boxes_of(struct session *session, MlirType buffer, struct tensor_boxes *out);

/* Makes smaller boxes where one would reach over the end of one of so many equal parts of the
   block, cut along one dimension: returned; -1, where there are no such boxes. */
int tensor_boxes_part(struct tensor_boxes *boxes, int32_t parts);

#endif
