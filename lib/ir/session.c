/* SPDX-License-Identifier: MIT */
/* Session: context, dialects, caches; and parsing with a bound on nesting. */
#define _GNU_SOURCE /* memmem */
#include "ir/session.h"

#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"
#include "ir/dialects.h"
#include "ir/trial_parse.h"

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

MlirOperation function_of(struct session *session, MlirOperation op) {
  while (!op_is(session, op, OP_FUNC))
    op = mlirOperationGetParentOperation(op);
  return op;
}

bool is_in_loop(struct session *session, MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !op_has(session, op, IS_LOOP));
  return !mlirOperationIsNull(op);
}

MlirOperation loop_around(struct session *session, MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !op_is(session, op, OP_SCF_FOR));
  return op;
}

MlirAttribute uniform_number(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (!op_is(session, op, OP_ARITH_CONSTANT))
    return (MlirAttribute){0};
  MlirAttribute number = mlirOperationGetAttributeByName(op, ref("value"));
  if (mlirAttributeIsADenseElements(number) && mlirDenseElementsAttrIsSplat(number))
    number = mlirDenseElementsAttrGetSplatValue(number);
  return mlirAttributeIsAInteger(number) || mlirAttributeIsAFloat(number) ? number
                                                                          : (MlirAttribute){0};
}

bool uniform_integer(struct session *session, MlirValue value, int64_t *out) {
  MlirAttribute number = uniform_number(session, value);
  if (mlirAttributeIsNull(number) || !mlirAttributeIsAInteger(number))
    return false;
  MlirType type = mlirAttributeGetType(number);
  bool number_of_bits = mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type) &&
                        mlirIntegerTypeGetWidth(type) <= 64;
  if (!number_of_bits && !mlirTypeIsAIndex(type))
    return false;
  *out = mlirIntegerAttrGetValueInt(number);
  return true;
}

static bool next_marked(struct session *session, MlirOperation module, enum op_kind kind,
                        enum attribute_name mark, MlirOperation *op) {
  do
    *op = mlirOperationIsNull(*op) ? mlirBlockGetFirstOperation(op_body(module, 0))
                                   : mlirOperationGetNextInBlock(*op);
  while (!mlirOperationIsNull(*op) && (kind_of(session, *op) != kind || !attribute_has(*op, mark)));
  return !mlirOperationIsNull(*op);
}

bool next_kernel(struct session *session, MlirOperation module, MlirOperation *op) {
  return next_marked(session, module, OP_FUNC, ATTR_KERNEL, op);
}

bool next_lowered_kernel(struct session *session, MlirOperation module, MlirOperation *op) {
  return next_marked(session, module, OP_LLVM_FUNC, ATTR_NVVM_KERNEL, op);
}

struct loop_collection {
  struct session *session;
  struct loop_list loops;
};

static MlirWalkResult collect_loop(MlirOperation op, void *data) {
  struct loop_collection *found = data;
  struct loop_list *loops = &found->loops;
  if (op_is(found->session, op, OP_SCF_FOR)) {
    loops->list = tile_grow(loops->list, loops->count, &loops->capacity, sizeof *loops->list);
    loops->list[loops->count++] = op;
  }
  return MlirWalkResultAdvance;
}

struct loop_list loops_of(struct session *session, MlirOperation root) {
  struct loop_collection found = {.session = session};
  mlirOperationWalk(root, collect_loop, &found, MlirWalkPostOrder);
  return found.loops;
}

void loops_free(struct loop_list *loops) {
  free(loops->list);
  *loops = (struct loop_list){0};
}

/* --- What MLIR's parser dies of --------------------------------------------------------------- */

/* It recurses once per open bracket, and its stack is the process's. */
enum { DEEPEST_NESTING = 256 };

/* Why a text is not handed to the parser, and where; a NULL message when it is. */
struct refusal {
  size_t offset;
  const char *message;
};

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

/* The offset after the string or comment that begins at `i`, or `i` when none does. */
static size_t skip_quoted(const char *text, size_t length, size_t i) {
  if (text[i] == '"') {
    for (i++; i < length && text[i] != '"' && text[i] != '\n'; i++)
      if (text[i] == '\\')
        i++;
    return i < length ? i + 1 : length;
  }
  if (text[i] == '/' && i + 1 < length && text[i + 1] == '/')
    while (i < length && text[i] != '\n')
      i++;
  return i;
}

/* True when `array<` at `i` is a dense array of a type that it cannot have. The parser asks `index`
   and the like for their width, and dies (MLIR 22.1, Parser::parseDenseArrayAttr). */
static bool is_bad_array(const char *text, size_t length, size_t i) {
  static const char keyword[] = "array";
  static const char *const types[] = {"i1", "i8", "i16", "i32", "i64", "f32", "f64"};
  if (length - i < sizeof keyword || memcmp(text + i, keyword, sizeof keyword - 1) != 0 ||
      (i > 0 && is_word(text[i - 1])))
    return false;
  for (i += sizeof keyword - 1; i < length && strchr(" \t\r\n", text[i]); i++)
    ;
  if (i == length || text[i] != '<')
    return false;
  for (i++; i < length && strchr(" \t\r\n", text[i]); i++)
    ;
  size_t end = i;
  while (end < length && is_word(text[end]))
    end++;
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    if (slice_equals((struct slice){text + i, end - i}, types[t]))
      return false;
  return true;
}

/* Brackets in strings and comments do not count. A '<' or '>' counts only in pairs that can nest
   types, which "->" and comparison predicates are not. */
static struct refusal find_refusal(const char *text, size_t length) {
  size_t depth = 0;
  for (size_t i = 0; i < length; i++) {
    size_t after = skip_quoted(text, length, i);
    if (after > i) {
      i = after - 1;
      continue;
    }
    switch (text[i]) {
    case 'a':
      if (is_bad_array(text, length, i))
        return (struct refusal){i,
                                "an array<...> attribute holds i1, i8, i16, i32, i64, f32 or f64"};
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      if (++depth > DEEPEST_NESTING)
        return (struct refusal){
            i, "brackets are nested more than 256 deep; split the type or the region"};
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
  return (struct refusal){0};
}
_Static_assert(DEEPEST_NESTING == 256, "the message says 256");

/* Does the text begin as a file in the Triton language does, and no MLIR does? Comments, then an
   import or a text. */
static bool is_python(const char *text, size_t length) {
  static const char *const begins[] = {"import ", "from ", "\"\"\"", "'''", "@triton", "def "};
  for (size_t i = 0; i < length;) {
    size_t rest = length - i;
    const char *end = memchr(text + i, '\n', rest);
    size_t line = end ? (size_t)(end - text) - i : rest;
    bool comment = line > 1 && text[i] == '#' && strchr("# !\t-*=", text[i + 1]);
    if (!comment && strspn(text + i, " \t\r\n") == 0) {
      for (size_t b = 0; b < sizeof begins / sizeof *begins; b++)
        if (rest >= strlen(begins[b]) && memcmp(text + i, begins[b], strlen(begins[b])) == 0)
          return true;
      return false;
    }
    i += line + 1;
  }
  return false;
}

static bool is_bytecode(const char *text, size_t length) {
  return length >= 4 && memcmp(text, "ML\xEFR", 4) == 0;
}

static void report_refusal(struct session *session, const char *name, const char *text,
                           const struct refusal *refusal) {
  unsigned line = 1, column = 1;
  for (size_t i = 0; i < refusal->offset; i++) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  MlirLocation location = mlirLocationFileLineColGet(session->context, ref(name), line, column);
  fail_at(location, "%s", refusal->message);
}

/* The name that MLIR's parser gives to text without a file. */
static const char anonymous[] = "-";

static MlirLocation named_location(MlirLocation location, MlirStringRef name) {
  if (!mlirLocationIsAFileLineColRange(location) ||
      !ref_equals(mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location)), anonymous))
    return location;
  return mlirLocationFileLineColGet(mlirLocationGetContext(location), name,
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
        mlirBlockArgumentSetLocation(argument,
                                     named_location(mlirValueGetLocation(argument), name));
      }
  }
  return SUCCESS;
}

/* Reports why the parser must not see this input; success when it may. */
static MlirLogicalResult check_input(struct session *session, const char *name, const char *text,
                                     size_t length) {
  if (!is_bytecode(text, length)) {
    session->diagnostics.source_text = text;
    struct refusal refusal = find_refusal(text, length);
    if (is_python(text, length))
      refusal =
          (struct refusal){0, "this is a file in the Triton language, not MLIR: tile_import_triton "
                              "makes a module of it; the tools ask for a name that ends in .py, "
                              "tile-translate --import-triton does not"};
    if (!refusal.message)
      return SUCCESS;
    report_refusal(session, name, text, &refusal);
    return FAILURE;
  }
  tile_status status = trial_parse(session->context, mlirStringRefCreate(text, length));
  if (!status)
    return SUCCESS;
  MlirLocation file = mlirLocationFileLineColGet(session->context, ref(name), 0, 0);
  fail_at(file, "%s", tile_status_message(status));
  tile_status_free(status);
  return FAILURE;
}

/* Does the text give places in a file of this name, which is not the text itself? So does what
   tile_import_triton writes: its places are those of the kernel's file. */
static bool has_places_of(const char *text, size_t length, const char *name) {
  struct text place = {0};
  text_printf(&place, "loc(\"%s\":", name);
  bool has = memmem(text, length, text_string(&place), place.length) != NULL;
  text_free(&place);
  return has;
}

MlirModule session_parse(struct session *session, const char *name, const char *text,
                         size_t length) {
  session->diagnostics.source_name = name;
  session->diagnostics.source_text = NULL;
  if (FAILED(check_input(session, name, text, length)))
    return (MlirModule){0};
  session->diagnostics.anonymous_name = anonymous;
  MlirModule module = mlirModuleCreateParse(session->context, mlirStringRefCreate(text, length));
  session->diagnostics.anonymous_name = NULL;
  if (has_places_of(text, length, name))
    session->diagnostics.source_text = NULL; /* whose lines would be quoted for those of the file */
  if (!mlirModuleIsNull(module)) {
    MlirStringRef file = ref(name);
    name_locations(mlirModuleGetOperation(module), &file);
    visit_operations(mlirModuleGetOperation(module), name_locations, &file);
  }
  return module;
}
