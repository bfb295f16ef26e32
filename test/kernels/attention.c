/* SPDX-License-Identifier: MIT */
/* attention.py, forward and backward, with and without a causal mask, against sums in double.
   --large: the forward pass over 16,384 tokens. */
#include "attention_reference.h"
#include "kernel_test.h"
#include "parallel.h"

struct attention {
  int heads, length, dim;
  bool causal;
};

static size_t place(const struct attention *t, int head, int row, int column) {
  return ((size_t)head * (size_t)t->length + (size_t)row) * (size_t)t->dim + (size_t)column;
}

/* --- Forward ---------------------------------------------------------------------------------- */

/* What the forward pass gets and makes. */
struct passed {
  void *q, *k, *v, *out;
  size_t bytes, rows;
  float *lse, scale;
};

static struct passed pass_forward(const struct attention *t) {
  size_t count = (size_t)(t->heads * t->length * t->dim), rows = (size_t)(t->heads * t->length);
  return (struct passed){.q = random_numbers("fp16", count, 11),
                         .k = random_numbers("fp16", count, 12),
                         .v = random_numbers("fp16", count, 13),
                         .out = poisoned(count * 2),
                         .bytes = count * 2,
                         .rows = rows,
                         .lse = poisoned(rows * sizeof(float)),
                         .scale = 0.5f};
}

/* What is compared by several threads. */
struct comparison {
  const struct attention *shape;
  const struct passed *passed;
  float *q, *k, *v; /* widened */
  double worst, worst_norm;
  pthread_mutex_t lock; /* guards both */
};

static void compare_rows(void *data, int64_t first, int64_t past) {
  struct comparison *c = data;
  const struct attention *t = c->shape;
  double *scores = malloc((size_t)t->length * sizeof *scores);
  double worst = 0, worst_norm = 0, expected[MOST_DIMS];
  struct attention_allowed allowed;
  for (int64_t i = first; i < past; i++) {
    int head = (int)(i / t->length), row = (int)(i % t->length);
    size_t at = place(t, head, row, 0), keys = place(t, head, 0, 0);
    if (!is_compared(row, t->length))
      continue;
    double norm = attend(&(struct attention_query){.q = c->q + at,
                                                   .k = c->k + keys,
                                                   .v = c->v + keys,
                                                   .step = (size_t)t->dim,
                                                   .dim = t->dim,
                                                   .keys = t->causal ? row + 1 : t->length,
                                                   .scale = (double)c->passed->scale,
                                                   .sink = -INFINITY,
                                                   .rounded = "fp16",
                                                   .allowed = &allowed},
                         scores, expected);
    worst =
        farther(worst, farthest_allowed(c->passed->out, at, "fp16", expected, &allowed, t->dim));
    worst_norm = farther(worst_norm, fabs(c->passed->lse[i] - norm * M_LOG2E));
  }
  free(scores);
  pthread_mutex_lock(&c->lock);
  c->worst = farther(c->worst, worst);
  c->worst_norm = farther(c->worst_norm, worst_norm);
  pthread_mutex_unlock(&c->lock);
}

/* Compares with sums in double, and frees. */
static void check_passed(const struct attention *t, struct passed *p) {
  size_t count = p->bytes / 2;
  struct comparison c = {.shape = t,
                         .passed = p,
                         .q = widened(p->q, "fp16", count),
                         .k = widened(p->k, "fp16", count),
                         .v = widened(p->v, "fp16", count)};
  pthread_mutex_init(&c.lock, NULL);
  for_rows(compare_rows, &c, (int64_t)p->rows);
  pthread_mutex_destroy(&c.lock);
  CHECK(c.worst <= 1);
  CHECK(c.worst_norm < 1e-4);
  if (verbose_test)
    printf("  d %d %s, %d tokens: %g of what is allowed, norms %g\n", t->dim,
           t->causal ? "causal" : "full", t->length, c.worst, c.worst_norm / 1e-4);
  void *owned[] = {p->q, p->k, p->v, p->out, p->lse, c.q, c.k, c.v};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
}

static void check_forward(const struct attention *t, const char *blocks, int num_warps) {
  char signature[400];
  snprintf(
      signature, sizeof signature,
      "*fp16:16, *fp16:16, *fp16:16, fp32, *fp32:16, *fp16:16, i32:16, i32:16, i32:16, 1, "
      "i32:16, i32:16, i32:16, 1, i32:16, i32:16, i32:16, 1, i32:16, i32:16, i32:16, 1, i32, i32, "
      "i32:16, %d, %s, %s",
      t->dim, blocks, t->causal ? "True" : "False");
  tile_module *module =
      compile_triton("attention.py", "attention_fwd_kernel", signature, num_warps);
  if (!module)
    return;
  struct passed passed = pass_forward(t);
  int32_t batch = 1, heads = t->heads, length = t->length, row = t->dim, head = row * length;
  int32_t all = head * heads;
  LAUNCH(module, "attention_fwd_kernel",
         GRID((uint32_t)(length / atoi(blocks)), (uint32_t)heads, 1), 3,
         BUFFER(passed.q, passed.bytes), BUFFER(passed.k, passed.bytes),
         BUFFER(passed.v, passed.bytes), SCALAR(passed.scale),
         BUFFER(passed.lse, passed.rows * sizeof *passed.lse), BUFFER(passed.out, passed.bytes),
         SCALAR(all), SCALAR(head), SCALAR(row), SCALAR(all), SCALAR(head), SCALAR(row),
         SCALAR(all), SCALAR(head), SCALAR(row), SCALAR(all), SCALAR(head), SCALAR(row),
         SCALAR(batch), SCALAR(heads), SCALAR(length));
  check_passed(t, &passed);
  tile_module_unload(module);
}

/* By tensor descriptors. */
static void check_described(const struct attention *t, const char *blocks, int num_warps) {
  char signature[200];
  snprintf(signature, sizeof signature,
           "*fp16:16, *fp16:16, *fp16:16, fp32, *fp32:16, *fp16:16, i32, i32, i32:16, %d, %s, %s",
           t->dim, blocks, t->causal ? "True" : "False");
  tile_module *module =
      compile_triton("attention.py", "attention_fwd_descriptors", signature, num_warps);
  if (!module)
    return;
  struct passed passed = pass_forward(t);
  int32_t batch = 1, heads = t->heads, length = t->length;
  LAUNCH(module, "attention_fwd_descriptors",
         GRID((uint32_t)(length / atoi(blocks)), (uint32_t)heads, 1), 3,
         BUFFER(passed.q, passed.bytes), BUFFER(passed.k, passed.bytes),
         BUFFER(passed.v, passed.bytes), SCALAR(passed.scale),
         BUFFER(passed.lse, passed.rows * sizeof *passed.lse), BUFFER(passed.out, passed.bytes),
         SCALAR(batch), SCALAR(heads), SCALAR(length));
  check_passed(t, &passed);
  tile_module_unload(module);
}

static void forward(void) {
  check_forward(&(struct attention){2, 64, 32, true}, "32, 16", 4);
  check_forward(&(struct attention){1, 64, 16, false}, "16, 32", 2);
  /* wgmma, probabilities in registers */
  check_forward(&(struct attention){1, 128, 64, true}, "64, 32", 4);
  /* and products of one block of keys beside those of the next: loops of several iterations, of one
     and of none, each warp group with a tile of its own */
  check_forward(&(struct attention){1, 256, 64, true}, "64, 32", 4);
  check_forward(&(struct attention){1, 128, 128, false}, "128, 64", 8);
  check_forward(&(struct attention){1, 64, 64, false}, "64, 64", 4);
  /* with roles: the heads are places in an outer dimension of the tensor maps */
  check_forward(&(struct attention){2, 256, 128, true}, "128, 64", 8);
  check_forward(&(struct attention){2, 256, 128, false}, "128, 128", 8);
  /* with results that leave in rounds of fewer bytes, beside two stages of wide heads */
  check_forward(&(struct attention){1, 256, 256, true}, "128, 64", 8);
  /* with four warp groups that compute */
  check_forward(&(struct attention){1, 512, 64, true}, "256, 64", 16);
}

static void described(void) {
  check_described(&(struct attention){2, 256, 64, true}, "64, 64", 4);
  /* with roles, warp groups in turns: one block of keys, several, more than there are stages */
  check_described(&(struct attention){1, 128, 128, false}, "128, 128", 8);
  check_described(&(struct attention){2, 256, 128, true}, "128, 64", 8);
  check_described(&(struct attention){1, 640, 64, false}, "128, 64", 8);
  check_described(&(struct attention){1, 256, 256, false}, "128, 64", 8);
  check_described(&(struct attention){1, 512, 64, false}, "256, 64", 16);
}

static void large_forward(void) {
  int32_t length = large_length(16384, 256);
  for (int causal = 0; causal < 2; causal++) {
    check_forward(&(struct attention){1, length, 128, causal}, "128, 128", 8);
    check_forward(&(struct attention){1, length, 64, causal}, "256, 64", 16);
    check_forward(&(struct attention){1, length, 256, causal}, "128, 64", 8);
    check_described(&(struct attention){2, length, 128, causal}, "128, 128", 8);
    check_described(&(struct attention){1, length, 64, causal}, "128, 64", 8);
  }
}

/* --- Backward --------------------------------------------------------------------------------- */

/* What the backward pass gets, and what it should make. k is multiplied by scale / log(2) already.
 */
struct backward {
  struct attention shape;
  void *q, *k, *v, *out_gradient; /* f16 */
  float *norm, *delta;            /* log2 of the norms, and the sums of o * do */
  double *dq, *dk, *dv;
};

static double product(const struct attention *t, const void *a, int row_a, const void *b, int row_b,
                      int head) {
  double sum = 0;
  for (int d = 0; d < t->dim; d++)
    sum += number_read(a, place(t, head, row_a, d), "fp16") *
           number_read(b, place(t, head, row_b, d), "fp16");
  return sum;
}

/* One query's part of all gradients. */
static void add_query(struct backward *b, int head, int i, double scale) {
  const struct attention *t = &b->shape;
  double weight[256], slope[256], top = -INFINITY, norm = 0, delta = 0;
  for (int j = 0; j <= i; j++)
    top = fmax(top, weight[j] = product(t, b->q, i, b->k, j, head));
  for (int j = 0; j <= i; j++)
    norm += weight[j] = exp2(weight[j] - top);
  for (int j = 0; j <= i; j++) {
    weight[j] /= norm;
    slope[j] = product(t, b->out_gradient, i, b->v, j, head);
    delta += weight[j] * slope[j]; /* the sum of o * do */
  }
  b->norm[head * t->length + i] = (float)(top + log2(norm));
  b->delta[head * t->length + i] = (float)delta;
  for (int j = 0; j <= i; j++)
    for (int d = 0; d < t->dim; d++) {
      double gradient = weight[j] * (slope[j] - delta);
      size_t query = place(t, head, i, d), key = place(t, head, j, d);
      b->dv[key] += weight[j] * number_read(b->out_gradient, query, "fp16");
      b->dk[key] += gradient * number_read(b->q, query, "fp16") * scale;
      b->dq[query] += gradient * number_read(b->k, key, "fp16") * M_LN2;
    }
}

static double distance(const void *data, const double *expected, size_t count) {
  double worst = 0;
  for (size_t i = 0; i < count; i++)
    worst = farther(worst, fabs(number_read(data, i, "fp16") - expected[i]));
  return worst;
}

static void check_backward(const struct attention *t, int block, int step, int num_warps) {
  char signature[300];
  snprintf(signature, sizeof signature,
           "*fp16:16, *fp16:16, *fp16:16, fp32, *fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, "
           "*fp32:16, "
           "i32:16, i32:16, i32:16, 1, i32, i32:16, %d, %d, 2, %d",
           step, block, t->dim);
  tile_module *module =
      compile_triton("attention.py", "attention_bwd_kernel", signature, num_warps);
  if (!module)
    return;
  size_t count = (size_t)(t->heads * t->length * t->dim), bytes = count * 2;
  size_t rows = (size_t)(t->heads * t->length), row_bytes = rows * sizeof(float);
  float scale = 0.25f;
  struct backward b = {.shape = *t,
                       .q = random_numbers("fp16", count, 21),
                       .k = random_numbers("fp16", count, 22),
                       .v = random_numbers("fp16", count, 23),
                       .out_gradient = random_numbers("fp16", count, 24),
                       .norm = calloc(rows, sizeof(float)),
                       .delta = calloc(rows, sizeof(float)),
                       .dq = calloc(count, sizeof(double)),
                       .dk = calloc(count, sizeof(double)),
                       .dv = calloc(count, sizeof(double))};
  for (size_t i = 0; i < count; i++)
    number_write(b.k, i, "fp16", number_read(b.k, i, "fp16") * scale * M_LOG2E);
  for (int h = 0; h < t->heads; h++)
    for (int i = 0; i < t->length; i++)
      add_query(&b, h, i, scale);
  void *dq = poisoned(bytes), *dk = poisoned(bytes), *dv = poisoned(bytes);
  int32_t heads = t->heads, length = t->length, row = t->dim, head = row * length,
          all = head * heads;
  LAUNCH(module, "attention_bwd_kernel", GRID((uint32_t)(length / block), 1, (uint32_t)heads), 5,
         BUFFER(b.q, bytes), BUFFER(b.k, bytes), BUFFER(b.v, bytes), SCALAR(scale),
         BUFFER(b.out_gradient, bytes), BUFFER(dq, bytes), BUFFER(dk, bytes), BUFFER(dv, bytes),
         BUFFER(b.norm, row_bytes), BUFFER(b.delta, row_bytes), SCALAR(all), SCALAR(head),
         SCALAR(row), SCALAR(heads), SCALAR(length));
  /* weights and their gradients are rounded to f16 before they are summed with numbers up to 1 */
  CHECK(distance(dv, b.dv, count) < 0x1p-7);
  CHECK(distance(dk, b.dk, count) < 0x1p-7);
  CHECK(distance(dq, b.dq, count) < 0x1p-7);
  void *owned[] = {b.q, b.k, b.v, b.out_gradient, b.norm, b.delta, b.dq, b.dk, b.dv, dq, dk, dv};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  tile_module_unload(module);
}

static void backward(void) {
  check_backward(&(struct attention){2, 64, 32, true}, 32, 32, 4);
  check_backward(&(struct attention){1, 128, 64, true}, 64, 32, 4);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"forward", forward}, {"described", described},
                          {"backward", backward}, {"large forward", large_forward});
}
