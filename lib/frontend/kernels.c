/* SPDX-License-Identifier: MIT */
/* See kernels.h. */
#include "frontend/kernels.h"
#include "frontend/resolve.h"

#include <string.h>

/* A name or dotted name, or a call of one, whose last part is `name`, imports followed. */
static bool ends_in(const struct scope *scope, const struct node *node, const char *name) {
  return strcmp(after_last(scope_path(scope, node), '.'), name) == 0;
}

void kernel_classify(struct arena *arena, struct kernel *kernel) {
  const struct node_list *all = &kernel->decorators;
  kernel->heuristics.items = ARENA_ARRAY(arena, struct node *, all->count);
  kernel->unknown.items = ARENA_ARRAY(arena, struct node *, all->count);
  for (uint32_t i = 0; i < all->count; i++) {
    struct node *decorator = all->items[i];
    bool is_call = decorator->kind == NODE_CALL;
    if (ends_in(kernel->made_in, decorator, "jit"))
      kernel->jit = decorator;
    else if (is_call && !kernel->autotune && ends_in(kernel->made_in, decorator, "autotune"))
      kernel->autotune = decorator;
    else if (is_call && ends_in(kernel->made_in, decorator, "heuristics"))
      kernel->heuristics.items[kernel->heuristics.count++] = decorator;
    else
      kernel->unknown.items[kernel->unknown.count++] = decorator;
  }
  if (!kernel->jit)
    kernel->jit = all->items[all->count - 1];
}

/* --- Kernels that calls make ------------------------------------------------------------------ */

enum { DEEPEST_CALLS = 16 };

/* A call taken apart, from outside to inside. */
struct peeled {
  struct module *module;
  const struct scope *scope; /* of the assignment */
  uint32_t before;
  struct node *decorators[DEEPEST_CALLS + 1];
  uint32_t count;
  bool jitted;
  bool follows;              /* imports, into other files */
  const struct kernel *base; /* what the innermost name stands for, if it is a kernel already */
  struct node *function;
  const struct scope *function_scope;
};

/* What a name meant before the assignment. */
static const struct binding *find_before(const struct peeled *p, const char *word) {
  const struct binding *binding = scope_find(p->scope, word);
  while (binding && binding->span.offset >= p->before)
    binding = binding->earlier;
  return binding;
}

/* A wrapper that is none of Triton's passes when the call itself makes the kernel: of other calls
   with a kernel, k(x), nothing is known. */
static bool is_made(const struct peeled *p) {
  bool tritons = p->jitted;
  for (uint32_t i = 0; i < p->count && !tritons; i++)
    tritons =
        node_is(p->decorators[i], NODE_CALL) && (ends_in(p->scope, p->decorators[i], "autotune") ||
                                                 ends_in(p->scope, p->decorators[i], "heuristics"));
  return tritons;
}

/* The definition of a NAME or dotted name that another file has, or NULL. A file is read only where
   the calls around the name make kernels. */
static const struct binding *find_imported(const struct peeled *p, const struct binding *import,
                                           const struct node *node) {
  struct meaning meaning = {0};
  if (!p->follows || !is_made(p))
    return NULL;
  if (import)
    meaning = meaning_of_import(import);
  else if (node_is(node, NODE_NAME) || !meaning_of(p->scope, node, &meaning))
    return NULL;
  return meaning.kind == MEANS_BINDING ? meaning.binding : NULL;
}

static bool peel_name(struct peeled *p, const struct node *node) {
  const struct binding *binding = node_is(node, NODE_NAME) ? find_before(p, node->name.id) : NULL;
  if (!binding || binding->kind == BINDING_IMPORT)
    binding = find_imported(p, binding, node);
  const struct node *key = !binding                              ? NULL
                           : binding->kind == BINDING_FUNCTION   ? binding->node
                           : binding->kind == BINDING_ASSIGNMENT ? binding->value
                                                                 : NULL;
  p->base = key ? module_kernel_of(p->module, key) : NULL;
  if (!p->base && (!key || binding->kind != BINDING_FUNCTION))
    return false;
  p->function = p->base ? p->base->function : binding->node;
  p->function_scope = p->base ? p->base->scope : binding->scope;
  return p->base || p->jitted;
}

/* The only positional argument of a call, which comes first. */
static struct node *operand_of(const struct node *call) {
  const struct node_list *arguments = &call->call.arguments;
  for (uint32_t i = 0; i < arguments->count; i++)
    if (i ? arguments->items[i]->kind != NODE_KEYWORD
          : arguments->items[i]->kind != NODE_NAME && arguments->items[i]->kind != NODE_CALL &&
                arguments->items[i]->kind != NODE_ATTRIBUTE)
      return NULL;
  return arguments->count ? arguments->items[0] : NULL;
}

static bool peel(struct peeled *p, struct node *node) {
  if (node_is(node, NODE_NAME) || node_is(node, NODE_ATTRIBUTE))
    return peel_name(p, node);
  struct node *operand = node_is(node, NODE_CALL) ? operand_of(node) : NULL;
  if (!operand || p->count == DEEPEST_CALLS)
    return false;
  struct node *function = node->call.function;
  bool has_options = node_is(function, NODE_CALL); /* f(options)(operand) */
  struct node *decorator = has_options || !ends_in(p->scope, function, "jit") ? function : node;
  p->jitted |= ends_in(p->scope, decorator, "jit");
  p->decorators[p->count++] = decorator;
  return peel(p, operand);
}

static void fill(struct module *module, const struct candidate *candidate, const struct peeled *p,
                 struct kernel *out) {
  struct arena *arena = &module->root->arena;
  const struct node_list *below = p->base ? &p->base->decorators : &(struct node_list){0};
  *out = (struct kernel){.name = candidate->name,
                         .qualified = candidate->qualified,
                         .function = p->function,
                         .offset = candidate->offset,
                         .scope = p->function_scope,
                         .made_in =
                             p->function_scope->module == module ? p->function_scope : p->scope};
  out->decorators.items = ARENA_ARRAY(arena, struct node *, p->count + below->count + 1);
  for (uint32_t i = 0; i < p->count; i++)
    out->decorators.items[out->decorators.count++] = p->decorators[i];
  for (uint32_t i = 0; i < below->count; i++)
    out->decorators.items[out->decorators.count++] = below->items[i];
  kernel_classify(arena, out);
  map_set(&module->root->kernel_of, candidate->call, out);
}

/* Room for all candidates, which are looked at twice: before and after other files can be read. */
static void make_room(struct module *module, const struct candidate *candidates) {
  size_t count = module->kernel_count;
  for (const struct candidate *at = candidates; at; at = at->next)
    count++;
  struct kernel *all = ARENA_ARRAY(&module->root->arena, struct kernel, count);
  for (size_t i = 0; i < module->kernel_count; i++) {
    all[i] = module->kernels[i];
    map_set(&module->root->kernel_of, all[i].function, &all[i]);
  }
  module->kernels = all;
}

void kernels_add_made(struct module *module, struct candidate *candidates) {
  bool again = module->candidates;
  if (candidates && !again)
    make_room(module, candidates);
  struct candidate **left = &candidates;
  for (struct candidate *at = candidates; at; at = at->next) {
    struct peeled p = {
        .module = module, .scope = at->scope, .before = at->offset, .follows = again};
    if (peel(&p, at->call) && is_made(&p)) {
      fill(module, at, &p, &module->kernels[module->kernel_count++]);
      *left = at->next;
    } else {
      left = &at->next;
    }
  }
  module->candidates = again ? NULL : candidates;
}
