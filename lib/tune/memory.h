/* SPDX-License-Identifier: MIT */
/* What a tuning remembers: winners and measurements of earlier ones, in the database.

   Trouble with the database never ends a tuning: what was found out is told all the same, and the
   trouble is kept for the caller (tile_tuning_problem). */
#ifndef TILE_TUNE_MEMORY_H
#define TILE_TUNE_MEMORY_H

#include "tune/tuning.h"

/* Looks for a winner under the tuning's key: true, with entries and winner filled in as they were
   stored, when there is one. `any` takes a winner that was chosen among other candidates, too. */
bool tuning_recall(tile_tuning *tuning, bool any);
/* Candidates that never ended, or broke the device, under this key are out. */
void tuning_recall_dangers(tile_tuning *tuning);
/* Keeps what the candidates did, and the winner where there is one. After a tuning that did not
   come to its end: only those that never ended or broke the device. */
void tuning_remember(tile_tuning *tuning, bool ended);

#endif
