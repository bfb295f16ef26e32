/* SPDX-License-Identifier: MIT */
/* Errors of public functions beyond NULL (null_arguments_test.c): those that no other unit test
   expects, and a test that none is forgotten. What a driver refuses comes out as it is, and leaves
   what the caller had. */
#include "runtime_conformance.h"

#include <dirent.h>
#include <stdlib.h>
#include "base/files.h"
#include "base/status.h"
#include "runtime/driver.h"
#include "tile/compiler.h"
#include "tile/embedded.h"
#include "tile/emulator_device.h"
#include "tile/tune.h"

/* --- Drivers that refuse ---------------------------------------------------------------------- */

static tile_status no_stream(void *device, void **out) {
  (void)device, (void)out;
  return FAIL(TILE_DEVICE_FAILED, "no stream");
}

static tile_status no_event(void *device, void **out) {
  (void)device, (void)out;
  return FAIL(TILE_OUT_OF_MEMORY, "no event");
}

static tile_status no_bytes(void *device, uint64_t *out) {
  (void)device, (void)out;
  return FAIL(TILE_DEVICE_FAILED, "no bytes");
}

static void drivers_that_refuse(void) {
  struct runtime_driver broken = *tile_null_driver();
  broken.stream_create = no_stream;
  broken.event_create = no_event;
  broken.memory_free_bytes = no_bytes;
  tile_device *device = NULL;
  tile_stream *stream = NULL;
  tile_event *event = NULL;
  uint64_t bytes = 7;
  FINE(tile_device_open(&broken, 0, &device));
  EXPECT(tile_stream_create(device, &stream), TILE_DEVICE_FAILED, "no stream");
  EXPECT(tile_event_create(device, &event), TILE_OUT_OF_MEMORY, "no event");
  EXPECT(tile_device_free_memory(device, &bytes), TILE_DEVICE_FAILED, "no bytes");
  CHECK(!stream && !event && bytes == 7);
  tile_device_close(device);
}

static void no_driver(void) {
  int count = 7;
  EXPECT(tile_driver_device_count(tile_cuda_driver(), &count), TILE_NO_DEVICE,
         "/nowhere/libcuda.so");
  CHECK_EQUAL(count, 7);
}

/* --- Compilers -------------------------------------------------------------------------------- */

static void discard(const tile_diagnostic *diagnostic, void *data) {
  (void)diagnostic;
  ++*(int *)data;
}

static void texts_that_are_no_kernels(void) {
  static const char text[] = "func.func @k(";
  const tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler = NULL;
  tile_device *device = NULL;
  tile_module *module = NULL;
  tile_emulator_program *program = NULL;
  tile_blob header = {0}, source = {0};
  int diagnostics = 0;
  FINE(tile_compiler_create(&compiler));
  FINE(tile_device_open(tile_null_driver(), 0, &device));
  tile_compiler_on_diagnostic(compiler, discard, &diagnostics);
  EXPECT(tile_compile_for_device(compiler, "k.mlir", text, strlen(text), &options, device, &module),
         TILE_INVALID_ARGUMENT, "'k.mlir' is not a valid module");
  EXPECT(tile_compile_for_emulator(compiler, "k.mlir", text, strlen(text), &options, &program),
         TILE_INVALID_ARGUMENT, "'k.mlir' is not a valid module");
  EXPECT(tile_compile_to_c(compiler, "k.mlir", text, strlen(text), &(tile_c_options){.name = "k"},
                           &header, &source),
         TILE_INVALID_ARGUMENT, "'k.mlir' is not a valid module");
  EXPECT(tile_compile_to_c(compiler, "k.mlir", text, strlen(text), &(tile_c_options){0}, &header,
                           &source),
         TILE_INVALID_ARGUMENT, "has no name for the files");
  CHECK(diagnostics >= 3 && !module && !program && !header.data && !source.data);
  tile_device_close(device);
  tile_compiler_destroy(compiler);
}

static void programs_in_memory_are_not_written(void) {
  static const char text[] =
      "func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {\n  return\n}\n";
  const tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler = NULL;
  tile_image *image = NULL;
  void *bytes = NULL;
  size_t size = 7;
  FINE(tile_compiler_create(&compiler));
  FINE(tile_compile_kernels(compiler, "k.mlir", text, strlen(text), &options, TILE_IMAGE_EMULATOR,
                            &image));
  EXPECT(tile_image_serialize(image, &bytes, &size), TILE_UNSUPPORTED, "lives in memory only");
  CHECK(!bytes && size == 7);
  tile_image_free(image);
  tile_compiler_destroy(compiler);
}

/* --- Embedded kernels ------------------------------------------------------------------------- */

static void images_that_are_none(void) {
  static const tile_embedded_kernel kernels[] = {{"k", "i", NULL, ""}};
  static tile_embedded embedded = {"k", "no image", 8, kernels, 1, 0};
  static const uint32_t grid[3] = {1, 1, 1};
  int n = 1;
  void *arguments[] = {&n};
  tile_device *device = NULL;
  tile_kernel *kernel = NULL;
  FINE(tile_device_open(tile_null_driver(), 0, &device));
  EXPECT(tile_embedded_get(&embedded, 1, device, &kernel), TILE_INVALID_ARGUMENT, "");
  EXPECT(tile_embedded_get(&embedded, 0, device, &kernel), TILE_BAD_IMAGE,
         "'k' is no image: it is neither PTX nor a cubin");
  EXPECT(tile_embedded_launch(&embedded, 0, device, NULL, grid, arguments), TILE_BAD_IMAGE,
         "'k' is no image: it is neither PTX nor a cubin");
  CHECK(!kernel);
  tile_device_close(device);
}

/* --- Hooks ------------------------------------------------------------------------------------ */

static tile_hook *hook;

static void remove_inside(void *context, const tile_compile_event *event) {
  (void)event;
  ++*(int *)context;
  EXPECT(tile_hooks_remove(hook), TILE_INVALID_ARGUMENT, "");
}

static void hooks_do_not_remove_hooks(void) {
  int calls = 0;
  tile_compiler *compiler = NULL;
  tile_blob blob;
  const tile_compile_options options = tile_compile_options_default();
  FINE(tile_hooks_add(&(tile_hooks){.compile_begins = remove_inside, .context = &calls}, &hook));
  FINE(tile_compiler_create(&compiler));
  EXPECT(tile_compile(compiler, "k", "", 0, &options, (tile_output)77, &blob),
         TILE_INVALID_ARGUMENT, "no output 77");
  CHECK_EQUAL(calls, 1);
  tile_compiler_destroy(compiler);
  FINE(tile_hooks_remove(hook));
}

/* --- All of them ------------------------------------------------------------------------------ */

/* Nothing but NULL and memory can be wrong; tile_status_make's result is an error always. */
static const char *const without_errors[] = {"tile_compiler_create", "tile_emulator_device_create",
                                             "tile_stream_wrap", "tile_status_make",
                                             "tile_cache_open"};

static bool is_header(const char *name) {
  return strlen(name) > 2 && strcmp(name + strlen(name) - 2, ".h") == 0;
}

static bool is_source(const char *name) {
  return is_header(name) || (strlen(name) > 2 && strcmp(name + strlen(name) - 2, ".c") == 0);
}

/* All files of a folder, one after the other. */
static void read_folder(const char *folder, bool (*wanted)(const char *name), struct text *out) {
  DIR *open = opendir(folder);
  CHECK(open != NULL);
  for (struct dirent *entry; open && (entry = readdir(open));) {
    struct text path = {0}, file = {0};
    text_printf(&path, "%s/%s", folder, entry->d_name);
    if (wanted(entry->d_name))
      FINE(file_read(text_string(&path), &file));
    text_append(out, text_string(&file), file.length);
    text_free(&file);
    text_free(&path);
  }
  if (open)
    closedir(open);
}

/* The end of the statement at `at`, and of the next one. */
static const char *end_of_statements(const char *at) {
  const char *first = strchr(at, ';'), *second = first ? strchr(first + 1, ';') : NULL;
  return second ? second : at + strlen(at);
}

static bool names_an_error(const char *from, const char *to) {
  static const char *const codes[] = {
      "TILE_INVALID_ARGUMENT", "TILE_NOT_FOUND", "TILE_IO_ERROR",      "TILE_OUT_OF_MEMORY",
      "TILE_UNSUPPORTED",      "TILE_HAZARD",    "TILE_EXTERNAL_TOOL", "TILE_NO_DEVICE",
      "TILE_DRIVER_TOO_OLD",   "TILE_BAD_IMAGE", "TILE_WRONG_TARGET",  "TILE_DEVICE_FAILED"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
    const char *found = strstr(from, codes[i]);
    if (found && found < to)
      return true;
  }
  return false;
}

/* What a database can be unfit for is tested in tune_memory_test. */
static void winners_that_cannot_be_looked_up(void) {
  tile_tune_options options = {0};
  tile_tuning *tuning = NULL;
  EXPECT(tile_tune_find("k.py", "", 0, &options, &tuning), TILE_INVALID_ARGUMENT, "");
  CHECK(!tuning);
}

/* Whether a test calls it, and names an error in the same statement or the next. */
static bool is_expected(const char *tests, const char *function) {
  struct text call = {0};
  bool found = false;
  text_printf(&call, "%s(", function);
  for (const char *at = tests; !found && (at = strstr(at, text_string(&call))); at += call.length) {
    bool whole = at == tests || !strchr("abcdefghijklmnopqrstuvwxyz_", at[-1]);
    found = whole && names_an_error(at, end_of_statements(at));
  }
  text_free(&call);
  for (size_t i = 0; i < sizeof without_errors / sizeof *without_errors; i++)
    found |= strcmp(without_errors[i], function) == 0;
  return found;
}

static void no_function_is_forgotten(void) {
  static const char mark[] = "TILE_RESULT tile_status ";
  struct text headers = {0}, tests = {0};
  int count = 0;
  read_folder(TILE_SOURCE_DIRECTORY "/include/tile", is_header, &headers);
  read_folder(TILE_SOURCE_DIRECTORY "/test/unit", is_source, &tests);
  for (const char *at = text_string(&headers); (at = strstr(at, mark)); count++) {
    at += strlen(mark);
    struct text function = {0};
    text_append(&function, at, strcspn(at, "("));
    bool expected = is_expected(text_string(&tests), text_string(&function));
    if (!expected)
      printf("no unit test expects an error of %s\n", text_string(&function));
    CHECK(expected);
    text_free(&function);
  }
  CHECK(count > 60);
  text_free(&headers);
  text_free(&tests);
}

int main(int argc, char **argv) {
  setenv("TILE_LIBCUDA", "/nowhere/libcuda.so", 1);
  return RUN_TESTS(argc, argv, {"drivers that refuse", drivers_that_refuse},
                   {"no driver", no_driver},
                   {"texts that are no kernels", texts_that_are_no_kernels},
                   {"programs in memory are not written", programs_in_memory_are_not_written},
                   {"images that are none", images_that_are_none},
                   {"hooks do not remove hooks", hooks_do_not_remove_hooks},
                   {"winners that cannot be looked up", winners_that_cannot_be_looked_up},
                   {"no function is forgotten", no_function_is_forgotten});
}
