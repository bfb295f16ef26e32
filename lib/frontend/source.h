/* SPDX-License-Identifier: MIT */
/* The text of one kernel file, and places in it.

   A place is a span: a run of bytes of the text, counted from the base of its file. Tokens, nodes
   of the syntax tree and messages carry spans; lines and columns are worked out only when someone
   is to read them. Lines end in "\n", "\r\n" or "\r", as in Python; a UTF-8 byte-order mark is no
   part of the first line. Lines and columns count from 1, columns in bytes (as clang and MLIR
   locations do); carets are placed by what a terminal shows: tabs as tabs, a wide character over
   two cells.

   Threads: a source does not change once made; any number of threads may read it. */
#ifndef TILE_FRONTEND_SOURCE_H
#define TILE_FRONTEND_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/text.h"

/* `length` bytes from `offset` on. Length 0 is a point, such as the end of a line. */
struct span {
  uint32_t offset, length;
};

static inline uint32_t span_end(struct span span) {
  return span.offset + span.length;
}
/* From the start of `first` to the end of `last`. */
static inline struct span span_join(struct span first, struct span last) {
  return (struct span){first.offset, span_end(last) - first.offset};
}
/* True when `inner` lies inside `outer`. */
static inline bool span_contains(struct span outer, struct span inner) {
  return outer.offset <= inner.offset && span_end(inner) <= span_end(outer);
}

/* The largest text that is read: spans are 32 bits wide, and no kernel file comes near. */
#define SOURCE_LARGEST ((size_t)64 << 20)

struct source {
  const char *name;      /* as messages show it; owned by the arena */
  const char *text;      /* its bytes and a zero; owned by the arena; may contain zeros */
  uint32_t base, end;    /* the offsets of the first byte and after the last one */
  uint32_t start;        /* the base, or 3 after it where there is a byte-order mark */
  const uint32_t *lines; /* where each line begins; owned by the arena */
  uint32_t line_count;   /* at least 1 */
};

/* A line and a column, both from 1. */
struct place {
  uint32_t line, column;
};

/* Copies name and text into `arena`. `length` is at most SOURCE_LARGEST. The offsets begin with
   `base`: files that are read together have ranges of their own, so that a span says its file. */
struct source source_create(struct arena *arena, const char *name, const char *text, size_t length,
                            uint32_t base);

/* The byte at an offset; at the end, the zero after the text. */
static inline const char *source_at(const struct source *source, uint32_t offset) {
  return source->text + (offset - source->base);
}
/* True for an offset of the file, its end included. */
static inline bool source_has(const struct source *source, uint32_t offset) {
  return source->base <= offset && offset <= source->end;
}

/* The place of an offset; offsets after the text count as its end. Logarithmic in the lines. */
struct place source_place(const struct source *source, uint32_t offset);
/* Line `line` (from 1) without its end; empty when there is none. Borrowed. */
struct slice source_line(const struct source *source, uint32_t line);
/* The bytes of a span, cut at the text's end. Borrowed. */
struct slice source_slice(const struct source *source, struct span span);

/* The UTF-8 character at `text` and how many bytes it has (at least 1); 0xFFFD where the bytes are
   none. `length` is at least 1. */
uint32_t utf8_decode(const char *text, size_t length, size_t *bytes);

/* Appends the first line of the span and a second one that marks it, both indented by two:

         x = tl.load(ptr, maks=m)
                          ^~~~~~
   A span over several lines is marked to the end of its first. Of a very long line only the
   surroundings are shown. Control characters and broken UTF-8 are shown as '?'. */
void source_quote(const struct source *source, struct span span, struct text *out);

#endif
