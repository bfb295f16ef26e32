/* SPDX-License-Identifier: MIT */
/* fuzz_toml: mutants of TOML texts through the reader, and through tile-bench, which reads its
   files with it. See frame.h for the flags.

   A mutant has bytes, lines or words changed, or parts of other files inserted. What must hold:
   nothing crashes, leaks or reads beyond the bytes; an error has a sentence and a place in the
   text; what was read lies in the text where it says; and written as JSON and read by json_parse it
   is the same tree. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../tools/tile-bench/tile_bench.h"
#include "frame.h"
#include "mutate.h"

enum { OUTCOME_REFUSED, OUTCOME_READ, OUTCOME_BENCHMARK };

static struct corpus corpus; /* its "modules" are files */

static void must(bool holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "fuzz_toml: %s\n", what);
  abort();
}

/* --- Corpus ----------------------------------------------------------------------------------- */

static void add_file(const char *text, size_t length) {
  struct corpus *c = &corpus;
  if (c->count == c->capacity) {
    c->capacity = c->capacity ? c->capacity * 2 : 64;
    c->modules = tile_reallocate(c->modules, c->capacity * sizeof *c->modules);
  }
  c->modules[c->count++] = (struct slice){arena_copy_string(&c->arena, text, length), length};
}

/* --- Mutation --------------------------------------------------------------------------------- */

static const char *const words[] = {"=",
                                    ".",
                                    ",",
                                    "[",
                                    "]",
                                    "[[",
                                    "]]",
                                    "{",
                                    "}",
                                    "\"",
                                    "'",
                                    "\"\"\"",
                                    "'''",
                                    "#",
                                    "\n",
                                    "\r\n",
                                    "\r",
                                    "\t",
                                    " ",
                                    "\\",
                                    "\\u00e9",
                                    "\\U0001F600",
                                    "\\ud800",
                                    "\\U00110000",
                                    "\\x41",
                                    "\\\n  ",
                                    "0",
                                    "-0",
                                    "+1",
                                    "01",
                                    "1_000",
                                    "1__0",
                                    "0x_f",
                                    "0xDEAD_beef",
                                    "0o17",
                                    "0b102",
                                    "9223372036854775807",
                                    "-9223372036854775808",
                                    "9223372036854775808",
                                    "1e400",
                                    "1e-400",
                                    "1.",
                                    ".5",
                                    "6.02e+23",
                                    "inf",
                                    "-nan",
                                    "true",
                                    "True",
                                    "1979-05-27",
                                    "07:32:00",
                                    "\x80",
                                    "\xC3\xA9",
                                    "\xED\xA0\x80",
                                    "\xF4\x90\x80\x80",
                                    "\xEF\xBB\xBF",
                                    "\x7F",
                                    "a",
                                    "a.b.c",
                                    "\"a b\"",
                                    "'a'.\"b\"",
                                    "name",
                                    "providers",
                                    "sizes",
                                    "n",
                                    "grid",
                                    "configs",
                                    "fp32[n]:rand",
                                    "cdiv(n, 2)"};
static const char *const lines[] = {
    "a = 1\n",
    "a.b = 1\n",
    "[a]\n",
    "[a.b]\n",
    "[[a]]\n",
    "[[a.b]]\n",
    "a = {b = 1, c.d = 2}\n",
    "a = [1, [2, 'x'], {b = true},\n]\n",
    "a = \"\"\"\nx\\\n  y\"\"\"\"\n",
    "\"\" = ''\n",
    ("a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
     "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n"),
    "[[providers]]\nname = \"b\"\ncommand = [\"true\"]\n",
    "[[providers]]\nname = \"c\"\ncudnn = \"softmax\"\n",
    "configs = \"tuned\"\n",
    "[[sizes]]\nn = 64\n",
    "n = {from = 1, to = 9, factor = 2}\n",
    "metric = \"GB/s\"\n"};

static void replace(struct text *text, size_t at, size_t length, const char *with,
                    size_t with_length) {
  struct text out = {0};
  text_append(&out, text_string(text), at);
  text_append(&out, with, with_length);
  text_append(&out, text->data + at + length, text->length - at - length);
  text_free(text);
  *text = out;
}

static size_t line_begin(const struct text *text, size_t at) {
  while (at > 0 && text->data[at - 1] != '\n')
    at--;
  return at;
}

static size_t line_end(const struct text *text, size_t at) {
  const char *newline = memchr(text->data + at, '\n', text->length - at);
  return newline ? (size_t)(newline - text->data) + 1 : text->length;
}

/* Removes a line, repeats one, inserts one. */
static void change_line(struct random *random, struct text *text) {
  size_t at = line_begin(text, random_below(random, text->length)), end = line_end(text, at);
  size_t from = line_begin(text, random_below(random, text->length));
  const char *line = lines[random_below(random, sizeof lines / sizeof *lines)];
  struct text copy = {0};
  text_append(&copy, text->data + from, line_end(text, from) - from);
  switch (random_below(random, 3)) {
  case 0:
    replace(text, at, end - at, "", 0);
    break;
  case 1:
    replace(text, at, 0, text_string(&copy), copy.length);
    break;
  default:
    replace(text, at, 0, line, strlen(line));
    break;
  }
  text_free(&copy);
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Another word for the one that is there, or one more. */
static void change_word(struct random *random, struct text *text) {
  size_t at = random_below(random, text->length), length = 0;
  const char *word = words[random_below(random, sizeof words / sizeof *words)];
  if (random_one_in(random, 2))
    while (at + length < text->length && is_word(text->data[at + length]))
      length++;
  replace(text, at, length, word, strlen(word));
}

static void splice(struct random *random, struct text *text) {
  struct slice other = corpus.modules[random_below(random, corpus.count)];
  size_t at = random_below(random, text->length + 1), from = random_below(random, other.length);
  replace(text, at, random_below(random, text->length - at + 1), other.data + from,
          random_below(random, other.length - from + 1));
}

static void mutate(struct random *random, struct text *text) {
  switch (random_below(random, 8)) {
  case 0:
    mutate_bytes(random, text);
    break;
  case 1:
    splice(random, text);
    break;
  case 2:
  case 3:
  case 4:
    change_line(random, text);
    break;
  default:
    change_word(random, text);
    break;
  }
}

/* --- What was read ---------------------------------------------------------------------------- */

static void check_value(const struct toml_value *value, struct slice text, int depth);

static void check_string(const struct toml_value *value, struct slice text) {
  must(!value->string.data[value->string.length], "a string has no zero after it");
  if (value->is_plain)
    must(value->span.length >= value->string.length + 2 &&
             memcmp(text.data + value->span.offset + 1, value->string.data, value->string.length) ==
                 0,
         "a plain string is not what stands in the text");
}

static void check_table(const struct toml_value *table, struct slice text, int depth) {
  size_t count = 0;
  for (const struct toml_entry *e = table->table.first; e; e = e->next, count++) {
    must(strlen(e->key.data) != e->key.length || toml_find(table, e->key.data) == e,
         "a key does not lead to its entry");
    must((size_t)e->span.offset + e->span.length <= text.length, "a key lies beyond the text");
    check_value(e->value, text, depth + 1);
  }
  must(count == table->table.count, "a table has not as many entries as it says");
}

static void check_value(const struct toml_value *value, struct slice text, int depth) {
  must((size_t)value->span.offset + value->span.length <= text.length,
       "a value lies beyond the text");
  must(depth <= TOML_DEEPEST * (TOML_DEEPEST + 2), "tables are nested deeper than the bound");
  if (value->kind == TOML_STRING)
    check_string(value, text);
  for (size_t i = 0; value->kind == TOML_ARRAY && i < value->array.count; i++)
    check_value(value->array.items[i], text, depth + 1);
  if (value->kind == TOML_TABLE)
    check_table(value, text, depth);
}

/* --- And back, as JSON ------------------------------------------------------------------------ */

static void put_string(struct text *out, struct slice string) {
  text_puts(out, "\"");
  for (size_t i = 0; i < string.length; i++) {
    unsigned char c = (unsigned char)string.data[i];
    if (c < 0x20 || c == '"' || c == '\\')
      text_printf(out, "\\u%04x", c);
    else
      text_append(out, string.data + i, 1);
  }
  text_puts(out, "\"");
}

/* False for what JSON has not got: infinity and NaN. */
static bool put_value(struct text *out, const struct toml_value *value) {
  bool fine = true;
  switch (value->kind) {
  case TOML_STRING:
    put_string(out, value->string);
    return true;
  case TOML_INTEGER:
    text_printf(out, "%" PRId64, value->integer);
    return true;
  case TOML_FLOAT:
    text_printf(out, "%.17e", value->number);
    return isfinite(value->number);
  case TOML_BOOLEAN:
    text_puts(out, value->boolean ? "true" : "false");
    return true;
  case TOML_ARRAY:
    text_puts(out, "[");
    for (size_t i = 0; i < value->array.count; i++) {
      text_puts(out, i ? "," : "");
      fine &= put_value(out, value->array.items[i]);
    }
    text_puts(out, "]");
    return fine;
  case TOML_TABLE:
    text_puts(out, "{");
    for (const struct toml_entry *e = value->table.first; e; e = e->next) {
      text_puts(out, e == value->table.first ? "" : ",");
      put_string(out, e->key);
      text_puts(out, ":");
      fine &= put_value(out, e->value);
    }
    text_puts(out, "}");
    return fine;
  case TOML_NULL:
    break;
  }
  must(false, "TOML has no null");
  return false;
}

static bool same_string(struct slice a, struct slice b) {
  return a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
}

static bool same(const struct toml_value *a, const struct toml_value *b) {
  if (a->kind != b->kind)
    return false;
  if (a->kind == TOML_STRING)
    return same_string(a->string, b->string);
  if (a->kind == TOML_INTEGER)
    return a->integer == b->integer;
  if (a->kind == TOML_FLOAT)
    return a->number == b->number;
  if (a->kind == TOML_BOOLEAN)
    return a->boolean == b->boolean;
  bool equal =
      a->kind == TOML_TABLE ? a->table.count == b->table.count : a->array.count == b->array.count;
  for (size_t i = 0; a->kind == TOML_ARRAY && equal && i < a->array.count; i++)
    equal = same(a->array.items[i], b->array.items[i]);
  if (a->kind != TOML_TABLE)
    return equal;
  const struct toml_entry *x = a->table.first, *y = b->table.first;
  for (; equal && x && y; x = x->next, y = y->next)
    equal = same_string(x->key, y->key) && same(x->value, y->value);
  return equal && !x && !y;
}

/* Dotted keys and headers make trees that are deeper than what a JSON text may be. */
static void read_as_json(struct arena *arena, const struct toml_value *root) {
  struct text text = {0};
  const struct toml_value *again;
  struct toml_error error;
  if (put_value(&text, root)) {
    if (json_parse(arena, text_string(&text), text.length, &again, &error))
      must(same(root, again), "as JSON it is another tree");
    else
      must(strstr(error.message, "deep") != NULL, error.message);
  }
  text_free(&text);
}

/* --- One input -------------------------------------------------------------------------------- */

static bool is_benchmark(const struct text *text) {
  struct bench_file *file = calloc(1, sizeof *file);
  bool good = bench_file_read(file, "b.toml", text, NULL, 0);
  must(good == !file->text.problems.errors, "a benchmark is refused without a word");
  bench_file_destroy(file);
  free(file);
  return good;
}

static int exercise(const struct text *text) {
  struct arena arena = {0};
  const struct toml_value *root = NULL;
  struct toml_error error = {0};
  char *exact = malloc(text->length ? text->length : 1); /* ends where AddressSanitizer sees it */
  memcpy(exact, text_string(text), text->length);
  bool good = toml_parse(&arena, exact, text->length, &root, &error);
  if (good) {
    check_value(root, (struct slice){exact, text->length}, 0);
    read_as_json(&arena, root);
  } else {
    must(error.message[0] && memchr(error.message, 0, sizeof error.message),
         "an error without a sentence");
    must((size_t)error.span.offset + error.span.length <= text->length,
         "an error lies beyond the text");
  }
  free(exact);
  arena_destroy(&arena);
  bool bench = is_benchmark(text);
  must(good || !bench, "a benchmark that is no TOML");
  return bench ? OUTCOME_BENCHMARK : good ? OUTCOME_READ : OUTCOME_REFUSED;
}

static int run(uint64_t seed, uint64_t index, fuzz_note *note, void *data) {
  struct random random = {seed};
  random.state = random_next(&random) ^ index;
  random_next(&random);
  struct slice file = corpus.modules[random_below(&random, corpus.count)];
  struct text text = {0};
  text_append(&text, file.data, file.length);
  for (size_t i = 1 + random_below(&random, 4); i > 0 && text.length; i--)
    mutate(&random, &text);
  note(text_string(&text), text.length, "tile-bench FILE --device emulator", data);
  int outcome = exercise(&text);
  text_free(&text);
  return outcome;
}

int main(int argc, char **argv) {
  const struct fuzz_target target = {
      .name = "fuzz_toml",
      .ending = ".toml",
      .outcomes = {"refused", "read", "benchmarks"},
      .most_cpu_seconds = 20,
      .batch = 2000,
      .add_file = add_file,
      .run = run,
  };
  int code = fuzz_main(argc, argv, &target);
  corpus_destroy(&corpus);
  return code;
}
