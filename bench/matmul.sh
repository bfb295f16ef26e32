#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Matrix products beside Triton and cuBLAS on one device, in one go: a table with ratios, and
# geometric means.
#   bench/matmul.sh [--shard I/N] [BUILD_FOLDER [OUT [PART[:SHAPE] ...]]]
#                                  build/release, build/bench-matmul, best pairs skinny
# Parts: best (square sizes, best of eight configurations each), quick (five of them), pairs
# (configuration against configuration), skinny (few rows), odd, bf16, described (by tensor
# descriptors), plane (a grid of two dimensions), persistent, batched, experts (rows sorted by whose
# matrix they are multiplied with), split_k (few tiles, a long K), int8, fp8, int8_rows, fp8_rows
# (the second operand in rows), tails (tiles that leave a part of the last turn, shared and not),
# sm80 (instructions of sm_80 in both);
# bench/peers/matmul.py says more. A shape as in the table, or its last number: best:4096. Needs
# python3 (or $PYTHON) with PyTorch and Triton, and a GPU. With --shard I/N in front a part of the
# cases: bench/sweep.sh says more.
exec "$(dirname "$0")/sweep.sh" matmul "$@"
