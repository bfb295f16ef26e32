/* SPDX-License-Identifier: MIT */
/* convert-to-emulator: atomic operations.

     tile_ptx.atomic_rmw %p, %c, %v {kind = "add", sem = "relaxed", ...} : (ptr<1>, i1, f32)
       ->  %o = llvm.call @tile_emu_atomic(%thread, %p, ADD, F32, %v's bits, 0, 0, %c,
   @"k.mlir:7:8") the low bits of %o as f32 */
#include "emulator/device_atomics.h"
#include "lowering/nvvm_to_emulator/convert_to_emulator.h"

static enum atomic_operation operation_of(MlirOperation op) {
  static const char *const kinds[] = {"add", "max", "min", "umax", "umin",
                                      "and", "or",  "xor", "xchg"};
  MlirStringRef kind = op_string(op, "kind");
  for (int i = 0; i < ATOMIC_CAS; i++)
    if (ref_equals(kind, kinds[i]))
      return (enum atomic_operation)i;
  return ATOMIC_CAS;
}

static enum atomic_number number_of(struct conversion *c, MlirOperation op, MlirType type) {
  enum atomic_operation operation = operation_of(op);
  bool pair = mlirTypeIsAVector(type), adds = operation == ATOMIC_ADD;
  bool numbers = adds || operation == ATOMIC_MAX || operation == ATOMIC_MIN;
  MlirType element = pair ? mlirShapedTypeGetElementType(type) : type;
  if (numbers && mlirTypeIsAF16(element))
    return pair ? ATOMIC_F16X2 : ATOMIC_F16;
  if (numbers && mlirTypeIsABF16(element))
    return pair ? ATOMIC_BF16X2 : ATOMIC_BF16;
  if (adds && mlirTypeIsAF32(element))
    return ATOMIC_F32;
  if (adds && mlirTypeIsAF64(element))
    return ATOMIC_F64;
  unsigned bits = type_bits(&c->session->types, element);
  return bits == 16 ? ATOMIC_BITS16 : bits == 32 ? ATOMIC_BITS32 : ATOMIC_BITS64;
}

/* A scope of one block orders nothing that barriers do not. */
static int order_of(struct conversion *c, MlirOperation op) {
  (void)c;
  if (is_llvm_pointer(op_operand_type(op, 0), SPACE_SHARED))
    return ATOMIC_SHARED;
  MlirStringRef sem = op_string(op, "sem");
  bool both = ref_equals(sem, "acq_rel");
  if (ref_equals(op_string(op, "scope"), "cta"))
    return 0;
  return (both || ref_equals(sem, "acquire") ? ATOMIC_ACQUIRES : 0) |
         (both || ref_equals(sem, "release") ? ATOMIC_RELEASES : 0);
}

static unsigned width_of(struct conversion *c, MlirType type) {
  if (mlirTypeIsAVector(type))
    return 2 * type_bits(&c->session->types, mlirShapedTypeGetElementType(type));
  return type_bits(&c->session->types, type);
}

static MlirValue to_bits(struct conversion *c, struct builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value), word = integer_type(b, width_of(c, type));
  MlirType i64 = integer_type(b, 64);
  if (!mlirTypeEqual(type, word))
    value = BUILD(b, "llvm.bitcast", IN(value), OUT(word));
  return mlirTypeEqual(word, i64) ? value : BUILD(b, "llvm.zext", IN(value), OUT(i64));
}

static MlirValue from_bits(struct conversion *c, struct builder *b, MlirValue bits, MlirType type) {
  MlirType word = integer_type(b, width_of(c, type));
  if (!mlirTypeEqual(mlirValueGetType(bits), word))
    bits = BUILD(b, "llvm.trunc", IN(bits), OUT(word));
  return mlirTypeEqual(type, word) ? bits : BUILD(b, "llvm.bitcast", IN(bits), OUT(type));
}

MlirLogicalResult convert_atomic(struct conversion *c, MlirOperation op) {
  struct builder b = builder_before(op);
  bool cas = operation_of(op) == ATOMIC_CAS;
  MlirType type = op_result_type(op, 0);
  MlirValue in[] = {c->thread,
                    BUILD(&b, "llvm.addrspacecast", IN(op_operand(op, 0)), OUT(c->pointer)),
                    build_llvm_integer(&b, 32, operation_of(op)),
                    build_llvm_integer(&b, 32, number_of(c, op, type)),
                    to_bits(c, &b, op_operand(op, cas ? 3 : 2)),
                    cas ? to_bits(c, &b, op_operand(op, 2)) : build_llvm_integer(&b, 64, 0),
                    build_llvm_integer(&b, 32, order_of(c, op)),
                    BUILD(&b, "llvm.zext", IN(op_operand(op, 1)), OUT(c->i32)),
                    conversion_location(c, &b)};
  MlirOperation call =
      conversion_call(c, &b, "tile_emu_atomic", sizeof in / sizeof *in, in, integer_type(&b, 64));
  MlirValue old = from_bits(c, &b, op_result(call, 0), type);
  replace_op(op, &old);
  return SUCCESS;
}
