/* SPDX-License-Identifier: MIT */
/* Where candidates come from: spaces with ranges, files, their order, and what is wrong where. */
#include "tune/space.h"

#include <stdlib.h>
#include "check.h"

/* The candidates as lines for people, or the error. Owned by the caller. */
static char *read_as(const char *text, const char *kernel) {
  struct tune_space space = {0};
  struct text out = {0};
  tile_status status = tune_space_read("file", text, strlen(text), kernel, &space);
  if (status)
    text_printf(&out, "%s: %s", tile_code_name(tile_status_code(status)),
                tile_status_message(status));
  for (size_t i = 0; i < space.count; i++) {
    text_puts(&out, i ? "\n" : "");
    tune_candidate_describe(&space.list[i], &out);
  }
  tile_status_free(status);
  tune_space_free(&space);
  return text_take(&out);
}

struct row {
  const char *text, *expected;
};

static void check_rows(const struct row *rows, size_t count, const char *kernel) {
  for (size_t i = 0; i < count; i++) {
    char *found = read_as(rows[i].text, kernel);
    CHECK_TEXT(found, rows[i].expected);
    free(found);
  }
}
#define CHECK_ROWS(kernel, ...)                                                                    \
  check_rows((const struct row[]){__VA_ARGS__},                                                    \
             sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row), kernel)

/* The last entry changes first, and values stand in the order of the text. */
static void spaces_are_combined(void) {
  CHECK_ROWS(
      NULL,
      {"BLOCK_M=32:128:*2, num_warps=4|8",
       "BLOCK_M=32 num_warps=4\nBLOCK_M=32 num_warps=8\nBLOCK_M=64 num_warps=4\n"
       "BLOCK_M=64 num_warps=8\nBLOCK_M=128 num_warps=4\nBLOCK_M=128 num_warps=8"},
      {"num_stages=2:5", "num_stages=2\nnum_stages=3\nnum_stages=4\nnum_stages=5"},
      {"A = 1:10:4 | 3 : 20 : * 5", "A=1\nA=5\nA=9\nA=3\nA=15"}, {"A=-3:-1", "A=-3\nA=-2\nA=-1"},
      {"A=9223372036854775806:9223372036854775807", "A=9223372036854775806\nA=9223372036854775807"},
      {"# products\nM=64|32 # large ones first\n\n, G='a, b'|\"c|d\"|None,T=tl.float16|(1, "
       "2)|0.5|True",
       "M=64 G='a, b' T=tl.float16\nM=64 G='a, b' T=(1, 2)\nM=64 G='a, b' T=0.5\nM=64 G='a, b' "
       "T=True\n"
       "M=64 G=\"c|d\" T=tl.float16\nM=64 G=\"c|d\" T=(1, 2)\nM=64 G=\"c|d\" T=0.5\nM=64 G=\"c|d\" "
       "T=True\n"
       "M=64 G=None T=tl.float16\nM=64 G=None T=(1, 2)\nM=64 G=None T=0.5\nM=64 G=None T=True\n"
       "M=32 G='a, b' T=tl.float16\nM=32 G='a, b' T=(1, 2)\nM=32 G='a, b' T=0.5\nM=32 G='a, b' "
       "T=True\n"
       "M=32 G=\"c|d\" T=tl.float16\nM=32 G=\"c|d\" T=(1, 2)\nM=32 G=\"c|d\" T=0.5\nM=32 G=\"c|d\" "
       "T=True\n"
       "M=32 G=None T=tl.float16\nM=32 G=None T=(1, 2)\nM=32 G=None T=0.5\nM=32 G=None T=True"},
      {"num_ctas=2,maxnreg=64|128,num_warps=0", "num_ctas=2 maxnreg=64\nnum_ctas=2 maxnreg=128"});
}

static void wrong_spaces_say_where(void) {
#define WRONG(text, message) {text, "invalid-argument: file:" message}
  CHECK_ROWS(
      NULL, WRONG("", "1:1: the space is empty; it has entries such as BLOCK=32:256:*2"),
      WRONG("A=1\n  64", "2:3: an entry is NAME=VALUES, as in BLOCK=32:256:*2 or num_warps=4|8"),
      WRONG("A", "1:1: an entry is NAME=VALUES, as in BLOCK=32:256:*2 or num_warps=4|8"),
      WRONG("A=1, A=2", "1:6: the name is there already"),
      WRONG("A=1|2:3|1:2", "1:9: the value is there already"),
      WRONG("A=", "1:3: a value is missing"), WRONG("A=1|,B=2", "1:5: a value is missing"),
      WRONG("A=1 2", "1:4: values have '|' between them, entries ',' or a line end"),
      WRONG("A=1 B=2", "1:4: values have '|' between them, entries ',' or a line end"),
      WRONG("A=4:2", "1:3: the range ends before it begins"),
      WRONG("A=1:2:0", "1:3: a step is 1 or more"),
      WRONG("A=0:8:*2", "1:3: a factor is 2 or more, and its range begins at 1 or more"),
      WRONG("A=1:8:*1", "1:3: a factor is 2 or more, and its range begins at 1 or more"),
      WRONG("A=1:x", "1:5: a range has whole numbers: FROM:TO, FROM:TO:STEP or FROM:TO:*FACTOR"),
      WRONG("A='a':2", "1:3: a range has whole numbers: FROM:TO, FROM:TO:STEP or FROM:TO:*FACTOR"),
      WRONG("A=1:2:3:4", "1:8: values have '|' between them, entries ',' or a line end"),
      WRONG("A=1:99999999999999999999",
            "1:5: a range has whole numbers: FROM:TO, FROM:TO:STEP or FROM:TO:*FACTOR"),
      WRONG("A=(1", "1:3: a bracket is not closed"),
      WRONG("A=1)", "1:4: a bracket is closed that is not open"),
      WRONG("A='x\nB=2", "1:3: the string does not end on its line"),
      WRONG(
          "B=1\nnum_warps=4|6",
          "2:1: num_warps is a power of two up to 32, num_stages up to 16, num_ctas a power of two "
          "up to 16, maxnreg up to 255"),
      WRONG(
          "num_stages=True",
          "1:1: num_warps is a power of two up to 32, num_stages up to 16, num_ctas a power of two "
          "up to 16, maxnreg up to 255"),
      WRONG("A=1:5000", "1:3: there are more than 4096 values; leave some away"),
      WRONG("A=1:64\nB=1:64\n C=1|2",
            "3:2: with this entry there are 8192 candidates, of at most 4096; leave values away"));
}

static void json_is_read(void) {
  CHECK_ROWS(
      "k",
      {"[{\"constants\": {\"B\": 64, \"F\": 0.5, \"T\": true, \"N\": null, \"G\": \"'rows'\"}, "
       "\"num_warps\": 8},"
       " {\"num_stages\": 2, \"constants\": {}, \"number\": 3, \"maxnreg\": null, \"pre_hook\": "
       "\"f\"}]",
       "B=64 F=0.5 T=True N=None G='rows' num_warps=8\nnum_stages=2"},
      {"{\"constants\":{\"B\":\"64\"},\"num_warps\":4}\n\n{\"constants\":{\"B\":32}}\n{"
       "\"constants\":{\"B\":64},\"num_warps\":4}",
       "B=64 num_warps=4\nB=32"},
      {"{\"kernel\": \"other\", \"configs\": [{\"constants\": {\"B\": 1}}]}\n"
       "{\"kernel\": \"k\", \"configs\": [{\"number\": 1, \"constants\": {\"B\": 2}, "
       "\"num_warps\": 4}]}\n",
       "B=2 num_warps=4"},
      {"{\"format\": \"tile-tune 1\", \"winners\": [{\"kernel\": \"k\", \"candidate\": "
       "{\"constants\": {\"B\": \"8\"}}},\n"
       "{\"kernel\": \"other\", \"candidate\": {\"constants\": {\"B\": "
       "\"9\"}}}],\n\"measurements\": [\n"
       "{\"kernel\": \"k\", \"candidate\": {\"constants\": {\"B\": \"8\"}}},"
       "{\"kernel\": \"k\", \"candidate\": {\"constants\": {\"B\": \"4\"}, \"maxnreg\": 32}}]}",
       "B=8\nB=4 maxnreg=32"});
}

static void wrong_json_says_where(void) {
  CHECK_ROWS(
      "k", {"[]", "not-found: file: there is no candidate"},
      {"{\"kernel\": \"o\", \"configs\": [{}]}",
       "not-found: file: there is no candidate for kernel 'k', only for others"},
      {"{\"constants\": {}}\n{\"constants\"}",
       "invalid-argument: file:2: it is not JSON: expected ':', not '}'"},
      {"[{},\n {\"a\" 1}]", "invalid-argument: file:2: it is not JSON: expected ':', not '1'"},
      {"{\"a\": 1}", "invalid-argument: file:1: it has no candidates: a list of them, what "
                     "tile-translate --list-configs --json "
                     "prints, or what tile-tune export writes is read"},
      {"[{}, 4]", "invalid-argument: file: candidate 1: it is an object with the members "
                  "constants, num_warps, num_stages, "
                  "num_ctas and maxnreg"},
      {"[{\"constants\": {\"B\": [1]}}]",
       "invalid-argument: file: candidate 0: a constant's value is a number, a text, true, "
       "false or null"},
      {"[{\"constants\": {\"B\": 1, \"B\": 2}}]",
       "invalid-argument: file:1: it is not JSON: the key 'B' is given twice"},
      {"[{\"constants\": {\"\": 1}}]",
       "invalid-argument: file: candidate 0: a constant has no name"},
      {"[{\"num_warps\": \"4\"}]",
       "invalid-argument: file: candidate 0: num_warps is a power of two up to 32, or 0"},
      {"[{}, {\"num_warps\": 5}]",
       "invalid-argument: file: candidate 1: num_warps is a power of two up to 32, or 0"},
      {"[{\"warps\": 4}]", "invalid-argument: file: candidate 0: there are constants, num_warps, "
                           "num_stages, num_ctas and maxnreg, nothing else"},
      {"{\"winners\": [{\"kernel\": \"k\"}]}",
       "invalid-argument: file: candidate 0: it is an object with the members constants, "
       "num_warps, num_stages, num_ctas and maxnreg"});
}

/* Any text ends with candidates or an error. */
static void damaged_texts_are_survived(void) {
  static const char *const texts[] = {
      "BLOCK_M=32:256:*2, BLOCK_N=64|128, MODE='a'|(1, 2) # one\n num_warps=4|8, num_stages=2:5",
      "{\"winners\": [{\"kernel\": \"k\", \"candidate\": {\"constants\": {\"B\": \"8\"}, "
      "\"num_warps\": 4}}], \"measurements\": []}"};
  static const char characters[] = "|:*,=\"'{}[]()\n#\\ 019a";
  unsigned state = 1, good = 0;
  for (int round = 0; round < 2000; round++) {
    char text[160];
    size_t length = strlen(texts[round % 2]);
    memcpy(text, texts[round % 2], length + 1);
    for (int i = 0; i < round % 4; i++) {
      state = state * 1664525u + 1013904223u;
      text[(state >> 8) % length] = characters[(state >> 4) % (sizeof characters - 1)];
    }
    char *found = read_as(text, "k");
    good += strstr(found, "num_") != NULL;
    CHECK(*found);
    free(found);
  }
  CHECK(good > 500);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"spaces_are_combined", spaces_are_combined},
                   {"wrong_spaces_say_where", wrong_spaces_say_where},
                   {"json_is_read", json_is_read}, {"wrong_json_says_where", wrong_json_says_where},
                   {"damaged_texts_are_survived", damaged_texts_are_survived});
}
