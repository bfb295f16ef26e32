/* SPDX-License-Identifier: MIT */
/* Products of whole tiles, without a loop: accumulators that are given, sizes below those of the
   instructions, batches; block-scaled formats.

   Where no tolerance is stated all elements are small integers, so that every order of summation
   and every accumulator gives one result; a wrong index anywhere shows. */
#include "kernel_test.h"
#include "numbers.h"

static void *make_matrix(const char *type, size_t count, uint64_t seed, bool integers) {
  void *data = random_numbers(type, count, seed);
  uint64_t state = seeded(seed);
  for (size_t i = 0; i < count && integers; i++)
    number_write(data, i, type, floor(draw(&state) * 2.5 + 0.5));
  return data;
}

/* --- One product a kernel --------------------------------------------------------------------- */

struct whole_case {
  const char *in, *in_type, *out, *out_type; /* in signatures, in MLIR */
  int batch, m, n, k, num_warps;             /* batch 0: matrices */
  const char *precision;
  double tolerance; /* with random numbers; 0: integers, exactly */
  bool fresh;       /* the product starts from zeros; of floats */
};

/* Arrays come and go as rows of numbers; the kernel makes matrices of them. */
static const char whole_kernel[] =
    "func.func @whole(%%a: !tile.ptr<%1$s>, %%b: !tile.ptr<%1$s>, %%c: !tile.ptr<%2$s>) attributes "
    "{tile.kernel} {\n"
    "  %%ar = \"tile.range\"() {start = 0 : i32, end = %6$d : i32} : () -> tensor<%6$dxi32>\n"
    "  %%br = \"tile.range\"() {start = 0 : i32, end = %7$d : i32} : () -> tensor<%7$dxi32>\n"
    "  %%cr = \"tile.range\"() {start = 0 : i32, end = %8$d : i32} : () -> tensor<%8$dxi32>\n"
    "  %%as = \"tile.splat\"(%%a) : (!tile.ptr<%1$s>) -> tensor<%6$dx!tile.ptr<%1$s>>\n"
    "  %%bs = \"tile.splat\"(%%b) : (!tile.ptr<%1$s>) -> tensor<%7$dx!tile.ptr<%1$s>>\n"
    "  %%cs = \"tile.splat\"(%%c) : (!tile.ptr<%2$s>) -> tensor<%8$dx!tile.ptr<%2$s>>\n"
    "  %%ap = \"tile.addptr\"(%%as, %%ar) : (tensor<%6$dx!tile.ptr<%1$s>>, tensor<%6$dxi32>) -> "
    "tensor<%6$dx!tile.ptr<%1$s>>\n"
    "  %%bp = \"tile.addptr\"(%%bs, %%br) : (tensor<%7$dx!tile.ptr<%1$s>>, tensor<%7$dxi32>) -> "
    "tensor<%7$dx!tile.ptr<%1$s>>\n"
    "  %%cp = \"tile.addptr\"(%%cs, %%cr) : (tensor<%8$dx!tile.ptr<%2$s>>, tensor<%8$dxi32>) -> "
    "tensor<%8$dx!tile.ptr<%2$s>>\n"
    "  %%al = \"tile.load\"(%%ap) {operandSegmentSizes = array<i32: 1, 0, 0>} : "
    "(tensor<%6$dx!tile.ptr<%1$s>>) -> tensor<%6$dx%1$s>\n"
    "  %%bl = \"tile.load\"(%%bp) {operandSegmentSizes = array<i32: 1, 0, 0>} : "
    "(tensor<%7$dx!tile.ptr<%1$s>>) -> tensor<%7$dx%1$s>\n"
    "  %%cl = \"tile.load\"(%%cp) {operandSegmentSizes = array<i32: 1, 0, 0>} : "
    "(tensor<%8$dx!tile.ptr<%2$s>>) -> tensor<%8$dx%2$s>\n"
    "  %%am = \"tile.reshape\"(%%al) : (tensor<%6$dx%1$s>) -> tensor<%5$s%3$dx%9$dx%1$s>\n"
    "  %%bm = \"tile.reshape\"(%%bl) : (tensor<%7$dx%1$s>) -> tensor<%5$s%9$dx%4$dx%1$s>\n"
    "  %%cm = \"tile.reshape\"(%%cl) : (tensor<%8$dx%2$s>) -> tensor<%5$s%3$dx%4$dx%2$s>\n"
    "%12$s"
    "  %%d = \"tile.dot\"(%%am, %%bm, %11$s) {precision = \"%10$s\"} : "
    "(tensor<%5$s%3$dx%9$dx%1$s>, tensor<%5$s%9$dx%4$dx%1$s>, tensor<%5$s%3$dx%4$dx%2$s>) -> "
    "tensor<%5$s%3$dx%4$dx%2$s>\n"
    "  %%e = \"tile.reshape\"(%%d) : (tensor<%5$s%3$dx%4$dx%2$s>) -> tensor<%8$dx%2$s>\n"
    "  \"tile.store\"(%%cp, %%e) : (tensor<%8$dx!tile.ptr<%2$s>>, tensor<%8$dx%2$s>) -> ()\n"
    "  return\n"
    "}\n";

static double whole_element(const struct whole_case *w, const void *a, const void *b, const void *c,
                            int at) {
  int column = at % w->n, row = at / w->n; /* rows of all batches */
  double sum = w->fresh ? 0 : number_read(c, (size_t)at, w->out);
  for (int k = 0; k < w->k; k++)
    sum += number_read(a, (size_t)(row * w->k + k), w->in) *
           number_read(b, (size_t)((row / w->m * w->k + k) * w->n + column), w->in);
  return sum;
}

static void check_whole(const struct whole_case *w) {
  int batch = w->batch ? w->batch : 1;
  int a_count = batch * w->m * w->k, b_count = batch * w->k * w->n, c_count = batch * w->m * w->n;
  char text[sizeof whole_kernel + 2048], prefix[16] = "", zeros[96] = "";
  if (w->batch)
    snprintf(prefix, sizeof prefix, "%dx", w->batch);
  if (w->fresh)
    snprintf(zeros, sizeof zeros, "  %%z = arith.constant dense<0.0> : tensor<%s%dx%dx%s>\n",
             prefix, w->m, w->n, w->out_type);
  int length =
      snprintf(text, sizeof text, whole_kernel, w->in_type, w->out_type, w->m, w->n, prefix,
               a_count, b_count, c_count, w->k, w->precision, w->fresh ? "%z" : "%cm", zeros);
  tile_module *module = compile_text("whole.mlir", text, (size_t)length, w->num_warps);
  if (!module)
    return;
  void *a = make_matrix(w->in, (size_t)a_count, 3, w->tolerance == 0);
  void *b = make_matrix(w->in, (size_t)b_count, 4, w->tolerance == 0);
  void *c = make_matrix(w->out, (size_t)c_count, 5, true), *out = poisoned((size_t)c_count * 8);
  memcpy(out, c, (size_t)c_count * number_bytes(w->out));
  LAUNCH(module, "whole", GRID(1, 1, 1), 9, BUFFER(a, (size_t)a_count * number_bytes(w->in)),
         BUFFER(b, (size_t)b_count * number_bytes(w->in)),
         BUFFER(out, (size_t)c_count * number_bytes(w->out)));
  int wrong = 0;
  for (int i = 0; i < c_count; i++)
    wrong +=
        !(fabs(number_read(out, (size_t)i, w->out) - whole_element(w, a, b, c, i)) <= w->tolerance);
  if (wrong)
    printf("%s -> %s, %d x %dx%dx%d: %d of %d are wrong\n", w->in, w->out, batch, w->m, w->n, w->k,
           wrong, c_count);
  CHECK_EQUAL(wrong, 0);
  free(a);
  free(b);
  free(c);
  free(out);
  tile_module_unload(module);
}

static void whole(void) {
  static const struct whole_case rows[] = {
      {"fp64", "f64", "fp64", "f64", 0, 16, 32, 16, 4, "tf32", 0},
      {"fp64", "f64", "fp64", "f64", 0, 2, 4, 1, 1, "tf32", 0},
      {"i8", "i8", "i32", "i32", 0, 32, 16, 64, 4, "tf32", 0},
      {"fp16", "f16", "fp16", "f16", 0, 32, 32, 16, 2, "tf32", 0},
      {"fp8e5", "f8E5M2", "fp16", "f16", 0, 16, 32, 32, 1, "tf32", 0},
      {"fp16", "f16", "fp32", "f32", 4, 16, 16, 16, 4, "tf32", 0},
      {"fp32", "f32", "fp32", "f32", 2, 8, 4, 32, 2, "ieee", 0},
      {"bf16", "bf16", "fp32", "f32", 0, 1, 64, 16, 4, "tf32", 0},
      {"fp32", "f32", "fp32", "f32", 0, 64, 1, 8, 8, "ieee", 0},
      {"fp16", "f16", "fp32", "f32", 0, 8, 8, 1, 2, "tf32", 0},
      {"fp32", "f32", "fp32", "f32", 0, 32, 16, 32, 4, "ieee", 0x1p-18},
      {"fp32", "f32", "fp32", "f32", 0, 32, 16, 32, 4, "tf32x3", 0x1p-17},
      {"fp32", "f32", "fp32", "f32", 0, 32, 16, 4, 2, "tf32", 0},
      {"fp32", "f32", "fp32", "f32", 2, 4, 2, 8, 4, "tf32", 0},
      {"i8", "i8", "i32", "i32", 0, 16, 8, 16, 1, "tf32", 0},
      {"fp16", "f16", "fp32", "f32", 0, 64, 256, 16, 4, "tf32", 0},
      {"fp16", "f16", "fp32", "f32", 0, 128, 8, 128, 4, "tf32", 0},
      {"i8", "i8", "i32", "i32", 0, 64, 32, 32, 8, "tf32", 0},
      {"bf16", "bf16", "fp32", "f32", 0, 64, 64, 32, 16, "tf32", 0},
      {"fp8e4nv", "f8E4M3FN", "fp16", "f16", 0, 16, 16, 16, 1, "tf32", 0}, /* too short for fp8 */
      {"fp16", "f16", "fp16", "f16", 2, 2, 1, 8, 2, "tf32", 0},
      /* from zeros, whose registers are left undefined: one and several accumulators of a warp
         group */
      {"fp16", "f16", "fp32", "f32", 0, 64, 16, 64, 4, "tf32", 0, true},
      {"fp16", "f16", "fp32", "f32", 0, 128, 16, 64, 4, "tf32", 0, true},
      {"bf16", "bf16", "fp32", "f32", 0, 256, 8, 16, 8, "tf32", 0, true},
      {"fp16", "f16", "fp32", "f32", 0, 16, 16, 16, 1, "tf32", 0, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_whole(&rows[i]);
}

/* As large as one block's registers and shared memory allow: there is no loop and no grid. */
static void large_whole(void) {
  static const struct whole_case rows[] = {
      {"fp16", "f16", "fp32", "f32", 0, 128, 256, 64, 8, "tf32", 0},
      {"bf16", "bf16", "fp32", "f32", 0, 256, 128, 64, 8, "tf32", 0},
      {"fp16", "f16", "fp16", "f16", 0, 128, 128, 128, 4, "tf32", 0},
      {"fp32", "f32", "fp32", "f32", 0, 128, 128, 64, 8, "tf32", 0},
      {"fp32", "f32", "fp32", "f32", 0, 64, 64, 128, 4, "ieee", 0},
      {"fp32", "f32", "fp32", "f32", 0, 64, 64, 64, 4, "tf32x3", 0x1p-15},
      {"fp64", "f64", "fp64", "f64", 0, 64, 64, 64, 8, "tf32", 0},
      {"fp8e4nv", "f8E4M3FN", "fp32", "f32", 0, 128, 128, 128, 8, "tf32", 0},
      {"fp8e5", "f8E5M2", "fp16", "f16", 0, 64, 64, 128, 4, "tf32", 0},
      {"i8", "i8", "i32", "i32", 0, 128, 128, 128, 8, "tf32", 0},
      {"fp16", "f16", "fp32", "f32", 4, 64, 64, 64, 8, "tf32", 0},
      {"bf16", "bf16", "fp32", "f32", 0, 16, 128, 256, 4, "tf32", 0, true},
      {"fp16", "f16", "fp32", "f32", 0, 128, 256, 64, 8, "tf32", 0, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_whole(&rows[i]);
}

/* --- Block-scaled formats --------------------------------------------------------------------- */

struct scaled_case {
  const char *a_format, *a_type, *b_format, *b_type; /* types in signatures */
  int m, n, k, num_warps;
};

static bool is_e2m1(const char *format) {
  return strcmp(format, "e2m1") == 0;
}

/* The number of a format at element `k` along k and `other` in a matrix whose rows along k are
   `stride_k` elements apart, and `stride_other`; two e2m1 share a byte along k. */
static double scaled_read(const void *data, const char *format, const char *type, int k, int other,
                          int stride_k, int stride_other) {
  static const double e2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  if (!is_e2m1(format))
    return number_read(data, (size_t)(k * stride_k + other * stride_other),
                       strcmp(type, "i8") ? type : "fp8e4nv");
  int byte = ((const uint8_t *)data)[k / 2 * stride_k + other * stride_other] >> 4 * (k % 2) & 15;
  return byte & 8 ? -e2m1[byte & 7] : e2m1[byte];
}

static void *scaled_matrix(const char *format, const char *type, size_t count, uint64_t seed) {
  const char *held = strcmp(type, "i8") ? type : "fp8e4nv";
  uint8_t *data = poisoned(count * number_bytes(held));
  uint64_t state = seeded(seed);
  for (size_t i = 0; i < count; i++)
    if (is_e2m1(format))
      data[i] = (uint8_t)(draw(&state) * 127 + 128);
    else
      number_write(data, i, held, floor(draw(&state) * 3.5));
  return data;
}

/* Exponents, of 1/4 to 2. */
static uint8_t *scales(size_t count, uint64_t seed) {
  uint8_t *out = poisoned(count);
  uint64_t state = seeded(seed);
  for (size_t i = 0; i < count; i++)
    out[i] = (uint8_t)(127 + draw(&state) * 2);
  return out;
}

static void check_scaled(const struct scaled_case *t) {
  int a_packed = 1 + is_e2m1(t->a_format), b_packed = 1 + is_e2m1(t->b_format);
  char signature[160];
  snprintf(signature, sizeof signature,
           "*%s, *i8, *%s, *i8, *fp32, \"%s\", \"%s\", %d, %d, %d, %d, %d", t->a_type, t->b_type,
           t->a_format, t->b_format, a_packed, b_packed, t->m, t->n, t->k);
  tile_module *module =
      compile_triton("scaled.py", "scaled_product_kernel", signature, t->num_warps);
  if (!module)
    return;
  size_t a_bytes = (size_t)(t->m * t->k / a_packed) * number_bytes(t->a_type);
  size_t b_bytes = (size_t)(t->k / b_packed * t->n) * number_bytes(t->b_type);
  void *a = scaled_matrix(t->a_format, t->a_type, (size_t)(t->m * t->k / a_packed), 21);
  void *b = scaled_matrix(t->b_format, t->b_type, (size_t)(t->k / b_packed * t->n), 22);
  int groups = t->k / 32;
  size_t a_scales = (size_t)(t->m * groups), b_scales = (size_t)(t->n * groups);
  uint8_t *a_scale = scales(a_scales, 23), *b_scale = scales(b_scales, 24);
  size_t c_bytes = (size_t)(t->m * t->n) * sizeof(float);
  float *c = poisoned(c_bytes);
  LAUNCH(module, "scaled_product_kernel", GRID(1, 1, 1), 4, BUFFER(a, a_bytes),
         BUFFER(a_scale, a_scales), BUFFER(b, b_bytes), BUFFER(b_scale, b_scales),
         BUFFER(c, c_bytes));
  int wrong = 0;
  for (int m = 0; m < t->m; m++)
    for (int n = 0; n < t->n; n++) {
      double sum = 0;
      for (int k = 0; k < t->k; k++)
        sum += scaled_read(a, t->a_format, t->a_type, k, m, 1, t->k / a_packed) *
               scaled_read(b, t->b_format, t->b_type, k, n, t->n, 1) *
               ldexp(1, a_scale[m * groups + k / 32] + b_scale[n * groups + k / 32] - 254);
      wrong += c[m * t->n + n] != (float)sum;
    }
  if (wrong)
    printf("%s x %s: %d are wrong\n", t->a_format, t->b_format, wrong);
  CHECK_EQUAL(wrong, 0);
  free(a);
  free(b);
  free(a_scale);
  free(b_scale);
  free(c);
  tile_module_unload(module);
}

static void scaled(void) {
  static const struct scaled_case rows[] = {
      {"e4m3", "fp8e4nv", "e2m1", "i8", 32, 16, 64, 4},
      {"e2m1", "i8", "e4m3", "i8", 32, 16, 64, 2},
      {"e2m1", "i8", "e2m1", "i8", 32, 16, 64, 1},
      {"e5m2", "fp8e5", "bf16", "bf16", 32, 16, 64, 4},
      {"fp16", "fp16", "e2m1", "i8", 32, 16, 64, 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_scaled(&rows[i]);
}

static void large_scaled(void) {
  static const struct scaled_case rows[] = {
      {"e4m3", "fp8e4nv", "e2m1", "i8", 128, 128, 128, 8},
      {"e2m1", "i8", "e4m3", "i8", 64, 128, 128, 4},
      {"e2m1", "i8", "e2m1", "i8", 128, 64, 256, 8},
      {"e5m2", "fp8e5", "bf16", "bf16", 128, 128, 64, 8},
      {"fp16", "fp16", "e2m1", "i8", 128, 64, 64, 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_scaled(&rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"whole", whole}, {"scaled", scaled},
                          {"large whole", large_whole}, {"large scaled", large_scaled});
}
