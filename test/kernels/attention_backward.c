/* SPDX-License-Identifier: MIT */
/* attention_backward.py against sums in double: f16 and bf16, heads of 64 to 256, causal and full,
   by pointers and by descriptors; gradients of queries in a kernel of their own, where each launch
   makes the same bits, and by atomics. --full: lengths up to 4099. --large: 16,384. */
#include "attention_reference.h"
#include "kernel_test.h"
#include "parallel.h"

enum { LAUNCHES = 5 };

struct shape {
  const char *type;
  int dim, m, n, num_warps; /* blocks of the first kernel; those of the second are turned round */
  bool causal, described, atomics;
};

enum { Q, K, V, OUT, GRADIENT, TENSORS };

/* Gradients and how far rounding may take them. */
struct expected {
  double *value, *allowed;
};

struct passes {
  const struct shape *shape;
  int heads;
  int32_t queries, keys;
  float scale;
  void *tensor[TENSORS]; /* as kernels take them */
  float *wide[TENSORS];
  float *lse, *delta; /* log2 of the norms; the sums of out * its gradient */
  struct expected dq, dk, dv;
};

static size_t rows_of(const struct passes *p, int tensor) {
  return (size_t)p->heads * (size_t)(tensor == K || tensor == V ? p->keys : p->queries);
}

static const float *row_of(const struct passes *p, int tensor, int head, int row) {
  size_t rows = rows_of(p, tensor) / (size_t)p->heads;
  return p->wide[tensor] + ((size_t)head * rows + (size_t)row) * (size_t)p->shape->dim;
}

/* --- The reference ------------------------------------------------------------------------------
 */

static bool sees(const struct passes *p, int row, int key) {
  return !p->shape->causal || key <= row + p->keys - p->queries;
}

static double masked_score(const void *data, int key, double score) {
  const int *past = data;
  return key < *past ? score : -INFINITY;
}

/* Results of the forward pass, as the kernels get them. */
static void pass_forward(void *data, int64_t first, int64_t past) {
  struct passes *p = data;
  double *scores = malloc((size_t)p->keys * sizeof *scores), out[MOST_DIMS];
  for (int64_t i = first; i < past; i++) {
    int head = (int)(i / p->queries), row = (int)(i % p->queries);
    int seen = p->shape->causal ? row + p->keys - p->queries + 1 : p->keys;
    struct attention_query query = {.q = row_of(p, Q, head, row),
                                    .k = row_of(p, K, head, 0),
                                    .v = row_of(p, V, head, 0),
                                    .step = (size_t)p->shape->dim,
                                    .dim = p->shape->dim,
                                    .keys = p->keys,
                                    .scale = (double)p->scale,
                                    .sink = -INFINITY,
                                    .score = masked_score,
                                    .data = &seen};
    p->lse[i] = (float)(attend(&query, scores, out) * M_LOG2E);
    for (int d = 0; d < p->shape->dim; d++)
      number_write(p->tensor[OUT], (size_t)i * (size_t)p->shape->dim + (size_t)d, p->shape->type,
                   out[d]);
  }
  free(scores);
}

static void sum_row(struct passes *p, size_t row) {
  size_t dim = (size_t)p->shape->dim;
  p->delta[row] =
      (float)inner_product(p->wide[OUT] + row * dim, p->wide[GRADIENT] + row * dim, p->shape->dim);
}

/* A weight, and the gradient of its score. */
static double gradient_of(const struct passes *p, int head, int row, int key, double *weight) {
  int dim = p->shape->dim;
  size_t at = (size_t)head * (size_t)p->queries + (size_t)row;
  double score =
      inner_product(row_of(p, Q, head, row), row_of(p, K, head, key), dim) * (double)p->scale;
  *weight = exp(score - (double)p->lse[at] * M_LN2);
  double slope = inner_product(row_of(p, GRADIENT, head, row), row_of(p, V, head, key), dim);
  return *weight * (slope - (double)p->delta[at]);
}

/* Weights and gradients of scores are rounded before they are multiplied, the sum once more. */
static void add_to(const struct expected *e, size_t first, double factor, const float *row,
                   int dim) {
  for (int d = 0; d < dim; d++) {
    e->value[first + (size_t)d] += factor * (double)row[d];
    e->allowed[first + (size_t)d] += fabs(factor * (double)row[d]);
  }
}

static void finish_row(const struct passes *p, const struct expected *e, size_t first) {
  double unit = unit_of(p->shape->type);
  for (size_t d = first; d < first + (size_t)p->shape->dim; d++)
    e->allowed[d] = unit * (e->allowed[d] + fabs(e->value[d])) + 1e-5;
}

static void expect_queries(void *data, int64_t first, int64_t past) {
  struct passes *p = data;
  int dim = p->shape->dim;
  for (int64_t i = first; i < past; i++) {
    int head = (int)(i / p->queries), row = (int)(i % p->queries);
    size_t at = (size_t)i * (size_t)dim;
    if (!is_compared(row, p->queries))
      continue;
    for (int j = 0; j < p->keys; j++) {
      double weight;
      if (sees(p, row, j))
        add_to(&p->dq, at, gradient_of(p, head, row, j, &weight) * (double)p->scale,
               row_of(p, K, head, j), dim);
    }
    finish_row(p, &p->dq, at);
  }
}

static void expect_keys(void *data, int64_t first, int64_t past) {
  struct passes *p = data;
  int dim = p->shape->dim;
  for (int64_t j = first; j < past; j++) {
    int head = (int)(j / p->keys), key = (int)(j % p->keys);
    size_t at = (size_t)j * (size_t)dim;
    if (!is_compared(key, p->keys))
      continue;
    for (int i = 0; i < p->queries; i++) {
      if (!sees(p, i, key))
        continue;
      double weight, gradient = gradient_of(p, head, i, key, &weight);
      add_to(&p->dk, at, gradient * (double)p->scale, row_of(p, Q, head, i), dim);
      add_to(&p->dv, at, weight, row_of(p, GRADIENT, head, i), dim);
    }
    finish_row(p, &p->dk, at);
    finish_row(p, &p->dv, at);
  }
}

/* The farthest that any element of heads with `rows` rows is from what it should be, in parts of
   what is allowed. */
static double distance(const struct expected *e, const void *data, const struct shape *s,
                       int32_t rows, size_t count) {
  double worst = 0;
  for (size_t i = 0; i < count; i++)
    if (is_compared((int64_t)(i / (size_t)s->dim) % rows, rows))
      worst = farther(worst, fabs(number_read(data, i, s->type) - e->value[i]) / e->allowed[i]);
  return worst;
}

static struct expected expect(size_t count) {
  return (struct expected){calloc(count, sizeof(double)), calloc(count, sizeof(double))};
}

static void prepare(struct passes *p) {
  const struct shape *s = p->shape;
  for (int i = 0; i < TENSORS; i++) {
    size_t count = rows_of(p, i) * (size_t)s->dim;
    p->tensor[i] = random_numbers(s->type, count, (uint64_t)i + 1);
    p->wide[i] = i == OUT ? NULL : widened(p->tensor[i], s->type, count);
  }
  p->lse = poisoned(rows_of(p, Q) * sizeof *p->lse);
  p->delta = poisoned(rows_of(p, Q) * sizeof *p->delta);
  for_rows(pass_forward, p, (int64_t)rows_of(p, Q));
  p->wide[OUT] = widened(p->tensor[OUT], s->type, rows_of(p, Q) * (size_t)s->dim);
  for (size_t row = 0; row < rows_of(p, Q); row++)
    sum_row(p, row);
  p->dq = expect(rows_of(p, Q) * (size_t)s->dim);
  p->dk = expect(rows_of(p, K) * (size_t)s->dim);
  p->dv = expect(rows_of(p, K) * (size_t)s->dim);
  for_rows(expect_queries, p, (int64_t)rows_of(p, Q));
  for_rows(expect_keys, p, (int64_t)rows_of(p, K));
}

static void end(struct passes *p) {
  void *owned[] = {p->lse,      p->delta,      p->dq.value, p->dq.allowed,
                   p->dk.value, p->dk.allowed, p->dv.value, p->dv.allowed};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  for (int i = 0; i < TENSORS; i++) {
    free(p->tensor[i]);
    free(p->wide[i]);
  }
}

/* --- Launches -----------------------------------------------------------------------------------
 */

struct kernels {
  tile_module *sums, *keys, *queries, *rounded;
};

static const char *word(bool is_true) {
  return is_true ? "True" : "False";
}

static struct kernels compile(const struct shape *s) {
  struct kernels kernels = {0};
  char signature[400], tensors[100];
  snprintf(signature, sizeof signature, "*%s:16, *%s:16, *fp32:16, %s, i32, %d, 64", s->type,
           s->type, s->atomics ? "*fp32:16" : "None", s->dim);
  kernels.sums = compile_triton("attention_backward.py", "attention_sums", signature, s->num_warps);
  snprintf(signature, sizeof signature, "*fp32:16, *%s:16, fp32, i32, %d, 64", s->type, s->dim);
  kernels.rounded =
      compile_triton("attention_backward.py", "attention_rounded", signature, s->num_warps);
  snprintf(tensors, sizeof tensors, "*%s:16, *%s:16, *%s:16, *%s:16, *fp32:16, *fp32:16, *%s:16",
           s->type, s->type, s->type, s->type, s->type);
  snprintf(signature, sizeof signature, "%s, *%s:16, %s, fp32, i32, i32, %d, %d, %d, %s, %s",
           tensors, s->type, s->atomics ? "*fp32:16" : "None", s->dim, s->m, s->n, word(s->causal),
           word(s->described));
  kernels.keys =
      compile_triton("attention_backward.py", "attention_backward_keys", signature, s->num_warps);
  snprintf(signature, sizeof signature, "%s, fp32, i32, i32, %d, %d, %d, %s, %s", tensors, s->dim,
           s->n, s->m, word(s->causal), word(s->described));
  kernels.queries = compile_triton("attention_backward.py", "attention_backward_queries", signature,
                                   s->num_warps);
  return kernels;
}

static uint32_t blocks(int32_t count, int block) {
  return (uint32_t)((count + block - 1) / block);
}

/* What a launch makes; `sums`, where atomics add up dq. */
struct made {
  size_t q_bytes, k_bytes, sums_bytes;
  void *dq, *dk, *dv;
  float *sums;
};

static void run(const struct kernels *kernels, struct passes *p, struct made *made, uint64_t seed) {
  const struct shape *s = p->shape;
  struct made m = *made;
  size_t row_bytes = rows_of(p, Q) * sizeof(float);
  uint32_t heads = (uint32_t)p->heads;
  memset(p->delta, 0xCB, row_bytes);
  memset(m.sums, 0xCB, m.sums_bytes);
  memset(m.dq, 0xCB, m.q_bytes);
  memset(m.dk, 0xCB, m.k_bytes);
  memset(m.dv, 0xCB, m.k_bytes);
  struct argument first[] = {BUFFER(p->tensor[OUT], m.q_bytes),
                             BUFFER(p->tensor[GRADIENT], m.q_bytes), BUFFER(p->delta, row_bytes),
                             SCALAR(p->queries), SCALAR(p->queries)};
  if (s->atomics)
    first[3] = (struct argument)BUFFER(m.sums, m.sums_bytes);
  launch(kernels->sums, "attention_sums", GRID(blocks(p->queries, 64), heads, 1), seed, first,
         s->atomics ? 5 : 4);
  struct argument arguments[16] = {
      BUFFER(p->tensor[Q], m.q_bytes), BUFFER(p->tensor[K], m.k_bytes),
      BUFFER(p->tensor[V], m.k_bytes), BUFFER(p->tensor[GRADIENT], m.q_bytes),
      BUFFER(p->lse, row_bytes),       BUFFER(p->delta, row_bytes),
      BUFFER(m.dk, m.k_bytes),         BUFFER(m.dv, m.k_bytes)};
  size_t count = 8;
  if (s->atomics)
    arguments[count++] = (struct argument)BUFFER(m.sums, m.sums_bytes);
  arguments[count++] = (struct argument)SCALAR(p->scale);
  arguments[count++] = (struct argument)SCALAR(p->queries);
  arguments[count++] = (struct argument)SCALAR(p->keys);
  launch(kernels->keys, "attention_backward_keys", GRID(blocks(p->keys, s->n), heads, 1), seed,
         arguments, count);
  if (s->atomics)
    LAUNCH(kernels->rounded, "attention_rounded", GRID(blocks(p->queries, 64), heads, 1), seed,
           BUFFER(m.sums, m.sums_bytes), BUFFER(m.dq, m.q_bytes), SCALAR(p->scale),
           SCALAR(p->queries));
  else
    LAUNCH(kernels->queries, "attention_backward_queries", GRID(blocks(p->queries, s->n), heads, 1),
           seed, BUFFER(p->tensor[Q], m.q_bytes), BUFFER(p->tensor[K], m.k_bytes),
           BUFFER(p->tensor[V], m.k_bytes), BUFFER(p->tensor[GRADIENT], m.q_bytes),
           BUFFER(p->lse, row_bytes), BUFFER(p->delta, row_bytes), BUFFER(m.dq, m.q_bytes),
           SCALAR(p->scale), SCALAR(p->queries), SCALAR(p->keys));
}

/* Compares all elements, with --large those of some rows. */
static void check_made(const struct passes *p, const struct made *made) {
  const struct shape *s = p->shape;
  size_t q_count = rows_of(p, Q) * (size_t)s->dim, k_count = rows_of(p, K) * (size_t)s->dim;
  double dq = distance(&p->dq, made->dq, s, p->queries, q_count);
  double dk = distance(&p->dk, made->dk, s, p->keys, k_count);
  double dv = distance(&p->dv, made->dv, s, p->keys, k_count);
  CHECK(dq <= 1);
  CHECK(dk <= 1);
  CHECK(dv <= 1);
  if (verbose_test || !(dq <= 1 && dk <= 1 && dv <= 1))
    printf("  %s d %d %s%s%s %dx%d, %d of %d: dq %g, dk %g, dv %g of what is allowed\n", s->type,
           s->dim, s->causal ? "causal" : "full", s->described ? " descriptors" : "",
           s->atomics ? " atomics" : "", s->m, s->n, p->queries, p->keys, dq, dk, dv);
}

/* Every launch is compared, or has the bits of the first one. */
static void check_length(const struct kernels *kernels, const struct shape *s, int32_t queries,
                         int32_t keys) {
  struct passes p = {.shape = s, .heads = queries > 1000 ? 1 : 2, .queries = queries, .keys = keys};
  p.scale = 2 / sqrtf((float)s->dim);
  prepare(&p);
  size_t element = number_bytes(s->type), dim = (size_t)s->dim;
  struct made made = {.q_bytes = rows_of(&p, Q) * dim * element,
                      .k_bytes = rows_of(&p, K) * dim * element};
  made.sums_bytes = rows_of(&p, Q) * dim * sizeof(float);
  made.sums = poisoned(made.sums_bytes);
  made.dq = poisoned(made.q_bytes);
  made.dk = poisoned(made.k_bytes);
  made.dv = poisoned(made.k_bytes);
  void *dq = poisoned(made.q_bytes), *dk = poisoned(made.k_bytes), *dv = poisoned(made.k_bytes);
  for (int i = 1; i <= LAUNCHES; i++) {
    run(kernels, &p, &made, (uint64_t)i);
    if (i == 1 || s->atomics)
      check_made(&p, &made);
    if (i == 1) {
      memcpy(dq, made.dq, made.q_bytes);
      memcpy(dk, made.dk, made.k_bytes);
      memcpy(dv, made.dv, made.k_bytes);
    }
    CHECK(s->atomics || memcmp(dq, made.dq, made.q_bytes) == 0);
    CHECK(memcmp(dk, made.dk, made.k_bytes) == 0);
    CHECK(memcmp(dv, made.dv, made.k_bytes) == 0);
  }
  void *owned[] = {made.dq, made.dk, made.dv, made.sums, dq, dk, dv};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  end(&p);
}

static int case_number; /* for --part */

/* 4099 tokens only with `longest`: the reference takes half a minute of a core. */
static void check_shape(const struct shape *s, bool longest) {
  if (case_number++ % test_parts != test_part)
    return;
  struct kernels kernels = compile(s);
  bool is_compiled = kernels.sums && kernels.keys && kernels.queries && kernels.rounded;
  CHECK(is_compiled);
  if (is_compiled && large_test) {
    int32_t length = large_length(16384, 1);
    check_length(&kernels, s, length, length);
  } else if (is_compiled) {
    /* of 75 rows of sums none but the first begins at 16 bytes: no tensor maps for kernels of keys
     */
    check_length(&kernels, s, 75, 110);
    check_length(&kernels, s, 76, 110);
    static const int32_t lengths[] = {1, 127, 1000, 4099};
    for (int i = 0; full_test && i < (longest ? 4 : 3); i++)
      check_length(&kernels, s, lengths[i], lengths[i]);
  }
  tile_module_unload(kernels.sums);
  tile_module_unload(kernels.keys);
  tile_module_unload(kernels.queries);
  tile_module_unload(kernels.rounded);
}

/* --- Tests --------------------------------------------------------------------------------------
 */

/* Each size in two of its eight ways; with --full in all of them. */
static void ways_of(const char *type, int first) {
  static const struct shape sizes[] = {{.dim = 64, .m = 64, .n = 128, .num_warps = 8},
                                       {.dim = 128, .m = 64, .n = 64, .num_warps = 4},
                                       {.dim = 128, .m = 64, .n = 128, .num_warps = 8},
                                       {.dim = 256, .m = 32, .n = 64, .num_warps = 8},
                                       {.dim = 256, .m = 64, .n = 64, .num_warps = 8},
                                       {.dim = 64, .m = 128, .n = 128, .num_warps = 8}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int way = 0; way < 8; way++) {
      bool is_chosen = way == ((int)i * 3 + first) % 8 || way == ((int)i * 3 + first + 5) % 8;
      if (!full_test && !is_chosen)
        continue;
      struct shape s = sizes[i];
      s.type = type;
      s.causal = way & 1;
      s.described = way & 2;
      s.atomics = way & 4;
      check_shape(&s, is_chosen);
    }
}

static void backward_f16(void) {
  ways_of("fp16", 0);
}

static void backward_bf16(void) {
  ways_of("bf16", 3);
}

static void large_backward(void) {
  static const struct shape shapes[] = {
      {"fp16", 128, 64, 128, 8, .causal = true, .atomics = true},
      {"fp16", 128, 64, 128, 8, .described = true},
      {"fp16", 64, 64, 64, 4, .causal = true},
      {"bf16", 64, 64, 128, 8, .described = true, .atomics = true},
      {"fp16", 256, 64, 64, 8, .causal = true, .described = true},
      {"bf16", 256, 64, 64, 8, .atomics = true},
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    check_shape(&shapes[i], false);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"backward f16", backward_f16},
                          {"backward bf16", backward_bf16}, {"large backward", large_backward});
}
