/* SPDX-License-Identifier: MIT */
/* The buffers of a tuning: what they held when it began, and what the first candidate makes of
   them.

       results_begin(&results, tuning);
       for each candidate: results_restore, launch, results_compare
       for each run:       results_prepare, launch
       results_end(&results, false)                     puts everything back */
#ifndef TILE_TUNE_RESULTS_H
#define TILE_TUNE_RESULTS_H

#include "base/element.h"
#include "tune/tuning.h"

struct result_buffer {
  tile_buffer *buffer;     /* borrowed */
  const char *name;        /* of the argument; borrowed */
  tile_buffer *saved;      /* owned: what it held, on the device; NULL: in `host` */
  unsigned char *host;     /* owned, or NULL */
  unsigned char *expected; /* owned: what the first candidate left; NULL before it ran, and of what
                              it left as it was */
  bool reset, restore;     /* before each run */
  bool typed;              /* `type` is known: by the kernel that ran first */
  enum element_type type;
  double largest; /* magnitude in `expected`; below 0: not known yet */
};

struct results {
  tile_tuning *tuning;        /* borrowed */
  struct result_buffer *list; /* owned; each buffer once */
  size_t count;
  bool has_expected;         /* a candidate has run */
  size_t first;              /* which one */
  unsigned char *scratch[2]; /* owned, of the largest buffer: memory that is new each time costs
                                more than the copy */
};

/* Saves what the buffers hold. To be ended also after an error. Errors: TILE_INVALID_ARGUMENT for a
   pointer without a buffer, TILE_OUT_OF_MEMORY, those of the device. */
tile_status results_begin(struct results *results, tile_tuning *tuning);
/* All buffers as they were. */
tile_status results_restore(struct results *results);
/* Before a run: zeroes and puts back what the decorator names. */
tile_status results_prepare(struct results *results);
/* Whether that does anything. */
bool results_need_preparing(const struct results *results);
/* After the run of a candidate on restored buffers: the first one's results are kept, others are
   compared, and a wrong entry is out. The status is the device's. */
tile_status results_compare(struct results *results, size_t candidate);
/* Restores, unless the device is `lost`, and frees. The status is the device's. */
tile_status results_end(struct results *results, bool lost);

/* Where `count` elements differ by more than `allowed`, the first such place; else `count`. NaN is
 * equal to NaN. */
size_t results_first_difference(enum element_type type, const unsigned char *expected,
                                const unsigned char *actual, size_t count, double allowed);

#endif
