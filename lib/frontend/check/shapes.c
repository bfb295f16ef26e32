/* SPDX-License-Identifier: MIT */
/* See shapes.h. */
#include "frontend/check/shapes.h"

#include <string.h>

int value_shape(const struct value *value, int64_t *shape) {
  return type_shape(mlirValueGetType(value->run_time.ir), shape);
}

static MlirType tile_type(const struct value *value, int rank, const int64_t *shape) {
  MlirType element = type_element(mlirValueGetType(value->run_time.ir));
  return rank ? tensor_type(rank, shape, element, (MlirAttribute){0}) : element;
}

static int64_t elements_of(int rank, const int64_t *shape) {
  int64_t count = 1;
  for (int i = 0; i < rank; i++)
    count *= shape[i];
  return count;
}

bool emit_item(struct emitter *e, struct value *value) {
  int64_t shape[MAX_RANK], one = 1;
  int rank = value_shape(value, shape);
  if (rank == 0)
    return true;
  if (elements_of(rank, shape) != 1)
    return emit_fail(e, "a tile of %lld elements has no single item",
                     (long long)elements_of(rank, shape));
  if (rank > 1 && !emit_reshape(e, value, 1, &one, false))
    return false;
  /* A reduction of one element: its combiner is never applied. */
  MlirContext context = e->session->context;
  MlirType element = type_element(mlirValueGetType(value->run_time.ir));
  MlirRegion region = region_with_block(&e->b, 2, (MlirType[]){element, element});
  MlirBlock block = mlirRegionGetFirstBlock(region);
  struct builder inside = builder_at_end(context, block, e->b.location);
  BUILD_OP(&inside, "gpu.yield", IN(mlirBlockGetArgument(block, 0)));
  value->run_time.ir = BUILD(&e->b, "tile.reduce", IN(value->run_time.ir), OUT(element),
                             ATTRIBUTES(integer_attribute(e, "axis", 0),
                                        segments_attribute(e, "operandSegmentSizes", 1),
                                        segments_attribute(e, "resultSegmentSizes", 1)),
                             REGIONS(region));
  return true;
}

bool emit_reshape(struct emitter *e, struct value *value, int rank, const int64_t *shape,
                  bool reorder) {
  int64_t own[MAX_RANK];
  int own_rank = value_shape(value, own);
  if (elements_of(own_rank, own) != elements_of(rank, shape))
    return emit_fail(e, "a tile of %lld elements cannot take a shape of %lld",
                     (long long)elements_of(own_rank, own), (long long)elements_of(rank, shape));
  if (own_rank == 0)
    return emit_broadcast_to(e, value, rank, shape);
  if (rank == 0)
    return emit_item(e, value);
  if (own_rank == rank && memcmp(own, shape, sizeof *own * (size_t)rank) == 0)
    return true;
  MlirType type = tile_type(value, rank, shape);
  MlirNamedAttribute any = unit_attribute(e, "reorder");
  value->run_time.ir = BUILD(&e->b, "tile.reshape", IN(value->run_time.ir), OUT(type),
                             .attributes = &any, .attribute_count = reorder);
  return true;
}

bool emit_permute(struct emitter *e, struct value *value, const int *order) {
  int64_t own[MAX_RANK], shape[MAX_RANK];
  int32_t attribute[MAX_RANK];
  int rank = value_shape(value, own);
  bool moves = false;
  unsigned seen = 0;
  for (int i = 0; i < rank; i++) {
    if (order[i] < 0 || order[i] >= rank || seen & 1u << order[i])
      return emit_fail(e, "the order names each of the %d dimensions once", rank);
    seen |= 1u << order[i];
    moves |= order[i] != i;
    shape[i] = own[order[i]];
    attribute[i] = order[i];
  }
  if (!moves)
    return true;
  MlirContext context = e->session->context;
  value->run_time.ir = BUILD(
      &e->b, "tile.permute", IN(value->run_time.ir), OUT(tile_type(value, rank, shape)),
      ATTRIBUTES(attribute_named(context, "order", attribute_dense_i32(context, rank, attribute))));
  return true;
}

bool emit_join(struct emitter *e, const struct value *a, const struct value *b, struct value *out) {
  int64_t shape[MAX_RANK + 1];
  int rank = value_shape(a, shape);
  if (rank == MAX_RANK)
    return emit_fail(e, "a tile has at most %d dimensions", MAX_RANK);
  shape[rank] = 2;
  *out = value_runtime(BUILD(&e->b, "tile.join", IN(a->run_time.ir, b->run_time.ir),
                             OUT(tile_type(a, rank + 1, shape))),
                       a->run_time.dtype);
  return true;
}

bool emit_split(struct emitter *e, const struct value *value, struct value *a, struct value *b) {
  int64_t shape[MAX_RANK];
  int rank = value_shape(value, shape);
  if (rank == 0 || shape[rank - 1] != 2)
    return emit_fail(e, "only a last dimension of size 2 is split");
  MlirType type = tile_type(value, rank - 1, shape);
  MlirOperation op = BUILD_OP(&e->b, "tile.split", IN(value->run_time.ir), OUT(type, type));
  struct dtype dtype = value->run_time.dtype;
  *a = value_runtime(op_result(op, 0), dtype);
  *b = value_runtime(op_result(op, 1), dtype);
  return true;
}

bool emit_gather(struct emitter *e, const struct value *source, const struct value *index, int axis,
                 struct value *out) {
  int64_t own[MAX_RANK], shape[MAX_RANK];
  int rank = value_shape(source, own);
  if (rank == 0 || rank != value_shape(index, shape))
    return emit_fail(e, "source and index are tiles of the same number of dimensions");
  for (int i = 0; i < rank; i++)
    if (i != axis && own[i] != shape[i])
      return emit_fail(e,
                       "dimension %d is %lld in the source and %lld in the index; only the "
                       "dimension that is gathered along differs",
                       i, (long long)own[i], (long long)shape[i]);
  *out = value_runtime(BUILD(&e->b, "tile.gather", IN(source->run_time.ir, index->run_time.ir),
                             OUT(tile_type(source, rank, shape)),
                             ATTRIBUTES(integer_attribute(e, "axis", axis))),
                       source->run_time.dtype);
  return true;
}

void emit_range(struct emitter *e, int64_t start, int64_t end, struct value *out) {
  struct dtype int32 = DTYPE(INT32);
  int64_t length = end - start;
  MlirType type = tensor_type(1, &length, dtype_to_mlir(e, int32), (MlirAttribute){0});
  *out = value_runtime(
      BUILD(&e->b, "tile.range", OUT(type),
            ATTRIBUTES(integer_attribute(e, "start", start), integer_attribute(e, "end", end))),
      int32);
}
