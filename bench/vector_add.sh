#!/usr/bin/env bash
# Vector addition and launch cost beside the peers on one device, in one go: a table with ratios, and
# the CSV files it is made of in OUT (build/bench-vector-add). docs/performance.md quotes it.
#   bench/vector_add.sh [BUILD_FOLDER [OUT]]
# The build folder (build/release) may be a copy from another machine: bench/, bin/ and lib/ of it. The
# peers run where python3 (or $PYTHON) has PyTorch and Triton.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/release} out=${2:-build/bench-vector-add}
python=${PYTHON:-python3}
[ -x "$folder/bench/vector_add" ] || { echo "$0: no $folder/bench/vector_add; build first" >&2; exit 1; }
mkdir -p "$out"

"$folder/bench/vector_add" >"$out/ours.csv"
if "$python" -c 'import torch, triton; assert torch.cuda.is_available()' 2>/dev/null; then
  "$python" bench/peers/vector_add.py >"$out/peers.csv"
  "$folder/bench/vector_add" >"$out/ours-again.csv" # the device has warmed up since: take the median of both
else
  echo "$0: note: no PyTorch with Triton and a GPU here; ours alone" >&2
  : >"$out/peers.csv"
  cp "$out/ours.csv" "$out/ours-again.csv"
fi

awk -F, '
  FILENAME == ARGV[1] { peer[$1, $2] = $4; next }
  $1 == "add" || $1 == "copy" { n[$1, $2]++; rate[$1, $2] += $8; if (!(($1, $2) in seen)) { seen[$1, $2]; order[++count] = $1 SUBSEP $2 } }
  END {
    print "elements,ours_gbps,triton_gbps,torch_gbps,ours/triton,ours/torch"
    for (i = 1; i <= count; i++) {
      split(order[i], key, SUBSEP)
      ours = rate[order[i]] / n[order[i]]
      if (key[1] == "copy") { copy = ours; continue }
      triton = peer["triton", key[2]]; torch = peer["torch", key[2]]
      printf "%d,%.1f,%s,%s,%s,%s\n", key[2], ours, triton, torch,
             triton ? sprintf("%.3f", ours / triton) : "", torch ? sprintf("%.3f", ours / torch) : ""
      if (triton) { logs += log(ours / triton); rows++; if (key[2] >= 1048576 && (!least || ours / triton < least)) least = ours / triton }
      last = ours; size = key[2]
    }
    if (rows) printf "# geometric mean of ours/triton: %.3f\n", exp(logs / rows)
    if (least) printf "# least ours/triton from 2^20 up: %.3f\n", least
    if (copy) printf "# device copy: %.1f GB/s; ours at %d elements: %.3f of it\n", copy, size, last / copy
    if (("torch-copy", "4294967296") in peer) printf "# torch copy: %.1f GB/s; ours: %.3f of it\n", peer["torch-copy", "4294967296"], last / peer["torch-copy", "4294967296"]
  }' "$out/peers.csv" "$out/ours.csv" "$out/ours-again.csv" | tee "$out/table.csv"

echo
"$folder/bench/launch_cost" 2>"$out/launch_cost.err" | tee "$out/launch_cost.csv" || cat "$out/launch_cost.err" >&2
