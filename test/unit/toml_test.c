/* SPDX-License-Identifier: MIT */
/* The reader of TOML 1.0 and JSON: what is valid gives the tree that the specification says, what
   is not gives one error with its place; and whatever is given, it comes to an end within its text.
   */
#include "base/toml.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "check.h"

/* The tree as one line, strings in JSON's notation. */
static void dump(const struct toml_value *value, struct text *out) {
  switch (value->kind) {
  case TOML_STRING:
    text_json_string(out, value->string.data);
    break;
  case TOML_INTEGER:
    text_printf(out, "%" PRId64, value->integer);
    break;
  case TOML_FLOAT:
    if (isnan(value->number))
      text_puts(out, "nan");
    else
      text_printf(out, "%gf", value->number);
    break;
  case TOML_BOOLEAN:
    text_puts(out, value->boolean ? "true" : "false");
    break;
  case TOML_NULL:
    text_puts(out, "null");
    break;
  case TOML_ARRAY:
    text_puts(out, "[");
    for (size_t i = 0; i < value->array.count; i++) {
      text_puts(out, i ? "," : "");
      dump(value->array.items[i], out);
    }
    text_puts(out, "]");
    break;
  case TOML_TABLE:
    text_puts(out, "{");
    for (const struct toml_entry *entry = value->table.first; entry; entry = entry->next) {
      text_printf(out, "%s%s:", entry == value->table.first ? "" : ",", entry->key.data);
      dump(entry->value, out);
    }
    text_puts(out, "}");
  }
}

typedef bool parse_function(struct arena *, const char *, size_t, const struct toml_value **,
                            struct toml_error *);

/* What a text gives: the tree, or "offset+length: message". */
static void outcome(parse_function *parse, const char *text, size_t length, struct text *out) {
  struct arena arena = {0};
  const struct toml_value *root;
  struct toml_error error;
  if (parse(&arena, text, length, &root, &error))
    dump(root, out);
  else
    text_printf(out, "%u+%u: %s", (unsigned)error.span.offset, (unsigned)error.span.length,
                error.message);
  arena_destroy(&arena);
}

struct sample {
  const char *text, *expected;
};

static void check_all(parse_function *parse, const struct sample *samples, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct text out = {0};
    outcome(parse, samples[i].text, strlen(samples[i].text), &out);
    CHECK_TEXT(text_string(&out), samples[i].expected);
    text_free(&out);
  }
}
#define CHECK_ALL(parse, ...)                                                                      \
  do {                                                                                             \
    static const struct sample samples_[] = __VA_ARGS__;                                           \
    check_all(parse, samples_, sizeof samples_ / sizeof *samples_);                                \
  } while (0)
/* Braces and commas of the table are no arguments of their own. */
#define ROWS(...)                                                                                  \
  { __VA_ARGS__ }

static void scalars(void) {
  CHECK_ALL(
      toml_parse,
      ROWS({"", "{}"}, {"\xEF\xBB\xBF# only a comment", "{}"},
           {"a = 1\nb=-17\r\nc = +1_000\nd = 0", "{a:1,b:-17,c:1000,d:0}"},
           {"a = 0xDead_beef\nb = 0o755\nc = 0b1101", "{a:3735928559,b:493,c:13}"},
           {"a = 9223372036854775807\nb = -9223372036854775808",
            "{a:9223372036854775807,b:-9223372036854775808}"},
           {"a = 1.5\nb = -0.25e+2\nc = 6E-1\nd = 9_224.5", "{a:1.5f,b:-25f,c:0.6f,d:9224.5f}"},
           {"a = inf\nb = -inf\nc = +nan", "{a:inff,b:-inff,c:nan}"},
           {"a = true # yes\nb = false", "{a:true,b:false}"}));
}

static void strings(void) {
  CHECK_ALL(toml_parse, ROWS({"a = \"x \\\"y\\\" \\u00e9 \\U0001F600 \\t\\\\\"",
                              "{a:\"x \\\"y\\\" \xC3\xA9 \xF0\x9F\x98\x80 \\u0009\\\\\"}"},
                             {"a = 'C:\\no'", "{a:\"C:\\\\no\"}"}, {"a = ''", "{a:\"\"}"},
                             {"a = \"\"\"\nx\ny\"\"\"", "{a:\"x\\u000ay\"}"},
                             {"a = \"\"\"one \\\n   \n   two\"\"\"", "{a:\"one two\"}"},
                             {"a = \"\"\"\"x\"\"\"\"\"", "{a:\"\\\"x\\\"\\\"\"}"},
                             {"a = '''\r\nx'y'''", "{a:\"x'y\"}"},
                             {"a = \"\"\"\"\"\"\nb = ''''''", "{a:\"\",b:\"\"}"}));
}

static void tables(void) {
  CHECK_ALL(toml_parse,
            ROWS({"[a]\nb = 1\n[c.d]\ne = 2\n[c]\nf = 3", "{a:{b:1},c:{d:{e:2},f:3}}"},
                 {"a.b.c = 1\na.b.d = 2\n\"x y\".'z' = 3", "{a:{b:{c:1,d:2}},x y:{z:3}}"},
                 {"[[p]]\nn = 1\n[[p]]\n[p.q]\nr = 2\n[[p.s]]\n[[p.s]]",
                  "{p:[{n:1},{q:{r:2},s:[{},{}]}]}"},
                 {"a = {b = 1, c.d = [1, 2,], e = {}}", "{a:{b:1,c:{d:[1,2]},e:{}}}"},
                 {"a = [ # one\n 1, [ ], \n {x = 'y'} # two\n ]", "{a:[1,[],{x:\"y\"}]}"},
                 {"3.14 = 1\n\"\" = 2", "{3:{14:1},:2}"},
                 {"[fruit]\napple.color = 1\n[fruit.apple.taste]\nsweet = true",
                  "{fruit:{apple:{color:1,taste:{sweet:true}}}}"}));
}

static void invalid(void) {
  CHECK_ALL(
      toml_parse,
      ROWS({"a = ", "4+0: expected a value, but the text ends here"},
           {"a = \nb = 1", "4+0: expected a value, but the line ends here"},
           {"a 1", "2+1: expected '=' after the key, not '1'"},
           {"= 1", "0+1: expected a key, not '='"},
           {"a = 1 b = 2", "6+1: expected the end of the line, not 'b'"},
           {"a = 1\na = 2", "6+1: the key 'a' is given twice"},
           {"a = 012", "4+3: '012' is no value; strings stand in quotation marks"},
           {"a = 1__0", "4+4: '1__0' is no value; strings stand in quotation marks"},
           {"a = 1.", "4+2: '1.' is no value; strings stand in quotation marks"},
           {"a = 0x", "4+2: '0x' is no value; strings stand in quotation marks"},
           {"a = yes", "4+3: 'yes' is no value; strings stand in quotation marks"},
           {"a = 9223372036854775808", "4+19: the integer does not fit 64 bits"},
           {"a = 1979-05-27", "4+10: dates and times have no use here; write a string"},
           {"a = 07:32:00", "4+8: dates and times have no use here; write a string"},
           {"a = \"x", "4+1: the string that begins here is not closed"},
           {"a = \"x\n\"", "6+0: the string is not closed on its line"},
           {"a = \"\\q\"",
            "5+2: unknown escape; there are \\b \\t \\n \\f \\r \\\" \\\\ \\uHHHH \\UHHHHHHHH"},
           {"a = \"\\ud800\"", "5+6: there is no such Unicode character"},
           {"a = \"\x01\"", "5+1: a string holds control characters as escapes: \\u0001"},
           {"# \x01", "2+1: a comment holds no control characters"},
           {"a = \"\xFF\"", "5+1: the text is not UTF-8"},
           {"a = \"\xC0\x80\"", "5+1: the text is not UTF-8"},
           {"\"\"\"a\"\"\" = 1", "0+3: a key is written on one line: in \"...\" or '...'"}));
  CHECK_ALL(
      toml_parse,
      ROWS({"[a]\n[a]", "5+1: 'a' is defined already"},
           {"[a]\nb = 1\n[a.b]", "13+1: 'b' is defined already"},
           {"a = {b = 1}\n[a.c]", "13+1: 'a' is complete: nothing is added to a table in braces"},
           {"a = {b = 1}\na.c = 2", "12+1: 'a' is complete: nothing is added to a table in braces"},
           {"a = {b = 1,}", "11+1: expected a key, not '}'"},
           {"a = {\nb = 1}", "5+0: expected a key, but the line ends here"},
           {"[a.b]\nx = 1\n[a]\nb.y = 2",
            "16+1: 'b' is a table that is defined elsewhere; write the key there"},
           {"a.b = 1\n[a]", "9+1: 'a' is defined already"},
           {"a = []\n[[a]]", "9+1: 'a' is no array of tables"},
           {"[[a]]\n[a]", "7+1: 'a' is defined already"},
           {"a = 1\na.b = 2", "6+1: 'a' is no table"},
           {"[a", "2+0: expected ']' after the key, but the text ends here"},
           {"[[a]\n", "3+1: expected ']]' after the key, not ']'"},
           {"a = [1 2]", "7+1: expected ',' or ']', not '2'"}));
}

static void bounds(void) {
  struct text deep = {0}, many = {0}, out = {0};
  text_puts(&deep, "a = ");
  for (int i = 0; i < 100000; i++)
    text_puts(&deep, "[");
  outcome(toml_parse, deep.data, deep.length, &out);
  CHECK(strstr(text_string(&out), "nested more than 64 deep"));
  out.length = 0;
  outcome(json_parse, deep.data + 4, deep.length - 4, &out);
  CHECK(strstr(text_string(&out), "nested more than 64 deep"));
  out.length = 0;
  for (int i = 0; i <= TOML_MAX_KEYS; i++)
    text_printf(&many, "k%d = 0\n", i);
  outcome(toml_parse, many.data, many.length, &out);
  CHECK(strstr(text_string(&out), "at most 4096 keys"));
  out.length = deep.length = 0;
  for (int i = 0; i < 70; i++)
    text_puts(&deep, "a.");
  outcome(toml_parse, deep.data, deep.length, &out);
  CHECK(strstr(text_string(&out), "at most 64 parts"));
  text_free(&deep);
  text_free(&many);
  text_free(&out);
}

static void json(void) {
  CHECK_ALL(json_parse,
            ROWS({" {\"a\": [1, -2.5e1, true, null], \"b\": {}} ", "{a:[1,-25f,true,null],b:{}}"},
                 {"[]", "[]"}, {"\"\\ud83d\\ude00\\/\"", "\"\xF0\x9F\x98\x80/\""},
                 {"123456789012345678901234567890", "1.23457e+29f"},
                 {"", "0+0: expected a value, but the text ends here"},
                 {"{\"a\" 1}", "5+1: expected ':', not '1'"},
                 {"[1,]", "3+1: expected a value, not ']'"},
                 {"{a: 1}", "1+1: expected a name in quotation marks, not 'a'"},
                 {"[1 2]", "3+1: expected ',' or ']', not '2'"},
                 {"1 2", "2+1: expected the end, not '2'"},
                 {"01", "0+2: '01' is no value; texts stand in quotation marks"},
                 {"+1", "0+2: '+1' is no value; texts stand in quotation marks"},
                 {"\"\\ud83d\"", "1+6: there is no such Unicode character"},
                 {"nan", "0+3: 'nan' is no value; texts stand in quotation marks"},
                 {"{\"a\":1,\"a\":2}", "7+3: the key 'a' is given twice"}));
}

static const char whole[] = "# every construct\ntitle = \"a \\\"b\\\" \\u00e9\"\nplain = 'c'\nlong "
                            "= \"\"\"\none \\\n two\"\"\"\nraw = '''\nx'''\n"
                            "[sizes]\nn = [1, 2_000, 0x1F, -1.5e3,]\nd.e.f = true\n[[p]]\nq = {r = "
                            "[1, {s = inf}], t.u = ''}\n[p.v]\nw = nan\n[[p]]\n";

/* Every beginning of a valid text, and every one with a byte changed, is either valid or an error
   inside the text. The copies have exactly their length, so that AddressSanitizer sees a read after
   them. */
static void check_text(parse_function *parse, const char *text, size_t length) {
  char *copy = malloc(length + !length);
  memcpy(copy, text, length);
  struct arena arena = {0};
  const struct toml_value *root;
  struct toml_error error = {.message = ""};
  if (parse(&arena, copy, length, &root, &error)) {
    struct text out = {0};
    dump(root, &out);
    CHECK(out.length > 0);
    text_free(&out);
  } else {
    CHECK(error.message[0]);
    CHECK(error.span.offset + error.span.length <= length);
  }
  arena_destroy(&arena);
  free(copy);
}

static void truncations(void) {
  for (size_t length = 0; length < sizeof whole; length++) {
    check_text(toml_parse, whole, length);
    check_text(json_parse, whole, length);
  }
}

static uint64_t next(uint64_t *state) { /* xorshift64* */
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545F4914F6CDD1Du;
}

static void random_bytes(void) {
  static const char alphabet[] = "[]{}=.,\"'\\\n\r\t #-+_:0123456789abcxoeinfu\xC3\xA9";
  uint64_t state = 7;
  char text[sizeof whole];
  for (int i = 0; i < 20000; i++) {
    size_t length = next(&state) % 60;
    for (size_t j = 0; j < length; j++)
      text[j] =
          next(&state) % 8 ? alphabet[next(&state) % (sizeof alphabet - 1)] : (char)next(&state);
    check_text(i % 4 ? toml_parse : json_parse, text, length);
    memcpy(text, whole, sizeof whole - 1);
    for (uint64_t changes = 1 + next(&state) % 3; changes; changes--)
      text[next(&state) % (sizeof whole - 1)] = alphabet[next(&state) % (sizeof alphabet - 1)];
    check_text(toml_parse, text, sizeof whole - 1);
  }
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"scalars", scalars}, {"strings", strings}, {"tables", tables},
                   {"invalid", invalid}, {"bounds", bounds}, {"json", json},
                   {"truncations", truncations}, {"random bytes", random_bytes});
}
