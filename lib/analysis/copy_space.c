/* SPDX-License-Identifier: MIT */
/* See copy_space.h. */
#include "analysis/copy_space.h"

#include "analysis/buffer_accesses.h"
#include "analysis/scratch.h"
#include "base/numbers.h"
#include "ir/shared_attribute.h"

enum { COPY_BYTES = 16 };

/* Wavefronts for 16 bytes of a thread that loads a tile of type `reader` from a buffer with this
   layout. */
static int64_t reading_cost(struct session *session, MlirType reader,
                            const struct swizzled_layout *layout) {
  int64_t shape[MAX_RANK];
  int rank = type_shape(reader, shape);
  MlirType element = type_element(reader);
  MlirType memref =
      shared_type(rank, shape, element, swizzled_attribute(&session->layouts, layout));
  struct conversion_side side;
  bool matrices;
  if (!buffer_access(session, reader, memref, false, &side, &matrices))
    return INT64_MAX;
  return side.wavefronts * COPY_BYTES / (side.vector * (int64_t)memory_bytes(session, element));
}

/* Permutes chunks of rows so that what lanes read at one time lies in different banks: of 16 bytes,
   which are ldmatrix's; where an operand is read in words, its lanes may take 32 or 64 bytes of a
   row. */
static void permute_chunks(struct session *session, MlirType reader, int64_t row, int64_t element,
                           struct swizzled_layout *layout) {
  enum { MAX_CHUNK = 64 };
  int64_t least = INT64_MAX;
  layout->per_phase = (int32_t)(row < MACHINE_BANK_ROW ? MACHINE_BANK_ROW / row : 1);
  for (int64_t chunk = COPY_BYTES; chunk <= MAX_CHUNK && chunk < row; chunk *= 2) {
    struct swizzled_layout candidate = *layout;
    int64_t phases = smaller(MACHINE_BANK_ROW / chunk / layout->per_phase, row / chunk);
    candidate.vec = (int32_t)(chunk / element);
    candidate.max_phase = (int32_t)(phases < 1 ? 1 : phases);
    int64_t cost = reading_cost(session, reader, &candidate);
    if (cost < least || chunk == COPY_BYTES) {
      *layout = candidate;
      least = cost;
    }
  }
}

MlirAttribute copy_space(struct session *session, MlirType tile, int fast, MlirType reader) {
  int64_t shape[MAX_RANK];
  struct swizzled_layout layout = {
      .rank = type_shape(tile, shape), .vec = 1, .per_phase = 1, .max_phase = 1};
  int next = 0;
  layout.order[next++] = fast;
  for (int dim = layout.rank - 1; dim >= 0; dim--)
    if (dim != fast)
      layout.order[next++] = dim;
  int64_t element = memory_bytes(session, type_element(tile)), row = shape[fast] * element;
  if (!mlirTypeIsNull(reader) && layout.rank > 1 && row > COPY_BYTES)
    permute_chunks(session, reader, row, element, &layout);
  return swizzled_attribute(&session->layouts, &layout);
}

MlirType transposed_type(struct session *session, MlirType tile, int fast) {
  enum { WORD_BYTES = 4, WORDS = 4, NEIGHBOURS = 8 };
  int64_t shape[MAX_RANK], bytes = memory_bytes(session, type_element(tile));
  int rank = type_shape(tile, shape), along = 1 - fast;
  int word = bytes < WORD_BYTES ? (int)(WORD_BYTES / bytes) : 1;
  const struct layout_info *info = layout_of_type(&session->layouts, tile);
  if (!info || rank != 2 || bytes > WORD_BYTES || shape[along] < WORDS * word ||
      shape[fast] < NEIGHBOURS)
    return (MlirType){0};
  int warps = layout_warps(info), beside = (int)smaller(warps, shape[fast] / NEIGHBOURS);
  struct blocked_layout blocked = {.rank = 2, .order = {along, fast}};
  blocked.size_per_thread[along] = word;
  blocked.size_per_thread[fast] = 1;
  blocked.threads_per_warp[along] = WORDS;
  blocked.threads_per_warp[fast] = NEIGHBOURS;
  blocked.warps_per_cta[along] = warps / beside;
  blocked.warps_per_cta[fast] = beside;
  return type_with_layout(tile, blocked_attribute(&session->layouts, &blocked));
}
