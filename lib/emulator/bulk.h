/* SPDX-License-Identifier: MIT */
/* Barriers in shared memory that count arrivals and bytes (mbarriers), and bulk copies that
   complete on them.

   A barrier is known by its place; what its bytes hold is nobody's business, and an access of them
   that is no operation on the barrier is reported. A phase is over when all arrivals and all
   expected bytes have come; then the next one begins.

   A copy lands as late as it may: when nobody in the block can go on and a thread waits for a
   barrier. Which one lands then is drawn from the seed. Until that its destination is poison, and
   whoever touches it is reported. For the race check a copy is a store of the thread that starts
   it, which no other access of those bytes may stand beside without a barrier between: one of the
   block, or one in shared memory at which those have arrived that loaded what an earlier copy has
   brought there (warp_order.h).
   What has landed belongs to the threads that have waited for the copy's phase: each byte has a
   stamp that says for which, and another thread that touches it is reported, unless a barrier of
   the block lies between someone's wait and it.

   A bulk store, from shared to global memory, does both of its parts as late as it may: it reads
   where its thread waits for that (wait_group.read), and lands where its thread waits for all of it
   (wait_group), or at the end of the block. Who stores meanwhile to what it is to read, or accesses
   in the same block what it is to write, is reported; so is a block that ends before the store has
   read its memory. For the race check it is a load of shared memory and a store to global memory of
   the thread that starts it, both when it starts and when it does them.

   A thread that waits for a phase that nothing can end is a deadlock, and so are, together, threads
   of which some wait for a barrier in shared memory and some for the block. */
#ifndef TILE_EMULATOR_BULK_H
#define TILE_EMULATOR_BULK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "emulator/tensor_map.h"
#include "emulator/warp_order.h"

struct emulator_block;
struct emulator_thread;

enum { BULK_BARRIER_BYTES = 8, BULK_BARRIERS = 255, BULK_PHASES = 1 << 24, BULK_WAITS = 4 };

struct mbarrier {
  size_t offset;              /* in shared memory */
  bool live;                  /* made, and not ended */
  bool fenced;                /* its maker has executed fence_mbarrier_init since */
  uint32_t arrivals, missing; /* of a phase; that the current phase still waits for */
  int64_t bytes;              /* expected and not landed; below 0: the other way round */
  uint32_t phase;             /* the current one; its lowest bit is the parity */
  uint32_t maker;             /* thread */
  const char *location;       /* where it was made */
  uint32_t made;              /* barriers of the cluster until then */
  uint64_t waits[BULK_WAITS]; /* epochs of the first wait for the last phases, by number; 0: none */
  uint32_t *seen;             /* owned: of each thread, 1 + the latest phase it has waited for */
  struct warp_clock gathered, done[BULK_WAITS]; /* of the current phase's arrivals; of earlier ones'
                                                   by number */
  struct warp_read reads[BULK_WAITS][MACHINE_BLOCK_WARPS]; /* of what copies brought in a phase */
};

struct bulk_copy {
  struct tensor_map map;
  int32_t at[TENSOR_MAP_RANK];
  size_t offset; /* in shared memory */
  uint32_t bytes;
  uint32_t barrier, phase; /* index; that was current when it started */
  uint32_t thread;         /* that started it; the block's first one for one of another block */
  bool poisoned;           /* reading its source was a hazard */
  const char *location;
};

/* A box on its way from shared to global memory. */
struct bulk_store {
  struct bulk_copy box;
  uint32_t group;       /* number of the thread's commit that closes it */
  uintptr_t first, end; /* all that it writes lies between */
  bool adds;            /* to what is there, each element by an atomic operation */
  unsigned char *data;  /* owned: what it has read, in the order of the box; NULL: nothing yet */
};

struct bulk_state {
  struct mbarrier *barriers; /* owned */
  uint32_t barrier_count;
  struct bulk_copy *copies; /* owned: in flight */
  uint32_t copy_count;
  struct bulk_store *stores; /* owned: in flight, oldest first */
  uint32_t store_count;
  size_t barrier_capacity, copy_capacity, store_capacity;
  uint32_t *stamps; /* owned: of each byte of shared memory, 1 + barrier, and the phase * 256, of
                       the copy that landed there; 0: none has since the last store. NULL before
                       the first */
  struct warp_read (*reads)[MACHINE_BLOCK_WARPS]; /* owned: of each READ_CHUNK bytes of shared
                                                     memory that threads have stored; or NULL */
  struct warp_read (
      *copy_reads)[MACHINE_BLOCK_WARPS]; /* owned: the same of what copies have brought; or NULL */
  uint32_t waiting;                      /* threads that wait for a barrier */
  struct warp_order *order;              /* owned; or NULL */
};

/* A block begins, or ends: what is in flight then is reported. */
void bulk_begin_block(struct emulator_block *block);
void bulk_end_block(struct emulator_block *block);
void bulk_destroy(struct bulk_state *bulk);

/* Nobody in the block can run, and some wait for barriers: lands copies until one of them can.
   False when none is left that could help; that is reported, and the launch stopped, where the
   block has no cluster, another block of which may help. */
bool bulk_progress(struct emulator_block *block);
/* Reports for each barrier who waits for it in vain. */
void bulk_report_deadlocks(struct emulator_block *block);
/* Lands one copy, if there is one. */
void bulk_land_one(struct emulator_block *block);

/* The copy in flight to this byte; NULL: none. */
const struct bulk_copy *bulk_find(const struct emulator_block *block, size_t offset);
/* Reports what is wrong with an access of shared memory that is no operation on a barrier. */
void bulk_check(struct emulator_thread *thread, size_t offset, size_t bytes, bool is_store,
                const char *location);
/* The warp of `thread` has read bytes of shared memory until now, as one. */
void bulk_note_warp_read(struct emulator_thread *thread, size_t offset, size_t bytes,
                         const char *location);
/* Do barriers that only some threads of the block use, arrivals and waits, put what the thread does
   now after the last loads of this byte by all warps? Of bytes that threads have stored. */
bool bulk_reads_are_over(const struct emulator_thread *thread, size_t offset);

/* --- Bulk stores: device_bulk_store.c --------------------------------------------------------- */

void bulk_store_begin_block(struct emulator_block *block);
void bulk_store_end_block(struct emulator_block *block);
void bulk_store_destroy(struct bulk_state *bulk);
/* Reports a store to shared memory that a bulk store has not read yet. */
void bulk_store_check_shared(struct emulator_thread *thread, size_t offset, size_t bytes,
                             const char *location);
/* How an access meets what bulk stores of the block still write: atomic operations do not meet
   those that add. */
enum bulk_meeting { BULK_MEETS_LOAD, BULK_MEETS_STORE, BULK_MEETS_ATOMIC };
/* Reports an access of global memory that a bulk store of the block still writes. */
void bulk_store_check_global(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                             enum bulk_meeting meeting, const char *location);

/* --- Between device_mbarrier.c and device_bulk.c ---------------------------------------------- */

/* The barrier that an operation names; NULL after reporting that there is none. */
struct mbarrier *mbarrier_find(struct emulator_thread *thread, const void *address,
                               const char *location);
/* The one at the same place in another block of the cluster, or in the thread's own. */
struct mbarrier *mbarrier_find_in(struct emulator_thread *thread, struct emulator_block *block,
                                  const void *address, const char *location);
/* Bytes of a copy have landed. */
void mbarrier_land(struct emulator_block *block, const struct bulk_copy *copy);
/* Has this thread waited for the phase in which a byte was copied, or come after who has? */
bool mbarrier_shows(const struct emulator_thread *thread, uint32_t stamp);
uint32_t mbarrier_stamp(const struct bulk_copy *copy);
/* By warp, who has read what was copied in a phase; NULL: too long ago. */
struct warp_read *mbarrier_reads(struct emulator_block *block, uint32_t stamp);

#endif
