/* SPDX-License-Identifier: MIT */
/* attention_heads.py against sums in double: heads that share keys, causal masks, windows, lengths
   that no block divides, sizes of heads that are no power of two, pages and splits, and fp8.
   --large: 16,384 tokens, and a query of 32,768 keys. */
#include "attention_reference.h"
#include "kernel_test.h"

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

/* Queries, keys and values, widened: those of one sequence begin at `k` and `v`. */
struct wide {
  float *q, *k, *v;
};

static struct wide widen(const struct attention *t, const void *q, size_t count, const void *k,
                         const void *v, size_t key_count) {
  return (struct wide){widened(q, t->type, count), widened(k, t->type, key_count),
                       widened(v, t->type, key_count)};
}

static void end(struct wide *wide) {
  free(wide->q);
  free(wide->k);
  free(wide->v);
}

/* A query at position `row` of a sequence. */
struct query {
  const struct attention *attention;
  int row;
};

static double seen(const void *data, int key, double score) {
  const struct query *at = data;
  const struct attention *t = at->attention;
  bool is_hidden = (t->causal && key > at->row) || (t->window && at->row >= key + t->window);
  return is_hidden ? -INFINITY : score;
}

static const char *out_type(const char *type) {
  return strncmp(type, "fp8", 3) == 0 ? "fp16" : type;
}

/* The farthest that a head of query `token` is from what it should be, in parts of what is allowed;
   keys are numbers first_key to first_key + keys - 1. */
static double distance(const struct attention *t, const struct wide *wide, const void *out,
                       int token, int head, int row, int first_key, int keys) {
  double *scores = malloc((size_t)keys * sizeof *scores + 1);
  double expected[MOST_DIMS];
  struct attention_allowed allowed;
  size_t k = place(t, t->key_heads, first_key, head / (t->heads / t->key_heads));
  attend(&(struct attention_query){.q = wide->q + place(t, t->heads, token, head),
                                   .k = wide->k + k,
                                   .v = wide->v + k,
                                   .step = (size_t)(t->key_heads * t->dim),
                                   .dim = t->dim,
                                   .keys = keys,
                                   .scale = (double)scale * M_LN2,
                                   .sink = -INFINITY,
                                   .score = seen,
                                   .data = &(struct query){t, row},
                                   .rounded = t->type,
                                   .allowed = &allowed},
         scores, expected);
  free(scores);
  return farthest_allowed(out, place(t, t->heads, token, head), out_type(t->type), expected,
                          &allowed, t->dim);
}

static void check_worst(const struct attention *t, const char *kernel, int keys, double worst) {
  CHECK(worst <= 1);
  if (verbose_test || !(worst <= 1))
    printf("  %s, %s d %d %s%s, %d keys: %g of what is allowed\n", kernel, t->type, t->dim,
           t->causal ? "causal" : "full", t->window ? ", a window" : "", keys, worst);
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
  struct wide wide = widen(t, q, count, k, v, key_count);
  double worst = 0;
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < queries; i++)
      if (is_compared(i, queries))
        worst = farther(worst, distance(t, &wide, out, i, h, i + keys - queries, 0, keys));
  check_worst(t, "attention_descriptors", keys, worst);
  end(&wide);
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
  struct wide wide = widen(t, q, n, k, v, key_n);
  double worst = 0;
  for (int z = 0; z < count; z++)
    for (int h = 0; h < heads; h++)
      for (int i = starts[z]; i < starts[z + 1]; i++) {
        int keys = key_starts[z + 1] - key_starts[z], queries = starts[z + 1] - starts[z];
        int row = i - starts[z];
        if (is_compared(row, queries))
          worst = farther(worst,
                          distance(t, &wide, out, i, h, row + keys - queries, key_starts[z], keys));
      }
  check_worst(t, "attention_lengths", key_starts[count], worst);
  end(&wide);
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
  if (full_test) {
    const int32_t some[] = {0, 1, 128, 1128, 5227};
    check_lengths(&(struct attention){"fp16", 2, 1, 64, true, 0, 128, 64, 4}, 4, some, some, 6);
    check_lengths(&(struct attention){"bf16", 2, 1, 128, false, 0, 128, 64, 8}, 4, some, some, 7);
    check_lengths(&(struct attention){"fp16", 2, 1, 96, true, 300, 64, 64, 4}, 4, some, some, 8);
  }
  /* queries that see no key */
  const int32_t more[] = {0, 80}, fewer[] = {0, 40};
  check_lengths(&(struct attention){"fp16", 1, 1, 64, true, 0, 64, 64, 4}, 1, more, fewer, 5);
}

static void large_sequences(void) {
  int32_t n = large_length(16384, 64);
  check_descriptors(&(struct attention){"fp16", 2, 1, 128, true, 0, 128, 64, 8}, n, n, 1);
  check_descriptors(&(struct attention){"bf16", 1, 1, 64, false, 0, 64, 64, 4}, n - 1, n, 2);
  check_descriptors(&(struct attention){"fp16", 2, 2, 64, true, n / 4, 64, 64, 4}, n, n, 3);
  check_descriptors(&(struct attention){"fp8e4nv", 2, 1, 128, true, 0, 64, 64, 4}, n, n, 4);
  const int32_t starts[] = {0, n / 4, n / 4 + 1, n / 4 + 1 + n};
  check_lengths(&(struct attention){"fp16", 2, 1, 128, true, 0, 128, 64, 8}, 3, starts, starts, 5);
  check_lengths(&(struct attention){"bf16", 1, 1, 96, true, 0, 64, 64, 4}, 3, starts, starts, 6);
}

/* --- One query, keys in parts -------------------------------------------------------------------
 */

enum { PAGE = 32, BLOCK_H = 16 };

/* One query of each of `count` sequences. A cache has room for `room` keys of each, in pages or in
   one piece, through pointers or through descriptors. */
struct decoding {
  struct attention shape;
  enum { PAGED, POINTERS, DESCRIBED } way;
  int32_t splits, room; /* splits 0: one part, which is the result */
  int count;
  const int32_t *lengths;
};

static tile_module *compile_parts(const struct decoding *d) {
  const struct attention *t = &d->shape;
  char signature[300];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, *%s:16, %s, %s*i32, fp32, i32, i32, i32, i32, %d, %d, %d%s",
           t->type, t->type, t->type, d->splits ? "fp32" : t->type, d->splits ? "*fp32:16" : "None",
           d->way == PAGED ? "*i32, " : "", t->dim, d->way == PAGED ? PAGE : t->n, BLOCK_H,
           d->way == PAGED       ? ""
           : d->way == DESCRIBED ? ", True"
                                 : ", False");
  return compile_triton("attention_heads.py",
                        d->way == PAGED ? "attention_paged" : "attention_decode", signature,
                        t->num_warps);
}

/* Keys of the sequences behind one another, `room` of each, out of their pages. */
static float *in_order(const struct decoding *d, const float *cache, const int32_t *pages) {
  size_t token = (size_t)(d->shape.key_heads * d->shape.dim);
  size_t all = (size_t)d->count * (size_t)d->room;
  float *out = poisoned(all * token * sizeof *out);
  for (size_t j = 0; j < all; j++) {
    size_t from = d->way == PAGED ? (size_t)pages[j / PAGE] * PAGE + j % PAGE : j;
    memcpy(out + j * token, cache + from * token, token * sizeof *out);
  }
  return out;
}

static void check_parts(const struct decoding *d, uint64_t seed) {
  const struct attention *t = &d->shape;
  char signature[300];
  snprintf(signature, sizeof signature, "*fp32:16, *fp32:16, *%s:16, i32, %d, %d", t->type, t->dim,
           d->splits > 8 ? 16 : 8);
  tile_module *module = compile_parts(d), *combine = NULL;
  if (d->splits)
    combine = compile_triton("attention_heads.py", "attention_combine", signature, t->num_warps);
  if (!module || (d->splits && !combine))
    return;
  int32_t heads = t->heads, key_heads = t->key_heads, splits = d->splits ? d->splits : 1;
  int32_t most = d->way == PAGED ? d->room / PAGE : d->room, count = d->count;
  size_t n = (size_t)(count * heads * t->dim), rows = (size_t)(count * heads);
  size_t key_n = (size_t)(count * d->room * key_heads) * (size_t)t->dim;
  size_t bytes = n * number_bytes(t->type), key_bytes = key_n * number_bytes(t->type);
  size_t part_bytes = n * (size_t)splits * sizeof(float),
         norms_bytes = rows * (size_t)splits * sizeof(float);
  void *q = random_numbers(t->type, n, seed), *k = random_numbers(t->type, key_n, seed + 1);
  void *v = random_numbers(t->type, key_n, seed + 2), *out = poisoned(bytes);
  float *part = poisoned(part_bytes), *norms = poisoned(norms_bytes);
  int all_pages = count * d->room / PAGE;
  size_t pages_bytes = (size_t)all_pages * sizeof(int32_t),
         lengths_bytes = (size_t)count * sizeof(int32_t);
  int32_t *pages = poisoned(pages_bytes);
  for (int i = 0; i < all_pages; i++)
    pages[i] = (i * (all_pages - 1) + 3) % all_pages; /* backwards: each page once */
  int32_t *keys = memcpy(poisoned(lengths_bytes), d->lengths, lengths_bytes);
  struct argument arguments[16] = {BUFFER(q, bytes), BUFFER(k, key_bytes), BUFFER(v, key_bytes),
                                   BUFFER(part, part_bytes), BUFFER(norms, norms_bytes)};
  size_t given = d->splits ? 5 : 4;
  if (!d->splits)
    arguments[3] = (struct argument)BUFFER(out, bytes);
  if (d->way == PAGED)
    arguments[given++] = (struct argument)BUFFER(pages, pages_bytes);
  struct argument more[] = {BUFFER(keys, lengths_bytes), SCALAR(scale), SCALAR(heads),
                            SCALAR(key_heads),           SCALAR(most),  SCALAR(splits)};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    arguments[given++] = more[i];
  launch(module, d->way == PAGED ? "attention_paged" : "attention_decode",
         GRID((uint32_t)count, (uint32_t)key_heads, (uint32_t)splits), seed, arguments, given);
  if (combine)
    LAUNCH(combine, "attention_combine", GRID((uint32_t)rows, 1, 1), seed, BUFFER(part, part_bytes),
           BUFFER(norms, norms_bytes), BUFFER(out, bytes), SCALAR(splits));
  struct wide cache = widen(t, q, n, k, v, key_n);
  struct wide wide = {cache.q, in_order(d, cache.k, pages), in_order(d, cache.v, pages)};
  double worst = 0;
  for (int z = 0; z < count; z++)
    for (int h = 0; h < heads; h++)
      worst = farther(worst,
                      distance(t, &wide, out, z, h, d->lengths[z] - 1, z * d->room, d->lengths[z]));
  check_worst(t, d->way == PAGED ? "attention_paged" : "attention_decode", d->room, worst);
  end(&wide);
  void *owned[] = {q, k, v, out, part, norms, pages, keys, cache.k, cache.v};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  tile_module_unload(module);
  tile_module_unload(combine);
}

static const int32_t some_keys[] = {1, 333, 64};

static void paged(void) {
  struct decoding d = {{"fp16", 8, 2, 64, false, 0, 0, 0, 4}, PAGED, 1, 512, 3, some_keys};
  check_parts(&d, 1);
  /* parts without keys */
  d.shape = (struct attention){"fp16", 8, 1, 128, false, 0, 0, 0, 4};
  d.splits = 5;
  check_parts(&d, 2);
  d.shape = (struct attention){"bf16", 4, 4, 128, false, 0, 0, 0, 4};
  d.splits = 8;
  check_parts(&d, 3);
}

/* 32 heads on 8, as models have them. */
static void decode(void) {
  struct decoding d = {{"fp16", 32, 8, 64, false, 0, 0, 64, 4}, POINTERS, 3, 352, 3, some_keys};
  check_parts(&d, 1);
  d.shape = (struct attention){"bf16", 8, 2, 128, false, 0, 0, 128, 4};
  d.way = DESCRIBED;
  check_parts(&d, 2);
  d.splits = 0;
  for (d.way = POINTERS; d.way <= DESCRIBED; d.way++)
    check_parts(&d, 4);
  static const int32_t lengths[] = {1, 127, 1000, 4099};
  d.shape = (struct attention){"fp16", 32, 8, 128, false, 0, 0, 64, 4};
  d.lengths = lengths, d.count = 4, d.room = 4128, d.splits = 8;
  for (int way = POINTERS; full_test && way <= DESCRIBED; way++) {
    d.way = way;
    check_parts(&d, 3);
  }
}

static void large_decode(void) {
  int32_t n = large_length(32768, 256);
  const int32_t lengths[] = {n, n / 2 + 1};
  struct decoding d = {.shape = {"fp16", 32, 8, 128, .n = 64, .num_warps = 4},
                       .splits = 16,
                       .room = n,
                       .count = 2,
                       .lengths = lengths};
  for (d.way = PAGED; d.way <= DESCRIBED; d.way++)
    check_parts(&d, 4);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"descriptors", descriptors}, {"lengths", lengths},
                          {"paged", paged}, {"decode", decode},
                          {"large sequences", large_sequences}, {"large decode", large_decode});
}
