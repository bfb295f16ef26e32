/* SPDX-License-Identifier: MIT */
/* Shorthands over tile/status.h for use inside the library. */
#ifndef TILE_BASE_STATUS_H
#define TILE_BASE_STATUS_H

#include <stddef.h>
#include "base/private.h"

#define TILE_STRINGIFY_(x) #x
#define TILE_STRINGIFY(x) TILE_STRINGIFY_(x)
#ifdef __FILE_NAME__ /* gcc 12, clang: without folders, which would name the builder's */
#define TILE_ORIGIN __FILE_NAME__ ":" TILE_STRINGIFY(__LINE__)
#else
#define TILE_ORIGIN __FILE__ ":" TILE_STRINGIFY(__LINE__)
#endif

/* `return FAIL(TILE_NOT_FOUND, "no kernel named '%s'", name);` */
#define FAIL(code, ...) tile_status_make((code), TILE_ORIGIN, __VA_ARGS__)

/* `TRY(REQUIRED(image, out));` at the top of a public function: an error when the caller passed
   NULL for one of them. */
#define REQUIRED(...) REQUIRED_BY(__func__, __VA_ARGS__)
/* The same in a function that a public one calls, with the public one's name. */
#define REQUIRED_BY(function, ...)                                                                 \
  status_required(function, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},                      \
                  sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *))

/* The error that pointer `index` of `names`, "a, b, c", is NULL. */
TILE_PRIVATE tile_status status_null(const char *function, const char *names, size_t index);
static inline tile_status status_required(const char *function, const char *names,
                                          const void *const *pointers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!pointers[i])
      return status_null(function, names, i);
  return NULL;
}

/* Returns the error of `expression` from the enclosing function, if there is one. */
#define TRY(expression)                                                                            \
  do {                                                                                             \
    tile_status try_status_ = (expression);                                                        \
    if (try_status_)                                                                               \
      return try_status_;                                                                          \
  } while (0)

#endif
