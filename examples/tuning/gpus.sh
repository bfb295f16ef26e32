#!/bin/bash
# SPDX-License-Identifier: MIT
# A tuning on several GPUs of one host, of one kind: each does its part of a plan.
#
#   tile-tune plan -o plan.txt -- matmul.py --kernel matmul_kernel --grid ... --arg ...
#   gpus.sh plan.txt tune.sqlite3 0 1          # the numbers that nvidia-smi shows
set -eu

[ $# -gt 2 ] || { echo "usage: $0 PLAN DATABASE GPU..." >&2; exit 1; }
plan=$1 result=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
index=0 failed=0 workers=()
for gpu in "$@"; do
  CUDA_VISIBLE_DEVICES=$gpu tile-tune work --quiet --shard "$index/$#" \
    --database "$folder/$index.sqlite3" "$plan" &
  workers+=($!)
  index=$((index + 1))
done
for worker in "${workers[@]}"; do
  wait "$worker" || failed=1
done
tile-tune merge "$folder"/*.sqlite3 -o "$result"
exit $failed
