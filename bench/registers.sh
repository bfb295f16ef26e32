#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How far the estimate of registers (lib/analysis/pressure.h) is from what ptxas allots.
#   bench/registers.sh [BUILD [LIST]]       default: build/release, bench/registers.txt
# LIST has what tile-translate takes, one kernel a line, files as in this repository. For each
# kernel and target: the estimate, no more than a thread can have; registers and bytes that spill,
# by ptxas. Then how the differences, estimate less ptxas, are distributed. ptxas is not told how
# many blocks a multiprocessor is to have (.minnctapersm); kernels with a bound of their own
# (.maxnreg), and those that spill, are left out of the distribution.
set -euo pipefail
build=$(realpath "${1:-$(dirname "$0")/../build/release}")
list=$(realpath "${2:-$(dirname "$0")/registers.txt}")
cd "$(dirname "$0")/.."
ptxas=${TILE_PTXAS:-$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lines "kernel estimate" of the IR that is lowered next.
estimate() {
  awk '/IR Dump After/ { on = /tile-verify-before-lowering/; next } on' "$work/passes" \
    >"$work/ir.mlir"
  "$build/bin/tile-opt" --tile-gpu-print-pressure --verify-only "$work/ir.mlir" 2>&1 |
    sed -n 's/.*remark: @\([^:]*\): \([0-9]*\) registers.*/\1 \2/p'
}

# Lines "kernel registers spilled", then what the PTX says of a block.
report() {
  sed -i '/\.minnctapersm/d' "$work/kernel.ptx"
  "$ptxas" -v -arch="$1" "$work/kernel.ptx" -o "$work/cubin" 2>&1 | awk '
    /Compiling entry function/ { split($0, part, "\047"); name = part[2] }
    /bytes spill stores/ { spilled = $0; sub(/ bytes spill stores.*/, "", spilled)
                           sub(/.* /, "", spilled) }
    /Used [0-9]+ registers/ { sub(/.*Used /, ""); print name, $1, spilled }'
  awk '/\.entry/ { name = $0; sub(/.*\.entry /, "", name); sub(/\(.*/, "", name); told[name] = 0 }
       /\.maxntid|\.reqntid/ { threads[name] = $2 + 0 }
       /\.maxnreg/ { told[name] = 1 }
       END { for (name in told) print "block", name, threads[name], told[name] }' "$work/kernel.ptx"
}

while read -r line; do
  eval "arguments=($line)"
  for target in sm_80 sm_90a; do
    "$build/bin/tile-translate" --tile-to-ptx --target "$target" --mlir-print-ir-after-all \
      "${arguments[@]}" -o "$work/kernel.ptx" 2>"$work/passes" || continue # fp8 needs sm_89
    { estimate | sed 's/^/estimate /'; report "$target"; } | awk -v target="$target" '
      $1 == "estimate" { estimates[$2] = $3; next }
      $1 == "block" { most[$2] = $3 ? int(65536 / $3 / 8) * 8 : 255; told[$2] = $4; next }
      { used[$1] = $2; spilled[$1] = $3 }
      END {
        for (name in used) if (name in estimates) {
          most[name] = most[name] < 255 ? most[name] : 255
          if (estimates[name] > most[name]) estimates[name] = most[name]
          print name, target, estimates[name], used[name], spilled[name],
                told[name] ? "told" : "free"
        }
      }'
  done
done <"$list" | tee "$work/table" | awk '
  BEGIN { print "kernel,target,estimate,ptxas,spilled,difference" }
  { print $1 "," $2 "," $3 "," $4 "," $5 "," $3 - $4 ($6 == "told" ? ",told" : "") }'
awk '$5 == 0 && $6 == "free" { print $3 - $4 }' "$work/table" | sort -n | awk '
  { all[NR] = $1; sum += $1 < 0 ? -$1 : $1 }
  function at(part) { return all[int(part * (NR - 1)) + 1] }
  END {
    if (!NR) exit
    printf "# %d kernels: median %d, quarter %d to %d, tenth %d to %d, ",
      NR, at(.5), at(.25), at(.75), at(.1), at(.9)
    printf "least %d, most %d; %.1f on average\n", at(0), at(1), sum / NR
  }'
