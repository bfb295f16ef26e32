#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what building and testing need, on Debian 12 or newer. As root, or with sudo.
# --check only says what is missing.
set -euo pipefail

packages=(
  gcc g++ clang cmake ninja-build git xz-utils    # g++ for libstdc++ alone: the project is C
  llvm-22-dev libmlir-22-dev lld-22               # LLVM and MLIR 22
  mlir-22-tools llvm-22-tools                     # FileCheck, lit
  libzstd-dev zlib1g-dev                          # what LLVM's archives link
  libsqlite3-dev                                  # the database of tuning results
  libclang-rt-14-dev                              # clang's sanitizer runtime
  pkg-config dpkg-dev file                        # scripts/check-install.sh
  abigail-tools                                   # scripts/check-abi.sh
  gnuplot-nox                                     # plots of tile-bench
  locales                                         # test/unit/locale_test.c
  mandoc                                          # test/tools/pages.test
  parallel openssh-client openssh-server          # test/tune: the recipes of examples/tuning
  slurm-wlm munge                                 # the same; munge is what slurm-wlm asks for
  python3                                         # lit only
)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
    missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
if [ "${1:-}" = --check ]; then
  echo "missing packages: ${missing[*]}" >&2
  exit 1
fi

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
