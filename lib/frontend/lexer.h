/* SPDX-License-Identifier: MIT */
/* Source text to tokens, one at a time, by Python's rules.

   Indentation becomes INDENT and DEDENT, a logical line ends with NEWLINE, brackets and `\` join
   lines, comments and empty lines vanish. Every line's tokens end with NEWLINE, also the last
   one's. A string literal is one token whatever its prefix; frontend/strings.h decodes it. Names
   are interned, numbers carry their value.

   Errors are reported where they are found; then the lexer goes on in the state that spoils least.
   An error after which the statement cannot be understood gives a STOP token. A bracket that is
   never closed does not swallow the file: a line inside brackets that begins with a word such as
   `def` or `return`, or with a decorator in column 1, ends them.

   A lexer is a plain value: a copy is a look ahead, with `problems` NULL if it is to be silent.
   Time is linear in the text. Threads: one at a time. */
#ifndef TILE_FRONTEND_LEXER_H
#define TILE_FRONTEND_LEXER_H

#include "frontend/diagnostics.h"
#include "frontend/words.h"

enum token_kind {
#define TOKEN(identifier, phrase) TOKEN_##identifier,
#define KEYWORD(identifier, spelling, place) TOKEN_##identifier,
#define SYMBOL(identifier, spelling) TOKEN_##identifier,
#include "frontend/tokens.def"
#undef TOKEN
#undef KEYWORD
#undef SYMBOL
  TOKEN_KIND_COUNT
};

struct token {
  enum token_kind kind;
  bool begins_line; /* the first token of its line of text, also inside brackets */
  struct span span;
  union {
    const char *word; /* NAME and keywords: interned */
    uint64_t integer; /* INTEGER: UINT64_MAX when too large */
    double real;      /* FLOAT, IMAGINARY */
  };
  bool too_large; /* INTEGER */
};

/* Brackets nest as deep as in CPython's tokenizer, blocks likewise. */
enum { LEXER_DEEPEST_BRACKETS = 200, LEXER_DEEPEST_BLOCKS = 100 };

/* A column with tabs to multiples of 8, and with tabs as one: both must agree on what is deeper. */
struct indentation {
  uint32_t column, other_column;
};

struct lexer {
  const struct source *source;
  struct words *words;
  struct problems *problems; /* NULL: silent */
  uint32_t position, end;    /* the next byte, and where to stop */
  bool at_line_start;        /* the next token begins a logical line */
  bool line_has_tokens;      /* NEWLINE is due at the end of this line */
  bool fresh_line;           /* no token yet on this line of text */
  bool closing;              /* brackets were given up: NEWLINE is due here */
  bool in_field;             /* an expression in an f-string: no lines, no indentation */
  bool recovering;           /* see lexer_recover */
  uint32_t recover_column;
  int pending; /* INDENTs (positive) or DEDENTs (negative) due */
  uint32_t depth, blocks;
  uint32_t no_end[2];      /* after this, no ''' or """ ends a string: the memory of a search */
  uint32_t bad_fields_end; /* up to here f-strings are known to have unclosed fields */
  uint32_t brackets[LEXER_DEEPEST_BRACKETS]; /* offsets of the open ones */
  struct indentation stack[LEXER_DEEPEST_BLOCKS + 1];
};

/* Begins at the start of the source. `words` must come from words_create and gets the keywords.
   All borrowed. */
void lexer_create(struct lexer *lexer, const struct source *source, struct words *words,
                  struct problems *problems);
/* A lexer for the expression in `span` of an f-string: one line without end, then END. */
void lexer_create_field(struct lexer *lexer, const struct source *source, struct words *words,
                        struct problems *problems, struct span span);

/* The next token. After END, END again. */
struct token lexer_next(struct lexer *lexer);

/* Recovery: while it is on, a line inside brackets that begins at or left of column `column` (from
   0) with anything but a closing bracket ends the brackets silently. */
void lexer_recover(struct lexer *lexer, bool on, uint32_t column);
/* Gives up all open brackets and goes back to the start of the line of text of `token`, which
   begins it: what follows is NEWLINE, then that line as the start of a statement. */
void lexer_restart_line(struct lexer *lexer, const struct token *token);
/* The innermost of the open brackets before `offset`; false when there is none. */
bool lexer_open_bracket(const struct lexer *lexer, uint32_t offset, struct span *out);
/* The column (from 0, tabs to 8) of a token that begins its line of text. */
uint32_t lexer_column(const struct lexer *lexer, const struct token *token);

/* As a message calls it: "a name", "'def'", "'('". Static. */
const char *token_kind_phrase(enum token_kind kind);
/* The spelling of keywords and symbols, the identifier of others. Static. */
const char *token_kind_name(enum token_kind kind);

#endif
