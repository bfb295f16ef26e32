/* SPDX-License-Identifier: MIT */
/* The kernels of a file as its text has them, before anything is compiled:
   tile_source_kernels_create. */
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "driver/compile.h"
#include "driver/source.h"
#include "frontend/check/checker.h"
#include "frontend/module.h"

struct tile_source_kernels {
  struct arena arena; /* owns what follows */
  tile_source_kernel *kernels;
  size_t count;
};

/* What stands in the file, NULL for nothing. */
static const char *keep_source(struct arena *arena, const struct module *module,
                               const struct node *node) {
  if (!node)
    return NULL;
  struct slice text = source_slice(module_source(module, node->span.offset), node->span);
  return arena_copy_string(arena, text.data, text.length);
}

static const char *keep_word(struct arena *arena, const char *word) {
  return arena_copy_string(arena, word, strlen(word));
}

static tile_source_parameter keep_parameter(struct arena *arena, const struct module *module,
                                            const struct node *node) {
  const struct node_parameter *parameter = &node->parameter;
  return (tile_source_parameter){.name = keep_word(arena, parameter->name),
                                 .annotation = keep_source(arena, module, parameter->annotation),
                                 .default_value =
                                     keep_source(arena, module, parameter->default_value),
                                 .is_constexpr = check_is_constexpr(parameter->annotation)};
}

static tile_source_kernel keep_kernel(struct arena *arena, const struct module *module,
                                      const struct kernel *kernel) {
  const struct node_function *function = &kernel->function->function;
  size_t count = function->parameters.count;
  tile_source_parameter *parameters = ARENA_ARRAY(arena, tile_source_parameter, count + 1);
  for (size_t i = 0; i < count; i++)
    parameters[i] = keep_parameter(arena, module, function->parameters.items[i]);
  const struct source *source = module_source(module, function->name_span.offset);
  return (tile_source_kernel){.name = keep_word(arena, kernel->qualified),
                              .line = source_place(source, function->name_span.offset).line,
                              .parameters = parameters,
                              .parameter_count = count,
                              .tuned = kernel->autotune != NULL,
                              .has_heuristics = kernel->heuristics.count > 0};
}

static tile_source_kernels *keep_kernels(const struct module *module) {
  tile_source_kernels *list = tile_allocate(sizeof *list);
  *list = (tile_source_kernels){0};
  list->kernels = ARENA_ARRAY(&list->arena, tile_source_kernel, module->kernel_count + 1);
  for (size_t i = 0; i < module->kernel_count; i++)
    if (!module->kernels[i].replaced_by)
      list->kernels[list->count++] = keep_kernel(&list->arena, module, &module->kernels[i]);
  return list;
}

tile_status tile_source_kernels_create(tile_compiler *compiler, const char *name, const char *text,
                                       size_t length, tile_source_kernels **out) {
  text = length ? text : "";
  TRY(REQUIRED(compiler, name, out, text));
  if (length > SOURCE_LARGEST)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' is larger than 64 MiB", name);
  struct session *session;
  struct module module;
  tile_status status = NULL;
  TRY(compiler_session(compiler, &session));
  if (module_read(&module, name, text, length))
    *out = keep_kernels(&module);
  else
    status = FAIL(TILE_INVALID_ARGUMENT, "%zu error(s) in '%s'", module.problems.errors, name);
  import_deliver_problems(session, &module.problems);
  module_free(&module);
  return compiler_explain(compiler, status);
}

void tile_source_kernels_destroy(tile_source_kernels *list) {
  if (!list)
    return;
  arena_destroy(&list->arena);
  free(list);
}

size_t tile_source_kernels_count(const tile_source_kernels *list) {
  return list->count;
}

const tile_source_kernel *tile_source_kernels_get(const tile_source_kernels *list, size_t index) {
  return index < list->count ? &list->kernels[index] : NULL;
}
