/* SPDX-License-Identifier: MIT */
/* attention_heads.py against sums in double: heads that share keys, causal masks, windows, lengths
   that no block divides, sizes of heads that are no power of two, pages and splits, and fp8. */
#include "kernel_test.h"
#include "numbers.h"

enum { MOST_KEYS = 512, MOST_DIMS = 256 };

struct attention {
  const char *type;
  int heads, key_heads, dim;
  bool causal;
  int window; /* 0: none */
  int m, n, num_warps;
};

static float scale = 0.25f; /* in units of log 2 */

/* Where a head of a token lies among `heads`. */
static size_t place(const struct attention *t, int heads, int token, int head) {
  return ((size_t)token * (size_t)heads + (size_t)head) * (size_t)t->dim;
}

/* The keys of one query: token numbers key(j) for j below `keys`, itself at position `row`. */
struct query {
  const void *q, *k, *v;
  int token, head, row, keys;
  const int *key; /* NULL: first_key + j */
  int first_key;
};

static void attend(const struct attention *t, const struct query *at, double *out) {
  double score[MOST_KEYS], top = -INFINITY, norm = 0;
  int head = at->head / (t->heads / t->key_heads);
  memset(out, 0, (size_t)t->dim * sizeof *out);
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < at->keys; j++) {
      if ((t->causal && j > at->row) || (t->window && at->row >= j + t->window))
        continue;
      int token = at->key ? at->key[j] : at->first_key + j;
      size_t q = place(t, t->heads, at->token, at->head), k = place(t, t->key_heads, token, head);
      if (pass == 0) {
        score[j] = 0;
        for (size_t d = 0; d < (size_t)t->dim; d++)
          score[j] +=
              number_read(at->q, q + d, t->type) * number_read(at->k, k + d, t->type) * scale;
        top = fmax(top, score[j]);
        continue;
      }
      double weight = exp2(score[j] - top);
      norm += weight;
      for (size_t d = 0; d < (size_t)t->dim; d++)
        out[d] += weight * number_read(at->v, k + d, t->type);
    }
  for (int d = 0; d < t->dim && norm > 0; d++)
    out[d] /= norm;
}

/* What weights and results lose where they are rounded to the type. */
static double allowed(const char *type) {
  return strcmp(type, "fp16") == 0 ? 0x1p-9 : strcmp(type, "bf16") == 0 ? 0x1p-6 : 0x1p-3;
}

static const char *out_type(const char *type) {
  return strncmp(type, "fp8", 3) == 0 ? "fp16" : type;
}

/* The farthest that a head of a token is from what it should be. */
static double distance(const struct attention *t, const void *out, int token, int head,
                       const double *expected) {
  double worst = 0;
  for (size_t d = 0; d < (size_t)t->dim; d++) {
    double got = number_read(out, place(t, t->heads, token, head) + d, out_type(t->type));
    double apart = fabs(got - expected[d]);
    worst = apart <= worst ? worst : apart; /* NaN counts */
  }
  return worst;
}

/* --- One sequence, by descriptors ---------------------------------------------------------------
 */

static void check_descriptors(const struct attention *t, int32_t queries, int32_t keys,
                              uint64_t seed) {
  char signature[300];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, *%s:16, fp32, i32, i32, i32, i32, %d, %d, %d, %s, %d", t->type,
           t->type, t->type, out_type(t->type), t->dim, t->m, t->n, t->causal ? "True" : "False",
           t->window);
  tile_module *module =
      compile_triton("attention_heads.py", "attention_descriptors", signature, t->num_warps);
  if (!module)
    return;
  int32_t heads = t->heads, key_heads = t->key_heads;
  size_t count = (size_t)(queries * heads * t->dim),
         key_count = (size_t)(keys * key_heads * t->dim);
  size_t bytes = count * number_bytes(t->type), key_bytes = key_count * number_bytes(t->type);
  size_t out_bytes = count * number_bytes(out_type(t->type));
  void *q = random_numbers(t->type, count, seed), *k = random_numbers(t->type, key_count, seed + 1);
  void *v = random_numbers(t->type, key_count, seed + 2), *out = poisoned(out_bytes);
  LAUNCH(module, "attention_descriptors",
         GRID((uint32_t)((queries + t->m - 1) / t->m), (uint32_t)heads, 1), seed, BUFFER(q, bytes),
         BUFFER(k, key_bytes), BUFFER(v, key_bytes), BUFFER(out, out_bytes), SCALAR(scale),
         SCALAR(queries), SCALAR(keys), SCALAR(heads), SCALAR(key_heads));
  double worst = 0, expected[MOST_DIMS];
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < queries; i++) {
      attend(t, &(struct query){q, k, v, i, h, i + keys - queries, keys, NULL, 0}, expected);
      worst = fmax(worst, distance(t, out, i, h, expected));
    }
  CHECK(worst < allowed(t->type));
  void *owned[] = {q, k, v, out};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  tile_module_unload(module);
}

static void descriptors(void) {
  check_descriptors(&(struct attention){"fp16", 2, 2, 64, false, 0, 64, 64, 4}, 100, 300, 1);
  check_descriptors(&(struct attention){"fp16", 4, 2, 64, true, 0, 64, 64, 4}, 127, 127, 2);
  check_descriptors(&(struct attention){"bf16", 2, 1, 128, true, 70, 128, 64, 8}, 200, 257, 3);
  check_descriptors(&(struct attention){"fp16", 1, 1, 128, false, 0, 128, 128, 8}, 129, 384, 4);
  check_descriptors(&(struct attention){"fp16", 1, 1, 256, true, 0, 64, 32, 4}, 65, 100, 5);
  check_descriptors(&(struct attention){"fp16", 1, 1, 64, true, 0, 64, 64, 4}, 1, 1, 6);
  check_descriptors(&(struct attention){"fp8e4nv", 2, 1, 128, true, 0, 64, 64, 4}, 96, 160, 7);
}

/* --- Sequences of any length --------------------------------------------------------------------
 */

static void check_lengths(const struct attention *t, int count, const int32_t *starts,
                          const int32_t *key_starts, uint64_t seed) {
  int block_d = 16;
  while (block_d < t->dim)
    block_d *= 2;
  char signature[300];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, *%s:16, *i32, *i32, fp32, i32, i32, %d, %d, %d, %d, %s, %d",
           t->type, t->type, t->type, out_type(t->type), t->dim, block_d, t->m, t->n,
           t->causal ? "True" : "False", t->window);
  tile_module *module =
      compile_triton("attention_heads.py", "attention_lengths", signature, t->num_warps);
  if (!module)
    return;
  int32_t heads = t->heads, key_heads = t->key_heads;
  size_t n = (size_t)(starts[count] * heads * t->dim),
         key_n = (size_t)(key_starts[count] * key_heads * t->dim);
  size_t bytes = n * number_bytes(t->type), key_bytes = key_n * number_bytes(t->type);
  size_t out_bytes = n * number_bytes(out_type(t->type));
  size_t starts_bytes = (size_t)(count + 1) * sizeof *starts;
  void *q = random_numbers(t->type, n, seed), *k = random_numbers(t->type, key_n, seed + 1);
  void *v = random_numbers(t->type, key_n, seed + 2), *out = poisoned(out_bytes);
  int32_t *first = memcpy(poisoned(starts_bytes), starts, starts_bytes);
  int32_t *key_first = memcpy(poisoned(starts_bytes), key_starts, starts_bytes);
  int most = 0;
  for (int z = 0; z < count; z++)
    most = starts[z + 1] - starts[z] > most ? starts[z + 1] - starts[z] : most;
  LAUNCH(module, "attention_lengths",
         GRID((uint32_t)((most + t->m - 1) / t->m), (uint32_t)heads, (uint32_t)count), seed,
         BUFFER(q, bytes), BUFFER(k, key_bytes), BUFFER(v, key_bytes), BUFFER(out, out_bytes),
         BUFFER(first, starts_bytes), BUFFER(key_first, starts_bytes), SCALAR(scale), SCALAR(heads),
         SCALAR(key_heads));
  double worst = 0, expected[MOST_DIMS];
  for (int z = 0; z < count; z++)
    for (int h = 0; h < heads; h++)
      for (int i = starts[z]; i < starts[z + 1]; i++) {
        int keys = key_starts[z + 1] - key_starts[z], queries = starts[z + 1] - starts[z];
        attend(t,
               &(struct query){q, k, v, i, h, i - starts[z] + keys - queries, keys, NULL,
                               key_starts[z]},
               expected);
        worst = fmax(worst, distance(t, out, i, h, expected));
      }
  CHECK(worst < allowed(t->type));
  void *owned[] = {q, k, v, out, first, key_first};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  tile_module_unload(module);
}

static void lengths(void) {
  const int32_t starts[] = {0, 1, 1, 128, 193}, key_starts[] = {0, 70, 71, 198, 400};
  check_lengths(&(struct attention){"fp16", 4, 2, 64, true, 0, 64, 64, 4}, 4, starts, key_starts,
                1);
  check_lengths(&(struct attention){"fp16", 2, 1, 96, true, 0, 64, 64, 4}, 4, starts, key_starts,
                2);
  check_lengths(&(struct attention){"bf16", 2, 2, 192, false, 0, 64, 32, 4}, 4, starts, key_starts,
                3);
  check_lengths(&(struct attention){"fp16", 1, 1, 128, true, 50, 64, 32, 4}, 4, starts, key_starts,
                4);
  /* queries that see no key */
  const int32_t more[] = {0, 80}, fewer[] = {0, 40};
  check_lengths(&(struct attention){"fp16", 1, 1, 64, true, 0, 64, 64, 4}, 1, more, fewer, 5);
}

/* --- One query, keys in pages -------------------------------------------------------------------
 */

static void check_paged(const struct attention *t, int32_t splits, int count,
                        const int32_t *lengths, uint64_t seed) {
  enum { PAGE = 32, PAGES = 16, BLOCK_H = 16 };
  char signature[300];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, *fp32:16, *fp32:16, *i32, *i32, fp32, i32, i32, i32, i32, %d, "
           "%d, %d",
           t->type, t->type, t->type, t->dim, PAGE, BLOCK_H);
  tile_module *module =
      compile_triton("attention_heads.py", "attention_paged", signature, t->num_warps);
  snprintf(signature, sizeof signature, "*fp32:16, *fp32:16, *%s:16, i32, %d, 8", t->type, t->dim);
  tile_module *combine =
      compile_triton("attention_heads.py", "attention_combine", signature, t->num_warps);
  if (!module || !combine)
    return;
  int32_t heads = t->heads, key_heads = t->key_heads, most_pages = PAGES;
  size_t n = (size_t)(count * heads * t->dim), rows = (size_t)(count * heads);
  size_t key_n = (size_t)(count * PAGES * PAGE * key_heads * t->dim);
  size_t bytes = n * number_bytes(t->type), key_bytes = key_n * number_bytes(t->type);
  size_t part_bytes = n * (size_t)splits * sizeof(float),
         norms_bytes = rows * (size_t)splits * sizeof(float);
  void *q = random_numbers(t->type, n, seed), *k = random_numbers(t->type, key_n, seed + 1);
  void *v = random_numbers(t->type, key_n, seed + 2), *out = poisoned(bytes);
  float *part = poisoned(part_bytes), *norms = poisoned(norms_bytes);
  size_t pages_bytes = (size_t)(count * PAGES) * sizeof(int32_t),
         lengths_bytes = (size_t)count * sizeof(int32_t);
  int32_t *pages = poisoned(pages_bytes);
  for (int i = 0; i < count * PAGES; i++)
    pages[i] = (i * 7 + 3) % (count * PAGES); /* 7 divides no such number: each page once */
  int32_t *keys = memcpy(poisoned(lengths_bytes), lengths, lengths_bytes);
  LAUNCH(module, "attention_paged", GRID((uint32_t)count, (uint32_t)key_heads, (uint32_t)splits),
         seed, BUFFER(q, bytes), BUFFER(k, key_bytes), BUFFER(v, key_bytes),
         BUFFER(part, part_bytes), BUFFER(norms, norms_bytes), BUFFER(pages, pages_bytes),
         BUFFER(keys, lengths_bytes), SCALAR(scale), SCALAR(heads), SCALAR(key_heads),
         SCALAR(most_pages), SCALAR(splits));
  LAUNCH(combine, "attention_combine", GRID((uint32_t)rows, 1, 1), seed, BUFFER(part, part_bytes),
         BUFFER(norms, norms_bytes), BUFFER(out, bytes), SCALAR(splits));
  double worst = 0, expected[MOST_DIMS];
  for (int z = 0; z < count; z++) {
    int tokens[PAGES * PAGE];
    for (int j = 0; j < lengths[z]; j++)
      tokens[j] = pages[z * PAGES + j / PAGE] * PAGE + j % PAGE;
    for (int h = 0; h < heads; h++) {
      attend(t, &(struct query){q, k, v, z, h, lengths[z] - 1, lengths[z], tokens, 0}, expected);
      worst = fmax(worst, distance(t, out, z, h, expected));
    }
  }
  CHECK(worst < allowed(t->type));
  void *owned[] = {q, k, v, out, part, norms, pages, keys};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  tile_module_unload(module);
  tile_module_unload(combine);
}

static void paged(void) {
  const int32_t keys[] = {1, 333, 64};
  check_paged(&(struct attention){"fp16", 8, 2, 64, false, 0, 0, 0, 4}, 1, 3, keys, 1);
  /* parts without keys */
  check_paged(&(struct attention){"fp16", 8, 1, 128, false, 0, 0, 0, 4}, 5, 3, keys, 2);
  check_paged(&(struct attention){"bf16", 4, 4, 128, false, 0, 0, 0, 4}, 8, 3, keys, 3);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"descriptors", descriptors}, {"lengths", lengths},
                          {"paged", paged});
}
