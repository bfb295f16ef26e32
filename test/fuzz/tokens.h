/* SPDX-License-Identifier: MIT */
/* MLIR or Python text as a list of tokens, each with the spaces before it: what edits work on.

   The texts of tokens are borrowed: from the text that was cut up, from string literals, or from
   the list's arena. Printing the list of an unedited text gives that text. */
#ifndef TILE_FUZZ_TOKENS_H
#define TILE_FUZZ_TOKENS_H

#include "base/arena.h"
#include "base/text.h"

enum token_kind { TOKEN_NUMBER, TOKEN_WORD, TOKEN_VALUE, TOKEN_STRING, TOKEN_TYPE, TOKEN_MARK };

struct token {
  enum token_kind kind;
  struct slice space, text; /* `space`: blanks, line ends and comments before the token */
};

struct tokens {
  struct arena arena; /* owns new texts */
  struct token *list;
  size_t count, capacity;
};

/* Appends the tokens of `text`. */
void tokenize(struct slice text, struct tokens *out);
void tokenize_python(struct slice text, struct tokens *out);
void print_tokens(const struct tokens *tokens, struct text *out);
void insert_token(struct tokens *tokens, size_t at, struct token token);
/* Removes up to `count` tokens from `at` on. */
void remove_tokens(struct tokens *tokens, size_t at, size_t count);
void tokens_free(struct tokens *tokens);

bool same_text(struct slice a, struct slice b);

#endif
