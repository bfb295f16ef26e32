/* SPDX-License-Identifier: MIT */
/* tile-image: everything is in libtile. */
#include "tile/tools.h"

int main(int argc, char **argv) {
  return tile_image_main(argc, argv);
}
