/* SPDX-License-Identifier: MIT */
/* tile-ptx-to-asm: atomic operations (PTX ISA, atom).

     tile_ptx.atomic_rmw %p, %c, %v {kind = "add", sem = "acq_rel", scope = "gpu"} : (ptr<1>, i1,
   f32)
       ->  "@$2 atom.global.gpu.acq_rel.add.f32 $0, [$1], $3;"

   Several floats travel as words, two of 16 bits in each: "add.noftz.v4.f16x2". What is not used of
   the old value, ptxas does not fetch.

   Adding bf16 is one instruction where the target has it; elsewhere, and for max and min of f16 and
   bf16, there is a loop of compare-and-swap. */
#include "ir/module_target.h"
#include "lowering/ptx/ptx_to_asm.h"

#include <string.h>

/* How a value travels: in a register class, as a type of the assembly's operands. */
struct carrier {
  const char *suffix; /* of the instruction, for arithmetic: "f32"; NULL for bits */
  unsigned bits, words;
  char constraint;
  MlirType type, all; /* of a word, and of all of them: a vector of several */
};

static struct carrier carrier_of(struct session *session, struct builder *b, MlirType type,
                                 bool arithmetic) {
  bool vector = mlirTypeIsAVector(type);
  unsigned count = vector ? (unsigned)mlirShapedTypeGetDimSize(type, 0) : 1;
  MlirType element = vector ? mlirShapedTypeGetElementType(type) : type;
  bool pair = vector && !mlirTypeIsAF32(element);
  struct carrier carrier = {.bits = type_bits(&session->types, element) * (pair ? 2 : 1),
                            .words = pair ? count / 2 : count};
  if (arithmetic && mlirTypeIsAF32(element))
    return (struct carrier){"f32", 32, count, 'f', element, type};
  if (arithmetic && mlirTypeIsAF64(type))
    return (struct carrier){"f64", 64, 1, 'd', type, type};
  if (arithmetic && mlirTypeIsAF16(element))
    carrier.suffix = pair ? "noftz.f16x2" : "noftz.f16";
  if (arithmetic && mlirTypeIsABF16(element))
    carrier.suffix = pair ? "noftz.bf16x2" : "noftz.bf16";
  carrier.constraint = carrier.bits == 16 ? 'h' : carrier.bits == 32 ? 'r' : 'l';
  carrier.type = carrier.all = integer_type(b, carrier.bits);
  if (carrier.words > 1)
    carrier.all = mlirVectorTypeGet(1, (int64_t[]){carrier.words}, carrier.type);
  return carrier;
}

/* "add.u32", "max.s64", "exch.b32", "add.noftz.f16x2", "add.noftz.v4.f16x2", "add.v4.f32" */
static void print_instruction(MlirStringRef kind, const struct carrier *carrier, struct text *out) {
  static const struct {
    const char *kind, *instruction, *type;
  } rows[] = {{"add", "add", "u"},  {"max", "max", "s"},  {"min", "min", "s"},
              {"umax", "max", "u"}, {"umin", "min", "u"}, {"and", "and", "b"},
              {"or", "or", "b"},    {"xor", "xor", "b"},  {"xchg", "exch", "b"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!ref_equals(kind, rows[i].kind))
      continue;
    text_printf(out, "%s.", rows[i].instruction);
    const char *suffix = carrier->suffix;
    if (carrier->words > 1) { /* ".noftz" comes before the count */
      const char *type = strrchr(suffix, '.');
      size_t length = type ? (size_t)(type + 1 - suffix) : 0;
      text_printf(out, "%.*sv%u.", (int)length, suffix, carrier->words);
      suffix += length;
    }
    if (suffix)
      text_puts(out, suffix);
    else
      text_printf(out, "%s%u", rows[i].type, carrier->bits);
  }
}

/* ptxas takes the modifiers of atom in any order; here they stand in the one that Triton writes,
   which is that of `order`: s semantics, o scope, g space. "sog" is "atom.relaxed.gpu.global". */
static void print_order(MlirOperation op, const char *order, struct text *out) {
  MlirStringRef sem = op_string(op, "sem"), scope = op_string(op, "scope");
  bool shared = is_llvm_pointer(op_operand_type(op, 0), SPACE_SHARED);
  MlirStringRef space = ref(shared ? "shared" : "global");
  text_puts(out, "atom");
  for (; *order; order++) {
    MlirStringRef word = *order == 's' ? sem : *order == 'o' ? scope : space;
    text_printf(out, ".%.*s", (int)word.length, word.data);
  }
}

static void split(struct builder *b, const struct carrier *carrier, MlirValue value,
                  MlirValue *words) {
  words[0] = build_bitcast(b, value, carrier->all);
  for (unsigned i = carrier->words; i-- > 0 && carrier->words > 1;)
    words[i] = BUILD(b, "llvm.extractelement", IN(words[0], build_llvm_integer(b, 32, i)),
                     OUT(carrier->type));
}

static MlirValue join(struct builder *b, const struct carrier *carrier, const MlirValue *words,
                      MlirType type) {
  MlirValue value = words[0];
  if (carrier->words > 1)
    value = BUILD(b, "llvm.mlir.undef", OUT(carrier->all));
  for (unsigned i = 0; i < carrier->words && carrier->words > 1; i++)
    value = BUILD(b, "llvm.insertelement", IN(value, words[i], build_llvm_integer(b, 32, i)),
                  OUT(carrier->all));
  return build_bitcast(b, value, type);
}

/* "$2" or "{$2, $3}" */
static void print_words(const struct carrier *carrier, unsigned first, struct text *out) {
  for (unsigned i = 0; i < carrier->words; i++)
    text_printf(out, "%s$%u", i ? ", " : carrier->words > 1 ? "{" : "", first + i);
  text_puts(out, carrier->words > 1 ? "}" : "");
}

/* new = expected + $2 (bf16, by a product with one), or the larger or smaller of the two; NaN
   loses. */
static void print_half_operation(MlirOperation op, const struct carrier *carrier,
                                 struct text *out) {
  MlirStringRef kind = op_string(op, "kind");
  const char *type = carrier->suffix + strlen("noftz.");
  if (!ref_equals(kind, "add"))
    text_printf(out, "%.*s.%s new, expected, $2;\n", (int)kind.length, kind.data, type);
  else
    text_printf(out, "mov.b%u one, %s;\nfma.rn.%s new, expected, one, $2;\n", carrier->bits,
                carrier->bits == 32 ? "0x3F803F80" : "0x3F80", type);
}

/* $0 old, $1 address, $2 value, $3 predicate. A packed pair is added as such. */
static void print_half_loop(MlirOperation op, const struct carrier *carrier, bool always,
                            struct text *out) {
  MlirStringRef scope = op_string(op, "scope");
  unsigned bits = carrier->bits;
  text_printf(out, "{\n.reg .pred again;\n.reg .b%u expected, new, one;\n", bits);
  if (!always)
    text_puts(out, "@!$3 bra DONE;\n");
  text_printf(out, "ld.relaxed.%.*s.global.b%u $0, [$1];\nRETRY:\nmov.b%u expected, $0;\n",
              (int)scope.length, scope.data, bits, bits);
  print_half_operation(op, carrier, out);
  print_order(op, "sog", out);
  text_printf(out, ".cas.b%u $0, [$1], expected, new;\nsetp.ne.b%u again, $0, expected;\n", bits,
              bits);
  text_puts(out, "@again bra RETRY;\nDONE:\n}");
}

static void print_rmw(MlirOperation op, const struct carrier *carrier, bool always,
                      struct text *out) {
  unsigned words = carrier->words;
  if (!always)
    text_printf(out, "@$%u ", 2 * words + 1);
  print_order(op, "gos", out);
  text_puts(out, ".");
  print_instruction(op_string(op, "kind"), carrier, out);
  text_puts(out, " ");
  print_words(carrier, 0, out);
  text_printf(out, ", [$%u], ", words);
  print_words(carrier, words + 1, out);
  text_puts(out, ";");
}

static void print_cas(MlirOperation op, const struct carrier *carrier, bool always,
                      struct text *out) {
  if (!always)
    text_puts(out, "@$4 ");
  print_order(op, "gso", out);
  text_printf(out, ".cas.b%u $0, [$1], $2, $3;", carrier->bits);
}

/* Max and min of floats of 16 bits, and sums of bf16 where the target has none. */
static bool needs_loop(MlirOperation op, const struct carrier *carrier) {
  if (!carrier->suffix || !strstr(carrier->suffix, "f16"))
    return false;
  bool adds = ref_equals(op_string(op, "kind"), "add");
  return !adds ||
         (strstr(carrier->suffix, "bf16") && !machine_has(machine_of(op), FEATURE_WIDE_ATOMICS));
}

enum { MAX_WORDS = 4 };

MlirLogicalResult atomic_to_asm(struct session *session, MlirOperation op) {
  struct builder b = builder_before(op);
  bool cas = kind_of(session, op) == OP_TILE_PTX_ATOMIC_CAS;
  MlirType type = op_result_type(op, 0);
  MlirStringRef kind = op_string(op, "kind");
  bool half = mlirTypeIsAF16(type) || mlirTypeIsABF16(type);
  bool extremum = half && (ref_equals(kind, "max") || ref_equals(kind, "min"));
  struct carrier carrier = carrier_of(session, &b, type, ref_equals(kind, "add") || extremum);
  bool always = is_true(session, op_operand(op, 1)), loop = needs_loop(op, &carrier);
  if (carrier.words > 1 && !machine_has(machine_of(op), FEATURE_WIDE_ATOMICS))
    return fail_op(op, "several words need %s; the module is for %s",
                   machine_first_with(FEATURE_WIDE_ATOMICS)->name, machine_of(op)->name);
  MlirValue in[MAX_WORDS + 2] = {op_operand(op, 0)}; /* of compare and swap two words */
  intptr_t count = 1;
  for (intptr_t i = 2; i < mlirOperationGetNumOperands(op); i++, count += carrier.words)
    split(&b, &carrier, op_operand(op, i), in + count);
  struct text assembly = {0}, constraints = {0};
  for (unsigned i = 0; i < carrier.words; i++)
    text_printf(&constraints, "=%s%c,", loop ? "&" : "", carrier.constraint);
  text_puts(&constraints, "l");
  for (intptr_t i = 1; i < count; i++)
    text_printf(&constraints, ",%c", carrier.constraint);
  if (!always) {
    text_puts(&constraints, ",b");
    in[count++] = op_operand(op, 1);
  }
  if (loop)
    print_half_loop(op, &carrier, always, &assembly);
  else
    (cas ? print_cas : print_rmw)(op, &carrier, always, &assembly);
  MlirType types[MAX_WORDS] = {carrier.type, carrier.type, carrier.type, carrier.type};
  MlirValue words[MAX_WORDS];
  build_asm_results(&b, &assembly, &constraints, count, in, carrier.words, types, true, words);
  MlirValue old = join(&b, &carrier, words, type);
  return replace_op(op, &old);
}
