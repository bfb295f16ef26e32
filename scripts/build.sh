#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Configures and builds a preset: scripts/build.sh [release|dev|tsan|fuzz] [gcc|clang] [target]
# -> build/<preset>[-clang]. Prints the build folder's name last. Warnings of clang are errors, as
# those of gcc are in dev. dev with clang has the distribution's LLVM, so that both ways to link it
# can be tested with the sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release} compiler=${2:-gcc} target=${3:-all}
folder=build/$preset
[ "$compiler" = gcc ] || folder=build/$preset-$compiler
options=()
[ "$compiler" = gcc ] || options+=(-DTILE_WERROR=ON)
[ "$preset-$compiler" != dev-clang ] || options+=(-DTILE_LLVM_LINK=shared)
CC=$compiler cmake --preset "$preset" -B "$folder" "${options[@]}" >/dev/null
cmake --build "$folder" --target "$target" >"$folder/build.log" 2>&1 ||
  { cat "$folder/build.log" >&2; exit 1; }
echo "$folder"
