/* SPDX-License-Identifier: MIT */
/* Python's importlib, for packages that look for a module of the language under several names:

       for name in ("triton.language.extra.libdevice", "triton.language.libdevice"):
           if spec := importlib.util.find_spec(name):
               module = importlib.util.module_from_spec(spec)
               spec.loader.exec_module(module)
               return getattr(module, "rsqrt")

   Nothing is loaded: a module is its name, and a spec a named tuple of what is asked of it. */
#include <string.h>
#include "frontend/check/checker.h"
#include "frontend/packages.h"

/* Has the language, or another library that is known by name, this module? */
static bool find_module(struct checker *c, struct slice name, struct value *out) {
  const char *copy = arena_copy_string(&c->e.arena, name.data, name.length);
  if (strncmp(copy, "triton", 6) == 0 && (copy[6] == '.' || copy[6] == 0))
    return builtin_of_name(c, copy, out) == BUILTIN_FOUND && out->kind == VALUE_MODULE;
  *out = (struct value){.kind = VALUE_MODULE, .text = slice_of(copy)};
  return package_is_library(copy) ||
         (c->module->packages &&
          package_submodule(c->module, NULL, words_intern(&c->module->words, copy)));
}

static bool read_name(struct checker *c, const struct argument *argument) {
  return argument->value.kind == VALUE_STRING ||
         argument_fail(c, argument, "the name of a module, known at compile time,");
}

/* importlib.import_module(name) */
bool builtin_import_module(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *name = &call->arguments[0];
  if (!read_name(c, name))
    return false;
  return find_module(c, name->value.text, out) ||
         check_fail(c, name->span,
                    "there is no module '%.*s'; name the folder in which it lies "
                    "with -I DIR",
                    (int)name->value.text.length, name->value.text.data);
}

/* importlib.util.find_spec(name): None where there is no such module. */
bool builtin_find_spec(struct checker *c, const struct builtin_call *call, struct value *out) {
  static const char *fields[] = {"name", "loader", "module"};
  static const struct record spec = {.name = "ModuleSpec", .fields = fields, .count = 3};
  const struct argument *name = &call->arguments[0];
  struct value module;
  if (!read_name(c, name))
    return false;
  if (!find_module(c, name->value.text, &module)) {
    *out = value_none();
    return true;
  }
  struct value items[] = {
      name->value, {.kind = VALUE_MODULE, .text = slice_of("importlib.loader")}, module};
  *out = value_tuple(&c->e.arena, items, 3);
  out->tuple.record = &spec;
  return true;
}

/* importlib.util.module_from_spec(spec) */
bool builtin_module_from_spec(struct checker *c, const struct builtin_call *call,
                              struct value *out) {
  const struct value *spec = &call->arguments[0].value;
  if (spec->kind != VALUE_TUPLE || spec->tuple.count != 3 ||
      spec->tuple.items[2].kind != VALUE_MODULE)
    return argument_fail(c, &call->arguments[0], "what importlib.util.find_spec gives");
  *out = spec->tuple.items[2];
  return true;
}

/* spec.loader.exec_module(module): the module is there already. */
bool builtin_exec_module(struct checker *c, const struct builtin_call *call, struct value *out) {
  *out = value_none();
  return call->arguments[0].value.kind == VALUE_MODULE ||
         argument_fail(c, &call->arguments[0], "a module");
}
