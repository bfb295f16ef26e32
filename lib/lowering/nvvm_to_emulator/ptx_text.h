/* SPDX-License-Identifier: MIT */
/* The PTX that the emulator can run from inline assembly: straight-line code of the instructions in
   ptx_text.def.

   A text is statements that end in semicolons; braces around them and comments are skipped. A
   statement declares registers (.reg .b32 a, b; .reg .f32 t<4>;) or is an instruction whose
   operands are $0, $1, ... (the operands of the assembly, results first), declared registers, or
   numbers (-7, 0x1F, 0f3F800000); @p or @!p may stand before it, and a mov may have several
   registers in braces. */
#ifndef TILE_LOWERING_NVVM_TO_EMULATOR_PTX_TEXT_H
#define TILE_LOWERING_NVVM_TO_EMULATOR_PTX_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include "ir/mlir.h"

/* What an instruction's operands are. */
enum ptx_type {
  PTX_B1,
  PTX_B8,
  PTX_B16,
  PTX_B32,
  PTX_B64,
  PTX_F16,
  PTX_BF16,
  PTX_F16X2,
  PTX_BF16X2,
  PTX_F32,
  PTX_F64
};

struct ptx_opcode {
  char name[32];             /* with all modifiers */
  enum ptx_type type;        /* of the target */
  enum ptx_type source_type; /* of the sources; shifts and selp have one of another */
  int sources;
  char operation[48]; /* as in ptx_text.def */
  int predicate;      /* of a comparison, else -1 */
};

/* False when the emulator has no such instruction (ptx_opcode.c). */
bool ptx_opcode_find(struct slice name, struct ptx_opcode *out);

enum {
  PTX_MAX_SOURCES = 4,
  PTX_MAX_INSTRUCTIONS = 128,
  PTX_MAX_REGISTERS = 128,
  PTX_MAX_PARTS = 4
};

/* A register by number (operands of the assembly first, then those declared), or a number. */
struct ptx_operand {
  bool is_number;
  int index;
  bool is_decimal; /* 20., 0.5: the bits of a double, which an f32 instruction rounds */
  uint64_t bits;   /* of the number */
};

struct ptx_instruction {
  struct ptx_opcode opcode;
  struct ptx_operand target, sources[PTX_MAX_SOURCES];
  bool has_guard, guard_negated; /* @p, @!p */
  struct ptx_operand guard;
  /* mov.b32 {a, b}, c takes c apart, mov.b32 c, {a, b} puts it together: the first has the lowest
     bits. */
  int part_count;
  bool takes_apart;
  struct ptx_operand parts[PTX_MAX_PARTS];
};

struct ptx_program {
  int registers;
  size_t count;
  struct ptx_instruction instructions[PTX_MAX_INSTRUCTIONS];
};

/* Reads a text whose assembly has `operands` operands. False when it is not what the emulator can
   run; `what` (room for 64 bytes) is then the word that it stopped at. */
bool ptx_text_read(MlirStringRef text, int operands, struct ptx_program *out, char *what);

#endif
