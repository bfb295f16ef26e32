/* SPDX-License-Identifier: MIT */
/* See shared_attribute.h. */
#include "ir/shared_attribute.h"

#include <string.h>
#include "base/machine.h"
#include "base/status.h"
#include "ir/types.h"

/* --- Printing --------------------------------------------------------------------------------- */

MlirAttribute swizzled_attribute(struct layout_cache *cache, const struct swizzled_layout *layout) {
  struct text text = {0};
  text_printf(&text, "#tile_gpu.swizzled<{vec = %d, per_phase = %d, max_phase = %d, order = [",
              (int)layout->vec, (int)layout->per_phase, (int)layout->max_phase);
  for (int i = 0; i < layout->rank; i++)
    text_printf(&text, "%s%d", i ? ", " : "", (int)layout->order[i]);
  text_puts(&text, "]}>");
  return attribute_take_text(cache, &text);
}

MlirAttribute nvmma_attribute(struct layout_cache *cache, const struct nvmma_layout *layout) {
  struct text text = {0};
  text_printf(&text, "#tile_gpu.nvmma<{swizzle = %d, transposed = %s, element_bits = %d}>",
              (int)layout->swizzle, layout->transposed ? "true" : "false",
              (int)layout->element_bits);
  return attribute_take_text(cache, &text);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static tile_status read_swizzled(MlirAttribute dictionary, struct shared_info *info) {
  TRY(attribute_read_integer(dictionary, "vec", &info->swizzled.vec));
  TRY(attribute_read_integer(dictionary, "per_phase", &info->swizzled.per_phase));
  TRY(attribute_read_integer(dictionary, "max_phase", &info->swizzled.max_phase));
  TRY(attribute_read_array(dictionary, "order", info->swizzled.order, &info->swizzled.rank));
  info->rank = info->swizzled.rank;
  return swizzled_layout_verify(&info->swizzled);
}

static tile_status read_nvmma(MlirAttribute dictionary, struct shared_info *info) {
  TRY(attribute_read_integer(dictionary, "swizzle", &info->nvmma.swizzle));
  TRY(attribute_read_integer(dictionary, "element_bits", &info->nvmma.element_bits));
  MlirAttribute transposed = attribute_field(dictionary, "transposed");
  if (mlirAttributeIsNull(transposed) || !mlirAttributeIsABool(transposed))
    return FAIL(TILE_INVALID_ARGUMENT, "an nvmma layout has transposed = true or false");
  info->nvmma.transposed = mlirBoolAttrGetValue(transposed);
  info->rank = 2;
  return nvmma_layout_verify(&info->nvmma);
}

tile_status shared_decode(struct layout_cache *cache, MlirAttribute attribute,
                          const struct shared_info **out) {
  static const char *const kinds[] = {
      [SHARED_KIND_SWIZZLED] = "swizzled", [SHARED_KIND_NVMMA] = "nvmma"};
  *out = NULL;
  if (!mlirAttributeIsNull(attribute))
    *out = map_get(&cache->shared, attribute.ptr);
  if (*out)
    return NULL;
  struct shared_info *info = ARENA_NEW(&cache->arena, struct shared_info);
  MlirAttribute inside = {0};
  int kind = SHARED_KIND_NONE;
  if (!mlirAttributeIsNull(attribute))
    inside = attribute_open(cache, attribute, kinds, SHARED_KIND_NVMMA + 1, &kind);
  if (mlirAttributeIsNull(inside) || !mlirAttributeIsADictionary(inside))
    return FAIL(TILE_INVALID_ARGUMENT, "a buffer's memory space is #tile_gpu.swizzled<{...}> or "
                                       "#tile_gpu.nvmma<{...}>");
  info->attribute = attribute;
  info->kind = (enum shared_kind)kind;
  TRY(info->kind == SHARED_KIND_SWIZZLED ? read_swizzled(inside, info) : read_nvmma(inside, info));
  map_set(&cache->shared, attribute.ptr, info);
  *out = info;
  return NULL;
}

tile_status shared_to_linear(struct layout_cache *cache, MlirAttribute space, const int64_t *shape,
                             int rank, unsigned element_bits, struct linear_layout *out) {
  const struct shared_info *info;
  TRY(shared_decode(cache, space, &info));
  if (rank < info->rank)
    return FAIL(TILE_INVALID_ARGUMENT, "the layout is for rank %d, the buffer has rank %d",
                info->rank, rank);
  shape += rank - info->rank;
  if (info->kind == SHARED_KIND_SWIZZLED)
    return layout_from_swizzled(&info->swizzled, shape, out);
  if ((int)element_bits != info->nvmma.element_bits)
    return FAIL(TILE_INVALID_ARGUMENT, "the layout is for elements of %d bits, the buffer has %u",
                (int)info->nvmma.element_bits, element_bits);
  return layout_from_nvmma(&info->nvmma, shape, out);
}

/* --- Buffers ---------------------------------------------------------------------------------- */

static unsigned element_bytes(MlirType element) {
  if (!type_is_number(element))
    return 0;
  unsigned bits = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element)
                                              : mlirFloatTypeGetWidth(element);
  return bits < 8 ? 1 : bits / 8;
}

tile_status shared_buffer_read(struct layout_cache *cache, MlirType type,
                               struct shared_buffer *out) {
  *out = (struct shared_buffer){.stages = 1, .elements = 1};
  if (!mlirTypeIsAMemRef(type))
    return FAIL(TILE_INVALID_ARGUMENT, "a buffer is a memref<...> in shared memory");
  TRY(shared_decode(cache, mlirMemRefTypeGetMemorySpace(type), &out->info));
  out->element = mlirShapedTypeGetElementType(type);
  out->bytes = element_bytes(out->element);
  if (!out->bytes)
    return FAIL(TILE_INVALID_ARGUMENT, "a buffer's elements are numbers");
  out->rank = (int)mlirShapedTypeGetRank(type);
  if (out->rank > MAX_RANK + 1 || out->rank < out->info->rank)
    return FAIL(TILE_INVALID_ARGUMENT, "the layout is for rank %d, the buffer has rank %d",
                out->info->rank, out->rank);
  if (!mlirAttributeIsNull(mlirMemRefTypeGetLayout(type)) &&
      !mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return FAIL(TILE_INVALID_ARGUMENT,
                "a buffer's place of elements is its memory space's business; "
                "leave out the memref's layout");
  out->leading = out->rank - out->info->rank;
  for (int i = 0; i < out->rank; i++) {
    out->shape[i] = mlirShapedTypeGetDimSize(type, i);
    int64_t *product = i < out->leading ? &out->stages : &out->elements;
    if (out->shape[i] < 1 || out->shape[i] > MAX_TILE_ELEMENTS ||
        *product * out->shape[i] > MAX_TILE_ELEMENTS)
      return FAIL(TILE_INVALID_ARGUMENT, "dimension %d of a buffer is out of range", i);
    *product *= out->shape[i];
  }
  return NULL;
}

MlirAttribute shared_transposed(struct layout_cache *cache, const struct shared_info *info,
                                const int32_t *order) {
  if (info->kind == SHARED_KIND_NVMMA) {
    struct nvmma_layout nvmma = info->nvmma;
    nvmma.transposed ^= order[0] != 0;
    return nvmma_attribute(cache, &nvmma);
  }
  struct swizzled_layout swizzled = info->swizzled;
  for (int i = 0; i < info->rank; i++)
    for (int to = 0; to < info->rank; to++)
      if (order[to] == info->swizzled.order[i])
        swizzled.order[i] = to;
  return swizzled_attribute(cache, &swizzled);
}

int64_t shared_alignment(const struct shared_buffer *buffer) {
  return buffer->info->kind == SHARED_KIND_NVMMA ? MACHINE_SWIZZLE_BYTES : 128;
}

MlirType shared_type(int rank, const int64_t *shape, MlirType element, MlirAttribute space) {
  return mlirMemRefTypeContiguousGet(element, rank, shape, space);
}

MlirType shared_permuted(struct layout_cache *cache, MlirType stage, MlirAttribute order) {
  int rank = (int)mlirShapedTypeGetRank(stage);
  int64_t shape[MAX_RANK];
  int32_t from[MAX_RANK];
  for (int i = 0; i < rank; i++) {
    from[i] = mlirDenseI32ArrayGetElement(order, i);
    shape[i] = mlirShapedTypeGetDimSize(stage, from[i]);
  }
  const struct shared_info *info;
  tile_status_free(shared_decode(cache, mlirMemRefTypeGetMemorySpace(stage), &info));
  return shared_type(rank, shape, mlirShapedTypeGetElementType(stage),
                     shared_transposed(cache, info, from));
}
