/* SPDX-License-Identifier: MIT */
/* Tiles in other shapes, emitted. Each takes run-time values; errors are left in the emitter. */
#ifndef TILE_FRONTEND_SHAPES_H
#define TILE_FRONTEND_SHAPES_H

#include "frontend/check/value.h"

/* Rank (0: a scalar) and shape, with room for MAX_RANK. */
int value_shape(const struct value *value, int64_t *shape);

/* The same elements in row-major order; `reorder`: in any order. A scalar becomes a tile of ones.
 */
bool emit_reshape(struct emitter *e, struct value *value, int rank, const int64_t *shape,
                  bool reorder);
/* Dimension i of the result is dimension order[i]. */
bool emit_permute(struct emitter *e, struct value *value, const int *order);
/* Along a new last dimension of size 2; both of one type and shape. */
bool emit_join(struct emitter *e, const struct value *a, const struct value *b, struct value *out);
bool emit_split(struct emitter *e, const struct value *value, struct value *a, struct value *b);
/* Elements picked along `axis` by the index, which has the shape of the result. */
bool emit_gather(struct emitter *e, const struct value *source, const struct value *index, int axis,
                 struct value *out);
/* start, start + 1, ..., of int32. */
void emit_range(struct emitter *e, int64_t start, int64_t end, struct value *out);
/* The only element of a tile of one. */
bool emit_item(struct emitter *e, struct value *value);

#endif
