#!/bin/bash
# SPDX-License-Identifier: MIT
# A tuning on a cluster under Slurm: an array of jobs, each of which does its part of a plan and
# keeps what it measured in a file of its own. In a folder that all nodes see, with tile-tune on
# their PATH:
#
#   tile-tune plan -o plan.txt -- matmul.py --kernel matmul_kernel --grid ... --arg ...
#   sbatch --wait --array=0-7 --gres=gpu:1 slurm.sh plan.txt
#   tile-tune merge shards/*.sqlite3 -o tune.sqlite3
#
# A job that was killed may be given again (--array=3): what it had measured is not measured again.
#SBATCH --job-name=tile-tune
#SBATCH --ntasks=1
#SBATCH --output=shards-%a.log
set -eu

plan=${1:?usage: sbatch --array=0-N slurm.sh PLAN}
# TILE_SHARDS: of a whole of which only some are given again.
count=${TILE_SHARDS:-$SLURM_ARRAY_TASK_COUNT}
mkdir -p shards
tile-tune work --shard "$SLURM_ARRAY_TASK_ID/$count" \
  --database "shards/$SLURM_ARRAY_TASK_ID.sqlite3" "$plan"
