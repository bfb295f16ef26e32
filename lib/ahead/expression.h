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

/* --- What the two share ----------------------------------------------------------------------- */

/* A text to be parsed, called `option` in messages. */
const struct source *expression_source(struct arena *arena, const char *option, const char *text);
/* Its one expression; NULL after a problem, which says `wanted` where there is no expression. */
const struct node *expression_parse(struct arena *arena, struct problems *problems,
                                    const struct source *source, const char *wanted);
/* The sizes of a grid, one to three; *out_meta is the parameter of the lambda around them, if there
   is one. NULL after a problem. */
const struct node_list *expression_grid_sizes(struct arena *arena, struct problems *problems,
                                              const struct source *source, const char **out_meta);
/* The row of a name, part of a tuple or descriptor (t[0], desc.shape[1]) or constant of a launch
   (meta['BLOCK'], where the lambda's parameter is called `meta`, or NULL); else NULL, after a
   problem. */
const struct expression_name *expression_find(struct problems *problems,
                                              const struct source *source,
                                              const struct expression_names *names,
                                              const char *meta, const struct node *node);

#endif
