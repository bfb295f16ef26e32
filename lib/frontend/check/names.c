/* SPDX-License-Identifier: MIT */
/* What names stand for: variables, builtins, the file's own functions, classes and constants.

   A constant of the file is evaluated where it is used, in a frame of its own, so that variables of
   the kernel do not shadow the names in it. */
#include <string.h>
#include "frontend/check/control.h"
#include "frontend/check/objects.h"
#include "frontend/eval/host.h"
#include "frontend/resolve.h"

enum { DEEPEST_GLOBAL = 32 };

/* --- The file's names ------------------------------------------------------------------------- */

bool check_in_scope(struct checker *c, const struct scope *scope, const char *name,
                    const struct node *expression, struct span use, struct value *out) {
  for (const struct frame *frame = c->frame; frame; frame = frame->caller)
    if (frame->kind == FRAME_GLOBAL && frame->kernel->name == name &&
        frame->expression == expression)
      return check_fail(c, use, "the value of '%s' depends on itself", name);
  if (c->global_depth >= DEEPEST_GLOBAL)
    return check_fail(c, use, "constants depend on one another more than %d deep", DEEPEST_GLOBAL);
  if (!count_statement_at(c, use))
    return false;
  struct kernel *kernel = ARENA_NEW(&c->e.arena, struct kernel);
  *kernel = (struct kernel){.name = name, .scope = scope};
  struct frame frame = {.kind = FRAME_GLOBAL,
                        .kernel = kernel,
                        .expression = expression,
                        .caller = c->frame,
                        .call = use};
  c->frame = &frame;
  c->global_depth++;
  bool good = check_expression(c, expression, out);
  c->global_depth--;
  c->frame = frame.caller;
  map_free(&frame.variables);
  return good;
}

static bool function_value(struct checker *c, const struct node *node, const struct scope *scope,
                           struct value *out) {
  const struct kernel *kernel = module_kernel_of(c->module, node);
  struct span span = node->span; /* in another file, errors count from the first use on */
  if (module_file(c->module, span.offset) != c->module && module_report_deferred(c->module, &span))
    return false;
  if (kernel) {
    *out = (struct value){.kind = VALUE_FUNCTION, .object = kernel};
    return true;
  }
  struct callable *callable = ARENA_NEW(&c->e.arena, struct callable);
  struct kernel *named = ARENA_NEW(&c->e.arena, struct kernel);
  *named = (struct kernel){.name = node->function.name, .scope = scope};
  *callable = (struct callable){.node = node, .kernel = named};
  *out = (struct value){.kind = VALUE_CALLABLE, .object = callable};
  return true;
}

/* Made when it is first needed; it remembers values. */
static struct host *host_of(struct checker *c) {
  if (!c->host) {
    c->host = ARENA_NEW(&c->e.arena, struct host);
    *c->host = (struct host){.eval = {&host_rules, &c->e.arena},
                             .module = c->module,
                             .scope = c->module->scope,
                             .capability = c->e.capability,
                             .language_has = builtin_exists};
  }
  return c->host;
}

/* What host code makes of a name: for all that is no plain expression of a kernel's language. */
static bool host_global(struct checker *c, const struct binding *binding, struct span use,
                        struct value *out) {
  struct host *host = host_of(c);
  struct value value;
  size_t left = MAX_GIVEN;
  host->scope = binding->scope;
  host_begin(host, UINT32_MAX);
  if (!host_binding(host, binding, use, &value))
    return false;
  if (value.kind == VALUE_NAME)
    return builtin_of_name(c, value.text.data, out) == BUILTIN_FOUND;
  if (value.kind == VALUE_HOST_FUNCTION && node_is(value.function->node, NODE_FUNCTION))
    return function_value(c, value.function->node, value.function->scope, out);
  return host_to_constant(host, &value, 0, &left, out);
}

static bool meaning_value(struct checker *c, const struct meaning *meaning, struct span use,
                          struct value *out);

static bool import_value(struct checker *c, const struct binding *binding, struct span use,
                         struct value *out) {
  struct meaning meaning = meaning_of_import(binding);
  if (meaning.kind == MEANS_BINDING || meaning.kind == MEANS_MODULE ||
      meaning.kind == MEANS_MISSING)
    return meaning_value(c, &meaning, use, out);
  bool library = package_is_library(binding->module);
  const struct packages *packages = c->module->root->packages;
  if (!binding->original)
    check_fail(c, use,
               "'%s' is a module of Python that a kernel cannot use; pass what you need of it as a "
               "tl.constexpr",
               binding->name);
  else
    check_fail(
        c, use, "'%s' comes from '%s', %s", binding->name, binding->module,
        library ? "and is nothing that a kernel can use; pass what you need of it as a "
                  "tl.constexpr"
        : packages && packages->options.read
            ? "which is not beside the kernel's file; name the folder in which it lies with -I DIR"
            : "another file, and no other file is read here; set import_folders or read_source of "
              "tile_import_options: for files beside the kernel's the folder \"\" will do");
  check_note(c, binding->span, "bound here");
  return false;
}

static bool binding_value(struct checker *c, const struct binding *binding,
                          const struct scope *scope, struct span use, struct value *out) {
  switch (binding->kind) {
  case BINDING_FUNCTION:
    return function_value(c, binding->node, scope, out);
  case BINDING_CLASS:
    if (class_is_record(scope, binding->node) || class_is_aggregate(scope, binding->node))
      return record_of_class(c, scope, binding->node, out);
    *out = (struct value){.kind = VALUE_CLASS, .object = binding->node};
    return true;
  case BINDING_ASSIGNMENT: {
    const struct kernel *made = binding->value ? module_kernel_of(c->module, binding->value) : NULL;
    if (made) {
      *out = (struct value){.kind = VALUE_FUNCTION, .object = made};
      return true;
    }
    /* Lists that later statements change, and the like, are the host's. */
    bool changed = host_is_changed(host_of(c), binding);
    if (changed && host_global(c, binding, use, out))
      return true;
    struct problems before = c->module->problems;
    if (binding->value && check_in_scope(c, scope, binding->name, binding->value, use, out))
      return true;
    if (!changed && host_global(c, binding, use, out)) {
      check_rollback(c, &before);
      return true;
    }
    if (binding->value)
      return false;
    check_fail(c, use, "the value of '%s' cannot be told from the file; pass it as a tl.constexpr",
               binding->name);
    break;
  }
  case BINDING_BROKEN: {
    struct span span = binding->node->span;
    check_fail(c, use, "'%s' has a syntax error", binding->name);
    module_report_deferred(c->module, &span);
    return false;
  }
  case BINDING_IMPORT:
    return import_value(c, binding, use, out);
  case BINDING_OTHER:
    if (node_is(binding->node, NODE_FUNCTION))
      check_fail(c, use,
                 "'%s' is a parameter of '%s', which is known when that is called; pass it to the "
                 "kernel as a tl.constexpr",
                 binding->name, binding->node->function.name);
    else
      check_fail(c, use, "'%s' has no value that a kernel can use; pass it as a tl.constexpr",
                 binding->name);
    break;
  }
  check_note(c, binding->span, "bound here");
  return false;
}

/* Notes for the import statements that led to where a problem is, the kernel's first. */
static void note_imports(struct checker *c, const struct meaning *meaning) {
  for (int depth = 0; meaning && meaning->import && depth < 16; meaning = meaning->next, depth++)
    check_note(c, meaning->import->span, "imported here");
}

static bool meaning_value(struct checker *c, const struct meaning *meaning, struct span use,
                          struct value *out) {
  const struct problem *before = c->problem;
  bool good = false;
  if (meaning->kind == MEANS_MODULE) {
    *out = (struct value){.kind = VALUE_MODULE, .text = slice_of(meaning->name)};
    return true;
  }
  if (meaning->kind == MEANS_MISSING)
    check_fail(c, use, "%s", meaning->why);
  else
    good = binding_value(c, meaning->binding, meaning->binding->scope, use, out);
  if (!good && c->problem != before)
    note_imports(c, meaning);
  return good;
}

bool check_imported(struct checker *c, const struct node *node, bool *found, struct value *out) {
  const struct node *root = node;
  struct meaning meaning;
  while (node_is(root, NODE_ATTRIBUTE))
    root = root->attribute.value;
  *found = node_is(root, NODE_NAME) && !frame_find(c->frame, root->name.id) &&
           meaning_of(c->frame->kernel->scope, node, &meaning) && meaning.import &&
           (meaning.kind == MEANS_BINDING || meaning.kind == MEANS_MODULE ||
            meaning.kind == MEANS_MISSING);
  return *found && meaning_value(c, &meaning, node->span, out);
}

bool check_file_member(struct checker *c, const struct value *module, const struct node *node,
                       bool *found, struct value *out) {
  struct module *file = NULL;
  const char *path = words_intern(&c->module->words, module->text.data);
  if (c->module->packages && !package_is_library(path))
    file = package_submodule(c->module, NULL, path);
  *found = file != NULL;
  if (!file)
    return false;
  struct meaning meaning = meaning_of_member(file, node->attribute.name);
  if (meaning.kind == MEANS_OUTSIDE)
    return builtin_of_name(c, meaning.name, out) == BUILTIN_FOUND ||
           check_fail(c, node->attribute.name_span, "'%s' is not supported", meaning.name);
  return meaning_value(c, &meaning, node->span, out);
}

/* --- Names ------------------------------------------------------------------------------------ */

static bool fail_poison(struct checker *c, const struct node *node,
                        const struct variable *variable) {
  const char *name = node->name.id;
  switch (variable->value.poison) {
  case POISON_ERROR:
    return false; /* that error has been told */
  case POISON_BRANCH:
    check_fail(c, node->span,
               "'%s' has a value only if one branch of a run-time 'if' was taken; assign it before "
               "the 'if', or in both branches",
               name);
    break;
  case POISON_LOOP:
    check_fail(
        c, node->span,
        "'%s' is first assigned inside a run-time loop, which may run no time; give it a value "
        "before the loop",
        name);
    break;
  case POISON_INDEX:
    check_fail(c, node->span,
               "'%s' is the variable of a run-time loop and has no value after it; copy it to a "
               "variable that has one before the loop",
               name);
    break;
  }
  check_note(c, variable->assigned,
             variable->value.poison == POISON_BRANCH ? "assigned here" : "the loop");
  return false;
}

struct nearest {
  const char *names[64];
  size_t count;
};

static void add_names(struct nearest *nearest, const struct map *map) {
  for (size_t i = 0; i < map->capacity && nearest->count < 64; i++)
    if (map->slots[i].key)
      nearest->names[nearest->count++] = map->slots[i].key;
}

static bool fail_undefined(struct checker *c, const struct node *node) {
  struct nearest nearest = {0};
  const char *name = node->name.id;
  if (builtin_find(name))
    return check_fail(c, node->span, "'%s' is not defined; did you mean 'tl.%s'?", name, name);
  add_names(&nearest, &c->frame->variables);
  for (const struct scope *scope = c->frame->kernel->scope; scope; scope = scope->parent)
    add_names(&nearest, &scope->names);
  bool is_short = strlen(name) < 3; /* everything is near a letter */
  return check_fail(c, node->span, "'%s' is not defined%s", name,
                    is_short ? ""
                             : word_suggestion(&c->e.arena, name, nearest.names, nearest.count));
}

/* Of several definitions, as in try: from a import f, except: f = ..., one that stands in the file.
 */
static const struct binding *readable(const struct binding *binding) {
  for (const struct binding *at = binding; at; at = at->earlier)
    if (at->kind != BINDING_IMPORT)
      return at;
  return binding;
}

/* Globals that are surely no tl.constexpr: assigned once, numbers and the like, as they stand or
   computed from one another. What a call makes may be one; None and types may always be used. */
static bool is_plain_global(const struct binding *binding, int depth);

static bool is_plain(const struct scope *scope, const struct node *node, int depth) {
  const struct binding *binding;
  bool plain = true;
  switch (node->kind) {
  case NODE_INTEGER:
  case NODE_FLOAT:
  case NODE_STRING:
  case NODE_BOOL:
    return true;
  case NODE_UNARY:
    return is_plain(scope, node->unary.operand, depth);
  case NODE_BINARY:
    return is_plain(scope, node->binary.left, depth) && is_plain(scope, node->binary.right, depth);
  case NODE_TUPLE:
    for (uint32_t i = 0; i < node->tuple.elements.count && plain; i++)
      plain = is_plain(scope, node->tuple.elements.items[i], depth);
    return plain;
  case NODE_NAME:
    binding = scope_find(scope, node->name.id);
    return binding && is_plain_global(binding, depth + 1);
  default:
    return false;
  }
}

static bool is_plain_global(const struct binding *binding, int depth) {
  if (binding->kind == BINDING_IMPORT) {
    struct meaning meaning = meaning_of_import(binding);
    if (meaning.kind != MEANS_BINDING || meaning.binding->kind == BINDING_IMPORT)
      return false;
    binding = meaning.binding;
  }
  return depth < DEEPEST_GLOBAL && binding->kind == BINDING_ASSIGNMENT && binding->value &&
         !binding->guard && !binding->earlier && is_plain(binding->scope, binding->value, depth);
}

static bool fail_plain_global(struct checker *c, const struct node *node,
                              const struct binding *binding) {
  check_fail(c, node->span,
             "Cannot access global variable %s from within @jit'ed function: a kernel takes "
             "globals that are made by "
             "tl.constexpr(...) alone, an annotation does not do; make it one, pass it as a "
             "tl.constexpr, or set "
             "TRITON_ALLOW_NON_CONSTEXPR_GLOBALS=1",
             node->name.id);
  check_note(c, binding->span, "bound here");
  return false;
}

bool check_name(struct checker *c, const struct node *node, struct value *out) {
  struct variable *variable = frame_find(c->frame, node->name.id);
  if (variable && variable->value.kind == VALUE_POISON)
    return fail_poison(c, node, variable);
  if (variable) {
    *out = variable->value;
    return true;
  }
  enum builtin_lookup found = builtin_resolve(c, node, out);
  if (found == BUILTIN_FOUND)
    return true;
  if (found == BUILTIN_UNKNOWN)
    return builtin_fail_unknown(c, node);
  const struct scope *scope = c->frame->kernel->scope;
  const struct binding *binding = scope_find(scope, node->name.id);
  if (binding && c->frame->kind == FRAME_JIT && is_plain_global(binding, 0) && !c->plain_globals)
    return fail_plain_global(c, node, binding);
  if (binding)
    return check_global(c, node->name.id, node->span, out);
  bool star; /* from x import * */
  bool good = check_imported(c, node, &star, out);
  return star ? good : fail_undefined(c, node);
}

/* Several definitions under an `if` whose condition host code cannot tell: the message says which
   one is taken. */
static void warn_of_choice(struct checker *c, const struct binding *binding) {
  struct problems *problems = &c->module->problems;
  const struct source *source = module_source(c->module, binding->span.offset);
  if (!binding->guard || binding->guard->kind != GUARD_BRANCH)
    return;
  for (const struct problem *at = problems->first; at; at = at->next)
    if (at->severity == PROBLEM_WARNING && at->span.offset == binding->span.offset)
      return;
  problems_add(
      problems, PROBLEM_WARNING, source, binding->span,
      "'%s' is defined under a condition that is known at run time only; this definition is "
      "taken",
      binding->name);
}

bool check_global(struct checker *c, const char *word, struct span use, struct value *out) {
  const struct scope *scope = c->frame->kernel->scope;
  bool sure = true;
  const struct binding *binding = scope_find(scope, word);
  if (binding && (binding->guard || binding->earlier))
    binding = binding_choose(binding, &sure);
  if (!sure) {
    binding = readable(binding);
    warn_of_choice(c, binding);
  }
  return binding && binding_value(c, binding, binding->scope, use, out);
}

/* --- Classes ---------------------------------------------------------------------------------- */

static const struct scope *class_scope(struct checker *c, const struct node *class) {
  for (const struct scope *scope = c->module->scope; scope; scope = scope->next)
    if (scope->owner == class)
      return scope;
  return NULL;
}

/* The value that the body of a class without kernels gives a name; NULL. */
static const struct node *class_member(const struct node *class, const char *name,
                                       const struct node **function) {
  const struct node_list *body = &class->class_definition.body;
  const struct node *found = NULL;
  *function = NULL;
  for (uint32_t i = 0; i < body->count; i++) {
    const struct node *node = body->items[i];
    if (node_is(node, NODE_FUNCTION) && node->function.name == name)
      *function = node;
    if (node_is(node, NODE_ANNOTATED) && node_is(node->annotated.target, NODE_NAME) &&
        node->annotated.target->name.id == name && node->annotated.value)
      found = node->annotated.value;
    if (node_is(node, NODE_ASSIGN) && node->assign.targets.count == 1 &&
        node_is(node->assign.targets.items[0], NODE_NAME) &&
        node->assign.targets.items[0]->name.id == name)
      found = node->assign.value;
  }
  return found;
}

bool check_class_attribute(struct checker *c, const struct node *class, const struct node *node,
                           struct value *out) {
  const char *name = node->attribute.name;
  const struct scope *scope = class_scope(c, class);
  const struct binding *binding = scope ? map_get(&scope->names, name) : NULL;
  if (binding)
    return binding_value(c, binding, scope, node->span, out);
  const struct node *function;
  const struct node *value = class_member(class, name, &function);
  const struct scope *file = module_file(c->module, class->span.offset)->scope;
  if (value)
    return check_in_scope(c, file, name, value, node->span, out);
  if (function)
    return function_value(c, function, file, out);
  return check_fail(c, node->attribute.name_span, "the class '%s' has no attribute '%s'",
                    class->class_definition.name, name);
}
