/* SPDX-License-Identifier: MIT */
/* tile-gpu-check-registers: a warning where what a dot needs does not fit into
   registers.

   Needs: layouts that are final. Keeps: everything; it only reads.

   A thread has as many registers as module_target.h says. The accumulators of a dot, and what is
   computed before and needed after it, have to be there while it runs. What does not fit is moved
   to memory and back (spills), in every iteration; and wgmma loses what it is for, as ptxas lets
   each instruction wait for the one before.

   What is counted is a lower bound: tiles of numbers that are used after the dot, or in the
   next iteration of a loop around it. Not counted are integers, pointers and masks, which are
   mostly kept as one base for many elements, constants, and operands of dots, which are read a
   few at a time. */
#include "analysis/liveness.h"
#include "analysis/pressure.h"
#include "analysis/scratch.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/session.h"

struct checking {
  struct session *session;
  MlirOperation worst;
  int64_t worst_live,
      worst_accumulators; /* registers that are needed after it, with its accumulators; these */
};

/* --- What a value takes ----------------------------------------------------------------------- */

/* Is it held element by element? Sums of integers are, too. */
static bool is_held(struct checking *state, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!type_is_tensor(type) || mlirAttributeIsNull(type_layout(type)))
    return false;
  MlirOperation definition = value_definition(value);
  bool dot = op_has(state->session, definition, (enum op_property)(IS_DOT | GIVES_BACK));
  if ((!type_is_float(type_element(type)) && !dot) ||
      layout_operand_index(&state->session->layouts, type) >= 0)
    return false;
  return !op_has(state->session, definition, IS_LEAF) &&
         !op_is(state->session, definition, OP_TILE_BROADCAST) &&
         !op_is(state->session, definition, OP_TILE_EXPAND_DIMS);
}

static int64_t weigh(MlirValue value, void *data) {
  struct checking *state = data;
  return is_held(state, value) ? held_words(state->session, mlirValueGetType(value)) : 0;
}

static MlirValue own_place(MlirValue value, void *data) {
  (void)data;
  return value;
}

static void check_dot(MlirOperation op, const struct live *live, void *data) {
  struct checking *state = data;
  if (!op_has(state->session, op, IS_DOT) || !type_is_tensor(op_result_type(op, 0)) ||
      mlirAttributeIsNull(type_layout(op_result_type(op, 0))))
    return;
  int64_t accumulators = held_words(state->session, op_result_type(op, 0));
  if (live->across + accumulators >=
      state->worst_live) { /* of equals the first, which comes last */
    state->worst = op;
    state->worst_live = live->across + accumulators;
    state->worst_accumulators = accumulators;
  }
}

/* --- The warning ------------------------------------------------------------------------------ */

/* The least number of warps between which so many registers of `num_warps` can be shared; 0 for
   none. */
static int warps_for(MlirOperation module, int64_t registers, int num_warps) {
  for (int warps = num_warps; warps <= MACHINE_BLOCK_WARPS; warps *= 2)
    if (registers * num_warps / warps + PRESSURE_ALLOWANCE <= module_registers(module, warps))
      return warps;
  return 0;
}

static void report(struct checking *state, MlirOperation module, int num_warps) {
  struct text text = {0};
  int64_t others = state->worst_live - state->worst_accumulators;
  int more = warps_for(module, state->worst_live, num_warps);
  text_printf(&text, "its accumulators take %lld registers of each thread",
              (long long)state->worst_accumulators);
  if (others)
    text_printf(&text, ", and what else is needed after it %lld", (long long)others);
  text_printf(&text,
              "; with %d warps a thread has %d, so values are moved to memory and back; use ",
              num_warps, module_registers(module, num_warps));
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
    if (attribute_has(op, ATTR_LOW_OCCUPANCY_OF) || attribute_has(op, ATTR_TENSOR_MAPS_OF))
      continue; /* what goes for a kernel goes for its second version, and is said once */
    struct checking state = {.session = session};
    struct liveness_client client = {session, weigh, own_place, check_dot, &state};
    liveness_walk(&client, op);
    if (state.worst_live + PRESSURE_ALLOWANCE > module_registers(module, num_warps))
      report(&state, module, num_warps);
  }
  return SUCCESS;
}
