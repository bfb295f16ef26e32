/* SPDX-License-Identifier: MIT */
/* Atomic operations: each kind on each type against a reference, tickets, collisions, a spin lock,
   the last program that sums up, and halves in pairs. */
#include "kernel_test.h"

static tile_module *module; /* of atomics.mlir, for the warps under test */

enum { PROGRAMS = 5 };

static void tile_tickets(void) {
  enum { COUNT = PROGRAMS * 64 };
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int32_t counter = 0, out[COUNT], seen[COUNT] = {0};
    memset(out, 0xCB, sizeof out);
    LAUNCH(module, "tile_tickets", GRID(PROGRAMS, 1, 1), seed, BUFFER(&counter, sizeof counter),
           BUFFER(out, sizeof out));
    CHECK_EQUAL(counter, COUNT);
    for (int i = 0; i < COUNT; i++)
      if (out[i] >= 0 && out[i] < COUNT)
        seen[out[i]]++;
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
      wrong += seen[i] != 1;
    CHECK_EQUAL(wrong, 0);
  }
}

static void scalar_tickets(void) {
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int32_t counter = 0, out[PROGRAMS * 256], seen[PROGRAMS] = {0}, wrong = 0;
    memset(out, 0xCB, sizeof out);
    LAUNCH(module, "scalar_tickets", GRID(PROGRAMS, 1, 1), seed, BUFFER(&counter, sizeof counter),
           BUFFER(out, sizeof out));
    CHECK_EQUAL(counter, PROGRAMS);
    for (int i = 0; i < PROGRAMS * 256; i++)
      if (out[i] < 0 || out[i] >= PROGRAMS || out[i] != out[i / 256 * 256])
        wrong++;
      else if (i % 256 == 0)
        seen[out[i]]++;
    CHECK_EQUAL(wrong, 0);
    for (int i = 0; i < PROGRAMS; i++)
      CHECK_EQUAL(seen[i], 1);
  }
}

static void scatter(void) {
  int32_t n = 2000, *x = poisoned(2000 * sizeof *x), expected[64] = {0};
  for (int i = 0; i < n; i++) {
    x[i] = i * i % 97 * 7;
    expected[x[i] & 63]++;
  }
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int32_t bins[64] = {0};
    LAUNCH(module, "scatter", GRID(4, 1, 1), seed, BUFFER(x, 2000 * sizeof *x),
           BUFFER(bins, sizeof bins), SCALAR(n));
    CHECK(memcmp(bins, expected, sizeof bins) == 0);
  }
  free(x);
}

static void locked_sum(void) {
  enum { COUNT = 16 * 128 };
  float *x = poisoned(COUNT * sizeof *x), expected[128] = {0};
  for (int i = 0; i < COUNT; i++) {
    x[i] = (float)(i % 53 - 20); /* sums are exact */
    expected[i % 128] += x[i];
  }
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int32_t lock = 0;
    float sum[128] = {0};
    LAUNCH(module, "locked_sum", GRID(16, 1, 1), seed, BUFFER(&lock, sizeof lock),
           BUFFER(sum, sizeof sum), BUFFER(x, COUNT * sizeof *x));
    CHECK(memcmp(sum, expected, sizeof sum) == 0);
    CHECK_EQUAL(lock, 0);
  }
  free(x);
}

static void last_one_sums(void) {
  enum { COUNT = 20 };
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int32_t counter = 0, partial[COUNT], out = -1, expected = 0;
    memset(partial, 0xCB, sizeof partial);
    for (int i = 0; i < COUNT; i++)
      expected += i * i;
    LAUNCH(module, "last_one_sums", GRID(COUNT, 1, 1), seed, BUFFER(&counter, sizeof counter),
           BUFFER(partial, sizeof partial), BUFFER(&out, sizeof out));
    CHECK_EQUAL(out, expected);
    CHECK_EQUAL(counter, 0);
  }
}

/* Small integers, exact in both formats; `one` is 1.0 in it, `step` what the exponent counts in. */
static uint16_t half_of(int value, bool brain) {
  float f = (float)value;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  if (brain || value == 0)
    return (uint16_t)(bits >> 16);
  return (uint16_t)((bits >> 16 & 0x8000) | ((bits >> 23 & 0xFF) - 112) << 10 |
                    (bits >> 13 & 0x3FF));
}

static void add_pairs(const char *kernel, bool brain) {
  enum { COUNT = 1024 };
  uint16_t *x = poisoned(COUNT * sizeof *x);
  for (int i = 0; i < COUNT; i++)
    x[i] = half_of(i % 31 - 15, brain);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    uint16_t *out = poisoned(COUNT * sizeof *out), *odd = poisoned((COUNT + 1) * sizeof *odd);
    for (int i = 0; i < COUNT; i++)
      out[i] = odd[i] = half_of(i % 5, brain);
    LAUNCH(module, kernel, GRID(3, 1, 1), seed, BUFFER(x, COUNT * sizeof *x),
           BUFFER(out, COUNT * sizeof *out), BUFFER(odd, COUNT * sizeof *odd));
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
      uint16_t expected = half_of(i % 5 + 3 * (i % 31 - 15), brain);
      wrong += out[i] != expected || odd[i] != expected;
    }
    CHECK_EQUAL(wrong, 0);
    free(out);
    free(odd);
  }
  free(x);
}

static void halves_in_pairs(void) {
  add_pairs("add_halves", false);
  add_pairs("add_brains", true);
}

/* --- Every kind on every type ----------------------------------------------------------------- */

/* 256 elements a program, element i goes to place i mod 16: what is there in the end does not
   depend on the order. KIND and TYPE are put in below. */
static const char rmw_kernel[] =
    "func.func @rmw(%x: !tile.ptr<TYPE> {tile.divisibility = 16 : i32}, %out: !tile.ptr<TYPE>) "
    "attributes {tile.kernel} {\n"
    "  %i = \"tile.range\"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>\n"
    "  %pid = \"tile.program_id\"() {axis = 0 : i32} : () -> i32\n"
    "  %c256 = arith.constant 256 : i32\n"
    "  %base = arith.muli %pid, %c256 : i32\n"
    "  %px = \"tile.addptr\"(%x, %base) : (!tile.ptr<TYPE>, i32) -> !tile.ptr<TYPE>\n"
    "  %xs = \"tile.splat\"(%px) : (!tile.ptr<TYPE>) -> tensor<256x!tile.ptr<TYPE>>\n"
    "  %xp = \"tile.addptr\"(%xs, %i) : (tensor<256x!tile.ptr<TYPE>>, tensor<256xi32>) -> "
    "tensor<256x!tile.ptr<TYPE>>\n"
    "  %v = \"tile.load\"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : "
    "(tensor<256x!tile.ptr<TYPE>>) -> tensor<256xTYPE>\n"
    "  %c15 = arith.constant dense<15> : tensor<256xi32>\n"
    "  %place = arith.andi %i, %c15 : tensor<256xi32>\n"
    "  %os = \"tile.splat\"(%out) : (!tile.ptr<TYPE>) -> tensor<256x!tile.ptr<TYPE>>\n"
    "  %op = \"tile.addptr\"(%os, %place) : (tensor<256x!tile.ptr<TYPE>>, tensor<256xi32>) -> "
    "tensor<256x!tile.ptr<TYPE>>\n"
    "  %old = \"tile.atomic_rmw\"(%op, %v) {kind = \"KIND\"} : (tensor<256x!tile.ptr<TYPE>>, "
    "tensor<256xTYPE>) -> tensor<256xTYPE>\n"
    "  return\n"
    "}\n";

/* The kernel with the words replaced; free it. */
static char *kernel_text(const char *kind, const char *type) {
  char *text = calloc(1, 2 * sizeof rmw_kernel), *out = text;
  for (const char *in = rmw_kernel; *in;) {
    const char *word = strncmp(in, "TYPE", 4) == 0   ? type
                       : strncmp(in, "KIND", 4) == 0 ? kind
                                                     : NULL;
    if (!word) {
      *out++ = *in++;
      continue;
    }
    out = stpcpy(out, word);
    in += 4;
  }
  return text;
}

enum { RMW_COUNT = PROGRAMS * 256 };

struct rmw_case {
  const char *kind, *type;
  size_t bytes;
  char number; /* 'i' integers, 'u' unsigned ones, 'f' floats */
};

static const struct rmw_case rmw_cases[] = {
    {"add", "i32", 4, 'i'},  {"add", "i64", 8, 'i'},  {"add", "f32", 4, 'f'},
    {"add", "f64", 8, 'f'},  {"max", "i32", 4, 'i'},  {"max", "i64", 8, 'i'},
    {"max", "f32", 4, 'f'},  {"max", "f64", 8, 'f'},  {"min", "i32", 4, 'i'},
    {"min", "i64", 8, 'i'},  {"min", "f32", 4, 'f'},  {"min", "f64", 8, 'f'},
    {"umax", "i32", 4, 'u'}, {"umax", "i64", 8, 'u'}, {"umin", "i32", 4, 'u'},
    {"umin", "i64", 8, 'u'}, {"and", "i32", 4, 'u'},  {"and", "i64", 8, 'u'},
    {"or", "i32", 4, 'u'},   {"or", "i64", 8, 'u'},   {"xor", "i32", 4, 'u'},
    {"xor", "i64", 8, 'u'},
};

static double as_double(const void *at, const struct rmw_case *c) {
  float f;
  double d;
  memcpy(&f, at, sizeof f);
  memcpy(&d, at, c->bytes);
  return c->bytes == 4 ? (double)f : d;
}

static int64_t as_integer(const void *at, const struct rmw_case *c) {
  int32_t narrow;
  int64_t wide;
  memcpy(&narrow, at, sizeof narrow);
  memcpy(&wide, at, c->bytes);
  return c->bytes == 4 ? narrow : wide;
}

static void put_double(void *at, const struct rmw_case *c, double value) {
  float f = (float)value;
  memcpy(at, c->bytes == 4 ? (void *)&f : (void *)&value, c->bytes);
}

/* at = at KIND value, as the definition has it. */
static void apply(const struct rmw_case *c, void *at, const void *value) {
  double x = c->number == 'f' ? as_double(at, c) : 0,
         y = c->number == 'f' ? as_double(value, c) : 0;
  int64_t a = as_integer(at, c), b = as_integer(value, c);
  uint64_t ua = c->bytes == 4 ? (uint32_t)a : (uint64_t)a;
  uint64_t ub = c->bytes == 4 ? (uint32_t)b : (uint64_t)b, result = 0;
  bool max = strcmp(c->kind, "max") == 0, min = strcmp(c->kind, "min") == 0;
  if (c->number == 'f') {
    put_double(at, c, max ? (x >= y ? x : y) : min ? (x <= y ? x : y) : x + y);
    return;
  }
  if (max || min)
    result = (uint64_t)((a > b) == max ? a : b);
  else if (strcmp(c->kind, "umax") == 0)
    result = ua > ub ? ua : ub;
  else if (strcmp(c->kind, "umin") == 0)
    result = ua < ub ? ua : ub;
  else
    result = c->kind[0] == 'o'             ? ua | ub
             : c->kind[0] == 'x'           ? ua ^ ub
             : strcmp(c->kind, "and") == 0 ? ua & ub
                                           : ua + ub;
  memcpy(at, &result, c->bytes);
}

/* Numbers of both signs, floats that add exactly, some zeros of both signs. */
static void put_input(const struct rmw_case *c, void *at, uint64_t *state) {
  float unit = draw(state);
  uint64_t bits = *state ^ *state >> 29;
  if (c->number == 'f')
    put_double(at, c, bits % 11 == 0 ? -0.0 : (double)(int)(unit * 1000) / 8);
  else
    memcpy(at, &bits, c->bytes);
}

static void run_case(const struct rmw_case *c, int num_warps) {
  char *text = kernel_text(c->kind, c->type);
  tile_module *own = compile_text("rmw.mlir", text, strlen(text), num_warps);
  unsigned char *x = poisoned(RMW_COUNT * c->bytes), start[16 * 8], expected[16 * 8], out[16 * 8];
  uint64_t state = seeded(99);
  for (int i = 0; i < RMW_COUNT; i++)
    put_input(c, x + (size_t)i * c->bytes, &state);
  for (int i = 0; i < 16; i++)
    put_input(c, start + (size_t)i * c->bytes, &state);
  memcpy(expected, start, sizeof start);
  for (int i = 0; i < RMW_COUNT; i++)
    apply(c, expected + (size_t)(i % 16) * c->bytes, x + (size_t)i * c->bytes);
  memcpy(out, start, sizeof start);
  if (own)
    LAUNCH(own, "rmw", GRID(PROGRAMS, 1, 1), (uint64_t)num_warps, BUFFER(x, RMW_COUNT * c->bytes),
           BUFFER(out, 16 * c->bytes));
  int wrong = 0;
  for (int i = 0; i < 16; i++) /* -0 and 0 are one number */
    wrong += c->number == 'f' ? as_double(out + (size_t)i * c->bytes, c) !=
                                    as_double(expected + (size_t)i * c->bytes, c)
                              : memcmp(out + (size_t)i * c->bytes, expected + (size_t)i * c->bytes,
                                       c->bytes) != 0;
  if (wrong)
    printf("%s %s\n", c->kind, c->type);
  CHECK_EQUAL(wrong, 0);
  tile_module_unload(own);
  free(text);
  free(x);
}

static void every_kind_on_every_type(void) {
  for (size_t i = 0; i < sizeof rmw_cases / sizeof *rmw_cases; i++)
    run_case(&rmw_cases[i], i % 2 ? 1 : 4); /* 16 warps: below, two threads hold an element */
  run_case(&rmw_cases[0], 16);
  run_case(&rmw_cases[2], 16);
}

static void with_warps(void (*test)(void), int num_warps) {
  module = compile_kernels("atomics.mlir", num_warps);
  if (module)
    test();
  tile_module_unload(module);
}

#define WARPS(test, warps)                                                                         \
  static void test##_##warps(void) {                                                               \
    with_warps(test, warps);                                                                       \
  }
WARPS(tile_tickets, 1)
WARPS(tile_tickets, 8)
WARPS(scalar_tickets, 4)
WARPS(scatter, 4)
WARPS(scatter, 32)
WARPS(locked_sum, 1)
WARPS(locked_sum, 8)
WARPS(last_one_sums, 4)
WARPS(halves_in_pairs, 4)
WARPS(halves_in_pairs, 1)

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(
      argc, argv, {"tickets for elements, one warp", tile_tickets_1},
      {"tickets for elements that several threads hold", tile_tickets_8},
      {"tickets for programs", scalar_tickets_4}, {"scatter with collisions", scatter_4},
      {"scatter by more threads than elements", scatter_32}, {"a lock, one warp", locked_sum_1},
      {"a lock, eight warps", locked_sum_8}, {"the last program sums up", last_one_sums_4},
      {"halves in pairs", halves_in_pairs_4}, {"halves in pairs, one warp", halves_in_pairs_1},
      {"every kind on every type", every_kind_on_every_type});
}
