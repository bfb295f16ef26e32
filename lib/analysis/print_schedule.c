/* SPDX-License-Identifier: MIT */
/* tile-gpu-print-schedule: says at each load of a loop with stages how it is pipelined, or why not,
   and at a loop whether its products have stages of their own (product_stages.h).

   Needs: tensors with layouts. Keeps: everything; it only reports remarks. */
#include "analysis/loop_schedule.h"
#include "analysis/product_stages.h"
#include "ir/passes.h"

struct printing {
  struct session *session;
  struct axis_analysis axis;
};

static void describe(const struct loop_schedule *schedule, const struct scheduled_load *row,
                     struct text *out) {
  switch (row->method) {
  case PIPELINE_NONE:
    text_printf(out, "stays in its iteration: %s", row->reason);
    return;
  case PIPELINE_REGISTERS:
    text_printf(out, "stage 0, %d ahead in registers: %d words a thread", schedule->registers_ahead,
                row->words * schedule->registers_ahead);
    return;
  case PIPELINE_BULK:
    text_printf(
        out,
        "stage 0, %d ahead by bulk copy: %d buffer%s of %lld bytes; read in stage %d, after "
        "a wait at the mbarrier of the buffer",
        schedule->copies_ahead, schedule->buffers, schedule->buffers > 1 ? "s" : "",
        (long long)row->bytes, schedule->copies_ahead);
    return;
  case PIPELINE_COPY:
    text_printf(
        out,
        "stage 0, %d ahead by asynchronous copy: %d buffer%s of %lld bytes; read in stage %d, "
        "after a wait that leaves %d in flight%s",
        schedule->copies_ahead, schedule->buffers, schedule->buffers > 1 ? "s" : "",
        (long long)row->bytes, schedule->copies_ahead, schedule->copies_ahead - 1,
        schedule->reuses ? "; copied into again after a barrier" : "");
    return;
  }
}

/* Products that wait for one another, and what goes from one stage of them to the other. */
static void print_products(struct session *session, MlirOperation loop) {
  const char *reason;
  struct product_stages stages;
  bool made = product_stages_make(&stages, session, loop, NULL, &reason);
  if (made)
    diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(loop),
                       "products in two stages, early and late: %d values go from one to the other",
                       (int)stages.crossing_count);
  else if (reason)
    diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(loop),
                       "products in one stage: %s", reason);
  product_stages_destroy(&stages);
}

static MlirLogicalResult print_loop(MlirOperation op, void *data) {
  struct printing *printing = data;
  struct session *session = printing->session;
  const char *reason;
  struct loop_schedule schedule;
  if (kind_of(session, op) != OP_SCF_FOR)
    return SUCCESS;
  bool made = loop_schedule_make(session, &printing->axis, op, &schedule, &reason);
  if (reason)
    diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(op),
                       "not pipelined: %s", reason);
  print_products(session, op);
  for (int i = 0; made && i < schedule.count; i++) {
    struct text text = {0};
    describe(&schedule, &schedule.loads[i], &text);
    diagnostics_report(&session->diagnostics, SEVERITY_REMARK,
                       mlirOperationGetLocation(schedule.loads[i].load), "%s", text_string(&text));
    text_free(&text);
  }
  return SUCCESS;
}

MlirLogicalResult run_print_schedule(struct pass_context *context, MlirOperation module) {
  MlirOperation op = {0};
  while (next_kernel(context->session, module, &op)) {
    struct printing printing = {.session = context->session};
    axis_analysis_run(&printing.axis, context->session, op);
    visit_operations(op, print_loop, &printing);
    axis_analysis_destroy(&printing.axis);
  }
  return SUCCESS;
}
