/* SPDX-License-Identifier: MIT */
/* Tensor maps of the emulator: each rule of the encoding, just within it and just beyond. */
#include "emulator/tensor_map.h"
#include <stdlib.h>
#include <string.h>
#include "check.h"

static struct tensor_map_fields matrix(void) {
  return (struct tensor_map_fields){.element = ELEMENT_F16,
                                    .rank = 2,
                                    .base = 0x10000,
                                    .sizes = {1000, 300},
                                    .strides = {2048},
                                    .box = {64, 128},
                                    .swizzle = 128};
}

static void accepts(struct tensor_map_fields fields) {
  struct tensor_map map;
  tile_status status = tensor_map_encode(&fields, &map);
  if (status)
    printf("%s\n", tile_status_message(status));
  CHECK(!status);
  tile_status_free(status);
}

static void refuses(struct tensor_map_fields fields, const char *words) {
  struct tensor_map map;
  tile_status status = tensor_map_encode(&fields, &map);
  CHECK_EQUAL(tile_status_code(status), TILE_INVALID_ARGUMENT);
  if (!strstr(tile_status_message(status), words))
    printf("'%s' has no '%s'\n", tile_status_message(status), words);
  CHECK(strstr(tile_status_message(status), words) != NULL);
  tile_status_free(status);
}

/* `matrix()` with one thing changed. */
#define WITH(member, value) (fields = matrix(), fields.member = (value), fields)

static void fields_are_kept(void) {
  struct tensor_map_fields fields = matrix();
  struct tensor_map map;
  CHECK(!tensor_map_encode(&fields, &map));
  CHECK(tensor_map_is_valid(&map));
  CHECK_EQUAL(map.rank, 2);
  CHECK_EQUAL(map.element_bytes, 2);
  CHECK_EQUAL(map.sizes[0], 1000);
  CHECK_EQUAL(map.sizes[1], 300);
  CHECK_EQUAL(map.strides[0], 2048);
  CHECK_EQUAL(map.box[1], 128);
  CHECK_EQUAL(map.swizzle, 128);
  memset(&map, 0, sizeof map);
  CHECK(!tensor_map_is_valid(&map));
}

static void ranks_and_addresses(void) {
  struct tensor_map_fields fields;
  refuses(WITH(rank, 0), "1 to 5 dimensions");
  refuses(WITH(rank, 6), "1 to 5 dimensions");
  accepts(WITH(rank, 1));
  refuses(WITH(base, 0x10008), "no multiple of 16");
}

static void sizes_and_strides(void) {
  struct tensor_map_fields fields;
  refuses(WITH(sizes[1], 0), "dimension 1 has 0 elements");
  accepts(WITH(sizes[0], UINT64_C(1) << 32));
  refuses(WITH(sizes[0], (UINT64_C(1) << 32) + 1), "1 to 2^32");
  refuses(WITH(strides[0], 2056), "multiples of 16");
  accepts(WITH(strides[0], (UINT64_C(1) << 40) - 16));
  refuses(WITH(strides[0], UINT64_C(1) << 40), "less than 2^40");
}

static void boxes(void) {
  struct tensor_map_fields fields;
  accepts(WITH(box[1], 256));
  refuses(WITH(box[1], 257), "1 to 256");
  refuses(WITH(box[1], 0), "1 to 256");
  refuses(WITH(box[0], 4), "multiples of 16");
  accepts(WITH(box[0], 8));
  refuses(WITH(box[0], 128), "with a swizzle of 128 bytes");
  refuses(WITH(swizzle, 32), "with a swizzle of 32 bytes");
  refuses(WITH(swizzle, 16), "0, 32, 64 or 128 bytes, not 16");
  fields = WITH(swizzle, 0);
  fields.box[0] = 256;
  accepts(fields);
}

static void what_lies_outside(void) {
  struct tensor_map_fields fields;
  accepts(WITH(pads_with_nan, true));
  fields = WITH(pads_with_nan, true);
  fields.element = ELEMENT_I16;
  refuses(fields, "no NaN for elements of i16");
  fields.element = ELEMENT_FP8E5;
  refuses(fields, "no NaN for elements of fp8e5");
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"fields are kept", fields_are_kept},
                   {"ranks and addresses", ranks_and_addresses},
                   {"sizes and strides", sizes_and_strides}, {"boxes", boxes},
                   {"what lies outside", what_lies_outside});
}
