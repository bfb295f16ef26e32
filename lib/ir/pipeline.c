/* SPDX-License-Identifier: MIT */
/* Pipelines: a parser for MLIR's textual notation that makes our passes itself and hands foreign
   elements to MLIR, the trampoline from MLIR's pass manager to a pass body, and a printing pass.

     list    := element (',' element)*
     element := anchor '(' list ')' | name ('{' options '}')?

   A name is a pass of ours, a named pipeline, which expands in place, or a pass of upstream. */
#include <mlir-c/Conversion.h>
#include <mlir-c/Transforms.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include "base/arena.h"
#include "base/status.h"
#include "ir/passes.h"

const char *const upstream_pass_names[] = {
#define X(function, name, converts) name,
#include "ir/upstream_passes.def"
#undef X
    NULL};

/* How the names of operations begin that each of them converts. */
static const char *const upstream_converts[] = {
#define X(function, name, converts) converts,
#include "ir/upstream_passes.def"
#undef X
};

static void register_upstream(void) {
#define X(function, name, converts) function();
#include "ir/upstream_passes.def"
#undef X
}

/* Registers the upstream passes that pipelines may name; done once per process, thread-safe. */
static void passes_register_upstream(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_upstream);
}

/* --- From MLIR's pass manager to a pass body -------------------------------------------------- */

/* What one pass in a pass manager owns. Without `pass` it is a conversion of upstream, or prints
   the IR under `title`. */
struct instance {
  const struct pass_info *pass;
  const char *conversion, *converts; /* the name; how the names of its operations begin */
  const char *title;
  struct pass_context context;
};

static void destruct_instance(void *data) {
  struct instance *instance = data;
  pass_values_free(instance->context.values);
  free(instance);
}

/* The session is single-threaded, so MLIR never runs clones at the same time; a clone is still a
   separate object because MLIR destroys it. */
static void *clone_instance(void *data) {
  struct instance *source = data, *copy = tile_allocate(sizeof *copy);
  *copy = *source;
  for (size_t i = 0; i < MAX_PASS_OPTIONS; i++)
    if (source->context.values[i].string)
      copy->context.values[i].string = strdup(source->context.values[i].string);
  return copy;
}

static void print_module(MlirOperation op, const char *title) {
  struct text text = {0};
  text_printf(&text, "// -----// IR Dump %s //----- //\n", title);
  mlirOperationPrint(op, print_to_text, &text);
  text_puts(&text, "\n\n");
  fputs(text_string(&text), stderr);
  text_free(&text);
}

static MlirLogicalResult fail_at_converted(MlirOperation op, void *data) {
  struct instance *instance = data;
  MlirStringRef name = op_name(op);
  bool is_converted = name.data[0] == instance->converts[0] &&
                      slice_begins((struct slice){name.data, name.length}, instance->converts);
  return is_converted ? FAILURE : SUCCESS;
}

/* Runs a conversion of upstream, on a module, if it has something to convert. The manager around
   this one verifies. */
static MlirLogicalResult run_conversion(struct instance *instance, MlirOperation op) {
  if (!FAILED(visit_operations(op, fail_at_converted, instance)))
    return SUCCESS;
  MlirPassManager manager = mlirPassManagerCreate(mlirOperationGetContext(op));
  mlirPassManagerEnableVerifier(manager, false);
  struct text message = {0};
  MlirLogicalResult result =
      mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                   ref(instance->conversion), print_to_text, &message);
  if (!FAILED(result))
    result = mlirPassManagerRunOnOp(manager, op);
  text_free(&message);
  mlirPassManagerDestroy(manager);
  return result;
}

static MlirLogicalResult run_one(struct instance *instance, MlirOperation op) {
  if (instance->pass)
    return instance->pass->body(&instance->context, op);
  if (instance->conversion)
    return run_conversion(instance, op);
  print_module(op, instance->title);
  return SUCCESS;
}

static void run_instance(MlirOperation op, MlirExternalPass pass, void *data) {
  if (FAILED(run_one(data, op)))
    mlirExternalPassSignalFailure(pass);
}

static MlirPass make_pass(struct instance *instance, const char *name, const char *anchor) {
  static int type_ids[PASS_COUNT + 1]; /* addresses only */
  size_t index = instance->pass ? (size_t)(instance->pass - pass_table) : PASS_COUNT;
  MlirExternalPassCallbacks callbacks = {
      .destruct = destruct_instance, .clone = clone_instance, .run = run_instance};
  return mlirCreateExternalPass(mlirTypeIDCreate(&type_ids[index]), ref(name), ref(name), ref(""),
                                ref(anchor), 0, NULL, callbacks, instance);
}

/* --- Building a pass manager from text -------------------------------------------------------- */

enum { DEEPEST_PIPELINE = 16 };

struct pipeline_parser {
  struct session *session;
  const struct pipeline_options *options;
  struct arena arena;  /* titles of printing passes */
  struct slice anchor; /* the operation that the manager being filled runs on */
  const char *text;    /* the whole pipeline, for error positions */
  const char *at;
};

static tile_status syntax_error(struct pipeline_parser *parser, const char *what) {
  return FAIL(TILE_INVALID_ARGUMENT, "pipeline, character %zu: %s, before '%.30s'",
              (size_t)(parser->at - parser->text) + 1, what, parser->at);
}

static void skip_spaces(struct pipeline_parser *parser) {
  parser->at += strspn(parser->at, " \t\r\n");
}

/* MLIR ends the process when a pass meets a manager for another operation. */
static tile_status check_anchor(struct pipeline_parser *parser, const struct pass_info *pass) {
  if (!pass->anchor[0] || slice_equals(parser->anchor, pass->anchor))
    return NULL;
  return FAIL(TILE_INVALID_ARGUMENT, "%s runs on %s, not on %.*s; move it out of %.*s(...)",
              pass->flag, pass->anchor, (int)parser->anchor.length, parser->anchor.data,
              (int)parser->anchor.length, parser->anchor.data);
}

static struct slice parse_name(struct pipeline_parser *parser) {
  skip_spaces(parser);
  size_t length = strcspn(parser->at, "(){}, \t\r\n");
  struct slice name = {parser->at, length};
  parser->at += length;
  skip_spaces(parser);
  return name;
}

/* The text between braces, which may nest; leaves the parser after the closing one. */
static tile_status parse_braces(struct pipeline_parser *parser, struct slice *out) {
  *out = (struct slice){parser->at, 0};
  if (*parser->at != '{')
    return NULL;
  const char *start = ++parser->at;
  for (int depth = 1; depth; parser->at++) {
    if (*parser->at == 0)
      return syntax_error(parser, "'{' is not closed");
    depth += (*parser->at == '{') - (*parser->at == '}');
  }
  *out = (struct slice){start, (size_t)(parser->at - start) - 1};
  skip_spaces(parser);
  return NULL;
}

static void add_printer(struct pipeline_parser *parser, MlirOpPassManager manager,
                        const char *moment, struct slice name) {
  struct instance *instance = tile_allocate(sizeof *instance);
  *instance = (struct instance){
      .title = text_format(&parser->arena, "%s %.*s", moment, (int)name.length, name.data)};
  mlirOpPassManagerAddOwnedPass(manager, make_pass(instance, "tile-print", ""));
}

static bool is_listed(struct slice name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (slice_equals(name, names[i]))
      return true;
  return false;
}

static void add_own(struct pipeline_parser *parser, MlirOpPassManager manager,
                    const struct pass_info *pass, const struct pass_value *values) {
  struct instance *instance = tile_allocate(sizeof *instance);
  *instance = (struct instance){.pass = pass, .context.session = parser->session};
  if (values)
    memcpy(instance->context.values, values, sizeof instance->context.values);
  mlirOpPassManagerAddOwnedPass(manager, make_pass(instance, pass->flag, pass->anchor));
}

static tile_status unknown_pass(struct slice name) {
  const char *names[PASS_COUNT + 64];
  _Static_assert(sizeof upstream_pass_names / sizeof *upstream_pass_names < 48,
                 "names is too small");
  size_t count = 0;
  for (size_t i = 0; i < PASS_COUNT; i++)
    names[count++] = pass_table[i].flag;
  for (size_t i = 0; upstream_pass_names[i]; i++)
    names[count++] = upstream_pass_names[i];
  for (size_t i = 0; pipeline_table[i].flag; i++)
    names[count++] = pipeline_table[i].flag;
  struct text word = {0};
  text_append(&word, name.data, name.length);
  const char *near = nearest_word(text_string(&word), names, count);
  tile_status status =
      FAIL(TILE_INVALID_ARGUMENT, "there is no pass '%s'%s%s%s; tile-opt --list-passes shows all",
           text_string(&word), near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  text_free(&word);
  return status;
}

/* Its row in upstream_passes.def; -1: none. */
static int upstream_row(struct slice name) {
  for (int i = 0; upstream_pass_names[i]; i++)
    if (slice_equals(name, upstream_pass_names[i]))
      return i;
  return -1;
}

static void add_conversion(MlirOpPassManager manager, int row) {
  struct instance *instance = tile_allocate(sizeof *instance);
  *instance =
      (struct instance){.conversion = upstream_pass_names[row], .converts = upstream_converts[row]};
  mlirOpPassManagerAddOwnedPass(manager, make_pass(instance, instance->conversion, ""));
}

static tile_status add_upstream(struct pipeline_parser *parser, MlirOpPassManager manager,
                                struct slice name, struct slice options) {
  int row = upstream_row(name);
  if (row < 0)
    return unknown_pass(name);
  if (*upstream_converts[row] && !options.length &&
      slice_equals(parser->anchor, "builtin.module")) {
    add_conversion(manager, row);
    return NULL;
  }
  struct text element = {0}, message = {0};
  text_append(&element, name.data, name.length);
  if (options.length)
    text_printf(&element, "{%.*s}", (int)options.length, options.data);
  MlirLogicalResult added = mlirOpPassManagerAddPipeline(
      manager, mlirStringRefCreate(element.data, element.length), print_to_text, &message);
  tile_status status =
      FAILED(added) ? FAIL(TILE_INVALID_ARGUMENT, "%s", text_string(&message)) : NULL;
  text_free(&element);
  text_free(&message);
  return status;
}

static tile_status parse_list(struct pipeline_parser *parser, MlirOpPassManager manager, int depth);

/* A stage's text with ${name} replaced by the value of the pipeline's option. */
static void substitute(const char *stage, const struct pipeline_info *pipeline,
                       const struct pass_value *values, struct text *out) {
  for (const char *at = stage; *at;) {
    size_t plain = strcspn(at, "$");
    text_append(out, at, plain);
    at += plain;
    if (*at != '$')
      break;
    size_t length = strcspn(at, "}") - 2;
    for (size_t i = 0; pipeline->options[i].name; i++) {
      if (!slice_equals((struct slice){at + 2, length}, pipeline->options[i].name))
        continue;
      if (pipeline->options[i].kind == OPTION_STRING)
        text_puts(out, values[i].string);
      else
        text_printf(out, "%lld", (long long)values[i].integer);
    }
    at += length + 3;
  }
}

static tile_status expand_pipeline(struct pipeline_parser *parser, MlirOpPassManager manager,
                                   const struct pipeline_info *pipeline, struct slice options,
                                   int depth) {
  struct pass_value values[MAX_PASS_OPTIONS];
  TRY(pass_parse_options(pipeline->flag, pipeline->options, options, values));
  struct text text = {0};
  for (const char *const *stage = pipeline->stages; *stage; stage++) {
    text_puts(&text, stage == pipeline->stages ? "" : ",");
    substitute(*stage, pipeline, values, &text);
  }
  pass_values_free(values);
  const char *whole = parser->text, *at = parser->at;
  parser->text = parser->at = text_string(&text);
  tile_status status = parse_list(parser, manager, depth + 1);
  parser->text = whole;
  parser->at = at;
  text_free(&text);
  return status;
}

static const struct pipeline_info *find_pipeline(struct slice name) {
  for (size_t i = 0; pipeline_table[i].flag; i++)
    if (slice_equals(name, pipeline_table[i].flag))
      return &pipeline_table[i];
  return NULL;
}

/* --- Passes that are left out ----------------------------------------------------------------- */

const char *passes_skipped(void) {
  const char *names = getenv("TILE_SKIP_PASSES");
  return names ? names : "";
}

/* The next flag of passes_skipped(), from *at on; false at the end. */
static bool next_skipped(const char **at, struct slice *out) {
  *at += strspn(*at, ", ");
  *out = (struct slice){*at, strcspn(*at, ", ")};
  *at += out->length;
  return out->length > 0;
}

static bool is_skipped(struct slice name) {
  const char *at = passes_skipped();
  for (struct slice skipped; next_skipped(&at, &skipped);)
    if (skipped.length == name.length && memcmp(skipped.data, name.data, name.length) == 0)
      return true;
  return false;
}

/* Does a pipeline mark this pass as one that it can do without? */
static bool is_optional(struct slice name) {
  for (size_t i = 0; pipeline_table[i].flag; i++)
    for (const char *const *stage = pipeline_table[i].stages; *stage; stage++)
      if (**stage == '?' && strcspn(*stage + 1, "<{") == name.length &&
          memcmp(*stage + 1, name.data, name.length) == 0)
        return true;
  return false;
}

static tile_status check_skipped(void) {
  const char *at = passes_skipped();
  for (struct slice name; next_skipped(&at, &name);)
    if (!is_optional(name))
      return FAIL(TILE_INVALID_ARGUMENT,
                  "TILE_SKIP_PASSES: '%.*s' is no pass that a kernel can do without; those begin "
                  "with ? in lib/ir/pipelines.def",
                  (int)name.length, name.data);
  return NULL;
}

/* Is a stage `?PASS` or `?PASS<NEEDED` left out? Its name becomes PASS. */
static bool is_left_out(struct slice *name) {
  *name = (struct slice){name->data + 1, name->length - 1};
  const char *mark = memchr(name->data, '<', name->length);
  if (!mark)
    return is_skipped(*name);
  size_t length = (size_t)(mark - name->data);
  struct slice needed = {mark + 1, name->length - length - 1};
  name->length = length;
  return is_skipped(*name) || is_skipped(needed);
}

static tile_status parse_pass(struct pipeline_parser *parser, MlirOpPassManager manager,
                              struct slice name, int depth) {
  struct slice options;
  bool left_out = depth > 0 && *name.data == '?' && is_left_out(&name);
  TRY(parse_braces(parser, &options));
  if (left_out)
    return NULL;
  const struct pipeline_info *pipeline = find_pipeline(name);
  if (pipeline)
    return expand_pipeline(parser, manager, pipeline, options, depth);
  const struct pipeline_options *how = parser->options;
  const struct pass_info *pass = pass_find(name);
  struct pass_value values[MAX_PASS_OPTIONS];
  if (pass)
    TRY(check_anchor(parser, pass));
  if (pass)
    TRY(pass_parse_options(pass->flag, pass->options, options, values));
  if (how->print_before_all || is_listed(name, how->print_before, how->print_before_count))
    add_printer(parser, manager, "Before", name);
  if (pass)
    add_own(parser, manager, pass, values);
  else
    TRY(add_upstream(parser, manager, name, options));
  if (pass && how->verify_each)
    add_own(parser, manager, &pass_table[PASS_verify], NULL);
  if (how->print_after_all || is_listed(name, how->print_after, how->print_after_count))
    add_printer(parser, manager, "After", name);
  return NULL;
}

static tile_status parse_element(struct pipeline_parser *parser, MlirOpPassManager manager,
                                 int depth) {
  struct slice name = parse_name(parser);
  if (name.length == 0)
    return syntax_error(parser, "a pass or an operation's name is missing");
  if (*parser->at != '(')
    return parse_pass(parser, manager, name, depth);
  if (depth == DEEPEST_PIPELINE)
    return syntax_error(parser, "pipelines are nested too deep");
  parser->at++;
  MlirOpPassManager nested = manager;
  if (depth > 0 || !slice_equals(name, "builtin.module"))
    nested = mlirOpPassManagerGetNestedUnder(manager, mlirStringRefCreate(name.data, name.length));
  struct slice outside = parser->anchor;
  parser->anchor = name;
  TRY(parse_list(parser, nested, depth + 1));
  parser->anchor = outside;
  if (*parser->at != ')')
    return syntax_error(parser, "')' is missing");
  parser->at++;
  skip_spaces(parser);
  return NULL;
}

static tile_status parse_list(struct pipeline_parser *parser, MlirOpPassManager manager,
                              int depth) {
  skip_spaces(parser);
  if (*parser->at == 0 || *parser->at == ')')
    return NULL;
  for (;;) {
    TRY(parse_element(parser, manager, depth));
    if (*parser->at != ',')
      return NULL;
    parser->at++;
  }
}

static tile_status check_pass_names(const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct slice name = slice_of(names[i]);
    if (!pass_find(name) && upstream_row(name) < 0)
      return unknown_pass(name);
  }
  return NULL;
}

static tile_status build_pipeline(struct pipeline_parser *parser, MlirOpPassManager manager) {
  const struct pipeline_options *how = parser->options;
  TRY(check_pass_names(how->print_before, how->print_before_count));
  TRY(check_pass_names(how->print_after, how->print_after_count));
  TRY(check_skipped());
  add_own(parser, manager, &pass_table[PASS_verify], NULL);
  TRY(parse_list(parser, manager, 0));
  return *parser->at ? syntax_error(parser, "the pipeline should end here") : NULL;
}

tile_status pipeline_run(struct session *session, const char *text,
                         const struct pipeline_options *options, MlirModule module) {
  passes_register_upstream();
  MlirPassManager manager = mlirPassManagerCreate(session->context);
  mlirPassManagerEnableVerifier(manager, options->verify_each);
  if (options->timing)
    mlirPassManagerEnableTiming(manager);
  struct pipeline_parser parser = {.session = session,
                                   .options = options,
                                   .text = text,
                                   .at = text,
                                   .anchor = slice_of("builtin.module")};
  tile_status status = build_pipeline(&parser, mlirPassManagerGetAsOpPassManager(manager));
  if (!status) {
    size_t errors = session->diagnostics.errors;
    MlirLogicalResult ran = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
    if (FAILED(ran) && session->diagnostics.errors == errors)
      status = FAIL(TILE_INTERNAL, "a pass failed without saying why");
    else if (FAILED(ran))
      status = FAIL(TILE_INVALID_ARGUMENT, "%zu error(s) in the kernel",
                    session->diagnostics.errors - errors);
  }
  mlirPassManagerDestroy(manager);
  arena_destroy(&parser.arena);
  return status;
}
