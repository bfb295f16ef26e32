# SPDX-License-Identifier: MIT
# one.sh FOLDER INPUTS JOBS: a kernel, one tuning of it (one.sqlite3), and the same as a plan
# (plan.txt), in a new folder.
set -e
rm -rf "$1"
mkdir -p "$1"
cp "$2/scale.py" "$1"
cd "$1"
set -- "$3" scale.py --device emulator --cache off --grid 'cdiv(n, BLOCK)' \
  --arg 'x=fp32[2000]:arange' --arg 'out=fp32[2000]:poison' --arg n=i32:2000
jobs=$1
shift
tile-tune plan --jobs "$jobs" -o plan.txt -- "$@"
TILE_TUNE_DATABASE=one.sqlite3 tile-run --tune "$@"
