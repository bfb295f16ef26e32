/* SPDX-License-Identifier: MIT */
/* Compiling through a cache: what is found is what was made, requests that differ are told apart,
   files that are imported are looked at again, and a hit never makes a session of MLIR. */
#include "cache_fixture.h"

#include "base/status.h"
#include "driver/cached.h"
#include "driver/compile.h"
#include "emulator/object.h"
#include "runtime/null/null.h"

static const char kernel_text[] = "func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {\n"
                                  "  %one = arith.constant 1.0 : f32\n"
                                  "  \"tile.store\"(%p, %one) : (!tile.ptr<f32>, f32) -> ()\n"
                                  "  return\n"
                                  "}\n";

/* A folder, a cache in it, and compilers that use it. */
struct fixture {
  char *folder;
  tile_cache *cache;
  tile_compiler *compiler;
};

#define FINE(call)                                                                                 \
  do {                                                                                             \
    tile_status status_ = (call);                                                                  \
    if (status_)                                                                                   \
      printf("%s\n", tile_status_message(status_));                                                \
    CHECK(!status_);                                                                               \
    tile_status_free(status_);                                                                     \
  } while (0)

static void open_compiler(struct fixture *f) {
  FINE(tile_compiler_create(&f->compiler));
  FINE(tile_compiler_use_cache(f->compiler, f->cache));
}

static struct fixture open_fixture(void) {
  struct fixture f = {.folder = make_test_folder()};
  FINE(tile_cache_open(&(tile_cache_options){.folder = f.folder}, &f.cache));
  open_compiler(&f);
  return f;
}

/* As another process would come: nothing in memory. */
static void reopen(struct fixture *f) {
  tile_compiler_destroy(f->compiler);
  tile_cache_close(f->cache);
  FINE(tile_cache_open(&(tile_cache_options){.folder = f->folder}, &f->cache));
  open_compiler(f);
}

static void close_fixture(struct fixture *f) {
  tile_cache_close(f->cache); /* before the compiler */
  tile_compiler_destroy(f->compiler);
  remove_test_folder(f->folder);
}

static tile_cache_statistics count(struct fixture *f) {
  tile_cache_statistics s;
  FINE(tile_cache_get_statistics(f->cache, &s));
  return s;
}

static tile_blob compile_to(struct fixture *f, const char *name, const char *text,
                            const tile_compile_options *options, tile_output output) {
  tile_blob blob = {0};
  FINE(tile_compile(f->compiler, name, text, strlen(text), options, output, &blob));
  return blob;
}

static bool same(tile_blob a, tile_blob b) {
  /* the zero after it, too */
  return a.data && b.data && a.size == b.size && memcmp(a.data, b.data, a.size + 1) == 0;
}

static void a_hit_is_what_was_made(void) {
  struct fixture f = open_fixture();
  tile_compile_options options = tile_compile_options_default();
  for (tile_output output = TILE_OUTPUT_LLVMIR; output <= TILE_OUTPUT_PTX; output++) {
    FINE(tile_compiler_use_cache(f.compiler, NULL));
    tile_blob plain = compile_to(&f, "k.mlir", kernel_text, &options, output);
    FINE(tile_compiler_use_cache(f.compiler, f.cache));
    tile_blob made = compile_to(&f, "k.mlir", kernel_text, &options, output);
    tile_blob memory = compile_to(&f, "k.mlir", kernel_text, &options, output);
    tile_cache_statistics before = count(&f);
    CHECK(before.misses == 1 && before.memory_hits == 1 && before.disk_hits == 0);
    reopen(&f);
    tile_blob disk = compile_to(&f, "k.mlir", kernel_text, &options, output);
    tile_cache_statistics after = count(&f);
    CHECK(after.misses == 0 && after.memory_hits == 0 && after.disk_hits == 1);
    CHECK(!f.compiler->has_session); /* nothing of MLIR ran */
    CHECK(same(plain, made) && same(plain, memory) && same(plain, disk));
    free(plain.data), free(made.data), free(memory.data), free(disk.data);
    reopen(&f);
  }
  close_fixture(&f);
}

/* Each of these alone makes another request. */
static void requests_are_told_apart(void) {
  struct fixture f = open_fixture();
  const tile_compile_options plain = tile_compile_options_default();
  tile_compile_options variants[] = {plain, plain, plain, plain, plain, plain,
                                     plain, plain, plain, plain, plain};
  variants[1].target = "sm_80";
  variants[2].num_warps = 2;
  variants[3].fewer_warps = TILE_CHOICE_YES;
  variants[4].num_stages = 2;
  variants[5].programs_per_block = 2;
  variants[6].low_occupancy = TILE_CHOICE_YES;
  variants[7].line_tables = true;
  variants[8].optimization_level = 3;
  variants[9].no_fma = true;
  variants[10].tensor_maps = TILE_CHOICE_NO;
  size_t expected = 0;
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++, expected++)
    free(compile_to(&f, "k.mlir", kernel_text, &variants[i], TILE_OUTPUT_PTX).data);
  CHECK_EQUAL(count(&f).misses, expected);
  free(compile_to(&f, "other.mlir", kernel_text, &plain, TILE_OUTPUT_PTX).data);
  free(compile_to(&f, "k.mlir", "module {\n}\n", &plain, TILE_OUTPUT_PTX).data);
  free(compile_to(&f, "k.mlir", kernel_text, &plain, TILE_OUTPUT_LLVMIR).data);
  CHECK_EQUAL(count(&f).misses, expected + 3);
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    free(compile_to(&f, "k.mlir", kernel_text, &variants[i], TILE_OUTPUT_PTX).data);
  CHECK_EQUAL(count(&f).misses, expected + 3);
  close_fixture(&f);
}

/* --- Devices ---------------------------------------------------------------------------------- */

static void load(struct fixture *f, tile_device *device) {
  tile_compile_options options = tile_compile_options_default();
  tile_module *module = NULL;
  FINE(tile_compile_for_device(f->compiler, "k.mlir", kernel_text, sizeof kernel_text - 1, &options,
                               device, &module));
  tile_kernel *kernel = NULL;
  FINE(tile_module_kernel(module, "k", &kernel));
  CHECK(kernel && tile_kernel_get_info(kernel)->parameter_count == 1);
  tile_module_unload(module);
}

static void modules_for_a_device_are_kept(void) {
  struct fixture f = open_fixture();
  tile_device *device = NULL;
  FINE(tile_device_open(tile_null_driver(), 0, &device));
  load(&f, device);
  load(&f, device);
  CHECK(count(&f).misses == 1 && count(&f).memory_hits == 1);
  reopen(&f);
  load(&f, device);
  CHECK(count(&f).disk_hits == 1 && !f.compiler->has_session);
  tile_device_close(device);
  close_fixture(&f);
}

/* Objects are, for who asks for them. */
static void objects_for_the_emulator_are_kept(void) {
  struct fixture f = open_fixture();
  tile_compile_options options = tile_compile_options_default();
  const char *host = OBJECT_HOST; /* "" where there are none */
  for (int i = 0; i < 2 && host[0]; i++) {
    tile_image *image = NULL;
    FINE(tile_compile_kernels(f.compiler, "k.mlir", kernel_text, sizeof kernel_text - 1, &options,
                              TILE_IMAGE_OBJECT, &image));
    tile_image_free(image);
    CHECK(count(&f).misses == 1 && count(&f).memory_hits == (uint64_t)i);
  }
  close_fixture(&f);
}

static void programs_of_the_emulator_are_not_kept(void) {
  struct fixture f = open_fixture();
  tile_compile_options options = tile_compile_options_default();
  tile_emulator_program *program = NULL;
  tile_image *image = NULL;
  tile_device *device = NULL;
  tile_cache_usage usage;
  FINE(tile_emulator_device_create(NULL, &device));
  load(&f, device);
  FINE(tile_compile_for_emulator(f.compiler, "k.mlir", kernel_text, sizeof kernel_text - 1,
                                 &options, &program));
  FINE(tile_compile_kernels(f.compiler, "k.mlir", kernel_text, sizeof kernel_text - 1, &options,
                            TILE_IMAGE_EMULATOR, &image));
  FINE(tile_cache_measure(f.cache, &usage));
  CHECK_EQUAL(usage.entries, 0);
  CHECK_EQUAL(count(&f).misses, 0);
  tile_image_free(image);
  tile_emulator_program_destroy(program);
  tile_device_close(device);
  close_fixture(&f);
}

/* --- C ---------------------------------------------------------------------------------------- */

static const char scale_text[] =
    "import triton\nimport triton.language as tl\nfrom sizes import SIZE\n"
    "@triton.jit\n"
    "def scale(p, n, BLOCK: tl.constexpr):\n"
    "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    tl.store(p + i, tl.load(p + i, mask=i < n) * SIZE, mask=i < n)\n";

/* The only other file; its text is the reader's data. */
static bool read_sizes(void *data, const char *path, const char **out_text, size_t *out_length) {
  *out_text = data;
  *out_length = strlen(data);
  return strcmp(path, "sizes.py") == 0;
}

/* Compiles to C in two variants, and says whether both texts are as before. */
static bool to_c(struct fixture *f, const char *sizes, const char *grid, const char *when,
                 tile_blob *before) {
  static const char *const folders[] = {""}, *const blocks[][1] = {{"BLOCK=64"}, {"BLOCK=128"}};
  tile_import_options imports[2];
  tile_c_variant variants[2];
  for (int i = 0; i < 2; i++) {
    imports[i] = (tile_import_options){.signature = "*fp32, i32",
                                       .constants = blocks[i],
                                       .constant_count = 1,
                                       .read_source = read_sizes,
                                       .read_data = (void *)(uintptr_t)sizes,
                                       .import_folders = folders,
                                       .import_folder_count = 1};
    variants[i] = (tile_c_variant){.import = &imports[i], .when = i ? NULL : when};
  }
  const tile_c_options options = {
      .name = "scale", .grid = grid, .variants = variants, .variant_count = 2};
  tile_blob header = {0}, source = {0};
  FINE(tile_compile_to_c(f->compiler, "k.py", scale_text, sizeof scale_text - 1, &options, &header,
                         &source));
  bool equal = same(header, before[0]) && same(source, before[1]);
  free(before[0].data), free(before[1].data);
  before[0] = header, before[1] = source;
  return equal;
}

static void c_is_kept(void) {
  struct fixture f = open_fixture();
  tile_blob texts[2] = {{0}, {0}};
  to_c(&f, "import triton.language as tl\nSIZE = tl.constexpr(2)\n", "cdiv(n, BLOCK)", "n < 100",
       texts);
  CHECK_EQUAL(count(&f).misses, 1);
  reopen(&f);
  CHECK(to_c(&f, "import triton.language as tl\nSIZE = tl.constexpr(2)\n", "cdiv(n, BLOCK)",
             "n < 100", texts));
  CHECK(count(&f).disk_hits == 1 && count(&f).misses == 0 && !f.compiler->has_session);
  CHECK(!to_c(&f, "import triton.language as tl\nSIZE = tl.constexpr(2)\n", "cdiv(n, 32)",
              "n < 100", texts));
  CHECK(!to_c(&f, "import triton.language as tl\nSIZE = tl.constexpr(2)\n", "cdiv(n, 32)", "n < 99",
              texts));
  /* the file that is imported */
  CHECK(!to_c(&f, "import triton.language as tl\nSIZE = tl.constexpr(3)\n", "cdiv(n, 32)", "n < 99",
              texts));
  CHECK_EQUAL(count(&f).misses, 3);
  CHECK(!to_c(&f, "import triton.language as tl\nSIZE = tl.constexpr(2)\n", "cdiv(n, 32)", "n < 99",
              texts));
  CHECK_EQUAL(count(&f).misses, 3);
  free(texts[0].data), free(texts[1].data);
  close_fixture(&f);
}

static void images_are_kept_with_what_they_say_of_their_kernels(void) {
  struct fixture f = open_fixture();
  tile_compile_options options = tile_compile_options_default();
  tile_image *made = NULL, *found = NULL;
  FINE(tile_compile_kernels(f.compiler, "k.mlir", kernel_text, sizeof kernel_text - 1, &options,
                            TILE_IMAGE_PTX, &made));
  reopen(&f);
  FINE(tile_compile_kernels(f.compiler, "k.mlir", kernel_text, sizeof kernel_text - 1, &options,
                            TILE_IMAGE_PTX, &found));
  CHECK_EQUAL(count(&f).disk_hits, 1);
  struct text first = {0}, second = {0};
  compile_print_image(made, &first);
  compile_print_image(found, &second);
  CHECK_TEXT(text_string(&first), text_string(&second));
  CHECK(first.length > 100);
  text_free(&first), text_free(&second);
  tile_image_free(made), tile_image_free(found);
  close_fixture(&f);
}

/* --- Diagnostics ------------------------------------------------------------------------------ */

static void note_diagnostic(const tile_diagnostic *diagnostic, void *data) {
  text_printf(data, "%s:%u:%u: %s: %s\n", diagnostic->file, diagnostic->line, diagnostic->column,
              diagnostic->severity, diagnostic->message);
}

static const char python_text[] = "import triton\n"
                                  "import triton.language as tl\n"
                                  "from pkg.sizes import SIZE\n"
                                  "if which():\n"
                                  "    VALUE = 2.0\n"
                                  "else:\n"
                                  "    VALUE = 4.0\n"
                                  "@triton.jit\n"
                                  "def k(p):\n"
                                  "    tl.store(p + tl.arange(0, SIZE), VALUE)\n";

/* Files of a package, and how often one was asked for. */
struct package {
  const char *sizes, *init;
  int reads;
};

static bool read_package(void *data, const char *path, const char **out, size_t *out_length) {
  struct package *package = data;
  package->reads++;
  *out = strcmp(path, "pkg/sizes.py") == 0            ? package->sizes
         : strcmp(path, "pkg/sizes/__init__.py") == 0 ? package->init
                                                      : NULL;
  *out_length = *out ? strlen(*out) : 0;
  return *out != NULL;
}

static tile_blob import(struct fixture *f, struct package *package, struct text *messages) {
  const tile_import_options options = {
      .signature = "*fp32", .read_source = read_package, .read_data = package};
  tile_blob blob = {0};
  messages->length = 0;
  tile_compiler_on_diagnostic(f->compiler, note_diagnostic, messages);
  FINE(tile_import_triton(f->compiler, "k.py", python_text, sizeof python_text - 1, &options,
                          &blob));
  return blob;
}

static void diagnostics_are_given_again(void) {
  struct fixture f = open_fixture();
  struct package package = {.sizes = "import triton.language as tl\nSIZE = tl.constexpr(64)\n"};
  struct text first = {0}, second = {0}, third = {0};
  tile_blob made = import(&f, &package, &first), memory = import(&f, &package, &second);
  reopen(&f);
  tile_blob disk = import(&f, &package, &third);
  CHECK(same(made, memory) && same(made, disk));
  CHECK(!f.compiler->has_session && count(&f).disk_hits == 1);
  CHECK(strstr(text_string(&first), "k.py:7:5: warning: 'VALUE' is defined under a condition") !=
        NULL);
  CHECK_TEXT(text_string(&first), text_string(&second));
  CHECK_TEXT(text_string(&first), text_string(&third));
  free(made.data), free(memory.data), free(disk.data);
  text_free(&first), text_free(&second), text_free(&third);
  close_fixture(&f);
}

/* A file changes, changes back, goes, or another appears before it: the result is always that of
   the files as they are. */
static void imported_files_are_looked_at_again(void) {
  struct fixture f = open_fixture();
  struct package a = {.sizes = "import triton.language as tl\nSIZE = tl.constexpr(64)\n"},
                 b = {.sizes = "import triton.language as tl\nSIZE = tl.constexpr(128)\n"},
                 before = a;
  before.init = "import triton.language as tl\nSIZE = tl.constexpr(256)\n";
  struct text messages = {0};
  struct package *turns[] = {&a, &b, &a, &before, &b, &before};
  static const char *const expected[] = {"64xf32",  "128xf32", "64xf32",
                                         "256xf32", "128xf32", "256xf32"};
  static const int misses[] = {1, 2, 2, 3, 3, 3};
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
    tile_blob blob = import(&f, turns[i], &messages);
    CHECK(blob.data && strstr(blob.data, expected[i]) != NULL);
    CHECK_EQUAL(count(&f).misses, misses[i]);
    free(blob.data);
  }
  CHECK(a.reads > 0 && before.reads > 0);
  struct package none = {0};
  const tile_import_options options = {
      .signature = "*fp32", .read_source = read_package, .read_data = &none};
  tile_blob blob;
  tile_status status =
      tile_import_triton(f.compiler, "k.py", python_text, sizeof python_text - 1, &options, &blob);
  CHECK_EQUAL(tile_status_code(status), TILE_INVALID_ARGUMENT);
  tile_status_free(status);
  CHECK_EQUAL(count(&f).misses, 4);
  text_free(&messages);
  close_fixture(&f);
}

/* Errors are found anew each time. */
static void failures_are_not_kept(void) {
  struct fixture f = open_fixture();
  tile_compile_options options = tile_compile_options_default();
  struct text messages = {0};
  tile_blob blob;
  tile_compiler_on_diagnostic(f.compiler, note_diagnostic, &messages);
  for (int i = 0; i < 2; i++) {
    messages.length = 0;
    tile_status status =
        tile_compile(f.compiler, "k.mlir", "broken", 6, &options, TILE_OUTPUT_PTX, &blob);
    CHECK_EQUAL(tile_status_code(status), TILE_INVALID_ARGUMENT);
    tile_status_free(status);
    CHECK(messages.length > 0);
  }
  CHECK_EQUAL(count(&f).misses, 2);
  text_free(&messages);
  close_fixture(&f);
}

/* --- Disks and entries that are broken -------------------------------------------------------- */

static int refuse(enum disk_step step) {
  (void)step;
  return EIO;
}

static void a_disk_that_refuses_costs_nothing_but_time(void) {
  struct fixture f = open_fixture();
  tile_compile_options options = tile_compile_options_default();
  tile_blob made = compile_to(&f, "k.mlir", kernel_text, &options, TILE_OUTPUT_PTX);
  reopen(&f);
  disk_fault = refuse;
  tile_blob anew = compile_to(&f, "k.mlir", kernel_text, &options, TILE_OUTPUT_PTX);
  tile_blob memory = compile_to(&f, "k.mlir", kernel_text, &options, TILE_OUTPUT_PTX);
  disk_fault = NULL;
  CHECK(same(made, anew) && same(made, memory));
  CHECK(count(&f).misses == 1 && count(&f).memory_hits == 1 && count(&f).errors >= 2);
  free(made.data), free(anew.data), free(memory.data);
  close_fixture(&f);
}

/* A checksum that is right over an entry that is not: as another build with the same id would write
   it. */
static void entries_that_make_no_sense_are_passed_over(void) {
  struct fixture f = open_fixture();
  tile_compile_options options = tile_compile_options_default();
  struct cached_request_probe {
    const char *bytes;
    size_t size;
  } probes[] = {{"", 0},
                {"abc", 3},
                {"\377\377\377\377\377\377\377\377", 8},
                {"\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0abc", 19}};
  struct key_builder key;
  key_begin(&key, "compile");
  key_add_string(&key, "k.mlir");
  key_add(&key, kernel_text, sizeof kernel_text - 1);
  key_add_compile_options(&key, &options, TILE_OUTPUT_PTX);
  struct cache_key name = key_end(&key);
  for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
    cache_put(f.cache, &name, probes[i].bytes, probes[i].size);
    tile_blob made = compile_to(&f, "k.mlir", kernel_text, &options, TILE_OUTPUT_PTX);
    CHECK(made.data && strstr(made.data, ".version"));
    CHECK_EQUAL(count(&f).misses, i + 1);
    free(made.data);
  }
  CHECK_EQUAL(count(&f).memory_hits, 0);
  close_fixture(&f);
}

static void use_cache_refuses_null(void) {
  tile_status status = tile_compiler_use_cache(NULL, NULL);
  CHECK_EQUAL(tile_status_code(status), TILE_INVALID_ARGUMENT);
  tile_status_free(status);
}

#define ROW(name)                                                                                  \
  { #name, name }

int main(int argc, char **argv) {
  const struct test_row rows[] = {ROW(a_hit_is_what_was_made),
                                  ROW(requests_are_told_apart),
                                  ROW(modules_for_a_device_are_kept),
                                  ROW(objects_for_the_emulator_are_kept),
                                  ROW(programs_of_the_emulator_are_not_kept),
                                  ROW(c_is_kept),
                                  ROW(images_are_kept_with_what_they_say_of_their_kernels),
                                  ROW(diagnostics_are_given_again),
                                  ROW(imported_files_are_looked_at_again),
                                  ROW(failures_are_not_kept),
                                  ROW(a_disk_that_refuses_costs_nothing_but_time),
                                  ROW(entries_that_make_no_sense_are_passed_over),
                                  ROW(use_cache_refuses_null)};
  return run_tests_(argc, argv, rows, sizeof rows / sizeof *rows);
}
