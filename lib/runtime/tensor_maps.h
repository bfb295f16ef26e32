/* SPDX-License-Identifier: MIT */
/* Tensor maps of a version (tile_tensor_map): from a launch's arguments to the 128 bytes that it
   passes.

     values    address, sizes and strides, computed of the arguments; checked against the rules of
               cuTensorMapEncodeTiled that depend on them (the others are checked with the metadata)
     bytes     what the driver makes of them, remembered for some values

   A launch that repeats an earlier one's values finds its bytes without calling the driver. The
   table that remembers has no lock: each entry counts its changes, a reader that sees a change
   takes the entry for another one's, and a writer that finds another one at work leaves it alone.
 */
#ifndef TILE_RUNTIME_TENSOR_MAPS_H
#define TILE_RUNTIME_TENSOR_MAPS_H

#include "base/arena.h"
#include "base/private.h"
#include "base/text.h"
#include "runtime/objects.h"

/* What is wrong with a map whatever the launch, in words: "a dimension of its box is not 1 to 256";
   NULL for one that is right. `kernel` has the parameters. */
const char *tensor_map_problem(const tile_kernel_info *kernel, const tile_tensor_map *map);

bool tensor_maps_equal(const tile_kernel_version *a, const tile_kernel_version *b);

/* "x: f16, K x M, stride 2 * stride bytes, boxes of 64 x 128, swizzle 128". */
TILE_PRIVATE void tensor_map_print(const tile_kernel_info *kernel, const tile_tensor_map *map,
                                   struct text *out);

/* --- At a launch ------------------------------------------------------------------------------ */

/* Of `count` maps; owned by the arena. */
struct tensor_map_table *tensor_map_tables_create(struct arena *arena, size_t count);

/* Makes all maps of a version; false where one cannot be made, or the version is for other rows
   (TILE_CONDITION_SPLIT_ROWS). `bits` are the arguments. */
bool tensor_maps_make(const tile_kernel *kernel, const struct loaded_version *version,
                      const uint64_t *bits, struct tensor_map_bytes *out);

/* Why tensor_maps_make has said no: "a tensor map of x, whose address 0x8 is no multiple of 16". */
void tensor_maps_explain(const tile_kernel *kernel, const struct loaded_version *version,
                         const uint64_t *bits, struct text *out);

#endif
