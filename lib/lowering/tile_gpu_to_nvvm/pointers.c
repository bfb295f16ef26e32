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

MlirLogicalResult lower_addptr(struct lowering *lw, MlirOperation op) {
  struct lowered *pointer = lowered_of(lw, op_operand(op, 0));
  struct lowered *index = lowered_of(lw, op_operand(op, 1));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  struct type_cache *types = &lw->session->types;
  unsigned bytes =
      type_bytes(types, pointer_pointee(types, type_element(op_result_type(op, 0))));
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
      result->base[r] = advance(lw, base, step, index->width, bytes);
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
