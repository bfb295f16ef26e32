/* SPDX-License-Identifier: MIT */
/* Waiting by repetition: threads that repeat an atomic operation, or a volatile load, until another
   block has changed what is there. */
#ifndef TILE_EMULATOR_SPIN_H
#define TILE_EMULATOR_SPIN_H

#include <stdbool.h>
#include <stdint.h>

struct emulator_thread;
struct emulator_block;
struct emulator_launch;

enum spin_weight { SPIN_LOAD = 1, SPIN_ATOMIC = 16 };

/* What a thread saw at an address lately. */
struct spin_poll {
  const void *address;
  uint64_t digest; /* of what it did and found */
};

enum { SPIN_POLLS = 4 };

/* To be called after an atomic operation, or before a volatile load: `digest` says what was done
   and what was found, `changed` whether it changed memory. Lets others run now and then, and always
   when the thread repeats itself. */
void spin_note(struct emulator_thread *thread, const void *address, uint64_t digest, bool changed,
               enum spin_weight weight, const char *location);
/* A thread of the block has repeated itself for a while, and nothing has changed since. */
bool spin_is_stalled(const struct emulator_block *block);
/* All blocks that run are stalled, and have been for long: reports it, ends the launch. */
bool spin_is_deadlock(struct emulator_launch *launch);

#endif
