/* SPDX-License-Identifier: MIT */
/* Accesses to memory as the front end emits them: what tl.load, tl.store, block pointers and
   descriptors have in common. */
#ifndef TILE_FRONTEND_MEMORY_H
#define TILE_FRONTEND_MEMORY_H

#include "frontend/check/checker.h"

/* An access, ready to be emitted: pointer, mask and other have one shape. */
struct access {
  struct value pointer; /* a pointer or a tile of pointers */
  bool fixed;           /* the pointer keeps its shape; else a wider value broadcasts it */
  bool has_mask, has_other;
  struct value mask, other; /* other: of the pointee's type */
  MlirNamedAttribute hints[2];
  int hint_count;
};

/* cache_modifier, eviction_policy and volatile (NULL for stores) as attributes. The operation takes
   one of the three: volatile goes before a cache modifier, and that before an eviction policy. */
bool access_hints(struct checker *c, const struct argument *cache, const struct argument *eviction,
                  const struct argument *is_volatile, struct access *access);

/* Elements whose mask is false read as `number`, converted to the pointee. Without a mask there are
   none, and no `other`. */
bool access_fill(struct checker *c, const struct value *number, struct span span,
                 struct access *access);
/* tile.load; int1 is loaded as int8. Masked-off elements of an access without `other` read as
   zero, as in Triton's code for NVIDIA devices; null pointers are zero. */
bool access_load(struct checker *c, const struct access *access, struct span span,
                 struct value *out);
/* tile.store of a value that is converted to the pointee and broadcast to the pointer's shape. */
bool access_store(struct checker *c, const struct access *access, const struct argument *value);

/* Refuses a pointer to constants as what is written through. */
bool check_writable(struct checker *c, const struct value *pointer, struct span span);

/* --- Block pointers and tensor descriptors (views.c) ------------------------------------------ */

/* One pointer does not reach a tile of elements: `what` says what the argument is. */
bool check_not_wider(struct checker *c, const struct value *pointer, const char *what,
                     const struct argument *argument);

/* A window of `block` elements on a tensor in memory. */
struct view {
  int rank;
  struct value base;                             /* a pointer */
  const struct value *shape, *strides, *offsets; /* numbers, or run-time int64; in elements */
  int64_t block[MAX_RANK];
  bool pads_with_nan; /* descriptors */
  bool mixed;         /* the branches of an `if` disagree on the block: not usable */
};

bool value_is_view(const struct value *value); /* VALUE_BLOCK_POINTER and VALUE_DESCRIPTOR */
/* The parts of a view; a descriptor has no offsets. */
struct view view_read(const struct value *value);
/* Its dtype, shape, strides, block_shape; false without a problem for another name. */
bool view_attribute(struct checker *c, const struct value *value, const char *name,
                    struct value *out);

/* `count` integers as parts of a view: numbers stay if `keep_numbers`, all else becomes int64. */
bool view_read_parts(struct checker *c, const struct argument *argument, int count,
                     bool keep_numbers, struct value *out);
/* A descriptor as a view of the block at `offsets`, which are put into `storage` as int64. */
bool view_place(struct checker *c, const struct argument *descriptor,
                const struct argument *offsets, struct value *storage, struct view *out);
/* The access to the elements at `view->offsets`. Bit d of `checked`: elements outside of dimension
   d of the tensor are masked off. */
bool view_access(struct checker *c, const struct view *view, unsigned checked, struct span span,
                 struct access *out);
/* tl.load and tl.store on a block pointer: boundary_check and padding_option; is_load: with
 * padding. */
bool view_check_boundary(struct checker *c, const struct view *view,
                         const struct argument *boundary_check, unsigned *out);
/* Elements `x` (a run-time int64 tile that broadcasts to the access) of dimension `dim`: moves the
   pointers by x strides and masks off what is outside of the tensor. */
bool view_pick(struct checker *c, const struct view *view, int dim, const struct value *x,
               struct span span, struct access *access);
/* Fills in `other`: zero, or NaN, of the pointee's type. */
bool view_pad(struct checker *c, bool with_nan, struct span span, struct access *access);

/* --- Blocks of tensor descriptors (blocks.c) ---------------------------------------------------
 */

/* Is the block at `view->offsets` one that the tile dialect accesses as such? Others are accessed
   through pointers: those whose last stride is not known to be 1, of pointers, of an 8-bit float
   that is carried as bits, or of too many dimensions. */
bool view_is_block(const struct view *view);
/* tile.descriptor_load and tile.descriptor_store. */
bool block_load(struct checker *c, const struct view *view, struct span span, struct value *out);
bool block_store(struct checker *c, const struct view *view, const struct argument *value,
                 struct span span);

#endif
