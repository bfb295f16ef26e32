/* SPDX-License-Identifier: MIT */
/* How many stages the copies of a loop get: the part of loop_schedule.c that weighs shared memory.
 */
#ifndef TILE_ANALYSIS_LOOP_STAGES_H
#define TILE_ANALYSIS_LOOP_STAGES_H

#include "analysis/loop_schedule.h"

/* Warps that a producer adds to the block: a warp group, which is what can give registers away
   (PTX ISA, setmaxnreg). */
enum { PRODUCER_WARPS = MACHINE_GROUP_WARPS };

/* Fills copies_ahead, buffers, in_flight, reuses and stage_bytes from the loads that are to be
   copied. Where two stages of them do not fit into a block's shared memory, they stay in their
   iteration.
   */
void loop_stages_choose(struct session *session, struct loop_schedule *out);

/* A loop of at most `trips` iterations, all of which but one are copied ahead: the copies of the
   last one start before the loop, too, where that costs a multiprocessor none of its blocks. */
void loop_stages_all_ahead(struct session *session, struct loop_schedule *out, int trips);

/* Bytes of shared memory that are left beside the stages of a loop, which are as many as the kernel
   has been given for its producer, and all else that is in use. */
int64_t loop_stages_left(struct session *session, const struct loop_schedule *schedule);

/* Registers of a thread in the loop, by the estimate of pressure.h. Tiles that are only loaded do
   not count, as they are going to be copied to shared memory. */
int64_t loop_registers(struct session *session, MlirOperation loop);
/* The same without what only lies across the loop (pressure_of_used). */
int64_t loop_registers_used(struct session *session, MlirOperation loop);

/* Has a multiprocessor no room for a second block, by the registers and stages of the loop? */
bool loop_schedule_is_alone(struct session *session, const struct loop_schedule *schedule);

/* Registers of a thread in a loop with a dot by warp groups whose accumulators have this type: the
   sums, and what the loop needs besides, as ptxas has been seen to need. */
int64_t registers_in_flight(struct session *session, MlirType sum, int64_t threads);

/* The first product on tensor cores among a block's operations, or null. */
MlirOperation first_product(struct session *session, MlirBlock block);

/* The same, or of dots by warp groups the last one that starts before any is waited for. */
MlirOperation last_first_product(struct session *session, MlirBlock block);

/* The only dot by warp groups that reads a buffer, by way of views, or transposed; null: none, or
   several. */
MlirOperation only_product(struct session *session, MlirOperation buffer);

/* The only operation that uses a value, or null. */
MlirOperation only_user(MlirValue value);

/* Would a multiprocessor hold a block more if blocks that are transposed, all of them for products
   behind the first ones, had a stage less, for as many registers as the loop is estimated to take,
   or the module allows? */
bool loop_stages_save_block(struct session *session, const struct loop_schedule *schedule);

#endif
