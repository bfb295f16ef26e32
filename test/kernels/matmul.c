/* Whole kernels around products: matmul.py's grouped and block-pointer kernels, and chunk_scan.py's states, on
   sizes that are no multiples of the blocks, against sums in double. With --large the kernels of matmul.py, on
   product.h's large sizes. */
#include "product.h"

static double at(const void *data, int i) {
  return number_read(data, (size_t)i, "fp16");
}

static double worse(double worst, double apart) {
  return apart > worst || isnan(apart) ? apart : worst;
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
  for (int i = 0; i < x->m; i++)
    for (int j = 0; j < x->n; j++) {
      double sum = bias ? at(bias, j) : 0;
      for (int k = 0; k < x->k; k++)
        sum += at(x->a, i * x->k + k) * at(x->b, k * x->n + j);
      sum *= sum < 0 ? slope : 1;
      worst = worse(worst, fabs(at(x->c, i * x->n + j) - sum));
    }
  return worst;
}

/* What activation(a b + bias) is before it: the activation has one slope for positive numbers and `slope` for
   others, and what is rounded is within the same part of it before and after. */
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
  check_large("matmul", &(struct view){"fp64", sums, x->m, x->n, (size_t)x->n, 1}, &rows, &columns, allowed);
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

/* --- Grouped order, rows and columns that wrap around, an activation ------------------------------------- */

static void launch_grouped(tile_module *module, struct size size, const int block[3], double slope) {
  int32_t m = size.m, n = size.n, k = size.k;
  struct matrices x = make(m, n, k);
  struct matrix c = {.data = x.c, .bytes = (size_t)(m * n) * 2};
  LAUNCH_TWICE(module, "matmul_kernel", GRID(blocks(m, block[0]) * blocks(n, block[1]), 1, 1), 7, &c,
               BUFFER(x.a, (size_t)(m * k) * 2), BUFFER(x.b, (size_t)(k * n) * 2),
               BUFFER(x.c, (size_t)(m * n) * 2), SCALAR(m), SCALAR(n), SCALAR(k), SCALAR(k), SCALAR(n),
               SCALAR(n));
  check_matrices(&x, NULL, slope, 0x1p-7 * (1 + k / 128));
  end(&x);
}

/* `promised`: all sizes are multiples of 16, and the kernel is told. */
static tile_module *compile_grouped(const int block[3], const char *activation, bool promised,
                                    const tile_compile_options *options) {
  const char *size = promised ? "i32:16" : "i32";
  char signature[240];
  snprintf(signature, sizeof signature,
           "*fp16:16, *fp16:16, *fp16:16, i32, %s, %s, %s, 1, %s, 1, %s, 1, %d, %d, %d, %d, '%s'", size, size,
           size, size, size, block[0], block[1], block[2], large_test ? 8 : 3, activation);
  return compile_triton_with("matmul.py", "matmul_kernel", signature, options);
}

static double slope_of(const char *activation) {
  return activation[0] ? 0.01 : 1;
}

static void check_grouped_with(int32_t m, int32_t n, int32_t k, const int block[3], const char *activation,
                               const tile_compile_options *options) {
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

/* Launches with few blocks and with many, of a kernel that has a version for either; also with fewer steps than stages. */
static void check_small_grids(const int block[3], int num_warps, int num_stages, const char *target) {
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = num_warps;
  options.num_stages = num_stages;
  options.target = target;
  options.small_grids = TILE_CHOICE_YES;
  check_grouped_with(block[0], block[1] - 3, 11 * block[2] + 7, block, "", &options);
  check_grouped_with(block[0] - 1, 2 * block[1], 2 * block[2], block, "leaky_relu", &options);
  check_grouped_with(2 * block[0], 2 * block[1] - 1, 6 * block[2], block, "", &options);
}

static void small_grids(void) {
  check_small_grids((const int[]){32, 64, 32}, 2, 5, "sm_90a");
  check_small_grids((const int[]){64, 128, 32}, 4, 4, "sm_90a");
  check_small_grids((const int[]){64, 64, 32}, 4, 3, "sm_80");
}

static void grouped(void) {
  check_grouped(70, 45, 50, (const int[]){32, 32, 16}, 4, "");
  check_grouped(129, 127, 33, (const int[]){64, 64, 32}, 4, "leaky_relu"); /* wgmma */
  check_grouped(1, 17, 15, (const int[]){16, 16, 16}, 1, "leaky_relu");
}

struct large_grouped {
  int block[3], num_warps, num_stages;
  bool promised;
  const char *activation, *target;
};

static void large_grouped(void) {
  static const struct large_grouped rows[] = {
      {{128, 256, 64}, 8, 3, true, "", "sm_90a"},          {{128, 128, 64}, 8, 3, true, "leaky_relu", "sm_90a"},
      {{128, 128, 64}, 4, 4, true, "", "sm_90a"},          {{64, 128, 32}, 4, 4, false, "", "sm_90a"},
      {{128, 128, 32}, 8, 3, true, "leaky_relu", "sm_80"}, {{64, 64, 32}, 4, 4, false, "", "sm_80"},
      {{16, 128, 64}, 4, 4, true, "", "sm_90a"},           {{32, 32, 32}, 2, 5, true, "leaky_relu", "sm_90a"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tile_compile_options options = tile_compile_options_default();
    options.num_warps = rows[i].num_warps;
    options.num_stages = rows[i].num_stages;
    options.target = rows[i].target;
    options.small_grids = TILE_CHOICE_YES;
    tile_module *module = compile_grouped(rows[i].block, rows[i].activation, rows[i].promised, &options);
    for (int j = 0; j < LARGE_SIZES && module; j++) {
      struct size size = shrink(large_sizes[j]);
      if (rows[i].promised)
        size = (struct size){size.m, round_up(size.n), round_up(size.k)};
      launch_grouped(module, size, rows[i].block, slope_of(rows[i].activation));
    }
    tile_module_unload(module);
  }
}

/* --- Block pointers, a bias ------------------------------------------------------------------------------------ */

static void check_block_pointers(struct size size, bool has_bias, const int block[3], int num_warps) {
  int32_t m = size.m, n = size.n, k = size.k;
  char signature[240];
  snprintf(signature, sizeof signature,
           "*fp16:16, *fp16:16, %s, *fp16:16, i32, i32, i32, i32, 1, i32, 1, i32, 1, %s, %d, %d, %d, %s, True",
           has_bias ? "*fp16:16" : "None", has_bias ? "True" : "False", block[0], block[1], block[2],
           k % block[2] ? "False" : "True");
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
  launch_twice(module, "matmul_block_pointer_kernel", GRID(blocks(m, block[0]), blocks(n, block[1]), 1), 8,
               arguments, count, &c);
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

/* --- States of gated linear attention -------------------------------------------------------------------------- */

enum { STEPS = 40, CHUNK = 16, KEYS = 24, VALUES = 40, CHUNKS = (STEPS + CHUNK - 1) / CHUNK };

static void states(void) {
  tile_module *module = compile_triton("chunk_scan.py", "chunk_state_kernel",
                                       "*fp16:16, *fp16:16, *fp32:16, *fp16:16, i32, i32, i32, 24, 40, "
                                       "16, 16, 32",
                                       4);
  if (!module)
    return;
  enum { HEADS = 2 };
  void *k = random_numbers("fp16", HEADS * STEPS * KEYS, 41), *v = random_numbers("fp16", HEADS * STEPS * VALUES, 42);
  float g[HEADS * STEPS];
  uint64_t seed = 43;
  for (int i = 0; i < HEADS * STEPS; i++) /* sums of small negative numbers, anew in each chunk */
    g[i] = (i % STEPS % CHUNK ? g[i - 1] : 0) - 0.05f * (1 + draw(&seed));
  size_t bytes = sizeof(uint16_t) * HEADS * CHUNKS * KEYS * VALUES;
  void *h = poisoned(bytes);
  int32_t steps = STEPS, stride_k = STEPS * KEYS, stride_v = STEPS * VALUES;
  LAUNCH(module, "chunk_state_kernel", GRID(blocks(KEYS, 16), blocks(VALUES, 32), HEADS), 9,
         BUFFER(k, HEADS * STEPS * KEYS * 2), BUFFER(v, HEADS * STEPS * VALUES * 2), BUFFER(g, sizeof g),
         BUFFER(h, bytes), SCALAR(steps), SCALAR(stride_k), SCALAR(stride_v));
  double worst = 0;
  for (int head = 0; head < HEADS; head++)
    for (int i = 0; i < KEYS; i++)
      for (int j = 0; j < VALUES; j++) {
        double state = 0;
        for (int c = 0; c < CHUNKS; c++) {
          worst = worse(worst, fabs(at(h, ((head * CHUNKS + c) * KEYS + i) * VALUES + j) - state));
          int first = c * CHUNK, past = first + CHUNK < STEPS ? first + CHUNK : STEPS;
          double last = g[head * STEPS + past - 1];
          state *= exp(last);
          for (int t = first; t < past; t++)
            state += at(k, (head * STEPS + t) * KEYS + i) * at(v, (head * STEPS + t) * VALUES + j) *
                     exp(last - g[head * STEPS + t]);
        }
      }
  CHECK(worst < 0x1p-7);
  free(k);
  free(v);
  free(h);
  tile_module_unload(module);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"grouped", grouped}, {"small grids", small_grids}, {"block pointers", block_pointers},
                          {"states", states}, {"large grouped", large_grouped},
                          {"large block pointers", large_block_pointers});
}
