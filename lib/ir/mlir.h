/* SPDX-License-Identifier: MIT */
/* Small conveniences over MLIR's C API that every file of the compiler uses: strings, walking,
   attributes and types in one line. Nothing here knows our dialects. */
#ifndef TILE_IR_MLIR_H
#define TILE_IR_MLIR_H

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/IR.h>
#include <stdint.h>
#include "base/text.h"

/* Most ranks a tile can have. */
enum { MAX_RANK = 16 };

static inline MlirStringRef ref(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

static inline bool ref_equals(MlirStringRef ref, const char *string) {
  return slice_equals((struct slice){ref.data, ref.length}, string);
}

/* An MlirStringCallback that appends to a struct text. */
void print_to_text(MlirStringRef part, void *text);
void type_print(MlirType type, struct text *out);

#define FAILED(result) mlirLogicalResultIsFailure(result)
#define SUCCESS mlirLogicalResultSuccess()
#define FAILURE mlirLogicalResultFailure()
/* Returns failure from the enclosing function when `expression` fails. */
#define TRY_IR(expression)                                                                         \
  do {                                                                                             \
    if (mlirLogicalResultIsFailure(expression))                                                    \
      return mlirLogicalResultFailure();                                                           \
  } while (0)

/* The single block of region `index`; null when the region is empty. */
MlirBlock op_body(MlirOperation op, intptr_t index);
static inline MlirValue op_operand(MlirOperation op, intptr_t index) {
  return mlirOperationGetOperand(op, index);
}
static inline MlirValue op_result(MlirOperation op, intptr_t index) {
  return mlirOperationGetResult(op, index);
}
static inline MlirType op_operand_type(MlirOperation op, intptr_t index) {
  return mlirValueGetType(mlirOperationGetOperand(op, index));
}
static inline MlirType op_result_type(MlirOperation op, intptr_t index) {
  return mlirValueGetType(mlirOperationGetResult(op, index));
}
static inline MlirStringRef op_name(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}
bool op_has_attribute(MlirOperation op, const char *name);
/* Integer and string attributes; the fallback when absent or of another kind. */
int64_t op_integer(MlirOperation op, const char *name, int64_t fallback);
MlirStringRef op_string(MlirOperation op, const char *name);
bool value_is_used(MlirValue value);
bool value_has_one_use(MlirValue value);
/* Is one of its results used? */
bool op_is_used(MlirOperation op);

/* The operation that defines `value`, or a null operation for block arguments. */
MlirOperation value_definition(MlirValue value);
/* The block that `value` is an argument or an operation's result of. */
MlirBlock value_block(MlirValue value);
bool value_is_argument_of(MlirValue value, MlirBlock block);
/* The number of a value that an scf.for carries, of the argument of its body; -1 for others. */
intptr_t loop_carried_number(MlirOperation loop, MlirValue value);
/* True when `op` is `ancestor` or nested in it. */
bool op_is_inside(MlirOperation op, MlirOperation ancestor);
/* The operation of `block` that is `op` or around it; null where there is none. */
MlirOperation op_in_block(MlirOperation op, MlirBlock block);

/* Calls `visit` for each operation under `op` (not `op` itself), operands' definitions first, outer
   before inner; stops at the first failure. The visitor may erase the operation it is given if that
   has no regions. */
typedef MlirLogicalResult visit_function(MlirOperation op, void *data);
MlirLogicalResult visit_operations(MlirOperation op, visit_function *visit, void *data);

MlirAttribute attribute_integer(MlirContext context, unsigned width, int64_t value);
MlirAttribute attribute_string(MlirContext context, const char *text);
MlirNamedAttribute attribute_named(MlirContext context, const char *name, MlirAttribute value);
MlirAttribute attribute_dense_i32(MlirContext context, intptr_t count, const int32_t *values);

#endif
