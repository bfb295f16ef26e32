/* SPDX-License-Identifier: MIT */
/* The front end's messages: what is wrong where, collected, so that one run shows several errors.

   A problem has a place, a sentence (what is wrong, then what to do) and notes that speak of other
   places. Problems are kept in the order they were found. The reader of a file marks those in host
   code as deferred: they are kept, but neither counted nor shown unless something needs the code
   that they spoil (problems_promote).

       k.py:12:8: error: expected ':' after the condition
         if x > 3
                 ^
       k.py:3:1: note: ...

   Nothing here knows MLIR; ir/diagnostics.h has the sink that prints messages about IR, and
   problems_deliver is how one feeds the other. Threads: one at a time. */
#ifndef TILE_FRONTEND_DIAGNOSTICS_H
#define TILE_FRONTEND_DIAGNOSTICS_H

#include "frontend/source.h"

enum problem_severity { PROBLEM_ERROR, PROBLEM_WARNING, PROBLEM_REMARK, PROBLEM_NOTE };

/* A further place that has to do with a problem. Owned by the arena. */
struct problem_note {
  const struct source *source;
  struct span span;
  const char *message;
  struct problem_note *next;
};

struct problem {
  const struct source *source; /* borrowed; must live as long as the problems */
  enum problem_severity severity;
  bool deferred;
  struct span span;
  const char *message; /* owned by the arena */
  struct problem_note *notes, **last_note;
  struct problem *next;
};

/* Errors that are shown when nobody says otherwise. */
enum { PROBLEMS_SHOWN = 20 };

struct problems {
  struct arena *arena; /* borrowed */
  struct problem *first, **last;
  size_t errors;  /* not deferred: what decides about success */
  size_t limit;   /* errors shown; 0: PROBLEMS_SHOWN */
  bool deferring; /* new problems are born deferred */
};

void problems_create(struct problems *problems, struct arena *arena);

/* Adds a problem at a place and returns it, never NULL, for problem_note. */
struct problem *problems_add(struct problems *problems, enum problem_severity severity,
                             const struct source *source, struct span span, const char *format, ...)
    TILE_PRINTF(5, 6);
struct problem *problems_add_v(struct problems *problems, enum problem_severity severity,
                               const struct source *source, struct span span, const char *format,
                               va_list arguments);
/* Attaches "note: ..." at another place (of any source) to a problem; notes keep their order. */
void problem_note(struct problems *problems, struct problem *problem, const struct source *source,
                  struct span span, const char *format, ...) TILE_PRINTF(5, 6);

/* Marks a problem as deferred or not, and keeps the count of errors right. */
void problem_set_deferred(struct problems *problems, struct problem *problem, bool deferred);
/* Makes the deferred problems of `source` inside `span` ordinary ones; returns how many. */
size_t problems_promote(struct problems *problems, const struct source *source, struct span span);

/* One line of output: a problem, or one of its notes, which follow it. */
struct problem_line {
  enum problem_severity severity;
  const struct source *source;
  struct span span;
  struct place place;
  const char *message;
};
typedef void problem_handler(const struct problem_line *line, void *data);

/* Calls `handler` for each problem that is not deferred and each of its notes, in order, and stops
   after `limit` errors with a remark that says how many there are more. */
void problems_deliver(const struct problems *problems, problem_handler *handler, void *data);
/* The same as text: "file:line:column: error: message", the source line, the caret. Appends. */
void problems_print(const struct problems *problems, struct text *out);
/* One line of output with its quoted source, as problems_print writes it. Appends. */
void problem_line_print(const struct problem_line *line, struct text *out);

#endif
