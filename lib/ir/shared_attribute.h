/* SPDX-License-Identifier: MIT */
/* The codec of shared layouts, the memory spaces of buffers in shared memory:

       memref<3x128x64xf16, #tile_gpu.swizzled<{vec = 8, per_phase = 1, max_phase = 8, order = [1,
       0]}>> memref<128x64xf16, #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits =
       16}>>

   A memref may have more dimensions than its layout: the leading ones number stages, any number of
   them, one stage after the other. Everything that touches such a buffer asks shared_to_linear. */
#ifndef TILE_IR_SHARED_ATTRIBUTE_H
#define TILE_IR_SHARED_ATTRIBUTE_H

#include "ir/layout_attribute.h"
#include "layout/shared.h"

enum shared_kind { SHARED_KIND_NONE, SHARED_KIND_SWIZZLED, SHARED_KIND_NVMMA };

/* A decoded attribute. */
struct shared_info {
  enum shared_kind kind;
  MlirAttribute attribute;
  int rank;                        /* of one stage */
  struct swizzled_layout swizzled; /* KIND_SWIZZLED */
  struct nvmma_layout nvmma;       /* KIND_NVMMA */
};

MlirAttribute swizzled_attribute(struct layout_cache *cache, const struct swizzled_layout *layout);
MlirAttribute nvmma_attribute(struct layout_cache *cache, const struct nvmma_layout *layout);

/* Decodes `attribute`; the reason where that cannot be, and *out is NULL. The result lives as long
   as the cache. */
tile_status shared_decode(struct layout_cache *cache, MlirAttribute attribute,
                          const struct shared_info **out);

/* The layout of one stage: LAYOUT_OFFSET, in elements, to the last `info->rank` of the `rank`
   dimensions of `shape`. */
tile_status shared_to_linear(struct layout_cache *cache, MlirAttribute space, const int64_t *shape,
                             int rank, unsigned element_bits, struct linear_layout *out);

/* What a memref in shared memory is. */
struct shared_buffer {
  const struct shared_info *info;
  MlirType element;
  int rank, leading; /* dimensions; the leading ones, which are no part of the layout */
  int64_t shape[MAX_RANK + 1];
  int64_t stages, elements; /* how many stages, and elements of one */
  unsigned bytes;           /* of an element */
};

/* The memory space of a transposed view: dimension i of it is dimension order[i] of `info`'s. */
MlirAttribute shared_transposed(struct layout_cache *cache, const struct shared_info *info,
                                const int32_t *order);

/* The type of a view of a stage: dimension i of it is dimension order[i] of the stage; `order` is
   an attribute as of tile.permute. */
MlirType shared_permuted(struct layout_cache *cache, MlirType stage, MlirAttribute order);

/* Reads a type; errors: no memref, or one that neither a buffer nor a part of one can be of. The
   layout of a whole stage is another question (shared_to_linear): a part of a stage has none of its
   own. */
tile_status shared_buffer_read(struct layout_cache *cache, MlirType type,
                               struct shared_buffer *out);
/* Alignment of a buffer's first byte: what the swizzle of nvmma layouts and 16-byte accesses need.
 */
int64_t shared_alignment(const struct shared_buffer *buffer);
/* The type of a buffer. */
MlirType shared_type(int rank, const int64_t *shape, MlirType element, MlirAttribute space);

#endif
