/* SPDX-License-Identifier: MIT */
/* What the families of kernel_norms share: a problem is one launch of one kernel of the Triton
   language, described parameter by parameter in the kernel's order, with what every output must be.

       struct problem *p = begin(suite, "softmax.py", "softmax_row_kernel", GRID(m, 1, 1), "plain");
       double *y = add_output(p, "out_ptr", type, m * stride);     expected values, to be filled in
       const double *x = add_input(p, "in_ptr", type, m * stride, fill_uniform, 2);
       add_integer(p, "in_stride", stride);
       add_constant(p, "BLOCK", "%d", block);
       finish(p);

   finish compiles the kernel for the device, launches it with each seed and compares. Outputs start
   as poison; an element whose expected value stays NaN must not be written. Inputs must not change,
   and all runs must give the same bits. An error is measured in units of what is allowed for an
   element:

       roundings * half an ulp of its type at the value + tolerance * scale */
#ifndef TILE_TEST_KERNEL_NORMS_SUITE_H
#define TILE_TEST_KERNEL_NORMS_SUITE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tile/compiler.h"

/* Names as signatures have them. */
enum type { F32, F16, BF16, E4M3, I64, I32, I8, I1, TYPES };
enum { FLOAT_TYPES = 3 }; /* those that every kernel is run with */
const char *type_name(enum type type);
size_t type_bytes(enum type type);
/* The distance from 1 to the next number, halved: the error of one rounding. */
double type_rounding(enum type type);
/* To nearest even; overflow of E4M3 saturates. */
void type_store(enum type type, void *data, size_t index, double value);
double type_load(enum type type, const void *data, size_t index);

/* One problem of a family: rows x columns, elements between rows that belong to none, warps. */
struct shape {
  int m, n, pad, warps;
  bool large; /* for GPUs only */
};

struct suite {
  tile_compiler *compiler;
  tile_device *device;
  bool is_gpu, all;    /* all: every type, shape and seed */
  const char *kernels; /* folder of the kernel files */
  const char *filter;  /* or NULL: cases whose line contains it */
  int part, parts;     /* cases whose number leaves `part` when divided by `parts` */
  int seeds;
  int passed, failed, cases, modules;
  /* The kernel compiled last, and what it was compiled from. */
  tile_module *module;
  char *module_key;
};

enum { MAX_PARAMETERS = 48, MAX_TEXT = 160 };

struct parameter {
  enum { POINTER, INTEGER, NUMBER, CONSTANT } kind;
  const char *name;    /* a literal */
  char text[MAX_TEXT]; /* of the signature */
  enum type type;
  size_t count;
  void *data;       /* POINTER: what it holds before the launch */
  double *before;   /* the same as numbers */
  double *expected; /* NULL: an input */
  double *scale;    /* NULL: 1 everywhere */
  double roundings; /* of the value in its type; 1 */
  double tolerance; /* 1e-6: some roundings in f32 */
  int32_t integer;
  float number;
};

struct problem {
  struct suite *suite;
  const char *file, *kernel;
  char label[MAX_TEXT];
  uint32_t grid[3];
  int warps;
  uint64_t random; /* state of the inputs' generator */
  struct parameter parameters[MAX_PARAMETERS];
  size_t count;
  bool any_order; /* sums depend on the order of programs: runs may differ in their last bits */
};

/* A problem; NULL when the filter leaves it out. The label comes with type and shape. */
struct problem *begin(struct suite *suite, const char *file, const char *kernel,
                      const uint32_t grid[3], const char *variant, enum type type,
                      const struct shape *shape);
#define GRID(...) ((const uint32_t[3]){__VA_ARGS__})

typedef double fill_function(struct problem *p, size_t index, double parameter);
fill_function fill_uniform; /* in [-parameter, parameter) */
fill_function fill_eighths; /* multiples of 1/8 below parameter: the same in every type */
fill_function fill_below;   /* integers in [0, parameter) */
fill_function fill_unit;    /* in [0, 1) */

/* An input's values, as the kernel sees them: rounded to the type. Borrowed from the problem. */
const double *add_input(struct problem *p, const char *name, enum type type, size_t count,
                        fill_function *fill, double parameter);
/* The same, or None and NULL where it is off. */
const double *add_input_if(struct problem *p, const char *name, bool on, enum type type,
                           size_t count, fill_function *fill, double parameter);
/* The same from values, which are rounded in place. */
void add_values(struct problem *p, const char *name, enum type type, size_t count, double *values);
/* The values that are expected; NaN where nothing was written to. */
double *add_output(struct problem *p, const char *name, enum type type, size_t count);
/* A parameter that is read and written: values in `before`. */
struct parameter *add_in_place(struct problem *p, const char *name, enum type type, size_t count,
                               fill_function *fill, double parameter);
void add_none(struct problem *p, const char *name);
void add_integer(struct problem *p, const char *name, int32_t value);
void add_number(struct problem *p, const char *name, float value);
void add_constant(struct problem *p, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void add_flag(struct problem *p, const char *name, bool value);
/* The parameter added last; and the scales of its errors, to be filled. */
struct parameter *latest(struct problem *p);
double *add_scale(struct problem *p, struct parameter *parameter);

/* Runs it, prints its line, and ends it. */
void finish(struct problem *p);

/* Calls `run` with the types and shapes of a family for each of its variants: all of them with
   --all, else one type and one small shape, which change from variant to variant. */
typedef void run_function(struct suite *suite, int variant, enum type type,
                          const struct shape *shape);
void for_each_case(struct suite *suite, int variants, const struct shape *shapes,
                   size_t shape_count, run_function *run);
#define FOR_EACH_CASE(suite, variants, shapes, run)                                                \
  for_each_case((suite), (variants), (shapes), sizeof(shapes) / sizeof *(shapes), (run))
/* A kernel without switches: a small shape for each type, and all of them with --all. */
#define FOR_EACH_TYPE(suite, shapes, run)                                                          \
  FOR_EACH_CASE((suite), (suite)->all ? 1 : FLOAT_TYPES, (shapes), (run))

int next_power_of_2(int n);
/* Philox-4x32 (Salmon et al. 2011), counter (offset, 0, 0, 0): four words. */
void philox(uint64_t seed, uint32_t offset, int rounds, uint32_t out[4]);
/* The number in [0, 1) that tl.rand makes of a word. */
float uniform_of(uint32_t word);

/* Whether a word of the list is in `words`, which are separated by spaces. */
bool has(const char *words, const char *word);

#define FAMILY(name) void run_##name(struct suite *suite);
#include "families.def"
#undef FAMILY

#endif
