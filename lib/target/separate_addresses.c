/* SPDX-License-Identifier: MIT */
/* Addresses that LLVM's straight-line strength reduction compares in vain, kept apart from it.

   That pass (part_addresses.c says more of it) looks for each address for an earlier one with the
   same base or the same index. Before it compares the two it proves that the earlier one may stand
   in for what it computes, over everything that the address is made of, and anew for each pair: a
   row of 48 addresses with one index costs 1128 proofs, in products and attention an eighth of the
   whole compilation. The proof fails at the first `or disjoint` that it meets, and after BUDGET
   values; nearly all addresses of tiles have one in the number of their row or column.

       a = getelementptr p, i                        a = getelementptr p, i
       b = getelementptr q, i             ->         j = sdiv i, 1
                                                     b = getelementptr q, j

       a = getelementptr p, i                        a = getelementptr p, i
       b = getelementptr p, j             ->         q = llvm.ptrmask(p, -1)
                                                     b = getelementptr q, j

   Where the other part of each address in a row makes the proof fail, each gets an index or a base
   of its own, into which the pass does not see. Early CSE, the next pass, makes it the same again:
   the code stays as it was. */
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include "base/arena.h"
#include "base/map.h"
#include "target/target.h"

enum {
  SHORTEST_ROW = 4, /* addresses that share an operand and are worth it */
  BUDGET = 16,      /* values of a proof, as in LLVM's ScalarEvolution::canReuseInstruction */
  DEEPEST = 6,      /* of what is known to be defined, as in LLVM's analysis of values */
};

static bool is_instruction(LLVMValueRef value) {
  return LLVMIsAInstruction(value) != NULL;
}

static bool has_constant_amount(LLVMValueRef shift) {
  return LLVMIsAConstantInt(LLVMGetOperand(shift, 1)) != NULL;
}

/* May it be poison though its operands are not? */
static bool has_flags(LLVMValueRef op) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(op);
  if (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl)
    return LLVMGetNSW(op) || LLVMGetNUW(op);
  if (opcode == LLVMOr)
    return LLVMGetIsDisjoint(op);
  if (opcode == LLVMZExt)
    return LLVMGetNNeg(op);
  return opcode == LLVMGetElementPtr && LLVMGEPGetNoWrapFlags(op) != 0;
}

/* Is it understood by LLVM's scalar evolution, as a sum, product or change of width? */
static bool is_arithmetic(LLVMValueRef op) {
  static const bool is_understood[] = {
      [LLVMAdd] = true,  [LLVMSub] = true,   [LLVMMul] = true,          [LLVMSExt] = true,
      [LLVMZExt] = true, [LLVMTrunc] = true, [LLVMGetElementPtr] = true};
  LLVMOpcode opcode = LLVMGetInstructionOpcode(op);
  if (opcode == LLVMOr)
    return LLVMGetIsDisjoint(op);
  if (opcode == LLVMShl)
    return has_constant_amount(op);
  return opcode < sizeof is_understood && is_understood[opcode];
}

/* A number whatever happens. Arguments and what assembly returns are marked so (translate.c). */
static bool is_defined(LLVMValueRef value, int depth) {
  if (!is_instruction(value) || LLVMIsACallInst(value))
    return true;
  if (depth == DEEPEST || !is_arithmetic(value) || has_flags(value))
    return false;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
    if (!is_defined(LLVMGetOperand(value, i), depth + 1))
      return false;
  return true;
}

/* --- The proof -------------------------------------------------------------------------------- */

struct proof {
  LLVMValueRef visited[BUDGET + 1], stack[4 * BUDGET];
  size_t visits, height;
};

static bool was_visited(const struct proof *proof, LLVMValueRef value) {
  for (size_t i = 0; i < proof->visits; i++)
    if (proof->visited[i] == value)
      return true;
  return false;
}

static bool push_operands(struct proof *proof, LLVMValueRef op) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(op); i++) {
    if (proof->height == sizeof proof->stack / sizeof *proof->stack)
      return false;
    proof->stack[proof->height++] = LLVMGetOperand(op, i);
  }
  return true;
}

/* Does the proof of what is computed from `part` certainly fail? What is no arithmetic is taken for
   an end of it. */
static bool proof_fails(LLVMValueRef part) {
  struct proof proof = {.stack = {part}, .height = 1};
  while (proof.height) {
    LLVMValueRef value = proof.stack[--proof.height];
    if (was_visited(&proof, value))
      continue;
    proof.visited[proof.visits++] = value;
    if (proof.visits > BUDGET)
      return true;
    if (is_defined(value, 0) || !is_arithmetic(value))
      continue;
    if (LLVMGetInstructionOpcode(value) == LLVMOr)
      return true;
    if (!push_operands(&proof, value))
      return false;
  }
  return false;
}

/* An access by LLVM's own load or store says that the address is one. */
static bool is_accessed(LLVMValueRef address, int depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user) || depth == DEEPEST ||
        (LLVMIsAGetElementPtrInst(user) && is_accessed(user, depth + 1)))
      return true;
  }
  return false;
}

/* --- Rows ------------------------------------------------------------------------------------- */

enum part { BASE, INDEX }; /* an address's operands */

struct row {
  size_t length, used;
  bool fails; /* the proof of each, by its other part */
};

struct rows {
  struct map of[2]; /* by enum part: LLVMValueRef -> struct row * */
  struct arena arena;
  LLVMBuilderRef builder;
  LLVMModuleRef module;
  unsigned ptrmask; /* the intrinsic's number: names take long to look up */
};

static LLVMValueRef without_casts(LLVMValueRef value) {
  while (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value) || LLVMIsATruncInst(value))
    value = LLVMGetOperand(value, 0);
  return value;
}

static bool is_sum(LLVMValueRef value) {
  if (!is_instruction(value))
    return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMOr || opcode == LLVMXor;
}

/* Passes before that one take constants out of sums, and exchange them with what is added. */
static bool may_be_hidden(LLVMValueRef operand, enum part part) {
  if (part == INDEX)
    return !is_sum(without_casts(operand));
  return LLVMGetPointerAddressSpace(LLVMTypeOf(operand)) != 0 &&
         !(LLVMIsAGetElementPtrInst(operand) && LLVMIsAConstant(LLVMGetOperand(operand, 1)));
}

static bool is_candidate(LLVMValueRef op) {
  return LLVMIsAGetElementPtrInst(op) && LLVMGetNumOperands(op) == 2 &&
         !LLVMIsAConstant(LLVMGetOperand(op, INDEX)) &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(op, INDEX))) == LLVMIntegerTypeKind;
}

static void count_in(struct rows *rows, LLVMValueRef address, enum part part, bool accessed) {
  LLVMValueRef operand = LLVMGetOperand(address, part);
  struct row *row = map_get(&rows->of[part], operand);
  if (!row) {
    row = ARENA_NEW(&rows->arena, struct row);
    *row = (struct row){.fails = may_be_hidden(operand, part)};
    map_set(&rows->of[part], operand, row);
  }
  row->length++;
  row->fails = row->fails && !accessed && proof_fails(LLVMGetOperand(address, !part));
}

static void count_address(struct rows *rows, LLVMValueRef address) {
  bool accessed = is_accessed(address, 0);
  count_in(rows, address, BASE, accessed);
  count_in(rows, address, INDEX, accessed);
}

static LLVMValueRef hide_index(struct rows *rows, LLVMValueRef index) {
  return LLVMBuildSDiv(rows->builder, index, LLVMConstInt(LLVMTypeOf(index), 1, false), "");
}

static LLVMValueRef hide_base(struct rows *rows, LLVMValueRef base) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(rows->module);
  LLVMTypeRef pointer = LLVMTypeOf(base);
  LLVMTypeRef mask = LLVMIntPtrTypeForASInContext(LLVMGetTypeContext(pointer), layout,
                                                  LLVMGetPointerAddressSpace(pointer));
  LLVMTypeRef types[] = {pointer, mask};
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(rows->module, rows->ptrmask, types, 2);
  LLVMValueRef arguments[] = {base, LLVMConstAllOnes(mask)};
  return LLVMBuildCall2(rows->builder, LLVMGlobalGetValueType(function), function, arguments, 2,
                        "");
}

static bool hide_in(struct rows *rows, LLVMValueRef address, enum part part) {
  LLVMValueRef operand = LLVMGetOperand(address, part);
  struct row *row = map_get(&rows->of[part], operand);
  if (!row || row->length < SHORTEST_ROW || !row->fails || !row->used++)
    return false;
  LLVMPositionBuilderBefore(rows->builder, address);
  LLVMSetOperand(address, part,
                 part == BASE ? hide_base(rows, operand) : hide_index(rows, operand));
  return true;
}

/* One part stays, for the proof to fail at. */
static void hide_address(struct rows *rows, LLVMValueRef address) {
  if (!hide_in(rows, address, INDEX))
    hide_in(rows, address, BASE);
}

static void visit_addresses(LLVMValueRef function, struct rows *rows,
                            void (*visit)(struct rows *rows, LLVMValueRef address)) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (is_candidate(i))
        visit(rows, i);
}

void separate_addresses(LLVMModuleRef module, LLVMContextRef context) {
  static const char ptrmask[] = "llvm.ptrmask";
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  unsigned intrinsic = LLVMLookupIntrinsicID(ptrmask, sizeof ptrmask - 1);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    struct rows rows = {.builder = builder, .module = module, .ptrmask = intrinsic};
    visit_addresses(f, &rows, count_address);
    visit_addresses(f, &rows, hide_address);
    map_free(&rows.of[BASE]);
    map_free(&rows.of[INDEX]);
    arena_destroy(&rows.arena);
  }
  LLVMDisposeBuilder(builder);
}
