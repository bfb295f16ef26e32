/* SPDX-License-Identifier: MIT */
/* tile-ptx-to-asm: tile_ptx operations become inline assembly, the last step before LLVM IR.

   Needs: tile_ptx operations on LLVM-typed values. Leaves: llvm.inline_asm with side effects for
   what touches memory. MLIR cannot mark assembly convergent; lib/target/translate.c does, on every
   call.

     tile_ptx.load %p, %c, %o : (ptr<1>, i1, vector<4xf32>) -> vector<4xf32>
       ->  "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];" with %o's words tied to $0 .. $3 */
#include <string.h>
#include "ir/build.h"
#include "ir/passes.h"
#include "lowering/ptx/ptx_to_asm.h"

/* How an access of some bytes is cut into PTX registers. */
struct words {
  unsigned bits, count;
  char constraint; /* h, r, l */
};

static struct words words_of(unsigned bits, unsigned element_bits) {
  struct words words = {.bits = bits < 32 ? bits : 32, .count = 1};
  if (bits >= 64 && element_bits == 64)
    words.bits = 64;
  words.count = bits / words.bits;
  words.constraint = words.bits <= 16 ? 'h' : words.bits == 32 ? 'r' : 'l';
  return words;
}

struct access {
  struct session *session;
  struct builder *b;
  MlirType type; /* of the value: a number or a vector */
  struct words words;
  MlirType word_type; /* i16, i32, i64: an 8-bit access travels in a 16-bit register */
  MlirType bits_type; /* integer of the access's width, or a vector of words */
};

static struct access describe(struct session *session, struct builder *b, MlirType type) {
  bool vector = mlirTypeIsAVector(type);
  MlirType element = vector ? mlirShapedTypeGetElementType(type) : type;
  unsigned element_bits = type_bits(&session->types, element);
  unsigned count = vector ? (unsigned)mlirShapedTypeGetDimSize(type, 0) : 1;
  struct access access = {.session = session, .b = b, .type = type};
  access.words = words_of(element_bits * count, element_bits);
  access.word_type = integer_type(b, access.words.bits < 16 ? 16 : access.words.bits);
  access.bits_type = integer_type(b, access.words.bits);
  if (access.words.count > 1)
    access.bits_type = mlirVectorTypeGet(1, (int64_t[]){access.words.count}, access.bits_type);
  return access;
}

/* The words of a value, as the assembly's operands. */
static void split(struct access *a, MlirValue value, MlirValue *words) {
  value = build_bitcast(a->b, value, a->bits_type);
  for (unsigned i = 0; i < a->words.count; i++) {
    words[i] = value;
    if (a->words.count > 1)
      words[i] = BUILD(a->b, "llvm.extractelement", IN(value, build_llvm_integer(a->b, 32, i)),
                       OUT(a->word_type));
    else if (a->words.bits < 16)
      words[i] = BUILD(a->b, "llvm.zext", IN(value), OUT(a->word_type));
  }
}

static MlirValue join(struct access *a, const MlirValue *words) {
  if (a->words.count == 1) {
    MlirValue value = words[0];
    if (a->words.bits < 16)
      value = BUILD(a->b, "llvm.trunc", IN(value), OUT(a->bits_type));
    return build_bitcast(a->b, value, a->type);
  }
  MlirValue value = BUILD(a->b, "llvm.mlir.undef", OUT(a->bits_type));
  for (unsigned i = 0; i < a->words.count; i++)
    value = BUILD(a->b, "llvm.insertelement", IN(value, words[i], build_llvm_integer(a->b, 32, i)),
                  OUT(a->bits_type));
  return build_bitcast(a->b, value, a->type);
}

/* ".global.cg.L1::evict_first", ".volatile.global", or ".shared". */
static void print_hints(MlirOperation op, struct text *out) {
  if (is_llvm_pointer(op_operand_type(op, 0), SPACE_SHARED)) {
    text_puts(out, ".shared");
    return;
  }
  if (op_has_attribute(op, "volatile")) {
    text_puts(out, ".volatile.global");
    return;
  }
  text_puts(out, ".global");
  MlirStringRef cache = op_string(op, "cache"), evict = op_string(op, "evict");
  if (cache.length)
    text_printf(out, ".%.*s", (int)cache.length, cache.data);
  if (evict.length)
    text_printf(out, ".L1::%.*s", (int)evict.length, evict.data);
}

static void print_shape(const struct words *words, struct text *out) {
  if (words->count > 1)
    text_printf(out, ".v%u", words->count);
  text_printf(out, ".b%u ", words->bits);
}

static void print_list(const struct words *words, unsigned first, struct text *out) {
  if (words->count > 1)
    text_puts(out, "{");
  for (unsigned i = 0; i < words->count; i++)
    text_printf(out, "%s$%u", i ? ", " : "", first + i);
  if (words->count > 1)
    text_puts(out, "}");
}

MlirOperation build_asm(struct builder *b, struct text *assembly, struct text *constraints,
                        intptr_t in_count, const MlirValue *in, intptr_t out_count,
                        const MlirType *out, bool side_effects) {
  MlirContext context = b->context;
  MlirNamedAttribute attributes[] = {
      attribute_named(context, "asm_string", attribute_string(context, text_string(assembly))),
      attribute_named(context, "constraints", attribute_string(context, text_string(constraints))),
      attribute_named(context, "has_side_effects", mlirUnitAttrGet(context)),
  };
  text_free(assembly);
  text_free(constraints);
  return BUILD_OP(b, "llvm.inline_asm", INS(in, in_count), OUTS(out, out_count),
                  ATTRIBUTE_LIST(attributes, side_effects ? 3 : 2));
}

char asm_letter(MlirType type) {
  if (mlirTypeIsAF32(type))
    return 'f';
  if (mlirTypeIsAF64(type))
    return 'd';
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32 ? 'r' : 'l';
}

void print_operand(struct text *out, unsigned number) {
  char digits[12];
  size_t first = sizeof digits;
  do
    digits[--first] = (char)('0' + number % 10);
  while (number /= 10);
  digits[--first] = '$';
  text_append(out, digits + first, sizeof digits - first);
}

void build_asm_results(struct builder *b, struct text *assembly, struct text *constraints,
                       intptr_t in_count, const MlirValue *in, intptr_t out_count,
                       const MlirType *out, bool side_effects, MlirValue *results) {
  MlirType type = llvm_struct(b->context, out_count, out);
  MlirOperation call = build_asm(b, assembly, constraints, in_count, in, 1, &type, side_effects);
  results[0] = op_result(call, 0);
  for (int64_t i = 0; out_count > 1 && i < out_count; i++)
    results[i] = BUILD(b, "llvm.extractvalue", IN(op_result(call, 0)), OUT(out[i]),
                       ATTRIBUTES(attribute_named(b->context, "position",
                                                  mlirDenseI64ArrayGet(b->context, 1, &i))));
}

bool is_true(struct session *session, MlirValue predicate) {
  MlirOperation op = value_definition(predicate);
  if (!op_is(session, op, OP_LLVM_CONSTANT) && !op_is(session, op, OP_ARITH_CONSTANT))
    return false;
  MlirAttribute value = mlirOperationGetAttributeByName(op, ref("value"));
  if (mlirAttributeIsABool(value))
    return mlirBoolAttrGetValue(value);
  return mlirAttributeIsAInteger(value) && mlirIntegerAttrGetValueUInt(value) == 1;
}

enum { MAX_WORDS = 4 };

/* Operands: words of `other` (tied to the results) come last, after pointer and predicate. In a
   loop what is loaded perhaps is zero first: ptxas would keep the register's old value for where it
   is not, and so give all iterations one register, which each load had to wait for. */
static MlirLogicalResult load_to_asm(struct session *session, MlirOperation op) {
  struct builder b = builder_before(op);
  struct access a = describe(session, &b, op_result_type(op, 0));
  unsigned n = a.words.count;
  bool always = is_true(session, op_operand(op, 1));
  bool has_other = !always && mlirOperationGetNumOperands(op) == 3;
  bool clears = !always && !has_other && op_has_attribute(op, "in_loop");
  MlirValue in[2 + MAX_WORDS] = {op_operand(op, 0)};
  intptr_t in_count = 1;
  if (!always)
    in[in_count++] = op_operand(op, 1);
  struct text assembly = {0}, constraints = {0};
  for (unsigned i = 0; i < n; i++)
    text_printf(&constraints, "=%s%c,", clears ? "&" : "", a.words.constraint);
  text_puts(&constraints, always ? "l" : "l,b");
  if (has_other) {
    split(&a, op_operand(op, 2), in + in_count);
    in_count += n;
    for (unsigned i = 0; i < n; i++)
      text_printf(&constraints, ",%u", i);
  }
  for (unsigned i = 0; i < n && clears; i++)
    text_printf(&assembly, "mov.b%u $%u, 0; ", a.words.bits < 16 ? 16 : a.words.bits, i);
  if (!always)
    text_printf(&assembly, "@$%u ", n + 1);
  text_puts(&assembly, "ld");
  print_hints(op, &assembly);
  print_shape(&a.words, &assembly);
  print_list(&a.words, 0, &assembly);
  text_printf(&assembly, ", [$%u];", n);
  MlirType types[MAX_WORDS] = {a.word_type, a.word_type, a.word_type, a.word_type};
  MlirValue words[MAX_WORDS];
  build_asm_results(&b, &assembly, &constraints, in_count, in, n, types, true, words);
  MlirValue value = join(&a, words);
  return replace_op(op, &value);
}

static MlirLogicalResult store_to_asm(struct session *session, MlirOperation op) {
  struct builder b = builder_before(op);
  struct access a = describe(session, &b, op_operand_type(op, 1));
  unsigned n = a.words.count;
  bool always = is_true(session, op_operand(op, 2));
  MlirValue in[2 + MAX_WORDS] = {op_operand(op, 0)};
  intptr_t in_count = 1;
  if (!always)
    in[in_count++] = op_operand(op, 2);
  unsigned first = (unsigned)in_count;
  split(&a, op_operand(op, 1), in + in_count);
  in_count += n;
  struct text assembly = {0}, constraints = {0};
  text_puts(&constraints, always ? "l" : "l,b");
  for (unsigned i = 0; i < n; i++)
    text_printf(&constraints, ",%c", a.words.constraint);
  if (!always)
    text_puts(&assembly, "@$1 ");
  text_puts(&assembly, "st");
  print_hints(op, &assembly);
  print_shape(&a.words, &assembly);
  text_puts(&assembly, "[$0], ");
  print_list(&a.words, first, &assembly);
  text_puts(&assembly, ";");
  build_asm(&b, &assembly, &constraints, in_count, in, 0, NULL, true);
  return replace_op(op, NULL);
}

/* A row's text, with numbers in place of #attribute. */
static void print_template(MlirOperation op, const char *template, struct text *out) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
  for (const char *at = template; *at; at++) {
    if (*at != '#') {
      text_append(out, at, 1);
      continue;
    }
    size_t length = strspn(at + 1, letters);
    MlirAttribute value = mlirOperationGetAttributeByName(op, mlirStringRefCreate(at + 1, length));
    text_printf(out, "%lld", (long long)mlirIntegerAttrGetValueInt(value));
    at += length;
  }
}

/* Operations whose row has the whole instruction. */
static MlirLogicalResult template_to_asm(MlirOperation op, const struct op_info *info) {
  enum { MAX_TEMPLATE_OPERANDS = 8 };
  struct builder b = builder_before(op);
  MlirValue in[MAX_TEMPLATE_OPERANDS];
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; i++)
    in[i] = op_operand(op, i);
  intptr_t results = mlirOperationGetNumResults(op);
  MlirType type = results ? op_result_type(op, 0) : (MlirType){0};
  struct text assembly = {0}, constraints = {0};
  print_template(op, info->ptx, &assembly);
  text_puts(&constraints, info->constraints);
  MlirOperation call = build_asm(&b, &assembly, &constraints, count, in, results, &type,
                                 info->effects != EFFECTS_PURE);
  MlirValue value = results ? op_result(call, 0) : (MlirValue){0};
  return replace_op(op, &value);
}

/* What has no row here has its text in ops.def. */
static MlirLogicalResult operation_to_asm(MlirOperation op, void *data) {
  static asm_rule *const rules[OP_KIND_COUNT] = {
      [OP_TILE_PTX_LOAD] = load_to_asm,
      [OP_TILE_PTX_STORE] = store_to_asm,
      [OP_TILE_PTX_ATOMIC_RMW] = atomic_to_asm,
      [OP_TILE_PTX_ATOMIC_CAS] = atomic_to_asm,
      [OP_TILE_PTX_MMA] = mma_to_asm,
      [OP_TILE_PTX_CP_ASYNC] = copy_to_asm,
      [OP_TILE_PTX_CP_ASYNC_BULK_TENSOR] = tensor_copy_to_asm,
      [OP_TILE_PTX_CP_ASYNC_BULK_TENSOR_STORE] = tensor_store_to_asm,
      [OP_TILE_PTX_LDMATRIX] = ldmatrix_to_asm,
      [OP_TILE_PTX_STMATRIX] = stmatrix_to_asm,
      [OP_TILE_PTX_WGMMA] = wgmma_to_asm,
      [OP_TILE_PTX_WGMMA_WAIT] = wgmma_wait_to_asm,
      [OP_TILE_PTX_WGMMA_FENCE] = wgmma_fence_to_asm,
  };
  struct session *session = data;
  const struct op_info *info = op_info(&session->names, op);
  if (rules[info->kind])
    return rules[info->kind](session, op);
  return info->dialect == DIALECT_TILE_PTX ? template_to_asm(op, info) : SUCCESS;
}

MlirLogicalResult run_ptx_to_asm(struct pass_context *context, MlirOperation module) {
  wgmma_groups_to_asm(context->session, module);
  return visit_operations(module, operation_to_asm, context->session);
}
