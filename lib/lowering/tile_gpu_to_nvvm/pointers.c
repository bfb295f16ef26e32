/* Pointer arithmetic on (base, byte offset) pairs.

     addptr (p + o) by (b + k)  =  (p + sext(b) * size) + (o + k * size)

   The offset's sum is taken not to wrap inside one tile (tile.addptr's contract), so b is extended
   once per distinct base, and all else is a compile-time constant. */
#include "lowering/tile_gpu_to_nvvm/lowering.h"

static MlirValue advance(struct lowering *lw, MlirValue base, MlirValue index, unsigned width,
                         unsigned bytes) {
  MlirContext context = lw->session->context;
  if (width < 64)
    index = BUILD(&lw->b, "arith.extsi", IN(index), OUT(integer_type(&lw->b, 64)));
  MlirAttribute element = mlirTypeAttrGet(mlirIntegerTypeGet(context, bytes * 8));
  return BUILD(&lw->b, "llvm.getelementptr", IN(base, index), OUT(pointer_type(lw)),
               ATTRIBUTES(attribute_named(context, "elem_type", element),
                          attribute_named(context, "rawConstantIndices",
                                          attribute_dense_i32(context, 1, (int32_t[]){INT32_MIN}))));
}

static bool is_made_in(MlirValue value, MlirBlock block) {
  MlirOperation op = value_definition(value);
  return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), block);
}

/* A loop's pointer that many distances from outside of the loop are added to: one to carry, one addition for each access.
   LLVM's loop strength reduction makes a pointer of each instead, to carry and to advance, and with them a kernel runs
   out of registers; so it may not see what the pointer is made of. Where that is not so: the base itself. */
static MlirValue common_base(struct lowering *lw, const struct lowered *pointer, const struct lowered *index) {
  enum { LEAST = 4 };
  MlirValue base = pointer->base[0];
  MlirOperation parent = mlirBlockGetParentOperation(lw->b.block);
  if (!op_is_named(parent, "scf.for") || !is_made_in(base, lw->b.block))
    return base;
  int distances = 1;
  for (int r = 0; r < pointer->count; r++) {
    if (pointer->base[r].ptr != base.ptr || mlirValueIsNull(index->base[r]) || is_made_in(index->base[r], lw->b.block))
      return base;
    distances += r > 0 && index->base[r].ptr != index->base[r - 1].ptr;
  }
  return distances < LEAST ? base : BUILD(&lw->b, "llvm.intr.strip.invariant.group", IN(base), OUT(pointer_type(lw)));
}

MlirLogicalResult lower_addptr(struct lowering *lw, MlirOperation op) {
  struct lowered *pointer = lowered_of(lw, op_operand(op, 0));
  struct lowered *index = lowered_of(lw, op_operand(op, 1));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  struct type_cache *types = &lw->session->types;
  unsigned bytes =
      type_bytes(types, pointer_pointee(types, type_element(op_result_type(op, 0))));
  MlirValue first = pointer->base[0], common = common_base(lw, pointer, index);
  for (int r = 0; r < result->count; r++) {
    result->offset[r] = pointer->offset[r] + index->offset[r] * (int64_t)bytes;
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
      result->base[r] = advance(lw, base.ptr == first.ptr ? common : base, step, index->width, bytes);
  }
  lowered_set(lw, op_result(op, 0), result);
  return SUCCESS;
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
  lowered_set(lw, op_result(op, 0), lowered_of(lw, op_operand(op, 0)));
  return SUCCESS;
}
