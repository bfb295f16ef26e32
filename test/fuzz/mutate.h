/* SPDX-License-Identifier: MIT */
/* Mutation of MLIR text: what a hurried author, a broken generator or a bad disk would make of it.

   The corpus is every module of the given files (cut at `// -----`). A mutant is one module after a
   few edits of tokens, lines or bytes; edits that change every occurrence of a token at once keep
   most modules valid, so that passes after the verifier see them too. */
#ifndef TILE_FUZZ_MUTATE_H
#define TILE_FUZZ_MUTATE_H

#include "base/arena.h"
#include "base/text.h"
#include "random.h"

struct corpus {
  struct arena arena; /* owns the texts */
  struct slice *modules;
  size_t count, capacity;
};

/* Adds the modules of a file's text, which is copied. */
void corpus_add(struct corpus *corpus, const char *text, size_t length);
void corpus_destroy(struct corpus *corpus);

/* Appends a mutant to `out`. The same corpus and random state give the same mutant. */
void mutate_module(const struct corpus *corpus, struct random *random, struct text *out);
/* Flips, inserts, removes and repeats bytes of `text` in place. */
void mutate_bytes(struct random *random, struct text *text);
/* Drops, doubles and swaps tokens of a pass pipeline, appending the result to `out`. */
void mutate_pipeline(const char *pipeline, struct random *random, struct text *out);

#endif
