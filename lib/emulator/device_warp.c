/* SPDX-License-Identifier: MIT */
/* Device functions: values passed between the lanes of a warp (PTX ISA, shfl.sync and redux.sync).
   The lanes that the member mask names take part: each shows its operands, and the last one to come
   works out all results. And the warp's barrier, which alone orders accesses to memory
   (bar.warp.sync).

   A lane must be among those that its mask names, and what it reads must be, too; what it gets
   otherwise is not said. A named lane that does not come is a divergence. */
#include "emulator/device.h"
#include "emulator/launch.h"
#include "emulator/tensor.h"

/* What a lane shows. */
struct lane_operands {
  uint32_t mask, kind, value, operand, clamp;
  uint32_t result;
};

static void report_mask(struct emulator_thread *thread, uint32_t mask, uint32_t lane,
                        const char *location) {
  tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_LANE_MASK,
                                 .site = launch_site(thread, location),
                                 .mask = mask,
                                 .lane = lane};
  report_add(thread->launch->report, &hazard);
}

/* Whether the lane is one of those that its mask names; reported if not. */
static bool is_named(struct emulator_thread *thread, uint32_t mask, const char *location) {
  uint32_t lane = thread->index % MACHINE_LANES;
  if (mask >> lane & 1)
    return true;
  report_mask(thread, mask, lane, location);
  return false;
}

/* The value that a lane gets by a shuffle. */
static uint32_t shuffled(struct emulator_thread *lanes, uint32_t lane) {
  const struct lane_operands *mine = lanes[lane].shown;
  uint32_t distance = mine->operand & 31, kind = mine->kind;
  uint32_t segment = mine->clamp >> 8 & 31, last = (lane & segment) | (mine->clamp & 31 & ~segment);
  uint32_t from = kind == 0   ? (lane & segment) | (distance & ~segment)
                  : kind == 1 ? lane ^ distance
                  : kind == 2 ? lane - distance
                              : lane + distance;
  bool in_range = kind == 2 ? (int32_t)from >= (int32_t)last : from <= last;
  if (!in_range || from >= schedule_lanes(lanes))
    return mine->value;
  if (!(mine->mask >> from & 1)) {
    report_mask(&lanes[lane], mine->mask, from, lanes[lane].barrier);
    return EMULATOR_POISON * UINT32_C(0x01010101);
  }
  return ((const struct lane_operands *)lanes[from].shown)->value;
}

static void shuffle(struct emulator_thread *lanes, uint32_t mask) {
  for (uint32_t lane = 0; lane < schedule_lanes(lanes); lane++)
    if (mask >> lane & 1)
      ((struct lane_operands *)lanes[lane].shown)->result = shuffled(lanes, lane);
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

static void reduce(struct emulator_thread *lanes, uint32_t mask) {
  const struct lane_operands *first = NULL;
  uint32_t result = 0;
  for (uint32_t lane = 0; lane < schedule_lanes(lanes); lane++) {
    const struct lane_operands *one = lanes[lane].shown;
    if (!(mask >> lane & 1))
      continue;
    result = first ? combine(one->kind, result, one->value) : one->value;
    first = one;
  }
  for (uint32_t lane = 0; lane < schedule_lanes(lanes); lane++)
    if (mask >> lane & 1)
      ((struct lane_operands *)lanes[lane].shown)->result = result;
}

uint32_t tile_emu_shuffle(struct emulator_thread *thread, uint32_t mask, uint32_t kind,
                          uint32_t value, uint32_t operand, uint32_t clamp, const char *location) {
  struct lane_operands mine = {mask, kind, value, operand, clamp, value};
  if (is_named(thread, mask, location))
    schedule_lanes_together(thread, mask, shuffle, &mine, location);
  return mine.result;
}

uint32_t tile_emu_redux(struct emulator_thread *thread, uint32_t mask, uint32_t kind,
                        uint32_t value, const char *location) {
  struct lane_operands mine = {.mask = mask, .kind = kind, .value = value, .result = value};
  if (is_named(thread, mask, location))
    schedule_lanes_together(thread, mask, reduce, &mine, location);
  return mine.result;
}

/* In a block of one warp that is a barrier of the block, after which what one lane has acquired
   holds for all. */
static void pass_warp_barrier(struct emulator_thread *lanes, uint32_t operation) {
  struct emulator_launch *launch = lanes->launch;
  struct emulator_block *block = lanes->block;
  (void)operation;
  if (launch->thread_count <= MACHINE_LANES)
    memory_pass_barrier(&launch->memory, &block->memory);
  else
    block->warps[lanes->index / MACHINE_LANES].phase++;
}

void tile_emu_warp_barrier(struct emulator_thread *thread, const char *location) {
  schedule_together(thread, MACHINE_LANES, TENSOR_WARP_BARRIER, pass_warp_barrier, NULL, location);
}
