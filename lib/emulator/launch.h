/* SPDX-License-Identifier: MIT */
/* The state of a running launch, shared by the scheduler, the checks and the device functions.

   A launch belongs to the host thread that called tile_emulator_launch, which runs all threads of
   all blocks as fibers, one at a time. So everything here is used by one host thread.

   A block is waiting until it is begun; then it has a record, in which it stays until all its
   threads have exited. Several blocks can have begun (residency.c). */
#ifndef TILE_EMULATOR_LAUNCH_H
#define TILE_EMULATOR_LAUNCH_H

#include "base/machine.h"
#include "emulator/bulk.h"
#include "emulator/cluster.h"
#include "emulator/counts.h"
#include "emulator/fiber.h"
#include "emulator/memory.h"
#include "emulator/order.h"
#include "emulator/program.h"
#include "emulator/report.h"
#include "emulator/spin.h"
#include "emulator/wgmma.h"

enum {
  EMULATOR_SCRATCH_BYTES = 64,        /* the widest access that is checked */
  EMULATOR_RESIDENT_LIMIT = 64 << 10, /* blocks, each of which has stacks */
  EMULATOR_POISON = 0xCB,
  EMULATOR_SLAB_FIBERS = 32,
};

/* One GPU thread: what device functions get as their first argument. */
struct emulator_thread {
  /* Where turned-aside accesses go; aligned for any of them. */
  _Alignas(EMULATOR_SCRATCH_BYTES) unsigned char scratch[EMULATOR_SCRATCH_BYTES];
  struct emulator_launch *launch;   /* borrowed */
  struct emulator_block *block;     /* borrowed */
  const struct region *last_region; /* borrowed from launch->memory, or NULL */
  struct fiber *fiber;              /* borrowed: the stack it is on; NULL before start, after end */
  const char *barrier;              /* borrowed: where it waits or last waited, or NULL */
  bool at_shuffle;                  /* it waits for its warp, or warp group, not for the block */
  uint32_t together;                /* threads that it then waits for: 32 or 128, */
  uint32_t mask;                    /* of a warp those whose bit is 1 */
  uint32_t operation;               /* what for: 0 a shuffle, else see tensor.h */
  void *shown;                      /* its operands, for the last lane to come */
  struct spin_poll polls[SPIN_POLLS];
  uint64_t spins_since;           /* launch->changes when it repeated itself last, */
  uint32_t spins;                 /* and how often since that, by weight */
  uint32_t first_copy, last_copy; /* asynchronous copies in flight, oldest first: index + 1; 0:
                                     none */
  uint32_t copy_groups;           /* groups of copies that it has committed */
  uint32_t bulk_groups;           /* the same of bulk stores */
  uint32_t wgmma_commits;         /* groups of wgmmas that it has committed */
  bool wgmma_fenced;              /* it has executed wgmma.fence since its last wait for a wgmma
                                   */
  uint32_t proxy_fence;           /* number of its latest proxy fence among those of the launch,
                                     from 1 */
  uint64_t proxy_fence_epoch;     /* when that was */
  struct sync_thread sync;
  uint32_t at_named;       /* the barrier of some warps that it waits at, + 1; 0: none */
  uint32_t awaits, parity; /* the barrier in shared memory that it waits for, + 1; 0: none */
  bool at_cluster;         /* it waits for its cluster */
  bool arrived;            /* it has arrived at the barrier of the cluster number `arrival`, and not
                              waited */
  uint32_t arrival;
  uint32_t cluster_passed; /* barriers of the cluster that what it does comes after */
  uint32_t index;          /* in the block */
  bool exited;
  uint64_t turns; /* of loops that it has begun */
};

/* What a warp counts. */
struct emulator_warp {
  uint32_t arrived;       /* lanes waiting for the whole warp */
  uint32_t group_arrived; /* of the warp group that begins with this warp */
  uint32_t phase;         /* barriers of the warp so far */
};

/* A barrier of some of a block's threads, by its number. */
struct named_barrier {
  uint32_t arrived, count; /* threads */
};

enum { NAMED_BARRIERS = 16 };

struct async_copy;

/* Asynchronous copies of the running block, in device_async.c. */
struct async_copies {
  struct async_copy *pool; /* owned */
  size_t capacity;
  uint32_t count, free; /* records used so far; index + 1 of the first free one among
                                     them */
  uint8_t *marks;       /* owned: for each byte of shared memory, copies in flight to it
                         */
  uint32_t in_flight;
};

/* How a block is held up: its threads' repetitions, and the latest of them. */
struct spin_wait {
  uint64_t since;                 /* launch->changes then */
  uint32_t spins;                 /* by weight */
  struct emulator_thread *thread; /* borrowed */
  const void *address;
  const char *location; /* borrowed */
};

/* A block that has begun. Records are used again for blocks that begin later. */
struct emulator_block {
  struct emulator_launch *launch;  /* borrowed */
  uint64_t number;                 /* in the grid, x first */
  uint32_t index[3];               /* its coordinates */
  struct emulator_thread *threads; /* owned: launch->thread_count */
  struct emulator_thread **order;  /* owned: a ring of as many: who can run, */
  uint32_t position, ready;        /* from `position` on, `ready` of them */
  uint32_t exited_count;
  struct emulator_cluster *cluster; /* owned by all of its blocks; NULL: the block is alone */
  uint32_t rank;                    /* in the cluster */
  uint32_t cluster_waiting;         /* threads that wait for the cluster */
  bool used;                        /* by another block of the cluster: the latest use of shared */
  uint32_t used_phase;              /* memory, as barriers of the cluster until then */
  tile_emulator_site used_at;
  struct emulator_warp warps[MACHINE_BLOCK_WARPS];
  struct named_barrier named[NAMED_BARRIERS];
  unsigned char *shared; /* borrowed from the workspace; NULL where the launch has no shared memory
                          */
  struct spin_wait wait;
  struct memory_block memory;
  struct async_copies copies;
  struct bulk_state bulk;
  struct wgmma_state wgmma;
};

/* What launches need besides their state, kept by the process from one launch to the next. */
struct emulator_workspace {
  struct fiber *free_fibers; /* linked through next; the last one used comes first */
  struct fiber **slabs;      /* owned */
  size_t slab_count, slab_capacity;
  unsigned char **windows; /* owned: shared memory of blocks, see workspace.c */
  size_t window_count, window_capacity;
  struct emulator_launch *launch;  /* borrowed: the one in progress */
  struct emulator_workspace *next; /* among those that no launch uses */
};

/* Lends one, made or left by an earlier launch; NULL when there is no memory. Any thread. */
struct emulator_workspace *workspace_borrow(void);
/* Takes it back, with all its stacks free; what is above the bounds of workspace.c is given up. */
void workspace_return(struct emulator_workspace *workspace);
/* Stacks that are kept for later launches: at most 4096. */
size_t workspace_kept_stacks(void);
/* A stack; NULL when there is no memory for one. */
struct fiber *workspace_take_fiber(struct emulator_workspace *workspace);
void workspace_free_fiber(struct emulator_workspace *workspace, struct fiber *fiber);
/* Provides windows[index] for the launch's blocks; the ones before it are there. */
tile_status workspace_map_shared(struct emulator_workspace *workspace, size_t index);

struct emulator_launch {
  const tile_emulator_launch_options *options; /* borrowed */
  emulator_entry *entry;
  uint32_t thread_count;
  uint32_t cluster;                    /* blocks of a cluster, along x */
  struct tile_emulator_report *report; /* owned until handed to the caller */
  struct memory memory;
  struct emulator_workspace *workspace; /* borrowed from the process */
  tile_status failure;                  /* owned: what ended the launch besides hazards */
  bool stopped;                         /* no further GPU thread runs */
  struct random random;
  struct emulator_counts counts; /* barriers: threads that came to one */

  struct emulator_block **blocks; /* owned records: first those that have begun, then unused ones */
  uint32_t begun, block_records;
  uint64_t *waiting;             /* owned: numbers of resident blocks that have not begun, of */
  uint32_t waits;                /* clusters those of the first ones; so many */
  uint64_t turn_limit;           /* turns of loops that a thread may begin */
  const struct machine *machine; /* that the kernel was compiled for */
  uint32_t residency;            /* most blocks that are resident at a time */
  uint32_t mingled;              /* most that run concurrently although none waits for another */
  uint64_t next;                 /* the first block that is not resident yet */
  uint64_t total, done;

  uint64_t changes;   /* of memory by atomic operations */
  uint64_t spins;     /* repetitions since the latest one, by weight; see spin.c */
  uint32_t gap, gaps; /* atomic operations until others run; such gaps so far */

  struct fiber host;                /* the launching thread's own stack */
  struct fiber *current;            /* what runs */
  struct emulator_thread *selected; /* what the fiber being switched to shall start */
};

/* tile_emulator_launch, in which a thread may begin so many turns of loops; 0: any number. */
tile_status emulator_launch_limited(tile_emulator_program *program, const char *kernel_name,
                                    const tile_emulator_launch_options *options,
                                    uint64_t turn_limit, tile_emulator_report **out_report);

/* Coordinates of a block by its number. */
void launch_block(const struct emulator_launch *launch, uint64_t number, uint32_t block[3]);
/* A report's description of where `thread` is. */
tile_emulator_site launch_site(const struct emulator_thread *thread, const char *location);
/* A hazard of `thread` at one byte of its block's shared memory. */
tile_emulator_hazard launch_shared_hazard(const struct emulator_thread *thread,
                                          tile_emulator_hazard_kind kind, size_t offset,
                                          const char *location);

/* Checks an atomic operation and returns the address to use, or the thread's scratch area after
   reporting why not. In device_memory.c. */
void *device_atomic_address(struct emulator_thread *thread, void *address, uint32_t bytes,
                            uint32_t alignment, const char *location);
/* The same for one on shared memory. */
void *device_shared_atomic_address(struct emulator_thread *thread, void *address, uint32_t bytes,
                                   uint32_t alignment, const char *location);

/* The same for one side of a copy: where to read `bytes` from global memory, aligned to
   `alignment`, or NULL after reporting why not; where to write them; whether a store to shared
   memory is in bounds and aligned, reported. */
const void *device_copy_source(struct emulator_thread *thread, const void *address, uint32_t bytes,
                               uint32_t alignment, const char *location);
void *device_copy_target(struct emulator_thread *thread, void *address, uint32_t bytes,
                         uint32_t alignment, const char *location);
/* The same of elements that a copy adds to, each by an atomic operation. */
void *device_sum_target(struct emulator_thread *thread, void *address, uint32_t bytes,
                        uint32_t alignment, const char *location);
/* Adds to a float of global memory, as an atomic operation does. In device_atomics.c. */
void device_add_f32(void *address, uint32_t bits);
bool device_admit_shared(struct emulator_thread *thread, void *address, uint32_t bytes,
                         uint32_t alignment, const char *location);

/* A block begins: what the last one has in flight is forgotten. */
void async_begin_block(struct async_copies *copies, size_t shared_bytes);
void async_destroy(struct async_copies *copies);
/* Bytes of shared memory are written by one copy in flight more, or with change = -1 by one less.
 */
void async_mark(struct emulator_block *block, size_t first, size_t bytes, int change);
/* Reports an access of shared memory that a copy in flight writes; the second one also what
   bulk_check finds wrong with it. */
void async_check_in_flight(struct emulator_thread *thread, uintptr_t address, size_t bytes,
                           bool is_store, const char *location);
void async_check(struct emulator_thread *thread, uintptr_t address, size_t bytes, bool is_store,
                 const char *location);

/* Runs all blocks of the grid, or until launch->stopped; in residency.c. */
tile_status residency_run(struct emulator_launch *launch);
/* Blocks that are resident at a time on a whole device, however many registers the kernel takes. */
uint32_t residency_default(const struct machine *machine, uint32_t threads, uint32_t shared_bytes);
/* Can a thread of the block go on, now or once a copy has landed? */
bool residency_can_run(const struct emulator_block *block);
/* Ends what the blocks of a launch own. */
void residency_destroy(struct emulator_launch *launch);

/* The threads of a block begin anew. */
void schedule_prepare(struct emulator_block *block);
/* Runs the threads of a block until all have exited, it gives way to others, or launch->stopped. */
void schedule_block(struct emulator_block *block);
/* Recovers the stacks of threads that a stopped launch leaves suspended. */
void schedule_abandon(struct emulator_block *block);
/* What fibers execute. */
void schedule_worker(void *workspace);
/* Called by a running GPU thread: block-wide barrier; returns when all threads have arrived, not
   at all if the launch stops. */
void schedule_barrier(struct emulator_thread *thread, const char *location);
/* The same for `count` threads of the block, which come to the barrier of this number. */
void schedule_named_barrier(struct emulator_thread *thread, uint32_t number, uint32_t count,
                            const char *location);
/* Called by a running GPU thread: what a warp, or a group of four, does as one. Returns when all
   have come here, not at all if the launch stops; before any thread returns, the last one to come
   calls `execute` with all of them, whose `shown` are set. `count` is 32 or 128. Threads that come
   with different operations diverge. */
typedef void emulator_together(struct emulator_thread *lanes, uint32_t operation);
void schedule_together(struct emulator_thread *thread, uint32_t count, uint32_t operation,
                       emulator_together *execute, void *mine, const char *location);
/* The same for the lanes of a warp that `mask` names, the thread's own among them: a shuffle. */
typedef void emulator_collective(struct emulator_thread *lanes, uint32_t mask);
void schedule_lanes_together(struct emulator_thread *thread, uint32_t mask,
                             emulator_collective *execute, void *mine, const char *location);
/* The lanes that a thread's warp has: 32, fewer in the last warp of an odd block. */
uint32_t schedule_lanes(const struct emulator_thread *thread);
/* Called by a running GPU thread: other threads, also of other blocks, may run before it goes on.
 */
void schedule_give_way(struct emulator_thread *thread);
/* Called by a running GPU thread: others run until schedule_wake has been called for it. */
void schedule_park(struct emulator_thread *thread, const char *location);
void schedule_wake(struct emulator_thread *thread);
/* Reports that `waiting` waits at a barrier, or for its warp, to which `other` does not come; stops
   the launch. */
void schedule_report_divergence(struct emulator_thread *waiting, struct emulator_thread *other);
/* Called by a running GPU thread: ends the launch. */
_Noreturn void schedule_stop(struct emulator_thread *thread);

#endif
