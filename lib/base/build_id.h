/* SPDX-License-Identifier: MIT */
/* Which compiler this is. */
#ifndef TILE_BASE_BUILD_ID_H
#define TILE_BASE_BUILD_ID_H

/* 32 hexadecimal digits, a hash of the sources of lib/ and include/, the dialects and LLVM's
   version (cmake/BuildId.cmake): two builds with the same id write the same bytes for the same
   input. */
const char *build_id(void);

#endif
