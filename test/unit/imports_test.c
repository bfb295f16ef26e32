/* SPDX-License-Identifier: MIT */
/* Kernels whose package is no folder on disk: its files come from a function of the caller. */
#include <stdlib.h>
#include <time.h>
#include "base/text.h"
#include "check.h"
#include "tile/compiler.h"

struct file {
  const char *path, *text;
};
struct library {
  const struct file *files;
  size_t count;
  int reads; /* of files that there are */
};

static bool read_source(void *data, const char *path, const char **text, size_t *length) {
  struct library *library = data;
  for (size_t i = 0; i < library->count; i++)
    if (strcmp(library->files[i].path, path) == 0) {
      *text = library->files[i].text;
      *length = strlen(*text);
      library->reads++;
      return true;
    }
  return false;
}

static const char kernel[] =
    "import triton, triton.language as tl\n"
    "from .helpers import double\n"
    "from other.numbers import SIZES\n"
    "@triton.autotune(configs=[triton.Config({'N': n}) for n in SIZES], key=[])\n"
    "@triton.jit\n"
    "def k(p, N: tl.constexpr):\n"
    "    i = tl.arange(0, N)\n"
    "    tl.store(p + i, double(tl.load(p + i)))\n";

static const struct file files[] = {
    {"lib/pkg/__init__.py", "raise RuntimeError('not executed')\n"},
    {"lib/pkg/helpers.py", "import triton\n@triton.jit\ndef double(x): return x + x\n"},
    {"more/other/numbers.py", "SIZES = [32, 64]\n"},
};

static void count(const tile_diagnostic *diagnostic, void *data) {
  (void)diagnostic;
  ++*(int *)data;
}

static tile_status import(tile_compiler *compiler, tile_import_options *options, tile_blob *out) {
  return tile_import_triton(compiler, "lib/pkg/k.py", kernel, sizeof kernel - 1, options, out);
}

static void files_come_from_a_function(void) {
  const char *folders[] = {"more/"};
  struct library library = {files, 3, 0};
  tile_import_options options = {.signature = "*fp32",
                                 .config = "1",
                                 .read_source = read_source,
                                 .read_data = &library,
                                 .import_folders = folders,
                                 .import_folder_count = 1};
  tile_compiler *compiler;
  tile_configurations *list = NULL;
  tile_blob blob = {0};
  CHECK(!tile_compiler_create(&compiler));
  CHECK(!import(compiler, &options, &blob));
  CHECK(blob.data && strstr(blob.data, "tensor<64xf32>"));
  CHECK(blob.data && strstr(blob.data, "arith.addf"));
  CHECK_EQUAL(library.reads, 3); /* the __init__.py is only seen to be there */
  CHECK(!tile_configurations_create(compiler, "lib/pkg/k.py", kernel, sizeof kernel - 1, &options,
                                    &list));
  CHECK_EQUAL(tile_configurations_count(list), 2);
  tile_configurations_destroy(list);
  free(blob.data);
  tile_compiler_destroy(compiler);
}

static void nothing_is_read_unasked(void) {
  tile_import_options options = {.signature = "*fp32, 32"};
  tile_compiler *compiler;
  tile_blob blob = {0};
  int errors = 0;
  CHECK(!tile_compiler_create(&compiler));
  tile_compiler_on_diagnostic(compiler, count, &errors);
  tile_status status = import(compiler, &options, &blob);
  CHECK(status != NULL);
  CHECK(errors > 0);
  CHECK(strstr(tile_status_message(status), "no other file is read here; set import_folders") !=
        NULL);
  tile_status_free(status);
  tile_compiler_destroy(compiler);
}

/* The folder "" is enough for files beside the kernel's on disk, and for its package. */
static void files_beside_the_kernels(void) {
  static const char path[] =
      TILE_SOURCE_DIRECTORY "/test/frontend/imports/Inputs/pkg/ops/beside.py";
  static const char text[] = "import triton, triton.language as tl\n"
                             "from ..utils import WIDTH\n"
                             "@triton.jit\n"
                             "def k(p):\n"
                             "    tl.store(p, WIDTH)\n";
  const char *folders[] = {""};
  tile_import_options options = {
      .signature = "*fp32", .import_folders = folders, .import_folder_count = 1};
  tile_compiler *compiler;
  tile_blob blob = {0};
  CHECK(!tile_compiler_create(&compiler));
  tile_status status = tile_import_triton(compiler, path, text, sizeof text - 1, &options, &blob);
  CHECK(!status);
  tile_status_free(status);
  free(blob.data);
  tile_compiler_destroy(compiler);
}

/* --- What a package costs --------------------------------------------------------------------- */

enum { HELPERS = 60, REPETITIONS = 20 };
static const char head[] = "import triton\nimport triton.language as tl\n";

/* Functions of eight lines each. The one in the middle calls the first. */
static void add_helpers(struct text *text, int first, int count) {
  for (int i = first; i < first + count; i++)
    text_printf(text,
                "\n@triton.jit\ndef helper_%d(x, N: tl.constexpr):\n"
                "    if N > 16:\n        y = tl.exp(x) + %d\n    else:\n        y = x\n"
                "    return %s\n",
                i, i,
                i == 0             ? "y"
                : i == HELPERS / 2 ? "helper_0(y, N)"
                                   : "y + 1");
}

static void add_kernel(struct text *text) {
  text_printf(text,
              "\n@triton.jit\ndef k(p, N: tl.constexpr):\n    i = tl.arange(0, N)\n"
              "    tl.store(p + i, helper_%d(tl.load(p + i), N))\n",
              HELPERS / 2);
}

/* Seconds of CPU that an import takes: the fewest of several. */
static double import_seconds(const char *text, struct library *library) {
  tile_import_options options = {.kernel = "k",
                                 .signature = "*fp32, 64",
                                 .read_source = library ? read_source : NULL,
                                 .read_data = library};
  tile_compiler *compiler;
  double best = 1e9;
  CHECK(!tile_compiler_create(&compiler));
  for (int i = 0; i < REPETITIONS; i++) {
    tile_blob blob = {0};
    clock_t start = clock();
    tile_status status =
        tile_import_triton(compiler, "pkg/k.py", text, strlen(text), &options, &blob);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    CHECK(!status);
    CHECK(blob.data && strstr(blob.data, "math.exp"));
    best = seconds < best ? seconds : best;
    tile_status_free(status);
    free(blob.data);
  }
  tile_compiler_destroy(compiler);
  return best;
}

/* A kernel whose functions stand in two other files of its package, beside the same in one file: 3
   ms more at the most, with sanitizers 30. */
static void a_package_costs_little(void) {
#ifdef NDEBUG
  const double most = 3e-3;
#else
  const double most = 30e-3;
#endif
  struct text one = {0}, k = {0}, half = {0}, rest = {0};
  text_puts(&one, head);
  add_helpers(&one, 0, HELPERS);
  add_kernel(&one);
  text_printf(&k, "%sfrom .upper import helper_%d\n", head, HELPERS / 2);
  add_kernel(&k);
  text_puts(&half, head);
  text_puts(&half, "from .lower import helper_0\n");
  add_helpers(&half, HELPERS / 2, HELPERS / 2);
  text_puts(&rest, head);
  add_helpers(&rest, 0, HELPERS / 2);
  const struct file package[] = {{"pkg/__init__.py", ""},
                                 {"pkg/upper.py", text_string(&half)},
                                 {"pkg/lower.py", text_string(&rest)}};
  struct library library = {package, 3, 0};
  double alone = import_seconds(text_string(&one), NULL);
  double together = import_seconds(text_string(&k), &library);
  printf("one file %.2f ms, a package %.2f ms\n", alone * 1e3, together * 1e3);
  CHECK_EQUAL(library.reads, 3 * REPETITIONS);
  CHECK(together - alone < most);
  text_free(&one);
  text_free(&k);
  text_free(&half);
  text_free(&rest);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"files_come_from_a_function", files_come_from_a_function},
                   {"nothing_is_read_unasked", nothing_is_read_unasked},
                   {"files_beside_the_kernels", files_beside_the_kernels},
                   {"a_package_costs_little", a_package_costs_little});
}
