/* SPDX-License-Identifier: MIT */
/* NAME.c: the image as numbers, a description of the kernels, and functions that hand their
   arguments on. */
#include <inttypes.h>
#include <string.h>
#include "ahead/c_file.h"
#include "ahead/names.h"
#include "runtime/embedded.h"
#include "tile/version.h"

/* Numbers of eight bytes, the first byte lowest: what compilers read much faster than single bytes,
   and shorter. */
static void print_image(struct text *out, const struct c_file *file) {
  const unsigned char *bytes = file->image;
  text_printf(out, "/* The image: %zu bytes. */\nstatic const uint64_t tile_image_words[] = {",
              file->image_size);
  for (size_t i = 0; i < file->image_size; i += 8) {
    uint64_t word = 0;
    for (size_t k = 0; k < 8 && i + k < file->image_size; k++)
      word |= (uint64_t)bytes[i + k] << (8 * k);
    text_printf(out, "%s0x%" PRIx64 "u,", i % 32 ? "" : "\n", word);
  }
  text_puts(out, "};\n\n");
}

static bool same_grid(const struct c_version *a, const struct c_version *b) {
  for (int i = 0; i < 3; i++)
    if (!a->grid[i] != !b->grid[i] || (a->grid[i] && strcmp(a->grid[i], b->grid[i]) != 0))
      return false;
  return true;
}

static void print_sizes(struct text *out, const struct c_version *version, const char *indent) {
  for (int i = 0; i < 3 && version->grid[i]; i++)
    text_printf(out, "%sout->size[%d] = %s;\n", indent, i, version->grid[i]);
}

/* One case for each version, unless all have the same grid. */
static void print_grid(struct text *out, const struct c_kernel *kernel) {
  bool same = true;
  for (size_t i = 1; i < kernel->version_count; i++)
    same = same && same_grid(&kernel->versions[0], &kernel->versions[i]);
  text_printf(out,
              "static void tile_grid_of_%s(uint32_t version, void *const *arguments, "
              "tile_embedded_grid *out) {\n"
              "  bool *bad = &out->bad;\n  (void)version, (void)arguments, (void)bad;\n",
              kernel->function);
  if (same) {
    print_sizes(out, &kernel->versions[0], "  ");
  } else {
    text_puts(out, "  switch (version) {\n");
    for (size_t i = 0; i < kernel->version_count; i++) {
      text_printf(out, "  case %zu:\n", i);
      print_sizes(out, &kernel->versions[i], "    ");
      text_puts(out, "    break;\n");
    }
    text_puts(out, "  }\n");
  }
  text_puts(out, "}\n\n");
}

static void print_description(struct text *out, const struct c_file *file) {
  text_puts(out, "static const tile_embedded_kernel tile_kernels[] = {\n");
  for (size_t i = 0; i < file->kernel_count; i++) {
    const struct c_kernel *kernel = &file->kernels[i];
    text_puts(out, "    {");
    c_print_string(out, kernel->name);
    text_puts(out, ", \"");
    for (size_t k = 0; k < kernel->parameter_count; k++)
      text_printf(out, "%c", embedded_kind_letter(kernel->parameters[k].kind));
    text_puts(out, "\", ");
    text_printf(out, kernel->grid ? "tile_grid_of_%s, " : "NULL, ", kernel->function);
    c_print_string(out, kernel->grid ? kernel->grid : "");
    text_puts(out, "},\n");
  }
  text_puts(out, "};\n\nstatic tile_embedded tile_embedded_image = {");
  c_print_string(out, file->name);
  text_printf(out, ", tile_image_words, %zu, tile_kernels, %zu, 0};\n\n", file->image_size,
              file->kernel_count);
}

static void print_functions(struct text *out, const struct c_kernel *kernel, size_t index) {
  c_print_prototype(out, kernel);
  text_puts(out, " {\n");
  if (!kernel->grid)
    text_puts(out, "  const uint32_t tile_grid[3] = {grid_x, grid_y, grid_z};\n");
  if (kernel->parameter_count)
    text_puts(out, "  void *const tile_arguments[] = {");
  for (size_t i = 0; i < kernel->parameter_count; i++)
    text_printf(out, "%s&%s", i ? ", " : "", kernel->parameters[i].c_name);
  text_puts(out, kernel->parameter_count ? "};\n" : "");
  text_printf(
      out,
      "  return tile_embedded_launch(&tile_embedded_image, %zu, device, stream, %s, %s);\n}\n\n",
      index, kernel->grid ? "NULL" : "tile_grid",
      kernel->parameter_count ? "tile_arguments" : "NULL");
  text_printf(out,
              "tile_status %s_kernel(tile_device *device, tile_kernel **out) {\n"
              "  return tile_embedded_get(&tile_embedded_image, %zu, device, out);\n}\n\n",
              kernel->function, index);
}

/* The part of a path after the last '/'. */
void c_write_source(struct text *out, const struct c_file *file) {
  text_puts(out, "/* Kernels of ");
  c_print_comment(out, file->from);
  text_printf(out, ", compiled ahead of time. Written by tile-translate %s; do not edit. */\n",
              tile_version()->text);
  text_printf(out, "#include \"%s.h\"\n#include \"tile/embedded.h\"\n\n",
              after_last(file->name, '/'));
  print_image(out, file);
  for (size_t i = 0; i < file->kernel_count; i++)
    if (file->kernels[i].grid)
      print_grid(out, &file->kernels[i]);
  print_description(out, file);
  for (size_t i = 0; i < file->kernel_count; i++)
    print_functions(out, &file->kernels[i], i);
  text_printf(out,
              "void %s_unload(tile_device *device) {\n  tile_embedded_unload(&tile_embedded_image, "
              "device);\n}\n",
              file->identifier);
}
