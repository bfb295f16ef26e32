/* SPDX-License-Identifier: MIT */
/* Which of several candidates is fastest: successive halving over interleaved rounds.

   In a round each candidate that is left runs once. A device's clock
   changes while one tunes, so times of different rounds are not compared: what counts of a run is
   its ratio to the run of the reference candidate (the first that is left) in the same round. A
   candidate's score is the median of its ratios, which a run that something else disturbed does not
   move.

     3 rounds     candidates go whose best run is more than twice as slow as the best one's
     16 rounds    the better half stays, and whatever is within 8% of the best
     32, 64, ...  the same, over all rounds so far, until one is left or there are enough: 64, and
                  more where a run is brief, until a candidate has run for 5 ms; at most 512

   The winner is the first one, in the candidates' order, that is at most `tie` slower than the
   best: two runs of a search choose alike although clocks do not repeat. This is Jamieson and
   Talwalkar's successive halving (2016), with ratios.

   Times that are exact (the emulator's) take one round, and no candidate is dropped. */
#ifndef TILE_TUNE_SEARCH_H
#define TILE_TUNE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include "tile/status.h"

/* What is searched. */
struct tune_field {
  size_t count;
  /* Runs the candidates of `list` once each, in any order; out[i] becomes the milliseconds of
     list[i], or -1 where it failed: it takes part no longer, and the callee knows why. An error
     ends the search. */
  tile_status (*round)(void *context, const size_t *list, size_t count, double *out);
  /* Called after each round with the best candidate so far; or NULL. False ends the search: the
   * best so far wins. */
  bool (*progress)(void *context, int round, int rounds, size_t left, size_t best,
                   double milliseconds);
  void *context;
};

/* Zero is the default of each. */
struct tune_rules {
  double tie;       /* 0.01: a candidate that is so much slower is as good */
  double keep;      /* 0.08: what is so near to the best is never dropped */
  double far;       /* 2: beyond that it goes after the first three rounds */
  int first_rounds; /* 16: of the first halving */
  int enough_rounds;
  double enough_ms; /* 64 and 5: a candidate that ran so often and so long is known well enough */
  int most_rounds;  /* 512 */
  double budget;    /* milliseconds of runs after which no new halving begins; 0: none */
  bool exact;       /* times do not vary */
};

struct tune_score {
  bool takes_part; /* set by the caller; false from the start or since a run failed */
  bool dropped;    /* too slow */
  int rounds;
  double ratio;        /* to the reference of the last rounds that it took part in; 0: none */
  double milliseconds; /* that ratio times the median of the reference's runs: what its own median
                          would be had the clock not changed */
  double low, high;    /* quantiles 0.2 and 0.8 of its runs; 0 without runs */
};

#define TUNE_NOBODY ((size_t)-1)

/* `scores` has field->count elements. *out_winner is TUNE_NOBODY when no candidate is left. */
tile_status tune_search(const struct tune_field *field, const struct tune_rules *rules,
                        struct tune_score *scores, size_t *out_winner);

/* The quantile q of `count` > 0 numbers, interpolated linearly; sorts them. */
double tune_quantile(double *numbers, size_t count, double q);

#endif
