/* SPDX-License-Identifier: MIT */
/* How many registers of a thread a loop over rows needs for its tiles, before what it computes on
   the way. */
#ifndef TILE_ANALYSIS_LOOP_REGISTERS_H
#define TILE_ANALYSIS_LOOP_REGISTERS_H

#include "ir/session.h"

/* 32-bit registers for the tiles with layouts that the loop carries, takes from outside and loads;
   masks and numbers are not counted, nor what the loop hands on as it came. */
int64_t loop_registers(struct session *session, MlirOperation loop);

/* The same for what is in use while the threads of a block wait for one another in an operation of
   the body: what the loop takes from outside, and what is there before that operation and used
   after it. Of the most such operation; 0 where there is none. */
int64_t loop_registers_waiting(struct session *session, MlirOperation loop);

/* Does it leave a thread so few that code beside it, which needs some for a while, makes ptxas move
   tiles to memory and back? */
bool loop_is_short_of_registers(struct session *session, MlirOperation loop);

#endif
