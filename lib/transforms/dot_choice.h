/* SPDX-License-Identifier: MIT */
/* Which tensor-core instructions a dot can use, and how warps share it. */
#ifndef TILE_TRANSFORMS_DOT_CHOICE_H
#define TILE_TRANSFORMS_DOT_CHOICE_H

#include "base/machine.h"
#include "ir/session.h"
#include "layout/mma.h"

/* The sizes and types of a tile.dot. */
struct dot_sizes {
  int rank;
  int64_t batch, m, n, k;
  MlirType a, b, c; /* elements */
};

struct dot_sizes dot_read(MlirOperation op);

/* Elements of `type` in 32 bits, or 1 of f64. */
int dot_packed(const struct dot_sizes *sizes);

/* Why mma.sync cannot compute `op` on this machine, for people; NULL when it can. The text is
   static or in `text`. */
const char *dot_obstacle(MlirOperation op, const struct dot_sizes *sizes,
                         const struct machine *machine, struct text *text);

/* The layout of the accumulators for mma.sync, where a thread has so many registers. `chained`: the
   result is the first operand of another dot, or made of one: then each warp has whole rows, so
   that nothing moves between warps from one dot to the next and a row is reduced within a warp.
 */
struct mma_layout dot_choose_mma(const struct dot_sizes *sizes, const struct machine *machine,
                                 int num_warps, int registers, bool chained);

/* The same for wgmma; false where it cannot compute the dot, or its accumulators do not fit into a
   thread's `registers`. Warp groups share rows, and columns where there are too few rows for all;
   then none has whole rows of a chained one. */
bool dot_choose_wgmma(MlirOperation op, const struct dot_sizes *sizes, int num_warps, int registers,
                      struct mma_layout *out);

/* The dimension along which a thread of a tensor with a layout, or else neighbouring lanes, hold
   neighbours; `otherwise` where nobody does. */
int dot_fast_dimension(struct session *session, MlirType tensor, int otherwise);

#endif
