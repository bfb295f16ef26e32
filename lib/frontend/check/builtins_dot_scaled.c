/* SPDX-License-Identifier: MIT */
/* Products of matrices in block-scaled formats: tl.dot_scaled. */
#include "frontend/check/checker.h"
#include "frontend/check/shapes.h"

enum {
  SCALED_A,
  SCALED_A_SCALE,
  SCALED_A_FORMAT,
  SCALED_B,
  SCALED_B_SCALE,
  SCALED_B_FORMAT,
  SCALED_ACC,
  SCALED_FAST,
  SCALED_A_PACK,
  SCALED_B_PACK,
  SCALED_OUT
};

enum scaled_format { E2M1, E4M3, E5M2, BF16, FP16 };

static const char *const format_words[] = {"e2m1", "e4m3", "e5m2", "bf16", "fp16", NULL};

/* One of the two operands. */
struct scaled {
  struct value tile;
  enum scaled_format format;
  int rank;
  int64_t k, other; /* elements, where e2m1 holds two in a byte */
  bool packed_aside, has_scale;
  struct value scale;
};

static bool fits_format(enum scaled_format format, struct dtype type) {
  bool byte = type.id == DTYPE_INT8 || type.id == DTYPE_UINT8;
  switch (format) {
  case E2M1:
    return byte;
  case E4M3:
    return byte || type.id == DTYPE_FLOAT8E4NV;
  case E5M2:
    return byte || type.id == DTYPE_FLOAT8E5;
  case BF16:
    return type.id == DTYPE_BFLOAT16;
  case FP16:
    return type.id == DTYPE_FLOAT16;
  }
  return false;
}

/* The tile, its format and its sizes; `k_last`: K is the last dimension (of the first operand). */
static bool read_tile(struct checker *c, const struct argument *tile, const struct argument *format,
                      const struct argument *k_pack, bool k_last, struct scaled *out) {
  int64_t shape[MAX_RANK];
  int word;
  bool packed_in_k;
  if (!argument_tile(c, tile, &out->rank, shape) || !argument_bool(c, k_pack, true, &packed_in_k))
    return false;
  if (!argument_given(format))
    return argument_fail(c, format, "a format such as \"e4m3\"");
  if (!argument_word(c, format, format_words, 0, &word))
    return false;
  out->format = (enum scaled_format)word;
  out->tile = tile->value;
  if (out->rank != 2 && out->rank != 3)
    return argument_fail(c, tile, "a matrix or a batch of matrices");
  if (!fits_format(out->format, tile->value.run_time.dtype)) {
    return check_fail(c, tile->span, "%s does not hold %s; uint8 holds e2m1, e4m3 and e5m2",
                      value_describe(&c->e.arena, &tile->value), format_words[word]);
  }
  if (out->format == E4M3) /* bytes are floats of that type, which the target may lack */
    dtype_to_mlir(&c->e, DTYPE(FLOAT8E4NV));
  int64_t factor = out->format == E2M1 ? 2 : 1;
  out->packed_aside = factor == 2 && !packed_in_k;
  out->k = shape[out->rank - (k_last ? 1 : 2)] * (out->packed_aside ? 1 : factor);
  out->other = shape[out->rank - (k_last ? 2 : 1)] * (out->packed_aside ? factor : 1);
  return true;
}

/* A scale: a tile of e8m0 bytes, one for 32 elements of K, or of e4m3 floats, one for 16. */
static bool read_scale(struct checker *c, const struct argument *scale, struct scaled *out) {
  int64_t shape[MAX_RANK];
  int rank;
  out->has_scale = argument_given(scale);
  if (!out->has_scale)
    return true;
  if (!argument_tile(c, scale, &rank, shape))
    return false;
  out->scale = scale->value;
  bool byte =
      scale->value.run_time.dtype.id == DTYPE_UINT8 || scale->value.run_time.dtype.id == DTYPE_INT8;
  bool small_float = scale->value.run_time.dtype.id == DTYPE_FLOAT8E4NV;
  if ((byte || small_float) && rank == out->rank && shape[rank - 2] == out->other &&
      shape[rank - 1] * (byte ? 32 : 16) == out->k)
    return true;
  return check_fail(c, scale->span,
                    "a scale is a tile %lldx%lldxu8, one for 32 elements of K = %lld, or "
                    "%lldx%lldxfp8e4nv, one for 16; this is %s",
                    (long long)out->other, (long long)(out->k / 32), (long long)out->k,
                    (long long)out->other, (long long)(out->k / 16),
                    value_describe(&c->e.arena, &scale->value));
}

static bool read_sum(struct checker *c, const struct argument *acc, const struct scaled *a,
                     const struct scaled *b, struct value *out) {
  int64_t batch[MAX_RANK], own[MAX_RANK], shape[MAX_RANK] = {0};
  value_shape(&a->tile, batch);
  shape[0] = batch[0];
  shape[a->rank - 2] = a->other;
  shape[a->rank - 1] = b->other;
  if (!argument_given(acc)) {
    struct value zero = value_integer(0);
    return (emit_cast(&c->e, &zero, DTYPE(FLOAT32), out) &&
            emit_broadcast_to(&c->e, out, a->rank, shape)) ||
           check_fail_emitter(c, acc->span);
  }
  *out = acc->value;
  bool fits = argument_is_tile(acc) && acc->value.run_time.dtype.id == DTYPE_FLOAT32 &&
              !acc->value.run_time.dtype.pointers && value_shape(out, own) == a->rank;
  for (int i = 0; fits && i < a->rank; i++)
    fits = own[i] == shape[i];
  if (fits)
    return true;
  return check_fail(c, acc->span, "the accumulator is %s; the product is %lld x %lld of fp32",
                    value_describe(&c->e.arena, &acc->value), (long long)a->other,
                    (long long)b->other);
}

static int read_flags(struct checker *c, const struct scaled *a, const struct scaled *b, bool fast,
                      MlirNamedAttribute *out) {
  MlirContext context = c->e.session->context;
  int count = 0;
  out[count++] = text_attribute(&c->e, "a_format", slice_of(format_words[a->format]));
  out[count++] = text_attribute(&c->e, "b_format", slice_of(format_words[b->format]));
  out[count++] = attribute_named(
      context, "operandSegmentSizes",
      attribute_dense_i32(context, 5, (int32_t[]){1, 1, 1, a->has_scale, b->has_scale}));
  if (a->packed_aside)
    out[count++] = unit_attribute(&c->e, "a_pack_m");
  if (b->packed_aside)
    out[count++] = unit_attribute(&c->e, "b_pack_n");
  if (fast)
    out[count++] = unit_attribute(&c->e, "fast_math");
  return count;
}

static bool check_options(struct checker *c, const struct builtin_call *call,
                          const struct scaled *a, const struct scaled *b) {
  const struct argument *out_dtype = &call->arguments[SCALED_OUT];
  struct dtype dtype;
  if (!argument_dtype(c, out_dtype, DTYPE(FLOAT32), &dtype))
    return false;
  if (!dtype_equal(dtype, DTYPE(FLOAT32)))
    return check_fail(c, out_dtype->span, "tl.dot_scaled sums in fp32; cast the result with .to()");
  if (a->rank != b->rank)
    return check_fail(c, call->span, "the operands have %d and %d dimensions", a->rank, b->rank);
  if (a->k != b->k)
    return check_fail(c, call->span,
                      "tl.dot_scaled: K is %lld in the first operand and %lld in the "
                      "second",
                      (long long)a->k, (long long)b->k);
  return true;
}

bool builtin_dot_scaled(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *given = call->arguments;
  struct scaled a, b;
  struct value sum;
  bool fast;
  if (!read_tile(c, &given[SCALED_A], &given[SCALED_A_FORMAT], &given[SCALED_A_PACK], true, &a) ||
      !read_tile(c, &given[SCALED_B], &given[SCALED_B_FORMAT], &given[SCALED_B_PACK], false, &b) ||
      !check_options(c, call, &a, &b) || !read_scale(c, &given[SCALED_A_SCALE], &a) ||
      !read_scale(c, &given[SCALED_B_SCALE], &b) ||
      !read_sum(c, &given[SCALED_ACC], &a, &b, &sum) ||
      !argument_bool(c, &given[SCALED_FAST], false, &fast))
    return false;
  MlirNamedAttribute attributes[6];
  int attribute_count = read_flags(c, &a, &b, fast, attributes);
  MlirValue in[5] = {a.tile.run_time.ir, b.tile.run_time.ir, sum.run_time.ir};
  intptr_t count = 3;
  if (a.has_scale)
    in[count++] = a.scale.run_time.ir;
  if (b.has_scale)
    in[count++] = b.scale.run_time.ir;
  MlirType type = mlirValueGetType(sum.run_time.ir);
  *out = value_runtime(BUILD(&c->e.b, "tile.dot_scaled", .in = in, .in_count = count, OUT(type),
                             .attributes = attributes, .attribute_count = attribute_count),
                       DTYPE(FLOAT32));
  return true;
}
