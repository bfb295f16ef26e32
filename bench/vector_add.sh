#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Vector addition and launch cost beside the peers on one device, in one go: a table with ratios,
# and the CSV files it is made of in OUT (build/bench-vector-add). docs/performance.md quotes it.
#   bench/vector_add.sh [BUILD_FOLDER [OUT]]
# The build folder (build/release) may be a copy from another machine: bench/, bin/ and lib/ of it.
# The peers run where python3 (or $PYTHON) has PyTorch and Triton.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/release} out=${2:-build/bench-vector-add}
python=${PYTHON:-python3}
[ -x "$folder/bench/vector_add" ] || {
  echo "$0: no $folder/bench/vector_add; build first" >&2
  exit 1
}
mkdir -p "$out"

beside=()
: >"$out/peers.csv"
if "$python" -c 'import torch, triton; assert torch.cuda.is_available()' 2>/dev/null; then
  "$python" bench/peers/vector_add.py 12 27 "$out/triton.cubin" >"$out/peers.csv"
  beside=(--beside "$out/triton.cubin")
else
  echo "$0: note: no PyTorch with Triton and a GPU here; ours alone" >&2
fi
"$folder/bench/vector_add" "${beside[@]}" >"$out/ours.csv"

# triton: by its own launcher and timer; triton_kernel: its cubin by our runtime, in turns with
# ours.
awk -F, '
  function ratio(a, b) { return b ? sprintf("%.3f", a / b) : "" }
  FILENAME == ARGV[1] { peer[$1, $2] = $4; next }
  $1 == "add" { ours[$2] = $8; order[++count] = $2 }
  $1 == "triton-kernel" { beside[$2] = $8 }
  $1 == "copy" { copy = $8 }
  END {
    print "elements,ours_gbps,triton_kernel_gbps,triton_gbps,torch_gbps," \
          "ours/triton_kernel,ours/triton,ours/torch"
    for (i = 1; i <= count; i++) {
      n = order[i]
      triton = peer["triton", n]; torch = peer["torch", n]
      printf "%d,%.1f,%s,%s,%s,%s,%s,%s\n", n, ours[n], beside[n], triton, torch,
             ratio(ours[n], beside[n]), ratio(ours[n], triton), ratio(ours[n], torch)
      if (beside[n]) { kernel_logs += log(ours[n] / beside[n]); kernels++ }
      if (beside[n] && n >= 1048576 && (!kernel_least || ours[n] / beside[n] < kernel_least))
        kernel_least = ours[n] / beside[n]
      if (triton) { logs += log(ours[n] / triton); rows++ }
      if (triton && n >= 1048576 && (!least || ours[n] / triton < least)) least = ours[n] / triton
      last = ours[n]; size = n
    }
    means = "geometric mean of ours/triton %.3f, least from 2^20 up %.3f\n"
    if (kernels)
      printf "# same launcher and buffers: " means, exp(kernel_logs / kernels), kernel_least
    if (rows) printf "# each by its own launcher: " means, exp(logs / rows), least
    if (copy)
      printf "# device copy: %.1f GB/s; ours at %d elements: %.3f of it\n", copy, size, last / copy
    if (("torch-copy", "4294967296") in peer) {
      torch_copy = peer["torch-copy", "4294967296"]
      printf "# torch copy: %.1f GB/s; ours: %.3f of it\n", torch_copy, last / torch_copy
    }
  }' "$out/peers.csv" "$out/ours.csv" | tee "$out/table.csv"

echo
"$folder/bench/launch_cost" 2>"$out/launch_cost.err" | tee "$out/launch_cost.csv" ||
  cat "$out/launch_cost.err" >&2
