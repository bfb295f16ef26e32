/* SPDX-License-Identifier: MIT */
/* The entry: file to tree, signature to parameters, body to a function. */
#include "frontend/import/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/status.h"
#include "frontend/check/checker.h"
#include "frontend/check/signature.h"
#include "frontend/config/choice.h"
#include "frontend/resolve.h"

/* --- Problems to the session's sink ----------------------------------------------------------- */

/* A message in the words of who hears it. */
static const char *in_words(const struct diagnostics *sink, const char *message, struct text *out) {
  if (!sink->words)
    return message;
  sink->words(message, out);
  return text_string(out);
}

static void forward(const struct problem_line *line, void *data) {
  struct diagnostics *sink = data;
  struct text message = {0};
  const struct diagnostic diagnostic = {.severity = (enum severity)line->severity,
                                        .file = line->source->name,
                                        .line = line->place.line,
                                        .column = line->place.column,
                                        .message = in_words(sink, line->message, &message)};
  diagnostics_keep_first(sink, &diagnostic);
  if (sink->record)
    diagnostics_note(sink->record, &diagnostic);
  if (sink->handler)
    sink->handler(&diagnostic, sink->data);
  text_free(&message);
}

void import_deliver_problems(struct session *session, const struct problems *problems) {
  struct diagnostics *sink = &session->diagnostics;
  sink->errors += problems->errors;
  problems_deliver(problems, forward, sink);
  struct text text = {0}, words = {0};
  problems_print(problems, &text);
  const char *printed = in_words(sink, text_string(&text), &words);
  if (sink->record)
    text_puts(&sink->record->printed, printed);
  if (!sink->handler)
    fputs(printed, sink->stream);
  text_free(&words);
  text_free(&text);
}

/* --- Choosing the kernel ---------------------------------------------------------------------- */

static tile_status choose_kernel(struct module *module, const char *name,
                                 const struct kernel **out) {
  struct text names = {0};
  size_t count = 0;
  for (size_t i = 0; i < module->kernel_count; i++) {
    const struct kernel *kernel = &module->kernels[i];
    if (kernel->replaced_by)
      continue;
    *out = kernel;
    text_printf(&names, "%s%s", count++ ? ", " : "", kernel->qualified);
  }
  tile_status status = NULL;
  if (name)
    *out = module_find_kernel(module, name);
  if (count == 0) {
    module_report_deferred(module, NULL);
    status = FAIL(TILE_NOT_FOUND, "'%s' has no kernel: no function is decorated with triton.jit",
                  module->source.name);
  } else if (name && !*out) {
    status =
        FAIL(TILE_NOT_FOUND, "there is no kernel '%s'; there is %s", name, text_string(&names));
  } else if (!name && count > 1) {
    status = FAIL(TILE_INVALID_ARGUMENT, "the file has %zu kernels; choose one with --kernel: %s",
                  count, text_string(&names));
  }
  text_free(&names);
  return status;
}

/* --- Parameters ------------------------------------------------------------------------------- */

/* What each parameter is: from --constexpr, else from the chosen configuration or a heuristic, else
   the next entry of the signature, else its default. A signature with an entry for every parameter
   that --constexpr leaves is taken as it stands. */
struct parameters {
  struct config_choice choice;
  struct signature_entry *entries; /* one a parameter */
  const struct node_list *nodes;
  size_t run_time; /* how many arguments a launch passes */
};

/* A builtin that the file imports: from triton.language.extra.cuda import globaltimer as now. */
static bool find_imported(struct checker *c, const char *word, struct value *out) {
  struct meaning meaning = meaning_of_word(c->frame->kernel->scope, word);
  return meaning.kind == MEANS_OUTSIDE && meaning.name &&
         builtin_of_name(c, meaning.name, out) == BUILTIN_FOUND;
}

/* Names in values: functions and constants of the file. */
static bool find_name(struct signature_names *names, struct slice name, struct value *out) {
  struct checker *c = names->data;
  char *copy = arena_copy_string(&c->e.arena, name.data, name.length);
  const char *word = words_find(&c->module->words, copy);
  struct problems before = c->module->problems;
  if (strchr(copy, '.') && builtin_of_name(c, copy, out) == BUILTIN_FOUND) /* tl.add */
    return true;
  if (word && find_imported(c, word, out))
    return true;
  bool found = word && check_global(c, word, c->frame->kernel->function->function.name_span, out) &&
               value_is_constant(out);
  check_rollback(c, &before);
  return found;
}

static tile_status find_constant(struct checker *c, const struct import_options *options,
                                 const char *name, struct signature_entry *out, bool *found) {
  const char *text = option_value(options->constants, options->constant_count, name);
  struct signature_names names = {&c->e.arena, find_name, c};
  *found = text != NULL;
  if (!text)
    return NULL;
  *out = (struct signature_entry){0};
  return signature_constant(&names, slice_of(text), &out->constant);
}

static tile_status check_constants_used(const struct import_options *options,
                                        const struct kernel *kernel) {
  for (size_t i = 0; i < options->constant_count; i++) {
    const char *text = options->constants[i];
    struct slice name = {text, strcspn(text, "=")};
    if (!text[name.length])
      return FAIL(TILE_INVALID_ARGUMENT, "--constexpr '%s' has no value; write NAME=VALUE", text);
    if (kernel_parameter(kernel, name) < 0 && !is_launch_option(name))
      return FAIL(TILE_INVALID_ARGUMENT, "--constexpr '%s': kernel '%s' has no parameter '%.*s'",
                  text, kernel->name, (int)name.length, text);
  }
  return NULL;
}

/* The default of a parameter that the signature leaves out. */
static tile_status find_default(struct checker *c, const struct import_options *options,
                                const struct config_choice *choice, const struct node *node,
                                struct signature_entry *out) {
  const struct node_parameter *parameter = &node->parameter;
  const struct kernel *kernel = c->frame->kernel;
  if (!parameter->default_value)
    return choice_missing(choice, options, parameter);
  if (!check_in_scope(c, kernel->scope, parameter->name, parameter->default_value, node->span,
                      &out->constant) ||
      !value_is_constant(&out->constant))
    return FAIL(TILE_INVALID_ARGUMENT, "the default of parameter '%s' is no compile-time value",
                parameter->name);
  return NULL;
}

static tile_status check_parameter(const struct node *node) {
  enum parameter_style style = node->parameter.style;
  if (style == PARAMETER_REST || style == PARAMETER_KEYWORD_REST)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "parameter '%s': a kernel has a fixed number of parameters; '*' is for functions that "
        "it calls",
        node->parameter.name);
  return NULL;
}

static tile_status check_entry(const struct node *node, const struct signature_entry *entry) {
  const struct node_parameter *parameter = &node->parameter;
  if (entry->kind != SIGNATURE_CONSTANT && check_is_constexpr(parameter->annotation))
    return FAIL(TILE_INVALID_ARGUMENT,
                "parameter '%s' is a tl.constexpr: give its value, in the signature or with "
                "--constexpr %s=VALUE",
                parameter->name, parameter->name);
  return NULL;
}

static void count_argument(const struct signature_entry *part, const char *name, void *data) {
  (void)part, (void)name;
  ++*(size_t *)data;
}

/* Each argument's name is a parameter's. */
static tile_status check_derived_names(const char *names, const struct kernel *kernel) {
  for (const char *at = names; at && *at;) {
    size_t length = strcspn(at, ",");
    if (kernel_parameter(kernel, (struct slice){at, length}) < 0)
      return FAIL(TILE_INVALID_ARGUMENT, "--arg %.*s: kernel '%s' has no parameter '%.*s'",
                  (int)length, at, kernel->name, (int)length, at);
    at += length + (at[length] == ',');
  }
  return NULL;
}

static tile_status check_supply_used(const struct signature_supply *supply,
                                     const struct kernel *kernel) {
  if (supply->names || supply->next == supply->count)
    return NULL;
  return FAIL(TILE_INVALID_ARGUMENT, "the signature has %zu entries, kernel '%s' takes %zu",
              supply->count, kernel->name, supply->next);
}

static tile_status bind_signature(struct checker *c, const struct import_options *options,
                                  struct parameters *out) {
  const struct kernel *kernel = c->frame->kernel;
  struct signature_names names = {&c->e.arena, find_name, c};
  struct signature_supply supply = {.names = options->derived_names};
  TRY(check_constants_used(options, kernel));
  TRY(check_derived_names(options->derived_names, kernel));
  TRY(signature_parse(&names, options->signature ? options->signature : "", &supply.entries,
                      &supply.count));
  out->nodes = &kernel->function->function.parameters;
  out->entries = ARENA_ARRAY(&c->e.arena, struct signature_entry, out->nodes->count + 1);
  bool complete = supply.count + option_parameters(options, kernel) >= out->nodes->count;
  TRY(choice_begin(c, options, &out->choice));
  for (uint32_t i = 0; i < out->nodes->count; i++) {
    const struct node *node = out->nodes->items[i];
    const char *name = node->parameter.name;
    struct signature_entry *entry = &out->entries[i], *given = NULL;
    bool found;
    TRY(check_parameter(node));
    TRY(find_constant(c, options, name, entry, &found));
    if (!found && !complete && choice_sets(&out->choice, i))
      continue;
    if (!found)
      given = signature_supply_take(&supply, name);
    if (given) {
      *entry = *given;
      choice_generalize(&out->choice, options, i, entry);
    } else if (!found) {
      TRY(find_default(c, options, &out->choice, node, entry));
    }
    TRY(check_entry(node, entry));
    signature_walk(entry, "", count_argument, &out->run_time);
  }
  TRY(check_supply_used(&supply, kernel));
  return choice_finish(c, options, &out->choice, out->entries);
}

/* --- The function ----------------------------------------------------------------------------- */

/* The arguments of the function: types and attributes, as far as they are known. */
struct arguments {
  struct checker *c;
  MlirType *types;
  MlirAttribute *attributes;
  size_t count;
};

static void add_argument(const struct signature_entry *part, const char *name, void *data) {
  struct arguments *arguments = data;
  struct checker *c = arguments->c;
  MlirContext context = c->e.session->context;
  MlirNamedAttribute list[2] = {
      attribute_with(context, ATTR_ARGUMENT_NAME, attribute_string(context, name))};
  intptr_t count = 1;
  if (part->divisibility > 1)
    list[count++] = attribute_with(context, ATTR_DIVISIBILITY,
                                   attribute_integer(context, 32, part->divisibility));
  arguments->types[arguments->count] = dtype_to_mlir(&c->e, part->dtype);
  arguments->attributes[arguments->count++] = mlirDictionaryAttrGet(context, count, list);
}

static MlirOperation create_function(struct checker *c, MlirModule module,
                                     const struct parameters *parameters) {
  MlirContext context = c->e.session->context;
  MlirType *types = ARENA_ARRAY(&c->e.arena, MlirType, parameters->run_time + 1);
  MlirAttribute *attributes = ARENA_ARRAY(&c->e.arena, MlirAttribute, parameters->run_time + 1);
  struct arguments arguments = {c, types, attributes, 0};
  for (uint32_t i = 0; i < parameters->nodes->count; i++)
    signature_walk(&parameters->entries[i], parameters->nodes->items[i]->parameter.name,
                   add_argument, &arguments);
  size_t count = arguments.count;
  check_locate(c, c->frame->kernel->function->function.name_span);
  struct builder b = builder_at_end(context, mlirModuleGetBody(module), c->e.b.location);
  MlirRegion region = region_with_block(&b, (intptr_t)count, types);
  MlirType type = mlirFunctionTypeGet(context, (intptr_t)count, types, 0, NULL);
  MlirNamedAttribute named[] = {
      attribute_named(context, "sym_name", attribute_string(context, c->frame->kernel->name)),
      attribute_named(context, "function_type", mlirTypeAttrGet(type)),
      attribute_named(context, "arg_attrs", mlirArrayAttrGet(context, (intptr_t)count, attributes)),
      attribute_with(context, ATTR_KERNEL, mlirUnitAttrGet(context)),
  };
  return build_op(&b, &(struct op_spec){.name = "func.func",
                                        .attributes = named,
                                        .attribute_count = 4,
                                        .regions = &region,
                                        .region_count = 1});
}

/* p: tl.const */
static bool is_const(const struct checker *c, const struct node *annotation) {
  const char *path = annotation ? scope_path(c->frame->kernel->scope, annotation) : "";
  return strcmp(path, "triton.language.const") == 0 ||
         strcmp(path, "triton.language.core.const") == 0;
}

/* A type as annotation (n: tl.int64) is the parameter's type in the kernel, whatever the
   argument's. */
static bool convert_parameter(struct checker *c, const struct node *node, struct value *value) {
  const struct node *annotation = node->parameter.annotation;
  struct value type;
  if (value->kind == VALUE_RUNTIME && value->run_time.dtype.pointers && annotation)
    value->run_time.dtype.constant |= is_const(c, annotation);
  if (value->kind != VALUE_RUNTIME || value->run_time.dtype.pointers || !annotation ||
      builtin_resolve(c, annotation, &type) != BUILTIN_FOUND || type.kind != VALUE_DTYPE ||
      type.dtype.pointers)
    return true;
  check_locate(c, node->span);
  return emit_cast(&c->e, value, type.dtype, value) || check_fail_emitter(c, node->span);
}

/* The parts of a descriptor: base, shape, strides, block, padding (views.c). */
static bool descriptor_value(struct checker *c, const struct signature_entry *entry,
                             struct value *parts, struct value *out) {
  size_t rank = (entry->part_count - 1) / 2, count = entry->part_count;
  for (size_t i = 1; i <= 2 * rank; i++)
    if (parts[i].kind == VALUE_RUNTIME && !emit_cast(&c->e, &parts[i], DTYPE(INT64), &parts[i]))
      return check_fail_emitter(c, c->frame->kernel->function->function.name_span);
  for (size_t i = 0; i < rank; i++)
    parts[count++] = value_integer(entry->block[i]);
  parts[count++] = value_integer(entry->pads_with_nan);
  *out = (struct value){.kind = VALUE_DESCRIPTOR, .tuple = {parts, count}};
  return true;
}

/* The value of a parameter made of the function's next arguments. */
static bool parameter_value(struct checker *c, MlirBlock block, intptr_t *next,
                            const struct signature_entry *entry, struct value *out) {
  *out = entry->constant;
  if (entry->kind == SIGNATURE_RUN_TIME)
    *out = value_runtime(mlirBlockGetArgument(block, (*next)++), entry->dtype);
  if (entry->kind == SIGNATURE_RUN_TIME || entry->kind == SIGNATURE_CONSTANT)
    return true;
  struct value *parts = ARENA_ARRAY(&c->e.arena, struct value, entry->part_count + MAX_RANK + 1);
  for (size_t i = 0; i < entry->part_count; i++)
    if (!parameter_value(c, block, next, &entry->parts[i], &parts[i]))
      return false;
  if (entry->kind == SIGNATURE_DESCRIPTOR)
    return descriptor_value(c, entry, parts, out);
  *out = (struct value){.kind = VALUE_TUPLE, .tuple = {parts, entry->part_count, entry->record}};
  return true;
}

static void use_type(const struct signature_entry *part, const char *name, void *data) {
  (void)name;
  dtype_to_mlir(data, part->dtype);
}

static bool set_parameters(struct checker *c, MlirBlock block,
                           const struct parameters *parameters) {
  intptr_t next = 0;
  for (uint32_t i = 0; i < parameters->nodes->count; i++) {
    const struct node *node = parameters->nodes->items[i];
    const struct signature_entry *entry = &parameters->entries[i];
    struct value value;
    check_locate(c, node->span);
    c->e.lacked = NULL;
    signature_walk(entry, "", use_type, &c->e);
    if (!parameter_value(c, block, &next, entry, &value) || !convert_parameter(c, node, &value) ||
        !check_fp8(c, node->span))
      return false;
    frame_set(c, node->parameter.name, &value, node->span);
    frame_find(c->frame, node->parameter.name)->is_constexpr =
        check_is_constexpr(node->parameter.annotation);
  }
  return true;
}

/* Decorators that change nothing in what a kernel computes. */
static bool is_harmless(const struct kernel *kernel, const struct node *decorator) {
  const char *name = scope_path(kernel->made_in, decorator);
  return strncmp(name, "functools.", 10) == 0 || strcmp(name, "staticmethod") == 0 ||
         strcmp(name, "classmethod") == 0;
}

/* What a decorator of another library does at a launch is not known: the kernel below it is read.
 */
static void note_decorators(struct checker *c, const struct kernel *kernel) {
  for (uint32_t i = 0; i < kernel->unknown.count; i++)
    if (!is_harmless(kernel, kernel->unknown.items[i]))
      problems_add(&c->module->problems, PROBLEM_REMARK, &c->module->source,
                   kernel->unknown.items[i]->span,
                   "this decorator is not read; '%s' is taken as it stands below it", kernel->name);
}

static bool emit_function(struct checker *c, MlirModule module,
                          const struct parameters *parameters) {
  MlirOperation function = create_function(c, module, parameters);
  MlirBlock block = op_body(function, 0);
  struct value nothing;
  c->e.b = builder_at_end(c->e.session->context, block, c->e.b.location);
  note_decorators(c, c->frame->kernel);
  if (!set_parameters(c, block, parameters) ||
      !check_function(c, &c->frame->kernel->function->function.body, &nothing))
    return false;
  BUILD_OP(&c->e.b, "func.return", .in = NULL);
  return true;
}

static void visit_parameters(const struct parameters *parameters,
                             const struct import_options *options) {
  for (uint32_t i = 0; options->visit_parameter && i < parameters->nodes->count; i++) {
    const char *name = parameters->nodes->items[i]->parameter.name;
    const struct signature_entry *entry = &parameters->entries[i];
    if (entry->kind == SIGNATURE_CONSTANT)
      options->visit_parameter(entry, name, options->parameter_data);
    signature_walk(entry, name, options->visit_parameter, options->parameter_data);
  }
}

bool import_allows_plain_globals(void) {
  const char *value = getenv("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS");
  static const char *const words[] = {"1", "true", "on", "y", "yes"}; /* as Triton reads a switch */
  for (size_t i = 0; value && i < sizeof words / sizeof *words; i++)
    if (strcasecmp(value, words[i]) == 0)
      return true;
  return false;
}

static tile_status import_from(struct session *session, struct module *module,
                               const struct import_options *options, MlirModule *out) {
  struct checker c = {.eval = {&check_rules, &c.e.arena},
                      .e = {.session = session,
                            .capability = target_capability(options->target),
                            .machine = target_machine(options->target)},
                      .module = module,
                      .plain_globals = import_allows_plain_globals()};
  struct frame frame = {0};
  host_answer_conditions(module, c.e.capability, builtin_exists);
  TRY(choose_kernel(module, options->kernel, &frame.kernel));
  if (frame.kernel->function->function.is_async)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' is an 'async def'; a kernel is a plain 'def'",
                frame.kernel->name);
  c.frame = &frame;
  MlirModule result = mlirModuleCreateEmpty(mlirLocationUnknownGet(session->context));
  c.e.b = builder_at_end(session->context, mlirModuleGetBody(result),
                         mlirLocationUnknownGet(session->context));
  struct parameters parameters = {0};
  tile_status status = bind_signature(&c, options, &parameters);
  bool good = !status && !module->problems.errors && emit_function(&c, result, &parameters);
  if (good)
    visit_parameters(&parameters, options);
  choice_annotate(&parameters.choice, result);
  map_free(&frame.variables);
  map_free(&c.dotted);
  text_free(&c.e.error);
  arena_destroy(&c.e.arena);
  if (good) {
    *out = result;
    return NULL;
  }
  mlirModuleDestroy(result);
  if (!status)
    status = FAIL(TILE_INVALID_ARGUMENT, "%zu error(s) in the kernel", module->problems.errors);
  return status;
}

tile_status import_kernel(struct session *session, const char *name, const char *text,
                          size_t length, const struct import_options *options, MlirModule *out) {
  struct module module;
  tile_status status = NULL;
  if (length > SOURCE_LARGEST)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' is larger than 64 MiB", name);
  if (!module_read_with(&module, name, text, length, &options->packages))
    status = FAIL(TILE_INVALID_ARGUMENT, "%zu error(s) in '%s'", module.problems.errors, name);
  else
    status = import_from(session, &module, options, out);
  import_deliver_problems(session, &module.problems);
  for (size_t i = 0; options->visit_file && i < module.packages->file_count; i++)
    options->visit_file(module.packages->files[i]->source.name, options->visit_data);
  module_free(&module);
  return status;
}
