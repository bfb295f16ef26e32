/* SPDX-License-Identifier: MIT */
/* The products of dots.c: element types, ways to multiply them, and a kernel for a way. */
#ifndef TILE_TEST_DOTS_PRODUCT_H
#define TILE_TEST_DOTS_PRODUCT_H

#include "kernel_test.h"
#include "numbers.h"

/* --- What is multiplied ----------------------------------------------------------------------- */

struct product {
  const char *a, *b, *c;         /* element types in memory */
  const char *multiplied, *sums; /* in the kernel */
  const char *held;              /* what `multiplied` keeps of an element: the data is of it */
  const char *precision;
  int least_k;      /* of an instruction */
  double tolerance; /* relative to the sum of the products' magnitudes; 0: exactly */
};

/* tf32 keeps 10 bits of the fraction, cut off by warp groups; tf32x3 21, bf16x3 16 and bf16x6 24.
   Sums of f16 are rounded at every step, those of fp8 keep some 14 bits on devices. */
static const struct product products[] = {
    {"fp16", "fp16", "fp32", "tl.float16", "tl.float32", "fp16", "tf32", 16, 0x1p-18},
    {"fp16", "fp16", "fp16", "tl.float16", "tl.float16", "fp16", "tf32", 16, 0x1p-8},
    {"bf16", "bf16", "fp32", "tl.bfloat16", "tl.float32", "bf16", "tf32", 16, 0x1p-18},
    {"bf16", "bf16", "bf16", "tl.bfloat16", "tl.float32", "bf16", "tf32", 16, 0x1p-7},
    {"fp32", "fp32", "fp32", "tl.float32", "tl.float32", "fp32", "tf32", 8, 0x1p-9},
    {"fp32", "fp32", "fp32", "tl.float32", "tl.float32", "fp32", "tf32x3", 8, 0x1p-18},
    {"fp32", "fp32", "fp32", "tl.float32", "tl.float32", "fp32", "bf16x3", 8, 0x1p-14},
    {"fp32", "fp32", "fp32", "tl.float32", "tl.float32", "fp32", "bf16x6", 8, 0x1p-18},
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

/* --- How -------------------------------------------------------------------------------------- */

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

enum {
  PRODUCTS = sizeof products / sizeof *products,
  MIXED_PRODUCTS = sizeof mixed_products / sizeof *mixed_products
};

struct sizes {
  int32_t m, n, k;
};

/* --- Compiling -------------------------------------------------------------------------------- */

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
  options.low_occupancy = large_test ? TILE_CHOICE_YES : TILE_CHOICE_DEFAULT;
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

/* --- Running ---------------------------------------------------------------------------------- */

/* A matrix, or a batch of them after each other: as the kernel has it, and as doubles by rows. */
struct matrix {
  void *data;
  double *values;
  size_t bytes;
};

static void free_matrix(struct matrix *matrix) {
  free(matrix->data);
  free(matrix->values);
}

static void launch_product(tile_module *module, const struct way *way, const struct sizes *s,
                           uint64_t seed, const struct matrix *a, const struct matrix *b, void *c,
                           size_t c_bytes) {
  int32_t m = s->m, n = s->n, k = s->k, a_step = way->a_by_columns ? m : k,
          b_step = way->b_by_columns ? k : n;
  memset(c, large_test ? 0xFF : 0xCB, c_bytes); /* a NaN where a large result is missing */
  LAUNCH(module, kernel_of(way),
         GRID((uint32_t)((m + way->m - 1) / way->m), (uint32_t)((n + way->n - 1) / way->n), 1),
         seed, BUFFER(a->data, a->bytes), BUFFER(b->data, b->bytes), BUFFER(c, c_bytes), SCALAR(m),
         SCALAR(n), SCALAR(k), SCALAR(a_step), SCALAR(b_step));
}

#endif
