/* SPDX-License-Identifier: MIT */
/* tile-run: everything is in libtile. */
#include "tile/tools.h"

int main(int argc, char **argv) {
  return tile_run_main(argc, argv);
}
