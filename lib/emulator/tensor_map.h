/* SPDX-License-Identifier: MIT */
/* Tensor maps: what a bulk copy of boxes knows of a tensor in global memory (PTX ISA, "Tensors").

   A GPU's are 128 opaque bytes that the driver makes (cuTensorMapEncodeTiled). The emulator's are
   this struct in their place: a kernel gets the address of one, aligned to 64. Encoding holds a
   tensor to every rule that the driver's function states (cuda.h, the comment above it), without
   interleaving and with steps of one element:

     rank         1 to 5; dimensions are numbered from the innermost, whose elements are adjacent
     base         a multiple of 16
     sizes        1 to 2^32 each
     strides      of dimensions 1 and up, in bytes: multiples of 16, below 2^40
     box          1 to 256 each; a row of it is a multiple of 16 bytes
     swizzle      0, 32, 64 or 128: a row of the box has at most so many bytes
     NaN outside  of floating-point numbers alone (of fp8 the driver knows the bytes alone) */
#ifndef TILE_EMULATOR_TENSOR_MAP_H
#define TILE_EMULATOR_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include "base/element.h"
#include "tile/status.h"

enum { TENSOR_MAP_RANK = 5, TENSOR_MAP_BYTES = 128, TENSOR_MAP_ALIGNMENT = 64 };

/* What a map is made of; what is beyond the rank does not matter. */
struct tensor_map_fields {
  enum element_type element;
  int rank;
  uint64_t base; /* address */
  uint64_t sizes[TENSOR_MAP_RANK], strides[TENSOR_MAP_RANK - 1];
  uint32_t box[TENSOR_MAP_RANK];
  uint32_t swizzle;   /* bytes */
  bool pads_with_nan; /* what lies outside of the tensor; else zero */
};

struct tensor_map {
  uint64_t mark; /* tells one from other bytes */
  uint64_t base;
  uint64_t sizes[TENSOR_MAP_RANK], strides[TENSOR_MAP_RANK - 1];
  uint16_t box[TENSOR_MAP_RANK];
  uint8_t rank, element_bytes, swizzle, pads_with_nan;
  uint8_t element; /* enum element_type */
};

/* TILE_INVALID_ARGUMENT names the rule that is broken. */
tile_status tensor_map_encode(const struct tensor_map_fields *fields, struct tensor_map *out);
/* Is it one that tensor_map_encode has made? Any 128 bytes may be asked for, at any address. */
bool tensor_map_is_valid(const void *bytes);

#endif
