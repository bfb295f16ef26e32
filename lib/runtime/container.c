/* SPDX-License-Identifier: MIT */
/* Containers: several sections in one file. See image.h. */
#include <inttypes.h>
#include <string.h>
#include "base/status.h"
#include "runtime/image.h"
#include "runtime/metadata.h"

/* Not text, so that nothing takes it for PTX; line ends, so that what rewrites those is noticed. */
static const char magic[8] = {'\x89', 't', 'i', 'l', 'e', '\r', '\n', '\x1A'};

enum { ALIGNMENT = 64, CONTAINER_VERSION = 1, VERSION_AT = 8, SIZE_AT = 16, SIZE_END = 24 };

bool container_begins(const char *bytes, size_t size) {
  return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static void put_number(char *at, unsigned bytes, uint64_t value) {
  for (unsigned i = 0; i < bytes; i++)
    at[i] = (char)(value >> 8 * i);
}

static uint64_t get_number(const char *at, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = bytes; i-- > 0;)
    value = value << 8 | (unsigned char)at[i];
  return value;
}

static void pad(struct text *out, size_t start) {
  static const char zeros[ALIGNMENT] = {0};
  size_t over = (out->length - start) % ALIGNMENT;
  if (over)
    text_append(out, zeros, ALIGNMENT - over);
}

void container_append(const tile_image *image, struct text *out) {
  size_t start = out->length;
  struct arena arena = {0};
  struct section_place *places = ARENA_ARRAY(&arena, struct section_place, image->section_count);
  char header[CONTAINER_HEADER_BYTES] = {0};
  memcpy(header, magic, sizeof magic);
  put_number(header + VERSION_AT, 4, CONTAINER_VERSION);
  text_append(out, header, sizeof header);
  for (size_t i = 0; i < image->section_count; i++) {
    const tile_section *section = &image->sections[i];
    pad(out, start);
    places[i] = (struct section_place){.offset = out->length - start,
                                       .size = section->size,
                                       .check = metadata_checksum(section->data, section->size),
                                       .has_place = true,
                                       .has_check = true};
    text_append(out, section->data, section->size);
  }
  pad(out, start);
  metadata_write(image, places, out);
  put_number(out->data + start + SIZE_AT, 8, out->length - start);
  arena_destroy(&arena);
}

static tile_status damaged(const char *name) {
  return FAIL(TILE_BAD_IMAGE, "'%s': the container's header is damaged; make the image anew", name);
}

tile_status container_check(const char *name, const char *bytes, size_t size) {
  if (size < CONTAINER_HEADER_BYTES)
    return FAIL(TILE_BAD_IMAGE, "'%s' is cut off: it has %zu bytes, less than a header", name,
                size);
  uint64_t version = get_number(bytes + VERSION_AT, 4), whole = get_number(bytes + SIZE_AT, 8);
  if (version != CONTAINER_VERSION)
    return FAIL(TILE_BAD_IMAGE,
                "'%s' is a container of version %" PRIu64 ", this library reads version %d", name,
                version, CONTAINER_VERSION);
  if (whole != size)
    return FAIL(TILE_BAD_IMAGE,
                "'%s' is cut off or grew: its header says %" PRIu64 " bytes, it has %zu", name,
                whole, size);
  for (size_t i = VERSION_AT + 4; i < CONTAINER_HEADER_BYTES; i++)
    if (bytes[i] && (i < SIZE_AT || i >= SIZE_END))
      return damaged(name);
  return NULL;
}
