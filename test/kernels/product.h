/* SPDX-License-Identifier: MIT */
/* What the tests of kernels around products share: matrices whose rows lie apart, with poison
   between; the product in double; launches that are made again and compared bit for bit.

   Every product is made for sm_80 and for sm_90a on the emulator (for_each_target), from several
   seeds, and each element is compared. Integers are exact: their references are, too, in double.
   With --large the sizes are those of large_sizes, and large_product.h looks at the results. */
#ifndef TILE_TEST_PRODUCT_H
#define TILE_TEST_PRODUCT_H

#include "kernel_test.h"
#include "large_product.h"
#include "numbers.h"

/* --- Matrices --------------------------------------------------------------------------------- */

/* `batch` matrices, row by row. Rows begin at multiples of 16 elements, which is what `:16` on a
   stride promises; what lies between the end of a row and the next is poison, in what a kernel
   reads and in what it writes. */
struct matrix {
  const char *type;
  int32_t batch, rows, columns, stride;
  size_t bytes;
  void *data;
};

enum { ROW_ALIGNMENT = 16, POISON = 0xCB };

static inline int32_t round_up(int32_t size) {
  return (size + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
}

/* Elements of large matrices are NaN, so that one which a kernel leaves out shows. */
static inline struct matrix matrix_empty(const char *type, int32_t batch, int32_t rows,
                                         int32_t columns) {
  struct matrix m = {
      .type = type, .batch = batch, .rows = rows, .columns = columns, .stride = round_up(columns)};
  size_t element = number_bytes(type), row = (size_t)m.stride * element;
  m.bytes = (size_t)batch * (size_t)rows * row;
  m.data = poisoned(m.bytes);
  for (size_t i = 0; large_test && i < (size_t)batch * (size_t)rows; i++)
    memset((char *)m.data + i * row, 0xFF, (size_t)columns * element);
  return m;
}

static inline size_t matrix_place(const struct matrix *m, int batch, int row, int column) {
  return (size_t)(batch * m->rows + row) * (size_t)m->stride + (size_t)column;
}

static inline double matrix_at(const struct matrix *m, int batch, int row, int column) {
  return number_read(m->data, matrix_place(m, batch, row, column), m->type);
}

/* Every element but the poison. */
#define FOR_EACH_ELEMENT(m, batch_, row_, column_)                                                 \
  for (int batch_ = 0; batch_ < (m)->batch; batch_++)                                              \
    for (int row_ = 0; row_ < (m)->rows; row_++)                                                   \
      for (int column_ = 0; column_ < (m)->columns; column_++)

/* Floats in [-1, 1), i8 in [-128, 127]. Those of f32 have ten bits of fraction, which tf32 leaves
 * as they are. */
static inline struct matrix matrix_random(const char *type, int32_t batch, int32_t rows,
                                          int32_t columns, uint64_t seed) {
  struct matrix m = matrix_empty(type, batch, rows, columns);
  uint64_t state = seeded(seed);
  if (large_test)
    draw_numbers(m.data, type, strcmp(type, "fp32") == 0 ? "fp16" : type,
                 (size_t)batch * (size_t)rows, (size_t)columns, (size_t)m.stride, seed);
  FOR_EACH_ELEMENT(&m, b, i, j) {
    if (large_test)
      break;
    double value = draw(&state);
    if (strcmp(type, "i8") == 0)
      value = floor(value * 128);
    else if (strcmp(type, "fp32") == 0)
      value = floor(value * 1024) / 1024;
    number_write(m.data, matrix_place(&m, b, i, j), type, value);
  }
  return m;
}

static inline void matrix_free(struct matrix *m) {
  free(m->data);
}

/* The elements as doubles, without what lies between rows. */
static inline double *matrix_doubles(const struct matrix *m) {
  double *out = malloc(sizeof *out * (size_t)(m->batch * m->rows * m->columns)), *next = out;
  FOR_EACH_ELEMENT(m, b, i, j)
  *next++ = matrix_at(m, b, i, j);
  return out;
}

/* `count` sums with one more product each, or one sum of products. Not sanitized: they are most of
   what references take, which is longer with checks of each access. */
__attribute__((no_sanitize("address", "undefined"))) static inline void
add_products(double *sums, double x, const double *y, int count) {
  for (int j = 0; j < count; j++)
    sums[j] += x * y[j];
}

__attribute__((no_sanitize("address", "undefined"))) static inline double
sum_of_products(const double *x, const double *y, int count) {
  double sum = 0;
  for (int l = 0; l < count; l++)
    sum += x[l] * y[l];
  return sum;
}

/* a b, or a b^T where the rows of b are the product's columns. The caller frees it. */
static inline double *product_of(const struct matrix *a, const struct matrix *b, bool transposed) {
  int m = a->rows, k = a->columns, n = transposed ? b->rows : b->columns;
  if (b->batch != a->batch || k != (transposed ? b->columns : b->rows))
    abort(); /* nothing below looks */
  double *x = matrix_doubles(a), *y = matrix_doubles(b);
  double *out = calloc((size_t)(a->batch * m * n), sizeof *out);
  for (int i = 0; i < a->batch * m; i++) {
    const double *row = x + i * k, *other = y + i / m * k * n;
    for (int l = 0; !transposed && l < k; l++)
      add_products(out + i * n, row[l], other + l * n, n);
    for (int j = 0; transposed && j < n; j++)
      out[i * n + j] = sum_of_products(row, other + j * k, k);
  }
  free(x);
  free(y);
  return out;
}

/* --- Comparing -------------------------------------------------------------------------------- */

/* Half a unit in the last place of a result of this type, relative to it. */
static inline double rounding_of(const char *type) {
  const struct number_format *format = number_format(type);
  return format ? ldexp(1, -format->fraction - 1) : 0;
}

static inline bool is_poison(const struct matrix *m, size_t place) {
  size_t bytes = number_bytes(m->type);
  const unsigned char *element = (const unsigned char *)m->data + place * bytes;
  for (size_t i = 0; i < bytes; i++)
    if (element[i] != POISON)
      return false;
  return true;
}

/* Elements between the rows that are no poison any more. */
static inline int count_overrun(const struct matrix *c) {
  int overrun = 0;
  for (int i = 0; i < c->batch * c->rows; i++)
    for (int j = c->columns; j < c->stride; j++)
      overrun += !is_poison(c, (size_t)i * (size_t)c->stride + (size_t)j);
  return overrun;
}

/* Every element of `c` within `most`, and the rounding to its type, of what is expected; poison
   between the rows still poison. */
static inline void check_matrix(const char *what, const struct matrix *c, const double *expected,
                                double most) {
  int wrong = 0, overrun = count_overrun(c);
  double worst = 0, rounding = rounding_of(c->type);
  FOR_EACH_ELEMENT(c, b, i, j) {
    double value = expected[(b * c->rows + i) * c->columns + j];
    double apart = fabs(matrix_at(c, b, i, j) - value);
    wrong += !(apart <= most + rounding * (1 + 0x1p-10) * fabs(value));
    worst = farther(worst, apart);
  }
  if (!wrong && !overrun)
    return;
  printf(
      "%s, %d x %dx%d of %s: %d elements are wrong, by up to %g; %d after the rows were written\n",
      what, c->batch, c->rows, c->columns, c->type, wrong, worst, overrun);
  check_failures_++;
}

/* How far a sum of k products of numbers below 1 may be off: f32 sums, whose order and rounding the
 * device chooses. */
static inline double sum_error(int k) {
  return 0x1p-22 * (k + 1);
}

/* The same of 8-bit floats, of which `alone` are added up before the sum goes to f32: tensor cores
 * may keep 13 bits of fraction of the greatest number that they add up. An instruction adds up 32
 * products, each of which may lose so much beside a product of 1, and all together beside the sum
 * so far. */
static inline double fp8_sum_error(int k, int alone) {
  bool gpu = tile_device_get_driver(test_device) != tile_emulator_driver();
  return sum_error(k) + (gpu ? 0x1p-13 * (fmin(k, 32) + k * sqrt(alone) / 32) : 0);
}

/* --- Products, small and large ---------------------------------------------------------------- */

static inline struct view matrix_view(const struct matrix *m, int batch) {
  size_t place = matrix_place(m, batch, 0, 0);
  return (struct view){.type = m->type,
                       .data = (const char *)m->data + place * number_bytes(m->type),
                       .rows = m->rows,
                       .columns = m->columns,
                       .row_step = (size_t)m->stride,
                       .column_step = 1};
}

/* What a large product of elements of type `in` may be off by; of 8-bit floats, `alone` products
   are summed up by the tensor cores. An instruction adds up at least 8 products, of tf32 4. */
static inline struct allowed allowed_for(const char *in, const char *out, int k, int alone) {
  bool gpu = tile_device_get_driver(test_device) != tile_emulator_driver();
  double sum = f32_sums(k, strcmp(in, "fp32") == 0 ? 4 : 8);
  if (strncmp(in, "fp8", 3) == 0)
    sum = fp8_sums(k, alone, gpu);
  return (struct allowed){.sum = *in == 'i' ? 0 : sum,
                          .result = rounding_of(out),
                          .least = strcmp(out, "fp16") == 0 ? 0x1p-25 : 0};
}

/* The columns of b, which are its rows where it is given transposed. */
static inline struct lines lines_of_columns(const struct matrix *b, int batch, bool transposed) {
  struct view view = matrix_view(b, batch);
  return lines_of(transposed ? view : view_transposed(view));
}

static inline void check_large_product(const char *what, const struct matrix *a,
                                       const struct matrix *b, bool transposed,
                                       const struct matrix *c, struct allowed allowed) {
  CHECK_EQUAL(count_overrun(c), 0);
  for (int batch = 0; batch < c->batch; batch++) {
    struct lines rows = lines_of(matrix_view(a, batch));
    struct lines columns = lines_of_columns(b, b->batch == 1 ? 0 : batch, transposed);
    struct view view = matrix_view(c, batch);
    bool right = check_large(what, &view, &rows, &columns, allowed);
    lines_free(&rows);
    lines_free(&columns);
    if (!right)
      return;
  }
}

/* c = a b, or a b^T; b may be one for a batch of a. The result is within `most` where it is small,
   and within what is allowed where it is large. */
static inline void check_product_within(const char *what, const struct matrix *a,
                                        const struct matrix *b, bool transposed,
                                        const struct matrix *c, double most,
                                        struct allowed allowed) {
  if (large_test) {
    check_large_product(what, a, b, transposed, c, allowed);
    return;
  }
  struct matrix rows = *a; /* with one b, the batch is one matrix of all rows */
  if (b->batch == 1) {
    rows.rows *= rows.batch;
    rows.batch = 1;
  }
  double *expected = product_of(&rows, b, transposed);
  check_matrix(what, c, expected, most);
  free(expected);
}

static inline void check_product(const char *what, const struct matrix *a, const struct matrix *b,
                                 bool transposed, const struct matrix *c, double most) {
  check_product_within(what, a, b, transposed, c, most,
                       allowed_for(a->type, c->type, a->columns, a->columns));
}

/* --- Launching -------------------------------------------------------------------------------- */

/* Launches twice, the second time with another order of blocks and threads, from the same content
   of `out`, which must come out the same bit for bit. */
static inline void launch_twice(tile_module *module, const char *kernel, const uint32_t grid[3],
                                uint64_t seed, const struct argument *arguments, size_t count,
                                const struct matrix *out) {
  void *before = poisoned(out->bytes), *first = poisoned(out->bytes);
  memcpy(before, out->data, out->bytes);
  launch(module, kernel, grid, seed, arguments, count);
  memcpy(first, out->data, out->bytes);
  memcpy(out->data, before, out->bytes);
  launch(module, kernel, grid, seed + 1000, arguments, count);
  CHECK(memcmp(first, out->data, out->bytes) == 0);
  free(before);
  free(first);
}
#define LAUNCH_TWICE(module, kernel, grid, seed, out, ...)                                         \
  launch_twice((module), (kernel), (grid), (seed), (const struct argument[]){__VA_ARGS__},         \
               sizeof((const struct argument[]){__VA_ARGS__}) / sizeof(struct argument), (out))
#define MATRIX(m)                                                                                  \
  { #m, (m).data, (m).bytes }

static inline uint32_t tiles(int32_t size, int block) {
  return (uint32_t)((size + block - 1) / block);
}

/* --- Targets and sizes ------------------------------------------------------------------------ */

/* Compiles for the target; NULL after a failed check. 0 stages: as many as are usual. For large
   sizes the emulator, too, gets the low-occupancy variant. */
static inline tile_compile_options staged_options(int num_warps, int num_stages,
                                                  const char *target) {
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = num_warps;
  options.num_stages = num_stages;
  options.target = target;
  options.low_occupancy = large_test ? TILE_CHOICE_YES : TILE_CHOICE_DEFAULT;
  return options;
}

static inline tile_module *compile_staged(const char *file, const char *kernel,
                                          const char *signature, int num_warps, int num_stages,
                                          const char *target) {
  tile_compile_options options = staged_options(num_warps, num_stages, target);
  return compile_triton_with(file, kernel, signature, &options);
}

static inline tile_module *compile_product(const char *file, const char *kernel,
                                           const char *signature, int num_warps,
                                           const char *target) {
  return compile_staged(file, kernel, signature, num_warps, 0, target);
}

/* Calls `check` for each target on the emulator; on a GPU once, as it has one. */
static inline void for_each_target(void (*check)(const char *target, const void *data),
                                   const void *data) {
  bool emulated = tile_device_get_driver(test_device) == tile_emulator_driver();
  check("sm_90a", data);
  if (emulated)
    check("sm_80", data);
}

struct size {
  int32_t m, n, k;
};

/* Many tiles a multiprocessor and less than one, edges in all dimensions, one row and sixteen, a
   long K. */
static const struct size large_sizes[] = {
    {1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}, {4095, 2049, 4097},
    {3000, 1111, 2500}, {16, 8192, 4096},   {1, 4096, 14336},   {128, 128, 65536},
};
enum { LARGE_SIZES = sizeof large_sizes / sizeof *large_sizes };

/* What --large=N leaves of sizes. */
static inline int32_t shrink_number(int32_t number) {
  return (number + large_test - 1) / large_test;
}

static inline struct size shrink(struct size size) {
  return (struct size){shrink_number(size.m), shrink_number(size.n), shrink_number(size.k)};
}

/* Sizes around those of tiles and of instructions. Each number is in each place; with --full, in
 * all combinations. */
static inline int list_sizes(struct size *out, int most) {
  static const int32_t numbers[] = {1, 15, 16, 17, 127, 129};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  int count = 0;
  for (int i = 0; large_test && i < LARGE_SIZES && count < most; i++)
    out[count++] = shrink(large_sizes[i]);
  if (large_test)
    return count;
  if (!full_test)
    for (int i = 0; i < COUNT && count < most; i++)
      out[count++] = (struct size){numbers[i], numbers[(i + 2) % COUNT], numbers[(i + 5) % COUNT]};
  for (int i = 0; i < COUNT * COUNT * COUNT && full_test && count < most; i++)
    out[count++] =
        (struct size){numbers[i / COUNT / COUNT], numbers[i / COUNT % COUNT], numbers[i % COUNT]};
  return count;
}
enum { MAX_SIZES = 216 };

/* Without --full, code for sm_80 runs from one seed, on half of the sizes. Large sizes run from one
   seed. */
static inline uint64_t seeds_for(const char *target) {
  if (large_test)
    return 1;
  return full_test || strcmp(target, "sm_80") != 0 ? SEEDS : 1;
}

/* Calls `check` for each size, which may have to be a multiple of 16 but in m, and for each seed.
 */
typedef void check_size(tile_module *module, const void *product, struct size size, uint64_t seed);
static inline void for_each_size(check_size *check, tile_module *module, const void *product,
                                 bool aligned, const char *target) {
  struct size sizes[MAX_SIZES];
  int count = list_sizes(sizes, MAX_SIZES);
  for (int i = 0; i < count; i += large_test || seeds_for(target) == SEEDS ? 1 : 2)
    for (uint64_t seed = 1; seed <= seeds_for(target); seed++) {
      struct size size = sizes[i];
      if (aligned)
        size = (struct size){size.m, round_up(size.n), round_up(size.k)};
      check(module, product, size, seed);
    }
}

#endif
