/* SPDX-License-Identifier: MIT */
/* Names of a kernel's source as names in C. */
#ifndef TILE_AHEAD_NAMES_H
#define TILE_AHEAD_NAMES_H

#include "base/arena.h"
#include "base/text.h"
#include "tile/status.h"

/* True for letters, digits and _, not beginning with a digit. */
bool c_is_identifier(const char *name);
/* Whether a function that other files link can have the name. The error says why not, and the way
   out. */
tile_status c_check_function_name(const char *kernel, const char *name);
/* A parameter's name: the kernel's, with what C cannot have replaced ("t.0" is t_0, "int" is int_),
   and not one of the `count` in `taken`. Owned by the arena. */
const char *c_parameter_name(struct arena *arena, const char *name, const char *const *taken,
                             size_t count);
/* The identifier that the name of a file becomes: "my-kernels" is my_kernels. Owned by the arena.
 */
const char *c_file_identifier(struct arena *arena, const char *name);

/* A string literal. Appends. */
void c_print_string(struct text *out, const char *string);
/* Text in a comment: on one line, and without an end of the comment. Appends. */
void c_print_comment(struct text *out, const char *string);

#endif
