/* SPDX-License-Identifier: MIT */
/* Problems at places in the source, with the chain of calls that leads there; locations of
 * operations. */
#include <string.h>
#include "frontend/check/checker.h"

/* The same message at the same place again, from another copy of an unrolled loop or an inlined
 * call. */
static bool is_repeated(const struct checker *c, const struct problem *problem) {
  for (const struct problem *at = c->module->problems.first; at && at != problem; at = at->next)
    if (at->span.offset == problem->span.offset && strcmp(at->message, problem->message) == 0)
      return true;
  return false;
}

static struct problem *add(struct checker *c, enum problem_severity severity, struct span span,
                           const char *format, va_list arguments) {
  return problems_add_v(&c->module->problems, severity, module_source(c->module, span.offset), span,
                        format, arguments);
}

bool check_fail(struct checker *c, struct span span, const char *format, ...) {
  struct problems before = c->module->problems;
  va_list arguments;
  va_start(arguments, format);
  struct problem *problem = add(c, PROBLEM_ERROR, span, format, arguments);
  va_end(arguments);
  c->problem = problem;
  c->e.error.length = 0; /* it is said */
  if (before.errors && is_repeated(c, problem))
    check_rollback(c, &before);
  else
    for (struct frame *frame = c->frame; frame && frame->caller; frame = frame->caller)
      problem_note(&c->module->problems, problem, module_source(c->module, frame->call.offset),
                   frame->call,
                   frame->kind == FRAME_GLOBAL ? "the value of '%s' is needed here"
                                               : "in '%s', called from here",
                   frame->kernel->name);
  return false;
}

void check_remark(struct checker *c, struct span span, const char *format, ...) {
  struct problems before = c->module->problems;
  va_list arguments;
  va_start(arguments, format);
  bool repeated = is_repeated(c, add(c, PROBLEM_REMARK, span, format, arguments));
  va_end(arguments);
  if (repeated)
    check_rollback(c, &before);
}

void check_note(struct checker *c, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  problem_note(&c->module->problems, c->problem, module_source(c->module, span.offset), span, "%s",
               text_vformat(&c->e.arena, format, arguments));
  va_end(arguments);
}

void check_rollback(struct checker *c, const struct problems *before) {
  c->module->problems = *before;
  *c->module->problems.last = NULL;
}

bool check_fail_emitter(struct checker *c, struct span span) {
  return check_fail(c, span, "%s", text_string(&c->e.error));
}

bool check_fp8(struct checker *c, struct span span) {
  const char *lacked = c->e.lacked;
  c->e.lacked = NULL;
  bool later = lacked && strcmp(lacked, dtype_table[DTYPE_FLOAT8E4NV].short_name) == 0;
  if (later)
    return check_fail(c, span,
                      "type %s not supported in this architecture (sm_%d), which has fp8e4b15, "
                      "fp8e5; compile for "
                      "%s or a later one",
                      lacked, c->e.capability, machine_first_with(FEATURE_FP8)->name);
  return !lacked ||
         check_fail(c, span,
                    "type %s not supported in this architecture (sm_%d), which has fp8e4b15, %s",
                    lacked, c->e.capability,
                    machine_has(c->e.machine, FEATURE_FP8) ? "fp8e4nv, fp8e5" : "fp8e5");
}

static MlirLocation location_of(struct checker *c, struct span span) {
  const struct source *source = module_source(c->module, span.offset);
  struct place place = source_place(source, span.offset);
  return mlirLocationFileLineColGet(c->e.session->context, ref(source->name), place.line,
                                    place.column);
}

void check_locate(struct checker *c, struct span span) {
  MlirLocation location = location_of(c, span);
  for (struct frame *frame = c->frame; frame && frame->caller; frame = frame->caller) {
    if (mlirLocationIsNull(frame->site))
      frame->site = location_of(c, frame->call);
    location = mlirLocationCallSiteGet(location, frame->site);
  }
  c->e.b.location = location;
}
