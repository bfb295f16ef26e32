/* SPDX-License-Identifier: MIT */
/* tile-bench: everything is in libtile. */
#include "tile/tools.h"

int main(int argc, char **argv) {
  return tile_bench_main(argc, argv);
}
