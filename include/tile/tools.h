/* SPDX-License-Identifier: MIT */
/* The command-line tools as functions: the executables are one call each, and a program may embed
   them. Each returns the exit code and writes to the process's standard streams. */
#ifndef TILE_TOOLS_H
#define TILE_TOOLS_H

#include "tile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

TILE_EXPORT int tile_opt_main(int argc, char **argv);
TILE_EXPORT int tile_translate_main(int argc, char **argv);
TILE_EXPORT int tile_run_main(int argc, char **argv);
TILE_EXPORT int tile_image_main(int argc, char **argv);
TILE_EXPORT int tile_bench_main(int argc, char **argv);
TILE_EXPORT int tile_tune_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
