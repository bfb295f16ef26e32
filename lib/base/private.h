/* SPDX-License-Identifier: MIT */
/* What one of our libraries offers another one of exactly the same version, and nobody else.

   libtile_runtime exports the marked functions under the version TILE_PRIVATE_<number>, beside the
   public ones. A function without the mark stays inside its library: libtile does not link when it
   calls one. */
#ifndef TILE_BASE_PRIVATE_H
#define TILE_BASE_PRIVATE_H

#include "tile/status.h"

#define TILE_PRIVATE TILE_EXPORT

#endif
