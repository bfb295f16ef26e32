/* SPDX-License-Identifier: MIT */
/* The op table, filled from the .def files, and its index by interned name. */
#include "ir/ops.h"

#include <string.h>
#include "ir/mlir.h"

const struct op_info op_table[OP_KIND_COUNT] = {
#define ROW(id, of, text, effect, property_set, ...)                                               \
  [OP_##id] = {.kind = OP_##id,                                                                    \
               .dialect = DIALECT_##of,                                                            \
               .effects = EFFECTS_##effect,                                                        \
               .properties = (enum op_property)(property_set),                                     \
               .name = text,                                                                       \
               __VA_ARGS__},
#define X(id, text, effect, property_set, sum, desc)                                               \
  ROW(id, TILE, text, effect, property_set, .summary = sum, .description = desc)
#include "../dialects/tile/ops.def"
#undef X
#define X(id, text, effect, property_set, sum, desc)                                               \
  ROW(id, TILE_GPU, text, effect, property_set, .summary = sum, .description = desc)
#include "../dialects/tile_gpu/ops.def"
#undef X
#define X(id, text, effect, property_set, sum, assembly, operand_constraints, function)            \
  ROW(id, TILE_PTX, text, effect, property_set, .summary = sum, .ptx = assembly,                   \
      .constraints = operand_constraints, .emulator = function)
#include "../dialects/tile_ptx/ops.def"
#undef X
#define X(id, text, effect, property_set) ROW(id, UPSTREAM, text, effect, property_set, )
#include "ir/upstream_ops.def"
#undef X
#define X(id, text, of, effect, property_set) ROW(id, of, text, effect, property_set, )
#include "ir/lowered_ops.def"
#undef X
#undef ROW
};

/* Operations without a row, by the beginning of their name; the first that fits. */
static const struct {
  const char *prefix;
  struct op_info info;
} dialects[] = {
    {"arith.",
     {.dialect = DIALECT_UPSTREAM,
      .effects = EFFECTS_PURE,
      .properties = (enum op_property)(IS_ELEMENTWISE | IS_CHEAP)}},
    {"math.", {.dialect = DIALECT_UPSTREAM, .effects = EFFECTS_PURE, .properties = IS_ELEMENTWISE}},
    {"llvm.intr.", {.dialect = DIALECT_INTRINSIC}},
    {"llvm.", {.dialect = DIALECT_LLVM, .effects = EFFECTS_PURE}},
    {"nvvm.", {.dialect = DIALECT_NVVM}},
    {"", {.dialect = DIALECT_UPSTREAM}},
};

void op_names_create(struct op_names *names, MlirContext context) {
  *names = (struct op_names){.pure_asm = op_table[OP_TILE_INLINE_ASM]};
  names->pure_asm.effects = EFFECTS_PURE;
  for (int kind = 1; kind < OP_KIND_COUNT; kind++) {
    MlirIdentifier identifier = mlirIdentifierGet(context, ref(op_table[kind].name));
    map_set(&names->by_identifier, identifier.ptr, (void *)&op_table[kind]);
  }
}

void op_names_destroy(struct op_names *names) {
  map_free(&names->by_identifier);
}

bool kind_in(enum op_kind kind, const enum op_kind *kinds, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (kinds[i] == kind)
      return true;
  return false;
}

static const struct op_info *info_of_dialect(MlirStringRef name) {
  size_t i = 0;
  while (!slice_begins((struct slice){name.data, name.length}, dialects[i].prefix))
    i++;
  return &dialects[i].info;
}

static bool is_pure_asm(MlirOperation op) {
  MlirAttribute pure = mlirOperationGetAttributeByName(op, ref("pure"));
  return !mlirAttributeIsNull(pure) && mlirAttributeIsABool(pure) && mlirBoolAttrGetValue(pure);
}

const struct op_info *op_info(struct op_names *names, MlirOperation op) {
  MlirIdentifier identifier = mlirOperationGetName(op);
  const struct op_info *info = map_get(&names->by_identifier, identifier.ptr);
  if (!info) {
    info = info_of_dialect(mlirIdentifierStr(identifier));
    map_set(&names->by_identifier, identifier.ptr, (void *)info);
  }
  return info->kind == OP_TILE_INLINE_ASM && is_pure_asm(op) ? &names->pure_asm : info;
}
