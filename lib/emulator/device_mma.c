/* Device functions: tensor-core operations. The lanes show their registers; the last one to come
   computes for all (mma_math.c). */
#include "emulator/device.h"
#include "emulator/launch.h"
#include "emulator/mma_math.h"

static void multiply_warp(struct emulator_thread *lanes, uint32_t operation) {
  struct mma_shape shape = mma_decode(operation);
  uint32_t *fragments[EMULATOR_WARP_SIZE];
  for (uint32_t lane = 0; lane < EMULATOR_WARP_SIZE; lane++)
    fragments[lane] = lanes[lane].shown;
  mma_warp(&shape, fragments);
}

void tile_emu_mma(struct emulator_thread *thread, uint32_t shape, uint32_t *registers,
                  const char *location) {
  if (schedule_lanes(thread) != EMULATOR_WARP_SIZE)
    tile_emu_trap(thread, location, "tensor-core operations need warps of 32 threads");
  schedule_together(thread, shape, multiply_warp, registers, location);
}
