/* SPDX-License-Identifier: MIT */
/* Messages of the C API name members of its structures, where those of the tools name flags; and
   options that are zero. */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include "driver/field_names.h"
#include "tile/compiler.h"

static const char two_kernels[] = "import triton\n"
                                  "import triton.language as tl\n"
                                  "@triton.jit\n"
                                  "def one(x, N: tl.constexpr):\n"
                                  "    tl.store(x, N)\n"
                                  "@triton.jit\n"
                                  "def two(x):\n"
                                  "    tl.store(x, 2)\n";

static void expect(tile_status status, tile_code code, const char *words) {
  bool right = tile_status_code(status) == code && strstr(tile_status_message(status), words);
  if (!right)
    printf("'%s' in place of '%s'\n", tile_status_message(status), words);
  CHECK(right);
  tile_status_free(status);
}

static tile_compiler *make_compiler(void) {
  tile_compiler *compiler = NULL;
  CHECK(!tile_compiler_create(&compiler));
  return compiler;
}

static void expect_import(const char *kernel, const char *signature, const char *message) {
  tile_compiler *compiler = make_compiler();
  tile_import_options import = {.kernel = kernel, .signature = signature};
  tile_blob mlir;
  expect(tile_import_triton(compiler, "k.py", two_kernels, strlen(two_kernels), &import, &mlir),
         TILE_INVALID_ARGUMENT, message);
  tile_compiler_destroy(compiler);
}

static void imports(void) {
  expect_import(NULL, "*fp32",
                "the file has 2 kernels; choose one with tile_import_options.kernel: one, two");
  expect_import("one", "*fp32, i32",
                "in the signature or with tile_import_options.constants N=VALUE");
}

static void kernels_in_c(void) {
  tile_compiler *compiler = make_compiler();
  tile_import_options import = {.kernel = "two", .signature = "*fp32"};
  tile_c_variant variant = {.import = &import};
  const char *function = "class";
  tile_c_options options = {.name = "k",
                            .function_names = &function,
                            .function_name_count = 1,
                            .variants = &variant,
                            .variant_count = 1};
  tile_blob header, source;
  expect(tile_compile_to_c(compiler, "k.py", two_kernels, strlen(two_kernels), &options, &header,
                           &source),
         TILE_INVALID_ARGUMENT,
         "is a word of C or C++; name its function with tile_c_options.function_names two=NAME");
  tile_compiler_destroy(compiler);
}

/* What a diagnostic said last. */
static void keep(const tile_diagnostic *diagnostic, void *data) {
  snprintf(data, 512, "%s", diagnostic->message);
}

static void diagnostics(void) {
  static const char text[] = "import triton\n"
                             "import triton.language as tl\n"
                             "@triton.heuristics({'N': lambda args: args['n'] * 2})\n"
                             "@triton.jit\n"
                             "def k(x, n, N: tl.constexpr):\n"
                             "    tl.store(x, N)\n";
  tile_compiler *compiler = make_compiler();
  tile_import_options import = {.signature = "*fp32, i32"};
  tile_blob mlir;
  char said[512] = "";
  tile_compiler_on_diagnostic(compiler, keep, said);
  tile_status status = tile_import_triton(compiler, "k.py", text, strlen(text), &import, &mlir);
  CHECK(status);
  CHECK(strstr(said, "tile_import_options.argument_values n=VALUE, or give "
                     "tile_import_options.constants N=VALUE"));
  tile_status_free(status);
  tile_compiler_destroy(compiler);
}

static void expect_words(const char *message, const char *expected) {
  struct text text = {0};
  field_names_print(message, &text);
  CHECK_TEXT(text_string(&text), expected);
  text_free(&text);
}

/* Words that only begin or end like a flag stay. */
static void words(void) {
  expect_words("give --constexpr N=1", "give tile_import_options.constants N=1");
  expect_words("--config 3: there is none", "tile_import_options.config 3: there is none");
  expect_words("--configs, x--config, --", "--configs, x--config, --");
  expect_words("i -I-o", "i -I-o");
  expect_words("", "");
  CHECK(!field_names_in(NULL));
}

static void options_that_are_zero(void) {
  static const char text[] =
      "func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {\n  return\n}\n";
  tile_compiler *compiler = make_compiler();
  tile_compile_options zero = {0};
  tile_blob ptx;
  expect(tile_compile(compiler, "k.mlir", text, strlen(text), &zero, TILE_OUTPUT_PTX, &ptx),
         TILE_INVALID_ARGUMENT,
         "the optimisation level is 1 or 3, not 0; begin with tile_compile_options_default()");
  tile_compiler_destroy(compiler);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"imports", imports}, {"kernels in C", kernels_in_c},
                   {"diagnostics", diagnostics}, {"words", words},
                   {"options that are zero", options_that_are_zero});
}
