/* SPDX-License-Identifier: MIT */
/* A program may set a locale whose decimal point is a comma: what the library reads and writes
   stays as it is. */
#include <locale.h>
#include <stdlib.h>
#include "base/arena.h"
#include "base/text.h"
#include "base/toml.h"
#include "check.h"
#include "temporary.h"
#include "tile/compiler.h"

static const char source[] = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
                             "def k(x, p, FACTOR: tl.constexpr):\n"
                             "    tl.static_print(f\"{FACTOR:.2f}\", FACTOR)\n"
                             "    tl.store(x, p * FACTOR + 1.25 + float(\"2.5\"))\n";

struct said {
  char text[1000];
};

static void listen(const tile_diagnostic *diagnostic, void *data) {
  struct said *said = data;
  size_t used = strlen(said->text);
  snprintf(said->text + used, sizeof said->text - used, "%s\n", diagnostic->message);
}

/* The PTX of the kernel; owned by the caller. */
static tile_blob compile(struct said *said) {
  const char *constants[] = {"FACTOR=0.375"};
  tile_import_options import = {
      .signature = "*fp32, 0.75", .constants = constants, .constant_count = 1};
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler = NULL;
  tile_blob mlir = {0}, ptx = {0};
  tile_status status = tile_compiler_create(&compiler);
  if (!status) {
    tile_compiler_on_diagnostic(compiler, listen, said);
    status = tile_import_triton(compiler, "k.py", source, sizeof source - 1, &import, &mlir);
  }
  if (!status)
    status = tile_compile(compiler, "k.py", mlir.data, mlir.size, &options, TILE_OUTPUT_PTX, &ptx);
  CHECK_TEXT(tile_status_message(status), "");
  tile_status_free(status);
  free(mlir.data);
  tile_compiler_destroy(compiler);
  return ptx;
}

static bool has_comma(void) {
  char text[8];
  snprintf(text, sizeof text, "%.1f", 0.5);
  return strcmp(text, "0,5") == 0;
}

/* German, made for this process. */
static void set_comma(void) {
  char *folder = temporary_folder("locale-test");
  struct text command = {0};
  text_printf(&command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8'", folder);
  CHECK_EQUAL(system(text_string(&command)), 0);
  setenv("LOCPATH", folder, 1);
  CHECK(setlocale(LC_ALL, "de_DE.UTF-8") != NULL);
  text_free(&command);
  CHECK(temporary_folder_remove(folder));
  CHECK(has_comma());
}

static void numbers_are_read_and_written(void) {
  static const char text[] = "ratio = 2.75\n";
  struct text out = {0};
  struct arena arena = {0};
  const struct toml_value *value;
  struct toml_error error;
  CHECK(toml_parse(&arena, text, sizeof text - 1, &value, &error));
  CHECK(toml_get(value, "ratio")->number == 2.75);
  text_printf(&out, "%.3f %g", 0.5, 1.5);
  CHECK_TEXT(text_string(&out), "0.500 1.5");
  text_free(&out);
  arena_destroy(&arena);
  CHECK(has_comma()); /* the program's locale is its own */
}

static void kernels_are_the_same(void) {
  struct said before = {""}, after = {""};
  setlocale(LC_ALL, "C");
  tile_blob plain = compile(&before);
  set_comma();
  tile_blob comma = compile(&after);
  CHECK(plain.data && comma.data);
  if (plain.data && comma.data)
    CHECK_TEXT(comma.data, plain.data);
  CHECK_TEXT(before.text, "0.38 0.375\n");
  CHECK_TEXT(after.text, before.text);
  free(plain.data), free(comma.data);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"kernels_are_the_same", kernels_are_the_same},
                   {"numbers_are_read_and_written", numbers_are_read_and_written});
}
