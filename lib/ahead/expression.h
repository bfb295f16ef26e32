/* SPDX-License-Identifier: MIT */
/* Expressions over a launch's arguments, as --grid gives them, and the C that computes them.

       cdiv(n, BLOCK), batch        lambda meta: (triton.cdiv(n, meta['BLOCK']),)

   They are Python's: integers, names, + - * // %, min, max, cdiv, `a if c else b`, comparisons,
   and, or, not. The C has Python's meaning too (// rounds down, % takes the divisor's sign), in 64
   bits; where that overflows or divides by zero, it sets a flag (tile/embedded.h). Everything else
   is a problem at its place in the text. */
#ifndef TILE_AHEAD_EXPRESSION_H
#define TILE_AHEAD_EXPRESSION_H

#include "frontend/diagnostics.h"
#include "frontend/syntax.h"
#include "tile/image.h"

/* What a name stands for. */
struct expression_name {
  const char *name;
  const char *c;    /* an int64_t in C; NULL: no integer */
  const char *what; /* then, what it is: "a pointer" */
  bool is_constant; /* and known: `value` */
  int64_t value;
  uint32_t argument; /* of the kernel's parameters, where it is no constant */
};

struct expression_names {
  const struct expression_name *names;
  size_t count;
};

/* Up to three integers, separated by commas: `out` gets one C expression each; `*count` how many.
   The flag of the C is called `bad`. False after problems were added, all of which count; `arena`
   owns the names in them. */
bool expression_grid(struct arena *arena, struct problems *problems, const char *text,
                     const struct expression_names *names, struct text out[3], size_t *count);

/* The same as numbers, where each name is a constant with its value: sizes that are not given are
   1. False after problems were added; sizes that no launch takes are one. */
bool expression_grid_values(struct arena *arena, struct problems *problems, const char *text,
                            const struct expression_names *names, uint32_t out[3]);

/* What --when says: comparisons of an argument with a constant, joined by `and`. The list is the
   arena's. */
bool expression_conditions(struct arena *arena, struct problems *problems, const char *text,
                           const struct expression_names *names, const tile_condition **out,
                           size_t *count);

/* --- What they share ------------------------------------------------------------------------- */

/* A text that is read. */
struct expression {
  const struct source *source; /* the arena's: problems point to it */
  struct problems *problems;
  const struct expression_names *names;
  const char *meta; /* the parameter of a lambda, whose entries are the constants; or NULL */
};

/* Adds a problem at the node; false. */
bool expression_fail(const struct expression *e, const struct node *node, const char *format, ...)
    TILE_PRINTF(3, 4);

/* A text to be parsed, called `option` in messages. */
const struct source *expression_source(struct arena *arena, const char *option, const char *text);
/* Its one expression; NULL after a problem, which says `wanted` where there is no expression. */
const struct node *expression_parse(struct arena *arena, struct problems *problems,
                                    const struct source *source, const char *wanted);
/* The sizes of a grid, one to three; sets `meta` where there is a lambda around them. NULL after a
   problem. */
const struct node_list *expression_grid_sizes(struct arena *arena, struct expression *e);
/* The row of a name, part of a tuple or descriptor (t[0], desc.shape[1]) or constant of a launch
   (meta['BLOCK']); else NULL, after a problem. */
const struct expression_name *expression_find(const struct expression *e, const struct node *node);
/* Is the number of 64 bits? Else false, after a problem. */
bool expression_is_in_range(const struct expression *e, const struct node *integer);

/* What a binary operator or a call does with two numbers: the function of tile/embedded.h, and its
   name. */
struct expression_operation {
  int64_t (*of)(bool *bad, int64_t a, int64_t b);
  const char *c;
};
/* NULL after a problem: another operator or function, or a wrong number of arguments. */
const struct expression_operation *expression_operator(const struct expression *e,
                                                       const struct node *binary);
const struct expression_operation *expression_function(const struct expression *e,
                                                       const struct node *call);

/* The number that an expression of constants has; false after a problem. */
bool expression_evaluate(const struct expression *e, const struct node *node, int64_t *out);

#endif
