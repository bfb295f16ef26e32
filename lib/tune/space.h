/* SPDX-License-Identifier: MIT */
/* Where candidates come from besides @triton.autotune: a space with ranges, and files.

       BLOCK_M=32:256:*2, BLOCK_N=64|128, MODE='a'|'b', num_warps=4|8, num_stages=2:5

   A name stands for each of its values: single ones, as Python writes them, and ranges FROM:TO,
   FROM:TO:STEP and FROM:TO:*FACTOR of whole numbers, with TO where it is met; `|` is between them.
   Entries are divided by commas or line ends; `#` begins a comment. num_warps, num_stages, num_ctas
   and maxnreg are launch options, all others are compile-time parameters. The candidates are all
   combinations; the first entry's value changes last, as in nested loops in the order of the text.

   A file may hold such a text, or JSON: a list of candidates, what `tile-translate --list-configs
   --json` prints, or what `tile-tune export` writes. Its order is kept, and a candidate that comes
   again is left out. */
#ifndef TILE_TUNE_SPACE_H
#define TILE_TUNE_SPACE_H

#include "tune/candidate.h"

/* Zero is empty. Ended with tune_space_free. One thread at a time. */
struct tune_space {
  struct tune_candidate *list; /* owned */
  size_t count, capacity;
};

enum { TUNE_SPACE_MAX = 4096 }; /* candidates */

/* Reads the text of a space, called `name` in messages. `out` is filled on success only. Errors:
   TILE_INVALID_ARGUMENT, with name, line and column: what is no entry, a name or value given twice,
   a launch option out of range, no value, more than TUNE_SPACE_MAX candidates. */
tile_status tune_space_parse(const char *name, const char *text, size_t length,
                             struct tune_space *out);
/* Reads the content of a file of any of these forms. Of lists and tables of several kernels those
   of `kernel` are taken; with NULL, all. Errors: as above; for JSON with the number of the
   candidate, from 0; TILE_NOT_FOUND when there is none for the kernel. */
tile_status tune_space_read(const char *name, const char *text, size_t length, const char *kernel,
                            struct tune_space *out);
/* The same of the file at `path`; "-" is standard input. Errors: also those of reading. */
tile_status tune_space_read_file(const char *path, const char *kernel, struct tune_space *out);

/* Adds a candidate, which the space then owns, unless it has it. Errors: TILE_INVALID_ARGUMENT when
 * it is full. */
tile_status tune_space_add(struct tune_space *space, struct tune_candidate *candidate);
/* Leaves an empty space. */
void tune_space_free(struct tune_space *space);

#endif
