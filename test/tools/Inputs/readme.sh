# SPDX-License-Identifier: MIT
# readme.sh SOURCE FOLDER: runs each command of the README that begins with "$ tile-", in a folder
# with what they name, and prints what comes; the kernel of the one that is left out is in no file.
mkdir -p "$2" && cd "$2" || exit 1
mkdir -p test && ln -s "$1/test/kernels" test/kernels && ln -s "$1/examples" examples
export TILE_CACHE_DIR=$2/cache
awk '/^\$ tile-/ {on = 1} on {print} on && !/\\$/ {on = 0}' "$1/README.md" |
  sed 's/^\$ //' | grep -v notpow >commands
test "$(grep -c '^tile-' commands)" -ge 5 || exit 1
bash commands
