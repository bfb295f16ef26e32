/* SPDX-License-Identifier: MIT */
/* Rules of dot, buffer_dot and dot_scaled: shapes [B?, M, K] x [B?, K, N] + [B?, M, N], and element
 * types. */
#include "ir/verify_tile.h"

#include <string.h>
#include "ir/dot_form.h"
#include "ir/shared_attribute.h"

/* The shape and element type of an operand, a tile or a buffer. */
static int shape_of(MlirType type, int64_t *shape) {
  if (!mlirTypeIsAMemRef(type))
    return type_shape(type, shape);
  int rank = (int)mlirShapedTypeGetRank(type);
  for (int i = 0; i < rank && i < MAX_RANK; i++)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return rank;
}

static MlirType element_of(MlirType type) {
  return mlirTypeIsAMemRef(type) ? mlirShapedTypeGetElementType(type) : type_element(type);
}

/* The sizes of a dot; `batch` is 1 without a batch dimension. */
struct dot {
  int rank;
  int64_t a[MAX_RANK], b[MAX_RANK], c[MAX_RANK];
};

static MlirLogicalResult read_dot(MlirOperation op, struct dot *out) {
  out->rank = shape_of(op_operand_type(op, 0), out->a);
  if (out->rank < 2 || out->rank > 3 || shape_of(op_operand_type(op, 1), out->b) != out->rank ||
      type_shape(op_operand_type(op, 2), out->c) != out->rank)
    return fail_op(op, "the operands are three matrices, or three batches of matrices (rank 3)");
  if (out->rank == 3 && (out->a[0] != out->b[0] || out->a[0] != out->c[0]))
    return fail_op(op, "the batch dimensions are %lld, %lld and %lld; they are equal",
                   (long long)out->a[0], (long long)out->b[0], (long long)out->c[0]);
  return SUCCESS;
}

/* `m`, `n`: of the operands a and b; `k` of each. */
static MlirLogicalResult verify_sizes(MlirOperation op, const struct dot *dot, int64_t m,
                                      int64_t k_of_a, int64_t k_of_b, int64_t n) {
  const int64_t *c = dot->c + dot->rank - 2;
  if (k_of_a != k_of_b)
    return fail_op(op,
                   "K is %lld in the first operand and %lld in the second; transpose one with "
                   "tile.permute?",
                   (long long)k_of_a, (long long)k_of_b);
  if (c[0] != m || c[1] != n)
    return fail_op(
        op, "the product is %lld x %lld, the accumulator %lld x %lld; give it the product's size",
        (long long)m, (long long)n, (long long)c[0], (long long)c[1]);
  return SUCCESS;
}

static bool is_fp8(MlirType type) {
  return mlirTypeIsAFloat8E4M3FN(type) || mlirTypeIsAFloat8E5M2(type);
}

/* The accumulators of dots of `a`, as a list for people; NULL when there is no such dot. */
static const char *accumulators(MlirType a, MlirType c, bool *fits) {
  *fits = mlirTypeIsAF32(c);
  if (mlirTypeIsAF16(a) || is_fp8(a)) {
    *fits = mlirTypeIsAF32(c) || mlirTypeIsAF16(c);
    return "f32 or f16";
  }
  if (mlirTypeIsABF16(a) || mlirTypeIsAF32(a))
    return "f32";
  *fits = mlirTypeIsAF64(a) ? mlirTypeIsAF64(c) : type_is_integer(c, 32);
  if (mlirTypeIsAF64(a))
    return "f64";
  return type_is_integer(a, 8) ? "i32" : NULL;
}

static MlirLogicalResult verify_dot_elements(MlirOperation op) {
  MlirType a = element_of(op_operand_type(op, 0)), b = element_of(op_operand_type(op, 1));
  MlirType c = type_element(op_operand_type(op, 2));
  bool fits;
  const char *takes = accumulators(a, c, &fits);
  if (!takes)
    return fail_op(op, "the first operand's elements are f16, bf16, f32, f64, i8, f8E4M3FN or "
                       "f8E5M2; convert it");
  if (!mlirTypeEqual(a, b) && !(is_fp8(a) && is_fp8(b)))
    return fail_types(op, "element types differ; convert one operand", op_operand_type(op, 0),
                      op_operand_type(op, 1));
  struct text text = {0};
  MlirLogicalResult result = SUCCESS;
  if (!fits)
    result = fail_op(op, "dots of %s accumulate in %s; convert the accumulator",
                     show_type(a, &text), takes);
  text_free(&text);
  return result;
}

/* With accumulators in an mma layout, operands are in its dot_operand layouts; with others they are
   in none of these. */
static MlirLogicalResult verify_dot_layouts(struct session *session, MlirOperation op) {
  if (!mlirTypeEqual(op_operand_type(op, 2), op_result_type(op, 0)))
    return fail_types(op, "the result is of another type than the accumulator",
                      op_operand_type(op, 2), op_result_type(op, 0));
  const char *problem;
  return dot_form_of(session, op, &problem) == DOT_MISFIT ? fail_op(op, "%s", problem) : SUCCESS;
}

MlirLogicalResult verify_dot(struct session *session, MlirOperation op) {
  static const char *const precisions[] = {"tf32", "tf32x3", "bf16x3", "bf16x6", "ieee", NULL};
  struct dot dot;
  TRY_IR(read_dot(op, &dot));
  int last = dot.rank - 1;
  TRY_IR(verify_sizes(op, &dot, dot.a[last - 1], dot.a[last], dot.b[last - 1], dot.b[last]));
  TRY_IR(verify_word(op, "precision", precisions));
  if (op_has_attribute(op, "max_imprecise"))
    TRY_IR(verify_integer(op, "max_imprecise"));
  TRY_IR(verify_dot_elements(op));
  return verify_dot_layouts(session, op);
}

/* A stage in shared memory, or a tile that no tensor core reads, as an operand of a product by
   multiply-adds. */
static MlirLogicalResult verify_operand(struct session *session, MlirOperation op,
                                        intptr_t operand) {
  MlirType type = op_operand_type(op, operand);
  const struct layout_info *info = layout_of_type(&session->layouts, type);
  struct shared_buffer buffer;
  bool fits = type_is_tensor(type) && (!info || info->kind != LAYOUT_KIND_DOT_OPERAND);
  if (mlirTypeIsAMemRef(type)) {
    tile_status status = shared_buffer_read(&session->layouts, type, &buffer);
    fits = !status && buffer.leading == 0;
    tile_status_free(status);
  }
  return fits ? SUCCESS
              : fail_op(op,
                        "operand %d is one stage of a buffer in shared memory, or a tile in "
                        "another layout than #tile_gpu.dot_operand",
                        (int)operand);
}

MlirLogicalResult verify_buffer_dot(struct session *session, MlirOperation op) {
  struct dot dot;
  for (intptr_t i = 0; i < 2; i++)
    TRY_IR(verify_operand(session, op, i));
  TRY_IR(read_dot(op, &dot));
  int last = dot.rank - 1;
  TRY_IR(verify_sizes(op, &dot, dot.a[last - 1], dot.a[last], dot.b[last - 1], dot.b[last]));
  TRY_IR(verify_dot_elements(op));
  return mlirTypeEqual(op_operand_type(op, 2), op_result_type(op, 0))
             ? SUCCESS
             : fail_types(op, "the result is of another type than the accumulator",
                          op_operand_type(op, 2), op_result_type(op, 0));
}

/* --- Block-scaled formats --------------------------------------------------------------------- */

static const char *const formats[] = {"e2m1", "e4m3", "e5m2", "bf16", "fp16", NULL};

/* One of a and b in dot_scaled. */
struct scaled {
  const char *format_name, *pack_name; /* the attributes */
  intptr_t operand;
  int k_dimension, other_dimension; /* of the matrix, 0 or 1 */
};

static bool fits_format(MlirStringRef format, MlirType element) {
  if (ref_equals(format, "bf16"))
    return mlirTypeIsABF16(element);
  if (ref_equals(format, "fp16"))
    return mlirTypeIsAF16(element);
  return type_is_integer(element, 8) ||
         (ref_equals(format, "e4m3") && mlirTypeIsAFloat8E4M3FN(element)) ||
         (ref_equals(format, "e5m2") && mlirTypeIsAFloat8E5M2(element));
}

/* The logical sizes, of which e2m1 packs one by two. */
static MlirLogicalResult read_scaled(MlirOperation op, const struct scaled *s, int64_t *k,
                                     int64_t *other) {
  TRY_IR(verify_word(op, s->format_name, formats));
  MlirStringRef format = op_string(op, s->format_name);
  MlirType type = op_operand_type(op, s->operand);
  if (!fits_format(format, type_element(type))) {
    struct text text = {0};
    fail_op(op, "%s = \"%.*s\" does not fit operand %d, %s; i8 holds e2m1, e4m3 and e5m2",
            s->format_name, (int)format.length, format.data, (int)s->operand,
            show_type(type, &text));
    text_free(&text);
    return FAILURE;
  }
  int64_t shape[MAX_RANK];
  const int64_t *matrix = shape + type_shape(type, shape) - 2;
  bool packed_aside = op_has_attribute(op, s->pack_name);
  int64_t factor = ref_equals(format, "e2m1") ? 2 : 1;
  if (packed_aside && factor == 1)
    return fail_op(op, "%s is for e2m1; drop it", s->pack_name);
  *k = matrix[s->k_dimension] * (packed_aside ? 1 : factor);
  *other = matrix[s->other_dimension] * (packed_aside ? factor : 1);
  return SUCCESS;
}

/* Scales are i8, one for 32 elements of K, or f8E4M3FN, one for 16: [B?, M or N, K / 32 or 16]. */
static MlirLogicalResult verify_scale(MlirOperation op, MlirType type, const struct dot *dot,
                                      int64_t rows, int64_t k) {
  bool small_float = mlirTypeIsAFloat8E4M3FN(type_element(type));
  int64_t group = small_float ? 16 : 32;
  int64_t shape[MAX_RANK], expected[3] = {dot->a[0], rows, k / group};
  const int64_t *wanted = expected + 3 - dot->rank;
  int rank = type_shape(type, shape);
  if ((small_float || type_is_integer(type_element(type), 8)) && rank == dot->rank && k >= group &&
      memcmp(shape, wanted, (size_t)rank * sizeof *shape) == 0)
    return SUCCESS;
  struct text text = {0};
  fail_op(op,
          "a scale is a tensor of i8, one for 32 elements of K: %lld x %lld for K = %lld, or of "
          "f8E4M3FN, one for 16, "
          "not %s",
          (long long)rows, (long long)(k / 32), (long long)k, show_type(type, &text));
  text_free(&text);
  return FAILURE;
}

MlirLogicalResult verify_dot_scaled(struct session *session, MlirOperation op) {
  (void)session;
  struct dot dot;
  int64_t m, n, k_of_a, k_of_b;
  TRY_IR(read_dot(op, &dot));
  TRY_IR(read_scaled(op, &(struct scaled){"a_format", "a_pack_m", 0, 1, 0}, &k_of_a, &m));
  TRY_IR(read_scaled(op, &(struct scaled){"b_format", "b_pack_n", 1, 0, 1}, &k_of_b, &n));
  TRY_IR(verify_sizes(op, &dot, m, k_of_a, k_of_b, n));
  if (!mlirTypeIsAF32(type_element(op_operand_type(op, 2))))
    return fail_op(op, "the accumulator is f32; convert it");
  MlirAttribute sizes = mlirOperationGetAttributeByName(op, ref("operandSegmentSizes"));
  intptr_t next = 3;
  if (mlirDenseI32ArrayGetElement(sizes, 3))
    TRY_IR(verify_scale(op, op_operand_type(op, next++), &dot, m, k_of_a));
  if (mlirDenseI32ArrayGetElement(sizes, 4))
    TRY_IR(verify_scale(op, op_operand_type(op, next), &dot, n, k_of_a));
  return SUCCESS;
}
