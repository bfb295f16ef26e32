/* SPDX-License-Identifier: MIT */
/* See symbol_names.h. */
#include "ir/symbol_names.h"

#include <inttypes.h>
#include <string.h>

static const char prefix[] = "tile$"; /* of every name that was made here */
enum { LONGEST = 1000, KEPT_OF_LONGER = 64 };

/* Names that functions must not have: the code calls or defines them itself, or PTX means something
   else. */
static const char *const taken[] = {"WARP_SZ", "vprintf",     "__assertfail",    "malloc",
                                    "free",    "tile_shared", "tile_two_over_pi"};
static const char *const taken_beginnings[] = {prefix, "llvm.", "tile_emu_"};

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool may_follow(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* '%' would do as well; LLVM does not take it. */
static bool is_identifier(MlirStringRef name) {
  bool begins =
      name.length > 0 && (is_letter(name.data[0]) ||
                          (name.length > 1 && (name.data[0] == '_' || name.data[0] == '$')));
  for (size_t i = 1; i < name.length && begins; i++)
    begins = may_follow(name.data[i]);
  return begins && name.length <= LONGEST;
}

static bool is_taken(MlirStringRef name) {
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (ref_equals(name, taken[i]))
      return true;
  for (size_t i = 0; i < sizeof taken_beginnings / sizeof *taken_beginnings; i++) {
    size_t length = strlen(taken_beginnings[i]);
    if (name.length >= length && memcmp(name.data, taken_beginnings[i], length) == 0)
      return true;
  }
  return false;
}

static void escape(MlirStringRef name, struct text *out) {
  for (size_t i = 0; i < name.length; i++)
    if (may_follow(name.data[i]) && name.data[i] != '$')
      text_append(out, name.data + i, 1);
    else
      text_printf(out, "$%02X", (unsigned char)name.data[i]);
}

/* FNV-1a of 64 bits, from a basis. */
static uint64_t hash(MlirStringRef name, uint64_t basis) {
  for (size_t i = 0; i < name.length; i++)
    basis = (basis ^ (unsigned char)name.data[i]) * 0x100000001B3;
  return basis;
}

/* Appends the name under which a function called `name` is compiled: the same where that does, else
   "tile$" and the name with every other byte as $XX. No two names give one, but for those of more
   than 1000 bytes: the rest of these becomes a hash of 128 bits. A function of the name alone. */
static void symbol_for_code(MlirStringRef name, struct text *out) {
  if (is_identifier(name) && !is_taken(name)) {
    text_append(out, name.data, name.length);
    return;
  }
  text_puts(out, prefix);
  bool fits = name.length <= LONGEST;
  escape((MlirStringRef){name.data, fits ? name.length : KEPT_OF_LONGER}, out);
  if (!fits) /* no escape begins with two */
    text_printf(out, "$$%016" PRIX64 "%016" PRIX64, hash(name, 0xCBF29CE484222325),
                hash(name, 0x9E3779B97F4A7C15));
}

/* --- Modules ---------------------------------------------------------------------------------- */

static bool has_body(MlirOperation op) {
  return mlirOperationGetNumRegions(op) == 1 && !mlirBlockIsNull(op_body(op, 0));
}

/* Whether it is a name of our own choice. What is only declared is defined elsewhere, under the
   name that it has there; a global of a module that is lowered already may be one that the lowering
   made. */
static bool needs_name(struct session *session, MlirOperation op, MlirStringRef name) {
  if (!is_identifier(name))
    return has_body(op) || name.length < 5 || memcmp(name.data, "llvm.", 5) != 0;
  return has_body(op) && !op_is(session, op, OP_LLVM_GLOBAL) && is_taken(name);
}

static bool is_defined(MlirOperation module, MlirStringRef name) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (mlirStringRefEqual(op_string(op, "sym_name"), name))
      return true;
  return false;
}

static MlirLogicalResult rename_symbol(struct session *session, MlirOperation module,
                                       MlirOperation op) {
  MlirAttribute old = mlirOperationGetAttributeByName(op, ref("sym_name"));
  MlirStringRef name = mlirStringAttrGetValue(old);
  struct text symbol = {0};
  symbol_for_code(name, &symbol);
  MlirStringRef made = {text_string(&symbol), symbol.length};
  MlirLogicalResult result = SUCCESS;
  if (is_defined(module, made))
    result =
        fail_op(op,
                "'%.*s' is compiled as '%s', which is the name of something else in the module; "
                "rename one",
                (int)name.length, name.data, made.data);
  else
    result = mlirSymbolTableReplaceAllSymbolUses(name, made, module);
  if (!FAILED(result)) {
    mlirOperationSetAttributeByName(op, ref("sym_name"),
                                    attribute_string(session->context, made.data));
    if (has_body(op) && !op_is(session, op, OP_LLVM_GLOBAL))
      attribute_set(op, ATTR_SOURCE_NAME, old);
  }
  text_free(&symbol);
  return result;
}

MlirLogicalResult symbols_rename_for_code(struct session *session, MlirModule module) {
  MlirOperation top = mlirModuleGetOperation(module);
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute name = mlirOperationGetAttributeByName(op, ref("sym_name"));
    if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
        needs_name(session, op, mlirStringAttrGetValue(name)))
      TRY_IR(rename_symbol(session, top, op));
  }
  return SUCCESS;
}

MlirStringRef symbol_source_name(MlirOperation function) {
  return attribute_has(function, ATTR_SOURCE_NAME) ? attribute_text(function, ATTR_SOURCE_NAME)
                                                   : op_string(function, "sym_name");
}

bool symbol_is_second_version(MlirOperation function) {
  return attribute_has(function, ATTR_TENSOR_MAPS_OF) ||
         attribute_has(function, ATTR_LOW_OCCUPANCY_OF);
}

MlirStringRef symbol_kernel_name(MlirOperation function) {
  if (attribute_has(function, ATTR_SOURCE_NAME) || !symbol_is_second_version(function))
    return symbol_source_name(function);
  bool maps = attribute_has(function, ATTR_TENSOR_MAPS_OF);
  return attribute_text(function, maps ? ATTR_TENSOR_MAPS_OF : ATTR_LOW_OCCUPANCY_OF);
}
