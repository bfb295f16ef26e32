/* SPDX-License-Identifier: MIT */
/* See tile_ops.h. */
#include "ir/tile_ops.h"

#include "ir/attributes.h"
#include "ir/module_target.h"

/* The sizes of `count` operand segments, each 0 or 1, adding up to the number of operands. */
static bool read_segments(MlirOperation op, intptr_t count, int *sizes) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, ref("operandSegmentSizes"));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsADenseI32Array(attribute) ||
      mlirDenseArrayGetNumElements(attribute) != count)
    return false;
  intptr_t sum = 0;
  for (intptr_t i = 0; i < count; i++) {
    sizes[i] = mlirDenseI32ArrayGetElement(attribute, i);
    if (sizes[i] < 0 || sizes[i] > 1)
      return false;
    sum += sizes[i];
  }
  return sum == mlirOperationGetNumOperands(op);
}

bool tile_load_read(MlirOperation op, struct tile_load *out) {
  *out = (struct tile_load){0};
  int sizes[3];
  if (!read_segments(op, 3, sizes) || sizes[0] != 1)
    return false;
  out->pointer = op_operand(op, 0);
  if (sizes[1])
    out->mask = op_operand(op, 1);
  if (sizes[2])
    out->other = op_operand(op, 1 + sizes[1]);
  return true;
}

bool tile_store_read(MlirOperation op, struct tile_store *out) {
  *out = (struct tile_store){0};
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count < 2 || count > 3)
    return false;
  out->pointer = op_operand(op, 0);
  out->value = op_operand(op, 1);
  if (count == 3)
    out->mask = op_operand(op, 2);
  return true;
}

bool tile_async_copy_read(MlirOperation op, struct tile_async_copy *out) {
  *out = (struct tile_async_copy){0};
  int sizes[4];
  if (!read_segments(op, 4, sizes) || sizes[0] != 1 || sizes[1] != 1)
    return false;
  out->pointers = op_operand(op, 0);
  out->buffer = op_operand(op, 1);
  if (sizes[2])
    out->mask = op_operand(op, 2);
  if (sizes[3])
    out->other = op_operand(op, 2 + sizes[2]);
  return true;
}

/* As many sizes as strides, after the base. */
bool tile_descriptor_read(MlirOperation op, struct tile_descriptor *out) {
  intptr_t rank = (mlirOperationGetNumOperands(op) - 1) / 2;
  MlirAttribute segments = mlirOperationGetAttributeByName(op, ref("operandSegmentSizes"));
  *out = (struct tile_descriptor){.base = op_operand(op, 0)};
  if (mlirAttributeIsNull(segments) || !mlirAttributeIsADenseI32Array(segments) ||
      mlirDenseArrayGetNumElements(segments) != 3 ||
      mlirDenseI32ArrayGetElement(segments, 1) != mlirDenseI32ArrayGetElement(segments, 2) ||
      rank < 1 || rank > MAX_RANK)
    return false;
  out->rank = (int)rank;
  out->pads_with_nan = op_has_attribute(op, "pads_with_nan");
  for (intptr_t i = 0; i < rank; i++) {
    out->sizes[i] = op_operand(op, 1 + i);
    out->strides[i] = op_operand(op, 1 + rank + i);
  }
  return true;
}

/* Sums of floats are those that there are of several. */
int tile_atomic_width(MlirOperation op) {
  enum { HALVES = 2, WIDEST_BYTES = 16 };
  MlirType element = type_element(op_operand_type(op, 1));
  bool half = mlirTypeIsAF16(element) || mlirTypeIsABF16(element);
  if (!ref_equals(op_string(op, "kind"), "add") || (!half && !mlirTypeIsAF32(element)))
    return 1;
  if (machine_has(machine_of(op), FEATURE_WIDE_ATOMICS))
    return WIDEST_BYTES / (half ? 2 : 4);
  return half ? HALVES : 1;
}

enum op_kind reduce_combiner_of(struct session *session, MlirOperation op, intptr_t operand) {
  MlirBlock body = op_body(op, 0);
  if (mlirBlockIsNull(body))
    return OP_OTHER;
  intptr_t count = mlirBlockGetNumArguments(body) / 2;
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirOperation made = value_definition(op_operand(yield, operand));
  if (mlirOperationIsNull(made) || !mlirBlockEqual(mlirOperationGetBlock(made), body) ||
      !op_has(session, made, IS_ELEMENTWISE) || mlirOperationGetNumOperands(made) != 2)
    return OP_OTHER;
  MlirValue a = op_operand(made, 0), b = op_operand(made, 1);
  MlirValue x = mlirBlockGetArgument(body, operand),
            y = mlirBlockGetArgument(body, count + operand);
  bool both = (mlirValueEqual(a, x) && mlirValueEqual(b, y)) ||
              (mlirValueEqual(a, y) && mlirValueEqual(b, x));
  return both ? kind_of(session, made) : OP_OTHER;
}

enum op_kind reduce_lone_combiner_of(struct session *session, MlirOperation op, intptr_t operand) {
  enum op_kind kind = reduce_combiner_of(session, op, operand);
  if (kind == OP_OTHER)
    return kind;
  MlirBlock body = op_body(op, 0);
  intptr_t count = mlirBlockGetNumArguments(body) / 2;
  MlirValue made = op_operand(mlirBlockGetTerminator(body), operand);
  bool alone = value_has_one_use(made) && value_has_one_use(mlirBlockGetArgument(body, operand)) &&
               value_has_one_use(mlirBlockGetArgument(body, count + operand));
  return alone ? kind : OP_OTHER;
}

enum op_kind reduce_combiner(struct session *session, MlirOperation op) {
  return mlirOperationGetNumOperands(op) == 1 ? reduce_combiner_of(session, op, 0) : OP_OTHER;
}

bool reduce_fuses_product(MlirOperation op, intptr_t operand) {
  MlirAttribute attribute = attribute_get(op, ATTR_FUSED_PRODUCTS);
  if (mlirAttributeIsNull(attribute))
    return false;
  if (!mlirAttributeIsADenseI32Array(attribute))
    return operand == 0;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(attribute); i++)
    if (mlirDenseI32ArrayGetElement(attribute, i) == operand)
      return true;
  return false;
}

/* --- Where pointers come from ----------------------------------------------------------------- */

MlirValue pointer_root(struct session *session, MlirValue pointer) {
  enum { MAX_STEPS = 128 };
  for (int step = 0; step < MAX_STEPS; step++) {
    if (mlirValueIsABlockArgument(pointer)) {
      MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(pointer));
      intptr_t number = mlirBlockArgumentGetArgNumber(pointer);
      if (kind_of(session, parent) == OP_FUNC)
        return pointer;
      if (kind_of(session, parent) != OP_SCF_FOR || number == 0)
        return (MlirValue){0};
      pointer = op_operand(parent, number + 2); /* what it starts from */
      continue;
    }
    MlirOperation op = value_definition(pointer);
    if (!op_has(session, op, KEEPS_BASE))
      return (MlirValue){0};
    pointer = op_operand(op, 0);
  }
  return (MlirValue){0};
}

bool is_atomic_store(struct session *session, MlirOperation op) {
  return op_is(session, op, OP_TILE_ATOMIC_RMW) && ref_equals(op_string(op, "sem"), "relaxed") &&
         !value_is_used(op_result(op, 0));
}

bool bulk_store_adds(MlirOperation op) {
  return op_has_attribute(op, "kind");
}

struct written {
  struct session *session;
  MlirValue parameter;
};

/* FAILURE where it may be written to. */
static MlirLogicalResult note_write(MlirOperation op, void *data) {
  const struct written *written = data;
  const struct op_info *info = op_info(&written->session->names, op);
  if (KIND_IN(info->kind, OP_TILE_STORE, OP_TILE_DESCRIPTOR_STORE, OP_TILE_ATOMIC_RMW,
              OP_TILE_ATOMIC_CAS)) {
    MlirValue root = pointer_root(written->session, op_operand(op, 0));
    return mlirValueIsNull(root) || mlirValueEqual(root, written->parameter) ? FAILURE : SUCCESS;
  }
  bool writes = info->effects == EFFECTS_WRITE &&
                !KIND_IN(info->kind, OP_TILE_PRINT, OP_TILE_ASSERT, OP_TILE_BARRIER);
  return writes || info->effects == EFFECTS_UNKNOWN ? FAILURE : SUCCESS;
}

bool parameter_is_written(struct session *session, MlirValue parameter) {
  struct written written = {session, parameter};
  MlirOperation kernel = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(parameter));
  return FAILED(visit_operations(kernel, note_write, &written));
}
