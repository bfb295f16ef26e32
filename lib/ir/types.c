/* SPDX-License-Identifier: MIT */
/* See types.h. */
#include "ir/types.h"

#include <string.h>

void type_cache_create(struct type_cache *cache, MlirContext context) {
  *cache = (struct type_cache){.context = context};
  MlirType sample = mlirTypeParseGet(context, ref("!tile.ptr<i8>"));
  cache->pointer_id = mlirTypeGetTypeID(sample);
  cache->token = mlirTypeParseGet(context, ref("!tile_gpu.token"));
}

bool type_is_token(const struct type_cache *cache, MlirType type) {
  return type.ptr == cache->token.ptr;
}

void type_cache_destroy(struct type_cache *cache) {
  map_free(&cache->pointees);
  map_free(&cache->pointers_to);
}

bool type_is_pointer(struct type_cache *cache, MlirType type) {
  return mlirTypeIDEqual(mlirTypeGetTypeID(type), cache->pointer_id);
}

MlirType pointer_pointee(struct type_cache *cache, MlirType pointer) {
  void *known = map_get(&cache->pointees, pointer.ptr);
  if (known)
    return (MlirType){known};
  struct text text = {0};
  type_print(pointer, &text); /* !tile.ptr<T> */
  const char *open = strchr(text_string(&text), '<');
  size_t length = open ? text.length - (size_t)(open + 1 - text.data) - 1 : 0;
  MlirAttribute parameter = {0}; /* IRDL takes any attribute; a type is one */
  if (open)
    parameter = mlirAttributeParseGet(cache->context, mlirStringRefCreate(open + 1, length));
  MlirType pointee = {0};
  if (!mlirAttributeIsNull(parameter) && mlirAttributeIsAType(parameter))
    pointee = mlirTypeAttrGetValue(parameter);
  text_free(&text);
  map_set(&cache->pointees, pointer.ptr, (void *)pointee.ptr);
  return pointee;
}

MlirType pointer_to(struct type_cache *cache, MlirType pointee) {
  void *known = map_get(&cache->pointers_to, pointee.ptr);
  if (known)
    return (MlirType){known};
  struct text text = {0};
  text_puts(&text, "!tile.ptr<");
  type_print(pointee, &text);
  text_puts(&text, ">");
  MlirType pointer = mlirTypeParseGet(cache->context, mlirStringRefCreate(text.data, text.length));
  text_free(&text);
  map_set(&cache->pointers_to, pointee.ptr, (void *)pointer.ptr);
  return pointer;
}

bool type_is_integer(MlirType type, unsigned width) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type) &&
         mlirIntegerTypeGetWidth(type) == width;
}

bool type_is_float(MlirType type) {
  return mlirTypeIsAF16(type) || mlirTypeIsABF16(type) || mlirTypeIsAF32(type) ||
         mlirTypeIsAF64(type);
}

bool type_is_fp8(MlirType type) {
  return mlirTypeIsAFloat8E4M3FN(type) || mlirTypeIsAFloat8E5M2(type) ||
         mlirTypeIsAFloat8E4M3FNUZ(type) || mlirTypeIsAFloat8E5M2FNUZ(type);
}

bool type_is_number(MlirType type) {
  return type_is_integer(type, 1) || type_is_integer(type, 8) || type_is_integer(type, 16) ||
         type_is_integer(type, 32) || type_is_integer(type, 64) || type_is_float(type) ||
         type_is_fp8(type);
}

unsigned type_bits(struct type_cache *cache, MlirType type) {
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type);
  if (type_is_fp8(type))
    return 8;
  if (mlirTypeIsAF16(type) || mlirTypeIsABF16(type))
    return 16;
  if (mlirTypeIsAF32(type))
    return 32;
  if (mlirTypeIsAF64(type) || mlirTypeIsAIndex(type))
    return 64;
  return type_is_pointer(cache, type) ? 64 : 0;
}

unsigned type_bytes(struct type_cache *cache, MlirType type) {
  return (type_bits(cache, type) + 7) / 8;
}

bool type_is_tensor(MlirType type) {
  return mlirTypeIsARankedTensor(type);
}

MlirType type_element(MlirType type) {
  return type_is_tensor(type) ? mlirShapedTypeGetElementType(type) : type;
}

int64_t type_elements(MlirType type) {
  if (!type_is_tensor(type))
    return 1;
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); i++)
    count *= mlirShapedTypeGetDimSize(type, i);
  return count;
}

int type_shape(MlirType type, int64_t *shape) {
  if (!type_is_tensor(type))
    return 0;
  int rank = (int)mlirShapedTypeGetRank(type);
  for (int i = 0; i < rank && i < MAX_RANK; i++)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return rank;
}

bool type_same_shape(MlirType a, MlirType b) {
  int64_t shape_a[MAX_RANK], shape_b[MAX_RANK];
  if (type_is_tensor(a) != type_is_tensor(b))
    return false;
  int rank = type_shape(a, shape_a);
  return rank == type_shape(b, shape_b) &&
         memcmp(shape_a, shape_b, (size_t)rank * sizeof *shape_a) == 0;
}

MlirAttribute type_layout(MlirType type) {
  return type_is_tensor(type) ? mlirRankedTensorTypeGetEncoding(type) : (MlirAttribute){0};
}

MlirType tensor_type(int rank, const int64_t *shape, MlirType element, MlirAttribute layout) {
  return mlirRankedTensorTypeGet(rank, shape, element, layout);
}

MlirType type_with_layout(MlirType type, MlirAttribute layout) {
  if (!type_is_tensor(type))
    return type;
  int64_t shape[MAX_RANK];
  int rank = type_shape(type, shape);
  return tensor_type(rank, shape, type_element(type), layout);
}

MlirType type_with_element(MlirType like, MlirType element) {
  if (!type_is_tensor(like))
    return element;
  int64_t shape[MAX_RANK];
  int rank = type_shape(like, shape);
  return tensor_type(rank, shape, element, type_layout(like));
}
