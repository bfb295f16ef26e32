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
  MlirValue values[PTX_MOST_REGISTERS];
};

static MlirType type_of(struct builder *b, enum ptx_type type) {
  switch (type) {
  case PTX_B1:
    return integer_type(b, 1);
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

/* The same bits as another type of the same size; null when the sizes differ. */
static MlirValue as_type(struct assembly *a, MlirValue value, MlirType type) {
  struct type_cache *types = &a->c->session->types;
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  if (type_bits(types, mlirValueGetType(value)) != type_bits(types, type))
    return (MlirValue){0};
  return BUILD(&a->b, "llvm.bitcast", IN(value), OUT(type));
}

static MlirValue read_source(struct assembly *a, const struct ptx_operand *operand, MlirType type) {
  if (!operand->is_number) {
    MlirValue value = a->values[operand->index];
    return mlirValueIsNull(value) ? value : as_type(a, value, type);
  }
  unsigned bits = type_bits(&a->c->session->types, type);
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

static MlirValue build_instruction(struct assembly *a, const struct ptx_opcode *opcode,
                                   const MlirValue *sources, MlirType type) {
  struct builder *b = &a->b;
  bool shift = strncmp(opcode->name, "sh", 2) == 0;
  if (!opcode->operation[0])
    return sources[0];
  if (shift)
    return clamped_shift(a, opcode->operation, sources[0], sources[1], type);
  if (strcmp(opcode->operation, "not") == 0) {
    MlirValue ones = build_llvm_integer(b, type_bits(&a->c->session->types, type), -1);
    return BUILD(b, "llvm.xor", IN(sources[0], ones), OUT(type));
  }
  if (strncmp(opcode->operation, "tile_emu_", 9) == 0)
    return op_result(conversion_call(a->c, b, opcode->operation, opcode->sources, sources, type),
                     0);
  return BUILD(b, opcode->operation, .in = sources, .in_count = opcode->sources, OUT(type));
}

static bool run_instruction(struct assembly *a, const struct ptx_instruction *instruction) {
  const struct ptx_opcode *opcode = instruction->opcode;
  MlirType type = type_of(&a->b, opcode->type), i32 = integer_type(&a->b, 32);
  bool shift = strncmp(opcode->name, "sh", 2) == 0;
  MlirValue sources[PTX_MOST_SOURCES];
  for (int i = 0; i < opcode->sources; i++) {
    sources[i] = read_source(a, &instruction->sources[i], shift && i == 1 ? i32 : type);
    if (mlirValueIsNull(sources[i]))
      return false;
  }
  a->values[instruction->target.index] = build_instruction(a, opcode, sources, type);
  return true;
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
  for (int i = 0; i < a.constraints.inputs; i++)
    a.values[a.constraints.outputs + i] = op_operand(op, i);
  MlirValue result;
  for (size_t i = 0; i < program.count; i++)
    if (!run_instruction(&a, &program.instructions[i]))
      return fail_op(op, "'%s' reads a register of another size, or one that is not set",
                     program.instructions[i].opcode->name);
  if (!collect_results(&a, op_result_type(op, 0), &result))
    return fail_op(op, "a result of the assembly is not set, or in another size");
  replace_op(op, &result);
  return SUCCESS;
}
