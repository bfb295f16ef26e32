/* SPDX-License-Identifier: MIT */
/* tile-tune: everything is in libtile. */
#include "tile/tools.h"

int main(int argc, char **argv) {
  return tile_tune_main(argc, argv);
}
