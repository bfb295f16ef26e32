/* SPDX-License-Identifier: MIT */
/* The unit tests' harness: a table of functions, one line of outcome each, and a closing count.

       static void adds(void) { CHECK(1 + 1 == 2); CHECK_EQUAL(1 + 1, 2); }
       int main(int argc, char **argv) { return RUN_TESTS(argc, argv, {"adds", adds}); }

   A failed check prints its place and lets the test go on. An argument runs only the tests whose
   name contains it. The last line reads "N passed, N failed"; the exit code is 1 after a failure.
   */
#ifndef TILE_TEST_CHECK_H
#define TILE_TEST_CHECK_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int check_failures_;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      check_failures_++;                                                                           \
      printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                               \
    }                                                                                              \
  } while (0)

#define CHECK_EQUAL(actual, expected)                                                              \
  do {                                                                                             \
    long long actual_ = (long long)(actual), expected_ = (long long)(expected);                    \
    if (actual_ != expected_) {                                                                    \
      check_failures_++;                                                                           \
      printf("%s:%d: %s is %lld, expected %lld\n", __FILE__, __LINE__, #actual, actual_,           \
             expected_);                                                                           \
    }                                                                                              \
  } while (0)

#define CHECK_TEXT(actual, expected)                                                               \
  do {                                                                                             \
    const char *actual_ = (actual), *expected_ = (expected);                                       \
    if (strcmp(actual_, expected_) != 0) {                                                         \
      check_failures_++;                                                                           \
      printf("%s:%d: %s is\n%s\nexpected\n%s\n", __FILE__, __LINE__, #actual, actual_, expected_); \
    }                                                                                              \
  } while (0)

struct test_row {
  const char *name;
  void (*run)(void);
};

static inline int run_tests_(int argc, char **argv, const struct test_row *rows, size_t count) {
  int passed = 0, failed = 0;
  for (size_t i = 0; i < count; i++) {
    if (argc > 1 && !strstr(rows[i].name, argv[1]))
      continue;
    check_failures_ = 0;
    rows[i].run();
    printf("%s %s\n", check_failures_ ? "FAIL" : "ok  ", rows[i].name);
    check_failures_ ? failed++ : passed++;
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}

#define RUN_TESTS(argc, argv, ...)                                                                 \
  run_tests_((argc), (argv), (const struct test_row[]){__VA_ARGS__},                               \
             sizeof((const struct test_row[]){__VA_ARGS__}) / sizeof(struct test_row))

#endif
