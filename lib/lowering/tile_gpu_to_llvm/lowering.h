/* SPDX-License-Identifier: MIT */
/* From tensors to one thread's registers.

   A tensor with a linear layout is, for one thread, a list of registers: register r of lane t in
   warp w holds element L(r, t, w). The emitter walks the old function once and builds the new
   llvm.func beside it, with a map from each old value to its registers.

   Registers are kept as `base + offset`, an SSA value plus a compile-time integer, because that is
   how tiles address memory: the registers of range + pid * BLOCK share one base, and a pointer tile
   needs one base per row that depends on run-time values, and constant byte offsets for the rest.
   Elementwise arithmetic on integers works on the pairs; everything else asks for the sum, which
   register_value builds. Per-element address arithmetic is never emitted: NVPTX's code generator is
   quadratic in it.

   Rules: one function per operation or family, in a table by op kind (rules.def). */
#ifndef TILE_LOWERING_TILE_GPU_TO_LLVM_LOWERING_H
#define TILE_LOWERING_TILE_GPU_TO_LLVM_LOWERING_H

#include "analysis/axis_info.h"
#include "base/arena.h"
#include "ir/build_llvm.h"
#include "ir/session.h"

/* One old value. Scalars have one register. For pointers the offset is in bytes and the base is
   never null; for integers a null base stands for the constant `offset`; all other types have
   offset 0. */
struct lowered {
  int count;
  MlirType type; /* of one register, in the LLVM dialect's types or builtin numbers */
  bool pointer;
  unsigned width; /* bits, for integers; 0 for all other types */
  MlirValue *base;
  int64_t *offset;
  MlirValue *pairs; /* NULL, or the same f16 elements two by two in i32 (pairs.c) */
};

struct device_ops;

/* Roles of a block's threads (tile_gpu.in_producer). Of the producer's, one works, and two warps
   beside it where there is something to transpose (tile_gpu.in_transposer). */
enum lowering_role { ROLE_ALL, ROLE_PRODUCER, ROLE_TRANSPOSER, ROLE_CONSUMERS };

struct lowering {
  struct session *session;
  const struct device_ops *device; /* device_ops.h */
  struct arena arena;
  struct builder b;             /* where the rule's code goes */
  MlirOperation prologue;       /* marker in the entry block: thread coordinates and constants go in
                                   front */
  MlirValue thread, lane, warp; /* i32, in the prologue; warp is null with one warp */
  MlirValue uniform_warp;       /* the same, from lane 0 of the warp; null until used
                                 */
  struct map values;            /* old MlirValue.ptr -> struct lowered */
  struct map constants;         /* interned attribute -> MlirValue */
  struct map coordinates; /* struct linear_layout -> MlirValue[rank], bases of the thread's part */
  struct map views;       /* old memref MlirValue.ptr -> struct shared_view */
  struct map full_loops;  /* scf.for whose loop variables cannot be carried as bases */
  struct axis_analysis axis;
  int num_warps;
  int programs;                     /* in one block */
  int producer_warps;               /* beside them (tile_gpu.producer_warps) */
  int producer_registers;           /* of each of their threads */
  int cluster_blocks;               /* of a cluster (tile_gpu.cluster_blocks); 1: there are none */
  enum lowering_role role;          /* whose operations are being lowered */
  MlirValue program, program_count; /* along x, i32; null with one program in a block */
  MlirValue ordered[3];             /* ids of the program (tile.longest_axis); null: the block's */
  MlirBlock entry;
  MlirOperation module;
  MlirValue shared;   /* null until used */
  bool places_ahead;  /* in a loop before which addresses in shared memory are computed as far as
                         they can be */
  bool few_registers; /* tile-list-schedule comes later (tile_gpu.register_bound) */
  bool warp_groups;   /* the kernel has dots by warp groups, which read shared memory through a
                         proxy of their own */
  MlirValue divisor, reciprocal; /* the last ones of a division by what many elements share (math.c)
                                  */
  MlirValue print_buffer;        /* !llvm.ptr: vprintf's arguments; null until used */
  int next_zero;                 /* of the next DEVICE_HIDDEN_ZERO */
  int next_string;               /* number of the next global string */
};

typedef MlirLogicalResult lower_rule(struct lowering *lw, MlirOperation op);

/* The registers of an old value; the value must have been lowered. */
struct lowered *lowered_of(struct lowering *lw, MlirValue value);
/* Fresh registers for an old value of this type: `count` slots with null bases and offset 0. */
struct lowered *lowered_create(struct lowering *lw, MlirType old_type);
/* `count` fresh registers of the type of `like`'s, with null bases and offset 0. Only these are
   alike: the pairs of `like`'s elements are not theirs. */
struct lowered *lowered_like(struct lowering *lw, const struct lowered *like, int count);
/* Records what an old value became. */
void lowered_set(struct lowering *lw, MlirValue value, struct lowered *registers);
/* The same for an operation's first result. Succeeds, so that a rule can end with it. */
MlirLogicalResult lowered_result(struct lowering *lw, MlirOperation op, struct lowered *registers);

/* `count` values of one type as a vector, or the one as it is; and back. In registers.c. */
MlirValue build_vector(struct lowering *lw, const MlirValue *elements, int count);
void split_vector(struct lowering *lw, MlirValue vector, MlirValue *elements, int count);
/* In pairs.c. `count` elements beside each other in an i32. */
MlirValue pack_word(struct lowering *lw, const MlirValue *elements, int count);
/* Is a tile of this type kept in pairs of elements? The pairs of its registers, and registers made
   of pairs. */
bool kept_in_pairs(struct lowering *lw, MlirType old_type);
MlirValue *pairs_of(struct lowering *lw, const struct lowered *registers);
struct lowered *lowered_from_pairs(struct lowering *lw, MlirType old_type, const MlirValue *pairs);
/* So many elements of a tile of this type go through branches and loops in an i32; 1: each by
   itself, as it is. The words of its registers, and registers made of words. */
int crosses_together(struct lowering *lw, MlirType old_type);
MlirValue *crossing_words(struct lowering *lw, const struct lowered *registers, int together);
struct lowered *lowered_from_crossing(struct lowering *lw, MlirType old_type,
                                      const MlirValue *words, int together);
/* One element in the lowest bits of such a word, whose others are undefined; and registers made of
   such words, one each. */
MlirValue word_of_part(struct lowering *lw, MlirValue part, int together);
struct lowered *lowered_from_parts(struct lowering *lw, MlirType old_type, const MlirValue *words,
                                   int together);

/* base + offset of register r as an SSA value at the builder. */
MlirValue register_value(struct lowering *lw, const struct lowered *registers, int r);
/* An SSA value that, together with `offset` extra, is register r: for accesses that fold offsets.
 */
MlirValue register_with(struct lowering *lw, const struct lowered *registers, MlirValue base,
                        int64_t offset);

/* Constants are made once, in the prologue. */
MlirValue constant_integer(struct lowering *lw, unsigned width, int64_t value);
/* The number as a signed one of so many bits. */
int64_t wrap_to(int64_t number, unsigned width);
MlirValue constant_attribute(struct lowering *lw, MlirAttribute value, MlirType type);
/* A builder in the prologue, at the current location. */
struct builder prologue_builder(struct lowering *lw);

/* The type of one register of an old scalar or tensor type. */
MlirType register_type(struct lowering *lw, MlirType old_type);
/* Registers per thread of an old type: 1 for scalars. */
int register_count(struct lowering *lw, MlirType old_type);
MlirType pointer_type(struct lowering *lw); /* !llvm.ptr<1> */

/* The coordinate along tensor dimension `dim` that one bit of an input contributes. */
uint32_t layout_basis(const struct linear_layout *layout, enum layout_dim input, int bit, int dim);

/* The coordinate along dimension `dim` that this thread's lane and warp contribute, i32; null when
   it is 0. In the prologue, cached. */
MlirValue thread_coordinate(struct lowering *lw, const struct linear_layout *layout, int dim);
/* The same for any output, i32, at the builder; null for 0. */
MlirValue build_thread_part(struct lowering *lw, const struct linear_layout *layout,
                            enum layout_dim output);
/* The type a register has in memory (i1 is a byte, a pointer or index an i64, all else itself), and
   the conversions. In memory.c. */
MlirType memory_type(struct lowering *lw, const struct lowered *value);
MlirValue register_to_memory(struct lowering *lw, const struct lowered *value, MlirValue x);
MlirValue register_from_memory(struct lowering *lw, const struct lowered *value, MlirValue x);

/* arith.extf of one number, also from fp8 (whose type is `from`; x holds the bits). In casts.c. */
MlirValue build_extension(struct lowering *lw, MlirOperation op, MlirType from, MlirType to,
                          MlirValue x);

/* Registers per access for a tensor of pointers: 1 for scalars, else as many as have consecutive,
   aligned addresses and one mask (null: none). */
int access_width(struct lowering *lw, MlirValue pointer, MlirValue mask);
/* The same for asynchronous copies, whose mask may end within an access (analysis/mask_prefix.h);
   along `*out_dim`. */
int copy_width(struct lowering *lw, MlirValue pointer, MlirValue mask, int *out_dim);
/* A tile of `type` from global memory; mask null: none; other NULL: none. In memory.c. */
struct lowered *build_tile_load(struct lowering *lw, MlirValue pointer, MlirValue mask,
                                const struct lowered *other, MlirType type);
/* The pointer `base` advanced by `index` elements of what `pointers` point to. In pointers.c. */
MlirValue build_advance(struct lowering *lw, MlirType pointers, MlirValue base, MlirValue index);
/* The conjunction of predicates of which null means true. */
MlirValue conjunction(struct lowering *lw, MlirValue a, MlirValue b);

/* In ids.c, as the following: sets `ordered` where the kernel asks for it, in the prologue. */
void order_programs(struct lowering *lw, MlirOperation kernel);
/* i32: which program this is, along an axis. */
MlirValue program_index(struct lowering *lw, int axis);

/* In order.c, as the following two. The threads of the program wait for one another. */
void build_barrier(struct lowering *lw);
/* The layout of a tile of pointers; NULL for a scalar pointer. */
const struct linear_layout *layout_of_pointer(struct lowering *lw, MlirValue pointer);
/* i1: this thread stores an element held in `layout`; null when no other thread holds it. */
MlirValue storing_thread(struct lowering *lw, const struct linear_layout *layout);

/* i1: are the bits of the thread's index in `mask` all 0? */
MlirValue build_is_zero(struct lowering *lw, uint32_t mask);

/* --- Layout conversions (conversion.c) -------------------------------------------------------- */

struct layout_conversion;
struct conversion_side;
/* Bytes of an element of an old type in memory, for conversion_plan. */
unsigned conversion_bytes(struct lowering *lw, MlirType old_type);
/* Register r as an integer of its size in memory, and back. */
MlirValue register_bits(struct lowering *lw, const struct lowered *value, int r);
MlirValue register_from_bits(struct lowering *lw, const struct lowered *value, MlirValue bits);
/* An integer of 8 to 64 bits of another lane; all lanes take part. */
enum device_shuffle;
MlirValue build_shuffle(struct lowering *lw, enum device_shuffle kind, MlirValue bits,
                        MlirValue operand);
/* Fills the registers of `result` (which has as many as the plan's target) with those of `source`;
   `scratch` is the first byte of shared memory to use. Two parts of it: stores, loads. */
void build_conversion(struct lowering *lw, const struct layout_conversion *plan, int64_t scratch,
                      unsigned bytes, const struct lowered *source, struct lowered *result);
void build_conversion_stores(struct lowering *lw, const struct conversion_side *side,
                             int64_t scratch, unsigned bytes, const struct lowered *source);
void build_conversion_loads(struct lowering *lw, const struct conversion_side *side,
                            int64_t scratch, unsigned bytes, struct lowered *result);
/* The same for a buffer that starts at `start`, !llvm.ptr<3>. */
void build_buffer_stores(struct lowering *lw, const struct conversion_side *side, MlirValue start,
                         int64_t scratch, unsigned bytes, const struct lowered *source);
void build_buffer_loads(struct lowering *lw, const struct conversion_side *side, MlirValue start,
                        int64_t scratch, unsigned bytes, struct lowered *result);
/* Calls `copy` for each access of `side`, with its address and the first of its registers. */
typedef void build_copy(struct lowering *lw, MlirValue address, int first_register, void *data);
void build_buffer_copies(struct lowering *lw, const struct conversion_side *side, MlirValue start,
                         unsigned bytes, build_copy *copy, void *data);
/* What `offset` (i32, in elements of `bytes` bytes; null: 0) and `constant` bytes make of `base`,
   and of the block's shared memory, !llvm.ptr<3>. */
MlirValue buffer_address(struct lowering *lw, MlirValue base, MlirValue offset, unsigned bytes,
                         int64_t constant);
MlirValue shared_address(struct lowering *lw, MlirValue offset, unsigned bytes, int64_t constant);
/* Where in shared memory an operation that needs `bytes` of it begins; -1 for none. */
MlirLogicalResult scratch_offset(struct lowering *lw, MlirOperation op, int64_t bytes,
                                 int64_t *out);

/* The block's shared memory, !llvm.ptr<3>: the external symbol @tile_shared, whose size is the
   kernel's attribute tile_gpu.shared_bytes. */
MlirValue shared_memory(struct lowering *lw);

/* --- Buffers in shared memory (shared.c) ------------------------------------------------------ */

/* A buffer, or a part of one, as a thread addresses it: the element with flat number e lies `bytes`
 * (to_offset(e) ^ origin) after `start`. */
struct shared_view {
  MlirValue start;                /* !llvm.ptr<3>: of the stage */
  struct linear_layout to_offset; /* of one stage: dim0, the flat element number -> LAYOUT_OFFSET */
  uint32_t origin;                /* where the box's first element lies */
  int rank;                       /* dimensions of the stage; `shape` are the view's */
  int64_t shape[MAX_RANK + 1];
  unsigned bytes;      /* of an element */
  int64_t stage_bytes; /* from one stage to the next */
};

/* What a memref stands for; NULL after a diagnostic at `op` where that is not known, because a loop
   or a branch carries it. */
const struct shared_view *shared_view_of(struct lowering *lw, MlirOperation op, MlirValue buffer);

/* Lowers the operations of an old block at the builder, all but the terminator. */
MlirLogicalResult lower_block(struct lowering *lw, MlirBlock block);

/* The rules. */
#define X(kind, rule) lower_rule rule;
#include "lowering/tile_gpu_to_llvm/rules.def"
#undef X
lower_rule lower_elementwise, lower_math;

/* Elementwise helper: calls `emit` once per distinct tuple of operand registers and gives each
   register its result. */
typedef MlirValue emit_element(struct lowering *lw, MlirOperation op, const MlirValue *operands);
MlirLogicalResult lower_each(struct lowering *lw, MlirOperation op, emit_element *emit);
/* The same for an operation with one operand that is done on two registers at a time; their number
   is even. */
typedef void emit_pair(struct lowering *lw, MlirOperation op, const MlirValue *operands,
                       MlirValue *results);
void lower_each_pair(struct lowering *lw, MlirOperation op, emit_pair *emit);

#endif
