#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Softmax, RoPE and layer normalisation beside Triton and PyTorch on one device, in one go: a table
# with ratios, and the geometric mean of each kernel.
#   bench/rows.sh [--shard I/N] [BUILD_FOLDER [OUT [PART[:SHAPE] ...]]]
#                                build/release, build/bench-rows, all parts
# Parts: softmax rope norm backward, and copy (rows of softmax loaded and stored, nothing else); a
# shape as in the table, or its last number: norm:131072x8192 softmax:512. Needs python3 (or
# $PYTHON) with PyTorch and Triton, and a GPU. With --shard I/N in front a part of the cases:
# bench/sweep.sh says more.
exec "$(dirname "$0")/sweep.sh" rows "$@"
