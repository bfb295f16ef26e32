/* SPDX-License-Identifier: MIT */
/* The sink: from MLIR's engine to a printer with carets or a collector. */
#include "ir/diagnostics.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "ir/mlir.h"

const char *severity_name(enum severity severity) {
  switch (severity) {
  case SEVERITY_ERROR:
    return "error";
  case SEVERITY_WARNING:
    return "warning";
  case SEVERITY_REMARK:
    return "remark";
  case SEVERITY_NOTE:
    return "note";
  }
  return "error";
}

bool location_place(MlirLocation location, MlirStringRef *file, unsigned *line, unsigned *column) {
  if (mlirLocationIsAFileLineColRange(location)) {
    *file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
    int start_line = mlirLocationFileLineColRangeGetStartLine(location);
    int start_column = mlirLocationFileLineColRangeGetStartColumn(location);
    *line = start_line < 0 ? 0 : (unsigned)start_line;
    *column = start_column < 0 ? 0 : (unsigned)start_column;
    return true;
  }
  if (mlirLocationIsAName(location))
    return location_place(mlirLocationNameGetChildLoc(location), file, line, column);
  if (mlirLocationIsACallSite(location))
    return location_place(mlirLocationCallSiteGetCallee(location), file, line, column);
  if (mlirLocationIsAFused(location)) {
    unsigned count = mlirLocationFusedGetNumLocations(location);
    if (count == 0)
      return false;
    MlirLocation *parts = tile_allocate(count * sizeof *parts);
    mlirLocationFusedGetLocations(location, parts);
    bool found = false;
    for (unsigned i = 0; i < count && !found; i++)
      found = location_place(parts[i], file, line, column);
    free(parts);
    return found;
  }
  return false;
}

void location_print(MlirLocation location, struct text *out) {
  MlirStringRef file;
  unsigned line, column;
  if (location_place(location, &file, &line, &column))
    text_printf(out, "%.*s:%u:%u", (int)file.length, file.data, line, column);
  else
    text_puts(out, "unknown location");
}

/* The `line`th line of `text`, without its end. */
static struct slice find_line(const char *text, unsigned line) {
  while (line > 1 && text) {
    text = strchr(text, '\n');
    if (text)
      text++;
    line--;
  }
  return text ? (struct slice){text, strcspn(text, "\r\n")} : (struct slice){0};
}

enum { LONGEST_QUOTE = 240 };

/* Bytes that would upset a terminal: the file is no text. */
static bool is_printable(struct slice line) {
  for (size_t i = 0; i < line.length; i++)
    if (((unsigned char)line.data[i] < ' ' && line.data[i] != '\t') || line.data[i] == 127)
      return false;
  return true;
}

static void quote_source(const struct diagnostics *sink, const struct diagnostic *diagnostic,
                         struct text *out) {
  if (!sink->source_text || !diagnostic->line || strcmp(diagnostic->file, sink->source_name) != 0)
    return;
  struct slice line = find_line(sink->source_text, diagnostic->line);
  if (!line.data || line.length == 0 || line.length > LONGEST_QUOTE || !is_printable(line))
    return;
  text_printf(out, "  %.*s\n", (int)line.length, line.data);
  if (diagnostic->column == 0 || diagnostic->column > line.length + 1)
    return;
  text_puts(out, "  ");
  for (unsigned i = 0; i + 1 < diagnostic->column; i++)
    text_puts(out, line.data[i] == '\t' ? "\t" : " ");
  text_puts(out, "^\n");
}

static void print_place(const struct diagnostic *diagnostic, struct text *out) {
  if (diagnostic->file[0] && diagnostic->line)
    text_printf(out, "%s:%u:%u: ", diagnostic->file, diagnostic->line, diagnostic->column);
  else if (diagnostic->file[0])
    text_printf(out, "%s: ", diagnostic->file);
}

static void print(const struct diagnostics *sink, const struct diagnostic *diagnostic,
                  struct text *out) {
  print_place(diagnostic, out);
  text_printf(out, "%s: %s\n", severity_name(diagnostic->severity), diagnostic->message);
  quote_source(sink, diagnostic, out);
}

void diagnostics_keep_first(struct diagnostics *sink, const struct diagnostic *diagnostic) {
  if (sink->first_error.length || diagnostic->severity != SEVERITY_ERROR)
    return;
  print_place(diagnostic, &sink->first_error);
  text_append(&sink->first_error, diagnostic->message, strcspn(diagnostic->message, "\n"));
}

static void deliver(struct diagnostics *sink, const struct diagnostic *diagnostic) {
  struct text text = {0};
  if (diagnostic->severity == SEVERITY_ERROR)
    sink->errors++;
  diagnostics_keep_first(sink, diagnostic);
  print(sink, diagnostic, &text);
  if (sink->record) {
    diagnostics_note(sink->record, diagnostic);
    text_puts(&sink->record->printed, text_string(&text));
  }
  if (sink->handler)
    sink->handler(diagnostic, sink->data);
  else
    fputs(text_string(&text), sink->stream);
  text_free(&text);
}

/* --- Records ---------------------------------------------------------------------------------- */

/* Three numbers, then the file and the message, each with a zero after it. */
void diagnostics_note(struct diagnostics_record *record, const struct diagnostic *diagnostic) {
  const uint32_t numbers[] = {(uint32_t)diagnostic->severity, diagnostic->line, diagnostic->column};
  text_append(&record->diagnostics, (const char *)numbers, sizeof numbers);
  text_append(&record->diagnostics, diagnostic->file, strlen(diagnostic->file) + 1);
  text_append(&record->diagnostics, diagnostic->message, strlen(diagnostic->message) + 1);
}

/* The string at the front, which is taken off; NULL when no zero ends it. */
static const char *take_string(struct slice *rest) {
  const char *string = rest->data, *end = rest->length ? memchr(string, 0, rest->length) : NULL;
  if (!end)
    return NULL;
  *rest = (struct slice){end + 1, rest->length - (size_t)(end + 1 - string)};
  return string;
}

bool diagnostics_repeat(struct diagnostics *sink, struct slice printed, struct slice diagnostics) {
  uint32_t numbers[3];
  while (diagnostics.length) {
    if (diagnostics.length < sizeof numbers)
      return false;
    memcpy(numbers, diagnostics.data, sizeof numbers);
    diagnostics =
        (struct slice){diagnostics.data + sizeof numbers, diagnostics.length - sizeof numbers};
    const char *file = take_string(&diagnostics),
               *message = file ? take_string(&diagnostics) : NULL;
    if (!message || numbers[0] > SEVERITY_NOTE)
      return false;
    if (sink->handler)
      sink->handler(
          &(struct diagnostic){(enum severity)numbers[0], file, numbers[1], numbers[2], message},
          sink->data);
  }
  if (!sink->handler && printed.length)
    fwrite(printed.data, 1, printed.length, sink->stream);
  return true;
}

static void deliver_at(struct diagnostics *sink, enum severity severity, MlirLocation location,
                       const char *message) {
  MlirStringRef file = {"", 0};
  unsigned line = 0, column = 0;
  location_place(location, &file, &line, &column);
  struct text name = {0};
  text_append(&name, file.data, file.length);
  if (sink->anonymous_name && strcmp(text_string(&name), sink->anonymous_name) == 0) {
    name.length = 0;
    text_puts(&name, sink->source_name);
  }
  deliver(sink, &(struct diagnostic){severity, text_string(&name), line, column, message});
  text_free(&name);
}

static enum severity severity_of(MlirDiagnostic diagnostic) {
  switch (mlirDiagnosticGetSeverity(diagnostic)) {
  case MlirDiagnosticError:
    return SEVERITY_ERROR;
  case MlirDiagnosticWarning:
    return SEVERITY_WARNING;
  case MlirDiagnosticNote:
    return SEVERITY_NOTE;
  case MlirDiagnosticRemark:
    return SEVERITY_REMARK;
  }
  return SEVERITY_ERROR;
}

static MlirLogicalResult receive(MlirDiagnostic diagnostic, void *data) {
  struct diagnostics *sink = data;
  struct text message = {0};
  mlirDiagnosticPrint(diagnostic, print_to_text, &message);
  deliver_at(sink, severity_of(diagnostic), mlirDiagnosticGetLocation(diagnostic),
             text_string(&message));
  text_free(&message);
  intptr_t notes = mlirDiagnosticGetNumNotes(diagnostic);
  for (intptr_t i = 0; i < notes; i++)
    receive(mlirDiagnosticGetNote(diagnostic, i), sink);
  return mlirLogicalResultSuccess();
}

void diagnostics_attach(struct diagnostics *diagnostics, MlirContext context) {
  diagnostics->context = context;
  if (!diagnostics->stream)
    diagnostics->stream = stderr;
  diagnostics->id = mlirContextAttachDiagnosticHandler(context, receive, diagnostics, NULL);
}

void diagnostics_detach(struct diagnostics *diagnostics) {
  mlirContextDetachDiagnosticHandler(diagnostics->context, diagnostics->id);
  text_free(&diagnostics->first_error);
}

MlirLogicalResult fail_at(MlirLocation location, const char *format, ...) {
  struct text message = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&message, format, arguments);
  va_end(arguments);
  mlirEmitError(location, text_string(&message));
  text_free(&message);
  return mlirLogicalResultFailure();
}

MlirLogicalResult fail_op(MlirOperation op, const char *format, ...) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  struct text message = {0};
  text_printf(&message, "%.*s: ", (int)name.length, name.data);
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&message, format, arguments);
  va_end(arguments);
  mlirEmitError(mlirOperationGetLocation(op), text_string(&message));
  text_free(&message);
  return mlirLogicalResultFailure();
}

void diagnostics_report(struct diagnostics *diagnostics, enum severity severity,
                        MlirLocation location, const char *format, ...) {
  struct text message = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&message, format, arguments);
  va_end(arguments);
  deliver_at(diagnostics, severity, location, text_string(&message));
  text_free(&message);
}

MlirLogicalResult raise_status(MlirOperation op, tile_status status) {
  if (!status)
    return SUCCESS;
  fail_op(op, "%s", tile_status_message(status));
  tile_status_free(status);
  return FAILURE;
}
