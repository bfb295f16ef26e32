/* SPDX-License-Identifier: MIT */
/* Which toolkit this is.

   The macros are those of the headers that a program was compiled with; tile_version() tells of the
   library that it runs with. Until version 1.0 the two fit where the first two numbers are equal.
   CMakeLists.txt reads the three numbers from here. */
#ifndef TILE_VERSION_H
#define TILE_VERSION_H

#include "tile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TILE_VERSION_MAJOR 0
#define TILE_VERSION_MINOR 1
#define TILE_VERSION_PATCH 0
/* 10203 for 1.2.3 */
#define TILE_VERSION_NUMBER                                                                        \
  (TILE_VERSION_MAJOR * 10000 + TILE_VERSION_MINOR * 100 + TILE_VERSION_PATCH)

typedef struct tile_version_info {
  int number;           /* as TILE_VERSION_NUMBER */
  const char *text;     /* "0.1.0" */
  const char *build_id; /* 32 hexadecimal digits: a hash of the sources, the same wherever and
                           whenever they are built */
} tile_version_info;

/* Of libtile_runtime; static. The compiler has a build id of its own: tile_compiler_build_id. */
TILE_EXPORT const tile_version_info *tile_version(void);

#ifdef __cplusplus
}
#endif
#endif
