/* SPDX-License-Identifier: MIT */
/* Second versions of a kernel: the same function under another name, for launches of which more is
   known. The driver makes them versions of one kernel in the image (lib/driver/kernel_info.h). */
#ifndef TILE_TRANSFORMS_VERSIONS_H
#define TILE_TRANSFORMS_VERSIONS_H

#include "ir/session.h"

/* The kernel once more, before itself, called NAME and `suffix`; the attribute says of which kernel
   it is a version. Null where something else has the name. */
MlirOperation version_clone(struct session *session, MlirOperation kernel, const char *suffix,
                            enum attribute_name version_of);

#endif
