/* SPDX-License-Identifier: MIT */
/* Whole kernels around products: matmul.py's grouped and block-pointer kernels, and chunk_scan.py's
   states, on sizes that are no multiples of the blocks, against sums in double. With --large on
   product.h's large sizes. */
#include "product.h"

static double *as_doubles(const void *data, int count) {
  return view_doubles(&(struct view){"fp16", data, 1, count, (size_t)count, 1});
}

struct matrices {
  int32_t m, n, k;
  void *a, *b, *c; /* f16, row by row */
};

static void *numbers(size_t count, uint64_t seed) {
  if (!large_test)
    return random_numbers("fp16", count, seed);
  enum { ROW = 1024 };
  size_t rows = (count + ROW - 1) / ROW;
  void *data = poisoned(rows * ROW * 2);
  draw_numbers(data, "fp16", "fp16", rows, ROW, ROW, seed);
  return data;
}

static struct matrices make(int32_t m, int32_t n, int32_t k) {
  struct matrices x = {.m = m, .n = n, .k = k};
  x.a = numbers((size_t)(m * k), 31);
  x.b = numbers((size_t)(k * n), 32);
  x.c = poisoned((size_t)(m * n) * 2);
  if (large_test)
    memset(x.c, 0xFF, (size_t)(m * n) * 2); /* NaNs, so that one which is left out shows */
  return x;
}

static void end(struct matrices *x) {
  free(x->a);
  free(x->b);
  free(x->c);
}

/* The largest distance of c from activation(a b + bias); bias may be NULL. */
static double distance(const struct matrices *x, const void *bias, double slope) {
  double worst = 0;
  double *a = as_doubles(x->a, x->m * x->k), *b = as_doubles(x->b, x->k * x->n);
  double *c = as_doubles(x->c, x->m * x->n), *more = bias ? as_doubles(bias, x->n) : NULL;
  double *sums = calloc((size_t)x->n, sizeof *sums);
  for (int i = 0; i < x->m; i++) {
    for (int j = 0; j < x->n; j++)
      sums[j] = more ? more[j] : 0;
    for (int k = 0; k < x->k; k++)
      add_products(sums, a[i * x->k + k], b + k * x->n, x->n);
    for (int j = 0; j < x->n; j++)
      worst = farther(worst, fabs(c[i * x->n + j] - sums[j] * (sums[j] < 0 ? slope : 1)));
  }
  double *made[] = {a, b, c, more, sums};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    free(made[i]);
  return worst;
}

/* What activation(a b + bias) is before it: the activation has one slope for positive numbers and
   `slope` for others, and what is rounded is within the same part of it before and after. */
static void check_large_matrices(const struct matrices *x, const void *bias, double slope) {
  struct lines rows = lines_of((struct view){"fp16", x->a, x->m, x->k, (size_t)x->k, 1});
  struct lines columns = lines_of((struct view){"fp16", x->b, x->n, x->k, 1, (size_t)x->n});
  if (bias)
    append_bias(&rows, &columns, &(struct view){"fp16", bias, x->n, 1, 1, 1});
  struct view c = {"fp16", x->c, x->m, x->n, (size_t)x->n, 1};
  double *sums = view_doubles(&c);
  for (int64_t i = 0; i < c.rows * c.columns; i++)
    sums[i] /= sums[i] < 0 ? slope : 1;
  struct allowed allowed = allowed_for("fp16", "fp16", x->k, x->k);
  allowed.least /= slope;
  check_large("matmul", &(struct view){"fp64", sums, x->m, x->n, (size_t)x->n, 1}, &rows, &columns,
              allowed);
  free(sums);
  lines_free(&rows);
  lines_free(&columns);
}

static void check_matrices(const struct matrices *x, const void *bias, double slope, double most) {
  if (large_test)
    check_large_matrices(x, bias, slope);
  else
    CHECK(distance(x, bias, slope) < most);
}

static uint32_t blocks(int32_t size, int block) {
  return (uint32_t)((size + block - 1) / block);
}

/* --- Grouped order, rows and columns that wrap around, an activation -------------------------- */

static void launch_grouped(tile_module *module, struct size size, const int block[3],
                           double slope) {
  int32_t m = size.m, n = size.n, k = size.k;
  struct matrices x = make(m, n, k);
  struct matrix c = {.data = x.c, .bytes = (size_t)(m * n) * 2};
  LAUNCH_TWICE(module, "matmul_kernel", GRID(blocks(m, block[0]) * blocks(n, block[1]), 1, 1), 7,
               &c, BUFFER(x.a, (size_t)(m * k) * 2), BUFFER(x.b, (size_t)(k * n) * 2),
               BUFFER(x.c, (size_t)(m * n) * 2), SCALAR(m), SCALAR(n), SCALAR(k), SCALAR(k),
               SCALAR(n), SCALAR(n));
  check_matrices(&x, NULL, slope, 0x1p-7 * (1 + k / 128));
  end(&x);
}

/* `promised`: all sizes are multiples of 16, and the kernel is told. */
static tile_module *compile_grouped(const int block[3], const char *activation, bool promised,
                                    const tile_compile_options *options) {
  const char *size = promised ? "i32:16" : "i32";
  char signature[240];
  snprintf(signature, sizeof signature,
           "*fp16:16, *fp16:16, *fp16:16, i32, %s, %s, %s, 1, %s, 1, %s, 1, %d, %d, %d, %d, '%s'",
           size, size, size, size, size, block[0], block[1], block[2], large_test ? 8 : 3,
           activation);
  return compile_triton_with("matmul.py", "matmul_kernel", signature, options);
}

static double slope_of(const char *activation) {
  return activation[0] ? 0.01 : 1;
}

static void check_grouped_with(int32_t m, int32_t n, int32_t k, const int block[3],
                               const char *activation, const tile_compile_options *options) {
  tile_module *module = compile_grouped(block, activation, false, options);
  if (module)
    launch_grouped(module, (struct size){m, n, k}, block, slope_of(activation));
  tile_module_unload(module);
}

static void check_grouped(int32_t m, int32_t n, int32_t k, const int block[3], int num_warps,
                          const char *activation) {
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = num_warps;
  check_grouped_with(m, n, k, block, activation, &options);
}

/* Launches with few blocks and with many, of a kernel that has a version for either; also with
   fewer steps than stages. */
static void check_low_occupancy(const int block[3], int num_warps, int num_stages,
                                const char *target) {
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = num_warps;
  options.num_stages = num_stages;
  options.target = target;
  options.low_occupancy = TILE_CHOICE_YES;
  check_grouped_with(block[0], block[1] - 3, 11 * block[2] + 7, block, "", &options);
  check_grouped_with(block[0] - 1, 2 * block[1], 2 * block[2], block, "leaky_relu", &options);
  check_grouped_with(2 * block[0], 2 * block[1] - 1, 6 * block[2], block, "", &options);
}

static void low_occupancy(void) {
  check_low_occupancy((const int[]){32, 64, 32}, 2, 5, "sm_90a");
  check_low_occupancy((const int[]){64, 128, 32}, 4, 4, "sm_90a");
  check_low_occupancy((const int[]){64, 64, 32}, 4, 3, "sm_80");
}

static void grouped(void) {
  check_grouped(70, 45, 50, (const int[]){32, 32, 16}, 4, "");
  check_grouped(129, 127, 33, (const int[]){64, 64, 32}, 4, "leaky_relu"); /* wgmma */
  check_grouped(1, 17, 15, (const int[]){16, 16, 16}, 1, "leaky_relu");
}

/* The last tiles are shared by several blocks, along rows of A. */
static void shared(void) {
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = 8;
  options.target = "sm_90a";
  check_grouped_with(264, 264, 1312, (const int[]){128, 256, 64}, "", &options);
  check_grouped_with(100, 200, 2600, (const int[]){128, 256, 64}, "leaky_relu", &options);
}

/* Blocks of two programs bring one another halves of the columns of B, also of parts of the last
   tiles; with `promised` the launch can describe the operands. */
static void pairs(void) {
  static const struct size sizes[] = {{384, 256, 208}, {400, 528, 144}, {272, 256, 2592}};
  const int block[3] = {128, 256, 64};
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = 8;
  options.target = "sm_90a";
  options.pairs = TILE_CHOICE_YES;
  tile_module *module = compile_grouped(block, "", true, &options);
  if (!module)
    return;
  CHECK_EQUAL(tile_kernel_get_info(tile_module_kernel_at(module, 0))->versions[0].cluster_blocks,
              2);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    launch_grouped(module, sizes[i], block, 1);
  tile_module_unload(module);
}

struct large_grouped {
  int block[3], num_warps, num_stages;
  bool promised;
  const char *activation, *target;
};

static void large_grouped(void) {
  static const struct large_grouped rows[] = {
      {{128, 256, 64}, 8, 3, true, "", "sm_90a"},
      {{128, 128, 64}, 8, 3, true, "leaky_relu", "sm_90a"},
      {{128, 128, 64}, 4, 4, true, "", "sm_90a"},
      {{64, 128, 32}, 4, 4, false, "", "sm_90a"},
      {{128, 128, 32}, 8, 3, true, "leaky_relu", "sm_80"},
      {{64, 64, 32}, 4, 4, false, "", "sm_80"},
      {{16, 128, 64}, 4, 4, true, "", "sm_90a"},
      {{32, 32, 32}, 2, 5, true, "leaky_relu", "sm_90a"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tile_compile_options options = tile_compile_options_default();
    options.num_warps = rows[i].num_warps;
    options.num_stages = rows[i].num_stages;
    options.target = rows[i].target;
    options.low_occupancy = TILE_CHOICE_YES;
    tile_module *module =
        compile_grouped(rows[i].block, rows[i].activation, rows[i].promised, &options);
    for (int j = 0; j < LARGE_SIZES && module; j++) {
      struct size size = shrink(large_sizes[j]);
      if (rows[i].promised)
        size = (struct size){size.m, round_up(size.n), round_up(size.k)};
      launch_grouped(module, size, rows[i].block, slope_of(rows[i].activation));
    }
    tile_module_unload(module);
  }
}

/* --- Block pointers, a bias ------------------------------------------------------------------- */

static void check_block_pointers(struct size size, bool has_bias, const int block[3],
                                 int num_warps) {
  int32_t m = size.m, n = size.n, k = size.k;
  char signature[240];
  snprintf(signature, sizeof signature,
           "*fp16:16, *fp16:16, %s, *fp16:16, i32, i32, i32, i32, 1, i32, 1, i32, 1, %s, %d, %d, "
           "%d, %s, True",
           has_bias ? "*fp16:16" : "None", has_bias ? "True" : "False", block[0], block[1],
           block[2], k % block[2] ? "False" : "True");
  tile_module *module =
      compile_triton("matmul.py", "matmul_block_pointer_kernel", signature, num_warps);
  if (!module)
    return;
  struct matrices x = make(m, n, k);
  void *bias = random_numbers("fp16", (size_t)n, 33);
  struct argument arguments[] = {BUFFER(x.a, (size_t)(m * k) * 2),
                                 BUFFER(x.b, (size_t)(k * n) * 2),
                                 BUFFER(bias, (size_t)n * 2),
                                 BUFFER(x.c, (size_t)(m * n) * 2),
                                 SCALAR(m),
                                 SCALAR(n),
                                 SCALAR(k),
                                 SCALAR(k),
                                 SCALAR(n),
                                 SCALAR(n)};
  size_t count = sizeof arguments / sizeof *arguments;
  if (!has_bias) {
    memmove(&arguments[2], &arguments[3], (count - 3) * sizeof *arguments);
    count--;
  }
  struct matrix c = {.data = x.c, .bytes = (size_t)(m * n) * 2};
  launch_twice(module, "matmul_block_pointer_kernel",
               GRID(blocks(m, block[0]), blocks(n, block[1]), 1), 8, arguments, count, &c);
  check_matrices(&x, has_bias ? bias : NULL, 1, 0x1p-7);
  free(bias);
  end(&x);
  tile_module_unload(module);
}

static void block_pointers(void) {
  const int block[3] = {32, 32, 32};
  check_block_pointers((struct size){45, 70, 50}, true, block, 4);
  check_block_pointers((struct size){33, 31, 64}, false, block, 2);
}

static void large_block_pointers(void) {
  for (int i = 0; i < LARGE_SIZES; i++) {
    struct size size = shrink(large_sizes[i]);
    check_block_pointers(size, i % 2, (const int[]){64, 64, 32}, 4);
    check_block_pointers(size, !(i % 2), (const int[]){128, 64, 64}, 8);
  }
}

/* --- States of gated linear attention --------------------------------------------------------- */

struct states_case {
  int heads, steps, chunk, keys, values, block_keys, block_values, num_warps;
};

struct states {
  const struct states_case *sizes;
  double *k, *v, *h;
  const float *g;
  pthread_mutex_t lock;
  double worst;
};

static int chunks_of(const struct states_case *s) {
  return (s->steps + s->chunk - 1) / s->chunk;
}

/* Adds a chunk's keys times values to the row of a state, after the state has faded. */
static void go_on(const struct states *all, int head, int key, int chunk, double *state) {
  const struct states_case *s = all->sizes;
  int first = chunk * s->chunk, past = first + s->chunk < s->steps ? first + s->chunk : s->steps;
  const float *g = all->g + head * s->steps;
  double last = g[past - 1], fading = exp(last);
  for (int j = 0; j < s->values; j++)
    state[j] *= fading;
  for (int t = first; t < past; t++) {
    double factor = all->k[(head * s->steps + t) * s->keys + key] * exp(last - g[t]);
    for (int j = 0; j < s->values; j++)
      state[j] += factor * all->v[(head * s->steps + t) * s->values + j];
  }
}

/* A row is one key of one head, in all chunks. */
static void check_states_rows(void *data, int64_t begin, int64_t end) {
  struct states *all = data;
  const struct states_case *s = all->sizes;
  int chunks = chunks_of(s);
  for (int row = (int)begin; row < end; row++) {
    int head = row / s->keys, key = row % s->keys;
    double *state = calloc((size_t)s->values, sizeof *state), worst = 0;
    for (int c = 0; c < chunks; c++) {
      const double *h = all->h + ((head * chunks + c) * s->keys + key) * s->values;
      for (int j = 0; j < s->values; j++)
        worst = farther(worst, fabs(h[j] - state[j]));
      go_on(all, head, key, c, state);
    }
    free(state);
    pthread_mutex_lock(&all->lock);
    all->worst = farther(all->worst, worst);
    pthread_mutex_unlock(&all->lock);
  }
}

static double states_distance(const struct states_case *s, const void *k, const void *v,
                              const float *g, const void *h) {
  struct states all = {.sizes = s, .g = g};
  all.k = as_doubles(k, s->heads * s->steps * s->keys);
  all.v = as_doubles(v, s->heads * s->steps * s->values);
  all.h = as_doubles(h, s->heads * chunks_of(s) * s->keys * s->values);
  pthread_mutex_init(&all.lock, NULL);
  for_rows(check_states_rows, &all, s->heads * s->keys);
  pthread_mutex_destroy(&all.lock);
  free(all.k);
  free(all.v);
  free(all.h);
  return all.worst;
}

static void check_states(const struct states_case *s) {
  char signature[160];
  snprintf(signature, sizeof signature,
           "*fp16:16, *fp16:16, *fp32:16, *fp16:16, i32, i32, i32, %d, %d, %d, %d, %d", s->keys,
           s->values, s->chunk, s->block_keys, s->block_values);
  tile_module *module =
      compile_triton("chunk_scan.py", "chunk_state_kernel", signature, s->num_warps);
  if (!module)
    return;
  size_t k_count = (size_t)(s->heads * s->steps * s->keys),
         v_count = (size_t)(s->heads * s->steps * s->values);
  size_t g_bytes = (size_t)(s->heads * s->steps) * sizeof(float);
  void *k = numbers(k_count, 41), *v = numbers(v_count, 42);
  float *g = poisoned(g_bytes);
  uint64_t state = seeded(43);
  for (int i = 0; i < s->heads * s->steps; i++) /* sums of small negative numbers, anew in each
                                                   chunk */
    g[i] = (i % s->steps % s->chunk ? g[i - 1] : 0) - 0.05f * (1 + draw(&state));
  struct matrix h = {.bytes = sizeof(uint16_t) *
                              (size_t)(s->heads * chunks_of(s) * s->keys * s->values)};
  h.data = poisoned(h.bytes);
  int32_t steps = s->steps, stride_k = s->steps * s->keys, stride_v = s->steps * s->values;
  LAUNCH_TWICE(
      module, "chunk_state_kernel",
      GRID(blocks(s->keys, s->block_keys), blocks(s->values, s->block_values), (uint32_t)s->heads),
      9, &h, BUFFER(k, k_count * 2), BUFFER(v, v_count * 2), BUFFER(g, g_bytes),
      BUFFER(h.data, h.bytes), SCALAR(steps), SCALAR(stride_k), SCALAR(stride_v));
  CHECK(states_distance(s, k, v, g, h.data) < 0x1p-7);
  free(k);
  free(v);
  free(g);
  free(h.data);
  tile_module_unload(module);
}

static void states(void) {
  check_states(&(struct states_case){2, 40, 16, 24, 40, 16, 32, 4});
}

/* What is far back has faded: a state is no larger than that of few steps. */
static void large_states(void) {
  int heads = shrink_number(32), steps = shrink_number(2000);
  check_states(&(struct states_case){heads, steps, 64, 128, 128, 64, 64, 4});
  check_states(&(struct states_case){heads, steps, 32, 64, 256, 32, 128, 8});
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"grouped", grouped}, {"shared", shared}, {"pairs", pairs},
                          {"low occupancy", low_occupancy}, {"block pointers", block_pointers},
                          {"states", states}, {"large grouped", large_grouped},
                          {"large block pointers", large_block_pointers},
                          {"large states", large_states});
}
