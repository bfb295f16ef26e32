/* Session: context, dialects, caches; and parsing with a bound on nesting. */
#include "ir/session.h"

#include <string.h>
#include "base/status.h"
#include "ir/dialects.h"

tile_status session_create(struct session *session) {
  *session = (struct session){0};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  dialects_register_upstream(registry);
  session->context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  diagnostics_attach(&session->diagnostics, session->context);
  tile_status status = dialects_load(session->context);
  if (status) {
    diagnostics_detach(&session->diagnostics);
    mlirContextDestroy(session->context);
    return status;
  }
  op_names_create(&session->names, session->context);
  type_cache_create(&session->types, session->context);
  layout_cache_create(&session->layouts, session->context);
  return NULL;
}

void session_destroy(struct session *session) {
  layout_cache_destroy(&session->layouts);
  type_cache_destroy(&session->types);
  op_names_destroy(&session->names);
  diagnostics_detach(&session->diagnostics);
  mlirContextDestroy(session->context);
}

/* MLIR's parser recurses once per open bracket; its stack is the process's. */
enum { DEEPEST_NESTING = 256 };

/* The offset of the bracket that is nested too deeply, or `length`. Brackets in strings and comments
   do not count. A '<' or '>' counts only in pairs that can nest types, which "->" and comparison
   predicates are not. */
static size_t find_deep_nesting(const char *text, size_t length) {
  size_t depth = 0;
  for (size_t i = 0; i < length; i++) {
    switch (text[i]) {
    case '"':
      for (i++; i < length && text[i] != '"' && text[i] != '\n'; i++)
        if (text[i] == '\\')
          i++;
      break;
    case '/':
      if (i + 1 < length && text[i + 1] == '/')
        while (i + 1 < length && text[i + 1] != '\n')
          i++;
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      if (++depth > DEEPEST_NESTING)
        return i;
      break;
    case '>':
      if (i > 0 && text[i - 1] == '-')
        break;
      /* fall through */
    case ')':
    case ']':
    case '}':
      if (depth)
        depth--;
      break;
    default:
      break;
    }
  }
  return length;
}

static bool is_bytecode(const char *text, size_t length) {
  return length >= 4 && memcmp(text, "ML\xEFR", 4) == 0;
}

static void report_deep_nesting(struct session *session, const char *name, const char *text,
                                size_t offset) {
  unsigned line = 1, column = 1;
  for (size_t i = 0; i < offset; i++) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  MlirLocation location = mlirLocationFileLineColGet(session->context, ref(name), line, column);
  fail_at(location, "brackets are nested more than %d deep; split the type or the region",
          DEEPEST_NESTING);
}

/* The name that MLIR's parser gives to text without a file. */
static const char anonymous[] = "-";

static MlirLocation named_location(MlirLocation location, MlirStringRef name) {
  if (!mlirLocationIsAFileLineColRange(location) ||
      !ref_equals(mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location)), anonymous))
    return location;
  return mlirLocationFileLineColGet(
      mlirLocationGetContext(location), name,
      (unsigned)mlirLocationFileLineColRangeGetStartLine(location),
      (unsigned)mlirLocationFileLineColRangeGetStartColumn(location));
}

static MlirLogicalResult name_locations(MlirOperation op, void *data) {
  MlirStringRef name = *(MlirStringRef *)data;
  mlirOperationSetLocation(op, named_location(mlirOperationGetLocation(op), name));
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    MlirBlock block = op_body(op, i);
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t a = 0; a < mlirBlockGetNumArguments(block); a++) {
        MlirValue argument = mlirBlockGetArgument(block, a);
        mlirBlockArgumentSetLocation(argument, named_location(mlirValueGetLocation(argument), name));
      }
  }
  return SUCCESS;
}

MlirModule session_parse(struct session *session, const char *name, const char *text,
                         size_t length) {
  session->diagnostics.source_name = name;
  session->diagnostics.source_text = NULL;
  if (!is_bytecode(text, length)) {
    size_t deep = find_deep_nesting(text, length);
    session->diagnostics.source_text = text;
    if (deep < length) {
      report_deep_nesting(session, name, text, deep);
      return (MlirModule){0};
    }
  }
  session->diagnostics.anonymous_name = anonymous;
  MlirModule module = mlirModuleCreateParse(session->context, mlirStringRefCreate(text, length));
  session->diagnostics.anonymous_name = NULL;
  if (!mlirModuleIsNull(module)) {
    MlirStringRef file = ref(name);
    name_locations(mlirModuleGetOperation(module), &file);
    visit_operations(mlirModuleGetOperation(module), name_locations, &file);
  }
  return module;
}
