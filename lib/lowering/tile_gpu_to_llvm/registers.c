/* SPDX-License-Identifier: MIT */
/* Registers: creation, materialisation, constants, and the coordinates of a thread. */
#include "lowering/tile_gpu_to_llvm/device_ops.h"

#include <string.h>

MlirType pointer_type(struct lowering *lw) {
  return llvm_pointer(lw->session->context, SPACE_GLOBAL);
}

MlirType register_type(struct lowering *lw, MlirType old_type) {
  MlirType element = type_element(old_type);
  if (type_is_fp8(element)) /* no machine type: its bits */
    return mlirIntegerTypeGet(lw->session->context, 8);
  if (type_is_descriptor(&lw->session->types, element))
    return llvm_pointer(lw->session->context, SPACE_GENERIC);
  return type_is_pointer(&lw->session->types, element) ? pointer_type(lw) : element;
}

int register_count(struct lowering *lw, MlirType old_type) {
  if (mlirTypeIsAMemRef(old_type) || type_is_token(&lw->session->types, old_type))
    return 0; /* known at compile time: they are no values of a thread */
  if (!type_is_tensor(old_type))
    return 1;
  const struct linear_layout *layout = layout_to_linear(&lw->session->layouts, old_type);
  return (int)linear_layout_in_size(layout, LAYOUT_REGISTER);
}

struct lowered *lowered_create(struct lowering *lw, MlirType old_type) {
  struct lowered *registers = ARENA_NEW(&lw->arena, struct lowered);
  registers->count = register_count(lw, old_type);
  registers->type = register_type(lw, old_type);
  registers->pointer = type_is_pointer(&lw->session->types, type_element(old_type));
  if (mlirTypeIsAInteger(registers->type))
    registers->width = mlirIntegerTypeGetWidth(registers->type);
  registers->base = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)registers->count);
  registers->offset = ARENA_ARRAY(&lw->arena, int64_t, (size_t)registers->count);
  return registers;
}

struct lowered *lowered_like(struct lowering *lw, const struct lowered *like, int count) {
  struct lowered *registers = ARENA_NEW(&lw->arena, struct lowered);
  *registers = (struct lowered){.count = count,
                                .type = like->type,
                                .pointer = like->pointer,
                                .width = like->width,
                                .base = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)count),
                                .offset = ARENA_ARRAY(&lw->arena, int64_t, (size_t)count)};
  return registers;
}

struct lowered *lowered_of(struct lowering *lw, MlirValue value) {
  return map_get(&lw->values, value.ptr);
}

void lowered_set(struct lowering *lw, MlirValue value, struct lowered *registers) {
  map_set(&lw->values, value.ptr, registers);
}

MlirLogicalResult lowered_result(struct lowering *lw, MlirOperation op, struct lowered *registers) {
  lowered_set(lw, op_result(op, 0), registers);
  return SUCCESS;
}

struct builder prologue_builder(struct lowering *lw) {
  return (struct builder){.context = lw->session->context,
                          .block = lw->entry,
                          .before = lw->prologue,
                          .location = lw->b.location};
}

MlirValue constant_attribute(struct lowering *lw, MlirAttribute value, MlirType type) {
  void *known = map_get(&lw->constants, value.ptr);
  if (known)
    return (MlirValue){known};
  struct builder b = prologue_builder(lw);
  MlirValue constant = build_constant(&b, value, type);
  map_set(&lw->constants, value.ptr, (void *)constant.ptr);
  return constant;
}

MlirValue constant_integer(struct lowering *lw, unsigned width, int64_t value) {
  MlirType type = mlirIntegerTypeGet(lw->session->context, width);
  if (width < 64) { /* the signed value with the same low bits */
    uint64_t bits = (uint64_t)value & ((UINT64_C(1) << width) - 1);
    bool negative = width > 1 && (bits >> (width - 1)) != 0;
    value = (int64_t)(negative ? bits | ~((UINT64_C(1) << width) - 1) : bits);
  }
  return constant_attribute(lw, mlirIntegerAttrGet(type, value), type);
}

static MlirValue offset_pointer(struct lowering *lw, MlirValue base, int64_t offset) {
  MlirType byte = integer_type(&lw->b, 8);
  if (offset >= INT32_MIN && offset <= INT32_MAX)
    return build_gep(&lw->b, byte, base, (MlirValue){0}, offset);
  return build_gep(&lw->b, byte, base, constant_integer(lw, 64, offset), 0);
}

MlirValue register_with(struct lowering *lw, const struct lowered *registers, MlirValue base,
                        int64_t offset) {
  if (mlirValueIsNull(base))
    return constant_integer(lw, registers->width, offset);
  if (offset == 0)
    return base;
  if (registers->pointer)
    return offset_pointer(lw, base, offset);
  return BUILD(&lw->b, "arith.addi", IN(base, constant_integer(lw, registers->width, offset)),
               OUT(registers->type));
}

MlirValue register_value(struct lowering *lw, const struct lowered *registers, int r) {
  return register_with(lw, registers, registers->base[r], registers->offset[r]);
}

/* --- Vectors ---------------------------------------------------------------------------------- */

/* Element `index` of two that an i16 was split into: the i16, else null. */
static MlirValue half_word(struct lowering *lw, MlirValue element, int index) {
  struct session *session = lw->session;
  MlirOperation extract = value_definition(element);
  if (!op_is(session, extract, OP_LLVM_EXTRACT) ||
      !mlirValueEqual(op_operand(extract, 1), constant_integer(lw, 32, index)))
    return (MlirValue){0};
  MlirOperation cast = value_definition(op_operand(extract, 0));
  bool whole =
      op_is(session, cast, OP_LLVM_BITCAST) && type_is_integer(op_operand_type(cast, 0), 16);
  return whole ? op_operand(cast, 0) : (MlirValue){0};
}

/* Bytes that conversions have made two at a time, as those: LLVM does not see it where there are
   many. */
static bool find_half_words(struct lowering *lw, const MlirValue *bytes, int count,
                            MlirValue *words) {
  if (count % 2 || !type_is_integer(mlirValueGetType(bytes[0]), 8))
    return false;
  for (int i = 0; i < count; i += 2) {
    words[i / 2] = half_word(lw, bytes[i], 0);
    MlirValue other = half_word(lw, bytes[i + 1], 1);
    if (mlirValueIsNull(words[i / 2]) || !mlirValueEqual(words[i / 2], other))
      return false;
  }
  return true;
}

MlirValue build_vector(struct lowering *lw, const MlirValue *elements, int count) {
  enum { MAX_ELEMENTS = 16 };
  if (count == 1)
    return elements[0];
  MlirType type = mlirVectorTypeGet(1, (int64_t[]){count}, mlirValueGetType(elements[0]));
  MlirValue words[MAX_ELEMENTS / 2];
  if (count <= MAX_ELEMENTS && find_half_words(lw, elements, count, words))
    return BUILD(&lw->b, "llvm.bitcast", IN(build_vector(lw, words, count / 2)), OUT(type));
  MlirValue vector = BUILD(&lw->b, "llvm.mlir.undef", OUT(type));
  for (int i = 0; i < count; i++)
    vector = BUILD(&lw->b, "llvm.insertelement",
                   IN(vector, elements[i], constant_integer(lw, 32, i)), OUT(type));
  return vector;
}

void split_vector(struct lowering *lw, MlirValue vector, MlirValue *elements, int count) {
  MlirType type = mlirValueGetType(vector);
  elements[0] = vector;
  for (int i = 0; i < count && count > 1; i++)
    elements[i] = BUILD(&lw->b, "llvm.extractelement", IN(vector, constant_integer(lw, 32, i)),
                        OUT(mlirShapedTypeGetElementType(type)));
}

/* --- Coordinates ------------------------------------------------------------------------------ */

uint32_t layout_basis(const struct linear_layout *layout, enum layout_dim input, int bit, int dim) {
  return layout_space_coordinate(&layout->out, linear_layout_basis(layout, input, bit),
                                 (enum layout_dim)(LAYOUT_DIM0 + dim));
}

static uint32_t output_basis(const struct linear_layout *layout, enum layout_dim input, int bit,
                             enum layout_dim output) {
  return layout_space_coordinate(&layout->out, linear_layout_basis(layout, input, bit), output);
}

/* The contribution of `input` (lane or warp), whose value is `index`, to an output: runs of bits
   whose bases are consecutive powers of two become one shift and mask. */
static MlirValue input_coordinate(struct builder *b, const struct linear_layout *layout,
                                  enum layout_dim input, MlirValue index, enum layout_dim output,
                                  MlirValue sum) {
  MlirType i32 = integer_type(b, 32);
  int bits = layout->in.bits[input];
  for (int i = 0; i < bits;) {
    uint32_t basis = output_basis(layout, input, i, output);
    int run = 1;
    bool single_bit = (basis & (basis - 1)) == 0; /* of wider ones a sum would not be an XOR */
    while (basis && single_bit && i + run < bits &&
           output_basis(layout, input, i + run, output) == basis << run)
      run++;
    if (basis) {
      MlirValue part = index;
      if (i > 0)
        part = BUILD(b, "arith.shrui", IN(part, build_integer(b, 32, i)), OUT(i32));
      if (i + run < bits)
        part = BUILD(b, "arith.andi", IN(part, build_integer(b, 32, (1 << run) - 1)), OUT(i32));
      if (basis != 1)
        part = BUILD(b, "arith.muli", IN(part, build_integer(b, 32, basis)), OUT(i32));
      sum = mlirValueIsNull(sum) ? part : BUILD(b, "arith.xori", IN(sum, part), OUT(i32));
    }
    i += run;
  }
  return sum;
}

static MlirValue thread_part(struct lowering *lw, struct builder *b,
                             const struct linear_layout *layout, enum layout_dim output) {
  MlirValue sum = input_coordinate(b, layout, LAYOUT_LANE, lw->lane, output, (MlirValue){0});
  if (!mlirValueIsNull(lw->warp))
    sum = input_coordinate(b, layout, LAYOUT_WARP, lw->warp, output, sum);
  return sum;
}

MlirValue build_thread_part(struct lowering *lw, const struct linear_layout *layout,
                            enum layout_dim output) {
  return thread_part(lw, &lw->b, layout, output);
}

MlirValue thread_coordinate(struct lowering *lw, const struct linear_layout *layout, int dim) {
  MlirValue *known = map_get(&lw->coordinates, layout);
  if (!known) {
    int rank = layout_space_rank(&layout->out);
    known = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)rank);
    struct builder b = prologue_builder(lw);
    for (int d = 0; d < rank; d++)
      known[d] = thread_part(lw, &b, layout, LAYOUT_DIM0 + d);
    map_set(&lw->coordinates, layout, known);
  }
  return known[dim];
}

/* Has an earlier kernel of the module declared it? */
static bool has_global(struct lowering *lw, const char *symbol) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(lw->module, 0));
  while (!mlirOperationIsNull(op) &&
         !(op_is(lw->session, op, OP_LLVM_GLOBAL) && ref_equals(op_string(op, "sym_name"), symbol)))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op);
}

MlirValue shared_memory(struct lowering *lw) {
  static const char symbol[] = "tile_shared";
  if (!mlirValueIsNull(lw->shared))
    return lw->shared;
  struct builder b = prologue_builder(lw);
  MlirAttribute name = mlirFlatSymbolRefAttrGet(b.context, ref(symbol));
  lw->shared = build_address_of(&b, name, SPACE_SHARED);
  if (has_global(lw, symbol))
    return lw->shared;
  struct builder top = builder_at_top(lw->module, lw->b.location);
  build_global(&top, &(struct llvm_global){.name = symbol,
                                           .type = mlirLLVMArrayTypeGet(integer_type(&b, 8), 0),
                                           .space = SPACE_SHARED,
                                           .alignment = 1024});
  return lw->shared;
}

/* --- The device's arithmetic ------------------------------------------------------------------ */

MlirValue build_device_arithmetic(struct lowering *lw, enum device_arithmetic which, MlirValue x,
                                  MlirValue y, MlirType type) {
  MlirValue in[] = {x, y};
  return BUILD(&lw->b, op_table[lw->device->arithmetic[which]].name,
               INS(in, mlirValueIsNull(y) ? 1 : 2), OUTS(&type, 1));
}
