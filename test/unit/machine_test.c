/* SPDX-License-Identifier: MIT */
/* The records of GPUs and occupancy (base/machine.h) against what NVIDIA publishes: CUDA
   programming guide, "Technical specifications per compute capability". */
#include <string.h>
#include "base/machine.h"
#include "check.h"

/* The published table, by its own rows. Shared memory in KiB, registers in units of 1024. */
struct published {
  const char *target;
  int capability, blocks, warps, threads, registers, block_registers, thread_registers;
  int shared, block_shared, block_threads, lanes, banks;
};

static void check_published(const struct published *row) {
  const struct machine *machine = machine_find(row->target, strlen(row->target));
  CHECK(machine != NULL);
  if (!machine)
    return;
  CHECK_TEXT(machine->name, row->target);
  CHECK_EQUAL(machine->capability, row->capability);
  CHECK_EQUAL(machine->blocks, row->blocks);
  CHECK_EQUAL(machine->warps, row->warps);
  CHECK_EQUAL(machine->threads, row->threads);
  CHECK_EQUAL(machine->registers, row->registers << 10);
  CHECK_EQUAL(machine->block_registers, row->block_registers << 10);
  CHECK_EQUAL(machine->thread_registers, row->thread_registers);
  CHECK_EQUAL(machine->shared_bytes, row->shared << 10);
  CHECK_EQUAL(machine->block_shared_bytes, row->block_shared << 10);
  CHECK_EQUAL(machine->block_threads, row->block_threads);
  CHECK_EQUAL(machine->lanes, row->lanes);
  CHECK_EQUAL(machine->banks, row->banks);
  CHECK_EQUAL(machine->threads, machine->warps * machine->lanes);
  /* what code without a target takes for granted */
  CHECK_EQUAL(machine->lanes, MACHINE_LANES);
  CHECK_EQUAL(machine->block_threads, MACHINE_BLOCK_THREADS);
  CHECK_EQUAL(machine->thread_registers, MACHINE_THREAD_REGISTERS);
  CHECK_EQUAL(machine->banks, MACHINE_BANKS);
  CHECK_EQUAL(machine->shared_bytes, machine->block_shared_bytes + machine->block_reserved_bytes);
}

static void sm_80(void) {
  check_published(
      &(struct published){"sm_80", 80, 32, 64, 2048, 64, 64, 255, 164, 163, 1024, 32, 32});
}
static void sm_86(void) {
  check_published(
      &(struct published){"sm_86", 86, 16, 48, 1536, 64, 64, 255, 100, 99, 1024, 32, 32});
}
static void sm_89(void) {
  check_published(
      &(struct published){"sm_89", 89, 24, 48, 1536, 64, 64, 255, 100, 99, 1024, 32, 32});
}
static void sm_90a(void) {
  check_published(
      &(struct published){"sm_90a", 90, 32, 64, 2048, 64, 64, 255, 228, 227, 1024, 32, 32});
}
static void sm_100a(void) {
  check_published(
      &(struct published){"sm_100a", 100, 32, 64, 2048, 64, 64, 255, 228, 227, 1024, 32, 32});
}
static void sm_120a(void) {
  check_published(
      &(struct published){"sm_120a", 120, 24, 48, 1536, 64, 64, 255, 100, 99, 1024, 32, 32});
}

static const struct machine *of(const char *target) {
  return machine_find(target, strlen(target));
}

static void names(void) {
  CHECK_EQUAL(machine_count, 6); /* a new target has a test above */
  CHECK(machine_find("sm_9", 4) == NULL);
  CHECK(machine_find("sm_90", 5) == NULL);
  CHECK(machine_find("", 0) == NULL);
  CHECK(machine_find("sm_90a and more", 6) == of("sm_90a"));
  CHECK(machine_default() == of("sm_90a"));
  CHECK_EQUAL(machine_most_shared_bytes(), 227 << 10);
}

static void features(void) {
  static const struct {
    const char *target;
    enum matrix_unit unit;
    bool fp8, of_sm_90;
    int products;
  } rows[] = {
      {"sm_80", MATRIX_MMA, false, false, 1024},     {"sm_86", MATRIX_MMA, false, false, 512},
      {"sm_89", MATRIX_MMA, true, false, 512},       {"sm_90a", MATRIX_WGMMA, true, true, 2048},
      {"sm_100a", MATRIX_TCGEN05, true, true, 4096}, {"sm_120a", MATRIX_MMA, true, true, 512}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct machine *machine = of(rows[i].target);
    CHECK_EQUAL(machine->matrix_unit, rows[i].unit);
    CHECK_EQUAL(machine->fmas_per_cycle, rows[i].products);
    CHECK_EQUAL(machine_has(machine, FEATURE_CP_ASYNC), true);
    CHECK_EQUAL(machine_has(machine, FEATURE_FP8), rows[i].fp8);
    for (unsigned bit = 1; bit <= FEATURES_OF_SM_90; bit *= 2)
      if (bit & FEATURES_OF_SM_90)
        CHECK_EQUAL(machine_has(machine, (enum machine_feature)bit), rows[i].of_sm_90);
  }
  CHECK_TEXT(machine_first_with(FEATURE_CP_ASYNC)->name, "sm_80");
  CHECK_TEXT(machine_first_with(FEATURE_FP8)->name, "sm_89");
  CHECK_TEXT(machine_first_with(FEATURE_STMATRIX)->name, "sm_90a");
}

static void capabilities(void) {
  static const struct {
    int capability;
    const char *target;
    bool clusters;
  } rows[] = {{75, NULL, false},    {80, "sm_80", false},   {86, "sm_86", false},
              {87, "sm_86", false}, {89, "sm_89", false},   {90, "sm_90a", true},
              {91, "sm_89", true},  {100, "sm_100a", true}, {121, "sm_89", true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct machine *machine = machine_for_capability(rows[i].capability);
    CHECK_TEXT(machine ? machine->name : "", rows[i].target ? rows[i].target : "");
    CHECK_EQUAL(machine_capability_has(rows[i].capability, FEATURE_CLUSTERS), rows[i].clusters);
  }
  CHECK_EQUAL(machine_grid_limit(0), INT32_MAX);
  CHECK_EQUAL(machine_grid_limit(1), 65535);
  CHECK_EQUAL(machine_grid_limit(2), 65535);
  for (int64_t count = -1; count <= 65; count++)
    CHECK_EQUAL(machine_is_warp_count(count),
                count == 1 || count == 2 || count == 4 || count == 8 || count == 16 || count == 32);
}

/* --- Occupancy -------------------------------------------------------------------------------- */

/* What CUDA's occupancy calculator (cuda_occupancy.h) says of the same blocks. */
static void occupancy(void) {
  static const struct {
    const char *target;
    struct machine_block block; /* threads, registers, bytes */
    int blocks;
  } rows[] = {
      {"sm_90a", {128, 0, 0}, 16}, /* warps */
      {"sm_90a", {32, 0, 0}, 32},  /* blocks */
      {"sm_86", {32, 0, 0}, 16},
      {"sm_89", {32, 0, 0}, 24},
      {"sm_86", {1024, 0, 0}, 1}, /* threads: 1536 are not two of them */
      {"sm_80", {1024, 0, 0}, 2},
      {"sm_120a", {512, 0, 0}, 3},
      {"sm_90a", {128, 168, 0}, 3}, /* registers */
      {"sm_90a", {128, 169, 0}, 2}, /* 176 of them are handed out */
      {"sm_90a", {128, 255, 0}, 2},
      {"sm_90a", {128, 400, 0}, 1}, /* an estimate */
      {"sm_90a", {32, 255, 0}, 8},
      {"sm_90a", {1024, 65, 0}, 0},       /* 72 for each are more than there are */
      {"sm_90a", {160, 96, 0}, 4},        /* five warps: 5 in each of four parts, 20 of them */
      {"sm_90a", {96, 88, 0}, 6},         /* 5 in each part, and 20 / 3 */
      {"sm_90a", {128, 0, 227 << 10}, 1}, /* shared memory */
      {"sm_90a", {128, 0, 113 << 10}, 2},
      {"sm_90a", {128, 0, (113 << 10) + 1}, 1},
      {"sm_90a", {128, 0, (227 << 10) + 1}, 0},
      {"sm_80", {128, 0, 81 << 10}, 2},
      {"sm_86", {128, 0, 49 << 10}, 2},
      {"sm_86", {128, 0, 50 << 10}, 1},
      {"sm_120a", {256, 128, 24 << 10}, 2},
      {"sm_90a", {2048, 0, 0}, 0},      /* no block */
      {"sm_90a", {0, 0, 100 << 10}, 2}, /* threads are no matter */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int64_t blocks = machine_blocks(of(rows[i].target), rows[i].block);
    if (blocks != rows[i].blocks)
      printf("row %zu, %s: ", i, rows[i].target);
    CHECK_EQUAL(blocks, rows[i].blocks);
  }
}

/* What is given to each block or thread lets in as many as were wanted, and one unit more does not.
 */
static void shares(void) {
  for (size_t i = 0; i < machine_count; i++) {
    const struct machine *machine = &machines[i];
    for (int64_t blocks = 1; blocks <= machine->blocks; blocks++) {
      int64_t bytes = machine_shared_for(machine, blocks);
      CHECK(machine_blocks(machine, (struct machine_block){.shared_bytes = bytes}) >= blocks);
      CHECK(machine_blocks(machine, (struct machine_block){
                                        .shared_bytes = bytes + machine->shared_unit}) < blocks);
    }
    for (int64_t threads = 128; threads <= machine->threads; threads += 128) {
      int64_t registers = machine_registers_for(machine, threads);
      int64_t held = 128 * machine_blocks(machine, (struct machine_block){128, registers, 0});
      CHECK(held >= threads);
      struct machine_block more = {128, registers + 8, 0};
      CHECK(registers == machine->thread_registers ||
            128 * machine_blocks(machine, more) < threads);
    }
  }
  CHECK_EQUAL(machine_registers_for(of("sm_90a"), 1024), 64);
  CHECK_EQUAL(machine_registers_for(of("sm_90a"), 32), 255);
  CHECK_EQUAL(machine_registers_for(of("sm_86"), 1536), 40);
  CHECK_EQUAL(machine_shared_for(of("sm_90a"), 2), 113 << 10);
  CHECK_EQUAL(machine_shared_for(of("sm_86"), 1), 99 << 10);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"sm_80 as published", sm_80}, {"sm_86 as published", sm_86},
                   {"sm_89 as published", sm_89}, {"sm_90a as published", sm_90a},
                   {"sm_100a as published", sm_100a}, {"sm_120a as published", sm_120a},
                   {"names", names}, {"features", features}, {"capabilities", capabilities},
                   {"occupancy", occupancy}, {"shares", shares});
}
