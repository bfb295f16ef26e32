/* SPDX-License-Identifier: MIT */
/* What ptxas says of dots, as warnings of ours at the dot.

     ptxas info    : (C7512) Potential Performance Loss: wgmma.mma_async instructions are serialized
                   due to
                     insufficient register resources for the function 'k'

   C7510 to C7519 are about wgmma: the code is right, but its wgmmas wait for each other. */
#include <stdlib.h>
#include <string.h>
#include "ir/ops.h"
#include "target/target.h"

static MlirOperation find_kernel(MlirModule module, struct slice name) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef symbol = op_string(op, "sym_name");
    if (symbol.length == name.length && memcmp(symbol.data, name.data, name.length) == 0)
      return op;
  }
  return (MlirOperation){0};
}

static MlirWalkResult find_dot(MlirOperation op, void *data) {
  static const char start[] = "wgmma.";
  MlirStringRef text = op_string(op, "asm_string");
  if (text.length < sizeof start || memcmp(text.data, start, sizeof start - 1) != 0)
    return MlirWalkResultAdvance;
  *(MlirOperation *)data = op;
  return MlirWalkResultInterrupt;
}

/* The kernel's first dot, or the kernel. */
static MlirLocation place_of(MlirModule module, struct slice kernel) {
  MlirOperation function = find_kernel(module, kernel), dot = {0};
  if (mlirOperationIsNull(function))
    return mlirOperationGetLocation(mlirModuleGetOperation(module));
  mlirOperationWalk(function, find_dot, &dot, MlirWalkPreOrder);
  return mlirOperationGetLocation(mlirOperationIsNull(dot) ? function : dot);
}

/* What stands in a line between `before` and `after`; empty where they are not there. */
static struct slice between(const char *line, const char *before, const char *after) {
  const char *start = strstr(line, before);
  const char *end = start ? strstr(start + strlen(before), after) : NULL;
  if (!end)
    return (struct slice){line, 0};
  start += strlen(before);
  return (struct slice){start, (size_t)(end - start)};
}

static void report_line(struct session *session, MlirModule module, const char *line) {
  struct slice code = between(line, "(C751", ") "), kernel = between(line, "function '", "'");
  if (code.length != 1)
    return;
  diagnostics_report(&session->diagnostics, SEVERITY_WARNING, place_of(module, kernel),
                     "tile.dot: ptxas lets dots wait for each other: %s; %s", strchr(line, '('),
                     strstr(line, "insufficient register")
                         ? "use more warps or a smaller tile"
                         : "the kernel is right, but slower than it could be: please report it");
}

/* The number before a word of a function's part of the report, as in "16 bytes stack frame"; 0
   where there is none. */
static unsigned number_before(struct slice part, const char *word) {
  size_t length = strlen(word);
  for (size_t i = 0; i + length <= part.length; i++)
    if (memcmp(part.data + i, word, length) == 0) {
      size_t start = i;
      while (start > 0 && part.data[start - 1] >= '0' && part.data[start - 1] <= '9')
        start--;
      return (unsigned)strtoul(part.data + start, NULL, 10);
    }
  return 0;
}

struct ptxas_usage ptxas_usage(const char *log, const char *symbol) {
  struct text line = {0};
  text_printf(&line, "Compiling entry function '%s' for ", symbol);
  const char *start = strstr(log, text_string(&line));
  text_free(&line);
  if (!start)
    return (struct ptxas_usage){0};
  const char *next = strstr(start, "\nptxas info    : Compiling");
  struct slice part = {start, next ? (size_t)(next - start) : strlen(start)};
  return (struct ptxas_usage){.registers = number_before(part, " registers"),
                              .local_bytes = number_before(part, " bytes stack frame"),
                              .spill_bytes = number_before(part, " bytes spill stores")};
}

void ptxas_report(struct session *session, MlirModule module, const char *log) {
  struct text line = {0};
  while (*log) {
    size_t length = strcspn(log, "\n");
    line.length = 0;
    text_append(&line, log, length);
    report_line(session, module, text_string(&line));
    log += length + (log[length] == '\n');
  }
  text_free(&line);
}
