/* SPDX-License-Identifier: MIT */
/* How several blocks share the programs of a kernel's end (tile-gpu-split-tail): which programs,
   how they are cut along K, and whether that pays. All of it is computed by the kernel, once, from
   how many programs, blocks and iterations there are.

   The programs that are shared come last and form groups; so many ranges of equal length cut the
   iterations of a group, one program's after the other's. Range j is block j's.

     2 programs, 3 ranges             |<--- program 0 --->|<--- program 1 --->|
     of a group                       |<- block 0 ->|<- block 1 ->|<- block 2 ->|

   A block goes through the pieces of its range in such an order that no block waits for one that
   waits: pieces that do not end their program come first. They are stored for the block that has
   the program's end, which comes last, adds them and goes on. Who stores has a lower number than
   who waits for it, so that blocks need not all be there at one time, as long as they begin in the
   order of their numbers. And blocks are in step: all begin their first pieces with the first
   iteration of a program, and their last ones with what a range leaves of it, so that at one time
   they read few different parts of the operands. */
#ifndef TILE_TRANSFORMS_SPLIT_PLAN_H
#define TILE_TRANSFORMS_SPLIT_PLAN_H

#include "ir/build.h"

/* What sharing costs, in sixteenths of an iteration of the loop over K. */
struct split_costs {
  int64_t move;     /* a part to memory, or from it, where few blocks do so at a time */
  int64_t move_all; /* the same where most of them do */
  int64_t wait;     /* from the end of a part's store to the beginning of its load elsewhere */
  int64_t crowd;    /* blocks that are so many */
  int64_t resident; /* blocks of a multiprocessor */
};

/* Computed once; i32 but for the first two. */
struct split_plan {
  MlirValue memory;           /* !tile.ptr<i32> */
  MlirValue condition;        /* i1: may programs be shared at all? Null: yes */
  MlirValue blocks, trips;    /* of the launch; iterations of a program */
  MlirValue whole;            /* programs that nobody shares: they come first */
  MlirValue shared;           /* all others */
  MlirValue programs, ranges; /* of a group */
  MlirValue length;           /* of a range, in iterations */
  MlirValue turns;            /* pieces of a range at most */
  MlirValue end;              /* of the loop over programs, which counts pieces as well */
};

/* Fills in the rest of a plan that has memory, blocks and trips. */
void split_plan_build(struct builder *b, struct split_plan *plan, const struct split_costs *costs,
                      MlirValue programs);

/* Does no plan pay for so many iterations, whatever programs and blocks there are? */
bool split_plan_never_pays(const struct split_costs *costs, int64_t trips);

/* A piece of a range; i32 and i1. One without iterations is a piece of nothing. */
struct split_piece {
  MlirValue program;
  MlirValue from, to;         /* iterations */
  MlirValue first, own;       /* ranges that have parts of the program before this one; its own */
  MlirValue is_part, is_last; /* does it end before the program does; is it the program's end? */
};

/* The piece that the loop over programs has come to, with its counter from plan->whole on. */
struct split_piece split_piece_build(struct builder *b, const struct split_plan *plan,
                                     MlirValue counter);

#endif
