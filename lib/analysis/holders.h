/* SPDX-License-Identifier: MIT */
/* Loads of which one copy is enough.

   Where a tile has fewer elements than the block has threads, several threads hold one element. All
   of them load it, one of them, its holder, stores it. If all that is made of a load ends in stores
   by the same threads, the others' copies are never looked at: the holder alone needs to load.

   Not so where no access of the kernel has neighbours in memory, such as components of rows stored
   one by one. Each sector is then written bit by bit, and has to be in the cache until it is whole:
   threads that load copies keep their block on the multiprocessor, and so the next block, which
   writes elsewhere, away (1.30 of the speed without them, on an H200). Threads that hold copies
   stay for the same reason (decision 18). */
#ifndef TILE_ANALYSIS_HOLDERS_H
#define TILE_ANALYSIS_HOLDERS_H

#include "ir/session.h"

/* For a load of a tile; its layout is final. False also where that takes long to find out. */
bool is_for_holders(struct session *session, MlirOperation load);

/* Has no access to a tile in the kernel neighbours in memory? */
bool is_strided(struct session *session, MlirOperation kernel);

#endif
