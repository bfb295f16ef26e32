#!/usr/bin/env bash
# The grouped matrix product beside Triton and cuBLAS on one device, in one go: a table with ratios, and
# geometric means.
#   bench/matmul.sh [BUILD_FOLDER [OUT [PART ...]]]        build/release, build/bench-matmul, all parts
# Parts: best (square sizes, best of eight configurations each), quick (five of them), pairs (configuration
# against configuration), skinny, sm80 (both with the instructions of sm_80). Needs python3 (or $PYTHON) with PyTorch and Triton, and a GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/release} out=${2:-build/bench-matmul}
shift $(($# < 2 ? $# : 2))
"${PYTHON:-python3}" bench/peers/matmul.py "$out" "$@"
"$folder/bench/beside" "$out/manifest.txt" | tee "$out/matmul.csv"
bench/summary.sh "$out/matmul.csv"
