/* SPDX-License-Identifier: MIT */
/* Axis info: how the numbers in a tile are spaced, for every value of a function.

   For each dimension, with the other indices held fixed:

     contiguity   c: positions [k*c, k*c + c) hold consecutive integers (pointers: the addresses of
                     consecutive elements), for every k.
     divisibility d: the number at every position k*c, the *first* of each such run, is a multiple
   of d (pointers: of d bytes). Inside a run nothing more follows than counting gives:
                     axis_divisibility_at says what.
     constancy    k: positions [j*k, j*k + k) hold equal values, for every j.

   All three are powers of two; 1 says nothing. Contiguity and constancy never exceed the largest
   power of two that divides the dimension, divisibility is capped at AXIS_MAX (zero is divisible by
   anything). Scalars have one dimension of size 1.

       tile.range {start = 16, end = 80}   16 17 18 ... 79       c = 64, d = 16, k = 1
       splat of 12                         12 12 12 ... 12       c = 1,  d = 4,  k = 64
       range / 4                           4 4 4 4 5 5 5 5 ...   c = 1,  d = 1,  k = 4
       range % 8                           0 1 ... 7 0 1 ... 7   c = 8,  d = 8,  k = 1

   Overflow. Numbers are bit patterns of their type's width w, and the three facts are about
   arithmetic modulo 2^w, which wraps in addi, subi, muli and shli without harm. Order, division and
   widening are not modular; there the rules use only the *aligned* part of a run, min(c, d), which
   cannot straddle a wrap. So everything that an access of min(c, d / bytes) elements rests on is
   exact, overflow or not. Three facts lean on the language instead:
     - a run longer than its alignment survives arith.extsi, arith.index_cast and tile.addptr
       (tile.addptr: the arithmetic that forms an offset does not wrap between elements of a tile);
     - a sum, product or left shift of numbers that are not negative is not negative;
     - a signed quotient of a number that is not negative is not negative (divisors are positive).
   The last two feed `non_negative` only (and tile-find-descriptors, box_outer.h), without which no
   signed division or remainder keeps structure: -4, -3, -2, -1 over 4 is -1, 0, 0, 0, and modulo 4
   it is 0, -3, -2, -1. */
#ifndef TILE_ANALYSIS_AXIS_INFO_H
#define TILE_ANALYSIS_AXIS_INFO_H

#include "base/arena.h"
#include "base/map.h"
#include "ir/session.h"

enum { AXIS_MAX = 1 << 30 };

struct axis_info {
  int rank; /* 1 for scalars; entries beyond it are 1 */
  int64_t contiguity[MAX_RANK], divisibility[MAX_RANK], constancy[MAX_RANK];
  int64_t element_bytes; /* pointers: size of the pointee; 1 for everything else */
  bool non_negative;     /* every element is, read as a signed number */
  bool is_constant;      /* every element is the integer `constant`, sign-extended (i1: 0 or 1) */
  int64_t constant;
};

/* The infos of one function's values. It describes the IR as it was when it ran: do not ask it
   about anything after a rewrite. One thread at a time. */
struct axis_analysis {
  struct session *session; /* borrowed */
  struct arena arena;
  struct map infos;        /* MlirValue.ptr -> struct axis_info */
  struct map non_negative; /* keys: MlirValue.ptr of what tile.assume says is >= 0 */
  struct map multiples;    /* MlirValue.ptr -> int64_t *, a divisor by tile.assume */
};

/* Analyses a func.func, before or after layouts are assigned. Seeds: the argument attributes
   tile.divisibility, tile.contiguity and tile.constancy; the same names on any operation raise the
   info of its results (an integer for scalars and 1-D tensors, an array of one integer a dimension,
   or array<i32: ...>); tile.assume of a comparison with a constant proves a value non-negative,
   and of `remainder == 0` that a scalar is a multiple.
   Initialises `analysis`; axis_analysis_destroy ends it. */
void axis_analysis_run(struct axis_analysis *analysis, struct session *session,
                       MlirOperation function);
void axis_analysis_destroy(struct axis_analysis *analysis);

/* Never NULL: of a value that the analysis has not seen nothing is known. Owned by the analysis. */
const struct axis_info *axis_info_of(struct axis_analysis *analysis, MlirValue value);

/* A divisor of the numbers at positions that are multiples of `run` (a power of two) along `dim`.
 */
int64_t axis_divisibility_at(const struct axis_info *info, int dim, int64_t run);

/* The widest access along `dim`: how many consecutive elements, counted from any multiple of that
   number, are contiguous in memory and aligned to their total size. At least 1. */
int64_t axis_pointer_contiguity(struct axis_analysis *analysis, struct session *session,
                                MlirValue pointer_tensor, int dim);

/* Are elements that are neighbours in the tile neighbours in memory, along any dimension? */
bool axis_has_neighbours(struct axis_analysis *analysis, MlirValue pointer_tensor);

/* How many consecutive elements of a mask along `dim`, counted from any multiple of that number,
   are equal. AXIS_MAX for a null mask. */
int64_t axis_mask_constancy(struct axis_analysis *analysis, MlirValue mask, int dim);

/* The bits of a register's number that do not matter: a tile in `layout` has equal elements
   (constancy) in all registers that differ in these bits alone. */
uint32_t axis_equal_registers(const struct axis_info *info, const struct linear_layout *layout);

#endif
