/* SPDX-License-Identifier: MIT */
/* tile-gpu-optimize-reductions: sums that a loop adds up are combined by each thread alone, and
   between threads once, after the loop.

     %s = for (%a = 0.0) {                     %t = for (%a = dense -0.0 : tensor<128xf32>) {
       %r = tile.reduce %x  (1024 -> 1)   ->     %p = tile.reduce (reshape %x)  (2x128x4 -> 128)
       yield addf %a, %r                         yield addf %a, %p
     }                                         }
                                               %s = tile.reduce %t  (128 -> 1)

   Needs: layouts. Keeps: what is computed, sums in another order. Breaks: layouts of the loop's
   variables, which become linear ones.

   A tile's elements along the axis lie in registers, lanes and warps (layout/reduction.h). The
   reshape names these parts: it moves nothing, and neither does the reduction over the parts in
   registers. Shuffles, shared memory and barriers are left for the reduction after the loop. The
   accumulator has as many registers as before.

   The accumulator may shrink as it goes, as in a softmax whose maximum is found on the way: %a * %f
   + sum(%x), with one factor for all that is summed. Its initial value stands at the first position
   of the axis, the operation's neutral element at the others.

   Where such sums are all that a kernel makes of tiles, with neither dots nor tiles stored, what a
   thread computes of each element goes into a sum and is done with. Computed one operation on all
   elements after the other, all are live at once, and ptxas keeps it so: the kernel is marked for
   tile-list-schedule, which takes one element after the other (a divergence in 32 warps: 32
   registers for 45, and so two blocks on a multiprocessor for one). Kernels that store tiles are
   not: there that order costs as many registers as it saves. */
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"
#include "layout/reduction.h"

#include <math.h>

/* A loop variable that a reduction's result is combined with. */
struct accumulation {
  MlirOperation loop, reduce, combine;
  MlirOperation product; /* the variable times the factor, if that is an operation of its own; or
                            null */
  MlirValue factor;      /* or null */
  intptr_t index;        /* of the variable among the loop's */
  int axis;
};

/* The tile that each thread's combinations make: its type, and what lies along the axis, as bits.
 */
struct partial {
  MlirType type;
  int low, threads, high;
};

struct kernel {
  struct session *session;
  bool sums;   /* combined by each thread alone */
  bool others; /* who takes what a thread computes, than reductions */
};

/* --- Finding them ----------------------------------------------------------------------------- */

/* The number that leaves everything as it is when combined by `kind` with any element; null when
   there is none or it is not combined here. */
static MlirAttribute neutral_element(MlirContext context, enum op_kind kind, MlirType type) {
  static const struct {
    enum op_kind kind;
    double value;
  } floats[] = {{OP_ARITH_ADDF, -0.0},
                {OP_ARITH_MAXNUMF, NAN}, /* an initial NaN may be the result */
                {OP_ARITH_MAXIMUMF, -1.0 / 0.0},
                {OP_ARITH_MINNUMF, NAN},
                {OP_ARITH_MINIMUMF, 1.0 / 0.0}};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    if (kind == floats[i].kind && type_is_float(type))
      return mlirFloatAttrDoubleGet(context, type, floats[i].value);
  if (kind == OP_ARITH_ADDI && mlirTypeIsAInteger(type))
    return mlirIntegerAttrGet(type, 0);
  return (MlirAttribute){0};
}

/* The tile.reduce of one operand in `block` that makes `value`, which nobody else uses; or null. */
static MlirOperation find_reduce(struct session *session, MlirValue value, MlirBlock block) {
  MlirOperation op = value_definition(value);
  bool found = !mlirOperationIsNull(op) && kind_of(session, op) == OP_TILE_REDUCE &&
               mlirOperationGetNumOperands(op) == 1 && value_has_one_use(value) &&
               mlirBlockEqual(mlirOperationGetBlock(op), block) && !op_has_attribute(op, "ordered");
  return found ? op : (MlirOperation){0};
}

/* Is `value` the variable, or the variable times a factor? */
static bool read_variable(struct session *session, struct accumulation *out, MlirValue value,
                          MlirValue variable) {
  if (mlirValueEqual(value, variable))
    return true;
  MlirOperation op = value_definition(value);
  if (!op_is(session, op, OP_ARITH_MULF) || !value_has_one_use(value))
    return false;
  for (intptr_t side = 0; side < 2; side++)
    if (mlirValueEqual(op_operand(op, side), variable)) {
      out->product = op;
      out->factor = op_operand(op, 1 - side);
      return true;
    }
  return false;
}

/* fma(variable, factor, sum). */
static bool read_fma(struct session *session, struct accumulation *out, MlirValue variable,
                     MlirBlock body) {
  for (intptr_t side = 0; side < 2; side++)
    if (mlirValueEqual(op_operand(out->combine, side), variable)) {
      out->factor = op_operand(out->combine, 1 - side);
      out->reduce = find_reduce(session, op_operand(out->combine, 2), body);
    }
  return !mlirOperationIsNull(out->reduce) &&
         reduce_combiner(session, out->reduce) == OP_ARITH_ADDF;
}

static bool read_combination(struct session *session, struct accumulation *out, MlirValue variable,
                             MlirBlock body) {
  for (intptr_t side = 0; side < 2; side++) {
    out->reduce = find_reduce(session, op_operand(out->combine, side), body);
    if (!mlirOperationIsNull(out->reduce) &&
        read_variable(session, out, op_operand(out->combine, 1 - side), variable))
      break;
    out->reduce = (MlirOperation){0};
  }
  enum op_kind kind = kind_of(session, out->combine);
  return !mlirOperationIsNull(out->reduce) && reduce_combiner(session, out->reduce) == kind &&
         (mlirValueIsNull(out->factor) || kind == OP_ARITH_ADDF);
}

static bool find_accumulation(struct session *session, MlirOperation loop, intptr_t index,
                              struct accumulation *out) {
  MlirBlock body = op_body(loop, 0);
  MlirValue variable = mlirBlockGetArgument(body, index + 1);
  MlirValue yielded = op_operand(mlirBlockGetTerminator(body), index);
  *out = (struct accumulation){.loop = loop, .index = index, .combine = value_definition(yielded)};
  if (mlirOperationIsNull(out->combine) || !value_has_one_use(variable) ||
      !value_has_one_use(yielded) || !mlirBlockEqual(mlirOperationGetBlock(out->combine), body))
    return false;
  bool fused = op_is(session, out->combine, OP_MATH_FMA);
  if (!fused && (mlirOperationGetNumOperands(out->combine) != 2 ||
                 !op_has(session, out->combine, IS_ELEMENTWISE)))
    return false;
  if (fused ? !read_fma(session, out, variable, body)
            : !read_combination(session, out, variable, body))
    return false;
  out->axis = (int)op_integer(out->reduce, "axis", 0);
  return true;
}

/* --- Types ------------------------------------------------------------------------------------ */

static MlirType reshaped_type(struct session *session, MlirType type, int rank,
                              const int64_t *shape) {
  struct layout_space space;
  tile_status_free(layout_space_from_shape(shape, rank, &space));
  struct linear_layout layout =
      linear_layout_reshape(layout_to_linear(&session->layouts, type), &space);
  return tensor_type(rank, shape, type_element(type), linear_attribute(&session->layouts, &layout));
}

/* `type` without dimension `axis`, held where its elements were. */
static MlirType reduced_type(struct session *session, MlirType type, int axis) {
  int64_t shape[MAX_RANK];
  int rank = type_shape(type, shape);
  for (int i = axis; i + 1 < rank; i++)
    shape[i] = shape[i + 1];
  return tensor_type(rank - 1, shape, type_element(type),
                     slice_attribute(&session->layouts, axis, type_layout(type)));
}

/* False when there is nothing to gain, or the axis' bits are not in order. */
static bool count_bits(struct session *session, MlirOperation reduce, int axis,
                       struct partial *out) {
  MlirType type = op_operand_type(reduce, 0);
  const struct linear_layout *layout = layout_to_linear(&session->layouts, type);
  struct axis_bits bits;
  int64_t shape[MAX_RANK];
  int rank = type_shape(type, shape);
  if (!layout || rank > 2 || !axis_bits_of(layout, axis, &bits) || !bits.in_order)
    return false;
  out->low = __builtin_popcount(bits.low_registers);
  out->high = __builtin_popcount(bits.high_registers);
  out->threads = __builtin_popcount(bits.lanes) + __builtin_popcount(bits.warps);
  return out->threads > 0 && INT64_C(1) << (out->low + out->high + out->threads) == shape[axis];
}

/* --- Rewriting -------------------------------------------------------------------------------- */

/* The same reduction of another tile along another axis; of sums of products only the first one
   fuses. */
static MlirValue build_reduce(struct session *session, struct builder *b, MlirOperation like,
                              MlirValue tile, int axis, MlirType result) {
  MlirOperation source = value_definition(tile);
  bool first = !mlirOperationIsNull(source) && kind_of(session, source) == OP_TILE_RESHAPE;
  MlirOperation reduce = mlirOperationClone(like);
  mlirOperationSetOperand(reduce, 0, tile);
  mlirValueSetType(op_result(reduce, 0), result);
  mlirOperationSetAttributeByName(reduce, ref("axis"),
                                  attribute_integer(session->context, 32, axis));
  if (!first)
    attribute_remove(reduce, ATTR_FUSED_PRODUCTS);
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, reduce);
  return op_result(reduce, 0);
}

/* What each thread makes of its elements; sets the partial tile's type. */
static MlirValue build_partial(struct session *session, struct builder *b,
                               const struct accumulation *a, struct partial *partial) {
  MlirValue tile = op_operand(a->reduce, 0);
  int64_t shape[MAX_RANK], parts[MAX_RANK];
  int rank = type_shape(mlirValueGetType(tile), shape), count = 0;
  for (int i = 0; i < rank; i++) {
    if (i != a->axis) {
      parts[count++] = shape[i];
      continue;
    }
    if (partial->high)
      parts[count++] = INT64_C(1) << partial->high;
    parts[count++] = INT64_C(1) << partial->threads;
    if (partial->low)
      parts[count++] = INT64_C(1) << partial->low;
  }
  if (count > rank) {
    MlirType type = reshaped_type(session, mlirValueGetType(tile), count, parts);
    tile = BUILD(b, "tile.reshape", IN(tile), OUT(type));
  }
  int threads_axis = a->axis + (partial->high > 0);
  if (partial->low)
    tile = build_reduce(session, b, a->reduce, tile, threads_axis + 1,
                        reduced_type(session, mlirValueGetType(tile), threads_axis + 1));
  if (partial->high)
    tile = build_reduce(session, b, a->reduce, tile, a->axis,
                        reduced_type(session, mlirValueGetType(tile), a->axis));
  partial->type = mlirValueGetType(tile);
  return tile;
}

/* A scalar, or a tile that lacks the axis, for each element of the partial tile. */
static MlirValue spread(struct session *session, struct builder *b, MlirValue value, int axis,
                        MlirType like) {
  MlirType type = mlirValueGetType(value), whole = type_with_element(like, type_element(type));
  if (!type_is_tensor(type))
    return BUILD(b, "tile.splat", IN(value), OUT(whole));
  MlirAttribute layout = type_layout(like);
  MlirType sliced = type_with_layout(type, slice_attribute(&session->layouts, axis, layout));
  int64_t shape[MAX_RANK];
  int rank = type_shape(like, shape);
  shape[axis] = 1;
  if (!mlirTypeEqual(type, sliced))
    value = BUILD(b, "tile_gpu.convert_layout", IN(value), OUT(sliced));
  value = BUILD(
      b, "tile.expand_dims", IN(value), OUT(tensor_type(rank, shape, type_element(type), layout)),
      ATTRIBUTES(attribute_named(b->context, "axis", attribute_integer(b->context, 32, axis))));
  return BUILD(b, "tile.broadcast", IN(value), OUT(whole));
}

/* i1: the first position along the axis. */
static MlirValue build_first(struct session *session, struct builder *b, int axis, MlirType like) {
  int64_t shape[MAX_RANK];
  int rank = type_shape(like, shape);
  MlirType i32 = integer_type(b, 32);
  MlirType line = type_with_element(like, i32);
  if (rank > 1)
    line = tensor_type(1, (int64_t[]){shape[axis]}, i32,
                       slice_attribute(&session->layouts, 1 - axis, type_layout(like)));
  MlirValue position =
      BUILD(b, "tile.range", OUT(line),
            ATTRIBUTES(attribute_named(b->context, "start", attribute_integer(b->context, 32, 0)),
                       attribute_named(b->context, "end",
                                       attribute_integer(b->context, 32, shape[axis]))));
  if (rank > 1)
    position = spread(session, b, position, 1 - axis, like);
  return build_compare(b, I_EQUAL, position, build_uniform(b, mlirValueGetType(position), 0));
}

static MlirValue build_initial(struct session *session, const struct accumulation *a,
                               MlirAttribute neutral, MlirType type) {
  struct builder b = builder_before(a->loop);
  MlirValue initial = op_operand(a->loop, 3 + a->index);
  MlirAttribute dense = mlirDenseElementsAttrSplatGet(type, neutral);
  MlirValue others = build_constant(&b, dense, type);
  MlirValue own = spread(session, &b, initial, a->axis, type);
  return BUILD(&b, "arith.select", IN(build_first(session, &b, a->axis, type), own, others),
               OUT(type));
}

/* The variable, by now the partial tile, with this iteration's. */
static MlirValue build_combination(struct session *session, struct builder *b,
                                   const struct accumulation *a, MlirValue tile) {
  MlirType type = mlirValueGetType(tile);
  MlirValue variable = mlirBlockGetArgument(op_body(a->loop, 0), a->index + 1);
  if (mlirValueIsNull(a->factor)) {
    MlirOperation copy = mlirOperationClone(a->combine);
    mlirOperationSetOperand(copy, 0, variable);
    mlirOperationSetOperand(copy, 1, tile);
    mlirValueSetType(op_result(copy, 0), type);
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
    return op_result(copy, 0);
  }
  MlirValue factor = spread(session, b, a->factor, a->axis, type);
  if (mlirOperationIsNull(a->product))
    return BUILD(b, "math.fma", IN(variable, factor, tile), OUT(type));
  MlirValue product = BUILD(b, "arith.mulf", IN(variable, factor), OUT(type));
  return BUILD(b, "arith.addf", IN(product, tile), OUT(type));
}

static void rewrite(struct session *session, const struct accumulation *a, struct partial *partial,
                    MlirAttribute neutral) {
  MlirOperation yield = mlirBlockGetTerminator(op_body(a->loop, 0));
  MlirValue variable = mlirBlockGetArgument(op_body(a->loop, 0), a->index + 1);
  MlirValue result = op_result(a->loop, a->index);
  MlirType old = mlirValueGetType(result);
  struct builder inside = builder_before(a->combine);
  MlirValue tile = build_partial(session, &inside, a, partial);
  mlirOperationSetOperand(a->loop, 3 + a->index, build_initial(session, a, neutral, partial->type));
  mlirValueSetType(variable, partial->type);
  mlirValueSetType(result, partial->type);
  mlirOperationSetOperand(yield, a->index, build_combination(session, &inside, a, tile));

  struct builder after = builder_before(mlirOperationGetNextInBlock(a->loop));
  after.location = mlirOperationGetLocation(a->reduce);
  MlirValue whole = build_reduce(session, &after, a->reduce, result, a->axis, old);
  MlirOperation reduce = value_definition(whole);
  mlirValueReplaceAllUsesExcept(result, whole, 1, &reduce);
  mlirOperationDestroy(a->combine);
  if (!mlirOperationIsNull(a->product))
    mlirOperationDestroy(a->product);
  mlirOperationDestroy(a->reduce);
}

/* --- Kernels ---------------------------------------------------------------------------------- */

/* Does an operation of the kernel use what a thread has of a tile in another order than sums do? */
static MlirLogicalResult find_others(MlirOperation op, void *data) {
  struct kernel *kernel = data;
  enum op_kind kind = kind_of(kernel->session, op);
  kernel->others |= op_has(kernel->session, op, IS_DOT) ||
                    (kind == OP_TILE_STORE && type_is_tensor(op_operand_type(op, 0)));
  return SUCCESS;
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  struct kernel *kernel = data;
  struct session *session = kernel->session;
  if (kind_of(session, op) != OP_SCF_FOR)
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    struct accumulation a;
    struct partial partial;
    if (!find_accumulation(session, op, i, &a) || !count_bits(session, a.reduce, a.axis, &partial))
      continue;
    MlirAttribute neutral = neutral_element(session->context, reduce_combiner(session, a.reduce),
                                            type_element(op_operand_type(a.reduce, 0)));
    if (mlirAttributeIsNull(neutral))
      continue;
    rewrite(session, &a, &partial, neutral);
    kernel->sums = true;
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult run_optimize_reductions(struct pass_context *context, MlirOperation module) {
  MlirOperation op = {0};
  while (next_kernel(context->session, module, &op)) {
    struct kernel kernel = {.session = context->session};
    mlirOperationWalk(op, visit, &kernel, MlirWalkPostOrder);
    visit_operations(op, find_others, &kernel);
    if (kernel.sums && !kernel.others)
      attribute_set_unit(op, ATTR_DEPTH_FIRST);
  }
  return SUCCESS;
}
