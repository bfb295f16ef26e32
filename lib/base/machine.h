/* SPDX-License-Identifier: MIT */
/* What a GPU has and can do: one record for each row of target/targets.def, and the one formula of
   occupancy. Passes ask machine_of (ir/module_target.h) for the record of their module.

   A multiprocessor runs as many blocks at a time as it has room for:

     blocks         at most .blocks
     warps          at most .warps, and .threads, in all
     registers      each warp takes those of its lanes, rounded up to .warp_register_unit,
                    from one of .partitions equal parts of .registers
     shared memory  each block takes its own and .block_reserved_bytes, rounded up to
                    .shared_unit, from .shared_bytes

   (CUDA programming guide, "Technical specifications per compute capability"; CUDA toolkit,
   cuda_occupancy.h, whose results these are.) */
#ifndef TILE_BASE_MACHINE_H
#define TILE_BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all GPUs have in common, for code that has no target: layouts, images of kernels, the
   emulator, the runtime (PTX ISA, "Thread Hierarchy", "Asynchronous Warpgroup Level Matrix
   Instructions"; CUDA programming guide, "Technical specifications per compute capability", "Thread
   block clusters"). A unit test compares them with each row of the table. */
enum {
  MACHINE_LANES = 32,        /* threads of a warp */
  MACHINE_GROUP_LANES = 128, /* threads of a warp group, whose four warps wgmma needs */
  MACHINE_GROUP_WARPS = MACHINE_GROUP_LANES / MACHINE_LANES,
  MACHINE_BLOCK_THREADS = 1024, /* at most */
  MACHINE_BLOCK_WARPS = MACHINE_BLOCK_THREADS / MACHINE_LANES,
  MACHINE_THREAD_REGISTERS = 255, /* of 32 bits, at most */
  MACHINE_CLUSTER_BLOCKS = 8,     /* at most, where there are clusters */
  MACHINE_BANKS = 32,             /* of shared memory, */
  MACHINE_BANK_BYTES = 4,         /* each of which moves so many at a time, */
  MACHINE_BANK_ROW = MACHINE_BANKS * MACHINE_BANK_BYTES, /* and all of them together so many */
  MACHINE_SECTOR_BYTES = 32,              /* which memory and caches move at a time */
  MACHINE_LAUNCH_SHARED_BYTES = 48 << 10, /* for a block, where a launch does not ask for more */
  MACHINE_SWIZZLE_BYTES = 1024            /* alignment of what wgmma and bulk copies swizzle */
};

/* Blocks along x, y or z, at most. */
static inline uint32_t machine_grid_limit(int axis) {
  return axis == 0 ? INT32_MAX : UINT16_MAX;
}

/* A power of two up to the warps of a block, which numbers of warps and of programs are. */
static inline bool machine_is_warp_count(int64_t count) {
  return count >= 1 && count <= MACHINE_BLOCK_WARPS && (count & (count - 1)) == 0;
}

/* The instructions for dots that a target's kernels use. MATRIX_WGMMA has those of
   MATRIX_MMA, too, and so has MATRIX_TCGEN05; neither has the other's. */
enum matrix_unit { MATRIX_NONE, MATRIX_MMA, MATRIX_WGMMA, MATRIX_TCGEN05 };

enum machine_feature {
  FEATURE_CP_ASYNC = 1 << 0,        /* cp.async: copies of 4 to 16 bytes into shared memory */
  FEATURE_FP8 = 1 << 1,             /* e4m3 and e5m2: conversions (cvt), products (mma.sync) */
  FEATURE_STMATRIX = 1 << 2,        /* stmatrix */
  FEATURE_BULK_COPY = 1 << 3,       /* cp.async.bulk, mbarrier.expect_tx: copies of whole tiles */
  FEATURE_CLUSTERS = 1 << 4,        /* blocks that reach one another's shared memory */
  FEATURE_GRID_DEPENDENCY = 1 << 5, /* griddepcontrol: launches that overlap */
  FEATURE_F64_ROWS = 1 << 6,        /* mma.sync of f64 with 16 rows */
  FEATURE_WIDE_ATOMICS = 1 << 7,    /* sums in memory by one instruction: of bf16, and of up to 16
                                       bytes of f16, bf16 and f32 */
  FEATURES_OF_SM_90 = FEATURE_STMATRIX | FEATURE_BULK_COPY | FEATURE_CLUSTERS |
                      FEATURE_GRID_DEPENDENCY | FEATURE_F64_ROWS | FEATURE_WIDE_ATOMICS
};

struct machine {
  const char *name;        /* of the target: "sm_90a" */
  const char *ptx_feature; /* LLVM's: "+ptx80" */
  const char *ptx_isa;     /* "8.0" */
  int driver;              /* least CUDA driver that loads it, as cuDriverGetVersion counts */
  int capability;          /* 90 */
  int multiprocessors;     /* of the card in mind */
  /* of a multiprocessor; registers have 32 bits */
  int threads, warps, blocks, registers, shared_bytes;
  /* of a block, at most */
  int block_threads, block_registers, block_shared_bytes;
  int thread_registers;     /* of a thread, at most */
  int lanes;                /* threads of a warp */
  int line_bytes;           /* of a line of the caches */
  int banks;                /* of shared memory, 4 bytes wide */
  int partitions;           /* of a multiprocessor; a warp and its registers are in one of them */
  int warp_register_unit;   /* registers are handed out to a warp in multiples of this */
  int shared_unit;          /* bytes: the same for a block's shared memory */
  int block_reserved_bytes; /* of shared memory that a block takes besides its own */
  enum matrix_unit matrix_unit;
  int fmas_per_cycle; /* of f16, dense, summed in f32, by all matrix units of a multiprocessor
                       */
  unsigned features;  /* of enum machine_feature */
};

/* All records, in the order of the table: older targets first. */
extern const struct machine machines[];
extern const size_t machine_count;

/* What code is compiled for when nobody says. */
#define MACHINE_DEFAULT "sm_90a"

/* The record of a target by its name, of `length` bytes; NULL for a name without a row. */
const struct machine *machine_find(const char *name, size_t length);
const struct machine *machine_default(void);
/* The first target that has a feature, for messages: "sm_89"; there is one. */
const struct machine *machine_first_with(enum machine_feature feature);
/* Does a device of such a capability have it? So it is from the first target on that has it. */
bool machine_capability_has(int capability, enum machine_feature feature);
/* The best target for a device of a capability: its own, which may be architecture-specific ("a"),
   or the newest portable one before it; NULL where there is neither. */
const struct machine *machine_for_capability(int capability);
/* What a block may have of shared memory where a target has most of it. */
int machine_most_shared_bytes(void);

static inline bool machine_has(const struct machine *machine, enum machine_feature feature) {
  return (machine->features & (unsigned)feature) == (unsigned)feature;
}

/* A kernel's block of threads. What is 0 is no matter. */
struct machine_block {
  int64_t threads;
  int64_t registers; /* of a thread; an estimate may be more than it can have, and counts in full */
  int64_t shared_bytes;
};

/* Occupancy: how many such blocks a multiprocessor holds at a time; 0 where it does not even hold
 * one. */
int64_t machine_blocks(const struct machine *machine, struct machine_block block);
/* The other way round: registers that each thread can have where a multiprocessor is to hold so
   many threads at a time, */
int64_t machine_registers_for(const struct machine *machine, int64_t threads);
/* and bytes of shared memory that each block can have where it is to hold so many blocks. */
int64_t machine_shared_for(const struct machine *machine, int64_t blocks);

/* Registers of a thread in a block with roles: all start with `launch`; the warps that only copy
   give theirs away but for `producers`, and the others take them (PTX ISA, setmaxnreg: by whole
   warp groups, 24 to 256, in multiples of 8). Where everyone has all that a thread can have anyway,
   nothing is handed over, and launch and producers are 0. */
struct machine_roles {
  int launch, producers, consumers;
};

enum {
  MACHINE_PRODUCER_REGISTERS = 24,   /* those that copy */
  MACHINE_TRANSPOSER_REGISTERS = 56, /* where some of them transpose as well */
  MACHINE_REGISTER_STEP = 8
};

/* `producers`: what those keep, one of the above or another multiple of the step. */
struct machine_roles machine_role_registers(const struct machine *machine, int64_t warps,
                                            int64_t producer_warps, int64_t producers);

#endif
