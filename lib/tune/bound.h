/* SPDX-License-Identifier: MIT */
/* Candidates that cannot win, found before they are compiled: from the imported kernel, its grid
   and the device.

   Of a dot C += A B with tiles of M x N x K and elements of b bits (tile.dot; W warps):

     accumulators    M N s / 32 / (32 W) registers of a thread hold the accumulators of s bits. More
   than a thread can have (module_registers in ir/module_target.h) are in memory, in every
   iteration: hopeless.
     operands    (M K + K N) b / 8 bytes of one iteration are in a block's shared memory or
   registers at one time: more than the shared memory that a block can have is hopeless. traffic a
   program moves (M + N) K b / 8 bytes through L2 for M N K multiply-adds. At 32 bytes from L2 (5.5
   TB/s over 132 multiprocessors) and P multiply-adds of 16 bits a cycle (fmas_per_cycle of the
   target, base/machine.h), an iteration takes at least max(M N K b / 16 / P, (M + N) K b / 8 / 32)
   cycles, and the whole kernel that for each wave of programs: ceil(programs / multiprocessors)
   times. Occupancy is in the waves; that several programs share a multiprocessor changes nothing in
   what it can move.

   The last is compared between candidates: more than TUNE_BOUND_FAR times the least is hopeless. It
   is not asked where the kernel has several dots, where the grid is not known before a launch,
   or where candidates cut the work otherwise than into tiles of C: those whose programs x M x N is
   more than twice another's (split K, persistent kernels, which loop over tiles). Nor in a part of
   the candidates: what is dropped must not depend on how a tuning was cut into parts, and each part
   would have to import all candidates. */
#ifndef TILE_TUNE_BOUND_H
#define TILE_TUNE_BOUND_H

#include "ir/session.h"
#include "tile/runtime.h"

/* Zero where it is not known. */
struct tune_bound {
  int accumulators, registers; /* of a thread: what the accumulators take, and what there is */
  int64_t operand_bytes;       /* of one iteration of the largest dot */
  double tile, cycles;         /* M N of the only dot, and cycles of an iteration, divided by K */
  uint64_t programs;
};

/* What the module says: an imported kernel, not lowered. */
void tune_bound_read(struct session *session, MlirModule module, struct tune_bound *out);

/* Times the least estimate beyond which a candidate is dropped. */
#define TUNE_BOUND_FAR 4.0
struct tile_tuning;
/* Drops the entries that are hopeless by their bounds. */
void tune_bound_drop(struct tile_tuning *tuning);
/* Takes back those that an estimate alone has dropped; false when there are none. */
bool tune_bound_revive(struct tile_tuning *tuning);

#endif
