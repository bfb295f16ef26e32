/* SPDX-License-Identifier: MIT */
/* Metadata: the names of kinds, words of a line, and finding the block. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "runtime/metadata.h"

#include <ctype.h>
#include <string.h>
#include "base/status.h"

static const char *const kind_names[] = {
#define X(id, name, bytes) [TILE_ARGUMENT_##id] = name,
#include "runtime/argument_kinds.def"
#undef X
};
static const uint32_t kind_bytes[] = {
#define X(id, name, bytes) [TILE_ARGUMENT_##id] = bytes,
#include "runtime/argument_kinds.def"
#undef X
};
enum { KIND_COUNT = sizeof kind_bytes / sizeof *kind_bytes };
_Static_assert(KIND_COUNT == TILE_ARGUMENT_F64 + 1, "every kind has a row");

const char *tile_argument_kind_name(tile_argument_kind kind) {
  return (unsigned)kind < KIND_COUNT ? kind_names[kind] : "an unknown kind";
}

uint32_t tile_argument_kind_bytes(tile_argument_kind kind) {
  return (unsigned)kind < KIND_COUNT ? kind_bytes[kind] : 0;
}

static const char *const condition_names[] = {
#define X(id, name, words) [TILE_CONDITION_##id] = name,
#include "runtime/condition_kinds.def"
#undef X
};
enum { CONDITION_COUNT = sizeof condition_names / sizeof *condition_names };
_Static_assert(CONDITION_COUNT == TILE_CONDITION_SPLIT_ROWS + 1,
               "every kind of condition has a row");

const char *tile_condition_kind_name(tile_condition_kind kind) {
  return (unsigned)kind < CONDITION_COUNT ? condition_names[kind] : "an unknown kind";
}

const char *metadata_format_name(int format) {
  static const char *const names[] = {[TILE_IMAGE_PTX] = "ptx",
                                      [TILE_IMAGE_CUBIN] = "cubin",
                                      [TILE_IMAGE_EMULATOR] = "program",
                                      [TILE_IMAGE_OBJECT] = "emulator"};
  return names[format];
}

const char *tile_kernel_version_constant(const tile_kernel_version *version, const char *name) {
  for (size_t i = 0; version && name && i < version->constant_count; i++)
    if (strcmp(version->constants[i].name, name) == 0)
      return version->constants[i].value;
  return NULL;
}

/* --- Words ------------------------------------------------------------------------------------ */

uint64_t metadata_checksum(const void *bytes, size_t size) {
  uint64_t hash = 0xCBF29CE484222325;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3;
  return hash;
}

int metadata_count_words(struct slice line, const char *key, struct slice *out) {
  const char *at = line.data, *end = at + line.length;
  size_t length = strlen(key);
  int count = 0;
  while (at < end) {
    const char *word = at;
    while (at < end && *at != ' ')
      at++;
    if ((size_t)(at - word) > length && memcmp(word, key, length) == 0 && word[length] == '=') {
      if (count++ == 0)
        *out = (struct slice){word + length + 1, (size_t)(at - word) - length - 1};
    }
    at += at < end;
  }
  return count;
}

bool metadata_parse_number(struct slice word, unsigned base, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < word.length; i++) {
    char c = word.data[i];
    int digit = isdigit((unsigned char)c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
    if ((unsigned)digit >= base)
      return false;
    *out = *out * base + (unsigned)digit;
  }
  return word.length > 0 && word.length <= 16;
}

/* --- Finding ---------------------------------------------------------------------------------- */

static bool is_blank(char c) {
  return c == 0 || isspace((unsigned char)c);
}

/* The last line with anything on it, whatever the bytes are. */
static struct slice last_line(const char *bytes, size_t size) {
  while (size > 0 && is_blank(bytes[size - 1]))
    size--;
  size_t start = size;
  while (start > 0 && bytes[start - 1] != '\n')
    start--;
  return (struct slice){bytes + start, size - start};
}

static tile_status not_found(const char *name, const char *bytes, size_t size) {
  if (size && memmem(bytes, size, METADATA_OPENING, strlen(METADATA_OPENING)))
    return FAIL(TILE_BAD_IMAGE, "'%s': the metadata is cut off, or something stands after it",
                name);
  return FAIL(
      TILE_BAD_IMAGE,
      "'%s' has no metadata at its end: it is cut off, or does not come from tile-translate", name);
}

tile_status metadata_find(const char *name, const char *bytes, size_t size, size_t *out_code,
                          size_t *out_size) {
  struct slice line = last_line(bytes, size), words[2];
  uint64_t length, sum;
  if (!slice_begins(line, METADATA_CLOSING))
    return not_found(name, bytes, size);
  if (metadata_count_words(line, "bytes", &words[0]) != 1 ||
      metadata_count_words(line, "check", &words[1]) != 1 ||
      !metadata_parse_number(words[0], 10, &length) || !metadata_parse_number(words[1], 16, &sum))
    return FAIL(TILE_BAD_IMAGE,
                "'%s' has a damaged last line, or metadata of another version: compile it with the "
                "tile-translate of this library",
                name);
  size_t before = (size_t)(line.data - bytes);
  if (length > before ||
      !slice_begins((struct slice){line.data - length, (size_t)length}, METADATA_OPENING) ||
      metadata_checksum(line.data - length, (size_t)length) != sum)
    return FAIL(TILE_BAD_IMAGE,
                "'%s': the metadata is damaged, its checksum is another one; compile it anew",
                name);
  *out_code = before - (size_t)length;
  *out_size = (size_t)length;
  return NULL;
}
