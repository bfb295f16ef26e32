/* SPDX-License-Identifier: MIT */
/* What the fuzzers share: inputs run in child processes, a batch in each; a child that dies, leaks
   or hangs names the input it was at, which is written to a file together with the command that
   repeats it. Input number i of a seed is always the same, so that it can be had alone:

     fuzz_opt --count 10000 test/kernels/vector_add.mlir ...      prints "10000 inputs, 0 crashes"
     fuzz_opt --seconds 600 ...          goes on for ten minutes of processor time
     fuzz_opt --seed S --only I FILES    runs input I in this process, for a debugger
     fuzz_opt --seed S --print I FILES   the same, and prints it */
#ifndef TILE_FUZZ_FRAME_H
#define TILE_FUZZ_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_OUTCOMES = 4 };

/* Told of an input before it is run: its text and the command that does the same with it. */
typedef void fuzz_note(const char *text, size_t length, const char *what, void *data);

struct fuzz_target {
  const char *name, *ending;           /* "fuzz_opt", ".mlir" */
  const char *outcomes[FUZZ_OUTCOMES]; /* how far inputs come; ends at NULL */
  int most_cpu_seconds;                /* for one input */
  uint64_t batch;                      /* inputs of one child; 0: 50 */
  void (*add_file)(const char *text, size_t length);
  /* Draws input `index` of `seed`, notes it, runs it; returns an index of `outcomes`. */
  int (*run)(uint64_t seed, uint64_t index, fuzz_note *note, void *data);
};

int fuzz_main(int argc, char **argv, const struct fuzz_target *target);

#endif
