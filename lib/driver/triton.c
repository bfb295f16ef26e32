/* SPDX-License-Identifier: MIT */
/* The public API for kernels in the Triton language: importing, and reading configurations. */
#include <string.h>
#include "ahead/ahead.h"
#include "base/status.h"
#include "driver/cached.h"
#include "driver/compile.h"
#include "driver/import_files.h"
#include "driver/reported.h"
#include "driver/source.h"
#include "frontend/config/listing.h"

/* The caller's reader; else files, if it said where they are; else nothing. */
static bool read_for_caller(void *data, const char *path, struct slice *out) {
  const tile_import_options *options = data;
  return options->read_source(options->read_data, path, &out->data, &out->length);
}

static struct package_options other_files(const tile_import_options *options, const char *name,
                                          struct import_files *files) {
  if (options->read_source)
    return (struct package_options){.read = read_for_caller,
                                    .data = (void *)options,
                                    .folders = options->import_folders,
                                    .folder_count = options->import_folder_count};
  if (options->import_folder_count)
    return import_files_options(files, name, options->import_folders, options->import_folder_count);
  return (struct package_options){0};
}

static tile_status check_list(const char *what, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!list || !list[i])
      return FAIL(TILE_INVALID_ARGUMENT, "tile_import_options: %s has no string %zu, of %zu", what,
                  i, count);
  return NULL;
}

static tile_status check_lists(const tile_import_options *options) {
  TRY(check_list("constants", options->constants, options->constant_count));
  TRY(check_list("import_folders", options->import_folders, options->import_folder_count));
  return check_list("argument_values", options->argument_values, options->argument_value_count);
}

tile_status import_options_read(const tile_import_options *options, const char *name,
                                struct import_files *files, struct import_options *out) {
  TRY(check_lists(options));
  *out = (struct import_options){.kernel = options->kernel,
                                 .signature = options->signature,
                                 .constants = options->constants,
                                 .constant_count = options->constant_count,
                                 .config = options->config,
                                 .argument_values = options->argument_values,
                                 .argument_value_count = options->argument_value_count,
                                 .target = options->target,
                                 .packages = other_files(options, name, files)};
  return NULL;
}

/* With the places in the kernel's file: what is said of the module later is said of that file. */
static void print_with_places(MlirModule module, struct text *out) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, print_to_text, out);
  mlirOpPrintingFlagsDestroy(flags);
}

static tile_status import_anew(tile_compiler *compiler, const char *name, const char *text,
                               size_t length, const struct import_options *import,
                               struct cached_request *request, struct text *out) {
  struct session *session;
  MlirModule module;
  TRY(compiler_session(compiler, &session));
  cached_record(request, &session->diagnostics);
  TRY(import_kernel_noted(session, name, text, length, import, &module));
  tile_status status = pipeline_run(session, "", &compile_quietly, module);
  if (!status) {
    print_with_places(module, out);
    cached_keep(request, out->data, out->length);
  }
  mlirModuleDestroy(module);
  return status;
}

static tile_status import_text(tile_compiler *compiler, const char *name, const char *text,
                               size_t length, struct import_options *import, struct text *out) {
  struct cached_request request;
  struct key_builder key;
  if (compiler->cache) {
    key_begin(&key, "import");
    key_add_string(&key, name);
    key_add(&key, text, length);
    key_add_import_options(&key, import);
  }
  cached_begin(&request, compiler->cache, &key, &import->packages);
  struct diagnostics sink = compiler_sink(compiler);
  tile_status status = NULL;
  if (!cached_find(&request, &sink, out))
    status = import_anew(compiler, name, text, length, import, &request, out);
  cached_end(&request);
  return status;
}

static tile_status import_to_blob(const char *function, tile_compiler *compiler, const char *name,
                                  const char *text, size_t length,
                                  const tile_import_options *options, tile_blob *out) {
  text = length ? text : "";
  TRY(REQUIRED_BY(function, compiler, name, options, out, text));
  struct import_files files = {0};
  struct import_options import;
  TRY(import_options_read(options, name, &files, &import));
  struct text mlir = {0};
  tile_status status = import_text(compiler, name, text, length, &import, &mlir);
  import_files_free(&files);
  if (!status) {
    out->size = mlir.length;
    out->data = text_take(&mlir);
  }
  text_free(&mlir);
  return status;
}

tile_status tile_import_triton(tile_compiler *compiler, const char *name, const char *text,
                               size_t length, const tile_import_options *options, tile_blob *out) {
  tile_compile_event event = {.function = __func__,
                              .name = name,
                              .kernel = options ? options->kernel : NULL,
                              .target = options ? options->target : NULL};
  bool reported = report_begins(&event);
  return report_ends(&event, reported,
                     compiler_explain(compiler, import_to_blob(__func__, compiler, name, text,
                                                               length, options, out)));
}

/* --- Configurations --------------------------------------------------------------------------- */

tile_status source_list_configurations(struct session *session, const char *name, const char *text,
                                       size_t length, const struct import_options *options,
                                       listing_visit *visit, void *data) {
  struct module module;
  tile_status status;
  if (length > SOURCE_LARGEST)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' is larger than 64 MiB", name);
  if (module_read_with(&module, name, text, length, &options->packages))
    status = listing_read(&module, options, visit, data);
  else
    status = FAIL(TILE_INVALID_ARGUMENT, "%zu error(s) in '%s'", module.problems.errors, name);
  import_deliver_problems(session, &module.problems);
  module_free(&module);
  return status;
}

/* The list that was asked for; how many there are, and their names, for the message. */
struct found {
  tile_configurations *list;
  size_t count;
  struct text names;
};

static void take_one(tile_configurations *list, void *data) {
  struct found *found = data;
  text_printf(&found->names, "%s%s", found->count++ ? ", " : "", list->kernel);
  tile_configurations_destroy(found->list);
  found->list = list;
}

tile_status tile_configurations_create(tile_compiler *compiler, const char *name, const char *text,
                                       size_t length, const tile_import_options *options,
                                       tile_configurations **out) {
  text = length ? text : "";
  TRY(REQUIRED(compiler, name, options, out, text));
  struct session *session;
  TRY(compiler_session(compiler, &session));
  struct found found = {0};
  struct import_files files = {0};
  struct import_options own;
  TRY(import_options_read(options, name, &files, &own));
  tile_status status =
      source_list_configurations(session, name, text, length, &own, take_one, &found);
  import_files_free(&files);
  if (!status && found.count > 1)
    status = FAIL(TILE_INVALID_ARGUMENT, "'%s' has %zu kernels; name one: %s", name, found.count,
                  text_string(&found.names));
  if (status)
    tile_configurations_destroy(found.list);
  else
    *out = found.list;
  text_free(&found.names);
  return compiler_explain(compiler, status);
}

const char *tile_configurations_kernel(const tile_configurations *list) {
  return list->kernel;
}

size_t tile_configurations_count(const tile_configurations *list) {
  return list->count;
}

const tile_configuration *tile_configurations_get(const tile_configurations *list, size_t index) {
  return index < list->count ? &list->configs[index] : NULL;
}

const char *tile_configurations_computed(const tile_configurations *list) {
  return list->computed;
}

size_t tile_configurations_name_count(const tile_configurations *list,
                                      tile_configuration_names which) {
  return (unsigned)which < TILE_NAMES_COUNT ? list->names[which].count : 0;
}

const char *tile_configurations_name(const tile_configurations *list,
                                     tile_configuration_names which, size_t index) {
  return index < tile_configurations_name_count(list, which) ? list->names[which].names[index]
                                                             : NULL;
}

size_t tile_configurations_left_count(const tile_configurations *list) {
  return list->left_count;
}

const tile_configuration *tile_configurations_left(const tile_configurations *list, size_t index,
                                                   int64_t *out_number) {
  if (index >= list->left_count)
    return NULL;
  if (out_number)
    *out_number = list->left_numbers[index];
  return &list->left[index];
}

const char *tile_configurations_pruning_note(const tile_configurations *list) {
  return list->pruning_note;
}

const tile_tuning_settings *tile_configurations_settings(const tile_configurations *list) {
  return &list->settings;
}
