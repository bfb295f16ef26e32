/* SPDX-License-Identifier: MIT */
/* tile-gpu-print-conversions: how each operation that changes layouts moves its data, as remarks:
   registers renamed, shuffles, or shared memory with the wavefronts that a warp's access takes and
   the least that it could take; they differ by bank conflicts. The same for accesses of buffers.
   Keeps the module as it is. */
#include <stdlib.h>
#include "analysis/buffer_accesses.h"
#include "analysis/scratch.h"
#include "base/arena.h"
#include "ir/passes.h"

static void put(struct text *text, const char *what, const struct layout_conversion *plan,
                unsigned bytes) {
  text_printf(text, "%s%s: ", text->length ? " | " : "", what);
  conversion_describe(plan, (int)bytes, text);
}

static void print_relabelling(struct session *session, MlirOperation op, struct text *text) {
  struct linear_layout from = relabelled_layout(session, op), to = layout_of_result(session, op);
  unsigned bytes = memory_bytes(session, type_element(op_operand_type(op, 0)));
  struct conversion_means means = relabelling_means(session, op);
  struct layout_conversion plan;
  tile_status status = conversion_plan_chunked(&from, &to, (int)bytes, &means, &plan);
  if (!status)
    put(text, "conversion", &plan, bytes);
  tile_status_free(status);
}

static void print_step(struct session *session, MlirOperation op, const char *what,
                       const struct conversion_step *step, struct text *text) {
  for (intptr_t i = 0; step->needed && i < mlirOperationGetNumOperands(op); i++)
    put(text, what, &step->plan[i], memory_bytes(session, type_element(op_operand_type(op, i))));
}

static void print_reduction(struct session *session, MlirOperation op, struct text *text) {
  struct reduction *plan = tile_allocate(sizeof *plan);
  tile_status status = reduction_plan(session, op, plan);
  if (!status) {
    print_step(session, op, "operands", &plan->first, text);
    print_step(session, op, "between warps", &plan->across, text);
    print_step(session, op, "results", &plan->last, text);
    if (!text->length)
      text_puts(text, "within threads and warps");
  }
  tile_status_free(status);
  free(plan);
}

static void print_sorting(struct session *session, MlirOperation op, struct text *text) {
  struct sorting *plan = tile_allocate(sizeof *plan);
  tile_status status = sorting_plan(session, op, plan);
  if (!status) {
    print_step(session, op, "operand", &plan->first, text);
    print_step(session, op, "result", &plan->last, text);
  }
  tile_status_free(status);
  free(plan);
}

static MlirLogicalResult print_operation(MlirOperation op, void *data) {
  struct session *session = data;
  struct text text = {0};
  if (!scratch_has_layouts(session, op))
    return SUCCESS;
  if (op_has(session, op, RELABELS))
    print_relabelling(session, op, &text);
  else if (op_has(session, op, COMBINES))
    print_reduction(session, op, &text);
  else if (kind_of(session, op) == OP_TILE_SORT)
    print_sorting(session, op, &text);
  else
    print_buffer_access(session, op, &text);
  if (text.length)
    diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(op), "%s",
                       text_string(&text));
  text_free(&text);
  return SUCCESS;
}

MlirLogicalResult run_print_conversions(struct pass_context *context, MlirOperation root) {
  return visit_operations(root, print_operation, context->session);
}
