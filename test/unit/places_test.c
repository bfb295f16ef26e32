/* SPDX-License-Identifier: MIT */
/* What is said of a kernel that a program imports, and compiles with a second call, is said of the
   lines of the kernel's file, as with the tools: hazards, errors, and functions of other files. */
#include <stdio.h>
#include <stdlib.h>
#include "check.h"
#include "tile/compiler.h"
#include "tile/emulator_device.h"

static const char helper[] = "import triton\n"
                             "import triton.language as tl\n"
                             "\n"
                             "@triton.jit\n"
                             "def put(p, x):\n"
                             "    tl.store(p, x)\n";

#define HEADER "import triton, triton.language as tl\nfrom .helper import put\n\n\n@triton.jit\n"

/* Its load is at line 9, the store at line 10 or in helper.py. */
#define COPY(store)                                                                                \
  HEADER "def copy(x_ptr, out_ptr, n, BLOCK: tl.constexpr):\n"                                     \
         "    offs = tl.arange(0, BLOCK)\n"                                                        \
         "\n"                                                                                      \
         "    x = tl.load(x_ptr + offs, mask=offs < n)\n"                                          \
         "    " store "\n"

/* Needs more shared memory than there is, for the product in line 10. */
static const char large[] = HEADER "def large(x_ptr, out_ptr, n, BLOCK: tl.constexpr):\n"
                                   "    rows = tl.arange(0, BLOCK)[:, None]\n"
                                   "    offs = rows * BLOCK + tl.arange(0, BLOCK)[None, :]\n"
                                   "    x = tl.load(x_ptr + offs)\n"
                                   "    tl.store(out_ptr + offs, tl.dot(x, x))\n";

static bool read_helper(void *data, const char *path, const char **text, size_t *length) {
  (void)data;
  *text = helper;
  *length = sizeof helper - 1;
  return strcmp(path, "helper.py") == 0;
}

/* All that the compiler says. */
struct said {
  char text[4000];
};

static void listen(const tile_diagnostic *diagnostic, void *data) {
  struct said *said = data;
  size_t used = strlen(said->text);
  snprintf(said->text + used, sizeof said->text - used, "%s:%u:%u: %s\n", diagnostic->file,
           diagnostic->line, diagnostic->column, diagnostic->message);
}

static tile_status load(const char *text, const char *signature, struct said *said,
                        tile_device *device, tile_module **module) {
  tile_import_options import = {.signature = signature, .read_source = read_helper};
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler;
  tile_blob mlir = {0};
  tile_status status = tile_compiler_create(&compiler);
  if (!status) {
    tile_compiler_on_diagnostic(compiler, listen, said);
    status = tile_import_triton(compiler, "k.py", text, strlen(text), &import, &mlir);
  }
  if (!status)
    status =
        tile_compile_for_device(compiler, "k.py", mlir.data, mlir.size, &options, device, module);
  free(mlir.data);
  tile_compiler_destroy(compiler);
  return status;
}

/* The output has room for 31 of the 32 elements. */
static tile_status run(tile_device *device, tile_module *module) {
  tile_kernel *kernel;
  tile_buffer *x = NULL, *out = NULL;
  tile_stream *stream = NULL;
  tile_status status = tile_module_kernel(module, "copy", &kernel);
  if (!status)
    status = tile_stream_create(device, &stream);
  if (!status)
    status = tile_buffer_create(device, 32 * sizeof(float), &x);
  if (!status)
    status = tile_buffer_create(device, 31 * sizeof(float), &out);
  if (!status)
    status = tile_buffer_fill(x, 0, 0, 32 * sizeof(float), stream);
  tile_argument arguments[] = {tile_argument_buffer(x), tile_argument_buffer(out),
                               tile_argument_i32(32)};
  if (!status)
    status = tile_launch(kernel, (uint32_t[]){1, 1, 1}, stream, arguments, 3);
  if (!status)
    status = tile_stream_synchronize(stream);
  tile_buffer_destroy(x);
  tile_buffer_destroy(out);
  tile_stream_destroy(stream);
  return status;
}

static void expect(tile_status status, const char *part) {
  const char *message = tile_status_message(status);
  CHECK(status && strstr(message, part));
  if (!status || !strstr(message, part))
    printf("%s, without %s\n", message, part);
  tile_status_free(status);
}

static void hazard(const char *text, const char *place) {
  struct said said = {""};
  tile_device *device = NULL;
  tile_module *module = NULL;
  tile_status status = tile_emulator_device_create(NULL, &device);
  if (!status)
    status = load(text, "*fp32, *fp32, i32, 32", &said, device, &module);
  CHECK(!status);
  expect(status ? status : run(device, module), place);
  tile_module_unload(module);
  tile_device_close(device);
}

static void a_hazard_names_the_kernels_line(void) {
  hazard(COPY("tl.store(out_ptr + offs, x)"), "k.py:10:");
}

static void a_hazard_names_another_files_line(void) {
  hazard(COPY("put(out_ptr + offs, x)"), "helper.py:6:");
}

static void an_error_names_the_kernels_line(void) {
  struct said said = {""};
  tile_device *device = NULL;
  tile_module *module = NULL;
  CHECK(!tile_emulator_device_create(NULL, &device));
  tile_status status = load(large, "*fp16, *fp32, i32, 512", &said, device, &module);
  CHECK(status != NULL);
  tile_status_free(status);
  bool right = strstr(said.text, "k.py:6:") || strstr(said.text, "k.py:10:");
  CHECK(right);
  CHECK(!strstr(said.text, "tensor<"));
  if (!right)
    printf("%s\n", said.text);
  tile_module_unload(module);
  tile_device_close(device);
}

/* The text of the kernel's file, handed to the second call without the first. */
static void python_is_no_mlir(void) {
  static const char *const texts[] = {"import triton\n", "# A kernel.\n\n\"\"\"Text.\"\"\"\n",
                                      "#!/usr/bin/python3\n## x\nfrom triton import jit"};
  tile_compile_options options = tile_compile_options_default();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct said said = {""};
    tile_compiler *compiler;
    tile_blob blob = {0};
    CHECK(!tile_compiler_create(&compiler));
    tile_compiler_on_diagnostic(compiler, listen, &said);
    tile_status status = tile_compile(compiler, "k.py", texts[i], strlen(texts[i]), &options,
                                      TILE_OUTPUT_PTX, &blob);
    CHECK(status != NULL && !blob.data);
    CHECK(strstr(said.text, "k.py:1:1: this is a file in the Triton language, not MLIR"));
    tile_status_free(status);
    tile_compiler_destroy(compiler);
  }
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"a_hazard_names_the_kernels_line", a_hazard_names_the_kernels_line},
                   {"a_hazard_names_another_files_line", a_hazard_names_another_files_line},
                   {"an_error_names_the_kernels_line", an_error_names_the_kernels_line},
                   {"python_is_no_mlir", python_is_no_mlir});
}
