/* SPDX-License-Identifier: MIT */
/* See packages.h. Paths are text: nothing but the reader touches a file system. */
#include "frontend/packages.h"

#include <stdlib.h>
#include <string.h>

/* --- Paths ------------------------------------------------------------------------------------ */

static const char *word_of(struct module *root, const char *text, size_t length) {
  return words_slot(&root->words, text, length)->text;
}

/* "folder/inner", "inner" where the folder is the current one. */
static void join_path(struct text *out, const char *folder, const char *inner) {
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/')
    length--;
  if (length == 0 || (length == 1 && *folder == '.'))
    text_puts(out, inner);
  else
    text_printf(out, "%.*s%s%s", (int)length, folder, folder[length - 1] == '/' ? "" : "/", inner);
}

/* The path of a dotted name below a folder, with an ending after it. */
static void module_path(struct text *out, const char *folder, const char *dotted,
                        const char *ending) {
  struct text inner = {0};
  for (const char *c = dotted; *c; c++)
    text_append(&inner, *c == '.' ? "/" : c, 1);
  text_puts(&inner, *dotted || ending[0] != '/' ? ending : ending + 1);
  join_path(out, folder, text_string(&inner));
  text_free(&inner);
}

/* The folder of a path without its last part; "" where there is none. */
static struct slice parent_of(struct slice path) {
  size_t length = path.length;
  while (length > 0 && path.data[length - 1] != '/')
    length--;
  while (length > 1 && path.data[length - 1] == '/')
    length--;
  return (struct slice){path.data, length};
}

static struct slice last_part(struct slice path) {
  struct slice parent = parent_of(path);
  size_t skip = parent.length;
  while (skip < path.length && path.data[skip] == '/')
    skip++;
  return (struct slice){path.data + skip, path.length - skip};
}

/* --- Reading files ---------------------------------------------------------------------------- */

static bool read_path(struct packages *packages, const char *path, struct slice *out) {
  return packages->options.read && packages->options.read(packages->options.data, path, out) &&
         out->length <= SOURCE_LARGEST;
}

static void add_file(struct packages *packages, struct module *module) {
  packages->files = tile_grow(packages->files, packages->file_count, &packages->file_capacity,
                              sizeof *packages->files);
  packages->files[packages->file_count++] = module;
}

/* Offsets are 32 bits wide over all files: what does not fit any more is not read. */
static bool next_base(const struct packages *packages, size_t length, uint32_t *out) {
  uint64_t base = (uint64_t)packages->files[packages->file_count - 1]->source.end + 1;
  *out = (uint32_t)base;
  return base + length < UINT32_MAX;
}

/* Of a path that has not been asked for; NULL when there is no such file. */
static struct module *read_module(struct module *root, const char *path, const char *folder,
                                  const char *dotted, bool is_package) {
  struct packages *packages = root->packages;
  struct slice text;
  uint32_t base;
  if (!read_path(packages, path, &text) || !next_base(packages, text.length, &base))
    return NULL;
  struct module *module = ARENA_NEW(&root->arena, struct module);
  *module = (struct module){.dotted = dotted, .folder = folder, .is_package = is_package};
  module_read_further(root, module, path, text, base);
  add_file(packages, module);
  return module;
}

static struct module *module_at(struct module *root, const char *folder, const char *dotted,
                                bool is_package) {
  struct packages *packages = root->packages;
  struct text text = {0};
  module_path(&text, folder, dotted, is_package ? "/__init__.py" : ".py");
  const char *path = word_of(root, text_string(&text), text.length);
  text_free(&text);
  struct module *module = map_get(&packages->modules, path);
  if (!module) {
    module = read_module(root, path, folder, dotted, is_package);
    map_set(&packages->modules, path, module ? module : &packages->none);
    if (module)
      module_add_imported_kernels(module);
  }
  return module == &packages->none ? NULL : module;
}

struct module *package_submodule(struct module *root, const char *folder, const char *path) {
  struct packages *packages = root->packages;
  struct module *found = NULL;
  for (size_t i = 0; i < packages->folder_count && !found; i++) {
    if (folder && strcmp(packages->folders[i], folder) != 0)
      continue;
    found = module_at(root, packages->folders[i], path, true);
    if (!found && *path)
      found = module_at(root, packages->folders[i], path, false);
  }
  return found;
}

const struct module *module_file(const struct module *module, uint32_t offset) {
  const struct module *root = module->root;
  const struct packages *packages = root->packages;
  size_t low = 0, high = packages ? packages->file_count : 1;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (packages->files[middle]->source.base <= offset)
      low = middle;
    else
      high = middle;
  }
  return low ? packages->files[low] : root;
}

const struct source *module_source(const struct module *module, uint32_t offset) {
  return &module_file(module, offset)->source;
}

/* --- Names ------------------------------------------------------------------------------------ */

/* What kernels are written with. Of the standard library, what host code around kernels uses. */
bool package_is_library(const char *name) {
  static const char *const libraries[] = {
      "triton",  "torch",       "numpy",     "math",       "os",      "sys",       "typing",
      "abc",     "collections", "enum",      "functools",  "inspect", "itertools", "operator",
      "random",  "re",          "time",      "warnings",   "json",    "logging",   "contextlib",
      "pathlib", "dataclasses", "importlib", "__future__", "jax",     "builtins",  "types"};
  size_t length = strcspn(name, ".");
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (strlen(libraries[i]) == length && memcmp(name, libraries[i], length) == 0)
      return true;
  return false;
}

/* The package that a relative name with `level` dots counts from; false when there is none. */
static bool package_of(const struct module *module, size_t level, struct slice *out) {
  *out = slice_of(module->dotted);
  for (size_t up = level - (module->is_package ? 1 : 0); up > 0; up--) {
    if (out->length == 0)
      return false;
    while (out->length > 0 && out->data[out->length - 1] != '.')
      out->length--;
    out->length -= out->length > 0;
  }
  return true;
}

static enum package_outcome find_relative(struct module *from, size_t level, const char *rest,
                                          const char **out_path, struct module **out) {
  struct slice package;
  *out_path = rest;
  if (!package_of(from, level, &package))
    return PACKAGE_ABOVE;
  struct text path = {0};
  text_append(&path, package.data, package.length);
  text_printf(&path, "%s%s", package.length && *rest ? "." : "", rest);
  *out_path = word_of(from->root, text_string(&path), path.length);
  text_free(&path);
  *out = package_submodule(from->root, from->folder, *out_path);
  return *out ? PACKAGE_FOUND : PACKAGE_NONE;
}

enum package_outcome package_find(struct module *from, const char *name, const char **out_path,
                                  struct module **out) {
  size_t level = strspn(name, ".");
  *out = NULL;
  *out_path = name;
  if (level == 0 && package_is_library(name))
    return PACKAGE_LIBRARY;
  if (!from->root->packages)
    return PACKAGE_NONE;
  if (level)
    return find_relative(from, level, name + level, out_path, out);
  *out_path = word_of(from->root, name, strlen(name));
  *out = package_submodule(from->root, NULL, *out_path);
  return *out ? PACKAGE_FOUND : PACKAGE_NONE;
}

/* --- The kernel's own package ----------------------------------------------------------------- */

static void add_folder(struct packages *packages, struct module *root, struct slice folder) {
  while (folder.length > 1 && folder.data[folder.length - 1] == '/')
    folder.length--;
  if (slice_equals(folder, "."))
    folder.length = 0;
  const char *word = word_of(root, folder.data, folder.length);
  for (size_t i = 0; i < packages->folder_count; i++)
    if (packages->folders[i] == word)
      return;
  packages->folders[packages->folder_count++] = word;
}

static bool has_init(struct packages *packages, struct slice folder) {
  struct text path = {0};
  struct slice content;
  char *copy = strndup(folder.data, folder.length);
  join_path(&path, copy, "__init__.py");
  bool found = read_path(packages, text_string(&path), &content);
  text_free(&path);
  free(copy);
  return found;
}

/* True when `inner` is `folder` or lies in it. "" is the current folder. */
static bool lies_in(struct slice inner, struct slice folder) {
  if (folder.length == 0)
    return inner.length == 0 || inner.data[0] != '/';
  return inner.length >= folder.length && memcmp(inner.data, folder.data, folder.length) == 0 &&
         (inner.length == folder.length || inner.data[folder.length] == '/' ||
          folder.data[folder.length - 1] == '/');
}

/* The folder in which the package of a file in `own` begins: up while there is an __init__.py, then
   to the nearest given folder in which that lies. */
static struct slice package_folder(struct packages *packages, struct slice own) {
  struct slice top = own, best = {0};
  while (top.length > 0 && has_init(packages, top) && last_part(top).length > 0)
    top = parent_of(top);
  bool found = false;
  for (size_t i = 0; i < packages->options.folder_count; i++) {
    struct slice folder = slice_of(packages->options.folders[i]);
    while (folder.length > 1 && folder.data[folder.length - 1] == '/')
      folder.length--;
    if (slice_equals(folder, "."))
      folder.length = 0;
    if (!lies_in(top, folder) || (found && folder.length < best.length))
      continue;
    best = folder;
    found = true;
  }
  return found ? best : top;
}

/* "pkg.ops.k" of pkg/ops/k.py below its folder. */
static void name_root(struct module *root, struct slice path, struct slice folder) {
  struct text dotted = {0};
  size_t start = folder.length;
  while (start < path.length && path.data[start] == '/')
    start++;
  struct slice inner = {path.data + start, path.length - start};
  if (inner.length > 3 && memcmp(inner.data + inner.length - 3, ".py", 3) == 0)
    inner.length -= 3;
  for (size_t i = 0; i < inner.length; i++)
    text_append(&dotted, inner.data[i] == '/' ? "." : inner.data + i, 1);
  static const char init[] = "__init__";
  size_t ending = sizeof init - 1;
  const char *text = text_string(&dotted);
  root->is_package = dotted.length >= ending && strcmp(text + dotted.length - ending, init) == 0;
  size_t length = dotted.length - (root->is_package ? ending : 0);
  root->dotted = word_of(root, text, length - (length > 0 && text[length - 1] == '.'));
  text_free(&dotted);
}

bool module_read_with(struct module *module, const char *name, const char *text, size_t length,
                      const struct package_options *options) {
  bool good = module_read(module, name, text, length);
  struct packages *packages = ARENA_NEW(&module->arena, struct packages);
  module->packages = packages;
  add_file(packages, module);
  if (!options || !options->read)
    return good;
  packages->options = *options;
  packages->folders = ARENA_ARRAY(&module->arena, const char *, options->folder_count + 2);
  struct slice path = slice_of(options->path ? options->path : name);
  while (path.length > 2 && path.data[0] == '.' && path.data[1] == '/')
    path = (struct slice){path.data + 2, path.length - 2};
  struct slice own = parent_of(path), folder = package_folder(packages, own);
  name_root(module, path, folder);
  add_folder(packages, module, folder);
  module->folder = packages->folders[0];
  for (size_t i = 0; i < options->folder_count; i++)
    add_folder(packages, module, slice_of(options->folders[i]));
  add_folder(packages, module, own);
  map_set(&packages->modules, word_of(module, path.data, path.length), module);
  return good;
}

void packages_free(struct packages *packages) {
  map_free(&packages->modules);
  map_free(&packages->meanings);
  map_free(&packages->conditions);
  free(packages->files);
}
