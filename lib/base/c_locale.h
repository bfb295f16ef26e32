/* SPDX-License-Identifier: MIT */
/* Numbers in text as C's own locale has them, 0.5 and not 0,5, whatever locale the program that
   uses the library has set (setlocale; POSIX 2008, uselocale). Threads: any. */
#ifndef TILE_BASE_C_LOCALE_H
#define TILE_BASE_C_LOCALE_H

#include <stdarg.h>
#include <stddef.h>
#include "tile/status.h"

/* strtod */
double c_strtod(const char *text, char **end);
/* vsnprintf and snprintf */
int c_vsnprintf(char *out, size_t size, const char *format, va_list arguments);
int c_snprintf(char *out, size_t size, const char *format, ...) TILE_PRINTF(3, 4);

#endif
