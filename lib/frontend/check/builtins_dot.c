/* SPDX-License-Identifier: MIT */
/* Matrix products: tl.dot. */
#include <string.h>
#include "frontend/check/checker.h"
#include "frontend/check/shapes.h"

enum {
  DOT_A,
  DOT_B,
  DOT_ACC,
  DOT_PRECISION,
  DOT_TF32,
  DOT_IMPRECISE,
  DOT_OUT,
  DOT_TRANS_A,
  DOT_TRANS_B
};

struct product {
  struct value a, b;
  int rank; /* 2, or more with a batch */
  int64_t shape_a[MAX_RANK], shape_b[MAX_RANK], shape[MAX_RANK];
  struct dtype result;
};

/* --- Operands --------------------------------------------------------------------------------- */

static bool transpose(struct checker *c, const struct argument *flag, struct value *operand) {
  bool transposed;
  int64_t shape[MAX_RANK];
  if (!argument_bool(c, flag, false, &transposed))
    return false;
  if (!transposed)
    return true;
  int order[MAX_RANK], rank = value_shape(operand, shape);
  for (int i = 0; i < rank; i++)
    order[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
  return emit_permute(&c->e, operand, order) || check_fail_emitter(c, flag->span);
}

static bool is_native_fp8(struct dtype type) {
  return type.id == DTYPE_FLOAT8E4NV || type.id == DTYPE_FLOAT8E5;
}

/* Types that only tensor cores of others know become fp16, which holds them all. */
static bool widen(struct checker *c, const struct argument *argument, struct value *operand) {
  struct dtype type = operand->run_time.dtype;
  return !dtype_is_fp8(type) || is_native_fp8(type) ||
         emit_cast(&c->e, operand, DTYPE(FLOAT16), operand) ||
         check_fail_emitter(c, argument->span);
}

static bool check_element(struct checker *c, const struct argument *argument, struct dtype type) {
  if (dtype_is_float(type) || type.id == DTYPE_INT8)
    return true;
  return check_fail(c, argument->span,
                    "tl.dot multiplies floats and int8, not %s; cast the operand",
                    dtype_text(&c->e.arena, type));
}

static bool read_operands(struct checker *c, const struct builtin_call *call, struct product *p) {
  const struct argument *a = call->arguments;
  int rank_b;
  if (!argument_tile(c, &a[DOT_A], &p->rank, p->shape_a) ||
      !argument_tile(c, &a[DOT_B], &rank_b, p->shape_b))
    return false;
  if (p->rank != rank_b || p->rank < 2)
    return check_fail(c, call->span,
                      "tl.dot multiplies two matrices or two batches of matrices; the "
                      "operands have %d and %d dimensions",
                      p->rank, rank_b);
  p->a = a[DOT_A].value;
  p->b = a[DOT_B].value;
  if (!check_element(c, &a[DOT_A], p->a.run_time.dtype) ||
      !check_element(c, &a[DOT_B], p->b.run_time.dtype))
    return false;
  bool both_fp8 = is_native_fp8(p->a.run_time.dtype) && is_native_fp8(p->b.run_time.dtype);
  if (!both_fp8 && dtype_is_fp8(p->a.run_time.dtype) && dtype_is_fp8(p->b.run_time.dtype)) {
    if (!emit_cast(&c->e, &p->a, DTYPE(FLOAT16), &p->a) ||
        !emit_cast(&c->e, &p->b, DTYPE(FLOAT16), &p->b))
      return false;
  } else if (!both_fp8 && (!widen(c, &a[DOT_A], &p->a) || !widen(c, &a[DOT_B], &p->b))) {
    return false;
  }
  if (!both_fp8 && !dtype_equal(p->a.run_time.dtype, p->b.run_time.dtype))
    return check_fail(
        c, call->span, "tl.dot multiplies tiles of one type, not %s and %s; cast one with .to()",
        dtype_text(&c->e.arena, p->a.run_time.dtype), dtype_text(&c->e.arena, p->b.run_time.dtype));
  if (!transpose(c, &a[DOT_TRANS_A], &p->a) || !transpose(c, &a[DOT_TRANS_B], &p->b))
    return false;
  value_shape(&p->a, p->shape_a);
  value_shape(&p->b, p->shape_b);
  return true;
}

/* K of one instruction of the tensor cores: what a smaller K would be padded to. */
static int64_t smallest_k(struct dtype type) {
  return 256 / (int64_t)dtype_bits(type);
}

static bool check_sizes(struct checker *c, const struct builtin_call *call, struct product *p) {
  int last = p->rank - 1;
  int64_t k = p->shape_a[last], least = smallest_k(p->a.run_time.dtype);
  if (k != p->shape_b[last - 1])
    return check_fail(c, call->span,
                      "tl.dot: K is %lld in the first operand (%lld x %lld) and %lld in the second "
                      "(%lld x %lld); transpose one with tl.trans?",
                      (long long)k, (long long)p->shape_a[last - 1], (long long)k,
                      (long long)p->shape_b[last - 1], (long long)p->shape_b[last - 1],
                      (long long)p->shape_b[last]);
  for (int i = 0; i < p->rank - 2; i++)
    if (p->shape_a[i] != p->shape_b[i])
      return check_fail(c, call->span, "tl.dot: batches of %lld and %lld matrices",
                        (long long)p->shape_a[i], (long long)p->shape_b[i]);
  if (k < least)
    return check_fail(c, call->span,
                      "tl.dot: K = %lld. Input shapes should have M >= 1, N >= 1 and K >= %lld "
                      "for this type; use a larger block and mask",
                      (long long)k, (long long)least);
  for (int i = 0; i < p->rank - 2; i++)
    p->shape[i] = p->shape_a[i];
  p->shape[last - 1] = p->shape_a[last - 1];
  p->shape[last] = p->shape_b[last];
  return true;
}

/* --- Result ----------------------------------------------------------------------------------- */

/* The type of the sum: int32 of int8, fp64 of fp64, else fp32, or fp16 where that is asked for: by
   out_dtype, or without it by the accumulator. */
static bool choose_result(struct checker *c, const struct builtin_call *call, struct product *p) {
  const struct argument *out = &call->arguments[DOT_OUT], *acc = &call->arguments[DOT_ACC];
  struct dtype type = p->a.run_time.dtype, asked = DTYPE(FLOAT32);
  if (!argument_given(out) && argument_given(acc) && acc->value.kind == VALUE_RUNTIME)
    asked = acc->value.run_time.dtype;
  if (!argument_dtype(c, out, asked, &asked))
    return false;
  if (argument_given(out) && asked.id == DTYPE_BFLOAT16)
    return check_fail(c, out->span,
                      "tl.dot sums in fp32 or fp16; leave out_dtype out and cast the "
                      "result with .to(tl.bfloat16)");
  bool half = (type.id == DTYPE_FLOAT16 || dtype_is_fp8(type)) && asked.id == DTYPE_FLOAT16;
  p->result = type.id == DTYPE_INT8      ? DTYPE(INT32)
              : type.id == DTYPE_FLOAT64 ? DTYPE(FLOAT64)
              : half                     ? DTYPE(FLOAT16)
                                         : DTYPE(FLOAT32);
  return true;
}

static bool read_accumulator(struct checker *c, const struct argument *acc, const struct product *p,
                             struct value *out) {
  struct value zero = value_integer(0);
  int64_t shape[MAX_RANK];
  if (!argument_given(acc) || (value_is_number(&acc->value) && value_as_double(&acc->value) == 0))
    return (emit_cast(&c->e, &zero, p->result, out) &&
            emit_broadcast_to(&c->e, out, p->rank, p->shape)) ||
           check_fail_emitter(c, acc->span);
  *out = acc->value;
  if (argument_is_tile(acc) && value_shape(out, shape) == p->rank &&
      memcmp(shape, p->shape, sizeof *shape * (size_t)p->rank) == 0 &&
      dtype_equal(out->run_time.dtype, p->result))
    return true;
  struct text sizes = {0};
  for (int i = 0; i < p->rank; i++)
    text_printf(&sizes, "%lldx", (long long)p->shape[i]);
  return check_fail(c, acc->span, "the accumulator is %s; the product is a tile %s%s",
                    value_describe(&c->e.arena, &acc->value), text_keep(&sizes, &c->e.arena),
                    dtype_text(&c->e.arena, p->result));
}

/* --- Options ---------------------------------------------------------------------------------- */

/* The attribute for input_precision and its older form allow_tf32. */
static bool read_precision(struct checker *c, const struct builtin_call *call,
                           MlirNamedAttribute *out) {
  static const char *const words[] = {"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6",
                                      "TF32", "TF32x3", "IEEE", NULL};
  static const char *const meanings[] = {"tf32",   "tf32x3", "ieee",   "bf16x3",
                                         "bf16x6", "tf32",   "tf32x3", "ieee"};
  const struct argument *word = &call->arguments[DOT_PRECISION];
  const struct argument *tf32 = &call->arguments[DOT_TF32];
  int precision;
  bool allowed;
  if (argument_given(word) && argument_given(tf32))
    return check_fail(c, tf32->span, "input_precision and allow_tf32 say the same; give one");
  if (!argument_word(c, word, words, 0, &precision) || !argument_bool(c, tf32, true, &allowed))
    return false;
  *out = text_attribute(&c->e, "precision", slice_of(allowed ? meanings[precision] : "ieee"));
  return true;
}

/* max_num_imprecise_acc: for 8-bit floats only. */
static bool read_imprecise(struct checker *c, const struct argument *argument,
                           const struct product *p, MlirNamedAttribute *out, int *count) {
  int64_t most;
  if (!argument_integer(c, argument, -1, &most))
    return false;
  int64_t k = p->shape_a[p->rank - 1];
  if (most < 0 || !dtype_is_fp8(p->a.run_time.dtype))
    return true;
  if (most > k)
    return check_fail(c, argument->span, "max_num_imprecise_acc (%lld) must be <= K (%lld)",
                      (long long)most, (long long)k);
  out[(*count)++] = integer_attribute(&c->e, "max_imprecise", most);
  return true;
}

/* A batch with several leading dimensions becomes one with one. */
static bool merge_batches(struct checker *c, struct value *tile) {
  int64_t shape[MAX_RANK], merged[3] = {1};
  int rank = value_shape(tile, shape);
  if (rank <= 3)
    return true;
  for (int i = 0; i < rank - 2; i++)
    merged[0] *= shape[i];
  merged[1] = shape[rank - 2];
  merged[2] = shape[rank - 1];
  return emit_reshape(&c->e, tile, 3, merged, false);
}

bool builtin_dot(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *a = call->arguments;
  struct product p;
  struct value acc;
  MlirNamedAttribute attributes[2];
  int count = 1;
  if (!read_operands(c, call, &p) || !check_sizes(c, call, &p) || !choose_result(c, call, &p) ||
      !read_accumulator(c, &a[DOT_ACC], &p, &acc) || !read_precision(c, call, attributes) ||
      !read_imprecise(c, &a[DOT_IMPRECISE], &p, attributes, &count) || !merge_batches(c, &p.a) ||
      !merge_batches(c, &p.b) || !merge_batches(c, &acc))
    return false;
  MlirValue in[] = {p.a.run_time.ir, p.b.run_time.ir, acc.run_time.ir};
  MlirType type = mlirValueGetType(acc.run_time.ir);
  *out = value_runtime(BUILD(&c->e.b, "tile.dot", .in = in, .in_count = 3, OUT(type),
                             .attributes = attributes, .attribute_count = count),
                       p.result);
  return p.rank <= 3 || emit_reshape(&c->e, out, p.rank, p.shape, false);
}
