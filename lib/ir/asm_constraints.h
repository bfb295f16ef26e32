/* SPDX-License-Identifier: MIT */
/* The constraint strings of inline assembly, in LLVM's form: "=r,=f,r,0,~{memory}".

   Outputs ("=" and a letter, "=&" for one that is written before the inputs are read) come first,
   then inputs (a letter, or the number of the output whose register it shares), then clobbers. The
   letters are the device's register classes: b predicate, h 16 bits, r 32, l 64, f f32, d f64. */
#ifndef TILE_IR_ASM_CONSTRAINTS_H
#define TILE_IR_ASM_CONSTRAINTS_H

#include "ir/mlir.h"

enum { MAX_ASM_REGISTERS = 64 };

struct asm_constraints {
  int outputs, inputs;
  char letter[MAX_ASM_REGISTERS]; /* of outputs, then inputs; of a tied input its output's */
  int tied[MAX_ASM_REGISTERS];    /* of inputs: the output that shares the register, or -1 */
};

/* NULL, or what is wrong with the string. */
const char *asm_constraints_read(MlirStringRef string, struct asm_constraints *out);

/* NULL, or what is wrong with an assembly text for these operands. LLVM ends the process at a "$"
   that names no operand; a brace that is closed alone would end the kernel in the PTX. */
const char *asm_text_check(MlirStringRef text, const struct asm_constraints *constraints);

#endif
