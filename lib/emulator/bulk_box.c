/* SPDX-License-Identifier: MIT */
/* See bulk_box.h. */
#include "emulator/bulk_box.h"

#include "emulator/launch.h"

enum { PLACE = 128, SWIZZLE_ATOM_ROWS = 8, SWIZZLE_LINE = 128, CHUNK = 16 };

static uint32_t box_bytes(const struct tensor_map *map) {
  uint32_t bytes = map->element_bytes;
  for (int i = 0; i < map->rank; i++)
    bytes *= map->box[i];
  return bytes;
}

/* Row `number` of the copy's box, counted from the second dimension on. */
struct bulk_row bulk_row_of(const struct bulk_copy *copy, uint32_t number) {
  const struct tensor_map *map = &copy->map;
  struct bulk_row row = {.source = map->base};
  bool inside = true;
  for (int i = 1; i < map->rank; i++) {
    int64_t at = (int64_t)copy->at[i] + number % map->box[i];
    number /= map->box[i];
    inside &= at >= 0 && (uint64_t)at < map->sizes[i];
    row.source += (uint64_t)at * map->strides[i - 1];
  }
  int64_t start = copy->at[0], end = start + map->box[0], size = (int64_t)map->sizes[0];
  int64_t first = start < 0 ? 0 : start, last = end < size ? end : size;
  if (!inside || first >= last)
    return (struct bulk_row){0};
  row.first = (uint32_t)(first - start);
  row.end = (uint32_t)(last - start);
  row.source += (uint64_t)first * map->element_bytes;
  return row;
}

uint32_t bulk_row_count(const struct tensor_map *map) {
  return box_bytes(map) / (map->box[0] * map->element_bytes);
}

/* The place of a byte of the box: 16-byte chunks of a line of 128 bytes are permuted by the number
   of the line (PTX ISA, "Swizzling modes"). */
size_t bulk_swizzled(const struct bulk_copy *copy, size_t byte) {
  size_t place = copy->offset + byte, chunks = copy->map.swizzle / 16;
  return chunks ? place ^ (place / SWIZZLE_LINE % chunks) << 4 : place;
}

/* --- What a copy may be ----------------------------------------------------------------------- */

void bulk_report(struct emulator_thread *thread, const char *location, const char *message) {
  tile_emulator_hazard hazard = {.kind = TILE_EMULATOR_MBARRIER_MISUSE,
                                 .site = launch_site(thread, location),
                                 .message = message};
  report_add(thread->launch->report, &hazard);
}

static bool is_map(struct emulator_thread *thread, const struct tensor_map *map, uint32_t rank,
                   const char *location) {
  const char *wrong = NULL;
  if ((uintptr_t)map % TENSOR_MAP_ALIGNMENT)
    wrong = "the tensor map's address is no multiple of 64";
  else if (!tensor_map_is_valid(map))
    wrong = "what the copy takes for a tensor map is none";
  else if (map->rank != rank)
    wrong = "the tensor map has another number of dimensions than the copy";
  if (wrong)
    bulk_report(thread, location, wrong);
  return !wrong;
}

/* A swizzle permutes lines by their address: the box begins where its pattern does. */
static uint32_t alignment_of(const struct tensor_map *map) {
  return map->swizzle ? map->swizzle * SWIZZLE_ATOM_ROWS : PLACE;
}

bool bulk_prepare(struct emulator_thread *thread, struct bulk_copy *copy, void *destination,
                  const void *map, uint32_t rank, const uint32_t *at) {
  if (!is_map(thread, map, rank, copy->location))
    return false;
  copy->map = *(const struct tensor_map *)map;
  for (uint32_t i = 0; i < rank; i++)
    copy->at[i] = (int32_t)at[i];
  if ((int64_t)copy->at[0] * copy->map.element_bytes % CHUNK) {
    bulk_report(
        thread, copy->location,
        "the rows of the box begin at a place that is no multiple of 16 bytes, where a GPU ends "
        "the kernel");
    return false;
  }
  copy->bytes = box_bytes(&copy->map);
  if (!device_admit_shared(thread, destination, copy->bytes, alignment_of(&copy->map),
                           copy->location))
    return false;
  copy->offset = (uintptr_t)destination - thread->block->memory.shared.base;
  return true;
}
