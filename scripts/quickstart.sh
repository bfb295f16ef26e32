#!/usr/bin/env bash
# From a fresh Debian 12 to a running kernel: installs packages, builds the release preset, compiles
# the tutorial kernels to PTX and runs them, checked against a reference.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "Installing packages ..."
scripts/install-packages.sh
echo "Building the release preset ..."
folder=$(scripts/build.sh release gcc)
scripts/tutorials.sh "$folder"
