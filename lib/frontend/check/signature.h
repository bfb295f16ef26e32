/* The signature of a kernel to compile, in the notation of Triton's ahead-of-time compiler: one
   entry a parameter, separated by commas:

     *fp32  *fp32:16  i32  i32:16   a run-time parameter; `:16` promises that it is divisible by 16
     1024  1.5  True  "ieee"  None  tl.float16  (16, 32)  silu   a compile-time value; names are
   those of the kernel's file               */
#ifndef TILE_FRONTEND_SIGNATURE_H
#define TILE_FRONTEND_SIGNATURE_H

#include "frontend/check/value.h"
#include "tile/status.h"

struct signature_entry {
  bool is_run_time;
  struct dtype dtype;    /* run time */
  int64_t divisibility;  /* run time: a power of two up to 256 */
  struct value constant; /* compile time */
};

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

#endif
