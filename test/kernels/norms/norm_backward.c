/* SPDX-License-Identifier: MIT */
/* layer_norm.py, backward: norm_bwd_kernel with each switch alone and with all of them, in programs
   of several rows whose partial sums column_sums_kernel adds up; and the form with locks. */
#include <stdlib.h>
#include "norm.h"

static const char *const variants[] = {
    "weight bias",
    "bias",
    "weight",
    "rms weight",
    "rms weight bias",
    "weight bias zero_centered",
    "weight bias dsum",
    "weight bias dres",
    "weight bias recompute",
    "rms weight recompute",
    "bias recompute",
    "weight bias rowscale",
    "weight bias dropout",
    "rms weight dropout rowscale",
    "weight bias dx1",
    "weight bias dx1 dropout",
    "weight bias dy1",
    "weight bias dy1 b1",
    "weight bias zero_centered dsum dres recompute rowscale dropout dx1 dy1 b1",
    "rms weight bias zero_centered dsum dres recompute rowscale dropout dx1 dy1 b1",
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const struct shape shapes[] = {
    {3, 781, 0, 4},
    {1, 3000, 8, 8},
    {5, 1, 0, 1},
    {1, 1, 3, 4},
    {7, 65, 0, 2},
    {4, 512, 16, 4},
    {8, 100, 28, 1},
    {2, 1023, 1, 8},
    {17, 33, 0, 4},
    {3, 333, 3, 16},
    {3, 3000, 0, 4},
    {3, 4000, 0, 2}, /* more than registers hold (tile-gpu-spill-to-shared) */
    {61, 781, 0, 4},
    {1024, 4096, 0, 8, true},
    {1823, 781, 0, 4, true},
};

/* A gradient, and the sum of the magnitudes that it is made of. */
struct sums {
  double *value, *scale;
};

struct problem_data {
  const char *on;
  int m, n, stride;
  int each, slots; /* rows a program; or slots of sums, which rows take in turn */
  double plus;     /* 1 where weights are centred at zero */
  const double *x, *w, *b, *dy, *dsum, *w1, *dy1, *rowscale, *seeds, *mean, *rstd;
  struct sums y, dx, dw, db, dx1, dw1, db1, dresidual;
};

static struct sums output_if(struct problem *p, const char *name, bool on, enum type type,
                             size_t count) {
  struct sums sums = {0};
  if (!on) {
    add_none(p, name);
    return sums;
  }
  sums.value = add_output(p, name, type, count);
  sums.scale = add_scale(p, latest(p));
  return sums;
}

static void accumulate(struct sums *sums, size_t at, double term) {
  if (!sums->value)
    return;
  sums->value[at] += term;
  sums->scale[at] += fabs(term);
}

static void set(struct sums *sums, size_t at, double value, double scale) {
  if (!sums->value)
    return;
  sums->value[at] = value;
  sums->scale[at] = scale;
}

/* The gradient after normalisation: wdy without its components along x_hat and (1, ..., 1). */
static void expect_row(struct problem_data *d, int r, double *x_hat, double *wdy) {
  size_t at = (size_t)r * (size_t)d->stride;
  size_t partial = (size_t)(d->slots ? r % d->slots : r / d->each) * (size_t)d->n;
  bool rms = has(d->on, "rms");
  double mean = rms ? 0 : d->mean[r], rstd = d->rstd[r], along = 0, level = 0, most = 0, top = 0;
  for (int i = 0; i < d->n; i++) {
    size_t e = at + (size_t)i, column = partial + (size_t)i;
    double w = d->w ? d->w[i] + d->plus : 1;
    x_hat[i] = (d->x[e] - mean) * rstd;
    top = fmax(top, (fabs(d->x[e]) + fabs(mean)) * rstd);
    set(&d->y, e, x_hat[i] * w + (d->b ? d->b[i] : 0), (1 + top) * (fabs(w) + 1) + 1);
    wdy[i] = w * d->dy[e] + (d->dy1 ? (d->w1[i] + d->plus) * d->dy1[e] : 0);
    most = fmax(most, fabs(wdy[i]) + 1);
    along += x_hat[i] * wdy[i] / d->n;
    level += rms ? 0 : wdy[i] / d->n;
    accumulate(&d->dw, column, d->dy[e] * x_hat[i]);
    accumulate(&d->db, column, d->dy[e]);
    if (d->dy1) {
      accumulate(&d->dw1, column, d->dy1[e] * x_hat[i]);
      accumulate(&d->db1, column, d->dy1[e]);
    }
  }
  for (int i = 0; i < d->n; i++) {
    size_t e = at + (size_t)i;
    double dx = (wdy[i] - x_hat[i] * along - level) * rstd + (d->dsum ? d->dsum[e] : 0);
    double scale = most * rstd * (1 + top) * (1 + top) + 1;
    set(&d->dresidual, e, dx, scale);
    set(&d->dx1, e, d->seeds ? dropped(dx, d->seeds[d->m + r], i) : dx, scale);
    dx = d->seeds ? dropped(dx, d->seeds[r], i) : dx;
    set(&d->dx, e, dx * (d->rowscale ? d->rowscale[r] : 1), 2 * scale);
  }
}

/* What was normalised, with the moments that the forward pass would have stored. */
static void add_moments(struct problem *p, struct problem_data *d) {
  size_t m = (size_t)d->m;
  bool rms = has(d->on, "rms");
  double *mean = calloc(m, sizeof *mean), *rstd = calloc(m, sizeof *rstd);
  for (int r = 0; r < d->m && mean && rstd; r++)
    row_moments(d->x + (size_t)r * (size_t)d->stride, d->n, rms, &mean[r], &rstd[r]);
  if (rms) {
    add_none(p, "Mean");
  } else {
    add_values(p, "Mean", F32, m, mean);
    d->mean = latest(p)->before;
  }
  add_values(p, "Rstd", F32, m, rstd);
  d->rstd = latest(p)->before;
  free(mean);
  free(rstd);
}

static void clear_sums(struct sums *sums, size_t count) {
  for (size_t i = 0; i < count && sums->value; i++)
    sums->value[i] = 0, sums->scale[i] = 1;
}

static void expect(struct problem_data *d, size_t programs) {
  double *x_hat = calloc((size_t)d->n, sizeof *x_hat), *wdy = calloc((size_t)d->n, sizeof *wdy);
  struct sums *partial[] = {&d->dw, &d->db, &d->dw1, &d->db1};
  for (size_t i = 0; i < 4; i++)
    clear_sums(partial[i], programs * (size_t)d->n);
  for (int r = 0; r < d->m && x_hat && wdy; r++)
    expect_row(d, r, x_hat, wdy);
  free(x_hat);
  free(wdy);
}

static void add_scalars(struct problem *p, const struct problem_data *d) {
  static const char *const strides[] = {"stride_x",    "stride_y",   "stride_dy",  "stride_dx",
                                        "stride_dsum", "stride_dy1", "stride_dx1", "stride_dres"};
  for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
    add_integer(p, strides[i], d->stride);
  add_integer(p, "M", d->m);
  add_integer(p, "N", d->n);
  add_number(p, "eps", NORM_EPS);
  add_number(p, "dropout_p", NORM_DROPOUT);
  add_integer(p, "weight_is_zero_centered", has(d->on, "zero_centered"));
  add_integer(p, "rows_a_program", d->each);
  add_flag(p, "IS_RMS", has(d->on, "rms"));
  add_constant(p, "BLOCK_N", "%d", next_power_of_2(d->n));
  add_flag(p, "HAS_DSUM", d->dsum);
  add_flag(p, "STORE_DRESIDUAL", has(d->on, "dres"));
  add_flag(p, "HAS_WEIGHT", d->w);
  add_flag(p, "HAS_BIAS", has(d->on, "bias"));
  add_flag(p, "HAS_DROPOUT", d->seeds);
  /* the other flags are left to the kernel's heuristics */
}

static void backward(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  const char *on = variants[variant];
  struct problem_data d = {.on = on,
                           .m = shape->m,
                           .n = shape->n,
                           .stride = shape->n + shape->pad,
                           .each = (shape->m + 3) / 4 + variant % 2};
  d.plus = has(on, "zero_centered") ? 1 : 0;
  enum { PROGRAMS = 5 }; /* the last ones may have no row */
  struct problem *p =
      begin(suite, "layer_norm.py", "norm_bwd_kernel", GRID(PROGRAMS, 1, 1), on, type, shape);
  if (!p)
    return;
  size_t n = (size_t)d.n, m = (size_t)d.m, count = m * (size_t)d.stride, partial = PROGRAMS * n;
  bool bias = has(on, "bias"), second = has(on, "dy1");
  d.x = add_input(p, "X", type, count, fill_uniform, 2);
  d.w = add_input_if(p, "W", has(on, "weight"), F32, n, fill_uniform, 2);
  d.b = add_input_if(p, "B", bias && has(on, "recompute"), type, n, fill_uniform, 2);
  d.y = output_if(p, "Y", has(on, "recompute"), type, count);
  d.dy = add_input(p, "DY", type, count, fill_uniform, 2);
  d.dx = output_if(p, "DX", true, type, count);
  d.dw = output_if(p, "DW", true, F32, partial);
  d.db = output_if(p, "DB", bias, F32, partial);
  d.dsum = add_input_if(p, "DSUM", has(on, "dsum"), F32, count, fill_uniform, 2);
  d.w1 = add_input_if(p, "W1", second, type, n, fill_uniform, 2);
  d.dy1 = add_input_if(p, "DY1", second, type, count, fill_uniform, 2);
  d.dx1 = output_if(p, "DX1", has(on, "dx1"), type, count);
  d.dw1 = output_if(p, "DW1", second, F32, partial);
  d.db1 = output_if(p, "DB1", has(on, "b1"), F32, partial);
  d.dresidual = output_if(p, "DRESIDUAL", has(on, "dres"), F32, count);
  d.rowscale = add_input_if(p, "ROWSCALE", has(on, "rowscale"), F32, m, fill_uniform, 2);
  d.seeds = add_input_if(p, "SEEDS", has(on, "dropout"), I64, 2 * m, fill_below, 0x1p32);
  add_moments(p, &d);
  add_scalars(p, &d);
  expect(&d, PROGRAMS);
  finish(p);
}

/* --- Sums under locks ------------------------------------------------------------------------- */

enum { SLOTS = 2 };

static void locked(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  (void)variant;
  struct problem_data d = {.on = "weight bias",
                           .m = shape->m,
                           .n = shape->n,
                           .stride = shape->n + shape->pad,
                           .slots = SLOTS};
  struct problem *p = begin(suite, "layer_norm.py", "layer_norm_bwd_locked_kernel",
                            GRID((uint32_t)d.m, 1, 1), "", type, shape);
  if (!p)
    return;
  size_t n = (size_t)d.n, m = (size_t)d.m, count = m * (size_t)d.stride;
  p->any_order = true;
  d.dx = output_if(p, "DX", true, type, count);
  d.dy = add_input(p, "DY", type, count, fill_uniform, 2);
  d.dw = output_if(p, "DW", true, F32, SLOTS * n);
  d.db = output_if(p, "DB", true, F32, SLOTS * n);
  d.x = add_input(p, "X", type, count, fill_uniform, 2);
  d.w = add_input(p, "W", F32, n, fill_uniform, 2);
  add_moments(p, &d);
  struct parameter *lock = add_in_place(p, "Lock", I32, 2 * SLOTS, fill_below, 0);
  add_integer(p, "stride", d.stride);
  add_integer(p, "N", d.n);
  add_constant(p, "SLOTS", "%d", SLOTS);
  add_constant(p, "BLOCK", "%d", next_power_of_2(d.n));
  expect(&d, SLOTS);
  for (int slot = 0; slot < SLOTS; slot++) {
    lock->expected[slot] = 0;
    lock->expected[SLOTS + slot] = slot < d.m;
    for (size_t i = 0; i < n && slot >= d.m; i++) /* nobody stores to it */
      d.dw.value[(size_t)slot * n + i] = d.db.value[(size_t)slot * n + i] = NAN;
  }
  finish(p);
}

/* --- The sums of the partial sums ------------------------------------------------------------- */

static void columns(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  (void)variant;
  if (type != F32)
    return; /* partial sums are in single precision */
  uint32_t programs = (uint32_t)(shape->n + 31) / 32;
  struct problem *p =
      begin(suite, "layer_norm.py", "column_sums_kernel", GRID(programs, 1, 1), "", F32, shape);
  if (!p)
    return;
  size_t m = (size_t)shape->m, n = (size_t)shape->n;
  const double *in[2] = {add_input(p, "DW", F32, m * n, fill_uniform, 2),
                         add_input(p, "DB", F32, m * n, fill_uniform, 2)};
  struct sums out[2] = {output_if(p, "OUT_DW", true, F32, n), output_if(p, "OUT_DB", true, F32, n)};
  for (int k = 0; k < 2; k++) {
    clear_sums(&out[k], n);
    for (size_t i = 0; i < m * n; i++)
      accumulate(&out[k], i % n, in[k][i]);
  }
  add_integer(p, "M", shape->m);
  add_integer(p, "N", shape->n);
  add_constant(p, "BLOCK_M", "16");
  add_constant(p, "BLOCK_N", "32");
  finish(p);
}

void run_norm_backward(struct suite *suite) {
  FOR_EACH_CASE(suite, VARIANTS, shapes, backward);
  FOR_EACH_TYPE(suite, shapes, locked);
  FOR_EACH_CASE(suite, 1, shapes, columns);
}
