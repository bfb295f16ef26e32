/* SPDX-License-Identifier: MIT */
/* NVIDIA's device: roles of a block's threads (tile-gpu-warp-specialize).

   The producer's warp group comes after the consumers'. All threads of a block start with equally
   many registers; the producer's warps give most of theirs away, and the consumers' take them (PTX
   ISA, setmaxnreg: by whole warp groups, 24 to 256, in multiples of 8). With two warp groups at
   most everyone has all that a thread can have anyway. */
#include "ir/module_target.h"
#include "lowering/nvvm/nvvm.h"

enum { STEP = 8, MIN_REGISTERS = 24, MAX_REGISTERS = 240, GROUP_SHIFT = 7 };

struct role_registers {
  int launch, consumers; /* of a thread; 0: nothing is handed over */
};

static struct role_registers registers_of(const struct machine *machine, int warps, int producers) {
  int threads = (warps + producers) * MACHINE_LANES;
  int launch = machine->block_registers / threads / STEP * STEP;
  if (launch >= MAX_REGISTERS)
    return (struct role_registers){0};
  int left = launch * threads - MIN_REGISTERS * producers * MACHINE_LANES;
  int consumers = left / (warps * MACHINE_LANES) / STEP * STEP;
  return (struct role_registers){launch, consumers < MAX_REGISTERS ? consumers : MAX_REGISTERS};
}

int nvvm_launch_registers(const struct machine *machine, int warps, int producers) {
  return registers_of(machine, warps, producers).launch;
}

/* Whole warp groups, by a shift: which the check of branches sees (analysis/divergence.h). */
MlirLogicalResult nvvm_in_producer(struct lowering *lw, MlirOperation op) {
  MlirValue group =
      build_binary(&lw->b, "arith.shrui", lw->thread, constant_integer(lw, 32, GROUP_SHIFT));
  MlirValue groups = constant_integer(lw, 32, lw->num_warps * MACHINE_LANES / MACHINE_GROUP_LANES);
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  result->base[0] = build_compare(&lw->b, I_NOT_BELOW, group, groups);
  return lowered_result(lw, op, result);
}

void nvvm_enter_role(struct lowering *lw, enum lowering_role role) {
  MlirContext context = lw->session->context;
  struct role_registers registers =
      registers_of(machine_of(lw->module), lw->num_warps, lw->producer_warps);
  if (!registers.launch)
    return;
  bool producer = role == ROLE_PRODUCER;
  MlirAttribute count =
      attribute_integer(context, 32, producer ? MIN_REGISTERS : registers.consumers);
  BUILD_OP(&lw->b, "nvvm.setmaxregister",
           ATTRIBUTES(attribute_named(context, "regCount", count),
                      attribute_named(context, "action",
                                      mlirAttributeParseGet(
                                          context, ref(producer ? "#nvvm<action decrease>"
                                                                : "#nvvm<action increase>")))));
}
