/* SPDX-License-Identifier: MIT */
/* See dtype.h. */
#include "frontend/eval/dtype.h"

#include <string.h>

const struct dtype_info dtype_table[DTYPE_COUNT] = {
#define X(id, full, shorter, family, width)                                                        \
  [DTYPE_##id] = {.name = full, .short_name = shorter, .kind = DTYPE_KIND_##family, .bits = width},
#include "frontend/eval/dtype.def"
#undef X
};

bool dtype_equal(struct dtype a, struct dtype b) {
  return a.id == b.id && a.pointers == b.pointers && a.constant == b.constant;
}

bool dtype_is_pointer(struct dtype type) {
  return type.pointers > 0;
}

bool dtype_is_float(struct dtype type) {
  return !type.pointers && dtype_table[type.id].kind == DTYPE_KIND_FLOAT;
}

bool dtype_is_integer(struct dtype type) {
  return !type.pointers && dtype_table[type.id].kind != DTYPE_KIND_FLOAT;
}

bool dtype_is_unsigned(struct dtype type) {
  return !type.pointers && dtype_table[type.id].kind == DTYPE_KIND_UNSIGNED;
}

bool dtype_is_fp8(struct dtype type) {
  return dtype_is_float(type) && dtype_table[type.id].bits == 8;
}

bool dtype_is_bool(struct dtype type) {
  return !type.pointers && type.id == DTYPE_INT1;
}

struct dtype dtype_pointee(struct dtype pointer) {
  return (struct dtype){.id = pointer.id, .pointers = pointer.pointers - 1};
}

unsigned dtype_bits(struct dtype type) {
  return type.pointers ? 64 : dtype_table[type.id].bits;
}

void dtype_print(struct dtype type, struct text *out) {
  for (int i = 0; i < type.pointers; i++)
    text_puts(out, i == 0 && type.constant ? "*k" : "*");
  text_puts(out, dtype_table[type.id].short_name);
}

const char *dtype_text(struct arena *arena, struct dtype type) {
  struct text text = {0};
  dtype_print(type, &text);
  return text_keep(&text, arena);
}

bool dtype_find(const char *name, size_t length, struct dtype *out) {
  for (int id = 0; id < DTYPE_COUNT; id++)
    if (slice_equals((struct slice){name, length}, dtype_table[id].name) ||
        slice_equals((struct slice){name, length}, dtype_table[id].short_name)) {
      *out = (struct dtype){.id = (enum dtype_id)id};
      return true;
    }
  if (slice_equals((struct slice){name, length}, "u1")) { /* Triton's name for int1 in signatures */
    *out = DTYPE(INT1);
    return true;
  }
  return false;
}

/* bool < integer < float. */
static int kind_rank(struct dtype type) {
  return dtype_is_bool(type) ? 0 : dtype_is_integer(type) ? 1 : 2;
}

static bool either_is(struct dtype a, struct dtype b, enum dtype_id id) {
  return a.id == id || b.id == id;
}

/* At least one is a float. False when they have no common type. */
static bool promote_floats(struct dtype a, struct dtype b, bool division, struct dtype *out) {
  *out = DTYPE(FLOAT32);
  if (either_is(a, b, DTYPE_FLOAT64))
    *out = DTYPE(FLOAT64);
  else if (division || either_is(a, b, DTYPE_FLOAT32))
    return true;
  else if (either_is(a, b, DTYPE_FLOAT16))
    *out = DTYPE(FLOAT16);
  else if (a.id == DTYPE_BFLOAT16 && b.id == DTYPE_BFLOAT16)
    *out = DTYPE(BFLOAT16);
  else if (either_is(a, b, DTYPE_BFLOAT16))
    return true; /* bf16 with an integer: its eight bits of mantissa hold few integers */
  else if (dtype_is_fp8(a) && dtype_is_fp8(b))
    *out = a.id == b.id ? a : DTYPE(FLOAT16);
  else
    return false; /* fp8 and an integer */
  return true;
}

/* C's rule: equal signs take the wider; an unsigned type wins if it is at least as wide. */
static struct dtype promote_integers(struct dtype a, struct dtype b) {
  bool a_unsigned = dtype_is_unsigned(a), b_unsigned = dtype_is_unsigned(b);
  if (a_unsigned == b_unsigned)
    return dtype_bits(a) >= dtype_bits(b) ? a : b;
  struct dtype with = a_unsigned ? a : b, without = a_unsigned ? b : a;
  return dtype_bits(with) >= dtype_bits(without) ? with : without;
}

bool dtype_promote(struct dtype a, bool a_weak, struct dtype b, bool b_weak, bool division,
                   struct dtype *out, const char **why) {
  if (a.pointers || b.pointers) {
    *why = "a pointer takes part in + and - with integers and in comparisons only";
    return false;
  }
  if (a_weak != b_weak) {
    struct dtype weak = a_weak ? a : b, strong = a_weak ? b : a;
    if (kind_rank(weak) <= kind_rank(strong)) {
      bool narrow = dtype_is_float(strong) && dtype_bits(strong) < 32;
      *out = division && narrow ? DTYPE(FLOAT32) : strong;
      return true;
    }
  }
  if (dtype_is_float(a) || dtype_is_float(b)) {
    *why = "unexpected type: an 8-bit float and an integer have no common type; cast one with "
           ".to(tl.float32)";
    return promote_floats(a, b, division, out);
  }
  if (division && !dtype_is_bool(a) && !dtype_is_bool(b) &&
      dtype_is_unsigned(a) != dtype_is_unsigned(b)) {
    *why =
        "Cannot use /, #, or % on them because they have different signedness; cast one with .to()";
    return false;
  }
  *out = promote_integers(a, b);
  return true;
}

struct dtype dtype_of_integer(int64_t value, bool above_int64) {
  if (above_int64)
    return DTYPE(UINT64);
  if (value >= INT32_MIN && value <= INT32_MAX)
    return DTYPE(INT32);
  if (value >= 0 && value <= UINT32_MAX)
    return DTYPE(UINT32);
  return DTYPE(INT64);
}
