/* SPDX-License-Identifier: MIT */
/* Random whole kernels in the Triton language: arithmetic on all types, shapes, reductions, scans,
   sorting, products; loads and stores with masks, block pointers and descriptors; atomic
   operations; loops and branches with carried variables; functions with several returns:
   random_run.h. */
#include "random_run.h"

int main(int argc, char **argv) {
  static const struct profile kernels = {.statements = 6,
                                         .depth = 4,
                                         .kinds = KINDS,
                                         .control = 40,
                                         .arithmetic = 45,
                                         .casts = 12,
                                         .shapes = 15,
                                         .loads = 15,
                                         .reductions = 13,
                                         .products = 20,
                                         .functions = 35};
  enum { FIXED_SET = 28 };
  return random_main(argc, argv, &kernels, FIXED_SET);
}
