/* SPDX-License-Identifier: MIT */
/* The functions of the math dialect, f16, bf16, f32 and f64, against the C library at a higher
   precision (double for f32 and narrower, long double for f64): the greatest error over the whole
   range stays within the bound, special values are C's. */
#include "zoo.h"

struct function {
  const char *name, *line; /* "math.NAME", the line of the kernel */
  long double (*reference)(long double, long double);
  int operands;
  double narrow, wide, half; /* bounds in ulp for f32, f64 and f16/bf16; 0: not tested */
  unsigned flags;
  double limit;            /* greatest |x| of the domain; 0: all numbers */
  double (*quick)(double); /* the reference in double, for --full; NULL: use the other one */
};

enum {
  ABSOLUTE =
      4, /* the f32 bound is one on the absolute error up to 1 and relative beyond, in 2^-24 */
  RELATIVE = 8,       /* the f32 bound is a relative error, in units of 2^-24 */
  INTEGER_POWER = 32, /* the second operand is an i32 */
  POSITIVE = 16,      /* x > 0 */
  APPROXIMATE = 1,    /* uses an approximate instruction in f32: bits differ between devices */
  FLUSHES = 2         /* subnormal inputs and results may count as zero in f32 and bf16 */
};

#define REFERENCE1(name, expression)                                                               \
  static long double reference_##name(long double x, long double y) {                              \
    (void)y;                                                                                       \
    return expression;                                                                             \
  }
REFERENCE1(exp, expl(x))
REFERENCE1(exp2, exp2l(x))
REFERENCE1(expm1, expm1l(x))
REFERENCE1(sinh, sinhl(x))
REFERENCE1(cosh, coshl(x))
REFERENCE1(tanh, tanhl(x))
REFERENCE1(log, logl(x))
REFERENCE1(log2, log2l(x))
REFERENCE1(log10, log10l(x))
REFERENCE1(log1p, log1pl(x))
REFERENCE1(sin, sinl(x))
REFERENCE1(cos, cosl(x))
REFERENCE1(tan, tanl(x))
REFERENCE1(asin, asinl(x))
REFERENCE1(acos, acosl(x))
REFERENCE1(atan, atanl(x))
REFERENCE1(erf, erfl(x))
REFERENCE1(sqrt, sqrtl(x))
REFERENCE1(rsqrt, 1 / sqrtl(x))
REFERENCE1(cbrt, cbrtl(x))
REFERENCE1(round, roundl(x))
REFERENCE1(floor, floorl(x))
REFERENCE1(ceil, ceill(x))
REFERENCE1(trunc, truncl(x))
REFERENCE1(roundeven, rintl(x))
REFERENCE1(absf, fabsl(x))
REFERENCE1(atan2, atan2l(x, y))
REFERENCE1(powf, powl(x, y))
REFERENCE1(copysign, copysignl(x, y))
REFERENCE1(fmod, fmodl(x, y))
REFERENCE1(divide, x / y)

#define QUICK(name, expression)                                                                    \
  static double quick_##name(double x) {                                                           \
    return expression;                                                                             \
  }
QUICK(exp, exp(x))
QUICK(exp2, exp2(x))
QUICK(expm1, expm1(x))
QUICK(sinh, sinh(x))
QUICK(cosh, cosh(x))
QUICK(tanh, tanh(x))
QUICK(log, log(x))
QUICK(log2, log2(x))
QUICK(log10, log10(x))
QUICK(log1p, log1p(x))
QUICK(sin, sin(x))
QUICK(cos, cos(x))
QUICK(tan, tan(x))
QUICK(asin, asin(x))
QUICK(acos, acos(x))
QUICK(atan, atan(x))
QUICK(erf, erf(x))
QUICK(sqrt, sqrt(x))
QUICK(cbrt, cbrt(x))
QUICK(round, round(x))
QUICK(floor, floor(x))
QUICK(ceil, ceil(x))
QUICK(trunc, trunc(x))
QUICK(rsqrt, 1 / sqrt(x))
QUICK(roundeven, rint(x))
QUICK(absf, fabs(x))

#define UNARY(name, narrow, wide, half, flags)                                                     \
  {                                                                                                \
    "math." #name, "%y = math." #name " %x0 : $0", reference_##name, 1, narrow, wide, half, flags, \
        0, quick_##name                                                                            \
  }
#define BINARY(name, narrow, wide, half, flags)                                                    \
  {                                                                                                \
    "math." #name, "%y = math." #name " %x0, %x1 : $0", reference_##name, 2, narrow, wide, half,   \
        flags                                                                                      \
  }

#define FAST(name, bound, flags, limit)                                                            \
  {                                                                                                \
    "math." #name " fast", "%y = math." #name " %x0 fastmath<afn> : $0", reference_##name, 1,      \
        bound, 0, 0, APPROXIMATE | FLUSHES | (flags), limit                                        \
  }

/* The bounds of docs/numerics.md. */
static const struct function functions[] = {
    UNARY(exp, 4, 1.5, 0.51, APPROXIMATE | FLUSHES),
    UNARY(exp2, 2.5, 1.5, 0.51, APPROXIMATE | FLUSHES),
    UNARY(expm1, 2, 2, 0.51, 0),
    UNARY(sinh, 2, 2, 0.51, 0),
    UNARY(cosh, 2, 2, 0.51, 0),
    UNARY(tanh, 4, 3, 0.51, APPROXIMATE),
    UNARY(log, 1.5, 1.5, 0.51, 0),
    UNARY(log2, 2, 2, 0.51, 0),
    UNARY(log10, 2.5, 2, 0.51, 0),
    UNARY(log1p, 2, 2, 0.51, 0),
    UNARY(sin, 2.5, 2.5, 0.51, 0),
    UNARY(cos, 2.5, 2.5, 0.51, 0),
    UNARY(tan, 4.5, 4.5, 0.51, 0),
    UNARY(asin, 2.5, 2, 0.51, 0),
    UNARY(acos, 2, 2, 0.51, 0),
    UNARY(atan, 2, 2, 0.51, 0),
    UNARY(erf, 2, 2, 0.51, APPROXIMATE),
    UNARY(sqrt, 0.501, 0.501, 0.501, 0),
    UNARY(rsqrt, 2, 2, 0.51, APPROXIMATE | FLUSHES),
    UNARY(cbrt, 1, 1, 0.51, 0),
    UNARY(round, 0, 0, 0, 0),
    UNARY(floor, 0, 0, 0, 0),
    UNARY(ceil, 0, 0, 0, 0),
    UNARY(trunc, 0, 0, 0, 0),
    UNARY(roundeven, 0, 0, 0, 0),
    UNARY(absf, 0, 0, 0, 0),
    BINARY(atan2, 3, 3, 0.51, 0),
    BINARY(powf, 1.5, 1.5, 0.51, 0),
    BINARY(copysign, 0, 0, 0, 0),
    {"math.fpowi", "%y = math.fpowi %x0, %x1 : $0, $1", reference_powf, 2, 1.5, 1.5, 0.51,
     INTEGER_POWER},
    {"arith.remf", "%y = arith.remf %x0, %x1 : $0", reference_fmod, 2, 0, 0, 0, 0},
    {"arith.divf", "%y = arith.divf %x0, %x1 : $0", reference_divide, 2, 0.501, 0.501, 0.501, 0},
    {"arith.divf fast", "%y = arith.divf %x0, %x1 fastmath<arcp> : $0", reference_divide, 2, 2,
     0.501, 0.501, APPROXIMATE},
    {"math.sqrt fast", "%y = math.sqrt %x0 fastmath<afn> : $0", reference_sqrt, 1, 2, 0.501, 0.501,
     APPROXIMATE | FLUSHES},
    FAST(exp, 64, RELATIVE, 16),
    FAST(log, 4, ABSOLUTE | POSITIVE, 1e6),
    FAST(log2, 4, ABSOLUTE | POSITIVE, 2),
    FAST(log10, 4, ABSOLUTE | POSITIVE, 1e6),
    FAST(sin, 16, ABSOLUTE, 6.28),
    FAST(cos, 16, ABSOLUTE, 6.28),
    FAST(tan, 48, ABSOLUTE, 0.785),
    FAST(tanh, 8192, RELATIVE, 100),
};

/* --- Comparison ------------------------------------------------------------------------------- */

struct worst {
  long double error;
  double x, y;
  uint64_t got;
};

static long double flushed(enum zoo_type type, long double x) {
  return type <= F32 && type != F16 && fabsl(x) < 0x1p-126L ? copysignl(0, x) : x;
}

/* In ulp of the reference; an infinite error says that NaNs, zeros or signs do not match. */
static long double error_of(enum zoo_type type, long double got, long double wanted) {
  if (isnan(got) || isnan(wanted))
    return isnan(got) && isnan(wanted) ? 0 : INFINITY;
  if (wanted == 0 || isinf(wanted))
    return got == wanted && !signbit(got) == !signbit(wanted) ? 0 : INFINITY;
  long double end = zoo_infinity(type);
  if (isinf(got))
    got = copysignl(end, got);
  if (fabsl(wanted) > end)
    wanted = copysignl(end, wanted);
  return fabsl(got - wanted) / zoo_ulp(type, fabsl(wanted) < end ? wanted : end / 2);
}

/* Errors of the fast forms, whose results are good in another measure than ulp. */
static long double fast_error(const struct function *f, double x, double got) {
  if (!(fabs(x) <= f->limit) || (f->flags & POSITIVE && !(x > 0)))
    return 0;
  long double least = INFINITY;
  for (int flush = 0; flush < 2; flush++) {
    long double wanted = f->reference(flush ? flushed(F32, x) : (long double)x, 0);
    if (got == wanted)
      return 0;
    long double size = fabsl(wanted), error = fabsl(got - wanted) * 0x1p24L;
    if (error != 0)
      error /= f->flags & RELATIVE || size > 1 ? size : 1;
    least = error < least ? error : least;
  }
  return least;
}

static long double error_at(const struct function *f, enum zoo_type type, double x, double y,
                            double got) {
  if (f->flags & (ABSOLUTE | RELATIVE))
    return fast_error(f, x, got);
  long double wanted = f->reference(x, y), error = error_of(type, got, wanted);
  if (!(f->flags & FLUSHES) || type == F16 || type == F64 || error <= 0.5)
    return error;
  long double other = error_of(type, got, flushed(type, wanted));
  if (other < error)
    error = other;
  other = error_of(type, got, flushed(type, f->reference(flushed(type, x), flushed(type, y))));
  return other < error ? other : error;
}

struct job {
  const struct function *function;
  enum zoo_type type;
  void *const *inputs;
  const void *out;
  size_t from, to;
  struct worst worst;
};

/* The error of an f32 result by a double reference: where it is not above the worst so far,
   error_at is spared. The nearest number counts as 0. */
static double quick_error(float got, double wanted) {
  float nearest = (float)wanted, power;
  uint32_t bits;
  if (memcmp(&got, &nearest, sizeof got) == 0 || (isnan(got) && isnan(wanted)))
    return 0;
  memcpy(&bits, &nearest, sizeof bits);
  bits &= 0x7F800000;
  if (bits == 0x7F800000 || bits == 0 || !isfinite(got))
    return INFINITY;
  memcpy(&power, &bits, sizeof power);
  return fabs((double)got - wanted) / (double)power * 0x1p23 + 0.001;
}

static void *compare_range(void *data) {
  struct job *job = data;
  double (*quick)(double) = zoo.full ? job->function->quick : NULL;
  for (size_t i = job->from; i < job->to; i++) {
    double x = zoo_decode(job->type, zoo_bits(job->inputs[0], job->type, i)), y = 0;
    if (job->function->operands > 1)
      y = job->function->flags & INTEGER_POWER
              ? (double)(int32_t)zoo_bits(job->inputs[1], I32, i)
              : zoo_decode(job->type, zoo_bits(job->inputs[1], job->type, i));
    uint64_t bits = zoo_bits(job->out, job->type, i);
    if (quick && quick_error(((const float *)job->out)[i], quick(x)) <= (double)job->worst.error)
      continue;
    long double error = error_at(job->function, job->type, x, y, zoo_decode(job->type, bits));
    if (error > job->worst.error)
      job->worst = (struct worst){error, x, y, bits};
  }
  return NULL;
}

enum { MAX_THREADS = 64 };

static void compare_all(const struct function *f, enum zoo_type type, void *const *inputs,
                        const void *out, size_t count, struct worst *worst) {
  long processors = zoo.full ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
  size_t threads = processors < 1 ? 1 : processors > MAX_THREADS ? MAX_THREADS : (size_t)processors;
  struct job jobs[MAX_THREADS];
  pthread_t handles[MAX_THREADS];
  for (size_t t = 0; t < threads; t++) {
    jobs[t] =
        (struct job){f, type, inputs, out, count * t / threads, count * (t + 1) / threads, {0}};
    if (t > 0 && pthread_create(&handles[t], NULL, compare_range, &jobs[t]) != 0)
      exit(1);
  }
  compare_range(&jobs[0]);
  for (size_t t = 0; t < threads; t++) {
    if (t > 0)
      pthread_join(handles[t], NULL);
    if (jobs[t].worst.error > worst->error)
      *worst = jobs[t].worst;
  }
}

/* --- Rows ------------------------------------------------------------------------------------- */

static size_t different_bits(enum zoo_type type, const void *a, const void *b, size_t count) {
  size_t different = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t x = zoo_bits(a, type, i), y = zoo_bits(b, type, i);
    different += x != y && !(isnan(zoo_decode(type, x)) && isnan(zoo_decode(type, y)));
  }
  return different;
}

static double bound_of(const struct function *f, enum zoo_type type) {
  return type == F32 ? f->narrow : type == F64 ? f->wide : f->half;
}

static void report(const struct function *f, enum zoo_type type, const char *device,
                   const struct worst *worst, const char *note) {
  double bound = bound_of(f, type);
  const char *unit = f->flags & ABSOLUTE ? "2^-24" : f->flags & RELATIVE ? "2^-24 x" : "ulp";
  printf("%-16s %-5s %-9s %8.4f %s, bound %-6g at %a", f->name, zoo_names[type], device,
         (double)worst->error, unit, bound, worst->x);
  if (f->operands > 1)
    printf(", %a", worst->y);
  printf(" %s\n", note);
  zoo.rows++;
  if (!(worst->error <= bound))
    zoo_fail("%s %s on %s: %Lg ulp at %a, %a: got %a, wanted %La", f->name, zoo_names[type], device,
             worst->error, worst->x, worst->y, zoo_decode(type, worst->got),
             f->reference(worst->x, worst->y));
}

static void run_sample(const struct function *f, enum zoo_type type,
                       const struct zoo_kernel *kernel) {
  size_t count = f->operands > 1 ? 32768 : 65536;
  void *inputs[2] = {zoo_allocate(count * 8), zoo_allocate(count * 8)};
  void *outs[2] = {zoo_allocate(count * 8), zoo_allocate(count * 8)};
  if (f->operands > 1)
    zoo_fill_tuples(inputs, kernel, count);
  else
    zoo_fill(inputs[0], type, count, 0);
  tile_device *devices[] = {zoo.emulator, zoo.cuda};
  bool ran[2] = {false, false};
  for (int d = 0; d < 2; d++) {
    tile_module *module = devices[d] ? zoo_compile(devices[d], kernel) : NULL;
    ran[d] = module && zoo_run(devices[d], module, kernel, inputs, count, outs[d]);
    tile_module_unload(module);
    if (!ran[d])
      continue;
    struct worst worst = {0};
    compare_all(f, type, inputs, outs[d], count, &worst);
    size_t different = d == 1 && ran[0] ? different_bits(type, outs[0], outs[1], count) : 0;
    char note[64] = "";
    if (d == 1)
      snprintf(note, sizeof note, different ? "%zu bits differ" : "same bits", different);
    report(f, type, d ? "cuda" : "emulator", &worst, note);
    bool exact = !(f->flags & APPROXIMATE) || type == F64;
    if (exact && different)
      zoo_fail("%s %s: %zu of %zu results are not the emulator's", f->name, zoo_names[type],
               different, count);
  }
  for (int i = 0; i < 2; i++) {
    free(inputs[i]);
    free(outs[i]);
  }
}

/* Every f32 number. */
static void run_full(const struct function *f, const struct zoo_kernel *kernel) {
  enum { CHUNK = 1 << 24 };
  tile_device *device = zoo.cuda ? zoo.cuda : zoo.emulator;
  tile_module *module = zoo_compile(device, kernel);
  void *input = zoo_allocate((size_t)CHUNK * 4), *out = zoo_allocate((size_t)CHUNK * 4);
  struct worst worst = {0};
  for (uint64_t start = 0; module && start < UINT64_C(1) << 32; start += CHUNK) {
    for (size_t i = 0; i < CHUNK; i++)
      zoo_set_bits(input, F32, i, start + i);
    if (!zoo_run(device, module, kernel, &input, CHUNK, out))
      break;
    compare_all(f, F32, &input, out, CHUNK, &worst);
  }
  report(f, F32, zoo.cuda ? "cuda" : "emulator", &worst, "of all numbers");
  fflush(stdout);
  tile_module_unload(module);
  free(input);
  free(out);
}

int main(int argc, char **argv) {
  int code = zoo_start(argc, argv);
  if (code)
    return code - 1;
  static const enum zoo_type types[] = {F32, F64, F16, BF16};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
      const struct function *f = &functions[i];
      if (f->limit != 0 && types[t] != F32)
        continue;
      enum zoo_type second = f->flags & INTEGER_POWER ? I32 : types[t];
      struct zoo_kernel kernel = {{types[t], second}, types[t], f->operands, f->line, NULL};
      if (!zoo_wants(f->name))
        continue;
      if (!zoo.full)
        run_sample(f, types[t], &kernel);
      else if (types[t] == F32 && f->operands == 1)
        run_full(f, &kernel);
    }
  return zoo_finish();
}
