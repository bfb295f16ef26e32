# SPDX-License-Identifier: MIT
# same-objects.sh ONE ANOTHER: builds a few objects of libtile in two build folders and compares
# them.
set -e
objects=
for source in ir/dialects driver/compile driver/version emulator/launch target/cubin base/status \
  __/generated/build_id; do
  case $source in base/status) part=tile_runtime_objects ;; *) part=tile_objects ;; esac
  objects="$objects tile/lib/CMakeFiles/$part.dir/$source.c.o"
done
for build in "$1" "$2"; do
  ninja -C "$build" $objects >"$build/objects.log" || { cat "$build/objects.log"; exit 1; }
done
for object in $objects; do
  cmp "$1/$object" "$2/$object"
done
