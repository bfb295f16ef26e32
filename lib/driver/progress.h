/* SPDX-License-Identifier: MIT */
/* How far long work is: one line on standard error that is written over, on terminals alone, from
   the first second on:

     [=========               ]  37%  timing: 3 left, best 0.2103 ms: BLOCK=128 num_warps=4

   It ends where the terminal does. Of one thread. */
#ifndef TILE_DRIVER_PROGRESS_H
#define TILE_DRIVER_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

struct progress {
  bool on, shown;
  uint64_t begun, due; /* milliseconds */
};

void progress_begin(struct progress *progress, bool quiet);
/* Other work begins, whose first second passes without a line. */
void progress_restart(struct progress *progress);
/* Draws the line, when it is time for it. */
void progress_show(struct progress *progress, uint64_t done, uint64_t total, const char *what);
/* Takes the line away, as before messages and at the end. */
void progress_clear(struct progress *progress);
/* Whole seconds since the beginning. */
unsigned progress_seconds(const struct progress *progress);

/* The line, at most so many columns. */
void progress_print(uint64_t done, uint64_t total, const char *what, size_t columns,
                    struct text *out);

#endif
