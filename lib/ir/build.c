/* SPDX-License-Identifier: MIT */
/* See build.h. */
#include "ir/build.h"

#include <stdlib.h>
#include "base/arena.h"
#include "ir/types.h"

MlirOperation build_op(struct builder *b, const struct op_spec *spec) {
  MlirOperationState state = mlirOperationStateGet(ref(spec->name), b->location);
  mlirOperationStateAddOperands(&state, spec->in_count, spec->in);
  mlirOperationStateAddResults(&state, spec->out_count, spec->out);
  mlirOperationStateAddAttributes(&state, spec->attribute_count, spec->attributes);
  mlirOperationStateAddOwnedRegions(&state, spec->region_count, spec->regions);
  mlirOperationStateAddSuccessors(&state, spec->successor_count, spec->successors);
  MlirOperation op = mlirOperationCreate(&state);
  if (mlirOperationIsNull(b->before))
    mlirBlockAppendOwnedOperation(b->block, op);
  else
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, op);
  return op;
}

MlirValue build_value(struct builder *b, const struct op_spec *spec) {
  return mlirOperationGetResult(build_op(b, spec), 0);
}

struct builder builder_before(MlirOperation op) {
  return (struct builder){.context = mlirOperationGetContext(op),
                          .block = mlirOperationGetBlock(op),
                          .before = op,
                          .location = mlirOperationGetLocation(op)};
}

struct builder builder_at_end(MlirContext context, MlirBlock block, MlirLocation location) {
  return (struct builder){.context = context, .block = block, .location = location};
}

MlirType integer_type(struct builder *b, unsigned width) {
  return mlirIntegerTypeGet(b->context, width);
}

MlirValue build_constant(struct builder *b, MlirAttribute value, MlirType type) {
  return BUILD(b, "arith.constant", OUT(type),
               ATTRIBUTES(attribute_named(b->context, "value", value)));
}

MlirValue build_integer(struct builder *b, unsigned width, int64_t value) {
  return build_integer_of(b, integer_type(b, width), value);
}

MlirValue build_integer_of(struct builder *b, MlirType type, int64_t value) {
  return build_constant(b, mlirIntegerAttrGet(type, value), type);
}

MlirValue build_uniform(struct builder *b, MlirType type, double value) {
  MlirType element = type_element(type);
  MlirAttribute number = mlirTypeIsAFloat(element)
                             ? mlirFloatAttrDoubleGet(b->context, element, value)
                             : mlirIntegerAttrGet(element, (int64_t)value);
  return build_constant(
      b, type_is_tensor(type) ? mlirDenseElementsAttrSplatGet(type, number) : number, type);
}

MlirValue build_llvm_integer(struct builder *b, unsigned width, int64_t value) {
  MlirType type = integer_type(b, width);
  return BUILD(b, "llvm.mlir.constant", OUT(type),
               ATTRIBUTES(attribute_named(b->context, "value", mlirIntegerAttrGet(type, value))));
}

MlirValue build_binary(struct builder *b, const char *name, MlirValue x, MlirValue y) {
  return BUILD(b, name, IN(x, y), OUT(mlirValueGetType(x)));
}

MlirValue build_compare(struct builder *b, int predicate, MlirValue x, MlirValue y) {
  MlirType type = mlirValueGetType(x);
  return BUILD(b, mlirTypeIsAFloat(type_element(type)) ? "arith.cmpf" : "arith.cmpi", IN(x, y),
               OUT(type_with_element(type, integer_type(b, 1))),
               ATTRIBUTES(attribute_named(b->context, "predicate",
                                          attribute_integer(b->context, 64, predicate))));
}

MlirLogicalResult replace_op(MlirOperation op, const MlirValue *values) {
  intptr_t count = values ? mlirOperationGetNumResults(op) : 0;
  for (intptr_t i = 0; i < count; i++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), values[i]);
  mlirOperationDestroy(op);
  return SUCCESS;
}

MlirRegion region_with_block(struct builder *b, intptr_t count, const MlirType *arguments) {
  MlirLocation *locations = tile_allocate(sizeof *locations * (size_t)(count ? count : 1));
  for (intptr_t i = 0; i < count; i++)
    locations[i] = b->location;
  MlirBlock block = mlirBlockCreate(count, arguments, locations);
  free(locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  return region;
}
