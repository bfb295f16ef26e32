/* SPDX-License-Identifier: MIT */
/* Descriptors that the launch makes: parameters of type !tile.descriptor, each with a recipe, the
   attribute `tile_gpu.tensor_map` of the parameter:

       {base = 0 : i32, type = f16, sizes = [array<i64: 1, 5>, array<i64: 1, 4>],
        strides = [array<i64: 2, 7>], box = array<i32: 64, 128>, swizzle = 128 : i32}

   Innermost dimension first, as the driver counts (CUDA driver API, cuTensorMapEncodeTiled). `base`
   is the number of a parameter of the function, a pointer. A size, in elements, and a stride, in
   bytes, of all dimensions but the innermost, is a factor and the numbers of integer parameters
   whose product with it it is. `box` is what one copy brings, `swizzle` (32, 64, 128 bytes; 0:
   none) how it lies in shared memory: tile-gpu-pipeline adds both. The unit attribute `nan` says
   that what lies outside reads as NaN, else as zero; `stores`, that the function stores boxes
   through it, and loads none. `narrow = array<i32: 1>` lists dimensions whose distances the kernel
   counts in 32 bits: over these the sum of (size - 1) * stride, in elements, has to be below 2^31.
 */
#ifndef TILE_IR_TENSOR_MAPS_H
#define TILE_IR_TENSOR_MAPS_H

#include "ir/session.h"

/* Adds a parameter with these attributes (a dictionary) after all others. */
MlirValue function_add_parameter(MlirOperation function, MlirType type, MlirAttribute attributes);

/* Takes a parameter out that nobody uses. */
void function_remove_parameter(MlirValue parameter);

/* The recipe of a tile.make_descriptor whose parts are parameters of the kernel and products of
   them and constants: a dictionary without box and swizzle; null where the launch cannot know. */
MlirAttribute tensor_map_recipe(struct session *session, MlirOperation make);

/* The same recipe for a descriptor through which boxes are stored alone. */
MlirAttribute tensor_map_for_stores(MlirContext context, MlirAttribute recipe);

/* Can the launch compute the integer: is it a product of parameters of the kernel and constants? */
bool tensor_map_knows(struct session *session, MlirValue value);

/* Dimensions of a parameter's recipe; 0 where it is no parameter with one. */
int tensor_map_rank(struct session *session, MlirValue parameter);

/* Says of a parameter with a recipe what one copy brings; `box` innermost first. */
void tensor_map_complete(struct session *session, MlirValue parameter, int rank, const int32_t *box,
                         int swizzle);

/* Has that been said of all parameters that are descriptors? */
bool tensor_maps_are_complete(struct session *session, MlirOperation function);

#endif
