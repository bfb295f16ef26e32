/* SPDX-License-Identifier: MIT */
/* Our dialects: their IRDL sources, embedded, and the registration of upstream's. */
#ifndef TILE_IR_DIALECTS_H
#define TILE_IR_DIALECTS_H

#include <mlir-c/IR.h>
#include "tile/status.h"

/* The upstream dialects that our IR is mixed with, for creating a context. */
void dialects_register_upstream(MlirDialectRegistry registry);
/* Loads upstream's and ours into `context`. */
tile_status dialects_load(MlirContext context);
/* The IRDL source of all our dialects, as one text. */
MlirStringRef dialects_irdl(void);

#endif
