/* SPDX-License-Identifier: MIT */
/* Host code of several files: names that imports bring, conditions of definitions, and values of
   the files' names for the checker. */
#include <string.h>
#include "frontend/eval/host.h"
#include "frontend/resolve.h"

void host_in_scope(struct host *host, const struct scope *scope, struct host_place *outer) {
  *outer = (struct host_place){host->scope, host->as_of};
  if (scope->module != host->scope->module)
    host->as_of = UINT32_MAX; /* another file has run to its end when it is imported */
  host->scope = scope;
}

void host_leave_scope(struct host *host, const struct host_place *outer) {
  host->scope = outer->scope;
  host->as_of = outer->as_of;
}

/* --- Names ------------------------------------------------------------------------------------ */

/* "torch.float16": what the host knows of its owner by that name. */
static bool outside_value(struct host *host, const char *name, struct span span,
                          struct value *out) {
  const char *dot = strrchr(name, '.');
  *out = host_name(host, name);
  if (!dot || dot == name)
    return true;
  struct value owner = value_text(host->eval.arena, name, (size_t)(dot - name));
  owner.kind = VALUE_NAME;
  return host_attribute(host, span, &owner, dot + 1, out);
}

bool host_meaning(struct host *host, const struct meaning *meaning, struct span span,
                  struct value *out) {
  switch (meaning->kind) {
  case MEANS_BINDING: {
    struct host_place outer;
    host_in_scope(host, meaning->binding->scope, &outer);
    bool good = host_binding(host, meaning->binding, span, out);
    host_leave_scope(host, &outer);
    return good;
  }
  case MEANS_MISSING:
    return host_unknown(host, span, "%s", meaning->why);
  case MEANS_MODULE:
    *out = host_name(host, meaning->name);
    return true;
  case MEANS_NOTHING:
  case MEANS_OUTSIDE:
  case MEANS_PART:
    break;
  }
  return outside_value(host, meaning->name, span, out);
}

bool host_file_attribute(struct host *host, struct span span, const char *owner, const char *name,
                         bool *found, struct value *out) {
  struct module *root = host->module, *file = NULL;
  *found = false;
  if (root->packages && !package_is_library(owner) && owner[0] != '<' && owner[0] != '.')
    file = package_submodule(root, NULL, words_intern(&root->words, owner));
  if (!file)
    return false;
  *found = true;
  struct meaning meaning = meaning_of_member(file, words_intern(&root->words, name));
  return host_meaning(host, &meaning, span, out);
}

/* --- Conditions ------------------------------------------------------------------------------- */

struct condition_host {
  struct module *module;
  int capability;
  bool (*language_has)(const char *name);
};

static enum truth evaluate_condition(void *data, const struct scope *scope,
                                     const struct node *condition) {
  const struct condition_host *known = data;
  struct host host = {.eval = {&host_rules, &known->module->root->arena},
                      .module = known->module,
                      .scope = scope,
                      .capability = known->capability,
                      .language_has = known->language_has,
                      .as_of = condition->span.offset};
  struct value value;
  bool truth;
  if (!host_evaluate(&host, condition, &value) || value.kind == VALUE_NAME ||
      !host_truth(&host, condition->span, &value, &truth))
    return TRUTH_UNKNOWN;
  return truth ? TRUTH_YES : TRUTH_NO;
}

void host_answer_conditions(struct module *module, int capability,
                            bool (*language_has)(const char *name)) {
  if (!module->packages)
    return;
  struct condition_host *known = ARENA_NEW(&module->arena, struct condition_host);
  *known = (struct condition_host){module, capability, language_has};
  module->packages->evaluate = evaluate_condition;
  module->packages->evaluate_data = known;
  if (module->packages->options.read)
    module_add_imported_kernels(module);
}
