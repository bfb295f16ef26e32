/* SPDX-License-Identifier: MIT */
/* See tensor_maps.h. */
#include "runtime/tensor_maps.h"

#include <inttypes.h>
#include <string.h>
#include "runtime/module.h"
#include "runtime/versions.h"

enum { UNIT = 16, MAX_BOX = 256 };
static const uint64_t max_size = UINT64_C(1) << 32, end_of_strides = UINT64_C(1) << 40;

/* --- Whatever the launch ---------------------------------------------------------------------- */

struct element {
  const char *name;
  uint32_t bytes;
  bool has_nan;
};

/* NULL for a type that no map has. */
static const struct element *find_element(const char *name) {
  static const struct element types[] = {
#define X(name, bytes, has_nan, cuda) {name, bytes, has_nan},
#include "runtime/tensor_map_types.def"
#undef X
  };
  for (size_t i = 0; name && i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0)
      return &types[i];
  return NULL;
}

static bool has_kind(const tile_kernel_info *kernel, uint32_t parameter, tile_argument_kind first,
                     tile_argument_kind last) {
  return parameter < kernel->parameter_count && kernel->parameters[parameter].kind >= first &&
         kernel->parameters[parameter].kind <= last;
}

static bool is_product(const tile_kernel_info *kernel, const tile_product *product) {
  if (product->factor < 0 || product->argument_count > TILE_PRODUCT_ARGUMENTS)
    return false;
  for (uint32_t i = 0; i < product->argument_count; i++)
    if (!has_kind(kernel, product->arguments[i], TILE_ARGUMENT_I8, TILE_ARGUMENT_I64))
      return false;
  return true;
}

const char *tensor_map_problem(const tile_kernel_info *kernel, const tile_tensor_map *map) {
  const struct element *type = find_element(map->type);
  if (!type)
    return "there are no elements of its type";
  if (map->rank < 1 || map->rank > TILE_TENSOR_MAP_RANK)
    return "it has 1 to 5 dimensions";
  if (!has_kind(kernel, map->base, TILE_ARGUMENT_POINTER, TILE_ARGUMENT_POINTER))
    return "its base is no pointer of the kernel's";
  for (uint32_t i = 0; i < map->rank; i++)
    if (!is_product(kernel, &map->sizes[i]) ||
        (i + 1 < map->rank && !is_product(kernel, &map->strides[i])))
      return "its sizes and strides are products of integers of the kernel's and a factor, which "
             "is "
             "not negative";
  for (uint32_t i = 0; i < map->rank; i++)
    if (map->box[i] < 1 || map->box[i] > MAX_BOX)
      return "a box has 1 to 256 elements along each dimension";
  uint32_t row = map->box[0] * type->bytes, swizzle = map->swizzle;
  if (row % UNIT)
    return "the rows of a box are multiples of 16 bytes";
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return "it swizzles 0, 32, 64 or 128 bytes";
  if (swizzle && row > swizzle)
    return "the rows of a box are no longer than what it swizzles";
  if (map->narrow >> map->rank)
    return "distances are counted in 32 bits along a dimension that it has not got";
  return map->pads_with_nan && !type->has_nan ? "its elements have no NaN" : NULL;
}

static bool products_equal(const tile_product *a, const tile_product *b) {
  return a->factor == b->factor && a->argument_count == b->argument_count &&
         memcmp(a->arguments, b->arguments, a->argument_count * sizeof *a->arguments) == 0;
}

static bool maps_equal(const tile_tensor_map *a, const tile_tensor_map *b) {
  bool equal = a->base == b->base && a->rank == b->rank && a->swizzle == b->swizzle &&
               a->pads_with_nan == b->pads_with_nan && a->stores == b->stores &&
               a->narrow == b->narrow && strcmp(a->type, b->type) == 0;
  for (uint32_t i = 0; i < a->rank && equal; i++)
    equal = a->box[i] == b->box[i] && products_equal(&a->sizes[i], &b->sizes[i]) &&
            (i + 1 == a->rank || products_equal(&a->strides[i], &b->strides[i]));
  return equal;
}

bool tensor_maps_equal(const tile_kernel_version *a, const tile_kernel_version *b) {
  bool equal = a->map_count == b->map_count;
  for (size_t i = 0; i < a->map_count && equal; i++)
    equal = maps_equal(&a->maps[i], &b->maps[i]);
  return equal;
}

/* --- Words ------------------------------------------------------------------------------------ */

static void print_parameter(const tile_kernel_info *kernel, uint32_t parameter, struct text *out) {
  const char *name = kernel->parameters[parameter].name;
  if (name[0])
    text_puts(out, name);
  else
    text_printf(out, "argument %u", (unsigned)parameter);
}

static void print_product(const tile_kernel_info *kernel, const tile_product *product,
                          struct text *out) {
  bool factor = product->factor != 1 || !product->argument_count;
  if (factor)
    text_printf(out, "%" PRId64, product->factor);
  for (uint32_t i = 0; i < product->argument_count; i++) {
    text_puts(out, factor || i ? " * " : "");
    print_parameter(kernel, product->arguments[i], out);
  }
}

void tensor_map_print(const tile_kernel_info *kernel, const tile_tensor_map *map,
                      struct text *out) {
  print_parameter(kernel, map->base, out);
  text_printf(out, ": %s, ", map->type);
  for (uint32_t i = 0; i < map->rank; i++) {
    text_puts(out, i ? " x " : "");
    print_product(kernel, &map->sizes[i], out);
  }
  for (uint32_t i = 0; i + 1 < map->rank; i++) {
    text_puts(out, i ? " and " : ", strides of ");
    print_product(kernel, &map->strides[i], out);
  }
  text_puts(out, map->rank > 1 ? " bytes, boxes of " : ", boxes of ");
  for (uint32_t i = 0; i < map->rank; i++)
    text_printf(out, "%s%u", i ? " x " : "", (unsigned)map->box[i]);
  if (map->swizzle)
    text_printf(out, ", swizzle %u", (unsigned)map->swizzle);
  text_puts(out, map->narrow ? ", distances of 32 bits" : "");
  text_puts(out, map->stores ? ", for stores" : map->pads_with_nan ? ", NaN outside" : "");
}

/* --- Values ----------------------------------------------------------------------------------- */

/* UINT64_MAX where it is too large, as is what is negative: no rule allows either. */
static uint64_t product_value(const tile_kernel *kernel, const tile_product *product,
                              const uint64_t *bits) {
  int64_t value = product->factor;
  for (uint32_t i = 0; i < product->argument_count; i++) {
    uint32_t argument = product->arguments[i];
    if (__builtin_mul_overflow(value, integer_of(&kernel->checks[argument], bits[argument]),
                               &value))
      return UINT64_MAX;
  }
  return (uint64_t)value;
}

static struct tensor_map_values values_of(const tile_kernel *kernel, const tile_tensor_map *map,
                                          const uint64_t *bits) {
  struct tensor_map_values values = {.base = bits[map->base]};
  for (uint32_t i = 0; i < map->rank; i++)
    values.sizes[i] = product_value(kernel, &map->sizes[i], bits);
  for (uint32_t i = 0; i + 1 < map->rank; i++)
    values.strides[i] = product_value(kernel, &map->strides[i], bits);
  return values;
}

/* Elements from the first to the last along the narrow dimensions; UINT64_MAX: too many. */
static uint64_t narrow_distance(const tile_tensor_map *map,
                                const struct tensor_map_values *values) {
  uint64_t sum = 0, bytes = find_element(map->type)->bytes;
  for (uint32_t i = 0; i < map->rank; i++) {
    uint64_t product;
    if (!(map->narrow >> i & 1))
      continue;
    if (__builtin_mul_overflow(values->sizes[i] - 1, i ? values->strides[i - 1] / bytes : 1,
                               &product) ||
        __builtin_add_overflow(sum, product, &sum))
      return UINT64_MAX;
  }
  return sum;
}

/* What the launch decides of a map's rules. `rule` is NULL where they are kept. */
struct broken_rule {
  const char *part, *rule;
  uint32_t dimension;
  uint64_t value;
};

static struct broken_rule broken_rule(const tile_tensor_map *map,
                                      const struct tensor_map_values *values) {
  if (!values->base || values->base % UNIT)
    return (struct broken_rule){"address", values->base ? "no multiple of 16" : "null", 0,
                                values->base};
  for (uint32_t i = 0; i < map->rank; i++)
    if (values->sizes[i] - 1 >= max_size) /* zero wraps around */
      return (struct broken_rule){"size", "not 1 to 2^32", i, values->sizes[i]};
  for (uint32_t i = 0; i + 1 < map->rank; i++)
    if (values->strides[i] % UNIT || values->strides[i] >= end_of_strides)
      return (struct broken_rule){
          "stride", values->strides[i] % UNIT ? "no multiple of 16" : "not below 2^40", i + 1,
          values->strides[i]};
  /* Stores write whole units: behind the end of a row as well. */
  uint64_t row = values->sizes[0] * find_element(map->type)->bytes;
  if (map->stores && row % UNIT)
    return (struct broken_rule){"size", "no multiple of 16 bytes, which stores write", 0,
                                values->sizes[0]};
  uint64_t distance = narrow_distance(map, values);
  if (distance > INT32_MAX)
    return (struct broken_rule){"extent", "not below 2^31, as far as the kernel counts", 0,
                                distance};
  return (struct broken_rule){0};
}

void tensor_maps_explain(const tile_kernel *kernel, const struct loaded_version *version,
                         const uint64_t *bits, struct text *out) {
  const tile_kernel_version *own = version->version.version;
  for (size_t i = 0; i < own->map_count; i++) {
    struct tensor_map_values values = values_of(kernel, &own->maps[i], bits);
    struct broken_rule broken = broken_rule(&own->maps[i], &values);
    if (!broken.rule)
      continue;
    text_puts(out, "a tensor map of ");
    print_parameter(kernel->info, own->maps[i].base, out);
    text_printf(out, ", whose %s", broken.part);
    if (broken.part[0] == 's')
      text_printf(out, " along dimension %u", (unsigned)broken.dimension);
    text_printf(out, broken.part[0] == 'a' ? ", 0x%" PRIx64 ", is %s" : ", %" PRId64 ", is %s",
                broken.value, broken.rule);
    return;
  }
  if (version->split_rows)
    condition_print(kernel->info, version->split_rows, out);
  else
    text_puts(out, "tensor maps that the driver makes");
}

/* --- Bytes ------------------------------------------------------------------------------------ */

enum {
  ENTRIES = 8,
  KEY_WORDS = sizeof(struct tensor_map_values) / 8,
  WORDS = TILE_TENSOR_MAP_BYTES / 8
};

/* `changes` is odd while somebody writes. Words are read and written one by one; that a reader's
   are of one state is told by `changes`, which it reads before and after them. */
struct tensor_map_entry {
  _Atomic uint64_t changes, key[KEY_WORDS], words[WORDS];
};

struct tensor_map_table {
  struct tensor_map_entry entries[ENTRIES];
};

struct tensor_map_table *tensor_map_tables_create(struct arena *arena, size_t count) {
  return count ? ARENA_ARRAY(arena, struct tensor_map_table, count) : NULL;
}

static struct tensor_map_entry *entry_for(struct tensor_map_table *table, const uint64_t *key) {
  uint64_t hash = 0;
  for (int i = 0; i < KEY_WORDS; i++)
    hash = (hash ^ key[i]) * 0x9E3779B97F4A7C15;
  return &table->entries[(hash >> 32) % ENTRIES];
}

/* What is read with `acquire` is read before what follows. */
static bool find_entry(struct tensor_map_entry *entry, const uint64_t *key, uint64_t *out) {
  uint64_t before = atomic_load_explicit(&entry->changes, memory_order_acquire), different = 0;
  for (int i = 0; i < KEY_WORDS; i++)
    different |= atomic_load_explicit(&entry->key[i], memory_order_acquire) ^ key[i];
  if (different || before % 2)
    return false;
  for (int i = 0; i < WORDS; i++)
    out[i] = atomic_load_explicit(&entry->words[i], memory_order_acquire);
  return atomic_load_explicit(&entry->changes, memory_order_relaxed) == before;
}

static void keep_entry(struct tensor_map_entry *entry, const uint64_t *key, const uint64_t *words) {
  uint64_t before = atomic_load_explicit(&entry->changes, memory_order_relaxed);
  if (before % 2 ||
      !atomic_compare_exchange_strong_explicit(&entry->changes, &before, before + 1,
                                               memory_order_acquire, memory_order_relaxed))
    return;
  for (int i = 0; i < KEY_WORDS; i++)
    atomic_store_explicit(&entry->key[i], key[i], memory_order_release);
  for (int i = 0; i < WORDS; i++)
    atomic_store_explicit(&entry->words[i], words[i], memory_order_release);
  atomic_store_explicit(&entry->changes, before + 2, memory_order_release);
}

static bool make(const tile_kernel *kernel, const tile_tensor_map *map,
                 const struct tensor_map_values *values, struct tensor_map_table *table,
                 struct tensor_map_bytes *out) {
  uint64_t key[KEY_WORDS];
  memcpy(key, values, sizeof key);
  struct tensor_map_entry *entry = entry_for(table, key);
  if (find_entry(entry, key, out->words))
    return true;
  const tile_device *device = kernel->module->device;
  tile_status status = device->driver->tensor_map_encode(device->handle, map, values, out);
  bool made = !status;
  tile_status_free(status);
  if (made)
    keep_entry(entry, key, out->words);
  return made;
}

bool tensor_maps_make(const tile_kernel *kernel, const struct loaded_version *version,
                      const uint64_t *bits, struct tensor_map_bytes *out) {
  const tile_kernel_version *own = version->version.version;
  uint64_t row_bytes = version->split_rows ? (uint64_t)version->split_rows->value : 1;
  bool split = !version->split_rows;
  struct tensor_map_values values[RUNTIME_MAP_LIMIT];
  for (size_t i = 0; i < own->map_count; i++) {
    values[i] = values_of(kernel, &own->maps[i], bits);
    if (broken_rule(&own->maps[i], &values[i]).rule)
      return false;
    split |= own->maps[i].rank > 1 && !own->maps[i].stores && values[i].strides[0] % row_bytes != 0;
  }
  if (!split)
    return false;
  for (size_t i = 0; i < own->map_count; i++)
    if (!make(kernel, &own->maps[i], &values[i], &version->map_tables[i], &out[i]))
      return false;
  return true;
}
