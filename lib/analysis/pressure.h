/* SPDX-License-Identifier: MIT */
/* How many registers a thread needs: the one estimate that passes and the drivers ask.

   The unit is the 32-bit register of one thread, as in `ptxas -v`. Counted is what is live
   (analysis/liveness.h) after the operations that work on tiles as a whole: loads, reductions,
   conversions, dots, and where a loop begins anew. Elementwise operations between them are
   computed piece by piece, so what only passes from one to the next takes nothing.

     a tile of numbers     its elements in a thread, in words; copies in one thread count once
     addresses, indices    a register (of an address two) for each that no constant distance makes
                           of another: a range one, rows of an unknown stride one for each row
     masks, constants,     nothing: predicates, immediate operands, and one register for a whole
     tiles of one scalar   tile that PRESSURE_ALLOWANCE has
     operands of dots      of those read from shared memory what the next instructions take
     scalars               one or two; kernel arguments nothing, instructions read them in place

   Beside that a thread needs PRESSURE_ALLOWANCE registers: for the addresses of shared memory, for
   what is being computed, for what ptxas starts early. docs/performance.md says how far the
   estimate is from ptxas. */
#ifndef TILE_ANALYSIS_PRESSURE_H
#define TILE_ANALYSIS_PRESSURE_H

#include "ir/session.h"

/* PRESSURE_OF_ADDRESSES: what passes add that weigh tiles of floats alone, before addresses have
   their form: for a kernel's or a loop's, or for those of each operand that a loop copies.
   PRESSURE_BESIDE_DOT: beside accumulators and fragments of a dot whose two operands are copied. */
enum {
  PRESSURE_ALLOWANCE = 16,
  PRESSURE_OF_ADDRESSES = 8,
  PRESSURE_BESIDE_DOT = PRESSURE_ALLOWANCE + 2 * PRESSURE_OF_ADDRESSES
};

/* The most at one place. */
struct pressure_peak {
  int64_t registers; /* without the allowance */
  MlirOperation at;  /* null where nothing is live anywhere */
};

/* Registers of a tile: its elements in a thread, in words; the same element twice counts once. */
int64_t held_words(struct session *session, MlirType type);

/* The peak of a function, or, with `loop`, of what is inside that loop of it. */
struct pressure_peak pressure_of_function(struct session *session, MlirOperation function);
struct pressure_peak pressure_of_loop(struct session *session, MlirOperation loop);
/* The same of operations in which all threads of the block wait for one another. */
struct pressure_peak pressure_of_loop_waiting(struct session *session, MlirOperation loop);

/* The peak of a function, and in `out` the registers after each of its operations that work on a
   tile as a whole, by MlirOperation.ptr, as integers; of others nothing. */
struct pressure_peak pressure_of_each(struct session *session, MlirOperation function,
                                      struct map *out);

/* The same of what is inside of a loop, without values that are there before it and behind it, and
   that it does not use: ptxas moves those to memory before the loop, and back behind it, where they
   are too many. */
struct pressure_peak pressure_of_used(struct session *session, MlirOperation loop, struct map *out);

/* The least bound on registers under which nothing is expected to spill where so many are live.
   ptxas then computes with fewer at a time than PRESSURE_ALLOWANCE; a sixth more than what is live
   has sufficed. The same of a function. */
static inline int64_t pressure_least(int64_t live) {
  return live + live / 6;
}
int64_t pressure_least_bound(struct session *session, MlirOperation function);

#endif
