/* SPDX-License-Identifier: MIT */
/* See resolve.h. */
#include "frontend/resolve.h"

#include <string.h>

enum { DEEPEST_IMPORT = 200 };

/* --- Conditions ------------------------------------------------------------------------------- */

/* What a binding's name would be without any file: ".utils.exp". */
static const char *written_import(const struct binding *binding) {
  struct words *words = &binding->scope->module->root->words;
  size_t length = strlen(binding->module);
  bool ends_in_dot = length > 0 && binding->module[length - 1] == '.';
  const char *original = binding->original;
  return words_intern(words,
                      text_format(&binding->scope->module->root->arena, "%s%s%s", binding->module,
                                  original && !ends_in_dot ? "." : "", original ? original : ""));
}

/* Could this import statement be carried out? Libraries count as present, but for what their name
   does not tell: a function that some versions of them have. */
static enum truth import_truth(struct module *module, const struct node *node) {
  bool from = node_is(node, NODE_IMPORT_FROM);
  const struct node_list *names = from ? &node->import_from.names : &node->import.names;
  enum truth all = TRUTH_YES;
  for (uint32_t i = 0; i < names->count; i++) {
    const struct node_alias *alias = &names->items[i]->alias;
    const struct binding *binding =
        scope_find(module->scope, alias->as_name ? alias->as_name : alias->name);
    while (binding && binding->node != node)
      binding = binding->earlier;
    const char *path;
    struct module *found;
    enum package_outcome outcome = PACKAGE_LIBRARY;
    if (binding && from)
      outcome = package_find(module, binding->module, &path, &found);
    else if (!from)
      outcome = package_find(module, alias->name, &path, &found);
    if (outcome == PACKAGE_LIBRARY) {
      all = TRUTH_UNKNOWN;
      continue;
    }
    struct meaning meaning = {.kind = MEANS_MODULE};
    if (from)
      meaning = meaning_of_import(binding);
    else if (outcome != PACKAGE_FOUND)
      meaning.kind = MEANS_MISSING;
    if (meaning.kind == MEANS_MISSING || (meaning.kind == MEANS_OUTSIDE && !found))
      return TRUTH_NO;
  }
  return all;
}

/* Is a `try` carried out to its end? Only its imports are looked at. */
static enum truth try_truth(struct module *module, const struct node *node) {
  const struct node_list *body = &node->try_statement.body;
  enum truth all = TRUTH_YES;
  for (uint32_t i = 0; i < body->count && all != TRUTH_NO; i++) {
    const struct node *statement = body->items[i];
    enum truth one = TRUTH_UNKNOWN;
    if (node_is(statement, NODE_IMPORT) || node_is(statement, NODE_IMPORT_FROM))
      one = import_truth(module, statement);
    else if (node_is(statement, NODE_ASSIGN) || node_is(statement, NODE_FUNCTION))
      continue;
    all = one == TRUTH_YES ? all : one;
  }
  return all;
}

/* Known under its node, or found out; while it is being found out, it is not known. */
static enum truth node_truth(const struct scope *scope, const struct node *node) {
  struct module *module = scope->module;
  struct packages *packages = module->root->packages;
  enum truth *known = map_get(&packages->conditions, node);
  if (known)
    return *known;
  known = ARENA_NEW(&module->root->arena, enum truth);
  map_set(&packages->conditions, node, known);
  enum truth truth = TRUTH_UNKNOWN;
  if (node_is(node, NODE_TRY))
    truth = packages->options.read ? try_truth(module, node) : TRUTH_UNKNOWN;
  else if (packages->evaluate)
    truth = packages->evaluate(packages->evaluate_data, scope, node);
  *known = truth;
  return truth;
}

enum truth try_runs(const struct scope *scope, const struct node *node) {
  return scope->module->root->packages ? node_truth(scope, node) : TRUTH_UNKNOWN;
}

static enum truth negate(enum truth truth) {
  return truth == TRUTH_YES ? TRUTH_NO : truth == TRUTH_NO ? TRUTH_YES : TRUTH_UNKNOWN;
}

/* All conditions before a branch fail, and its own holds. */
static enum truth branch_truth(const struct scope *scope, const struct guard *guard) {
  const struct node_list *branches = &guard->statement->if_statement.branches;
  for (uint32_t i = 0; i < guard->branch && i < branches->count; i++) {
    enum truth truth = node_truth(scope, branches->items[i]->branch.condition);
    if (truth != TRUTH_NO)
      return negate(truth);
  }
  return guard->branch < branches->count
             ? node_truth(scope, branches->items[guard->branch]->branch.condition)
             : TRUTH_YES;
}

static enum truth guard_truth(const struct scope *scope, const struct guard *guard) {
  switch (guard->kind) {
  case GUARD_BRANCH:
    return branch_truth(scope, guard);
  case GUARD_TRY:
    return node_truth(scope, guard->statement);
  case GUARD_HANDLER:
    return guard->branch == 0 ? negate(node_truth(scope, guard->statement)) : TRUTH_UNKNOWN;
  case GUARD_OTHER:
    break;
  }
  return TRUTH_UNKNOWN;
}

static enum truth binding_truth(const struct binding *binding) {
  enum truth all = TRUTH_YES;
  for (const struct guard *guard = binding->guard; guard && all != TRUTH_NO; guard = guard->outer) {
    enum truth one = guard_truth(binding->scope, guard);
    all = one == TRUTH_YES ? all : one;
  }
  return all;
}

/* Of a jit function and what stands in for it where there is no Triton, the former. */
static bool is_kernel(const struct binding *binding) {
  return binding->kind == BINDING_FUNCTION && binding->node->function.is_kernel;
}

const struct binding *binding_choose(const struct binding *binding, bool *sure) {
  bool ignored;
  sure = sure ? sure : &ignored;
  *sure = true;
  if (!binding || !binding->scope->module->root->packages)
    return binding;
  const struct binding *possible = NULL;
  for (const struct binding *at = binding; at; at = at->earlier) {
    enum truth truth = binding_truth(at);
    if (truth == TRUTH_YES && !possible)
      return at;
    if (truth != TRUTH_NO && (!possible || (is_kernel(at) && !is_kernel(possible))))
      possible = at;
  }
  *sure = false;
  return possible ? possible : binding;
}

const struct binding *binding_prefer_import(const struct binding *binding) {
  const struct binding *at = binding;
  while (at && at->kind != BINDING_IMPORT)
    at = at->conditional || (at->earlier && at->earlier->conditional) ? at->earlier : NULL;
  return at ? at : binding;
}

/* --- Members of modules ----------------------------------------------------------------------- */

/* The names in `__all__ = [...]`: does it have the word? Without one, what does not begin with "_".
 */
static bool is_exported(const struct module *module, const char *word) {
  const struct binding *all = module_find(module, "__all__");
  const struct node *value = all ? all->value : NULL;
  const struct node_list *names = node_elements(value);
  if (!node_is(value, NODE_LIST) && !node_is(value, NODE_TUPLE))
    return word[0] != '_';
  for (uint32_t i = 0; i < names->count; i++)
    if (node_is(names->items[i], NODE_STRING) && slice_equals(names->items[i]->string.value, word))
      return true;
  return false;
}

/* Files import one another with `*` in circles: a search goes through each once. */
static struct meaning search_stars(struct module *module, const char *word, unsigned search) {
  struct meaning meaning = {.kind = MEANS_NOTHING, .name = word};
  const struct binding *star = scope_find(module->scope, words_find(&module->root->words, "*"));
  module->searched = search;
  for (; star; star = star->earlier) {
    const char *path;
    struct module *from;
    if (package_find(module, star->module, &path, &from) != PACKAGE_FOUND ||
        from->searched == search || !is_exported(from, word))
      continue;
    const struct binding *binding = scope_find(from->scope, word);
    struct meaning found = binding ? meaning_of_import(binding_choose(binding, NULL))
                                   : search_stars(from, word, search);
    if (found.kind == MEANS_NOTHING || found.kind == MEANS_MISSING)
      continue;
    found.import = found.import ? found.import : star;
    return found;
  }
  return meaning;
}

/* What `from m import *` statements give; NOTHING where none does. */
static struct meaning meaning_of_star(struct module *module, const char *word) {
  struct packages *packages = module->root->packages;
  if (!packages || !packages->options.read)
    return (struct meaning){.kind = MEANS_NOTHING, .name = word};
  return search_stars(module, word, ++packages->searches);
}

static const char *joined(struct module *root, const char *owner, const char *name) {
  return words_intern(&root->words,
                      text_format(&root->arena, "%s%s%s", owner, *owner ? "." : "", name));
}

static const char *member_suggestion(const struct module *module, const char *word) {
  const char *names[256];
  size_t count = 0;
  for (size_t i = 0; i < module->scope->names.count && count < 256; i++)
    names[count++] = module->scope->names.slots[i].key;
  return strlen(word) < 3 ? "" : word_suggestion(&module->root->arena, word, names, count);
}

struct meaning meaning_of_member(struct module *module, const char *word) {
  struct module *root = module->root;
  const char *name = joined(root, module->dotted, word);
  const struct binding *binding = map_get(&module->scope->names, word);
  struct meaning meaning =
      binding ? meaning_of_import(binding_choose(binding, NULL)) : meaning_of_star(module, word);
  if (meaning.kind != MEANS_NOTHING)
    return meaning;
  struct module *part = module->is_package ? package_submodule(root, module->folder, name) : NULL;
  if (part)
    return (struct meaning){.kind = MEANS_MODULE, .name = name, .module = part};
  return (struct meaning){.kind = MEANS_MISSING,
                          .name = name,
                          .why = text_format(&root->arena, "'%s' does not define '%s'%s",
                                             module->source.name, word,
                                             member_suggestion(module, word))};
}

/* --- Imports ---------------------------------------------------------------------------------- */

/* `from path import original` where `path` is no file: a submodule of a folder without __init__.py,
   or nothing that is to be had. */
static struct meaning meaning_of_absent(const struct binding *binding, const char *path) {
  struct module *module = binding->scope->module, *root = module->root;
  bool relative = binding->module[0] == '.';
  if (binding->original) {
    const char *name = joined(root, path, binding->original);
    struct module *part = package_submodule(root, relative ? module->folder : NULL, name);
    if (part)
      return (struct meaning){.kind = MEANS_MODULE, .name = name, .module = part};
  }
  struct meaning meaning = {.kind = MEANS_OUTSIDE, .name = written_import(binding)};
  if (!relative)
    return meaning;
  meaning.kind = MEANS_MISSING;
  const char *folder = *module->folder ? module->folder : ".";
  if (binding->original)
    meaning.why = text_format(
        &root->arena, "'%s' cannot be imported from '%s': there is no module '%s' in '%s'",
        binding->original, binding->module, *path ? path : binding->original, folder);
  else
    meaning.why = text_format(&root->arena, "there is no module '%s' in '%s'", path, folder);
  return meaning;
}

/* `from . import part` in an __init__.py: the name that is bound here is not yet. */
static struct meaning meaning_of_own_part(const struct binding *binding) {
  struct module *module = binding->scope->module;
  const char *name = joined(module->root, module->dotted, binding->original);
  struct module *part = package_submodule(module->root, module->folder, name);
  return part ? (struct meaning){.kind = MEANS_MODULE, .name = name, .module = part}
              : meaning_of_member(module, binding->original);
}

static struct meaning follow(const struct binding *binding) {
  struct module *module = binding->scope->module, *found;
  const char *path;
  struct meaning outside = {.kind = MEANS_OUTSIDE, .name = written_import(binding)};
  if (!module->root->packages || !module->root->packages->options.read)
    return outside;
  switch (package_find(module, binding->module, &path, &found)) {
  case PACKAGE_LIBRARY:
    break;
  case PACKAGE_ABOVE:
    outside.kind = MEANS_MISSING;
    outside.why = text_format(&module->root->arena,
                              "'%s' goes above the folder of its package, '%s'; name the folder in "
                              "which the package lies with -I DIR",
                              binding->module, *module->folder ? module->folder : ".");
    break;
  case PACKAGE_NONE:
    return meaning_of_absent(binding, path);
  case PACKAGE_FOUND:
    if (binding->original)
      return found == module ? meaning_of_own_part(binding)
                             : meaning_of_member(found, binding->original);
    return (struct meaning){.kind = MEANS_MODULE, .name = path, .module = found};
  }
  return outside;
}

/* A binding, imports followed; remembered, so that each import is followed once. */
struct meaning meaning_of_import(const struct binding *binding) {
  if (binding->kind != BINDING_IMPORT)
    return (struct meaning){.kind = MEANS_BINDING, .name = binding->name, .binding = binding};
  struct module *root = binding->scope->module->root;
  struct meaning *known = root->packages ? map_get(&root->packages->meanings, binding) : NULL;
  if (known)
    return *known;
  struct meaning *meaning = ARENA_NEW(&root->arena, struct meaning);
  *meaning = (struct meaning){.kind = MEANS_MISSING,
                              .name = written_import(binding),
                              .import = binding,
                              .why = "the imports go round in a circle"};
  if (root->packages)
    map_set(&root->packages->meanings, binding, meaning);
  struct meaning *next = ARENA_NEW(&root->arena, struct meaning);
  if (root->packages && root->packages->depth >= DEEPEST_IMPORT) {
    meaning->why = "names are handed on through more than 200 imports";
    return *meaning;
  }
  if (root->packages)
    root->packages->depth++;
  *next = follow(binding);
  if (root->packages)
    root->packages->depth--;
  *meaning = *next;
  meaning->import = binding;
  meaning->next = next->import ? next : NULL;
  return *meaning;
}

/* --- Names ------------------------------------------------------------------------------------ */

struct meaning meaning_of_word(const struct scope *scope, const char *word) {
  const struct binding *binding = scope_find(scope, word);
  bool sure = true;
  if (!binding)
    return meaning_of_star(scope->module, word);
  if (binding->earlier || binding->guard)
    binding = binding_choose(binding, &sure);
  return meaning_of_import(sure ? binding : binding_prefer_import(binding));
}

static struct meaning attribute_of(struct module *root, const struct meaning *owner,
                                   const char *word) {
  if (owner->kind == MEANS_MODULE) {
    struct meaning meaning = meaning_of_member(owner->module, word);
    if (!meaning.import)
      meaning.import = owner->import, meaning.next = owner->next;
    return meaning;
  }
  struct meaning meaning = *owner;
  meaning.name = joined(root, owner->name, word);
  if (owner->kind == MEANS_OUTSIDE && !package_is_library(owner->name) && root->packages &&
      root->packages->options.read && owner->name[0] != '.')
    meaning.module = package_submodule(root, NULL, meaning.name);
  if (meaning.module)
    meaning.kind = MEANS_MODULE;
  else if (owner->kind == MEANS_BINDING)
    meaning.kind = MEANS_PART;
  return meaning;
}

bool meaning_of(const struct scope *scope, const struct node *node, struct meaning *out) {
  struct meaning owner;
  if (node_is(node, NODE_NAME)) {
    *out = meaning_of_word(scope, node->name.id);
    return true;
  }
  if (!node_is(node, NODE_ATTRIBUTE) || !meaning_of(scope, node->attribute.value, &owner))
    return false;
  *out = attribute_of(scope->module->root, &owner, node->attribute.name);
  return true;
}
