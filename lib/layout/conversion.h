/* SPDX-License-Identifier: MIT */
/* Layout conversion: how data held in one layout gets into another.

   One function decides, and both the allocation of shared memory and the lowering ask it, so that
   size and code cannot disagree. From cheap to dear:

     rename    every thread already holds what it needs, in registers of other numbers
     shuffle   no value leaves its warp, and few selects make each round of shuffles a function
     shared    through shared memory, in an order of elements ("swizzle") without bank conflicts

   Shuffles. X, the conversion (linear_layout.h), says for register r of lane t where its value
   lies: in register Xr(r) ^ Xr(t) of lane Xl(r) ^ Xl(t). A shuffle lets lane t read one register of
   any lane, but the *sender* names the register. So round k lets lane t fetch its register k ^
   f(t), with a linear f that makes the sender of each pair (k, t) unique up to copies: a sender
   then knows which register is wanted of it, k's and h(its lane).

     1.  y[s] = register s ^ h(lane)             selects, none where h = 0
     2.  z[k] = y[send(k)] of lane Xl(k) ^ G(t)  one shuffle, none where that is t itself
     3.  register r = z[r ^ f(t)]                selects, none where f = 0

   Elements of less than a word go several at a time: a bit of the register that is the same bit of
   the element on both sides is left out of X, and the registers that differ in it alone are one
   word on their way. So weights of 8 bits, of which a thread of one product has two neighbours of a
   row and a thread of the next one wants four, take 16 shuffles for 64 weights.

   Shared memory. The order of elements is a linear map too, from the bits of the offset to the bits
   of the element: low bits are one access, the following ones the banks (32 of 4 bytes), the high
   ones the rows. Lanes that access at the same time conflict when they differ in a row but not in a
   bank: so no XOR of their bases may lie in the span of the rows. A subspace of rows that avoids
   both the writing and the reading lanes always exists: where one writes along a and the other
   reads along b, it contains a ^ b. (Zhou et al., "Linear Layouts", arXiv:2505.23819, section 5.4.)

   Where stmatrix is at hand, the writers may be other lanes than those that hold the values: lane l
   stores row l % 8 of matrix l / 8, 16 bytes, of which each of four lanes in a row holds a word. So
   the writing side is planned as if registers held whole rows:

     lanes 0, 1 -> words of a row        become register bits, after that of a word's halves
     lanes 2, 3, 4 -> rows of a matrix   become lanes 0, 1, 2
     two register bits                   become lanes 3, 4: which of an instruction's four matrices

   Where no value leaves its warp, each warp has a part of the scratch for itself, and its lanes
   wait for one another only. The order of elements is then that of the warp's own: those that its
   registers and lanes span. */
#ifndef TILE_LAYOUT_CONVERSION_H
#define TILE_LAYOUT_CONVERSION_H

#include "layout/linear_layout.h"

enum conversion_kind { CONVERSION_RENAME, CONVERSION_SHUFFLE, CONVERSION_SHARED };

enum { CONVERSION_LANE_BITS = 5, CONVERSION_ACCESS_BYTES = 16 };

struct conversion_shuffle {
  struct linear_layout conversion;
  uint32_t reader[CONVERSION_LANE_BITS]; /* f: target register bits, by bit of the reading lane */
  uint32_t sender[CONVERSION_LANE_BITS]; /* h: source register bits, by bit of the sending lane */
  uint32_t lane[CONVERSION_LANE_BITS];   /* G: sending lane, by bit of the reading lane */
};

/* One side's accesses of shared memory. */
struct conversion_side {
  struct linear_layout address; /* register, lane, warp -> LAYOUT_OFFSET, counted in elements */
  uint32_t origin;              /* XORed to every offset: where offset 0 lies in a larger buffer */
  struct layout_point skip;     /* a register, lane or warp with one of these bits does not access
                                 */
  int vector;                   /* elements of one access */
  int wavefronts;               /* of one access of a warp, as the banks serialise it */
  int least;                    /* what they would be without bank conflicts */
};

/* Register bits that are the same bit of the element on both sides, and set by nothing else. */
struct conversion_chunk {
  int from, to;
};

/* Stores by stmatrix: bits of the source's registers. The `write` side of the conversion then
   counts rows of 8 elements: a register of it is 3 bits of the element in the row, and above them
   those from source_bits[1 + matrix_bits] on. */
struct conversion_matrices {
  bool used;
  int matrix_bits;                  /* 1 << matrix_bits matrices an instruction */
  int source_bits[LAYOUT_MAX_BITS]; /* the halves of a word, the matrix, then all others */
};

struct layout_conversion {
  enum conversion_kind kind;
  /* Shared memory: chunks, one after the other at one offset, each with the registers whose bits of
     `chunks` have one value; `write` and `read` count the others only. Shuffles: registers that
     differ in those bits alone make a word together, the first one in its lowest bits; `shuffle`
     counts words. */
  struct conversion_chunk chunks[LAYOUT_MAX_BITS];
  int chunk_bits;
  struct conversion_shuffle shuffle; /* rename: only `conversion` */
  struct conversion_side write, read;
  struct conversion_matrices matrices;
  bool within_warp; /* shared memory: part w of the scratch, of as many as there are warps, is warp
                     * w's
                     */
  int64_t bytes;    /* of shared memory; 0 for renames and shuffles */
};

/* Plans the conversion of elements of `bytes` bytes (1 to 8, a power of two). Both layouts are of
   one tensor and have registers, lanes and warps. Errors: those of linear_layout_conversion. */
tile_status conversion_plan(const struct linear_layout *from, const struct linear_layout *to,
                            int bytes, struct layout_conversion *out);

/* What a plan may use. */
struct conversion_means {
  int64_t limit; /* bytes of shared memory, where chunks can keep it so */
  bool matrices; /* stmatrix */
  bool block;    /* all warps wait for one another: no warp has a part of the scratch for itself */
};

/* The same in chunks, where that is needed to stay below the limit and both sides have registers in
   common; within each warp where that is possible; stored by stmatrix where that takes fewer
   instructions. */
tile_status conversion_plan_chunked(const struct linear_layout *from,
                                    const struct linear_layout *to, int bytes,
                                    const struct conversion_means *means,
                                    struct layout_conversion *out);

/* The same, through shared memory in any case. */
tile_status conversion_plan_shared(const struct linear_layout *from, const struct linear_layout *to,
                                   int bytes, struct layout_conversion *out);

/* The stores of a tensor into shared memory in row-major order, for loads at offsets known at run
   time. */
struct conversion_side conversion_row_major(const struct linear_layout *from, int bytes);

/* Stores of a tensor into, or loads from, a buffer whose elements have their offsets: `to_offset`
   takes the flat element number (dim0) to LAYOUT_OFFSET, and `origin` is XORed to it. */
struct conversion_side conversion_at_offsets(const struct linear_layout *tensor,
                                             const struct linear_layout *to_offset, uint32_t origin,
                                             bool stores, int bytes);

/* Stores of a tensor of one warp into such a buffer by stmatrix: fills in `write` and `matrices`
   alone. False where rows of eight elements do not lie so, or would take longer than they must. */
bool conversion_matrix_stores(const struct linear_layout *tensor,
                              const struct linear_layout *to_offset, int bytes,
                              struct layout_conversion *out);

/* Round k of a shuffle plan: the register (after step 1) that is sent, and what is XORed to G(t)
   for the sending lane. */
uint32_t conversion_sent_register(const struct conversion_shuffle *shuffle, uint32_t k);
uint32_t conversion_lane_offset(const struct conversion_shuffle *shuffle, uint32_t k);
/* Is G the identity: is the sending lane always t XOR a constant? */
bool conversion_is_butterfly(const struct conversion_shuffle *shuffle);

/* The registers that a side accesses, `vector` at a time, at consecutive offsets from an aligned
   one on, into `out` (room for all registers). Returns how many. */
int conversion_registers(const struct conversion_side *side, uint32_t *out);

/* The registers of one side in chunk `chunk`, in the order in which `write` or `read` number them,
   or of part `chunk` of each word, in the order of words: `writes` says which side; `count` is how
   many registers that side has in all. Returns how many. */
int conversion_chunk_registers(const struct layout_conversion *plan, bool writes, int chunk,
                               int count, int *out);

/* "; stores of 16 bytes: 4 wavefronts, least 4", where `what` is stores. */
void conversion_describe_side(const struct conversion_side *side, const char *what, int bytes,
                              struct text *out);
/* "shared memory, 4096 bytes; stores of 16 bytes: 4 wavefronts, least 4; loads of ..." */
void conversion_describe(const struct layout_conversion *plan, int bytes, struct text *out);

#endif
