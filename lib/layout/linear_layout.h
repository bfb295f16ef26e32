/* SPDX-License-Identifier: MIT */
/* Linear layouts: who holds which element, as a linear map over bits.

   A block of threads holds a tile of data. A layout answers: element (i, j) of the tile is in which
   register of which lane of which warp? Every size is a power of two, so every position is a string
   of bits, and every layout that a GPU's instructions like turns out to be *linear*: each bit of
   the position in the machine moves the position in the tensor by one fixed step, its basis, and
   the steps of several set bits are combined by XOR.

       L(x) = XOR of basis[i] over the set bits i of x             L(x ^ y) = L(x) ^ L(y)

   Worked example: an 8x8 tile held by one warp, two neighbours of a row per lane (the fragment that
   the tensor cores use). Three bits of row, three of column; 64 elements = 1 register bit + 5 lane
   bits. The cell says T<lane>:<register>.

             0      1      2      3      4      5      6      7          basis   (row, column)
       0  T0:0   T0:1   T1:0   T1:1   T2:0   T2:1   T3:0   T3:1      register 1 -> (0, 1)
       1  T4:0   T4:1   T5:0   T5:1   T6:0   T6:1   T7:0   T7:1      lane     1 -> (0, 2)
       2  T8:0   T8:1   T9:0   T9:1  T10:0  T10:1  T11:0  T11:1      lane     2 -> (0, 4)
       3 T12:0  T12:1  T13:0  T13:1  T14:0  T14:1  T15:0  T15:1      lane     4 -> (1, 0)
       ...                                                           lane     8 -> (2, 0)
       7 T28:0  T28:1  T29:0  T29:1  T30:0  T30:1  T31:0  T31:1      lane    16 -> (4, 0)

   Lane 6, register 1: 6 = 4 ^ 2, so (1, 0) ^ (0, 4) ^ (0, 1) = (1, 5): row 1, column 5, as drawn.

   Two consequences carry the lowerings. A *zero basis* means that flipping the bit changes nothing:
   both positions hold the same element (a copy). In general the copies of x are x ^ k for k in the
   kernel, {k : L(k) = 0}. And moving data from layout A into layout B is one equation: thread and
   register x of B wants element B(x), which A holds at any y with A(y) = B(x): Gaussian elimination
   over bits finds y as a linear function of x, once, at compile time.

   Representation. A `layout_space` gives each named dimension a number of bits. A layout is two
   spaces and one 32-bit word per input bit: the basis, all output coordinates side by side in the
   *flat index* of the output space. The flat index of a space is fixed once, for inputs and outputs
   alike, so no list of dimensions can be in the wrong order:

       least significant   register, lane, warp, block, offset, dim16, ..., dim1, dim0   most

   So a tensor's flat index is its row-major element number, and a thread's is register + (lane <<
   register bits) + .... A reshape of the tensor changes no basis at all.

   Everything here is a plain value of about 190 bytes: no allocation, no globals, any thread. Wrong
   arguments (dimensions that do not match, more than 32 bits) are bugs of the caller and assert;
   what may fail on good arguments returns bool or tile_status. The mathematics follows Zhou et al.,
   "Linear Layouts", arXiv:2505.23819. */
#ifndef TILE_LAYOUT_LINEAR_LAYOUT_H
#define TILE_LAYOUT_LINEAR_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>
#include "base/text.h"
#include "tile/status.h"

enum layout_dim {
  LAYOUT_REGISTER, /* values of one thread */
  LAYOUT_LANE,     /* threads of one warp */
  LAYOUT_WARP,     /* warps of one block */
  LAYOUT_BLOCK,    /* blocks of one cluster */
  LAYOUT_OFFSET,   /* elements of one shared-memory buffer */
  LAYOUT_DIM0,     /* dimensions of the tensor: LAYOUT_DIM0 + i */
  LAYOUT_DIM1,
  LAYOUT_DIM2,
  LAYOUT_DIM3,
  LAYOUT_DIM4,
  LAYOUT_DIM5,
  LAYOUT_DIM_LAST = LAYOUT_DIM0 + 16,
  LAYOUT_DIM_COUNT
};

enum {
  LAYOUT_MAX_BITS = 32, /* of one space */
  LAYOUT_MAX_RANK = 16, /* of tensors from the user; the last one is for intermediate reshapes */
};

/* A set of dimensions, for linear_layout_sublayout. */
#define LAYOUT_SET(dim) (1u << (dim))
#define LAYOUT_TENSOR_DIMS (LAYOUT_SET(LAYOUT_DIM_COUNT) - LAYOUT_SET(LAYOUT_DIM0))
#define LAYOUT_ALL_DIMS (LAYOUT_SET(LAYOUT_DIM_COUNT) - 1)

/* Named dimensions, each of 2^bits values. A dimension may be present with 0 bits (size 1). */
struct layout_space {
  uint8_t bits[LAYOUT_DIM_COUNT]; /* 0 where absent; the sum is at most LAYOUT_MAX_BITS */
  uint32_t dims;                  /* LAYOUT_SET of the dimensions present */
};

/* One value per dimension, 0 where a dimension is absent:
   (struct layout_point){.at = {[LAYOUT_LANE] = 6, [LAYOUT_REGISTER] = 1}} */
struct layout_point {
  uint32_t at[LAYOUT_DIM_COUNT];
};

/* The zero value is the unit of linear_layout_product. */
struct linear_layout {
  struct layout_space in, out;
  uint32_t bases[LAYOUT_MAX_BITS]; /* [bit of the flat input] -> flat output; unused ones are 0 */
};

/* --- Spaces ----------------------------------------------------------------------------------- */

/* "register", "lane", ..., "dim0"; static. */
const char *layout_dim_name(enum layout_dim dim);
/* The space of a tensor: dim0 ... dim(rank-1), rank 0..17. Errors: a size that is no power of two,
   or more than 2^32 elements. */
tile_status layout_space_from_shape(const int64_t *shape, int rank, struct layout_space *out);
/* Sum of all bits: the flat index runs below 2^total. */
int layout_space_total_bits(const struct layout_space *space);
/* Number of tensor dimensions present. */
int layout_space_rank(const struct layout_space *space);
/* Position of `dim`'s lowest bit in the flat index. */
int layout_space_shift(const struct layout_space *space, enum layout_dim dim);
bool layout_space_equal(const struct layout_space *a, const struct layout_space *b);
/* Coordinates to flat index and back. Coordinates must fit their dimension. */
uint32_t layout_space_pack(const struct layout_space *space, const struct layout_point *point);
struct layout_point layout_space_unpack(const struct layout_space *space, uint32_t flat);
/* One coordinate of a flat index. */
uint32_t layout_space_coordinate(const struct layout_space *space, uint32_t flat,
                                 enum layout_dim dim);

/* --- Construction ----------------------------------------------------------------------------- */

/* x in `in_dim` goes to x in `out_dim`, 2^bits values. */
struct linear_layout linear_layout_identity(enum layout_dim in_dim, enum layout_dim out_dim,
                                            int bits);
/* Every x in `in_dim` goes to 0 in `out_dim` (which has size 1): 2^bits copies. */
struct linear_layout linear_layout_zeros(enum layout_dim in_dim, enum layout_dim out_dim, int bits);
/* Each point of `space` to itself. */
struct linear_layout linear_layout_identity_on(const struct layout_space *space);
/* No inputs yet, outputs `out`; add columns with linear_layout_append. */
struct linear_layout linear_layout_into(const struct layout_space *out);
/* Makes `dim` an input of 1 value if it is none yet. */
void linear_layout_declare_in(struct linear_layout *layout, enum layout_dim dim);
/* Adds one bit, the new most significant one of `in_dim`, with the flat output `image`. */
void linear_layout_append(struct linear_layout *layout, enum layout_dim in_dim, uint32_t image);
/* The block product: `a` is the inner tile, `b` says how copies of the tile are arranged. In each
   dimension `a` has the low bits and `b` the high bits. Associative. The worked example above is
       identity(register, dim1, 1) * identity(lane, dim1, 2) * identity(lane, dim0, 3) */
struct linear_layout linear_layout_product(const struct linear_layout *a,
                                           const struct linear_layout *b);
/* Makes `tile` cover exactly `shape`, which has the same output dimensions: where the tile is
   smaller, new high register bits repeat it, dimension order[0] first, then order[1], ...; where it
   is larger, output bits beyond the shape vanish (their bases become zero: copies). `order` names
   tensor dimensions 0..rank-1. Registers that became zero stay; see
   linear_layout_remove_zero_registers. */
struct linear_layout linear_layout_fit(const struct linear_layout *tile,
                                       const struct layout_space *shape, const int32_t *order);

/* --- Reading ---------------------------------------------------------------------------------- */

bool linear_layout_equal(const struct linear_layout *a, const struct linear_layout *b);
/* 2^bits of a dimension; 1 when absent. */
int64_t linear_layout_in_size(const struct linear_layout *layout, enum layout_dim dim);
int64_t linear_layout_out_size(const struct linear_layout *layout, enum layout_dim dim);
/* The image (flat output) of bit `bit` of `in_dim`; bit < in.bits[in_dim]. */
uint32_t linear_layout_basis(const struct linear_layout *layout, enum layout_dim in_dim, int bit);
/* L of a flat input index, as a flat output index. */
uint32_t linear_layout_apply_flat(const struct linear_layout *layout, uint32_t flat);
/* L of coordinates; those of dimensions that are no input are ignored. */
struct layout_point linear_layout_apply(const struct linear_layout *layout,
                                        const struct layout_point *in);

/* --- Taking apart and relabelling ------------------------------------------------------------- */

/* Only the inputs in `in_dims` (the others are held at 0) and the outputs in `out_dims` (the others
   are forgotten). Both are sets, LAYOUT_SET(LAYOUT_LANE) | ...; absent dimensions are ignored. */
struct linear_layout linear_layout_sublayout(const struct linear_layout *layout, uint32_t in_dims,
                                             uint32_t out_dims);
/* The layout of reshape(tensor, shape), row-major: every thread keeps its values. `shape` has as
   many bits as the outputs. With shape = {dim0: total bits} it flattens. */
struct linear_layout linear_layout_reshape(const struct linear_layout *layout,
                                           const struct layout_space *shape);
/* The layout of permute(tensor, order): dimension i of the result is dimension order[i] of the
   source; every thread keeps its values. `order` is a permutation of 0..rank-1. */
struct linear_layout linear_layout_transpose(const struct linear_layout *layout,
                                             const int32_t *order);
/* Output dimension `from` gets the name `to`, which must be free. */
struct linear_layout linear_layout_rename_out(const struct linear_layout *layout,
                                              enum layout_dim from, enum layout_dim to);
/* Without the register bits whose basis is zero: copies within one thread are never kept. */
struct linear_layout linear_layout_remove_zero_registers(const struct linear_layout *layout);
/* Finds c with a = b * c (product). `c` keeps all dimensions of `a`, those used up with 0 bits.
   False, *out untouched, when there is none. */
bool linear_layout_divide(const struct linear_layout *a, const struct linear_layout *b,
                          struct linear_layout *out);
/* Divides by identity(in_dim, out_dim, bits): are the low `bits` bits of in_dim exactly the low
   bits of out_dim, untouched by every other input? */
bool linear_layout_quotient(const struct linear_layout *layout, enum layout_dim in_dim,
                            enum layout_dim out_dim, int bits, struct linear_layout *out);
/* Is the output coordinate `dim` always equal to the input coordinate `dim`? */
bool linear_layout_keeps(const struct linear_layout *layout, enum layout_dim dim);
/* Does the layout keep `dim`, and does no other output depend on it? The layout is then
   identity(dim, dim) * rest. */
bool linear_layout_is_identity_over(const struct linear_layout *layout, enum layout_dim dim);

/* --- Linear algebra (solve.c) ----------------------------------------------------------------- */

/* Dimension of the image: 2^rank different outputs occur, each 2^(input bits - rank) times. */
int linear_layout_rank(const struct linear_layout *layout);
/* Is every output reached? Layouts of tensors are always surjective. */
bool linear_layout_is_surjective(const struct linear_layout *layout);
/* Is every output reached at most once, are there no copies? */
bool linear_layout_is_injective(const struct linear_layout *layout);
/* A basis of {k : L(k) = 0}, flat inputs, into `out`; returns how many. The k are in increasing
   order, and the highest bit of each occurs in no other: those are the free bits below. The copies
   of x are x ^ any combination of them. */
int linear_layout_kernel(const struct linear_layout *layout, uint32_t out[LAYOUT_MAX_BITS]);
/* The smallest flat input that L sends to `element` (flat): the first holder of an element. False,
   *out undefined, if nobody holds it. Eliminates anew at each call; for all elements see
   linear_layout_pseudo_invert. */
bool linear_layout_find(const struct linear_layout *layout, uint32_t element, uint32_t *out);
/* Where each place of `layout` finds its element in a tensor of `space`, as the element's flat
   number (LAYOUT_OFFSET); dimension `forgotten` is 0, or is missing in the space. */
struct linear_layout linear_layout_places(const struct linear_layout *layout,
                                          const struct layout_space *space, int forgotten);
/* Per input dimension, the mask of bits that are redundant given the less significant ones. The
   positions with all free bits 0 hold every element exactly once: a store of a tensor is predicated
   on (lane & masks.at[LAYOUT_LANE]) == 0, likewise for the warp, and skips redundant registers. */
struct layout_point linear_layout_free_masks(const struct linear_layout *layout);
/* The same as bits of the thread's index in a program of so many warps; all of them for NULL, a
   scalar. */
uint32_t linear_layout_thread_copies(const struct linear_layout *layout, int warps);
/* b after a: x -> b(a(x)). Each output dimension of `a` is an input of `b`, with at least its
   bits. */
struct linear_layout linear_layout_compose(const struct linear_layout *a,
                                           const struct linear_layout *b);
/* The inverse of a bijection; its inputs are the old outputs. Error: not a bijection. */
tile_status linear_layout_invert(const struct linear_layout *layout, struct linear_layout *out);
/* P with L(P(y)) = y: of each element the copy with the smallest flat input. Error: L is not
   surjective. */
tile_status linear_layout_pseudo_invert(const struct linear_layout *layout,
                                        struct linear_layout *out);
/* X with b(X(x)) = a(x), x over the inputs of `a`, X(x) over those of `b`: always the solution with
   the smallest flat index. Both have the same output space. Errors: different output spaces; an
   element of `a` that `b` does not hold. */
tile_status linear_layout_invert_and_compose(const struct linear_layout *a,
                                             const struct linear_layout *b,
                                             struct linear_layout *out);
/* For data in layout `source` wanted in layout `target`: from where does each target position read?
   X with source(X(x)) = target(x), as above, but of all solutions one that moves as little as it
   can: if the copies allow that all values stay in their warp, or in their thread, X keeps them.
   To be asked of X afterwards, from the dearest to the cheapest conversion:
       keeps(X, LAYOUT_WARP)            no value crosses warps: shuffles will do
       ... and keeps(X, LAYOUT_LANE)    no value leaves its thread: selects will do
       is_identity_over(X, both)        all threads rename their registers alike: no code at all
   Errors as above. */
tile_status linear_layout_conversion(const struct linear_layout *target,
                                     const struct linear_layout *source, struct linear_layout *out);

/* --- Questions of the lowerings --------------------------------------------------------------- */

/* The longest run (a power of two) such that in every thread registers r, r+1, ... from a multiple
   of the run on hold consecutive elements along `dim`, aligned to the run: the vector width that a
   memory access may use. 1 when `dim` is absent. */
int64_t linear_layout_contiguous_run(const struct linear_layout *layout, enum layout_dim dim);
/* Do registers set other output bits than all other inputs? Then L(register, thread) =
   L(register, 0) + L(0, thread): one address per thread plus a constant per register. */
bool linear_layout_registers_are_additive(const struct linear_layout *layout);

/* --- Text and pictures (picture.c) ------------------------------------------------------------ */

/* The bases, one input dimension a line, then the sizes of the outputs:
       register = [[0, 1]]
       lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]
       warp = []
       outputs = [dim0 = 8, dim1 = 8] */
void linear_layout_print(const struct linear_layout *layout, struct text *out);

/* How much a picture may show; what is left out is said. Zero fields mean the defaults. */
struct layout_picture_limits {
  int rows, columns; /* of a grid: 32, 16 */
  int slabs;         /* grids, for three and more dimensions: 4 */
  int copies;        /* holders named in one cell: 2, at most 4 */
  int warps;         /* of linear_layout_draw_threads: 2 (all 32 lanes of each) */
  int registers;     /* of linear_layout_draw_threads: 8 */
};

/* Where each element is: one row of cells per row of the last two dimensions, one grid ("slab") per
   combination of the others; a one-dimensional tensor is wrapped into rows. A cell reads
   T<thread>:<register>, thread = lane + lanes * warp; B<block>. goes before it when there are
   several blocks; copies are joined by '|', the rest of them counted "+6"; "-" is an element nobody
   holds. For inputs other than register, lane, warp and block a cell is the flat input index, such
   as a shared-memory offset. `limits` may be NULL. */
void linear_layout_draw(const struct linear_layout *layout,
                        const struct layout_picture_limits *limits, struct text *out);
/* What each thread of block 0 holds: one line a thread, the coordinates of its registers in order.
   "copy" marks threads whose elements are all held by lower threads too. `limits` may be NULL. */
void linear_layout_draw_threads(const struct linear_layout *layout,
                                const struct layout_picture_limits *limits, struct text *out);

#endif
