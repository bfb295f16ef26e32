/* SPDX-License-Identifier: MIT */
/* NVIDIA's device: roles of a block's threads (tile-gpu-warp-specialize).

   The producer's warp group comes after the consumers', and gives registers to them
   (machine_role_registers). */
#include "base/numbers.h"
#include "ir/module_target.h"
#include "lowering/nvvm/nvvm.h"

int nvvm_launch_registers(const struct machine *machine, int warps, int producers) {
  return machine_role_registers(machine, warps, producers, MACHINE_PRODUCER_REGISTERS).launch;
}

/* Whole warp groups, by a shift: which the check of branches sees (analysis/divergence.h). */
MlirLogicalResult nvvm_in_producer(struct lowering *lw, MlirOperation op) {
  MlirValue group = build_binary(&lw->b, "arith.shrui", lw->thread,
                                 constant_integer(lw, 32, log2_of(MACHINE_GROUP_LANES)));
  MlirValue groups = constant_integer(lw, 32, lw->num_warps * MACHINE_LANES / MACHINE_GROUP_LANES);
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  result->base[0] = build_compare(&lw->b, I_NOT_BELOW, group, groups);
  return lowered_result(lw, op, result);
}

/* The last two of the producer's four warps, by a shift as well. */
MlirLogicalResult nvvm_in_transposer(struct lowering *lw, MlirOperation op) {
  enum { PAIR = 2 * MACHINE_LANES };
  MlirValue pair =
      build_binary(&lw->b, "arith.shrui", lw->thread, constant_integer(lw, 32, log2_of(PAIR)));
  MlirValue second = build_binary(&lw->b, "arith.andi", pair, constant_integer(lw, 32, 1));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  result->base[0] = build_compare(&lw->b, I_UNEQUAL, second, constant_integer(lw, 32, 0));
  return lowered_result(lw, op, result);
}

void nvvm_enter_role(struct lowering *lw, enum lowering_role role) {
  MlirContext context = lw->session->context;
  struct machine_roles registers = machine_role_registers(
      machine_of(lw->module), lw->num_warps, lw->producer_warps, lw->producer_registers);
  if (!registers.launch)
    return;
  bool producer = role == ROLE_PRODUCER;
  MlirAttribute count =
      attribute_integer(context, 32, producer ? registers.producers : registers.consumers);
  BUILD_OP(&lw->b, "nvvm.setmaxregister",
           ATTRIBUTES(attribute_named(context, "regCount", count),
                      attribute_named(context, "action",
                                      mlirAttributeParseGet(
                                          context, ref(producer ? "#nvvm<action decrease>"
                                                                : "#nvvm<action increase>")))));
}
