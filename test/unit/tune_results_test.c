/* SPDX-License-Identifier: MIT */
/* Comparing the results of candidates, against the plain definition: all types, lengths around
   those of the blocks, one element that is off at each of some places. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "tune/results.h"

enum { MOST = 1100 };

static uint64_t state = 1;

static uint64_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 24;
}

static size_t plainly(enum element_type type, const unsigned char *expected,
                      const unsigned char *actual, size_t count, double allowed) {
  size_t bytes = element_table[type].bytes;
  for (size_t i = 0; i < count; i++) {
    const unsigned char *x = expected + i * bytes, *y = actual + i * bytes;
    if (memcmp(x, y, bytes) == 0)
      continue;
    if (!element_is_float(type))
      return i;
    double a = element_load(type, x), b = element_load(type, y);
    bool near = allowed >= 0 && (a == b || (!isinf(a) && !isinf(b) && fabs(a - b) <= allowed));
    if (!near && !(isnan(a) && isnan(b)))
      return i;
  }
  return count;
}

static void compare_all(enum element_type type, const unsigned char *expected,
                        const unsigned char *actual, size_t count) {
  static const double allowed[] = {-1, 0, 0.01, 1, 1e5};
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
    CHECK_EQUAL(results_first_difference(type, expected, actual, count, allowed[i]),
                plainly(type, expected, actual, count, allowed[i]));
}

/* Bits of all kinds, NaN and infinities among them; then a value a little off at a place, and bits
   that are others. */
static void try_type(enum element_type type, size_t count) {
  size_t bytes = element_table[type].bytes, size = count * bytes;
  unsigned char *expected = malloc(size + 1), *actual = malloc(size + 1);
  for (size_t i = 0; i < size; i++)
    expected[i] = (unsigned char)(type == ELEMENT_I1 ? draw() & 1 : draw());
  for (int turn = 0; turn < 8; turn++) {
    memcpy(actual, expected, size);
    for (size_t off = 0; off < (size_t)(turn % 4) && count; off++) {
      size_t at = draw() % count;
      if (turn % 3 && element_is_float(type))
        element_store(type, actual + at * bytes,
                      element_load(type, expected + at * bytes) + (turn % 2 ? 0.5 : 0.001));
      else
        actual[at * bytes] ^= type == ELEMENT_I1 ? 1 : (unsigned char)(1u << draw() % 8);
    }
    compare_all(type, expected, actual, count);
  }
  free(expected);
  free(actual);
}

static void differences_are_found(void) {
  static const size_t counts[] = {0, 1, 511, 513, MOST};
  for (int type = 0; type < ELEMENT_TYPE_COUNT; type++)
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
      try_type((enum element_type)type, counts[i]);
}

static void signed_zeros_and_nan(void) {
  const float expected[] = {0.0f, NAN, INFINITY, 1.0f}, actual[] = {-0.0f, NAN, INFINITY, 1.0f};
  float other[] = {0.0f, NAN, -INFINITY, 1.0f};
  const unsigned char *a = (const unsigned char *)expected, *b = (const unsigned char *)actual;
  CHECK_EQUAL(results_first_difference(ELEMENT_F32, a, b, 4, 0), 4);
  CHECK_EQUAL(results_first_difference(ELEMENT_F32, a, b, 4, -1), 0); /* all bits are to be equal */
  CHECK_EQUAL(results_first_difference(ELEMENT_F32, a, (const unsigned char *)other, 4, 1e30), 2);
  other[2] = 1e38f;
  CHECK_EQUAL(results_first_difference(ELEMENT_F32, a, (const unsigned char *)other, 4, 1e30), 2);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"differences_are_found", differences_are_found},
                   {"signed_zeros_and_nan", signed_zeros_and_nan});
}
