/* SPDX-License-Identifier: MIT */
/* Random chains of conversions between all types, with all roundings and bit casts, on numbers of
   all kinds, against exact ones: random_run.h. */
#include "random_run.h"

int main(int argc, char **argv) {
  static const struct profile casts = {.statements = 4,
                                       .depth = 5,
                                       .kinds = KINDS,
                                       .arithmetic = 8,
                                       .casts = 80,
                                       .shapes = 4,
                                       .loads = 20};
  enum { FIXED_SET = 50 };
  return random_main(argc, argv, &casts, FIXED_SET);
}
