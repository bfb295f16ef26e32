/* SPDX-License-Identifier: MIT */
/* swiglu.py and gelu.py, forward and backward; the backward pass of SwiGLU is in place. */
#include "suite.h"

static const struct shape shapes[] = {
    {3, 781, 0, 4}, {1, 3000, 8, 8}, {5, 1, 0, 1},    {1, 1, 3, 4},
    {9, 65, 0, 2},  {4, 512, 5, 4},  {7, 100, 28, 1}, {2, 1023, 1, 8},
    {17, 33, 0, 4}, {3, 333, 3, 16}, {61, 781, 0, 4}, {512, 11008, 0, 8, true},
};

static double sigmoid(double x) {
  return 1 / (1 + exp(-x));
}

/* In 16 bits the gate and some products are rounded to the type. */
static double tolerance_of(enum type type, double roundings) {
  return type == F32 ? 3e-6 : roundings * type_rounding(type);
}

static void swiglu_forward(struct suite *suite, int variant, enum type type,
                           const struct shape *shape) {
  (void)variant;
  int stride = shape->n + shape->pad;
  struct problem *p = begin(suite, "swiglu.py", "swiglu_forward_kernel",
                            GRID((uint32_t)shape->m, 1, 1), "", type, shape);
  if (!p)
    return;
  size_t count = (size_t)shape->m * (size_t)stride;
  const double *a = add_input(p, "a_ptr", type, count, fill_uniform, 6);
  const double *b = add_input(p, "b_ptr", type, count, fill_uniform, 6);
  double *c = add_output(p, "c_ptr", type, count), *scale = add_scale(p, latest(p));
  latest(p)->tolerance = tolerance_of(type, 1.1);
  for (int r = 0; r < shape->m; r++)
    for (int i = 0; i < shape->n; i++) {
      size_t e = (size_t)r * (size_t)stride + (size_t)i;
      c[e] = a[e] * sigmoid(a[e]) * b[e];
      scale[e] = fabs(c[e]) + 1e-5;
      if (type == F16) /* a gate below 2^-14 is rounded as if it were 2^-14 */
        scale[e] += 0x1p-14 * fabs(b[e]);
    }
  add_integer(p, "stride", stride);
  add_constant(p, "n_cols", "%d", shape->n);
  add_constant(p, "BLOCK", "%d", next_power_of_2(shape->n));
  finish(p);
}

static void swiglu_backward(struct suite *suite, int variant, enum type type,
                            const struct shape *shape) {
  (void)variant;
  int stride = shape->n + shape->pad;
  struct problem *p = begin(suite, "swiglu.py", "swiglu_backward_kernel",
                            GRID((uint32_t)shape->m, 1, 1), "", type, shape);
  if (!p)
    return;
  size_t count = (size_t)shape->m * (size_t)stride;
  const double *dc = add_input(p, "dc_ptr", type, count, fill_uniform, 2);
  struct parameter *a = add_in_place(p, "a_ptr", type, count, fill_uniform, 6);
  struct parameter *b = add_in_place(p, "b_ptr", type, count, fill_uniform, 6);
  double *a_scale = add_scale(p, a), *b_scale = add_scale(p, b);
  a->tolerance = b->tolerance = tolerance_of(type, 2);
  for (int r = 0; r < shape->m; r++)
    for (int i = 0; i < shape->n; i++) {
      size_t e = (size_t)r * (size_t)stride + (size_t)i;
      double x = a->before[e], gate = sigmoid(x), s = x * gate;
      a->expected[e] = dc[e] * (s * (1 - gate) + gate) * b->before[e];
      b->expected[e] = dc[e] * s;
      a_scale[e] = fabs(dc[e] * b->before[e]) * (fabs(s) * (1 - gate) + gate) + 1e-5;
      b_scale[e] = fabs(b->expected[e]) + 1e-5;
    }
  add_integer(p, "stride", stride);
  add_constant(p, "n_cols", "%d", shape->n);
  add_constant(p, "BLOCK", "%d", next_power_of_2(shape->n));
  finish(p);
}

/* --- GELU ------------------------------------------------------------------------------------- */

/* Phi, the share of x that passes, and its derivative. */
static double share(double x, bool tanh_form, double *slope) {
  double k = sqrt(2 / acos(-1)), u = k * (x + 0.044715 * x * x * x);
  if (tanh_form) {
    double t = tanh(u);
    *slope = 0.5 * (1 - t * t) * k * (1 + 3 * 0.044715 * x * x);
    return 0.5 * (1 + t);
  }
  *slope = exp(-x * x / 2) * k / 2;
  return 0.5 * erfc(-x / sqrt(2));
}

static void gelu_of(struct suite *suite, bool backward, bool tanh_form, enum type type,
                    const struct shape *shape) {
  enum { BLOCK = 512 };
  size_t n = (size_t)shape->m * (size_t)shape->n;
  struct problem *p = begin(
      suite, "gelu.py", backward ? "gelu_backward_kernel" : "gelu_forward_kernel",
      GRID((uint32_t)((n + BLOCK - 1) / BLOCK), 1, 1), tanh_form ? "tanh" : "erf", type, shape);
  if (!p)
    return;
  const double *dy = backward ? add_input(p, "dy_ptr", type, n, fill_uniform, 2) : NULL;
  const double *x = add_input(p, "x_ptr", type, n, fill_uniform, 6), *d = dy;
  double *out = add_output(p, backward ? "dx_ptr" : "y_ptr", type, n),
         *scale = add_scale(p, latest(p));
  latest(p)->tolerance = 3e-6;
  for (size_t i = 0; i < n; i++) {
    double slope, phi = share(x[i], tanh_form, &slope);
    out[i] = backward ? d[i] * (phi + x[i] * slope) : x[i] * phi;
    scale[i] = (fabs(x[i]) + 1) * (backward ? fabs(d[i]) * 2 : 1);
  }
  add_integer(p, "n", (int32_t)n);
  add_flag(p, "TANH", tanh_form);
  add_constant(p, "BLOCK", "%d", BLOCK);
  finish(p);
}

static void gelu_forward(struct suite *suite, int variant, enum type type,
                         const struct shape *shape) {
  gelu_of(suite, false, variant, type, shape);
}

static void gelu_backward(struct suite *suite, int variant, enum type type,
                          const struct shape *shape) {
  gelu_of(suite, true, variant, type, shape);
}

void run_activations(struct suite *suite) {
  FOR_EACH_TYPE(suite, shapes, swiglu_forward);
  FOR_EACH_TYPE(suite, shapes, swiglu_backward);
  FOR_EACH_CASE(suite, 2, shapes, gelu_forward);
  FOR_EACH_CASE(suite, 2, shapes, gelu_backward);
}
