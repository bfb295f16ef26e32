/* SPDX-License-Identifier: MIT */
/* What beside's files share: a case of the manifest, with its buffers, kernels and times; see
   beside.c.

   A program that measures: it ends at the first error, with the manifest's line. One thread, but
   for compilations. */
#ifndef BENCH_BESIDE_H
#define BENCH_BESIDE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tile/compiler.h"

enum { MAX_BUFFERS = 24, MAX_ARGUMENTS = 64, MAX_KERNELS = 512, MAX_TIMES = 6, MAX_LINE = 1 << 16 };
enum { MAX_THREADS = 16, MAX_TYPES = 16, MAX_CONSTANTS = 64, MAX_FOLDERS = 4 };

struct buffer {
  char name[32], type[12], fill[64];
  size_t count, bytes;
  bool is_output;
  tile_buffer *device;
  tile_buffer *initial;   /* of outputs that start with more than one byte's value; else NULL */
  tile_buffer *reference; /* of outputs: what the first kernel left in it; else NULL */
};

/* One of our kernels in one configuration, or an image that another build has made; cases that
   differ in what is passed share it. */
struct source {
  char *key;     /* owned: all that tells it from others */
  bool is_image; /* in `file`; then only `module` and `status` are used beside it */
  char file[1024], kernel[128], signature[8192], constants[4096];
  const char *constant_list[MAX_CONSTANTS];
  size_t constant_count;
  char folders[2048]; /* that modules are imported from */
  const char *folder_list[MAX_FOLDERS];
  size_t folder_count;
  char *text; /* owned */
  size_t length;
  char target[32]; /* older than the device's; or "" */
  tile_compile_options options;
  char skip[128];       /* a pass that is left out; or "" */
  struct source *whole; /* of one without a pass: the same with it; else NULL */
  uint64_t ptx;         /* a hash of the PTX, where a source without a pass asks for it */
  bool wants_ptx;       /* one does */
  tile_module *module;  /* owned; or NULL and why, or since `whole` has the same PTX */
  tile_status status;
};

/* A product by cuBLAS: c = a b, each of `batch` times, rows first. */
struct gemm {
  struct bench *bench; /* NULL: it is none */
  int type, batch, m, n, k;
};

struct kernel {
  char name[160];      /* "ours" or the peer's */
  char label[48];      /* of the configuration */
  tile_module *module; /* owned: a peer's; or NULL */
  tile_kernel *kernel;
  struct gemm gemm; /* then `arguments` are a, b and c, and the rest is NULL */
  uint32_t grid[3];
  tile_argument arguments[MAX_ARGUMENTS];
  size_t argument_count;
  bool unchanged;       /* without a pass, and its PTX is that of ours */
  struct kernel *after; /* launched after this one; owned; or NULL */
  double median;
};

struct timing {
  char name[48];
  double median;
};

/* The kernels of data.py for one type of elements. */
struct data_kernels {
  char type[12];
  tile_module *draw, *bits, *compare, *widen;
};

/* Where a case that fails is given up, with --keep-going. */
struct trap {
  jmp_buf jump;
  char reason[1024];
};

struct bench {
  tile_device *device;
  tile_compiler *compilers[MAX_THREADS]; /* made when they are needed */
  struct cublas *cublas;                 /* the same */
  struct source **sources;               /* owned */
  size_t source_count;
  struct data_kernels types[MAX_TYPES];
  size_t type_count;
  char folder[1024]; /* of the manifest */
  int rounds;
  bool each; /* configuration in a row of its own */
  double repeat_ms;
  const char *only;
  size_t shard, shards;        /* every how-many-eth case, from which one on; 0: all */
  size_t case_number;          /* from 1 */
  size_t from;                 /* how many cases are left out */
  unsigned seconds;            /* that a case may take; 0: for ever */
  struct trap *trap;           /* or NULL */
  bool is_given_up;            /* this case is */
  double comparing, measuring; /* seconds */
  char name[128], shape[64];
  double bytes, flops, tolerance;
  struct buffer buffers[MAX_BUFFERS];
  size_t buffer_count;
  struct kernel kernels[MAX_KERNELS];
  size_t kernel_count;
  struct timing times[MAX_TIMES];
  size_t time_count;
  int line;
};

/* Ends the program with the text, or the case with --keep-going. */
_Noreturn void stop(const struct bench *bench, const char *text);
/* The same with the manifest's line, `what`, and `word` in quotes. */
_Noreturn void fail(const struct bench *bench, const char *what, const char *word);
/* The same if there is a failure, which is taken. */
void check(const struct bench *bench, tile_status status);

/* --- manifest.c: a line, a thing of the case -------------------------------------------------- */

void begin_case(struct bench *bench, const char *line);
void add_buffer(struct bench *bench, const char *line);
/* What the line has compiled; for compile_sources, before the case is read. */
void add_source(struct bench *bench, const char *line);
void add_ours(struct bench *bench, const char *line);
void add_peer(struct bench *bench, const char *line);
void add_gemm(struct bench *bench, const char *line);
void add_time(struct bench *bench, const char *line);
void mark_outputs(struct bench *bench, char *line);
/* Gives up what was compiled without a pass where that changes no configuration's PTX. */
void drop_unchanged(struct bench *bench);
/* Gives up all that the case has. */
void end_case(struct bench *bench);
/* Gives up a kernel and those after it. */
void unload(struct kernel *kernel);

/* --- compile.c -------------------------------------------------------------------------------- */

/* The source that is equal to this one, which is taken. */
struct source *source_intern(struct bench *bench, struct source *source);
/* Makes modules of all sources, several at a time: a manifest has hundreds, each of which takes a
   tenth of a second with the driver's part. What fails is left to whoever uses it. */
void compile_sources(struct bench *bench);
/* Makes the module of one, on the calling thread, with the compiler of that number, which serves no
   other thread meanwhile. */
void compile_source(struct bench *bench, int compiler, struct source *source);
void sources_destroy(struct bench *bench);

/* --- data.c ----------------------------------------------------------------------------------- */

/* Makes the device's buffer, with what its fill says. */
void data_create(struct bench *bench, struct buffer *buffer, int seed);
/* Makes room for what the first kernel leaves in it, and keeps what it starts from. */
void data_mark_output(struct bench *bench, struct buffer *buffer);
/* Outputs and scratch as they were made; inputs stay. */
void data_reset(struct bench *bench);
/* Keeps an output as what others are compared with. */
void data_keep(struct bench *bench, struct buffer *buffer);
/* Stops when an output is further from the reference than the case tolerates. */
void data_compare(struct bench *bench, const struct buffer *buffer, const struct kernel *other);
void data_destroy(struct buffer *buffer);
void data_unload(struct bench *bench);

/* --- cublas.c --------------------------------------------------------------------------------- */

/* Takes `library`, a path, into use, and what the type of elements is for it. */
void gemm_read(struct bench *bench, const char *library, const char *type, struct gemm *gemm);
tile_status gemm_launch(const struct kernel *kernel, tile_stream *stream);
void cublas_close(struct bench *bench);

/* --- measure.c -------------------------------------------------------------------------------- */

/* Runs every kernel once from the same data and compares what it leaves in the outputs. */
void verify(struct bench *bench);
/* Keeps the fastest of those of one name, where the first of them was; with --each, all of ours. */
void choose_fastest(struct bench *bench);
/* Times the kernels in turns, and prints a row for each of ours. */
void measure(struct bench *bench);

#endif
