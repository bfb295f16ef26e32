/* SPDX-License-Identifier: MIT */
/* convert-to-emulator: the inline assembly that the emulator can run becomes operations.

     llvm.inline_asm "{ .reg .b32 t; shl.b32 t, $1, 3; add.s32 $0, t, $2; }", "=r,r,r" %x, %y
       ->  t = shl %x, 3; t + %y */
#include <string.h>
#include "ir/asm_constraints.h"
#include "lowering/nvvm_to_emulator/convert_to_emulator.h"
#include "lowering/nvvm_to_emulator/ptx_text.h"

/* The assembly being converted: what its registers hold, null where nothing yet. */
struct assembly {
  struct conversion *c;
  struct builder b;
  MlirOperation op;
  struct asm_constraints constraints;
  MlirValue values[PTX_MAX_REGISTERS];
};

static MlirType type_of(struct builder *b, enum ptx_type type) {
  switch (type) {
  case PTX_B1:
    return integer_type(b, 1);
  case PTX_B8:
    return integer_type(b, 8);
  case PTX_F16:
    return mlirF16TypeGet(b->context);
  case PTX_BF16:
    return mlirBF16TypeGet(b->context);
  case PTX_F16X2:
    return mlirVectorTypeGet(1, (int64_t[]){2}, mlirF16TypeGet(b->context));
  case PTX_BF16X2:
    return mlirVectorTypeGet(1, (int64_t[]){2}, mlirBF16TypeGet(b->context));
  case PTX_B16:
    return integer_type(b, 16);
  case PTX_B32:
    return integer_type(b, 32);
  case PTX_B64:
    return integer_type(b, 64);
  case PTX_F32:
    return mlirF32TypeGet(b->context);
  case PTX_F64:
    return mlirF64TypeGet(b->context);
  }
  return integer_type(b, 32);
}

static unsigned bits_of(struct assembly *a, MlirType type) {
  struct type_cache *types = &a->c->session->types;
  return mlirTypeIsAVector(type) ? 2 * type_bits(types, mlirShapedTypeGetElementType(type))
                                 : type_bits(types, type);
}

/* The same bits as another type of the same size; null when the sizes differ. */
static MlirValue as_type(struct assembly *a, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  if (bits_of(a, mlirValueGetType(value)) != bits_of(a, type))
    return (MlirValue){0};
  return BUILD(&a->b, "llvm.bitcast", IN(value), OUT(type));
}

/* The low bits of a wider register, where the conversion reads an integer. */
static MlirValue narrowed(struct assembly *a, MlirValue value, MlirType type) {
  unsigned own = bits_of(a, mlirValueGetType(value)), wanted = bits_of(a, type);
  if (own <= wanted || !mlirTypeIsAInteger(type) || wanted == 1)
    return value;
  return BUILD(&a->b, "llvm.trunc", IN(as_type(a, value, integer_type(&a->b, own))), OUT(type));
}

/* Null for a type that is neither f32 nor f64: PTX has no such operand. */
static MlirValue decimal_number(struct assembly *a, const struct ptx_operand *operand,
                                MlirType type) {
  if (!mlirTypeIsAF32(type) && !mlirTypeIsAF64(type))
    return (MlirValue){0};
  double wide;
  memcpy(&wide, &operand->bits, sizeof wide);
  float narrow = (float)wide;
  uint32_t narrow_bits;
  memcpy(&narrow_bits, &narrow, sizeof narrow);
  MlirValue bits = mlirTypeIsAF32(type) ? build_llvm_integer(&a->b, 32, (int32_t)narrow_bits)
                                        : build_llvm_integer(&a->b, 64, (int64_t)operand->bits);
  return as_type(a, bits, type);
}

static MlirValue read_source(struct assembly *a, const struct ptx_operand *operand, MlirType type,
                             bool narrows) {
  if (!operand->is_number) {
    MlirValue value = a->values[operand->index];
    if (mlirValueIsNull(value))
      return value;
    return as_type(a, narrows ? narrowed(a, value, type) : value, type);
  }
  if (operand->is_decimal)
    return decimal_number(a, operand, type);
  unsigned bits = bits_of(a, type);
  uint64_t kept = bits == 64 ? operand->bits : operand->bits & ((UINT64_C(1) << bits) - 1);
  int64_t value = bits == 32 ? (int32_t)kept : bits == 16 ? (int16_t)kept : (int64_t)kept;
  return as_type(a, build_llvm_integer(&a->b, bits, value), type);
}

/* A shift by the width or more gives what a shift by one less, then one more, does. */
static MlirValue clamped_shift(struct assembly *a, const char *name, MlirValue value,
                               MlirValue amount, MlirType type) {
  struct builder *b = &a->b;
  unsigned bits = type_bits(&a->c->session->types, type);
  MlirType i32 = integer_type(b, 32);
  MlirValue most = build_llvm_integer(b, 32, bits - 1);
  MlirValue first = BUILD(b, "llvm.intr.umin", IN(amount, most), OUT(i32));
  MlirValue rest = BUILD(b, "llvm.sub", IN(amount, first), OUT(i32));
  MlirValue one = build_llvm_integer(b, 32, 1);
  rest = BUILD(b, "llvm.intr.umin", IN(rest, one), OUT(i32));
  if (bits == 64) {
    first = BUILD(b, "llvm.zext", IN(first), OUT(type));
    rest = BUILD(b, "llvm.zext", IN(rest), OUT(type));
  }
  value = BUILD(b, name, IN(value, first), OUT(type));
  return BUILD(b, name, IN(value, rest), OUT(type));
}

static bool is_shift(const struct ptx_opcode *opcode) {
  return strncmp(opcode->name, "shl.", 4) == 0 || strncmp(opcode->name, "shr.", 4) == 0;
}

static MlirValue build_operation(struct assembly *a, const char *operation, intptr_t count,
                                 const MlirValue *sources, MlirType type);

/* A function of the emulator on each of a pair of halves. */
static MlirValue build_pair(struct assembly *a, const char *operation, intptr_t count,
                            const MlirValue *sources, MlirType type) {
  struct builder *b = &a->b;
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirValue pair = BUILD(b, "llvm.mlir.undef", OUT(type));
  for (int i = 0; i < 2; i++) {
    MlirValue place = build_llvm_integer(b, 32, i), parts[PTX_MAX_SOURCES];
    for (intptr_t k = 0; k < count; k++)
      parts[k] = BUILD(b, "llvm.extractelement", IN(sources[k], place), OUT(element));
    MlirValue part = build_operation(a, operation, count, parts, element);
    pair = BUILD(b, "llvm.insertelement", IN(pair, part, place), OUT(type));
  }
  return pair;
}

/* A function of f32 that gives one of its operands, on halves. */
static MlirValue build_widened(struct assembly *a, const char *operation, intptr_t count,
                               const MlirValue *sources, MlirType type) {
  struct builder *b = &a->b;
  MlirType f32 = mlirF32TypeGet(b->context);
  MlirValue wide[PTX_MAX_SOURCES];
  for (intptr_t k = 0; k < count; k++)
    wide[k] = BUILD(b, "llvm.fpext", IN(sources[k]), OUT(f32));
  return BUILD(b, "llvm.fptrunc",
               IN(op_result(conversion_call(a->c, b, operation, count, wide, f32), 0)), OUT(type));
}

/* Functions take and give 16 bits as 32. */
static MlirValue build_call(struct assembly *a, const char *operation, intptr_t count,
                            const MlirValue *sources, MlirType type) {
  struct builder *b = &a->b;
  MlirType i16 = integer_type(b, 16), i32 = integer_type(b, 32);
  MlirValue in[PTX_MAX_SOURCES];
  for (intptr_t k = 0; k < count; k++)
    in[k] = mlirTypeEqual(mlirValueGetType(sources[k]), i16)
                ? BUILD(b, "llvm.zext", IN(sources[k]), OUT(i32))
                : sources[k];
  bool narrow = mlirTypeEqual(type, i16);
  MlirValue result =
      op_result(conversion_call(a->c, b, operation, count, in, narrow ? i32 : type), 0);
  return narrow ? BUILD(b, "llvm.trunc", IN(result), OUT(i16)) : result;
}

static bool is_half(MlirType type) {
  return mlirTypeIsAF16(type) || mlirTypeIsABF16(type);
}

static MlirValue build_operation(struct assembly *a, const char *operation, intptr_t count,
                                 const MlirValue *sources, MlirType type) {
  size_t length = strlen(operation);
  if (strncmp(operation, "tile_emu_", 9) != 0)
    return BUILD(&a->b, operation, INS(sources, count), OUTS(&type, 1));
  if (mlirTypeIsAVector(type))
    return build_pair(a, operation, count, sources, type);
  if (is_half(type) && strcmp(operation + length - 4, "_f32") == 0)
    return build_widened(a, operation, count, sources, type);
  return build_call(a, operation, count, sources, type);
}

/* The first of two operations gives its operand's type. */
static MlirValue build_chain(struct assembly *a, const struct ptx_opcode *opcode,
                             const MlirValue *sources, MlirType type) {
  const char *comma = strchr(opcode->operation, ',');
  char first[48] = {0};
  if (!comma)
    return build_operation(a, opcode->operation, opcode->sources, sources, type);
  memcpy(first, opcode->operation, (size_t)(comma - opcode->operation));
  MlirValue middle = build_operation(a, first, 1, sources, mlirValueGetType(sources[0]));
  return build_operation(a, comma + 1, 1, &middle, type);
}

/* cvt.rn.f16x2.f32 d, high, low */
static MlirValue build_pack(struct assembly *a, const MlirValue *sources, MlirType type) {
  struct builder *b = &a->b;
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirValue pair = BUILD(b, "llvm.mlir.undef", OUT(type));
  for (int i = 0; i < 2; i++) {
    MlirValue part = BUILD(b, "llvm.fptrunc", IN(sources[1 - i]), OUT(element));
    pair = BUILD(b, "llvm.insertelement", IN(pair, part, build_llvm_integer(b, 32, i)), OUT(type));
  }
  return pair;
}

/* Functions of the emulator with ftz in their name flush by themselves. */
static bool flushes(const struct ptx_opcode *opcode) {
  return strstr(opcode->name, ".ftz") && !strstr(opcode->operation, "ftz");
}

static MlirValue flush(struct assembly *a, MlirValue value) {
  MlirType f32 = mlirF32TypeGet(a->b.context);
  if (!mlirTypeEqual(mlirValueGetType(value), f32))
    return value;
  return op_result(conversion_call(a->c, &a->b, "tile_emu_flush", 1, &value, f32), 0);
}

static MlirValue build_instruction(struct assembly *a, const struct ptx_opcode *opcode,
                                   const MlirValue *sources, MlirType type) {
  struct builder *b = &a->b;
  MlirValue flushed[PTX_MAX_SOURCES];
  for (int i = 0; i < opcode->sources && flushes(opcode); i++)
    flushed[i] = flush(a, sources[i]);
  if (flushes(opcode))
    sources = flushed;
  if (!opcode->operation[0])
    return sources[0];
  if (is_shift(opcode))
    return clamped_shift(a, opcode->operation, sources[0], sources[1], type);
  if (strcmp(opcode->operation, "select") == 0)
    return BUILD(b, "llvm.select", IN(sources[2], sources[0], sources[1]), OUT(type));
  if (opcode->predicate >= 0)
    return BUILD(b, opcode->operation, IN(sources[0], sources[1]), OUT(type),
                 ATTRIBUTES(attribute_named(b->context, "predicate",
                                            attribute_integer(b->context, 64, opcode->predicate))));
  if (strcmp(opcode->operation, "not") == 0) {
    MlirValue ones = build_llvm_integer(b, type_bits(&a->c->session->types, type), -1);
    return BUILD(b, "llvm.xor", IN(sources[0], ones), OUT(type));
  }
  if (strcmp(opcode->operation, "pack") == 0)
    return build_pack(a, sources, type);
  return build_chain(a, opcode, sources, type);
}

/* Shifts take their count, and selp its predicate, in a register of another type. */
static MlirType source_type(struct assembly *a, const struct ptx_opcode *opcode, int i) {
  if (is_shift(opcode) && i == 1)
    return integer_type(&a->b, 32);
  if (strcmp(opcode->operation, "select") == 0 && i == 2)
    return integer_type(&a->b, 1);
  return type_of(&a->b, opcode->source_type);
}

/* Writes a register; under @p it keeps what it had where p is false. */
static bool write_target(struct assembly *a, const struct ptx_instruction *instruction,
                         const struct ptx_operand *target, MlirValue value) {
  MlirValue *slot = &a->values[target->index];
  if (!instruction->has_guard || mlirValueIsNull(*slot)) {
    *slot = value;
    return true;
  }
  MlirValue guard = a->values[instruction->guard.index];
  MlirValue old = as_type(a, *slot, mlirValueGetType(value));
  if (mlirValueIsNull(guard) || mlirValueIsNull(old) || bits_of(a, mlirValueGetType(guard)) != 1)
    return false;
  bool negated = instruction->guard_negated;
  *slot = BUILD(&a->b, "llvm.select", IN(guard, negated ? old : value, negated ? value : old),
                OUT(mlirValueGetType(value)));
  return true;
}

static bool take_apart(struct assembly *a, const struct ptx_instruction *instruction,
                       MlirType whole, MlirType part) {
  MlirValue value = read_source(a, &instruction->sources[0], whole, false);
  unsigned width = bits_of(a, whole), step = bits_of(a, part);
  for (int i = 0; i < instruction->part_count && !mlirValueIsNull(value); i++) {
    MlirValue shifted =
        BUILD(&a->b, "llvm.lshr", IN(value, build_llvm_integer(&a->b, width, step * (unsigned)i)),
              OUT(whole));
    MlirValue piece = BUILD(&a->b, "llvm.trunc", IN(shifted), OUT(part));
    if (!write_target(a, instruction, &instruction->parts[i], piece))
      return false;
  }
  return !mlirValueIsNull(value);
}

static bool put_together(struct assembly *a, const struct ptx_instruction *instruction,
                         MlirType whole, MlirType part) {
  unsigned width = bits_of(a, whole), step = bits_of(a, part);
  MlirValue all = build_llvm_integer(&a->b, width, 0);
  for (int i = 0; i < instruction->part_count; i++) {
    MlirValue piece = read_source(a, &instruction->parts[i], part, false);
    if (mlirValueIsNull(piece))
      return false;
    piece = BUILD(&a->b, "llvm.zext", IN(piece), OUT(whole));
    piece = BUILD(&a->b, "llvm.shl",
                  IN(piece, build_llvm_integer(&a->b, width, step * (unsigned)i)), OUT(whole));
    all = BUILD(&a->b, "llvm.or", IN(all, piece), OUT(whole));
  }
  return write_target(a, instruction, &instruction->target, all);
}

static bool move_parts(struct assembly *a, const struct ptx_instruction *instruction) {
  MlirType whole = type_of(&a->b, instruction->opcode.type);
  MlirType part = integer_type(&a->b, bits_of(a, whole) / (unsigned)instruction->part_count);
  return instruction->takes_apart ? take_apart(a, instruction, whole, part)
                                  : put_together(a, instruction, whole, part);
}

static bool run_instruction(struct assembly *a, const struct ptx_instruction *instruction) {
  const struct ptx_opcode *opcode = &instruction->opcode;
  MlirType type = type_of(&a->b, opcode->type);
  bool converts = strncmp(opcode->name, "cvt.", 4) == 0;
  MlirValue sources[PTX_MAX_SOURCES];
  if (instruction->part_count)
    return move_parts(a, instruction);
  for (int i = 0; i < opcode->sources; i++) {
    sources[i] = read_source(a, &instruction->sources[i], source_type(a, opcode, i), converts);
    if (mlirValueIsNull(sources[i]))
      return false;
  }
  return write_target(a, instruction, &instruction->target,
                      build_instruction(a, opcode, sources, type));
}

/* The results of the assembly; false when an output was never written or in another size. */
static bool collect_results(struct assembly *a, MlirType type, MlirValue *out) {
  bool several = a->constraints.outputs > 1;
  *out = several ? BUILD(&a->b, "llvm.mlir.undef", OUT(type)) : (MlirValue){0};
  for (int i = 0; i < a->constraints.outputs; i++) {
    static const struct {
      char letter;
      enum ptx_type type;
    } classes[] = {{'b', PTX_B1},  {'h', PTX_B16}, {'r', PTX_B32},
                   {'l', PTX_B64}, {'f', PTX_F32}, {'d', PTX_F64}};
    MlirValue value = a->values[i];
    for (size_t k = 0; k < sizeof classes / sizeof *classes && !mlirValueIsNull(value); k++)
      if (classes[k].letter == a->constraints.letter[i])
        value = as_type(a, value, type_of(&a->b, classes[k].type));
    if (mlirValueIsNull(value))
      return false;
    if (!several)
      *out = value;
    else
      *out =
          BUILD(&a->b, "llvm.insertvalue", IN(*out, value), OUT(type),
                ATTRIBUTES(attribute_named(a->b.context, "position",
                                           mlirDenseI64ArrayGet(a->b.context, 1, (int64_t[]){i}))));
  }
  return true;
}

MlirLogicalResult convert_assembly(struct conversion *c, MlirOperation op) {
  struct assembly a = {.c = c, .b = builder_before(op), .op = op};
  struct ptx_program program;
  char what[64];
  const char *problem = asm_constraints_read(op_string(op, "constraints"), &a.constraints);
  int operands = a.constraints.outputs + a.constraints.inputs;
  if (problem || mlirOperationGetNumResults(op) != 1 ||
      mlirOperationGetNumOperands(op) != a.constraints.inputs)
    return fail_op(op, "the emulator cannot run this assembly; run the kernel on a GPU");
  if (!ptx_text_read(op_string(op, "asm_string"), operands, &program, what))
    return fail_op(op,
                   "the emulator cannot run the assembly from '%s' on; run the kernel on a GPU, or "
                   "use the instructions that docs/emulator.md lists",
                   what);
  for (int i = 0; i < a.constraints.inputs; i++) {
    int output = a.constraints.tied[i];
    a.values[a.constraints.outputs + i] = op_operand(op, i);
    if (output >= 0) /* one register: what is read first is the input */
      a.values[output] = op_operand(op, i);
  }
  MlirValue result;
  for (size_t i = 0; i < program.count; i++)
    if (!run_instruction(&a, &program.instructions[i]))
      return fail_op(op, "'%s' reads a register of another size, or one that is not set",
                     program.instructions[i].opcode.name);
  if (!collect_results(&a, op_result_type(op, 0), &result))
    return fail_op(op, "a result of the assembly is not set, or in another size");
  return replace_op(op, &result);
}
