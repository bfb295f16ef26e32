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
    owned->destroy_data(image->data);
  arena_destroy(&owned->arena);
  free(owned);
}

static const char elf_magic[] = {0x7F, 'E', 'L', 'F'};

/* PTX is text with a .version directive; comments may stand before it. */
static bool looks_like_ptx(const char *bytes, size_t size) {
  return size > 0 && !memchr(bytes, 0, size) && memmem(bytes, size, ".version", 8);
}

static tile_status fill(struct owned_image *owned, const char *name, const char *bytes,
                        size_t size) {
  tile_image *image = &owned->image;
  size_t code = size, block = 0;
  tile_status found = metadata_find(name, bytes, size, &code, &block);
  if (size >= sizeof elf_magic && memcmp(bytes, elf_magic, sizeof elf_magic) == 0)
    image->format = TILE_IMAGE_CUBIN;
  else if (looks_like_ptx(bytes, code))
    image->format = TILE_IMAGE_PTX;
  else {
    tile_status_free(found);
    return FAIL(TILE_BAD_IMAGE, "'%s' is neither PTX nor a cubin", name);
  }
  TRY(found);
  TRY(metadata_read(name, bytes + code, block, &owned->arena, &image->kernels, &image->kernel_count));
  image->data = arena_copy_string(&owned->arena, bytes, code);
  image->size = code;
  return NULL;
}

tile_status tile_image_parse(const char *name, const void *bytes, size_t size, tile_image **out) {
  TRY(REQUIRED(name));
  TRY(REQUIRED(out));
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
  TRY(REQUIRED(path));
  TRY(REQUIRED(out));
  struct text file = {0};
  tile_status status = file_read(path, &file);
  if (!status)
    status = tile_image_parse(path, file.data, file.length, out);
  text_free(&file);
  return status;
}

/* What is written can be read: images may have been filled in by hand. */
static tile_status check_to_write(const tile_image *image) {
  if ((unsigned)image->format > TILE_IMAGE_EMULATOR)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_image_write: there is no image format %d", (int)image->format);
  if (!image->data || !image->size || (image->kernel_count && !image->kernels))
    return FAIL(TILE_INVALID_ARGUMENT, "tile_image_write: the image has no code, or counts kernels that it has not got");
  for (size_t i = 0; i < image->kernel_count; i++)
    TRY(kernel_info_check(&image->kernels[i]));
  return metadata_check("the image", image->kernels, image->kernel_count);
}

tile_status tile_image_write(const tile_image *image, const char *path) {
  TRY(REQUIRED(image));
  TRY(REQUIRED(path));
  if (image->format == TILE_IMAGE_EMULATOR)
    return FAIL(TILE_UNSUPPORTED, "an emulator program lives in memory only; write PTX or a cubin");
  TRY(check_to_write(image));
  struct text file = {0};
  text_append(&file, image->data, image->size);
  if (image->format == TILE_IMAGE_PTX && file.data[file.length - 1] != '\n')
    text_puts(&file, "\n");
  metadata_write(image->kernels, image->kernel_count, &file);
  tile_status status = file_write(path, file.data, file.length);
  text_free(&file);
  return status;
}
