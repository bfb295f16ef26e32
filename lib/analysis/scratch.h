/* SPDX-License-Identifier: MIT */
/* What shared memory an operation of the tile_gpu stage needs while it runs, and the layouts it
   goes through. tile-gpu-allocate-shared, tile-gpu-insert-barriers and the lowering ask the same
   functions. */
#ifndef TILE_ANALYSIS_SCRATCH_H
#define TILE_ANALYSIS_SCRATCH_H

#include "ir/session.h"
#include "layout/conversion.h"
#include "layout/reduction.h"

/* ROUND_BYTES: what a change of layout takes at most of shared memory that others could have, where
   chunks can keep it so; where stages would not fit beside that less, LEAST_ROUND_BYTES at least
   (tile_gpu.round_bytes). SCRATCH_KEPT_BYTES: scratch of at most so many stays until the next
   operation with one has begun. */
enum {
  MAX_REDUCED = 8,
  SCRATCH_ALIGNMENT = 128,
  ROUND_BYTES = 32768,
  LEAST_ROUND_BYTES = 8192,
  SCRATCH_KEPT_BYTES = 16384
};

/* Bytes of a number, index or pointer in memory. */
unsigned memory_bytes(struct session *session, MlirType element);
/* 32-bit registers of a thread that a tile takes, rounded up; 0 for what is no tile with a layout.
 */
int64_t tile_words(struct session *session, MlirType type);

/* The operand's layout (of convert_layout, reshape, permute, join, split) as one of the tensor that
   is converted, and the layout that the conversion ends in: the result's; of a split, that of the
   two results as one tensor, whose first register bit tells them apart. */
struct linear_layout relabelled_layout(struct session *session, MlirOperation op);
struct linear_layout layout_of_result(struct session *session, MlirOperation op);

/* What the conversion may use where `op` stands: ROUND_BYTES, or the allocation of buffers that
   nobody uses any more; or what tile_gpu.round_bytes says. */
struct conversion_means relabelling_means(struct session *session, MlirOperation op);
/* Says so at each change of layout in `root` that takes more than `bytes`; 0: takes that back. */
void relabelling_limit(struct session *session, MlirOperation root, int64_t bytes);

/* The layout in which a reshape, permute, join or split leaves its result when the operand is of
   type `source` (a tensor with a layout); false where no layout says that: a split whose halves are
   not in different registers, scalars. */
bool relabelling_result(struct session *session, MlirOperation op, MlirType source,
                        struct linear_layout *out);
/* The other way round: in which layout its operand is, where the result is of type `result`. */
bool relabelling_operand(struct session *session, MlirOperation op, MlirType result,
                         struct linear_layout *out);

/* Some values of one layout converted into another, with one barrier for all; where the scratch of
   all would be large, one value after the other through one allocation, with barriers between. */
struct conversion_step {
  bool needed, in_turn;
  bool waits; /* in turn: others may still read the scratch from an earlier step */
  struct linear_layout from, to;
  struct layout_conversion plan[MAX_REDUCED]; /* of each value */
  int64_t offset[MAX_REDUCED];                /* from the operation's first byte on */
};

/* A reduction or scan: into a layout it can work in; after threads and warps are done, partial
   results of the warps to whoever needs them; into the result's layout. */
struct reduction {
  int count, axis;  /* operands */
  bool ordered;     /* left and right must not change places */
  bool symmetric;   /* they may, and each bit of the result stays the same */
  bool can_scatter; /* lanes may share elements out as they combine them (axis_scattered_layout) */
  bool scatters;    /* and do, where the result goes through shared memory to whoever needs it */
  struct linear_layout layout; /* that it works in */
  struct axis_bits bits;       /* of `layout` */
  struct conversion_step first, across, last;
  int64_t bytes;
};

/* `out` is for tile.reduce and tile.scan. Errors cannot be, for verified operations. */
tile_status reduction_plan(struct session *session, MlirOperation op, struct reduction *out);

/* A sort: into a layout that has a row in one warp, and from that of its first elements into the
   result's. */
struct sorting {
  int axis;
  struct linear_layout layout, top;   /* of all elements, and of those kept */
  struct conversion_step first, last; /* of one value */
  int64_t bytes;
};

tile_status sorting_plan(struct session *session, MlirOperation op, struct sorting *out);

/* Without tensor cores: bytes of an operand of tile.dot in shared memory: one element beside the
   other, row-major; the second operand stands after the first. */
int64_t dot_operand_bytes(struct session *session, MlirOperation op, intptr_t operand);

/* The old values of an atomic operation go to all holders of an element, if anything uses them and
   there are several; one element beside the other, row-major. 0: they need not. */
int64_t atomic_bytes(struct session *session, MlirOperation op);

/* Whether every tensor that the operation takes or gives has a layout; the plans below need that.
 */
bool scratch_has_layouts(struct session *session, MlirOperation op);
/* Bytes of shared memory; 0 for operations that need none. Whoever needs some stores, passes a
   barrier, loads, perhaps several times at different places. */
int64_t scratch_bytes(struct session *session, MlirOperation op);
/* Do all threads of the block wait for one another in this operation? */
bool scratch_waits_for_block(struct session *session, MlirOperation op);
/* A reduction or scan that is the only one in its loop to use shared memory is double-buffered:
   there is one scratch for the even iterations and one for the odd ones: what some threads still
   read in one iteration the others do not write in the next, and after the barrier of that one
   everybody has read. So there is no barrier between iterations. Bytes of one of the two, a power
   of two, or 0: tile-gpu-allocate-shared has said so (`tile_gpu.double_buffer`). */
int64_t double_buffer_bytes(MlirOperation op);
/* The bytes of one of the two; 0 where `op` cannot be double-buffered. */
int64_t double_buffer_wanted(struct session *session, MlirOperation op);
/* The bit of the loop's induction variable that changes with each iteration; -1 where there is
   none. */
int double_buffer_shift(struct session *session, MlirOperation loop);
/* Whether part w of that memory, of as many as there are warps, is touched by warp w only: then
   only its lanes wait for one another. */
bool scratch_is_per_warp(struct session *session, MlirOperation op);

#endif
