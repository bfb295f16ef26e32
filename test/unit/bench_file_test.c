/* SPDX-License-Identifier: MIT */
/* Benchmark files: sizes, and each mistake with its place. Nothing is run here. */
#include "../../tools/tile-bench/tile_bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include "check.h"

static const char good[] = "outputs = \"o\"\n[sizes]\nn = 64\n[arguments]\no = "
                           "\"fp32[n]:poison\"\nn = \"i32:n\"\n[[providers]]\n"
                           "name = \"a\"\nfile = \"k.py\"\ngrid = 1\n";

/* What is wrong with a text, without the quoted lines; "" when nothing is. */
static void problems_of(const char *content, size_t length, const char *const *choices,
                        size_t choice_count, struct text *out) {
  struct bench_file *file = calloc(1, sizeof *file);
  struct text text = {0}, printed = {0};
  text_append(&text, content, length);
  bool right = bench_file_read(file, "b.toml", &text, choices, choice_count);
  problems_print(&file->text.problems, &printed);
  CHECK(right == (printed.length == 0));
  text_append(out, text_string(&printed), strcspn(text_string(&printed), "\n"));
  bench_file_destroy(file);
  text_free(&printed);
  text_free(&text);
  free(file);
}

/* The good file with its first `from` replaced. */
static void replaced(const char *from, const char *to, struct text *out) {
  const char *at = strstr(good, from);
  CHECK(at);
  text_append(out, good, (size_t)(at - good));
  text_puts(out, to);
  text_puts(out, at + strlen(from));
}

struct change {
  const char *from, *to, *expected;
};

static const struct change changes[] = {
    {"outputs", "outputs", ""},
    {"outputs", "output",
     "b.toml:1:1: error: a benchmark has no 'output'; did you mean 'outputs'?"},
    {"outputs = \"o\"", "outputs = []",
     "b.toml:1:11: error: the file needs 'outputs': the arguments that are results, which are "
     "compared"},
    {"\"o\"", "\"n\"", "b.toml:1:11: error: 'n' is no buffer of [arguments]"},
    {"\"o\"", "3", "b.toml:1:11: error: 'outputs' is a string, not an integer"},
    {"outputs", "metric = \"GB/s\"\noutputs",
     "b.toml:1:10: error: GB/s needs 'bytes': how many a run moves"},
    {"outputs", "metric = \"m/s\"\noutputs",
     "b.toml:1:10: error: 'metric' is ms, GB/s or TFLOP/s, not 'm/s'"},
    {"outputs", "bytes = true\noutputs",
     "b.toml:1:9: error: expected a number or an expression in quotation marks, not true or false"},
    {"outputs", "bytes = \"n +\"\noutputs",
     "b.toml:1:13: error: expected an expression, found the end of the line; end the line with an "
     "operand, or put the expression in parentheses to go on below"},
    {"outputs", "check.absolute = -1\noutputs",
     "b.toml:1:18: error: 'absolute' is from 0 to 1e+30"},
    {"outputs", "measure.rounds = 0\noutputs", "b.toml:1:18: error: 'rounds' is from 1 to 1000"},
    {"outputs", "plot.x = \"m\"\noutputs", "b.toml:1:10: error: 'm' is none of the sizes"},
    {"outputs", "plot = 1\noutputs", "b.toml:1:8: error: 'plot' is a table, not an integer"},
    {"outputs", "plot.x_scale = \"ln\"\noutputs",
     "b.toml:1:16: error: 'x_scale' is log or linear, not 'ln'"},
    {"outputs", "title = \"\\u0000\"\noutputs", "b.toml:1:9: error: 'title' holds a zero byte"},
    {"n = 64", "n = []", "b.toml:3:5: error: the list of sizes is empty"},
    {"n = 64", "", "b.toml:2:1: error: there is no size; write n = [1024, 4096]"},
    {"n = 64", "n = \"m\"",
     "b.toml:3:6: error: 'm' is no size and no constant here; there is none"},
    {"n = 64", "n = 1.5",
     "b.toml:3:5: error: n is 1.5, but an integer is wanted; '//' divides without remainder"},
    {"n = 64", "n = -1", "b.toml:3:5: error: n is -1; it has to be from 0 to 1099511627776"},
    {"n = 64", "n = \"2 ** 64\"", "b.toml:3:6: error: the result does not fit 64 bits"},
    {"n = 64", "n = \"5 % 0\"", "b.toml:3:6: error: division by zero"},
    {"n = 64", "n = \"sin(1)\"",
     "b.toml:3:6: error: only cdiv, min, max, next_power_of_2 and log2 can be called here"},
    {"n = 64", "n = {from = 1, to = 8}",
     "b.toml:3:5: error: a range has either 'step' (added) or 'factor' (multiplied by)"},
    {"n = 64", "n = {from = 9, to = 8, step = 1}",
     "b.toml:3:5: error: the range ends at 8, before it begins"},
    {"n = 64", "n = {from = 1, step = 1}",
     "b.toml:3:5: error: a range has 'from', 'to', and 'step' or 'factor'; 'to' is missing"},
    {"n = 64", "n = {from = 1, to = 8, fator = 2}",
     "b.toml:3:24: error: a range has no 'fator'; did you mean 'factor'?"},
    {"n = 64", "n = {from = 1, to = 1000000, step = 1}",
     "b.toml:3:5: error: the range has more than 4096 sizes"},
    {"n = 64", "a = {from = 1, to = 99, step = 1}\nn = {from = 1, to = 99, step = 1}",
     "b.toml:4:5: error: there are more than 4096 combinations of sizes"},
    {"n = 64", "\"n m\" = 64",
     "b.toml:3:1: error: 'n m' is no name for a size; names are of letters, digits and '_'"},
    {"[sizes]\nn = 64", "[[sizes]]\nn = 64\n[[sizes]]\nm = 5",
     "b.toml:5:1: error: the first [[sizes]] has no 'm'; all have the same names"},
    {"fp32", "fp33",
     "b.toml:5:5: error: 'fp33' is no type; an argument is \"fp32[n]:rand\" or \"i32:n\", and "
     "types are i1, i8, i16, i32, i64, u8, u16, u32, u64, fp16, bf16, fp32, fp64, fp8e4nv, fp8e5, "
     "fp8e4b8, fp8e5b16"},
    {"[n]:poison", "[n:poison", "b.toml:5:5: error: the shape is not closed with ']'"},
    {"[n]:poison", "[n]",
     "b.toml:5:5: error: after the type stands ':' and what fills it: rand, zeros, ones, arange, "
     "poison, a number"},
    {"[n]:poison", "[n n]:poison",
     "b.toml:5:13: error: expected the end of the statement, found 'n'; is an operator, a comma or "
     "a bracket missing before it?"},
    {"\"i32:n\"", "\"i32:n +\"",
     "b.toml:6:13: error: expected an expression, found the end of the line; end the line with an "
     "operand, or put the expression in parentheses to go on below"},
    {"[[providers]]", "[providers]",
     "b.toml:7:1: error: providers are an array of tables: [[providers]] above each"},
    {"name = \"a\"", "",
     "b.toml:7:1: error: a provider needs 'name', which the table and the legend show"},
    {"file = \"k.py\"", "",
     "b.toml:7:1: error: provider 'a' says not what it is: a 'file' with a kernel, an 'image', "
     "'cublas', 'cudnn', or a 'command'"},
    {"file", "fil",
     "b.toml:7:1: error: provider 'a' says not what it is: a 'file' with a kernel, an 'image', "
     "'cublas', 'cudnn', or a 'command'"},
    {"grid", "gird",
     "b.toml:10:1: error: a provider with a kernel has no 'gird'; did you mean 'grid'?"},
    {"grid = 1", "",
     "b.toml:7:1: error: a kernel needs 'grid': how many programs there are, as in \"cdiv(n, "
     "BLOCK)\""},
    {"grid = 1", "grid = \"(n\"", "b.toml:10:9: error: '(' was never closed"},
    {"grid = 1", "grid = 1\narguments = [\"q\"]",
     "b.toml:11:14: error: [arguments] has no 'q'; did you mean 'o'?"},
    {"grid = 1", "grid = 1\narguments = [\"fp32[n]:rand\"]",
     "b.toml:11:14: error: buffers are declared in [arguments]; here is the name of one, or a "
     "scalar: \"i32:n\""},
    {"grid = 1", "grid = 1\nconfigs = 5",
     "b.toml:11:11: error: 'configs' is an array of tables, \"file\" for those of "
     "@triton.autotune, or \"tuned\" for the one that tuning finds"},
    {"grid = 1", "grid = 1\nconfigs = \"tuned\"\n[[providers.then]]\nkernel = \"b\"\ngrid = 1",
     "b.toml:11:11: error: a kernel is tuned by itself; with 'then', 'configs' is an array of "
     "tables or \"file\""},
    {"grid = 1", "grid = 1\nconfigs = \"tuned\"\nnum_warps = 4",
     "b.toml:7:1: error: num_warps and num_stages stand in the configurations where there are "
     "some"},
    {"grid = 1", "grid = 1\nconfigs = [5]",
     "b.toml:11:12: error: a configuration is a table: {BLOCK = 1024, num_warps = 8}"},
    {"grid = 1", "grid = 1\nconfigs = \"file\"\nnum_warps = 4",
     "b.toml:7:1: error: num_warps and num_stages stand in the configurations where there are "
     "some"},
    {"grid = 1", "grid = 1\nthen = 5",
     "b.toml:11:8: error: 'then' is an array of at most 7 kernels that are launched after the "
     "first"},
    {"grid = 1", "grid = 1\n[[providers.then]]\nkernel = \"b\"",
     "b.toml:11:1: error: a kernel needs 'grid': how many programs there are, as in \"cdiv(n, "
     "BLOCK)\""},
    {"grid = 1", "grid = 1\n[[providers]]\nname = \"a\"",
     "b.toml:12:8: error: there are two providers called 'a'"},
    {"file = \"k.py\"\ngrid = 1", "cublas = \"dot\"",
     "b.toml:9:10: error: 'cublas' is \"matmul\": c = a b"},
    {"file = \"k.py\"\ngrid = 1", "cublas = \"matmul\"\na = \"o\"",
     "b.toml:7:1: error: 'b', the matrix b, is no buffer of [arguments]"},
    {"file = \"k.py\"\ngrid = 1", "cublas = \"matmul\"\na = \"n\"",
     "b.toml:10:5: error: 'n', the matrix a, is no buffer of [arguments]"},
    {"file = \"k.py\"\ngrid = 1", "cublas = \"matmul\"\ntf33 = true",
     "b.toml:10:1: error: a provider with cublas has no 'tf33'; did you mean 'tf32'?"},
    {"file = \"k.py\"\ngrid = 1", "cudnn = \"conv\"",
     "b.toml:9:9: error: 'cudnn' is \"softmax\" or \"layer_norm\", of rows"},
    {"file = \"k.py\"\ngrid = 1", "cudnn = \"softmax\"\nx = \"o\"",
     "b.toml:7:1: error: 'y', the tensor y, is no buffer of [arguments]"},
    {"file = \"k.py\"\ngrid = 1", "cudnn = \"softmax\"\nweight = \"o\"",
     "b.toml:10:1: error: cuDNN's softmax has no 'weight'; there are name, cudnn, x, y"},
    {"file = \"k.py\"\ngrid = 1", "cudnn = \"layer_norm\"\nx = \"o\"\ny = \"o\"\nweight = \"o\"",
     "b.toml:7:1: error: 'bias', the tensor bias, is no buffer of [arguments]"},
    {"file = \"k.py\"\ngrid = 1",
     "cudnn = \"layer_norm\"\nx = \"o\"\ny = \"o\"\nweight = \"o\"\nbias = \"o\"\nepsilon = 2",
     "b.toml:14:11: error: 'epsilon' is from 0 to 1"},
    {"file = \"k.py\"\ngrid = 1", "command = []",
     "b.toml:9:11: error: 'command' is a program and its arguments: [\"python3\", \"peer.py\"]"},
    {"file = \"k.py\"\ngrid = 1", "command = \"a\"\ntimeout_seconds = 0",
     "b.toml:10:19: error: 'timeout_seconds' is from 1 to 86400"},
    {"grid = 1", "grid = 2026-11-23",
     "b.toml:10:8: error: dates and times have no use here; write a string"},
};

static void mistakes(void) {
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    struct text content = {0}, out = {0};
    replaced(changes[i].from, changes[i].to, &content);
    problems_of(content.data, content.length, NULL, 0, &out);
    CHECK_TEXT(text_string(&out), changes[i].expected);
    text_free(&content);
    text_free(&out);
  }
}

static void choices(void) {
  static const struct {
    const char *choice, *expected;
  } rows[] = {
      {"n=1,2,3", ""},
      {"m=3", "b.toml:2:1: error: --size m=3 is not NAME=N,N,... with a name of these sizes"},
      {"n", "b.toml:2:1: error: --size n is not NAME=N,N,... with a name of these sizes"},
      {"n=", "b.toml:3:5: error: --size n= is no list of sizes such as 1024,4096"},
      {"n=5x", "b.toml:3:5: error: --size n=5x is no list of sizes such as 1024,4096"},
      {"n=0", "b.toml:3:5: error: --size n=0 is no list of sizes such as 1024,4096"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    problems_of(good, strlen(good), &rows[i].choice, 1, &out);
    CHECK_TEXT(text_string(&out), rows[i].expected);
    text_free(&out);
  }
}

/* The points of a [sizes] as "1,2 3,4". */
static void points_of(const char *sizes, struct text *out) {
  struct text content = {0};
  struct bench_file *file = calloc(1, sizeof *file);
  replaced("[sizes]\nn = 64", sizes, &content);
  CHECK(bench_file_read(file, "b.toml", &content, NULL, 0));
  for (size_t i = 0; i < file->point_count; i++)
    for (size_t axis = 0; axis < file->axis_count; axis++)
      text_printf(out, "%s%" PRId64, axis ? "," : i ? " " : "", file->points[i][axis]);
  bench_file_destroy(file);
  text_free(&content);
  free(file);
}

static void sizes(void) {
  static const struct {
    const char *sizes, *expected;
  } rows[] = {
      {"[sizes]\nn = 64", "64"},
      {"[sizes]\nn = [3, \"2 ** 5 - 1\"]\nm = \"cdiv(n, 2) * 2\"", "3,4 31,32"},
      {"[sizes]\nn = {from = 1, to = 10, step = 4}\nm = [7, 8]", "1,7 1,8 5,7 5,8 9,7 9,8"},
      {"[sizes]\nn = {from = \"2**12\", to = \"2**16\", factor = 4}", "4096 16384 65536"},
      {"[sizes]\nn = {from = 100, to = 200, factor = 1.41421356237}", "100 141 200"},
      {"[[sizes]]\nn = [1, 2]\nm = \"n\"\n[[sizes]]\nm = 9\nn = 3", "1,1 2,2 3,9"},
      {"[sizes]\nn = \"-7 // 2 + 8 if 3 > 2 > 1 and not 0 else 1\"\nm = \"-7 % 4 + min(5, n, 9) + "
       "next_power_of_2(5)\"",
       "4,13"},
      {"[sizes]\nn = \"max(2, 10 / 4) * 2 // 1 == 5.0\"\nm = \"1 if log2(8) == 3 else 0\"", "1,1"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    points_of(rows[i].sizes, &out);
    CHECK_TEXT(text_string(&out), rows[i].expected);
    text_free(&out);
  }
}

/* Beginnings of a file, and files with a byte changed, are read or refused. */
static void truncations(void) {
  char changed[sizeof good];
  for (size_t length = 0; length < sizeof good - 1; length++) {
    struct text out = {0};
    problems_of(good, length, NULL, 0, &out);
    memcpy(changed, good, sizeof good);
    changed[length] = "\"[]{}=.,n-0\n"[length % 12];
    problems_of(changed, sizeof good - 1, NULL, 0, &out);
    text_free(&out);
  }
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"mistakes", mistakes}, {"choices", choices}, {"sizes", sizes},
                   {"truncations", truncations});
}
