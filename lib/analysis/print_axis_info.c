/* SPDX-License-Identifier: MIT */
/* tile-print-axis-info: shows the analysis to people and tests.

   Reports a remark at every operation result that is an integer or a pointer, scalar or tensor:
     contiguity = [128], divisibility = [16], constancy = [1], constant = none
   and changes nothing. */
#include "analysis/axis_info.h"
#include "ir/passes.h"

static bool is_reported(struct session *session, MlirType type) {
  MlirType element = type_element(type);
  return mlirTypeIsAInteger(element) || mlirTypeIsAIndex(element) ||
         type_is_pointer(&session->types, element);
}

static void print_list(struct text *out, const char *name, const int64_t *values, int count) {
  text_printf(out, "%s = [", name);
  for (int i = 0; i < count; i++)
    text_printf(out, "%s%lld", i ? ", " : "", (long long)values[i]);
  text_puts(out, "], ");
}

static void print_info(struct text *out, const struct axis_info *info) {
  print_list(out, "contiguity", info->contiguity, info->rank);
  print_list(out, "divisibility", info->divisibility, info->rank);
  print_list(out, "constancy", info->constancy, info->rank);
  if (info->is_constant)
    text_printf(out, "constant = %lld", (long long)info->constant);
  else
    text_puts(out, "constant = none");
}

static MlirLogicalResult report_results(MlirOperation op, void *data) {
  struct axis_analysis *analysis = data;
  struct session *session = analysis->session;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    if (!is_reported(session, op_result_type(op, i)))
      continue;
    struct text line = {0};
    print_info(&line, axis_info_of(analysis, op_result(op, i)));
    diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(op), "%s",
                       text_string(&line));
    text_free(&line);
  }
  return SUCCESS;
}

static MlirLogicalResult report_function(MlirOperation op, void *data) {
  struct session *session = data;
  if (kind_of(session, op) != OP_FUNC)
    return SUCCESS;
  struct axis_analysis analysis;
  axis_analysis_run(&analysis, session, op);
  MlirLogicalResult result = visit_operations(op, report_results, &analysis);
  axis_analysis_destroy(&analysis);
  return result;
}

MlirLogicalResult run_print_axis_info(struct pass_context *context, MlirOperation root) {
  if (kind_of(context->session, root) == OP_FUNC)
    return report_function(root, context->session);
  return visit_operations(root, report_function, context->session);
}
