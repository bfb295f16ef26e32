/* SPDX-License-Identifier: MIT */
/* See mutate.h. A text becomes a list of tokens; edits work on the list; the list is printed again.
 */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>
#include "tokens.h"
#include "words.h"

/* --- Corpus ----------------------------------------------------------------------------------- */

static void add_module(struct corpus *corpus, const char *text, size_t length) {
  if (corpus->count == corpus->capacity) {
    corpus->capacity = corpus->capacity ? corpus->capacity * 2 : 64;
    corpus->modules = tile_reallocate(corpus->modules, corpus->capacity * sizeof *corpus->modules);
  }
  corpus->modules[corpus->count++] =
      (struct slice){arena_copy_string(&corpus->arena, text, length), length};
}

/* The functions of a long module, one by one: what they call is lost, but a mutant is small. */
static void add_functions(struct corpus *corpus, const char *text, size_t length) {
  enum { LONG_MODULE = 4096 };
  const char *end = text + length, *start = text;
  for (const char *line = text; length > LONG_MODULE && line < end;) {
    const char *next = memchr(line, '\n', (size_t)(end - line));
    next = next ? next + 1 : end;
    if (line[0] == '}') {
      add_module(corpus, start, (size_t)(next - start));
      start = next;
    }
    line = next;
  }
}

void corpus_add(struct corpus *corpus, const char *text, size_t length) {
  static const char separator[] = "// -----";
  const char *end = text + length, *start = text;
  for (const char *line = text; line <= end;) {
    size_t rest = (size_t)(end - line);
    const char *next = rest ? memchr(line, '\n', rest) : NULL;
    next = next ? next + 1 : end;
    if (line == end ||
        (rest >= sizeof separator - 1 && memcmp(line, separator, sizeof separator - 1) == 0)) {
      add_module(corpus, start, (size_t)(line - start));
      add_functions(corpus, start, (size_t)(line - start));
      start = next;
    }
    line = line == end ? end + 1 : next;
  }
}

void corpus_destroy(struct corpus *corpus) {
  free(corpus->modules);
  arena_destroy(&corpus->arena);
  *corpus = (struct corpus){0};
}

#define PICK(random, table) ((table)[random_below((random), sizeof(table) / sizeof *(table))])

/* --- Edits ------------------------------------------------------------------------------------ */

struct edit {
  const struct corpus *corpus;
  struct random *random;
  struct tokens *tokens;
};

/* A random token's index for which `accept` holds, or the count when a few tries found none. */
typedef bool accept_token(const struct token *token);

static size_t pick_token(struct edit *edit, accept_token *accept) {
  size_t count = edit->tokens->count;
  for (int attempt = 0; attempt < 32 && count; attempt++) {
    size_t at = random_below(edit->random, count);
    if (!accept || accept(&edit->tokens->list[at]))
      return at;
  }
  return count;
}

static bool is_number(const struct token *token) {
  return token->kind == TOKEN_NUMBER;
}

static bool is_type(const struct token *token) {
  if (token->kind == TOKEN_TYPE)
    return true;
  for (size_t i = 0; token->kind == TOKEN_WORD && i < sizeof types / sizeof *types; i++)
    if (slice_equals(token->text, types[i]))
      return true;
  return false;
}

static bool is_operation(const struct token *token) {
  if (token->kind != TOKEN_STRING && token->kind != TOKEN_WORD)
    return false;
  return memchr(token->text.data, '.', token->text.length) != NULL;
}

static bool is_value(const struct token *token) {
  return token->kind == TOKEN_VALUE;
}

static bool is_line_start(const struct token *token) {
  return memchr(token->space.data, '\n', token->space.length) != NULL;
}

static bool is_opening_brace(const struct token *token) {
  return slice_equals(token->text, "{");
}

/* Replaces one token, or with luck every token of the same text. */
static void replace(struct edit *edit, size_t at, struct slice with) {
  if (at >= edit->tokens->count)
    return;
  struct slice old = edit->tokens->list[at].text;
  if (random_one_in(edit->random, 2)) {
    edit->tokens->list[at].text = with;
    return;
  }
  for (size_t i = 0; i < edit->tokens->count; i++)
    if (same_text(edit->tokens->list[i].text, old))
      edit->tokens->list[i].text = with;
}

static void edit_delete(struct edit *edit) {
  size_t at = pick_token(edit, NULL);
  remove_tokens(edit->tokens, at, 1 + random_below(edit->random, 3));
}

static void edit_duplicate(struct edit *edit) {
  size_t at = pick_token(edit, NULL);
  if (at < edit->tokens->count)
    insert_token(edit->tokens, at, edit->tokens->list[at]);
}

static void edit_swap(struct edit *edit) {
  size_t a = pick_token(edit, NULL);
  if (a >= edit->tokens->count)
    return;
  size_t b = a + 1 + random_below(edit->random, 6);
  if (b >= edit->tokens->count)
    return;
  struct slice kept = edit->tokens->list[a].text;
  edit->tokens->list[a].text = edit->tokens->list[b].text;
  edit->tokens->list[b].text = kept;
}

static void edit_number(struct edit *edit) {
  replace(edit, pick_token(edit, is_number), slice_of(PICK(edit->random, numbers)));
}

static void edit_type(struct edit *edit) {
  replace(edit, pick_token(edit, is_type), slice_of(PICK(edit->random, types)));
}

static void edit_operation(struct edit *edit) {
  replace(edit, pick_token(edit, is_operation), slice_of(PICK(edit->random, operations)));
}

static void edit_value(struct edit *edit) {
  size_t other = pick_token(edit, is_value);
  if (other < edit->tokens->count)
    replace(edit, pick_token(edit, is_value), edit->tokens->list[other].text);
}

/* `{` becomes `{name = value, `. */
static void edit_attribute(struct edit *edit) {
  size_t at = pick_token(edit, is_opening_brace);
  if (at >= edit->tokens->count)
    return;
  struct text text = {0};
  text_printf(&text, "{%s = %s%s", PICK(edit->random, attribute_names),
              PICK(edit->random, attributes), random_one_in(edit->random, 4) ? "} {" : ", ");
  char *copy = arena_copy_string(&edit->tokens->arena, text_string(&text), text.length);
  edit->tokens->list[at].text = (struct slice){copy, text.length};
  text_free(&text);
}

/* A token of the same kind from anywhere in the corpus. */
static void edit_foreign(struct edit *edit) {
  size_t at = pick_token(edit, NULL);
  struct tokens other = {0};
  const struct corpus *corpus = edit->corpus;
  tokenize(corpus->modules[random_below(edit->random, corpus->count)], &other);
  for (int attempt = 0; attempt < 32 && other.count && at < edit->tokens->count; attempt++) {
    size_t from = random_below(edit->random, other.count);
    if (other.list[from].kind == edit->tokens->list[at].kind) {
      replace(edit, at, other.list[from].text);
      break;
    }
  }
  tokens_free(&other);
}

/* The tokens from `at` to the next line's start. */
static size_t line_end(const struct tokens *tokens, size_t at) {
  for (at++; at < tokens->count; at++)
    if (is_line_start(&tokens->list[at]))
      return at;
  return tokens->count;
}

static void edit_line(struct edit *edit) {
  size_t start = pick_token(edit, is_line_start);
  if (start >= edit->tokens->count)
    return;
  size_t end = line_end(edit->tokens, start);
  if (random_one_in(edit->random, 2)) {
    remove_tokens(edit->tokens, start, end - start);
    return;
  }
  size_t to = pick_token(edit, is_line_start); /* copied to another place, or doubled */
  if (to > start && to < end)
    to = end;
  for (size_t i = 0; i < end - start; i++) {
    size_t from = start + i + (to <= start ? i : 0);
    insert_token(edit->tokens, to + i, edit->tokens->list[from]);
  }
}

static void edit_splice(struct edit *edit) {
  const struct corpus *corpus = edit->corpus;
  struct tokens other = {0};
  tokenize(corpus->modules[random_below(edit->random, corpus->count)], &other);
  size_t cut = pick_token(edit, is_line_start);
  remove_tokens(edit->tokens, cut, edit->tokens->count);
  for (size_t i = random_below(edit->random, other.count); i < other.count; i++)
    insert_token(edit->tokens, edit->tokens->count, other.list[i]);
  tokens_free(&other);
}

/* --- Edits that mostly leave a valid module --------------------------------------------------- */

static void replace_all(struct edit *edit, size_t at, struct slice with) {
  if (at >= edit->tokens->count)
    return;
  struct slice old = edit->tokens->list[at].text;
  for (size_t i = 0; i < edit->tokens->count; i++)
    if (same_text(edit->tokens->list[i].text, old))
      edit->tokens->list[i].text = with;
}

static void edit_size(struct edit *edit) {
  size_t at = pick_token(edit, is_number);
  if (at + 1 < edit->tokens->count && slice_equals(edit->tokens->list[at + 1].text, "x"))
    replace_all(edit, at, slice_of(PICK(edit->random, powers)));
  else
    replace_all(edit, at, slice_of(PICK(edit->random, numbers)));
}

/* The row of `exchangeable` that holds `word`, or NULL. */
static const char *const *find_exchange(struct slice word) {
  for (size_t row = 0; row < sizeof exchangeable / sizeof *exchangeable; row++)
    for (size_t i = 0; exchangeable[row][i]; i++)
      if (slice_equals(word, exchangeable[row][i]))
        return exchangeable[row];
  return NULL;
}

static bool is_exchangeable(const struct token *token) {
  return find_exchange(token->text) != NULL;
}

static void edit_exchange(struct edit *edit) {
  size_t at = pick_token(edit, is_exchangeable), count = 0;
  if (at >= edit->tokens->count)
    return;
  const char *const *row = find_exchange(edit->tokens->list[at].text);
  while (row[count])
    count++;
  struct slice with = slice_of(row[random_below(edit->random, count)]);
  if (strchr(with.data, '.')) /* an operation: here alone */
    edit->tokens->list[at].text = with;
  else
    replace_all(edit, at, with);
}

/* A line again, under a new name, which later lines then use. */
static void edit_repeat_line(struct edit *edit) {
  size_t start = pick_token(edit, is_line_start);
  if (start >= edit->tokens->count || !is_value(&edit->tokens->list[start]))
    return;
  size_t end = line_end(edit->tokens, start), length = end - start;
  for (size_t i = 0; i < length; i++)
    insert_token(edit->tokens, end + i, edit->tokens->list[start + i]);
  struct slice old = edit->tokens->list[start].text;
  struct text name = {0};
  text_append(&name, old.data, old.length);
  text_puts(&name, "_again");
  char *copy = arena_copy_string(&edit->tokens->arena, text_string(&name), name.length);
  struct slice again = {copy, name.length};
  text_free(&name);
  edit->tokens->list[end].text = again;
  for (size_t i = end + length; i < edit->tokens->count; i++)
    if (same_text(edit->tokens->list[i].text, old) && random_one_in(edit->random, 2))
      edit->tokens->list[i].text = again;
}

/* Two values of one line change places, or one stands for both. */
static void edit_operands(struct edit *edit) {
  size_t a = pick_token(edit, is_value);
  if (a >= edit->tokens->count)
    return;
  size_t end = line_end(edit->tokens, a);
  for (size_t b = a + 1; b < end; b++)
    if (is_value(&edit->tokens->list[b]) && !is_line_start(&edit->tokens->list[a])) {
      struct slice kept = edit->tokens->list[a].text;
      edit->tokens->list[a].text = edit->tokens->list[b].text;
      if (random_one_in(edit->random, 2))
        edit->tokens->list[b].text = kept;
      return;
    }
}

typedef void edit_function(struct edit *edit);

static edit_function *const gentle_edits[] = {edit_size,     edit_size,     edit_exchange,
                                              edit_exchange, edit_exchange, edit_repeat_line,
                                              edit_operands, edit_attribute};

/* A kind of edit is listed as often as it is to be drawn. */
static edit_function *const edits[] = {
    edit_number,    edit_number,    edit_number,    edit_number,  edit_number,    edit_type,
    edit_type,      edit_type,      edit_type,      edit_type,    edit_operation, edit_operation,
    edit_operation, edit_operation, edit_operation, edit_value,   edit_value,     edit_value,
    edit_attribute, edit_attribute, edit_attribute, edit_foreign, edit_foreign,   edit_foreign,
    edit_line,      edit_line,      edit_line,      edit_delete,  edit_duplicate, edit_swap,
    edit_splice,
};

void mutate_module(const struct corpus *corpus, struct random *random, struct text *out) {
  struct tokens tokens = {0};
  tokenize(corpus->modules[random_below(random, corpus->count)], &tokens);
  struct edit edit = {corpus, random, &tokens};
  size_t count = 1 + random_below(random, random_one_in(random, 4) ? 10 : 3);
  bool gentle = !random_one_in(random, 3);
  for (size_t i = 0; i < count; i++)
    gentle ? PICK(random, gentle_edits)(&edit) : PICK(random, edits)(&edit);
  print_tokens(&tokens, out);
  tokens_free(&tokens);
  if (!gentle && random_one_in(random, 8))
    mutate_bytes(random, out);
}

void mutate_bytes(struct random *random, struct text *text) {
  size_t count = 1 + random_below(random, 4);
  for (size_t i = 0; i < count && text->length; i++) {
    size_t at = random_below(random, text->length);
    size_t rest = text->length - at;
    size_t run = 1 + random_below(random, rest < 8 ? rest : 8);
    switch (random_below(random, 4)) {
    case 0: /* one bit */
      text->data[at] ^= (char)(1 << random_below(random, 8));
      break;
    case 1: /* any byte */
      text->data[at] = (char)random_next(random);
      break;
    case 2: /* out */
      memmove(text->data + at, text->data + at + run, rest - run);
      text->length -= run;
      break;
    default: { /* twice */
      char copy[8];
      memcpy(copy, text->data + at, run < rest ? run : rest);
      text_append(text, copy, run < rest ? run : rest);
      break;
    }
    }
  }
  text_append(text, "", 0);
}

void mutate_pipeline(const char *pipeline, struct random *random, struct text *out) {
  struct corpus none = {0};
  struct tokens tokens = {0};
  tokenize(slice_of(pipeline), &tokens);
  struct edit edit = {&none, random, &tokens};
  static edit_function *const plain[] = {edit_delete, edit_duplicate, edit_swap, edit_number};
  for (size_t i = random_below(random, 3); i > 0; i--)
    PICK(random, plain)(&edit);
  print_tokens(&tokens, out);
  tokens_free(&tokens);
}
