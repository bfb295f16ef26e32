/* SPDX-License-Identifier: MIT */
/* The syntax tree as text, for tests and for people.

   A node is "(kind field field ...)" with the fields of its row in syntax.def: children in order,
   lists in brackets, "-" for what is not written, flags by name where they are set. Names, numbers,
   strings and constants stand for themselves. Each statement has a line of its own:

       x = tl.load(p + i, mask=m)
       (assign [x] (call (attribute tl load) [(binary + p i) (keyword mask m)]))  */
#ifndef TILE_FRONTEND_DUMP_H
#define TILE_FRONTEND_DUMP_H

#include "frontend/syntax.h"

/* Appends `node`, indented by `indent` columns where it goes over several lines. With a source,
   each node that has parentheses is followed by "@line:column-line:column". */
void node_dump(const struct node *node, const struct source *source, int indent, struct text *out);

#endif
