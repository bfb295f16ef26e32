#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tutorials' kernels (bench/tutorials/*.toml) beside Triton, PyTorch, cuBLAS and cuDNN, at all
# sizes: OUT/NAME.csv, and plots NAME.svg and NAME.png.
#   bench/tutorials.sh [BUILD_FOLDER [OUT [NAME ...]]]   build/release, docs/plots, all of them
# Needs a GPU; python3 (or $PYTHON) with PyTorch and Triton for these two, else they are left out,
# as are cuBLAS and cuDNN where they are not found. On a machine without gnuplot the scripts of the
# plots are kept in OUT; elsewhere, later:
#   bench/tutorials.sh --draw OUT
# $TILE_BENCH_FLAGS are given to tile-bench ("--rounds 3").
set -euo pipefail

# The script draws an SVG; with another first command a PNG.
draw() {
  local png="set terminal pngcairo size 1000,580 enhanced background rgb 'white'"
  png+=" font 'DejaVu Sans,13'"
  for script in "$1"/*.gp; do
    gnuplot -d "$script" > "${script%.gp}.svg"
    sed "s/^set terminal svg .*/$png/" "$script" | gnuplot -d - > "${script%.gp}.png"
    rm "$script"
  done
}

if [ "${1:-}" = --draw ]; then
  draw "$2"
  exit
fi

cd "$(dirname "$0")/.."
folder=${1:-build/release} out=${2:-docs/plots}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- vector_add softmax matmul layer_norm layer_norm_backward

# PyTorch brings a cuBLAS and a cuDNN, which the loader does not find by itself.
find_library() {
  "${PYTHON:-python3}" -c '
import glob, nvidia, sys
name = "/**/" + sys.argv[1] + ".so.*"
print(max((f for p in nvidia.__path__ for f in glob.glob(p + name, recursive=True)), default=""))' \
    "$1" 2>/dev/null || true
}
: "${TILE_LIBCUBLASLT:=$(find_library libcublasLt)}" "${TILE_LIBCUDNN:=$(find_library libcudnn)}"
export TILE_LIBCUBLASLT TILE_LIBCUDNN # empty: as if it were not there

mkdir -p "$out"
for name in "$@"; do
  # shellcheck disable=SC2086
  "$folder/bin/tile-bench" "bench/tutorials/$name.toml" --csv "$out/$name.csv" \
    --gnuplot "$out/$name.gp" ${TILE_BENCH_FLAGS:-}
done
if command -v gnuplot > /dev/null; then
  draw "$out"
else
  echo "tutorials.sh: there is no gnuplot here; elsewhere: bench/tutorials.sh --draw $out" >&2
fi
