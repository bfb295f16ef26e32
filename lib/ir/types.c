/* SPDX-License-Identifier: MIT */
/* See types.h. */
#include "ir/types.h"

#include <string.h>

static MlirTypeID id_of(MlirContext context, const char *sample) {
  return mlirTypeGetTypeID(mlirTypeParseGet(context, ref(sample)));
}

void type_cache_create(struct type_cache *cache, MlirContext context) {
  *cache = (struct type_cache){.context = context};
  cache->pointer_id = id_of(context, "!tile.ptr<i8>");
  cache->descriptor_id = id_of(context, "!tile.descriptor<tensor<1xi8>>");
  cache->token = mlirTypeParseGet(context, ref("!tile_gpu.token"));
}

bool type_is_token(const struct type_cache *cache, MlirType type) {
  return type.ptr == cache->token.ptr;
}

void type_cache_destroy(struct type_cache *cache) {
  map_free(&cache->parameters);
  map_free(&cache->pointers_to);
  map_free(&cache->descriptors_for);
}

bool type_is_pointer(struct type_cache *cache, MlirType type) {
  return mlirTypeIDEqual(mlirTypeGetTypeID(type), cache->pointer_id);
}

bool type_is_descriptor(const struct type_cache *cache, MlirType type) {
  return mlirTypeIDEqual(mlirTypeGetTypeID(type), cache->descriptor_id);
}

/* The T of !tile.NAME<T>; null where that is no type: IRDL takes any attribute. */
static MlirType parameter_of(struct type_cache *cache, MlirType outer) {
  void *known = map_get(&cache->parameters, outer.ptr);
  if (known)
    return (MlirType){known};
  struct text text = {0};
  type_print(outer, &text);
  const char *open = strchr(text_string(&text), '<');
  size_t length = open ? text.length - (size_t)(open + 1 - text.data) - 1 : 0;
  MlirAttribute parameter = {0};
  if (open)
    parameter = mlirAttributeParseGet(cache->context, mlirStringRefCreate(open + 1, length));
  MlirType inner = {0};
  if (!mlirAttributeIsNull(parameter) && mlirAttributeIsAType(parameter))
    inner = mlirTypeAttrGetValue(parameter);
  text_free(&text);
  map_set(&cache->parameters, outer.ptr, (void *)inner.ptr);
  return inner;
}

/* !tile.NAME<inner>, where `before` is the text up to the bracket; `known` remembers it. */
static MlirType type_around(struct type_cache *cache, struct map *known, const char *before,
                            MlirType inner) {
  void *found = map_get(known, inner.ptr);
  if (found)
    return (MlirType){found};
  struct text text = {0};
  text_puts(&text, before);
  type_print(inner, &text);
  text_puts(&text, ">");
  MlirType outer = mlirTypeParseGet(cache->context, mlirStringRefCreate(text.data, text.length));
  text_free(&text);
  map_set(known, inner.ptr, (void *)outer.ptr);
  return outer;
}

MlirType pointer_pointee(struct type_cache *cache, MlirType pointer) {
  return parameter_of(cache, pointer);
}

MlirType pointer_to(struct type_cache *cache, MlirType pointee) {
  return type_around(cache, &cache->pointers_to, "!tile.ptr<", pointee);
}

MlirType descriptor_block(struct type_cache *cache, MlirType descriptor) {
  return parameter_of(cache, descriptor);
}

MlirType descriptor_for(struct type_cache *cache, MlirType block) {
  return type_around(cache, &cache->descriptors_for, "!tile.descriptor<", block);
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
