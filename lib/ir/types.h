/* SPDX-License-Identifier: MIT */
/* Types of tile programs: element types, pointers, tensors with and without a layout.

   !tile.ptr<T> and !tile.descriptor<T> are IRDL types, whose parameter MLIR's C API cannot read:
   this file is their codec (print, parse the inside, remember by pointer) and nothing else touches
   the text. */
#ifndef TILE_IR_TYPES_H
#define TILE_IR_TYPES_H

#include <stdbool.h>
#include <stdint.h>
#include "base/map.h"
#include "ir/mlir.h"

/* Limit on the elements of one tile, as in Triton (TRITON_MAX_TENSOR_NUMEL). */
enum { MAX_TILE_ELEMENTS = 1048576 };

struct type_cache {
  MlirContext context;
  MlirTypeID pointer_id;      /* shared by all !tile.ptr<T> */
  MlirTypeID descriptor_id;   /* shared by all !tile.descriptor<T> */
  struct map parameters;      /* MlirType.ptr -> MlirType.ptr of the T in the two */
  struct map pointers_to;     /* the inverse */
  struct map descriptors_for; /* likewise */
  MlirType token;             /* !tile_gpu.token */
};

void type_cache_create(struct type_cache *cache, MlirContext context);
void type_cache_destroy(struct type_cache *cache);

bool type_is_pointer(struct type_cache *cache, MlirType type);
/* The T of !tile.ptr<T>. */
MlirType pointer_pointee(struct type_cache *cache, MlirType pointer);
MlirType pointer_to(struct type_cache *cache, MlirType pointee);

/* !tile.descriptor<T>, and its T: the type of the blocks that it gives. */
bool type_is_descriptor(const struct type_cache *cache, MlirType type);
MlirType descriptor_block(struct type_cache *cache, MlirType descriptor);
MlirType descriptor_for(struct type_cache *cache, MlirType block);

/* !tile_gpu.token. */
bool type_is_token(const struct type_cache *cache, MlirType type);

/* i1, i8, i16, i32, i64, f16, bf16, f32, f64 and the fp8 types: what a tile is made of. */
bool type_is_number(MlirType type);
bool type_is_integer(MlirType type, unsigned width);
/* f16, bf16, f32, f64: floating-point numbers that arithmetic knows. */
bool type_is_float(MlirType type);
/* f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ: loaded, stored, converted and multiplied by dot; the
   device has no other arithmetic on them. */
bool type_is_fp8(MlirType type);
/* Bits of a number or a pointer (64) as a value; 0 for any other type. */
unsigned type_bits(struct type_cache *cache, MlirType type);
/* Bytes of a number or a pointer in memory: i1 takes one. */
unsigned type_bytes(struct type_cache *cache, MlirType type);

bool type_is_tensor(MlirType type);
/* The element type of a tensor; any other type itself. */
MlirType type_element(MlirType type);
/* Number of elements; 1 for scalars. */
int64_t type_elements(MlirType type);
/* The rank, 0 for scalars, and the shape into `shape` (room for MAX_RANK). */
int type_shape(MlirType type, int64_t *shape);
bool type_same_shape(MlirType a, MlirType b);
/* The layout attribute of a tensor; null when it has none or for scalars. */
MlirAttribute type_layout(MlirType type);
MlirType tensor_type(int rank, const int64_t *shape, MlirType element, MlirAttribute layout);
/* `type` with another layout (null: none); scalars unchanged. */
MlirType type_with_layout(MlirType type, MlirAttribute layout);
/* `like` with another element type: a tensor of `element`, or `element` itself. */
MlirType type_with_element(MlirType like, MlirType element);

#endif
