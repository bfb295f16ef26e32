/* SPDX-License-Identifier: MIT */
/* Values of several iterations of a loop, side by side along one dimension of a tile.

   Of `factor` iterations in a row, a tile of `size` elements along a dimension becomes one of size
   * factor:

     part        0                 1                 2 ...
     elements    0 ... size - 1    size ...          2 size ...
     holds       iteration i       iteration i + 1   i + 2 ...

   What is the same in every iteration is repeated: tile.range 0 to size becomes range & (size - 1).
   A number that grows by d from one iteration to the next becomes itself + part * d, at the
   tile.splat that makes it a tile. Pointers that the loop carries are so much apart from the
   beginning, and advance by factor * d. Everything between is done element by element, as it was:
   the numbers are the same as in the loop that there was, whatever they are.

   First ask (unroll_and_jam_may), about everything that is wanted; then build. */
#ifndef TILE_TRANSFORMS_UNROLL_AND_JAM_H
#define TILE_TRANSFORMS_UNROLL_AND_JAM_H

#include "ir/build.h"
#include "ir/session.h"

enum { UNROLL_AND_JAM_CARRIED = 64, UNROLL_AND_JAM_QUESTIONS = 4 };

/* A loop-carried value that is wanted: a tile, whose iterations lie along `dim`, or a number. */
struct carried_value {
  bool wanted, is_tile;
  int dim;
  MlirValue before, inside; /* what the new loop starts from; its block argument */
};

struct unroll_and_jam {
  struct session *session;
  MlirOperation loop; /* scf.for of i32 or i64 with a constant step */
  int64_t size, factor;
  struct carried_value carried[UNROLL_AND_JAM_CARRIED];
  struct builder outside; /* before the loop */
  struct builder body;    /* at the end of the new one's; its block null before there is one */
  MlirValue induction;    /* of the new loop */
  struct map tiles[2], numbers; /* what has been built: MlirValue.ptr -> MlirValue.ptr; of tiles by
                                   their dimension */
  struct map differences;       /* the same of what numbers grow by */
  struct map asked[UNROLL_AND_JAM_QUESTIONS]; /* what may be built: MlirValue.ptr -> not null; by
                                                 dimension and in_load */
  int depth;                                  /* of the question */
  bool in_load;                               /* it is about a load's pointers or mask */
};

void unroll_and_jam_create(struct unroll_and_jam *s, struct session *session, MlirOperation loop,
                           int64_t size, int64_t factor);
void unroll_and_jam_destroy(struct unroll_and_jam *s);

/* Can a tile of rank 1 or 2 be built whose dimension `dim` has `size` elements? Notes the
   loop-carried values that it takes. */
bool unroll_and_jam_may(struct unroll_and_jam *s, MlirValue tile, int dim);

/* A tile, at the place of its operation: outside of the loop or in its body. */
MlirValue unroll_and_jam_build(struct unroll_and_jam *s, MlirValue tile, int dim);
/* part * `number`, which is from outside the loop, for each element of a tile of one dimension; of
   the number's type. Outside. */
MlirValue unroll_and_jam_multiples(struct unroll_and_jam *s, MlirValue number);
/* A tile of one dimension as one of `type`, along `dim`. */
MlirValue unroll_and_jam_spread(struct builder *b, MlirValue row, MlirType type, int dim);

/* The wanted loop-carried values: what they start from, built outside into `before`; and, in the
   new body, what they are next. */
void unroll_and_jam_begin_carried(struct unroll_and_jam *s);
MlirValue unroll_and_jam_next(struct unroll_and_jam *s, intptr_t index);

/* `value` times the number of iterations, in its type; outside. */
MlirValue unroll_and_jam_stride(struct unroll_and_jam *s, MlirValue value);

#endif
