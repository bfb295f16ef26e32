/* SPDX-License-Identifier: MIT */
/* The numbers that emulated kernels compute: 16-bit conversions, division, contraction, approximate
   functions. Everything runs through the JIT, with the processor features it uses on this host.

   Each kernel here is one thread that maps input element i to output element i. */
#include "emulator_fixture.h"

#include <math.h>
#include <stdint.h>
#include "base/text.h"
#include "emulator/device.h"

/* Compiles a kernel that applies `body` (%x of type `from` to %y of type `to`) to `count` elements,
   and runs it. `attributes` go to the function; `large` makes the module so long that the JIT
   chooses its fast code generator. */
struct map_kernel {
  const char *declarations, *from, *to, *body, *attributes;
  bool large;
};

static void put_filler(struct text *text) {
  text_puts(text, "define i32 @filler(i32 %v0) {\n");
  for (int i = 0; i < 1100; i++)
    text_printf(text, "  %%v%d = add i32 %%v%d, %%v0\n", i + 1, i);
  text_puts(text, "  ret i32 %v1100\n}\n");
}

static void run_map(struct map_kernel kernel, const void *in, void *out, int count) {
  struct text text = {0};
  text_puts(&text, kernel.declarations ? kernel.declarations : "");
  if (kernel.large)
    put_filler(&text);
  text_printf(&text,
              "define void @k(ptr %%t, ptr %%args) %s {\n"
              "  %%in = load ptr, ptr %%args\n"
              "  %%slot = getelementptr ptr, ptr %%args, i32 1\n"
              "  %%out = load ptr, ptr %%slot\n"
              "  br label %%loop\n"
              "loop:\n"
              "  %%i = phi i32 [0, %%0], [%%i1, %%loop]\n"
              "  %%p = getelementptr %s, ptr %%in, i32 %%i\n"
              "  %%x = load %s, ptr %%p, align 2\n"
              "%s"
              "  %%place = getelementptr %s, ptr %%out, i32 %%i\n"
              "  store %s %%y, ptr %%place, align 2\n"
              "  %%i1 = add i32 %%i, 1\n"
              "  %%more = icmp slt i32 %%i1, %d\n"
              "  br i1 %%more, label %%loop, label %%done\n"
              "done:\n"
              "  ret void\n"
              "}\n",
              kernel.attributes ? kernel.attributes : "", kernel.from, kernel.from, kernel.body,
              kernel.to, kernel.to, count);
  void *arguments[] = {(void *)(uintptr_t)in, out};
  tile_emulator_program *program = make_program(text.data, 2);
  text_free(&text);
  tile_emulator_launch_options options = {
      .grid = {1, 1, 1}, .threads = 1, .arguments = arguments, .argument_count = 2};
  CHECK_STATUS(tile_emulator_launch(program, "k", &options, NULL), TILE_OK, NULL);
  tile_emulator_program_destroy(program);
}

/* A 16-bit format, described independently of the code under test. */
struct small_float {
  const char *type; /* LLVM's name */
  int fraction_bits, bias;
};
static const struct small_float formats[] = {{"half", 10, 15}, {"bfloat", 7, 127}};

static uint32_t infinity_of(struct small_float format) {
  return (uint32_t)(2 * format.bias + 1) << format.fraction_bits;
}

/* The value of a magnitude; for the bits of infinity, the power of two that rounding sees there. */
static double value_of(struct small_float format, uint32_t bits) {
  uint32_t fraction = bits & ((1u << format.fraction_bits) - 1);
  int exponent = (int)(bits >> format.fraction_bits);
  if (exponent == 0)
    return ldexp(fraction, 1 - format.bias - format.fraction_bits);
  return ldexp((double)(fraction | 1u << format.fraction_bits),
               exponent - format.bias - format.fraction_bits);
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static int count_wrong_up(struct small_float format, const uint16_t *in, const double *out) {
  int wrong = 0;
  for (int i = 0; i < 65536; i++) {
    uint32_t magnitude = in[i] & 0x7FFF, infinity = infinity_of(format);
    double expected = value_of(format, magnitude);
    if (magnitude == infinity)
      expected = INFINITY;
    expected = in[i] & 0x8000 ? -expected : expected;
    bool same = magnitude > infinity ? isnan(out[i])
                                     : expected == out[i] && !signbit(expected) == !signbit(out[i]);
    wrong += !same;
  }
  return wrong;
}

/* All 65536 values to float and double, by the processor's conversion and by the helpers. */
static void widening_is_exact(void) {
  static uint16_t in[65536];
  static float floats[65536];
  static double doubles[65536];
  for (int i = 0; i < 65536; i++)
    in[i] = (uint16_t)i;
  static const char *const attributes[] = {"", "\"target-features\"=\"-f16c,-avx512fp16\""};
  for (int variant = 0; variant < 8; variant++) {
    struct small_float format = formats[variant & 1];
    struct map_kernel kernel = {.from = format.type,
                                .to = "float",
                                .large = variant & 2,
                                .attributes = attributes[variant >> 2]};
    char body[64];
    kernel.body = body;
    snprintf(body, sizeof body, "  %%y = fpext %s %%x to float\n", format.type);
    run_map(kernel, in, floats, 65536);
    for (int i = 0; i < 65536; i++)
      doubles[i] = floats[i];
    CHECK_EQUAL(count_wrong_up(format, in, doubles), 0);
    snprintf(body, sizeof body, "  %%y = fpext %s %%x to double\n", format.type);
    kernel.to = "double";
    run_map(kernel, in, doubles, 65536);
    CHECK_EQUAL(count_wrong_up(format, in, doubles), 0);
  }
}

enum { CASES_PER_VALUE = 8, RANDOM_CASES = 100000 };
struct cases {
  double *in;
  uint16_t *expected;
  int count;
};

static void add_case(struct cases *cases, double value, uint32_t magnitude) {
  cases->in[cases->count] = value;
  cases->expected[cases->count++] = (uint16_t)magnitude;
  cases->in[cases->count] = -value;
  cases->expected[cases->count++] = (uint16_t)(magnitude | 0x8000);
}

static double step(double value, double to, bool is_float) {
  return is_float ? (double)nextafterf((float)value, (float)to) : nextafter(value, to);
}

/* Every value, every tie between neighbours, and the source's numbers next to each tie. */
static void add_ties(struct cases *cases, struct small_float format, bool is_float) {
  for (uint32_t bits = 0; bits < infinity_of(format); bits++) {
    double value = value_of(format, bits);
    double tie = (value + value_of(format, bits + 1)) / 2;
    add_case(cases, value, bits);
    if (is_float && (double)(float)tie != tie) /* too large, or below float's own subnormals */
      continue;
    add_case(cases, tie, bits + (bits & 1));
    add_case(cases, step(tie, 0, is_float), bits);
    add_case(cases, step(tie, INFINITY, is_float), bits + 1);
  }
}

static uint32_t nearest(struct small_float format, double value) {
  uint32_t low = 0, high = infinity_of(format);
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (value_of(format, middle) <= value)
      low = middle;
    else
      high = middle;
  }
  double tie = (value_of(format, low) + value_of(format, low + 1)) / 2;
  return value > tie || (value == tie && (low & 1)) ? low + 1 : low;
}

static uint64_t random_bits(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (*state >> 32) | (*state << 32 ^ *state);
}

static void add_random(struct cases *cases, struct small_float format, bool is_float) {
  uint64_t state = 1;
  for (int i = 0; i < RANDOM_CASES; i++) {
    int range = format.bias + format.fraction_bits + 4;
    int exponent = (int)(random_bits(&state) % (uint64_t)(2 * range)) - range;
    double value = ldexp(1 + (double)(random_bits(&state) >> 12) * 0x1p-52, exponent);
    value = is_float ? (double)(float)value : value;
    if (!isinf(value))
      add_case(cases, value, nearest(format, value));
  }
}

static struct cases make_cases(struct small_float format, bool is_float) {
  size_t capacity = (size_t)infinity_of(format) * CASES_PER_VALUE + 2 * RANDOM_CASES + 8;
  struct cases cases = {calloc(capacity, sizeof(double)), calloc(capacity, sizeof(uint16_t)), 0};
  add_ties(&cases, format, is_float);
  add_random(&cases, format, is_float);
  add_case(&cases, INFINITY, infinity_of(format));
  add_case(&cases, is_float ? 3.4028234663852886e38 : 1.7976931348623157e308, infinity_of(format));
  return cases;
}

static void check_narrowing(const struct cases *cases, struct small_float format, bool is_float,
                            bool vector, bool large, const char *attributes) {
  int count = cases->count / 4 * 4;
  size_t bytes = (size_t)count * sizeof(double);
  void *in = malloc(bytes);
  uint16_t *out = calloc((size_t)count, sizeof *out);
  for (int i = 0; i < count; i++)
    if (is_float)
      ((float *)in)[i] = (float)cases->in[i];
    else
      ((double *)in)[i] = cases->in[i];
  char from[32], to[32], body[96];
  snprintf(from, sizeof from, vector ? "<4 x %s>" : "%s", is_float ? "float" : "double");
  snprintf(to, sizeof to, vector ? "<4 x %s>" : "%s", format.type);
  snprintf(body, sizeof body, "  %%y = fptrunc %s %%x to %s\n", from, to);
  run_map(
      (struct map_kernel){
          .from = from, .to = to, .body = body, .large = large, .attributes = attributes},
      in, out, vector ? count / 4 : count);
  int wrong = 0;
  for (int i = 0; i < count; i++)
    if (out[i] != cases->expected[i] && wrong++ < 3)
      printf("  %s to %s, %a: %04x, expected %04x\n", from, to, cases->in[i], out[i],
             cases->expected[i]);
  CHECK_EQUAL(wrong, 0);
  free(in);
  free(out);
}

/* float and double to 16 bits, rounded once to nearest even: scalar and vector code, both code
   generators, the processor's conversion and the helpers. */
static void narrowing_is_correctly_rounded(void) {
  for (int i = 0; i < 4; i++) {
    struct small_float format = formats[i & 1];
    bool is_float = i & 2;
    struct cases cases = make_cases(format, is_float);
    for (int variant = 0; variant < 4; variant++)
      check_narrowing(&cases, format, is_float, variant & 1, variant & 2, "");
    check_narrowing(&cases, format, is_float, false, false, "\"target-features\"=\"-f16c\"");
    free(cases.in);
    free(cases.expected);
  }
}

static void narrowing_keeps_nan(void) {
  float in[4] = {NAN, -NAN, NAN, NAN};
  uint32_t odd[] = {0x7F800001, 0xFFBFFFFF}; /* payloads that vanish when cut off */
  memcpy(&in[2], odd, sizeof odd);
  uint16_t out[4];
  for (int i = 0; i < 2; i++) {
    char body[64];
    snprintf(body, sizeof body, "  %%y = fptrunc float %%x to %s\n", formats[i].type);
    run_map((struct map_kernel){.from = "float", .to = formats[i].type, .body = body}, in, out, 4);
    for (int k = 0; k < 4; k++)
      CHECK((out[k] & 0x7FFFu) > infinity_of(formats[i]));
  }
}

/* Arithmetic on half and bfloat is that of float, rounded once more: exact for + - * /. */
static void small_arithmetic_rounds_once(void) {
  enum { COUNT = 65536 };
  static uint16_t in[COUNT], out[COUNT];
  static const char *const operations[] = {"fadd", "fsub", "fmul", "fdiv"};
  for (int f = 0; f < 2; f++)
    for (int operation = 0; operation < 4; operation++) {
      char body[128];
      const char *constant = f ? "0xR4049" : "0xH4248"; /* 3.140625 in both */
      snprintf(body, sizeof body, "  %%y = %s %s %%x, %s\n", operations[operation], formats[f].type,
               constant);
      for (int i = 0; i < COUNT; i++)
        in[i] = (uint16_t)i;
      run_map((struct map_kernel){.from = formats[f].type, .to = formats[f].type, .body = body}, in,
              out, COUNT);
      int wrong = 0;
      for (uint32_t i = 0; i < infinity_of(formats[f]); i++) {
        double x = value_of(formats[f], i), c = 3.140625;
        double exact[] = {x + c, x - c, x * c, x / c};
        double value = exact[operation];
        uint32_t expected = nearest(formats[f], fabs(value)) | (value < 0 ? 0x8000u : 0);
        wrong += out[i] != expected;
      }
      CHECK_EQUAL(wrong, 0);
    }
}

/* Multiplication and addition stay apart; fma is one rounding; subnormals are kept. (Modules that
   allow contraction are refused: emulator_test.c.) */
static void nothing_is_contracted(void) {
  float in[3] = {1 + 0x1p-12f, 0x1p-140f, 3}, out[3];
  struct map_kernel kernel = {.from = "float", .to = "float"};
  kernel.body = "  %m = fmul nnan ninf nsz float %x, %x\n"
                "  %y = fadd nnan ninf nsz float %m, -1.0\n";
  for (int large = 0; large < 2; large++) {
    kernel.large = large;
    run_map(kernel, in, out, 3);
    CHECK(out[0] == 0x1p-11f); /* x * x = 1 + 2^-11 + 2^-24 is a tie, rounded to even */
    CHECK(out[2] == 8);
  }
  kernel.declarations = "declare float @llvm.fma.f32(float, float, float)\n";
  kernel.body = "  %y = call float @llvm.fma.f32(float %x, float %x, float -1.0)\n";
  run_map(kernel, in, out, 3);
  CHECK(out[0] == 0x1p-11f + 0x1p-24f);
  kernel.body = "  %y = fmul float %x, 0.5\n";
  run_map(kernel, in, out, 3);
  CHECK(out[1] == 0x1p-141f);
}

static void divisions(void) {
  int32_t in[] = {7, -7, 2147483647, -2147483647, 0, 1}, out[6];
  run_map((struct map_kernel){.from = "i32",
                              .to = "i32",
                              .body = "  %q = sdiv i32 %x, 3\n  %d = or i32 %q, 1\n"
                                      "  %r = srem i32 %x, %d\n  %y = add i32 %q, %r\n"},
          in, out, 6);
  for (int i = 0; i < 6; i++)
    CHECK_EQUAL(out[i], in[i] / 3 + in[i] % (in[i] / 3 | 1));
  run_map((struct map_kernel){.from = "i32",
                              .to = "i32",
                              .body = "  %w = sext i32 %x to i128\n  %s = shl i128 %w, 70\n"
                                      "  %e = add i128 %w, 12345678901234567890123\n"
                                      "  %q = sdiv i128 %s, %e\n  %r = urem i128 %s, %e\n"
                                      "  %z = xor i128 %q, %r\n  %y = trunc i128 %z to i32\n"},
          in, out, 6);
  for (int i = 0; i < 6; i++) {
    __extension__ typedef __int128 wide;
    __extension__ typedef unsigned __int128 unsigned_wide;
    wide s = (wide)((unsigned_wide)(wide)in[i] << 70);
    wide e = (wide)12345678901 * 1000000000000 + 234567890123 + in[i];
    CHECK_EQUAL(out[i], (int32_t)(uint32_t)((unsigned_wide)(s / e) ^
                                            ((unsigned_wide)s % (unsigned_wide)e)));
  }
  float floats[] = {1, 10, 0x1p-130f, 3.4e38f, -5, 0}, results[6];
  run_map((struct map_kernel){.from = "float",
                              .to = "float",
                              .body = "  %q = fdiv float %x, 3.0\n  %y = frem float %q, 0.75\n"},
          floats, results, 6);
  for (int i = 0; i < 6; i++)
    CHECK_EQUAL(bits_of(results[i]), bits_of(fmodf(floats[i] / 3.0f, 0.75f)));
}

/* One rounding where LLVM's own lowering, through float, has two: the product 387 * 2^-8 is a tie
   between bfloats that only a far smaller addend breaks. */
static void bfloat_fma_rounds_once(void) {
  float in[3] = {0x1p-100f, -0x1p-100f, 0}, out[3];
  run_map(
      (struct map_kernel){
          .declarations = "declare bfloat @tile_emu_fma_bf16(bfloat, bfloat, bfloat)\n",
          .from = "float",
          .to = "float",
          .body =
              "  %c = fptrunc float %x to bfloat\n"
              "  %z = call bfloat @tile_emu_fma_bf16(bfloat 0xR3F81, bfloat 0xR3FC0, bfloat %c)\n"
              "  %y = fpext bfloat %z to float\n"},
      in, out, 3);
  CHECK(out[0] == 1.515625f && out[1] == 1.5078125f && out[2] == 1.515625f);
}

/* The special values of PTX's tables, flushing, and the canonical NaN. */
static void approximate_functions(void) {
  static const struct {
    float (*function)(float);
    float in;
    uint32_t expected;
  } rows[] = {
      {tile_emu_ex2_approx_ftz, 3, 0x41000000},
      {tile_emu_ex2_approx_ftz, -0x1p-130f, 0x3F800000},
      {tile_emu_ex2_approx_ftz, -126.5f, 0},
      {tile_emu_ex2_approx_ftz, 128, 0x7F800000},
      {tile_emu_ex2_approx_ftz, -INFINITY, 0},
      {tile_emu_ex2_approx_ftz, NAN, 0x7FFFFFFF},
      {tile_emu_lg2_approx_ftz, 8, 0x40400000},
      {tile_emu_lg2_approx_ftz, 0x1p-140f, 0xFF800000},
      {tile_emu_lg2_approx_ftz, -1, 0x7FFFFFFF},
      {tile_emu_lg2_approx_ftz, 1, 0},
      {tile_emu_rcp_approx_ftz, 4, 0x3E800000},
      {tile_emu_rcp_approx_ftz, -0x1p-130f, 0xFF800000},
      {tile_emu_rcp_approx_ftz, 0x1p127f, 0},
      {tile_emu_rcp_approx_ftz, -INFINITY, 0x80000000},
      {tile_emu_rsqrt_approx_ftz, 4, 0x3F000000},
      {tile_emu_rsqrt_approx_ftz, -0.0f, 0xFF800000},
      {tile_emu_rsqrt_approx_ftz, -4, 0x7FFFFFFF},
      {tile_emu_rsqrt_approx_ftz, INFINITY, 0},
      {tile_emu_sqrt_approx_ftz, 9, 0x40400000},
      {tile_emu_sqrt_approx_ftz, -0.0f, 0x80000000},
      {tile_emu_sqrt_approx_ftz, -9, 0x7FFFFFFF},
      {tile_emu_sqrt_approx_ftz, 0x1p-140f, 0},
      {tile_emu_sin_approx_ftz, -0.0f, 0x80000000},
      {tile_emu_sin_approx_ftz, INFINITY, 0x7FFFFFFF},
      {tile_emu_cos_approx_ftz, 0x1p-140f, 0x3F800000},
      {tile_emu_cos_approx_ftz, -INFINITY, 0x7FFFFFFF},
      {tile_emu_tanh_approx, INFINITY, 0x3F800000},
      {tile_emu_tanh_approx, 0x1p-140f, 0x200},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_EQUAL(bits_of(rows[i].function(rows[i].in)), rows[i].expected);
  float in[2] = {10, -126.5f}, out[2];
  run_map((struct map_kernel){.declarations = "declare float @tile_emu_ex2_approx_ftz(float)\n",
                              .from = "float",
                              .to = "float",
                              .body = "  %y = call float @tile_emu_ex2_approx_ftz(float %x)\n"},
          in, out, 2);
  CHECK(out[0] == 1024 && out[1] == 0);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"widening-is-exact", widening_is_exact},
                   {"narrowing-is-correctly-rounded", narrowing_is_correctly_rounded},
                   {"narrowing-keeps-nan", narrowing_keeps_nan},
                   {"small-arithmetic-rounds-once", small_arithmetic_rounds_once},
                   {"nothing-is-contracted", nothing_is_contracted}, {"divisions", divisions},
                   {"bfloat-fma-rounds-once", bfloat_fma_rounds_once},
                   {"approximate-functions", approximate_functions});
}
