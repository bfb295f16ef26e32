/* See mutate.h. A text becomes a list of tokens, each with the spaces before it; edits work on the
   list, and the list is printed again. */
#include "mutate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- Corpus ------------------------------------------------------------------------------------- */

static void add_module(struct corpus *corpus, const char *text, size_t length) {
  if (corpus->count == corpus->capacity) {
    corpus->capacity = corpus->capacity ? corpus->capacity * 2 : 64;
    corpus->modules =
        tile_reallocate(corpus->modules, corpus->capacity * sizeof *corpus->modules);
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
    if (line == end || (rest >= sizeof separator - 1 &&
                        memcmp(line, separator, sizeof separator - 1) == 0)) {
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

/* --- Tokens --------------------------------------------------------------------------------------- */

enum token_kind { TOKEN_NUMBER, TOKEN_WORD, TOKEN_VALUE, TOKEN_STRING, TOKEN_TYPE, TOKEN_MARK };

struct token {
  enum token_kind kind;
  struct slice space, text; /* `space`: blanks, line ends and comments before the token */
};

struct tokens {
  struct arena arena; /* owns new texts */
  struct token *list;
  size_t count, capacity;
};

static void insert_token(struct tokens *tokens, size_t at, struct token token) {
  if (tokens->count == tokens->capacity) {
    tokens->capacity = tokens->capacity ? tokens->capacity * 2 : 512;
    tokens->list = tile_reallocate(tokens->list, tokens->capacity * sizeof *tokens->list);
  }
  memmove(&tokens->list[at + 1], &tokens->list[at], (tokens->count - at) * sizeof *tokens->list);
  tokens->list[at] = token;
  tokens->count++;
}

static void remove_tokens(struct tokens *tokens, size_t at, size_t count) {
  if (count > tokens->count - at)
    count = tokens->count - at;
  memmove(&tokens->list[at], &tokens->list[at + count],
          (tokens->count - at - count) * sizeof *tokens->list);
  tokens->count -= count;
}

static size_t space_length(const char *at, const char *end) {
  const char *start = at;
  while (at < end) {
    if (isspace((unsigned char)*at)) {
      at++;
    } else if (*at == '/' && at + 1 < end && at[1] == '/') {
      while (at < end && *at != '\n')
        at++;
    } else {
      break;
    }
  }
  return (size_t)(at - start);
}

static bool is_word_character(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '-';
}

static size_t word_length(const char *at, const char *end) {
  const char *start = at;
  while (at < end && is_word_character(*at) && !(*at == '-' && at + 1 < end && at[1] == '>'))
    at++;
  return (size_t)(at - start);
}

static size_t string_length(const char *at, const char *end) {
  const char *start = at++;
  while (at < end && *at != '"' && *at != '\n')
    at += 1 + (*at == '\\' && at + 1 < end);
  return (size_t)((at < end ? at + 1 : end) - start);
}

/* Digits, with a fraction and an exponent; "16x" of a shape ends before the x. */
static size_t number_length(const char *at, const char *end) {
  const char *start = at;
  while (at < end && (isdigit((unsigned char)*at) || *at == '.'))
    at++;
  if (at < end && (*at == 'e' || *at == 'E'))
    at += 1 + (at + 1 < end && (at[1] == '-' || at[1] == '+'));
  while (at < end && isdigit((unsigned char)*at))
    at++;
  return (size_t)(at - start);
}

static struct token next_token(const char *at, const char *end) {
  struct token token = {.kind = TOKEN_MARK, .space = {at, space_length(at, end)}};
  at += token.space.length;
  size_t length = at < end;
  if (at == end) {
  } else if (isdigit((unsigned char)*at)) {
    token.kind = TOKEN_NUMBER;
    length = number_length(at, end);
  } else if (*at == 'x' && at + 1 < end && token.space.length == 0 &&
             (isalnum((unsigned char)at[1]) || at[1] == '!')) {
    length = 1; /* the x of a shape */
  } else if (*at == '"') {
    token.kind = TOKEN_STRING;
    length = string_length(at, end);
  } else if (strchr("%@^#!", *at)) {
    token.kind = *at == '!' ? TOKEN_TYPE : TOKEN_VALUE;
    length = 1 + word_length(at + 1, end);
  } else if (isalpha((unsigned char)*at) || *at == '_') {
    token.kind = TOKEN_WORD;
    length = word_length(at, end);
  } else if (at + 1 < end && at[0] == '-' && at[1] == '>') {
    length = 2;
  }
  token.text = (struct slice){at, length};
  return token;
}

static void tokenize(struct slice text, struct tokens *out) {
  const char *at = text.data, *end = text.data + text.length;
  while (at < end) {
    struct token token = next_token(at, end);
    insert_token(out, out->count, token);
    at = token.text.data + token.text.length;
  }
}

static void print_tokens(const struct tokens *tokens, struct text *out) {
  for (size_t i = 0; i < tokens->count; i++) {
    text_append(out, tokens->list[i].space.data, tokens->list[i].space.length);
    text_append(out, tokens->list[i].text.data, tokens->list[i].text.length);
  }
}

static bool same_text(struct slice a, struct slice b) {
  return a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
}

/* --- What to put in ------------------------------------------------------------------------------- */

static const char *const numbers[] = {
    "0",    "1",    "2",       "3",          "4",          "5",          "7",
    "8",    "16",   "31",      "32",         "33",         "64",         "128",
    "256",  "255",  "512",     "1023",       "1024",       "1025",       "2048",
    "4096", "8192", "65536",   "1048576",    "2097152",    "2147483647", "2147483648",
    "-1",   "-8",   "-2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
    "1.0",  "0.0",  "-0.0",    "1.0e300",    "0x7FC00000", "0x7F800000"};

static const char *const types[] = {
    "i1", "i8", "i16", "i32", "i64", "i7", "i128", "si32", "ui8", "index", "f16", "bf16", "f32",
    "f64", "f80", "f128", "tf32", "f8E4M3FN", "f8E5M2", "f4E2M1FN", "none", "complex<f32>",
    "tuple<i32>", "vector<4xf32>", "memref<4xf32>", "tensor<f32>", "tensor<4xf32>", "tensor<?xf32>",
    "tensor<*xf32>", "tensor<3xf32>", "tensor<0xi32>", "tensor<1x1x1x1x1xi32>",
    "tensor<2x2x2x2x2x2xi8>", "tensor<16x!tile.ptr<f32>>", "!tile.ptr<f32>", "!tile.ptr<i1>",
    "!tile.ptr<!tile.ptr<i8>>", "!tile.ptr<tensor<4xf32>>", "!tile.ptr<index>", "!tile.ptr<none>",
    "!llvm.ptr", "!llvm.ptr<1>", "!llvm.struct<(i32)>", "!llvm.void", "() -> ()", "(i32) -> i32"};

static const char *const attributes[] = {
    "unit", "0 : i32", "1 : i64", "-1 : i8", "7 : index", "1.0 : f32", "true", "\"text\"", "[]",
    "[1, 2]", "{a = 1}", "i32", "array<i32: 1, 1, 1>", "array<i32: 1, 0, 1>", "array<i32: 2, 1>",
    "array<i32>", "array<i64: 1>", "dense<0> : tensor<4xi32>", "dense<[1, 2, 3, 4]> : tensor<4xi32>",
    "dense<> : tensor<0xi32>", "@f", "#tile_gpu.slice<{axis = 0, parent = 1}>",
    "#tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], "
    "order = [0]}>",
    "#tile_gpu.blocked<{}>", "#tile_gpu.blocked<1>"};

static const char *const attribute_names[] = {
    "axis", "start", "end", "value", "operandSegmentSizes", "cache", "evict", "volatile",
    "tile.kernel", "tile.divisibility", "tile.name", "tile_gpu.num_warps", "function_type",
    "sym_name", "sym_visibility", "predicate", "fastmath", "overflowFlags", "unsignedCmp",
    "tile_gpu.threads_per_warp", "tile_gpu.kernel_arguments", "callee", "nvvm.kernel"};

static const char *const operations[] = {
    "\"tile.program_id\"", "\"tile.num_programs\"", "\"tile.range\"", "\"tile.splat\"",
    "\"tile.broadcast\"", "\"tile.expand_dims\"", "\"tile.addptr\"", "\"tile.ptr_to_int\"",
    "\"tile.int_to_ptr\"", "\"tile.bitcast\"", "\"tile.load\"", "\"tile.store\"", "\"tile.assume\"",
    "\"tile_gpu.convert_layout\"", "\"tile_ptx.load\"", "\"tile_ptx.store\"",
    "\"tile_ptx.ex2_approx\"", "\"tile.unknown\"", "arith.addi", "arith.subi", "arith.muli",
    "arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi",
    "arith.ceildivsi", "arith.shli", "arith.shrsi", "arith.shrui", "arith.andi", "arith.ori",
    "arith.xori", "arith.maxsi", "arith.minui", "arith.addf", "arith.subf", "arith.mulf",
    "arith.divf", "arith.remf", "arith.maximumf", "arith.minnumf", "arith.negf", "arith.extsi",
    "arith.extui", "arith.trunci", "arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp",
    "arith.fptosi", "arith.fptoui", "arith.bitcast", "arith.index_cast", "arith.cmpi slt,",
    "arith.cmpf olt,", "arith.select", "math.exp", "math.exp2", "math.log", "math.log2",
    "math.rsqrt", "math.sqrt", "math.absf", "math.absi", "math.sin", "math.tan", "math.tanh",
    "math.erf", "math.powf", "math.fma", "math.floor", "math.roundeven", "math.ctpop",
    "math.cbrt", "scf.yield", "func.return", "func.call @f", "cf.br ^bb0", "ub.poison", "llvm.fneg",
    "llvm.intr.exp", "llvm.intr.sqrt", "llvm.unreachable", "nvvm.barrier0"};

/* Words that may stand for each other without breaking a module's grammar; each row ends with NULL. */
static const char *const exchangeable[][24] = {
    {"i1", "i8", "i16", "i32", "i64", "index"},
    {"f16", "bf16", "f32", "f64"},
    {"f32", "i32", "!tile.ptr"},
    {"arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.divui", "arith.remsi",
     "arith.remui", "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui", "arith.shli",
     "arith.shrsi", "arith.shrui", "arith.andi", "arith.ori", "arith.xori", "arith.maxsi",
     "arith.minui", "math.ipowi"},
    {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "arith.maximumf",
     "arith.minnumf", "math.copysign", "math.powf", "math.atan2"},
    {"arith.negf", "math.exp", "math.exp2", "math.log", "math.log2", "math.log1p", "math.rsqrt",
     "math.sqrt", "math.cbrt", "math.absf", "math.sin", "math.cos", "math.tan", "math.tanh",
     "math.erf", "math.floor", "math.ceil", "math.round", "math.roundeven", "math.trunc"},
    {"arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.sitofp",
     "arith.uitofp", "arith.bitcast"},
    {"arith.extf", "arith.truncf", "arith.fptosi", "arith.fptoui", "arith.bitcast"},
    {"slt", "sge", "ult", "ugt", "eq", "ne"},
    {"olt", "oge", "une", "ord", "true"},
    {"\"tile.program_id\"", "\"tile.num_programs\""},
    {"\"tile.broadcast\"", "\"tile_gpu.convert_layout\"", "\"tile.bitcast\""},
    {"\"ca\"", "\"cg\"", "\"cs\"", "\"cv\"", "\"wb\"", "\"wt\""},
    {"func.func", "func.func private"},
};

static const char *const powers[] = {"1", "2", "4", "8", "16", "32", "64", "128", "256", "512",
                                     "1024", "2048", "16384", "1048576"};

#define PICK(random, table) ((table)[random_below((random), sizeof(table) / sizeof *(table))])

/* --- Edits ---------------------------------------------------------------------------------------- */

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
  free(other.list);
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
  free(other.list);
}

/* --- Edits that mostly leave a valid module ------------------------------------------------------- */

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

static edit_function *const gentle_edits[] = {edit_size,     edit_size,        edit_exchange,
                                              edit_exchange, edit_exchange,    edit_repeat_line,
                                              edit_operands, edit_attribute};

/* A kind of edit is listed as often as it is to be drawn. */
static edit_function *const edits[] = {
    edit_number,    edit_number,    edit_number,    edit_number,    edit_number,    edit_type,
    edit_type,      edit_type,      edit_type,      edit_type,      edit_operation, edit_operation,
    edit_operation, edit_operation, edit_operation, edit_value,     edit_value,     edit_value,
    edit_attribute, edit_attribute, edit_attribute, edit_foreign,   edit_foreign,   edit_foreign,
    edit_line,      edit_line,      edit_line,      edit_delete,    edit_duplicate, edit_swap,
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
  free(tokens.list);
  arena_destroy(&tokens.arena);
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
  free(tokens.list);
}
