/* SPDX-License-Identifier: MIT */
/* One way to compile a kernel that is tuned: values of compile-time parameters, and launch options.

       {"constants":{"BLOCK_M":"128","GROUP":"'rows'"},"num_warps":8,"num_stages":3,"num_ctas":1,
        "maxnreg":0}

   That is its canonical text, without blanks: what the database of winners keeps and what people
   see with --json. A constant's value is written as Python writes it ("64", "True", "'ieee'",
   "tl.float16", "None"), so that it goes into
   --constexpr as it stands. The order of the constants is the decorator's and is kept. Two
   candidates are equal when their texts are. */
#ifndef TILE_TUNE_CANDIDATE_H
#define TILE_TUNE_CANDIDATE_H

#include "base/text.h"
#include "base/toml.h"
#include "tile/compiler.h"

struct tune_constant {
  char *name, *value; /* owned by the candidate */
};

/* Zero is a candidate that says nothing. Ended with tune_candidate_free. One thread at a time. */
struct tune_candidate {
  struct tune_constant *constants; /* owned */
  size_t count;
  int num_warps, num_stages, num_ctas; /* 0: not given, the compiler's default */
  int maxnreg;                         /* registers per thread at most; 0: not limited */
};

/* Adds a constant; both strings are copied. The caller sees to it that the name is new. */
void tune_candidate_add(struct tune_candidate *candidate, const char *name, const char *value);
/* The value of the constant called `name`, borrowed, or NULL. */
const char *tune_candidate_get(const struct tune_candidate *candidate, const char *name);
/* A copy for the caller to free. */
struct tune_candidate tune_candidate_copy(const struct tune_candidate *candidate);
/* What a triton.Config says, for the caller to free. */
struct tune_candidate tune_candidate_of(const tile_configuration *configuration);
/* Leaves a zero candidate. */
void tune_candidate_free(struct tune_candidate *candidate);

/* Appends the canonical text. */
void tune_candidate_print(const struct tune_candidate *candidate, struct text *out);
/* Appends a line for people: "BLOCK_M=128 GROUP='rows' num_warps=8 num_stages=3". What is not given
   is left out, and so is num_ctas=1. */
void tune_candidate_describe(const struct tune_candidate *candidate, struct text *out);
/* Reads a candidate, canonical or with blanks and its members in another order; members may be
   missing, or null. A constant may also be a JSON number, true, false or null. `out` is filled on
   success only, and freed by the caller. Errors: TILE_INVALID_ARGUMENT, which says where the text
   goes wrong: no JSON, a member of another name or given twice, a number out of range (num_warps: a
   power of two up to 32, num_stages up to 16, num_ctas: a power of two up to 16, maxnreg up to 255;
   0 everywhere). */
tile_status tune_candidate_parse(const char *text, size_t length, struct tune_candidate *out);
/* The same of a value of the JSON text `text`; of NULL, what is none. False after an error. */
bool tune_candidate_read(const char *text, const struct toml_value *value,
                         struct tune_candidate *out, struct toml_error *error);

/* Less than, equal to or greater than 0: a total order, by the number of constants, then by their
   names and values in order (whole numbers as numbers), then by the launch options. 0 for equal
   candidates only. */
int tune_candidate_compare(const struct tune_candidate *a, const struct tune_candidate *b);

#endif
