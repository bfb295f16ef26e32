/* SPDX-License-Identifier: MIT */
/* See machine.h. */
#include "base/machine.h"

#include <string.h>
#include "base/numbers.h"

const struct machine machines[] = {
#define X(target, feature, isa, least, ...) {target, feature, isa, least, __VA_ARGS__},
#include "target/targets.def"
#undef X
};
const size_t machine_count = sizeof machines / sizeof *machines;

const struct machine *machine_find(const char *name, size_t length) {
  for (size_t i = 0; i < machine_count; i++)
    if (strlen(machines[i].name) == length && memcmp(machines[i].name, name, length) == 0)
      return &machines[i];
  return NULL;
}

const struct machine *machine_default(void) {
  return machine_find(MACHINE_DEFAULT, sizeof MACHINE_DEFAULT - 1);
}

const struct machine *machine_first_with(enum machine_feature feature) {
  size_t i = 0;
  while (i + 1 < machine_count && !machine_has(&machines[i], feature))
    i++;
  return &machines[i];
}

bool machine_capability_has(int capability, enum machine_feature feature) {
  return machine_first_with(feature)->capability <= capability;
}

const struct machine *machine_for_capability(int capability) {
  const struct machine *best = NULL;
  for (size_t i = 0; i < machine_count; i++) { /* oldest first */
    const char *name = machines[i].name;
    bool exact = name[strlen(name) - 1] == 'a';
    if (exact ? machines[i].capability == capability : machines[i].capability <= capability)
      best = &machines[i];
  }
  return best;
}

int machine_most_shared_bytes(void) {
  int most = 0;
  for (size_t i = 0; i < machine_count; i++)
    most = machines[i].block_shared_bytes > most ? machines[i].block_shared_bytes : most;
  return most;
}

/* --- Occupancy -------------------------------------------------------------------------------- */

static int64_t blocks_by_registers(const struct machine *machine, int64_t warps,
                                   int64_t registers) {
  int64_t of_warp = round_up(registers * machine->lanes, machine->warp_register_unit);
  if (of_warp * round_up(warps, machine->partitions) > machine->block_registers)
    return 0;
  return machine->registers / machine->partitions / of_warp * machine->partitions / warps;
}

int64_t machine_blocks(const struct machine *machine, struct machine_block block) {
  int64_t blocks = machine->blocks;
  int64_t warps = (block.threads + machine->lanes - 1) / machine->lanes;
  if (block.threads > machine->block_threads || block.shared_bytes > machine->block_shared_bytes)
    return 0;
  if (warps)
    blocks = smaller(blocks, smaller(machine->warps, machine->threads / machine->lanes) / warps);
  if (warps && block.registers)
    blocks = smaller(blocks, blocks_by_registers(machine, warps, block.registers));
  int64_t bytes =
      round_up(block.shared_bytes + machine->block_reserved_bytes, machine->shared_unit);
  return smaller(blocks, machine->shared_bytes / bytes);
}

int64_t machine_registers_for(const struct machine *machine, int64_t threads) {
  int64_t unit = machine->warp_register_unit / machine->lanes;
  int64_t part = machine->registers / (threads > 0 ? threads : 1) / unit * unit;
  return smaller(part, machine->thread_registers);
}

int64_t machine_shared_for(const struct machine *machine, int64_t blocks) {
  int64_t part = machine->shared_bytes / (blocks > 0 ? blocks : 1);
  return smaller(part / machine->shared_unit * machine->shared_unit - machine->block_reserved_bytes,
                 machine->block_shared_bytes);
}

struct machine_roles machine_role_registers(const struct machine *machine, int64_t warps,
                                            int64_t producer_warps, int64_t producers) {
  enum { STEP = MACHINE_REGISTER_STEP, MAX_REGISTERS = 240 };
  int64_t threads = (warps + producer_warps) * machine->lanes;
  int64_t launch = machine->block_registers / threads / STEP * STEP;
  if (launch >= MAX_REGISTERS)
    return (struct machine_roles){.consumers = machine->thread_registers};
  int64_t left = launch * threads - producers * producer_warps * machine->lanes;
  int64_t consumers = left / (warps * machine->lanes) / STEP * STEP;
  return (struct machine_roles){.launch = (int)launch,
                                .producers = (int)producers,
                                .consumers = (int)smaller(consumers, MAX_REGISTERS)};
}
