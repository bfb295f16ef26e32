/* SPDX-License-Identifier: MIT */
/* What libtile_runtime says of itself. */
#include "tile/version.h"

#include <pthread.h>
#include "base/build_id.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

static tile_version_info info = {
    .number = TILE_VERSION_NUMBER,
    .text = TEXT(TILE_VERSION_MAJOR) "." TEXT(TILE_VERSION_MINOR) "." TEXT(TILE_VERSION_PATCH),
};

static void read_build_id(void) {
  info.build_id = build_id();
}

const tile_version_info *tile_version(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_build_id);

  return &info;
}
