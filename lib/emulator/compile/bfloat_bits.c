/* SPDX-License-Identifier: MIT */
/* See bfloat_bits.h.

       %v = load <8 x bfloat>, ptr %p                %n = load <8 x i16>, ptr %p
       br label %next                          ->    br label %next
     next:                                         next:
       %w = bitcast <8 x bfloat> %v to ...           %v = bitcast <8 x i16> %n to <8 x bfloat>
                                                     %w = bitcast <8 x bfloat> %v to ...        */
#include "emulator/compile/bfloat_bits.h"

#include <stdbool.h>
#include <stddef.h>
#include "base/map.h"

struct retyping {
  LLVMBuilderRef builder;
  LLVMContextRef context;
  struct map twins; /* a bfloat, or a vector of them, to its bits: i16, a vector of i16 */
};

static bool is_vector(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVectorTypeKind; }

static LLVMTypeRef bits_type(struct retyping *r, LLVMTypeRef type) {
  LLVMTypeRef bits = LLVMInt16TypeInContext(r->context);
  return is_vector(type) ? LLVMVectorType(bits, LLVMGetVectorSize(type)) : bits;
}

static bool is_bfloat(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(is_vector(type) ? LLVMGetElementType(type) : type) == LLVMBFloatTypeKind;
}

/* Is it used in another block, or there by a phi? */
static bool leaves_block(LLVMValueRef value) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMGetInstructionParent(user) != block || LLVMIsAPHINode(user))
      return true;
  }
  return false;
}

/* The bits of a value that leaves its block. Phis are filled in later. */
static LLVMValueRef make_twin(struct retyping *r, LLVMValueRef value) {
  LLVMTypeRef bits = bits_type(r, LLVMTypeOf(value));
  if (LLVMIsAPHINode(value)) {
    LLVMPositionBuilderBefore(r->builder, value);
    return LLVMBuildPhi(r->builder, bits, "");
  }
  if (LLVMIsALoadInst(value) && !LLVMGetVolatile(value) &&
      LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic) {
    LLVMPositionBuilderBefore(r->builder, value);
    LLVMValueRef load = LLVMBuildLoad2(r->builder, bits, LLVMGetOperand(value, 0), "");
    LLVMSetAlignment(load, LLVMGetAlignment(value));
    return load;
  }
  LLVMPositionBuilderBefore(r->builder, LLVMGetNextInstruction(value));
  return LLVMBuildBitCast(r->builder, value, bits, "");
}

/* What comes into a phi, as bits. Constants and what stays in its block are cast at the block's
   end. */
static LLVMValueRef incoming_bits(struct retyping *r, LLVMValueRef value, LLVMBasicBlockRef from) {
  LLVMValueRef twin = map_get(&r->twins, value);
  if (twin)
    return twin;
  LLVMPositionBuilderBefore(r->builder, LLVMGetBasicBlockTerminator(from));
  return LLVMBuildBitCast(r->builder, value, bits_type(r, LLVMTypeOf(value)), "");
}

static void fill_phi(struct retyping *r, LLVMValueRef phi, LLVMValueRef twin) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = incoming_bits(r, LLVMGetIncomingValue(phi, i), from);
    LLVMAddIncoming(twin, &value, &from, 1);
  }
}

/* An instruction that is to read the bits: any in another block, and where the value goes any at
   all; NULL: none is left. Phis have twins of their own. */
static LLVMValueRef find_user(LLVMValueRef value, LLVMValueRef twin, bool goes) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (user != twin && !LLVMIsAPHINode(user) && (goes || LLVMGetInstructionParent(user) != block))
      return user;
  }
  return NULL;
}

static bool is_to_go(LLVMValueRef value, LLVMValueRef twin) {
  return LLVMIsAPHINode(value) || LLVMIsALoadInst(twin);
}

static void replace_uses(struct retyping *r, LLVMValueRef value, LLVMValueRef twin) {
  LLVMValueRef user;
  while ((user = find_user(value, twin, is_to_go(value, twin))) != NULL) {
    LLVMPositionBuilderBefore(r->builder, user);
    LLVMValueRef back = LLVMBuildBitCast(r->builder, twin, LLVMTypeOf(value), "");
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, (unsigned)i) == value)
        LLVMSetOperand(user, (unsigned)i, back);
  }
}

static void collect(struct retyping *r, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (is_bfloat(i) && (LLVMIsAPHINode(i) || leaves_block(i)))
        map_set(&r->twins, i, i);
}

static void retype(struct retyping *r, LLVMValueRef function) {
  map_clear(&r->twins);
  collect(r, function);
  for (size_t i = 0; i < r->twins.count; i++)
    r->twins.slots[i].value = make_twin(r, (LLVMValueRef)r->twins.slots[i].key);
  for (size_t i = 0; i < r->twins.count; i++) {
    LLVMValueRef value = (LLVMValueRef)r->twins.slots[i].key;
    if (LLVMIsAPHINode(value))
      fill_phi(r, value, r->twins.slots[i].value);
  }
  for (size_t i = 0; i < r->twins.count; i++)
    replace_uses(r, (LLVMValueRef)r->twins.slots[i].key, r->twins.slots[i].value);
  for (size_t i = 0; i < r->twins.count; i++) { /* phis: of one another, which all go */
    LLVMValueRef value = (LLVMValueRef)r->twins.slots[i].key, twin = r->twins.slots[i].value;
    if (!is_to_go(value, twin))
      continue;
    LLVMReplaceAllUsesWith(value, LLVMGetUndef(LLVMTypeOf(value)));
    LLVMInstructionEraseFromParent(value);
  }
}

void pass_bfloats_as_bits(LLVMModuleRef module) {
  struct retyping r = {.context = LLVMGetModuleContext(module)};
  r.builder = LLVMCreateBuilderInContext(r.context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    retype(&r, f);
  LLVMDisposeBuilder(r.builder);
  map_free(&r.twins);
}
