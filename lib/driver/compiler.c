/* SPDX-License-Identifier: MIT */
/* The public API: compilers, and what is compiled by them, from the cache where it has it. */
#include <stdio.h>
#include <stdlib.h>
#include "base/status.h"
#include "driver/cached.h"
#include "driver/compile.h"
#include "driver/field_names.h"
#include "driver/reported.h"

/* --- Compilers -------------------------------------------------------------------------------- */

tile_status tile_compiler_create(tile_compiler **out) {
  TRY(REQUIRED(out));
  tile_compiler *compiler = calloc(1, sizeof *compiler);
  if (!compiler)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for a compiler");
  *out = compiler;
  return NULL;
}

void tile_compiler_destroy(tile_compiler *compiler) {
  if (!compiler)
    return;
  if (compiler->has_session)
    session_destroy(&compiler->session);
  tile_cache_close(compiler->cache);
  free(compiler);
}

tile_status tile_compiler_use_cache(tile_compiler *compiler, tile_cache *cache) {
  TRY(REQUIRED(compiler));
  tile_cache *before = compiler->cache;
  compiler->cache = cache_retain(cache);
  tile_cache_close(before);
  return NULL;
}

static void forward_diagnostic(const struct diagnostic *diagnostic, void *data) {
  tile_compiler *compiler = data;
  compiler->handler(&(tile_diagnostic){.severity = severity_name(diagnostic->severity),
                                       .file = diagnostic->file,
                                       .message = diagnostic->message,
                                       .line = diagnostic->line,
                                       .column = diagnostic->column},
                    compiler->handler_data);
}

struct diagnostics compiler_sink(tile_compiler *compiler) {
  return (struct diagnostics){
      .handler = compiler->handler ? forward_diagnostic : NULL, .data = compiler, .stream = stderr};
}

static void set_handler(tile_compiler *compiler) {
  compiler->session.diagnostics.handler = compiler->handler ? forward_diagnostic : NULL;
  compiler->session.diagnostics.data = compiler;
  compiler->session.diagnostics.words = field_names_print;
}

void tile_compiler_on_diagnostic(tile_compiler *compiler, tile_diagnostic_handler *handler,
                                 void *data) {
  compiler->handler = handler;
  compiler->handler_data = data;
  if (compiler->has_session)
    set_handler(compiler);
}

tile_status compiler_session(tile_compiler *compiler, struct session **out) {
  if (!compiler->has_session) {
    TRY(session_create(&compiler->session));
    compiler->has_session = true;
    set_handler(compiler);
  }
  *out = &compiler->session;
  return NULL;
}

tile_status compiler_explain(tile_compiler *compiler, tile_status status) {
  struct text *first =
      compiler && compiler->has_session ? &compiler->session.diagnostics.first_error : NULL;
  status = field_names_in(status);
  tile_status explained = status;
  if (!first || !first->length)
    return status;
  if (status) {
    explained =
        tile_status_make(tile_status_code(status), tile_status_origin(status), "%s; the first: %s",
                         tile_status_message(status), text_string(first));
    tile_status_free(status);
  }
  text_free(first);
  return explained;
}

/* --- Requests --------------------------------------------------------------------------------- */

/* A request for one of the public functions: text in, code out. */
struct request {
  const char *function; /* its name */
  tile_compiler *compiler;
  const char *name, *text;
  size_t length;
  const tile_compile_options *options;
  void *out; /* what the function gives */
  tile_output output;
  tile_image_format format;
  tile_device *device; /* of tile_compile_for_device */
  struct cached_request cached;
};

static void request_begin(struct request *request) {
  struct key_builder key;
  if (request->compiler->cache) {
    key_begin(&key, "compile");
    key_add_string(&key, request->name);
    key_add(&key, request->text, request->length);
    key_add_compile_options(&key, request->options, request->output);
  }
  cached_begin(&request->cached, request->compiler->cache, &key, NULL);
}

static bool request_find(struct request *request, struct text *out) {
  struct diagnostics sink = compiler_sink(request->compiler);
  return cached_find(&request->cached, &sink, out);
}

static tile_status request_parse(struct request *request, struct session **session,
                                 MlirModule *out) {
  TRY(compiler_session(request->compiler, session));
  cached_record(&request->cached, &(*session)->diagnostics);
  *out = session_parse(*session, request->name, request->text, request->length);
  return mlirModuleIsNull(*out)
             ? FAIL(TILE_INVALID_ARGUMENT, "'%s' is not a valid module", request->name)
             : NULL;
}

/* What every function refuses to do without, by its name and theirs. */
static tile_status check_request(const struct request *request) {
  return status_required(request->function, "compiler, name, text, options, out",
                         (const void *const[]){request->compiler, request->name,
                                               request->length ? request->text : "",
                                               request->options, request->out},
                         5);
}

/* Checks the request, answers it by `compile`, and reports the compilation. */
static tile_status answer(struct request request, tile_status (*compile)(struct request *)) {
  tile_compile_event event = {.function = request.function,
                              .name = request.name,
                              .target = request.device
                                            ? tile_device_get_properties(request.device)->target
                                        : request.options ? request.options->target
                                                          : NULL};
  bool reported = report_begins(&event);
  tile_status status = check_request(&request);
  if (!request.length)
    request.text = "";
  if (!status)
    status = compile(&request);
  return report_ends(&event, reported, compiler_explain(request.compiler, status));
}

/* --- Bytes ------------------------------------------------------------------------------------ */

static tile_status find_or_compile(struct request *request, struct text *out) {
  if (request_find(request, out))
    return NULL;
  struct session *session;
  MlirModule module;
  TRY(request_parse(request, &session, &module));
  tile_status status = compile_module(session, module, request->options, request->output,
                                      &compile_quietly, out, NULL);
  mlirModuleDestroy(module);
  if (!status)
    cached_keep(&request->cached, text_string(out), out->length);
  return status;
}

static tile_status compile_bytes(struct request *request) {
  tile_blob *out = request->out;
  if ((unsigned)request->output > TILE_OUTPUT_EMULATOR)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_compile: there is no output %d", (int)request->output);
  request_begin(request);
  struct text bytes = {0};
  tile_status status = find_or_compile(request, &bytes);
  cached_end(&request->cached);
  if (status) {
    text_free(&bytes);
    return status;
  }
  out->size = bytes.length;
  out->data = text_take(&bytes);
  return NULL;
}

tile_status tile_compile(tile_compiler *compiler, const char *name, const char *text, size_t length,
                         const tile_compile_options *options, tile_output output, tile_blob *out) {
  return answer((struct request){__func__, compiler, name, text, length, options, out, output},
                compile_bytes);
}

static tile_status compile_program(struct request *request) {
  struct session *session;
  MlirModule module;
  TRY(request_parse(request, &session, &module));
  tile_status status = compile_for_emulator(session, module, request->options, request->out);
  mlirModuleDestroy(module);
  return status;
}

tile_status tile_compile_for_emulator(tile_compiler *compiler, const char *name, const char *text,
                                      size_t length, const tile_compile_options *options,
                                      tile_emulator_program **out) {
  return answer((struct request){__func__, compiler, name, text, length, options, out},
                compile_program);
}

/* --- Images ----------------------------------------------------------------------------------- */

/* What the cache has, as an image. An entry that cannot be read as one is compiled anew. */
static bool find_image(struct request *request, tile_image **out) {
  struct text bytes = {0};
  tile_status status =
      request_find(request, &bytes)
          ? tile_image_parse("the entry of the cache", bytes.data, bytes.length, out)
          : FAIL(TILE_NOT_FOUND, "there is no entry");
  text_free(&bytes);
  tile_status_free(status);
  return !status;
}

static void keep_image(struct request *request, const tile_image *image) {
  struct text bytes = {0};
  if (!request->cached.cache || !image->kernel_count)
    return;
  tile_status status = compile_print_image(image, &bytes);
  if (!status)
    cached_keep(&request->cached, bytes.data, bytes.length);
  tile_status_free(status); /* what has no bytes is not kept */
  text_free(&bytes);
}

static tile_status compile_image(struct request *request, tile_image **out) {
  if (find_image(request, out))
    return NULL;
  struct session *session;
  MlirModule module;
  TRY(request_parse(request, &session, &module));
  tile_status status = compile_to_image(session, module, request->options, request->format,
                                        &compile_quietly, NULL, out);
  mlirModuleDestroy(module);
  if (!status)
    keep_image(request, *out);
  return status;
}

/* An emulator's program is code of this process, which no cache keeps. */
static tile_status request_image(struct request *request, tile_image **out) {
  request->output = request->format == TILE_IMAGE_CUBIN    ? TILE_OUTPUT_CUBIN
                    : request->format == TILE_IMAGE_OBJECT ? TILE_OUTPUT_EMULATOR
                                                           : TILE_OUTPUT_PTX;
  request_begin(request);
  if (request->format == TILE_IMAGE_EMULATOR)
    request->cached.cache = NULL;
  tile_status status = compile_image(request, out);
  cached_end(&request->cached);
  return status;
}

static tile_status compile_kernels(struct request *request) {
  if ((unsigned)request->format > TILE_IMAGE_OBJECT)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_compile_kernels: there is no image format %d",
                (int)request->format);
  return request_image(request, request->out);
}

tile_status tile_compile_kernels(tile_compiler *compiler, const char *name, const char *text,
                                 size_t length, const tile_compile_options *options,
                                 tile_image_format format, tile_image **out) {
  return answer(
      (struct request){__func__, compiler, name, text, length, options, out, .format = format},
      compile_kernels);
}

static tile_status compile_for_device(struct request *request) {
  tile_device *device = request->device;
  TRY(REQUIRED_BY(request->function, device));
  tile_compile_options own = compile_options_for(request->options, true, device, &request->format);
  request->options = &own;
  tile_image *image;
  TRY(request_image(request, &image));
  tile_status status = tile_module_load(device, image, request->out);
  tile_image_free(image);
  return status;
}

tile_status tile_compile_for_device(tile_compiler *compiler, const char *name, const char *text,
                                    size_t length, const tile_compile_options *options,
                                    tile_device *device, tile_module **out) {
  return answer(
      (struct request){__func__, compiler, name, text, length, options, out, .device = device},
      compile_for_device);
}
