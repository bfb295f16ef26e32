/* SPDX-License-Identifier: MIT */
/* Ahead-of-time C: expressions of grids, their arithmetic, and names. */
#include <limits.h>
#include <string.h>
#include "ahead/expression.h"
#include "ahead/names.h"
#include "check.h"
#include "tile/embedded.h"

static const struct expression_name known[] = {
    {"n", "N", NULL},        {"m", "M", NULL},
    {"BLOCK", "1024", NULL}, {"x_ptr", NULL, "a pointer"},
    {"t.0", "T0", NULL},     {"desc.shape.1", "S1", NULL}};
static const struct expression_names names = {known, sizeof known / sizeof *known};

/* The C of a grid, its sizes separated by " | ", or the messages. Freed by the caller. */
static struct text translate(const char *text) {
  struct arena arena = {0};
  struct problems problems;
  struct text out = {0}, sizes[3] = {{0}};
  size_t count = 0;
  problems_create(&problems, &arena);
  bool good = expression_grid(&arena, &problems, text, &names, sizes, &count);
  CHECK_EQUAL(good, problems.errors == 0);
  for (size_t i = 0; i < 3; i++) {
    if (good && i < count)
      text_printf(&out, "%s%s", i ? " | " : "", text_string(&sizes[i]));
    text_free(&sizes[i]);
  }
  problems_print(&problems, &out);
  arena_destroy(&arena);
  return out;
}

#define CHECK_GRID(written, expected)                                                              \
  do {                                                                                             \
    struct text out_ = translate(written);                                                         \
    CHECK_TEXT(text_string(&out_), expected);                                                      \
    text_free(&out_);                                                                              \
  } while (0)

static void grids_become_c(void) {
  CHECK_GRID("n", "N");
  CHECK_GRID("cdiv(n, BLOCK)", "tile_int_divide_up(bad, N, 1024)");
  CHECK_GRID("n, m, 2", "N | M | INT64_C(2)");
  CHECK_GRID("(n, m)", "N | M");
  CHECK_GRID("(n + 1) * m", "tile_int_multiply(bad, tile_int_add(bad, N, INT64_C(1)), M)");
  CHECK_GRID("n - m // 2 % 3", "tile_int_subtract(bad, N, tile_int_modulo(bad, "
                               "tile_int_divide(bad, M, INT64_C(2)), INT64_C(3)))");
  CHECK_GRID("-n", "tile_int_subtract(bad, 0, N)");
  CHECK_GRID("min(n, m, 3)", "tile_int_minimum(bad, tile_int_minimum(bad, N, M), INT64_C(3))");
  CHECK_GRID("max(1, tl.cdiv(n, 2))",
             "tile_int_maximum(bad, INT64_C(1), tile_int_divide_up(bad, N, INT64_C(2)))");
  CHECK_GRID("n if n < m and not m == 3 else 1",
             "(((N < M) && !(M == INT64_C(3))) ? N : INT64_C(1))");
  CHECK_GRID("t[0], desc.shape[1]", "T0 | S1");
  CHECK_GRID("lambda meta: (triton.cdiv(n, meta['BLOCK']), m)",
             "tile_int_divide_up(bad, N, 1024) | M");
}

/* Each message stands at its place. */
static void wrong_grids_are_located(void) {
  CHECK_GRID("cdiv(n, BLCK)", "--grid:1:9: error: 'BLCK' is no argument and no constant of the "
                              "kernel; did you mean 'BLOCK'?\n"
                              "  cdiv(n, BLCK)\n          ^~~~\n");
  CHECK_GRID("n / 2", "--grid:1:1: error: '/' gives a float; write '//', or cdiv(a, b) to round "
                      "up\n  n / 2\n  ^~~~~\n");
  CHECK_GRID("n << 2", "--grid:1:1: error: the operator '<<' cannot be used here; there are + - * "
                       "// %\n  n << 2\n  ^~~~~~\n");
  CHECK_GRID("x_ptr", "--grid:1:1: error: 'x_ptr' is a pointer; only integers can be used here\n  "
                      "x_ptr\n  ^~~~~\n");
  CHECK_GRID("len(n)",
             "--grid:1:1: error: only cdiv, min and max can be called here\n  len(n)\n  ^~~\n");
  CHECK_GRID("cdiv(n)", "--grid:1:1: error: cdiv takes two numbers, not 1\n  cdiv(n)\n  ^~~~~~~\n");
  CHECK_GRID("1.5", "--grid:1:1: error: a number is no integer\n  1.5\n  ^~~\n");
  CHECK_GRID("n, m, n, m", "--grid:1:1: error: --grid takes up to three integers, such as cdiv(n, "
                           "BLOCK), m\n  n, m, n, m\n  ^~~~~~~~~~\n");
  CHECK_GRID("n = 3", "--grid:1:1: error: --grid takes up to three integers, such as cdiv(n, "
                      "BLOCK), m\n  n = 3\n  ^~~~~\n");
  CHECK_GRID(
      "",
      "--grid:1:1: error: --grid takes up to three integers, such as cdiv(n, BLOCK), m\n  \n  ^\n");
  CHECK_GRID("18446744073709551615", "--grid:1:1: error: the number does not fit into 64 bits\n  "
                                     "18446744073709551615\n  ^~~~~~~~~~~~~~~~~~~~\n");
}

static void broken_grids_are_refused(void) {
  static const char *const broken[] = {"cdiv(n,",   "n n",
                                       ")",         "n;m",
                                       "import os", "\n",
                                       "cdiv(*n)",  "lambda: n",
                                       "f'{n}'",    "meta['BLOCK']",
                                       "n[m]",      "cdiv(a=n, b=m)",
                                       "\x01",      "n if m else 'x'"};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    struct text out = translate(broken[i]);
    CHECK(strstr(text_string(&out), "--grid:") != NULL);
    CHECK(strstr(text_string(&out), "error: ") != NULL);
    text_free(&out);
  }
}

/* --- Arithmetic, against numbers of 128 bits -------------------------------------------------- */

typedef __int128 wide;

static wide floored(wide a, wide b) {
  wide quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

static void check_result(wide expected, bool defined, bool bad, int64_t result) {
  bool fits = defined && expected >= INT64_MIN && expected <= INT64_MAX;
  CHECK_EQUAL(bad, !fits);
  if (fits)
    CHECK_EQUAL(result, (int64_t)expected);
}

typedef int64_t operation(bool *bad, int64_t a, int64_t b);

static void check_pair(int64_t a, int64_t b) {
  wide x = a, y = b, divisor = b ? b : 1;
  const struct {
    operation *of;
    wide expected;
    bool defined;
  } operations[] = {{tile_int_add, x + y, true},
                    {tile_int_subtract, x - y, true},
                    {tile_int_multiply, x * y, true},
                    {tile_int_divide, floored(x, divisor), b != 0},
                    {tile_int_modulo, x - floored(x, divisor) * divisor, b != 0},
                    {tile_int_divide_up, -floored(-x, divisor), b != 0},
                    {tile_int_minimum, x < y ? x : y, true},
                    {tile_int_maximum, x > y ? x : y, true}};
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    bool bad = false;
    int64_t result = operations[i].of(&bad, a, b);
    check_result(operations[i].expected, operations[i].defined, bad, result);
  }
}

static void arithmetic_is_pythons(void) {
  static const int64_t values[] = {0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   16,
                                   1000,
                                   INT32_MAX,
                                   (int64_t)INT32_MAX + 1,
                                   3037000499,
                                   3037000500,
                                   INT64_MAX / 2,
                                   INT64_MAX - 1,
                                   INT64_MAX,
                                   INT64_MIN};
  enum { COUNT = sizeof values / sizeof *values };
  for (size_t i = 0; i < COUNT; i++)
    for (size_t k = 0; k < COUNT; k++) {
      check_pair(values[i], values[k]);
      check_pair(values[i], values[k] == INT64_MIN ? -1 : -values[k]);
      check_pair(values[i] == INT64_MIN ? -1 : -values[i], values[k]);
      check_pair(values[i] == INT64_MIN ? -2 : -values[i],
                 values[k] == INT64_MIN ? -2 : -values[k]);
    }
  bool bad = false;
  CHECK_EQUAL(tile_int_of_u64(&bad, INT64_MAX), INT64_MAX);
  CHECK(!bad);
  tile_int_of_u64(&bad, (uint64_t)INT64_MAX + 1);
  CHECK(bad);
}

/* --- Names ------------------------------------------------------------------------------------ */

static void check_parameter(const char *name, const char *expected) {
  struct arena arena = {0};
  static const char *const taken[] = {"x", "x_"};
  CHECK_TEXT(c_parameter_name(&arena, name, taken, 2), expected);
  arena_destroy(&arena);
}

static void parameters_have_names_of_c(void) {
  check_parameter("n", "n");
  check_parameter("x", "x__");
  check_parameter("int", "int_");
  check_parameter("class", "class_");
  check_parameter("stream", "stream_");
  check_parameter("uint64_t", "uint64_t_");
  check_parameter("t.0", "t_0");
  check_parameter("desc.shape.1", "desc_shape_1");
  check_parameter("_Q", "arg__Q");
  check_parameter("__q", "arg___q");
  check_parameter("tile_x", "arg_tile_x");
  check_parameter("", "arg");
  check_parameter("\xCF\x83", "arg___");
}

static void check_function(const char *name, bool good) {
  tile_status status = c_check_function_name("k", name);
  CHECK_EQUAL(status == NULL, good);
  if (!good)
    CHECK(strstr(tile_status_message(status), "--c-name k=NAME") != NULL);
  tile_status_free(status);
}

static void functions_have_names_of_c(void) {
  static const char *const wrong[] = {"",     "1k",  "a.b", "a b", "int",         "class",
                                      "main", "exp", "_k",  "_K",  "tile_launch", "\xCF\x83"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    check_function(wrong[i], false);
  check_function("add_kernel", true);
  check_function("K2", true);
}

static void texts_stay_inside_their_quotes(void) {
  struct text out = {0};
  c_print_string(&out, "a\"b\\c\n?\?/\x7F\xFF");
  CHECK_TEXT(text_string(&out), "\"a\\\"b\\\\c\\012\\?\\?/\\177\\377\"");
  out.length = 0;
  c_print_comment(&out, "a*/b/*c\nd?\?/");
  CHECK_TEXT(text_string(&out), "a* /b/ *c d? ?/");
  text_free(&out);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"grids_become_c", grids_become_c},
                   {"wrong_grids_are_located", wrong_grids_are_located},
                   {"broken_grids_are_refused", broken_grids_are_refused},
                   {"arithmetic_is_pythons", arithmetic_is_pythons},
                   {"parameters_have_names_of_c", parameters_have_names_of_c},
                   {"functions_have_names_of_c", functions_have_names_of_c},
                   {"texts_stay_inside_their_quotes", texts_stay_inside_their_quotes});
}
