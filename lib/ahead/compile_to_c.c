/* SPDX-License-Identifier: MIT */
/* tile_compile_to_c: the public API over ahead.h. */
#include "ahead/ahead.h"
#include "base/status.h"
#include "driver/import_files.h"
#include "driver/source.h"

/* One variant with what loads it. */
struct public_variant {
  const char *name;
  struct text text; /* borrowed */
  const tile_c_variant *from;
  tile_compile_options options;
};

static tile_status load(struct session *session, void *data, const char *target, struct ahead_parameters *seen,
                        MlirModule *out) {
  const struct public_variant *variant = data;
  const char *text = text_string(&variant->text);
  if (!variant->from->import) {
    *out = session_parse(session, variant->name, text, variant->text.length);
    return mlirModuleIsNull(*out) ? FAIL(TILE_INVALID_ARGUMENT, "'%s' is not a valid module", variant->name) : NULL;
  }
  struct import_files files = {0};
  struct import_options import;
  TRY(import_options_read(variant->from->import, variant->name, &files, &import));
  import.target = target;
  import.num_warps = variant->options.num_warps;
  import.num_stages = variant->options.num_stages;
  ahead_watch(&import, seen);
  tile_status status = import_kernel(session, variant->name, text, variant->text.length, &import, out);
  import_files_free(&files);
  return status;
}

static tile_status check_strings(const char *what, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!list || !list[i])
      return FAIL(TILE_INVALID_ARGUMENT, "tile_c_options: %s has no string %zu, of %zu", what, i, count);
  return NULL;
}

static tile_status check_options(const tile_c_options *options) {
  TRY(check_strings("function_names", options->function_names, options->function_name_count));
  TRY(check_strings("targets", options->targets, options->target_count));
  if (!options->name)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_c_options has no name for the files");
  if (options->variant_count && !options->variants)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_c_options counts %zu variants and has none", options->variant_count);
  if (options->formats & ~(1u << TILE_IMAGE_PTX | 1u << TILE_IMAGE_CUBIN | 1u << TILE_IMAGE_OBJECT))
    return FAIL(TILE_UNSUPPORTED, "tile_c_options: only PTX, cubins and objects for the emulator can be embedded");
  return NULL;
}

static tile_status compile(tile_compiler *compiler, const struct public_variant *file, const tile_c_options *options,
                           struct text *header, struct text *source) {
  static const char *const usual_target[] = {"sm_90a"};
  static const tile_c_variant usual_variant;
  size_t count = options->variant_count ? options->variant_count : 1;
  struct arena arena = {0};
  struct public_variant *own = ARENA_ARRAY(&arena, struct public_variant, count);
  struct ahead_variant *variants = ARENA_ARRAY(&arena, struct ahead_variant, count);
  struct session *session;
  for (size_t i = 0; i < count; i++) {
    own[i] = *file;
    own[i].from = options->variant_count ? &options->variants[i] : &usual_variant;
    own[i].options = own[i].from->options ? *own[i].from->options : tile_compile_options_default();
    variants[i] = (struct ahead_variant){load, &own[i], &own[i].options, own[i].from->when};
  }
  struct ahead_options ahead = {.name = options->name,
                                .from = file->name,
                                .c_names = options->function_names,
                                .c_name_count = options->function_name_count,
                                .grid = options->grid,
                                .targets = options->target_count ? options->targets : usual_target,
                                .target_count = options->target_count ? options->target_count : 1,
                                .formats = options->formats,
                                .variants = variants,
                                .variant_count = count};
  tile_status status = compiler_session(compiler, &session);
  if (!status)
    status = ahead_compile(session, &ahead, &compile_quietly, header, source);
  arena_destroy(&arena);
  return status;
}

static tile_blob take(struct text *text) {
  size_t size = text->length;
  return (tile_blob){text_take(text), size};
}

tile_status tile_compile_to_c(tile_compiler *compiler, const char *name, const char *text, size_t length,
                              const tile_c_options *options, tile_blob *out_header, tile_blob *out_source) {
  TRY(REQUIRED(compiler));
  TRY(REQUIRED(name));
  if (length)
    TRY(REQUIRED(text));
  TRY(REQUIRED(options));
  TRY(REQUIRED(out_header));
  TRY(REQUIRED(out_source));
  TRY(check_options(options));
  struct text header = {0}, source = {0}, copy = {0};
  text_append(&copy, length ? text : "", length);
  tile_status status = compile(compiler, &(struct public_variant){.name = name, .text = copy}, options, &header, &source);
  if (!status) {
    *out_header = take(&header);
    *out_source = take(&source);
  }
  text_free(&copy);
  text_free(&header);
  text_free(&source);
  return compiler_explain(compiler, status);
}
