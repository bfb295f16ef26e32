/* SPDX-License-Identifier: MIT */
/* See npy.h. The header is a Python dictionary literal:
     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } */
#include "base/npy.h"

#include <stdlib.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC_LENGTH = 6 };

int64_t npy_elements(int rank, const int64_t *shape) {
  int64_t count = 1;
  for (int i = 0; i < rank; i++)
    if (__builtin_mul_overflow(count, shape[i], &count))
      return -1;
  return count;
}

/* The text after 'key': in the header, or NULL. */
static const char *find_key(const char *header, const char *key) {
  const char *at = strstr(header, key);
  if (!at)
    return NULL;
  at += strlen(key);
  at += strspn(at, " ");
  if (*at != ':')
    return NULL;
  at++;
  return at + strspn(at, " ");
}

static tile_status parse_type(const char *path, const char *header, struct npy_array *out) {
  const char *at = find_key(header, "'descr'");
  if (at && *at == '\'') {
    at++;
    size_t length = strcspn(at, "'");
    for (int type = 0; type < ELEMENT_TYPE_COUNT; type++)
      if (strlen(element_table[type].npy) == length &&
          memcmp(element_table[type].npy, at, length) == 0) {
        out->type = (enum element_type)type;
        return NULL;
      }
    return FAIL(TILE_INVALID_ARGUMENT, "'%s': element type %.*s is not supported", path,
                (int)(length < 16 ? length : 16), at);
  }
  return FAIL(TILE_INVALID_ARGUMENT, "'%s': the header has no plain 'descr'", path);
}

static tile_status parse_shape(const char *path, const char *header, struct npy_array *out) {
  const char *at = find_key(header, "'shape'");
  if (!at || *at != '(')
    return FAIL(TILE_INVALID_ARGUMENT, "'%s': the header has no 'shape'", path);
  at++;
  for (out->rank = 0; *at && *at != ')';) {
    char *end;
    long long size = strtoll(at, &end, 10);
    if (end == at || size < 0 || out->rank == NPY_MAX_RANK)
      return FAIL(TILE_INVALID_ARGUMENT,
                  "'%s': the shape is malformed or has more than %d "
                  "dimensions",
                  path, NPY_MAX_RANK);
    out->shape[out->rank++] = size;
    at = end + strspn(end, ", ");
  }
  return NULL;
}

static tile_status parse_file(const char *path, const struct text *file, struct npy_array *out) {
  const unsigned char *bytes = (const unsigned char *)file->data;
  if (file->length < 10 || memcmp(bytes, magic, MAGIC_LENGTH) != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' is not a .npy file", path);
  size_t start = bytes[6] >= 2 ? 12 : 10;
  size_t length = bytes[8] | (size_t)bytes[9] << 8;
  if (start == 12 && file->length >= 12)
    length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (length > file->length - start || file->length < start)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s': the header is cut off", path);
  struct text header = {0};
  text_append(&header, file->data + start, length);
  tile_status status = parse_type(path, text_string(&header), out);
  if (!status)
    status = parse_shape(path, text_string(&header), out);
  const char *order = find_key(text_string(&header), "'fortran_order'");
  if (!status && (!order || strncmp(order, "False", 5) != 0))
    status = FAIL(TILE_INVALID_ARGUMENT, "'%s' is in Fortran order; save it with order='C'", path);
  text_free(&header);
  TRY(status);
  int64_t count = npy_elements(out->rank, out->shape);
  size_t available = file->length - start - length;
  if (count < 0 || (uint64_t)count != available / element_table[out->type].bytes ||
      available % element_table[out->type].bytes != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' holds %zu bytes, which is not what its shape says",
                path, available);
  text_append(&out->bytes, file->data + start + length, available);
  return NULL;
}

tile_status npy_read(const char *path, struct npy_array *out) {
  *out = (struct npy_array){0};
  struct text file = {0};
  tile_status status = file_read(path, &file);
  if (!status)
    status = parse_file(path, &file, out);
  text_free(&file);
  return status;
}

tile_status npy_write(const char *path, enum element_type type, int rank, const int64_t *shape,
                      const void *bytes) {
  struct text header = {0}, file = {0};
  text_printf(&header, "{'descr': '%s', 'fortran_order': False, 'shape': (",
              element_table[type].npy);
  for (int i = 0; i < rank; i++)
    text_printf(&header, "%lld,%s", (long long)shape[i], i + 1 < rank ? " " : "");
  text_puts(&header, "), }");
  while ((header.length + 11) % 64 != 0) /* the data begins at a multiple of 64 */
    text_puts(&header, " ");
  text_puts(&header, "\n");
  unsigned char prefix[] = {1, 0, (unsigned char)(header.length & 255),
                            (unsigned char)(header.length >> 8)};
  text_append(&file, magic, MAGIC_LENGTH);
  text_append(&file, (const char *)prefix, sizeof prefix);
  text_append(&file, header.data, header.length);
  text_append(&file, bytes, (size_t)npy_elements(rank, shape) * element_table[type].bytes);
  tile_status status = file_write(path, file.data, file.length);
  text_free(&header);
  text_free(&file);
  return status;
}
