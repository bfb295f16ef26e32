/* SPDX-License-Identifier: MIT */
/* See kernel_maps.h. */
#include "driver/kernel_maps.h"

#include "base/status.h"

/* The number among all parameters of a function's own one; false where there is none. */
static bool kernel_parameter(const tile_kernel_info *kernel, const tile_kernel_version *version,
                             int64_t own, uint32_t *out) {
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    bool fixed = false;
    for (size_t c = 0; c < version->condition_count && !fixed; c++)
      fixed = version->conditions[c].argument == i &&
              (version->conditions[c].kind == TILE_CONDITION_EQUAL ||
               version->conditions[c].kind == TILE_CONDITION_ABSENT);
    if (!fixed && own-- == 0) {
      *out = (uint32_t)i;
      return true;
    }
  }
  return false;
}

struct reading {
  const tile_kernel_info *kernel;
  const tile_kernel_version *version;
  struct arena *arena;
};

static bool read_product(const struct reading *r, MlirAttribute list, tile_product *out) {
  if (!mlirAttributeIsADenseI64Array(list))
    return false;
  intptr_t count = mlirDenseArrayGetNumElements(list);
  if (count < 1 || count > 1 + TILE_PRODUCT_ARGUMENTS)
    return false;
  out->factor = mlirDenseI64ArrayGetElement(list, 0);
  for (intptr_t i = 1; i < count; i++)
    if (!kernel_parameter(r->kernel, r->version, mlirDenseI64ArrayGetElement(list, i),
                          &out->arguments[out->argument_count++]))
      return false;
  return true;
}

static bool read_products(const struct reading *r, MlirAttribute list, intptr_t count,
                          tile_product *out) {
  bool right = !mlirAttributeIsNull(list) && mlirAttributeIsAArray(list) &&
               mlirArrayAttrGetNumElements(list) == count;
  for (intptr_t i = 0; i < count && right; i++)
    right = read_product(r, mlirArrayAttrGetElement(list, i), &out[i]);
  return right;
}

static bool read_number(MlirAttribute value, int64_t *out) {
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value))
    return false;
  *out = mlirIntegerAttrGetValueInt(value);
  return *out >= 0 && *out <= INT32_MAX;
}

static bool read_box(MlirAttribute box, tile_tensor_map *out) {
  if (mlirAttributeIsNull(box) || !mlirAttributeIsADenseI32Array(box))
    return false;
  intptr_t rank = mlirDenseArrayGetNumElements(box);
  if (rank < 1 || rank > TILE_TENSOR_MAP_RANK)
    return false;
  out->rank = (uint32_t)rank;
  for (intptr_t i = 0; i < rank; i++)
    out->box[i] = (uint32_t)mlirDenseI32ArrayGetElement(box, i);
  return true;
}

/* Absent: no dimension. */
static bool read_narrow(MlirAttribute list, tile_tensor_map *out) {
  if (mlirAttributeIsNull(list))
    return true;
  if (!mlirAttributeIsADenseI32Array(list))
    return false;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(list); i++) {
    int32_t dim = mlirDenseI32ArrayGetElement(list, i);
    if (dim < 0 || dim >= (int32_t)out->rank)
      return false;
    out->narrow |= UINT32_C(1) << dim;
  }
  return true;
}

static MlirAttribute entry(MlirAttribute recipe, const char *name) {
  return mlirDictionaryAttrGetElementByName(recipe, ref(name));
}

static bool read_map(const struct reading *r, MlirAttribute recipe, tile_tensor_map *out) {
  int64_t base, swizzle;
  if (!mlirAttributeIsADictionary(recipe) || !read_number(entry(recipe, "base"), &base) ||
      !kernel_parameter(r->kernel, r->version, base, &out->base) ||
      !read_number(entry(recipe, "swizzle"), &swizzle) || !read_box(entry(recipe, "box"), out))
    return false;
  MlirAttribute type = entry(recipe, "type");
  if (mlirAttributeIsNull(type) || !mlirAttributeIsAType(type))
    return false;
  struct text name = {0};
  type_print(mlirTypeAttrGetValue(type), &name);
  out->type = text_keep(&name, r->arena);
  out->swizzle = (uint32_t)swizzle;
  out->stores = !mlirAttributeIsNull(entry(recipe, "stores"));
  out->pads_with_nan = !out->stores && !mlirAttributeIsNull(entry(recipe, "nan"));
  return read_narrow(entry(recipe, "narrow"), out) &&
         read_products(r, entry(recipe, "sizes"), out->rank, out->sizes) &&
         read_products(r, entry(recipe, "strides"), out->rank - 1, out->strides);
}

tile_status kernel_maps_read(MlirOperation function, struct arena *arena,
                             const tile_kernel_info *kernel, tile_kernel_version *version) {
  MlirAttribute list = attribute_get(function, ATTR_TENSOR_MAPS);
  if (mlirAttributeIsNull(list))
    return NULL;
  intptr_t count = mlirAttributeIsAArray(list) ? mlirArrayAttrGetNumElements(list) : 0;
  tile_tensor_map *maps = ARENA_ARRAY(arena, tile_tensor_map, (size_t)count);
  struct reading reading = {kernel, version, arena};
  for (intptr_t i = 0; i < count; i++)
    if (!read_map(&reading, mlirArrayAttrGetElement(list, i), &maps[i]))
      return FAIL(TILE_INVALID_ARGUMENT,
                  "kernel '%s': tile_gpu.tensor_map %d of '%s' is no recipe of a tensor map",
                  kernel->name, (int)i, version->symbol);
  version->maps = maps;
  version->map_count = (size_t)count;
  return NULL;
}
