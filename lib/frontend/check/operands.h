/* SPDX-License-Identifier: MIT */
/* The operands of arithmetic builtins: what kind of numbers they take. Each function adds a problem
   at the argument and returns false when it is something else. */
#ifndef TILE_FRONTEND_OPERANDS_H
#define TILE_FRONTEND_OPERANDS_H

#include "frontend/check/checker.h"

/* "tl.exp takes floating-point numbers, not int32". Returns false. */
bool operand_fail(struct checker *c, const struct builtin_call *call, int index,
                  const char *wanted);
/* A number or a tile of numbers (no pointers) as a run-time value. */
bool operand_number(struct checker *c, const struct builtin_call *call, int index,
                    struct value *out);
/* The first `count` arguments as run-time values of one type and shape: floating-point ones of 16
   bits and more when `floats` (compile-time integers count as such), integers otherwise. A literal
   takes part with the type of its own tensor, as Triton's to_tensor makes it. */
bool operands_alike(struct checker *c, const struct builtin_call *call, int count, bool floats,
                    struct value *out);
/* The same by the rules of operators: literals take the type of the tensors, and of floats and
   integers the floats' type is that of all; a literal that no tensor can hold takes part with its
   own type. */
bool operands_promoted(struct checker *c, const struct builtin_call *call, int count, bool floats,
                       struct value *out);
/* fp16 or bf16. */
bool operand_is_half(const struct value *value);
/* x.to(dtype). */
bool operand_cast(struct checker *c, struct dtype dtype, struct value *value);

/* One operation of one result, of the type and shape of its first operand. `flags` are fast-math
   flags "arcp" or "afn", or NULL. */
struct value operand_build(struct checker *c, const char *operation, const struct value *operands,
                           int count, const char *flags);
/* e^x, approximated in f32. */
struct value operand_exp(struct checker *c, const struct value *x);
/* operands[0] / operands[1], rounded as IEEE says when `exact`, else within two units in the last
   place where the device has that (f32). */
struct value operand_quotient(struct checker *c, const struct value *operands, bool exact);

#endif
