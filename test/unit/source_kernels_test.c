/* SPDX-License-Identifier: MIT */
/* Kernels of a file with their parameters, through the public API, before anything is compiled. */
#include "check.h"
#include "tile/compiler.h"

static const char text[] =
    "import triton\n"
    "import triton.language as tl\n"
    "def helper(x): return x\n"
    "@triton.jit\n"
    "def add(x_ptr, n: 'int', eps: tl.float32 = 1e-5,\n"
    "        BLOCK: tl.constexpr = 2 * 64, MODE: \"tl.constexpr\" = 'a, b'):\n"
    "    pass\n"
    "class Box:\n"
    "    @triton.autotune(configs=[], key=[])\n"
    "    @triton.heuristics({'E': lambda args: True})\n"
    "    @triton.jit\n"
    "    def run(): pass\n"
    "@triton.jit\n"
    "def twice(a): pass\n"
    "@triton.jit\n"
    "def twice(b): pass\n";

static void expect(tile_status status, tile_code code, const char *words) {
  CHECK_EQUAL(tile_status_code(status), code);
  CHECK(strstr(tile_status_message(status), words));
  tile_status_free(status);
}

static void discard(const tile_diagnostic *diagnostic, void *data) {
  (void)diagnostic;
  ++*(int *)data;
}

static tile_compiler *compiler;
static int problems;

static void kernels_of_a_file(void) {
  tile_source_kernels *list = NULL;
  expect(tile_source_kernels_create(compiler, "k.py", text, sizeof text - 1, &list), TILE_OK, "");
  CHECK_EQUAL(tile_source_kernels_count(list), 3);
  const tile_source_kernel *add = tile_source_kernels_get(list, 0),
                           *run = tile_source_kernels_get(list, 1);
  CHECK_TEXT(add->name, "add");
  CHECK_EQUAL(add->line, 5);
  CHECK_EQUAL(add->parameter_count, 5);
  CHECK(!add->tuned && !add->has_heuristics);
  CHECK_TEXT(add->parameters[0].name, "x_ptr");
  CHECK(!add->parameters[0].annotation && !add->parameters[0].default_value &&
        !add->parameters[0].is_constexpr);
  CHECK_TEXT(add->parameters[1].annotation, "'int'");
  CHECK_TEXT(add->parameters[2].annotation, "tl.float32");
  CHECK_TEXT(add->parameters[2].default_value, "1e-5");
  CHECK_TEXT(add->parameters[3].annotation, "tl.constexpr");
  CHECK_TEXT(add->parameters[3].default_value, "2 * 64");
  CHECK(add->parameters[3].is_constexpr && add->parameters[4].is_constexpr);
  CHECK_TEXT(add->parameters[4].default_value, "'a, b'");
  CHECK_TEXT(run->name, "Box.run");
  CHECK(run->tuned && run->has_heuristics && run->parameter_count == 0);
  CHECK_TEXT(tile_source_kernels_get(list, 2)->parameters[0].name, "b"); /* the later one counts */
  CHECK(!tile_source_kernels_get(list, 3));
  tile_source_kernels_destroy(list);
}

static void files_without_kernels(void) {
  tile_source_kernels *list = NULL;
  expect(tile_source_kernels_create(compiler, "k.py", "x = 1\n", 6, &list), TILE_OK, "");
  CHECK_EQUAL(tile_source_kernels_count(list), 0);
  tile_source_kernels_destroy(list);
  expect(tile_source_kernels_create(compiler, "k.py", NULL, 0, &list), TILE_OK, "");
  tile_source_kernels_destroy(list);
  tile_source_kernels_destroy(NULL);
}

static void errors(void) {
  static const char wrong[] = "import triton\n@triton.jit\ndef k(x:\n    pass\n";
  tile_source_kernels *list = NULL;
  problems = 0;
  expect(tile_source_kernels_create(compiler, "k.py", wrong, sizeof wrong - 1, &list),
         TILE_INVALID_ARGUMENT, "error(s) in 'k.py'");
  CHECK(problems > 0);
  expect(tile_source_kernels_create(compiler, "k.py", wrong, ((size_t)64 << 20) + 1, &list),
         TILE_INVALID_ARGUMENT, "larger than 64 MiB");
  expect(tile_source_kernels_create(NULL, "k.py", text, 1, &list), TILE_INVALID_ARGUMENT,
         "compiler is NULL");
  expect(tile_source_kernels_create(compiler, NULL, text, 1, &list), TILE_INVALID_ARGUMENT,
         "name is NULL");
  expect(tile_source_kernels_create(compiler, "k.py", NULL, 1, &list), TILE_INVALID_ARGUMENT,
         "text is NULL");
  expect(tile_source_kernels_create(compiler, "k.py", text, 1, NULL), TILE_INVALID_ARGUMENT,
         "out is NULL");
  CHECK(!list);
}

int main(int argc, char **argv) {
  expect(tile_compiler_create(&compiler), TILE_OK, "");
  tile_compiler_on_diagnostic(compiler, discard, &problems);
  int code = RUN_TESTS(argc, argv, {"kernels of a file", kernels_of_a_file},
                       {"files without kernels", files_without_kernels}, {"errors", errors});
  tile_compiler_destroy(compiler);
  return code;
}
