/* SPDX-License-Identifier: MIT */
/* The lexer: what text becomes which tokens, where errors are, and places and quotes in the source.
 */
#include "check.h"
#include "frontend/lexer.h"
#include "frontend/strings.h"

/* The tokens of one text, and what was reported. */
struct lexed {
  struct arena arena;
  struct source source;
  struct text tokens, problems;
};

static void print_token(const struct source *source, struct token token, struct text *out) {
  struct slice text = source_slice(source, token.span);
  switch (token.kind) {
  case TOKEN_NEWLINE:
    text_puts(out, "NL");
    break;
  case TOKEN_INDENT:
    text_puts(out, ">");
    break;
  case TOKEN_DEDENT:
    text_puts(out, "<");
    break;
  case TOKEN_END:
  case TOKEN_STOP:
    text_puts(out, token_kind_name(token.kind));
    break;
  case TOKEN_INTEGER:
    text_printf(out, "%llu%s", (unsigned long long)token.integer, token.too_large ? "+" : "");
    break;
  case TOKEN_FLOAT:
    text_printf(out, "%gf", token.real);
    break;
  case TOKEN_IMAGINARY:
    text_printf(out, "%gj", token.real);
    break;
  default:
    text_append(out, text.data, text.length);
  }
}

static struct lexed lex(const char *text, size_t length) {
  struct lexed lexed = {0};
  struct words words;
  struct problems problems;
  struct lexer lexer;
  lexed.source = source_create(&lexed.arena, "k.py", text, length, 0);
  words_create(&words, &lexed.arena);
  problems_create(&problems, &lexed.arena);
  lexer_create(&lexer, &lexed.source, &words, &problems);
  struct token token;
  do {
    token = lexer_next(&lexer);
    text_puts(&lexed.tokens, lexed.tokens.length ? " " : "");
    print_token(&lexed.source, token, &lexed.tokens);
  } while (token.kind != TOKEN_END);
  problems_print(&problems, &lexed.problems);
  return lexed;
}

static void release(struct lexed *lexed) {
  text_free(&lexed->tokens);
  text_free(&lexed->problems);
  arena_destroy(&lexed->arena);
}

#define CHECK_TOKENS(text, expected)                                                               \
  do {                                                                                             \
    struct lexed lexed_ = lex(text, sizeof(text) - 1);                                             \
    CHECK_TEXT(text_string(&lexed_.tokens), expected);                                             \
    CHECK_TEXT(text_string(&lexed_.problems), "");                                                 \
    release(&lexed_);                                                                              \
  } while (0)

#define CHECK_ERROR(text, expected_tokens, expected_problems)                                      \
  do {                                                                                             \
    struct lexed lexed_ = lex(text, sizeof(text) - 1);                                             \
    CHECK_TEXT(text_string(&lexed_.tokens), expected_tokens);                                      \
    CHECK_TEXT(text_string(&lexed_.problems), expected_problems);                                  \
    release(&lexed_);                                                                              \
  } while (0)

/* --- Lines ------------------------------------------------------------------------------------ */

static void lines_end_with_newline(void) {
  CHECK_TOKENS("", "END");
  CHECK_TOKENS("a", "a NL END");
  CHECK_TOKENS("a\n", "a NL END");
  CHECK_TOKENS("\n\n  # only a comment\n\t\na # after\n# last", "a NL END");
  CHECK_TOKENS("a; b\n", "a ; b NL END");
}

static void all_line_ends_count(void) {
  CHECK_TOKENS("if a:\r\n  b\r\nc\r\n", "if a : NL > b NL < c NL END");
  CHECK_TOKENS("a\rb\r", "a NL b NL END");
  CHECK_TOKENS("\xEF\xBB\xBF"
               "a\n",
               "a NL END");
}

static void indentation_makes_blocks(void) {
  CHECK_TOKENS("if a:\n  if b:\n    c\nd\n", "if a : NL > if b : NL > c NL < < d NL END");
  CHECK_TOKENS("if a:\n  b", "if a : NL > b NL < END");
  CHECK_TOKENS("if a:\n\tb\n\tc\n", "if a : NL > b NL c NL < END");
}

static void comments_and_blank_lines_do_not_indent(void) {
  CHECK_TOKENS("if a:\n  b\n\n# outside\n      # deep\n  c\n", "if a : NL > b NL c NL < END");
}

static void lines_are_joined(void) {
  CHECK_TOKENS("a = b + \\\n    c\n", "a = b + c NL END");
  CHECK_TOKENS("a = b + \\\r\n    c\n", "a = b + c NL END");
  CHECK_TOKENS("f(a,  # first\n\n  b,\n)\nc\n", "f ( a , b , ) NL c NL END");
  CHECK_TOKENS("x = [\n1,\n2\n]\n", "x = [ 1 , 2 ] NL END");
}

static void wrong_indentation_is_reported(void) {
  CHECK_ERROR("if a:\n    b\n  c\n", "if a : NL > b NL c NL < END",
              "k.py:3:1: error: unindent does not match any outer indentation level; indent this "
              "line by 0 or 4 columns, not 2\n"
              "    c\n"
              "  ^~\n");
  CHECK_ERROR("if a:\n    b\n c\n", "if a : NL > b NL < c NL END",
              "k.py:3:1: error: unindent does not match any outer indentation level; indent this "
              "line by 0 or 4 columns, not 1\n"
              "   c\n"
              "  ^\n");
}

static void tabs_and_spaces_must_agree(void) {
  CHECK_ERROR("if a:\n        b\n\tc\n", "if a : NL > b NL c NL < END",
              "k.py:3:1: error: tabs and spaces are mixed in a way that depends on how wide a tab "
              "is; indent this line as the lines around it\n"
              "  \tc\n"
              "  ^\n");
}

/* --- Literals --------------------------------------------------------------------------------- */

static void integers(void) {
  CHECK_TOKENS("0 00 7 1_000 0xFF 0x_ff 0o17 0b1_01 0XaB", "0 0 7 1000 255 255 15 5 171 NL END");
  CHECK_TOKENS("18446744073709551615 18446744073709551616 0x1_0000_0000_0000_0000",
               "18446744073709551615 18446744073709551615+ 18446744073709551615+ NL END");
  CHECK_TOKENS("1if x else 2", "1 if x else 2 NL END");
  CHECK_TOKENS("1 .real", "1 . real NL END");
}

static void floats(void) {
  CHECK_TOKENS("1.5 .5 5. 1e3 1.e-3 1_0.2_5E+1 0e0 1e400 09.5",
               "1.5f 0.5f 5f 1000f 0.001f 102.5f 0f inff 9.5f NL END");
  CHECK_TOKENS("1j 2.5J 1e1j", "1j 2.5j 10j NL END");
  CHECK_TOKENS("1..real", "1f . real NL END");
}

static void wrong_numbers_are_reported(void) {
  CHECK_ERROR("x = 0x\n", "x = STOP NL END",
              "k.py:1:5: error: no digit of base 16 follows '0x'\n  x = 0x\n      ^~\n");
  CHECK_ERROR(
      "x = 0b12\n", "x = STOP NL END",
      "k.py:1:5: error: '0b12' is neither a number nor a name: digits of base 2 are 0 and 1\n"
      "  x = 0b12\n      ^~~~\n");
  CHECK_ERROR("x = 12x\n", "x = STOP NL END",
              "k.py:1:5: error: '12x' is neither a number nor a name: a name cannot begin with a "
              "digit\n  x = 12x\n      ^~~\n");
  CHECK_ERROR("x = 017\n", "x = STOP NL END",
              "k.py:1:5: error: an integer cannot begin with 0; drop the zeros, or write 0o for "
              "octal\n  x = 017\n      ^~~\n");
  CHECK_ERROR("x = 1__0\n", "x = STOP NL END",
              "k.py:1:5: error: '1__0' is neither a number nor a name: an underscore stands alone "
              "between two digits\n  x = 1__0\n      ^~~~\n");
}

static void strings(void) {
  CHECK_TOKENS("'a' \"b\" r'\\' ' Rb\"x\" u'' '''it's''' \"\"\"a\n\"b\" \"\"\"",
               "'a' \"b\" r'\\' ' Rb\"x\" u'' '''it's''' \"\"\"a\n\"b\" \"\"\" NL END");
  CHECK_TOKENS("'a\\\nb' 'x\\'y'", "'a\\\nb' 'x\\'y' NL END");
  CHECK_TOKENS("bb'x'", "bb 'x' NL END");
}

/* The end of an f-string is found also when a field has strings with the same quotes. */
static void formatted_strings(void) {
  CHECK_TOKENS("f'{x}' f\"{d[\"k\"]:>{w}} {{\" rf'\\{x}'",
               "f'{x}' f\"{d[\"k\"]:>{w}} {{\" rf'\\{x}' NL END");
  CHECK_TOKENS("f'''{\nx  # why\n}''' 1", "f'''{\nx  # why\n}''' 1 NL END");
  CHECK_TOKENS("f'{' 'x'", "f'{' 'x' NL END");
}

static void unclosed_strings_are_reported(void) {
  CHECK_ERROR("x = 'ab\ny = 2\n", "x = STOP NL y = 2 NL END",
              "k.py:1:5: error: this string is not closed on its line; add ' at its end, or use "
              "''' for a string of several lines\n  x = 'ab\n      ^~~\n");
  CHECK_ERROR("x = '''ab\ny = 2\n", "x = STOP NL y = 2 NL END",
              "k.py:1:5: error: this string is never closed; add ''' at its end\n"
              "  x = '''ab\n      ^~~~~\n");
}

static void check_decoded(const char *literal, const char *expected, size_t length) {
  struct arena arena = {0};
  struct source source = source_create(&arena, "k.py", literal, strlen(literal), 0);
  struct string_form form = string_form_of(&source, (struct span){0, source.end});
  struct text text = {0};
  for (uint32_t at = form.body.offset; at < span_end(form.body);)
    CHECK(!string_decode_next(&source, &form, span_end(form.body), &at, &text));
  CHECK_EQUAL(text.length, length);
  CHECK(memcmp(text_string(&text), expected, length + 1) == 0);
  text_free(&text);
  arena_destroy(&arena);
}

static void escapes_are_replaced(void) {
  check_decoded("'a\\n\\t\\\\\\'\\x41\\101\\u00e9\\U0001F600'",
                "a\n\t\\'AA\xC3\xA9\xF0\x9F\x98\x80", 13);
  check_decoded("r'\\n\\''", "\\n\\'", 4);
  check_decoded("b'\\xff\\0'", "\xff\0", 2);
  check_decoded("'\\d\\N{DASH}'", "\\d\\N{DASH}", 10);
  check_decoded("'''a\r\nb\\\r\nc'''", "a\nbc", 4);
}

/* --- Operators and names ---------------------------------------------------------------------- */

static void the_longest_symbol_wins(void) {
  CHECK_TOKENS("a**=b//=c<<=d>>=e->f:=g...h", "a **= b //= c <<= d >>= e -> f := g ... h NL END");
  CHECK_TOKENS("a**b//c<<d>>e!=f<=g>=h==i@j@=k~l", "a ** b // c << d >> e != f <= g >= h == i @ j "
                                                   "@= k ~ l NL END");
  CHECK_TOKENS("x[a:=b, ..., .5]", "x [ a := b , ... , 0.5f ] NL END");
}

static void names_may_be_unicode(void) {
  CHECK_TOKENS("\xCF\x83_1 = match", "\xCF\x83_1 = match NL END");
}

static void misfits_are_reported(void) {
  CHECK_ERROR("x = \xE2\x80\x9C"
              "a\n",
              "x = STOP a NL END",
              "k.py:1:5: error: the character U+201C cannot stand here; write \"\n"
              "  x = \xE2\x80\x9C"
              "a\n      ^\n");
  CHECK_ERROR("!x\n", "STOP x NL END",
              "k.py:1:1: error: '!' is no operator here; write 'not' for negation, '!=' for "
              "inequality\n  !x\n  ^\n");
  CHECK_ERROR(
      "a\xFF\n", "a STOP NL END",
      "k.py:1:2: error: the character U+FFFD cannot stand here; the file is not UTF-8 here; "
      "save it as UTF-8\n  a?\n   ^\n");
  CHECK_ERROR("a\0b\n", "a STOP b NL END",
              "k.py:1:2: error: the character U+0000 cannot stand here; remove the zero byte\n"
              "  a?b\n   ^\n");
}

/* --- Brackets --------------------------------------------------------------------------------- */

static void brackets_must_match(void) {
  CHECK_ERROR("f(a]\nb\n", "f ( a STOP NL b NL END",
              "k.py:1:4: error: ']' does not close '('\n  f(a]\n     ^\n"
              "k.py:1:2: note: '(' was opened here\n  f(a]\n   ^\n");
  CHECK_ERROR("a)\n", "a STOP NL END",
              "k.py:1:2: error: ')' has no opening '('; remove it\n  a)\n   ^\n");
}

/* A forgotten bracket does not swallow what clearly is a statement. */
static void statements_end_brackets(void) {
  static const char problem[] = "k.py:1:2: error: '(' was never closed\n  f(a,\n   ^\n";
  CHECK_ERROR("f(a,\ndef g(): pass\n", "f ( a , STOP NL def g ( ) : pass NL END", problem);
  CHECK_ERROR("f(a,\n@jit\n", "f ( a , STOP NL @ jit NL END", problem);
  CHECK_ERROR("f(a,\n  return\n", "f ( a , STOP NL > return NL < END", problem);
  CHECK_ERROR("f(a,\n  if x:  # why\n", "f ( a , STOP NL > if x : NL < END", problem);
  CHECK_ERROR("f(a,\n", "f ( a , STOP NL END", problem);
  CHECK_TOKENS("f(a\n@ b\nfor a in b\nif c)\n", "f ( a @ b for a in b if c ) NL END");
  CHECK_TOKENS("while [a\n for b in c\n if d == ']']: e\n",
               "while [ a for b in c if d == ']' ] : e NL END");
  CHECK_TOKENS("x[a\nif b else c:\nd]\n", "x [ a if b else c : d ] NL END");
}

/* --- Places ----------------------------------------------------------------------------------- */

static void places_count_from_one(void) {
  struct arena arena = {0};
  struct source source = source_create(&arena, "k.py",
                                       "\xEF\xBB\xBF"
                                       "ab\r\nc\rd\n",
                                       11, 0);
  CHECK_EQUAL(source.line_count, 4);
  const struct {
    uint32_t offset, line, column;
  } rows[] = {{0, 1, 1}, {3, 1, 1}, {5, 1, 3}, {7, 2, 1}, {9, 3, 1}, {11, 4, 1}, {99, 4, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct place place = source_place(&source, rows[i].offset);
    CHECK_EQUAL(place.line, rows[i].line);
    CHECK_EQUAL(place.column, rows[i].column);
  }
  CHECK_EQUAL(source_line(&source, 1).length, 2);
  CHECK_EQUAL(source_line(&source, 5).length, 0);
  arena_destroy(&arena);
}

static void check_quote(const char *line, struct span span, const char *expected) {
  struct arena arena = {0};
  struct source source = source_create(&arena, "k.py", line, strlen(line), 0);
  struct text text = {0};
  source_quote(&source, span, &text);
  CHECK_TEXT(text_string(&text), expected);
  text_free(&text);
  arena_destroy(&arena);
}

static void quotes_place_the_caret(void) {
  check_quote("\tx = y\n", (struct span){5, 1}, "  \tx = y\n  \t    ^\n");
  check_quote("\xE6\x97\xA5 = abc\n", (struct span){6, 3}, "  \xE6\x97\xA5 = abc\n       ^~~\n");
  check_quote("ab\n", (struct span){2, 0}, "  ab\n    ^\n");
  check_quote("ab\ncd\n", (struct span){1, 4}, "  ab\n   ^\n");
}

static void quotes_of_long_lines_are_windows(void) {
  char line[401];
  memset(line, 'a', 400);
  line[400] = 0;
  struct arena arena = {0};
  struct source source = source_create(&arena, "k.py", line, 400, 0);
  struct text text = {0};
  source_quote(&source, (struct span){200, 2}, &text);
  CHECK(text.length < 2 * 180);
  CHECK(strncmp(text_string(&text), "  ...aaa", 8) == 0);
  CHECK(strstr(text_string(&text), "aaa...\n") != NULL);
  text_free(&text);
  arena_destroy(&arena);
}

int main(int argc, char **argv) {
  return RUN_TESTS(
      argc, argv, {"lines_end_with_newline", lines_end_with_newline},
      {"all_line_ends_count", all_line_ends_count},
      {"indentation_makes_blocks", indentation_makes_blocks},
      {"comments_and_blank_lines_do_not_indent", comments_and_blank_lines_do_not_indent},
      {"lines_are_joined", lines_are_joined},
      {"wrong_indentation_is_reported", wrong_indentation_is_reported},
      {"tabs_and_spaces_must_agree", tabs_and_spaces_must_agree}, {"integers", integers},
      {"floats", floats}, {"wrong_numbers_are_reported", wrong_numbers_are_reported},
      {"strings", strings}, {"formatted_strings", formatted_strings},
      {"unclosed_strings_are_reported", unclosed_strings_are_reported},
      {"escapes_are_replaced", escapes_are_replaced},
      {"the_longest_symbol_wins", the_longest_symbol_wins},
      {"names_may_be_unicode", names_may_be_unicode},
      {"misfits_are_reported", misfits_are_reported}, {"brackets_must_match", brackets_must_match},
      {"statements_end_brackets", statements_end_brackets},
      {"places_count_from_one", places_count_from_one},
      {"quotes_place_the_caret", quotes_place_the_caret},
      {"quotes_of_long_lines_are_windows", quotes_of_long_lines_are_windows});
}
