/* SPDX-License-Identifier: MIT */
/* What a result of tuning belongs to: when two launches share it, and when not. */
#include "tune/key.h"

#include <stdlib.h>
#include "check.h"

static const char file[] =
    "import triton\n"
    "import triton.language as tl\n"
    "from helpers import scale\n"
    "import unused\n"
    "@triton.autotune([triton.Config({'BLOCK': 64}), triton.Config({'BLOCK': 128})], key=['n', "
    "'ACT', 'n', 'x'])\n"
    "@triton.heuristics({'EVEN': lambda args: args['n'] % args['BLOCK'] == 0})\n"
    "@triton.jit\n"
    "def k(x, n, m, eps, ACT: tl.constexpr, BLOCK: tl.constexpr, EVEN: tl.constexpr, extra=7):\n"
    "    tl.store(x, scale(n))\n"
    "@triton.autotune([triton.Config({'BLOCK': 64})], key=[])\n"
    "@triton.jit\n"
    "def no_key(x, n, m, BLOCK: tl.constexpr): pass\n";

/* The other files; the second is what helpers.py imports from. */
static const char *helpers =
    "import triton\nfrom deeper import two\n@triton.jit\ndef scale(n): return n * two\n";
static const char *deeper = "two = 2\n";

static bool read_file(void *data, const char *path, struct slice *out) {
  int *reads = data;
  ++*reads;
  if (strcmp(path, "helpers.py") && strcmp(path, "deeper.py"))
    return false;
  *out = slice_of(strcmp(path, "helpers.py") ? deeper : helpers);
  return true;
}

struct found {
  struct text content, arguments;
};

static struct found read(const char *text, const char *kernel, const char *signature,
                         const char *const *values, size_t value_count,
                         const tile_compile_options *options) {
  static const char *const constants[] = {"ACT='relu'"};
  int reads = 0;
  struct import_options import = {.kernel = kernel,
                                  .signature = signature,
                                  .constants = constants,
                                  .constant_count = strcmp(kernel, "k") == 0,
                                  .argument_values = values,
                                  .argument_value_count = value_count,
                                  .packages = {.read = read_file, .data = &reads}};
  struct found out = {0};
  tile_configurations *list;
  tile_status status = tune_key_read("k.py", text, strlen(text), &import, options, NULL, NULL,
                                     &out.content, &out.arguments, &list);
  CHECK_TEXT(tile_status_message(status), "");
  tile_status_free(status);
  tile_configurations_destroy(list);
  return out;
}

static void end(struct found *found) {
  text_free(&found->content);
  text_free(&found->arguments);
}

static void arguments_are_canonical(void) {
  static const struct {
    const char *kernel, *signature, *values[4], *expected;
  } rows[] = {{"k",
               "*fp16:16, i32:16, i64, fp32, i32",
               {"m=5", "n=0x200", "eps=0.5"},
               "{\"constants\":{\"ACT\":\"'relu'\"},\"types\":{\"x\":\"*fp16\",\"n\":\"i32\",\"m\":"
               "\"i64\",\"eps\":\"fp32\","
               "\"extra\":\"i32\"},\"values\":{\"n\":\"512\"}}"},
              {"k",
               "*fp16, i32, 1, fp32",
               {"n=512"},
               "{\"constants\":{\"m\":\"1\",\"ACT\":\"'relu'\",\"extra\":\"7\"},\"types\":{\"x\":"
               "\"*fp16\",\"n\":\"i32\",\"eps\":\"fp32\"},"
               "\"values\":{\"n\":\"512\"}}"},
              {"no_key",
               "*fp32, i32, i32",
               {"m=5", "n=3"},
               "{\"constants\":{},\"types\":{\"x\":\"*fp32\",\"n\":\"i32\",\"m\":\"i32\"},"
               "\"values\":{\"n\":\"3\",\"m\":\"5\"}}"}};
  tile_compile_options options = tile_compile_options_default();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t count = 0;
    while (rows[i].values[count])
      count++;
    struct found found =
        read(file, rows[i].kernel, rows[i].signature, rows[i].values, count, &options);
    CHECK_TEXT(text_string(&found.arguments), rows[i].expected);
    end(&found);
  }
}

/* One line: the content for the texts as they are now. */
static char *content(const char *text, const char *kernel, const tile_compile_options *options) {
  const char *values[] = {"n=1"};
  struct found found =
      read(text, kernel, strcmp(kernel, "k") ? "*fp16, i32, i32" : "*fp16, i32, i32, fp32", values,
           1, options);
  text_free(&found.arguments);
  return text_take(&found.content);
}

static void contents_differ_where_code_may(void) {
  tile_compile_options options = tile_compile_options_default(), other = options;
  char *contents[7], *again = content(file, "k", &options), *changed = strdup(file);
  const char *old_helpers = helpers, *old_deeper = deeper;
  size_t count = 0;
  contents[count++] = content(file, "k", &options);
  CHECK_TEXT(contents[0], again);
  CHECK_EQUAL(strlen(again), 64);
  contents[count++] = content(file, "no_key", &options);
  other.no_fma = true;
  contents[count++] = content(file, "k", &other);
  helpers = "import triton\nfrom deeper import two\n@triton.jit\ndef scale(n): return n - two\n";
  contents[count++] = content(file, "k", &options);
  helpers = old_helpers, deeper = "two = 3\n";
  contents[count++] = content(file, "k", &options);
  deeper = old_deeper;
  *strstr(changed, "128") = '2';
  contents[count++] = content(changed, "k", &options);
  other = options, other.num_warps = 8, other.num_stages = 5; /* what is tuned does not count */
  contents[count++] = content(file, "k", &other);
  CHECK_TEXT(contents[count - 1], again);
  for (size_t i = 0; i < count - 1; i++)
    for (size_t k = 0; k < i; k++)
      CHECK(strcmp(contents[i], contents[k]) != 0);
  for (size_t i = 0; i < count; i++)
    free(contents[i]);
  free(again);
  free(changed);
}

static void wrong_files_are_statuses(void) {
  static const struct {
    const char *text, *kernel, *message;
  } rows[] = {{file, NULL, "'k.py' has 2 kernels; name one with --kernel"},
              {file, "q", "there is no kernel 'q' in 'k.py'"},
              {"x = 1\n", NULL, "'k.py' has no kernel: no function is decorated with triton.jit"},
              {"import triton\n@triton.jit\ndef k(:\n", NULL, "1 error(s) in 'k.py'"}};
  tile_compile_options options = tile_compile_options_default();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct import_options import = {.kernel = rows[i].kernel};
    struct text one = {0}, two = {0};
    tile_configurations *list;
    tile_status status = tune_key_read("k.py", rows[i].text, strlen(rows[i].text), &import,
                                       &options, NULL, NULL, &one, &two, &list);
    CHECK(strstr(tile_status_message(status), rows[i].message) != NULL);
    CHECK(!list && !one.length && !two.length);
    tile_status_free(status);
  }
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"arguments_are_canonical", arguments_are_canonical},
                   {"contents_differ_where_code_may", contents_differ_where_code_may},
                   {"wrong_files_are_statuses", wrong_files_are_statuses});
}
