/* SPDX-License-Identifier: MIT */
/* See moved_pointers.h. */
#include "lowering/tile_gpu_to_llvm/moved_pointers.h"

#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* MAX_ACCESSES: of one tile, for each of which the loop keeps a pointer of two registers. */
enum { MAX_ACCESSES = 16 };

/* Are all elements of a tile one and the same? */
static bool is_uniform(struct lowering *lw, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op))
    return false;
  enum op_kind kind = kind_of(lw->session, op);
  return kind == OP_TILE_SPLAT ||
         (kind == OP_ARITH_CONSTANT &&
          mlirDenseElementsAttrIsSplat(mlirOperationGetAttributeByName(op, ref("value"))));
}

MlirValue pointer_step(struct lowering *lw, MlirOperation loop, intptr_t index, int bases) {
  MlirValue none = {0};
  MlirBlock body = op_body(loop, 0);
  MlirValue pointer = mlirBlockGetArgument(body, index + 1);
  if (!lw->warp_groups || bases < 2 ||
      register_count(lw, mlirValueGetType(pointer)) / access_width(lw, pointer, none) >
          MAX_ACCESSES)
    return none;
  MlirOperation advance = value_definition(op_operand(mlirBlockGetTerminator(body), index));
  bool advances =
      !mlirOperationIsNull(advance) && kind_of(lw->session, advance) == OP_TILE_ADDPTR &&
      mlirValueEqual(op_operand(advance, 0), pointer) && is_uniform(lw, op_operand(advance, 1));
  return advances ? op_operand(advance, 1) : none;
}

static MlirValue step_bytes(struct lowering *lw, MlirType pointers, MlirValue step) {
  struct type_cache *types = &lw->session->types;
  int64_t bytes = type_bytes(types, pointer_pointee(types, type_element(pointers)));
  const struct lowered *elements = lowered_of(lw, step);
  MlirValue constant = constant_integer(lw, 64, elements->offset[0] * bytes);
  if (mlirValueIsNull(elements->base[0]))
    return constant;
  MlirType i64 = integer_type(&lw->b, 64);
  MlirValue base = elements->base[0];
  if (elements->width < 64)
    base = BUILD(&lw->b, "arith.extsi", IN(base), OUT(i64));
  base = BUILD(&lw->b, "arith.muli", IN(base, constant_integer(lw, 64, bytes)), OUT(i64));
  return BUILD(&lw->b, "arith.addi", IN(base, constant), OUT(i64));
}

MlirValue build_moved_further(struct lowering *lw, MlirType pointers, MlirValue bytes,
                              MlirValue step) {
  return build_device_arithmetic(lw, DEVICE_HIDDEN_SUM, bytes, step_bytes(lw, pointers, step),
                                 integer_type(&lw->b, 64));
}

struct lowered *build_moved_pointers(struct lowering *lw, MlirType old_type,
                                     const struct lowered *initial, MlirValue bytes) {
  struct lowered *registers = lowered_create(lw, old_type);
  for (int r = 0; r < registers->count; r++) {
    registers->offset[r] = initial->offset[r];
    for (int earlier = 0; earlier < r && mlirValueIsNull(registers->base[r]); earlier++)
      if (initial->base[earlier].ptr == initial->base[r].ptr)
        registers->base[r] = registers->base[earlier];
    if (mlirValueIsNull(registers->base[r]))
      registers->base[r] = build_gep(&lw->b, integer_type(&lw->b, 8), initial->base[r], bytes, 0);
  }
  return registers;
}
