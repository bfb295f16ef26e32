/* SPDX-License-Identifier: MIT */
/* What the files of convert-to-emulator share. */
#ifndef TILE_LOWERING_NVVM_TO_EMULATOR_CONVERT_TO_EMULATOR_H
#define TILE_LOWERING_NVVM_TO_EMULATOR_CONVERT_TO_EMULATOR_H

#include "ir/build_llvm.h"
#include "ir/session.h"

struct conversion {
  struct session *session;
  MlirOperation module;
  MlirOperation function; /* the one being converted */
  MlirValue thread;       /* its first argument */
  MlirType pointer, i32;
  struct map locations; /* interned location string attribute -> name of its global */
  struct map declared;  /* interned name of a declared function */
  int next_location;
  MlirValue registers; /* of the function: room to hand registers over, null before its first use */
};

enum { MAX_CALL_OPERANDS = 13 };

/* A call of an emulator function; a null result type means void. */
MlirOperation conversion_call(struct conversion *c, struct builder *b, const char *name,
                              intptr_t count, const MlirValue *in, MlirType result);
/* The address of a global string with the place of what is being converted. */
MlirValue conversion_location(struct conversion *c, struct builder *b);

/* tile_ptx.mma, ldmatrix and stmatrix; in convert_mma.c. */
MlirLogicalResult convert_mma(struct conversion *c, MlirOperation op);
MlirLogicalResult convert_matrix_access(struct conversion *c, MlirOperation op);
/* tile_ptx.wgmma and what belongs to it; in convert_wgmma.c. */
MlirLogicalResult convert_wgmma(struct conversion *c, MlirOperation op);
MlirLogicalResult convert_wgmma_wait(struct conversion *c, MlirOperation op);

/* The array through which registers are handed over; operands first .. first + count - 1 of `op`
   into it, each `bytes` long; the results of `op` from it. In convert_mma.c. */
MlirValue registers_of(struct conversion *c);
void store_registers(struct conversion *c, struct builder *b, MlirOperation op, intptr_t first,
                     intptr_t count, unsigned bytes);
void load_results(struct conversion *c, struct builder *b, MlirOperation op, intptr_t first,
                  unsigned bytes, MlirValue *values);
/* tile_ptx.atomic_rmw and atomic_cas, and fences; in convert_atomics.c. */
MlirLogicalResult convert_atomic(struct conversion *c, MlirOperation op);
MlirLogicalResult convert_fence(struct conversion *c, MlirOperation op);
/* An operation as the call that a text says, in the form of the emulator's column in
   dialects/tile_ptx/ops.def; in convert_calls.c. */
MlirLogicalResult convert_call_text(struct conversion *c, MlirOperation op, const char *text);
/* Branches that begin a loop's next turn; in convert_turns.c. */
void convert_turns(struct conversion *c);
/* llvm.inline_asm; in convert_assembly.c. */
MlirLogicalResult convert_assembly(struct conversion *c, MlirOperation op);

#endif
