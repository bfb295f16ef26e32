/* SPDX-License-Identifier: MIT */
/* What is written as C: kernels as a C programmer sees them, and the bytes of their image. */
#ifndef TILE_AHEAD_C_FILE_H
#define TILE_AHEAD_C_FILE_H

#include "base/text.h"
#include "tile/image.h"

struct c_parameter {
  const char *name, *c_name; /* in the kernel, in C */
  const char *type;          /* "f32" */
  tile_argument_kind kind;
  uint32_t divisibility; /* that every version counts on */
  bool is_unsigned;
};

/* A compile-time parameter of a version. */
struct c_constant {
  const char *name, *text; /* "BLOCK", as Python writes the value: "1024" */
  const char *c;           /* the value in C; NULL: it has none */
  bool is_integer;
};

struct c_version {
  const char *target, *code; /* "sm_90a"; "PTX" or "cubin" */
  const char *emulates;      /* of the emulator's: the target whose code it runs; else "" */
  const char *conditions;    /* in words; "" when there are none */
  uint32_t threads, num_warps, programs_per_block, resident_blocks, cluster_blocks, shared_bytes;
  const struct c_constant *constants;
  size_t constant_count;
  const char *grid[3]; /* in C, where the kernel has an expression */
};

struct c_kernel {
  const char *name, *function; /* in the kernel's file, in C */
  const struct c_parameter *parameters;
  size_t parameter_count;
  const struct c_version *versions;
  size_t version_count;
  const char *grid;  /* the expression, or NULL */
  const char *tuned; /* lines about winners, or NULL */
};

struct c_file {
  const char *name;       /* "softmax", of the files */
  const char *identifier; /* the same as an identifier */
  const char *from;       /* "k.py" */
  const struct c_kernel *kernels;
  size_t kernel_count;
  const void *image;
  size_t image_size;
};

/* The type of a parameter in C. */
const char *c_parameter_type(const struct c_parameter *parameter);
/* "tile_status f(tile_device *device, ..., uint64_t x)", without what ends it. Appends. */
void c_print_prototype(struct text *out, const struct c_kernel *kernel);

void c_write_header(struct text *out, const struct c_file *file);
void c_write_source(struct text *out, const struct c_file *file);

#endif
