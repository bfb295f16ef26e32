/* SPDX-License-Identifier: MIT */
/* What one input is put through: parse, tile-verify, and then a pipeline, a pass or two, or the
   whole way to PTX or to a program of the emulator. Diagnostics are swallowed; only dying counts.
 */
#ifndef TILE_FUZZ_EXERCISE_H
#define TILE_FUZZ_EXERCISE_H

#include "mutate.h"

/* One input: a module (text or bytecode) and what to do with it. */
struct exercise {
  struct text module;
  struct text pipeline; /* passes to run after tile-verify */
  enum exercise_end { END_NOTHING, END_PTX, END_EMULATOR } end;
  const char *target;
  int optimization_level, num_warps;
  bool as_bytecode;     /* exercise_to_bytecode is to be called */
  struct random random; /* where that goes on drawing */
};

/* Draws input number `index` of `seed`; a function of the corpus and these alone. */
void exercise_draw(const struct corpus *corpus, uint64_t seed, uint64_t index,
                   struct exercise *out);
/* Turns the module into damaged bytecode; one that is not valid stays text. */
void exercise_to_bytecode(struct exercise *exercise);
/* How far an input came. */
enum exercise_outcome { OUTCOME_NO_MODULE, OUTCOME_REFUSED, OUTCOME_DONE, OUTCOME_COUNT };
/* Runs it in a session of its own. */
enum exercise_outcome exercise_run(const struct exercise *exercise);
/* The command line that does the same with a file of the module. */
void exercise_describe(const struct exercise *exercise, struct text *out);
void exercise_destroy(struct exercise *exercise);

#endif
