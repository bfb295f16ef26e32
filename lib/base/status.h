/* SPDX-License-Identifier: MIT */
/* Shorthands over tile/status.h for use inside the library. */
#ifndef TILE_BASE_STATUS_H
#define TILE_BASE_STATUS_H

#include "tile/status.h"

#define TILE_STRINGIFY_(x) #x
#define TILE_STRINGIFY(x) TILE_STRINGIFY_(x)
#ifdef __FILE_NAME__ /* gcc 12, clang: without folders, which would name the builder's */
#define TILE_ORIGIN __FILE_NAME__ ":" TILE_STRINGIFY(__LINE__)
#else
#define TILE_ORIGIN __FILE__ ":" TILE_STRINGIFY(__LINE__)
#endif

/* `return FAIL(TILE_NOT_FOUND, "no kernel named '%s'", name);` */
#define FAIL(code, ...) tile_status_make((code), TILE_ORIGIN, __VA_ARGS__)

/* `TRY(REQUIRED(image));` at the top of a public function: an error when the caller passed NULL. */
#define REQUIRED(pointer) REQUIRED_BY(__func__, pointer)
/* The same in a function that a public one calls, with the public one's name. */
#define REQUIRED_BY(function, pointer)                                                             \
  ((pointer) ? (tile_status)0 : FAIL(TILE_INVALID_ARGUMENT, "%s: %s is NULL", function, #pointer))

/* Returns the error of `expression` from the enclosing function, if there is one. */
#define TRY(expression)                                                                            \
  do {                                                                                             \
    tile_status try_status_ = (expression);                                                        \
    if (try_status_)                                                                               \
      return try_status_;                                                                          \
  } while (0)

#endif
