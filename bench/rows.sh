#!/usr/bin/env bash
# Softmax, RoPE and layer normalisation beside Triton and PyTorch on one device, in one go: a table with
# ratios, and the geometric mean of each kernel.
#   bench/rows.sh [BUILD_FOLDER [OUT [PART ...]]]          build/release, build/bench-rows, all parts
# Parts: softmax rope norm. Needs python3 (or $PYTHON) with PyTorch and Triton, and a GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/release} out=${2:-build/bench-rows}
shift $(($# < 2 ? $# : 2))
mkdir -p "$out"
"${PYTHON:-python3}" bench/peers/rows.py "$out" "$@"
"$folder/bench/beside" "$out/manifest.txt" | tee "$out/rows.csv"
awk -F, '
  NR > 1 {
    best = 0
    for (i = 6; i + 2 <= NF; i += 3) { if (!best || $(i + 1) < best) best = $(i + 1); logs[$1, $i] += log($(i + 2)); peers[$i] }
    all[$1] += log(best / $4); n[$1]++
    if (!($1 in least) || best / $4 < least[$1]) least[$1] = best / $4
  }
  END {
    for (name in n) {
      printf "# %s: %d shapes, geometric mean %.3f of the best peer, least %.3f", name, n[name], exp(all[name] / n[name]), least[name]
      for (p in peers) if ((name, p) in logs) printf "; %s %.3f", p, exp(logs[name, p] / n[name])
      print ""
    }
  }' "$out/rows.csv"
