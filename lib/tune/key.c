/* SPDX-License-Identifier: MIT */
/* See key.h. */
#include "tune/key.h"

#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "cache/key.h"
#include "frontend/resolve.h"

/* --- The content ------------------------------------------------------------------------------ */

/* Follows every import of a file, so that what it leads to is read. */
static void follow_imports(struct module *module) {
  for (size_t i = 0; i < module->scope->names.count; i++)
    for (const struct binding *b = module->scope->names.slots[i].value; b; b = b->earlier)
      if (b->kind == BINDING_IMPORT) {
        const char *path;
        struct module *found;
        package_find(module, b->module, &path, &found);
        meaning_of_import(b);
      }
}

static int by_name(const void *a, const void *b) {
  const struct module *const *left = a, *const *right = b;
  return strcmp((*left)->dotted, (*right)->dotted);
}

static void add_source(struct key_builder *key, const struct module *module) {
  key_add(key, module->source.text, module->source.end - module->source.base);
}

/* Files by their dotted names: where a project lies does not matter. Imports of files without
   kernels are followed only for the names that others take from them: a host's whole project would
   be read otherwise. */
static void add_files(struct key_builder *key, struct module *module) {
  struct packages *packages = module->packages;
  add_source(key, module);
  if (!packages)
    return;
  follow_imports(module);
  for (size_t i = 1; i < packages->file_count; i++)
    if (packages->files[i]->kernel_count)
      follow_imports(packages->files[i]);
  size_t count = packages->file_count - 1;
  struct module **files = tile_allocate((count + 1) * sizeof(struct module *));
  if (count)
    memcpy(files, packages->files + 1, count * sizeof(struct module *));
  qsort(files, count, sizeof(struct module *), by_name);
  for (size_t i = 0; i < count; i++) {
    key_add_string(key, files[i]->dotted);
    add_source(key, files[i]);
  }
  free(files);
}

/* Appends `content` for a module that was read (module_read_with); reads what it imports from. */
static void tune_key_content(struct module *module, const char *kernel,
                             const tile_compile_options *options, struct text *out) {
  struct key_builder key;
  llvm_blake3_hasher_init(&key.hasher); /* no build id: the toolkit has a column of its own */
  key_add_string(&key, "tune 1");
  key_add_string(&key, kernel);
  key_add_number(&key, options->optimization_level);
  key_add_number(&key, options->no_fma);
  add_files(&key, module);
  struct cache_key digest = key_end(&key);
  for (size_t i = 0; i < KEY_BYTES; i++)
    text_printf(out, "%02x", digest.bytes[i]);
}

/* --- The arguments ---------------------------------------------------------------------------- */

static void add_member(struct text *out, const char **separator, const char *name,
                       const char *value) {
  text_puts(out, *separator);
  text_json_string(out, name);
  text_puts(out, ":");
  text_json_string(out, value);
  *separator = ",";
}

static const struct launch_parameter *find(const tile_configurations *list, const char *name) {
  for (size_t i = 0; i < list->parameter_count; i++)
    if (strcmp(list->parameters[i].name, name) == 0)
      return &list->parameters[i];
  return NULL;
}

/* Of a name that is no scalar, or a constant, there is none. */
static void add_values(const tile_configurations *list, const char *const *key, size_t count,
                       struct text *out) {
  const char *separator = "";
  for (size_t i = 0; i < count; i++) {
    const struct launch_parameter *parameter = find(list, key[i]);
    bool again = false;
    for (size_t k = 0; k < i; k++)
      again |= strcmp(key[i], key[k]) == 0;
    if (parameter && parameter->value && !again)
      add_member(out, &separator, parameter->name, parameter->value);
  }
  for (size_t i = 0; !count && i < list->parameter_count; i++)
    if (list->parameters[i].value)
      add_member(out, &separator, list->parameters[i].name, list->parameters[i].value);
}

void tune_key_arguments(const tile_configurations *list, const char *const *key, size_t key_count,
                        struct text *out) {
  const struct listed_names *own = &list->names[TILE_NAMES_KEY];
  const char *separator = "";
  text_puts(out, "{\"constants\":{");
  for (size_t i = 0; i < list->parameter_count; i++)
    if (list->parameters[i].constant)
      add_member(out, &separator, list->parameters[i].name, list->parameters[i].constant);
  text_puts(out, "},\"types\":{");
  separator = "";
  for (size_t i = 0; i < list->parameter_count; i++)
    if (list->parameters[i].type)
      add_member(out, &separator, list->parameters[i].name, list->parameters[i].type);
  text_puts(out, "},\"values\":{");
  add_values(list, key_count ? key : own->names, key_count ? key_count : own->count, out);
  text_puts(out, "}}");
}

/* --- Both ------------------------------------------------------------------------------------- */

struct found {
  tile_configurations *list;
  size_t count;
};

static void take(tile_configurations *list, void *data) {
  struct found *found = data;
  found->count++;
  tile_configurations_destroy(found->list);
  found->list = list;
}

tile_status tune_key_read(const char *name, const char *text, size_t length,
                          const struct import_options *import, const tile_compile_options *options,
                          problem_handler *sink, void *sink_data, struct text *out_content,
                          struct text *out_arguments, tile_configurations **out_list) {
  struct module module;
  struct found found = {0};
  tile_status status;
  *out_list = NULL;
  if (length > SOURCE_LARGEST)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' is larger than 64 MiB", name);
  if (module_read_with(&module, name, text, length, &import->packages))
    status = listing_read(&module, import, take, &found);
  else
    status = FAIL(TILE_INVALID_ARGUMENT, "%zu error(s) in '%s'", module.problems.errors, name);
  if (!status && found.count != 1)
    status = FAIL(TILE_INVALID_ARGUMENT, "'%s' has %zu kernels; name one with --kernel", name,
                  found.count);
  if (!status) {
    tune_key_content(&module, found.list->kernel, options, out_content);
    tune_key_arguments(found.list, NULL, 0, out_arguments);
  }
  if (sink)
    problems_deliver(&module.problems, sink, sink_data);
  module_free(&module);
  if (status)
    tile_configurations_destroy(found.list);
  else
    *out_list = found.list;
  return status;
}
