#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From a fresh Debian 12 to a running kernel: installs packages, builds the release preset, compiles
# the tutorial kernels to PTX and runs them, checked against a reference.
#   scripts/quickstart.sh [BUILD_FOLDER]
# With a finished build, made elsewhere for a machine where nothing can be installed, it begins
# after the build.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-}
if [ -z "$folder" ]; then
  echo "Installing packages ..."
  scripts/install-packages.sh
  echo "Building the release preset ..."
  folder=$(scripts/build.sh release gcc)
fi
scripts/tutorials.sh "$folder"
