/* SPDX-License-Identifier: MIT */
/* Types of run-time values in the kernel language: a scalar type, or a pointer to one, and the
   rules by which two operands get a common type.

   MLIR's integers have no sign, so the front end carries it: a value's dtype is kept beside its SSA
   value. The promotion rules are Triton's (python/triton/language/semantic.py,
   computation_type_impl), restated in dtype.c. */
#ifndef TILE_FRONTEND_DTYPE_H
#define TILE_FRONTEND_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

enum dtype_id {
#define X(id, name, short_name, kind, bits) DTYPE_##id,
#include "frontend/eval/dtype.def"
#undef X
  DTYPE_COUNT
};

enum dtype_kind { DTYPE_KIND_INTEGER, DTYPE_KIND_UNSIGNED, DTYPE_KIND_FLOAT };

struct dtype_info {
  const char *name, *short_name;
  enum dtype_kind kind;
  unsigned bits;
};

extern const struct dtype_info dtype_table[DTYPE_COUNT];

/* A scalar type, or with `pointers` > 0 a pointer to it (to a pointer to it, ...). Nothing is
   stored through a pointer to constants, tl.const. */
struct dtype {
  enum dtype_id id;
  int pointers;
  bool constant;
};

#define DTYPE(name) ((struct dtype){.id = DTYPE_##name})

bool dtype_equal(struct dtype a, struct dtype b);
bool dtype_is_integer(struct dtype type); /* also int1 and unsigned */
bool dtype_is_unsigned(struct dtype type);
bool dtype_is_float(struct dtype type);
bool dtype_is_fp8(struct dtype type);
bool dtype_is_bool(struct dtype type);
bool dtype_is_pointer(struct dtype type);
unsigned dtype_bits(struct dtype type); /* 64 for pointers */
/* What a pointer points to. */
struct dtype dtype_pointee(struct dtype pointer);
/* "fp32", "*fp16", "*kfp16" of a pointer to constants, as users write signatures. Appends. */
void dtype_print(struct dtype type, struct text *out);
/* The same in an arena. */
const char *dtype_text(struct arena *arena, struct dtype type);
/* Finds a scalar type by tl's name or the short name; false when there is none. */
bool dtype_find(const char *name, size_t length, struct dtype *out);

/* The common type of two operands of an arithmetic operation.
   `a_weak`, `b_weak`: the operand is a compile-time number: beside a run-time operand it takes that
   one's type if its kind (bool < integer < float) does not exceed the other's.
   `division`: for / // and %, where half precision is computed in fp32 and mixed signs have no
   meaning. False when there is none; *why is a static sentence then. */
bool dtype_promote(struct dtype a, bool a_weak, struct dtype b, bool b_weak, bool division,
                   struct dtype *out, const char **why);
/* The type that a Python integer has on its own: int32, uint32, int64 or uint64, by its size. */
struct dtype dtype_of_integer(int64_t value, bool above_int64);

#endif
