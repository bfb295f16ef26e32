/* SPDX-License-Identifier: MIT */
/* tile-translate: everything is in libtile. */
#include "tile/tools.h"

int main(int argc, char **argv) {
  return tile_translate_main(argc, argv);
}
