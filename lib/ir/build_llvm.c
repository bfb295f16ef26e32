/* SPDX-License-Identifier: MIT */
/* See build_llvm.h. */
#include "ir/build_llvm.h"

#include <stdlib.h>
#include "base/arena.h"

MlirType llvm_pointer(MlirContext context, enum address_space space) {
  return mlirLLVMPointerTypeGet(context, (unsigned)space);
}

bool is_llvm_pointer(MlirType type, enum address_space space) {
  return mlirTypeIsALLVMPointerType(type) &&
         mlirLLVMPointerTypeGetAddressSpace(type) == (unsigned)space;
}

MlirType llvm_struct(MlirContext context, intptr_t count, const MlirType *types) {
  return count == 1 ? types[0] : mlirLLVMStructTypeLiteralGet(context, count, types, false);
}

MlirNamedAttribute llvm_alignment(MlirContext context, int64_t bytes) {
  return attribute_named(context, "alignment", attribute_integer(context, 64, bytes));
}

MlirValue build_gep(struct builder *b, MlirType element, MlirValue pointer, MlirValue index,
                    int64_t constant) {
  MlirType type = mlirValueGetType(pointer);
  bool indexed = !mlirValueIsNull(index);
  int32_t indices[] = {indexed ? INT32_MIN : (int32_t)constant}; /* the least: an operand */
  MlirValue in[] = {pointer, index};
  return BUILD(b, "llvm.getelementptr", INS(in, indexed ? 2 : 1), OUT(type),
               ATTRIBUTES(attribute_named(b->context, "elem_type", mlirTypeAttrGet(element)),
                          attribute_named(b->context, "rawConstantIndices",
                                          attribute_dense_i32(b->context, 1, indices))));
}

/* --- Symbols ---------------------------------------------------------------------------------- */

struct builder builder_at_top(MlirOperation module, MlirLocation location) {
  MlirBlock body = op_body(module, 0);
  return (struct builder){.context = mlirOperationGetContext(module),
                          .block = body,
                          .before = mlirBlockGetFirstOperation(body),
                          .location = location};
}

bool module_has_symbol(MlirOperation module, const char *name) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (ref_equals(op_string(op, "sym_name"), name))
      return true;
  return false;
}

static MlirNamedAttribute linkage(MlirContext context, MlirLLVMLinkage kind) {
  return attribute_named(context, "linkage", mlirLLVMLinkageAttrGet(context, kind));
}

MlirAttribute build_global(struct builder *b, const struct llvm_global *global) {
  MlirContext context = b->context;
  bool external = mlirAttributeIsNull(global->value);
  MlirNamedAttribute attributes[7] = {
      attribute_named(context, "sym_name", attribute_string(context, global->name)),
      attribute_named(context, "global_type", mlirTypeAttrGet(global->type)),
      linkage(context, external ? MlirLLVMLinkageExternal : MlirLLVMLinkageInternal),
      attribute_named(context, "addr_space", attribute_integer(context, 32, global->space))};
  intptr_t count = 4;
  if (!external)
    attributes[count++] = attribute_named(context, "value", global->value);
  if (global->constant)
    attributes[count++] = attribute_named(context, "constant", mlirUnitAttrGet(context));
  if (global->alignment)
    attributes[count++] = llvm_alignment(context, global->alignment);
  BUILD_OP(b, "llvm.mlir.global", REGIONS(mlirRegionCreate()), ATTRIBUTE_LIST(attributes, count));
  return mlirFlatSymbolRefAttrGet(context, ref(global->name));
}

MlirValue build_address_of(struct builder *b, MlirAttribute symbol, enum address_space space) {
  return BUILD(b, "llvm.mlir.addressof", OUT(llvm_pointer(b->context, space)),
               ATTRIBUTES(attribute_named(b->context, "global_name", symbol)));
}

MlirAttribute build_string_global(struct builder *b, const char *name, MlirAttribute value,
                                  size_t length) {
  return build_global(
      b, &(struct llvm_global){.name = name,
                               .type = mlirLLVMArrayTypeGet(integer_type(b, 8), (unsigned)length),
                               .value = value,
                               .constant = true});
}

/* --- Functions -------------------------------------------------------------------------------- */

MlirOperation build_llvm_function(struct builder *b, MlirAttribute name, MlirType type,
                                  MlirRegion region) {
  MlirContext context = b->context;
  return BUILD_OP(
      b, "llvm.func", REGIONS(region),
      ATTRIBUTES(attribute_named(context, "sym_name", name),
                 attribute_named(context, "function_type", mlirTypeAttrGet(type)),
                 attribute_named(context, "CConv", mlirLLVMCConvAttrGet(context, MlirLLVMCConvC)),
                 linkage(context, MlirLLVMLinkageExternal)));
}

MlirOperation build_llvm_call(struct builder *b, const char *name, intptr_t count,
                              const MlirValue *in, MlirType result) {
  MlirContext context = b->context;
  int32_t segments[] = {(int32_t)count, 0};
  return BUILD_OP(
      b, "llvm.call", INS(in, count), .out = &result, .out_count = !mlirTypeIsNull(result),
      ATTRIBUTES(
          attribute_named(context, "callee", mlirFlatSymbolRefAttrGet(context, ref(name))),
          attribute_named(context, "operandSegmentSizes",
                          attribute_dense_i32(context, 2, segments)),
          attribute_named(context, "op_bundle_sizes", mlirDenseI32ArrayGet(context, 0, NULL))));
}

void declare_llvm_function(struct builder *b, const char *name, intptr_t count, const MlirValue *in,
                           MlirType result) {
  MlirType *types = tile_allocate(sizeof *types * ((size_t)count + 1));
  for (intptr_t i = 0; i < count; i++)
    types[i] = mlirValueGetType(in[i]);
  if (mlirTypeIsNull(result))
    result = mlirLLVMVoidTypeGet(b->context);
  build_llvm_function(b, attribute_string(b->context, name),
                      mlirLLVMFunctionTypeGet(result, count, types, false), mlirRegionCreate());
  free(types);
}

MlirValue build_bitcast(struct builder *b, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  return BUILD(b, "llvm.bitcast", IN(value), OUT(type));
}
