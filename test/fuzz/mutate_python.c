/* SPDX-License-Identifier: MIT */
/* See mutate_python.h. */
#include "mutate_python.h"

#include <string.h>
#include "tokens.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define PICK(random, table) ((table)[random_below((random), COUNT(table))])

static const char *const builtins[] = {
#define X(name, ...) name,
#define V(name, ...) name,
#include "frontend/check/builtins.def"
#undef X
#undef V
    "range", "static_range", "len",       "isinstance", "constexpr", "T",
    "shape", "dtype",        "type",      "element_ty", "value",     "numel",
    "math",  "extra",        "libdevice", "tuple",      "reduce",    "dot"};

// clang-format off
static const char *const numbers[] = {
    "0", "1", "2", "3", "4", "8", "16", "17", "31", "32", "64", "128", "1024", "4096", "65536", "1048576",
    "1048577", "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807",
    "9223372036854775808", "18446744073709551616", "99999999999999999999999999999999999999999", "-1",
    "0.0", "1.5", "1e308", "1e309", "1e-400", "5e-324", "0x7fffffff", "0xFFFFFFFFFFFFFFFF", "0b101", "0o17",
    "1_000", "3j", "True", "False", "None", "\"text\"", "tl.float16", "tl.int64", "float('inf')", "()",
    "(1,)", "[16, 16]", "[]", "{}", "...", "lambda x: x"};

static const char *const words[] = {
    "if", "else", "elif", "for", "while", "in", "is", "not", "and", "or", "return", "pass", "break",
    "continue", "def", "class", "lambda", "yield", "await", "async", "with", "try", "except", "finally",
    "raise", "import", "from", "as", "global", "nonlocal", "del", "assert", "True", "False", "None", "tl",
    "triton", "jit", "self", "x", "range", "min", "max", "float", "int", "print", "match", "case", "type"};

static const char *const marks[] = {
    "+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "~", "@", "==", "!=", "<", ">", "<=",
    ">=", "=", "+=", "-=", "*=", "/=", "//=", "%=", ":=", ".", ",", ":", ";", "(", ")", "[", "]", "{", "}",
    "->", "...", "!", "$", "?", "\\", "`"};

static const char *const statements[] = {
    "for i in range(n):", "for i in range(0, 1000000, 0):", "for i in tl.static_range(1000000000):",
    "for _ in tl.range(3, 0, -1, num_stages=2):", "while True:", "while x > 0:", "if pid == 0:", "if True:",
    "else:", "elif n:", "return", "return x", "return 1, 2", "break", "continue", "pass", "x = x", "x += 1.5",
    "n = n * 1.0", "x, y = y, x", "(a, b), c = 1, 2", "x = None", "x: tl.constexpr = 3", "x: tl.int32 = 3",
    "def inner(a):", "lambda: 0", "with x:", "try:", "raise ValueError('x')", "assert x, 'text'",
    "tl.static_assert(False, 'no')", "tl.static_print(x)", "del x", "global x", "import torch",
    "x = [1, 2, 3][n]", "x = (1, 2)[5]", "x = x[:, None, None, None, None, None]", "x = x[0]", "x.y = 3",
    "x[0] = 1", "x = f'{x}{n!r}'", "print(x)", "x = x if x else n", "x = 1 if True else undefined",
    "x = tl.arange(0, 1 << 40)", "x = tl.zeros([1 << 20, 1 << 20], tl.float32)", "x = 2 ** 2 ** 2 ** 2 ** 2",
    "x = 1 << 100000", "x = 1 // 0", "x = 1 % 0", "x = 'a' * 1000000000", "x = [0] * 1000000000",
    "x = tl.load(None)", "k(x)", "x = tl.program_id(7)", "async def f(): pass", "x = yield", "x = *a, b",
    "x = tl.zeros((), tl.float32)", "x = tl.sum(x)", "x = tl.dot(x, x)", "x = x.to(tl.float8e4nv)"};
// clang-format on

struct edit {
  const struct corpus *corpus;
  struct random *random;
  struct tokens *tokens;
};

/* --- Places ----------------------------------------------------------------------------------- */

typedef bool accept_token(const struct token *token);

static bool is_number(const struct token *token) {
  return token->kind == TOKEN_NUMBER;
}

static bool is_word(const struct token *token) {
  return token->kind == TOKEN_WORD;
}

static bool is_mark(const struct token *token) {
  return token->kind == TOKEN_MARK;
}

static bool starts_line(const struct token *token) {
  return memchr(token->space.data, '\n', token->space.length) != NULL;
}

static bool opens(const struct token *token) {
  return token->text.length == 1 && strchr("([{", token->text.data[0]) != NULL;
}

static bool closes(const struct token *token) {
  return token->text.length == 1 && strchr(")]}", token->text.data[0]) != NULL;
}

/* A random token that `accept` takes, or the count when a few tries found none. */
static size_t pick(struct edit *edit, accept_token *accept) {
  size_t count = edit->tokens->count;
  for (int attempt = 0; attempt < 40 && count; attempt++) {
    size_t at = random_below(edit->random, count);
    if (!accept || accept(&edit->tokens->list[at]))
      return at;
  }
  return count;
}

/* Where the line that starts at `at` ends. */
static size_t line_end(const struct tokens *tokens, size_t at) {
  for (at++; at < tokens->count; at++)
    if (starts_line(&tokens->list[at]))
      break;
  return at < tokens->count ? at : tokens->count;
}

/* After the bracket that closes the one at `at`. */
static size_t group_end(const struct tokens *tokens, size_t at) {
  size_t depth = 0;
  for (; at < tokens->count; at++) {
    depth += opens(&tokens->list[at]);
    if (closes(&tokens->list[at]) && --depth == 0)
      return at + 1;
  }
  return tokens->count;
}

static struct slice keep(struct edit *edit, struct text *text) {
  char *copy = arena_copy_string(&edit->tokens->arena, text_string(text), text->length);
  struct slice slice = {copy, text->length};
  text_free(text);
  return slice;
}

/* Replaces one token, or with luck every token of the same text. */
static void replace(struct edit *edit, size_t at, struct slice with) {
  if (at >= edit->tokens->count)
    return;
  struct slice old = edit->tokens->list[at].text;
  edit->tokens->list[at].text = with;
  if (random_one_in(edit->random, 3))
    for (size_t i = 0; i < edit->tokens->count; i++)
      if (same_text(edit->tokens->list[i].text, old))
        edit->tokens->list[i].text = with;
}

/* --- Edits of tokens -------------------------------------------------------------------------- */

static void edit_number(struct edit *edit) {
  replace(edit, pick(edit, is_number), slice_of(PICK(edit->random, numbers)));
}

static void edit_mark(struct edit *edit) {
  replace(edit, pick(edit, is_mark), slice_of(PICK(edit->random, marks)));
}

static void edit_word(struct edit *edit) {
  static const size_t kinds = 4;
  size_t at = pick(edit, is_word), other = pick(edit, is_word);
  if (other >= edit->tokens->count)
    return;
  switch (random_below(edit->random, kinds)) {
  case 0:
    replace(edit, at, slice_of(PICK(edit->random, words)));
    break;
  case 1:
    replace(edit, at, slice_of(PICK(edit->random, numbers)));
    break;
  default:
    replace(edit, at, edit->tokens->list[other].text);
  }
}

/* tl.something becomes tl.something_else. */
static void edit_builtin(struct edit *edit) {
  for (int attempt = 0; attempt < 40; attempt++) {
    size_t at = pick(edit, is_word);
    if (at > 0 && at < edit->tokens->count && slice_equals(edit->tokens->list[at - 1].text, ".")) {
      const char *name = PICK(edit->random, builtins);
      edit->tokens->list[at].text = slice_of(name + (*name == '.'));
      return;
    }
  }
}

static void edit_delete(struct edit *edit) {
  remove_tokens(edit->tokens, pick(edit, NULL), 1 + random_below(edit->random, 3));
}

static void edit_duplicate(struct edit *edit) {
  size_t at = pick(edit, NULL);
  if (at < edit->tokens->count)
    insert_token(edit->tokens, at, edit->tokens->list[at]);
}

static void edit_insert(struct edit *edit) {
  const char *texts[] = {PICK(edit->random, marks), PICK(edit->random, words),
                         PICK(edit->random, numbers)};
  struct token token = {
      .kind = TOKEN_MARK, .space = {" ", 1}, .text = slice_of(PICK(edit->random, texts))};
  size_t at = pick(edit, NULL);
  if (at < edit->tokens->count)
    insert_token(edit->tokens, at, token);
}

/* --- Edits of expressions --------------------------------------------------------------------- */

/* What is in one pair of brackets goes into another. */
static void edit_group(struct edit *edit) {
  size_t from = pick(edit, opens), to = pick(edit, opens);
  if (from >= edit->tokens->count || to >= edit->tokens->count)
    return;
  size_t from_end = group_end(edit->tokens, from), to_end = group_end(edit->tokens, to);
  struct text text = {0};
  for (size_t i = from; i < from_end && i < from + 200; i++) {
    struct token *token = &edit->tokens->list[i];
    text_append(&text, i > from ? token->space.data : "", i > from ? token->space.length : 0);
    text_append(&text, token->text.data, token->text.length);
  }
  edit->tokens->list[to].text = keep(edit, &text);
  remove_tokens(edit->tokens, to + 1, to_end - to - 1);
}

/* Two arguments of a call change places, or one is lost, or named. */
static void edit_argument(struct edit *edit) {
  size_t open = pick(edit, opens);
  if (open >= edit->tokens->count)
    return;
  size_t end = group_end(edit->tokens, open);
  for (size_t i = open + 1; i + 1 < end; i++) {
    if (!slice_equals(edit->tokens->list[i].text, ",") || !random_one_in(edit->random, 2))
      continue;
    if (random_one_in(edit->random, 2)) {
      remove_tokens(edit->tokens, open + 1, i - open);
    } else {
      struct text text = {0};
      text_printf(&text,
                  ", %s=", random_one_in(edit->random, 2) ? "axis" : PICK(edit->random, words));
      edit->tokens->list[i].text = keep(edit, &text);
    }
    return;
  }
}

/* Something opens many times, and perhaps closes as often. */
static void edit_nest(struct edit *edit) {
  static const char *const openings[] = {"(",     "[",       "-",      "not ",     "~",
                                         "f(",    "x[",      "{1: ",   "lambda: ", "1 if x else ",
                                         "1 + ",  "x.y",     "a = ",   "'a' ",     "1 < ",
                                         "2 ** ", "tl.abs(", "(x := ", "x and ",   "f'{",
                                         "*"};
  static const size_t depths[] = {2, 10, 60, 150, 199, 201, 600, 5000};
  size_t at = pick(edit, NULL);
  if (at >= edit->tokens->count)
    return;
  const char *opening = PICK(edit->random, openings);
  size_t depth = PICK(edit->random, depths);
  bool close = random_below(edit->random, 4) > 0;
  struct slice old = edit->tokens->list[at].text;
  struct text text = {0};
  for (size_t i = 0; i < depth; i++)
    text_puts(&text, opening);
  text_append(&text, old.data, old.length);
  for (size_t i = 0; close && i < depth; i++)
    text_puts(&text, strchr(opening, '(')   ? ")"
                     : strchr(opening, '[') ? "]"
                     : strchr(opening, '{') ? "}"
                                            : "");
  edit->tokens->list[at].text = keep(edit, &text);
}

/* --- Edits of lines --------------------------------------------------------------------------- */

static void edit_line(struct edit *edit) {
  size_t start = pick(edit, starts_line);
  if (start >= edit->tokens->count)
    return;
  size_t end = line_end(edit->tokens, start), to = pick(edit, starts_line);
  if (random_one_in(edit->random, 3) || to >= edit->tokens->count) {
    remove_tokens(edit->tokens, start, end - start);
    return;
  }
  if (to > start && to < end)
    to = end;
  for (size_t i = 0; i < end - start && i < 60; i++) /* copied */
    insert_token(edit->tokens, to + i, edit->tokens->list[start + i + (to <= start ? i : 0)]);
}

/* A statement before a line, at its indentation. */
static void edit_statement(struct edit *edit) {
  size_t at = pick(edit, starts_line);
  if (at >= edit->tokens->count)
    return;
  struct token token = {.kind = TOKEN_MARK, .space = edit->tokens->list[at].space};
  struct text text = {0};
  text_puts(&text, PICK(edit->random, statements));
  token.text = keep(edit, &text);
  insert_token(edit->tokens, at, token);
}

static void edit_indentation(struct edit *edit) {
  static const char *const spaces[] = {"\n",   "\n  ",           "\n    ",   "\n        ",
                                       "\n\t", "\n            ", "\r\n    ", "\r",
                                       "\f",   " \\\n",          "\n \t",    "\n   "};
  size_t at = pick(edit, starts_line);
  if (at < edit->tokens->count)
    edit->tokens->list[at].space = slice_of(PICK(edit->random, spaces));
}

/* Lines of another piece. */
static void edit_foreign(struct edit *edit) {
  struct tokens other = {0};
  tokenize_python(edit->corpus->modules[random_below(edit->random, edit->corpus->count)], &other);
  size_t to = pick(edit, starts_line), from = random_below(edit->random, other.count);
  size_t count = 1 + random_below(edit->random, 30);
  for (size_t i = 0; i < count && from + i < other.count && to < edit->tokens->count; i++)
    insert_token(edit->tokens, to + i, other.list[from + i]);
  tokens_free(&other);
}

typedef void edit_function(struct edit *edit);

/* A kind of edit is listed as often as it is to be drawn. */
static edit_function *const edits[] = {
    edit_number,    edit_number,    edit_number,    edit_mark,        edit_mark,
    edit_word,      edit_word,      edit_word,      edit_word,        edit_builtin,
    edit_builtin,   edit_builtin,   edit_delete,    edit_duplicate,   edit_insert,
    edit_group,     edit_group,     edit_argument,  edit_argument,    edit_nest,
    edit_line,      edit_line,      edit_line,      edit_statement,   edit_statement,
    edit_statement, edit_statement, edit_statement, edit_indentation, edit_foreign};

void mutate_kernels(const struct corpus *corpus, struct slice piece, struct random *random,
                    struct text *out) {
  struct tokens tokens = {0};
  struct edit edit = {corpus, random, &tokens};
  tokenize_python(piece, &tokens);
  for (size_t count = random_below(random, 4); count > 0; count--)
    PICK(random, edits)(&edit);
  print_tokens(&tokens, out);
  tokens_free(&tokens);
  if (random_one_in(random, 30))
    mutate_bytes(random, out);
}
