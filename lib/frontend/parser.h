/* SPDX-License-Identifier: MIT */
/* Tokens to a syntax tree.

   A recursive-descent parser, one function per rule of Python's grammar, and precedence climbing
   for binary operators. At the first error in a statement the parser gives the statement up: it
   skips to the next line that can begin one, leaves a BROKEN node, and goes on; so each bad
   statement gives one message. Errors inside kernels count, those in host code are deferred
   (diagnostics.h).

   Depth is bounded three ways: brackets and blocks by the lexer, recursion by PARSER_DEEPEST, and
   the height of the tree (a + a + a + ... nests to the left) by
   SYNTAX_HIGHEST_EXPRESSION. */
#ifndef TILE_FRONTEND_PARSER_H
#define TILE_FRONTEND_PARSER_H

#include "frontend/diagnostics.h"
#include "frontend/syntax.h"
#include "frontend/words.h"

enum { PARSER_DEEPEST = 200 };

/* Parses a whole file: a MODULE node, never NULL. Nodes and words go to `arena`, errors to
   `problems`; `source` and `words` must outlive the tree. `*kernels` is at least the number of
   FUNCTION nodes that are kernels. Time and memory are linear in the text.
 */
struct node *parse_file(const struct source *source, struct arena *arena, struct words *words,
                        struct problems *problems, size_t *kernels);

#endif
