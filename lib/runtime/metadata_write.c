/* SPDX-License-Identifier: MIT */
/* Writing the lines of tile/image.h. */
#include <inttypes.h>
#include "base/text.h"
#include "runtime/metadata.h"
#include "runtime/versions.h"

static void write_word(struct text *out, const char *key, const char *value) {
  text_printf(out, "%s=", key);
  for (const unsigned char *c = (const unsigned char *)value; *c; c++)
    if (*c > ' ' && *c < 0x7F && *c != '%')
      text_append(out, (const char *)c, 1);
    else
      text_printf(out, "%%%02X", *c);
}

static void write_section(const tile_section *section, const struct section_place *place,
                          struct text *out) {
  text_printf(out, METADATA_SECTION "format=%s ", metadata_format_name(section->format));
  write_word(out, "target", section_target(section));
  write_word(out, " isa", section->ptx_isa ? section->ptx_isa : "");
  text_printf(out, " driver=%d", section->minimum_driver);
  if (place->has_place)
    text_printf(out, " offset=%" PRIu64 " bytes=%" PRIu64, place->offset, place->size);
  if (place->has_check)
    text_printf(out, " check=%016" PRIX64, place->check);
  text_puts(out, "\n");
}

static void write_parameter(const tile_parameter *parameter, struct text *out) {
  write_word(out, METADATA_ARGUMENT "name", parameter->name);
  write_word(out, " kind", tile_argument_kind_name(parameter->kind));
  write_word(out, " type", parameter->type);
  text_printf(out, " divisibility=%u\n", (unsigned)parameter->divisibility);
}

static void write_condition(const tile_condition *condition, struct text *out) {
  text_printf(out, METADATA_CONDITION "kind=%s", tile_condition_kind_name(condition->kind));
  if (condition_has_argument(condition))
    text_printf(out, " argument=%u", (unsigned)condition->argument);
  if (condition->kind != TILE_CONDITION_ABSENT)
    text_printf(out, " value=%" PRId64, condition->value);
  text_puts(out, "\n");
}

static void write_products(const char *key, const tile_product *products, uint32_t count,
                           struct text *out) {
  text_printf(out, " %s=", key);
  for (uint32_t i = 0; i < count; i++) {
    text_printf(out, "%s%" PRId64, i ? "," : "", products[i].factor);
    for (uint32_t a = 0; a < products[i].argument_count; a++)
      text_printf(out, "*%u", (unsigned)products[i].arguments[a]);
  }
}

static void write_map(const tile_tensor_map *map, struct text *out) {
  text_printf(out, METADATA_MAP "base=%u", (unsigned)map->base);
  write_word(out, " type", map->type);
  write_products("sizes", map->sizes, map->rank, out);
  write_products("strides", map->strides, map->rank - 1, out);
  for (uint32_t i = 0; i < map->rank; i++)
    text_printf(out, "%s%u", i ? "," : " box=", (unsigned)map->box[i]);
  text_printf(out, " swizzle=%u narrow=%u outside=%s\n", (unsigned)map->swizzle,
              (unsigned)map->narrow,
              map->stores          ? "none"
              : map->pads_with_nan ? "nan"
                                   : "zero");
}

static void write_version(const tile_image *image, const tile_kernel_info *kernel,
                          const tile_kernel_version *version, struct text *out) {
  text_printf(out, METADATA_VERSION "section=%zu ", version_section_index(image, version));
  write_word(out, "symbol", version_symbol(kernel, version));
  text_printf(out, " warps=%u threads=%u shared=%u programs=%u", (unsigned)version->num_warps,
              (unsigned)version->threads, (unsigned)version->shared_bytes,
              version->programs_per_block ? (unsigned)version->programs_per_block : 1);
  if (version->resident_blocks)
    text_printf(out, " resident=%u", (unsigned)version->resident_blocks);
  if (version->part_bytes)
    text_printf(out, " part=%u", (unsigned)version->part_bytes);
  if (version->cluster_blocks)
    text_printf(out, " cluster=%u", (unsigned)version->cluster_blocks);
  if (version->registers)
    text_printf(out, " registers=%u local=%u spills=%u", (unsigned)version->registers,
                (unsigned)version->local_bytes, (unsigned)version->spill_bytes);
  if (version->config && *version->config)
    write_word(out, " config", version->config);
  text_puts(out, "\n");
  for (size_t i = 0; i < version->constant_count; i++) {
    write_word(out, METADATA_CONSTANT "name", version->constants[i].name);
    write_word(out, " value", version->constants[i].value);
    text_puts(out, "\n");
  }
  for (size_t i = 0; i < version->condition_count; i++)
    write_condition(&version->conditions[i], out);
  for (size_t i = 0; i < version->map_count; i++)
    write_map(&version->maps[i], out);
}

void metadata_close(struct text *out, size_t start) {
  size_t length = out->length - start;
  uint64_t sum = metadata_checksum(out->data + start, length);
  text_printf(out, "%s bytes=%zu check=%016" PRIX64 "\n", METADATA_CLOSING, length, sum);
}

void metadata_write(const tile_image *image, const struct section_place *places, struct text *out) {
  size_t start = out->length;
  text_printf(out, METADATA_OPENING "%d\n", METADATA_NUMBER);
  for (size_t i = 0; i < image->section_count; i++)
    write_section(&image->sections[i], &places[i], out);
  for (size_t i = 0; i < image->kernel_count; i++) {
    const tile_kernel_info *kernel = &image->kernels[i];
    write_word(out, METADATA_KERNEL "name", kernel->name);
    text_puts(out, "\n");
    for (size_t p = 0; p < kernel->parameter_count; p++)
      write_parameter(&kernel->parameters[p], out);
    for (size_t v = 0; v < kernel->version_count; v++)
      write_version(image, kernel, &kernel->versions[v], out);
  }
  metadata_close(out, start);
}
