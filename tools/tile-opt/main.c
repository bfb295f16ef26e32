/* SPDX-License-Identifier: MIT */
/* tile-opt: everything is in libtile. */
#include "tile/tools.h"

int main(int argc, char **argv) {
  return tile_opt_main(argc, argv);
}
