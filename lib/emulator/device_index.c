/* SPDX-License-Identifier: MIT */
/* Device functions: where a thread is in the grid. */
#include "emulator/device.h"
#include "emulator/launch.h"

uint32_t tile_emu_thread_index(struct emulator_thread *thread) {
  return thread->index;
}

uint32_t tile_emu_block_index(struct emulator_thread *thread, uint32_t axis) {
  return thread->block->index[axis % 3];
}

uint32_t tile_emu_block_count(struct emulator_thread *thread, uint32_t axis) {
  return thread->launch->options->grid[axis % 3];
}
