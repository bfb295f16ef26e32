/* SPDX-License-Identifier: MIT */
/* tile-image list: what is in an image, for people and as JSON. */
#include <inttypes.h>
#include "runtime/metadata.h"
#include "runtime/tensor_maps.h"
#include "runtime/versions.h"
#include "tile_image.h"

static const char *text_of(const char *text) {
  return text ? text : "";
}

void image_print_section(const tile_section *section, struct text *out) {
  const char *target = section_target(section);
  static const char *const formats[] = {
      [TILE_IMAGE_PTX] = "PTX", [TILE_IMAGE_CUBIN] = "cubin", [TILE_IMAGE_OBJECT] = "emulator"};
  text_printf(out, "%s %s", target[0] ? target : "any device", formats[section->format]);
}

/* --- For people ------------------------------------------------------------------------------- */

static void list_section(const tile_section *section, size_t index, struct text *out) {
  text_printf(out, "section %zu: ", index);
  image_print_section(section, out);
  text_printf(out, ", %zu bytes", section->size);
  if (text_of(section->ptx_isa)[0])
    text_printf(out, section->format == TILE_IMAGE_OBJECT ? ", toolkit %s" : ", PTX ISA %s",
                section->ptx_isa);
  if (section->minimum_driver)
    text_printf(out, ", driver for CUDA %d.%d", section->minimum_driver / 1000,
                section->minimum_driver % 1000 / 10);
  text_puts(out, "\n");
}

static void list_parameter(const tile_parameter *parameter, struct text *out) {
  if (parameter->name[0])
    text_printf(out, "%s: ", parameter->name);
  text_printf(out, "%s%s", parameter->kind == TILE_ARGUMENT_POINTER ? "*" : "", parameter->type);
  if (parameter->divisibility > 1)
    text_printf(out, " divisible by %u", (unsigned)parameter->divisibility);
}

static void list_version(const tile_image *image, const tile_kernel_info *kernel,
                         const tile_kernel_version *version, struct text *out) {
  text_printf(out, "  version %u: section %zu (", (unsigned)version->index,
              version_section_index(image, version));
  image_print_section(version->section, out);
  text_printf(out, "), %u warp%s", (unsigned)version->num_warps,
              version->num_warps == 1 ? "" : "s");
  if (version->programs_per_block > 1)
    text_printf(out, ", %u programs a block", (unsigned)version->programs_per_block);
  else if (version->threads != 32 * version->num_warps)
    text_printf(out, ", %u threads a block", (unsigned)version->threads);
  if (version->resident_blocks)
    text_printf(out, ", %u resident block%s that take programs in turn",
                (unsigned)version->resident_blocks, version->resident_blocks == 1 ? "" : "s");
  if (version->part_bytes)
    text_printf(out, ", %u bytes for each block's part of a shared program",
                (unsigned)version->part_bytes);
  if (version->cluster_blocks)
    text_printf(out, ", clusters of %u", (unsigned)version->cluster_blocks);
  text_printf(out, ", %u bytes shared", (unsigned)version->shared_bytes);
  if (version->registers)
    text_printf(out, ", %u registers", (unsigned)version->registers);
  if (version->registers)
    text_printf(out, ", %u bytes local, %u spilled", (unsigned)version->local_bytes,
                (unsigned)version->spill_bytes);
  if (strcmp(version->symbol, kernel->name) != 0)
    text_printf(out, ", symbol %s", version->symbol);
  if (text_of(version->config)[0])
    text_printf(out, ", configuration %s", version->config);
  text_puts(out, "\n");
  for (size_t i = 0; i < version->constant_count; i++)
    text_printf(out, "%s%s = %s%s", i ? ", " : "    with ", version->constants[i].name,
                version->constants[i].value, i + 1 == version->constant_count ? "\n" : "");
  for (size_t i = 0; i < version->condition_count; i++) {
    text_puts(out, i ? ", " : "    when ");
    condition_print(kernel, &version->conditions[i], out);
    text_puts(out, i + 1 == version->condition_count ? "\n" : "");
  }
  for (size_t i = 0; i < version->map_count; i++) {
    text_puts(out, "    tensor map of ");
    tensor_map_print(kernel, &version->maps[i], out);
    text_puts(out, "\n");
  }
}

void image_list(const char *path, const tile_image *image, struct text *out) {
  text_printf(out, "%s: %zu section%s, %zu kernel%s\n", path, image->section_count,
              image->section_count == 1 ? "" : "s", image->kernel_count,
              image->kernel_count == 1 ? "" : "s");
  for (size_t i = 0; i < image->section_count; i++)
    list_section(&image->sections[i], i, out);
  for (size_t i = 0; i < image->kernel_count; i++) {
    const tile_kernel_info *kernel = &image->kernels[i];
    text_printf(out, "kernel %s(", kernel->name);
    for (size_t p = 0; p < kernel->parameter_count; p++) {
      text_puts(out, p ? ", " : "");
      list_parameter(&kernel->parameters[p], out);
    }
    text_puts(out, ")\n");
    for (size_t v = 0; v < kernel->version_count; v++)
      list_version(image, kernel, &kernel->versions[v], out);
  }
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_string(const char *key, const char *value, struct text *out) {
  text_printf(out, "\"%s\": ", key);
  text_json_string(out, text_of(value));
}

static void json_sections(const tile_image *image, struct text *out) {
  for (size_t i = 0; i < image->section_count; i++) {
    const tile_section *section = &image->sections[i];
    text_puts(out, i ? ", {" : "{");
    put_string("format", metadata_format_name((int)section->format), out);
    text_puts(out, ", ");
    put_string("target", section_target(section), out);
    text_puts(out, ", ");
    put_string("isa", section->ptx_isa, out);
    text_printf(out, ", \"driver\": %d, \"bytes\": %zu}", section->minimum_driver, section->size);
  }
}

static void json_parameters(const tile_kernel_info *kernel, struct text *out) {
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    const tile_parameter *parameter = &kernel->parameters[i];
    text_puts(out, i ? ", {" : "{");
    put_string("name", parameter->name, out);
    text_puts(out, ", ");
    put_string("kind", tile_argument_kind_name(parameter->kind), out);
    text_puts(out, ", ");
    put_string("type", parameter->type, out);
    text_printf(out, ", \"divisibility\": %u}", (unsigned)parameter->divisibility);
  }
}

/* Each a list of the factor and the numbers of parameters. */
static void json_products(const char *key, const tile_product *products, uint32_t count,
                          struct text *out) {
  text_printf(out, ", \"%s\": [", key);
  for (uint32_t i = 0; i < count; i++) {
    text_printf(out, "%s[%" PRId64, i ? ", " : "", products[i].factor);
    for (uint32_t a = 0; a < products[i].argument_count; a++)
      text_printf(out, ", %u", (unsigned)products[i].arguments[a]);
    text_puts(out, "]");
  }
  text_puts(out, "]");
}

static void json_map(const tile_tensor_map *map, struct text *out) {
  text_printf(out, "{\"base\": %u, ", (unsigned)map->base);
  put_string("type", map->type, out);
  json_products("sizes", map->sizes, map->rank, out);
  json_products("strides", map->strides, map->rank - 1, out);
  for (uint32_t i = 0; i < map->rank; i++)
    text_printf(out, "%s%u", i ? ", " : ", \"box\": [", (unsigned)map->box[i]);
  text_printf(out, "], \"swizzle\": %u, \"nan\": %s, \"stores\": %s}", (unsigned)map->swizzle,
              map->pads_with_nan ? "true" : "false", map->stores ? "true" : "false");
}

static void json_version(const tile_image *image, const tile_kernel_version *version,
                         struct text *out) {
  text_printf(out, "{\"section\": %zu, ", version_section_index(image, version));
  put_string("symbol", version->symbol, out);
  text_printf(out,
              ", \"warps\": %u, \"threads\": %u, \"programs\": %u, \"resident\": %u, \"part\": %u, "
              "\"cluster\": %u, \"shared\": %u, "
              "\"registers\": ",
              (unsigned)version->num_warps, (unsigned)version->threads,
              (unsigned)version->programs_per_block, (unsigned)version->resident_blocks,
              (unsigned)version->part_bytes, (unsigned)version->cluster_blocks,
              (unsigned)version->shared_bytes);
  if (version->registers)
    text_printf(out, "%u, \"local\": %u, \"spilled\": %u", (unsigned)version->registers,
                (unsigned)version->local_bytes, (unsigned)version->spill_bytes);
  else
    text_puts(out, "null, \"local\": null, \"spilled\": null");
  text_puts(out, ", \"config\": ");
  if (text_of(version->config)[0])
    text_json_string(out, version->config);
  else
    text_puts(out, "null");
  text_puts(out, ", \"constants\": {");
  for (size_t i = 0; i < version->constant_count; i++) {
    text_puts(out, i ? ", " : "");
    text_json_string(out, version->constants[i].name);
    text_puts(out, ": ");
    text_json_string(out, version->constants[i].value);
  }
  text_puts(out, "}, \"conditions\": [");
  for (size_t i = 0; i < version->condition_count; i++) {
    const tile_condition *condition = &version->conditions[i];
    text_puts(out, i ? ", {" : "{");
    put_string("kind", tile_condition_kind_name(condition->kind), out);
    if (condition_has_argument(condition))
      text_printf(out, ", \"argument\": %u", (unsigned)condition->argument);
    if (condition->kind != TILE_CONDITION_ABSENT)
      text_printf(out, ", \"value\": %" PRId64, condition->value);
    text_puts(out, "}");
  }
  text_puts(out, "], \"maps\": [");
  for (size_t i = 0; i < version->map_count; i++) {
    text_puts(out, i ? ", " : "");
    json_map(&version->maps[i], out);
  }
  text_puts(out, "]}");
}

void image_list_json(const char *path, const tile_image *image, struct text *out) {
  text_puts(out, "{");
  put_string("file", path, out);
  text_puts(out, ", \"sections\": [");
  json_sections(image, out);
  text_puts(out, "], \"kernels\": [");
  for (size_t i = 0; i < image->kernel_count; i++) {
    const tile_kernel_info *kernel = &image->kernels[i];
    text_puts(out, i ? ", {" : "{");
    put_string("name", kernel->name, out);
    text_puts(out, ", \"parameters\": [");
    json_parameters(kernel, out);
    text_puts(out, "], \"versions\": [");
    for (size_t v = 0; v < kernel->version_count; v++) {
      text_puts(out, v ? ", " : "");
      json_version(image, &kernel->versions[v], out);
    }
    text_puts(out, "]}");
  }
  text_puts(out, "]}\n");
}
