/* SPDX-License-Identifier: MIT */
/* From a lowered module to LLVM IR, PTX and cubin.

   Needs a module of llvm and nvvm operations only (the pipeline "tile-to-ptx" leaves one). */
#ifndef TILE_TARGET_TARGET_H
#define TILE_TARGET_TARGET_H

#include <llvm-c/Core.h>
#include "base/machine.h"
#include "base/text.h"
#include "ir/session.h"
#include "tile/status.h"

/* An unknown name is an error that lists the known ones. */
tile_status target_find(const char *name, const struct machine **out);

/* The target with the PTX ISA, and so the driver, that a lowered module needs: its own, or a later
   one where the module has instructions that came with that. */
struct machine target_for(struct session *session, const struct machine *target, MlirModule module);

/* Marks kernels (nvvm.minctasm) with how many of their blocks are to share a multiprocessor, where
   that helps (blocks.c). */
void say_blocks_of_kernels(struct session *session, MlirModule module,
                           const struct machine *target);

/* Tells ptxas not to unroll loops with wgmma, which it does wrongly (keep_loops.c). */
void keep_wgmma_loops(LLVMModuleRef module, LLVMContextRef context);

/* Makes maxnum and minnum of NaNs fold as the device computes them (number_extremes.c). Before
   LLVM's first pass. */
void fold_number_extremes(LLVMModuleRef module);

/* Converts the numbers 1 and 0 in the place of a mask's bits, which ptxas does wrongly
   (mask_bits.c). */
void convert_mask_bits(LLVMModuleRef module, LLVMContextRef context);

/* Shifts pairs of fp8 numbers down before they are converted, where ptxas would take wrong ones for
   constants (fp8_halves.c). */
void shift_fp8_halves(LLVMModuleRef module, LLVMContextRef context);

/* Computes elements of vectors of short integers one at a time: ptxas takes a wrong half of a
   constant (scalar_halves.c). */
void compute_halves_alone(LLVMModuleRef module, LLVMContextRef context);

/* Calls `visit` with every block of a module, and a builder to use there (visit_blocks.c). */
typedef void visit_block_fn(LLVMBasicBlockRef block, LLVMBuilderRef builder,
                            LLVMContextRef context);
void visit_blocks(LLVMModuleRef module, LLVMContextRef context, visit_block_fn *visit);

/* Ends blocks after loads for a loop's next turn, for which ptxas would make others wait
   (loads_in_flight.c). */
void keep_loads_in_flight(LLVMModuleRef module, LLVMContextRef context);

/* Extends bf16 in upper halves of words to f32 by a mask (extend_halves.c). */
void extend_upper_halves(LLVMModuleRef module, LLVMContextRef context);

/* Makes remainders that are offsets numbers of 32 bits, in an optimised module
   (narrow_offsets.c). */
void narrow_offsets(LLVMModuleRef module, LLVMContextRef context);

/* Divides long rows of addresses in an optimised module, over whose pairs LLVM's code generator
   would go (part_addresses.c). */
void part_addresses(LLVMModuleRef module, LLVMContextRef context);

/* Keeps addresses with one base or index, which it would compare in vain, from its straight-line
   strength reduction (separate_addresses.c). */
void separate_addresses(LLVMModuleRef module, LLVMContextRef context);

/* Appends LLVM's PTX, with what ptxas would read wrongly written in other words (ptx_text.c). */
void append_ptx(const char *ptx, size_t length, struct text *out);

struct target_options {
  const struct machine *target;
  bool line_tables;       /* -g: .loc lines that leave ptxas's optimiser on */
  int optimization_level; /* 1: the light pipeline, 3: LLVM's O3 without unrolling */
};

/* The LLVM IR as text. */
tile_status translate_to_llvmir(struct session *session, MlirModule module,
                                const struct target_options *options, struct text *out);
tile_status translate_to_ptx(struct session *session, MlirModule module,
                             const struct target_options *options, struct text *out);

/* Finds ptxas: $TILE_PTXAS, then PATH, then $CUDA_HOME/bin and /usr/local/cuda/bin. False when
   there is none. */
bool ptxas_find(struct text *path);
/* Assembles PTX text with ptxas. Its messages come back in the status when it fails; `log`, which
   may be NULL, gets what -v prints. */
tile_status assemble_cubin(const char *ptx, size_t length, const struct target_options *options,
                           struct text *cubin, struct text *log);
/* What assembles, for keys of caches: its file, its size and the time of its last change. "" when
   there is none. Does not run it. */
void assembler_identify(struct text *out);
/* True when cubins would be assembled by the ptxas of the CUDA release that a driver is of (13000
   for 13.0): the same compiler as the driver's own, but several may run at a time, where a driver
   assembles one module after the other. Runs ptxas. */
bool assembler_is_of_release(int driver_version);
/* Warns, at the dot, of what ptxas's report `log` says about dots of a lowered module. */
void ptxas_report(struct session *session, MlirModule module, const char *log);
/* What a thread of a function takes. */
struct ptxas_usage {
  unsigned registers, local_bytes, spill_bytes; /* spilled: as stored */
};
/* The same for the function `symbol`, as ptxas's report `log` says; zeros where it does not. */
struct ptxas_usage ptxas_usage(const char *log, const char *symbol);

#endif
