/* SPDX-License-Identifier: MIT */
/* Conversions between types: x.to(dtype), with and without keeping the bits.

   Floats of as many bits meet in fp32, which holds both; fp8e4b15 meets all others in fp16. What
   the hardware has no instruction for is the lowering's affair, except fp8e4b15: it is carried as
   i8, and an fp8e4b15 is an fp16 without the upper bit of the exponent and the lower seven of the
   mantissa:

       fp16       s eeeee mmmmmmmmmm          value of e4b15: exponents 0 to 15 of fp16's 31
       fp8e4b15   s  eeee mmm */
#include "frontend/check/value.h"

static MlirValue build_cast(struct emitter *e, const char *name, MlirValue ir, struct dtype to) {
  return BUILD(&e->b, name, IN(ir), OUT(tile_type_like(e, ir, to)));
}

static MlirValue splat_number(struct emitter *e, MlirValue like, struct dtype dtype,
                              int64_t number) {
  MlirType element = dtype_to_mlir(e, dtype), type = tile_type_like(e, like, dtype);
  MlirAttribute attribute =
      dtype_is_float(dtype) ? mlirFloatAttrDoubleGet(e->session->context, element, (double)number)
                            : mlirIntegerAttrGet(element, number);
  if (type_is_tensor(type))
    attribute = mlirDenseElementsAttrSplatGet(type, attribute);
  return build_constant(&e->b, attribute, type);
}

/* --- fp8e4b15 --------------------------------------------------------------------------------- */

static MlirValue with_bits(struct emitter *e, const char *name, MlirValue ir, struct dtype type,
                           int64_t bits) {
  return BUILD(&e->b, name, IN(ir, splat_number(e, ir, type, bits)),
               OUT(tile_type_like(e, ir, type)));
}

static MlirValue either_bits(struct emitter *e, MlirValue a, MlirValue b) {
  return BUILD(&e->b, "arith.ori", IN(a, b), OUT(mlirValueGetType(a)));
}

static MlirValue half_of_e4b15(struct emitter *e, MlirValue ir) {
  struct dtype word = DTYPE(INT16);
  MlirValue wide = build_cast(e, "arith.extui", ir, word);
  MlirValue sign =
      with_bits(e, "arith.shli", with_bits(e, "arith.andi", wide, word, 0x80), word, 8);
  MlirValue rest =
      with_bits(e, "arith.shli", with_bits(e, "arith.andi", wide, word, 0x7f), word, 7);
  return build_cast(e, "arith.bitcast", either_bits(e, sign, rest), DTYPE(FLOAT16));
}

/* Magnitudes above 1.75, infinities and NaN become 1.75; ties round away from zero. */
static MlirValue e4b15_of_half(struct emitter *e, MlirValue ir) {
  struct dtype word = DTYPE(INT16);
  MlirValue bits = build_cast(e, "arith.bitcast", ir, word);
  MlirValue rest = with_bits(e, "arith.andi", bits, word, 0x7fff);
  rest = with_bits(e, "arith.minsi", rest, word, 0x3f00);
  rest = with_bits(e, "arith.shrui", with_bits(e, "arith.addi", rest, word, 0x40), word, 7);
  MlirValue sign = with_bits(e, "arith.shrui", bits, word, 15);
  sign = with_bits(e, "arith.shli", sign, word, 7);
  return build_cast(e, "arith.trunci", either_bits(e, sign, rest), DTYPE(INT8));
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static MlirValue not_zero(struct emitter *e, MlirValue ir, struct dtype dtype) {
  bool is_float = dtype_is_float(dtype);
  return build_compare(&e->b, is_float ? (int)F_UNEQUAL : (int)I_UNEQUAL, ir, /* NaN is true */
                       splat_number(e, ir, dtype, 0));
}

static MlirValue build_truncate(struct emitter *e, MlirValue ir, struct dtype to,
                                bool towards_zero) {
  MlirType type = tile_type_like(e, ir, to);
  MlirNamedAttribute mode = integer_attribute(e, "roundingmode", 3);
  return BUILD(&e->b, dtype_is_fp8(to) ? "tile.to_fp8" : "arith.truncf", IN(ir), OUT(type),
               .attributes = &mode, .attribute_count = towards_zero);
}

static MlirValue cast_floats(struct emitter *e, MlirValue ir, struct dtype from, struct dtype to,
                             bool towards_zero) {
  if (from.id == to.id)
    return ir;
  if (from.id == DTYPE_FLOAT8E4B15)
    return cast_floats(e, half_of_e4b15(e, ir), DTYPE(FLOAT16), to, towards_zero);
  if (to.id == DTYPE_FLOAT8E4B15) {
    MlirValue half = cast_floats(e, ir, from, DTYPE(FLOAT16), towards_zero);
    return e4b15_of_half(e, half);
  }
  if (dtype_bits(from) == dtype_bits(to)) {
    ir = cast_floats(e, ir, from, DTYPE(FLOAT32), towards_zero);
    from = DTYPE(FLOAT32);
  }
  if (dtype_bits(from) > dtype_bits(to))
    return build_truncate(e, ir, to, towards_zero);
  return build_cast(e, "arith.extf", ir, to);
}

static MlirValue cast_numbers(struct emitter *e, MlirValue ir, struct dtype from, struct dtype to) {
  if (dtype_is_float(from) && dtype_is_float(to))
    return cast_floats(e, ir, from, to, false);
  if (from.id == DTYPE_FLOAT8E4B15 || (dtype_is_fp8(from) && dtype_is_bool(to))) {
    ir = cast_floats(e, ir, from, DTYPE(FLOAT32), false);
    from = DTYPE(FLOAT32);
  }
  if (to.id == DTYPE_FLOAT8E4B15)
    return cast_floats(e, cast_numbers(e, ir, from, DTYPE(FLOAT32)), DTYPE(FLOAT32), to, false);
  bool unsigned_from = dtype_is_unsigned(from) || dtype_is_bool(from);
  if (dtype_is_bool(to))
    return dtype_is_bool(from) ? ir : not_zero(e, ir, from);
  if (dtype_is_float(from))
    return build_cast(e, dtype_is_unsigned(to) ? "arith.fptoui" : "arith.fptosi", ir, to);
  if (dtype_is_fp8(to))
    return build_truncate(e, cast_numbers(e, ir, from, DTYPE(FLOAT32)), to, false);
  if (dtype_is_float(to))
    return build_cast(e, unsigned_from ? "arith.uitofp" : "arith.sitofp", ir, to);
  if (dtype_bits(from) == dtype_bits(to))
    return ir;
  if (dtype_bits(from) > dtype_bits(to))
    return build_cast(e, "arith.trunci", ir, to);
  return build_cast(e, unsigned_from ? "arith.extui" : "arith.extsi", ir, to);
}

/* --- Pointers --------------------------------------------------------------------------------- */

static bool cast_pointers(struct emitter *e, const struct value *value, struct dtype to,
                          struct value *out) {
  struct dtype from = value->run_time.dtype;
  MlirValue ir = value->run_time.ir;
  if (from.pointers == to.pointers && from.id == to.id)
    ; /* only the one points to constants */
  else if (from.pointers && to.pointers)
    ir = build_cast(e, "tile.bitcast", ir, to);
  else if (from.pointers && dtype_is_bool(to)) /* is it not null? */
    ir = not_zero(e, build_cast(e, "tile.ptr_to_int", ir, DTYPE(INT64)), DTYPE(INT64));
  else if (from.pointers && dtype_is_integer(to) && dtype_bits(to) == 64)
    ir = build_cast(e, "tile.ptr_to_int", ir, to);
  else if (to.pointers && dtype_is_integer(from))
    ir = build_cast(e, "tile.int_to_ptr", cast_numbers(e, ir, from, DTYPE(INT64)), to);
  else
    return emit_fail(e, "pointers are cast to pointers and to 64-bit integers only");
  *out = value_runtime(ir, to);
  return true;
}

/* --- Entries ---------------------------------------------------------------------------------- */

bool emit_cast(struct emitter *e, const struct value *value, struct dtype dtype,
               struct value *out) {
  if (value_is_number(value))
    return emit_number(e, value, dtype, out);
  struct value source;
  if (!emit_runtime(e, value, &source))
    return false;
  if (dtype_equal(source.run_time.dtype, dtype)) {
    *out = source;
    return true;
  }
  if (source.run_time.dtype.pointers || dtype.pointers)
    return cast_pointers(e, &source, dtype, out);
  *out = value_runtime(cast_numbers(e, source.run_time.ir, source.run_time.dtype, dtype), dtype);
  return true;
}

bool emit_convert(struct emitter *e, const struct value *value, struct dtype dtype,
                  struct value *out) {
  struct value source;
  if (value_is_number(value) && !dtype.pointers) {
    if (dtype_is_bool(dtype)) {
      struct value truth = value_bool(value_truth(value));
      return emit_number(e, &truth, dtype, out);
    }
    if (emit_number(e, value, dtype, out))
      return true;
  }
  return emit_runtime(e, value, &source) && emit_cast(e, &source, dtype, out);
}

bool emit_truncate(struct emitter *e, const struct value *value, struct dtype dtype,
                   struct value *out) {
  struct value source;
  if (!emit_runtime(e, value, &source))
    return false;
  struct dtype from = source.run_time.dtype;
  if (!dtype_is_float(from) || !dtype_is_float(dtype) || dtype_bits(from) <= dtype_bits(dtype))
    return emit_fail(e, "a rounding mode is for conversions of floats to fewer bits");
  *out = value_runtime(cast_floats(e, source.run_time.ir, from, dtype, true), dtype);
  return true;
}

bool emit_bitcast(struct emitter *e, const struct value *value, struct dtype dtype,
                  struct value *out) {
  struct value source;
  if (!emit_runtime(e, value, &source))
    return false;
  struct dtype from = source.run_time.dtype;
  if (from.pointers || dtype.pointers)
    return emit_cast(e, &source, dtype, out);
  if (dtype_bits(from) != dtype_bits(dtype))
    return emit_fail(e, "a bitcast keeps the number of bits: %u and %u", dtype_bits(from),
                     dtype_bits(dtype));
  MlirValue ir = source.run_time.ir;
  if (!mlirTypeEqual(dtype_to_mlir(e, from), dtype_to_mlir(e, dtype)))
    ir = build_cast(e, "arith.bitcast", ir, dtype);
  *out = value_runtime(ir, dtype);
  return true;
}
