/* SPDX-License-Identifier: MIT */
/* tile-gpu-print-pressure: shows the estimate of registers (pressure.h) to people and tests.

   Reports a remark for each function, at the operation where most is live, and for each loop:
     @matmul: 118 registers a thread, 16 of them the allowance
     scf.for: 110 registers a thread, 16 of them the allowance
   and changes nothing. */
#include "analysis/pressure.h"
#include "ir/passes.h"

static void report(struct session *session, MlirOperation at, MlirStringRef name, const char *sign,
                   struct pressure_peak peak) {
  diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(at),
                     "%s%.*s: %lld registers a thread, %d of them the allowance", sign,
                     (int)name.length, name.data, (long long)peak.registers + PRESSURE_ALLOWANCE,
                     PRESSURE_ALLOWANCE);
}

static MlirLogicalResult report_operation(MlirOperation op, void *data) {
  struct session *session = data;
  if (op_has(session, op, IS_LOOP))
    report(session, op, op_name(op), "", pressure_of_loop(session, op));
  if (kind_of(session, op) != OP_FUNC)
    return SUCCESS;
  struct pressure_peak peak = pressure_of_function(session, op);
  MlirOperation at = mlirOperationIsNull(peak.at) ? op : peak.at;
  report(session, at, op_string(op, "sym_name"), "@", peak);
  return SUCCESS;
}

MlirLogicalResult run_print_pressure(struct pass_context *context, MlirOperation root) {
  return visit_operations(root, report_operation, context->session);
}
