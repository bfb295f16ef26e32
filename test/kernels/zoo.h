/* SPDX-License-Identifier: MIT */
/* The elementwise zoo: what its programs (zoo_*.c) share.

   One program per family of operations; each compiles its own kernels, made from a line of MLIR,
   runs them on the emulator and, where there is one, on a GPU, and compares every element with a
   reference on the host. It prints one row per operation and type: the greatest error in units of
   the last place (ulp), the bound that docs/numerics.md states, and whether the GPU gave the
   emulator's bits.

     kernel_zoo_math [--device emulator|cuda] [--full] [WORD]

   --device cuda fails without a GPU. --full runs every f32 number through each function of one f32,
   on the GPU or, patiently, on the emulator. WORD picks the rows whose name contains it. */
#ifndef TILE_TEST_KERNEL_ZOO_H
#define TILE_TEST_KERNEL_ZOO_H

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tile/compiler.h"

/* --- Types ------------------------------------------------------------------------------------ */

enum zoo_type { F16, BF16, F32, F64, E4M3, E5M2, E4M3Z, E5M2Z, I1, I8, I16, I32, I64, ZOO_TYPES };
static const char *const zoo_names[ZOO_TYPES] = {
    "f16",        "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ",
    "f8E5M2FNUZ", "i1",   "i8",  "i16", "i32",      "i64"};
static const size_t zoo_bytes[ZOO_TYPES] = {2, 2, 4, 8, 1, 1, 1, 1, 1, 1, 2, 4, 8};

/* A binary float format of at most 64 bits. */
struct zoo_format {
  int fraction, bias;
  bool fnuz, finite; /* finite: no infinities, only one NaN a sign */
};
static const struct zoo_format zoo_formats[] = {{10, 15, false, false},  {7, 127, false, false},
                                                {23, 127, false, false}, {52, 1023, false, false},
                                                {3, 7, false, true},     {2, 15, false, false},
                                                {3, 8, true, true},      {2, 16, true, true}};

static inline uint64_t zoo_bits(const void *array, enum zoo_type type, size_t i) {
  uint64_t bits = 0;
  memcpy(&bits, (const char *)array + i * zoo_bytes[type], zoo_bytes[type]);
  return bits;
}

static inline void zoo_set_bits(void *array, enum zoo_type type, size_t i, uint64_t bits) {
  memcpy((char *)array + i * zoo_bytes[type], &bits, zoo_bytes[type]);
}

/* The number that the bits stand for; exact. */
static inline double zoo_decode(enum zoo_type type, uint64_t bits) {
  if (type == F64 || type == F32) {
    double wide;
    float narrow;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &bits, sizeof narrow);
    return type == F64 ? wide : (double)narrow;
  }
  const struct zoo_format *f = &zoo_formats[type];
  unsigned width = (unsigned)zoo_bytes[type] * 8;
  uint64_t sign = bits >> (width - 1), magnitude = bits & ((UINT64_C(1) << (width - 1)) - 1);
  uint64_t exponent = magnitude >> f->fraction,
           most = (UINT64_C(1) << (width - 1 - f->fraction)) - 1;
  uint64_t fraction = magnitude & ((UINT64_C(1) << f->fraction) - 1);
  if (f->fnuz ? sign && !magnitude
              : exponent == most &&
                    (f->finite ? fraction + 1 == UINT64_C(1) << f->fraction : fraction != 0))
    return sign && !f->fnuz ? -NAN : NAN;
  double value = exponent == most && !f->finite ? INFINITY
                 : exponent ? ldexp((double)(fraction | UINT64_C(1) << f->fraction),
                                    (int)exponent - f->bias - f->fraction)
                            : ldexp((double)fraction, 1 - f->bias - f->fraction);
  return sign ? -value : value;
}

/* The distance of numbers around `value` in the type. */
static inline long double zoo_ulp(enum zoo_type type, long double value) {
  const struct zoo_format *f = &zoo_formats[type];
  int exponent = 0, least = 1 - f->bias;
  if (value != 0)
    frexpl(value, &exponent);
  exponent -= 1;
  return ldexpl(1, (value == 0 || exponent < least ? least : exponent) - f->fraction);
}

/* 2 to the exponent after the greatest: what infinity counts as. */
static inline long double zoo_infinity(enum zoo_type type) {
  static const int exponents[] = {16, 128, 128, 1024};
  return ldexpl(1, exponents[type]);
}

/* --- Devices and kernels ---------------------------------------------------------------------- */

static struct {
  tile_device *emulator, *cuda;
  tile_compiler *compiler;
  const char *word;
  bool full;
  int failures, rows;
} zoo;

static inline void zoo_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline void zoo_fail(const char *format, ...) {
  va_list list;
  va_start(list, format);
  printf("FAILED ");
  vprintf(format, list);
  printf("\n");
  va_end(list);
  zoo.failures++;
}

static inline bool zoo_ok(tile_status status, const char *what) {
  if (status)
    zoo_fail("%s: %s", what, tile_status_message(status));
  bool ok = status == NULL;
  tile_status_free(status);
  return ok;
}

enum { ZOO_TILE = 1024, ZOO_MAX_INPUTS = 3 };

/* A kernel `zoo` over tiles of 1024 elements. `line` computes %y from %x0, %x1, ..; every $0, $1,
   .. in it becomes the tensor type of that input and $r that of the result. */
struct zoo_kernel {
  enum zoo_type inputs[ZOO_MAX_INPUTS], result;
  int count;
  const char *line;
  const char *target; /* NULL: the device's; on the emulator the oldest */
};

struct zoo_text {
  char text[16384];
  size_t length;
};

static inline void zoo_print(struct zoo_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void zoo_print(struct zoo_text *out, const char *format, ...) {
  va_list list;
  va_start(list, format);
  out->length +=
      (size_t)vsnprintf(out->text + out->length, sizeof out->text - out->length, format, list);
  va_end(list);
}

static inline void zoo_pointer(struct zoo_text *out, const char *name, enum zoo_type type) {
  const char *t = zoo_names[type];
  zoo_print(out, "  %%s%s = \"tile.splat\"(%%%s) : (!tile.ptr<%s>) -> tensor<1024x!tile.ptr<%s>>\n",
            name, name, t, t);
  zoo_print(
      out,
      "  %%p%s = \"tile.addptr\"(%%s%s, %%o) : (tensor<1024x!tile.ptr<%s>>, tensor<1024xi32>) -> "
      "tensor<1024x!tile.ptr<%s>>\n",
      name, name, t, t);
}

static inline void zoo_write_kernel(struct zoo_text *out, const struct zoo_kernel *kernel) {
  zoo_print(out, "func.func @zoo(");
  for (int i = 0; i < kernel->count; i++)
    zoo_print(out, "%%a%d: !tile.ptr<%s> {tile.divisibility = 16 : i32}, ", i,
              zoo_names[kernel->inputs[i]]);
  zoo_print(
      out,
      "%%out: !tile.ptr<%s> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {\n"
      "  %%c = arith.constant 1024 : i32\n"
      "  %%pid = \"tile.program_id\"() {axis = 0 : i32} : () -> i32\n"
      "  %%start = arith.muli %%pid, %%c : i32\n"
      "  %%starts = \"tile.splat\"(%%start) : (i32) -> tensor<1024xi32>\n"
      "  %%r = \"tile.range\"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>\n"
      "  %%o = arith.addi %%starts, %%r : tensor<1024xi32>\n",
      zoo_names[kernel->result]);
  for (int i = 0; i < kernel->count; i++) {
    const char *t = zoo_names[kernel->inputs[i]];
    char name[16];
    snprintf(name, sizeof name, "a%d", i);
    zoo_pointer(out, name, kernel->inputs[i]);
    zoo_print(out,
              "  %%x%d = \"tile.load\"(%%pa%d) {operandSegmentSizes = array<i32: 1, 0, 0>} : "
              "(tensor<1024x!tile.ptr<%s>>) -> tensor<1024x%s>\n",
              i, i, t, t);
  }
  zoo_print(out, "  ");
  for (const char *c = kernel->line; *c; c++)
    if (*c == '$' && (c[1] == 'r' || (c[1] >= '0' && c[1] <= '2')))
      c++, zoo_print(out, "tensor<1024x%s>",
                     zoo_names[*c == 'r' ? kernel->result : kernel->inputs[*c - '0']]);
    else
      zoo_print(out, "%c", *c);
  zoo_print(out, "\n");
  zoo_pointer(out, "out", kernel->result);
  zoo_print(out,
            "  \"tile.store\"(%%pout, %%y) : (tensor<1024x!tile.ptr<%s>>, tensor<1024x%s>) -> ()\n"
            "  return\n}\n",
            zoo_names[kernel->result], zoo_names[kernel->result]);
}

static inline tile_module *zoo_compile(tile_device *device, const struct zoo_kernel *kernel) {
  static struct zoo_text text;
  text.length = 0;
  zoo_write_kernel(&text, kernel);
  tile_compile_options options = tile_compile_options_default();
  tile_module *module = NULL;
  if (device == zoo.emulator && !zoo.full) { /* the oldest target must select it too */
    tile_blob ptx = {0};
    options.target = "sm_80";
    if (!zoo_ok(tile_compile(zoo.compiler, "zoo.mlir", text.text, text.length, &options,
                             TILE_OUTPUT_PTX, &ptx),
                kernel->line))
      return NULL;
    free(ptx.data);
  }
  if (kernel->target)
    options.target = kernel->target;
  if (!zoo_ok(tile_compile_for_device(zoo.compiler, "zoo.mlir", text.text, text.length, &options,
                                      device, &module),
              kernel->line))
    return NULL;
  return module;
}

/* Runs `count` elements (a multiple of 1024). */
static inline bool zoo_run(tile_device *device, tile_module *module,
                           const struct zoo_kernel *kernel, void *const *inputs, size_t count,
                           void *out) {
  tile_buffer *buffers[ZOO_MAX_INPUTS + 1] = {0};
  tile_argument arguments[ZOO_MAX_INPUTS + 1];
  tile_kernel *handle;
  tile_status status = tile_module_kernel(module, "zoo", &handle);
  for (int i = 0; i <= kernel->count && !status; i++) {
    enum zoo_type type = i < kernel->count ? kernel->inputs[i] : kernel->result;
    size_t bytes = count * zoo_bytes[type];
    status = tile_buffer_create(device, bytes, &buffers[i]);
    if (!status)
      status = tile_buffer_write(buffers[i], 0, i < kernel->count ? inputs[i] : out, bytes, NULL);
    if (!status)
      arguments[i] = tile_argument_buffer(buffers[i]);
  }
  uint32_t grid[3] = {(uint32_t)(count / ZOO_TILE), 1, 1};
  if (!status)
    status = tile_launch(handle, grid, NULL, arguments, (size_t)kernel->count + 1);
  if (!status)
    status =
        tile_buffer_read(buffers[kernel->count], 0, out, count * zoo_bytes[kernel->result], NULL);
  for (int i = 0; i <= kernel->count; i++)
    tile_buffer_destroy(buffers[i]);
  return zoo_ok(status, kernel->line);
}

/* --- Inputs ----------------------------------------------------------------------------------- */

static inline void *zoo_allocate(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    exit(1);
  return memset(memory, 0xCB, bytes);
}

static inline uint64_t zoo_random(uint64_t *state) {
  *state += 0x9E3779B97F4A7C15u; /* SplitMix64 */
  uint64_t z = *state;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

/* Bits worth trying in every operand: zeros, ends of ranges, small integers and halves, NaNs,
 * powers of two. */
static inline size_t zoo_specials(enum zoo_type type, uint64_t *bits) {
  size_t count = 0;
  unsigned width = (unsigned)zoo_bytes[type] * 8;
  uint64_t sign = UINT64_C(1) << (width - 1);
  if (type == I1) {
    bits[count++] = 0, bits[count++] = 1;
    return count;
  }
  if (type >= I8) {
    static const int64_t values[] = {
        0, 1, 2, 3, 5, 7, 10, 31, 63, 64, 100, 127, 0x1010001, 0x2030001, 0x102fffffffffefd};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      bits[count++] = (uint64_t)values[i];
      bits[count++] = (uint64_t)-values[i];
      bits[count++] = sign + (uint64_t)values[i];
    }
    return count;
  }
  const struct zoo_format *f = &zoo_formats[type];
  uint64_t one = (uint64_t)f->bias << f->fraction, unit = UINT64_C(1) << f->fraction;
  uint64_t most = (sign - 1) / unit * unit; /* infinity, where there is one */
  uint64_t values[] = {0,
                       1,
                       2,
                       unit - 1,
                       unit,
                       unit + 1,
                       one,
                       one - 1,
                       one + 1,
                       one + unit,
                       one + unit / 2,
                       one - unit,
                       most,
                       most - 1,
                       most + 1,
                       sign - 1,
                       one + 2 * unit,
                       one + 3 * unit / 2,
                       unit * 2,
                       most - unit,
                       one - unit - 1,
                       one - unit + 1,
                       most + unit / 2,
                       one + 5 * unit};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    bits[count++] = values[i] & (sign * 2 - 1);
    bits[count++] = (values[i] | sign) & (sign * 2 - 1);
  }
  return count;
}

/* All 2^8 or 2^16 bits; of wider types the specials, then steps through all bits, coprime with 2.
 */
static inline size_t zoo_count(enum zoo_type type) {
  return zoo_bytes[type] == 1 ? 1024 : zoo_bytes[type] == 2 ? 65536 : 16384;
}

static inline void zoo_fill(void *array, enum zoo_type type, size_t count, uint64_t start) {
  uint64_t specials[128];
  size_t special = zoo_specials(type, specials);
  unsigned width = (unsigned)zoo_bytes[type] * 8;
  uint64_t step = width <= 16   ? 1
                  : width == 32 ? (UINT64_C(1) << 32) / count | 1
                                : (UINT64_MAX / count) | 1;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = start + i * step;
    if (width > 16 && i < special)
      bits = specials[i];
    zoo_set_bits(array, type, i, type == I1 ? bits & 1 : bits);
  }
}

/* Pairs: all pairs of specials first, then random bits; every other number of moderate size,
   because most random exponents are far apart. */
static inline void zoo_fill_tuples(void *const *arrays, const struct zoo_kernel *kernel,
                                   size_t count) {
  uint64_t specials[ZOO_MAX_INPUTS][128], state = 1;
  size_t counts[ZOO_MAX_INPUTS];
  for (int k = 0; k < kernel->count; k++)
    counts[k] = zoo_specials(kernel->inputs[k], specials[k]);
  for (size_t i = 0; i < count; i++) {
    size_t rest = i;
    bool special =
        kernel->count < 3 ? i < counts[0] * (kernel->count > 1 ? counts[1] : 1) : i % 4 == 0;
    for (int k = 0; k < kernel->count; k++) {
      enum zoo_type type = kernel->inputs[k];
      uint64_t bits = zoo_random(&state);
      if (special && kernel->count < 3)
        bits = specials[k][rest % counts[k]], rest /= counts[k];
      else if (special)
        bits = specials[k][bits % counts[k]];
      else if (i % 2 && type >= I8)
        bits = bits % 41 - 20;
      else if (i % 2 && type < E4M3) {
        const struct zoo_format *f = &zoo_formats[type];
        uint64_t exponent = (uint64_t)(f->bias - 6) + bits % 13, sign = bits >> 63;
        uint64_t mask = (UINT64_C(1) << f->fraction) - 1;
        bits = (bits >> 8 & mask) | exponent << f->fraction | sign << (zoo_bytes[type] * 8 - 1);
      }
      zoo_set_bits(arrays[k], type, i, type == I1 ? bits & 1 : bits);
    }
  }
}

/* --- The program ------------------------------------------------------------------------------ */

static inline bool zoo_wants(const char *name) {
  return !zoo.word || strstr(name, zoo.word);
}

/* 0 to go on, else the exit code plus 1. */
static inline int zoo_start(int argc, char **argv) {
  const char *device = NULL;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--device") == 0 && i + 1 < argc)
      device = argv[++i];
    else if (strcmp(argv[i], "--full") == 0)
      zoo.full = true;
    else
      zoo.word = argv[i];
  }
  if (!zoo_ok(tile_compiler_create(&zoo.compiler), "tile_compiler_create") ||
      !zoo_ok(tile_device_open(tile_emulator_driver(), 0, &zoo.emulator), "the emulator"))
    return 2;
  if (device && strcmp(device, "emulator") == 0)
    return 0;
  tile_status status = tile_device_open(tile_cuda_driver(), 0, &zoo.cuda);
  if (tile_status_code(status) == TILE_NO_DEVICE && !device) {
    printf("skipped: cuda: %s\n", tile_status_message(status));
    tile_status_free(status);
    return 0;
  }
  if (!zoo_ok(status, "cuda"))
    return 2;
  printf("on %s:\n", tile_device_get_properties(zoo.cuda)->name);
  return 0;
}

static inline int zoo_finish(void) {
  tile_device_close(zoo.cuda);
  tile_device_close(zoo.emulator);
  tile_compiler_destroy(zoo.compiler);
  if (zoo.rows == 0)
    zoo_fail("no row has this name");
  printf("%d passed, %d failed\n", zoo.rows - zoo.failures, zoo.failures);
  return zoo.failures != 0;
}

#endif
