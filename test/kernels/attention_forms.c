/* SPDX-License-Identifier: MIT */
/* attention_forms.py against sums in double: heads of 64 to 256, causal and full, by pointers and
   by descriptors, biases, masks, ALiBi, soft caps, sinks, dropout, fp8; and each launch again,
   whose results are the same bits. --full: lengths up to 4099. --large: 16,384. */
#include "attention_reference.h"
#include "kernel_test.h"
#include "parallel.h"

enum { LAUNCHES = 5 };

enum bias { NO_BIAS, ADDED, MASKED };

/* A kernel on sequences: attention_forward where `kernel` is NULL. */
struct form {
  const char *type;
  int dim, m, n, num_warps;
  bool causal, described;
  int heads, key_heads;
  enum bias bias;
  bool slopes, cap, sinks, dropout, is_shared; /* one bias of all heads */
  const char *kernel;
  bool is_turned;
};

enum { DROP_SEED = 77 };
static const float drop = 0.25f, cap = 2;

/* What one launch gets and makes. */
struct launch {
  const struct form *form;
  int32_t queries, keys, value_keys;
  float scale, *q_scales, *k_scales, *v_scales;
  size_t q_count, k_count, v_count, bias_count;
  void *q, *k, *v, *out, *bias;
  float *slopes, *sinks, *lse;
  float *wide_q, *wide_k, *wide_v, *wide_bias;
  double worst, worst_norm;
  pthread_mutex_t lock;
};

/* --- The reference ------------------------------------------------------------------------------
 */

/* Philox-4x32-10, counter (offset, 0, 0, 0), as tl.rand. */
static float uniform_at(uint32_t seed, uint32_t offset) {
  uint32_t c[4] = {offset, 0, 0, 0}, key[2] = {seed, 0};
  for (int i = 0; i < 10; i++) {
    uint64_t a = (uint64_t)c[0] * 0xD2511F53u, b = (uint64_t)c[2] * 0xCD9E8D57u;
    uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ key[0], (uint32_t)b,
                        (uint32_t)(a >> 32) ^ c[3] ^ key[1], (uint32_t)a};
    memcpy(c, next, sizeof c);
    key[0] += 0x9E3779B9u, key[1] += 0xBB67AE85u;
  }
  return (float)(c[0] >> 31 ? ~c[0] : c[0]) * 4.6566127342e-10f;
}

struct place {
  const struct launch *launch;
  int head, row;
};

static size_t bias_at(const struct place *at, int key) {
  const struct launch *l = at->launch;
  int head = l->form->is_shared ? 0 : at->head;
  return ((size_t)head * (size_t)l->queries + (size_t)at->row) * (size_t)l->keys + (size_t)key;
}

static double changed_score(const void *data, int key, double score) {
  const struct place *at = data;
  const struct launch *l = at->launch;
  int position = at->row + l->keys - l->queries;
  if (l->form->causal && key > position)
    return -INFINITY;
  if (l->form->bias == MASKED && l->wide_bias[bias_at(at, key)] == 0)
    return -INFINITY;
  if (l->form->cap)
    score = (double)cap * tanh(score / (double)cap);
  if (l->form->slopes)
    score += (double)l->slopes[at->head] * (key - position);
  if (l->form->bias == ADDED)
    score += (double)l->wide_bias[bias_at(at, key)];
  return score;
}

static double kept(const void *data, int key) {
  const struct place *at = data;
  const struct launch *l = at->launch;
  uint32_t offset = (uint32_t)(at->head * l->queries + at->row) * (uint32_t)l->keys + (uint32_t)key;
  return uniform_at(DROP_SEED, offset) > drop ? 1 / (1 - (double)drop) : 0;
}

/* What weights and results lose where they are rounded to the type; fp8's results are f16. */
static double allowed(const struct launch *l, int head) {
  double unit = 2 * unit_of(l->form->type);
  if (l->v_scales)
    return (unit + 0x1p-10) * (double)l->v_scales[head];
  return unit * (l->form->dropout ? 1 / (1 - (double)drop) : 1);
}

static void check_rows(void *data, int64_t first, int64_t past) {
  struct launch *l = data;
  const struct form *form = l->form;
  double *scores = malloc((size_t)l->keys * sizeof *scores), expected[MOST_DIMS];
  double worst = 0, worst_norm = 0;
  for (int64_t i = first; i < past; i++) {
    struct place at = {l, (int)(i / l->queries), (int)(i % l->queries)};
    if (!is_compared(at.row, l->queries))
      continue;
    size_t row = (size_t)i * (size_t)form->dim;
    size_t keys = (size_t)(at.head / (form->heads / form->key_heads)) * (size_t)l->keys;
    struct attention_query query = {.q = l->wide_q + row,
                                    .k = l->wide_k + keys * (size_t)form->dim,
                                    .v = l->wide_v + keys * (size_t)form->dim,
                                    .step = (size_t)form->dim,
                                    .dim = form->dim,
                                    .keys = l->keys,
                                    .scale = (double)l->scale,
                                    .sink = l->sinks ? (double)l->sinks[at.head] : -INFINITY,
                                    .score = changed_score,
                                    .weight = form->dropout ? kept : NULL,
                                    .data = &at};
    if (l->q_scales)
      query.scale *= (double)l->q_scales[at.head] * (double)l->k_scales[at.head];
    double norm = attend(&query, scores, expected);
    for (int d = 0; d < form->dim && l->v_scales; d++)
      expected[d] *= (double)l->v_scales[at.head];
    double apart = farthest(l->out, row, l->q_scales ? "fp16" : form->type, expected, form->dim);
    worst = farther(worst, apart / allowed(l, at.head));
    if (l->lse && l->lse[i] != norm) /* infinities are equal */
      worst_norm = farther(worst_norm, fabs((double)l->lse[i] - norm));
  }
  free(scores);
  pthread_mutex_lock(&l->lock);
  l->worst = farther(l->worst, worst);
  l->worst_norm = farther(l->worst_norm, worst_norm);
  pthread_mutex_unlock(&l->lock);
}

/* --- Launches -----------------------------------------------------------------------------------
 */

static tile_module *compile_form(const struct form *f) {
  static const char *const biases[] = {"None", "*fp16:16", "*i8:16"};
  static const char *const words[] = {"'none'", "'bias'", "'mask'"};
  int block_d = 16;
  while (block_d < f->dim)
    block_d *= 2;
  char signature[400], tensors[100];
  const char *causal = f->causal ? "True" : "False", *kernel = "attention_forward";
  snprintf(tensors, sizeof tensors, "*%s:16, *%s:16, *%s:16", f->type, f->type, f->type);
  if (!f->kernel)
    snprintf(signature, sizeof signature,
             "%s, *%s:16, *fp32, %s, %s, %s, fp32, fp32, fp32, i32, i32, i32, i32, i32, i32, %d, "
             "%d, %d, %d, %s, %s, %s, %s, %s",
             tensors, f->type, biases[f->bias], f->slopes ? "*fp32" : "None",
             f->sinks ? "*fp32" : "None", f->dim, block_d, f->m, f->n, causal,
             f->described ? "True" : "False", words[f->bias], f->cap ? "True" : "False",
             f->dropout ? "True" : "False");
  else if (strcmp(f->kernel, "attention_split_heads") == 0)
    snprintf(signature, sizeof signature, "%s, *%s:16, fp32, i32, i32, %d, %d, %d, %d, %s", tensors,
             f->type, block_d / 2, f->dim - block_d / 2, f->m, f->n, causal);
  else
    snprintf(signature, sizeof signature,
             "%s, *fp16:16, *fp32, *fp32, *fp32, fp32, i32, i32, i32:16, %d, %d, %d, %s, %s",
             tensors, f->dim, f->m, f->n, causal, f->is_turned ? "True" : "False");
  return compile_triton("attention_forms.py", f->kernel ? f->kernel : kernel, signature,
                        f->num_warps);
}

static void run_form(tile_module *module, struct launch *l, uint64_t seed) {
  const struct form *f = l->form;
  size_t element = number_bytes(f->type), heads = (size_t)f->heads;
  size_t out_bytes = l->q_count * (l->q_scales ? 2 : element), row = heads * sizeof(float);
  int32_t drop_seed = DROP_SEED, all_heads = f->heads, key_heads = f->key_heads;
  int32_t bias_step = f->is_shared ? 0 : l->queries * l->keys;
  float no_cap = cap, no_drop = drop;
  struct argument arguments[32];
  size_t count = 0;
#define ADD(...) arguments[count++] = (struct argument)__VA_ARGS__
  ADD(BUFFER(l->q, l->q_count * element));
  ADD(BUFFER(l->k, l->k_count * element));
  ADD(BUFFER(l->v, l->v_count * element));
  ADD(BUFFER(l->out, out_bytes));
  if (l->q_scales) {
    ADD(BUFFER(l->q_scales, row));
    ADD(BUFFER(l->k_scales, row));
    ADD(BUFFER(l->v_scales, row));
  }
  if (l->lse)
    ADD(BUFFER(l->lse, heads * (size_t)l->queries * sizeof(float)));
  if (l->bias)
    ADD(BUFFER(l->bias, l->bias_count * (f->bias == ADDED ? 2 : 1)));
  if (l->slopes)
    ADD(BUFFER(l->slopes, row));
  if (l->sinks)
    ADD(BUFFER(l->sinks, row));
  ADD(SCALAR(l->scale));
  if (!f->kernel) {
    ADD(SCALAR(no_cap));
    ADD(SCALAR(no_drop));
    ADD(SCALAR(drop_seed));
  }
  ADD(SCALAR(l->queries));
  ADD(SCALAR(l->keys));
  if (!f->kernel) {
    ADD(SCALAR(all_heads));
    ADD(SCALAR(key_heads));
    ADD(SCALAR(bias_step));
  } else if (l->q_scales) {
    ADD(SCALAR(l->value_keys));
  }
#undef ADD
  launch(module, f->kernel ? f->kernel : "attention_forward",
         GRID((uint32_t)((l->queries + f->m - 1) / f->m), (uint32_t)f->heads, 1), seed, arguments,
         count);
}

/* Values as [heads, dim, value_keys]. */
static void *turned(const struct launch *l, const void *v) {
  const struct form *f = l->form;
  size_t bytes = number_bytes(f->type), dim = (size_t)f->dim, keys = (size_t)l->keys;
  size_t wide = (size_t)l->value_keys;
  char *out = poisoned(l->v_count * bytes);
  for (size_t h = 0; h < (size_t)f->heads; h++)
    for (size_t j = 0; j < keys; j++)
      for (size_t d = 0; d < dim; d++)
        memcpy(out + ((h * dim + d) * wide + j) * bytes,
               (const char *)v + ((h * keys + j) * dim + d) * bytes, bytes);
  return out;
}

static void *random_bias(const struct launch *l, uint64_t seed) {
  if (l->form->bias != MASKED)
    return l->form->bias == ADDED ? random_numbers("fp16", l->bias_count, seed) : NULL;
  int8_t *seen = poisoned(l->bias_count);
  uint64_t state = seeded(seed);
  for (size_t i = 0; i < l->bias_count; i++)
    seen[i] = draw(&state) > -0.3f;
  for (int j = 0; j < l->keys; j++) /* a row without keys */
    seen[j] = 0;
  return seen;
}

static void prepare(struct launch *l) {
  const struct form *f = l->form;
  size_t heads = (size_t)f->heads, dim = (size_t)f->dim;
  l->q_count = heads * (size_t)l->queries * dim;
  l->k_count = (size_t)f->key_heads * (size_t)l->keys * dim;
  l->v_count = l->k_count;
  l->bias_count = (f->is_shared ? 1 : heads) * (size_t)l->queries * (size_t)l->keys;
  l->q = random_numbers(f->type, l->q_count, 1);
  l->k = random_numbers(f->type, l->k_count, 2);
  l->v = random_numbers(f->type, l->v_count, 3);
  l->wide_q = widened(l->q, f->type, l->q_count);
  l->wide_k = widened(l->k, f->type, l->k_count);
  l->wide_v = widened(l->v, f->type, l->v_count);
  l->bias = random_bias(l, 4);
  l->wide_bias = l->bias ? widened(l->bias, f->bias == ADDED ? "fp16" : "i8", l->bias_count) : NULL;
  l->slopes = f->slopes ? random_floats(heads, 5) : NULL;
  l->sinks = f->sinks ? random_floats(heads, 6) : NULL;
  l->lse = f->kernel ? NULL : poisoned(heads * (size_t)l->queries * sizeof(float));
  l->scale = 3 / sqrtf((float)f->dim);
  if (f->kernel && strcmp(f->kernel, "attention_fp8") == 0) {
    l->q_scales = random_floats(heads, 7);
    l->k_scales = random_floats(heads, 8);
    l->v_scales = random_floats(heads, 9);
    for (size_t h = 0; h < heads; h++) {
      l->q_scales[h] += 2;
      l->k_scales[h] += 2;
      l->v_scales[h] += 2;
    }
    if (heads > 2)
      l->q_scales[2] = 0; /* all keys that are seen weigh the same */
    l->value_keys = (l->keys + 15) / 16 * 16;
    if (f->is_turned) {
      l->v_count = heads * dim * (size_t)l->value_keys;
      void *as_rows = l->v;
      l->v = turned(l, as_rows);
      free(as_rows);
    }
  }
  size_t out_bytes = l->q_count * (l->q_scales ? 2 : number_bytes(f->type));
  l->out = poisoned(out_bytes);
}

/* Every element of the first launch, with --large those of some rows, and every bit of the others,
   on the emulator in other orders of blocks and threads. */
static void check_length(tile_module *module, const struct form *f, int32_t queries, int32_t keys) {
  struct launch l = {.form = f, .queries = queries, .keys = keys};
  pthread_mutex_init(&l.lock, NULL);
  prepare(&l);
  run_form(module, &l, 1);
  for_rows(check_rows, &l, (int64_t)f->heads * queries);
  /* slopes times distances are rounded, too */
  double norm_allowed = 1e-4 + (f->slopes ? keys * 0x1p-22 : 0);
  CHECK(l.worst <= 1);
  CHECK(l.worst_norm < norm_allowed);
  if (verbose_test || !(l.worst <= 1) || !(l.worst_norm < norm_allowed))
    printf("  %s d %d %s %s %dx%d, %d of %d: %g of what is allowed, norm %g\n",
           f->kernel      ? f->kernel
           : f->described ? "descriptors"
                          : "pointers",
           f->dim, f->type, f->causal ? "causal" : "full", f->m, f->n, queries, keys, l.worst,
           l.worst_norm);
  size_t bytes = l.q_count * (l.q_scales ? 2 : number_bytes(f->type));
  void *first = memcpy(poisoned(bytes), l.out, bytes);
  for (int i = 2; i <= LAUNCHES; i++) {
    memset(l.out, 0xCB, bytes);
    run_form(module, &l, (uint64_t)i);
    CHECK(memcmp(first, l.out, bytes) == 0);
  }
  void *owned[] = {l.q,        l.k,        l.v,        l.out,    l.bias,   l.slopes,
                   l.sinks,    l.lse,      l.wide_q,   l.wide_k, l.wide_v, l.wide_bias,
                   l.q_scales, l.k_scales, l.v_scales, first};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  pthread_mutex_destroy(&l.lock);
}

static int case_number; /* for --part */

/* `is_chosen`: without --full and --large, too. Others leave out 4099 tokens, of which the
   reference takes a quarter of a minute. */
static void check_form(struct form f, int32_t queries, int32_t keys, bool is_chosen) {
  bool is_wanted = is_chosen || full_test || large_test;
  if (!is_wanted || case_number++ % test_parts != test_part)
    return;
  f.key_heads = f.key_heads ? f.key_heads : f.heads;
  tile_module *module = compile_form(&f);
  if (!module)
    return;
  if (large_test)
    queries = keys = large_length(16384, 1);
  check_length(module, &f, queries, keys);
  if (full_test && !large_test) {
    static const int32_t lengths[] = {1, 127, 1000, 4099};
    for (int i = 0; i < (is_chosen ? 4 : 3); i++)
      check_length(module, &f, lengths[i], lengths[i]);
  }
  tile_module_unload(module);
}

/* --- Tests --------------------------------------------------------------------------------------
 */

/* Every second one through descriptors, every second causal; all of them with --full and --large.
 */
static void sizes_of(const char *type, int first) {
  static const struct {
    int dim, m, n, num_warps;
  } sizes[] = {{64, 128, 128, 8}, {96, 128, 64, 8},  {128, 128, 128, 8},
               {192, 64, 32, 4},  {256, 128, 64, 8}, {64, 256, 64, 16}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int way = 0; way < 4; way++)
      check_form((struct form){.type = type,
                               .dim = sizes[i].dim,
                               .m = sizes[i].m,
                               .n = sizes[i].n,
                               .num_warps = sizes[i].num_warps,
                               .causal = way & 1,
                               .described = way & 2,
                               .heads = 2,
                               .key_heads = 1},
                 37, 150, way == ((int)i + first) % 4);
}

static void sizes_f16(void) {
  sizes_of("fp16", 0);
}

static void sizes_bf16(void) {
  sizes_of("bf16", 3);
}

static void split_heads(void) {
  for (int causal = 0; causal < 2; causal++) {
    struct form f = {.type = causal ? "bf16" : "fp16",
                     .causal = causal,
                     .heads = 2,
                     .kernel = "attention_split_heads",
                     .num_warps = 8,
                     .m = 128,
                     .n = 64};
    f.dim = 96;
    check_form(f, 70, 150, true);
    f.dim = 192;
    check_form(f, 70, 150, true);
  }
}

/* One thing at a time, and all together. */
static void changed_scores(void) {
  const struct form forms[] = {
      {.bias = ADDED, .is_shared = true},
      {.bias = MASKED},
      {.slopes = true},
      {.cap = true},
      {.sinks = true},
      {.dropout = true},
      {.bias = ADDED, .slopes = true, .cap = true, .sinks = true, .dropout = true, .key_heads = 1}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    for (int way = 0; way < 4; way++) {
      struct form f = forms[i];
      f.type = i % 2 ? "bf16" : "fp16";
      f.dim = i % 3 ? 64 : 128;
      f.m = 128, f.n = 64, f.num_warps = 8, f.heads = 2;
      f.causal = way & 1;
      f.described = way & 2;
      check_form(f, 33, 140, way == (int)(i + 1) % 4);
    }
}

static void fp8(void) {
  for (int way = 0; way < 4; way++)
    for (int dim = 64; dim <= 256; dim *= 2)
      check_form((struct form){.type = "fp8e4nv",
                               .dim = dim,
                               .m = 128,
                               .n = dim > 128 ? 64 : 128,
                               .num_warps = 8,
                               .causal = way & 1,
                               .is_turned = way & 2,
                               .heads = way == 2 ? 3 : 2,
                               .kernel = "attention_fp8"},
                 45, 150, way == dim / 64 % 4);
}

static void large_heads(void) {
  sizes_of("fp16", 0);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"heads of f16", sizes_f16}, {"heads of bf16", sizes_bf16},
                          {"split heads", split_heads}, {"changed scores", changed_scores},
                          {"fp8", fp8}, {"large heads", large_heads}, {"large fp8", fp8});
}
