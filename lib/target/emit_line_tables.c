/* SPDX-License-Identifier: MIT */
/* tile-emit-line-tables: debug information that gives .loc lines in PTX.

   Needs: llvm.func kernels whose operations carry file locations. Keeps: the code. Each function's
   location becomes fused<#llvm.di_subprogram<...>>[location], in a compile unit of emission kind
   DebugDirectivesOnly: with LineTablesOnly or Full, LLVM writes `.target sm_90a, debug`, and ptxas
   stops optimising. File names stay as they were given, so that output does not depend on the
   working directory. */
#include <string.h>
#include "ir/passes.h"

static MlirAttribute subprogram(MlirContext context, MlirStringRef name, MlirStringRef file,
                                unsigned line) {
  struct text text = {0};
  text_puts(&text, "#llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, "
                   "sourceLanguage = DW_LANG_C, file = ");
  struct text file_text = {0};
  text_puts(&file_text, "<\"");
  for (size_t i = 0; i < file.length; i++) {
    unsigned char c = (unsigned char)file.data[i];
    if (c < 32 || c == '"' || c == '\\' || c > 126)
      text_printf(&file_text, "\\%02X", c);
    else
      text_append(&file_text, file.data + i, 1);
  }
  text_puts(&file_text, "\" in \"\">");
  text_printf(&text,
              "%s, producer = \"tile\", isOptimized = true, emissionKind = DebugDirectivesOnly>, "
              "scope = #llvm.di_file%s, name = \"%.*s\", linkageName = \"%.*s\", "
              "file = %s, line = %u, scopeLine = %u, subprogramFlags = \"Definition|Optimized\", "
              "type = <>>",
              text_string(&file_text), text_string(&file_text), (int)name.length, name.data,
              (int)name.length, name.data, text_string(&file_text), line, line);
  MlirAttribute attribute =
      mlirAttributeParseGet(context, mlirStringRefCreate(text.data, text.length));
  text_free(&text);
  text_free(&file_text);
  return attribute;
}

static bool is_plain_name(MlirStringRef name) {
  return !memchr(name.data, '"', name.length) && !memchr(name.data, '\\', name.length);
}

MlirLogicalResult run_emit_line_tables(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef file;
    unsigned line, column;
    if (kind_of(session, op) != OP_LLVM_FUNC || mlirBlockIsNull(op_body(op, 0)) ||
        !location_place(mlirOperationGetLocation(op), &file, &line, &column))
      continue;
    MlirStringRef name = op_string(op, "sym_name");
    if (!is_plain_name(name))
      continue;
    MlirAttribute scope = subprogram(session->context, name, file, line);
    if (mlirAttributeIsNull(scope))
      return fail_op(op, "the debug information for its lines cannot be made");
    MlirLocation location = mlirOperationGetLocation(op);
    mlirOperationSetLocation(op, mlirLocationFusedGet(session->context, 1, &location, scope));
  }
  return SUCCESS;
}
