/* SPDX-License-Identifier: MIT */
/* See tensor_map.h. */
#include "emulator/tensor_map.h"

#include <string.h>
#include "base/status.h"

_Static_assert(sizeof(struct tensor_map) <= TENSOR_MAP_BYTES, "it stands in a device's place");

enum { MAX_BOX = 256, UNIT = 16 };
static const uint64_t mark = UINT64_C(0x70616D2E656C6974); /* "tile.map" */

typedef unsigned long long number;

static tile_status check_sizes(const struct tensor_map_fields *fields) {
  for (int i = 0; i < fields->rank; i++)
    if (fields->sizes[i] < 1 || fields->sizes[i] > UINT64_C(1) << 32)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "a tensor map's dimension %d has %llu elements; it takes 1 "
                  "to 2^32",
                  i, (number)fields->sizes[i]);
  for (int i = 0; i + 1 < fields->rank; i++) {
    if (fields->strides[i] % UNIT)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "a tensor map's dimension %d has a stride of %llu bytes; it "
                  "takes multiples of %d",
                  i + 1, (number)fields->strides[i], UNIT);
    if (fields->strides[i] >= UINT64_C(1) << 40)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "a tensor map's dimension %d has a stride of %llu bytes; it "
                  "takes less than 2^40",
                  i + 1, (number)fields->strides[i]);
  }
  return NULL;
}

static tile_status check_box(const struct tensor_map_fields *fields) {
  uint64_t row = fields->box[0] * (uint64_t)element_table[fields->element].bytes;
  for (int i = 0; i < fields->rank; i++)
    if (fields->box[i] < 1 || fields->box[i] > MAX_BOX)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "a tensor map's box has %u elements along dimension %d; it "
                  "takes 1 to %d",
                  (unsigned)fields->box[i], i, MAX_BOX);
  if (row % UNIT)
    return FAIL(TILE_INVALID_ARGUMENT,
                "a row of a tensor map's box has %llu bytes; it takes "
                "multiples of %d",
                (number)row, UNIT);
  uint32_t swizzle = fields->swizzle;
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return FAIL(TILE_INVALID_ARGUMENT, "a tensor map swizzles 0, 32, 64 or 128 bytes, not %u",
                (unsigned)swizzle);
  if (swizzle && row > swizzle)
    return FAIL(TILE_INVALID_ARGUMENT,
                "a row of a tensor map's box has %llu bytes; with a swizzle "
                "of %u bytes it takes at most those",
                (number)row, (unsigned)swizzle);
  return NULL;
}

/* Of fp8 the driver knows the bytes alone. */
static bool has_nan(enum element_type type) {
  return element_is_float(type) && element_table[type].bytes > 1;
}

static tile_status check(const struct tensor_map_fields *fields) {
  if (fields->rank < 1 || fields->rank > TENSOR_MAP_RANK)
    return FAIL(TILE_INVALID_ARGUMENT, "a tensor map has 1 to %d dimensions, not %d",
                TENSOR_MAP_RANK, fields->rank);
  if (fields->base % UNIT)
    return FAIL(TILE_INVALID_ARGUMENT, "a tensor map's address 0x%llx is no multiple of %d",
                (number)fields->base, UNIT);
  if (fields->pads_with_nan && !has_nan(fields->element))
    return FAIL(TILE_INVALID_ARGUMENT, "a tensor map has no NaN for elements of %s",
                element_table[fields->element].name);
  TRY(check_sizes(fields));
  return check_box(fields);
}

tile_status tensor_map_encode(const struct tensor_map_fields *fields, struct tensor_map *out) {
  TRY(check(fields));
  *out = (struct tensor_map){.mark = mark,
                             .base = fields->base,
                             .rank = (uint8_t)fields->rank,
                             .element = (uint8_t)fields->element,
                             .element_bytes = (uint8_t)element_table[fields->element].bytes,
                             .swizzle = (uint8_t)fields->swizzle,
                             .pads_with_nan = fields->pads_with_nan};
  for (int i = 0; i < fields->rank; i++) {
    out->sizes[i] = fields->sizes[i];
    out->box[i] = (uint16_t)fields->box[i];
    if (i + 1 < fields->rank)
      out->strides[i] = fields->strides[i];
  }
  return NULL;
}

bool tensor_map_is_valid(const void *bytes) {
  uint64_t found;
  memcpy(&found, bytes, sizeof found);
  return found == mark;
}
