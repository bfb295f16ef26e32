/* SPDX-License-Identifier: MIT */
/* Images in memory and on disk. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "runtime/image.h"

#include <stdlib.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "runtime/metadata.h"

struct owned_image *image_create(void) {
  struct owned_image *image = tile_allocate(sizeof *image);
  *image = (struct owned_image){0};
  return image;
}

void tile_image_free(tile_image *image) {
  if (!image)
    return;
  struct owned_image *owned = (struct owned_image *)image;
  if (owned->destroy_data)
    owned->destroy_data(owned->data);
  arena_destroy(&owned->arena);
  free(owned);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static const char elf_magic[] = {0x7F, 'E', 'L', 'F'};

static bool looks_like_elf(const char *bytes, size_t size) {
  return size >= sizeof elf_magic && memcmp(bytes, elf_magic, sizeof elf_magic) == 0;
}

/* PTX is text with a .version directive; comments may stand before it. */
static bool looks_like_ptx(const char *bytes, size_t size) {
  return size > 0 && !memchr(bytes, 0, size) && memmem(bytes, size, ".version", 8);
}

static bool looks_like(tile_image_format format, const char *bytes, size_t size) {
  return format == TILE_IMAGE_PTX ? looks_like_ptx(bytes, size) : looks_like_elf(bytes, size);
}

/* What is being read. */
struct source {
  const char *name, *bytes;
  size_t code; /* bytes before the metadata */
  bool container;
  uint64_t used; /* end of the last section */
  bool is_changed, is_unchecked;
};

static tile_status find_section(struct source *source, size_t index, struct section_place *place) {
  if (place->has_place != source->container || (source->container && !place->has_check))
    return FAIL(
        TILE_BAD_IMAGE,
        "'%s': the metadata does not say where section %zu lies and what its checksum is, or "
        "says so of a file that is no container",
        source->name, index);
  if (!source->container)
    *place = (struct section_place){
        .size = source->code, .check = place->check, .has_check = place->has_check};
  if (place->offset > source->code || place->size > source->code - place->offset ||
      place->offset < source->used)
    return FAIL(TILE_BAD_IMAGE, "'%s': section %zu does not lie inside the file, or on another one",
                source->name, index);
  for (; source->used < place->offset; source->used++)
    if (source->bytes[source->used])
      return FAIL(TILE_BAD_IMAGE, "'%s': something stands between the sections", source->name);
  source->used = place->offset + place->size;
  source->is_unchecked |= !place->has_check;
  if (place->has_check &&
      metadata_checksum(source->bytes + place->offset, place->size) != place->check) {
    source->is_changed = true;
    if (!source->container && looks_like_ptx(source->bytes, place->size))
      return NULL; /* text, which people change by hand: tile-image verify tells */
    return FAIL(TILE_BAD_IMAGE,
                "'%s': section %zu is damaged, its checksum is another one; make the image anew",
                source->name, index);
  }
  return NULL;
}

static tile_status read_sections(struct source *source, struct metadata *metadata,
                                 struct arena *arena) {
  if (!source->container && metadata->section_count == 1 &&
      metadata->sections->format == TILE_IMAGE_OBJECT)
    return FAIL(TILE_BAD_IMAGE, "'%s': an emulator's object stands in a container", source->name);
  if (!source->container && metadata->section_count != 1)
    return FAIL(TILE_BAD_IMAGE, "'%s': the metadata counts %zu sections, such a file has one",
                source->name, metadata->section_count);
  for (size_t i = 0; i < metadata->section_count; i++) {
    tile_section *section = &metadata->sections[i];
    struct section_place *place = &metadata->places[i];
    TRY(find_section(source, i, place));
    const char *bytes = source->bytes + place->offset;
    if (!looks_like(section->format, bytes, place->size))
      return FAIL(TILE_BAD_IMAGE, "'%s': section %zu is not the %s that the metadata names",
                  source->name, i,
                  section->format == TILE_IMAGE_PTX     ? "PTX"
                  : section->format == TILE_IMAGE_CUBIN ? "cubin"
                                                        : "object");
    section->data = arena_copy_string(arena, bytes, place->size);
    section->size = place->size;
  }
  for (; source->used < source->code; source->used++)
    if (source->container && source->bytes[source->used])
      return FAIL(TILE_BAD_IMAGE, "'%s': something stands after the sections", source->name);
  return NULL;
}

static tile_status fill(struct owned_image *owned, const char *name, const char *bytes,
                        size_t size) {
  struct source source = {
      .name = name, .bytes = bytes, .code = size, .container = container_begins(bytes, size)};
  struct metadata metadata;
  size_t block = 0;
  tile_status found = metadata_find(name, bytes, size, &source.code, &block);
  if (!source.container && !looks_like_elf(bytes, size) && !looks_like_ptx(bytes, source.code)) {
    tile_status_free(found);
    return FAIL(TILE_BAD_IMAGE,
                "'%s' %s: it is neither PTX nor a cubin, nor a container of such or of programs "
                "for the emulator",
                name, size ? "is no image" : "is empty");
  }
  tile_status header = source.container ? container_check(name, bytes, size) : NULL;
  if (header) {
    tile_status_free(found);
    return header;
  }
  TRY(found);
  source.used = source.container ? CONTAINER_HEADER_BYTES : 0;
  TRY(metadata_read(name, bytes + source.code, block, &owned->arena, &metadata));
  TRY(read_sections(&source, &metadata, &owned->arena));
  owned->is_changed = source.is_changed;
  owned->is_unchecked = source.is_unchecked;
  owned->image = (tile_image){.sections = metadata.sections,
                              .section_count = metadata.section_count,
                              .kernels = metadata.kernels,
                              .kernel_count = metadata.kernel_count};
  return metadata_check(name, &owned->image);
}

tile_status tile_image_parse(const char *name, const void *bytes, size_t size, tile_image **out) {
  TRY(REQUIRED(name, out));
  if (size)
    TRY(REQUIRED(bytes));
  struct owned_image *owned = image_create();
  tile_status status = fill(owned, name, bytes, size);
  if (status)
    tile_image_free(&owned->image);
  else
    *out = &owned->image;
  return status;
}

tile_status tile_image_read(const char *path, tile_image **out) {
  TRY(REQUIRED(path, out));
  struct text file = {0};
  tile_status status = file_read(path, &file);
  if (!status)
    status = tile_image_parse(path, file.data, file.length, out);
  text_free(&file);
  return status;
}

/* --- Writing ---------------------------------------------------------------------------------- */

tile_status image_append(const tile_image *image, struct text *out) {
  for (size_t i = 0; i < image->section_count; i++)
    if (image->sections[i].format == TILE_IMAGE_EMULATOR)
      return FAIL(TILE_UNSUPPORTED,
                  "an emulator program lives in memory only; write PTX, a cubin or an object");
  /* What stands alone must be what other tools take for itself. */
  if (image->section_count != 1 || image->sections->format == TILE_IMAGE_OBJECT) {
    container_append(image, out);
    return NULL;
  }
  const tile_section *section = image->sections;
  size_t start = out->length;
  text_append(out, section->data, section->size);
  if (section->format == TILE_IMAGE_PTX && out->data[out->length - 1] != '\n')
    text_puts(out, "\n");
  struct section_place place = {.has_check = true,
                                .check = metadata_checksum(out->data + start, out->length - start)};
  metadata_write(image, &place, out);
  return NULL;
}

/* What is written can be read: images may have been filled in by hand. */
static tile_status append_checked(const tile_image *image, struct text *out) {
  TRY(image_check(image));
  TRY(metadata_check("the image", image));
  return image_append(image, out);
}

tile_status tile_image_write(const tile_image *image, const char *path) {
  TRY(REQUIRED(image, path));
  struct text file = {0};
  tile_status status = append_checked(image, &file);
  if (!status)
    status = file_write(path, file.data, file.length);
  text_free(&file);
  return status;
}

tile_status tile_image_serialize(const tile_image *image, void **out, size_t *out_size) {
  TRY(REQUIRED(image, out, out_size));
  struct text bytes = {0};
  tile_status status = append_checked(image, &bytes);
  if (status) {
    text_free(&bytes);
    return status;
  }
  *out_size = bytes.length;
  *out = text_take(&bytes);
  return NULL;
}
