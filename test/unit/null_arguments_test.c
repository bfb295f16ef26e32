/* SPDX-License-Identifier: MIT */
/* NULL, where a function does not say what it means, is refused by every public function that
   returns a status: with the function's name and the argument's. The last test compares this file
   with the headers, so that no function is forgotten. */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include "base/files.h"
#include "tile/compiler.h"
#include "tile/interop.h"
#include "tile/embedded.h"
#include "tile/tune.h"

/* The call is refused, with "tile_function: argument is NULL". */
#define REFUSED(function, argument, ...) refused(function(__VA_ARGS__), #function, argument)

/* The same, with words of its own after the function's name. */
#define REFUSED_SAYING(function, words, ...)                                                       \
  refused_saying(function(__VA_ARGS__), #function, words, false)

/* The names of functions that were called. */
static struct text called;

static void refused_saying(tile_status status, const char *function, const char *words,
                           bool whole) {
  struct text expected = {0};
  text_printf(&expected, "%s: %s", function, words);
  size_t length = expected.length + whole; /* with the zero at the end */
  bool right = tile_status_code(status) == TILE_INVALID_ARGUMENT &&
               strncmp(tile_status_message(status), text_string(&expected), length) == 0;
  if (!right)
    printf("%s: '%s' in place of '%s'\n", function, tile_status_message(status),
           text_string(&expected));
  CHECK(right);
  text_printf(&called, " %s ", function);
  tile_status_free(status);
  text_free(&expected);
}

static void refused(tile_status status, const char *function, const char *argument) {
  struct text words = {0};
  text_printf(&words, "%s is NULL", argument);
  refused_saying(status, function, text_string(&words), true);
  text_free(&words);
}

static void fine(tile_status status) {
  if (status)
    printf("%s\n", tile_status_message(status));
  CHECK(!status);
  tile_status_free(status);
}

static const char kernel_text[] =
    "func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {\n  return\n}\n";
enum { LENGTH = sizeof kernel_text - 1 };

static void compilers(void) {
  tile_compiler *c = NULL;
  tile_device *device = NULL;
  tile_module *module = NULL;
  tile_image *image = NULL;
  tile_emulator_program *program = NULL;
  tile_configurations *list = NULL;
  tile_blob blob;
  const tile_compile_options options = tile_compile_options_default();
  const tile_import_options import = {0};
  fine(tile_compiler_create(&c));
  fine(tile_device_open(tile_null_driver(), 0, &device));
  REFUSED(tile_compiler_create, "out", NULL);
  REFUSED(tile_compiler_use_cache, "compiler", NULL, NULL);
  REFUSED(tile_compile, "compiler", NULL, "k", kernel_text, LENGTH, &options, TILE_OUTPUT_PTX,
          &blob);
  REFUSED(tile_compile, "name", c, NULL, kernel_text, LENGTH, &options, TILE_OUTPUT_PTX, &blob);
  REFUSED(tile_compile, "text", c, "k", NULL, LENGTH, &options, TILE_OUTPUT_PTX, &blob);
  REFUSED(tile_compile, "options", c, "k", kernel_text, LENGTH, NULL, TILE_OUTPUT_PTX, &blob);
  REFUSED(tile_compile, "out", c, "k", kernel_text, LENGTH, &options, TILE_OUTPUT_PTX, NULL);
  REFUSED(tile_compile_kernels, "compiler", NULL, "k", kernel_text, LENGTH, &options,
          TILE_IMAGE_PTX, &image);
  REFUSED(tile_compile_kernels, "name", c, NULL, kernel_text, LENGTH, &options, TILE_IMAGE_PTX,
          &image);
  REFUSED(tile_compile_kernels, "text", c, "k", NULL, LENGTH, &options, TILE_IMAGE_PTX, &image);
  REFUSED(tile_compile_kernels, "options", c, "k", kernel_text, LENGTH, NULL, TILE_IMAGE_PTX,
          &image);
  REFUSED(tile_compile_kernels, "out", c, "k", kernel_text, LENGTH, &options, TILE_IMAGE_PTX, NULL);
  REFUSED(tile_compile_for_device, "compiler", NULL, "k", kernel_text, LENGTH, &options, device,
          &module);
  REFUSED(tile_compile_for_device, "name", c, NULL, kernel_text, LENGTH, &options, device, &module);
  REFUSED(tile_compile_for_device, "text", c, "k", NULL, LENGTH, &options, device, &module);
  REFUSED(tile_compile_for_device, "options", c, "k", kernel_text, LENGTH, NULL, device, &module);
  REFUSED(tile_compile_for_device, "device", c, "k", kernel_text, LENGTH, &options, NULL, &module);
  REFUSED(tile_compile_for_device, "out", c, "k", kernel_text, LENGTH, &options, device, NULL);
  REFUSED(tile_compile_for_emulator, "compiler", NULL, "k", kernel_text, LENGTH, &options,
          &program);
  REFUSED(tile_compile_for_emulator, "name", c, NULL, kernel_text, LENGTH, &options, &program);
  REFUSED(tile_compile_for_emulator, "text", c, "k", NULL, LENGTH, &options, &program);
  REFUSED(tile_compile_for_emulator, "options", c, "k", kernel_text, LENGTH, NULL, &program);
  REFUSED(tile_compile_for_emulator, "out", c, "k", kernel_text, LENGTH, &options, NULL);
  REFUSED(tile_import_triton, "compiler", NULL, "k", "", 0, &import, &blob);
  REFUSED(tile_import_triton, "name", c, NULL, "", 0, &import, &blob);
  REFUSED(tile_import_triton, "text", c, "k", NULL, 1, &import, &blob);
  REFUSED(tile_import_triton, "options", c, "k", "", 0, NULL, &blob);
  REFUSED(tile_import_triton, "out", c, "k", "", 0, &import, NULL);
  REFUSED(tile_configurations_create, "compiler", NULL, "k", "", 0, &import, &list);
  REFUSED(tile_configurations_create, "name", c, NULL, "", 0, &import, &list);
  REFUSED(tile_configurations_create, "text", c, "k", NULL, 1, &import, &list);
  REFUSED(tile_configurations_create, "options", c, "k", "", 0, NULL, &list);
  REFUSED(tile_configurations_create, "out", c, "k", "", 0, &import, NULL);
  tile_source_kernels *kernels;
  REFUSED(tile_source_kernels_create, "compiler", NULL, "k", "", 0, &kernels);
  REFUSED(tile_source_kernels_create, "name", c, NULL, "", 0, &kernels);
  REFUSED(tile_source_kernels_create, "text", c, "k", NULL, 1, &kernels);
  REFUSED(tile_source_kernels_create, "out", c, "k", "", 0, NULL);
  const tile_c_options to_c = {.name = "k"};
  REFUSED(tile_compile_to_c, "compiler", NULL, "k", kernel_text, LENGTH, &to_c, &blob, &blob);
  REFUSED(tile_compile_to_c, "name", c, NULL, kernel_text, LENGTH, &to_c, &blob, &blob);
  REFUSED(tile_compile_to_c, "text", c, "k", NULL, LENGTH, &to_c, &blob, &blob);
  REFUSED(tile_compile_to_c, "options", c, "k", kernel_text, LENGTH, NULL, &blob, &blob);
  REFUSED(tile_compile_to_c, "out_header", c, "k", kernel_text, LENGTH, &to_c, NULL, &blob);
  REFUSED(tile_compile_to_c, "out_source", c, "k", kernel_text, LENGTH, &to_c, &blob, NULL);
  tile_device_close(device);
  tile_compiler_destroy(c);
}

static void embedded_images(void) {
  static const tile_embedded_kernel kernels[] = {{"k", "i", NULL, ""}};
  tile_embedded embedded = {"k", "", 0, kernels, 1, 0};
  uint32_t grid[3] = {1, 1, 1};
  int n = 1;
  void *arguments[] = {&n};
  tile_device *device = NULL;
  tile_kernel *kernel;
  fine(tile_device_open(tile_null_driver(), 0, &device));
  REFUSED(tile_embedded_get, "embedded", NULL, 0, device, &kernel);
  REFUSED(tile_embedded_get, "device", &embedded, 0, NULL, &kernel);
  REFUSED(tile_embedded_get, "out", &embedded, 0, device, NULL);
  REFUSED(tile_embedded_launch, "embedded", NULL, 0, device, NULL, grid, arguments);
  REFUSED(tile_embedded_launch, "device", &embedded, 0, NULL, NULL, grid, arguments);
  REFUSED(tile_embedded_launch, "grid", &embedded, 0, device, NULL, NULL, arguments);
  REFUSED(tile_embedded_launch, "arguments", &embedded, 0, device, NULL, grid, NULL);
  tile_device_close(device);
}

static void caches(void) {
  tile_cache *cache = NULL;
  tile_cache_statistics statistics;
  tile_cache_usage usage;
  fine(tile_cache_open(&(tile_cache_options){.folder = ""}, &cache));
  REFUSED(tile_cache_open, "out", NULL, NULL);
  REFUSED(tile_cache_get_statistics, "cache", NULL, &statistics);
  REFUSED(tile_cache_get_statistics, "out", cache, NULL);
  REFUSED(tile_cache_problem, "cache", NULL);
  REFUSED(tile_cache_measure, "cache", NULL, &usage);
  REFUSED(tile_cache_measure, "out", cache, NULL);
  REFUSED(tile_cache_clear, "cache", NULL);
  tile_cache_close(cache);
}

static tile_image *make_image(void) {
  tile_compiler *compiler = NULL;
  tile_image *image = NULL;
  const tile_compile_options options = tile_compile_options_default();
  fine(tile_compiler_create(&compiler));
  fine(tile_compile_kernels(compiler, "k", kernel_text, LENGTH, &options, TILE_IMAGE_PTX, &image));
  tile_compiler_destroy(compiler);
  return image;
}

static void images(void) {
  tile_image *image = make_image(), *other = NULL;
  const tile_image *const parts[] = {image};
  void *bytes;
  size_t size;
  REFUSED(tile_image_parse, "name", NULL, "", 0, &other);
  REFUSED(tile_image_parse, "bytes", "k", NULL, 1, &other);
  REFUSED(tile_image_parse, "out", "k", "", 0, NULL);
  REFUSED(tile_image_read, "path", NULL, &other);
  REFUSED(tile_image_read, "out", "/dev/null", NULL);
  REFUSED(tile_image_write, "image", NULL, "/dev/null");
  REFUSED(tile_image_write, "path", image, NULL);
  REFUSED(tile_image_serialize, "image", NULL, &bytes, &size);
  REFUSED(tile_image_serialize, "out", image, NULL, &size);
  REFUSED(tile_image_serialize, "out_size", image, &bytes, NULL);
  REFUSED(tile_image_join, "parts", NULL, 1, &other);
  REFUSED(tile_image_join, "out", parts, 1, NULL);
  tile_image_free(image);
}

/* What devices have. */
struct objects {
  tile_device *device;
  tile_buffer *buffer;
  tile_stream *stream;
  tile_event *event;
  tile_module *module;
  tile_kernel *kernel;
};

static struct objects open_objects(void) {
  struct objects o = {0};
  tile_image *image = make_image();
  fine(tile_device_open(tile_null_driver(), 0, &o.device));
  fine(tile_buffer_create(o.device, 16, &o.buffer));
  fine(tile_stream_create(o.device, &o.stream));
  fine(tile_event_create(o.device, &o.event));
  fine(tile_module_load(o.device, image, &o.module));
  fine(tile_module_kernel(o.module, "k", &o.kernel));
  tile_image_free(image);
  return o;
}

static void close_objects(struct objects *o) {
  tile_module_unload(o->module);
  tile_event_destroy(o->event);
  tile_stream_destroy(o->stream);
  tile_buffer_destroy(o->buffer);
  tile_device_close(o->device);
}

static void devices_and_buffers(void) {
  struct objects o = open_objects();
  char bytes[16];
  int count;
  uint64_t memory;
  tile_device *device;
  tile_buffer *buffer;
  REFUSED(tile_driver_find, "name", NULL, &(const tile_driver *){0});
  REFUSED(tile_driver_find, "out", "null", NULL);
  REFUSED(tile_driver_device_count, "driver", NULL, &count);
  REFUSED(tile_driver_device_count, "out", tile_null_driver(), NULL);
  REFUSED(tile_device_open, "driver", NULL, 0, &device);
  REFUSED(tile_device_open, "out", tile_null_driver(), 0, NULL);
  REFUSED(tile_device_free_memory, "device", NULL, &memory);
  REFUSED(tile_device_free_memory, "out", o.device, NULL);
  REFUSED(tile_device_synchronize, "device", NULL);
  REFUSED(tile_device_set_option, "device", NULL, "seed", 1);
  REFUSED(tile_device_set_option, "name", o.device, NULL, 1);
  REFUSED(tile_emulator_device_create, "out", NULL, NULL);
  REFUSED(tile_buffer_create, "device", NULL, 16, &buffer);
  REFUSED(tile_buffer_create, "out", o.device, 16, NULL);
  REFUSED(tile_buffer_write, "buffer", NULL, 0, bytes, 16, NULL);
  REFUSED(tile_buffer_write, "from", o.buffer, 0, NULL, 16, NULL);
  REFUSED(tile_buffer_read, "buffer", NULL, 0, bytes, 16, NULL);
  REFUSED(tile_buffer_read, "to", o.buffer, 0, NULL, 16, NULL);
  REFUSED(tile_buffer_copy, "to", NULL, 0, o.buffer, 0, 16, NULL);
  REFUSED(tile_buffer_copy, "from", o.buffer, 0, NULL, 0, 16, NULL);
  REFUSED(tile_buffer_fill, "buffer", NULL, 0, 0, 16, NULL);
  close_objects(&o);
}

static void streams_and_events(void) {
  struct objects o = open_objects();
  tile_stream *stream;
  tile_event *event;
  double milliseconds;
  REFUSED(tile_stream_create, "device", NULL, &stream);
  REFUSED(tile_stream_create, "out", o.device, NULL);
  REFUSED(tile_stream_wrap, "device", NULL, NULL, &stream);
  REFUSED(tile_stream_wrap, "out", o.device, NULL, NULL);
  REFUSED_SAYING(tile_stream_synchronize,
                 "stream is NULL, the default stream of some device; tile_device_synchronize",
                 NULL);
  REFUSED(tile_stream_wait, "event", o.stream, NULL);
  REFUSED(tile_event_create, "device", NULL, &event);
  REFUSED(tile_event_create, "out", o.device, NULL);
  REFUSED(tile_event_record, "event", NULL, o.stream);
  REFUSED(tile_event_synchronize, "event", NULL);
  REFUSED(tile_event_done, "event", NULL, &(bool){false});
  REFUSED(tile_event_elapsed, "start", NULL, o.event, &milliseconds);
  REFUSED(tile_event_elapsed, "end", o.event, NULL, &milliseconds);
  REFUSED(tile_event_elapsed, "out_milliseconds", o.event, o.event, NULL);
  close_objects(&o);
}

static tile_status nothing(void *context, tile_stream *stream) {
  (void)context, (void)stream;
  return NULL;
}

static tile_status one_program(void *context, const tile_kernel_version *version,
                               void *const *arguments, uint32_t grid[3]) {
  (void)context, (void)version, (void)arguments;
  grid[0] = grid[1] = grid[2] = 1;
  return NULL;
}

static void modules_and_launches(void) {
  struct objects o = open_objects();
  tile_image *image = make_image();
  tile_module *module;
  tile_kernel *kernel;
  tile_bench_result result;
  const tile_kernel_version *version;
  static const uint32_t grid[3] = {1, 1, 1};
  const tile_argument argument = tile_argument_buffer(o.buffer);
  uint64_t address = tile_buffer_address(o.buffer);
  void *const pointers[] = {&address};
  REFUSED(tile_module_load, "device", NULL, image, &module);
  REFUSED(tile_module_load, "image", o.device, NULL, &module);
  REFUSED(tile_module_load, "out", o.device, image, NULL);
  REFUSED(tile_module_kernel, "module", NULL, "k", &kernel);
  REFUSED(tile_module_kernel, "out", o.module, "k", NULL);
  REFUSED(tile_launch, "kernel", NULL, grid, NULL, &argument, 1);
  REFUSED(tile_launch, "grid", o.kernel, NULL, NULL, &argument, 1);
  REFUSED(tile_launch, "arguments", o.kernel, grid, NULL, NULL, 1);
  REFUSED(tile_launch_pointers, "kernel", NULL, grid, NULL, pointers);
  REFUSED(tile_launch_pointers, "grid", o.kernel, NULL, NULL, pointers);
  REFUSED(tile_launch_pointers, "arguments", o.kernel, grid, NULL, NULL);
  REFUSED(tile_launch_computed, "kernel", NULL, one_program, NULL, NULL, pointers);
  REFUSED(tile_launch_computed, "grid", o.kernel, NULL, NULL, NULL, pointers);
  REFUSED(tile_launch_computed, "arguments", o.kernel, one_program, NULL, NULL, NULL);
  REFUSED(tile_kernel_select, "kernel", NULL, grid, &argument, 1, &version);
  REFUSED(tile_kernel_select, "out", o.kernel, grid, &argument, 1, NULL);
  REFUSED(tile_do_bench, "device", NULL, nothing, NULL, NULL, &result);
  REFUSED(tile_do_bench, "function", o.device, NULL, NULL, NULL, &result);
  REFUSED(tile_do_bench, "out", o.device, nothing, NULL, NULL, NULL);
  tile_image_free(image);
  close_objects(&o);
}

static void interoperation(void) {
  struct objects o = open_objects();
  tile_device *device;
  tile_buffer *buffer;
  tile_pinned *pinned = NULL, *none;
  tile_hook *hook;
  tile_kernel_resources resources;
  void *native;
  char bytes[16];
  static const uint32_t grid[3] = {1, 1, 1};
  const tile_argument argument = tile_argument_buffer(o.buffer);
  REFUSED(tile_device_open_context, "driver", NULL, NULL, &device);
  REFUSED(tile_device_open_context, "out", tile_null_driver(), NULL, NULL);
  REFUSED(tile_buffer_wrap, "device", NULL, 4096, 16, &buffer);
  REFUSED(tile_buffer_wrap, "out", o.device, 4096, 16, NULL);
  REFUSED(tile_device_native, "device", NULL, &native);
  REFUSED(tile_device_native, "out_context", o.device, NULL);
  REFUSED(tile_stream_native, "stream", NULL, &native);
  REFUSED(tile_stream_native, "out_stream", o.stream, NULL);
  REFUSED(tile_event_native, "event", NULL, &native);
  REFUSED(tile_event_native, "out_event", o.event, NULL);
  REFUSED(tile_kernel_native, "kernel", NULL, NULL, &native, NULL);
  fine(tile_pinned_create(o.device, 16, &pinned));
  REFUSED(tile_pinned_create, "device", NULL, 16, &none);
  REFUSED(tile_pinned_create, "out", o.device, 16, NULL);
  REFUSED(tile_pinned_register, "device", NULL, bytes, 16, &none);
  REFUSED(tile_pinned_register, "memory", o.device, NULL, 16, &none);
  REFUSED(tile_pinned_register, "out", o.device, bytes, 16, NULL);
  REFUSED(tile_pinned_wrap, "device", NULL, bytes, 16, &none);
  REFUSED(tile_pinned_wrap, "memory", o.device, NULL, 16, &none);
  REFUSED(tile_pinned_wrap, "out", o.device, bytes, 16, NULL);
  REFUSED(tile_buffer_write_async, "buffer", NULL, 0, pinned, 0, 16, NULL);
  REFUSED(tile_buffer_write_async, "from", o.buffer, 0, NULL, 0, 16, NULL);
  REFUSED(tile_buffer_read_async, "buffer", NULL, 0, pinned, 0, 16, NULL);
  REFUSED(tile_buffer_read_async, "to", o.buffer, 0, NULL, 0, 16, NULL);
  REFUSED(tile_launch_with, "kernel", NULL, grid, NULL, &argument, 1, NULL);
  REFUSED(tile_launch_with, "grid", o.kernel, NULL, NULL, &argument, 1, NULL);
  REFUSED(tile_launch_with, "arguments", o.kernel, grid, NULL, NULL, 1, NULL);
  REFUSED(tile_kernel_get_resources, "kernel", NULL, NULL, &resources);
  REFUSED(tile_kernel_get_resources, "out", o.kernel, NULL, NULL);
  REFUSED(tile_hooks_add, "hooks", NULL, &hook);
  REFUSED(tile_hooks_add, "out", &(tile_hooks){0}, NULL);
  fine(tile_hooks_remove(NULL));
  tile_pinned_destroy(pinned);
  close_objects(&o);
}

static void emulator_programs(void) {
  tile_compiler *compiler = NULL;
  tile_emulator_program *program = NULL;
  const tile_compile_options options = tile_compile_options_default();
  const tile_emulator_launch_options launch = {.grid = {1, 1, 1}};
  fine(tile_compiler_create(&compiler));
  fine(tile_compile_for_emulator(compiler, "k", kernel_text, LENGTH, &options, &program));
  REFUSED(tile_emulator_launch, "program", NULL, "k", &launch, NULL);
  REFUSED(tile_emulator_launch, "kernel_name", program, NULL, &launch, NULL);
  REFUSED(tile_emulator_launch, "options", program, "k", NULL, NULL);
  tile_emulator_program_destroy(program);
  tile_compiler_destroy(compiler);
}

static void tuning(void) {
  tile_tune_options options = {0};
  tile_tuning *out = NULL;
  REFUSED(tile_tune, "name", NULL, "", 0, &options, &out);
  REFUSED(tile_tune, "text", "k.py", NULL, 1, &options, &out);
  REFUSED(tile_tune, "options", "k.py", "", 0, NULL, &out);
  REFUSED(tile_tune, "out", "k.py", "", 0, &options, NULL);
  REFUSED(tile_tune_find, "name", NULL, "", 0, &options, &out);
  REFUSED(tile_tune_find, "text", "k.py", NULL, 1, &options, &out);
  REFUSED(tile_tune_find, "options", "k.py", "", 0, NULL, &out);
  REFUSED(tile_tune_find, "out", "k.py", "", 0, &options, NULL);
}

/* --- All of them ------------------------------------------------------------------------------ */

/* Which make no sense here: tile_status_make's result is an error, whatever it is given; no hook is
   nothing to remove. */
static const char passed_over[] = " tile_status_make  tile_hooks_remove ";

static void check_header(const char *name) {
  struct text path = {0}, header = {0};
  text_printf(&path, TILE_SOURCE_DIRECTORY "/include/tile/%s", name);
  fine(file_read(text_string(&path), &header));
  static const char mark[] = "TILE_RESULT tile_status tile_";
  /* TILE_RESULT, so that nobody overlooks an error */
  CHECK(!strstr(header.data, "TILE_EXPORT tile_status "));
  int found = 0;
  for (const char *at = header.data; at && (at = strstr(at, mark)) != NULL; at += sizeof mark) {
    const char *function = at + strlen("TILE_RESULT tile_status ");
    struct text word = {0};
    text_printf(&word, " %.*s ", (int)strcspn(function, "("), function);
    bool known =
        strstr(text_string(&called), text_string(&word)) || strstr(passed_over, text_string(&word));
    if (!known)
      printf("%s: this file does not call%s\n", name, text_string(&word));
    CHECK(known);
    text_free(&word);
    found++;
  }
  CHECK(found > 0);
  text_free(&path);
  text_free(&header);
}

static void no_function_is_forgotten(void) {
  static const char *const headers[] = {
      "cache.h", "compiler.h", "embedded.h", "emulator.h", "emulator_device.h",
      "image.h", "interop.h",  "runtime.h",  "status.h",   "tune.h"};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    check_header(headers[i]);
}

int main(int argc, char **argv) {
  if (argc > 1)
    puts("all tests run together");
  int code = RUN_TESTS(
      1, argv, {"compilers", compilers}, {"caches", caches}, {"images", images},
      {"embedded images", embedded_images}, {"devices and buffers", devices_and_buffers},
      {"streams and events", streams_and_events}, {"modules and launches", modules_and_launches},
      {"interoperation", interoperation}, {"emulator programs", emulator_programs},
      {"tuning", tuning}, {"no function is forgotten", no_function_is_forgotten});
  text_free(&called);
  return code;
}
