/* SPDX-License-Identifier: MIT */
/* Attributes of a launch: what can be said of them without the driver. */
#ifndef TILE_RUNTIME_LAUNCH_OPTIONS_H
#define TILE_RUNTIME_LAUNCH_OPTIONS_H

#include "runtime/driver.h"

/* Sets launch->options to `out`, which has the options as drivers take them, or to NULL when none
   is wanted. TILE_INVALID_ARGUMENT for clusters that do not fit, TILE_UNSUPPORTED for what the
   device has not got. */
tile_status launch_options_check(const tile_device *device, const tile_launch_options *options,
                                 struct runtime_launch *launch, tile_launch_options *out);

#endif
