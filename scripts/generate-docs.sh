#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes the reference pages that tile-opt prints from the tables of operations, passes and
# attributes: docs/dialects/{tile,tile_gpu,tile_ptx}.md, docs/passes.md and docs/attributes.md.
# --check writes nothing and fails with a diff when a page is not what tile-opt prints.
# The tool: $TILE_OPT, or build/release/bin/tile-opt, or build/dev/bin/tile-opt.
set -euo pipefail

check=false
case "${1:-}" in
  "") ;;
  --check) check=true ;;
  *) echo "usage: $0 [--check]" >&2; exit 1 ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tool=${TILE_OPT:-}
for preset in release dev; do
  built=$root/build/$preset/bin/tile-opt
  [ -n "$tool" ] || [ ! -x "$built" ] || tool=$built
done
if [ -z "$tool" ]; then
  echo "$0: no tile-opt in build/release/bin or build/dev/bin; build it," \
    "or name one in TILE_OPT" >&2
  exit 1
fi

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
stale=0
for page in tile:dialects/tile.md tile_gpu:dialects/tile_gpu.md tile_ptx:dialects/tile_ptx.md \
            passes:passes.md attributes:attributes.md; do
  target=$root/docs/${page#*:}
  "$tool" --print-reference="${page%%:*}" > "$fresh/page.md"
  if $check; then
    diff -u --label "docs/${page#*:}" --label "tile-opt --print-reference=${page%%:*}" \
         "$target" "$fresh/page.md" || stale=1
  else
    mkdir -p "$(dirname "$target")"
    cp "$fresh/page.md" "$target"
  fi
done
if [ $stale != 0 ]; then
  echo "$0: the pages above are out of date; run scripts/generate-docs.sh" >&2
fi
exit $stale
