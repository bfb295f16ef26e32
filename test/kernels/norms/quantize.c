/* SPDX-License-Identifier: MIT */
/* quantize.py: rows and groups to 8 bits and back. A quotient may lie next to a half: a quantised
   number is compared with the quotient, and half a step of distance is allowed. */
#include "suite.h"

static const struct shape shapes[] = {
    {3, 781, 0, 4},  {1, 3000, 8, 8},          {5, 1, 0, 1},    {1, 1, 3, 4},
    {9, 65, 0, 2},   {4, 512, 5, 4},           {7, 100, 28, 1}, {2, 1023, 1, 8},
    {17, 33, 0, 4},  {3, 333, 3, 16},          {61, 781, 0, 4}, {13, 24, 0, 2},
    {2, 1536, 0, 8}, {1024, 4096, 0, 8, true},
};

static double fill_byte(struct problem *p, size_t index, double parameter) {
  (void)parameter;
  return fill_below(p, index, 256) - 128;
}

/* An output of quotients, off by `off` at most. */
static double *add_steps(struct problem *p, const char *name, enum type type, size_t count,
                         double off) {
  double *values = add_output(p, name, type, count);
  latest(p)->tolerance = off;
  return values;
}

static double largest_of(const double *x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(x[i]));
  return most;
}

static void symmetric(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  (void)variant;
  int m = shape->m, n = shape->n, stride = n + shape->pad;
  struct problem *p =
      begin(suite, "quantize.py", "quantize_row_kernel", GRID((uint32_t)m, 1, 1), "", type, shape);
  if (!p)
    return;
  const double *x = add_input(p, "x_ptr", type, (size_t)m * (size_t)stride, fill_uniform, 5);
  double *q = add_steps(p, "q_ptr", I8, (size_t)m * (size_t)n, 0.5001);
  double *scale = add_output(p, "scale_ptr", F32, (size_t)m);
  for (int r = 0; r < m; r++) {
    const double *row = x + (size_t)r * (size_t)stride;
    double largest = fmax(largest_of(row, n), 1e-10);
    scale[r] = largest / 127;
    for (int i = 0; i < n; i++)
      q[(size_t)r * (size_t)n + (size_t)i] = row[i] * 127 / largest;
  }
  add_integer(p, "stride_xm", stride);
  add_integer(p, "stride_qm", n);
  add_integer(p, "N", n);
  add_constant(p, "BLOCK", "%d", next_power_of_2(n));
  finish(p);
}

static void asymmetric(struct suite *suite, int variant, enum type type,
                       const struct shape *shape) {
  (void)variant;
  int m = shape->m, n = shape->n, stride = n + shape->pad;
  if (n == 1)
    return; /* one column has no range */
  struct problem *p = begin(suite, "quantize.py", "quantize_asymmetric_kernel",
                            GRID((uint32_t)m, 1, 1), "", type, shape);
  if (!p)
    return;
  size_t count = (size_t)m * (size_t)stride;
  const double *x = add_input(p, "x_ptr", type, count, fill_uniform, 5);
  double *q = add_steps(p, "q_ptr", I8, count, 1.001); /* the zero point is rounded too */
  double *scale = add_output(p, "scale_ptr", F32, (size_t)m);
  double *zero = add_steps(p, "zero_ptr", I32, (size_t)m, 0.501);
  for (int r = 0; r < m; r++) {
    size_t at = (size_t)r * (size_t)stride;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < n; i++)
      low = fmin(low, x[at + (size_t)i]), high = fmax(high, x[at + (size_t)i]);
    scale[r] = (high - low) / 255;
    zero[r] = -128 - low / scale[r];
    for (int i = 0; i < n; i++)
      q[at + (size_t)i] = x[at + (size_t)i] / scale[r] + zero[r];
  }
  add_integer(p, "stride", stride);
  add_integer(p, "N", n);
  add_constant(p, "BLOCK", "%d", next_power_of_2(n));
  finish(p);
}

static void dequantize(struct suite *suite, int variant, enum type type,
                       const struct shape *shape) {
  (void)variant;
  int m = shape->m, n = shape->n, stride = n + shape->pad;
  struct problem *p = begin(suite, "quantize.py", "dequantize_row_kernel", GRID((uint32_t)m, 1, 1),
                            "", type, shape);
  if (!p)
    return;
  const double *q = add_input(p, "q_ptr", I8, (size_t)m * (size_t)n, fill_byte, 0);
  const double *scale = add_input(p, "scale_ptr", F32, (size_t)m, fill_unit, 0);
  double *out = add_output(p, "out_ptr", type, (size_t)m * (size_t)stride);
  latest(p)->tolerance = 1e-5; /* products of 8 by 24 bits are rounded once */
  for (int r = 0; r < m; r++)
    for (int i = 0; i < n; i++)
      out[(size_t)r * (size_t)stride + (size_t)i] = q[(size_t)r * (size_t)n + (size_t)i] * scale[r];
  add_integer(p, "stride_qm", n);
  add_integer(p, "stride_om", stride);
  add_integer(p, "N", n);
  add_constant(p, "BLOCK", "%d", next_power_of_2(n));
  finish(p);
}

/* To i8, where the quotient is cut off, and to fp8, where it is rounded. */
static void groups(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  bool fp8 = variant == 1;
  int m = shape->m, n = shape->n;
  float highest = fp8 ? 448 : 127;
  struct problem *p = begin(suite, "quantize.py", "quantize_group_kernel", GRID((uint32_t)m, 1, 1),
                            fp8 ? "fp8" : "i8", type, shape);
  if (!p)
    return;
  size_t count = (size_t)m * (size_t)n;
  const double *x = add_input(p, "x_ptr", type, count, fill_uniform, 5);
  double *q = add_steps(p, "q_ptr", fp8 ? E4M3 : I8, count, fp8 ? 0x1p-10 : 1.0001);
  if (fp8)
    latest(p)->roundings = 1.001; /* the quotient next to a half */
  double *scale = add_output(p, "s_ptr", F32, (size_t)m);
  for (int r = 0; r < m; r++) {
    scale[r] = fmax(largest_of(x + r * n, n), 1e-10) / (double)highest;
    for (int i = 0; i < n; i++)
      q[r * n + i] = x[r * n + i] / scale[r];
  }
  add_integer(p, "group_size", n);
  add_number(p, "eps", 1e-10f);
  add_number(p, "lowest", -highest);
  add_number(p, "highest", highest);
  add_constant(p, "BLOCK", "%d", next_power_of_2(n));
  finish(p);
}

void run_quantize(struct suite *suite) {
  FOR_EACH_TYPE(suite, shapes, symmetric);
  FOR_EACH_TYPE(suite, shapes, asymmetric);
  FOR_EACH_TYPE(suite, shapes, dequantize);
  FOR_EACH_CASE(suite, 2, shapes, groups);
}
