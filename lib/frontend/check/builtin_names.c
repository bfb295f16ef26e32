/* SPDX-License-Identifier: MIT */
/* What dotted names mean: builtin functions, types and modules of the language, however a file
   imports them.

       tl.load, triton.language.load, x.y.tl.load (a package that hands tl on)     load
       tl.math.exp, tl.core.cdiv, from triton.language.standard import sum          exp, cdiv, sum
       tl.extra.cuda.libdevice.tanh, some.package.libdevice.tanh, tl.math.tanh      libdevice.tanh
       triton.cdiv                                                                  cdiv
       math.log2                                                                    py.math.log2
       math.pi, torch.float16                                                       their values

   Only the last parts count, because where the language keeps a function has changed over the years
   while its name has not. */
#include <string.h>
#include "frontend/check/checker.h"
#include "frontend/resolve.h"

static const struct builtin builtins[] = {
#define X(name, parameters, function) V(name, parameters, function, 0)
#define V(name, parameters, function, variant) {name, parameters, builtin_##function, variant},
#include "frontend/check/builtins.def"
#undef X
#undef V
};
enum { BUILTIN_COUNT = sizeof builtins / sizeof *builtins };

const struct builtin *builtin_find(const char *name) {
  for (size_t i = 0; i < BUILTIN_COUNT; i++)
    if (strcmp(builtins[i].name, name) == 0)
      return &builtins[i];
  return NULL;
}

const struct builtin *builtin_find_method(const char *name, bool descriptor) {
  static const char of_descriptors[] = "descriptor.";
  const size_t length = sizeof of_descriptors - 1;
  const struct builtin *found = NULL;
  for (size_t i = 0; i < BUILTIN_COUNT; i++) {
    const struct builtin *row = &builtins[i];
    if (row->name[0] == '.' && strcmp(row->name + 1, name) == 0)
      return row;
    if (descriptor && strncmp(row->name, of_descriptors, length) == 0 &&
        strcmp(row->name + length, name) == 0)
      return row;
    if (row->parameters[0] == '.' && strcmp(row->name, name) == 0)
      found = row;
  }
  return found;
}

const char *builtin_suggestion(struct checker *c, const char *name, bool method) {
  const char *names[BUILTIN_COUNT];
  size_t count = 0;
  for (size_t i = 0; i < BUILTIN_COUNT; i++)
    if (method ? builtins[i].name[0] == '.' || builtins[i].parameters[0] == '.'
               : builtins[i].name[0] != '.')
      names[count++] = after_last(builtins[i].name, '.');
  return word_suggestion(&c->e.arena, name, names, count);
}

const char *builtin_label(struct checker *c, const struct builtin *builtin) {
  if (strncmp(builtin->name, "py.", 3) == 0)
    return builtin->name + 3;
  return text_format(&c->e.arena, "%s%s", strchr(builtin->name, '.') ? "" : "tl.", builtin->name);
}

/* --- Paths ------------------------------------------------------------------------------------ */

/* The text after the last part `part` of a dotted name ("" when it ends there); NULL when it has
 * none. */
static const char *after(const char *name, const char *part) {
  const char *found = NULL;
  size_t length = strlen(part);
  for (const char *at = name; at; at = strchr(at, '.') ? strchr(at, '.') + 1 : NULL)
    if (strncmp(at, part, length) == 0 && (at[length] == '.' || at[length] == 0))
      found = at + length + (at[length] == '.');
  return found;
}

/* Parts that only say where the language keeps something. */
static bool is_folder(const char *part, size_t length) {
  static const char *const folders[] = {"language", "core",        "math",   "standard",
                                        "random",   "extra",       "cuda",   "libdevice",
                                        "semantic", "target_info", "nvidia", "utils"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strlen(folders[i]) == length && memcmp(part, folders[i], length) == 0)
      return true;
  return false;
}

/* The same before a name only: triton.runtime.jit.constexpr_function. */
static bool leads_to_names(const char *part, size_t length) {
  return is_folder(part, length) || (length == 7 && memcmp(part, "runtime", length) == 0) ||
         (length == 3 && memcmp(part, "jit", length) == 0);
}

/* Names under which packages hand on the functions of libdevice. */
static const char *after_libdevice(const char *name) {
  static const char *const names[] = {"libdevice", "tl_extra_shim", "tldevice"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *rest = after(name, names[i]);
    if (rest)
      return rest;
  }
  return NULL;
}

/* The row or type of `rest`, a name after triton.language: as it is, or without its leading
 * folders. */
static bool find_in_language(const char *rest, struct value *out) {
  for (;;) {
    const struct builtin *builtin = rest[0] == '.' ? NULL : builtin_find(rest);
    struct dtype dtype;
    if (builtin && strncmp(rest, "py.", 3) != 0) {
      *out = (struct value){.kind = VALUE_BUILTIN, .object = builtin};
      return true;
    }
    if (dtype_find(rest, strlen(rest), &dtype)) {
      *out = (struct value){.kind = VALUE_DTYPE, .dtype = dtype};
      return true;
    }
    if (strcmp(rest, "pi32_t") == 0) {
      *out = (struct value){.kind = VALUE_DTYPE, .dtype = {.id = DTYPE_INT32, .pointers = 1}};
      return true;
    }
    const char *dot = strchr(rest, '.');
    if (!dot || !leads_to_names(rest, (size_t)(dot - rest)))
      return false;
    rest = dot + 1;
  }
}

static bool find_prefixed(const char *prefix, const char *rest, struct value *out) {
  struct text name = {0};
  text_printf(&name, "%s%s", prefix, rest);
  const struct builtin *builtin = builtin_find(text_string(&name));
  text_free(&name);
  if (builtin)
    *out = (struct value){.kind = VALUE_BUILTIN, .object = builtin};
  return builtin != NULL;
}

/* Only folders: a module. */
static bool all_folders(const char *rest) {
  while (*rest) {
    size_t length = strcspn(rest, ".");
    if (!is_folder(rest, length))
      return false;
    rest += length + (rest[length] == '.');
  }
  return true;
}

/* A class whose members are values, tl.PropagateNan.ALL: for getattr, as a module. */
static bool is_enumeration(const char *rest) {
  return strcmp(after_last(rest, '.'), "PropagateNan") == 0;
}

static enum builtin_lookup look_up(struct checker *c, const char *name, struct value *out) {
  const char *libdevice = after_libdevice(name), *triton = after(name, "triton");
  const char *rest = triton ? triton : after(name, "tl");
  if (find_prefixed("py.", name, out) || value_of_name(name, out))
    return BUILTIN_FOUND;
  if (!libdevice && !rest)
    return BUILTIN_NONE;
  if (libdevice && *libdevice)
    return find_prefixed("libdevice.", libdevice, out) || find_in_language(libdevice, out)
               ? BUILTIN_FOUND
               : BUILTIN_UNKNOWN;
  if (libdevice || all_folders(rest) || is_enumeration(rest)) {
    const char *copy = arena_copy_string(&c->e.arena, name, strlen(name));
    *out = (struct value){.kind = VALUE_MODULE, .text = slice_of(copy)};
    return BUILTIN_FOUND;
  }
  const char *math = after(rest, "math"); /* where Triton 2 kept libdevice */
  return find_in_language(rest, out) || (math && find_prefixed("libdevice.", math, out))
             ? BUILTIN_FOUND
             : BUILTIN_UNKNOWN;
}

bool builtin_exists(const char *name) {
  struct checker c = {0};
  struct value value;
  bool found = look_up(&c, name, &value) == BUILTIN_FOUND;
  arena_destroy(&c.e.arena);
  return found;
}

/* What a dotted name turned out to mean; a file says tl.load a hundred times. */
struct known_name {
  enum builtin_lookup found;
  struct value value;
};

enum builtin_lookup builtin_of_name(struct checker *c, const char *name, struct value *out) {
  const char *word = words_intern(&c->module->words, name);
  struct known_name *known = map_get(&c->dotted, word);
  if (!known) {
    known = ARENA_NEW(&c->e.arena, struct known_name);
    known->found = look_up(c, name, &known->value);
    map_set(&c->dotted, word, known);
  }
  if (known->found == BUILTIN_FOUND)
    *out = known->value;
  return known->found;
}

static const char *root_of(const struct node *node) {
  while (node_is(node, NODE_ATTRIBUTE))
    node = node->attribute.value;
  return node_is(node, NODE_NAME) ? node->name.id : NULL;
}

enum builtin_lookup builtin_resolve(struct checker *c, const struct node *node, struct value *out) {
  const char *root = root_of(node);
  if (!root || frame_find(c->frame, root))
    return BUILTIN_NONE;
  struct meaning meaning;
  if (!meaning_of(c->frame->kernel->scope, node, &meaning))
    return BUILTIN_NONE;
  switch (meaning.kind) {
  case MEANS_BINDING: /* stands for itself, whatever it is called */
  case MEANS_MODULE:
    break;
  case MEANS_MISSING: { /* but what the language has may be called so */
    struct value value;
    if (builtin_of_name(c, meaning.name, &value) == BUILTIN_FOUND) {
      *out = value;
      return BUILTIN_FOUND;
    }
    break;
  }
  case MEANS_NOTHING:
  case MEANS_OUTSIDE:
  case MEANS_PART:
    return builtin_of_name(c, meaning.name, out);
  }
  return BUILTIN_NONE;
}

bool builtin_fail_unknown(struct checker *c, const struct node *node) {
  const char *name = scope_path(c->frame->kernel->scope, node);
  return check_fail(c, node_is(node, NODE_ATTRIBUTE) ? node->attribute.name_span : node->span,
                    "'%s' is not supported%s", name,
                    builtin_suggestion(c, after_last(name, '.'), false));
}
