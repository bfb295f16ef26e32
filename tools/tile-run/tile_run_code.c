/* SPDX-License-Identifier: MIT */
/* From the kernel's file and the arguments to code for a device: out of the cache, or compiled and
   kept there. */
#include <stdlib.h>
#include <string.h>
#include "ahead/parameters.h"
#include "base/status.h"
#include "driver/cached.h"
#include "driver/compile.h"
#include "driver/kernel_info.h"
#include "emulator/object.h"
#include "tile_run.h"

/* --- What the arguments say of a .py kernel --------------------------------------------------- */

/* How many tuples around it two arguments share: t.0 and t.1.0 one, t.1.0 and t.1.1 two. */
static int shared_tuples(const char *a, const char *b) {
  int count = 0;
  for (size_t i = 0; a[i] && a[i] == b[i]; i++)
    count += a[i] == '.';
  return count;
}

static int tuples_around(const char *name) {
  return shared_tuples(name, name);
}

static void put_times(struct text *out, int count, const char *what) {
  for (int i = 0; i < count; i++)
    text_printf(out, "%s", what);
}

/* What Triton learns of an argument at a call: a buffer is aligned, an integer is 1 or divisible by
   16. */
static const char *learned(const struct run_argument *argument) {
  if (argument->is_buffer)
    return ":16";
  if (element_is_float(argument->type) || argument->type == ELEMENT_I1)
    return "";
  int64_t value = element_load_integer(argument->type, argument->data);
  return value == 1 ? ":1" : value % 16 == 0 ? ":16" : "";
}

/* The signature of a .py kernel whose run-time parameters are the arguments. Arguments t.0, t.1.0,
   ... make the tuple t. `names` gets the entries' names. */
static void derive_signature(const struct run_options *run, const struct run_argument *arguments,
                             struct text *out, struct text *names) {
  int open = 0;
  for (size_t i = 0; i < run->spec_count; i++) {
    const struct run_argument *argument = &arguments[i];
    int shared = i ? shared_tuples(arguments[i - 1].name, argument->name) : 0;
    put_times(out, open - shared, ")");
    put_times(out, i > 0, ", ");
    if (shared == 0) /* not one more part of the tuple before it */
      text_printf(names, "%s%.*s", i > 0 ? "," : "", (int)strcspn(argument->name, "."),
                  argument->name);
    open = tuples_around(argument->name);
    put_times(out, open - shared, "(");
    text_printf(out, "%s%s%s", argument->is_buffer ? "*" : "", element_table[argument->type].name,
                learned(argument));
  }
  put_times(out, open, ")");
}

/* "NAME=VALUE" of the scalars, for heuristics; in the arena. */
static void derive_values(const struct run_options *run, const struct run_argument *arguments,
                          struct arena *arena, struct source_options *options) {
  struct import_options *import = &options->import;
  for (size_t i = 0; i < run->spec_count; i++) {
    const struct run_argument *argument = &arguments[i];
    if (argument->is_buffer || import->argument_value_count == MAX_CONSTANTS)
      continue;
    options->argument_values[import->argument_value_count++] =
        source_argument_value(arena, argument->name, argument->type, argument->data);
  }
  import->derived_values = true;
}

void run_source_begin(const struct run_options *run, const struct run_argument *arguments,
                      struct run_source *out) {
  *out = (struct run_source){.name = strcmp(run->input, "-") == 0 ? "<stdin>" : run->input,
                             .options = run->source};
  struct source_options *options = &out->options;
  bool is_triton = source_is_triton(out->name, options);
  options->import.num_warps = run->compile.num_warps;
  options->import.num_stages = run->compile.num_stages;
  if (!is_triton)
    return;
  derive_values(run, arguments, &out->arena, options);
  if (run->has_target || strcmp(run->device, "emulator") == 0)
    options->import.target = run->compile.target;
  out->packages = source_packages(&out->files, out->name, options);
  options->packages = &out->packages;
  if (!options->import.signature) {
    derive_signature(run, arguments, &out->signature, &out->names);
    options->import.signature = text_string(&out->signature);
    options->import.derived_names = text_string(&out->names);
  }
}

void run_source_end(struct run_source *source) {
  import_files_free(&source->files);
  arena_destroy(&source->arena);
  text_free(&source->signature);
  text_free(&source->names);
}

tile_status run_load_module(const struct run_options *run, struct session *session,
                            const struct text *source, const struct run_argument *arguments,
                            MlirModule *out) {
  struct run_source own;
  run_source_begin(run, arguments, &own);
  tile_status status = source_load(session, own.name, source, &own.options, out);
  run_source_end(&own);
  return status;
}

/* --- The code --------------------------------------------------------------------------------- */

/* What code is made from and for. */
struct making {
  const struct run_options *run;
  const struct text *source;
  struct run_argument *arguments;
  struct run_source from;
  tile_compile_options options;
  tile_image_format format;
  struct cached_request request;
};

static tile_status match(const struct making *making, const struct kernel_infos *infos,
                         struct run_code *out) {
  /* A kernel of a class is chosen as Class.kernel; its code has the last part as its name. */
  const char *name = making->run->kernel, *dot = name ? strrchr(name, '.') : NULL;
  bool in_class = dot && dot[1] && source_is_triton(making->run->input, &making->run->source);
  TRY(kernel_infos_find(infos, in_class ? dot + 1 : name, &out->kernel));
  bool folds = making->from.names.length > 0; /* the signature is made of the arguments */
  return run_match_arguments(out->kernel, making->arguments, making->run->spec_count, folds,
                             out->ordered);
}

static tile_status match_image(const struct making *making, struct run_code *out) {
  const struct kernel_infos infos = {.kernels = (tile_kernel_info *)(uintptr_t)out->image->kernels,
                                     .count = out->image->kernel_count};
  return match(making, &infos, out);
}

/* Matches first, since compiling may take long. */
static tile_status compile_matched(struct making *making, struct session *session,
                                   MlirModule module, struct run_code *out) {
  TRY(pipeline_run(session, "", &compile_quietly, module)); /* verifies what is read next */
  struct arena arena = {0};
  struct kernel_infos infos;
  kernel_infos_read(session, module, &arena, &infos);
  tile_status status = match(making, &infos, out);
  arena_destroy(&arena);
  out->kernel = NULL;
  if (!status)
    status = run_check_outputs(making->run, making->arguments);
  if (!status)
    status = compile_to_image(session, module, &making->options, making->format, &compile_quietly,
                              NULL, &out->image);
  return status ? status : match_image(making, out);
}

static tile_status compile_in(struct making *making, struct session *session,
                              struct run_code *out) {
  MlirModule module;
  cached_record(&making->request, &session->diagnostics);
  struct ahead_parameters seen = {.arena = &making->from.arena};
  ahead_watch(&making->from.options.import, &seen); /* for grids, which name constants */
  TRY(source_load(session, making->from.name, making->source, &making->from.options, &module));
  tile_status status = parameters_annotate_constants(session, module, &seen);
  if (!status)
    status = compile_matched(making, session, module, out);
  mlirModuleDestroy(module);
  if (status || !making->request.cache)
    return status;
  struct text bytes = {0};
  status = compile_print_image(out->image, &bytes);
  if (!status)
    cached_keep(&making->request, bytes.data, bytes.length);
  text_free(&bytes);
  return status;
}

static tile_status compile_anew(struct making *making, struct run_code *out) {
  struct session session;
  TRY(session_create(&session));
  tile_status status = compile_in(making, &session, out);
  making->request.recorded = NULL;
  session_destroy(&session);
  return status;
}

/* The file, what is imported from it, and the options. An emulator's program is code of this
   process, which is not kept; where it is to be, the code is an object. */
static void begin_request(struct making *making) {
  struct source_options *from = &making->from.options;
  tile_cache *cache = making->format == TILE_IMAGE_EMULATOR ? NULL : making->run->cache;
  struct key_builder key;
  if (cache) {
    struct import_options import = from->import;
    import.constants = from->constants;
    import.argument_values = from->argument_values;
    import.packages = making->from.packages;
    key_begin(&key, "run");
    key_add_string(&key, making->from.name);
    key_add(&key, text_string(making->source), making->source->length);
    key_add_number(&key, source_is_triton(making->from.name, from));
    key_add_import_options(&key, &import);
    key_add_compile_options(&key, &making->options,
                            making->format == TILE_IMAGE_OBJECT ? TILE_OUTPUT_EMULATOR
                                                                : TILE_OUTPUT_PTX);
  }
  cached_begin(&making->request, cache, &key, &making->from.packages);
}

static bool find(struct making *making, struct run_code *out) {
  struct diagnostics sink = {.stream = stderr};
  struct text bytes = {0};
  tile_status status =
      cached_find(&making->request, &sink, &bytes)
          ? tile_image_parse("the entry of the cache", bytes.data, bytes.length, &out->image)
          : FAIL(TILE_NOT_FOUND, "there is no entry");
  text_free(&bytes);
  tile_status_free(status);
  return !status;
}

tile_status run_make_code(const struct run_options *run, const struct text *source,
                          struct run_argument *arguments, const tile_device *device,
                          struct run_code *out) {
  struct making making = {.run = run, .source = source, .arguments = arguments};
  making.options = compile_options_for(&run->compile, !run->has_target, device, &making.format);
  if (making.format == TILE_IMAGE_EMULATOR && run->cache && run->cache_named)
    making.format = OBJECT_HOST[0] ? TILE_IMAGE_OBJECT : TILE_IMAGE_EMULATOR;
  run_source_begin(run, arguments, &making.from);
  making.from.options.import.target = making.options.target;
  begin_request(&making);
  tile_status status = find(&making, out) ? match_image(&making, out) : compile_anew(&making, out);
  cached_end(&making.request);
  run_source_end(&making.from);
  return status ? status : run_check_outputs(run, arguments);
}
