/* SPDX-License-Identifier: MIT */
/* softmax.py: a row a program, and few programs that stride over the rows. */
#include "suite.h"

static const char *const variants[] = {"row", "persistent stages=1", "persistent stages=3"};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const struct shape shapes[] = {
    {3, 781, 0, 4},           {1, 3000, 8, 8},          {5, 1, 0, 1},      {1, 1, 3, 4},
    {33, 65, 0, 2},           {7, 512, 5, 4},           {19, 100, 28, 1},  {2, 1023, 1, 8},
    {64, 16, 0, 4},           {4, 333, 3, 16},          {1823, 781, 0, 4}, {9, 4097, 0, 8},
    {2048, 4096, 0, 8, true}, {20000, 781, 0, 4, true},
};

static void expect(const double *x, double *y, int m, int n, int stride) {
  for (int row = 0; row < m; row++, x += stride, y += stride) {
    double top = -INFINITY, total = 0;
    for (int i = 0; i < n; i++)
      top = fmax(top, x[i]);
    for (int i = 0; i < n; i++)
      total += y[i] = exp(x[i] - top);
    for (int i = 0; i < n; i++)
      y[i] /= total;
  }
}

static void softmax(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  int m = shape->m, n = shape->n, stride = n + shape->pad;
  bool persistent = variant > 0;
  uint32_t programs = (uint32_t)(persistent ? (m + 2) / 3 : m);
  const char *kernel = persistent ? "softmax_persistent_kernel" : "softmax_row_kernel";
  struct problem *p =
      begin(suite, "softmax.py", kernel, GRID(programs, 1, 1), variants[variant], type, shape);
  if (!p)
    return;
  size_t count = (size_t)m * (size_t)stride;
  double *y = add_output(p, "out_ptr", type, count);
  struct parameter *out = latest(p);
  /* eighths: their differences are exact in 16 bits too */
  const double *x = add_input(p, "in_ptr", type, count, fill_eighths, 8);
  expect(x, y, m, n, stride);
  /* relative; in 16 bits the exponentials, their sum and the quotient are rounded */
  double *scale = add_scale(p, out);
  out->tolerance = type == F32 ? 2e-6 : 6 * type_rounding(type);
  for (size_t i = 0; i < count; i++)
    scale[i] = y[i] + (type == F16 ? 0x1p-14 : 0);
  add_integer(p, "in_stride", stride);
  add_integer(p, "out_stride", stride);
  if (persistent)
    add_integer(p, "height", m);
  add_integer(p, "width", n);
  add_constant(p, "BLOCK", "%d", next_power_of_2(n));
  if (persistent)
    add_constant(p, "num_stages", "%d", variant == 1 ? 1 : 3);
  finish(p);
}

void run_softmax(struct suite *suite) {
  FOR_EACH_CASE(suite, VARIANTS, shapes, softmax);
}
