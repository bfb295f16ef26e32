/* SPDX-License-Identifier: MIT */
/* convert-to-emulator: atomic operations.

     tile_ptx.atomic_rmw %p, %c, %v {kind = "add", sem = "relaxed", ...} : (ptr<1>, i1, f32)
       ->  %o = llvm.call @tile_emu_atomic(%thread, %p, ADD, F32, %v's bits, 0, 0, %c,
   @"k.mlir:7:8") the low bits of %o as f32

   Of a vector each word of 32 bits is a call: PTX promises no more of it than that each element is
   touched in one step. */
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

static int order_of(MlirOperation op) {
  if (is_llvm_pointer(op_operand_type(op, 0), SPACE_SHARED))
    return ATOMIC_SHARED;
  MlirStringRef sem = op_string(op, "sem");
  bool both = ref_equals(sem, "acq_rel");
  if (ref_equals(op_string(op, "scope"), "cta"))
    return ATOMIC_IN_BLOCK;
  return (both || ref_equals(sem, "acquire") ? ATOMIC_ACQUIRES : 0) |
         (both || ref_equals(sem, "release") ? ATOMIC_RELEASES : 0);
}

/* A number, or a vector as words of 32 bits. */
struct pieces {
  unsigned count, bits;
  MlirType word, all;
};

static struct pieces pieces_of(struct conversion *c, struct builder *b, MlirType type) {
  bool vector = mlirTypeIsAVector(type);
  MlirType element = vector ? mlirShapedTypeGetElementType(type) : type;
  unsigned bits = type_bits(&c->session->types, element);
  struct pieces pieces = {.count = 1, .bits = vector ? 32 : bits};
  if (vector)
    pieces.count = (unsigned)mlirShapedTypeGetDimSize(type, 0) * bits / 32;
  pieces.word = pieces.all = integer_type(b, pieces.bits);
  if (pieces.count > 1)
    pieces.all = mlirVectorTypeGet(1, (int64_t[]){pieces.count}, pieces.word);
  return pieces;
}

/* Word i, in 64 bits. */
static MlirValue piece(struct builder *b, const struct pieces *pieces, MlirValue value,
                       unsigned i) {
  value = build_bitcast(b, value, pieces->all);
  if (pieces->count > 1)
    value =
        BUILD(b, "llvm.extractelement", IN(value, build_llvm_integer(b, 32, i)), OUT(pieces->word));
  MlirType i64 = integer_type(b, 64);
  return pieces->bits == 64 ? value : BUILD(b, "llvm.zext", IN(value), OUT(i64));
}

static MlirValue convert_piece(struct conversion *c, struct builder *b, MlirOperation op,
                               const struct pieces *pieces, unsigned i) {
  bool cas = operation_of(op) == ATOMIC_CAS;
  unsigned bytes = pieces->bits / 8;
  MlirValue address = BUILD(b, "llvm.addrspacecast", IN(op_operand(op, 0)), OUT(c->pointer));
  int order = order_of(op);
  if (i == 0)
    order |= (int)(bytes * pieces->count) << ATOMIC_ALIGNMENT_SHIFT;
  MlirValue in[] = {c->thread,
                    build_gep(b, integer_type(b, 8), address, (MlirValue){0}, bytes * i),
                    build_llvm_integer(b, 32, operation_of(op)),
                    build_llvm_integer(b, 32, number_of(c, op, op_result_type(op, 0))),
                    piece(b, pieces, op_operand(op, cas ? 3 : 2), i),
                    cas ? piece(b, pieces, op_operand(op, 2), i) : build_llvm_integer(b, 64, 0),
                    build_llvm_integer(b, 32, order),
                    BUILD(b, "llvm.zext", IN(op_operand(op, 1)), OUT(c->i32)),
                    conversion_location(c, b)};
  MlirOperation call =
      conversion_call(c, b, "tile_emu_atomic", sizeof in / sizeof *in, in, integer_type(b, 64));
  MlirValue old = op_result(call, 0);
  return pieces->bits == 64 ? old : BUILD(b, "llvm.trunc", IN(old), OUT(pieces->word));
}

MlirLogicalResult convert_atomic(struct conversion *c, MlirOperation op) {
  struct builder b = builder_before(op);
  MlirType type = op_result_type(op, 0);
  struct pieces pieces = pieces_of(c, &b, type);
  MlirValue old = BUILD(&b, "llvm.mlir.undef", OUT(pieces.all));
  for (unsigned i = 0; i < pieces.count; i++) {
    MlirValue part = convert_piece(c, &b, op, &pieces, i);
    old = pieces.count == 1 ? part
                            : BUILD(&b, "llvm.insertelement",
                                    IN(old, part, build_llvm_integer(&b, 32, i)), OUT(pieces.all));
  }
  old = build_bitcast(&b, old, type);
  return replace_op(op, &old);
}

MlirLogicalResult convert_fence(struct conversion *c, MlirOperation op) {
  if (!ref_equals(op_string(op, "syncscope"), "block"))
    return convert_call_text(c, op, "tile_emu_fence(thread)");
  mlirOperationDestroy(op);
  return SUCCESS;
}
