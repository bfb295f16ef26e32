/* SPDX-License-Identifier: MIT */
/* layer_norm.py, forward: norm_fwd_kernel with each switch alone and with all of them, and the form
   for rows that are longer than a block. */
#include <stdlib.h>
#include "norm.h"

static const char *const variants[] = {
    "weight bias",
    "bias",
    "weight",
    "",
    "rms weight",
    "rms weight bias zero_centered",
    "weight bias zero_centered",
    "weight bias residual",
    "weight bias sum",
    "rms weight residual sum",
    "weight bias rowscale",
    "weight bias dropout",
    "rms weight dropout kept",
    "weight bias x1",
    "weight bias w1",
    "weight bias w1 b1",
    "weight x1 rowscale dropout kept",
    "weight bias zero_centered residual sum rowscale dropout kept x1 w1 b1",
    "rms weight bias zero_centered residual sum rowscale dropout kept x1 w1 b1",
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const struct shape shapes[] = {
    {2, 781, 0, 4},
    {1, 3000, 8, 8},
    {3, 1, 0, 1},
    {1, 1, 3, 4},
    {5, 65, 0, 2},
    {4, 512, 16, 4},
    {7, 100, 28, 1},
    {2, 1023, 1, 8},
    {16, 33, 0, 4},
    {3, 333, 3, 16},
    {2, 3000, 0, 4},
    {61, 781, 0, 4},
    {1024, 4096, 0, 8, true},
    {1823, 781, 0, 4, true},
};

/* 32 elements a thread: what tile-gpu-rematerialise-widening keeps narrow. */
static const struct shape long_rows[] = {
    {2, 2000, 0, 2}, {1, 3999, 1, 4}, {1, 3984, 16, 4}, {1, 8000, 0, 8}};

/* The inputs of a problem; NULL for those that are off. */
struct inputs {
  const char *on;
  int m, n, stride;
  const double *x, *w, *b, *residual, *x1, *w1, *b1, *rowscale, *seeds;
};

/* Outputs, NULL where off, and the scales of their errors. */
struct outputs {
  double *y, *y1, *sum, *kept, *kept1, *mean, *rstd;
  double *y_scale, *y1_scale, *sum_scale, *mean_scale, *rstd_scale;
};

/* A row of x or x1 after row scale and dropout; `at` is its place among scales and seeds. */
static void add_branch(const struct inputs *in, const double *x, int at, double *kept,
                       double *row) {
  for (int i = 0; i < in->n; i++) {
    double value = in->rowscale ? x[i] * in->rowscale[at] : x[i];
    row[i] += in->seeds ? dropped(value, in->seeds[at], i) : value;
    if (kept)
      kept[i] = is_kept(in->seeds[at], i);
  }
}

static void make_output(const struct inputs *in, const double *w, const double *b,
                        const double *row, double mean, double rstd, double top, double *y,
                        double *scale) {
  double plus = has(in->on, "zero_centered") ? 1 : 0;
  for (int i = 0; i < in->n; i++) {
    double factor = w ? w[i] + plus : 1, shift = b ? b[i] : 0;
    y[i] = (row[i] - mean) * rstd * factor + shift;
    scale[i] = (1 + top * rstd) * (fabs(factor) + fabs(plus)) + fabs(shift);
  }
}

static void expect_row(const struct inputs *in, const struct outputs *out, int r, double *row) {
  size_t at = (size_t)r * (size_t)in->stride, packed = (size_t)r * (size_t)in->n;
  double top = 0, mean, rstd;
  for (int i = 0; i < in->n; i++)
    row[i] = 0;
  add_branch(in, in->x + at, r, out->kept ? out->kept + packed : NULL, row);
  if (in->x1)
    add_branch(in, in->x1 + at, in->m + r, out->kept1 ? out->kept1 + packed : NULL, row);
  for (int i = 0; i < in->n; i++) {
    row[i] += in->residual ? in->residual[at + (size_t)i] : 0;
    top = fmax(top, fabs(row[i]));
    if (out->sum)
      out->sum[at + (size_t)i] = row[i], out->sum_scale[at + (size_t)i] = 1 + fabs(row[i]);
  }
  row_moments(row, in->n, has(in->on, "rms"), &mean, &rstd);
  if (out->mean)
    out->mean[r] = mean, out->mean_scale[r] = top;
  out->rstd[r] = rstd, out->rstd_scale[r] = rstd * (1 + top * rstd * top * rstd / in->n);
  make_output(in, in->w, in->b, row, mean, rstd, top, out->y + at, out->y_scale + at);
  if (out->y1)
    make_output(in, in->w1, in->b1, row, mean, rstd, top, out->y1 + at, out->y1_scale + at);
}

static double *output_if(struct problem *p, const char *name, bool on, enum type type, size_t count,
                         double **scale) {
  if (!on) {
    add_none(p, name);
    return NULL;
  }
  double *values = add_output(p, name, type, count);
  if (scale)
    *scale = add_scale(p, latest(p));
  return values;
}

static void add_scalars(struct problem *p, const struct inputs *in) {
  static const char *const strides[] = {"stride_x",   "stride_y",  "stride_res",
                                        "stride_sum", "stride_x1", "stride_y1"};
  for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
    add_integer(p, strides[i], in->stride);
  add_integer(p, "M", in->m);
  add_integer(p, "N", in->n);
  add_number(p, "eps", NORM_EPS);
  add_number(p, "dropout_p", NORM_DROPOUT);
  add_integer(p, "weight_is_zero_centered", has(in->on, "zero_centered"));
}

static void add_flags(struct problem *p, const struct inputs *in) {
  add_flag(p, "IS_RMS", has(in->on, "rms"));
  add_constant(p, "BLOCK_N", "%d", next_power_of_2(in->n));
  add_flag(p, "HAS_RESIDUAL", in->residual);
  add_flag(p, "STORE_SUM", has(in->on, "sum"));
  add_flag(p, "HAS_WEIGHT", in->w);
  add_flag(p, "HAS_BIAS", in->b);
  add_flag(p, "HAS_DROPOUT", in->seeds);
  add_flag(p, "STORE_KEPT", has(in->on, "kept"));
  add_flag(p, "HAS_ROWSCALE", in->rowscale);
  /* HAS_X1, HAS_W1 and HAS_B1 are left to the kernel's heuristics */
}

static void forward(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  const char *on = variants[variant];
  struct inputs in = {.on = on, .m = shape->m, .n = shape->n, .stride = shape->n + shape->pad};
  struct outputs out = {0};
  struct problem *p =
      begin(suite, "layer_norm.py", "norm_fwd_kernel", GRID((uint32_t)in.m, 1, 1), on, type, shape);
  if (!p)
    return;
  size_t n = (size_t)in.n, m = (size_t)in.m, count = m * (size_t)in.stride;
  size_t both = has(on, "x1") ? 2 * m : m;
  bool keeps = has(on, "kept");
  in.x = add_input(p, "X", type, count, fill_uniform, 2);
  out.y = output_if(p, "Y", true, type, count, &out.y_scale);
  in.w = add_input_if(p, "W", has(on, "weight"), F32, n, fill_uniform, 2);
  in.b = add_input_if(p, "B", has(on, "bias"), type, n, fill_uniform, 2);
  in.residual = add_input_if(p, "RESIDUAL", has(on, "residual"), F32, count, fill_uniform, 2);
  in.x1 = add_input_if(p, "X1", has(on, "x1"), type, count, fill_uniform, 2);
  in.w1 = add_input_if(p, "W1", has(on, "w1"), type, n, fill_uniform, 2);
  in.b1 = add_input_if(p, "B1", has(on, "b1"), F32, n, fill_uniform, 2);
  out.y1 = output_if(p, "Y1", has(on, "w1"), type, count, &out.y1_scale);
  out.sum = output_if(p, "SUM", has(on, "sum"), type, count, &out.sum_scale);
  in.rowscale = add_input_if(p, "ROWSCALE", has(on, "rowscale"), F32, both, fill_uniform, 2);
  in.seeds = add_input_if(p, "SEEDS", has(on, "dropout"), I64, both, fill_below, 0x1p32);
  out.kept = output_if(p, "KEPT", keeps, I1, m * n, NULL);
  out.kept1 = output_if(p, "KEPT1", keeps && in.x1, I1, m * n, NULL);
  out.mean = output_if(p, "Mean", !has(on, "rms"), F32, m, &out.mean_scale);
  out.rstd = output_if(p, "Rstd", true, F32, m, &out.rstd_scale);
  add_scalars(p, &in);
  add_flags(p, &in);
  double *row = calloc(n, sizeof *row);
  for (int r = 0; r < in.m && row; r++)
    expect_row(&in, &out, r, row);
  free(row);
  finish(p);
}

/* --- Rows longer than a block ----------------------------------------------------------------- */

static void loop(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  struct inputs in = {
      .on = "weight bias", .m = shape->m, .n = shape->n, .stride = shape->n + shape->pad};
  struct outputs out = {0};
  struct problem *p =
      begin(suite, "layer_norm.py", "layer_norm_loop_kernel", GRID((uint32_t)in.m, 1, 1),
            variant ? "BLOCK=64" : "BLOCK=512", type, shape);
  if (!p)
    return;
  size_t n = (size_t)in.n, m = (size_t)in.m, count = m * (size_t)in.stride;
  in.x = add_input(p, "X", type, count, fill_uniform, 2);
  out.y = output_if(p, "Y", true, type, count, &out.y_scale);
  in.w = add_input(p, "W", type, n, fill_uniform, 2);
  in.b = add_input(p, "B", type, n, fill_uniform, 2);
  out.mean = output_if(p, "Mean", true, F32, m, &out.mean_scale);
  out.rstd = output_if(p, "Rstd", true, F32, m, &out.rstd_scale);
  add_integer(p, "stride", in.stride);
  add_integer(p, "N", in.n);
  add_number(p, "eps", NORM_EPS);
  add_constant(p, "BLOCK", variant ? "64" : "512");
  double *row = calloc(n, sizeof *row);
  for (int r = 0; r < in.m && row; r++)
    expect_row(&in, &out, r, row);
  free(row);
  finish(p);
}

void run_norm_forward(struct suite *suite) {
  FOR_EACH_CASE(suite, VARIANTS, shapes, forward);
  FOR_EACH_CASE(suite, VARIANTS, long_rows, forward);
  FOR_EACH_CASE(suite, 2, shapes, loop);
}
