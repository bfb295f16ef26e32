/* SPDX-License-Identifier: MIT */
/* The codec between #tile_gpu layout attributes and lib/layout's values.

   IRDL attributes can be read from C only by printing them: this file does that once per attribute
   and remembers the result by pointer. Every lowering asks layout_to_linear and works on the
   answer; the named layouts exist for people who read IR. */
#ifndef TILE_IR_LAYOUT_ATTRIBUTE_H
#define TILE_IR_LAYOUT_ATTRIBUTE_H

#include "base/arena.h"
#include "base/map.h"
#include "ir/mlir.h"
#include "layout/blocked.h"
#include "layout/linear_layout.h"
#include "layout/mma.h"
#include "tile/status.h"

enum layout_kind {
  LAYOUT_KIND_NONE,
  LAYOUT_KIND_BLOCKED,
  LAYOUT_KIND_SLICE,
  LAYOUT_KIND_LINEAR,
  LAYOUT_KIND_MMA,
  LAYOUT_KIND_DOT_OPERAND
};

/* A decoded attribute. */
struct layout_info {
  enum layout_kind kind;
  MlirAttribute attribute;
  int rank;                         /* of the tensors that may carry it */
  struct blocked_layout blocked;    /* KIND_BLOCKED */
  int axis;                         /* KIND_SLICE: the dimension taken out of the parent */
  const struct layout_info *parent; /* KIND_SLICE, KIND_DOT_OPERAND */
  struct linear_layout linear;      /* KIND_LINEAR: of the smallest tensor that its bases reach */
  struct mma_layout mma;            /* KIND_MMA, KIND_DOT_OPERAND: the parent's */
  int index, k_width;               /* KIND_DOT_OPERAND */
};

/* The warps that a decoded layout is for. */
int layout_warps(const struct layout_info *info);

struct layout_cache {
  MlirContext context;
  struct arena arena;
  struct map infos;  /* MlirAttribute.ptr -> struct layout_info */
  struct map linear; /* tensor MlirType.ptr -> struct linear_layout */
  struct map shared; /* MlirAttribute.ptr -> struct shared_info; see shared_attribute.h */
};

void layout_cache_create(struct layout_cache *cache, MlirContext context);
void layout_cache_destroy(struct layout_cache *cache);

MlirAttribute blocked_attribute(struct layout_cache *cache, const struct blocked_layout *blocked);
MlirAttribute slice_attribute(struct layout_cache *cache, int axis, MlirAttribute parent);
MlirAttribute mma_attribute(struct layout_cache *cache, const struct mma_layout *mma);
MlirAttribute dot_operand_attribute(struct layout_cache *cache, int index, MlirAttribute parent,
                                    int k_width);
/* The bases of any layout of a tensor. */
MlirAttribute linear_attribute(struct layout_cache *cache, const struct linear_layout *layout);

/* Decodes `attribute`; on bad fields returns the reason and leaves *out NULL. An attribute that is
   no layout of ours is such a reason too. The result lives as long as the cache. */
tile_status layout_decode(struct layout_cache *cache, MlirAttribute attribute,
                          const struct layout_info **out);

/* What the codecs of layouts share, shared_attribute.h included. Parses what was printed: */
MlirAttribute attribute_take_text(struct layout_cache *cache, struct text *text);
/* The dictionary inside "#tile_gpu.KIND<{...}>", and the number of the kind; 0, which names none,
   and null where it is none of them. */
MlirAttribute attribute_open(struct layout_cache *cache, MlirAttribute attribute,
                             const char *const *kinds, int count, int *kind);
/* Fields of it; the errors name them. *count is set where it is 0, and else the array's length. */
MlirAttribute attribute_field(MlirAttribute dictionary, const char *name);
tile_status attribute_read_integer(MlirAttribute dictionary, const char *name, int32_t *out);
tile_status attribute_read_array(MlirAttribute dictionary, const char *name, int32_t *out,
                                 int *count);

/* The decoded layout of a type; NULL where it is no tensor, or has none or a broken one. */
const struct layout_info *layout_of_type(struct layout_cache *cache, MlirType type);
/* As which operand of a dot it holds a tile of this type: 0 or 1; -1: as none. */
int layout_operand_index(struct layout_cache *cache, MlirType type);

/* The linear layout of a tensor type with a valid layout attribute: inputs register, lane, warp;
   outputs the tensor's dimensions; no redundant registers. Cached. NULL for a tensor without a
   layout or with a broken one (tile-verify reports those). */
const struct linear_layout *layout_to_linear(struct layout_cache *cache, MlirType tensor);

#endif
