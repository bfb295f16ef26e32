/* SPDX-License-Identifier: MIT */
/* Winners for a build ahead of time: which count, which boxes of values they make, and the C that
   has them. */
#include "tune/winners.h"

#include <math.h>
#include "base/build_id.h"
#include "tune/key.h"
#include "tune_database_fixture.h"

static const char file[] = "import triton\n"
                           "import triton.language as tl\n"
                           "@triton.autotune([triton.Config({'BLOCK': 64}), "
                           "triton.Config({'BLOCK': 128}, num_warps=8)], key=['M', 'N', 's'])\n"
                           "@triton.jit\n"
                           "def k(x, M, N, s, BLOCK: tl.constexpr):\n"
                           "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                           "    tl.store(x + i, BLOCK * 1.0, mask=i < M * N)\n";

struct row {
  long long M, N;
  const char *s;
  int block; /* 1: configuration A, ... */
  const char *device, *capability, *toolkit;
  int64_t changed;
};

/* Writes rows as tile-run --tune does. */
static void put(const char *path, const struct row *rows, size_t count) {
  struct tune_database *database = open_database(path, TUNE_WRITE);
  tile_compile_options options = tile_compile_options_default();
  for (size_t i = 0; i < count; i++) {
    struct text values[3] = {{0}}, content = {0}, arguments = {0}, candidate = {0};
    text_printf(&values[0], "M=%lld", rows[i].M);
    text_printf(&values[1], "N=%lld", rows[i].N);
    text_printf(&values[2], "s=%s", rows[i].s ? rows[i].s : "0.5");
    const char *list[] = {text_string(&values[0]), text_string(&values[1]),
                          text_string(&values[2])};
    struct import_options import = {.signature = "*fp32:16, i32:16, i32, fp32",
                                    .argument_values = list,
                                    .argument_value_count = 3};
    tile_configurations *configurations;
    check_fine(tune_key_read("k.py", file, sizeof file - 1, &import, &options, NULL, NULL, &content,
                             &arguments, &configurations));
    tile_configurations_destroy(configurations);
    text_printf(&candidate,
                "{\"constants\":{\"BLOCK\":\"%d\"},\"num_warps\":4,\"num_stages\":3,\"num_ctas\":1,"
                "\"maxnreg\":0}",
                rows[i].block);
    struct tune_key key = {.kernel = "k",
                           .content = text_string(&content),
                           .arguments = text_string(&arguments),
                           .device = rows[i].device ? rows[i].device : "NVIDIA H200",
                           .capability = rows[i].capability ? rows[i].capability : "9.0",
                           .driver = "13000",
                           .toolkit = rows[i].toolkit ? rows[i].toolkit : build_id()};
    struct tune_winner winner = {.candidate = text_string(&candidate),
                                 .milliseconds = 0.25,
                                 .space = "",
                                 .changed = 1000 + rows[i].changed};
    check_fine(tune_database_put_winner(database, &key, &winner));
    for (int v = 0; v < 3; v++)
      text_free(&values[v]);
    text_free(&content), text_free(&arguments), text_free(&candidate);
  }
  tune_database_close(database);
}

static tile_status find(const char *path, const char *signature, const char *target,
                        const char *device, struct winners *out) {
  static const tile_compile_options usual = {.optimization_level = 1};
  struct import_options import = {.signature = signature};
  return winners_read(&(struct winners_request){.database = path,
                                                .device = device,
                                                .name = "k.py",
                                                .text = file,
                                                .length = sizeof file - 1,
                                                .import = &import,
                                                .options = &usual,
                                                .target = target},
                      out);
}

/* "BLOCK: condition" lines of all boxes. */
static void check_boxes(const char *path, const char *signature, const char *target,
                        const char *device, const char *expected) {
  struct winners winners = {0};
  struct text lines = {0};
  check_fine(find(path, signature, target, device, &winners));
  for (size_t i = 0; i < winners.box_count; i++)
    text_printf(&lines, "%s%s: %s", i ? "\n" : "",
                tune_candidate_get(&winners.candidates[winners.boxes[i].candidate], "BLOCK"),
                winners.boxes[i].when ? winners.boxes[i].when : "any");
  CHECK_TEXT(text_string(&lines), expected);
  text_free(&lines);
  winners_free(&winners);
}

#define USUAL "*fp32, i32, i32, fp32"
#define PUT(...)                                                                                   \
  put(path, (struct row[]){__VA_ARGS__}, sizeof((struct row[]){__VA_ARGS__}) / sizeof(struct row))

static void values_are_compared_in_turn(void) {
  char *path = new_database_path();
  PUT({512, 512, NULL, 64});
  check_boxes(path, USUAL, "sm_90a", NULL, "64: any");
  PUT({512, 8192, NULL, 128}, {4096, 4096, NULL, 256}, {4096, 64, NULL, 256});
  check_boxes(path, USUAL, "sm_90a", NULL,
              "64: M <= 1448 and N <= 2048\n128: M <= 1448 and N >= 2049\n256: M >= 1449");
  PUT({4097, 1, NULL, 256}, {100000, 1, NULL, 64}); /* neighbours that agree share a box */
  check_boxes(path, USUAL, "sm_90a", NULL,
              "64: M <= 1448 and N <= 2048\n128: M <= 1448 and N >= 2049\n256: M >= 1449 and M <= "
              "20241\n64: M >= 20242");
  /* What the build has as a constant takes the nearest value; promises do not matter. */
  check_boxes(path, "*fp32:16, 300, i32:16, fp32", "sm_90a", NULL, "64: N <= 2048\n128: N >= 2049");
  check_boxes(path, "*fp32, 20242, i32, fp32", "sm_90a", NULL, "64: any");
  remove_database(path);
}

static void small_values_have_neighbours(void) {
  char *path = new_database_path();
  PUT({-8, 1, NULL, 16}, {0, 1, NULL, 32}, {1, 1, NULL, 64}, {2, 1, NULL, 128}, {9, 1, NULL, 256});
  check_boxes(path, USUAL, "sm_90a", NULL,
              "16: M <= -4\n32: M >= -3 and M <= 0\n64: M >= 1 and M <= 1\n128: M >= 2 and M <= "
              "4\n256: M >= 5");
  remove_database(path);
}

static void one_row_counts_for_equal_values(void) {
  char *path = new_database_path();
  PUT({8, 8, "0.25", 16, .changed = 5}, {8, 8, "0.75", 32, .changed = 9},
      {8, 8, "0.5", 64, .changed = 7});
  check_boxes(path, USUAL, "sm_90a", NULL, "32: any"); /* the latest: floats are not compared */
  PUT({8, 8, "0.75", 128, .changed = 99, .toolkit = "older"});
  check_boxes(path, USUAL, "sm_90a", NULL, "32: any"); /* this toolkit's, though there is a later
                                                          one */
  remove_database(path);
}

static void devices_are_chosen(void) {
  char *path = new_database_path();
  struct winners winners = {0};
  PUT({8, 8, NULL, 16, "the emulator", ""});
  check_boxes(path, USUAL, "sm_90a", NULL, "16: any");
  PUT({8, 8, NULL, 32, "NVIDIA A100", "8.0"}, {8, 8, NULL, 64, "NVIDIA H100", "9.0"});
  check_boxes(path, USUAL, "sm_90a", NULL, "64: any");
  check_boxes(path, USUAL, "sm_80", NULL, "32: any");
  check_boxes(path, USUAL, "sm_86", NULL, "16: any");
  check_boxes(path, USUAL, "sm_90a", "*A100", "32: any");
  PUT({8, 8, NULL, 128, "NVIDIA H200", "9.0"});
  check_boxes(path, USUAL, "sm_90a", "*H200", "128: any");
  check_error(find(path, USUAL, "sm_90a", NULL, &winners), TILE_INVALID_ARGUMENT,
              "the database has winners of 'NVIDIA H100' and of 'NVIDIA H200' for kernel 'k'; "
              "choose a device with --tuned-device");
  check_error(find(path, USUAL, "sm_90a", "*B200", &winners), TILE_NOT_FOUND,
              "kernel 'k' was tuned on other devices than '*B200'; tile-tune show lists them");
  remove_database(path);
}

static void what_is_missing_is_said(void) {
  char *path = new_database_path();
  struct winners winners = {0};
  check_error(find(path, USUAL, "sm_90a", NULL, &winners), TILE_NOT_FOUND, path);
  struct tune_database *database = open_database(path, TUNE_WRITE);
  struct tune_key key = test_key;
  struct tune_winner winner = {.candidate = "{}", .milliseconds = 1, .space = "", .changed = 1};
  check_error(find(path, USUAL, "sm_90a", NULL, &winners), TILE_NOT_FOUND,
              "kernel 'k' was not tuned; tile-run --tune does it");
  key.kernel = "k";
  check_fine(tune_database_put_winner(database, &key, &winner));
  tune_database_close(database);
  check_error(find(path, USUAL, "sm_90a", NULL, &winners), TILE_NOT_FOUND,
              "kernel 'k' was tuned with another content of 'k.py' or of what it imports, or with "
              "other options");
  PUT({8, 8, NULL, 64});
  check_error(find(path, "*fp16, i32, i32, fp32", "sm_90a", NULL, &winners), TILE_NOT_FOUND,
              "kernel 'k' was tuned for other types or constants: "
              "{\"constants\":{},\"types\":{\"x\":\"*fp32\",");
  remove_database(path);
}

static void boxes_are_bounded(void) {
  char *path = new_database_path();
  struct winners winners = {0};
  struct row rows[65] = {{0}};
  for (int i = 0; i < 65; i++)
    rows[i] = (struct row){i + 1, 1, NULL, i % 2 ? 64 : 128};
  put(path, rows, 64);
  check_fine(find(path, USUAL, "sm_90a", NULL, &winners));
  CHECK_EQUAL(winners.box_count, 64);
  CHECK_EQUAL(winners.candidate_count, 2);
  winners_free(&winners);
  put(path, rows, 65);
  check_error(find(path, USUAL, "sm_90a", NULL, &winners), TILE_INVALID_ARGUMENT,
              "make more than 64 versions");
  remove_database(path);
}

/* --- Every value has one winner: that of the rule, computed here in another way --------------- */

static bool holds(const char *when, long long M, long long N) {
  for (const char *at = when; at && *at;) {
    char name, op;
    long long bound;
    if (sscanf(at, "%c %c= %lld", &name, &op, &bound) != 3)
      return false;
    long long value = name == 'M' ? M : N;
    if (op == '<' ? value > bound : value < bound)
      return false;
    at = strstr(at, " and ");
    if (at)
      at += strlen(" and ");
  }
  return true;
}

/* The distance of two positive values by ratio. */
static double distance(long long a, long long b) {
  return fabs(log((double)a) - log((double)b));
}

static int expected_block(const struct row *rows, size_t count, long long M, long long N) {
  long long near = 0;
  const struct row *best = NULL;
  for (size_t i = 0; i < count; i++)
    if (!near || distance(rows[i].M, M) < distance(near, M) - 1e-9 ||
        (distance(rows[i].M, M) < distance(near, M) + 1e-9 && rows[i].M < near))
      near = rows[i].M;
  for (size_t i = 0; i < count; i++)
    if (rows[i].M == near &&
        (!best || distance(rows[i].N, N) < distance(best->N, N) - 1e-9 ||
         (distance(rows[i].N, N) < distance(best->N, N) + 1e-9 && rows[i].N <= best->N)))
      best = &rows[i];
  return best->block;
}

static void check_every_value(const struct row *rows, size_t count, const struct winners *winners) {
  for (long long M = 1; M < 70; M += 1 + M / 8)
    for (long long N = 1; N < 70; N += 1 + N / 8) {
      int block = 0, found = 0;
      for (size_t i = 0; i < winners->box_count; i++)
        if (holds(winners->boxes[i].when, M, N)) {
          block =
              atoi(tune_candidate_get(&winners->candidates[winners->boxes[i].candidate], "BLOCK"));
          found++;
        }
      CHECK_EQUAL(found, 1);
      CHECK_EQUAL(block, expected_block(rows, count, M, N));
    }
}

static void every_value_has_one_winner(void) {
  unsigned state = 7;
  for (int round = 0; round < 12; round++) {
    char *path = new_database_path();
    struct row rows[12] = {{0}};
    struct winners winners = {0};
    size_t count = 0;
    for (size_t i = 0; i < 2 + (size_t)round % 10; i++) {
      state = state * 1664525u + 1013904223u;
      struct row row = {1 + (state >> 8) % 8 * (round % 5 + 1), 1 + (state >> 12) % 60, NULL,
                        16 << (state >> 20) % 3};
      bool again = false;
      for (size_t k = 0; k < count; k++)
        again |= rows[k].M == row.M && rows[k].N == row.N;
      if (!again)
        rows[count++] = row;
    }
    put(path, rows, count);
    check_fine(find(path, USUAL, "sm_90a", NULL, &winners));
    check_every_value(rows, count, &winners);
    winners_free(&winners);
    remove_database(path);
  }
}

/* --- From C ----------------------------------------------------------------------------------- */

static void c_has_the_winners(void) {
  char *path = new_database_path();
  const char *targets[] = {"sm_80", "sm_90a"};
  tile_import_options import = {.signature = USUAL};
  tile_c_variant variant = {.import = &import, .when = "N >= 1"};
  tile_c_options options = {.name = "k",
                            .grid = "cdiv(M * N, BLOCK)",
                            .targets = targets,
                            .target_count = 2,
                            .variants = &variant,
                            .variant_count = 1,
                            .tuned = path};
  tile_compiler *compiler = NULL;
  tile_blob header = {0}, source = {0};
  PUT({512, 512, NULL, 64}, {4096, 512, NULL, 256}, {100000, 512, NULL, 64});
  check_fine(tile_compiler_create(&compiler));
  check_fine(
      tile_compile_to_c(compiler, "k.py", file, sizeof file - 1, &options, &header, &source));
  const char *text = header.data;
  CHECK(strstr(text, "Tuned on NVIDIA H200, for sm_80:\n     M = 512, N = 512: BLOCK=64 "
                     "num_warps=4 num_stages=3 (0.25 ms)\n"));
  CHECK(strstr(text, "Of these winners a launch takes that of the nearest values, by ratio"));
  CHECK(strstr(text, "PTX for sm_90a") &&
        strstr(text, "where N >= 1, M <= 1448\n       BLOCK = 64"));
  CHECK(strstr(text, "where N >= 1, M >= 1449, M <= 20238\n       BLOCK = 256"));
  free(header.data), free(source.data);
  import.config = "0";
  check_error(
      tile_compile_to_c(compiler, "k.py", file, sizeof file - 1, &options, &header, &source),
      TILE_INVALID_ARGUMENT,
      "--tuned takes the configurations from a database, and tile_import_options.config 0 names "
      "one; leave one of them");
  import.config = NULL, options.tuned = "/nowhere/tune.sqlite3";
  check_error(
      tile_compile_to_c(compiler, "k.py", file, sizeof file - 1, &options, &header, &source),
      TILE_NOT_FOUND, "/nowhere");
  tile_compiler_destroy(compiler);
  remove_database(path);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"values_are_compared_in_turn", values_are_compared_in_turn},
                   {"small_values_have_neighbours", small_values_have_neighbours},
                   {"one_row_counts_for_equal_values", one_row_counts_for_equal_values},
                   {"devices_are_chosen", devices_are_chosen},
                   {"what_is_missing_is_said", what_is_missing_is_said},
                   {"boxes_are_bounded", boxes_are_bounded},
                   {"every_value_has_one_winner", every_value_has_one_winner},
                   {"c_has_the_winners", c_has_the_winners});
}
