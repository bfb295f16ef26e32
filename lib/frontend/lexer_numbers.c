/* SPDX-License-Identifier: MIT */
/* Numbers: decimal, hexadecimal, octal and binary integers, floats and imaginary numbers, with
   underscores between digits. (Python reference 2.4.5 to 2.4.7.) */
#include "frontend/lexer_internal.h"

#include "base/c_locale.h"

/* Advances over digits of the base with single underscores between them; false when there is none
   at `position`. */
static bool skip_digits(struct lexer *lexer, int base) {
  if (digit_value(peek(lexer, 0)) >= base)
    return false;
  while (digit_value(peek(lexer, 0)) < base ||
         (peek(lexer, 0) == '_' && digit_value(peek(lexer, 1)) < base))
    lexer->position++;
  return true;
}

/* The value of the digits from `start` to `position`. */
static uint64_t integer_value(const struct lexer *lexer, uint32_t start, int base,
                              bool *too_large) {
  uint64_t value = 0;
  for (uint32_t i = start; i < lexer->position && !*too_large; i++) {
    if (*source_at(lexer->source, i) == '_')
      continue;
    uint64_t digit = (uint64_t)digit_value(*source_at(lexer->source, i));
    *too_large = value > (UINT64_MAX - digit) / (uint64_t)base;
    value = value * (uint64_t)base + digit;
  }
  return *too_large ? UINT64_MAX : value;
}

/* strtod without underscores. */
static double real_value(const struct lexer *lexer, uint32_t start, uint32_t end) {
  struct text digits = {0};
  for (uint32_t i = start; i < end; i++)
    if (*source_at(lexer->source, i) != '_')
      text_append(&digits, source_at(lexer->source, i), 1);
  double value = c_strtod(text_string(&digits), NULL);
  text_free(&digits);
  return value;
}

/* Words that may stand right after a number: "1if x else 2". */
static bool is_word_after_number(struct slice word) {
  static const char *const words[] = {"and", "else", "for", "if", "in", "is", "not", "or"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (slice_equals(word, words[i]))
      return true;
  return false;
}

/* What is wrong with `rest`, which goes on a number of that base without a blank. */
static const char *explain_rest(struct slice rest, int base) {
  bool digits = true;
  for (size_t i = 0; i < rest.length; i++)
    digits &= is_digit(rest.data[i]);
  if (digits)
    return base == 2 ? "digits of base 2 are 0 and 1" : "digits of base 8 are 0 to 7";
  if (rest.data[0] == '_')
    return "an underscore stands alone between two digits";
  if (rest.length == 1 && (rest.data[0] | 0x20) == 'e')
    return "no digits follow the exponent's e";
  return "a name cannot begin with a digit";
}

/* An error for a number with letters or digits after it that do not belong there, else `token`. */
static struct token check_end(struct lexer *lexer, struct token token, int base) {
  uint32_t start = token.span.offset, number_end = lexer->position;
  if (!is_name_part(peek(lexer, 0)))
    return token;
  while (is_name_part(peek(lexer, 0)))
    lexer->position++;
  struct span rest = {number_end, lexer->position - number_end},
              whole = {start, lexer->position - start};
  if (is_word_after_number(source_slice(lexer->source, rest))) {
    lexer->position = number_end;
    return token;
  }
  struct slice text = source_slice(lexer->source, whole);
  lexer_error(lexer, whole, "'%.*s' is neither a number nor a name: %s",
              (int)(text.length < 40 ? text.length : 40), text.data,
              explain_rest(source_slice(lexer->source, rest), base));
  return lexer_stop(lexer, whole);
}

static struct token based_integer(struct lexer *lexer, int base) {
  uint32_t start = lexer->position;
  struct token token = {.kind = TOKEN_INTEGER, .span = {start, 0}};
  lexer->position += peek(lexer, 2) == '_' ? 3 : 2;
  uint32_t digits = lexer->position;
  if (!skip_digits(lexer, base)) {
    while (is_name_part(peek(lexer, 0)))
      lexer->position++;
    struct span span = {start, lexer->position - start};
    lexer_error(lexer, span, "no digit of base %d follows '%.2s'", base,
                source_at(lexer->source, start));
    return lexer_stop(lexer, span);
  }
  token.integer = integer_value(lexer, digits, base, &token.too_large);
  token.span.length = lexer->position - start;
  return check_end(lexer, token, base);
}

/* Advances over an exponent; leaves a letter that begins none where it is. */
static bool skip_exponent(struct lexer *lexer) {
  if (peek(lexer, 0) != 'e' && peek(lexer, 0) != 'E')
    return false;
  uint32_t sign = peek(lexer, 1) == '+' || peek(lexer, 1) == '-';
  if (!is_digit(peek(lexer, 1 + sign)))
    return false;
  lexer->position += 1 + sign;
  return skip_digits(lexer, 10);
}

static bool has_leading_zeros(const struct lexer *lexer, uint32_t start) {
  bool zero = *source_at(lexer->source, start) == '0';
  for (uint32_t i = start; zero && i < lexer->position; i++) {
    char c = *source_at(lexer->source, i);
    if (c != '0' && c != '_')
      return true;
  }
  return false;
}

struct token lexer_number(struct lexer *lexer) {
  uint32_t start = lexer->position;
  if (peek(lexer, 0) == '0') {
    char letter = peek(lexer, 1) | 0x20;
    if (letter == 'x' || letter == 'o' || letter == 'b')
      return based_integer(lexer, letter == 'x' ? 16 : letter == 'o' ? 8 : 2);
  }
  skip_digits(lexer, 10);
  bool real = peek(lexer, 0) == '.';
  if (real) {
    lexer->position++;
    skip_digits(lexer, 10);
  }
  real |= skip_exponent(lexer);
  uint32_t digits_end = lexer->position;
  struct token token = {.kind = TOKEN_INTEGER, .span = {start, digits_end - start}};
  if ((peek(lexer, 0) | 0x20) == 'j') {
    lexer->position++;
    token.kind = TOKEN_IMAGINARY;
    token.span.length++;
  } else if (real) {
    token.kind = TOKEN_FLOAT;
  } else if (has_leading_zeros(lexer, start)) {
    lexer_error(lexer, token.span,
                "an integer cannot begin with 0; drop the zeros, or write 0o for octal");
    return lexer_stop(lexer, token.span);
  }
  if (token.kind == TOKEN_INTEGER)
    token.integer = integer_value(lexer, start, 10, &token.too_large);
  else
    token.real = real_value(lexer, start, digits_end);
  return check_end(lexer, token, 10);
}
