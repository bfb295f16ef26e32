/* SPDX-License-Identifier: MIT */
/* See dot_form.h. */
#include "ir/dot_form.h"

#include "ir/waits.h"

static bool is_kind(const struct layout_info *info, enum layout_kind kind) {
  return info && info->kind == kind;
}

/* What does not fit in a dot of which one operand at least has a layout of tensor cores; NULL
   where all does. */
static const char *misfit(struct session *session, MlirOperation op,
                          const struct layout_info *const operands[2],
                          const struct layout_info *accumulators) {
  for (int i = 0; i < 2; i++)
    if (!is_kind(operands[i], LAYOUT_KIND_DOT_OPERAND) || operands[i]->index != i)
      return i ? "operand 1 has the layout #tile_gpu.dot_operand with index = 1 and the "
                 "accumulator's layout as parent; "
                 "insert tile_gpu.convert_layout"
               : "operand 0 has the layout #tile_gpu.dot_operand with index = 0 and the "
                 "accumulator's layout as parent; "
                 "insert tile_gpu.convert_layout";
  if (!is_kind(accumulators, LAYOUT_KIND_MMA) || operands[0]->parent != accumulators ||
      operands[1]->parent != accumulators)
    return "operands in #tile_gpu.dot_operand layouts have their accumulator's layout as parent; "
           "insert "
           "tile_gpu.convert_layout";
  MlirType factor = type_element(op_operand_type(op, 0));
  unsigned bytes = type_bytes(&session->types, factor);
  if (operands[0]->k_width != operands[1]->k_width)
    return "the operands' k_width differ; it is one number";
  if ((unsigned)operands[0]->k_width * bytes < 4)
    return "k_width covers fewer than 32 bits; make it 32 divided by the bits of an element";
  if (mlirTypeIsAF32(factor) && ref_equals(op_string(op, "precision"), "ieee"))
    return "precision = \"ieee\" is not computed by tensor cores; give operands and accumulator "
           "other layouts";
  return NULL;
}

enum dot_form dot_form_of(struct session *session, MlirOperation op, const char **problem) {
  const struct layout_info *operands[] = {
      layout_of_type(&session->layouts, op_operand_type(op, 0)),
      layout_of_type(&session->layouts, op_operand_type(op, 1))};
  const struct layout_info *accumulators = layout_of_type(&session->layouts, op_result_type(op, 0));
  if (!is_kind(accumulators, LAYOUT_KIND_MMA) && !is_kind(operands[0], LAYOUT_KIND_DOT_OPERAND) &&
      !is_kind(operands[1], LAYOUT_KIND_DOT_OPERAND))
    return DOT_MULTIPLY_ADDS;
  const char *what = misfit(session, op, operands, accumulators);
  if (what && problem)
    *problem = what;
  return what ? DOT_MISFIT : DOT_TENSOR_CORES;
}

const struct mma_layout *dot_mma_layout(struct session *session, MlirOperation op) {
  if (dot_form_of(session, op, NULL) != DOT_TENSOR_CORES)
    return NULL;
  return &layout_of_type(&session->layouts, op_result_type(op, 0))->mma;
}

bool starts_async_dot(struct session *session, MlirOperation op) {
  return op_has(session, op, IS_DOT) && way_started_by(kind_of(session, op)) != WAY_COUNT;
}

bool waits_for_async_dot(struct session *session, MlirOperation op) {
  enum way_of_waiting way = way_waited_by(kind_of(session, op));
  return way != WAY_COUNT && kind_has(wait_table[way].starts, IS_DOT);
}

bool is_on_tensor_cores(struct session *session, MlirOperation op) {
  return starts_async_dot(session, op) ||
         (op_is(session, op, OP_TILE_DOT) && dot_mma_layout(session, op));
}

MlirOperation build_async_dot_wait(struct builder *b, MlirValue *dots, int count) {
  MlirType types[DOT_WAIT_OPERANDS];
  int32_t segments[DOT_WAIT_OPERANDS] = {0};
  for (int i = 0; i < count; i++) {
    types[i] = mlirValueGetType(dots[i]);
    segments[i] = 1;
  }
  MlirAttribute places = attribute_dense_i32(b->context, DOT_WAIT_OPERANDS, segments);
  return BUILD_OP(
      b, "tile_gpu.warpgroup_dot_wait", INS(dots, count), OUTS(types, count),
      ATTRIBUTES(attribute_named(b->context, "pending", attribute_integer(b->context, 32, 0)),
                 attribute_named(b->context, "operandSegmentSizes", places),
                 attribute_named(b->context, "resultSegmentSizes", places)));
}
