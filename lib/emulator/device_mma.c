/* SPDX-License-Identifier: MIT */
/* Device functions: mma.sync, ldmatrix and stmatrix. The lanes show their operands; the last one to
   come executes for all. */
#include "emulator/device.h"
#include "emulator/launch.h"
#include "emulator/mma_math.h"
#include "emulator/tensor.h"

#include <string.h>

const char *tensor_words(uint32_t operation) {
  switch (operation & ~(TENSOR_MMA - 1u)) {
  case TENSOR_MMA:
    return "a multiplication (mma)";
  case TENSOR_LDMATRIX:
    return "a load of matrices (ldmatrix)";
  case TENSOR_STMATRIX:
    return "a store of matrices (stmatrix)";
  case TENSOR_WGMMA:
    return "a multiplication (wgmma)";
  case TENSOR_WGMMA_WAIT:
    return "a wait for wgmma";
  case TENSOR_WARP_BARRIER:
    return "a barrier of the warp";
  default:
    return "a shuffle";
  }
}

void tensor_need_warp(struct emulator_thread *thread, const char *location) {
  if (schedule_lanes(thread) != MACHINE_LANES)
    tile_emu_trap(thread, location, "tensor-core operations need warps of 32 threads");
}

static void multiply_warp(struct emulator_thread *lanes, uint32_t operation) {
  struct mma_shape shape = mma_decode(operation);
  uint32_t *fragments[MACHINE_LANES];
  for (uint32_t lane = 0; lane < MACHINE_LANES; lane++)
    fragments[lane] = lanes[lane].shown;
  lanes->launch->counts.fmas += (uint64_t)shape.m * shape.n * shape.k;
  mma_warp(&shape, fragments);
}

void tile_emu_mma(struct emulator_thread *thread, uint32_t shape, uint32_t *registers,
                  const char *location) {
  tensor_need_warp(thread, location);
  schedule_together(thread, MACHINE_LANES, TENSOR_MMA | shape, multiply_warp, registers, location);
}

/* --- ldmatrix and stmatrix (PTX ISA): 8x8 matrices of 16-bit elements ------------------------- */

enum { ROWS = 8, ROW_BYTES = 16 };

struct matrix_access {
  void *address;       /* of a row, where the lane names one */
  uint32_t *registers; /* one for each matrix */
};

/* Lane l names row l % 8 of matrix l / 8. The row is checked as an access of that lane. */
static void *row_address(struct emulator_thread *lane, bool is_store) {
  const struct matrix_access *access = lane->shown;
  return tile_emu_shared_access(lane, access->address, ROW_BYTES, ROW_BYTES, is_store, 1,
                                lane->barrier);
}

/* Lane l holds elements (l / 4, l % 4 * 2 + 0, 1), or, transposed, those with row and column
   swapped. */
static uint16_t *element(uint16_t matrix[ROWS][ROWS], uint32_t lane, uint32_t half,
                         bool transpose) {
  uint32_t row = lane / 4, column = lane % 4 * 2 + half;
  return transpose ? &matrix[column][row] : &matrix[row][column];
}

static void load_matrices(struct emulator_thread *lanes, uint32_t operation) {
  bool transpose = operation & TENSOR_TRANSPOSE;
  for (uint32_t m = 0; m < (operation & 7); m++) {
    uint16_t matrix[ROWS][ROWS];
    for (uint32_t row = 0; row < ROWS; row++)
      memcpy(matrix[row], row_address(&lanes[m * ROWS + row], false), ROW_BYTES);
    for (uint32_t lane = 0; lane < MACHINE_LANES; lane++) {
      struct matrix_access *access = lanes[lane].shown;
      access->registers[m] = *element(matrix, lane, 0, transpose) |
                             (uint32_t)*element(matrix, lane, 1, transpose) << 16;
    }
  }
}

static void store_matrices(struct emulator_thread *lanes, uint32_t operation) {
  bool transpose = operation & TENSOR_TRANSPOSE;
  for (uint32_t m = 0; m < (operation & 7); m++) {
    uint16_t matrix[ROWS][ROWS];
    for (uint32_t lane = 0; lane < MACHINE_LANES; lane++) {
      const struct matrix_access *access = lanes[lane].shown;
      *element(matrix, lane, 0, transpose) = (uint16_t)access->registers[m];
      *element(matrix, lane, 1, transpose) = (uint16_t)(access->registers[m] >> 16);
    }
    for (uint32_t row = 0; row < ROWS; row++)
      memcpy(row_address(&lanes[m * ROWS + row], true), matrix[row], ROW_BYTES);
  }
}

static void move_matrices(struct emulator_thread *thread, struct matrix_access access,
                          uint32_t operation, uint32_t transpose, emulator_together *execute,
                          const char *location) {
  tensor_need_warp(thread, location);
  schedule_together(thread, MACHINE_LANES, operation | (transpose ? TENSOR_TRANSPOSE : 0), execute,
                    &access, location);
}

void tile_emu_ldmatrix(struct emulator_thread *thread, void *address, uint32_t count,
                       uint32_t transpose, uint32_t *registers, const char *location) {
  move_matrices(thread, (struct matrix_access){address, registers}, TENSOR_LDMATRIX | count,
                transpose, load_matrices, location);
}

void tile_emu_stmatrix(struct emulator_thread *thread, void *address, uint32_t count,
                       uint32_t transpose, uint32_t *registers, const char *location) {
  move_matrices(thread, (struct matrix_access){address, registers}, TENSOR_STMATRIX | count,
                transpose, store_matrices, location);
}
