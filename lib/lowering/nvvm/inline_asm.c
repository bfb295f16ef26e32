/* SPDX-License-Identifier: MIT */
/* inline_asm: the user's PTX, one instance for `pack` registers of a thread.

     tile.inline_asm %h {pack = 2, constraints = "=r,r"} : tensor<256xf16>     2 registers a thread
       ->  bits of (%h0, %h1) as i32 -> llvm.inline_asm -> i32 as two f16

   Elements narrower than 32 bits travel several in one register, the first in the lowest bits; the
   constraint's letter says of which class the register is, and integers are zero-extended to it.
   Where a thread holds fewer than `pack` elements, its first one fills the rest. Every thread that
   holds an element executes the instance. */
#include <string.h>
#include "ir/asm_constraints.h"
#include "lowering/nvvm/nvvm.h"
#include "lowering/ptx/ptx_to_asm.h"

/* One instance being built. */
struct instance {
  struct lowering *lw;
  MlirOperation op;
  struct asm_constraints constraints;
  int pack;
  int first; /* register of each operand that it begins with */
};

/* How the elements of one operand or result lie in registers of the assembly. */
struct packing {
  MlirType element; /* of one register of the thread */
  unsigned bits;    /* of an element */
  int together;     /* elements in one register of the assembly */
};

static struct packing packing_of(struct instance *i, const struct lowered *registers) {
  struct packing packing = {.element = registers->type, .together = 1};
  packing.bits = registers->pointer ? 64 : type_bits(&i->lw->session->types, registers->type);
  if (packing.bits >= 8 && packing.bits < 32)
    packing.together = (int)(32 / packing.bits) < i->pack ? (int)(32 / packing.bits) : i->pack;
  return packing;
}

static MlirType class_type(struct lowering *lw, char letter) {
  MlirContext context = lw->session->context;
  switch (letter) {
  case 'b':
    return integer_type(&lw->b, 1);
  case 'h':
    return integer_type(&lw->b, 16);
  case 'r':
    return integer_type(&lw->b, 32);
  case 'f':
    return mlirF32TypeGet(context);
  case 'd':
    return mlirF64TypeGet(context);
  default:
    return integer_type(&lw->b, 64);
  }
}

static MlirType packed_type(const struct packing *packing) {
  return packing->together == 1
             ? packing->element
             : mlirVectorTypeGet(1, (int64_t[]){packing->together}, packing->element);
}

static MlirLogicalResult fail_class(struct instance *i, char letter, unsigned bits) {
  return fail_op(i->op, "a register of class '%c' does not hold %u bits; use '%c'", letter, bits,
                 bits <= 16   ? 'h'
                 : bits == 32 ? 'r'
                              : 'l');
}

/* The class holds the bits, floats exactly. */
static MlirLogicalResult check_class(struct instance *i, char letter, unsigned bits) {
  unsigned width = type_bits(&i->lw->session->types, class_type(i->lw, letter));
  bool is_float = letter == 'f' || letter == 'd';
  return width < bits || (is_float && width != bits) ? fail_class(i, letter, bits) : SUCCESS;
}

/* Nobody reads result `o`: then it need not fit. Programs give what they drop an operand's type, as
   a pointer's beside "=r". */
static bool is_dropped(const struct instance *i, intptr_t o, char letter) {
  return mlirOpOperandIsNull(mlirValueGetFirstUse(op_result(i->op, o))) &&
         mlirTypeIsAInteger(class_type(i->lw, letter));
}

/* `together` elements from register r on, as the assembly's operand. */
static MlirValue pack_operand(struct instance *i, const struct lowered *registers,
                              const struct packing *packing, int r, char letter) {
  struct lowering *lw = i->lw;
  int last = registers->count - 1;
  MlirValue value = register_value(lw, registers, r > last ? 0 : r);
  if (registers->pointer)
    value = BUILD(&lw->b, "llvm.ptrtoint", IN(value), OUT(integer_type(&lw->b, 64)));
  if (packing->together > 1) {
    MlirValue elements[4];
    for (int k = 0; k < packing->together; k++)
      elements[k] = register_value(lw, registers, r + k > last ? 0 : r + k);
    value = build_vector(lw, elements, packing->together);
  }
  unsigned bits = packing->bits * (unsigned)packing->together;
  MlirType word = integer_type(&lw->b, bits), class = class_type(lw, letter);
  if (mlirTypeEqual(mlirValueGetType(value), class))
    return value;
  value = build_bitcast(&lw->b, value, word);
  if (mlirTypeIsAInteger(class) && mlirIntegerTypeGetWidth(class) > bits)
    value = BUILD(&lw->b, "llvm.zext", IN(value), OUT(class));
  return build_bitcast(&lw->b, value, class);
}

static void unpack_result(struct instance *i, struct lowered *registers,
                          const struct packing *packing, int r, MlirValue value) {
  struct lowering *lw = i->lw;
  unsigned bits = packing->bits * (unsigned)packing->together;
  MlirType word = integer_type(&lw->b, bits), class = mlirValueGetType(value);
  if (mlirTypeIsAInteger(class) && mlirIntegerTypeGetWidth(class) > bits)
    value = BUILD(&lw->b, "llvm.trunc", IN(value), OUT(word));
  if (mlirTypeIsAInteger(class) && mlirIntegerTypeGetWidth(class) < bits) /* is_dropped */
    value = BUILD(&lw->b, "llvm.zext", IN(value), OUT(word));
  if (registers->pointer)
    value = BUILD(&lw->b, "llvm.inttoptr", IN(value), OUT(registers->type));
  value = build_bitcast(&lw->b, value, packed_type(packing));
  int left = registers->count - r;
  MlirValue elements[4];
  split_vector(lw, value, elements, packing->together);
  for (int k = 0; k < packing->together && k < left; k++)
    registers->base[r + k] = elements[k];
}

/* --- Registers of the assembly ---------------------------------------------------------------- */

static MlirLogicalResult collect_operands(struct instance *i, MlirValue *in) {
  int next = 0;
  for (intptr_t o = 0; o < mlirOperationGetNumOperands(i->op); o++) {
    const struct lowered *registers = lowered_of(i->lw, op_operand(i->op, o));
    struct packing packing = packing_of(i, registers);
    for (int k = 0; k < i->pack; k += packing.together) {
      char letter = i->constraints.letter[i->constraints.outputs + next];
      TRY_IR(check_class(i, letter, packing.bits * (unsigned)packing.together));
      in[next++] = pack_operand(i, registers, &packing, i->first + k, letter);
    }
  }
  return SUCCESS;
}

static MlirOperation build_call(struct instance *i, const MlirValue *in) {
  struct lowering *lw = i->lw;
  MlirType types[MAX_ASM_REGISTERS];
  for (int k = 0; k < i->constraints.outputs; k++)
    types[k] = class_type(lw, i->constraints.letter[k]);
  MlirType out = llvm_struct(lw->session->context, i->constraints.outputs, types);
  MlirStringRef assembly = op_string(i->op, "asm"), constraints = op_string(i->op, "constraints");
  struct text text = {0}, list = {0};
  text_append(&text, assembly.data, assembly.length);
  text_append(&list, constraints.data, constraints.length);
  bool pure = mlirBoolAttrGetValue(mlirOperationGetAttributeByName(i->op, ref("pure")));
  return build_asm(&lw->b, &text, &list, i->constraints.inputs, in, 1, &out, !pure);
}

static MlirLogicalResult take_results(struct instance *i, MlirOperation call,
                                      struct lowered **results) {
  struct lowering *lw = i->lw;
  int next = 0;
  for (intptr_t o = 0; o < mlirOperationGetNumResults(i->op); o++) {
    struct packing packing = packing_of(i, results[o]);
    for (int k = 0; k < i->pack; k += packing.together, next++) {
      MlirValue value = op_result(call, 0);
      char letter = i->constraints.letter[next];
      if (!is_dropped(i, o, letter))
        TRY_IR(check_class(i, letter, packing.bits * (unsigned)packing.together));
      if (i->constraints.outputs > 1)
        value = BUILD(&lw->b, "llvm.extractvalue", IN(value), OUT(class_type(lw, letter)),
                      ATTRIBUTES(attribute_named(
                          lw->session->context, "position",
                          mlirDenseI64ArrayGet(lw->session->context, 1, (int64_t[]){next}))));
      unpack_result(i, results[o], &packing, i->first + k, value);
    }
  }
  return SUCCESS;
}

MlirLogicalResult nvvm_inline_asm(struct lowering *lw, MlirOperation op) {
  enum { MAX_RESULTS = 8 };
  struct instance instance = {.lw = lw, .op = op, .pack = (int)op_integer(op, "pack", 1)};
  const char *problem = asm_constraints_read(op_string(op, "constraints"), &instance.constraints);
  if (problem)
    return fail_op(op, "constraints: %s", problem);
  struct lowered *results[MAX_RESULTS];
  for (intptr_t o = 0; o < mlirOperationGetNumResults(op); o++)
    results[o] = lowered_create(lw, op_result_type(op, o));
  MlirValue in[MAX_ASM_REGISTERS];
  for (; instance.first < results[0]->count; instance.first += instance.pack) {
    TRY_IR(collect_operands(&instance, in));
    MlirOperation call = build_call(&instance, in);
    TRY_IR(take_results(&instance, call, results));
  }
  for (intptr_t o = 0; o < mlirOperationGetNumResults(op); o++)
    lowered_set(lw, op_result(op, o), results[o]);
  return SUCCESS;
}
