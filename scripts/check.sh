#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds and runs the tests. The last line adds up all suites: "N passed,
# N failed". Each preset and each compiler comes once: dev with gcc runs the unit tests, the lit
# tests and the fuzzers, release with clang the unit tests, the kernels and the lit tests.
#   scripts/check.sh            that, in about 20 minutes on two processors
#   scripts/check.sh --full     everything in both presets with both compilers
#   scripts/check.sh --quick    the dev preset with gcc only, with its kernels
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

export LSAN_OPTIONS=suppressions=$PWD/scripts/lsan.supp:print_suppressions=0

# As many at a time as there are processors.
run_programs() { # $1: build folder, $2: pattern
  local logs=$1/test/logs
  rm -rf "$logs" && mkdir -p "$logs"
  find "$1/test" -maxdepth 1 -type f -executable -name "$2" \
    \( -name '*_test' -o -name 'kernel_*' \) -printf '%s %p\n' |
    sort -rn | cut -d' ' -f2- |
    xargs -P "$(nproc)" -I '{}' \
      bash -c '"$1" >"$2/${1##*/}" 2>&1; echo $? >"$2/${1##*/}.code"' - '{}' "$logs"
}

count_programs() { # $1: build folder; the report is in order
  local logs=$1/test/logs program name
  for program in "$1"/test/*_test "$1"/test/kernel_*; do
    name=$(basename "$program")
    [ -e "$logs/$name.code" ] || continue
    count "${1#build/}: $name" "$logs/$name" "$(cat "$logs/$name.code")"
  done
}

run_lit() { # $1: build folder, $2: regex of the tests
  local log=$1/test/lit.log
  rm -f "$log.code"
  /usr/lib/llvm-22/bin/lit -v --no-progress-bar --filter "$2" "$1/test" >"$log" 2>&1
  echo $? >"$log.code"
}

count_lit() { # $1: build folder
  local log=$1/test/lit.log p f
  p=$(sed -n 's/^ *Passed *: *\([0-9]*\).*/\1/p' "$log")
  local failures='Failed\|Unresolved\|Timed Out\|Unexpectedly Passed'
  f=$(sed -n "s/^ *\($failures\) *: *\([0-9]*\).*/\2/p" "$log" |
    paste -sd+ - | sed 's/^$/0/' | { read -r sum; echo $((sum)); })
  echo "${p:-0} passed, ${f:-0} failed" >>"$log"
  count "${1#build/}: lit" "$log" "$(cat "$log.code")"
}

# The lit tests run beside the programs: no processor waits for the last of either.
check_build() { # $1 preset, $2 compiler, $3: pattern of programs, $4: regex of the lit tests
  local folder begin=$SECONDS built target=all
  [ "$3" = '*' ] || target=without-kernels
  if ! folder=$(scripts/build.sh "$1" "$2" $target); then
    echo "building $1 with $2 failed"
    failed=$((failed + 1))
    return
  fi
  built=$SECONDS
  [ -z "${4:-}" ] || run_lit "$folder" "$4" &
  if ! run_programs "$folder" "$3"; then
    echo "${folder#build/}: not all programs ran"
    failed=$((failed + 1))
  fi
  wait
  count_programs "$folder"
  [ -z "${4:-}" ] || count_lit "$folder"
  echo "${folder#build/}: built in $((built - begin)) s, tested in $((SECONDS - built)) s"
}

run_columns() { # no line is longer than 100 columns
  scripts/check-columns.sh >build/columns.log 2>&1
  count "columns" build/columns.log $?
}

# --- What has one process each: as many at a time as there are processors ---

# What is installed, and the Debian packages, as their users have them; the examples.
job_install() {
  scripts/check-install.sh build/release-clang
}

# ThreadSanitizer sees LLVM's mutexes but not its code: what it reports of our own code counts.
job_threads() {
  build/tsan/test/threads_test
}

fuzz() { # $1: fuzzer, $2: inputs, the rest: its files
  "build/dev/test/$1" --count "${TILE_FUZZ_COUNT:-$2}" "${@:3}"
  local code=$?
  [ $code = 0 ] && echo "1 passed, 0 failed" || echo "0 passed, 1 failed"
  return $code
}

job_fuzz_opt() {
  fuzz fuzz_opt 2000 $(git ls-files 'test/*.mlir')
}

job_fuzz_frontend() {
  fuzz fuzz_frontend 2000 $(git ls-files 'test/*.py' 'test/frontend/*.test')
}

job_fuzz_image() {
  fuzz fuzz_image 20000 test/kernels/vector_add.mlir test/target/metadata.mlir
}

job_fuzz_toml() {
  fuzz fuzz_toml 20000 $(git ls-files '*.toml')
}

run_jobs() { # $@: names of jobs, the longest first
  local logs=build/jobs name
  rm -rf "$logs" && mkdir -p "$logs"
  export -f fuzz "${@/#/job_}"
  printf '%s\n' "$@" | xargs -P "$(nproc)" -I '{}' \
    bash -c "job_{} >$logs/{} 2>&1; echo \$? >$logs/{}.code"
  for name in "$@"; do
    count "$name" "$logs/$name" "$(cat "$logs/$name.code")"
  done
}

full= kernels='*'
[ -z "${1:-}" ] || export TILE_TESTS=all
case ${1:-} in
  --full) full=1 ;;
  --quick) ;;
  *) kernels='*_test' ;;
esac
mkdir -p build
run_columns
check_build dev gcc "$kernels" .
if [ "${1:-}" != --quick ]; then
  check_build release clang '*' .
  [ -z "$full" ] || check_build release gcc '*' .
  [ -z "$full" ] || check_build dev clang '*' .
  jobs=(install fuzz_opt fuzz_frontend fuzz_toml fuzz_image)
  if scripts/build.sh tsan gcc threads_test >/dev/null; then
    jobs+=(threads)
  else
    echo "building threads_test with ThreadSanitizer failed"
    failed=$((failed + 1))
  fi
  begin=$SECONDS
  run_jobs "${jobs[@]}"
  echo "jobs: $((SECONDS - begin)) s"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
