#!/bin/sh
# SPDX-License-Identifier: MIT
# import.sh OUT FLAGS...: imports a kernel and prints it, after seeing that the module verifies,
# that tile-opt prints it unchanged, and that a second import is the same byte for byte.
set -eu
out=$1
shift
tile-translate --import-triton "$@" -o "$out"
tile-translate --import-triton "$@" -o "$out.again"
cmp "$out" "$out.again"
tile-opt --tile-verify "$out" -o "$out.opt"
cmp "$out" "$out.opt"
cat "$out"
