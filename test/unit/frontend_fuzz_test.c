/* SPDX-License-Identifier: MIT */
/* The front end under bad input: mutated kernels, and texts made to nest, to run long, or to make a
   search start over. Nothing crashes, hangs or grows beyond bounds, and what is said holds: spans
   lie in the text, trees are shallow, success means no message. Seeds are fixed. */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include "frontend_fixture.h"

/* --- What must hold of every text ------------------------------------------------------------- */

struct audit {
  const struct source *source;
  size_t nodes, bad_spans, bad_heights, broken;
};

static bool audit_node(struct node *node, void *data) {
  struct audit *audit = data;
  audit->nodes++;
  audit->bad_spans += span_end(node->span) > audit->source->end;
  audit->bad_heights += node->height > SYNTAX_HIGHEST || node->height == 0;
  audit->broken += node->kind == NODE_BROKEN;
  return true;
}

/* Reads, prints and checks a text; returns how many problems it has, deferred ones included. */
static size_t exercise(const char *text, size_t length) {
  struct module module;
  struct text out = {0};
  bool good = module_read(&module, "k.py", text, length);
  CHECK_EQUAL(good, module.problems.errors == 0);
  struct audit audit = {.source = &module.source};
  node_walk(module.tree, audit_node, &audit);
  CHECK_EQUAL(audit.bad_spans, 0);
  CHECK_EQUAL(audit.bad_heights, 0);
  module_report_deferred(&module, NULL);
  CHECK(audit.broken == 0 || module.problems.errors > 0);
  CHECK(audit.nodes <= length + 2);
  problems_print(&module.problems, &out);
  node_dump(module.tree, &module.source, 0, &out);
  for (const struct problem *problem = module.problems.first; problem; problem = problem->next)
    CHECK(span_end(problem->span) <= module.source.end);
  size_t errors = module.problems.errors;
  text_free(&out);
  module_free(&module);
  return errors;
}

/* --- Mutations -------------------------------------------------------------------------------- */

static const char *const seeds[] = {
    "import triton\nimport triton.language as tl\n\n@triton.jit\ndef add(x_ptr, y_ptr, n, B: "
    "tl.constexpr):\n    pid = tl.program_id(0)\n    o = pid * B + tl.arange(0, B)\n    m = o < n\n"
    "    x = tl.load(x_ptr + o, mask=m)\n    tl.store(y_ptr + o, x + 1.5e-3, mask=m)\n",
    "@triton.autotune(configs=[triton.Config({'B': 1 << i}, num_warps=w) for i in range(4) for w "
    "in "
    "(2, 4) if w], key=['N'])\n@triton.heuristics({'E': lambda args: args['N'] % args['B'] == 0})\n"
    "@triton.jit(do_not_specialize=['N'])\ndef k(x, N, *, B: tl.constexpr = 16, **kw): pass\n",
    "@jit\ndef f(a, b=None, /, *c):\n\tif a is not None and not b:\n\t\treturn a[:, None] * "
    "b[None, "
    "..., 1:2:3]\n\telif a in (1, 2,):\n\t\tfor i in tl.range(0, a, -1):\n\t\t\ta += ~i ** -2\n"
    "\telse:\n\t\twhile 0 <= a < b: a //= 2; break\n\treturn a if b else c, d\n",
    "def g():\n  s = f\"{x!r:>{w}.2f} {{}} {y = } {d['k']}\" 'b' r'\\d'\n  t = '''a\n  b'''\n"
    "  return {'a': 1, **b}, {1, 2}, [*c], {k: v for k, v in d}, lambda *a, b=1: a\n",
    "try:\n  from a.b import (c as d,\n    e)\nexcept (E, F) as x:\n  raise G from x\nelse:\n  "
    "pass\n"
    "finally:\n  with a as b, (c): del d[0], e\nclass A(B, metaclass=M):\n  x: int = 3\n"
    "  async def f(self): await g(); yield 1\n",
    "match x:\n  case [1, {'a': y}] if y: pass\n  case _: z = (a := 1)\nglobal q\nassert a, 'b'\n"
    "@a.b(c)\n# comment\nclass C: pass\nx = y = 0xFF_FF, 1_0.5j, b'\\x00', ...\nif __name__ == "
    "'__main__': main()\n",
};

static const char *const pieces[] = {
    "(",      ")",      "[",      "]",      "{",       "}",       ":",        ",",
    "\n",     "\n    ", "\t",     "'",      "\"",      "'''",     "f'",       "\"\"\"",
    "\\",     "\\\n",   "#",      "=",      "==",      ":=",      "*",        "**",
    "@",      "->",     "...",    ".",      "!",       "def ",    "if ",      "else",
    "elif ",  "for ",   " in ",   "lambda", "not ",    "return ", "@jit\n",   "\r\n",
    "\r",     "\f",     "\0",     "0x",     "1e",      "\xFF",    "\xC3\xA9", "\xE2\x80\x9C",
    "match ", "case ",  "async ", "yield ", "import ", ";",
};

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static size_t below(uint64_t *state, size_t limit) {
  return limit ? (size_t)(next_random(state) % limit) : 0;
}

/* Replaces `count` bytes at `at` by others. */
static void splice(struct text *text, size_t at, size_t count, const char *bytes, size_t length) {
  struct text result = {0};
  text_append(&result, text_string(text), at);
  text_append(&result, bytes, length);
  text_append(&result, text_string(text) + at + count, text->length - at - count);
  text_free(text);
  *text = result;
}

static void mutate(struct text *text, uint64_t *state) {
  size_t at = below(state, text->length + 1), rest = text->length - at;
  size_t piece = below(state, sizeof pieces / sizeof *pieces);
  size_t piece_length = pieces[piece][0] ? strlen(pieces[piece]) : 1;
  char copy[40];
  size_t copied = below(state, rest < sizeof copy ? rest + 1 : sizeof copy);
  switch (below(state, 5)) {
  case 0:
    splice(text, at, 0, pieces[piece], piece_length);
    break;
  case 1:
    splice(text, at, below(state, rest < 12 ? rest + 1 : 12), "", 0);
    break;
  case 2:
    splice(text, at, rest ? 1 : 0, pieces[piece], piece_length);
    break;
  case 3:
    memcpy(copy, text_string(text) + at, copied);
    splice(text, below(state, text->length + 1), 0, copy, copied);
    break;
  default:
    splice(text, at, below(state, 20) == 0 ? rest : 0, "", 0);
  }
}

static void mutated_kernels(void) {
  uint64_t state = 0x9E3779B97F4A7C15u;
  size_t with_errors = 0;
  for (int round = 0; round < 20000 && !check_failures_; round++) {
    const char *seed = seeds[round % (sizeof seeds / sizeof *seeds)];
    struct text text = {0};
    text_puts(&text, seed);
    for (size_t i = 1 + below(&state, 4); i > 0; i--)
      mutate(&text, &state);
    with_errors += exercise(text_string(&text), text.length) > 0;
    if (check_failures_)
      printf("round %d:\n%s\n", round, text_string(&text));
    text_free(&text);
  }
  CHECK(with_errors > 10000 && with_errors < 20000);
}

static void seeds_are_good(void) {
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
    CHECK_EQUAL(exercise(seeds[i], strlen(seeds[i])), 0);
}

/* --- Texts that nest -------------------------------------------------------------------------- */

static void repeat(struct text *text, const char *piece, size_t count) {
  for (size_t i = 0; i < count; i++)
    text_puts(text, piece);
}

/* Messages about `before`, `count` times `piece`, `between`, `count` times `after`, in a kernel. */
static void check_nested(const char *piece, const char *between, const char *after, size_t count,
                         const char *expected) {
  struct text text = {0};
  text_puts(&text, "@jit\ndef k():\n  x = ");
  repeat(&text, piece, count);
  text_puts(&text, between);
  repeat(&text, after, count);
  text_puts(&text, "\n");
  struct text out = read_problems(text_string(&text), text.length);
  if (expected ? !strstr(text_string(&out), expected) : out.length > 0) {
    CHECK(!"the expected message");
    printf("%s...: %s\n", piece, text_string(&out));
  }
  text_free(&out);
  exercise(text_string(&text), text.length);
  text_free(&text);
}

static void nesting_is_bounded(void) {
  const char *rules = "nested more than 200 deep; split ";
  const char *height = "more than 500 operations inside one another; split it";
  check_nested("(", "1", ")", 190, NULL);
  check_nested("(", "1", ")", 100000, rules);
  check_nested("[", "1", "]", 100000, rules);
  check_nested("{1:", "1", "}", 100000, rules);
  check_nested("f(", "1", ")", 100000, rules);
  check_nested("x[", "1", "]", 100000, rules);
  check_nested("-", "1", "", 100000, rules);
  check_nested("not ", "1", "", 100000, rules);
  check_nested("lambda: ", "1", "", 100000, rules);
  check_nested("1 ** ", "1", "", 100000, rules);
  check_nested("1 if 1 else ", "1", "", 100000, rules);
  check_nested("1 + ", "1", "", 400, NULL);
  check_nested("1 + ", "1", "", 100000, height);
  check_nested("", "x", ".y", 100000, height);
  check_nested("", "x", "()", 100000, height);
  check_nested("", "x", "[0]", 100000, height);
  check_nested("1 < ", "1", "", 100000, "a chain of more than 64 comparisons");
  check_nested("a and ", "b", "", 100000, NULL);
  check_nested("a = ", "b", "", 100000, NULL);
  check_nested("a, ", "b", "", 100000, NULL);
  check_nested("'a' ", "'b'", "", 100000, NULL);
}

static void blocks_are_bounded(void) {
  struct text text = {0};
  text_puts(&text, "@jit\ndef k():\n");
  for (int i = 1; i < 300; i++)
    text_printf(&text, "%*sif x:\n", i, "");
  text_printf(&text, "%*spass\n", 300, "");
  struct text out = read_problems(text_string(&text), text.length);
  CHECK(strstr(text_string(&out),
               "blocks are nested more than 100 deep; move the inner ones into functions") != NULL);
  text_free(&out);
  text_free(&text);
}

static void formatted_strings_nest_to_a_bound(void) {
  for (size_t depth = 1; depth < 40; depth++) {
    struct text text = {0};
    text_puts(&text, "x = ");
    repeat(&text, "f\"{", depth);
    text_puts(&text, "1");
    repeat(&text, "}\"", depth);
    CHECK_EQUAL(exercise(text_string(&text), text.length) == 0, depth <= 16);
    text_free(&text);
  }
}

/* --- Texts that run long ---------------------------------------------------------------------- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Half a megabyte of one piece takes time in proportion: a generous bound catches what is
   quadratic, which would take minutes. */
static void long_texts_take_linear_time(void) {
  static const char *const repeated[] = {"(",
                                         "(\n",
                                         ")",
                                         "[{",
                                         "f\"{",
                                         "f\"{(\" ",
                                         "f'''{",
                                         "f\"\"\"{'''\n",
                                         "'''\n\"\"\"\n",
                                         "'\n",
                                         "'a' ",
                                         "\\\n",
                                         "\n",
                                         "#\n",
                                         " ",
                                         "\t\n ",
                                         "a",
                                         "a ",
                                         "a\n",
                                         "a(\n",
                                         "a=(b,\n",
                                         " a(\n",
                                         "match (",
                                         "match (\n",
                                         "match(a,\n",
                                         "type ",
                                         "@",
                                         "@a\n",
                                         "@jit\n",
                                         "@jit(\n",
                                         "def ",
                                         "def f(",
                                         "def f(a):\n",
                                         "if a:\n",
                                         "if a: b\nelif c: d\n",
                                         "else:\n",
                                         "for a in b: c\n",
                                         "try:\n",
                                         "with (a as b): c\n",
                                         "with (",
                                         "lambda a: ",
                                         "class A: pass\n",
                                         "import a.b.c, d\n",
                                         "from . import (a,\n",
                                         "0",
                                         "0x",
                                         "1_",
                                         "1.",
                                         "1e5 ",
                                         "\\",
                                         "$",
                                         "\xFF",
                                         "\xE2\x80\x9C",
                                         "x = [\n",
                                         "  x = (y,\nz = 3 3\n",
                                         "    x(\n  y z\n",
                                         "global a\n",
                                         "return a, *b\n",
                                         "a: b = c\n",
                                         "*",
                                         "def f(a, a, a): pass\n",
                                         "f'{a!r:{b}}' ",
                                         "'\\x41'",
                                         "'\\N{a}'",
                                         "case ",
                                         "async ",
                                         "yield ",
                                         "!"};
  for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++) {
    struct text text = {0};
    repeat(&text, repeated[i], (size_t)500000 / strlen(repeated[i]));
    double start = seconds();
    exercise(text_string(&text), text.length);
    double taken = seconds() - start;
    if (taken > 10)
      printf("\"%s\" takes %.1f s\n", repeated[i], taken);
    CHECK(taken <= 10);
    text_free(&text);
  }
}

static void too_large_files_are_refused(void) {
  size_t length = SOURCE_LARGEST + 1;
  char *text = calloc(length, 1);
  struct text out = read_problems(text, length);
  CHECK_TEXT(text_string(&out),
             "k.py:1:1: error: the file has 67108865 bytes; kernel files of up to "
             "67108864 bytes are read\n  \n  ^\n");
  text_free(&out);
  free(text);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"seeds_are_good", seeds_are_good},
                   {"mutated_kernels", mutated_kernels}, {"nesting_is_bounded", nesting_is_bounded},
                   {"blocks_are_bounded", blocks_are_bounded},
                   {"formatted_strings_nest_to_a_bound", formatted_strings_nest_to_a_bound},
                   {"long_texts_take_linear_time", long_texts_take_linear_time},
                   {"too_large_files_are_refused", too_large_files_are_refused});
}
