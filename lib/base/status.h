/* Shorthands over tile/status.h for use inside the library. */
#ifndef TILE_BASE_STATUS_H
#define TILE_BASE_STATUS_H

#include "tile/status.h"

#define TILE_STRINGIFY_(x) #x
#define TILE_STRINGIFY(x) TILE_STRINGIFY_(x)
#define TILE_ORIGIN __FILE_NAME_SHORT__ ":" TILE_STRINGIFY(__LINE__)
#ifndef __FILE_NAME_SHORT__
#define __FILE_NAME_SHORT__ __FILE__
#endif

/* `return FAIL(TILE_NOT_FOUND, "no kernel named '%s'", name);` */
#define FAIL(code, ...) tile_status_make((code), TILE_ORIGIN, __VA_ARGS__)

/* Returns the error of `expression` from the enclosing function, if there is one. */
#define TRY(expression)                                                                            \
  do {                                                                                             \
    tile_status try_status_ = (expression);                                                        \
    if (try_status_)                                                                               \
      return try_status_;                                                                          \
  } while (0)

#endif
