/* SPDX-License-Identifier: MIT */
/* How threads read an operand of a product by multiply-adds from shared memory.

     for k, some steps at a time:  the rows of a that a thread's sums lie in, at these k
                                   their columns of b
                                   each sum = fma(its row's, its column's, the sum)

   Where an element lies is linear in the bits of its coordinates (layout/shared.h), and so is where
   a thread's row is: one part is of the thread, one of the register, one of k. Their XOR is the
   offset; parts that set bits of their own are added, and those of constants are in the
   instruction. Loads have up to 16 bytes: of k where neighbours along k are neighbours in memory,
   else of rows (columns) that a thread has side by side.

   The lowering of such products asks, and whoever decides where their operands are to lie. */
#ifndef TILE_ANALYSIS_PRODUCT_OPERAND_H
#define TILE_ANALYSIS_PRODUCT_OPERAND_H

#include "base/arena.h"
#include "layout/linear_layout.h"
#include "layout/shared.h"

/* Where an operand lies. */
struct product_source {
  const struct linear_layout *to_offset; /* flat element number (dim0) -> LAYOUT_OFFSET; NULL:
                                            row-major */
  uint32_t origin;                       /* XORed to every offset */
  int64_t first;                         /* byte of offset 0, from an aligned one on */
  unsigned bytes;                        /* of an element */
};

struct product_operand {
  struct linear_layout places;    /* the sums' register, lane, warp -> LAYOUT_OFFSET at k = 0 */
  uint32_t of_k[LAYOUT_MAX_BITS]; /* XORed for each bit of k that is set */
  int k_bits;
  int64_t unrolled;     /* steps of k in a round, a power of two */
  uint32_t origin;      /* XORed to every offset */
  uint32_t thread_bits; /* of an offset, that depend on the thread */
  uint32_t round_bits;  /* that depend on the round */
  bool along_k;         /* neighbours along k are neighbours in memory */
  int vector;           /* elements of a load: of k if along_k, else of own[] */
  int count;            /* different rows (columns) of a thread's sums */
  uint32_t *own;        /* their parts of the offset */
  int *of_register;     /* the one of each sum */
};

/* Steps of k in a round, for so many sums of a thread and `depth` steps in all. */
int64_t product_unrolled(int sums, int64_t depth);

/* Describes an operand, a tile of `space`, of a product whose accumulators have the layout `sums`;
   it lacks dimension `dim` of those, and has k there. Lists are the arena's. */
void product_operand_read(struct product_operand *out, struct arena *arena,
                          const struct linear_layout *sums, const struct layout_space *space,
                          int dim, int64_t unrolled, const struct product_source *source);

/* What step k adds to an offset, by XOR. */
uint32_t product_operand_of_step(const struct product_operand *operand, int64_t k);

/* Wavefronts of shared memory that a warp's loads of all that it needs take. */
int64_t product_operand_cost(const struct product_operand *operand, unsigned bytes);

/* An operand that is stored for the product. */
struct product_stored {
  const struct linear_layout *sums, *tile; /* of the accumulators, of the operand */
  int dim;                                 /* as above */
  int64_t unrolled;
  unsigned bytes;
  int64_t share; /* of the stores: 1, or how many products take what is stored once */
};

/* How it is to lie: rows along k or across, their chunks permuted or not. `cost`, in wavefronts, is
   of a warp's loads and stores. */
struct product_order {
  struct swizzled_layout layout;
  struct linear_layout to_offset;
  int64_t cost;
};

/* The order of least cost; of equals the first, which is row-major. */
struct product_order product_order_choose(const struct product_stored *stored, struct arena *arena);

#endif
