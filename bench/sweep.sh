#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What bench/rows.sh and bench/matmul.sh share: the cases of bench/peers/NAME.py measured in Triton
# and PyTorch, and then beside ours.
#   bench/sweep.sh NAME [--shard I/N] [BUILD_FOLDER [OUT [PART[:SHAPE] ...]]]
#                                      build/release, build/bench-NAME
# Table and manifest are OUT/NAME.csv and OUT/manifest.txt. With --shard every N-th case, from case
# I on (the first is 0), in OUT/I-of-N: several GPUs, or machines, share a sweep, and then
#   bench/summary.sh OUT/*/NAME.csv
# $BESIDE_FLAGS are given to bench/beside ("--rounds 3").
set -euo pipefail
name=$1 shard=
shift
if [ "${1:-}" = --shard ]; then
  shard=${2:-}
  if ! [[ $shard =~ ^([0-9]+)/([0-9]+)$ ]] ||
    ((10#${BASH_REMATCH[1]} >= 10#${BASH_REMATCH[2]})); then
    echo "$name.sh: --shard is I/N, part I of N parts from 0/N to N-1/N, as in 0/4;" \
      "not '$shard'" >&2
    exit 1
  fi
  shift 2
fi
cd "$(dirname "$0")/.."
folder=${1:-build/release} out=${2:-build/bench-$name}
shift $(($# < 2 ? $# : 2))
[ -z "$shard" ] || out=$out/${shard/\//-of-}
"${PYTHON:-python3}" "bench/peers/$name.py" "$out" ${shard:+--shard "$shard"} "$@"
# shellcheck disable=SC2086
"$folder/bench/beside" "$out/manifest.txt" ${BESIDE_FLAGS:-} | tee "$out/$name.csv"
bench/summary.sh "$out/$name.csv"
