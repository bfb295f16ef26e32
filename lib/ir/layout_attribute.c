/* See layout_attribute.h. */
#include "ir/layout_attribute.h"

#include <string.h>
#include "base/status.h"
#include "ir/types.h"

void layout_cache_create(struct layout_cache *cache, MlirContext context) {
  *cache = (struct layout_cache){.context = context};
}

void layout_cache_destroy(struct layout_cache *cache) {
  map_free(&cache->infos);
  map_free(&cache->linear);
  arena_destroy(&cache->arena);
}

/* --- Printing ------------------------------------------------------------------------------------- */

static void print_array(struct text *text, const char *name, const int32_t *values, int count) {
  text_printf(text, "%s = [", name);
  for (int i = 0; i < count; i++)
    text_printf(text, "%s%d", i ? ", " : "", (int)values[i]);
  text_puts(text, "]");
}

MlirAttribute blocked_attribute(struct layout_cache *cache, const struct blocked_layout *blocked) {
  struct text text = {0};
  text_puts(&text, "#tile_gpu.blocked<{");
  print_array(&text, "size_per_thread", blocked->size_per_thread, blocked->rank);
  print_array(&text, ", threads_per_warp", blocked->threads_per_warp, blocked->rank);
  print_array(&text, ", warps_per_cta", blocked->warps_per_cta, blocked->rank);
  print_array(&text, ", order", blocked->order, blocked->rank);
  text_puts(&text, "}>");
  MlirAttribute attribute =
      mlirAttributeParseGet(cache->context, mlirStringRefCreate(text.data, text.length));
  text_free(&text);
  return attribute;
}

MlirAttribute slice_attribute(struct layout_cache *cache, int axis, MlirAttribute parent) {
  struct text text = {0};
  text_printf(&text, "#tile_gpu.slice<{axis = %d, parent = ", axis);
  mlirAttributePrint(parent, print_to_text, &text);
  text_puts(&text, "}>");
  MlirAttribute attribute =
      mlirAttributeParseGet(cache->context, mlirStringRefCreate(text.data, text.length));
  text_free(&text);
  return attribute;
}

/* --- Reading -------------------------------------------------------------------------------------- */

static MlirAttribute field(MlirAttribute dictionary, const char *name) {
  return mlirDictionaryAttrGetElementByName(dictionary, ref(name));
}

static tile_status read_array(MlirAttribute dictionary, const char *name, int32_t *out,
                              int *count) {
  MlirAttribute array = field(dictionary, name);
  if (mlirAttributeIsNull(array) || !mlirAttributeIsAArray(array))
    return FAIL(TILE_INVALID_ARGUMENT, "a blocked layout has an array %s = [...]", name);
  intptr_t length = mlirArrayAttrGetNumElements(array);
  if (length < 1 || length > MAX_RANK)
    return FAIL(TILE_INVALID_ARGUMENT, "%s has %d elements; a layout has rank 1 to %d", name,
                (int)length, MAX_RANK);
  if (*count && *count != length)
    return FAIL(TILE_INVALID_ARGUMENT, "%s has %d elements, the other arrays have %d", name,
                (int)length, *count);
  *count = (int)length;
  for (intptr_t i = 0; i < length; i++) {
    MlirAttribute element = mlirArrayAttrGetElement(array, i);
    if (!mlirAttributeIsAInteger(element))
      return FAIL(TILE_INVALID_ARGUMENT, "%s holds integers", name);
    int64_t value = mlirIntegerAttrGetValueInt(element);
    if (value < 0 || value > INT32_MAX)
      return FAIL(TILE_INVALID_ARGUMENT, "%s[%d] = %lld is out of range", name, (int)i,
                  (long long)value);
    out[i] = (int32_t)value;
  }
  return NULL;
}

static tile_status read_blocked(MlirAttribute dictionary, struct layout_info *info) {
  struct blocked_layout *blocked = &info->blocked;
  int rank = 0;
  TRY(read_array(dictionary, "size_per_thread", blocked->size_per_thread, &rank));
  TRY(read_array(dictionary, "threads_per_warp", blocked->threads_per_warp, &rank));
  TRY(read_array(dictionary, "warps_per_cta", blocked->warps_per_cta, &rank));
  TRY(read_array(dictionary, "order", blocked->order, &rank));
  blocked->rank = info->rank = rank;
  return blocked_layout_verify(blocked);
}

static tile_status read_slice(struct layout_cache *cache, MlirAttribute dictionary,
                              struct layout_info *info) {
  MlirAttribute axis = field(dictionary, "axis"), parent = field(dictionary, "parent");
  if (mlirAttributeIsNull(axis) || !mlirAttributeIsAInteger(axis) || mlirAttributeIsNull(parent))
    return FAIL(TILE_INVALID_ARGUMENT, "a slice layout has an integer axis and a parent layout");
  TRY(layout_decode(cache, parent, &info->parent));
  int64_t value = mlirIntegerAttrGetValueInt(axis);
  if (value < 0 || value >= info->parent->rank)
    return FAIL(TILE_INVALID_ARGUMENT, "a slice's axis is 0 to %d here, not %lld",
                info->parent->rank - 1, (long long)value);
  if (info->parent->rank < 2)
    return FAIL(TILE_INVALID_ARGUMENT, "the parent of a slice has at least 2 dimensions");
  info->axis = (int)value;
  info->rank = info->parent->rank - 1;
  return NULL;
}

/* The dictionary inside "#tile_gpu.KIND<{...}>", and the kind. */
static MlirAttribute open_attribute(struct layout_cache *cache, MlirAttribute attribute,
                                    enum layout_kind *kind) {
  struct text text = {0};
  mlirAttributePrint(attribute, print_to_text, &text);
  static const char blocked[] = "#tile_gpu.blocked<", slice[] = "#tile_gpu.slice<";
  const char *start = NULL, *printed = text_string(&text);
  *kind = LAYOUT_KIND_NONE;
  if (strncmp(printed, blocked, sizeof blocked - 1) == 0) {
    *kind = LAYOUT_KIND_BLOCKED;
    start = printed + sizeof blocked - 1;
  } else if (strncmp(printed, slice, sizeof slice - 1) == 0) {
    *kind = LAYOUT_KIND_SLICE;
    start = printed + sizeof slice - 1;
  }
  MlirAttribute inside = {0};
  if (start) {
    size_t length = text.length - (size_t)(start - printed) - 1;
    inside = mlirAttributeParseGet(cache->context, mlirStringRefCreate(start, length));
  }
  text_free(&text);
  return inside;
}

tile_status layout_decode(struct layout_cache *cache, MlirAttribute attribute,
                          const struct layout_info **out) {
  *out = map_get(&cache->infos, attribute.ptr);
  if (*out)
    return NULL;
  struct layout_info *info = ARENA_NEW(&cache->arena, struct layout_info);
  info->attribute = attribute;
  MlirAttribute inside = open_attribute(cache, attribute, &info->kind);
  if (info->kind == LAYOUT_KIND_NONE || mlirAttributeIsNull(inside) ||
      !mlirAttributeIsADictionary(inside))
    return FAIL(TILE_INVALID_ARGUMENT, "a tensor's layout is #tile_gpu.blocked<{...}> or "
                                       "#tile_gpu.slice<{...}>");
  TRY(info->kind == LAYOUT_KIND_BLOCKED ? read_blocked(inside, info)
                                        : read_slice(cache, inside, info));
  map_set(&cache->infos, attribute.ptr, info);
  *out = info;
  return NULL;
}

/* --- Linear layouts --------------------------------------------------------------------------------- */

static tile_status build_linear(const struct layout_info *info, const int64_t *shape, int rank,
                                struct linear_layout *out) {
  if (info->kind == LAYOUT_KIND_BLOCKED)
    return layout_from_blocked(&info->blocked, shape, rank, out);
  int64_t parent_shape[MAX_RANK + 1];
  for (int i = 0; i <= rank; i++)
    parent_shape[i] = i == info->axis ? 1 : shape[i < info->axis ? i : i - 1];
  struct linear_layout parent;
  TRY(build_linear(info->parent, parent_shape, rank + 1, &parent));
  return layout_slice(&parent, info->axis, out);
}

const struct linear_layout *layout_to_linear(struct layout_cache *cache, MlirType tensor) {
  struct linear_layout *linear = map_get(&cache->linear, tensor.ptr);
  if (linear)
    return linear;
  MlirAttribute attribute = type_layout(tensor);
  if (mlirAttributeIsNull(attribute))
    return NULL;
  const struct layout_info *info;
  int64_t shape[MAX_RANK];
  int rank = type_shape(tensor, shape);
  linear = ARENA_NEW(&cache->arena, struct linear_layout);
  tile_status status = layout_decode(cache, attribute, &info);
  if (!status)
    status = build_linear(info, shape, rank, linear);
  if (status) {
    tile_status_free(status);
    return NULL;
  }
  map_set(&cache->linear, tensor.ptr, linear);
  return linear;
}
