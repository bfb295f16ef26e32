/* Images that own what they point to. */
#ifndef TILE_RUNTIME_IMAGE_H
#define TILE_RUNTIME_IMAGE_H

#include "base/arena.h"
#include "base/private.h"
#include "tile/image.h"

struct owned_image {
  tile_image image; /* first: a tile_image * that was handed out points here */
  struct arena arena;
  /* Ends `data` when the arena does not own it; or NULL. */
  void (*destroy_data)(const void *data);
};

/* An empty image. Fill in `image`, out of `arena` where possible; tile_image_free ends it. */
TILE_PRIVATE struct owned_image *image_create(void);

#endif
