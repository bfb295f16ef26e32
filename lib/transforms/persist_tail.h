/* SPDX-License-Identifier: MIT */
/* The last programs of a kernel whose blocks take programs of different lengths in an order that is
   fixed (transforms/persist.h).

   Programs come in `rows` rows of `length`, from the longest to the shortest or the other way
   round, the same in each row. Of the last rows, those that have about two programs for each block
   (one row, if that has more), the longest of all come first, those of equal length together, and
   blocks take them in turn, on the way back in reverse:

     blocks                         0  1  2  3  4
     have taken of the rows before  9  9  9  8  8      pairs
     now of the last rows           .  .  .  1  2
                                    7  6  5  4  3
                                    8  9 10  .  .

   What comes before need not be equally many for all blocks: the first that are taken are nearly as
   long as what the others have had more. With 132 blocks and lengths from 1 to 32, 64 or 128, 2048
   to 4096 programs, the block that has the most of such a list has 1.001 to 1.004 of the mean, and
   with pairs to the end 1.031.

   All values are of type i32. */
#ifndef TILE_TRANSFORMS_PERSIST_TAIL_H
#define TILE_TRANSFORMS_PERSIST_TAIL_H

#include "ir/build.h"

struct persist_tail {
  MlirValue block, blocks; /* this one, of so many */
  MlirValue length;        /* of a row */
  MlirValue rows;          /* the last ones, which are taken so; at least one */
  MlirValue rows_before;
  MlirValue
      before; /* programs in the rows before, in pairs: block n takes pairs n, n + blocks ... */
  MlirValue skipped; /* blocks that have one pair more than the others */
  MlirValue first;   /* the first round in which this block takes a program: 0 or 1 */
  MlirValue turns;   /* programs that this block takes */
};

/* Where a program is. */
struct persist_program {
  MlirValue place; /* in its row, from the longest one on */
  MlirValue row;
};

struct persist_tail persist_tail_build(struct builder *b, MlirValue block, MlirValue blocks,
                                       MlirValue length, MlirValue rows);
/* The block's program number `turn` < turns. */
struct persist_program persist_tail_program(const struct persist_tail *tail, struct builder *b,
                                            MlirValue turn);

#endif
