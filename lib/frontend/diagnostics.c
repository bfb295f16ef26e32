/* SPDX-License-Identifier: MIT */
/* The front end's messages: a list in the arena, and its printed form. */
#include "frontend/diagnostics.h"

#include <string.h>

void problems_create(struct problems *problems, struct arena *arena) {
  *problems = (struct problems){.arena = arena, .last = &problems->first};
}

struct problem *problems_add_v(struct problems *problems, enum problem_severity severity,
                               const struct source *source, struct span span, const char *format,
                               va_list arguments) {
  struct problem *problem = ARENA_NEW(problems->arena, struct problem);
  *problem = (struct problem){.source = source,
                              .severity = severity,
                              .deferred = problems->deferring,
                              .span = span,
                              .message = text_vformat(problems->arena, format, arguments),
                              .last_note = &problem->notes};
  problems->errors += severity == PROBLEM_ERROR && !problem->deferred;
  *problems->last = problem;
  problems->last = &problem->next;
  return problem;
}

struct problem *problems_add(struct problems *problems, enum problem_severity severity,
                             const struct source *source, struct span span, const char *format,
                             ...) {
  va_list arguments;
  va_start(arguments, format);
  struct problem *problem = problems_add_v(problems, severity, source, span, format, arguments);
  va_end(arguments);
  return problem;
}

void problem_note(struct problems *problems, struct problem *problem, const struct source *source,
                  struct span span, const char *format, ...) {
  struct problem_note *note = ARENA_NEW(problems->arena, struct problem_note);
  va_list arguments;
  va_start(arguments, format);
  *note = (struct problem_note){
      .source = source, .span = span, .message = text_vformat(problems->arena, format, arguments)};
  va_end(arguments);
  *problem->last_note = note;
  problem->last_note = &note->next;
}

void problem_set_deferred(struct problems *problems, struct problem *problem, bool deferred) {
  if (problem->severity == PROBLEM_ERROR && problem->deferred != deferred)
    problems->errors += deferred ? (size_t)-1 : 1;
  problem->deferred = deferred;
}

size_t problems_promote(struct problems *problems, const struct source *source, struct span span) {
  size_t promoted = 0;
  for (struct problem *problem = problems->first; problem; problem = problem->next)
    if (problem->deferred && problem->source == source && span_contains(span, problem->span)) {
      problem_set_deferred(problems, problem, false);
      promoted++;
    }
  return promoted;
}

static void deliver(enum problem_severity severity, const struct source *source, struct span span,
                    const char *message, problem_handler *handler, void *data) {
  struct problem_line line = {.severity = severity,
                              .source = source,
                              .span = span,
                              .place = source_place(source, span.offset),
                              .message = message};
  handler(&line, data);
}

void problems_deliver(const struct problems *problems, problem_handler *handler, void *data) {
  size_t limit = problems->limit ? problems->limit : PROBLEMS_SHOWN, errors = 0;
  for (const struct problem *problem = problems->first; problem; problem = problem->next) {
    if (problem->deferred)
      continue;
    if (problem->severity == PROBLEM_ERROR && errors++ == limit) {
      struct text rest = {0};
      text_printf(&rest, "%zu more errors are not shown; correct the first ones and try again",
                  problems->errors - limit);
      deliver(PROBLEM_REMARK, problem->source, problem->span, text_string(&rest), handler, data);
      text_free(&rest);
      return;
    }
    deliver(problem->severity, problem->source, problem->span, problem->message, handler, data);
    for (const struct problem_note *note = problem->notes; note; note = note->next)
      deliver(PROBLEM_NOTE, note->source, note->span, note->message, handler, data);
  }
}

static const char *const severities[] = {
    [PROBLEM_ERROR] = "error",
    [PROBLEM_WARNING] = "warning",
    [PROBLEM_REMARK] = "remark",
    [PROBLEM_NOTE] = "note",
};

void problem_line_print(const struct problem_line *line, struct text *out) {
  text_printf(out, "%s:%u:%u: %s: %s\n", line->source->name, line->place.line, line->place.column,
              severities[line->severity], line->message);
  source_quote(line->source, line->span, out);
}

static void print_line(const struct problem_line *line, void *out) {
  problem_line_print(line, out);
}

void problems_print(const struct problems *problems, struct text *out) {
  problems_deliver(problems, print_line, out);
}
