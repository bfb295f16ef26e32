#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Kernels beside what an earlier build of the compiler makes of them, in the same rounds on one
# device, and beside today's without Hopper's copy engine and all that came with it.
#   bench/before.sh make EARLIER_BUILD BUILD OUT MANIFEST ...
#   bench/before.sh run BUILD OUT
# make: needs no GPU. The manifests are those that bench/matmul.sh, bench/rows.sh and
# bench/attention.sh leave in their folders, or that their scripts write without a GPU:
#   bench/peers/matmul.py FOLDER --alone best:1024 plane:4096
# It says what is the same code (bench/peers/before.py), and leaves OUT/manifest.txt with the cases
# that are not, and the earlier build's code beside it. $OFF: other passes to leave out.
# run: OUT/before.csv, a row for each case, and for each kernel the geometric means of the earlier
# build's time over today's, and over that without the passes (those count that are not the earlier
# build's code then). $BESIDE_FLAGS are given to bench/beside ("--rounds 3").
set -euo pipefail
usage() {
  sed -n '3,18s/^# \{0,1\}//p' "$0" >&2
  exit 1
}
[ $# -ge 1 ] || usage
verb=$1
shift
case $verb in
make)
  [ $# -ge 4 ] || usage
  exec "${PYTHON:-python3}" "$(dirname "$0")/peers/before.py" "$@" ;;
run) [ $# = 2 ] || usage ;;
*) usage ;;
esac
folder=$1 out=$2
# shellcheck disable=SC2086
"$folder/bench/beside" "$out/manifest.txt" ${BESIDE_FLAGS:-} | tee "$out/before.csv"
awk -F, '
  function note(what, ratio) {
    if (!((what, "count") in sums)) {
      order[++kinds] = what
      sums[what, "least"] = ratio
    }
    sums[what, "count"]++
    sums[what, "logs"] += log(ratio)
    if (ratio < sums[what, "least"]) sums[what, "least"] = ratio
  }
  # The time of before over `time`: above 1 today is faster.
  function both(what, before, time) {
    note($1 what, before / time)
    note("all" what, before / time)
  }
  NR == FNR {
    way[$1, $2] = $3
    next
  }
  FNR > 1 && $3 != "failed" {
    before = without = 0
    if (way[$1, $2] == "ours") without = $4
    for (i = 6; i + 2 <= NF; i += 3) {
      if ($i ~ /^before(:|$)/) before = $(i + 1)
      if ($i ~ /^without /) without = $(i + 1)
    }
    if (before) both("", before, $4)
    if (before && without) both(", without the passes", before, without)
  }
  END {
    for (i = 1; i <= kinds; i++)
      printf "# %s: %d cases, geometric mean %.3f of before, least %.3f\n", order[i],
             sums[order[i], "count"], exp(sums[order[i], "logs"] / sums[order[i], "count"]),
             sums[order[i], "least"]
  }' "$out/without.csv" "$out/before.csv"
