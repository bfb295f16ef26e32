#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a change leave the generated PTX alone? Compiles every kernel that a test translates, for two
# targets, and compares with what an earlier build made of it.
#
#   scripts/same-ptx.sh keep   BUILD FOLDER     keeps the PTX of BUILD (build/release) in FOLDER
#   scripts/same-ptx.sh compare BUILD FOLDER    compares BUILD's PTX with FOLDER's; the differences
#                                               stay in FOLDER.new; exit code 1 if there are any
#
# The command lines are those RUN lines of test/ that begin with `tile-translate` and read a file of
# the tree, and the lines of bench/registers.txt. FOLDER/lines has them, so that a test which is
# added or reworded between the two runs is not a difference. Further lines, such as kernels of
# other packages, can stand in the file that TILE_MORE_LINES names: arguments of tile-translate
# without --tile-to-ptx and --target. An error's text is compared, too.
set -euo pipefail
[ $# = 3 ] || { sed -n '3,14s/^# \{0,1\}//p' "$0" >&2; exit 1; }
verb=$1 build=$(realpath "$2") folder=$(realpath -m "$3")
tree=$(realpath "$(dirname "$0")/..")
targets=${TILE_TARGETS:-sm_80 sm_90a}

# What the lines say of the output and the target.
not_ours='--tile-to-(ptx|llvmir|cubin|emulator)|--import-triton|--target[= ]sm_[0-9a-z]+|-o +[^ ]+'

# The RUN lines of the tree as arguments of tile-translate, once each.
lines_of_tests() {
  grep -rE '^(//|#) RUN: (env [A-Z_]+=[^ ]+ )?tile-translate .*%s' "$tree/test" \
    --include='*.mlir' --include='*.py' --include='*.test' |
    grep -vE 'tile-to-c|verify-diagnostics|split-input|list-|%t|%source|--debug|print-ir' |
    sed -E "s#^([^:]*/)([^/:]*):.*RUN: (env [^ ]+ )?tile-translate (.*)#\1 \1\2 \4#" |
    while read -r here file arguments; do
      arguments=${arguments%%|*}
      arguments=${arguments%%[0-9]>*}
      arguments=${arguments%%>*}
      [[ $arguments == *%s* ]] || continue
      arguments=$(sed -E "s/($not_ours)//g" <<<"$arguments")
      arguments=${arguments//%s/$file}
      printf '%s\n' "${arguments//%S/${here%/}}"
    done | sed "s#$tree/##g" | sort -u
}

# one N TARGET ARGUMENTS: the PTX, or the error's text, to $into/N.TARGET.
one() {
  local out=$into/$1.$2
  cd "$tree" || return
  eval "timeout 120 '$build/bin/tile-translate' --tile-to-ptx --target $2 $3" \
    >"$out" 2>"$out.errors" </dev/null || cat "$out.errors" >>"$out"
  rm -f "$out.errors"
}
export -f one
export tree build

case $verb in
keep)
  mkdir -p "$folder"
  rm -rf "${folder:?}"/*
  lines_of_tests | cat - "$tree/bench/registers.txt" "${TILE_MORE_LINES:-/dev/null}" \
    >"$folder/lines"
  into=$folder ;;
compare)
  [ -f "$folder/lines" ] || { echo "$folder has no lines: run 'keep' first" >&2; exit 1; }
  into=$folder.new
  mkdir -p "$into"
  rm -rf "${into:?}"/* ;;
*) echo "no verb $verb: keep or compare" >&2; exit 1 ;;
esac
export into
number=0
while read -r line; do
  number=$((number + 1))
  for target in $targets; do printf '%s\0%s\0%s\0' "$number" "$target" "$line"; done
done <"$folder/lines" | xargs -0 -n 3 -P "$(nproc)" bash -c 'one "$@"' _

count=$(find "$into" -name '[0-9]*.sm_*' | wc -l)
refused=$(grep -lE '^[^/]*error: ' "$into"/[0-9]*.sm_* | wc -l)
echo "$count compilations ($refused of them refused)"
[ "$verb" = compare ] || exit 0
differences=0
for file in "$into"/[0-9]*.sm_*; do
  name=$(basename "$file")
  cmp -s "$folder/$name" "$file" && continue
  differences=$((differences + 1))
  echo "differs: $name: $(sed -n "${name%%.*}p" "$folder/lines")"
done
echo "$differences differ"
[ "$differences" = 0 ]
