/* SPDX-License-Identifier: MIT */
/* Attributes of kernels that have a second version, for launches of so few blocks that multiprocessors are half empty
   (docs/decisions/0020-small-grids.md). tile-gpu-pipeline makes it, tile_launch chooses between the two. */
#ifndef TILE_IR_SMALL_GRIDS_H
#define TILE_IR_SMALL_GRIDS_H

#define SMALL_GRIDS "tile.small_grids"            /* of the module, unit: kernels are to have one where it differs */
#define SMALL_GRID_OF "tile_gpu.small_grid_of" /* of the second version: the kernel's name */

#endif
