/* SPDX-License-Identifier: MIT */
/* Candidates: their text both ways, what is no candidate, their order. */
#include "tune/candidate.h"

#include <stdlib.h>
#include "check.h"

#define CANONICAL                                                                                  \
  "{\"constants\":{\"BLOCK_M\":\"128\",\"GROUP\":\"'rows'\"},\"num_warps\":8,\"num_stages\":3,"    \
  "\"num_ctas\":1,"                                                                                \
  "\"maxnreg\":0}"

static struct tune_candidate parse(const char *text) {
  struct tune_candidate candidate = {0};
  tile_status status = tune_candidate_parse(text, strlen(text), &candidate);
  CHECK_TEXT(tile_status_message(status), "");
  tile_status_free(status);
  return candidate;
}

/* The printed text of what was read. Owned by the caller. */
static char *again(const char *text) {
  struct tune_candidate candidate = parse(text);
  struct text out = {0};
  tune_candidate_print(&candidate, &out);
  tune_candidate_free(&candidate);
  return text_take(&out);
}

static void both_ways(void) {
  static const char *const texts[][2] = {
      {CANONICAL, CANONICAL},
      {" { \"num_ctas\" : 1, \"num_stages\":3,\n\"constants\": {\"BLOCK_M\": \"128\", "
       "\"GROUP\":\"'rows'\"},"
       "\t\"num_warps\": 8 } \n",
       CANONICAL},
      {"{\"constants\":{\"A\":64,\"B\":0.5,\"C\":true,\"D\":null},\"num_warps\":null}",
       "{\"constants\":{\"A\":\"64\",\"B\":\"0.5\",\"C\":\"True\",\"D\":\"None\"},\"num_warps\":0,"
       "\"num_stages\":0,\"num_ctas\":0,\"maxnreg\":0}"},
      {"{}", "{\"constants\":{},\"num_warps\":0,\"num_stages\":0,\"num_ctas\":0,\"maxnreg\":0}"},
      {"{\"constants\":{\"T\":\"'\\u00e9\\ud83d\\ude00\\\"\\\\\\n'\"},\"maxnreg\":255}",
       "{\"constants\":{\"T\":\"'\u00e9\U0001F600\\\"\\\\\\u000a'\"},\"num_warps\":0,\"num_"
       "stages\":0,\"num_ctas\":0,"
       "\"maxnreg\":255}"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *printed = again(texts[i][0]);
    CHECK_TEXT(printed, texts[i][1]);
    char *twice = again(printed);
    CHECK_TEXT(twice, printed);
    free(twice);
    free(printed);
  }
}

static void no_candidates(void) {
  static const char *const texts[][2] = {
      {"", "expected a value, but the text ends here"},
      {"[]",
       "it is an object with the members constants, num_warps, num_stages, num_ctas and maxnreg"},
      {"{\"num_warps\":3}", "num_warps is a power of two up to 32, or 0"},
      {"{\"num_warps\":64}", "num_warps is a power of two up to 32, or 0"},
      {"{\"num_stages\":17}", "num_stages is a number up to 16, or 0"},
      {"{\"num_stages\":99999999999999999999}", "num_stages is a number up to 16, or 0"},
      {"{\"num_stages\":-1}", "num_stages is a number up to 16, or 0"},
      {"{\"num_stages\":1.5}", "num_stages is a number up to 16, or 0"},
      {"{\"maxnreg\":256}", "maxnreg is a number up to 255, or 0"},
      {"{\"num_warp\":4}", "there are constants, num_warps"},
      {"{\"num_warps\":4,\"num_warps\":4}", "byte 15: the key 'num_warps' is given twice"},
      {"{\"constants\":{\"A\":\"1\",\"A\":\"1\"}}", "the key 'A' is given twice"},
      {"{\"constants\":{\"\":\"1\"}}", "a constant has no name"},
      {"{\"constants\":{\"A\":\"\"}}", "a constant has no value"},
      {"{\"constants\":{\"A\":[1]}}",
       "byte 14: a constant's value is a number, a text, true, false or null"},
      {"{\"constants\":4}", "constants are an object"},
      {"{\"constants\":{\"A\":\"1}}", "the string that begins here is not closed"},
      {"{\"constants\":{\"A\":\"\\x\"}}", "unknown escape"},
      {"{\"constants\":{\"A\":\"\\u12g4\"}}", "expected a hexadecimal digit, not 'g'"},
      {"{\"constants\":{\"A\":\"\\ud800\"}}", "there is no such Unicode character"},
      {"{\"constants\":{\"A\":\"\\u0000\"}}", "a string with a zero in it"},
      {"{\"constants\":{\"A\":\"\n\"}}", "the string is not closed on its line"},
      {"{\"constants\":{}} {}", "expected the end, not '{'"},
      {"{\"constants\":{},}", "expected a name in quotation marks, not '}'"},
      {"{\"constants\" {}}", "expected ':', not '{'"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct tune_candidate out = {.num_warps = 77};
    tile_status status = tune_candidate_parse(texts[i][0], strlen(texts[i][0]), &out);
    CHECK_EQUAL(tile_status_code(status), TILE_INVALID_ARGUMENT);
    if (!strstr(tile_status_message(status), texts[i][1]))
      CHECK_TEXT(tile_status_message(status), texts[i][1]);
    CHECK_EQUAL(out.num_warps, 77);
    tile_status_free(status);
  }
}

/* Every beginning of a text, and every text with one byte changed, is read or refused. */
static void damaged_texts(void) {
  char text[sizeof CANONICAL];
  size_t length = sizeof CANONICAL - 1;
  for (size_t cut = 0; cut < length; cut++) {
    struct tune_candidate out = {0};
    tile_status status = tune_candidate_parse(CANONICAL, cut, &out);
    CHECK_EQUAL(tile_status_code(status), TILE_INVALID_ARGUMENT);
    tile_status_free(status);
  }
  for (size_t at = 0; at < length; at++)
    for (int byte = 0; byte < 256; byte += 7) {
      memcpy(text, CANONICAL, length);
      text[at] = (char)byte;
      struct tune_candidate out = {0};
      tile_status_free(tune_candidate_parse(text, length, &out));
      tune_candidate_free(&out);
    }
}

static int compare(const char *left, const char *right) {
  struct tune_candidate a = parse(left), b = parse(right);
  int forth = tune_candidate_compare(&a, &b), back = tune_candidate_compare(&b, &a);
  CHECK_EQUAL((forth > 0) - (forth < 0), (back < 0) - (back > 0));
  tune_candidate_free(&a);
  tune_candidate_free(&b);
  return (forth > 0) - (forth < 0);
}

static void order(void) {
  CHECK_EQUAL(compare(CANONICAL, CANONICAL), 0);
  CHECK_EQUAL(compare("{\"constants\":{\"A\":\"64\"}}", "{\"constants\":{\"A\":\"128\"}}"), -1);
  CHECK_EQUAL(compare("{\"constants\":{\"A\":\"128\"}}", "{\"constants\":{\"A\":\"'a'\"}}"), -1);
  CHECK_EQUAL(compare("{\"constants\":{\"A\":\"1\"}}", "{\"constants\":{\"A\":\"01\"}}"), 1);
  CHECK_EQUAL(compare("{\"constants\":{\"A\":\"1\"}}", "{\"constants\":{\"B\":\"1\"}}"), -1);
  CHECK_EQUAL(compare("{\"constants\":{\"B\":\"1\"}}", "{\"constants\":{\"A\":\"1\",\"B\":\"1\"}}"),
              -1);
  CHECK_EQUAL(compare("{\"num_warps\":4}", "{\"num_warps\":8}"), -1);
  CHECK_EQUAL(compare("{\"maxnreg\":64}", "{}"), 1);
}

static void copies(void) {
  tile_constant constants[] = {{.name = "BLOCK", .text = "64"}, {.name = "MODE", .text = "'ieee'"}};
  tile_configuration configuration = {.constants = constants,
                                      .constant_count = 2,
                                      .num_warps = 4,
                                      .num_stages = 3,
                                      .num_ctas = 1,
                                      .max_registers = 96};
  struct tune_candidate candidate = tune_candidate_of(&configuration),
                        copy = tune_candidate_copy(&candidate);
  CHECK_EQUAL(tune_candidate_compare(&candidate, &copy), 0);
  CHECK(copy.constants != candidate.constants);
  tune_candidate_free(&candidate);
  CHECK_EQUAL(candidate.count, 0);
  struct text line = {0};
  tune_candidate_describe(&copy, &line);
  CHECK_TEXT(text_string(&line), "BLOCK=64 MODE='ieee' num_warps=4 num_stages=3 maxnreg=96");
  text_free(&line);
  CHECK_TEXT(tune_candidate_get(&copy, "MODE"), "'ieee'");
  CHECK(!tune_candidate_get(&copy, "NONE"));
  tune_candidate_free(&copy);
  tune_candidate_describe(&copy, &line);
  CHECK_TEXT(text_string(&line), "(no constants)");
  text_free(&line);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"both_ways", both_ways}, {"no_candidates", no_candidates},
                   {"damaged_texts", damaged_texts}, {"order", order}, {"copies", copies});
}
