/* SPDX-License-Identifier: MIT */
/* cross_entropy.py: the loss of each row and, over the logits, their gradient, with every switch;
   and the rows scaled by the gradient of the loss. */
#include <stdlib.h>
#include "suite.h"

static const char *const variants[] = {
    "mean gradient",
    "sum gradient",
    "mean",
    "mean gradient smoothing",
    "mean gradient weight",
    "sum gradient weight smoothing",
    "mean gradient softcap",
    "mean gradient z",
    "mean gradient weight smoothing z softcap",
    "sum weight smoothing z softcap",
};
enum { VARIANTS = sizeof variants / sizeof *variants, IGNORE = -100 };

static const struct shape shapes[] = {
    {3, 781, 0, 4}, {2, 3000, 8, 8}, {5, 1, 0, 1},    {1, 1, 3, 4},
    {9, 65, 0, 2},  {4, 512, 5, 4},  {6, 100, 28, 1}, {2, 1023, 1, 8},
    {17, 33, 0, 4}, {3, 333, 3, 16}, {61, 781, 0, 4}, {256, 32000, 0, 8, true},
};

#define SMOOTHING 0.125
#define Z_SCALE 0.0625
#define SOFTCAP 5.0f

struct loss {
  const char *on;
  int n;
  double smoothing, z_scale, counted, counted_weight, weight_sum, softcap;
  const double *weight;
};

/* The gradient of element i of a row whose softmax is `p` there, and the magnitudes it is made of.
 */
static double gradient(const struct loss *l, int i, int y, double p, double lse, double *scale) {
  double eps = l->smoothing / l->n, hit = i == y ? 1 - l->smoothing : 0, mean = has(l->on, "mean");
  double z = 2 * l->z_scale * lse * p, z_size = fabs(z);
  if (!l->weight) {
    double by = mean ? l->counted : 1;
    *scale = (p + z_size + eps + hit) / by;
    return (p + z - eps - hit) / by;
  }
  double by = mean ? l->counted_weight : 1, w = l->weight[i], w_y = l->weight[y];
  double hard = ((1 - l->smoothing) * p - hit) * w_y, soft = eps * (p * l->weight_sum - w);
  *scale = (((1 - l->smoothing) * p + hit) * w_y + eps * (p * l->weight_sum + w)) / by + z_size;
  return hard / by + soft / by + (mean ? z / l->counted : z);
}

/* Loss and z-loss of a row of capped logits. */
static double loss_of(const struct loss *l, const double *x, int y, double lse, double *z_loss,
                      double *scale) {
  double eps = l->smoothing / l->n, smooth = 0, size = fabs(lse) + fabs(x[y]) + 1;
  double w_y = l->weight ? l->weight[y] : 1, loss = (lse - x[y]) * w_y;
  for (int i = 0; i < l->n; i++)
    smooth -= eps * x[i] * (l->weight ? l->weight[i] : 1);
  if (l->smoothing > 0)
    loss = loss * (1 - l->smoothing) + smooth +
           (l->weight ? eps * lse * l->weight_sum : l->smoothing * lse);
  *z_loss = l->z_scale * lse * lse;
  if (has(l->on, "mean")) {
    loss /= l->weight ? l->counted_weight : l->counted;
    *z_loss /= l->counted;
  }
  *scale = size * (w_y + 1) + *z_loss;
  return loss + *z_loss;
}

static void expect_row(const struct loss *l, struct parameter *logits, size_t at, int y, double *x,
                       double *loss, double *z_loss, double *loss_scale) {
  double top = -INFINITY, total = 0;
  bool capped = has(l->on, "softcap");
  for (int i = 0; i < l->n; i++) {
    double raw = logits->before[at + (size_t)i];
    x[i] = capped ? l->softcap * tanh(raw / l->softcap) : raw;
    top = fmax(top, x[i]);
  }
  for (int i = 0; i < l->n; i++)
    total += exp(x[i] - top);
  double lse = top + log(total);
  *loss = loss_of(l, x, y, lse, z_loss, loss_scale);
  for (int i = 0; i < l->n && has(l->on, "gradient"); i++) {
    size_t e = at + (size_t)i;
    double slope = capped ? 1 - pow(tanh(logits->before[e] / l->softcap), 2) : 1, scale;
    logits->expected[e] = gradient(l, i, y, exp(x[i] - lse), lse, &scale) * slope;
    /* the slope is a difference from 1 */
    logits->scale[e] = scale * (capped ? 1 : slope) + 1e-9;
  }
}

static void add_scalars(struct problem *p, const struct loss *l) {
  add_integer(p, "loss_stride", 1);
  add_integer(p, "n_cols", l->n);
  add_number(p, "n_counted", (float)l->counted);
  add_number(p, "counted_weight", (float)l->counted_weight);
  add_number(p, "weight_sum", (float)l->weight_sum);
  add_integer(p, "ignore_index", IGNORE);
  add_constant(p, "z_scale", "%g", l->z_scale);
  add_constant(p, "smoothing", "%g", l->smoothing);
  add_constant(p, "reduction", has(l->on, "mean") ? "'mean'" : "'sum'");
  if (has(l->on, "softcap"))
    add_number(p, "softcap", SOFTCAP);
  else
    add_none(p, "softcap");
  add_constant(p, "RETURN_Z_LOSS", has(l->on, "z") ? "1" : "0");
  add_constant(p, "BLOCK", "%d", next_power_of_2(l->n) < 512 ? next_power_of_2(l->n) : 512);
  add_flag(p, "HAS_WEIGHT", l->weight);
  add_flag(p, "HAS_SOFTCAP", has(l->on, "softcap"));
  add_flag(p, "HAS_GRADIENT", has(l->on, "gradient"));
}

/* Every third target does not count, but the first does; the sums that the host would pass. */
static double *add_targets(struct problem *p, struct loss *l, int m) {
  double *y = calloc((size_t)m, sizeof *y);
  for (int r = 0; r < m && y; r++)
    y[r] = r % 3 == 2 ? IGNORE : fill_below(p, 0, l->n);
  add_values(p, "Y_ptr", I64, (size_t)m, y);
  return y;
}

static double fill_weight(struct problem *p, size_t index, double parameter) {
  return 0.5 + fill_unit(p, index, parameter);
}

/* The sums that the host passes, in single precision. */
static void add_up(struct loss *l, const double *y, int m) {
  for (int i = 0; i < l->n && l->weight; i++)
    l->weight_sum += l->weight[i];
  for (int r = 0; r < m; r++)
    if (y[r] != IGNORE) {
      l->counted++;
      l->counted_weight += l->weight ? l->weight[(int)y[r]] : 1;
    }
  l->weight_sum = (double)(float)l->weight_sum;
  l->counted_weight = (double)(float)l->counted_weight;
}

/* A loss a row, and the part of it that is z-loss, or NULL. */
struct losses {
  double *value, *scale, *z, *z_scale;
};

static void expect(const struct loss *l, struct parameter *logits, int stride, const double *y,
                   int m, struct losses *out) {
  double *row = calloc((size_t)l->n, sizeof *row), z;
  for (int r = 0; r < m && row; r++) {
    size_t at = (size_t)r * (size_t)stride;
    for (int i = 0; i < l->n && y[r] == IGNORE; i++) /* whether the gradient is asked for or not */
      logits->expected[at + (size_t)i] = 0;
    if (y[r] == IGNORE)
      continue;
    expect_row(l, logits, at, (int)y[r], row, &out->value[r], &z, &out->scale[r]);
    if (out->z)
      out->z[r] = z, out->z_scale[r] = 1 + z;
  }
  free(row);
}

static void cross_entropy(struct suite *suite, int variant, enum type type,
                          const struct shape *shape) {
  int m = shape->m, n = shape->n, stride = n + shape->pad;
  struct loss l = {.on = variants[variant], .n = n, .softcap = SOFTCAP};
  l.smoothing = has(l.on, "smoothing") ? SMOOTHING : 0;
  l.z_scale = has(l.on, "z") ? Z_SCALE : 0;
  struct problem *p = begin(suite, "cross_entropy.py", "cross_entropy_kernel",
                            GRID((uint32_t)m, 1, 1), l.on, type, shape);
  if (!p)
    return;
  struct parameter *logits =
      add_in_place(p, "X_ptr", type, (size_t)m * (size_t)stride, fill_uniform, 6);
  add_scale(p, logits);
  logits->tolerance = 3e-6; /* exponentials of numbers down to -12, docs/numerics.md */
  add_integer(p, "X_stride", stride);
  double *y = add_targets(p, &l, m);
  add_integer(p, "Y_stride", 1);
  if (has(l.on, "weight"))
    l.weight = add_input(p, "W_ptr", F32, (size_t)n, fill_weight, 0);
  else
    add_none(p, "W_ptr");
  add_up(&l, y, m);
  struct losses out = {.value = add_output(p, "loss_ptr", type, (size_t)m)};
  out.scale = add_scale(p, latest(p));
  if (has(l.on, "z")) {
    out.z = add_output(p, "z_loss_ptr", type, (size_t)m);
    out.z_scale = add_scale(p, latest(p));
  } else {
    add_none(p, "z_loss_ptr");
  }
  add_scalars(p, &l);
  expect(&l, logits, stride, y, m, &out);
  free(y);
  finish(p);
}

static void scale_rows(struct suite *suite, int variant, enum type type,
                       const struct shape *shape) {
  (void)variant;
  int stride = shape->n + shape->pad;
  struct problem *p = begin(suite, "cross_entropy.py", "scale_rows_kernel",
                            GRID((uint32_t)shape->m, 1, 1), "", type, shape);
  if (!p)
    return;
  struct parameter *x =
      add_in_place(p, "X_ptr", type, (size_t)shape->m * (size_t)stride, fill_uniform, 4);
  add_integer(p, "X_stride", stride);
  const double *factor = add_input(p, "factor_ptr", F32, 1, fill_uniform, 3);
  add_integer(p, "n_cols", shape->n);
  add_constant(p, "BLOCK", "128");
  for (int r = 0; r < shape->m; r++)
    for (int i = 0; i < shape->n; i++) {
      size_t e = (size_t)r * (size_t)stride + (size_t)i;
      x->expected[e] = x->before[e] * *factor;
    }
  finish(p);
}

void run_cross_entropy(struct suite *suite) {
  FOR_EACH_CASE(suite, VARIANTS, shapes, cross_entropy);
  FOR_EACH_TYPE(suite, shapes, scale_rows);
}
