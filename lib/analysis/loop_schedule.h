/* SPDX-License-Identifier: MIT */
/* Which loads of a loop are started ahead of the iteration that needs them, how, and by how much.

   Who asks. A loop with tile.num_stages = S > 1 (tl.range(num_stages=S)), or, where the module has
   tile.num_stages, a loop with a matrix product, for what that multiplies; not one with stores
   around another loop; and a loop that only reads and works on tiles. Up to S iterations are then
   in progress at one time: the arithmetic of one, the loads of the S - 1 that follow.

   How. A tile that becomes an operand of a product is copied to shared memory asynchronously, into
   one of S stages. Any other tile is held by the threads that use it anyway, so it is loaded into
   registers one iteration ahead and carried, as long as that costs a thread few of them; a larger
   one goes through shared memory, too. A copy must be at least 4 bytes wide.

   A loop without a product, such as one that sums up columns, loads into registers or not at all.
   ptxas, to use few registers, lets each load of an iteration wait until the one before has been
   added, unless they are for the next iteration; and nothing that a kernel says forbids it.

   Order. In an iteration i: wait for the copies of i; start the loads and copies of i + d; then the
   rest, whose loads of shared memory name the wait. Where warp groups multiply, the copies start
   after the first product, so that the tensor cores are at work while threads compute addresses;
   at once where that product waits for threads in a loop that stores (pipeline_copies.c).
   The copies of i + d go where those of i - 1 were, which everyone has done with at the wait's
   barrier: with d + 1 stages there is one barrier an iteration. A wgmma product that the loop sums
   up stays in flight: iteration i starts its own and then waits for that of i - 1. It reads its
   stage for one iteration longer, so there is one stage more; or, where that would cost a block of
   those that fit on a multiprocessor together, the copies start after that wait and a barrier of
   their own. Where warps multiply what they have read into registers, everyone has done with the
   stage of i itself before the first product: where a block more fits, or a stage less is all there
   is room for, d stages serve, and the copies of i + d go where those of i were, after a barrier of
   their own.

   A loop without a product that stores, such as a recurrence over time, too: each load that may
   pass its stores. That is told before the loop (analysis/offsets.h: the accesses are equally far
   from one another in all iterations): for good, or in a number that is compared at run time. Where
   the number says that a store goes where the next load was, the load takes place once more in its
   iteration. What has no position in common has no order.

   A block that an argument of the kernel describes (tile.descriptor_load) and that warp groups read
   from shared memory is copied by the copy engine: one thread starts the copies of an iteration,
   and all wait at an mbarrier of its stage, which no barrier of the block need follow. One before
   the copies tells that everyone has read what they overwrite, so that d + 1 stages serve. Vectors
   come along (tile-find-descriptors), and those who use them load them from their stage. Nothing in
   the kernel writes through the argument that the descriptor is of (tile-version-descriptors); a
   loop may add up something else by atomic operations meanwhile.

   What may not be. A load whose address depends on a load of the loop; volatile ones; and loads
   that a store of an earlier iteration might change. A number of stages, the loop's or the
   module's, says that loads do not depend on stores; only where both go through the same kernel
   argument, or one that is not known, the load stays where it is. An atomic operation that is
   relaxed, and whose old element nobody uses, is such a store. A loop with others or with barriers
   stays as it is. */
#ifndef TILE_ANALYSIS_LOOP_SCHEDULE_H
#define TILE_ANALYSIS_LOOP_SCHEDULE_H

#include "analysis/axis_info.h"
#include "analysis/buffers.h"
#include "ir/session.h"

enum { MAX_SCHEDULED = 32, MAX_STAGES = 16, MAX_STORES = 16 };
enum { MAX_OUTER_LOADS = 8 }; /* of a kernel: blocks that are copied once, before its loops */
/* Iterations that loads of loops without a product or an exchange may be ahead, and registers that
   they then may take: ptxas unrolls loops of two loads of 16 bytes, not of four. */
enum { FAR_AHEAD = 3, FAR_AHEAD_WORDS = 24 };

/* COPY: by threads, cp.async. BULK: a whole block by the copy engine (TMA). */
enum pipeline_method { PIPELINE_NONE, PIPELINE_REGISTERS, PIPELINE_COPY, PIPELINE_BULK };

struct scheduled_load {
  MlirOperation load; /* a tile.load; or a tile.descriptor_load: BULK, or NONE */
  enum pipeline_method method;
  const char *reason;     /* PIPELINE_NONE: why; static */
  bool is_operand;        /* of a product */
  int words;              /* 32-bit registers of one thread */
  int64_t bytes;          /* of the tile */
  MlirOperation consumer; /* COPY, BULK: takes the tile, alone, and is served from shared memory: a
                             tile_gpu.alloc, or a convert_layout to an operand; else null, as of a
                             vector by BULK */
  MlirOperation permute;  /* COPY: a tile.permute between the load and a convert_layout, or null */
  MlirAttribute space;    /* COPY, BULK: of the buffer */
  MlirType transposed;    /* COPY: taken out of the buffer in this type, for a tile_gpu.alloc whose
                         rows go the other way; else null */
};

struct loop_schedule {
  MlirOperation loop;
  MlirOperation stores[MAX_STORES]; /* that loads into registers pass, of loops without a product */
  int store_count;
  int stages;          /* asked for */
  int registers_ahead; /* iterations that loads into registers are ahead; 0: there are none */
  int copies_ahead;    /* the same for copies, of either kind: a loop has but one */
  int buffers;         /* stages of each buffer */
  int64_t stage_bytes; /* of all buffers; 0 without copies */
  int room;            /* stages that fit into shared memory */
  bool bulk;           /* the copies are the copy engine's */
  bool in_flight;      /* the loop's product stays in flight until the next iteration's is
                       started */
  bool overlaps;       /* the next iteration's first products start before this one's last are
                          done (transforms/overlap.h) */
  bool reuses;         /* a stage less than with one barrier: copies go where the product of the
                          iteration before was, once it has been waited for; or, if none flies,
                          where this iteration has read */
  struct scheduled_load loads[MAX_SCHEDULED];
  int count;
};

/* Does the load go into stages of a buffer? */
static inline bool scheduled_is_copy(const struct scheduled_load *row) {
  return row->method == PIPELINE_COPY || row->method == PIPELINE_BULK;
}

/* Is it a vector that comes with blocks (tile-find-descriptors)? */
static inline bool scheduled_is_vector(const struct scheduled_load *row) {
  return mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(row->load, 0))) == 1;
}

/* Is the block transposed in shared memory, by a role of its own or by all warps? */
static inline bool scheduled_is_transposed(struct session *session,
                                           const struct scheduled_load *row) {
  return row->method == PIPELINE_BULK && !mlirOperationIsNull(row->consumer) &&
         !mlirOperationIsNull(buffer_transpose(session, row->consumer));
}

/* False where the loop asks for nothing, or all of it must stay: *out_reason says why in the second
   case and is NULL in the first. */
bool loop_schedule_make(struct session *session, struct axis_analysis *axis, MlirOperation loop,
                        struct loop_schedule *out, const char **out_reason);

/* Does the value end up as the first or second operand of a product, by way of pure operations? */
bool feeds_product(struct session *session, MlirValue value);

/* Do dots alone read the value, as their first or second operand, as it is or permuted? */
bool feeds_only_products(struct session *session, MlirValue value);

/* The tile_gpu.alloc that takes the block of a tile.descriptor_load and into which bulk copies can
   bring it, wherever the load is; or null, and why in *out_reason. */
MlirOperation block_buffer(struct session *session, struct axis_analysis *axis, MlirOperation load,
                           const char **out_reason);

/* The wait (tile_gpu.warpgroup_dot_wait) of the loop's only product, if that may be delayed by an
   iteration; else null. The sum is carried by the loop and nothing else uses it, and the operands'
   buffers stay. */
MlirOperation loop_schedule_in_flight(struct session *session,
                                      const struct loop_schedule *schedule);

#endif
