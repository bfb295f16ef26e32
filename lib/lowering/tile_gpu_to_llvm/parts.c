/* SPDX-License-Identifier: MIT */
/* Parts of a sum in global memory (tile_gpu.store_part, tile_gpu.add_part): registers as they are,
   16 bytes of each thread beside those of the next one.

     registers 0 to 3    thread 0, thread 1, ...
     registers 4 to 7    thread 0, thread 1, ...

   So an access of a warp is 512 bytes in a row, and its address is the thread's and a constant. */
#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* Registers of 32 bits that one access takes, and that are on their way at a time: of the 240 of a
   thread with 128 accumulators 80 are left beside them and the loads. */
enum { ACCESS_REGISTERS = 4, ACCESS_BYTES = 16, LOADED_REGISTERS = 64 };

struct part {
  struct lowering *lw;
  MlirType type; /* of an access */
  int64_t row;   /* bytes from one access of a thread to its next */
};

static struct part part_of(struct lowering *lw, MlirType element) {
  return (struct part){.lw = lw,
                       .type = mlirVectorTypeGet(1, (int64_t[]){ACCESS_REGISTERS}, element),
                       .row = (int64_t)lw->num_warps * MACHINE_LANES * ACCESS_BYTES};
}

/* This thread's first byte of the part at the address of a pointer. */
static MlirValue first_byte(const struct part *part, MlirValue pointer) {
  struct lowering *lw = part->lw;
  MlirValue own =
      build_binary(&lw->b, "arith.muli", lw->thread, constant_integer(lw, 32, ACCESS_BYTES));
  MlirValue base = register_value(lw, lowered_of(lw, pointer), 0);
  return build_gep(&lw->b, integer_type(&lw->b, 8), base, own, 0);
}

static MlirValue address_of(const struct part *part, MlirValue first, int r) {
  struct lowering *lw = part->lw;
  return build_gep(&lw->b, integer_type(&lw->b, 8), first, (MlirValue){0},
                   r / ACCESS_REGISTERS * part->row);
}

MlirLogicalResult lower_store_part(struct lowering *lw, MlirOperation op) {
  const struct lowered *tile = lowered_of(lw, op_operand(op, 0));
  struct part part = part_of(lw, tile->type);
  MlirValue first = first_byte(&part, op_operand(op, 1));
  MlirNamedAttribute alignment = llvm_alignment(lw->session->context, ACCESS_BYTES);
  for (int r = 0; r < tile->count; r += ACCESS_REGISTERS) {
    MlirValue registers[ACCESS_REGISTERS];
    for (int i = 0; i < ACCESS_REGISTERS; i++)
      registers[i] = register_value(lw, tile, r + i);
    BUILD_OP(&lw->b, "llvm.store",
             IN(build_vector(lw, registers, ACCESS_REGISTERS), address_of(&part, first, r)),
             ATTRIBUTES(alignment));
  }
  return SUCCESS;
}

/* Registers `r` to `end` of a part. */
static void load_registers(const struct part *part, MlirValue first, int r, int end,
                           MlirValue *out) {
  struct lowering *lw = part->lw;
  MlirNamedAttribute alignment = llvm_alignment(lw->session->context, ACCESS_BYTES);
  for (int i = r; i < end; i += ACCESS_REGISTERS)
    split_vector(lw,
                 BUILD(&lw->b, "llvm.load", IN(address_of(part, first, i)), OUT(part->type),
                       ATTRIBUTES(alignment)),
                 out + i, ACCESS_REGISTERS);
}

/* All of LOADED_REGISTERS are loaded before the first is added. */
MlirLogicalResult lower_add_part(struct lowering *lw, MlirOperation op) {
  const struct lowered *tile = lowered_of(lw, op_operand(op, 0));
  struct lowered *sum = lowered_create(lw, op_result_type(op, 0));
  struct part part = part_of(lw, sum->type);
  MlirValue *loaded = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)sum->count);
  MlirValue first = first_byte(&part, op_operand(op, 1));
  const char *add = mlirTypeIsAInteger(sum->type) ? "arith.addi" : "arith.addf";
  for (int r = 0; r < sum->count; r += LOADED_REGISTERS) {
    int end = sum->count < r + LOADED_REGISTERS ? sum->count : r + LOADED_REGISTERS;
    load_registers(&part, first, r, end, loaded);
    for (int i = r; i < end; i++)
      sum->base[i] = build_binary(&lw->b, add, register_value(lw, tile, i), loaded[i]);
  }
  return lowered_result(lw, op, sum);
}
