/* SPDX-License-Identifier: MIT */
/* Element types of buffers: names, sizes, and conversion from and to double.

   f16, bf16 and fp8 values are rounded to nearest even, once, from the double; fp8 saturates at its
   greatest number, as kernels do. Integers saturate at their
   range when they come from a double; i1 is one byte, 0 or 1. */
#ifndef TILE_BASE_ELEMENT_H
#define TILE_BASE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum element_type {
#define X(id, name, mlir, bytes, npy) ELEMENT_##id,
#include "base/element.def"
#undef X
  ELEMENT_TYPE_COUNT
};

struct element_info {
  const char *name; /* as in kernel signatures: "fp32", "i32" */
  const char *mlir; /* "f32", "i32" */
  size_t bytes;
  const char *npy; /* NumPy's descriptor: "<f4" */
};

extern const struct element_info element_table[ELEMENT_TYPE_COUNT];

/* Finds a type by either name ("fp32", "f32"), not necessarily zero-terminated. */
bool element_find(const char *name, size_t length, enum element_type *out);
void element_store(enum element_type type, void *address, double value);
double element_load(enum element_type type, const void *address);
/* Integers in full: for types whose values a double cannot hold. */
void element_store_integer(enum element_type type, void *address, int64_t value);
/* The low 64 bits of an integer, sign-extended for signed types; for printing. */
int64_t element_load_integer(enum element_type type, const void *address);
bool element_is_float(enum element_type type);

#endif
