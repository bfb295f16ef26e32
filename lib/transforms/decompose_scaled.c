/* SPDX-License-Identifier: MIT */
/* tile-decompose-scaled: dots in block-scaled formats as conversions and a tile.dot.

   Needs: tensors without layouts. Keeps: what is computed, up to one rounding of a scaled element
   to the type that is multiplied: bf16, which holds every fp8 and e2m1 number times a power of two,
   or f16 where an operand is f16. Leaves: no tile.dot_scaled.

     e4m3, e5m2          i8 is their bits; extended to f32
     e2m1                two in an i8, the lower four bits first; along k, or along the other
                         dimension (pack_m, pack_n)
     scale               2^(x - 127), 255 is NaN (with fast_math it need not be); one for 32
                         elements along k, repeated; or a number of f8E4M3FN, one for 16 elements

   Everything is elementwise or a change of shape, so all other passes work on it as on what a
   kernel writes itself. */
#include "ir/build.h"
#include "ir/passes.h"

/* One of the two operands. */
struct operand {
  MlirStringRef format;
  MlirValue tile, scale; /* scale: null when absent */
  bool packed_aside;
  int k, other; /* dimensions */
};

struct decomposing {
  struct builder b;
  MlirOperation op;
  int rank;
  MlirType computed; /* of the elements that are multiplied */
};

static MlirType element(struct decomposing *d, const char *name) {
  return mlirTypeParseGet(d->b.context, ref(name));
}

static MlirValue convert(struct decomposing *d, const char *name, MlirValue x, MlirType to) {
  return BUILD(&d->b, name, IN(x), OUT(type_with_element(mlirValueGetType(x), to)));
}

static MlirValue binary(struct decomposing *d, const char *name, MlirValue x, MlirValue y) {
  return BUILD(&d->b, name, IN(x, y), OUT(mlirValueGetType(x)));
}

static MlirValue constant_like(struct decomposing *d, MlirValue like, MlirAttribute value) {
  MlirType type = mlirValueGetType(like);
  return build_constant(&d->b, mlirDenseElementsAttrSplatGet(type, value), type);
}

static MlirValue with_integer(struct decomposing *d, const char *name, MlirValue x, int64_t y) {
  return binary(d, name, x,
                constant_like(d, x, mlirIntegerAttrGet(type_element(mlirValueGetType(x)), y)));
}

/* `then` where x == y. */
static MlirValue where_equal(struct decomposing *d, MlirValue x, int64_t y, int64_t then,
                             MlirValue otherwise) {
  MlirType number = type_element(mlirValueGetType(x));
  MlirValue equal =
      build_compare(&d->b, I_EQUAL, x, constant_like(d, x, mlirIntegerAttrGet(number, y)));
  return BUILD(&d->b, "arith.select",
               IN(equal, constant_like(d, otherwise, mlirIntegerAttrGet(number, then)), otherwise),
               OUT(mlirValueGetType(x)));
}

static MlirValue reshape(struct decomposing *d, MlirValue x, int rank, const int64_t *shape) {
  MlirType type = tensor_type(rank, shape, type_element(mlirValueGetType(x)), (MlirAttribute){0});
  return BUILD(&d->b, "tile.reshape", IN(x), OUT(type));
}

static MlirValue permute(struct decomposing *d, MlirValue x, const int32_t *order) {
  int64_t shape[MAX_RANK], permuted[MAX_RANK];
  int rank = type_shape(mlirValueGetType(x), shape);
  for (int i = 0; i < rank; i++)
    permuted[i] = shape[order[i]];
  MlirType type =
      tensor_type(rank, permuted, type_element(mlirValueGetType(x)), (MlirAttribute){0});
  return BUILD(&d->b, "tile.permute", IN(x), OUT(type),
               ATTRIBUTES(attribute_named(d->b.context, "order",
                                          attribute_dense_i32(d->b.context, rank, order))));
}

/* --- Elements --------------------------------------------------------------------------------- */

/* Four bits, in i32, as f32: sign, two of exponent, one of fraction, put where f32 has them; the
   product with 2^126 makes up for the bias, of subnormal numbers too. */
static MlirValue from_e2m1(struct decomposing *d, MlirValue bits) {
  MlirType f32 = element(d, "f32");
  MlirValue magnitude = with_integer(d, "arith.shli", with_integer(d, "arith.andi", bits, 7), 22);
  MlirValue sign = with_integer(d, "arith.shli", with_integer(d, "arith.andi", bits, 8), 28);
  MlirValue x = convert(d, "arith.bitcast", binary(d, "arith.ori", magnitude, sign), f32);
  return binary(d, "arith.mulf", x,
                constant_like(d, x, mlirFloatAttrDoubleGet(d->b.context, f32, 0x1p126)));
}

/* Bytes of two e2m1 numbers: beside each other along the packed dimension. */
static MlirValue unpack_e2m1(struct decomposing *d, const struct operand *operand) {
  int64_t shape[MAX_RANK], joined[MAX_RANK + 1];
  int packed = operand->packed_aside ? operand->other : operand->k;
  MlirValue bytes = convert(d, "arith.extui", operand->tile, integer_type(&d->b, 32));
  MlirValue low = from_e2m1(d, bytes),
            high = from_e2m1(d, with_integer(d, "arith.shrui", bytes, 4));
  type_shape(mlirValueGetType(low), shape);
  for (int i = 0; i < d->rank; i++)
    joined[i] = shape[i];
  joined[d->rank] = 2;
  MlirType pairs = tensor_type(d->rank + 1, joined, element(d, "f32"), (MlirAttribute){0});
  MlirValue pair = BUILD(&d->b, "tile.join", IN(low, high), OUT(pairs));
  if (packed == d->rank - 2) { /* the pair's dimension moves after the packed one */
    int32_t order[MAX_RANK];
    for (int i = 0; i <= d->rank; i++)
      order[i] = i;
    order[d->rank - 1] = d->rank;
    order[d->rank] = d->rank - 1;
    pair = permute(d, pair, order);
  }
  shape[packed] *= 2;
  return reshape(d, pair, d->rank, shape);
}

/* The operand as f32. */
static MlirValue extended(struct decomposing *d, const struct operand *operand) {
  if (ref_equals(operand->format, "e2m1"))
    return unpack_e2m1(d, operand);
  MlirValue x = operand->tile;
  if (type_is_integer(type_element(mlirValueGetType(x)), 8))
    x = convert(d, "arith.bitcast", x,
                element(d, ref_equals(operand->format, "e4m3") ? "f8E4M3FN" : "f8E5M2"));
  return convert(d, "arith.extf", x, element(d, "f32"));
}

/* --- Scales ----------------------------------------------------------------------------------- */

/* Of e8m0 bytes the numbers. */
static MlirValue powers(struct decomposing *d, const struct operand *operand) {
  MlirValue bits = convert(d, "arith.extui", operand->scale, integer_type(&d->b, 32));
  MlirValue exponent = bits;
  bits = with_integer(d, "arith.shli", bits, 23);
  bits = where_equal(d, exponent, 0, 0x00400000, bits);
  if (!op_has_attribute(d->op, "fast_math"))
    bits = where_equal(d, exponent, 255, 0x7FC00000, bits);
  return convert(d, "arith.bitcast", bits, element(d, "f32"));
}

/* One f32 for each element of the operand. */
static MlirValue scales(struct decomposing *d, const struct operand *operand) {
  int64_t shape[MAX_RANK + 1], group = 32;
  MlirValue scale;
  if (mlirTypeIsAFloat8E4M3FN(type_element(mlirValueGetType(operand->scale)))) {
    group = 16;
    scale = convert(d, "arith.extf", operand->scale, element(d, "f32"));
  } else {
    scale = powers(d, operand);
  }
  type_shape(mlirValueGetType(scale), shape); /* .., rows, K / group */
  shape[d->rank] = 1;
  MlirType f32 = element(d, "f32");
  scale = BUILD(&d->b, "tile.expand_dims", IN(scale),
                OUT(tensor_type(d->rank + 1, shape, f32, (MlirAttribute){0})),
                ATTRIBUTES(attribute_named(d->b.context, "axis",
                                           attribute_integer(d->b.context, 32, d->rank))));
  shape[d->rank] = group;
  scale = BUILD(&d->b, "tile.broadcast", IN(scale),
                OUT(tensor_type(d->rank + 1, shape, f32, (MlirAttribute){0})));
  shape[d->rank - 1] *= group;
  scale = reshape(d, scale, d->rank, shape);
  if (operand->k == d->rank - 1)
    return scale;
  int32_t order[MAX_RANK] = {0};
  order[d->rank - 2] = d->rank - 1;
  order[d->rank - 1] = d->rank - 2;
  return permute(d, scale, order);
}

static MlirValue multiplied(struct decomposing *d, const struct operand *operand) {
  MlirValue x = extended(d, operand);
  if (!mlirValueIsNull(operand->scale))
    x = binary(d, "arith.mulf", x, scales(d, operand));
  return convert(d, "arith.truncf", x, d->computed);
}

static MlirLogicalResult decompose(MlirOperation op, void *data) {
  struct session *session = data;
  if (kind_of(session, op) != OP_TILE_DOT_SCALED)
    return SUCCESS;
  int64_t shape[MAX_RANK];
  struct decomposing d = {
      .b = builder_before(op), .op = op, .rank = type_shape(op_result_type(op, 0), shape)};
  MlirAttribute sizes = mlirOperationGetAttributeByName(op, ref("operandSegmentSizes"));
  intptr_t next = 3;
  struct operand a = {.format = op_string(op, "a_format"),
                      .tile = op_operand(op, 0),
                      .k = d.rank - 1,
                      .other = d.rank - 2,
                      .packed_aside = op_has_attribute(op, "a_pack_m")};
  struct operand b = {.format = op_string(op, "b_format"),
                      .tile = op_operand(op, 1),
                      .k = d.rank - 2,
                      .other = d.rank - 1,
                      .packed_aside = op_has_attribute(op, "b_pack_n")};
  if (mlirDenseI32ArrayGetElement(sizes, 3))
    a.scale = op_operand(op, next++);
  if (mlirDenseI32ArrayGetElement(sizes, 4))
    b.scale = op_operand(op, next);
  d.computed =
      element(&d, ref_equals(a.format, "fp16") || ref_equals(b.format, "fp16") ? "f16" : "bf16");
  MlirValue x = multiplied(&d, &a), y = multiplied(&d, &b);
  MlirValue dot = BUILD(
      &d.b, "tile.dot", IN(x, y, op_operand(op, 2)), OUT(op_result_type(op, 0)),
      ATTRIBUTES(attribute_named(d.b.context, "precision", attribute_string(d.b.context, "ieee"))));
  return replace_op(op, &dot);
}

MlirLogicalResult run_decompose_scaled(struct pass_context *context, MlirOperation root) {
  return visit_operations(root, decompose, context->session);
}
