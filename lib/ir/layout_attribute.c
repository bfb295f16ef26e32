/* SPDX-License-Identifier: MIT */
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
  map_free(&cache->shared);
  arena_destroy(&cache->arena);
}

/* --- Printing --------------------------------------------------------------------------------- */

static void print_array(struct text *text, const char *name, const int32_t *values, int count) {
  text_printf(text, "%s = [", name);
  for (int i = 0; i < count; i++)
    text_printf(text, "%s%d", i ? ", " : "", (int)values[i]);
  text_puts(text, "]");
}

MlirAttribute attribute_take_text(struct layout_cache *cache, struct text *text) {
  MlirAttribute attribute =
      mlirAttributeParseGet(cache->context, mlirStringRefCreate(text->data, text->length));
  text_free(text);
  return attribute;
}

MlirAttribute blocked_attribute(struct layout_cache *cache, const struct blocked_layout *blocked) {
  struct text text = {0};
  text_puts(&text, "#tile_gpu.blocked<{");
  print_array(&text, "size_per_thread", blocked->size_per_thread, blocked->rank);
  print_array(&text, ", threads_per_warp", blocked->threads_per_warp, blocked->rank);
  print_array(&text, ", warps_per_cta", blocked->warps_per_cta, blocked->rank);
  print_array(&text, ", order", blocked->order, blocked->rank);
  text_puts(&text, "}>");
  return attribute_take_text(cache, &text);
}

MlirAttribute slice_attribute(struct layout_cache *cache, int axis, MlirAttribute parent) {
  struct text text = {0};
  text_printf(&text, "#tile_gpu.slice<{axis = %d, parent = ", axis);
  mlirAttributePrint(parent, print_to_text, &text);
  text_puts(&text, "}>");
  return attribute_take_text(cache, &text);
}

MlirAttribute mma_attribute(struct layout_cache *cache, const struct mma_layout *mma) {
  struct text text = {0};
  text_printf(&text, "#tile_gpu.mma<{version = %d", mma->version);
  print_array(&text, ", warps_per_cta", mma->warps_per_cta, mma->rank);
  print_array(&text, ", instr_shape", mma->instr_shape, mma->rank);
  text_puts(&text, "}>");
  return attribute_take_text(cache, &text);
}

MlirAttribute dot_operand_attribute(struct layout_cache *cache, int index, MlirAttribute parent,
                                    int k_width) {
  struct text text = {0};
  text_printf(&text, "#tile_gpu.dot_operand<{index = %d, parent = ", index);
  mlirAttributePrint(parent, print_to_text, &text);
  text_printf(&text, ", k_width = %d}>", k_width);
  return attribute_take_text(cache, &text);
}

/* ", lane = [[0, 1], [0, 2]]" */
static void print_bases(struct text *text, const struct linear_layout *layout,
                        enum layout_dim input) {
  text_printf(text, "%s%s = [", input == LAYOUT_REGISTER ? "" : ", ", layout_dim_name(input));
  int rank = layout_space_rank(&layout->out);
  for (int bit = 0; bit < layout->in.bits[input]; bit++) {
    uint32_t basis = linear_layout_basis(layout, input, bit);
    for (int dim = 0; dim < rank; dim++)
      text_printf(text, "%s%u",
                  dim   ? ", "
                  : bit ? ", ["
                        : "[",
                  (unsigned)layout_space_coordinate(&layout->out, basis, LAYOUT_DIM0 + dim));
    text_puts(text, "]");
  }
  text_puts(text, "]");
}

MlirAttribute linear_attribute(struct layout_cache *cache, const struct linear_layout *layout) {
  struct text text = {0};
  text_puts(&text, "#tile_gpu.linear<{");
  for (int input = LAYOUT_REGISTER; input <= LAYOUT_WARP; input++)
    print_bases(&text, layout, input);
  text_puts(&text, "}>");
  return attribute_take_text(cache, &text);
}

/* --- Reading ---------------------------------------------------------------------------------- */

MlirAttribute attribute_field(MlirAttribute dictionary, const char *name) {
  return mlirDictionaryAttrGetElementByName(dictionary, ref(name));
}

tile_status attribute_read_array(MlirAttribute dictionary, const char *name, int32_t *out,
                                 int *count) {
  MlirAttribute array = attribute_field(dictionary, name);
  if (mlirAttributeIsNull(array) || !mlirAttributeIsAArray(array))
    return FAIL(TILE_INVALID_ARGUMENT, "the layout has an array %s = [...]", name);
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
  TRY(attribute_read_array(dictionary, "size_per_thread", blocked->size_per_thread, &rank));
  TRY(attribute_read_array(dictionary, "threads_per_warp", blocked->threads_per_warp, &rank));
  TRY(attribute_read_array(dictionary, "warps_per_cta", blocked->warps_per_cta, &rank));
  TRY(attribute_read_array(dictionary, "order", blocked->order, &rank));
  blocked->rank = info->rank = rank;
  return blocked_layout_verify(blocked);
}

static tile_status read_slice(struct layout_cache *cache, MlirAttribute dictionary,
                              struct layout_info *info) {
  MlirAttribute axis = attribute_field(dictionary, "axis"),
                parent = attribute_field(dictionary, "parent");
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

tile_status attribute_read_integer(MlirAttribute dictionary, const char *name, int32_t *out) {
  MlirAttribute attribute = attribute_field(dictionary, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute) ||
      mlirTypeIsAIndex(mlirAttributeGetType(attribute)))
    return FAIL(TILE_INVALID_ARGUMENT, "the layout has an integer %s", name);
  int64_t value = mlirIntegerAttrGetValueInt(attribute);
  if (value < 0 || value > MAX_TILE_ELEMENTS)
    return FAIL(TILE_INVALID_ARGUMENT, "%s = %lld is out of range", name, (long long)value);
  *out = (int32_t)value;
  return NULL;
}

static tile_status read_mma(MlirAttribute dictionary, struct layout_info *info) {
  struct mma_layout *mma = &info->mma;
  TRY(attribute_read_integer(dictionary, "version", &mma->version));
  TRY(attribute_read_array(dictionary, "warps_per_cta", mma->warps_per_cta, &mma->rank));
  TRY(attribute_read_array(dictionary, "instr_shape", mma->instr_shape, &mma->rank));
  info->rank = mma->rank;
  return mma_layout_verify(mma);
}

static tile_status read_dot_operand(struct layout_cache *cache, MlirAttribute dictionary,
                                    struct layout_info *info) {
  MlirAttribute parent = attribute_field(dictionary, "parent");
  TRY(attribute_read_integer(dictionary, "index", &info->index));
  TRY(attribute_read_integer(dictionary, "k_width", &info->k_width));
  if (mlirAttributeIsNull(parent))
    return FAIL(TILE_INVALID_ARGUMENT, "a dot_operand layout has a parent, an mma layout");
  TRY(layout_decode(cache, parent, &info->parent));
  if (info->parent->kind != LAYOUT_KIND_MMA)
    return FAIL(TILE_INVALID_ARGUMENT, "the parent of a dot_operand layout is an mma layout");
  info->mma = info->parent->mma;
  info->rank = info->mma.rank;
  struct linear_layout unused;
  int64_t smallest[MAX_RANK];
  for (int i = 0; i < MAX_RANK; i++)
    smallest[i] = 1;
  return layout_from_dot_operand(&info->mma, info->index, info->k_width, smallest, info->rank,
                                 &unused);
}

/* One basis [i, j, ...]; the first one read sets the rank. */
static tile_status read_basis(MlirAttribute array, const char *name, int *rank,
                              struct layout_point *out) {
  *out = (struct layout_point){0};
  if (!mlirAttributeIsAArray(array))
    return FAIL(TILE_INVALID_ARGUMENT, "%s is a list of bases [i, j, ...]", name);
  intptr_t length = mlirArrayAttrGetNumElements(array);
  if (length < 1 || length > MAX_RANK || (*rank && *rank != length))
    return FAIL(TILE_INVALID_ARGUMENT,
                "a basis of %s has %d coordinates; all bases have one number of them, 1 to %d",
                name, (int)length, MAX_RANK);
  *rank = (int)length;
  for (intptr_t i = 0; i < length; i++) {
    MlirAttribute element = mlirArrayAttrGetElement(array, i);
    if (!mlirAttributeIsAInteger(element))
      return FAIL(TILE_INVALID_ARGUMENT, "%s holds integers", name);
    int64_t value = mlirIntegerAttrGetValueInt(element);
    if (value < 0 || value >= MAX_TILE_ELEMENTS)
      return FAIL(TILE_INVALID_ARGUMENT, "a coordinate %lld in %s is out of range",
                  (long long)value, name);
    out->at[LAYOUT_DIM0 + i] = (uint32_t)value;
  }
  return NULL;
}

/* What has been read of a linear layout: bases as coordinates, since sizes are known at the end
   only. */
struct bases {
  struct layout_point point[3][LAYOUT_MAX_BITS];
  int count[3], rank;
  struct layout_space space; /* the smallest that holds them all */
};

static tile_status read_bases(MlirAttribute dictionary, enum layout_dim input, int least, int most,
                              struct bases *out) {
  const char *name = layout_dim_name(input);
  MlirAttribute array = attribute_field(dictionary, name);
  if (mlirAttributeIsNull(array) || !mlirAttributeIsAArray(array))
    return FAIL(TILE_INVALID_ARGUMENT, "a linear layout has an array %s = [[...], ...]", name);
  intptr_t count = mlirArrayAttrGetNumElements(array);
  if (count < least || count > most)
    return FAIL(TILE_INVALID_ARGUMENT, "%s has %d bases; a linear layout has %d to %d", name,
                (int)count, least, most);
  out->count[input] = (int)count;
  for (intptr_t i = 0; i < count; i++) {
    struct layout_point *point = &out->point[input][i];
    TRY(read_basis(mlirArrayAttrGetElement(array, i), name, &out->rank, point));
    for (int dim = LAYOUT_DIM0; dim < LAYOUT_DIM0 + out->rank; dim++)
      while (point->at[dim] >> out->space.bits[dim])
        out->space.bits[dim]++;
  }
  return NULL;
}

static tile_status read_linear(MlirAttribute dictionary, struct layout_info *info) {
  enum { LANE_BITS = 5, WARP_BITS = 5 };
  struct bases bases = {0};
  TRY(read_bases(dictionary, LAYOUT_REGISTER, 0, LAYOUT_MAX_TENSOR_BITS, &bases));
  TRY(read_bases(dictionary, LAYOUT_LANE, LANE_BITS, LANE_BITS, &bases));
  TRY(read_bases(dictionary, LAYOUT_WARP, 0, WARP_BITS, &bases));
  for (int dim = 0; dim < bases.rank; dim++)
    bases.space.dims |= LAYOUT_SET(LAYOUT_DIM0 + dim);
  if (layout_space_total_bits(&bases.space) > LAYOUT_MAX_TENSOR_BITS)
    return FAIL(TILE_INVALID_ARGUMENT, "the bases reach more than 2^%d elements",
                LAYOUT_MAX_TENSOR_BITS);
  info->linear = linear_layout_into(&bases.space);
  for (int input = LAYOUT_REGISTER; input <= LAYOUT_WARP; input++) {
    linear_layout_declare_in(&info->linear, input);
    for (int i = 0; i < bases.count[input]; i++)
      linear_layout_append(&info->linear, input,
                           layout_space_pack(&bases.space, &bases.point[input][i]));
  }
  info->rank = bases.rank;
  if (!linear_layout_is_surjective(&info->linear))
    return FAIL(TILE_INVALID_ARGUMENT,
                "the bases do not reach every element; each coordinate bit is "
                "made by some XOR of bases");
  return NULL;
}

MlirAttribute attribute_open(struct layout_cache *cache, MlirAttribute attribute,
                             const char *const *kinds, int count, int *kind) {
  struct text text = {0}, start = {0};
  MlirAttribute inside = {0};
  mlirAttributePrint(attribute, print_to_text, &text);
  *kind = 0;
  for (int k = 1; k < count && !*kind; k++) {
    start.length = 0;
    text_printf(&start, "#tile_gpu.%s<", kinds[k]);
    if (strncmp(text_string(&text), text_string(&start), start.length) == 0)
      *kind = k;
  }
  if (*kind)
    inside =
        mlirAttributeParseGet(cache->context, mlirStringRefCreate(text.data + start.length,
                                                                  text.length - start.length - 1));
  text_free(&text);
  text_free(&start);
  return inside;
}

static tile_status read_kind(struct layout_cache *cache, MlirAttribute inside,
                             struct layout_info *info) {
  switch (info->kind) {
  case LAYOUT_KIND_BLOCKED:
    return read_blocked(inside, info);
  case LAYOUT_KIND_LINEAR:
    return read_linear(inside, info);
  case LAYOUT_KIND_MMA:
    return read_mma(inside, info);
  case LAYOUT_KIND_DOT_OPERAND:
    return read_dot_operand(cache, inside, info);
  case LAYOUT_KIND_SLICE:
  case LAYOUT_KIND_NONE:
    break;
  }
  return read_slice(cache, inside, info);
}

tile_status layout_decode(struct layout_cache *cache, MlirAttribute attribute,
                          const struct layout_info **out) {
  static const char *const kinds[] = {[LAYOUT_KIND_BLOCKED] = "blocked",
                                      [LAYOUT_KIND_SLICE] = "slice",
                                      [LAYOUT_KIND_LINEAR] = "linear",
                                      [LAYOUT_KIND_MMA] = "mma",
                                      [LAYOUT_KIND_DOT_OPERAND] = "dot_operand"};
  *out = map_get(&cache->infos, attribute.ptr);
  if (*out)
    return NULL;
  struct layout_info *info = ARENA_NEW(&cache->arena, struct layout_info);
  info->attribute = attribute;
  int kind;
  MlirAttribute inside =
      attribute_open(cache, attribute, kinds, LAYOUT_KIND_DOT_OPERAND + 1, &kind);
  info->kind = (enum layout_kind)kind;
  if (info->kind == LAYOUT_KIND_NONE || mlirAttributeIsNull(inside) ||
      !mlirAttributeIsADictionary(inside))
    return FAIL(TILE_INVALID_ARGUMENT,
                "a tensor's layout is #tile_gpu.blocked<{...}>, slice, linear, mma "
                "or dot_operand");
  TRY(read_kind(cache, inside, info));
  map_set(&cache->infos, attribute.ptr, info);
  *out = info;
  return NULL;
}

const struct layout_info *layout_of_type(struct layout_cache *cache, MlirType type) {
  const struct layout_info *info = NULL;
  if (type_is_tensor(type) && !mlirAttributeIsNull(type_layout(type)))
    tile_status_free(layout_decode(cache, type_layout(type), &info));
  return info;
}

int layout_operand_index(struct layout_cache *cache, MlirType type) {
  const struct layout_info *info = layout_of_type(cache, type);
  return info && info->kind == LAYOUT_KIND_DOT_OPERAND ? info->index : -1;
}

/* --- Linear layouts --------------------------------------------------------------------------- */

int layout_warps(const struct layout_info *info) {
  while (info->kind == LAYOUT_KIND_SLICE)
    info = info->parent;
  if (info->kind == LAYOUT_KIND_LINEAR)
    return (int)linear_layout_in_size(&info->linear, LAYOUT_WARP);
  if (info->kind == LAYOUT_KIND_MMA || info->kind == LAYOUT_KIND_DOT_OPERAND)
    return mma_layout_warps(&info->mma);
  return blocked_layout_warps(&info->blocked);
}

/* The layout of another shape than the bases': repeated in registers, the last dimension first, or
   cut, where what is beyond the end becomes copies. */
static tile_status fit_linear(const struct layout_info *info, const int64_t *shape, int rank,
                              struct linear_layout *out) {
  struct layout_space space;
  int32_t order[MAX_RANK];
  TRY(layout_space_from_shape(shape, rank, &space));
  if (rank != info->rank)
    return FAIL(TILE_INVALID_ARGUMENT, "a linear layout of %d dimensions for a tensor of %d",
                info->rank, rank);
  for (int i = 0; i < rank; i++)
    order[i] = rank - 1 - i;
  struct linear_layout fitted = linear_layout_fit(&info->linear, &space, order);
  *out = linear_layout_remove_zero_registers(&fitted);
  return NULL;
}

static tile_status build_linear(const struct layout_info *info, const int64_t *shape, int rank,
                                struct linear_layout *out) {
  if (info->kind == LAYOUT_KIND_BLOCKED)
    return layout_from_blocked(&info->blocked, shape, rank, out);
  if (info->kind == LAYOUT_KIND_LINEAR)
    return fit_linear(info, shape, rank, out);
  if (info->kind == LAYOUT_KIND_MMA)
    return layout_from_mma(&info->mma, shape, rank, out);
  if (info->kind == LAYOUT_KIND_DOT_OPERAND)
    return layout_from_dot_operand(&info->mma, info->index, info->k_width, shape, rank, out);
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
