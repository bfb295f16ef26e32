/* SPDX-License-Identifier: MIT */
/* The signature of a kernel to compile, in the notation of Triton's ahead-of-time compiler: one
   entry a parameter, separated by commas:

     *fp32  *fp32:16  i32  i32:16   a run-time parameter; `:16` promises that it is divisible by 16
     i32:1   an argument that is 1 at each launch and is folded in: a compile-time value
     1024  1.5  True  "ieee"  None  tl.float16  (16, 32)  silu
             a compile-time value; names are those of the kernel's file
     (*fp32:16, (i32, 1024))   a tuple whose parts are entries, at any depth
     tensordesc<fp16[128,64]>  tensordesc<fp16[128,64],nan>
             a tensor descriptor that the host makes: its parts are a pointer, the sizes and the
             strides but the last, which is 1

   A launch passes the run-time parts of a parameter as arguments of their own, in order. */
#ifndef TILE_FRONTEND_SIGNATURE_H
#define TILE_FRONTEND_SIGNATURE_H

#include "frontend/check/value.h"
#include "tile/status.h"

enum signature_kind {
  SIGNATURE_CONSTANT,
  SIGNATURE_RUN_TIME,
  SIGNATURE_TUPLE,     /* at least one part is no constant */
  SIGNATURE_DESCRIPTOR /* parts: the base, the shape, the strides */
};

struct signature_entry {
  enum signature_kind kind;
  struct dtype dtype;            /* SIGNATURE_RUN_TIME; of a descriptor's elements */
  int64_t divisibility;          /* SIGNATURE_RUN_TIME: a power of two up to 256 */
  struct value constant;         /* SIGNATURE_CONSTANT */
  bool folded;                   /* SIGNATURE_CONSTANT: written as TYPE:1, and dtype is the type */
  struct signature_entry *parts; /* of tuples and descriptors; in the arena */
  size_t part_count;
  const struct record *record; /* SIGNATURE_TUPLE: of a named tuple; else NULL */
  int64_t block[MAX_RANK];     /* SIGNATURE_DESCRIPTOR, as the next one */
  bool pads_with_nan;
};

/* Calls `visit` for each run-time part of an entry, in the order of a launch. `name` is the
   parameter's; parts are called NAME.0, NAME.0.1, and NAME.base, NAME.shape.0, NAME.strides.0 of
   descriptors. */
typedef void signature_visit(const struct signature_entry *part, const char *name, void *data);
void signature_walk(const struct signature_entry *entry, const char *name, signature_visit *visit,
                    void *data);

/* What names in values stand for: functions and constants of the kernel's file. */
struct signature_names {
  struct arena *arena; /* of what is parsed */
  bool (*find)(struct signature_names *names, struct slice name, struct value *out); /* or NULL */
  void *data;
};

/* Splits `text` at its commas (not those in quotes and brackets) and parses each entry; the array
   and strings are in the arena. Errors name the entry by its number and text. */
tile_status signature_parse(struct signature_names *names, const char *text,
                            struct signature_entry **out, size_t *count);
/* One compile-time value. */
tile_status signature_constant(struct signature_names *names, struct slice text, struct value *out);

/* What an entry that is made from an argument's value must not say of it. */
enum { KEEP_UNALIGNED = 1, KEEP_UNFOLDED = 2 };
/* Takes such promises back, of the parts of tuples, too: no divisibility with KEEP_UNALIGNED; with
   KEEP_UNFOLDED what is folded is a run-time parameter. */
void signature_generalize(struct signature_entry *entry, unsigned keep);

/* A signature's entries on their way to parameters: the next one each time, or by name. */
struct signature_supply {
  struct signature_entry *entries;
  size_t count, next;
  const char *names; /* import_options, derived_names; NULL: in order */
};
/* The entry of the parameter, taken in the parameters' order; NULL when there is none. */
struct signature_entry *signature_supply_take(struct signature_supply *supply,
                                              const char *parameter);

#endif
