/* SPDX-License-Identifier: MIT */
/* tile.map: the region once for each register, or for `pack` registers together.

     tile.map %x ({^bb0(%a: f32): ...  gpu.yield %b}) : tensor<256xf32>    2 registers a thread
       ->  the region's operations on %x0, and on %x1

   Every thread that holds an element computes it. The branches and loops of the region are the
   thread's own: it has no barriers and touches no memory. Where a thread holds fewer than `pack`
   elements, its first one fills the rest. */
#include "lowering/tile_gpu_to_llvm/lowering.h"

/* `argument` is register r of `operand`, or its first where there are fewer. */
static void bind(struct lowering *lw, MlirValue argument, const struct lowered *operand, int r) {
  struct lowered *one = ARENA_NEW(&lw->arena, struct lowered);
  if (r >= operand->count)
    r = 0;
  *one = (struct lowered){.count = 1,
                          .type = operand->type,
                          .pointer = operand->pointer,
                          .width = operand->width,
                          .base = ARENA_NEW(&lw->arena, MlirValue),
                          .offset = ARENA_NEW(&lw->arena, int64_t)};
  one->base[0] = operand->base[r];
  one->offset[0] = operand->offset[r];
  lowered_set(lw, argument, one);
}

/* The region on registers from `first` on. */
static MlirLogicalResult lower_instance(struct lowering *lw, MlirOperation op, int first, int pack,
                                        struct lowered **results) {
  MlirBlock body = op_body(op, 0);
  MlirLocation location = lw->b.location;
  for (int i = 0; i < mlirOperationGetNumOperands(op); i++)
    for (int k = 0; k < pack; k++)
      bind(lw, mlirBlockGetArgument(body, i * pack + k), lowered_of(lw, op_operand(op, i)),
           first + k);
  TRY_IR(lower_block(lw, body));
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (int i = 0; i < mlirOperationGetNumResults(op); i++)
    for (int k = 0; k < pack && first + k < results[i]->count; k++)
      results[i]->base[first + k] =
          register_value(lw, lowered_of(lw, op_operand(yield, i * pack + k)), 0);
  lw->b.location = location;
  return SUCCESS;
}

MlirLogicalResult lower_map(struct lowering *lw, MlirOperation op) {
  int count = (int)mlirOperationGetNumResults(op), pack = (int)op_integer(op, "pack", 1);
  struct lowered **results = ARENA_ARRAY(&lw->arena, struct lowered *, (size_t)count);
  for (int i = 0; i < count; i++)
    results[i] = lowered_create(lw, op_result_type(op, i));
  for (int r = 0; r < results[0]->count; r += pack)
    TRY_IR(lower_instance(lw, op, r, pack, results));
  for (int i = 0; i < count; i++)
    lowered_set(lw, op_result(op, i), results[i]);
  return SUCCESS;
}
