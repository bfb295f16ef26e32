/* SPDX-License-Identifier: MIT */
/* Loads of which one copy is enough.

   Where a tile has fewer elements than the block has threads, several threads hold one element. All
   of them load it, one of them, its holder, stores it. If all that is made of a load ends in stores
   by the same threads, the others' copies are never looked at: the holder alone needs to load. */
#ifndef TILE_ANALYSIS_HOLDERS_H
#define TILE_ANALYSIS_HOLDERS_H

#include "ir/session.h"

/* For a load of a tile; its layout is final. False also where that takes long to find out. */
bool is_for_holders(struct session *session, MlirOperation load);

#endif
