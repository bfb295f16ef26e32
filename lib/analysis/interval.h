/* SPDX-License-Identifier: MIT */
/* The least and the largest number that an integer can be, as far as the arithmetic that makes it
   and tile.assume say.

     %n = arith.minsi %x, %c64        up to 64
     %m = arith.addi %n, %c63         up to 127
     %t = arith.divsi %m, %c64        up to 1

   Numbers are signed, of the value's type. Arithmetic that may leave the type wraps, and then
   nothing is known: %n + 2^31 - 1 of i32 can be any number, though %n is at most 64. */
#ifndef TILE_ANALYSIS_INTERVAL_H
#define TILE_ANALYSIS_INTERVAL_H

#include "ir/session.h"

struct interval {
  int64_t low, high; /* low <= high */
};

/* Of a scalar integer or index, where `at` stands; all numbers of 64 bits for other values. */
struct interval interval_of(struct session *session, MlirValue value, MlirOperation at);

/* How many iterations an scf.for makes, as far as is known. */
enum loop_runs { LOOP_RUNS_ANY, LOOP_RUNS_ONCE_AT_MOST, LOOP_RUNS_ONCE };
enum loop_runs loop_runs_of(struct session *session, MlirOperation loop);

#endif
