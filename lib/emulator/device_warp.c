/* Device functions: values passed between the lanes of a warp. All lanes take part: a lane shows its
   value, waits for the others, and reads (PTX ISA, shfl.sync and redux.sync). And the warp's barrier, which
   alone orders accesses to memory (bar.warp.sync). */
#include "emulator/device.h"
#include "emulator/launch.h"
#include "emulator/tensor.h"

/* Shows `value` to the warp; returns what all lanes show. */
static const uint32_t *show(struct emulator_thread *thread, uint32_t value, const char *location) {
  struct emulator_warp *warp = &thread->block->warps[thread->index / EMULATOR_WARP_SIZE];
  uint32_t *values = warp->value[warp->generation & 1];
  values[thread->index % EMULATOR_WARP_SIZE] = value;
  schedule_warp(thread, location);
  return values;
}

uint32_t tile_emu_shuffle(struct emulator_thread *thread, uint32_t kind, uint32_t value,
                          uint32_t operand, uint32_t clamp, const char *location) {
  const uint32_t *values = show(thread, value, location);
  uint32_t lane = thread->index % EMULATOR_WARP_SIZE, distance = operand & 31;
  uint32_t mask = clamp >> 8 & 31, last = (lane & mask) | (clamp & 31 & ~mask);
  uint32_t from = kind == 0 ? (lane & mask) | (distance & ~mask)
                  : kind == 1 ? lane ^ distance
                  : kind == 2 ? lane - distance
                              : lane + distance;
  bool in_range = kind == 2 ? (int32_t)from >= (int32_t)last : from <= last;
  return in_range && from < schedule_lanes(thread) ? values[from] : value;
}

static uint32_t combine(uint32_t kind, uint32_t a, uint32_t b) {
  switch (kind) {
  case 0:
    return a + b;
  case 1:
    return a & b;
  case 2:
    return a | b;
  case 3:
    return a ^ b;
  case 4:
    return (int32_t)a < (int32_t)b ? a : b;
  case 5:
    return (int32_t)a > (int32_t)b ? a : b;
  case 6:
    return a < b ? a : b;
  default:
    return a > b ? a : b;
  }
}

uint32_t tile_emu_redux(struct emulator_thread *thread, uint32_t kind, uint32_t value,
                        const char *location) {
  const uint32_t *values = show(thread, value, location);
  uint32_t result = values[0], lanes = schedule_lanes(thread);
  for (uint32_t lane = 1; lane < lanes; lane++)
    result = combine(kind, result, values[lane]);
  return result;
}

/* In a block of one warp that is a barrier of the block, behind which what one lane has acquired holds for all. */
static void pass_warp_barrier(struct emulator_thread *lanes, uint32_t operation) {
  struct emulator_launch *launch = lanes->launch;
  struct emulator_block *block = lanes->block;
  (void)operation;
  if (launch->thread_count <= EMULATOR_WARP_SIZE)
    memory_pass_barrier(&launch->memory, &block->memory);
  else
    block->warps[lanes->index / EMULATOR_WARP_SIZE].phase++;
}

void tile_emu_warp_barrier(struct emulator_thread *thread, const char *location) {
  schedule_together(thread, EMULATOR_WARP_SIZE, TENSOR_WARP_BARRIER, pass_warp_barrier, NULL,
                    location);
}
