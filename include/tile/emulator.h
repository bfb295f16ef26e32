/* SPDX-License-Identifier: MIT */
/* The emulator: runs a compiled kernel on the host, thread by thread, and checks what it does.

   A program holds the host code of one or more kernels. A launch runs one kernel over a grid of
   blocks, in an order drawn from a seed, and records hazards: accesses outside the given buffers,
   misaligned accesses, races, barriers that not every thread reaches, traps. A launch with hazards
   returns TILE_HAZARD, and its report lists them with source line, block and thread.

       tile_emulator_buffer buffers[] = {{.name = "x", .base = x, .bytes = sizeof x}};
       void *pointer = x;
       void *arguments[] = {&pointer};
       tile_emulator_report *report;
       tile_status status = tile_emulator_launch(
           program, "kernel",
           &(tile_emulator_launch_options){.grid = {4, 1, 1}, .threads = 128, .check = true,
                                           .buffers = buffers, .buffer_count = 1,
                                           .arguments = arguments, .argument_count = 1},
           &report);
       for (size_t i = 0; i < tile_emulator_report_count(report); i++)
         puts(tile_emulator_report_hazard(report, i)->text);
       tile_emulator_report_free(report);

   Threads: one program may be launched from several host threads at once; launches that share
   buffers race as kernels on two CUDA streams would. A report belongs to one thread at a time. */
#ifndef TILE_EMULATOR_H
#define TILE_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Host code of a set of kernels. Made by the compiler; the owner ends it with
   tile_emulator_program_destroy. */
typedef struct tile_emulator_program tile_emulator_program;
/* What a launch found. Ended with tile_emulator_report_free. */
typedef struct tile_emulator_report tile_emulator_report;

/* A range of memory that the kernel may access as global memory. All fields are borrowed until the
   launch returns. Two buffers may be the same range; otherwise they must not overlap. */
typedef struct tile_emulator_buffer {
  const char *name; /* for messages; NULL reads as "unnamed" */
  void *base;
  size_t bytes;
  bool read_only; /* a store is a hazard */
  bool dangling;  /* no buffer but an argument, `name`, that points into none, NULL or other;
                     `bytes` is 0. What is accessed near it is out of bounds, and the report says of
                     which argument that may come */
} tile_emulator_buffer;

/* Called on the launching thread after each block. */
typedef void tile_emulator_progress(void *context, uint64_t blocks_done, uint64_t blocks_total);

/* Called on the launching thread with what a kernel prints: a line, with its end. Not
   zero-terminated. */
typedef void tile_emulator_print(void *context, const char *text, size_t length);

/* Everything is borrowed until the launch returns. */
typedef struct tile_emulator_launch_options {
  uint32_t grid[3];      /* blocks along x, y, z: 1 .. 2^31-1, 65535, 65535 */
  uint32_t threads;      /* per block: 1 .. 1024; 0 means what the kernel was compiled for */
  uint32_t shared_bytes; /* shared memory per block, if more than the kernel needs: at most 227 KiB,
                            as the target with the most of it has */
  uint32_t resident_blocks; /* blocks that run concurrently where they wait for each other, at most
                               65536; 0: as many as are resident on a device of the target that the
                               kernel was compiled for, whatever registers it takes
                               (docs/emulator.md) */
  uint64_t seed;            /* draws the order of blocks and threads; equal seeds, equal runs */
  bool check; /* also look for races, and for loads of shared memory that nobody stored to: slower,
                 16 bytes per byte touched */
  const tile_emulator_buffer *buffers;
  size_t buffer_count;
  void *const *arguments; /* argument i is read through arguments[i], as with cuLaunchKernel */
  size_t argument_count;
  tile_emulator_progress *progress; /* or NULL */
  void *progress_context;
  tile_emulator_print *print; /* or NULL: to standard output */
  void *print_context;
} tile_emulator_launch_options;

typedef enum tile_emulator_hazard_kind {
  TILE_EMULATOR_OUT_OF_BOUNDS,
  TILE_EMULATOR_MISALIGNED,
  TILE_EMULATOR_READ_ONLY,          /* a store to a read-only buffer */
  TILE_EMULATOR_WRITE_WRITE_RACE,   /* two threads store to one byte, nothing orders them */
  TILE_EMULATOR_READ_WRITE_RACE,    /* one loads what the other stores, nothing orders them */
  TILE_EMULATOR_BARRIER_DIVERGENCE, /* threads of a block wait at different barriers, or exited */
  TILE_EMULATOR_TRAP,               /* the kernel stopped itself */
  TILE_EMULATOR_UNINITIALISED,      /* a load of shared memory that the block has not stored to */
  TILE_EMULATOR_SHUFFLE_DIVERGENCE, /* lanes of a warp wait at different shuffles, or elsewhere */
  TILE_EMULATOR_OPERAND_OVERWRITE,  /* a store to shared memory that a wgmma in flight still reads
                                     */
  TILE_EMULATOR_PROXY_FENCE,        /* a wgmma, or a bulk store, reads shared memory whose store no
                                       proxy fence has followed */
  TILE_EMULATOR_WGMMA_MISUSE,       /* accumulators of a wgmma used other than its wait returned
                                       them, ... */
  TILE_EMULATOR_IN_FLIGHT,          /* an access of shared memory that an asynchronous copy still
                                       writes, or of what a bulk store still reads or writes */
  TILE_EMULATOR_DEADLOCK,           /* blocks wait for each other, or for one that cannot run;
                                       threads for a barrier in shared memory, and nothing is left
                                       that it counts */
  TILE_EMULATOR_LANE_MASK,          /* a lane that is not in a shuffle's mask executes it, or is
                                       read */
  TILE_EMULATOR_ENDLESS,            /* a thread has begun more turns of loops than the device's
                                       option turn_limit allows */
  TILE_EMULATOR_MBARRIER_MISUSE     /* a barrier in shared memory, or a bulk copy that completes on
                                       it, used other than they may be */
} tile_emulator_hazard_kind;

#define TILE_EMULATOR_UNKNOWN_THREAD UINT32_MAX

/* One of the threads involved in a hazard. */
typedef struct tile_emulator_site {
  const char *location; /* "file:line:column"; "" when the code carries none */
  uint32_t block[3];
  uint32_t thread; /* index in the block; TILE_EMULATOR_UNKNOWN_THREAD: another one of the block */
} tile_emulator_site;

/* One distinct hazard (kind, load or store, location); later ones like it only count in `repeats`.
   Owned by the report. */
typedef struct tile_emulator_hazard {
  tile_emulator_hazard_kind kind;
  tile_emulator_site site;  /* who did it */
  tile_emulator_site other; /* races, divergence: the other side; in flight: who started the copy;
                               deadlock: another that waits; else location "" */
  bool is_store;            /* accesses: a store; else a load */
  bool other_is_store;      /* races */
  bool other_exited;        /* divergence: the other thread is done; other.location is the last
                               barrier or shuffle that it passed */
  bool other_at_barrier;    /* shuffle divergence: the other thread waits at a barrier */
  uint64_t address;         /* accesses: first byte accessed; races: the byte in conflict */
  uint32_t bytes;           /* accesses: size in bytes */
  uint32_t alignment;       /* misaligned: the required alignment in bytes */
  const char *buffer;       /* name of the buffer accessed or run past, or NULL: none is near */
  bool dangling;            /* out of bounds: `buffer` is none, but an argument that points into
                               none */
  uint64_t buffer_bytes;    /* its size */
  int64_t offset;           /* of `address` from its start */
  int64_t distance;         /* out of bounds: bytes past the end (positive) or before the start
                               (negative) that the access reaches */
  const char *message;      /* traps: the kernel's words, or ""; misuse: what is wrong; in flight:
                               why no wait covers it, where it is a bulk copy; deadlock:
                               why nobody can go on; endless: how far it came; shuffle divergence:
                               what the thread waits at */
  uint32_t mask, lane;      /* lane mask: the lane that it does not name */
  uint64_t repeats;         /* how often it happened again */
  const char *text;         /* all of the above as one line for people */
} tile_emulator_hazard;

/* Runs a kernel to its end. Errors: TILE_INVALID_ARGUMENT for options out of range (the message
   names the option), TILE_NOT_FOUND for an unknown kernel (the message names those there are),
   TILE_OUT_OF_MEMORY, TILE_HAZARD when the kernel ran and misbehaved (the message summarises the
   first hazard). After a trap, a divergence, a deadlock or an endless loop the launch ends early;
   after other hazards it goes on, with the offending access turned aside. `out_report` may be NULL;
   otherwise it receives a report when the kernel ran (with or without hazards), NULL when it did
   not. */
TILE_RESULT tile_status tile_emulator_launch(tile_emulator_program *program,
                                             const char *kernel_name,
                                             const tile_emulator_launch_options *options,
                                             tile_emulator_report **out_report);

/* Kernels in the program, in the compiler's order; names are borrowed from the program. */
TILE_EXPORT size_t tile_emulator_program_kernel_count(const tile_emulator_program *program);
TILE_EXPORT const char *tile_emulator_program_kernel_name(const tile_emulator_program *program,
                                                          size_t index);
/* Ends a program that no launch is using; NULL is fine. */
TILE_EXPORT void tile_emulator_program_destroy(tile_emulator_program *program);

/* Distinct hazards recorded, at most 64; 0 for NULL. */
TILE_EXPORT size_t tile_emulator_report_count(const tile_emulator_report *report);
/* Hazard `index` in order of discovery, borrowed from the report; NULL when out of range. */
TILE_EXPORT const tile_emulator_hazard *
tile_emulator_report_hazard(const tile_emulator_report *report, size_t index);
/* NULL, or in one sentence what the race check had to leave out, and why: there are bounds of what
   it remembers. Owned by the report. */
TILE_EXPORT const char *tile_emulator_report_incomplete(const tile_emulator_report *report);
/* Hazards that found the list full. */
TILE_EXPORT uint64_t tile_emulator_report_dropped(const tile_emulator_report *report);
/* Stable name of a kind: "out-of-bounds". */
TILE_EXPORT const char *tile_emulator_hazard_name(tile_emulator_hazard_kind kind);
TILE_EXPORT void tile_emulator_report_free(tile_emulator_report *report);

#ifdef __cplusplus
}
#endif
#endif
