/* SPDX-License-Identifier: MIT */
/* Pointer arithmetic on (base, byte offset) pairs.

     addptr (p + o) by (b + k)  =  (p + sext(b) * size) + (o + k * size)

   so b is extended once per distinct base, and all else is a compile-time constant. That is
   sext(b + k) unless b + k wraps, which a k of less than LONGEST_DISTANCE is taken not to do
   (tile.addptr's contract): b would have to be that close to the ends of its type. A longer one is
   added before b is extended. */
#include "lowering/tile_gpu_to_llvm/lowering.h"

static MlirValue advance(struct lowering *lw, MlirValue base, MlirValue index, unsigned width,
                         unsigned bytes) {
  if (width < 64)
    index = BUILD(&lw->b, "arith.extsi", IN(index), OUT(integer_type(&lw->b, 64)));
  return build_gep(&lw->b, integer_type(&lw->b, bytes * 8), base, index, 0);
}

MlirValue build_advance(struct lowering *lw, MlirType pointers, MlirValue base, MlirValue index) {
  struct type_cache *types = &lw->session->types;
  MlirType element = type_is_tensor(pointers) ? type_element(pointers) : pointers;
  return advance(lw, base, index, mlirIntegerTypeGetWidth(mlirValueGetType(index)),
                 type_bytes(types, pointer_pointee(types, element)));
}

static bool is_made_in(MlirValue value, MlirBlock block) {
  MlirOperation op = value_definition(value);
  return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), block);
}

/* A loop's pointer that many distances from outside of the loop are added to: one to carry, one
   addition for each access. LLVM's loop strength reduction makes a pointer of each instead, to
   carry and to advance, and with them a kernel runs out of registers; so it may not see what the
   pointer is made of. Where that is not so: the base itself. */
static MlirValue common_base(struct lowering *lw, const struct lowered *pointer,
                             const struct lowered *index) {
  enum { MIN_DISTANCES = 4 };
  MlirValue base = pointer->base[0];
  MlirOperation parent = mlirBlockGetParentOperation(lw->b.block);
  if (!op_is(lw->session, parent, OP_SCF_FOR) || !is_made_in(base, lw->b.block))
    return base;
  int distances = 1;
  for (int r = 0; r < pointer->count; r++) {
    if (pointer->base[r].ptr != base.ptr || mlirValueIsNull(index->base[r]) ||
        is_made_in(index->base[r], lw->b.block))
      return base;
    distances += r > 0 && index->base[r].ptr != index->base[r - 1].ptr;
  }
  return distances < MIN_DISTANCES
             ? base
             : BUILD(&lw->b, "llvm.intr.strip.invariant.group", IN(base), OUT(pointer_type(lw)));
}

/* p + x_r, of many x_r, plus one y, is (p + y) + x_r: one addition less for each register, if
   nothing else uses p + x_r. Makes *pointer p + y and *index x_r where the pointers are such sums
   of elements of the same size. */
static void reassociate(struct lowering *lw, struct lowered **pointer, struct lowered **index,
                        unsigned bytes) {
  const struct lowered *sums = *pointer, *last = *index;
  MlirValue common = {0};
  bool many = false;
  for (int r = 0; r < sums->count; r++) {
    MlirOperation sum = value_definition(sums->base[r]);
    if (!op_is(lw->session, sum, OP_LLVM_GEP) || mlirOperationGetNumOperands(sum) != 2 ||
        mlirValueIsNull(last->base[r]) || last->base[r].ptr != last->base[0].ptr)
      return;
    MlirType element = mlirTypeAttrGetValue(mlirOperationGetAttributeByName(sum, ref("elem_type")));
    if (type_bytes(&lw->session->types, element) != bytes ||
        (r && op_operand(sum, 0).ptr != common.ptr))
      return;
    common = op_operand(sum, 0);
    many |= sums->base[r].ptr != sums->base[0].ptr;
  }
  if (!many)
    return;
  *pointer = lowered_like(lw, sums, sums->count);
  *index = lowered_like(lw, last, sums->count);
  (*index)->width = 64;
  MlirValue moved = advance(lw, common, last->base[0], last->width, bytes);
  for (int r = 0; r < sums->count; r++) {
    (*pointer)->base[r] = moved;
    (*pointer)->offset[r] = sums->offset[r];
    (*index)->base[r] = op_operand(value_definition(sums->base[r]), 1);
    (*index)->offset[r] = last->offset[r];
  }
}

/* By something else than the one operation that is looked at? */
static bool is_used_besides(MlirValue value) {
  return !mlirOpOperandIsNull(mlirOpOperandGetNextUse(mlirValueGetFirstUse(value)));
}

/* In elements; kernels have strides of rows, times the rows of a tile, as such constants. */
#define LONGEST_DISTANCE (INT64_C(1) << 28)

/* The offsets with constants that are short, and in the range of their type; sums with long ones as
   they wrap. */
static struct lowered *shorten_distances(struct lowering *lw, const struct lowered *index) {
  struct lowered *result = lowered_like(lw, index, index->count);
  for (int r = 0; r < index->count; r++) {
    result->base[r] = index->base[r];
    result->offset[r] = wrap_to(index->offset[r], index->width);
    bool is_long = result->offset[r] >= LONGEST_DISTANCE || result->offset[r] <= -LONGEST_DISTANCE;
    if (!is_long || mlirValueIsNull(index->base[r]))
      continue;
    result->base[r] = register_value(lw, index, r);
    result->offset[r] = 0;
  }
  return result;
}

MlirLogicalResult lower_addptr(struct lowering *lw, MlirOperation op) {
  struct lowered *pointer = lowered_of(lw, op_operand(op, 0));
  struct lowered *index = shorten_distances(lw, lowered_of(lw, op_operand(op, 1)));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  struct type_cache *types = &lw->session->types;
  unsigned bytes = type_bytes(types, pointer_pointee(types, type_element(op_result_type(op, 0))));
  if (!is_used_besides(op_operand(op, 0)))
    reassociate(lw, &pointer, &index, bytes);
  MlirValue first = pointer->base[0], common = common_base(lw, pointer, index);
  for (int r = 0; r < result->count; r++) {
    result->offset[r] =
        (int64_t)((uint64_t)pointer->offset[r] + (uint64_t)index->offset[r] * bytes);
    MlirValue base = pointer->base[r], step = index->base[r];
    if (mlirValueIsNull(step)) {
      result->base[r] = base;
      continue;
    }
    for (int earlier = r - 1; earlier >= 0 && earlier >= r - 64; earlier--)
      if (pointer->base[earlier].ptr == base.ptr && index->base[earlier].ptr == step.ptr) {
        result->base[r] = result->base[earlier];
        break;
      }
    if (mlirValueIsNull(result->base[r]))
      result->base[r] =
          advance(lw, base.ptr == first.ptr ? common : base, step, index->width, bytes);
  }
  return lowered_result(lw, op, result);
}

static MlirValue emit_ptr_to_int(struct lowering *lw, MlirOperation op, const MlirValue *operands) {
  (void)op;
  return BUILD(&lw->b, "llvm.ptrtoint", IN(operands[0]), OUT(integer_type(&lw->b, 64)));
}

MlirLogicalResult lower_ptr_to_int(struct lowering *lw, MlirOperation op) {
  return lower_each(lw, op, emit_ptr_to_int);
}

static MlirValue emit_int_to_ptr(struct lowering *lw, MlirOperation op, const MlirValue *operands) {
  (void)op;
  return BUILD(&lw->b, "llvm.inttoptr", IN(operands[0]), OUT(pointer_type(lw)));
}

MlirLogicalResult lower_int_to_ptr(struct lowering *lw, MlirOperation op) {
  return lower_each(lw, op, emit_int_to_ptr);
}

/* Pointers are untyped from here on: a cast is the same registers. */
MlirLogicalResult lower_pointer_cast(struct lowering *lw, MlirOperation op) {
  return lowered_result(lw, op, lowered_of(lw, op_operand(op, 0)));
}
