/* SPDX-License-Identifier: MIT */
/* Kernels in the Triton language to tile MLIR: the front end's entry. */
#ifndef TILE_FRONTEND_IMPORT_H
#define TILE_FRONTEND_IMPORT_H

#include "frontend/config/options.h"
#include "ir/session.h"
#include "tile/status.h"

/* Reads `text`, a kernel file, and emits the kernel for the signature as a module with one function
   that carries tile.kernel. Problems go to the session's diagnostics; the status says that there
   are some, or what is wrong with the options. */
tile_status import_kernel(struct session *session, const char *name, const char *text,
                          size_t length, const struct import_options *options, MlirModule *out);

/* Hands what was found in a file to the session's sink. */
void import_deliver_problems(struct session *session, const struct problems *problems);

/* $TRITON_ALLOW_NON_CONSTEXPR_GLOBALS, as Triton reads it: kernels may use globals that no
   tl.constexpr(...) makes. */
bool import_allows_plain_globals(void);

#endif
