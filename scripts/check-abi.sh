#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compares the public API of a build's two libraries, as their debug information describes it, with
# the baselines in test/abi. What programs may count on must not go or change: functions, their
# parameters, the layout of public structures, values of enumerations. What is new passes.
#   scripts/check-abi.sh [BUILD_FOLDER [BASELINES]]    build/dev, which has debug information; gcc's
#   scripts/check-abi.sh --update [BUILD_FOLDER]       makes the build the baseline
# A change on purpose goes with a line in CHANGELOG.md and, after a release, with a new minor
# version in include/tile/version.h.
set -uo pipefail
cd "$(dirname "$0")/.."
update=false
[ "${1:-}" != --update ] || { update=true; shift; }
build=${1:-build/dev} baselines=${2:-test/abi}
# The development build shows all names that begin with tile_: only those of the headers count.
names=$(grep -oh '\btile_[a-z0-9_]* *(' include/tile/*.h | tr -d ' (' | sort -u | paste -sd'|')
printf '[suppress_function]\n  symbol_name_not_regexp = ^(%s)$\n  drop = yes\n' "$names" \
  >"$build/public.abignore"
printf '[suppress_variable]\n  symbol_name_regexp = .*\n  drop = yes\n' >>"$build/public.abignore"
public=(--headers-dir include --drop-private-types --suppressions "$build/public.abignore")
output=(--no-show-locs --no-corpus-path --no-comp-dir-path --no-architecture --no-elf-needed
  --no-parameter-names --no-write-default-sizes --type-id-style hash)

passed=0 failed=0
for library in tile_runtime tile; do
  baseline=$baselines/lib$library.abi
  abidw "${public[@]}" "${output[@]}" --out-file "$build/$library.abi" \
    "$build/lib/lib$library.so" || exit 1
  sed -i "s|path='$PWD/|path='|" "$build/$library.abi" # no word of where the baseline was made
  grep -q '<function-decl' "$build/$library.abi" ||
    { echo "$0: lib$library of $build has no debug information"; exit 1; }
  if $update; then
    cp "$build/$library.abi" "$baseline"
  elif abidiff --no-added-syms "$baseline" "$build/$library.abi"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "lib$library: programs built before may break; if that is meant: $0 --update"
  fi
done
$update || echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
