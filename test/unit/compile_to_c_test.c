/* SPDX-License-Identifier: MIT */
/* tile_compile_to_c: the C API of --tile-to-c, and what it refuses. */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "tile/compiler.h"

static const char source[] = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
                             "def k(x, t, desc, n, stride, BLOCK: tl.constexpr):\n"
                             "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                             "    v = desc.load([tl.program_id(0) * 16, 0])\n"
                             "    tl.store(x + i * stride, t[0] + t[1][0] + tl.sum(tl.sum(v, "
                             "axis=1), axis=0), mask=i < n)\n";
static const char module[] = "func.func @plain() attributes {tile.kernel} {\n  return\n}\n";

static void ignore(const tile_diagnostic *diagnostic, void *data) {
  (void)diagnostic, (void)data;
}

static tile_compiler *begin(void) {
  tile_compiler *compiler = NULL;
  CHECK(tile_compiler_create(&compiler) == NULL);
  tile_compiler_on_diagnostic(compiler, ignore, NULL);
  return compiler;
}

static bool contains(const tile_blob *blob, const char *text) {
  return blob->data && strstr(blob->data, text) != NULL;
}

static void check_contains(const tile_blob *blob, const char *text) {
  if (!contains(blob, text))
    CHECK_TEXT(blob->data ? blob->data : "nothing", text);
}

/* Tuples and descriptors are parameters for each of their parts, which a grid may name. */
static void parts_are_parameters(void) {
  tile_compiler *compiler = begin();
  const char *constants[] = {"BLOCK=128"};
  tile_import_options imports[] = {
      {.signature = "*fp32:16, (fp32, (i32, 3)), tensordesc<fp32[16,32]>, i32, 1",
       .constants = constants,
       .constant_count = 1},
      {.signature = "*fp32, (fp32, (i32, 3)), tensordesc<fp32[16,32]>, i32, i32",
       .constants = constants,
       .constant_count = 1}};
  tile_c_variant variants[] = {{.import = &imports[0], .when = "t[1][0] >= 0"},
                               {.import = &imports[1]}};
  const char *targets[] = {"sm_80", "sm_90a"};
  const char *names[] = {"k=my_kernel"};
  tile_c_options options = {.name = "out/k",
                            .function_names = names,
                            .function_name_count = 1,
                            .grid = "cdiv(n, BLOCK), cdiv(desc.shape[0], 16), max(t[1][0], 1)",
                            .targets = targets,
                            .target_count = 2,
                            .variants = variants,
                            .variant_count = 2};
  tile_blob header = {0}, c = {0};
  tile_status status =
      tile_compile_to_c(compiler, "k.py", source, sizeof source - 1, &options, &header, &c);
  CHECK_TEXT(tile_status_message(status), "");
  tile_status_free(status);
  check_contains(&header, "tile_status my_kernel(tile_device *device, tile_stream *stream,");
  check_contains(&header, "uint64_t x,");
  check_contains(&header, "float t_0,");
  check_contains(&header, "int32_t t_1_0,");
  check_contains(&header, "uint64_t desc_base,");
  check_contains(&header, "int32_t desc_shape_0,");
  check_contains(&header, "int64_t desc_strides_0,");
  check_contains(&header, "int32_t stride)");
  check_contains(&header, "stride = 1");
  check_contains(&header, "t.1.0 >= 0");
  check_contains(&header, "#define my_kernel_BLOCK 128");
  check_contains(&c, "#include \"k.h\"");
  check_contains(&c, "\"pfipiilii\"");
  if (header.data && c.data)
    CHECK_EQUAL(strlen(header.data) + strlen(c.data), header.size + c.size);
  free(header.data);
  free(c.data);
  tile_compiler_destroy(compiler);
}

static void modules_have_defaults(void) {
  tile_compiler *compiler = begin();
  tile_c_options options = {.name = "plain"};
  tile_blob header = {0}, c = {0}, again[2] = {{0}};
  CHECK(tile_compile_to_c(compiler, "plain.mlir", module, sizeof module - 1, &options, &header,
                          &c) == NULL);
  check_contains(&header, "PTX for sm_90a");
  CHECK(tile_compile_to_c(compiler, "plain.mlir", module, sizeof module - 1, &options, &again[0],
                          &again[1]) == NULL);
  CHECK_TEXT(again[0].data, header.data);
  CHECK_TEXT(again[1].data, c.data);
  free(header.data), free(c.data), free(again[0].data), free(again[1].data);
  tile_compiler_destroy(compiler);
}

static void check_refused(const tile_c_options *options, const char *text, tile_code code,
                          const char *words) {
  tile_compiler *compiler = begin();
  tile_blob header = {0}, c = {0};
  tile_status status =
      tile_compile_to_c(compiler, "k.py", text, strlen(text), options, &header, &c);
  CHECK_EQUAL(tile_status_code(status), code);
  if (!strstr(tile_status_message(status), words))
    CHECK_TEXT(tile_status_message(status), words);
  CHECK(!header.data && !c.data);
  tile_status_free(status);
  tile_compiler_destroy(compiler);
}

static void wrong_options_are_refused(void) {
  const char *holes[] = {"sm_80", NULL}, *nowhere[] = {"sm_7"};
  tile_import_options import = {.signature = "*fp32, i8", .constant_count = 1};
  tile_c_variant unread = {.import = &import}, when = {.when = "n <"};
  check_refused(&(tile_c_options){0}, module, TILE_INVALID_ARGUMENT, "no name for the files");
  check_refused(&(tile_c_options){.name = "k", .targets = holes, .target_count = 2}, module,
                TILE_INVALID_ARGUMENT, "targets has no string 1, of 2");
  check_refused(&(tile_c_options){.name = "k", .targets = nowhere, .target_count = 1}, module,
                TILE_INVALID_ARGUMENT, "sm_7");
  check_refused(&(tile_c_options){.name = "k", .function_name_count = 1}, module,
                TILE_INVALID_ARGUMENT, "function_names has no string 0");
  check_refused(&(tile_c_options){.name = "k", .variant_count = 1}, module, TILE_INVALID_ARGUMENT,
                "counts 1 variants and has none");
  check_refused(&(tile_c_options){.name = "k", .formats = 1u << TILE_IMAGE_EMULATOR}, module,
                TILE_UNSUPPORTED, "only PTX, cubins and objects");
  check_refused(&(tile_c_options){.name = "k", .variants = &unread, .variant_count = 1}, source,
                TILE_INVALID_ARGUMENT, "constants has no string 0");
  check_refused(&(tile_c_options){.name = "k", .variants = &when, .variant_count = 1}, module,
                TILE_INVALID_ARGUMENT,
                "the condition of a variant of kernel 'plain' cannot be used");
  check_refused(&(tile_c_options){.name = "k", .grid = "n"}, module, TILE_INVALID_ARGUMENT,
                "the grid of kernel 'plain'");
  check_refused(&(tile_c_options){.name = "k"}, "nonsense", TILE_INVALID_ARGUMENT,
                "not a valid module");
  check_refused(&(tile_c_options){.name = "k"}, "", TILE_INVALID_ARGUMENT, "is empty");
  tile_blob blob;
  tile_status statuses[] = {
      tile_compile_to_c(NULL, "k", module, 1, &(tile_c_options){0}, &blob, &blob)};
  CHECK_EQUAL(tile_status_code(statuses[0]), TILE_INVALID_ARGUMENT);
  tile_status_free(statuses[0]);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"parts_are_parameters", parts_are_parameters},
                   {"modules_have_defaults", modules_have_defaults},
                   {"wrong_options_are_refused", wrong_options_are_refused});
}
