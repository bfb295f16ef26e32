#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Configures and builds a preset: scripts/build.sh [release|dev|tsan|fuzz] [gcc|clang] [target]
# -> build/<preset>[-clang]. Prints the build folder's name last.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release} compiler=${2:-gcc} target=${3:-all}
folder=build/$preset
[ "$compiler" = gcc ] || folder=build/$preset-$compiler
CC=$compiler cmake --preset "$preset" -B "$folder" >/dev/null
cmake --build "$folder" --target "$target" >"$folder/build.log" 2>&1 ||
  { cat "$folder/build.log" >&2; exit 1; }
echo "$folder"
