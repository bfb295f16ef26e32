/* SPDX-License-Identifier: MIT */
/* Operands of inline assembly that are numbers in its text. */
#ifndef TILE_FRONTEND_ASM_IMMEDIATES_H
#define TILE_FRONTEND_ASM_IMMEDIATES_H

#include "frontend/check/checker.h"

struct asm_parts {
  struct slice text, constraints; /* the latter without spaces */
  int64_t pack;
  struct span span; /* of the operands, for messages */
};

/* Writes the operands with the constraint "n" (or "i") into the text; takes them out of the list of
   constraints and of `operands`. They must be integers that are known at compile time. */
bool asm_fold_immediates(struct checker *c, struct asm_parts *parts, struct value *operands,
                         size_t *count);

#endif
