/* SPDX-License-Identifier: MIT */
/* For the emulator's tests of bulk copies and stores: a matrix of 16 x 16 numbers with its tensor
   map, and launches of kernel `k` on them. Its arguments are the result `out`, the tensor map and
   the matrix. */
#ifndef TILE_TEST_EMULATOR_MATRIX_H
#define TILE_TEST_EMULATOR_MATRIX_H

#include "emulator/tensor_map.h"
#include "emulator_fixture.h"

/* Boxes of 4 rows are 256 bytes. */
enum { THREADS = 64, SIZE = 16, ROWS = 4, BLOCKS = 4 };

struct setting {
  _Alignas(TENSOR_MAP_ALIGNMENT) struct tensor_map map;
  _Alignas(16) int matrix[SIZE * SIZE];
  int beyond[SIZE]; /* in no buffer */
  int out[2 * THREADS * BLOCKS];
  uint64_t seed;
  uint32_t blocks, cluster; /* 0: 1 */
};

/* The map of the whole matrix, of i32. */
static inline struct tensor_map_fields matrix_fields(struct setting *s) {
  return (struct tensor_map_fields){.element = ELEMENT_I32,
                                    .rank = 2,
                                    .base = (uintptr_t)s->matrix,
                                    .sizes = {SIZE, SIZE},
                                    .strides = {SIZE * 4},
                                    .box = {SIZE, ROWS}};
}

static inline void encode_map(struct setting *s, struct tensor_map_fields fields) {
  CHECK_STATUS(tensor_map_encode(&fields, &s->map), TILE_OK, NULL);
}

/* Every number of the matrix says where it is: row * 100 + column. */
static inline void number_by_place(struct setting *s) {
  for (int i = 0; i < SIZE * SIZE; i++)
    s->matrix[i] = i / SIZE * 100 + i % SIZE;
}

static inline tile_status launch(struct setting *s, const char *text,
                                 tile_emulator_report **out_report) {
  tile_emulator_program *program;
  struct emulator_kernel row = {.name = "k", .argument_count = 3, .cluster_blocks = s->cluster};
  CHECK_STATUS(try_kernel(text, &row, &program), TILE_OK, NULL);
  int *out = s->out, *matrix = s->matrix;
  void *arguments[] = {&out, &s->map, &matrix};
  tile_emulator_buffer buffers[] = {
      {.name = "matrix", .base = s->matrix, .bytes = sizeof s->matrix},
      {.name = "out", .base = s->out, .bytes = sizeof s->out}};
  tile_emulator_launch_options options = {.grid = {s->blocks ? s->blocks : 1, 1, 1},
                                          .threads = THREADS,
                                          .shared_bytes = 2064,
                                          .check = true,
                                          .seed = s->seed,
                                          .buffers = buffers,
                                          .buffer_count = 2,
                                          .arguments = arguments,
                                          .argument_count = 3};
  tile_status status = tile_emulator_launch(program, "k", &options, out_report);
  tile_emulator_program_destroy(program);
  return status;
}

/* With seeds from 1 to `seeds`. */
static inline void runs_clean_with(struct setting *s, const char *text, uint64_t seeds) {
  for (s->seed = 1; s->seed <= seeds; s->seed++)
    CHECK_STATUS(launch(s, text, NULL), TILE_OK, NULL);
}

/* Among what is found is this, at @l`line`. */
static inline void finds_in(struct setting *s, const char *text, tile_emulator_hazard_kind kind,
                            char line, const char *words) {
  tile_emulator_report *report = NULL;
  tile_status status = launch(s, text, &report);
  check_found(status, report, kind, line, words);
}

#endif
