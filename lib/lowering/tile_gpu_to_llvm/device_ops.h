/* SPDX-License-Identifier: MIT */
/* The seam between the lowering and a device: what the program of one thread is made of where
   LLVM's own operations do not say it. A device is one table of functions; lib/lowering/nvvm fills
   it for NVIDIA's GPUs, and everything else in this folder knows nothing of the device.

   Each function builds its operations at `lw->b`; all threads that come there execute them. A null
   value stands for an operand that is left out. Pointers are !llvm.ptr of the address space in
   question (ir/build_llvm.h), predicates i1, sizes bytes. */
#ifndef TILE_LOWERING_TILE_GPU_TO_LLVM_DEVICE_OPS_H
#define TILE_LOWERING_TILE_GPU_TO_LLVM_DEVICE_OPS_H

#include "lowering/tile_gpu_to_llvm/lowering.h"

/* A place in the launch, and its extent. */
enum device_index { INDEX_THREAD, INDEX_BLOCK, INDEX_BLOCK_COUNT };

/* Whose word a lane gets: that of the lane whose number the operand is, or of the lane whose number
   differs in the operand's bits. */
enum device_shuffle { SHUFFLE_LANE, SHUFFLE_BUTTERFLY };

/* Arithmetic that is one instruction of the device, or the next best. */
enum device_arithmetic {
  DEVICE_EXP2,       /* f32 -> f32, approximately, as are those that follow */
  DEVICE_LOG2,       /* f32 -> f32 */
  DEVICE_RECIPROCAL, /* f32 -> f32 */
  DEVICE_SQRT,       /* f32 -> f32 */
  DEVICE_RSQRT,      /* f32 -> f32 */
  DEVICE_SIN,        /* f32 -> f32 */
  DEVICE_COS,        /* f32 -> f32 */
  DEVICE_TANH,       /* f32 -> f32 */
  DEVICE_DIVIDE,     /* f32, f32 -> f32 */
  DEVICE_F32_TO_S32, /* towards zero, saturated; NaN is any number. So are those that follow */
  DEVICE_F32_TO_U32,
  DEVICE_F32_TO_S64,
  DEVICE_F32_TO_U64,
  DEVICE_F64_TO_S32,
  DEVICE_F64_TO_U32,
  DEVICE_F64_TO_S64,
  DEVICE_F64_TO_U64,
  DEVICE_PACK_S8, /* i32, i32 -> i16: two signed numbers of 8 bits, saturated; the first is low */
  DEVICE_PACK_U8, /* two unsigned ones, of signed numbers */
  DEVICE_F32_TO_F16X2, /* f32, f32 -> i32: two numbers of 16 bits, to nearest even; the first is
                          low. sm_80 */
  DEVICE_F32_TO_BF16X2,
  DEVICE_F32_TO_E4M3, /* f32, f32 -> i16: two numbers of 8 bits, to nearest even, saturated; the
                         first is low. This and what follows where the machine has FEATURE_FP8 */
  DEVICE_F32_TO_E5M2,
  DEVICE_F16_TO_E4M3, /* i32 -> i16: of two f16 in a word */
  DEVICE_F16_TO_E5M2,
  DEVICE_E4M3_TO_F16, /* i16 -> i32 */
  DEVICE_E5M2_TO_F16,
  DEVICE_PRODUCT_S32, /* i32, i32 -> i64: the whole product of signed numbers */
  DEVICE_PRODUCT_U32, /* of unsigned ones */
  DEVICE_HIDDEN_SUM,  /* i64, i64 -> i64: a sum through which LLVM does not see */
  DEVICE_HIDDEN_ZERO, /* i32 -> i32: 0, of which LLVM does not know that it is; nor that two with
                         operands from 16 to 31 that differ are equal */
  DEVICE_ARITHMETIC_COUNT
};

/* An access of global or shared memory of 1 to 16 bytes, by threads whose predicate holds. */
struct device_access {
  MlirValue address, predicate;
  const MlirNamedAttribute *hints; /* `cache`, `evict` and `volatile` as on tile.load, and what
                                      tile-list-schedule reads (ir/attributes.def, ELEMENTS_) */
  intptr_t hint_count;
};

/* An atomic operation; the attributes of tile.atomic_rmw and tile.atomic_cas. */
struct device_atomic {
  MlirValue address, predicate; /* the predicate is not null */
  MlirValue compare;            /* null: `kind` says what is done */
  MlirValue value;              /* a number, or several as tile_atomic_width allows */
  MlirStringRef kind, sem, scope;
};

struct layout_conversion;
struct conversion_side;

struct device_ops {
  const char *name; /* of the dialect that it is lowered to, for diagnostics */
  /* Operations that the device lowers by itself, by kind; NULL: as rules.c says. */
  lower_rule *const *rules;
  /* The kind of operation that each instruction is; its row is in an ops.def. */
  enum op_kind arithmetic[DEVICE_ARITHMETIC_COUNT];

  /* Says on a new llvm.func that it is a kernel, for how many threads in a block, and with how many
     registers a thread at most (i32; null: as many as there are). */
  void (*mark_kernel)(struct lowering *lw, MlirOperation function, int threads,
                      MlirAttribute registers);
  /* What is said of a kernel's parameter, an !llvm.ptr, that is a !tile.descriptor: a dictionary.
   */
  MlirAttribute (*descriptor_attributes)(MlirContext context);

  /* --- Threads ---------------------------------------------------------------------------------

     The index along an axis (0 to 2), i32. Of INDEX_THREAD, axis 0 alone is asked for. */
  MlirValue (*index)(struct lowering *lw, enum device_index index, int axis);
  /* The threads of a role begin (lw->role says which): after the branch that parts them. */
  void (*enter_role)(struct lowering *lw, enum lowering_role role);
  /* All threads of the block, or of the role, wait for one another, and see what the others have
     written. */
  void (*barrier)(struct lowering *lw);
  /* The same for the lanes of each warp. */
  void (*warp_barrier)(struct lowering *lw);
  /* An i32 of another lane; all lanes of the warp take part. */
  MlirValue (*shuffle)(struct lowering *lw, enum device_shuffle kind, MlirValue word,
                       MlirValue operand);
  /* Can one instruction combine an i32 of all lanes of a warp by this operation of arith? */
  bool (*reduces)(enum op_kind combiner);
  /* What it gives, to every lane; only where `reduces` holds. */
  MlirValue (*reduce)(struct lowering *lw, enum op_kind combiner, MlirValue word);

  /* --- Memory ----------------------------------------------------------------------------------

     A number or vector of `type`; where the predicate is false `other`, or anything where that is
     null. */
  MlirValue (*load)(struct lowering *lw, const struct device_access *access, MlirValue other,
                    MlirType type);
  void (*store)(struct lowering *lw, const struct device_access *access, MlirValue value);
  /* Brings what lies there into a cache; nobody waits. */
  void (*prefetch)(struct lowering *lw, MlirValue address, MlirValue predicate);
  /* The old value, undefined where the predicate is false. */
  MlirValue (*atomic)(struct lowering *lw, const struct device_atomic *atomic);
  /* The thread's accesses before come before those after, for threads in the scope: what it has
     seen by atomic operations it follows, and what it does by them follows what it has done. */
  void (*fence)(struct lowering *lw, MlirStringRef scope);
  /* Starts to copy from global to shared memory: `source_bytes` (i32, at most `bytes`), and zeros
     after them. `bytes` is a power of two from `least_copy_bytes` to 16, and both addresses are
     multiples of it. */
  void (*copy)(struct lowering *lw, MlirValue destination, MlirValue source, int64_t bytes,
               MlirValue source_bytes, MlirValue predicate);
  int least_copy_bytes;
  /* The thread's copies since the last call become a group. */
  void (*copy_commit)(struct lowering *lw);
  /* All of the thread's groups but the latest `pending` have landed. */
  void (*copy_wait)(struct lowering *lw, int64_t pending);

  /* --- Matrices --------------------------------------------------------------------------------

     tile.dot where its layouts are those of matrix units (ir/dot_form.h). */
  lower_rule *dot;
  /* Fills `result` by loads of matrices from a buffer, where its layout allows: arguments as those
     of build_buffer_loads. False, and nothing, where it does not. */
  bool (*matrix_loads)(struct lowering *lw, const struct conversion_side *side, MlirValue start,
                       unsigned bytes, struct lowered *result);
  /* The writing side of a conversion that stores matrices (layout/conversion.h), from `start` on.
   */
  void (*matrix_stores)(struct lowering *lw, const struct layout_conversion *plan, MlirValue start,
                        const struct lowered *source);
  /* After what this thread has stored to shared memory, before the barrier that shows it to others:
     makes it visible to matrix units as well, if any of the kernel read shared memory. */
  void (*publish)(struct lowering *lw);

  /* --- What a kernel says ----------------------------------------------------------------------

     Adds an i32, i64 or f64 to the arguments of the next `print`; `*end` is 0 before the first one,
     and then the device's. */
  void (*print_argument)(struct lowering *lw, MlirValue argument, int64_t *end);
  /* Prints a format, as C's printf knows them, with these arguments. */
  void (*print)(struct lowering *lw, const struct text *format);
  /* Ends the launch with a message that names a place in the source. */
  void (*fail)(struct lowering *lw, MlirStringRef message, MlirStringRef file, int64_t line,
               MlirStringRef function);
};

/* Every kernel of a module for a device; in convert_kernels.c. */
MlirLogicalResult convert_kernels(struct session *session, MlirOperation module,
                                  const struct device_ops *device);

/* An instruction of the device; `y` may be null. In registers.c. */
MlirValue build_device_arithmetic(struct lowering *lw, enum device_arithmetic which, MlirValue x,
                                  MlirValue y, MlirType type);

#endif
