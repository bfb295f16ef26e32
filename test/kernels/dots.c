/* Products of matrices in a loop over K, against double precision: every element type and
   accumulator, the precisions of f32, operands by rows, by columns and transposed in the kernel,
   operands converted in the loop, batches, 1 to 8 warps, 1 to 5 stages, both generations of tensor
   cores. Sizes lie around those of the tiles.

   Each case runs twice and has to give the same bits. By default each type has a few of the ways to
   be multiplied, so that every way occurs; --full has all of them with all sizes. */
#include "kernel_test.h"
#include "numbers.h"

/* --- What is multiplied
 * --------------------------------------------------------------------------------------- */

struct product {
  const char *a, *b, *c;         /* element types in memory */
  const char *multiplied, *sums; /* in the kernel */
  const char *held;              /* what `multiplied` keeps of an element: the data is of it */
  const char *precision;
  int least_k;      /* of an instruction */
  double tolerance; /* relative to the sum of the products' magnitudes; 0: exactly */
};

/* tf32 keeps 10 bits of the fraction, cut off by warp groups; tf32x3 21. Sums of f16 are rounded at
   every step, those of fp8 keep some 14 bits on devices. */
static const struct product products[] = {
    {"fp16", "fp16", "fp32", "tl.float16", "tl.float32", "fp16", "tf32", 16, 0x1p-18},
    {"fp16", "fp16", "fp16", "tl.float16", "tl.float16", "fp16", "tf32", 16, 0x1p-8},
    {"bf16", "bf16", "fp32", "tl.bfloat16", "tl.float32", "bf16", "tf32", 16, 0x1p-18},
    {"bf16", "bf16", "bf16", "tl.bfloat16", "tl.float32", "bf16", "tf32", 16, 0x1p-7},
    {"fp32", "fp32", "fp32", "tl.float32", "tl.float32", "fp32", "tf32", 8, 0x1p-9},
    {"fp32", "fp32", "fp32", "tl.float32", "tl.float32", "fp32", "tf32x3", 8, 0x1p-18},
    {"fp32", "fp32", "fp32", "tl.float32", "tl.float32", "fp32", "ieee", 8, 0x1p-19},
    {"fp64", "fp64", "fp64", "tl.float64", "tl.float64", "fp64", "ieee", 4, 0x1p-48},
    {"fp8e4nv", "fp8e4nv", "fp32", "tl.float8e4nv", "tl.float32", "fp8e4nv", "tf32", 32, 0x1p-11},
    {"fp8e5", "fp8e5", "fp32", "tl.float8e5", "tl.float32", "fp8e5", "tf32", 32, 0x1p-11},
    {"fp8e5", "fp8e5", "fp16", "tl.float8e5", "tl.float16", "fp8e5", "tf32", 32, 0x1p-8},
    {"i8", "i8", "i32", "tl.int8", "tl.int32", "i8", "tf32", 32, 0},
    {"fp16", "i8", "fp32", "tl.float16", "tl.float32", "fp16", "tf32", 16, 0x1p-18},
    {"i8", "bf16", "fp32", "tl.bfloat16", "tl.float32", "bf16", "tf32", 16, 0x1p-18},
    {"fp32", "fp16", "fp32", "tl.float16", "tl.float32", "fp16", "tf32", 16, 0x1p-18},
    {"fp16", "fp32", "fp32", "tl.float32", "tl.float32", "fp16", "tf32", 8,
     0x1p-18}, /* tf32 holds f16 */
    {"fp8e5", "fp16", "fp32", "tl.float16", "tl.float32", "fp8e5", "tf32", 16, 0x1p-18},
    {"i8", "fp32", "fp32", "tl.float32", "tl.float32", "fp16", "tf32x3", 8, 0x1p-18},
};

/* Two formats of 8 bits: nothing is converted. */
static const struct product mixed_products[] = {
    {"fp8e4nv", "fp8e5", "fp32", NULL, "tl.float32", "fp8e5", "tf32", 32, 0x1p-11},
    {"fp8e5", "fp8e4nv", "fp32", NULL, "tl.float32", "fp8e5", "tf32", 32, 0x1p-11},
};

/* --- How
 * -------------------------------------------------------------------------------------------------------
 */

struct way {
  const char *target;
  bool a_by_columns, b_by_columns; /* in memory */
  bool turn_a, turn_b;             /* by tl.trans, in the kernel */
  int batch;                       /* matrices; 0: one, without a dimension for them */
  int m, n, steps;                 /* of a tile; along K `steps` instructions' */
  int num_warps, num_stages;
  bool aligned; /* sizes that are multiples of 16, and promised: wide accesses, asynchronous copies
                 */
};

static const struct way ways[] = {
    {"sm_80", 0, 0, 0, 0, 0, 32, 32, 1, 4, 3}, {"sm_90a", 0, 0, 0, 0, 0, 64, 32, 2, 4, 3},
    {"sm_80", 1, 0, 0, 0, 0, 16, 8, 1, 1, 2},  {"sm_90a", 1, 1, 0, 0, 0, 64, 64, 2, 4, 4},
    {"sm_80", 0, 1, 0, 1, 0, 64, 32, 2, 2, 5}, {"sm_90a", 0, 1, 0, 0, 0, 128, 32, 1, 8, 5},
    {"sm_80", 1, 0, 1, 0, 0, 32, 64, 2, 8, 1}, {"sm_90a", 1, 0, 1, 0, 0, 64, 16, 4, 4, 2},
    {"sm_80", 0, 0, 1, 1, 0, 64, 16, 4, 4, 4}, {"sm_90a", 0, 0, 0, 1, 0, 64, 64, 1, 8, 1},
    {"sm_80", 0, 0, 0, 0, 2, 16, 32, 2, 2, 3}, {"sm_90a", 0, 1, 1, 1, 0, 64, 128, 2, 4, 3},
    {"sm_80", 1, 1, 1, 0, 4, 32, 16, 1, 8, 2}, {"sm_90a", 1, 0, 0, 1, 4, 16, 16, 2, 4, 2},
    {"sm_80", 1, 1, 0, 0, 0, 8, 4, 4, 1, 3},   {"sm_90a", 0, 0, 0, 0, 0, 1, 64, 2, 2, 4},
    {"sm_80", 0, 1, 0, 0, 0, 64, 64, 1, 4, 2}, {"sm_90a", 0, 1, 0, 1, 0, 32, 16, 1, 1, 5},
};

enum {
  PRODUCTS = sizeof products / sizeof *products,
  WAYS = sizeof ways / sizeof *ways,
  QUICK_WAYS = 3
};

struct sizes {
  int32_t m, n, k;
};

/* --- Compiling
 * ----------------------------------------------------------------------------------------------------
 */

static const char no_tensor_cores[] =
    "tile.dot: computed without tensor cores, by fused multiply-adds: ";

/* Why a product is made without tensor cores, as the remark has it; NULL when it is made with them.
 */
static const char *expected_reason(const struct product *p) {
  bool full = strcmp(p->precision, "ieee") == 0 && strcmp(p->sums, "tl.float32") == 0;
  return full ? "precision = \"ieee\" asks for products of full f32" : NULL;
}

struct remarks {
  const char *reason;
  int found, others;
};

static void on_diagnostic(const tile_diagnostic *diagnostic, void *data) {
  struct remarks *remarks = data;
  size_t length = strlen(no_tensor_cores);
  bool told = strncmp(diagnostic->message, no_tensor_cores, length) == 0 && remarks->reason &&
              strncmp(diagnostic->message + length, remarks->reason, strlen(remarks->reason)) == 0;
  if (told && strcmp(diagnostic->file, "dots.py") == 0 && diagnostic->line > 0) {
    remarks->found++;
    return;
  }
  remarks->others++;
  printf("%s:%u: %s: %s\n", diagnostic->file, diagnostic->line, diagnostic->severity,
         diagnostic->message);
}

static void write_signature(const struct product *p, const struct way *way, char *out,
                            size_t room) {
  const char *size = way->aligned ? "i32:16" : "i32",
             *multiplied = p->multiplied ? p->multiplied : "None";
  const char *steps[] = {size, "1"};
  int length = snprintf(
      out, room,
      "*%s:16, *%s:16, *%s:16, %s, %s, %s, %s, %s, %s, %s, %d, %d, %d, %s, %s, \"%s\", %s, %s",
      p->a, p->b, p->c, size, size, size, steps[way->a_by_columns], steps[!way->a_by_columns],
      steps[way->b_by_columns], steps[!way->b_by_columns], way->m, way->n, p->least_k * way->steps,
      multiplied, p->sums, p->precision, way->turn_a ? "True" : "False",
      way->turn_b ? "True" : "False");
  if (way->batch)
    snprintf(out + length, room - (size_t)length, ", %d", way->batch);
}

static const char *kernel_of(const struct way *way) {
  return way->batch ? "batch_kernel" : "product_kernel";
}

static tile_status build(tile_compiler *compiler, const struct product *p, const struct way *way,
                         struct remarks *remarks, tile_module **module) {
  size_t length;
  char *text = read_kernels("dots.py", &length), signature[256];
  write_signature(p, way, signature, sizeof signature);
  tile_import_options import = {.kernel = kernel_of(way), .signature = signature};
  tile_compile_options options = tile_compile_options_default();
  options.target = way->target;
  options.num_warps = way->num_warps;
  options.num_stages = way->num_stages;
  options.fewer_warps = TILE_CHOICE_NO;
  tile_compiler_on_diagnostic(compiler, on_diagnostic, remarks);
  tile_blob mlir = {0};
  tile_status status = tile_import_triton(compiler, "dots.py", text, length, &import, &mlir);
  bool emulated =
      tile_device_get_properties(test_device)->image_formats & 1u << TILE_IMAGE_EMULATOR;
  for (int format = emulated ? 0 : 1; format < 2 && !status; format++) { /* PTX in any case */
    tile_image *image;
    status = tile_compile_kernels(
        compiler, "dots.py", mlir.data, mlir.size, &options,
        format ? emulated ? TILE_IMAGE_EMULATOR : TILE_IMAGE_PTX : TILE_IMAGE_PTX, &image);
    if (!status && format)
      status = tile_module_load(test_device, image, module);
    if (!status)
      tile_image_free(image);
  }
  free(mlir.data);
  free(text);
  return status;
}

/* The kernel for the device under test; NULL after a failed check. Whether it was to be made
   without tensor cores is checked as well. */
static tile_module *compile_product(const struct product *p, const struct way *way) {
  tile_compiler *compiler = NULL;
  tile_module *module = NULL;
  struct remarks remarks = {.reason = expected_reason(p)};
  check_ok(tile_compiler_create(&compiler), "tile_compiler_create");
  if (compiler)
    check_ok(build(compiler, p, way, &remarks, &module), "dots.py");
  tile_compiler_destroy(compiler);
  CHECK_EQUAL(remarks.found > 0, remarks.reason != NULL);
  CHECK_EQUAL(remarks.others, 0);
  return module;
}

/* --- Running
 * --------------------------------------------------------------------------------------------------------
 */

/* A matrix, or a batch of them behind each other: as the kernel has it, and as doubles by rows. */
struct matrix {
  void *data;
  double *values;
  size_t bytes;
};

static struct matrix make_matrix(const char *type, const char *held, size_t batch, size_t rows,
                                 size_t columns, bool by_columns, uint64_t seed) {
  size_t count = rows * columns;
  struct matrix matrix = {.bytes = batch * count * number_bytes(type)};
  matrix.data = poisoned(matrix.bytes);
  matrix.values = malloc(batch * count * sizeof *matrix.values);
  if (!matrix.values)
    exit(1);
  for (size_t i = 0; i < batch * count; i++) {
    double value = (double)draw(&seed);
    uint64_t bits;
    number_write(&bits, 0, held, value);
    value = *type == 'i' ? floor(value * 128) : number_read(&bits, 0, held);
    size_t row = i / columns % rows, column = i % columns;
    size_t at = i / count * count + (by_columns ? column * rows + row : row * columns + column);
    number_write(matrix.data, at, type, value);
    matrix.values[i] = number_read(matrix.data, at, type);
  }
  return matrix;
}

static void free_matrix(struct matrix *matrix) {
  free(matrix->data);
  free(matrix->values);
}

/* Elements of c that are off by more than is allowed; `worst` is the largest error in units of
 * that. */
static int count_wrong(const struct product *p, const struct sizes *s, int batch,
                       const struct matrix *a, const struct matrix *b, const void *c,
                       double *worst) {
  size_t m = (size_t)s->m, n = (size_t)s->n, k = (size_t)s->k;
  double rounding = strcmp(p->c, "fp16") == 0 ? 0x1p-11 : strcmp(p->c, "bf16") == 0 ? 0x1p-8 : 0;
  double least = strcmp(p->c, "fp16") == 0 ? 0x1p-24 : 0; /* a subnormal f16's last place */
  int wrong = 0;
  for (size_t i = 0; i < (size_t)batch * m * n; i++) {
    size_t row = i / n, column = i % n; /* rows of all matrices */
    const double *left = a->values + row * k, *right = b->values + row / m * k * n + column;
    double sum = 0, size = 0;
    for (size_t at = 0; at < k; at++) {
      sum += left[at] * right[at * n];
      size += fabs(left[at] * right[at * n]);
    }
    double allowed = p->tolerance * size + rounding * fabs(sum) + (p->tolerance > 0 ? least : 0);
    double error = fabs(number_read(c, i, p->c) - sum);
    wrong += !(error <= allowed);
    if (allowed > 0 && error / allowed > *worst)
      *worst = error / allowed;
  }
  return wrong;
}

static void launch_product(tile_module *module, const struct way *way, const struct sizes *s,
                           uint64_t seed, const struct matrix *a, const struct matrix *b, void *c,
                           size_t c_bytes) {
  int32_t m = s->m, n = s->n, k = s->k, a_step = way->a_by_columns ? m : k,
          b_step = way->b_by_columns ? k : n;
  memset(c, 0xCB, c_bytes);
  LAUNCH(module, kernel_of(way),
         GRID((uint32_t)((m + way->m - 1) / way->m), (uint32_t)((n + way->n - 1) / way->n), 1),
         seed, BUFFER(a->data, a->bytes), BUFFER(b->data, b->bytes), BUFFER(c, c_bytes), SCALAR(m),
         SCALAR(n), SCALAR(k), SCALAR(a_step), SCALAR(b_step));
}

static void check_sizes(tile_module *module, const struct product *p, const struct way *way,
                        const struct sizes *s, uint64_t seed) {
  size_t m = (size_t)s->m, n = (size_t)s->n, k = (size_t)s->k;
  int batch = way->batch ? way->batch : 1;
  struct matrix a = make_matrix(p->a, p->held, (size_t)batch, m, k, way->a_by_columns, seed);
  struct matrix b = make_matrix(p->b, p->held, (size_t)batch, k, n, way->b_by_columns, seed + 100);
  size_t bytes = (size_t)batch * m * n * number_bytes(p->c);
  void *c = poisoned(bytes), *again = poisoned(bytes);
  launch_product(module, way, s, seed, &a, &b, c, bytes);
  launch_product(module, way, s, seed + 1, &a, &b, again, bytes);
  double worst = 0;
  int wrong = count_wrong(p, s, batch, &a, &b, c, &worst);
  bool differ = memcmp(c, again, bytes) != 0;
  if (wrong || differ) {
    char signature[256];
    write_signature(p, way, signature, sizeof signature);
    printf("%s, %s, warps %d, stages %d: %d x %dx%dx%d, seed %llu: %d wrong, by %g of what is "
           "allowed%s\n",
           way->target, signature, way->num_warps, way->num_stages, batch, s->m, s->n, s->k,
           (unsigned long long)seed, wrong, worst, differ ? "; a second run differs" : "");
    check_failures_++;
  }
  free_matrix(&a);
  free_matrix(&b);
  free(c);
  free(again);
}

/* Sizes around those of tiles and instructions: each dimension takes each of them. `number` is the
 * way's. */
static void check_way(const struct product *p, const struct way *way, int number) {
  static const int32_t around[2][6] = {{1, 15, 16, 17, 127, 129}, {16, 32, 48, 80, 128, 144}};
  static const int quick[][3] = {{3, 1, 5}, {5, 0, 2}, {0, 4, 1},
                                 {2, 2, 4}, {1, 5, 3}, {4, 3, 0}}; /* of `around` */
  enum { SIZES = 6, ALL = SIZES * SIZES * SIZES, QUICK = sizeof quick / sizeof *quick };
  const int32_t *size = around[way->aligned];
  tile_module *module = compile_product(p, way);
  if (!module)
    return;
  for (int i = 0; i < (full_test ? ALL : SEEDS); i++) {
    const int *few = quick[(number + i) % QUICK];
    struct sizes all = {size[i / (SIZES * SIZES)], size[i / SIZES % SIZES], size[i % SIZES]};
    struct sizes some = {size[few[0]], size[few[1]], size[few[2]]};
    check_sizes(module, p, way, full_test ? &all : &some, (uint64_t)(1 + i % SEEDS));
  }
  tile_module_unload(module);
}

static void check_products(const struct product *list, int count) {
  for (int i = 0; i < count * (full_test ? WAYS * 2 : QUICK_WAYS); i++) {
    struct way way = ways[(full_test ? i / 2 : i) % WAYS];
    way.aligned = full_test ? i % 2 : i / 2 % 2;
    check_way(&list[full_test ? i / (WAYS * 2) : i / QUICK_WAYS], &way, i);
  }
}

static void types(void) {
  check_products(products, PRODUCTS);
}

static void mixed(void) {
  check_products(mixed_products, sizeof mixed_products / sizeof *mixed_products);
}

/* Tiles as large as the registers allow: what is stored of them goes through the place of the
 * loop's buffers. */
static void large(void) {
  static const struct way large_ways[] = {
      {"sm_90a", 0, 0, 0, 0, 0, 128, 256, 4, 8, 3, true},
      {"sm_90a", 0, 1, 0, 0, 0, 128, 256, 2, 8, 2, false},
      {"sm_80", 0, 0, 0, 0, 0, 128, 128, 2, 4, 3, true},
  };
  static const char *const outputs[] = {"fp16", "bf16"};
  for (size_t i = 0; i < sizeof large_ways / sizeof *large_ways; i++) {
    struct product p = products[0];
    p.c = outputs[i % 2];
    check_way(&p, &large_ways[i], (int)i);
  }
}

/* Elements that warp groups read along K alone, in memory along M and N: threads turn them round in
 * the loop. */
static void turned_round(void) {
  static const struct way turning[] = {
      {"sm_90a", 1, 0, 0, 0, 0, 64, 64, 2, 4, 3, true},
      {"sm_90a", 0, 0, 0, 0, 0, 128, 32, 4, 8, 4, true},
  };
  static const int types_of_words_and_bytes[] = {4, 8, 9, 11}; /* f32 as tf32, e4m3, e5m2, i8 */
  for (int i = 0; i < 4; i++)
    check_way(&products[types_of_words_and_bytes[i]], &turning[i % 2], i);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"types", types}, {"two formats of 8 bits", mixed},
                          {"large tiles", large}, {"turned round", turned_round});
}
