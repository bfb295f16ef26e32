/* SPDX-License-Identifier: MIT */
/* Launches on the emulator with all checks on, each with fresh copies of the arguments. */
#include <stdlib.h>
#include <string.h>
#include "base/element.h"
#include "base/status.h"
#include "emulator/tensor_map.h"
#include "mutate.h"

enum { COUNTER_BYTES = 4 * TILE_PART_COUNTERS };
enum { ALIGNMENT = 256, GAP = 65536 }; /* an access that runs past a buffer meets no other one */

struct memory_block {
  unsigned char *data; /* owned */
  size_t *place;       /* owned: of each argument */
  size_t parts;        /* place of the parts that blocks share, behind all arguments */
  size_t bytes;
};

static void say_nothing(void *context, const char *text, size_t length) {
  (void)context;
  (void)text;
  (void)length;
}

static size_t parts_bytes(const struct trial *trial) {
  return trial->part_bytes ? COUNTER_BYTES + (size_t)trial->grid[0] * trial->part_bytes : 0;
}

static struct memory_block lay_out(const struct trial *trial) {
  struct memory_block block = {.place = tile_allocate((trial->count + 1) * sizeof(size_t))};
  for (size_t i = 0; i < trial->count; i++) {
    block.place[i] = block.bytes;
    block.bytes += (trial->arguments[i]->bytes + GAP) / ALIGNMENT * ALIGNMENT;
  }
  block.parts = block.bytes;
  block.bytes += (parts_bytes(trial) + GAP) / ALIGNMENT * ALIGNMENT;
  block.data = aligned_alloc(ALIGNMENT, block.bytes + ALIGNMENT);
  if (block.data)
    memset(block.data + block.parts, 0, COUNTER_BYTES);
  for (size_t i = 0; block.data && i < trial->count; i++) {
    block.place[i] = block.place[trial->same_as[i]];
    if (trial->same_as[i] == i)
      memcpy(block.data + block.place[i], trial->arguments[i]->data, trial->arguments[i]->bytes);
  }
  return block;
}

/* All buffers, one after the other. */
static struct contents gather(const struct trial *trial, const struct memory_block *block) {
  struct contents contents = {0};
  for (size_t i = 0; i < trial->count; i++)
    contents.bytes += trial->arguments[i]->is_buffer ? trial->arguments[i]->bytes : 0;
  contents.data = tile_allocate(contents.bytes + 1);
  size_t at = 0;
  for (size_t i = 0; i < trial->count; i++) {
    if (!trial->arguments[i]->is_buffer)
      continue;
    memcpy(contents.data + at, block->data + block->place[i], trial->arguments[i]->bytes);
    at += trial->arguments[i]->bytes;
  }
  return contents;
}

/* --- Tensor maps ------------------------------------------------------------------------------ */

enum { MAX_MAPS = 16 };

struct aligned_map {
  _Alignas(TENSOR_MAP_ALIGNMENT) struct tensor_map map;
};

static uint64_t value_of(const struct trial *trial, const tile_product *product) {
  int64_t value = product->factor;
  for (uint32_t i = 0; i < product->argument_count; i++) {
    const struct run_argument *argument = trial->arguments[product->arguments[i]];
    value *= element_load_integer(argument->type, argument->data);
  }
  return (uint64_t)value;
}

static tile_status make_maps(const struct trial *trial, const struct memory_block *block,
                             struct aligned_map *out) {
  if (trial->map_count > MAX_MAPS)
    return FAIL(TILE_UNSUPPORTED, "the kernel takes more than %d tensor maps", MAX_MAPS);
  for (size_t i = 0; i < trial->map_count; i++) {
    const tile_tensor_map *map = &trial->maps[i];
    struct tensor_map_fields fields = {.rank = (int)map->rank,
                                       .base = (uintptr_t)(block->data + block->place[map->base]),
                                       .swizzle = map->swizzle,
                                       .pads_with_nan = map->pads_with_nan};
    if (!element_find(map->type, strlen(map->type), &fields.element))
      return FAIL(TILE_INVALID_ARGUMENT, "a tensor map of %s", map->type);
    for (uint32_t d = 0; d < map->rank; d++) {
      fields.box[d] = map->box[d];
      fields.sizes[d] = value_of(trial, &map->sizes[d]);
      if (d)
        fields.strides[d - 1] = value_of(trial, &map->strides[d - 1]);
    }
    TRY(tensor_map_encode(&fields, &out[i].map));
  }
  return NULL;
}

/* --- Launches --------------------------------------------------------------------------------- */

static tile_status launch(const struct trial *trial, tile_emulator_program *program, uint64_t seed,
                          const struct memory_block *block, struct text *hazards) {
  tile_emulator_buffer buffers[RUN_MAX_ARGUMENTS + 1];
  void *pointers[RUN_MAX_ARGUMENTS], *arguments[RUN_MAX_ARGUMENTS + MAX_MAPS + 4];
  struct aligned_map maps[MAX_MAPS];
  size_t count = 0;
  TRY(make_maps(trial, block, maps));
  for (size_t i = 0; i < trial->map_count; i++)
    arguments[trial->count + i] = &maps[i];
  uint32_t programs[3];
  memcpy(programs, trial->programs, sizeof programs);
  for (size_t i = 0; i < 3; i++)
    arguments[trial->count + trial->map_count + i] = &programs[i];
  void *parts = block->data + block->parts;
  arguments[trial->count + trial->map_count + 3] = &parts;
  for (size_t i = 0; i < trial->count; i++) {
    const struct run_argument *argument = trial->arguments[i];
    pointers[i] = block->data + block->place[i];
    arguments[i] = argument->is_buffer ? &pointers[i] : pointers[i];
    if (argument->is_buffer && trial->same_as[i] == i)
      buffers[count++] = (tile_emulator_buffer){
          .name = argument->name, .base = pointers[i], .bytes = argument->bytes};
  }
  if (trial->part_bytes)
    buffers[count++] =
        (tile_emulator_buffer){.name = "parts", .base = parts, .bytes = parts_bytes(trial)};
  tile_emulator_report *report;
  tile_status status = tile_emulator_launch(
      program, trial->kernel,
      &(tile_emulator_launch_options){.grid = {trial->grid[0], trial->grid[1], trial->grid[2]},
                                      .seed = seed,
                                      .check = true,
                                      .buffers = buffers,
                                      .buffer_count = count,
                                      .arguments = arguments,
                                      .argument_count = trial->count + trial->map_count +
                                                        (programs[0] ? 3 : 0) +
                                                        (trial->part_bytes ? 1 : 0),
                                      .print = say_nothing},
      &report);
  if (report && tile_emulator_report_count(report))
    text_puts(hazards, tile_emulator_report_hazard(report, 0)->text);
  tile_emulator_report_free(report);
  if (tile_status_code(status) != TILE_HAZARD)
    return status;
  tile_status_free(status);
  return NULL;
}

tile_status trial_launch(const struct trial *trial, tile_emulator_program *program, uint64_t seed,
                         struct contents *out, struct text *hazards) {
  struct memory_block block = lay_out(trial);
  *out = (struct contents){0};
  tile_status status = block.data ? launch(trial, program, seed, &block, hazards)
                                  : FAIL(TILE_OUT_OF_MEMORY, "no memory for the buffers");
  if (!status)
    *out = gather(trial, &block);
  free(block.data);
  free(block.place);
  return status;
}
