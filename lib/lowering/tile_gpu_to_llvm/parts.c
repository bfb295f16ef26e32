/* SPDX-License-Identifier: MIT */
/* Parts of a sum in global memory (tile_gpu.store_part, tile_gpu.add_part,
   tile_gpu.add_scaled_part): registers as they are, 16 bytes of each thread beside those of the
   next one.

     registers 0 to 3    thread 0, thread 1, ...
     registers 4 to 7    thread 0, thread 1, ...

   So an access of a warp is 512 bytes in a row, and its address is the thread's and a constant.
   Where a thread's registers are no multiple of four it is two or one of them at a time. */
#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* Registers of 32 bits that one access takes at most, and that are on their way at a time: of the
   240 of a thread with 128 accumulators 80 are left beside them and the loads. */
enum { ACCESS_REGISTERS = 4, LOADED_REGISTERS = 64 };

struct part {
  struct lowering *lw;
  MlirType type; /* of an access */
  int registers; /* of an access */
  int64_t bytes; /* of an access */
  int64_t row;   /* from one access of a thread to its next */
};

static struct part part_of(struct lowering *lw, const struct lowered *tile) {
  int registers = ACCESS_REGISTERS;
  while (tile->count % registers)
    registers /= 2;
  int64_t bytes = 4 * registers;
  return (struct part){.lw = lw,
                       .type = registers == 1
                                   ? tile->type
                                   : mlirVectorTypeGet(1, (int64_t[]){registers}, tile->type),
                       .registers = registers,
                       .bytes = bytes,
                       .row = (int64_t)lw->num_warps * MACHINE_LANES * bytes};
}

/* This thread's first byte of the part at the address of a pointer. */
static MlirValue first_byte(const struct part *part, MlirValue pointer) {
  struct lowering *lw = part->lw;
  MlirValue own =
      build_binary(&lw->b, "arith.muli", lw->thread, constant_integer(lw, 32, part->bytes));
  MlirValue base = register_value(lw, lowered_of(lw, pointer), 0);
  return build_gep(&lw->b, integer_type(&lw->b, 8), base, own, 0);
}

static MlirValue address_of(const struct part *part, MlirValue first, int r) {
  struct lowering *lw = part->lw;
  return build_gep(&lw->b, integer_type(&lw->b, 8), first, (MlirValue){0},
                   r / part->registers * part->row);
}

MlirLogicalResult lower_store_part(struct lowering *lw, MlirOperation op) {
  const struct lowered *tile = lowered_of(lw, op_operand(op, 0));
  struct part part = part_of(lw, tile);
  MlirValue first = first_byte(&part, op_operand(op, 1));
  MlirNamedAttribute alignment = llvm_alignment(lw->session->context, part.bytes);
  for (int r = 0; r < tile->count; r += part.registers) {
    MlirValue registers[ACCESS_REGISTERS];
    for (int i = 0; i < part.registers; i++)
      registers[i] = register_value(lw, tile, r + i);
    BUILD_OP(&lw->b, "llvm.store",
             IN(build_vector(lw, registers, part.registers), address_of(&part, first, r)),
             ATTRIBUTES(alignment));
  }
  return SUCCESS;
}

/* Registers `r` to `end` of a part. */
static void load_registers(const struct part *part, MlirValue first, int r, int end,
                           MlirValue *out) {
  struct lowering *lw = part->lw;
  MlirNamedAttribute alignment = llvm_alignment(lw->session->context, part->bytes);
  for (int i = r; i < end; i += part->registers)
    split_vector(lw,
                 BUILD(&lw->b, "llvm.load", IN(address_of(part, first, i)), OUT(part->type),
                       ATTRIBUTES(alignment)),
                 out + i, part->registers);
}

/* `scale` is null where the part is added as it is. */
static MlirValue build_sum(struct lowering *lw, MlirValue x, MlirValue part, MlirValue scale) {
  MlirType type = mlirValueGetType(x);
  if (!mlirValueIsNull(scale))
    return BUILD(&lw->b, "math.fma", IN(part, scale, x), OUT(type));
  return build_binary(&lw->b, mlirTypeIsAInteger(type) ? "arith.addi" : "arith.addf", x, part);
}

/* All of LOADED_REGISTERS are loaded before the first is added. */
MlirLogicalResult lower_add_part(struct lowering *lw, MlirOperation op) {
  const struct lowered *tile = lowered_of(lw, op_operand(op, 0));
  struct lowered *sum = lowered_create(lw, op_result_type(op, 0));
  const struct lowered *scale =
      mlirOperationGetNumOperands(op) > 2 ? lowered_of(lw, op_operand(op, 2)) : NULL;
  struct part part = part_of(lw, sum);
  MlirValue *loaded = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)sum->count);
  MlirValue first = first_byte(&part, op_operand(op, 1));
  for (int r = 0; r < sum->count; r += LOADED_REGISTERS) {
    int end = sum->count < r + LOADED_REGISTERS ? sum->count : r + LOADED_REGISTERS;
    load_registers(&part, first, r, end, loaded);
    for (int i = r; i < end; i++)
      sum->base[i] = build_sum(lw, register_value(lw, tile, i), loaded[i],
                               scale ? register_value(lw, scale, i) : (MlirValue){0});
  }
  return lowered_result(lw, op, sum);
}
