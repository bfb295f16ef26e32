/* SPDX-License-Identifier: MIT */
/* The index of a parsed file: scopes, bindings, kernels. One walk over the statements; functions
   are entered only if they contain kernels. */
#include "frontend/module.h"

#include <string.h>
#include "frontend/kernels.h"
#include "frontend/packages.h"
#include "frontend/parser.h"

/* The walk's state: where it is. */
struct indexer {
  struct module *module;
  struct scope *scope;
  const char *prefix; /* of qualified names: "" or "Class." */
  bool conditional, in_handler;
  const struct guard *guard;
  size_t kernels;                 /* filled in so far */
  struct candidate ***candidates; /* where the next one goes */
};

static struct arena *arena_of(const struct indexer *indexer) {
  return &indexer->module->root->arena;
}

/* --- Bindings --------------------------------------------------------------------------------- */

/* Makes `binding` what its name means, unless it comes from an `except` block and the name is bound
   outside of one. */
static void bind(struct indexer *indexer, const struct binding *fields) {
  struct binding *binding = ARENA_NEW(arena_of(indexer), struct binding);
  *binding = *fields;
  binding->conditional = indexer->conditional;
  binding->in_handler = indexer->in_handler;
  binding->guard = indexer->guard;
  binding->scope = indexer->scope;
  struct binding *current = map_get(&indexer->scope->names, binding->name);
  if (current && binding->in_handler && !current->in_handler) {
    binding->earlier = current->earlier;
    current->earlier = binding;
    return;
  }
  binding->earlier = current;
  map_set(&indexer->scope->names, binding->name, binding);
}

/* Binds the names in a target. `value` is what is assigned to the whole target, NULL if unknown. */
static void bind_target(struct indexer *indexer, struct node *target, struct node *value,
                        struct node *statement, enum binding_kind kind) {
  if (target->kind == NODE_NAME) {
    bind(indexer, &(struct binding){.name = target->name.id,
                                    .kind = kind,
                                    .span = target->span,
                                    .node = statement,
                                    .value = value});
    return;
  }
  if (target->kind == NODE_STARRED)
    bind_target(indexer, target->starred.value, NULL, statement, kind);
  const struct node_list *parts = node_elements(target), *values = node_elements(value);
  bool matches = parts->count == values->count;
  for (uint32_t i = 0; i < parts->count; i++)
    matches =
        matches && parts->items[i]->kind != NODE_STARRED && values->items[i]->kind != NODE_STARRED;
  for (uint32_t i = 0; i < parts->count; i++)
    bind_target(indexer, parts->items[i], matches ? values->items[i] : NULL, statement, kind);
}

static void bind_annotated(struct indexer *indexer, struct node *node) {
  struct node *target = node->annotated.target;
  if (!node->annotated.value || target->kind != NODE_NAME)
    return;
  bind(indexer, &(struct binding){.name = target->name.id,
                                  .kind = BINDING_ASSIGNMENT,
                                  .span = target->span,
                                  .node = node,
                                  .value = node->annotated.value,
                                  .annotation = node->annotated.annotation});
}

static const char *intern_prefix(struct indexer *indexer, const char *text, size_t length) {
  return words_slot(&indexer->module->root->words, text, length)->text;
}

static void bind_import(struct indexer *indexer, struct node *node) {
  for (uint32_t i = 0; i < node->import.names.count; i++) {
    struct node *alias = node->import.names.items[i];
    const char *name = alias->alias.name, *as_name = alias->alias.as_name;
    const char *first = intern_prefix(indexer, name, strcspn(name, "."));
    bind(indexer, &(struct binding){.name = as_name ? as_name : first,
                                    .kind = BINDING_IMPORT,
                                    .span = alias->span,
                                    .node = node,
                                    .module = as_name ? name : first});
  }
}

static void bind_import_from(struct indexer *indexer, struct node *node) {
  struct text path = {0};
  for (uint64_t i = 0; i < node->import_from.level; i++)
    text_puts(&path, ".");
  text_puts(&path, node->import_from.module ? node->import_from.module : "");
  const char *module = intern_prefix(indexer, text_string(&path), path.length);
  text_free(&path);
  for (uint32_t i = 0; i < node->import_from.names.count; i++) {
    struct node *alias = node->import_from.names.items[i];
    bind(indexer,
         &(struct binding){.name = alias->alias.as_name ? alias->alias.as_name : alias->alias.name,
                           .kind = BINDING_IMPORT,
                           .span = alias->span,
                           .node = node,
                           .module = module,
                           .original = alias->alias.name});
  }
}

/* --- Kernels ---------------------------------------------------------------------------------- */

static const char *qualify(struct indexer *indexer, const char *name, const char *suffix) {
  return words_intern(&indexer->module->root->words,
                      text_format(arena_of(indexer), "%s%s%s", indexer->prefix, name, suffix));
}

static void add_kernel(struct indexer *indexer, struct node *function) {
  struct kernel *kernel = &indexer->module->kernels[indexer->kernels++];
  *kernel = (struct kernel){.name = function->function.name,
                            .qualified = qualify(indexer, function->function.name, ""),
                            .function = function,
                            .decorators = function->function.decorators,
                            .offset = function->span.offset,
                            .scope = indexer->scope,
                            .made_in = indexer->scope};
  kernel_classify(arena_of(indexer), kernel);
  map_set(&indexer->module->root->kernel_of, function, kernel);
}

/* name = f(...): seen through once all functions are known. */
static void add_candidate(struct indexer *indexer, const struct node *node) {
  const struct node_list *targets = &node->assign.targets;
  if (targets->count != 1 || !node_is(targets->items[0], NODE_NAME) ||
      !node_is(node->assign.value, NODE_CALL))
    return;
  struct candidate *candidate = ARENA_NEW(arena_of(indexer), struct candidate);
  const char *name = targets->items[0]->name.id;
  *candidate = (struct candidate){.scope = indexer->scope,
                                  .name = name,
                                  .qualified = qualify(indexer, name, ""),
                                  .offset = node->span.offset,
                                  .call = node->assign.value};
  **indexer->candidates = candidate;
  *indexer->candidates = &candidate->next;
}

/* --- The walk --------------------------------------------------------------------------------- */

static void index_statements(struct indexer *indexer, const struct node_list *statements);

static struct scope *add_scope(struct module *module, struct scope *parent, struct node *owner) {
  struct scope *scope = ARENA_NEW(&module->root->arena, struct scope);
  *scope = (struct scope){.module = module, .parent = parent, .owner = owner};
  struct scope *first = module->root->scope;
  if (first) {
    scope->next = first->next;
    first->next = scope;
  }
  return scope;
}

/* The statements of a function or class, in a scope of its own. */
static void index_inside(struct indexer *indexer, struct node *owner, const char *name,
                         const struct node_list *parameters, const struct node_list *body) {
  struct indexer inner = {.module = indexer->module,
                          .scope = add_scope(indexer->module, indexer->scope, owner),
                          .prefix = qualify(indexer, name, "."),
                          .kernels = indexer->kernels,
                          .candidates = indexer->candidates};
  for (uint32_t i = 0; i < parameters->count; i++)
    bind(&inner, &(struct binding){.name = parameters->items[i]->parameter.name,
                                   .kind = BINDING_OTHER,
                                   .span = parameters->items[i]->span,
                                   .node = owner});
  index_statements(&inner, body);
  indexer->kernels = inner.kernels;
}

static void index_function(struct indexer *indexer, struct node *node) {
  const struct node_function *function = &node->function;
  bind(indexer, &(struct binding){.name = function->name,
                                  .kind = BINDING_FUNCTION,
                                  .span = function->name_span,
                                  .node = node});
  if (function->is_kernel)
    add_kernel(indexer, node);
  if (function->has_kernels)
    index_inside(indexer, node, function->name, &function->parameters, &function->body);
}

static void index_class(struct indexer *indexer, struct node *node) {
  const struct node_class_definition *class = &node->class_definition;
  bind(indexer,
       &(struct binding){
           .name = class->name, .kind = BINDING_CLASS, .span = class->name_span, .node = node});
  if (class->has_kernels)
    index_inside(indexer, node, class->name, &(struct node_list){0}, &class->body);
}

/* Blocks of `statement` that need not run. */
static void index_guarded(struct indexer *indexer, const struct node_list *statements,
                          const struct node *statement, enum guard_kind kind, uint32_t branch) {
  struct indexer inner = *indexer;
  if (statements->count == 0)
    return;
  struct guard *guard = ARENA_NEW(arena_of(indexer), struct guard);
  *guard = (struct guard){indexer->guard, kind, branch, statement};
  inner.guard = guard;
  inner.conditional = true;
  inner.in_handler |= kind == GUARD_HANDLER;
  index_statements(&inner, statements);
  indexer->kernels = inner.kernels;
}

static void index_conditional(struct indexer *indexer, const struct node_list *statements,
                              const struct node *statement) {
  index_guarded(indexer, statements, statement, GUARD_OTHER, 0);
}

static void index_if(struct indexer *indexer, struct node *node) {
  const struct node_list *branches = &node->if_statement.branches;
  for (uint32_t i = 0; i < branches->count; i++)
    index_guarded(indexer, &branches->items[i]->branch.body, node, GUARD_BRANCH, i);
  index_guarded(indexer, &node->if_statement.orelse, node, GUARD_BRANCH, branches->count);
}

static void index_try(struct indexer *indexer, struct node *node) {
  const struct node_list *handlers = &node->try_statement.handlers;
  index_guarded(indexer, &node->try_statement.body, node, GUARD_TRY, 0);
  for (uint32_t i = 0; i < handlers->count; i++)
    index_guarded(indexer, &handlers->items[i]->handler.body, node, GUARD_HANDLER, i);
  index_guarded(indexer, &node->try_statement.orelse, node, GUARD_TRY, 0);
  index_statements(indexer, &node->try_statement.finally_body);
}

static void index_with(struct indexer *indexer, struct node *node) {
  const struct node_list *items = &node->with.items;
  for (uint32_t i = 0; i < items->count; i++)
    if (items->items[i]->with_item.target)
      bind_target(indexer, items->items[i]->with_item.target, NULL, node, BINDING_OTHER);
  index_conditional(indexer, &node->with.body, node);
}

static void index_assign(struct indexer *indexer, struct node *node) {
  for (uint32_t i = 0; i < node->assign.targets.count; i++)
    bind_target(indexer, node->assign.targets.items[i], node->assign.value, node,
                BINDING_ASSIGNMENT);
  add_candidate(indexer, node);
}

static void index_augmented(struct indexer *indexer, struct node *node) {
  bind_target(indexer, node->augmented.target, NULL, node, BINDING_ASSIGNMENT);
}

static void index_for(struct indexer *indexer, struct node *node) {
  bind_target(indexer, node->for_loop.target, NULL, node, BINDING_OTHER);
  index_conditional(indexer, &node->for_loop.body, node);
  index_conditional(indexer, &node->for_loop.orelse, node);
}

static void index_while(struct indexer *indexer, struct node *node) {
  index_conditional(indexer, &node->while_loop.body, node);
  index_conditional(indexer, &node->while_loop.orelse, node);
}

static void index_match(struct indexer *indexer, struct node *node) {
  index_statements(indexer, &node->match.cases);
}

static void index_case(struct indexer *indexer, struct node *node) {
  index_conditional(indexer, &node->case_clause.body, node);
}

static void bind_name(struct indexer *indexer, const char *name, enum binding_kind kind,
                      struct node *node) {
  bind(indexer, &(struct binding){.name = name, .kind = kind, .span = node->span, .node = node});
}

static void index_type_alias(struct indexer *indexer, struct node *node) {
  bind_name(indexer, node->type_alias.name, BINDING_OTHER, node);
}

static void index_broken(struct indexer *indexer, struct node *node) {
  if (node->broken.name)
    bind_name(indexer, node->broken.name, BINDING_BROKEN, node);
  index_conditional(indexer, &node->broken.body, node);
}

typedef void index_rule(struct indexer *indexer, struct node *node);
static index_rule *const rules[NODE_KIND_COUNT] = {
    [NODE_FUNCTION] = index_function,
    [NODE_CLASS] = index_class,
    [NODE_ASSIGN] = index_assign,
    [NODE_AUGMENTED] = index_augmented,
    [NODE_ANNOTATED] = bind_annotated,
    [NODE_IMPORT] = bind_import,
    [NODE_IMPORT_FROM] = bind_import_from,
    [NODE_IF] = index_if,
    [NODE_FOR] = index_for,
    [NODE_WHILE] = index_while,
    [NODE_WITH] = index_with,
    [NODE_TRY] = index_try,
    [NODE_MATCH] = index_match,
    [NODE_CASE] = index_case,
    [NODE_TYPE_ALIAS] = index_type_alias,
    [NODE_BROKEN] = index_broken,
};

static void index_statements(struct indexer *indexer, const struct node_list *statements) {
  for (uint32_t i = 0; i < statements->count; i++)
    if (rules[statements->items[i]->kind])
      rules[statements->items[i]->kind](indexer, statements->items[i]);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Later definitions with the same qualified name replace earlier ones. */
static void link_replacements(struct module *module) {
  struct map last = {0};
  for (size_t i = module->kernel_count; i-- > 0;) {
    struct kernel *kernel = &module->kernels[i];
    kernel->replaced_by = map_get(&last, kernel->qualified);
    if (!kernel->replaced_by)
      map_set(&last, kernel->qualified, kernel);
  }
  map_free(&last);
}

/* With room for `count` kernels. */
static void build_index(struct module *module, size_t count) {
  module->kernels = ARENA_ARRAY(&module->root->arena, struct kernel, count);
  module->scope = add_scope(module, NULL, NULL);
  struct candidate *candidates = NULL, **last = &candidates;
  struct indexer indexer = {
      .module = module, .scope = module->scope, .prefix = "", .candidates = &last};
  index_statements(&indexer, &module->tree->module.body);
  module->kernel_count = indexer.kernels;
  kernels_add_made(module, candidates);
  link_replacements(module);
}

void module_add_imported_kernels(struct module *module) {
  if (!module->candidates)
    return;
  kernels_add_made(module, module->candidates);
  link_replacements(module);
}

bool module_read(struct module *module, const char *name, const char *text, size_t length) {
  *module = (struct module){.root = module, .dotted = "", .folder = ""};
  bool too_large = length > SOURCE_LARGEST;
  module->source = source_create(&module->arena, name, text, too_large ? 0 : length, 0);
  words_create(&module->words, &module->arena);
  problems_create(&module->problems, &module->arena);
  if (too_large)
    problems_add(&module->problems, PROBLEM_ERROR, &module->source, (struct span){0, 0},
                 "the file has %zu bytes; kernel files of up to %zu bytes are read", length,
                 SOURCE_LARGEST);
  size_t kernels;
  module->tree =
      parse_file(&module->source, &module->arena, &module->words, &module->problems, &kernels);
  build_index(module, kernels);
  return module->problems.errors == 0;
}

void module_read_further(struct module *root, struct module *module, const char *name,
                         struct slice text, uint32_t base) {
  size_t kernels;
  struct problem **first = root->problems.last;
  module->root = root;
  module->source = source_create(&root->arena, name, text.data, text.length, base);
  module->tree = parse_file(&module->source, &root->arena, &root->words, &root->problems, &kernels);
  for (struct problem *problem = *first; problem; problem = problem->next)
    problem_set_deferred(&root->problems, problem, true);
  build_index(module, kernels);
}

void module_free(struct module *module) {
  for (struct scope *scope = module->scope; scope; scope = scope->next)
    map_free(&scope->names);
  if (module->packages)
    packages_free(module->packages);
  map_free(&module->kernel_of);
  arena_destroy(&module->arena);
  *module = (struct module){0};
}

/* --- Looking up ------------------------------------------------------------------------------- */

const struct binding *scope_find(const struct scope *scope, const char *word) {
  for (const struct scope *at = scope; at && word; at = at->parent) {
    bool skipped = at != scope && at->owner && at->owner->kind == NODE_CLASS;
    const struct binding *binding = skipped ? NULL : map_get(&at->names, word);
    if (binding)
      return binding;
  }
  return NULL;
}

const struct binding *module_find(const struct module *module, const char *name) {
  return scope_find(module->scope, words_find(&module->root->words, name));
}

const struct kernel *module_kernel_of(const struct module *module, const struct node *function) {
  return map_get(&module->root->kernel_of, function);
}

const struct kernel *module_find_kernel(const struct module *module, const char *name) {
  const char *word = words_find(&module->root->words, name);
  const struct binding *binding = scope_find(module->scope, word);
  const struct kernel *found =
      binding && binding->kind == BINDING_FUNCTION ? module_kernel_of(module, binding->node) : NULL;
  for (size_t i = module->kernel_count; i-- > 0 && word && !found;)
    if (module->kernels[i].qualified == word)
      found = &module->kernels[i];
  for (size_t i = module->kernel_count; i-- > 0 && word && !found;)
    if (module->kernels[i].name == word)
      found = &module->kernels[i];
  return found;
}

/* The import that a name stands for, also one that a conditional definition hides. */
static const struct binding *find_import(const struct scope *scope, const char *word) {
  const struct binding *binding = scope_find(scope, word);
  while (binding && binding->kind != BINDING_IMPORT)
    binding = binding->conditional || (binding->earlier && binding->earlier->conditional)
                  ? binding->earlier
                  : NULL;
  return binding;
}

bool scope_resolve(const struct scope *scope, const struct node *node, struct text *out) {
  if (node_is(node, NODE_ATTRIBUTE)) {
    if (!scope_resolve(scope, node->attribute.value, out))
      return false;
    text_printf(out, ".%s", node->attribute.name);
    return true;
  }
  if (!node_is(node, NODE_NAME))
    return false;
  const struct binding *import = find_import(scope, node->name.id);
  if (!import) {
    text_puts(out, node->name.id);
    return true;
  }
  size_t length = strlen(import->module);
  bool ends_in_dot = length > 0 && import->module[length - 1] == '.';
  text_puts(out, import->module);
  if (import->original)
    text_printf(out, "%s%s", ends_in_dot ? "" : ".", import->original);
  return true;
}

const char *scope_path(const struct scope *scope, const struct node *node) {
  struct module *root = scope->module->root;
  struct text path = {0};
  bool found = scope_resolve(scope, node_is(node, NODE_CALL) ? node->call.function : node, &path);
  const char *word = found ? words_intern(&root->words, text_string(&path)) : "";
  text_free(&path);
  return word;
}

size_t module_report_deferred(struct module *module, const struct span *span) {
  struct span all = {module->source.base, module->source.end - module->source.base};
  struct span wanted = span ? *span : all;
  return problems_promote(&module->root->problems, module_source(module, wanted.offset), wanted);
}
