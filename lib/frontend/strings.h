/* SPDX-License-Identifier: MIT */
/* String literals taken apart: prefix, quotes, and the text between with its escapes replaced. */
#ifndef TILE_FRONTEND_STRINGS_H
#define TILE_FRONTEND_STRINGS_H

#include "frontend/source.h"

/* What the prefix and the quotes of a STRING token say. */
struct string_form {
  bool is_raw, is_bytes, is_formatted;
  struct span body; /* between the quotes */
};

struct string_form string_form_of(const struct source *source, struct span token);

/* Appends the character or characters that `*position` (an offset in the body, below `end`) begins
   with, and advances after them: an escape, a line end as "\n", or one byte as it is. An unknown
   escape keeps its backslash, as in Python; \N{name} keeps its spelling, as no table of names is at
   hand. Returns NULL, or what is wrong with an escape (static), with `*position` after it. */
const char *string_decode_next(const struct source *source, const struct string_form *form,
                               uint32_t end, uint32_t *position, struct text *out);

#endif
