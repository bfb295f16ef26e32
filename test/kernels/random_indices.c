/* SPDX-License-Identifier: MIT */
/* Random arithmetic on integers of all widths, as kernels compute indices with it: ranges, shapes,
   divisions, shifts, masks, offsets of loads and stores, loops: random_run.h. */
#include "random_run.h"

int main(int argc, char **argv) {
  static const struct profile indices = {.statements = 4,
                                         .depth = 5,
                                         .kinds = KE4,
                                         .control = 15,
                                         .arithmetic = 50,
                                         .casts = 8,
                                         .shapes = 25,
                                         .loads = 15,
                                         .reductions = 2,
                                         .functions = 10};
  enum { FIXED_SET = 40 };
  return random_main(argc, argv, &indices, FIXED_SET);
}
