#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What tuning takes and what its choice costs: tutorials' kernels tuned from nothing and once more,
# beside an exhaustive search: tile-bench times all candidates, in ROUNDS short rounds of one
# process. (Long runs tell less: a kernel of a few microseconds that is launched again and again
# takes up to 8% longer in one such loop than in the next, all through it.) No cache helps: ours is
# new, the driver's is off.
#   bench/tuning.sh [BUILD_FOLDER [DEVICE]]   build/release, auto
# For each candidate its time in the tuning, which runs the slow ones a few times only, and in the
# search; then a line for each kernel and size: seconds from nothing and of the second time, the
# choice, the best of the exhaustive search, and how much slower the choice is than that (0: the
# same).
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/release} device=${2:-auto}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=${ROUNDS:-51}
export CUDA_CACHE_DISABLE=1 TILE_CACHE_DIR=$work/cache TILE_TUNE_DATABASE=$work/tune.sqlite3

# "A=1 num_warps=2" as a candidate in JSON, and as flags of tile-run.
candidate_json() {
  local entry constants= options=
  for entry in $1; do
    case $entry in
    num_*) options+=",\"${entry%%=*}\":${entry#*=}" ;;
    *) constants+="${constants:+,}\"${entry%%=*}\":\"${entry#*=}\"" ;;
    esac
  done
  echo "{\"constants\":{$constants}$options}"
}
seconds() { sed -n 's/.*tuning took \([0-9.]*\) s: \(.*\)/\1 (\2)/p' "$1"; }

# A provider of tile-bench with one candidate; its name is the candidate's number.
provider() { # number, candidate, file, kernel, grid, constants as in TOML
  local entry constants=$6 options=
  for entry in $2; do
    case $entry in
    num_*) options+="${entry%%=*} = ${entry#*=}"$'\n' ;;
    *) constants+="${constants:+, }${entry%%=*} = ${entry#*=}" ;;
    esac
  done
  printf '[[providers]]\nname = "%s"\nfile = "%s"\nkernel = "%s"\n' "$1" "$PWD/$3" "$4"
  printf 'grid = "%s"\nconstexprs = {%s}\n%s' "$5" "$constants" "$options"
}

# The benchmark of all candidates: `list`, and tile-run's flags.
benchmark() {
  local file=$1 kernel= grid= constants= arguments= outputs= i value
  shift
  while [ $# -gt 0 ]; do
    value=${2#*=}
    case $1 in
    --kernel) kernel=$2 ;;
    --grid) grid=$2 ;;
    --constexpr)
      case $value in None) value='"None"' ;; True | False) value=${value,,} ;; esac
      constants+="${constants:+, }${2%%=*} = $value"
      ;;
    --arg)
      arguments+="${2%%=*} = \"$value\""$'\n'
      [ "${value##*:}" != poison ] || outputs+="${outputs:+, }\"${2%%=*}\""
      ;;
    esac
    shift 2
  done
  printf 'outputs = [%s]\n[sizes]\ncase = 1\n[arguments]\n%s' "$outputs" "$arguments"
  printf '[check]\nabsolute = 1e-2\nrelative = 1e-2\n'
  printf '[measure]\nrounds = %s\nwarmup_ms = 1\nrepeat_ms = 3\n' "$rounds"
  for i in "${!list[@]}"; do
    provider "$i" "${list[i]}" "$file" "$kernel" "$grid" "$constants"
  done
}

measure() { # title; the rest: tile-run's flags. Candidates: standard input, one a line.
  local title=$1 list=() i best=0 chosen log=$work/log line tune
  shift
  mapfile -t list
  { echo "["; for i in "${!list[@]}"; do
    [ "$i" = 0 ] || echo ","
    candidate_json "${list[i]}"
  done; echo "]"; } > "$work/candidates.json"
  rm -rf "$work/cache" "$work"/tune.sqlite3*
  tune=("$folder/bin/tile-run" "$@" --device "$device" --tune --configs "$work/candidates.json" -v)
  "${tune[@]}" > "$log.1" 2>&1 || { cat "$log.1"; exit 1; }
  "${tune[@]}" > "$log.2" 2>&1
  chosen=$(sed -n 's/^\* *\([0-9]*\) .*/\1/p' "$log.1")
  benchmark "$@" > "$work/all.toml"
  TILE_TUNE_DATABASE= "$folder/bin/tile-bench" "$work/all.toml" --device "$device" \
    --csv "$work/all.csv" > "$log.3" 2>&1 || { cat "$log.3"; exit 1; }
  local times=() ms
  for i in "${!list[@]}"; do
    ms=$(awk -F, -v name="$i" '$2 == name && $3 == "good" {print $4}' "$work/all.csv")
    times[i]=${ms:-1e9} # it failed
  done
  for i in "${!list[@]}"; do
    if awk "BEGIN {exit !(${times[i]} < ${times[best]})}"; then best=$i; fi
  done
  for i in "${!list[@]}"; do
    line=$(sed -n "s/^[* ] *$i .* \([0-9.]*\)  \(ok\|dropped.*\)/\1 ms (\2)/p" "$log.1")
    echo "  ${list[i]}: $line, exhaustive ${times[i]} ms"
  done
  printf '%s: %s s, again %s s\n' "$title" "$(seconds "$log.1")" \
    "$(seconds "$log.2" | cut -d' ' -f1)"
  printf '  chosen: %s, %s ms; best: %s, %s ms; loss %s%%\n' \
    "${list[chosen]}" "${times[chosen]}" "${list[best]}" "${times[best]}" \
    "$(awk "BEGIN {printf \"%.1f\", 100 * (${times[chosen]} / ${times[best]} - 1)}")"
}

product() { # rows and columns
  measure "product $1 x $1 x $1" test/kernels/matmul.py --kernel matmul_kernel \
    --constexpr ACTIVATION=None \
    --constexpr GROUP_SIZE_M=8 --grid "cdiv($1, BLOCK_SIZE_M) * cdiv($1, BLOCK_SIZE_N)" \
    --arg "a_ptr=fp16[$1,$1]:rand" --arg "b_ptr=fp16[$1,$1]:rand" --arg "c_ptr=fp16[$1,$1]:poison" \
    --arg "M=i32:$1" --arg "N=i32:$1" --arg "K=i32:$1" \
    --arg "stride_am=i32:$1" --arg stride_ak=i32:1 --arg "stride_bk=i32:$1" --arg stride_bn=i32:1 \
    --arg "stride_cm=i32:$1" --arg stride_cn=i32:1 <<'LIST'
BLOCK_SIZE_M=128 BLOCK_SIZE_N=256 BLOCK_SIZE_K=64 num_warps=8 num_stages=3
BLOCK_SIZE_M=64 BLOCK_SIZE_N=256 BLOCK_SIZE_K=32 num_warps=4 num_stages=4
BLOCK_SIZE_M=128 BLOCK_SIZE_N=128 BLOCK_SIZE_K=32 num_warps=4 num_stages=4
BLOCK_SIZE_M=128 BLOCK_SIZE_N=64 BLOCK_SIZE_K=32 num_warps=4 num_stages=4
BLOCK_SIZE_M=64 BLOCK_SIZE_N=128 BLOCK_SIZE_K=32 num_warps=4 num_stages=4
BLOCK_SIZE_M=128 BLOCK_SIZE_N=32 BLOCK_SIZE_K=32 num_warps=4 num_stages=4
BLOCK_SIZE_M=64 BLOCK_SIZE_N=32 BLOCK_SIZE_K=32 num_warps=2 num_stages=5
BLOCK_SIZE_M=32 BLOCK_SIZE_N=64 BLOCK_SIZE_K=32 num_warps=2 num_stages=5
LIST
}

warps() { printf 'num_warps=%s\n' 1 2 4 8 16; }

softmax() { # rows, elements of a row, the next power of two
  warps | measure "softmax $1 x $2" test/kernels/softmax.py --kernel softmax_row_kernel \
    --constexpr "BLOCK=$3" --grid "$1" \
    --arg "out_ptr=fp32[$1,$2]:poison" --arg "in_ptr=fp32[$1,$2]:rand" \
    --arg "in_stride=i32:$2" --arg "out_stride=i32:$2" --arg "width=i32:$2"
}

layer_norm() { # rows, elements of a row, the next power of two
  local flags=() name
  for name in RESIDUAL X1 W1 B1 Y1 SUM ROWSCALE SEEDS KEPT KEPT1; do
    flags+=(--constexpr "$name=None")
  done
  for name in IS_RMS HAS_RESIDUAL STORE_SUM HAS_DROPOUT STORE_KEPT HAS_ROWSCALE \
    HAS_X1 HAS_W1 HAS_B1; do
    flags+=(--constexpr "$name=False")
  done
  warps | measure "LayerNorm $1 x $2" test/kernels/layer_norm.py --kernel norm_fwd_kernel \
    --constexpr "BLOCK_N=$3" --grid "$1" \
    "${flags[@]}" --constexpr HAS_WEIGHT=True --constexpr HAS_BIAS=True \
    --arg "X=fp16[$1,$2]:rand" --arg "Y=fp16[$1,$2]:poison" \
    --arg "W=fp16[$2]:rand" --arg "B=fp16[$2]:rand" \
    --arg "Mean=fp32[$1]:poison" --arg "Rstd=fp32[$1]:poison" \
    --arg "stride_x=i32:$2" --arg "stride_y=i32:$2" --arg "stride_res=i32:$2" \
    --arg "stride_sum=i32:$2" --arg "stride_x1=i32:$2" --arg "stride_y1=i32:$2" \
    --arg "M=i32:$1" --arg "N=i32:$2" --arg eps=fp32:1e-5 --arg dropout_p=fp32:0 \
    --arg weight_is_zero_centered=i1:0
}

for n in 512 1024 4096; do product $n; done
softmax 4096 1024 1024
softmax 4096 8192 8192
layer_norm 4096 1024 1024
layer_norm 4096 8192 8192
