/* SPDX-License-Identifier: MIT */
/* Messages name the flags of the tools: "choose one with --kernel". Callers of the C API know the
   same things as members of structures; what goes to them says those. */
#ifndef TILE_DRIVER_FIELD_NAMES_H
#define TILE_DRIVER_FIELD_NAMES_H

#include "base/text.h"
#include "tile/status.h"

/* Appends a message with members in place of flags: "choose one with tile_import_options.kernel".
 */
void field_names_print(const char *message, struct text *out);
/* The same error in these words; takes `status`, which may be NULL. */
tile_status field_names_in(tile_status status);

#endif
