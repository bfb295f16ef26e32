/* SPDX-License-Identifier: MIT */
/* tile_compile_to_c: the public API over ahead.h, from the cache where it has it. */
#include <string.h>
#include "ahead/tuned.h"
#include "base/status.h"
#include "driver/cached.h"
#include "driver/import_files.h"
#include "driver/source.h"

/* One variant with what loads it. */
struct public_variant {
  const char *name;
  struct text text; /* borrowed */
  const tile_c_variant *from;
  tile_compile_options options;
  const struct package_options *packages; /* how all variants find other files; NULL: each as it
                                             says */
  const struct tuned_version *version;    /* NULL: as the caller has it */
};

static tile_status load(struct session *session, void *data, const char *target,
                        struct ahead_parameters *seen, MlirModule *out) {
  const struct public_variant *variant = data;
  const char *text = text_string(&variant->text);
  if (!variant->from->import) {
    *out = session_parse(session, variant->name, text, variant->text.length);
    return mlirModuleIsNull(*out)
               ? FAIL(TILE_INVALID_ARGUMENT, "'%s' is not a valid module", variant->name)
               : NULL;
  }
  struct import_files files = {0};
  struct import_options import;
  TRY(import_options_read(variant->from->import, variant->name, &files, &import));
  if (variant->packages)
    import.packages = *variant->packages;
  if (variant->version) {
    import.constants = variant->version->constants;
    import.constant_count = variant->version->constant_count;
  }
  import.target = target;
  import.num_warps = variant->options.num_warps;
  import.num_stages = variant->options.num_stages;
  ahead_watch(&import, seen);
  tile_status status =
      import_kernel(session, variant->name, text, variant->text.length, &import, out);
  import_files_free(&files);
  return status;
}

static tile_status check_strings(const char *what, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!list || !list[i])
      return FAIL(TILE_INVALID_ARGUMENT, "tile_c_options: %s has no string %zu, of %zu", what, i,
                  count);
  return NULL;
}

static tile_status check_options(const tile_c_options *options) {
  TRY(check_strings("function_names", options->function_names, options->function_name_count));
  TRY(check_strings("targets", options->targets, options->target_count));
  if (!options->name)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_c_options has no name for the files");
  if (options->variant_count && !options->variants)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_c_options counts %zu variants and has none",
                options->variant_count);
  if (options->formats & ~(1u << TILE_IMAGE_PTX | 1u << TILE_IMAGE_CUBIN | 1u << TILE_IMAGE_OBJECT))
    return FAIL(TILE_UNSUPPORTED,
                "tile_c_options: only PTX, cubins and objects for the emulator can be embedded");
  return NULL;
}

/* --- The cache -------------------------------------------------------------------------------- */

static const tile_c_variant usual_variant;

static const tile_c_variant *variant_at(const tile_c_options *options, size_t index) {
  return options->variant_count ? &options->variants[index] : &usual_variant;
}

static size_t variant_count(const tile_c_options *options) {
  return options->variant_count ? options->variant_count : 1;
}

static tile_compile_options options_of(const tile_c_variant *variant) {
  return variant->options ? *variant->options : tile_compile_options_default();
}

static bool same_list(const char *const *a, const char *const *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(a[i], b[i]) != 0)
      return false;
  return true;
}

/* Whether both find other files in one way, so that a request knows all that were read. */
static bool same_reader(const tile_import_options *a, const tile_import_options *b) {
  if (!a || !b)
    return a == b;
  return a->read_source == b->read_source && a->read_data == b->read_data &&
         a->import_folder_count == b->import_folder_count &&
         same_list(a->import_folders, b->import_folders, a->import_folder_count);
}

/* What winners there are, the database says anew each time. */
static bool can_be_kept(const tile_c_options *options) {
  if (options->tuned)
    return false;
  for (size_t i = 1; i < variant_count(options); i++)
    if (!same_reader(variant_at(options, 0)->import, variant_at(options, i)->import))
      return false;
  return true;
}

static void add_strings(struct key_builder *key, const char *const *list, size_t count) {
  key_add_number(key, (int64_t)count);
  for (size_t i = 0; i < count; i++)
    key_add_string(key, list[i]);
}

static tile_status add_variant(struct key_builder *key, const char *name,
                               const tile_c_options *options, size_t index) {
  const tile_c_variant *variant = variant_at(options, index);
  tile_compile_options own = options_of(variant);
  struct import_files files = {0};
  struct import_options import;
  bool cubin = options->formats & 1u << TILE_IMAGE_CUBIN;
  own.target = NULL; /* those of tile_c_options count */
  key_add_compile_options(key, &own, cubin ? TILE_OUTPUT_CUBIN : TILE_OUTPUT_PTX);
  key_add_string(key, variant->when);
  key_add_number(key, variant->import != NULL);
  if (!variant->import)
    return NULL;
  TRY(import_options_read(variant->import, name, &files, &import));
  import.target = NULL;
  key_add_import_options(key, &import);
  import_files_free(&files);
  return NULL;
}

/* Everything that decides what comes out, but other files. */
static tile_status add_request(struct key_builder *key, const struct public_variant *file,
                               const tile_c_options *options) {
  key_begin(key, "to-c");
  key_add_string(key, file->name);
  key_add(key, text_string(&file->text), file->text.length);
  key_add_string(key, options->name);
  add_strings(key, options->function_names, options->function_name_count);
  key_add_string(key, options->grid);
  add_strings(key, options->targets, options->target_count);
  key_add_number(key, options->formats);
  key_add_number(key, (int64_t)options->variant_count);
  for (size_t i = 0; i < variant_count(options); i++)
    TRY(add_variant(key, file->name, options, i));
  return NULL;
}

/* An entry is the length of the header, the header, and the source. */
static bool take_entry(const struct text *entry, struct text *header, struct text *source) {
  uint64_t length;
  if (entry->length < sizeof length)
    return false;
  memcpy(&length, entry->data, sizeof length);
  if (length > entry->length - sizeof length)
    return false;
  text_append(header, entry->data + sizeof length, (size_t)length);
  text_append(source, entry->data + sizeof length + length,
              entry->length - sizeof length - (size_t)length);
  return true;
}

static bool find(tile_compiler *compiler, struct cached_request *request, struct text *header,
                 struct text *source) {
  struct diagnostics sink = compiler_sink(compiler);
  struct text entry = {0};
  bool found = cached_find(request, &sink, &entry) && take_entry(&entry, header, source);
  text_free(&entry);
  return found;
}

static void keep(struct cached_request *request, const struct text *header,
                 const struct text *source) {
  uint64_t length = header->length;
  struct text entry = {0};
  text_append(&entry, (const char *)&length, sizeof length);
  text_append(&entry, text_string(header), header->length);
  text_append(&entry, text_string(source), source->length);
  cached_keep(request, entry.data, entry.length);
  text_free(&entry);
}

/* --- Compiling -------------------------------------------------------------------------------- */

/* What is compiled. */
struct compiling {
  struct arena arena;
  const tile_c_options *options;
  const char *const *targets;
  size_t target_count;
  struct public_variant *own;
  struct ahead_variant *variants;
  size_t count;
  struct text tuned; /* for the header */
};

enum { MAX_VERSIONS = 256 };

static tile_status add(struct compiling *c, const struct public_variant *variant, const char *when,
                       size_t first) {
  const struct tuned_version *version = variant->version;
  if (version && c->count == MAX_VERSIONS)
    return FAIL(TILE_INVALID_ARGUMENT, "the winners of the database make more than %d versions",
                MAX_VERSIONS);
  c->own[c->count] = *variant;
  c->variants[c->count] =
      (struct ahead_variant){.load = load,
                             .data = &c->own[c->count],
                             .options = &c->own[c->count].options,
                             .when = when,
                             .target = version ? version->target : NULL,
                             .same = version && version->same ? first + version->same : 0};
  c->count++;
  return NULL;
}

/* A variant for each winner. */
static tile_status add_tuned(struct compiling *c, const struct public_variant *variant) {
  struct import_files files = {0};
  struct import_options import;
  const struct tuned_version *versions;
  size_t count = 0, first = c->count;
  if (!variant->from->import)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_c_options: winners are those of kernels in the Triton "
                                       "language; a variant has no import");
  TRY(import_options_read(variant->from->import, variant->name, &files, &import));
  struct tuned_request request = {.database = *c->options->tuned ? c->options->tuned : NULL,
                                  .device = c->options->tuned_device,
                                  .name = variant->name,
                                  .text = text_string(&variant->text),
                                  .length = variant->text.length,
                                  .import = &import,
                                  .options = &variant->options,
                                  .when = variant->from->when,
                                  .targets = c->targets,
                                  .target_count = c->target_count};
  tile_status status = tuned_versions_read(&c->arena, &request, &versions, &count, &c->tuned);
  for (size_t i = 0; i < count && !status; i++) {
    struct public_variant own = *variant;
    own.version = &versions[i];
    status = add(c, &own, versions[i].when, first);
  }
  import_files_free(&files);
  return status;
}

static tile_status add_all(struct compiling *c, const struct public_variant *file) {
  size_t count = variant_count(c->options), most = c->options->tuned ? MAX_VERSIONS : count;
  c->own = ARENA_ARRAY(&c->arena, struct public_variant, most);
  c->variants = ARENA_ARRAY(&c->arena, struct ahead_variant, most);
  for (size_t i = 0; i < count; i++) {
    struct public_variant own = *file;
    own.from = variant_at(c->options, i);
    own.options = options_of(own.from);
    TRY(c->options->tuned ? add_tuned(c, &own) : add(c, &own, own.from->when, 0));
  }
  return NULL;
}

static tile_status compile(tile_compiler *compiler, const struct public_variant *file,
                           const tile_c_options *options, struct cached_request *request,
                           struct text *header, struct text *source) {
  static const char *const usual_target[] = {"sm_90a"};
  struct compiling c = {.options = options,
                        .targets = options->target_count ? options->targets : usual_target,
                        .target_count = options->target_count ? options->target_count : 1};
  struct session *session;
  tile_status status = add_all(&c, file);
  struct ahead_options ahead = {.name = options->name,
                                .from = file->name,
                                .c_names = options->function_names,
                                .c_name_count = options->function_name_count,
                                .grid = options->grid,
                                .targets = c.targets,
                                .target_count = c.target_count,
                                .formats = options->formats,
                                .variants = c.variants,
                                .variant_count = c.count,
                                .tuned = c.tuned.length ? text_string(&c.tuned) : NULL};
  if (!status)
    status = compiler_session(compiler, &session);
  if (!status) {
    cached_record(request, &session->diagnostics);
    status = ahead_compile(session, &ahead, &compile_quietly, header, source);
  }
  text_free(&c.tuned);
  arena_destroy(&c.arena);
  if (!status)
    keep(request, header, source);
  return status;
}

static tile_status find_or_compile(tile_compiler *compiler, struct public_variant *file,
                                   const tile_c_options *options, struct text *header,
                                   struct text *source) {
  const tile_import_options *import = variant_at(options, 0)->import;
  tile_cache *cache = can_be_kept(options) ? compiler->cache : NULL;
  struct import_files files = {0};
  struct import_options shared = {0};
  struct key_builder key;
  struct cached_request request;
  tile_status status = cache ? add_request(&key, file, options) : NULL;
  if (!status && cache && import)
    status = import_options_read(import, file->name, &files, &shared);
  if (status)
    return status;
  cached_begin(&request, cache, &key, &shared.packages);
  if (cache && import)
    file->packages = &shared.packages;
  if (!find(compiler, &request, header, source))
    status = compile(compiler, file, options, &request, header, source);
  cached_end(&request);
  import_files_free(&files);
  return status;
}

static tile_blob take(struct text *text) {
  size_t size = text->length;
  return (tile_blob){text_take(text), size};
}

tile_status tile_compile_to_c(tile_compiler *compiler, const char *name, const char *text,
                              size_t length, const tile_c_options *options, tile_blob *out_header,
                              tile_blob *out_source) {
  text = length ? text : "";
  TRY(REQUIRED(compiler, name, text, options, out_header, out_source));
  TRY(check_options(options));
  struct text header = {0}, source = {0}, copy = {0};
  text_append(&copy, text, length);
  tile_status status = find_or_compile(
      compiler, &(struct public_variant){.name = name, .text = copy}, options, &header, &source);
  if (!status) {
    *out_header = take(&header);
    *out_source = take(&source);
  }
  text_free(&copy);
  text_free(&header);
  text_free(&source);
  return compiler_explain(compiler, status);
}
