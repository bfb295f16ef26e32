#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Products and attention of all types, sizes and forms, with Hopper's hardware on and off, on a
# GPU or on the emulator: kernel tests (test/kernels), each with --full and --large, with all passes
# and without some.
#   scripts/check-device.sh [cuda|emulator] [WORD ...]
# WORDs choose jobs whose line contains one of them.
#   BUILD    build/release
#   OUT      where results go (build/check-device): products.txt, a line each:
#            PROGRAM ARGUMENTS [SWITCHES]: N passed, M failed, S seconds
#            and products.tgz with what each said
#   JOBS     at a time (7; emulator 1)
#   LIMIT    seconds in all (560); what has not begun by then is "not run"
#   EACH     seconds for a job (240)
#   RANDOM_SECONDS  kernel_random_products, two processes beside the others (540; 0: none)
#   LARGE    on the emulator: --large=64
#   LIST     a file with jobs in place of the script's own
#   UNDER    what jobs run under: "compute-sanitizer --tool racecheck --error-exitcode 9"; what it
#            reports stands in their logs
cd "$(dirname "$0")/.." || exit 1
device=${1:-cuda}
shift
build=${BUILD:-build/release} out=${OUT:-build/check-device}
each=${EACH:-240} limit=${LIMIT:-560}
if [ "$device" = cuda ]; then
  jobs=${JOBS:-7} random=${RANDOM_SECONDS:-540} large=--large full=--full
else
  jobs=${JOBS:-1} random=${RANDOM_SECONDS:-0} large=${LARGE:---large=64} full=
fi
export PATH=$PWD/$build/bin:$PATH LD_LIBRARY_PATH=$PWD/$build/lib:$LD_LIBRARY_PATH
mkdir -p "$out/products"
: >"$out/products.txt"
begin=$(date +%s)

# Switches by name: what stands in the environment.
switches_on=
switches_maps_off=TILE_SKIP_PASSES=tile-version-descriptors
switches_roles_off=TILE_SKIP_PASSES=tile-gpu-assign-roles
switches_tails_off=TILE_SKIP_PASSES=tile-gpu-split-tail
switches_stores_off=TILE_SKIP_PASSES=tile-gpu-bulk-stores,tile-gpu-store-by-warps
switches_overlap_off=TILE_SKIP_PASSES=tile-gpu-overlap-products,tile-gpu-advance-products

# Jobs, a line each: SWITCHES PROGRAM ARGUMENTS. The most telling ones first.
list() {
  if [ -n "${LIST:-}" ]; then
    cat "$LIST"
    return
  fi
  local all="on maps_off roles_off tails_off stores_off" s p
  for s in $all; do
    for p in matmul persistent batched split_k eight_bit linear descriptors grouped; do
      echo "$s $p $large"
      echo "$s $p $full"
    done
  done
  for s in on maps_off roles_off; do
    echo "$s dots $large"
    echo "$s dots_whole $large"
    echo "$s dots_whole $full"
    echo "$s matmul_wgmma $full"
  done
  for s in on maps_off roles_off overlap_off stores_off; do
    echo "$s attention $large"
    echo "$s attention $full"
    echo "$s attention_heads $large"
    echo "$s attention_heads $full"
    for i in 0 1 2; do
      echo "$s attention_forms $large --part $i/3"
      echo "$s attention_forms $full --part $i/3"
      echo "$s attention_backward $large --part $i/3"
      echo "$s attention_backward $full --part $i/3"
    done
  done
  for s in maps_off roles_off; do echo "$s dots"; done
  for ((i = 0; i < 24; i++)); do echo "on dots $full --part $i/24"; done
}

# Tests that look whether a kernel has what the switches take away.
gone() {
  case $1:$2 in
  matmul:maps_off | matmul:roles_off) echo pairs ;;
  descriptors:maps_off | descriptors:roles_off) echo shared tails pairs ;;
  descriptors:tails_off) echo shared tails ;;
  esac
}

# one N SWITCHES PROGRAM ARGUMENTS...
one() {
  local n=$1 s=$2 p=$3 log=$out/products/$1.log start=$EPOCHREALTIME rc seconds count
  shift 3
  local label="kernel_$p${*:+ $*} [${s//_/ }]" set=switches_$s left=$((limit - $(date +%s) + begin))
  if [ $left -lt 5 ]; then
    echo "$label: not run" >>"$out/products.txt"
    return
  fi
  [ $left -gt "$each" ] && left=$each
  env ${!set} timeout --foreground $left ${UNDER:-} "$build/test/kernel_$p" --device "$device" \
    --kernels test/kernels "$@" >"$log" 2>&1
  rc=$?
  seconds=$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $start }")
  count=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
  [ $rc = 124 ] && count="stopped after $left s, $(grep -c '^FAIL' "$log") failed so far"
  [ -n "$count" ] || count="no count, exit code $rc: $(tail -1 "$log")"
  local test why=
  for test in $(sed -n 's/^FAIL *//p' "$log" | tr ' ' _); do
    case " $(gone "$p" "$s") " in
    *" $test "*) why+="; $test: is switched off" ;;
    *) why+="; FAIL $test" ;;
    esac
  done
  [[ $rc != 0 && $count == *", 0 failed"* ]] && why+="; exit code $rc"
  echo "$label: $count, $seconds seconds$why" >>"$out/products.txt"
}

# Two halves of the same seeds.
if [ "$random" -gt 0 ]; then
  for i in 0 1; do
    (
      log=$out/products/random-$i.log
      timeout --foreground $((random + 50)) "$build/test/kernel_random_products" \
        --device "$device" $([ "$device" = cuda ] && echo --large) --kernels test/kernels \
        --seed "${SEED:-1000000}" --count 1000000 --shard $i/2 --seconds "$random" \
        --keep-going >"$log" 2>&1
      echo "kernel_random_products part $i of 2 [on]: exit code $?," \
        "$(grep -E '^[0-9]+ products$' "$log"), $(grep -c ^FAILED "$log") failures" \
        >>"$out/products.txt"
    ) &
  done
fi
n=0
while read -r line; do
  if [ $# -gt 0 ]; then
    found=
    for word; do [[ " $line " == *" $word "* ]] && found=1; done
    [ -n "$found" ] || continue
  fi
  n=$((n + 1))
  while [ "$(jobs -rp | wc -l)" -ge $((jobs + (random > 0 ? 2 : 0))) ]; do wait -n; done
  # shellcheck disable=SC2086
  one $n $line &
done < <(list | awk '!seen[$0]++')
wait
echo "what is not all passed:"
sort "$out/products.txt" | grep -vE ': [0-9]+ passed, 0 failed.* seconds$'
awk '/ passed, / {
  for (i = 2; i <= NF; i++)
    if ($i == "passed,") { passed += $(i - 1); failed += $(i + 1) }
} END { print passed + 0 " passed, " failed + 0 " failed" }' "$out/products.txt"
tar czf "$out/products.tgz" -C "$out" products && rm -r "$out/products"
! grep -qE 'FAIL |stopped after|no count|[1-9][0-9]* failures|exit code [1-9]' "$out/products.txt"
