#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Softmax, RoPE and layer normalisation beside Triton and PyTorch on one device, in one go: a table with
# ratios, and the geometric mean of each kernel.
#   bench/rows.sh [BUILD_FOLDER [OUT [PART[:SHAPE] ...]]]  build/release, build/bench-rows, all parts
# Parts: softmax rope norm backward, and copy (rows of softmax loaded and stored, nothing else); a shape as in the table, or its
# last number: norm:131072x8192 softmax:512.
# Needs python3 (or $PYTHON) with PyTorch and Triton, and a GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/release} out=${2:-build/bench-rows}
shift $(($# < 2 ? $# : 2))
"${PYTHON:-python3}" bench/peers/rows.py "$out" "$@"
"$folder/bench/beside" "$out/manifest.txt" | tee "$out/rows.csv"
bench/summary.sh "$out/rows.csv"
