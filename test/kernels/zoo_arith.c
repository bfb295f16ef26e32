/* SPDX-License-Identifier: MIT */
/* Operations of one step, bit for bit: integer arithmetic in every width, float arithmetic with its
   rounding and NaN rules, comparisons, selection, bit counts. Pairs of special values first, then
   random ones. */
#include "zoo.h"

typedef uint64_t integer_function(unsigned width, uint64_t x, uint64_t y);
typedef long double float_function(long double x, long double y, long double z);

struct operation {
  const char *line;
  integer_function *integer;
  float_function *real;
  int operands;
  bool compares; /* the result is i1 */
};

/* --- Integers: numbers of `width` bits -------------------------------------------------------- */

static uint64_t cut(unsigned width, uint64_t x) {
  return x & (UINT64_MAX >> (64 - width));
}

static int64_t extend(unsigned width, uint64_t x) {
  return (int64_t)(x << (64 - width)) >> (64 - width);
}

static bool overflows(unsigned width, uint64_t x, uint64_t y) {
  return extend(width, y) == -1 && x == UINT64_C(1) << (width - 1);
}

#define INTEGER(name, expression)                                                                  \
  static uint64_t integer_##name(unsigned width, uint64_t x, uint64_t y) {                         \
    int64_t a = extend(width, x), b = extend(width, y);                                            \
    (void)a, (void)b, (void)width;                                                                 \
    return cut(width, (uint64_t)(expression));                                                     \
  }
INTEGER(add, x + y)
INTEGER(subtract, x - y)
INTEGER(multiply, x *y)
INTEGER(divide_signed, y == 0 || overflows(width, x, y) ? x : (uint64_t)(a / b))
INTEGER(divide_unsigned, y == 0 ? x : x / y)
INTEGER(remainder_signed, y == 0 ? x : overflows(width, x, y) ? 0 : (uint64_t)(a % b))
INTEGER(remainder_unsigned, y == 0 ? x : x % y)
INTEGER(and, x &y)
INTEGER(or, x | y)
INTEGER(xor, x ^ y)
INTEGER(shift_left, y < width ? x << y : 0)
INTEGER(shift_right, y < width ? x >> y : 0)
INTEGER(shift_signed, y < width ? a >> y : 0)
INTEGER(max_signed, a > b ? a : b)
INTEGER(min_signed, a < b ? a : b)
INTEGER(max_unsigned, x > y ? x : y)
INTEGER(min_unsigned, x < y ? x : y)
INTEGER(absolute, a < 0 ? -x : x)
INTEGER(ones, __builtin_popcountll(x))
INTEGER(leading_zeros, x ? __builtin_clzll(x) - (int)(64 - width) : (int)width)
INTEGER(trailing_zeros, x ? __builtin_ctzll(x) : (int)width)

static uint64_t integer_floor_divide(unsigned width, uint64_t x, uint64_t y) {
  int64_t a = extend(width, x), b = extend(width, y);
  if (b == 0 || overflows(width, x, y))
    return cut(width, x);
  return cut(width, (uint64_t)(a / b - (a % b != 0 && (a < 0) != (b < 0))));
}

static uint64_t integer_ceil_divide(unsigned width, uint64_t x, uint64_t y) {
  int64_t a = extend(width, x), b = extend(width, y);
  if (b == 0 || overflows(width, x, y))
    return cut(width, x);
  return cut(width, (uint64_t)(a / b + (a % b != 0 && (a < 0) == (b < 0))));
}

static uint64_t integer_ceil_divide_unsigned(unsigned width, uint64_t x, uint64_t y) {
  (void)width;
  return y == 0 ? x : x / y + (x % y != 0);
}

static uint64_t integer_power(unsigned width, uint64_t x, uint64_t y) {
  int64_t a = extend(width, x), n = extend(width, y);
  if (n < 0)
    return a == 1 ? 1 : a == -1 ? (n & 1 ? cut(width, x) : 1) : 0;
  uint64_t result = 1;
  for (uint64_t bits = (uint64_t)n; bits; bits >>= 1, x *= x)
    if (bits & 1)
      result *= x;
  return cut(width, result);
}

static uint64_t integer_high_unsigned(unsigned width, uint64_t x, uint64_t y) {
  return cut(width, (uint64_t)((unsigned __int128)x * y >> width));
}

static uint64_t integer_high_signed(unsigned width, uint64_t x, uint64_t y) {
  return cut(width, (uint64_t)((__int128)extend(width, x) * extend(width, y) >> width));
}

#define COMPARE(name, expression) INTEGER(name, (expression) ? 1 : 0)
COMPARE(equal, x == y)
COMPARE(less_signed, a < b)
COMPARE(less_unsigned, x < y)
COMPARE(not_less_signed, a >= b)
COMPARE(not_less_unsigned, x >= y)

/* Shifts are undefined from the width on, and quotients by 0: kept out of the comparison. */
static bool is_defined(const struct operation *operation, unsigned width, uint64_t y) {
  integer_function *f = operation->integer;
  if (f == integer_shift_left || f == integer_shift_right || f == integer_shift_signed)
    return y < width;
  bool divides = f == integer_floor_divide || f == integer_ceil_divide ||
                 f == integer_ceil_divide_unsigned || f == integer_divide_signed ||
                 f == integer_divide_unsigned || f == integer_remainder_signed ||
                 f == integer_remainder_unsigned;
  return !divides || y != 0;
}

/* --- Floats ----------------------------------------------------------------------------------- */

static long double larger(long double x, long double y) {
  if (x == y)
    return signbit(x) ? y : x; /* +0 is larger than -0 */
  return x > y ? x : y;
}

#define REAL(name, expression)                                                                     \
  static long double real_##name(long double x, long double y, long double z) {                    \
    (void)y, (void)z;                                                                              \
    return expression;                                                                             \
  }
REAL(maximum, isnan(x) || isnan(y) ? NAN : larger(x, y))
REAL(minimum, isnan(x) || isnan(y) ? NAN : -larger(-x, -y))
REAL(max_number, isnan(x) ? y : isnan(y) ? x : larger(x, y))
REAL(min_number, isnan(x) ? y : isnan(y) ? x : -larger(-x, -y))
REAL(negate, -x)
REAL(ordered_equal, x == y)
REAL(ordered_less, x < y)
REAL(unordered, isnan(x) || isnan(y))
REAL(unequal, x != y)
REAL(unordered_not_less, !(x < y))
REAL(is_nan, isnan(x))
REAL(is_infinite, isinf(x))
REAL(is_finite, isfinite(x))

/* Sums, products and fma are rounded by the host in the operation's own type; for f16 and bf16 the
   exact product and a sum of it with a long double need care only in fma, whose sum is rounded to
   odd. */
REAL(add, x + y)
REAL(subtract, x - y)
REAL(multiply, x *y)

static long double real_fma(long double x, long double y, long double z) {
  return fmal(x, y, z);
}

static const struct operation operations[] = {
    {"arith.addi %x0, %x1 : $0", integer_add, NULL, 2, false},
    {"arith.subi %x0, %x1 : $0", integer_subtract, NULL, 2, false},
    {"arith.muli %x0, %x1 : $0", integer_multiply, NULL, 2, false},
    {"arith.divsi %x0, %x1 : $0", integer_divide_signed, NULL, 2, false},
    {"arith.divui %x0, %x1 : $0", integer_divide_unsigned, NULL, 2, false},
    {"arith.remsi %x0, %x1 : $0", integer_remainder_signed, NULL, 2, false},
    {"arith.remui %x0, %x1 : $0", integer_remainder_unsigned, NULL, 2, false},
    {"arith.floordivsi %x0, %x1 : $0", integer_floor_divide, NULL, 2, false},
    {"arith.ceildivsi %x0, %x1 : $0", integer_ceil_divide, NULL, 2, false},
    {"arith.ceildivui %x0, %x1 : $0", integer_ceil_divide_unsigned, NULL, 2, false},
    {"math.ipowi %x0, %x1 : $0", integer_power, NULL, 2, false},
    {"arith.andi %x0, %x1 : $0", integer_and, NULL, 2, false},
    {"arith.ori %x0, %x1 : $0", integer_or, NULL, 2, false},
    {"arith.xori %x0, %x1 : $0", integer_xor, NULL, 2, false},
    {"arith.shli %x0, %x1 : $0", integer_shift_left, NULL, 2, false},
    {"arith.shrui %x0, %x1 : $0", integer_shift_right, NULL, 2, false},
    {"arith.shrsi %x0, %x1 : $0", integer_shift_signed, NULL, 2, false},
    {"arith.maxsi %x0, %x1 : $0", integer_max_signed, NULL, 2, false},
    {"arith.minsi %x0, %x1 : $0", integer_min_signed, NULL, 2, false},
    {"arith.maxui %x0, %x1 : $0", integer_max_unsigned, NULL, 2, false},
    {"arith.minui %x0, %x1 : $0", integer_min_unsigned, NULL, 2, false},
    {"math.absi %x0 : $0", integer_absolute, NULL, 1, false},
    {"math.ctpop %x0 : $0", integer_ones, NULL, 1, false},
    {"math.ctlz %x0 : $0", integer_leading_zeros, NULL, 1, false},
    {"math.cttz %x0 : $0", integer_trailing_zeros, NULL, 1, false},
    {"arith.mului_extended %x0, %x1 : $0", integer_high_unsigned, NULL, 2, false},
    {"arith.mulsi_extended %x0, %x1 : $0", integer_high_signed, NULL, 2, false},
    {"arith.cmpi eq, %x0, %x1 : $0", integer_equal, NULL, 2, true},
    {"arith.cmpi slt, %x0, %x1 : $0", integer_less_signed, NULL, 2, true},
    {"arith.cmpi ult, %x0, %x1 : $0", integer_less_unsigned, NULL, 2, true},
    {"arith.cmpi sge, %x0, %x1 : $0", integer_not_less_signed, NULL, 2, true},
    {"arith.cmpi uge, %x0, %x1 : $0", integer_not_less_unsigned, NULL, 2, true},
    {"arith.addf %x0, %x1 : $0", NULL, real_add, 2, false},
    {"arith.subf %x0, %x1 : $0", NULL, real_subtract, 2, false},
    {"arith.mulf %x0, %x1 : $0", NULL, real_multiply, 2, false},
    {"math.fma %x0, %x1, %x2 : $0", NULL, real_fma, 3, false},
    {"arith.negf %x0 : $0", NULL, real_negate, 1, false},
    {"arith.maximumf %x0, %x1 : $0", NULL, real_maximum, 2, false},
    {"arith.minimumf %x0, %x1 : $0", NULL, real_minimum, 2, false},
    {"arith.maxnumf %x0, %x1 : $0", NULL, real_max_number, 2, false},
    {"arith.minnumf %x0, %x1 : $0", NULL, real_min_number, 2, false},
    {"arith.cmpf oeq, %x0, %x1 : $0", NULL, real_ordered_equal, 2, true},
    {"arith.cmpf olt, %x0, %x1 : $0", NULL, real_ordered_less, 2, true},
    {"arith.cmpf uno, %x0, %x1 : $0", NULL, real_unordered, 2, true},
    {"arith.cmpf une, %x0, %x1 : $0", NULL, real_unequal, 2, true},
    {"arith.cmpf uge, %x0, %x1 : $0", NULL, real_unordered_not_less, 2, true},
    {"math.isnan %x0 : $0", NULL, real_is_nan, 1, true},
    {"math.isinf %x0 : $0", NULL, real_is_infinite, 1, true},
    {"math.isfinite %x0 : $0", NULL, real_is_finite, 1, true},
};

/* --- References in the type ------------------------------------------------------------------- */

/* The sum of a and b rounded to odd in double, so that a further rounding is the only one. */
static double add_to_odd(double a, double b) {
  double sum = a + b, part = sum - a, lost = (a - (sum - part)) + (b - part);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (lost != 0 && !(bits & 1) && isfinite(sum))
    sum = nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
  return sum;
}

/* `value` rounded to f16 or bf16. */
static uint64_t encode_half(enum zoo_type type, double value) {
  const struct zoo_format *f = &zoo_formats[type];
  uint64_t sign = signbit(value) ? 0x8000 : 0, infinity = (uint64_t)(2 * f->bias + 1)
                                                          << f->fraction;
  if (isnan(value) || isinf(value))
    return isnan(value) ? 0x7FFF : sign | infinity;
  int exponent = 0, least = 1 - f->bias;
  frexp(value, &exponent);
  exponent = value == 0 || exponent - 1 < least ? least : exponent - 1;
  uint64_t steps = (uint64_t)rint(ldexp(fabs(value), f->fraction - exponent));
  uint64_t magnitude = ((uint64_t)(exponent - least) << f->fraction) + steps;
  return sign | (magnitude < infinity ? magnitude : infinity);
}

static uint64_t real_reference(const struct operation *operation, enum zoo_type type,
                               const uint64_t *bits) {
  double x[3];
  for (int k = 0; k < 3; k++)
    x[k] = zoo_decode(type, bits[k]);
  float_function *f = operation->real;
  if (operation->compares)
    return f(x[0], x[1], x[2]) != 0;
  bool sum = f == real_add || f == real_subtract, product = f == real_multiply,
       fused = f == real_fma;
  double b = f == real_subtract ? -x[1] : x[1], value;
  uint64_t result = 0;
  if (type == F64) {
    value = sum       ? x[0] + b
            : product ? x[0] * b
            : fused   ? fma(x[0], b, x[2])
                      : (double)f(x[0], b, x[2]);
    memcpy(&result, &value, sizeof value);
  } else if (type == F32) {
    float p = (float)x[0], q = (float)b;
    float narrow = sum       ? p + q
                   : product ? p * q
                   : fused   ? fmaf(p, q, (float)x[2])
                             : (float)f(p, q, 0);
    memcpy(&result, &narrow, sizeof narrow);
  } else {
    value = sum       ? add_to_odd(x[0], b)
            : product ? x[0] * b
            : fused   ? add_to_odd(x[0] * b, x[2])
                      : (double)f(x[0], b, x[2]);
    result = encode_half(type, value);
  }
  return result;
}

/* --- Rows ------------------------------------------------------------------------------------- */

static size_t check(const struct operation *operation, const struct zoo_kernel *kernel,
                    void *const *inputs, const void *out, size_t count, const char *device) {
  enum zoo_type type = kernel->inputs[0];
  unsigned width = type == I1 ? 1 : (unsigned)zoo_bytes[type] * 8;
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t x[3] = {0}, got = zoo_bits(out, kernel->result, i);
    for (int k = 0; k < kernel->count; k++)
      x[k] = zoo_bits(inputs[k], type, i);
    if (operation->integer && !is_defined(operation, width, x[1]))
      continue;
    uint64_t wanted = operation->integer ? operation->integer(width, x[0], x[1])
                                         : real_reference(operation, type, x);
    bool nans = !operation->integer && !operation->compares && isnan(zoo_decode(type, got)) &&
                isnan(zoo_decode(type, wanted));
    if (got != wanted && !nans && wrong++ == 0)
      zoo_fail("%s %s on %s: %#llx, %#llx, %#llx gave %#llx, not %#llx", operation->line,
               zoo_names[type], device, (unsigned long long)x[0], (unsigned long long)x[1],
               (unsigned long long)x[2], (unsigned long long)got, (unsigned long long)wanted);
  }
  return wrong;
}

static void run(const struct operation *operation, enum zoo_type type) {
  char line[96];
  bool high =
      operation->integer == integer_high_signed || operation->integer == integer_high_unsigned;
  snprintf(line, sizeof line, "%s = %s", high ? "%low, %y" : "%y", operation->line);
  struct zoo_kernel kernel = {
      {type, type, type}, operation->compares ? I1 : type, operation->operands, line, NULL};
  size_t count = 16384;
  void *inputs[3] = {zoo_allocate(count * 8), zoo_allocate(count * 8), zoo_allocate(count * 8)};
  void *out = zoo_allocate(count * 8);
  zoo_fill_tuples(inputs, &kernel, count);
  tile_device *devices[] = {zoo.emulator, zoo.cuda};
  for (int d = 0; d < 2; d++) {
    tile_module *module = devices[d] ? zoo_compile(devices[d], &kernel) : NULL;
    if (module && zoo_run(devices[d], module, &kernel, inputs, count, out)) {
      const char *device = d ? "cuda" : "emulator";
      size_t wrong = check(operation, &kernel, inputs, out, count, device);
      printf("%-36s %-5s %-9s %zu of %zu wrong\n", operation->line, zoo_names[type], device, wrong,
             count);
      zoo.rows++;
    }
    tile_module_unload(module);
  }
  for (int k = 0; k < 3; k++)
    free(inputs[k]);
  free(out);
}

int main(int argc, char **argv) {
  int code = zoo_start(argc, argv);
  if (code)
    return code - 1;
  static const enum zoo_type integers[] = {I8, I16, I32, I64}, floats[] = {F16, BF16, F32, F64};
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    for (int t = 0; t < 4; t++)
      if (zoo_wants(operations[i].line))
        run(&operations[i], operations[i].integer ? integers[t] : floats[t]);
  return zoo_finish();
}
