/* SPDX-License-Identifier: MIT */
/* tile-decompose-descriptors: accesses through tensor descriptors as accesses through pointers.

     %d = tile.make_descriptor %base, %m, %n, %row, 1
     %t = tile.descriptor_load %d, %p, %q     ->     %t = tile.load %pointers, %mask, dense 0.0

   Needs: tensors without layouts, tile-inline before it. Keeps: what is read and written. Loads
   and stores whose descriptor is a parameter of the kernel stay. Breaks: nothing; the descriptors
   are gone where nobody has them any more.

   The address of element (i, j, ...) of the block at (p, q, ...):

       base + (p * stride_0 + q * stride_1 + ...)     scalars: one sum a block
            + (i * stride_0 + j * stride_1 + ...)     a tile that moving the block does not change

   so a loop that loads one block after the other keeps the tile and moves one scalar. In bounds is
   what

       max(-p, 0) <= i < size_0 - p                  clamped to [0, block]: 32 bits are enough

   says of every dimension; again only scalars depend on the block's place. An outer dimension,
   along which the block has one element, adds p * stride, and is in bounds where 0 <= p < size. */
#include <math.h>
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"

/* An access to a block: what is known of it, and what has been built. */
struct block {
  struct session *session;
  struct builder b; /* before the access */
  struct tile_descriptor descriptor;
  MlirType type; /* without a layout */
  int64_t shape[MAX_RANK];
  int outer;                     /* dimensions before the block's; the block's follow */
  MlirValue offsets[MAX_RANK];   /* i64 */
  MlirValue positions[MAX_RANK]; /* i32: 0, 1, 2, ... along a dimension, of size 1 along others */
};

/* --- Values ----------------------------------------------------------------------------------- */

static MlirValue extend(struct block *block, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = integer_type(&block->b, 64);
  if (type_is_integer(type_element(type), 64))
    return value;
  return BUILD(&block->b, "arith.extsi", IN(value), OUT(type_with_element(type, i64)));
}

/* A scalar or a tile with ones as a tile of that shape. */
static MlirValue spread(struct block *block, MlirValue value, MlirType shape) {
  MlirType from = mlirValueGetType(value), to = type_with_element(shape, type_element(from));
  if (mlirTypeEqual(from, to))
    return value;
  return BUILD(&block->b, type_is_tensor(from) ? "tile.broadcast" : "tile.splat", IN(value),
               OUT(to));
}

/* An operation on two tiles, or a tile and a scalar, of one element type: of the shape of both. */
static MlirValue combine(struct block *block, const char *name, MlirValue x, MlirValue y) {
  int64_t shape_x[MAX_RANK], shape_y[MAX_RANK];
  MlirType type_x = mlirValueGetType(x), type_y = mlirValueGetType(y);
  if (!type_is_tensor(type_x) && !type_is_tensor(type_y))
    return build_binary(&block->b, name, x, y);
  if (type_is_tensor(type_x) && type_is_tensor(type_y)) {
    int rank = type_shape(type_x, shape_x);
    type_shape(type_y, shape_y);
    for (int i = 0; i < rank; i++)
      shape_x[i] = shape_x[i] > shape_y[i] ? shape_x[i] : shape_y[i];
    type_x = tensor_type(rank, shape_x, type_element(type_x), (MlirAttribute){0});
  } else if (!type_is_tensor(type_x)) {
    type_x = type_y;
  }
  return build_binary(&block->b, name, spread(block, x, type_x), spread(block, y, type_x));
}

static MlirValue compare(struct block *block, int predicate, MlirValue tile, MlirValue scalar) {
  return build_compare(&block->b, predicate, tile, spread(block, scalar, mlirValueGetType(tile)));
}

/* --- Pointers --------------------------------------------------------------------------------- */

/* Along the block's dimension `dim`. */
static MlirValue build_positions(struct block *block, int dim) {
  struct builder *b = &block->b;
  MlirType i32 = integer_type(b, 32);
  int64_t shape[MAX_RANK], size = block->shape[dim];
  MlirValue value = BUILD(
      b, "tile.range", OUT(tensor_type(1, &size, i32, (MlirAttribute){0})),
      ATTRIBUTES(attribute_named(b->context, "start", attribute_integer(b->context, 32, 0)),
                 attribute_named(b->context, "end", attribute_integer(b->context, 32, size))));
  for (int i = 0; i < block->descriptor.rank - block->outer; i++) {
    int rank = i < dim ? i + 2 : i + 1, at = i < dim ? i + 1 : dim;
    if (i == dim)
      continue;
    for (int d = 0; d < rank; d++)
      shape[d] = d == at ? size : 1;
    value = BUILD(
        b, "tile.expand_dims", IN(value), OUT(tensor_type(rank, shape, i32, (MlirAttribute){0})),
        ATTRIBUTES(attribute_named(b->context, "axis", attribute_integer(b->context, 32, i))));
  }
  return value;
}

/* positions * stride: in 32 bits where the stride is a number that allows it. */
static MlirValue build_distance(struct block *block, int dim) {
  MlirValue positions = block->positions[dim], stride = block->descriptor.strides[dim];
  int64_t number, most = INT32_MAX / block->shape[dim - block->outer];
  if (!uniform_integer(block->session, stride, &number) || number < -most || number > most)
    return combine(block, "arith.muli", extend(block, positions), stride);
  if (number == 1)
    return positions;
  return combine(block, "arith.muli", positions, build_integer(&block->b, 32, number));
}

/* sum = sum + term, for the first term the term; in 64 bits where one of them is. */
static void add_term(struct block *block, MlirValue *sum, MlirValue term) {
  if (mlirValueIsNull(*sum)) {
    *sum = term;
    return;
  }
  bool wide = type_is_integer(type_element(mlirValueGetType(*sum)), 64) ||
              type_is_integer(type_element(mlirValueGetType(term)), 64);
  *sum = wide ? combine(block, "arith.addi", extend(block, *sum), extend(block, term))
              : combine(block, "arith.addi", *sum, term);
}

static MlirValue build_addptr(struct block *block, MlirValue pointer, MlirValue offset) {
  MlirType type =
      type_with_element(mlirValueGetType(offset), type_element(mlirValueGetType(pointer)));
  return BUILD(&block->b, "tile.addptr", IN(spread(block, pointer, type), offset), OUT(type));
}

static MlirValue build_pointers(struct block *block) {
  MlirValue start = {0}, tile = {0};
  for (int i = 0; i < block->descriptor.rank; i++) {
    MlirValue stride = block->descriptor.strides[i];
    add_term(block, &start, build_binary(&block->b, "arith.muli", block->offsets[i], stride));
    if (i >= block->outer)
      add_term(block, &tile, build_distance(block, i));
  }
  return build_addptr(block, build_addptr(block, block->descriptor.base, start), tile);
}

/* --- Masks ------------------------------------------------------------------------------------ */

/* min(max(x, 0), size) as i32. */
static MlirValue build_clamped(struct block *block, MlirValue x, int64_t size) {
  struct builder *b = &block->b;
  x = build_binary(b, "arith.maxsi", x, build_integer(b, 64, 0));
  x = build_binary(b, "arith.minsi", x, build_integer(b, 64, size));
  return BUILD(b, "arith.trunci", IN(x), OUT(integer_type(b, 32)));
}

static MlirValue build_in_bounds(struct block *block, int dim) {
  struct builder *b = &block->b;
  MlirValue offset = block->offsets[dim], positions = block->positions[dim];
  int64_t size = block->shape[dim - block->outer];
  MlirValue below = build_binary(b, "arith.subi", build_integer(b, 64, 0), offset);
  MlirValue left = build_binary(b, "arith.subi", block->descriptor.sizes[dim], offset);
  MlirValue first = build_clamped(block, below, size), end = build_clamped(block, left, size);
  MlirValue low = compare(block, I_NOT_LESS, positions, first);
  return combine(block, "arith.andi", low, compare(block, I_LESS, positions, end));
}

/* A number is in an outer dimension as an unsigned one is below the size. */
static MlirValue build_is_inside(struct block *block, int dim) {
  return build_compare(&block->b, I_BELOW, block->offsets[dim], block->descriptor.sizes[dim]);
}

static MlirValue build_mask(struct block *block) {
  MlirValue mask = build_in_bounds(block, block->outer);
  for (int i = block->outer + 1; i < block->descriptor.rank; i++)
    mask = combine(block, "arith.andi", mask, build_in_bounds(block, i));
  for (int i = 0; i < block->outer; i++)
    mask = combine(block, "arith.andi", mask, build_is_inside(block, i));
  return spread(block, mask, block->type);
}

/* --- Accesses --------------------------------------------------------------------------------- */

/* The access `op`, whose offsets begin with operand `first`, through a made descriptor. */
static void begin_block(struct block *block, struct session *session, MlirOperation op,
                        intptr_t first) {
  MlirValue descriptor = op_operand(op, 0);
  *block = (struct block){.session = session, .b = builder_before(op)};
  tile_descriptor_read(value_definition(descriptor), &block->descriptor);
  block->type = descriptor_block(&session->types, mlirValueGetType(descriptor));
  block->outer = block->descriptor.rank - type_shape(block->type, block->shape);
  for (int i = 0; i < block->descriptor.rank; i++)
    block->offsets[i] = extend(block, op_operand(op, first + i));
  for (int i = block->outer; i < block->descriptor.rank; i++)
    block->positions[i] = build_positions(block, i - block->outer);
}

static MlirValue build_padding(struct block *block) {
  bool nan = block->descriptor.pads_with_nan && mlirTypeIsAFloat(type_element(block->type));
  return build_uniform(&block->b, block->type, nan ? (double)NAN : 0);
}

static void decompose_load(struct session *session, MlirOperation op) {
  struct block block;
  begin_block(&block, session, op, 1);
  MlirValue pointers = build_pointers(&block), mask = build_mask(&block);
  MlirAttribute segments = attribute_dense_i32(block.b.context, 3, (int32_t[]){1, 1, 1});
  MlirValue value =
      BUILD(&block.b, "tile.load", IN(pointers, mask, build_padding(&block)), OUT(block.type),
            ATTRIBUTES(attribute_named(block.b.context, "operandSegmentSizes", segments)));
  replace_op(op, &value);
}

static void decompose_store(struct session *session, MlirOperation op) {
  struct block block;
  begin_block(&block, session, op, 2);
  MlirValue pointers = build_pointers(&block), mask = build_mask(&block);
  MlirOperation store = BUILD_OP(&block.b, "tile.store", IN(pointers, op_operand(op, 1), mask));
  if (attribute_has(op, ATTR_BOX))
    attribute_set_integer(store, ATTR_BOX, attribute_number(op, ATTR_BOX, 0));
  mlirOperationDestroy(op);
}

/* --- The pass --------------------------------------------------------------------------------- */

static bool is_parameter(struct session *session, MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         op_is(session, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)), OP_FUNC);
}

static MlirLogicalResult decompose(MlirOperation op, void *data) {
  struct session *session = data;
  enum op_kind kind = kind_of(session, op);
  if (!KIND_IN(kind, OP_TILE_DESCRIPTOR_LOAD, OP_TILE_DESCRIPTOR_STORE))
    return SUCCESS;
  MlirValue descriptor = op_operand(op, 0);
  if (is_parameter(session, descriptor))
    return SUCCESS;
  if (!op_is(session, value_definition(descriptor), OP_TILE_MAKE_DESCRIPTOR))
    return fail_op(op, "the descriptor is a tile.make_descriptor or a parameter of the function; "
                       "make it where it is used");
  if (kind == OP_TILE_DESCRIPTOR_LOAD)
    decompose_load(session, op);
  else
    decompose_store(session, op);
  return SUCCESS;
}

static MlirLogicalResult remove_unused(MlirOperation op, void *data) {
  if (kind_of(data, op) == OP_TILE_MAKE_DESCRIPTOR && !value_is_used(op_result(op, 0)))
    mlirOperationDestroy(op);
  return SUCCESS;
}

MlirLogicalResult run_decompose_descriptors(struct pass_context *context, MlirOperation root) {
  TRY_IR(visit_operations(root, decompose, context->session));
  return visit_operations(root, remove_unused, context->session);
}
