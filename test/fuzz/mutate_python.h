/* SPDX-License-Identifier: MIT */
/* Mutation of kernel files: edits of tokens, expressions, lines, indentation and bytes, from a slip
   of the pen to nesting a thousand deep. The corpus is every piece (`# -----`) of the given files.
   */
#ifndef TILE_FUZZ_MUTATE_PYTHON_H
#define TILE_FUZZ_MUTATE_PYTHON_H

#include "mutate.h"

/* Appends a mutant of `piece` to `out`; others of the corpus lend it parts. */
void mutate_kernels(const struct corpus *corpus, struct slice piece, struct random *random,
                    struct text *out);

#endif
