/* SPDX-License-Identifier: MIT */
/* Where messages about IR go.

   Errors are raised with fail_at, travel through MLIR's diagnostic engine together with MLIR's own,
   and end in the session's sink, which prints them with the source line and a caret, or hands them
   to a collector (--verify-diagnostics). Remarks and warnings, which MLIR's C API cannot raise, go
   to the sink directly. */
#ifndef TILE_IR_DIAGNOSTICS_H
#define TILE_IR_DIAGNOSTICS_H

#include <mlir-c/Diagnostics.h>
#include <mlir-c/IR.h>
#include <mlir-c/Support.h>
#include <stdio.h>
#include "base/text.h"
#include "tile/status.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_REMARK, SEVERITY_NOTE };

/* One message. `file` is "" when the place is unknown; line and column count from 1. */
struct diagnostic {
  enum severity severity;
  const char *file;
  unsigned line, column;
  const char *message;
};

typedef void diagnostic_handler(const struct diagnostic *diagnostic, void *data);

/* What was said, to be said again (diagnostics_repeat): as it was or would have been printed, and
   as diagnostics. */
struct diagnostics_record {
  struct text printed, diagnostics;
};

struct diagnostics {
  MlirContext context;
  MlirDiagnosticHandlerID id;
  diagnostic_handler *handler; /* NULL: print to `stream` */
  void *data;
  FILE *stream;
  const char *source_name; /* the text being compiled, for quoting lines; borrowed, may be NULL */
  const char *source_text;
  const char *anonymous_name; /* while parsing: the file name that stands for source_name, or NULL
                               */
  size_t errors;
  struct text first_error; /* of those since it was last emptied; diagnostics_detach frees it */
  struct diagnostics_record *record;                    /* gets all that passes; or NULL */
  void (*words)(const char *message, struct text *out); /* appends what the front end says in other
                                                           words; or NULL */
};

/* What passes the sink by is noted as the first error, if it is one: "k.py:6:17: ...", the first
   line of it. */
void diagnostics_keep_first(struct diagnostics *sink, const struct diagnostic *diagnostic);
/* Appends a diagnostic to a record's list. */
void diagnostics_note(struct diagnostics_record *record, const struct diagnostic *diagnostic);
/* Gives a sink, which needs no context for it, what was recorded. False when the record is damaged.
 */
bool diagnostics_repeat(struct diagnostics *sink, struct slice printed, struct slice diagnostics);

/* Hooks the sink into `context`; it must outlive the context or be detached first. */
void diagnostics_attach(struct diagnostics *diagnostics, MlirContext context);
void diagnostics_detach(struct diagnostics *diagnostics);

/* Raises an error at a location and returns failure, so that rules can `return fail_at(...)`. */
MlirLogicalResult fail_at(MlirLocation location, const char *format, ...) TILE_PRINTF(2, 3);
/* The same at an operation, whose name comes first: "tile.load: ...". */
MlirLogicalResult fail_op(MlirOperation op, const char *format, ...) TILE_PRINTF(2, 3);
/* Raises the error that a status is, which is taken; success for none. */
MlirLogicalResult raise_status(MlirOperation op, tile_status status);
/* Sends a message without the engine. */
void diagnostics_report(struct diagnostics *diagnostics, enum severity severity,
                        MlirLocation location, const char *format, ...) TILE_PRINTF(4, 5);

/* The file, line and column of a location: the first one inside name, call-site and fused
   locations. False when it has none. `file` is borrowed from the context. */
bool location_place(MlirLocation location, MlirStringRef *file, unsigned *line, unsigned *column);
/* "file:line:col", or "unknown location". Appends. */
void location_print(MlirLocation location, struct text *out);

const char *severity_name(enum severity severity);

#endif
