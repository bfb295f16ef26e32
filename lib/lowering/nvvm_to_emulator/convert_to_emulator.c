/* SPDX-License-Identifier: MIT */
/* convert-to-emulator: the program of one thread, in the form that the emulator runs.

   Needs: llvm.func kernels of llvm, nvvm and tile_ptx operations. Leaves: host functions `void
   NAME(ptr thread, ptr arguments)` in which special registers are calls, every access of global
   memory goes through tile_emu_global (which checks it and returns the address to use), and
   instructions with an emulator function call that.

     llvm.load %p : !llvm.ptr<1> -> f32
       ->  %q = llvm.call @tile_emu_global(%thread, %p, 4, 4, 0, 1, @"k.mlir:7:8")
           llvm.load %q : !llvm.ptr<1> -> f32 */
#include <stdio.h>
#include <string.h>
#include "ir/build.h"
#include "ir/passes.h"
#include "lowering/nvvm_to_emulator/convert_to_emulator.h"

static MlirNamedAttribute named(struct conversion *c, const char *name, MlirAttribute value) {
  return attribute_named(c->session->context, name, value);
}

/* --- Symbols: location strings and external functions ----------------------------------------- */

/* The name of a global string with the operation's place, with a terminating zero. */
static MlirAttribute location_symbol(struct conversion *c, MlirLocation location) {
  MlirContext context = c->session->context;
  struct text text = {0};
  location_print(location, &text);
  text_append(&text, "", 1);
  MlirAttribute string = mlirStringAttrGet(context, mlirStringRefCreate(text.data, text.length));
  MlirAttribute symbol = {map_get(&c->locations, string.ptr)};
  if (mlirAttributeIsNull(symbol)) {
    char name[32];
    snprintf(name, sizeof name, "tile_location_%d", c->next_location++);
    struct builder b = builder_at_top(c->module, mlirLocationUnknownGet(context));
    symbol = build_string_global(&b, name, string, text.length);
    map_set(&c->locations, string.ptr, (void *)symbol.ptr);
  }
  text_free(&text);
  return symbol;
}

MlirValue conversion_location(struct conversion *c, struct builder *b) {
  return build_address_of(b, location_symbol(c, b->location), SPACE_GENERIC);
}

MlirOperation conversion_call(struct conversion *c, struct builder *b, const char *name,
                              intptr_t count, const MlirValue *in, MlirType result) {
  MlirIdentifier key = mlirIdentifierGet(c->session->context, ref(name));
  if (!map_get(&c->declared, key.ptr)) {
    struct builder top = builder_at_top(c->module, mlirLocationUnknownGet(c->session->context));
    declare_llvm_function(&top, name, count, in, result);
    map_set(&c->declared, key.ptr, c);
  }
  return build_llvm_call(b, name, count, in, result);
}

/* --- Accesses --------------------------------------------------------------------------------- */

static unsigned value_bytes(struct conversion *c, MlirType type) {
  if (mlirTypeIsAVector(type))
    return (unsigned)mlirShapedTypeGetDimSize(type, 0) *
           value_bytes(c, mlirShapedTypeGetElementType(type));
  unsigned bytes = type_bytes(&c->session->types, type);
  return bytes ? bytes : 8; /* an LLVM pointer */
}

static bool is_shared_pointer(MlirValue value) {
  return is_llvm_pointer(mlirValueGetType(value), SPACE_SHARED);
}

/* Of global or shared memory: what is checked. */
static bool is_device_pointer(MlirValue value) {
  return is_llvm_pointer(mlirValueGetType(value), SPACE_GLOBAL) || is_shared_pointer(value);
}

/* As tile_emu_global takes it; of shared memory a load is a load. */
enum use { USE_LOAD, USE_STORE, USE_VOLATILE_LOAD };

/* The address to use for an access, checked. A null predicate means always. */
static MlirValue checked(struct conversion *c, struct builder *b, MlirValue address,
                         MlirValue predicate, unsigned bytes, unsigned alignment, enum use use) {
  MlirValue always = mlirValueIsNull(predicate) ? build_llvm_integer(b, 32, 1)
                                                : BUILD(b, "llvm.zext", IN(predicate), OUT(c->i32));
  MlirValue generic = BUILD(b, "llvm.addrspacecast", IN(address), OUT(c->pointer));
  bool is_shared = is_shared_pointer(address);
  MlirValue in[] = {
      c->thread,
      generic,
      build_llvm_integer(b, 32, bytes),
      build_llvm_integer(b, 32, alignment),
      build_llvm_integer(b, 32, is_shared && use == USE_VOLATILE_LOAD ? USE_LOAD : use),
      always,
      conversion_location(c, b)};
  const char *check = is_shared ? "tile_emu_shared_access" : "tile_emu_global";
  return op_result(conversion_call(c, b, check, 7, in, c->pointer), 0);
}

static MlirLogicalResult convert_plain_load(struct conversion *c, MlirOperation op) {
  if (!is_device_pointer(op_operand(op, 0)))
    return SUCCESS;
  struct builder b = builder_before(op);
  unsigned bytes = value_bytes(c, op_result_type(op, 0));
  unsigned alignment = (unsigned)op_integer(op, "alignment", 1);
  enum use use = op_has_attribute(op, "volatile_") ? USE_VOLATILE_LOAD : USE_LOAD;
  MlirValue address = checked(c, &b, op_operand(op, 0), (MlirValue){0}, bytes, alignment, use);
  MlirValue value = BUILD(&b, "llvm.load", IN(address), OUT(op_result_type(op, 0)),
                          ATTRIBUTES(llvm_alignment(b.context, 1)));
  return replace_op(op, &value);
}

static MlirLogicalResult convert_plain_store(struct conversion *c, MlirOperation op) {
  if (!is_device_pointer(op_operand(op, 1)))
    return SUCCESS;
  struct builder b = builder_before(op);
  MlirValue value = op_operand(op, 0);
  unsigned bytes = value_bytes(c, mlirValueGetType(value));
  unsigned alignment = (unsigned)op_integer(op, "alignment", 1);
  MlirValue address =
      checked(c, &b, op_operand(op, 1), (MlirValue){0}, bytes, alignment, USE_STORE);
  BUILD_OP(&b, "llvm.store", IN(value, address), ATTRIBUTES(llvm_alignment(b.context, 1)));
  return replace_op(op, NULL);
}

/* Where the predicate is false the scratch area's poison stands, or `other`. */
static MlirLogicalResult convert_load(struct conversion *c, MlirOperation op) {
  struct builder b = builder_before(op);
  MlirType type = op_result_type(op, 0);
  unsigned bytes = value_bytes(c, type);
  MlirValue predicate = op_operand(op, 1);
  enum use use = op_has_attribute(op, "volatile") ? USE_VOLATILE_LOAD : USE_LOAD;
  MlirValue address = checked(c, &b, op_operand(op, 0), predicate, bytes, bytes, use);
  MlirValue value =
      BUILD(&b, "llvm.load", IN(address), OUT(type), ATTRIBUTES(llvm_alignment(b.context, 1)));
  if (mlirOperationGetNumOperands(op) == 3)
    value = BUILD(&b, "llvm.select", IN(predicate, value, op_operand(op, 2)), OUT(type));
  return replace_op(op, &value);
}

static MlirLogicalResult convert_store(struct conversion *c, MlirOperation op) {
  struct builder b = builder_before(op);
  MlirValue value = op_operand(op, 1);
  unsigned bytes = value_bytes(c, mlirValueGetType(value));
  MlirValue address = checked(c, &b, op_operand(op, 0), op_operand(op, 2), bytes, bytes, USE_STORE);
  BUILD_OP(&b, "llvm.store", IN(value, address), ATTRIBUTES(llvm_alignment(b.context, 1)));
  return replace_op(op, NULL);
}

/* --- Barriers --------------------------------------------------------------------------------- */

static MlirLogicalResult convert_barrier(struct conversion *c, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count == 2)
    return convert_call_text(c, op, "tile_emu_named_barrier(thread, $0, $1, place)");
  if (count != 0)
    return fail_op(op,
                   "the emulator knows barrier 0 of the whole block, and barriers with a number "
                   "of threads");
  return convert_call_text(c, op, "tile_emu_barrier(thread, place)");
}

/* All lanes of the warp: the mask is a constant of ones. */
static MlirLogicalResult convert_warp_barrier(struct conversion *c, MlirOperation op) {
  MlirOperation mask = value_definition(op_operand(op, 0));
  if (mlirOperationIsNull(mask) || (int32_t)op_integer(mask, "value", 0) != -1)
    return fail_op(op,
                   "the emulator knows barriers of whole warps only; the mask is the constant -1");
  return convert_call_text(c, op, "tile_emu_warp_barrier(thread, place)");
}

/* --- Between lanes ---------------------------------------------------------------------------- */

/* The index of the attribute "#nvvm<NAME KIND>" in a list that ends in NULL; -1 if it is not there.
 */
static int kind_index(MlirOperation op, const char *const *kinds) {
  struct text text = {0};
  mlirAttributePrint(mlirOperationGetAttributeByName(op, ref("kind")), print_to_text, &text);
  const char *printed = text_string(&text), *space = strrchr(printed, ' ');
  size_t length = space ? strcspn(space + 1, ">") : 0;
  int found = -1;
  for (int i = 0; space && kinds[i] && found < 0; i++)
    if (strlen(kinds[i]) == length && strncmp(kinds[i], space + 1, length) == 0)
      found = i;
  text_free(&text);
  return found;
}

static MlirLogicalResult convert_shuffle(struct conversion *c, MlirOperation op) {
  static const char *const kinds[] = {"idx", "bfly", "up", "down", NULL};
  int kind = kind_index(op, kinds);
  if (kind < 0 || !mlirTypeEqual(op_result_type(op, 0), c->i32))
    return fail_op(op, "the emulator shuffles i32 values, idx, bfly, up and down");
  char call[64];
  snprintf(call, sizeof call, "tile_emu_shuffle(thread, $0, %d, $1, $2, $3, place)", kind);
  return convert_call_text(c, op, call);
}

static MlirLogicalResult convert_redux(struct conversion *c, MlirOperation op) {
  static const char *const kinds[] = {"add", "and",  "or",   "xor", "min",
                                      "max", "umin", "umax", NULL};
  int kind = kind_index(op, kinds);
  if (kind < 0 || !mlirTypeEqual(op_result_type(op, 0), c->i32))
    return fail_op(op, "the emulator reduces i32 values");
  char call[64];
  snprintf(call, sizeof call, "tile_emu_redux(thread, $1, %d, $0, place)", kind);
  return convert_call_text(c, op, call);
}

/* Whether one lane's predicate holds, or all lanes' do: a reduction of 0 and 1. */
static MlirLogicalResult convert_vote(struct conversion *c, MlirOperation op) {
  static const char *const kinds[] = {"any", "all", NULL};
  int kind = kind_index(op, kinds);
  if (kind < 0)
    return fail_op(op, "the emulator votes any and all");
  struct builder b = builder_before(op);
  MlirValue vote = BUILD(&b, "llvm.zext", IN(op_operand(op, 1)), OUT(c->i32));
  MlirValue combiner = build_llvm_integer(&b, 32, kind == 0 ? 2 : 1); /* or, and */
  MlirValue in[] = {c->thread, op_operand(op, 0), combiner, vote, conversion_location(c, &b)};
  MlirOperation call = conversion_call(c, &b, "tile_emu_redux", 5, in, c->i32);
  MlirValue result = BUILD(&b, "llvm.trunc", IN(op_result(call, 0)), OUT(op_result_type(op, 0)));
  return replace_op(op, &result);
}

/* The only address that kernels take is that of shared memory; others are those of strings. */
static MlirLogicalResult convert_shared(struct conversion *c, MlirOperation op) {
  if (!is_shared_pointer(op_result(op, 0)))
    return SUCCESS;
  struct builder b = builder_before(op);
  MlirOperation shared = conversion_call(c, &b, "tile_emu_shared", 1, &c->thread, c->pointer);
  MlirValue value =
      BUILD(&b, "llvm.addrspacecast", IN(op_result(shared, 0)), OUT(op_result_type(op, 0)));
  return replace_op(op, &value);
}

/* LLVM's fma on bf16 goes through an f32 fma, which rounds twice; the device's rounds once. */
static MlirLogicalResult convert_fma(struct conversion *c, MlirOperation op) {
  if (!mlirTypeIsABF16(op_result_type(op, 0)))
    return SUCCESS;
  return convert_call_text(c, op, "tile_emu_fma_bf16");
}

/* The host takes either zero as the larger one, the device +0. maximum and minimum know zeros, but
   give NaN where one operand is NaN and maxnum and minnum the other. */
static MlirLogicalResult convert_number_extreme(struct conversion *c, MlirOperation op) {
  bool greatest = kind_of(c->session, op) == OP_LLVM_MAXNUM;
  enum { UNORDERED = 14 };
  MlirContext context = c->session->context;
  MlirType type = op_result_type(op, 0);
  struct builder b = builder_before(op);
  MlirValue in[] = {op_operand(op, 0), op_operand(op, 1)};
  MlirValue value =
      BUILD(&b, greatest ? "llvm.intr.maximum" : "llvm.intr.minimum", IN(in[0], in[1]), OUT(type));
  for (int i = 0; i < 2; i++) {
    MlirValue is_nan =
        BUILD(&b, "llvm.fcmp", IN(in[i], in[i]), OUT(integer_type(&b, 1)),
              ATTRIBUTES(named(c, "predicate", attribute_integer(context, 64, UNORDERED))));
    value = BUILD(&b, "llvm.select", IN(is_nan, in[1 - i], value), OUT(type));
  }
  return replace_op(op, &value);
}

static MlirValue compare(struct conversion *c, struct builder *b, int64_t predicate, MlirValue x,
                         MlirValue y) {
  MlirAttribute value = attribute_integer(c->session->context, 64, predicate);
  return BUILD(b, "llvm.icmp", IN(x, y), OUT(integer_type(b, 1)),
               ATTRIBUTES(named(c, "predicate", value)));
}

/* Division traps on the host where the device just gives a number: by zero, and of the least
   integer by -1. The divisor becomes 1 there, which is right for the latter (-2^31 / -1 is -2^31,
   remainder 0); a quotient by zero becomes all ones, a remainder the dividend; devices give some
   number. */
static MlirLogicalResult convert_division(struct conversion *c, MlirOperation op) {
  MlirType type = op_result_type(op, 0);
  if (!mlirTypeIsAInteger(type))
    return fail_op(op, "the emulator divides scalars only");
  enum op_kind kind = kind_of(c->session, op);
  bool is_signed = KIND_IN(kind, OP_LLVM_SDIV, OP_LLVM_SREM);
  bool quotient = KIND_IN(kind, OP_LLVM_SDIV, OP_LLVM_UDIV);
  unsigned width = mlirIntegerTypeGetWidth(type);
  struct builder b = builder_before(op);
  MlirValue x = op_operand(op, 0), y = op_operand(op, 1);
  MlirValue zero = build_llvm_integer(&b, width, 0), ones = build_llvm_integer(&b, width, -1);
  MlirValue by_zero = compare(c, &b, 0, y, zero), traps = by_zero;
  if (is_signed) {
    MlirValue least = build_llvm_integer(&b, width, width == 1 ? -1 : INT64_MIN >> (64 - width));
    MlirValue overflow =
        BUILD(&b, "llvm.and", IN(compare(c, &b, 0, x, least), compare(c, &b, 0, y, ones)),
              OUT(integer_type(&b, 1)));
    traps = BUILD(&b, "llvm.or", IN(by_zero, overflow), OUT(integer_type(&b, 1)));
  }
  MlirValue one = build_llvm_integer(&b, width, 1);
  mlirOperationSetOperand(op, 1, BUILD(&b, "llvm.select", IN(traps, one, y), OUT(type)));
  MlirValue result = op_result(op, 0);
  struct builder after = b;
  after.before = mlirOperationGetNextInBlock(op);
  MlirOperation choice =
      BUILD_OP(&after, "llvm.select", IN(by_zero, quotient ? ones : x, result), OUT(type));
  mlirValueReplaceAllUsesExcept(result, op_result(choice, 0), 1, &choice);
  return SUCCESS;
}

/* --- What a kernel says ----------------------------------------------------------------------- */

static bool calls(MlirOperation op, const char *callee) {
  MlirAttribute symbol = mlirOperationGetAttributeByName(op, ref("callee"));
  return !mlirAttributeIsNull(symbol) && mlirAttributeIsAFlatSymbolRef(symbol) &&
         ref_equals(mlirFlatSymbolRefAttrGetValue(symbol), callee);
}

/* The thread first, the location last where the function reports it. */
static MlirLogicalResult convert_call(struct conversion *c, MlirOperation op) {
  bool prints = calls(op, "vprintf");
  if (!prints && !calls(op, "__assertfail"))
    return SUCCESS;
  struct builder b = builder_before(op);
  MlirValue in[MAX_CALL_OPERANDS] = {c->thread};
  intptr_t count = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && count + 1 < MAX_CALL_OPERANDS; i++)
    in[count++] = op_operand(op, i);
  MlirType type = prints ? c->i32 : (MlirType){0};
  if (!prints)
    in[count++] = conversion_location(c, &b);
  MlirOperation new_op =
      conversion_call(c, &b, prints ? "tile_emu_vprintf" : "tile_emu_assertfail", count, in, type);
  MlirValue value = prints ? op_result(new_op, 0) : (MlirValue){0};
  return replace_op(op, &value);
}

/* Launches do not overlap here, and a thread has the registers that it needs. */
static MlirLogicalResult convert_to_nothing(struct conversion *c, MlirOperation op) {
  (void)c;
  return replace_op(op, NULL);
}

/* The box's first element from the innermost dimension on; zeros for dimensions that are not there.
 */
static void add_coordinates(struct builder *b, MlirOperation op, intptr_t first, MlirValue *in,
                            intptr_t *count) {
  enum { RANK = 5 };
  intptr_t total = mlirOperationGetNumOperands(op);
  in[(*count)++] = build_llvm_integer(b, 32, total - first);
  for (intptr_t i = first; i < first + RANK; i++)
    in[(*count)++] = i < total ? op_operand(op, i) : build_llvm_integer(b, 32, 0);
}

static MlirLogicalResult convert_tensor_copy(struct conversion *c, MlirOperation op) {
  enum { FIXED = 4 };
  struct builder b = builder_before(op);
  MlirValue in[MAX_CALL_OPERANDS] = {c->thread};
  in[1] = BUILD(&b, "llvm.addrspacecast", IN(op_operand(op, 0)), OUT(c->pointer));
  in[2] = op_operand(op, 1);
  in[3] = BUILD(&b, "llvm.addrspacecast", IN(op_operand(op, 2)), OUT(c->pointer));
  in[4] = BUILD(&b, "llvm.zext", IN(op_operand(op, 3)), OUT(c->i32));
  intptr_t count = 5;
  bool multicast = op_has_attribute(op, "blocks");
  if (multicast)
    in[count++] = build_llvm_integer(&b, 32, op_integer(op, "blocks", 0));
  add_coordinates(&b, op, FIXED, in, &count);
  in[count++] = conversion_location(c, &b);
  conversion_call(c, &b, multicast ? "tile_emu_tensor_multicast" : "tile_emu_tensor_copy", count,
                  in, (MlirType){0});
  return replace_op(op, NULL);
}

static MlirLogicalResult convert_tensor_store(struct conversion *c, MlirOperation op) {
  enum { FIXED = 3 };
  struct builder b = builder_before(op);
  MlirValue in[MAX_CALL_OPERANDS] = {c->thread, op_operand(op, 0)};
  in[2] = BUILD(&b, "llvm.addrspacecast", IN(op_operand(op, 1)), OUT(c->pointer));
  in[3] = BUILD(&b, "llvm.zext", IN(op_operand(op, 2)), OUT(c->i32));
  intptr_t count = 4;
  add_coordinates(&b, op, FIXED, in, &count);
  in[count++] = conversion_location(c, &b);
  bool adds = op_has_attribute(op, "kind");
  conversion_call(c, &b, adds ? "tile_emu_tensor_add" : "tile_emu_tensor_store", count, in,
                  (MlirType){0});
  return replace_op(op, NULL);
}

/* Special registers, as the calls that they become. */
static const char *const special[OP_KIND_COUNT] = {
    [OP_NVVM_TID_X] = "tile_emu_thread_index(thread)",
    [OP_NVVM_CTAID_X] = "tile_emu_block_index(thread, 0)",
    [OP_NVVM_CTAID_Y] = "tile_emu_block_index(thread, 1)",
    [OP_NVVM_CTAID_Z] = "tile_emu_block_index(thread, 2)",
    [OP_NVVM_NCTAID_X] = "tile_emu_block_count(thread, 0)",
    [OP_NVVM_NCTAID_Y] = "tile_emu_block_count(thread, 1)",
    [OP_NVVM_NCTAID_Z] = "tile_emu_block_count(thread, 2)",
};

/* Other operations: tile_ptx has functions named in ops.def, llvm stays as it is. */
static MlirLogicalResult convert_operation(MlirOperation op, void *data) {
  static MlirLogicalResult (*const rules[OP_KIND_COUNT])(struct conversion * c,
                                                         MlirOperation op) = {
      [OP_TILE_PTX_LOAD] = convert_load,
      [OP_TILE_PTX_STORE] = convert_store,
      [OP_TILE_PTX_ATOMIC_RMW] = convert_atomic,
      [OP_TILE_PTX_ATOMIC_CAS] = convert_atomic,
      [OP_TILE_PTX_MMA] = convert_mma,
      [OP_TILE_PTX_LDMATRIX] = convert_matrix_access,
      [OP_TILE_PTX_STMATRIX] = convert_matrix_access,
      [OP_TILE_PTX_WGMMA] = convert_wgmma,
      [OP_TILE_PTX_WGMMA_WAIT] = convert_wgmma_wait,
      [OP_TILE_PTX_CP_ASYNC_BULK_TENSOR] = convert_tensor_copy,
      [OP_TILE_PTX_CP_ASYNC_BULK_TENSOR_STORE] = convert_tensor_store,
      [OP_LLVM_LOAD] = convert_plain_load,
      [OP_LLVM_STORE] = convert_plain_store,
      [OP_LLVM_FENCE] = convert_fence,
      [OP_LLVM_FMA] = convert_fma,
      [OP_LLVM_MAXNUM] = convert_number_extreme,
      [OP_LLVM_MINNUM] = convert_number_extreme,
      [OP_LLVM_SDIV] = convert_division,
      [OP_LLVM_UDIV] = convert_division,
      [OP_LLVM_SREM] = convert_division,
      [OP_LLVM_UREM] = convert_division,
      [OP_LLVM_ADDRESSOF] = convert_shared,
      [OP_LLVM_INLINE_ASM] = convert_assembly,
      [OP_LLVM_CALL] = convert_call,
      [OP_NVVM_GRID_CONTROL] = convert_to_nothing,
      [OP_NVVM_SET_REGISTERS] = convert_to_nothing,
      [OP_NVVM_SHUFFLE] = convert_shuffle,
      [OP_NVVM_REDUX] = convert_redux,
      [OP_NVVM_VOTE] = convert_vote,
      [OP_NVVM_BARRIER0] = convert_barrier,
      [OP_NVVM_BARRIER] = convert_barrier,
      [OP_NVVM_WARP_BARRIER] = convert_warp_barrier,
  };
  struct conversion *c = data;
  const struct op_info *info = op_info(&c->session->names, op);
  if (rules[info->kind])
    return rules[info->kind](c, op);
  const char *text = info->dialect == DIALECT_TILE_PTX ? info->emulator : special[info->kind];
  if (text)
    return convert_call_text(c, op, text);
  if (info->dialect == DIALECT_NVVM)
    return fail_op(op, "the emulator has no function for this instruction");
  return SUCCESS;
}

/* --- The entry -------------------------------------------------------------------------------- */

/* Is parameter `index` passed as the bytes that its pointer points to? */
static bool is_by_value(MlirOperation function, intptr_t index) {
  MlirAttribute list = mlirOperationGetAttributeByName(function, ref("arg_attrs"));
  if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list))
    return false;
  MlirAttribute own = mlirArrayAttrGetElement(list, index);
  return !mlirAttributeIsNull(attribute_entry(own, ATTR_BY_VALUE));
}

/* Gives the function its host signature: each argument is loaded from the array of addresses; of
   one that is passed by value the address is the argument. */
static MlirOperation convert_signature(struct conversion *c, MlirOperation old) {
  MlirContext context = c->session->context;
  struct builder b = builder_before(old);
  MlirRegion region = mlirRegionCreate();
  MlirRegion old_region = mlirOperationGetRegion(old, 0);
  mlirRegionTakeBody(region, old_region);
  MlirBlock entry = mlirRegionGetFirstBlock(region);
  intptr_t count = mlirBlockGetNumArguments(entry);
  MlirLocation location = mlirOperationGetLocation(old);
  c->thread = mlirBlockInsertArgument(entry, 0, c->pointer, location);
  MlirValue arguments = mlirBlockInsertArgument(entry, 1, c->pointer, location);
  struct builder top = {.context = context,
                        .block = entry,
                        .before = mlirBlockGetFirstOperation(entry),
                        .location = location};
  for (intptr_t i = 0; i < count; i++) {
    MlirValue old_argument = mlirBlockGetArgument(entry, 2);
    MlirType type = mlirValueGetType(old_argument);
    MlirValue slot = build_gep(&top, c->pointer, arguments, (MlirValue){0}, i);
    MlirValue address = BUILD(&top, "llvm.load", IN(slot), OUT(c->pointer));
    MlirValue value =
        is_by_value(old, i) ? address : BUILD(&top, "llvm.load", IN(address), OUT(type));
    mlirValueReplaceAllUsesOfWith(old_argument, value);
    mlirBlockEraseArgument(entry, 2);
  }
  MlirType types[] = {c->pointer, c->pointer};
  MlirType type = mlirLLVMFunctionTypeGet(mlirLLVMVoidTypeGet(context), 2, types, false);
  MlirOperation function =
      build_llvm_function(&b, mlirOperationGetAttributeByName(old, ref("sym_name")), type, region);
  attribute_set_integer(function, ATTR_KERNEL_ARGUMENTS, count);
  static const enum attribute_name kept[] = {
      ATTR_SHARED_BYTES, ATTR_PROGRAMS_PER_BLOCK, ATTR_LOW_OCCUPANCY_OF, ATTR_TENSOR_MAPS_OF,
      ATTR_TENSOR_MAPS,  ATTR_PRODUCER_WARPS,     ATTR_RESIDENT_BLOCKS,  ATTR_CLUSTER_BLOCKS,
      ATTR_PART_BYTES,   ATTR_SPLIT_ROWS,         ATTR_SOURCE_NAME,      ATTR_FEWER_BLOCKS};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    attribute_copy(old, function, kept[i]);
  mlirOperationDestroy(old);
  return function;
}

MlirLogicalResult run_convert_to_emulator(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  struct conversion c = {.session = session, .module = module};
  c.pointer = llvm_pointer(session->context, SPACE_GENERIC);
  c.i32 = mlirIntegerTypeGet(session->context, 32);
  MlirLogicalResult result = SUCCESS;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0)), next;
  for (; !mlirOperationIsNull(op) && !FAILED(result); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (kind_of(session, op) != OP_LLVM_FUNC || !attribute_has(op, ATTR_NVVM_KERNEL))
      continue;
    c.function = convert_signature(&c, op);
    c.registers = (MlirValue){0};
    result = visit_operations(c.function, convert_operation, &c);
    if (!FAILED(result))
      convert_turns(&c);
  }
  map_free(&c.locations);
  map_free(&c.declared);
  return result;
}
