# SPDX-License-Identifier: MIT
# subproject.sh SOURCE FOLDER: a project in FOLDER with a copy of the toolkit in FOLDER/tile.
set -e
mkdir -p "$2/tile"
for part in CMakeLists.txt cmake dialects include lib tools; do
  cp -r "$1/$part" "$2/tile/"
done
cat >"$2/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(user C)
add_subdirectory(tile)
add_executable(user user.c)
target_link_libraries(user PRIVATE tile_runtime)
set_target_properties(user PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tile/bin)
END
cat >"$2/user.c" <<'END'
#include <stdio.h>
#include "tile/runtime.h"
int main(void) {
  tile_image *image = NULL;
  tile_status status = tile_image_read("nothing-is-here", &image);
  printf("%s at %s: %s\n", tile_code_name(tile_status_code(status)), tile_status_origin(status),
         tile_status_message(status));
  tile_status_free(status);
  return 0;
}
END
