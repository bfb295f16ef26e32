#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What each pass is worth on a GPU: the kernels of sweeps with all passes, and without one at a
# time.
#   bench/passes.sh BUILD_FOLDER OUT MANIFEST ...
# The manifests are those that bench/matmul.sh, bench/rows.sh and bench/attention.sh leave in their
# folders; what is theirs of peers is left out. $PASSES: which passes (default: all that tile-opt
# --list-passes marks with ?); those with a comma between them are left out together.
# $BESIDE_FLAGS are given to bench/beside ("--rounds 3").
# OUT/passes.csv: a row for each case, with the best configuration of each, and for each pass that
# changes the PTX of one: the time without it over the time with it. Printed: for each pass in how
# many cases that is so, the geometric mean, the least and the greatest.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '3,15s/^# \{0,1\}//p' "$0" >&2; exit 1; }
folder=$1 out=$2
shift 2
mkdir -p "$out"
passes=${PASSES:-$("$folder/bin/tile-opt" --list-passes | sed -n 's/.*[=,] ?\([a-z-]*\).*/\1/p')}
awk -v passes="$(tr '\n' ' ' <<<"$passes")" '
  function flush(    i, k, line) {
    for (i = 1; i <= count; i++) print group[i]
    for (k = 1; k <= pass_count; k++)
      for (i = 1; i <= count; i++) {
        line = group[i]
        sub(/^ours /, "ours skip=" pass[k] " ", line)
        print line
      }
    count = 0
  }
  BEGIN { pass_count = split(passes, pass, " ") }
  /^(#|peer |time )/ { next }
  /^ours .* after=1 / { group[++count] = $0; next }
  { flush() }
  /^ours / { group[++count] = $0; next }
  { print }' "$@" >"$out/manifest.txt"
# shellcheck disable=SC2086
"$folder/bench/beside" "$out/manifest.txt" ${BESIDE_FLAGS:-} >"$out/passes.csv"
awk -F, '
  NR > 1 {
    cases++
    for (i = 6; i + 2 <= NF; i += 3) {
      name = $i
      sub(/^without /, "", name)
      sub(/:.*/, "", name)
      count[name]++
      logs[name] += log($(i + 2))
      if (!(name in least) || $(i + 2) < least[name]) least[name] = $(i + 2)
      if ($(i + 2) > most[name]) { most[name] = $(i + 2); where[name] = $1 " " $2 }
    }
  }
  END {
    printf "%-36s %8s %8s %7s %9s\n", "without", "cases", "mean", "least", "greatest"
    for (name in count)
      printf "%-36s %4d/%-3d %8.3f %7.3f %9.3f  %s\n", name, count[name], cases,
             exp(logs[name] / count[name]), least[name], most[name], where[name]
  }' "$out/passes.csv" | { read -r head; echo "$head"; sort; }
