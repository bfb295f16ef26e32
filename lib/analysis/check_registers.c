/* SPDX-License-Identifier: MIT */
/* tile-gpu-check-registers: a warning where what a product of matrices needs does not fit into registers.

   Needs: layouts that are final. Keeps: everything; it only reads.

   A thread has as many registers as module_target.h says. The sums of a product,
   and what is computed before and needed behind it, have to be there while it runs. What does not fit is moved to
   memory and back (spills), in every iteration; and wgmma loses what it is for, as ptxas lets each instruction wait
   for the one before.

   What is counted is a lower bound: tiles of numbers that are used behind the product, or in the next iteration of
   a loop around it. Not counted are integers, pointers and masks, which are mostly kept as one base for many elements, constants,
   and operands of products, which are read a few at a time. */
#include "analysis/scratch.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/session.h"
#include "ir/verify.h"

enum { OTHERS = 8, MOST_WARPS = 32 };

struct checking {
  struct session *session;
  struct map order;   /* operations of the function, with 1 + their number as the value */
  MlirOperation dot;  /* the product that is looked at */
  int live;           /* registers that are needed behind it, with its sums */
  MlirOperation worst;
  int worst_live, worst_sums;
};

static MlirLogicalResult number_operation(MlirOperation op, void *data) {
  struct checking *state = data;
  map_set(&state->order, op.ptr, (void *)(uintptr_t)(state->order.count + 1));
  return SUCCESS;
}

static uintptr_t number_of(struct checking *state, MlirOperation op) {
  return (uintptr_t)map_get(&state->order, op.ptr);
}

/* --- What a value takes -------------------------------------------------------------------------------------- */

/* Registers of a thread; elements that it holds twice count once. */
static int registers_of(struct session *session, MlirType type) {
  const struct linear_layout *layout = layout_to_linear(&session->layouts, type);
  if (!layout)
    return 0;
  struct linear_layout held = linear_layout_remove_zero_registers(layout);
  int64_t bytes = memory_bytes(session, type_element(type));
  return (int)((linear_layout_in_size(&held, LAYOUT_REGISTER) * bytes + 3) / 4);
}

static bool is_operand(struct session *session, MlirType type) {
  const struct layout_info *info = NULL;
  tile_status_free(layout_decode(&session->layouts, type_layout(type), &info));
  return info && info->kind == LAYOUT_KIND_DOT_OPERAND;
}

/* Is it held element by element? Sums of integers are, too. */
static bool is_held(struct checking *state, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!type_is_tensor(type) || mlirAttributeIsNull(type_layout(type)))
    return false;
  MlirOperation definition = value_definition(value);
  bool product = op_has(state->session, definition, IS_PRODUCT) ||
                 op_is(state->session, definition, OP_TILE_GPU_WARPGROUP_DOT_WAIT);
  if ((!type_is_float(type_element(type)) && !product) || is_operand(state->session, type))
    return false;
  return !op_has(state->session, definition, IS_LEAF) &&
         !op_is(state->session, definition, OP_TILE_BROADCAST) &&
         !op_is(state->session, definition, OP_TILE_EXPAND_DIMS);
}

/* --- What is needed behind a product --------------------------------------------------------------------------- */

/* The operation behind which a use of a value in `block` is one behind the product: the product, or the outermost
   loop around it that the value comes into; null where the value is not there. */
static MlirOperation needed_behind(struct checking *state, MlirBlock block) {
  MlirOperation at = state->dot, op = state->dot;
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
    if (op_has(state->session, op, IS_LOOP))
      at = op;
    if (mlirBlockEqual(mlirOperationGetBlock(op), block))
      return at;
    if (kind_of(state->session, op) == OP_FUNC)
      break;
  }
  return (MlirOperation){0};
}

static void count_value(struct checking *state, MlirValue value, MlirBlock block) {
  MlirOperation definition = value_definition(value), at = needed_behind(state, block);
  bool there = mlirOperationIsNull(definition) ||
               (number_of(state, definition) < number_of(state, state->dot) &&
                !op_is_inside(state->dot, definition));
  if (mlirOperationIsNull(at) || !there || !is_held(state, value))
    return;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (number_of(state, mlirOpOperandGetOwner(use)) > number_of(state, at)) {
      state->live += registers_of(state->session, mlirValueGetType(value));
      return;
    }
}

static MlirLogicalResult count_values(MlirOperation op, void *data) {
  struct checking *state = data;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    count_value(state, op_result(op, i), mlirOperationGetBlock(op));
  if (!op_has(state->session, op, IS_LOOP))
    return SUCCESS;
  for (intptr_t region = 0; region < mlirOperationGetNumRegions(op); region++) {
    MlirBlock body = op_body(op, region);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
      count_value(state, mlirBlockGetArgument(body, i), body);
  }
  return SUCCESS;
}

static MlirLogicalResult check_product(MlirOperation op, void *data) {
  struct checking *state = data;
  if (!op_has(state->session, op, IS_PRODUCT) || !type_is_tensor(op_result_type(op, 0)) ||
      mlirAttributeIsNull(type_layout(op_result_type(op, 0))))
    return SUCCESS;
  MlirOperation function = op;
  while (kind_of(state->session, function) != OP_FUNC)
    function = mlirOperationGetParentOperation(function);
  int sums = registers_of(state->session, op_result_type(op, 0));
  state->dot = op;
  state->live = sums;
  visit_operations(function, count_values, state);
  if (state->live > state->worst_live) {
    state->worst = op;
    state->worst_live = state->live;
    state->worst_sums = sums;
  }
  return SUCCESS;
}

/* --- The warning ----------------------------------------------------------------------------------------------- */

/* The least number of warps between which so many registers of `num_warps` can be shared; 0 for none. */
static int warps_for(MlirOperation module, int registers, int num_warps) {
  for (int warps = num_warps; warps <= MOST_WARPS; warps *= 2)
    if (registers * num_warps / warps + OTHERS <= module_registers(module, warps))
      return warps;
  return 0;
}

static void report(struct checking *state, MlirOperation module, int num_warps) {
  struct text text = {0};
  int others = state->worst_live - state->worst_sums, more = warps_for(module, state->worst_live, num_warps);
  text_printf(&text, "its sums take %d registers of each thread", state->worst_sums);
  if (others)
    text_printf(&text, ", and what else is needed behind it %d", others);
  text_printf(&text, "; with %d warps a thread has %d, so values are moved to memory and back; use ", num_warps,
              module_registers(module, num_warps));
  if (more)
    text_printf(&text, "%d warps, or ", more);
  text_puts(&text, "a smaller tile");
  diagnostics_report(&state->session->diagnostics, SEVERITY_WARNING,
                     mlirOperationGetLocation(state->worst), "tile.dot: %s", text_string(&text));
  text_free(&text);
}

MlirLogicalResult run_check_registers(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int num_warps = (int)attribute_number(module, ATTR_NUM_WARPS, 4);
  MlirOperation op = {0};
  while (next_kernel(session, module, &op)) {
    if (attribute_has(op, ATTR_SMALL_GRID_OF))
      continue; /* what goes for a kernel goes for its second version, and is said once */
    struct checking state = {.session = session};
    visit_operations(op, number_operation, &state);
    visit_operations(op, check_product, &state);
    if (state.worst_live + OTHERS > module_registers(module, num_warps))
      report(&state, module, num_warps);
    map_free(&state.order);
  }
  return SUCCESS;
}
