/* SPDX-License-Identifier: MIT */
/* How much shared memory a kernel takes. */
#ifndef TILE_TRANSFORMS_ALLOCATE_SHARED_H
#define TILE_TRANSFORMS_ALLOCATE_SHARED_H

#include "ir/session.h"

/* What tile-gpu-allocate-shared would give the function as it is. */
int64_t shared_bytes_needed(struct session *session, MlirOperation function);

#endif
