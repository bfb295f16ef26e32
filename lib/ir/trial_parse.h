/* SPDX-License-Identifier: MIT */
/* Is this bytecode safe to read? MLIR's reader takes its input at its word: a flipped bit can make
   it follow a wild pointer. So bytecode is read by a child process first, and by this one only if
   the child lived. Text needs none of this: the parser checks what it reads (session.c says where
   not). */
#ifndef TILE_IR_TRIAL_PARSE_H
#define TILE_IR_TRIAL_PARSE_H

#include <mlir-c/IR.h>
#include "tile/status.h"

/* NULL when a child process could read `bytes` (whether or not it found a module in them). Takes as
   long as reading does, and a fork. One thread at a time for a context, as for all else. */
tile_status trial_parse(MlirContext context, MlirStringRef bytes);

#endif
