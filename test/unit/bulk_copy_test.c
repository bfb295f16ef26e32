/* SPDX-License-Identifier: MIT */
/* The kernels of test/lowering/bulk-copy.mlir on the emulator: what bulk copies bring, compared
   with the tensors. */
#include <stdlib.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "check.h"
#include "driver/compile.h"
#include "emulator/tensor_map.h"
#include "tile/emulator.h"

enum { MAX_ARGUMENTS = 4, SEEDS = 3 };

static tile_emulator_program *program;

static tile_status compile(struct session *session, MlirModule *out_module) {
  struct text source = {0};
  TRY(file_read(TILE_SOURCE_DIRECTORY "/test/lowering/bulk-copy.mlir", &source));
  *out_module = session_parse(session, "bulk-copy.mlir", source.data, source.length);
  text_free(&source);
  TRY(pipeline_run(session, "tile-to-emulator", &compile_quietly, *out_module));
  return compile_emulate(session, *out_module, &program);
}

/* A tensor, innermost dimension first, with its rows `pitch` elements apart. */
struct tensor {
  enum element_type element;
  int rank;
  uint32_t sizes[3], box[3];
  uint32_t pitch, swizzle;
  unsigned char *data; /* owned */
  size_t bytes;
};

static void fill(struct tensor *t) {
  size_t element = element_table[t->element].bytes, count = t->pitch;
  for (int i = 1; i < t->rank; i++)
    count *= t->sizes[i];
  t->bytes = count * element;
  t->data = aligned_alloc(64, (t->bytes + 63) / 64 * 64);
  for (size_t i = 0; i < count; i++)
    element_store(t->element, t->data + i * element, (double)(i * 7 % 101));
}

/* The element at these coordinates, which may lie outside. */
static double at(const struct tensor *t, int64_t x, int64_t y, int64_t z) {
  int64_t place[] = {x, y, z}, index = 0, unit = 1;
  for (int i = 0; i < t->rank; i++) {
    if (place[i] < 0 || place[i] >= t->sizes[i])
      return 0;
    index += place[i] * unit;
    unit *= i ? t->sizes[i] : t->pitch;
  }
  return element_load(t->element, t->data + (size_t)index * element_table[t->element].bytes);
}

static struct tensor_map map_of(const struct tensor *t) {
  struct tensor_map map;
  struct tensor_map_fields fields = {
      .element = t->element, .rank = t->rank, .base = (uintptr_t)t->data, .swizzle = t->swizzle};
  uint64_t stride = t->pitch * element_table[t->element].bytes;
  for (int i = 0; i < t->rank; i++) {
    fields.sizes[i] = t->sizes[i];
    fields.box[i] = t->box[i];
    if (i)
      fields.strides[i - 1] = stride;
    stride *= i ? t->sizes[i] : 1;
  }
  tile_status status = tensor_map_encode(&fields, &map);
  if (status)
    printf("%s\n", tile_status_message(status));
  CHECK(!status);
  tile_status_free(status);
  return map;
}

/* Launches with the map, the result and up to two numbers, with several seeds. */
static void run(const char *kernel, uint32_t grid, const struct tensor *t, void *out, size_t bytes,
                int32_t x, int32_t y, size_t argument_count) {
  _Alignas(TENSOR_MAP_ALIGNMENT) struct tensor_map map = map_of(t);
  void *arguments[MAX_ARGUMENTS] = {&map, &out, &x, &y};
  tile_emulator_buffer buffers[] = {{.name = "tensor", .base = t->data, .bytes = t->bytes},
                                    {.name = "out", .base = out, .bytes = bytes}};
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    tile_status status =
        tile_emulator_launch(program, kernel,
                             &(tile_emulator_launch_options){.grid = {grid, 1, 1},
                                                             .seed = seed,
                                                             .check = true,
                                                             .buffers = buffers,
                                                             .buffer_count = 2,
                                                             .arguments = arguments,
                                                             .argument_count = argument_count},
                             NULL);
    if (status)
      printf("%s\n", tile_status_message(status));
    CHECK(!status);
    tile_status_free(status);
  }
}

/* Rows of 72 elements of which 64 count; the last block is cut. */
static void a_block_of_each_program(void) {
  enum { ROWS = 300, ALL = 384, COLUMNS = 64 };
  struct tensor t = {ELEMENT_F16, 2, {COLUMNS, ROWS}, {COLUMNS, 128}, 72, 128};
  static uint16_t out[ALL * COLUMNS];
  fill(&t);
  run("block", ALL / 128, &t, out, sizeof out, 0, 0, 2);
  for (int i = 0; i < ALL * COLUMNS; i++)
    CHECK(element_load(ELEMENT_F16, &out[i]) == at(&t, i % COLUMNS, i / COLUMNS, 0));
  free(t.data);
}

static void stages_of_a_loop(void) {
  enum { ROWS = 64, COLUMNS = 32 };
  static const int counts[] = {0, 1, 2, 3, 4, 7};
  static float out[ROWS * COLUMNS];
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    struct tensor t = {ELEMENT_F32, 2, {COLUMNS, ROWS * 7}, {COLUMNS, ROWS}, COLUMNS, 0};
    fill(&t);
    run("stages", 1, &t, out, sizeof out, counts[k], 0, 3);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
      double sum = 0;
      for (int n = 0; n < counts[k]; n++)
        sum += at(&t, i % COLUMNS, n * ROWS + i / COLUMNS, 0);
      CHECK(out[i] == sum);
    }
    free(t.data);
  }
}

static void panels_beside_each_other(void) {
  enum { ROWS = 64, COLUMNS = 256 };
  static const int starts[] = {0, 30, 60, -5};
  static uint16_t out[ROWS * COLUMNS];
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
    struct tensor t = {ELEMENT_F16, 2, {COLUMNS, 100}, {64, ROWS}, COLUMNS, 128};
    fill(&t);
    run("panels", 1, &t, out, sizeof out, starts[k], 0, 3);
    for (int i = 0; i < ROWS * COLUMNS; i++)
      CHECK(element_load(ELEMENT_F16, &out[i]) == at(&t, i % COLUMNS, starts[k] + i / COLUMNS, 0));
    free(t.data);
  }
}

static void one_dimension(void) {
  static const int starts[] = {0, 4800, 16};
  static int8_t out[512];
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
    struct tensor t = {ELEMENT_I8, 1, {5000}, {256}, 5000, 0};
    fill(&t);
    run("line", 1, &t, out, sizeof out, starts[k], 0, 3);
    for (int i = 0; i < 512; i++)
      CHECK(out[i] == at(&t, starts[k] + i, 0, 0));
    free(t.data);
  }
}

static void three_dimensions(void) {
  static const int starts[][2] = {{0, 0}, {8, 48}, {3, 32}};
  static float out[4 * 8 * 32];
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
    struct tensor t = {ELEMENT_F32, 3, {64, 8, 10}, {32, 8, 4}, 64, 0};
    fill(&t);
    run("cube", 1, &t, out, sizeof out, starts[k][0], starts[k][1], 4);
    for (int i = 0; i < 4 * 8 * 32; i++)
      CHECK(out[i] == at(&t, starts[k][1] + i % 32, i / 32 % 8, starts[k][0] + i / 256));
    free(t.data);
  }
}

int main(int argc, char **argv) {
  struct session session;
  MlirModule module = {0};
  tile_status status = session_create(&session);
  if (!status)
    status = compile(&session, &module);
  if (status) {
    printf("%s\n", tile_status_message(status));
    return 1;
  }
  int code = RUN_TESTS(argc, argv, {"a block of each program", a_block_of_each_program},
                       {"stages of a loop", stages_of_a_loop},
                       {"panels beside each other", panels_beside_each_other},
                       {"one dimension", one_dimension}, {"three dimensions", three_dimensions});
  tile_emulator_program_destroy(program);
  mlirModuleDestroy(module);
  session_destroy(&session);
  return code;
}
