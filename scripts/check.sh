#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds and runs every test: presets release and dev, with gcc and clang,
# and the fuzzers. The last line adds up all suites: "N passed, N failed". Unit tests run in all
# four builds, kernels in all but dev with clang, the lit tests in two, so that each preset and each
# compiler has them once: dev with gcc, release with clang.
#   scripts/check.sh            that
#   scripts/check.sh --full     everything in all four builds
#   scripts/check.sh --quick    the dev preset with gcc only
set -uo pipefail
cd "$(dirname "$0")/.."
scripts/install-packages.sh || exit 1

passed=0 failed=0
count() { # adds "N passed, N failed" of a suite, whose output is in $2; $3 is its exit code
  local line
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$2" | tail -n 1)
  if [ -n "$line" ]; then
    read -r p _ f _ <<<"$line"
  else
    p=0 f=1 # it died before its closing line
  fi
  [ "$3" = 0 ] || [ "$f" -gt 0 ] || f=1
  passed=$((passed + p)) failed=$((failed + f))
  printf '%-44s %5d passed, %d failed\n' "$1" "$p" "$f"
  [ "$f" = 0 ] || cat "$2"
}

# As many at a time as there are processors; the report is in order.
run_programs() { # $1: build folder, $2: pattern
  local logs=$1/test/logs program name
  rm -rf "$logs" && mkdir -p "$logs"
  find "$1/test" -maxdepth 1 -type f -executable -name "$2" \
    \( -name '*_test' -o -name 'kernel_*' \) -printf '%s %p\n' |
    sort -rn | cut -d' ' -f2- |
    LSAN_OPTIONS=suppressions=$PWD/scripts/lsan.supp:print_suppressions=0 \
      xargs -P "$(nproc)" -I '{}' \
      bash -c '"$1" >"$2/${1##*/}" 2>&1; echo $? >"$2/${1##*/}.code"' - '{}' "$logs"
  for program in "$1"/test/*_test "$1"/test/kernel_*; do
    name=$(basename "$program")
    [ -e "$logs/$name.code" ] || continue
    count "${1#build/}: $name" "$logs/$name" "$(cat "$logs/$name.code")"
  done
}

run_lit() {
  local log=$1/test/lit.log
  /usr/lib/llvm-22/bin/lit -v --no-progress-bar "$1/test" >"$log" 2>&1
  local code=$? p f
  p=$(sed -n 's/^ *Passed *: *\([0-9]*\).*/\1/p' "$log")
  local failures='Failed\|Unresolved\|Timed Out\|Unexpectedly Passed'
  f=$(sed -n "s/^ *\($failures\) *: *\([0-9]*\).*/\2/p" "$log" |
    paste -sd+ - | sed 's/^$/0/' | { read -r sum; echo $((sum)); })
  echo "${p:-0} passed, ${f:-0} failed" >>"$log"
  count "${1#build/}: lit" "$log" "$code"
}

check_build() { # $1 preset, $2 compiler, $3: pattern of programs, $4: lit, for the lit tests
  local folder
  if ! folder=$(scripts/build.sh "$1" "$2"); then
    echo "building $1 with $2 failed"
    failed=$((failed + 1))
    return
  fi
  run_programs "$folder" "$3"
  [ "${4:-}" != lit ] || run_lit "$folder"
}

run_columns() { # no line is longer than 100 columns
  scripts/check-columns.sh >build/columns.log 2>&1
  count "columns" build/columns.log $?
}

# What is installed, and the Debian packages, as their users have them; the examples.
run_install() { # $1: build folder
  scripts/check-install.sh "$1" >"$1/install.log" 2>&1
  count "${1#build/}: installed, examples" "$1/install.log" $?
}

# ThreadSanitizer sees LLVM's mutexes but not its code: what it reports of our own code counts.
run_threads() {
  local folder
  if ! folder=$(scripts/build.sh tsan gcc threads_test); then
    echo "building threads_test with ThreadSanitizer failed"
    failed=$((failed + 1))
    return
  fi
  "$folder/test/threads_test" >"$folder/test/log" 2>&1
  count "tsan: threads_test" "$folder/test/log" $?
}

run_fuzzer() { # $1: fuzzer, the rest: its files
  local folder log name=$1
  shift
  if ! folder=$(scripts/build.sh fuzz gcc "$name"); then
    failed=$((failed + 1))
    return
  fi
  log=$folder/test/$name.log
  LSAN_OPTIONS=suppressions=$PWD/scripts/lsan.supp:print_suppressions=0 \
    "$folder/test/$name" --count "${TILE_FUZZ_COUNT:-2000}" "$@" >"$log" 2>&1
  local code=$?
  if [ $code = 0 ]; then
    echo "1 passed, 0 failed" >>"$log"
  else
    echo "0 passed, 1 failed" >>"$log"
  fi
  count "fuzz: $name, ${TILE_FUZZ_COUNT:-2000} mutated inputs" "$log" $code
}

everywhere= kernels='*_test'
[ "${1:-}" != --full ] || everywhere=lit kernels='*'
mkdir -p build
run_columns
check_build dev gcc '*' lit
if [ "${1:-}" != --quick ]; then
  check_build release gcc '*' $everywhere
  run_install build/release
  check_build dev clang "$kernels" $everywhere
  check_build release clang '*' lit
  run_threads
  run_fuzzer fuzz_opt $(git ls-files 'test/*.mlir')
  TILE_FUZZ_COUNT=${TILE_FUZZ_COUNT:-20000} run_fuzzer fuzz_image \
    test/kernels/vector_add.mlir test/target/metadata.mlir
  TILE_FUZZ_COUNT=${TILE_FUZZ_COUNT:-20000} run_fuzzer fuzz_toml $(git ls-files '*.toml')
  run_fuzzer fuzz_frontend $(git ls-files 'test/*.py' 'test/frontend/*.test')
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
